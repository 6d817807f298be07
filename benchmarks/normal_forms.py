"""Count how each normal form of the gold equations changes the trees that a model has to learn.

    SAU_DATA=... python benchmarks/normal_forms.py [CORPUS ...]

The table has one row per corpus and level of normalization:

- covered: problems whose numbers all occur in the text, or at least 5 times as constants in trees of the other folds.
- templates: distinct trees.
- size: mean number of symbols per tree.
- new: problems whose tree occurs in no other fold.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import get_args

from sau_solver.data import load
from sau_solver.data.prepared.examples import ARITHMETIC_CORPORA, Prepared, prepare_all
from sau_solver.data.prepared.folds import Manifest, load_manifest
from sau_solver.equations.expressions import Number
from sau_solver.equations.normal_form import Level, normal_form
from sau_solver.equations.symbols import MINIMUM_CONSTANT_COUNT
from sau_solver.equations.uet import Uet, rename_unknowns
from sau_solver.errors import MissingCorpusError, NotATreeError

CORPORA = ("hmwp", "alg514", "math23k", "dolphin18k-manual", "mawps")


def tree_of(one: Prepared, level: Level, drop_unknown: bool) -> Uet | None:
    """Return the tree at a level, or None if the published equations do not form a tree."""
    if one.statements is None:
        return None
    try:
        equations = rename_unknowns(normal_form(one.statements.equations, one.numbers, level))
        return Uet.from_equations(equations, one.numbers, drop_unknown)
    except NotATreeError:
        return None


def constants_of(tree: Uet) -> Counter[Fraction]:
    """Count the numbers of a tree that are not numbers of the text."""
    return Counter(symbol.value for symbol in tree.symbols if isinstance(symbol, Number))


def row(trees: Sequence[Uet], folds: Sequence[int]) -> tuple[float, int, float, float]:
    """Return the share covered, the number of templates, the mean size and the share of new trees."""
    uses = [constants_of(tree) for tree in trees]
    everywhere: Counter[Fraction] = Counter()
    inside: dict[int, Counter[Fraction]] = {fold: Counter() for fold in folds}
    templates: dict[Uet, Counter[int]] = {}
    for tree, use, fold in zip(trees, uses, folds, strict=True):
        everywhere.update(use)
        inside[fold].update(use)
        templates.setdefault(tree, Counter())[fold] += 1
    covered = sum(
        all(everywhere[value] - inside[fold][value] >= MINIMUM_CONSTANT_COUNT for value in use)
        for use, fold in zip(uses, folds, strict=True)
    )
    new = sum(len(templates[tree]) == 1 for tree in trees)
    size = sum(map(len, trees)) / len(trees)
    return covered / len(trees), len(templates), size, new / len(trees)


def fold_numbers(manifest: Manifest) -> dict[str, int]:
    """Return the fold whose test part contains each problem, by problem id."""
    return {id_: number for number, fold in enumerate(manifest.folds) for id_ in fold.test}


def main() -> int:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("corpora", nargs="*", metavar="CORPUS", default=CORPORA)
    options = arguments.parse_args()
    print("| corpus | level | trees | covered | templates | size | new |\n|---|---|---:|---:|---:|---:|---:|")
    for name in options.corpora:
        try:
            corpus = load(name)
        except MissingCorpusError as error:
            print(f"{error}\nSet SAU_DATA to the folder of the corpora, or leave {name} out.", file=sys.stderr)
            return 2
        fold_of = fold_numbers(load_manifest(name, corpus))
        prepared = prepare_all(corpus.problems, name, "published")
        for level in get_args(Level):
            pairs = [
                (tree, fold_of[one.problem.id])
                for one in prepared
                if (tree := tree_of(one, level, name in ARITHMETIC_CORPORA)) is not None
            ]
            covered, templates, size, new = row([tree for tree, _ in pairs], [fold for _, fold in pairs])
            print(f"| {name} | {level} | {len(pairs):,} | {covered:.2%} | {templates:,} | {size:.2f} | {new:.2%} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
