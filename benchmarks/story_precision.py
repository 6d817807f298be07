"""Precision and recall of rules that recognize stories, on files of stories and near misses, and on corpora.

benchmarks/common_stories.py and benchmarks/angles.py run it. Precision is the share of right answers among the texts
that a recognizer takes for a story; recall is the share of stories that it answers right. A near miss has no answers.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from sau_solver.data import load
from sau_solver.problem import Language, Problem

PARTS = ("development", "validation", "traps")

# A text and its language -> the answers of its story; nothing if it is left to a model.
Recognizer = Callable[[str, Language], tuple[Fraction, ...]]

# Corpora with the splits, or folds, that rules may be checked on; an empty list takes the whole corpus.
TRAINING: dict[str, tuple[str | int, ...]] = {
    "math23k": ("train",),
    "ape210k-valid": (),
    "cm17k-valid": (),
    "gsm8k-zh": (),
    "contest-zh": ("train",),
    "school-zh": ("train",),
    "workbook-zh": (),
    "mathqa-train": (),
    "gsm8k": ("train",),
    "mawps": (1, 2, 3, 4),
    "draw1k": ("train",),
    "dolphin18k": ("dev",),
    "school-en": ("train",),
    "workbook-en": (),
}


@dataclass(frozen=True, slots=True)
class Example:
    """A text with the answers of its story; a near miss has none."""

    text: str
    language: Language
    answers: tuple[Fraction, ...]


def examples(path: Path) -> list[Example]:
    """Return the examples of a file."""
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [Example(row["text"], row["language"], tuple(map(Fraction, row["answers"]))) for row in rows]


def measure(path: Path, language: Language, recognize: Recognizer, wrong: bool = False) -> None:
    """Print precision and recall on the examples of a file in one language; `wrong` lists those that are not right."""
    own = [example for example in examples(path) if example.language == language]
    found = {example: recognize(example.text, language) for example in own}
    stories = [example for example in own if example.answers]
    claimed = [example for example in own if found[example]]
    right = [example for example in claimed if found[example] == example.answers]
    texts = f"{len(stories):2} stories, {len(own) - len(stories)} near misses"
    shares = f"precision {_share(right, claimed)}, recall {_share(right, stories)}"
    print(f"{path.stem:12} {language}  {texts}: {len(claimed):2} recognized, {len(right):2} right; {shares}")
    if wrong:
        for example in own:
            if found[example] != example.answers:
                print(f"  {example.text}\n    {_shown(found[example])} instead of {_shown(example.answers)}")


def _share(part: list[Example], whole: list[Example]) -> str:
    return f"{len(part) / len(whole):.3f}" if whole else "-"


def _shown(values: tuple[Fraction, ...]) -> str:
    return ", ".join(map(str, values)) or "nothing"


def measure_corpus(name: str, recognize: Recognizer) -> None:
    """Print how many problems of a corpus are recognized, and every answer that is not the annotated one."""
    hits = right = count = 0
    differences: list[str] = []
    for problem in _training(name):
        count += 1
        answers = recognize(problem.text, problem.language)
        if not answers:
            continue
        hits += 1
        annotated = problem.asked or problem.answers
        if answers == annotated:
            right += 1
        else:
            differences.append(f"  {problem.text}\n    {_shown(answers)} instead of {_shown(annotated)}")
    print(f"{name:14} {count:6} problems, {hits:3} recognized, {right:3} as annotated")
    print("\n".join(differences), end="\n" if differences else "")


def _training(name: str) -> Iterator[Problem]:
    parts = TRAINING[name]
    for problem in load(name).problems:
        if not parts or problem.split in parts or problem.fold in parts:
            yield problem


def run(description: str, folder: Path, recognize: Recognizer) -> None:
    """Run the command line of a benchmark of stories: its files, and corpora if they are wanted."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wrong", action="store_true", help="list what is wrong in the development file")
    parser.add_argument("--corpora", action="store_true", help="also read the training parts of corpora")
    options = parser.parse_args()
    languages: tuple[Language, ...] = ("en", "zh")
    for part in PARTS:
        path = folder / f"{part}.jsonl"
        for language in languages if path.exists() else ():
            measure(path, language, recognize, options.wrong and part == "development")
    if options.corpora:
        for name in TRAINING:
            measure_corpus(name, recognize)
