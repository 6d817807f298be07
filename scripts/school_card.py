"""Renew the tables of docs/school.md from the corpus itself: python scripts/school_card.py"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from sau_solver.curriculum.families import skills
from sau_solver.data import load
from sau_solver.problem import Lesson, Problem

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/school.md"
READING = ROOT / "src/sau_solver/data/school/second-reading.json"
SPLITS = ("train", "validation", "test", "transfer")
MARK = "<!-- {} -->"
MANY = 4  # unneeded numbers: one to three were planned


def main() -> None:
    """Write the tables between their marks."""
    corpora = {language: load(f"school-{language}").problems for language in ("en", "zh")}
    page = PAGE.read_text(encoding="utf-8")
    tables = {
        "parts": _parts(corpora),
        "contrasts": _contrasts(corpora),
        "unneeded": _unneeded(corpora),
        "grades": _grades(corpora),
        "skills": _skills(corpora),
        "reading": _reading(),
        "stories": _stories({language: load(f"stories-{language}").problems for language in ("en", "zh")}),
    }
    for name, table in tables.items():
        start, end = MARK.format(name), MARK.format(f"end of {name}")
        before, found, rest = page.partition(start)
        _, closed, after = rest.partition(end)
        if not (found and closed):
            raise SystemExit(f"{PAGE} has no place for {name}.")
        page = f"{before}{start}\n{table}\n{end}{after}"
    PAGE.write_text(page, encoding="utf-8")


def _lesson(problem: Problem) -> Lesson:
    assert problem.lesson is not None
    return problem.lesson


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [f"| {' | '.join(heads)} |", f"|{'|'.join(['---', *['---:'] * (len(heads) - 1)])}|"]
    return "\n".join([*lines, *(f"| {' | '.join(_cell(value) for value in row)} |" for row in rows)])


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _parts(corpora: dict[str, tuple[Problem, ...]]) -> str:
    rows: list[list[object]] = []
    for split in SPLITS:
        own = [[one for one in problems if one.split == split] for problems in corpora.values()]
        rows.append([split, *map(len, own), *(len({_lesson(one).group for one in part}) for part in own)])
    whole = list(corpora.values())
    rows.append(["all", *map(len, whole), *(len({_lesson(one).group for one in part}) for part in whole)])
    return _table(["part", "problems en", "zh", "groups en", "zh"], rows)


def _contrasts(corpora: dict[str, tuple[Problem, ...]]) -> str:
    counts = {language: Counter(_lesson(one).contrast for one in own) for language, own in corpora.items()}
    rows: list[list[object]] = [[name, *(counts[language][name] for language in corpora)] for name in counts["en"]]
    unneeded = [sum(bool(_lesson(one).unneeded) for one in own) for own in corpora.values()]
    rows.append(["any text with unneeded numbers", *unneeded])
    return _table(["contrast", "en", "zh"], rows)


def _unneeded(corpora: dict[str, tuple[Problem, ...]]) -> str:
    """Return how many problems state no unneeded number, one, two, three, and more."""
    counts = [Counter(min(len(_lesson(one).unneeded), MANY) for one in own) for own in corpora.values()]
    largest = [max(len(_lesson(one).unneeded) for one in own) for own in corpora.values()]
    rows: list[list[object]] = [[str(number), *(own[number] for own in counts)] for number in range(MANY)]
    rows += [[f"{MANY} or more", *(own[MANY] for own in counts)], ["largest number", *largest]]
    return _table(["unneeded numbers of a problem", "en", "zh"], rows)


def _grades(corpora: dict[str, tuple[Problem, ...]]) -> str:
    counts = {language: Counter(_lesson(one).grade for one in own) for language, own in corpora.items()}
    rows: list[list[object]] = [[str(grade), *(own[grade] for own in counts.values())] for grade in range(1, 10)]
    return _table(["grade", "en", "zh"], rows)


def _skills(corpora: dict[str, tuple[Problem, ...]]) -> str:
    counts = {language: Counter(_lesson(one).skill for one in own) for language, own in corpora.items()}
    return _table(
        ["skill", "grade", "en", "zh"],
        [
            [f"{name} (transfer)" if skill.transfer else name, str(skill.grade), counts["en"][name], counts["zh"][name]]
            for name, skill in skills().items()
        ],
    )


def _stories(corpora: dict[str, tuple[Problem, ...]]) -> str:
    """Return how many stories there are, problems about them, and problems with unneeded numbers."""
    counts: list[list[object]] = [
        ["stories", *(len({_lesson(one).group for one in own}) for own in corpora.values())],
        ["problems: a telling with a question", *map(len, corpora.values())],
        [
            "problems with unneeded numbers",
            *(sum(bool(_lesson(one).unneeded) for one in own) for own in corpora.values()),
        ],
    ]
    return _table(["", "en", "zh"], counts)


def _reading() -> str:
    read = json.loads(READING.read_text(encoding="utf-8"))
    names = {
        "read": "problems read",
        "same": "the same answers at the first reading",
        "unclear": "called unclear; reworded",
        "different": "other answers; text or label corrected",
        "agreement": "agreement at the first reading",
    }
    return _table(
        ["", "en", "zh"], [[text, *(read[language][name] for language in ("en", "zh"))] for name, text in names.items()]
    )


if __name__ == "__main__":
    main()
