"""Measure the speed and the quality of number mapping on published corpora.

SAU_DATA=FOLDER python benchmarks/number_mapping.py              texts per second on one core
SAU_DATA=FOLDER python benchmarks/number_mapping.py --quality    coverage of gold equations, agreement on CM17K
SAU_DATA=FOLDER python benchmarks/number_mapping.py --decisions  how often equations need ambiguous expressions
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import sys
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from sau_solver.problem import Language
from sau_solver.text.numbers import find_numbers, map_text, restore_hmwp

CORPORA: dict[str, tuple[str, Language]] = {
    "math23k": ("math23k", "zh"),
    "ape210k": ("ape210k_valid", "zh"),
    "cm17k": ("cm17k_valid", "zh"),
    "hmwp": ("hmwp", "zh"),
    "alg514": ("alg514", "en"),
    "draw1k": ("draw1k", "en"),
    "dolphin1878": ("dolphin1878", "en"),
    "dolphin18k": ("dolphin18k", "en"),
    "mawps": ("mawps", "en"),
    "asdiv_a": ("asdiv_a", "en"),
    "mathqa": ("mathqa_valid", "en"),
    "gsm8k": ("gsm8k", "en"),
}
Row = dict[str, Any]


def rows(name: str, most: int) -> list[Row]:
    """Return at most `most` problems of a corpus, always the same ones."""
    file = Path(os.environ["SAU_DATA"]) / name / f"{CORPORA[name][0]}.jsonl.gz"
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    return random.Random(0).sample(found, most) if len(found) > most else found


def text_of(name: str, row: Row) -> str:
    """Return the text as a user would type it."""
    return restore_hmwp(row["text"]) if name == "hmwp" else str(row["text"])


def rate(function: Callable[[str, Language], object], texts: Sequence[str], language: Language) -> float:
    """Return the texts per second of the best of three passes."""
    best = 0.0
    for _ in range(3):
        start = time.perf_counter()
        for text in texts:
            function(text, language)
        best = max(best, len(texts) / (time.perf_counter() - start))
    return best


def speed(most: int) -> None:
    """Print the speed of find_numbers and map_text, one line per corpus."""
    print(f"{'corpus':12} {'texts':>6} {'characters':>10} {'find_numbers/s':>15} {'map_text/s':>11}")
    for name, (_, language) in CORPORA.items():
        texts = [text_of(name, row) for row in rows(name, most)]
        length = sum(map(len, texts)) / len(texts)
        found, mapped = rate(find_numbers, texts, language), rate(map_text, texts, language)
        print(f"{name:12} {len(texts):6} {length:10.0f} {found:15,.0f} {mapped:11,.0f}")


LITERAL = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)"
QUOTIENTS = (
    re.compile(rf"\(({LITERAL})/({LITERAL})\)"),
    re.compile(rf"(?<![*/)0-9.])({LITERAL})/({LITERAL})(?![0-9.^])"),
)
MIXED = re.compile(rf"({LITERAL})\(({LITERAL})/({LITERAL})\)")
HUNDREDTH = re.compile(rf"(?<![0-9.])(?:({LITERAL})\*0?\.01(?![0-9])|0?\.01\*({LITERAL}))")
PERCENT = re.compile(rf"({LITERAL})%")
NEGATIVE = re.compile(rf"(?:^|(?<=[=(*/;,]))-({LITERAL})")


def gold_values(equation: str, slots: set[Fraction]) -> list[Fraction]:
    """Return the numbers of an equation; 1/2, 20*0.01, 20% and -4 count as one number if the text has that number."""
    values: list[Fraction] = []

    def fold(match: re.Match[str], value: Fraction | None, always: bool = False) -> str:
        if value is None or not (always or value in slots):
            return match[0]
        values.append(value)
        return " "

    def quotient(match: re.Match[str]) -> str:
        below = Fraction(match[2])
        return fold(match, Fraction(match[1]) / below if below else None)

    left = PERCENT.sub(lambda m: fold(m, Fraction(m[1]) / 100, always=True), equation.replace(" ", ""))
    left = HUNDREDTH.sub(lambda m: fold(m, Fraction(m[1] or m[2]) / 100), left)
    left = MIXED.sub(lambda m: fold(m, Fraction(m[1]) + Fraction(m[2]) / Fraction(m[3])), left)
    for pattern in QUOTIENTS:
        left = pattern.sub(quotient, left)
    left = NEGATIVE.sub(lambda m: fold(m, -Fraction(m[1])), left)
    return values + [Fraction(literal) for literal in re.findall(LITERAL, left)]


def equation_of(name: str, row: Row) -> str:
    """Return the gold equations as one string; of worked steps only the left sides."""
    gold = row.get("equation") or row.get("equations") or ""
    if name == "gsm8k":
        return ";".join(step.partition("=")[0] for step in gold)
    if name == "asdiv_a":
        return str(gold).partition("=")[0]
    return ";".join(gold) if isinstance(gold, list) else str(gold)


def quality(most: int) -> None:
    """Print for each corpus how many numbers of the gold equations are slots, and how many slots no equation uses."""
    print(f"{'corpus':12} {'problems':>8} {'gold':>7} {'found':>7} {'not 1, 2':>9} {'slots':>6} {'unused':>7}")
    for name, (_, language) in CORPORA.items():
        problems = gold = found = rare = rare_found = slots = unused = 0
        for row in rows(name, most):
            equation = equation_of(name, row)
            if not equation:
                continue
            numbers = [slot.value for slot in find_numbers(text_of(name, row), language)]
            values = gold_values(equation, set(numbers))
            problems += 1
            gold += len(values)
            found += sum(value in numbers for value in values)
            rare += sum(value not in (1, 2) for value in values)
            rare_found += sum(value in numbers for value in values if value not in (1, 2))
            slots += len(numbers)
            unused += sum(number not in values for number in numbers)
        print(
            f"{name:12} {problems:8} {gold:7} {found / gold:7.1%} {rare_found / rare:9.1%}"
            f" {slots / problems:6.2f} {unused / problems:7.2f}"
        )
    agreement(most)


# CM17K's authors also spelled out units, replaced slashes by 每 and renamed unknowns; number mapping cannot undo that.
REWRITTEN = re.compile(r"[A-Za-z/°℃%％折]|百分之")


def agreement(most: int) -> None:
    """Print how often the raw and the digit-normalized texts of CM17K give the same numbers and the same words."""
    same_values = same_words = untouched = untouched_words = 0
    found = rows("cm17k", most)
    for row in found:
        raw, restored = map_text(row["text"], "zh"), map_text(restore_hmwp(row["segmented"]), "zh")
        values = [n.value for n in raw.numbers] == [n.value for n in restored.numbers]
        words = raw.words == restored.words
        same_values += values
        same_words += words
        if not REWRITTEN.search(row["text"]):
            untouched += 1
            untouched_words += words
    print(f"\nCM17K raw against restored: values {same_values / len(found):.2%}, words {same_words / len(found):.2%};")
    print(f"words where the authors rewrote no unit or letter ({untouched} texts): {untouched_words / untouched:.2%}")


NUMERAL_VALUES = {c: Fraction(n) for n, c in enumerate("零一二三四五六七八九十")}
HALF, ONE, TWO = Fraction(1, 2), Fraction(1), Fraction(2)
# name: pattern and value; None means the value of the first group, which is digits or one numeral.
CANDIDATES: dict[Language, dict[str, tuple[str, Fraction | None]]] = {
    "zh": {
        "第 + numeral": ("第([一二三四五六七八九十])", None),
        "第 + digits": ("第([0-9]+)", None),
        "numeral + 年级": ("([一二三四五六七八九])年级", None),
        "一 + other": ("(?<!第)(一)(?![共样起些定律直般致半])", None),
        "一半": ("一半", HALF),
        "半 + unit": ("(?<![一上下])半(?=小时|个|天|年|斤)", HALF),
        "双": ("双", TWO),
        "俩": ("俩", TWO),
        "digits + 万: as written": ("([0-9]+(?:[.][0-9]+)?)万", None),
    },
    "en": {
        "first": ("first", ONE),
        "second": ("second(?!s)", TWO),
        "third (ordinal)": ("(?<!one )(?<!one-)(?<!a )third(?!s)", Fraction(3)),
        "5th, 11th": ("([0-9]+)(?:st|nd|rd|th)", None),
        "one + noun": ("(?<!this )(?<!that )(?<!each )(?<!the )(?<!other )one(?! of)", ONE),
        "one of": ("one of", ONE),
        "this, each, the one": ("(?:this|that|each|the|which|other) one", ONE),
        "half": ("half", HALF),
        "twice": ("twice", TWO),
        "double": ("double[sd]?", TWO),
        "dozen": ("dozen", Fraction(12)),
        "pair": ("pairs?", TWO),
        "couple": ("couple", TWO),
        "both": ("both", TWO),
    },
}


def decisions(most: int) -> None:
    """Print for each ambiguous expression how often the equation needs its value and no other slot has it."""
    for language, candidates in CANDIDATES.items():
        names = [name for name, (_, other) in CORPORA.items() if other == language]
        print(f"{'needed / seen':24}" + "".join(f"{name:>13}" for name in names))
        problems = {name: rows(name, most) for name in names}
        for label, (pattern, value) in candidates.items():
            bounded = re.compile(rf"(?<![A-Za-z0-9.])(?:{pattern})(?![A-Za-z0-9])", re.IGNORECASE)
            cells = (needed(name, problems[name], bounded, value) for name in names)
            print(f"{label:24}" + "".join(f"{f'{need}/{seen}':>13}" for need, seen in cells))
        print()


def needed(name: str, problems: list[Row], pattern: re.Pattern[str], fixed: Fraction | None) -> tuple[int, int]:
    """Return how often the equation needs the value of a match and no other slot has it, and how often it matches."""
    need = seen = 0
    for row in problems:
        text, equation = text_of(name, row), equation_of(name, row)
        matches = list(pattern.finditer(text)) if equation else []
        slots = find_numbers(text, CORPORA[name][1]) if matches else []
        for match in matches:
            value = fixed if fixed is not None else NUMERAL_VALUES.get(match[1]) or Fraction(match[1])
            others = {slot.value for slot in slots if slot.end <= match.start() or slot.start >= match.end()}
            seen += 1
            need += value not in others and value in gold_values(equation, others | {value})
    return need, seen


def main() -> int:
    """Read the options and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quality", action="store_true", help="measure coverage and agreement")
    parser.add_argument("--decisions", action="store_true", help="count how often equations need ambiguous expressions")
    parser.add_argument("--most", type=int, default=2000, help="problems per corpus (default 2000)")
    options = parser.parse_args()
    if not os.environ.get("SAU_DATA"):
        print("SAU_DATA must be set to the folder of the corpora.", file=sys.stderr)
        return 2
    (quality if options.quality else decisions if options.decisions else speed)(options.most)
    return 0


if __name__ == "__main__":
    sys.exit(main())
