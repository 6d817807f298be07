"""Compute the columns of the paper's Table 1 for a corpus or a group of its problems.

The paper does not define its columns. These definitions reproduce its HMWP figures (SNI 3.42, operators 5.96, length
10.73): a number of the equation is an SNI (significant number) if its value occurs exactly once in the text, and a
constant otherwise; `;` is not an operator; the length is the sum of the three, so that unknowns do not count. In a
corpus of plain arithmetic, such as Math23K, `x=` is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sau_solver.data.labels import published_text, statements_of
from sau_solver.equations.expressions import Equations, Number
from sau_solver.equations.symbols import Slot, Symbol, symbol_text
from sau_solver.equations.uet import Uet, is_arithmetic, rename_unknowns
from sau_solver.errors import SauError
from sau_solver.problem import Problem
from sau_solver.text.numbers import MappedText

_SENTENCE_END = re.compile(r"[。．？?！!]+|(?<![0-9])\.(?![0-9])")


@dataclass(frozen=True, slots=True)
class Statistics:
    """The columns of Table 1. Averages are over the `with_tree` problems, whose equations can be written as a tree."""

    problems: int
    with_tree: int
    templates: int
    sentences: int
    words: int
    average_equation_length: float
    average_sni: float
    average_constants: float
    average_operators: float


# Tables 1 and 3 of the paper, shown next to ours: problems, templates, sentences, words, EL, SNI, constants, operators.
PAPER: dict[str, tuple[int, int | None, int | None, int | None, float, float, float, float]] = {
    "alg514": (514, 28, 1_620, 19_300, 9.67, 3.54, 0.44, 5.69),
    "dolphin1878": (1_878, 1_183, 3_300, 41_400, 8.18, 2.58, 0.63, 4.97),
    "draw1k": (1_000, 230, 6_230, 81_500, 9.985, 3.386, 0.747, 5.852),
    "mawps": (2_373, None, 2_373, 73_300, 4.55, 2.31, 0.26, 1.78),
    "math23k": (23_161, 2_187, 70_100, 822_000, 5.55, 3.0, 0.28, 2.28),
    "dolphin18k": (18_460, 5_871, 49_900, 604_000, 9.19, 3.15, 1.09, 4.96),
    "hmwp": (5_470, 2_779, 9_560, 342_000, 10.73, 3.42, 1.35, 5.96),
    "hmwp linear-one": (1_944, None, None, None, 10.50, 3.59, 1.21, 5.70),
    "hmwp linear-two": (1_614, None, None, None, 12.10, 3.59, 1.41, 7.10),
    "hmwp non-linear-one": (1_912, None, None, None, 9.83, 3.12, 1.45, 5.26),
}


@dataclass(slots=True)
class _Counts:
    problems: int = 0
    trees: int = 0
    sentences: int = 0
    words: int = 0
    sni: int = 0
    constants: int = 0
    operators: int = 0


def statistics(problems: Iterable[Problem], on_problem: Callable[[], None] | None = None) -> Statistics:
    """Compute the statistics of problems."""
    counts = _Counts()
    templates: set[tuple[str, ...]] = set()
    gold = [(problem, gold_equations(problem)) for problem in problems]
    arithmetic = 2 * sum(is_arithmetic(equations) for _, equations in gold) > len(gold)
    for problem, equations in gold:
        text = published_text(problem)
        counts.problems += 1
        counts.sentences += max(1, len([part for part in _SENTENCE_END.split(problem.text) if part.strip()]))
        counts.words += len(problem.words or text.words)
        symbols = _symbols(equations, text, drop_unknown=arithmetic)
        if symbols:
            counts.trees += 1
            templates.add(_count_symbols(symbols, text, counts))
        if on_problem is not None:
            on_problem()
    trees = counts.trees or 1
    return Statistics(
        problems=counts.problems,
        with_tree=counts.trees,
        templates=len(templates),
        sentences=counts.sentences,
        words=counts.words,
        average_equation_length=(counts.sni + counts.constants + counts.operators) / trees,
        average_sni=counts.sni / trees,
        average_constants=counts.constants / trees,
        average_operators=counts.operators / trees,
    )


def gold_equations(problem: Problem) -> Equations:
    """Return the gold equations with unknowns x, y, z …, or nothing if they cannot be parsed."""
    try:
        return rename_unknowns(statements_of(problem).equations) if problem.equations else ()
    except SauError:
        return ()


def _symbols(equations: Equations, text: MappedText, drop_unknown: bool) -> tuple[Symbol, ...]:
    if not equations:
        return ()
    try:
        return Uet.from_equations(equations, [n.value for n in text.numbers], drop_unknown).symbols
    except SauError:  # a tree cannot contain functions
        return ()


def _count_symbols(symbols: tuple[Symbol, ...], text: MappedText, counts: _Counts) -> tuple[str, ...]:
    """Add the symbols to the counts, and return the template, in which SNIs are numbered in order of use."""
    order: dict[int, int] = {}
    template = []
    for symbol in symbols:
        if isinstance(symbol, Slot):
            value = text.numbers[symbol.index].value
            if len(text.slots_of(value)) == 1:
                counts.sni += 1
                template.append(f"n{order.setdefault(symbol.index, len(order))}")
                continue
            symbol = Number(value)
        counts.constants += isinstance(symbol, Number)
        counts.operators += isinstance(symbol, str) and symbol != ";"
        template.append(symbol_text(symbol))
    return tuple(template)
