"""Mathematics typed as sentences -> the rate of right answers by kind; word problems that are taken for mathematics.

python benchmarks/one_box.py                  the sentences of benchmarks/mathematics
python benchmarks/one_box.py --held-out       those that no rule was written on
python benchmarks/one_box.py --corpora        every text of the corpora at hand that is read as mathematics
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from sympy import Expr, Mul, expand, simplify, sympify

from benchmarks.generated_mathematics import sentences
from sau_solver import data
from sau_solver.errors import SauError
from sau_solver.explaining.requested import Fulfilled, fulfill
from sau_solver.problem import Problem
from sau_solver.solving import close
from sau_solver.text.mathematics import recognize
from sau_solver.text.mathematics.request import NotMathematicsError

FOLDER = Path(__file__).parent / "mathematics"


def main() -> None:
    """Print the table that the options ask for."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--held-out", action="store_true", help="use the held-out sentences")
    options.add_argument("--corpora", action="store_true", help="count texts of corpora that are read so")
    options.add_argument("--generated", type=int, metavar="COUNT", help="use generated sentences")
    options.add_argument("--seed", type=int, default=1, help="of the generated sentences")
    options.add_argument("--show", action="store_true", help="list the texts")
    given = options.parse_args()
    if given.corpora:
        count_corpora(given.show)
        return
    if given.generated:
        rate("generated", list(sentences(given.generated, given.seed)), given.show)
        return
    for language in ("en", "zh"):
        name = f"{language}-held-out" if given.held_out else language
        lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        rate(name, [json.loads(line) for line in lines], given.show)


def rate(name: str, rows: list[dict[str, Any]], show: bool) -> None:
    """Print how many sentences are answered right, by kind."""
    right: Counter[str] = Counter()
    for row in rows:
        found = answer(row["text"])
        if is_right(found, row):
            right[row["kind"]] += 1
        elif show:
            given = None if found is None else [str(value) for value in found.answers] or found.reason
            print(f"{row['id']}  {row['text']!r}: expected {row['answers']}, got {given}")
    total = Counter(row["kind"] for row in rows)
    print(f"\n{name}: {sum(right.values())} of {len(rows)} right ({100 * sum(right.values()) / len(rows):.1f} %)")
    for kind, count in total.most_common():
        print(f"  {kind:<12} {right[kind]:>4} of {count}")


def answer(text: str) -> Fulfilled | None:
    """Return the exact answer to a text, or None if it is not read as mathematics."""
    request = recognize(text)
    try:
        return None if request is None else fulfill(request, request.language or "en")
    except NotMathematicsError:
        return None


def is_right(found: Fulfilled | None, row: dict[str, Any]) -> bool:
    """Return whether the answers are the expected ones, in value and in form."""
    expected = row["answers"]
    if found is None:
        return False
    if isinstance(expected, str):
        return str(found.outcome) == expected
    if expected and isinstance(expected[0], dict):
        return _rows([{k: str(v) for k, v in root.items()} for root in found.roots]) == _rows(expected)
    given = [str(value) for value in found.answers]
    if len(given) != len(expected):
        return False
    if row["kind"] in ("equation", "system"):
        given, expected = sorted(given, key=_number), sorted(expected, key=_number)
    return all(_equal(one, other, row["kind"]) for one, other in zip(given, expected, strict=True))


def _rows(roots: list[dict[str, str]]) -> list[list[tuple[str, Expr]]]:
    return sorted(([(name, _read(value)) for name, value in sorted(root.items())] for root in roots), key=str)


def _read(text: str) -> Expr:
    return sympify(text.replace("^", "**"), rational=True)


def _number(text: str) -> float:
    return float(_read(text))


def _equal(given: str, expected: str, kind: str) -> bool:
    if given.replace(" ", "") == expected.replace(" ", ""):
        return True
    if kind in ("factors", "compare", "prime") or ":" in expected:
        return False
    if simplify(_read(given) - _read(expected)) != 0:
        return False
    if kind == "factor":
        return len(Mul.make_args(_read(given))) == len(Mul.make_args(_read(expected)))
    return kind != "expand" or expand(_read(given)) == _read(given)


def count_corpora(show: bool) -> None:
    """Print how many texts of each corpus are read as mathematics, and how many of those have the annotated answer."""
    print(f"{'corpus':<26}{'texts':>8}{'mathematics':>13}{'agree':>7}{'µs a text':>11}")
    for name in data.available():
        problems = list(data.load(name))
        start = time.perf_counter()
        taken = [problem for problem in problems if recognize(problem.text) is not None]
        spent = (time.perf_counter() - start) / max(len(problems), 1)
        agreeing = 0
        for problem in taken:
            found = answer(problem.text)
            agrees = found is not None and _agrees(found, problem)
            agreeing += agrees
            if show:
                given = None if found is None else [str(value) for value in found.answers]
                expected = [str(value) for value in problem.answers]
                print(f"  {'' if agrees else 'DIFFERS '}{problem.id}: {problem.text!r} {given} {expected}")
        print(f"{name:<26}{len(problems):>8}{len(taken):>13}{agreeing:>7}{1e6 * spent:>11.0f}")


def _agrees(found: Fulfilled, problem: Problem) -> bool:
    """Return whether the answers are among the annotated ones, which may list every unknown."""
    annotated = [value for values in (problem.answers, *problem.alternatives) for value in values]
    annotated += [100 * value for value in annotated] if found.unit == "%" else []
    try:
        return bool(found.answers) and all(any(close(one, other) for other in annotated) for one in found.answers)
    except (SauError, TypeError):
        return False


if __name__ == "__main__":
    main()
