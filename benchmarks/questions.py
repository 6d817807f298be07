"""Measure whether models read the question: how often the best tree stays when the question is removed or swapped.

    python benchmarks/questions.py [--model FOLDER --lang LANG] [--problems N] [--docs docs/results.md]

Problems are School's validation part and, if the data folder has them, the validation parts of two corpora that the
model holds out. A question with numbers is left alone, so that the numbers of a tree mean the same in all texts. With
--docs, also writes the table into that page and the figures to results/questions/figures.json.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

from sau_solver.answering.protocols import is_accepted
from sau_solver.data import load
from sau_solver.data.prepared.examples import first_slots
from sau_solver.data.prepared.held_out_parts import held_out_of
from sau_solver.data.prepared.mixtures import prepared
from sau_solver.equations.symbols import Slot
from sau_solver.errors import MissingCorpusError
from sau_solver.hub.model_names import find_model
from sau_solver.problem import Language, Problem
from sau_solver.solution import Solution
from sau_solver.solver import BATCH, Solver
from sau_solver.solver import load as load_solver
from sau_solver.text.asking.really_asked import EN_SENTENCE, asked_in_chinese, asked_in_english
from sau_solver.text.numbers import find_numbers, map_text
from sau_solver.text.questions import ZH_SENTENCE, Question, questions_of
from sau_solver.text.screening import Screened

STORED = Path(__file__).parents[1] / "results" / "questions" / "figures.json"
LANGUAGES: tuple[Language, ...] = ("en", "zh")
CORPORA: Mapping[Language, tuple[str, ...]] = {"en": ("mawps", "gsm8k"), "zh": ("math23k", "ape210k-valid")}
ASKS_ELSE = {"other question", "reversed", "sum asked", "difference asked", "several questions", "one of two"}
START, END = "<!-- questions -->", "<!-- end of questions -->"
HEADS = (
    "source", "right", "question removed", "of the right ones", "question swapped", "of the right ones",
    "groups all right", "base and other question right",
)  # fmt: skip
_CLAUSE_MARK = re.compile(r"[，；：]|[,;:](?!\d)")
_OPEN = " 　,，;；:："  # what a text may not end with after its question is cut


@dataclass(frozen=True, slots=True)
class Stays:
    """For how many problems the best tree stays: the first candidate of the network, and the tree of the solution."""

    problems: int
    first: int
    chosen: int

    def __str__(self) -> str:
        if not self.problems:
            return "–"
        return f"{100 * self.first / self.problems:.0f} / {100 * self.chosen / self.problems:.0f} ({self.problems:,})"


@dataclass(frozen=True, slots=True)
class Share:
    """How many of all problems, groups or pairs are right."""

    right: int
    all: int

    def __str__(self) -> str:
        return f"{100 * self.right / self.all:.0f} ({self.all:,})" if self.all else "–"


@dataclass(frozen=True, slots=True)
class Figures:
    """What a model does on the problems of one source; `of_right` counts only those that it solves."""

    right: Share
    removed: Stays
    removed_of_right: Stays
    swapped: Stays
    swapped_of_right: Stays
    groups: Share  # contrast groups of which all problems are right
    pairs: Share  # pairs of a base problem and its other question that are both right


@dataclass(frozen=True, slots=True)
class Cut:
    """A problem, its text without the question, and the question, which has no numbers."""

    problem: Problem
    told: str
    question: str


def main() -> None:
    """Measure, print, and write the table if a page is given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="folder of a trained model, or owner/name; by default the shipped models")
    parser.add_argument("--lang", choices=LANGUAGES, help="language of the model")
    parser.add_argument("--problems", type=int, default=300, help="most problems of a source whose question is changed")
    parser.add_argument("--docs", type=Path, help="page to renew, for the shipped models")
    chosen = parser.parse_args()
    if (chosen.model and not chosen.lang) or (chosen.docs and chosen.lang):
        parser.error("--model needs --lang, and --docs is for both shipped models.")
    measured: dict[str, Figures] = {}
    for language in [chosen.lang] if chosen.lang else LANGUAGES:
        solver = load_solver(chosen.model or language)
        folder = find_model(chosen.model or language).folder(language)
        for name, problems in sources(language, folder):
            measured[f"{name}, {language}"] = measure(solver, problems, chosen.problems)
    rows = [[name, *(str(getattr(one, field.name)) for field in fields(one))] for name, one in measured.items()]
    table = "\n".join(f"| {' | '.join(row)} |" for row in (HEADS, ["---", *["---:"] * (len(HEADS) - 1)], *rows))
    print(table)
    if chosen.docs:
        before, found, rest = chosen.docs.read_text(encoding="utf-8").partition(START)
        _, closed, after = rest.partition(END)
        if not (found and closed):
            raise SystemExit(f"{chosen.docs} has no place {START} … {END}.")
        chosen.docs.write_text(f"{before}{START}\n{table}\n{END}{after}", encoding="utf-8")
        plain = {name: asdict(figures) for name, figures in measured.items()}
        STORED.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")


def sources(language: Language, folder: Path) -> Iterator[tuple[str, Sequence[Problem]]]:
    """Yield School's validation part, and the validation parts that the model holds out of corpora that are here."""
    yield "School", load(f"school-{language}").part("validation").problems
    data = json.loads((folder / "config.json").read_bytes())["data"]
    validation = data.get("validation", ())
    for name in CORPORA[language]:
        parts = [part.partition("/")[2] for part in (*data.get("test", ()), *validation) if part.startswith(f"{name}/")]
        own = next((part for part in parts if f"{name}/{part}" in validation), None)
        try:
            if own is not None:
                yield f"{name}/{own}", held_out_of(load(name), parts)[own]
        except MissingCorpusError as error:
            print(f"Left out: {error}")


def measure(solver: Solver, problems: Sequence[Problem], most: int, seed: int = 0) -> Figures:
    """Solve the problems, and at most `most` of them again with the question removed and swapped."""
    groups = contrast_groups(problems)
    drawn = Random(seed).sample(problems, len(problems))
    problems = problems if groups else drawn[:most]
    texts = ((problem.text, problem.language) for problem in problems)
    solved = zip(problems, solver.solve_many(texts, errors="return"), strict=True)
    found = {problem.id: solution for problem, solution in solved if isinstance(solution, Solution)}
    right = {one.id for one in problems if one.id in found and is_accepted(one, found[one.id].answers)}
    asked = {id_: solution for id_, solution in found.items() if solution.model and solution.tree}  # not GCD and LCM
    cuts = [cut for problem in drawn if problem.id in asked and (cut := cut_out(problem))][:most]
    removed = list(_compared(solver, asked, [(cut.problem, cut.told) for cut in cuts]))
    swapped = list(_compared(solver, asked, list(swapped_texts(cuts, groups, seed))))
    pairs = [pair for group in groups for pair in product(_of(group, "base"), _of(group, "other question"))]
    return Figures(
        Share(len(right), len(problems)),
        _stays(removed),
        _stays(one for one in removed if one[0] in right),
        _stays(swapped),
        _stays(one for one in swapped if one[0] in right),
        Share(sum(all(one.id in right for one in group) for group in groups), len(groups)),
        Share(sum(all(one.id in right for one in pair) for pair in pairs), len(pairs)),
    )


def cut_out(problem: Problem) -> Cut | None:
    """Return a problem without its question; None if the question has numbers or cannot be cut out."""
    told, question = told_and_asked(problem.text, problem.language)
    if not question or _numbers(question, problem.language):
        return None
    kept = _numbers(told, problem.language) == _numbers(problem.text, problem.language)
    return Cut(problem, told, question) if kept else None


def swapped_texts(cuts: Sequence[Cut], groups: Sequence[Sequence[Problem]], seed: int) -> Iterator[tuple[Problem, str]]:
    """Yield problems with another question.

    Of School, it is from a problem of the same contrast group that asks for something else and is computed differently,
    so that the right tree differs; elsewhere from any problem.
    """
    others = {problem.id: _asking_else(problem, group) for group in groups for problem in group}
    for cut in cuts:
        problem, random = cut.problem, Random(f"{seed} {cut.problem.id}")
        near = others[problem.id] if groups else (one.question for one in cuts)
        if questions := [question for question in near if question != cut.question]:
            text = f"{cut.told}{' ' if problem.language == 'en' else ''}{random.choice(questions)}"
            if _numbers(text, problem.language) == _numbers(problem.text, problem.language):
                yield problem, text


def contrast_groups(problems: Iterable[Problem]) -> list[list[Problem]]:
    """Return the contrast groups of School; none for other corpora."""
    groups: dict[str, list[Problem]] = {}
    for problem in problems:
        if problem.lesson:
            groups.setdefault(problem.lesson.group, []).append(problem)
    return list(groups.values())


def _asking_else(problem: Problem, group: Sequence[Problem]) -> list[str]:
    changed = [one for one in group if one.lesson and one.lesson.contrast in ASKS_ELSE]
    others = [one for one in (group if problem in changed else changed) if _operations(one) != _operations(problem)]
    return [cut.question for one in others if (cut := cut_out(one))]


def _operations(problem: Problem) -> tuple[object, ...]:
    """Return the gold tree without its numbers; empty if there is none."""
    (one,) = prepared([problem], "raw", "ordered")
    return tuple(None if isinstance(symbol, Slot) else symbol for symbol in one.learned.symbols) if one.learned else ()


def _compared(
    solver: Solver, asked: Mapping[str, Solution], changed: Sequence[tuple[Problem, str]]
) -> Iterator[tuple[str, bool, bool]]:
    """Yield the id of each changed problem, and whether the first candidate and the chosen tree stay.

    Screening would refuse a text without a question, so the model is asked directly.
    """
    for start in range(0, len(changed), BATCH):
        batch = changed[start : start + BATCH]
        texts = [Screened(text, one.language, map_text(text, one.language)) for one, text in batch]
        for (problem, _), ranked in zip(batch, solver.ranked(texts), strict=True):
            before, numbers = asked[problem.id], _numbers(problem.text, problem.language)
            assert ranked is not None  # texts without an obstacle are always ranked
            pairs = ((before.candidates[0], ranked.candidates[0]), (before, ranked.best))
            trees = [[first_slots(one.tree, numbers) if one and one.tree else None for one in pair] for pair in pairs]
            first, chosen = (old == new for old, new in trees)
            yield problem.id, first, chosen


def _stays(compared: Iterable[tuple[str, bool, bool]]) -> Stays:
    every = list(compared)
    return Stays(len(every), sum(first for _, first, _ in every), sum(chosen for _, _, chosen in every))


def _of(group: Iterable[Problem], contrast: str) -> list[Problem]:
    return [problem for problem in group if problem.lesson and problem.lesson.contrast == contrast]


def _numbers(text: str, language: Language) -> tuple[Fraction, ...]:
    return tuple(number.value for number in find_numbers(text, language))


def told_and_asked(text: str, language: Language) -> tuple[str, str]:
    """Return the text without its questions, and the questions. They are empty if a question cannot be cut out.

    A question is the clause with the words that ask, to the end of its sentence: of "Ann has 3 pens and Ben 5, how many
    do they have?" it is "how many do they have?".
    """
    found = questions_of(text, language).found
    asked = asked_in_english(found, text) if language == "en" else asked_in_chinese(found, text)
    spans = [_span(question, text, language) for question in asked]
    told, questions, end = [], [], 0
    for span in sorted(span for span in spans if span is not None):
        start = max(span[0], end)  # two questions of one sentence overlap
        told.append(text[end:start])
        questions.append(text[start : span[1]])
        end = max(end, span[1])
    if not questions or None in spans:
        return text, ""
    stop, space = (".", " ") if language == "en" else ("。", "")
    parts = [_closed(part, stop) for part in (*told, text[end:])]
    clauses = [question.strip() for question in questions]
    return space.join(filter(None, parts)), space.join(one[:1].upper() + one[1:] for one in clauses if one)


def _span(question: Question, text: str, language: Language) -> tuple[int, int] | None:
    """Return where the clause of a question starts, and where its sentence ends."""
    sentence = (EN_SENTENCE if language == "en" else ZH_SENTENCE).match(text, question.place)
    if sentence is None:
        return None
    words = question.before
    if language == "zh":
        words = words + question.word if question.word not in ("=", "求") else words or question.after
    spaced = re.compile(r"\s*".join(map(re.escape, words.split())))
    place = spaced.search(text, question.place, sentence.end())
    if place is None:
        return None
    before = text[sentence.start() : place.end() if language == "en" else place.start()]
    marks = list(_CLAUSE_MARK.finditer(before))
    return sentence.start() + (marks[-1].end() if marks else 0), sentence.end()


def _closed(part: str, stop: str) -> str:
    """Return a part of a text with a full stop if it was cut off inside a sentence."""
    cut = part.strip().rstrip(_OPEN)
    return cut + stop if cut and cut != part.strip() else cut


if __name__ == "__main__":
    main()
