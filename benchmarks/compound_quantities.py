"""Measure whether the shipped models answer better if a compound quantity (2 hours 30 minutes) is one number.

    python benchmarks/compound_quantities.py [--language en] [--held-out] [--corpora] [--training] [--changed]

Solves problems with compound quantities as two numbers, in the larger unit (2.5 hours), in the smaller unit
(150 minutes), and as they are served, with the unit that `text.numbers.compounds` chooses. Reads
benchmarks/compound_quantities/{en,zh}.jsonl, with --held-out the held-out files, which are only for measuring, and with
--corpora the validation parts of the shipped configurations. --training reads problems that the models have learned
from, with two numbers, and whose numbers are joined. --changed lists the problems whose verdict changes.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Literal

from sau_solver.answering.protocols import is_accepted
from sau_solver.data import load as load_corpus
from sau_solver.data.prepared.mixtures import held_out
from sau_solver.equations.expressions import number_text
from sau_solver.experiments.config import load_config
from sau_solver.problem import Language, Problem
from sau_solver.solver import Solver, load
from sau_solver.text.numbers import find_numbers, joined, map_text
from sau_solver.text.screening import Screened, screen

ROOT = Path(__file__).parents[1]
FOLDER = Path(__file__).parent / "compound_quantities"
LANGUAGES: tuple[Language, ...] = ("en", "zh")
TRAINING: dict[Language, tuple[str, ...]] = {
    "en": ("school-en", "workbook-en", "gsm8k"),
    "zh": ("school-zh", "workbook-zh", "math23k", "gsm8k-zh"),
}
MOST = 80
Variant = Literal["two numbers", "larger", "smaller", "served"]
VARIANTS: tuple[Variant, ...] = ("two numbers", "larger", "smaller", "served")

# The larger unit, the smaller one, and how many of the smaller one make the larger one.
_EN = (
    ("hours?|hrs?", "minutes?|mins?", 60), ("minutes?|mins?", "seconds?|secs?", 60), ("days?", "hours?", 24),
    ("m|meters?|metres?", "cm|centimeters?|centimetres?", 100), ("feet|foot|ft", "inch|inches|in", 12),
    ("yards?", "feet|foot", 3), ("yards?", "inch|inches", 36), ("pounds?|lbs?", "ounces?|oz", 16),
    ("kg|kilograms?", "g|grams?", 1000), ("liters?|litres?|L", "milliliters?|millilitres?|ml|mL", 1000),
    ("km|kilometers?|kilometres?", "m|meters?|metres?", 1000), ("dollars?", "cents?", 100), ("weeks?", "days?", 7),
)  # fmt: skip
_ZH = (
    ("小时", "分钟?", 60), ("分钟?", "秒钟?", 60), ("天", "小时", 24), ("米", "厘米", 100), ("米", "分米", 10),
    ("分米", "厘米", 10), ("元", "角", 10), ("角", "分(?!钟)", 10), ("千克", "克", 1000), ("公斤", "克", 1000),
    ("吨", "千克", 1000), ("升", "毫升", 1000), ("千米", "米", 1000), ("公里", "米", 1000),
)  # fmt: skip
_DIGITS = r"(?<![\d.:/,])(\d{1,4})"


def rewritten(text: str, language: Language, smaller: bool) -> str:
    """Return a text with each compound quantity as one number in the larger or the smaller unit."""
    for larger, small, count in _EN if language == "en" else _ZH:
        space, between = (r"[ -]?", r"(?:,? and |,? )") if language == "en" else ("", "")
        end = r"(?![A-Za-z])" if language == "en" else ""
        pattern = rf"{_DIGITS}{space}({larger}){end}{between}{_DIGITS}{space}({small}){end}"

        def one(found: re.Match[str], count: int = count) -> str:
            total = int(found[1]) * count + int(found[3])
            gap = " " if language == "en" else ""
            if smaller:
                return f"{total}{gap}{found[4]}"
            return f"{number_text(Fraction(total, count))}{gap}{found[2]}"

        text = re.sub(pattern, one, text)
    return text


def main() -> None:
    """Print how many problems of each part are right in each form."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", choices=LANGUAGES, action="append")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--corpora", action="store_true")
    parser.add_argument("--training", action="store_true")
    parser.add_argument("--changed", action="store_true")
    given = parser.parse_args()
    solver = load()
    print("| part | problems | " + " | ".join(VARIANTS) + " |\n|---|" + "---:|" * (len(VARIANTS) + 1))
    for language in given.language or LANGUAGES:
        if given.training:
            parts = _training(language)
        else:
            parts = _corpora(language) if given.corpora else _own(language, "-held-out" if given.held_out else "")
        for name, problems in parts:
            known = [one for one in problems if one.answers]
            compound = [one for one in known if rewritten(one.text, language, smaller=False) != one.text]
            if compound:
                right = {variant: _right(solver, compound, variant) for variant in VARIANTS}
                counts = " | ".join(str(sum(found)) for found in right.values())
                print(f"| {name} | {len(compound)} | {counts} |", flush=True)
                if given.changed:
                    _print_changed(compound, right)


def _own(language: Language, suffix: str) -> Iterator[tuple[str, list[Problem]]]:
    rows = [json.loads(line) for line in (FOLDER / f"{language}{suffix}.jsonl").read_text("utf-8").splitlines()]
    yield (
        f"{language}{suffix}",
        [Problem(row["id"], row["text"], language, (), (Fraction(row["answer"]),)) for row in rows],
    )


def _corpora(language: Language) -> Iterator[tuple[str, list[Problem]]]:
    config = load_config(ROOT / f"configs/shipped/shipped-{language}.toml")
    mixture = config.one_mixture()
    for part in mixture.validation:
        yield part, [one.problem for one in held_out(mixture, part, config.text, config.equations)]


def _training(language: Language) -> Iterator[tuple[str, list[Problem]]]:
    """Yield the training problems whose numbers are joined when they are served, at most MOST of a corpus."""
    for name in TRAINING[language]:
        joint = (one for one in load_corpus(name) if one.split == "train" and one.answers and _is_joined(one))
        yield f"{name}, train", list(islice(joint, MOST))


def _is_joined(problem: Problem) -> bool:
    numbers = find_numbers(problem.text, problem.language)
    return len(joined(problem.text, problem.language, numbers)) < len(numbers)


def _right(solver: Solver, problems: Sequence[Problem], variant: Variant) -> list[bool]:
    ranked = solver.ranked([_screened(one, variant) for one in problems])
    return [
        found is not None and found.best is not None and is_accepted(one, found.best.answers)
        for one, found in zip(problems, ranked, strict=True)
    ]


def _screened(problem: Problem, variant: Variant) -> Screened:
    text, language = problem.text, problem.language
    if variant == "served":
        return screen(text, language, mathematics=False)
    if variant != "two numbers":
        text = rewritten(text, language, variant == "smaller")
    return Screened(text, language, map_text(text, language))


def _print_changed(problems: Sequence[Problem], right: dict[Variant, list[bool]]) -> None:
    for place, one in enumerate(problems):
        verdicts = [found[place] for found in right.values()]
        if len(set(verdicts)) > 1:
            print("  ", *("+" if verdict else "-" for verdict in verdicts), one.id, one.text)


if __name__ == "__main__":
    main()
