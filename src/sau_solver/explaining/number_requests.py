"""Requests about numbers -> answers and steps: divisors, remainders, primes, comparing, sorting, digits, averages."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key, partial

from sau_solver.equations.expressions import Equation, Number, Operation, Unknown, number_text
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.solving import Formula, Value, about, decimal_of, solve
from sau_solver.solving.budget import DECISION_SECONDS, limited
from sau_solver.solving.exact_values import real_of
from sau_solver.solving.outcomes import TooHardError
from sau_solver.solving.reals import NoValueError, Real, UndecidedError
from sau_solver.solving.whole_numbers import divisors, euclid, is_prime, prime_powers, product_text
from sau_solver.text.mathematics.request import NotMathematicsError, Request

MAX_EUCLID_BITS = 200  # of the smaller number whose divisions are shown

_HOLDS: dict[str, Callable[[int], bool]] = {
    ">": lambda sign: sign > 0, "<": lambda sign: sign < 0, "=": lambda sign: sign == 0,
    ">=": lambda sign: sign >= 0, "<=": lambda sign: sign <= 0,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Result:
    """Answers with a label for each, the steps that lead to them, and their unit."""

    answers: tuple[Value, ...]
    labels: tuple[str, ...]
    steps: tuple[Step, ...]
    unit: str = ""


def about_numbers(request: Request, values: list[Value], step: StepWriter) -> Result:
    """Answer a request whose terms have these values."""
    return _ANSWERS[request.kind](request, values, step)


def shown(value: Value) -> str:
    """Return a value as people write it: 0.25, 1/3, 5*sqrt(2)."""
    return number_text(value) if isinstance(value, Fraction) else str(value)


def _one(value: Value, *steps: Step) -> Result:
    return Result((value,), ("",), steps)


def _verdict(holds: bool, *steps: Step) -> Result:
    return _one(Formula("yes" if holds else "no"), *steps)


def _whole(values: Sequence[Value], least: int = 1) -> list[int]:
    found = [value for value in values if isinstance(value, Fraction) and value.denominator == 1 and value >= least]
    if len(found) != len(values):
        raise NotMathematicsError
    return [value.numerator for value in found]


def _rational(values: Sequence[Value]) -> list[Fraction]:
    found = [value for value in values if isinstance(value, Fraction)]
    if len(found) != len(values):
        raise NotMathematicsError
    return found


def _gcd_steps(numbers: list[int], step: StepWriter) -> tuple[int, list[Step]]:
    """Return the greatest common divisor, by Euclid's algorithm on one number after the other."""
    steps: list[Step] = []
    common = numbers[0]
    for other in numbers[1:]:
        shown = euclid(common, other) if min(common, other).bit_length() <= MAX_EUCLID_BITS else ()
        for one, divisor, quotient, rest in shown:
            steps.append(step("euclid", one=one, divisor=divisor, quotient=quotient, rest=rest))
        found = math.gcd(common, other)
        steps.append(step("common_divisor", one=common, other=other, value=found))
        common = found
    return common, steps


def _lcm_steps(numbers: list[int], step: StepWriter) -> tuple[int, list[Step]]:
    steps: list[Step] = []
    common = numbers[0]
    for other in numbers[1:]:
        shared = math.gcd(common, other)
        found = math.lcm(common, other)
        steps.append(step("common_multiple", one=common, other=other, shared=shared, value=found))
        common = found
    return common, steps


def _gcd(request: Request, values: list[Value], step: StepWriter) -> Result:
    common, steps = _gcd_steps(_whole(values), step)
    return _one(Fraction(common), *steps)


def _lcm(request: Request, values: list[Value], step: StepWriter) -> Result:
    common, steps = _lcm_steps(_whole(values), step)
    return _one(Fraction(common), *steps)


def _gcd_lcm(request: Request, values: list[Value], step: StepWriter) -> Result:
    numbers = _whole(values)
    (divisor, first), (multiple, second) = _gcd_steps(numbers, step), _lcm_steps(numbers, step)
    listed = ",".join(map(str, numbers))
    return Result((Fraction(divisor), Fraction(multiple)), (f"gcd({listed})", f"lcm({listed})"), tuple(first + second))


def _division(request: Request, values: list[Value], step: StepWriter) -> Result:
    """Divide with a remainder that is not negative."""
    dividend, divisor = _whole(values, least=0)
    if not divisor:
        raise TooHardError("divides_by_zero")
    quotient, rest = divmod(dividend, divisor)
    worked = step("euclid", one=dividend, divisor=divisor, quotient=quotient, rest=rest)
    if request.kind == "remainder":
        return _one(Fraction(rest), worked)
    labels = (str(step("label_quotient")), str(step("label_remainder")))
    return Result((Fraction(quotient), Fraction(rest)), labels, (worked,))


def _prime(request: Request, values: list[Value], step: StepWriter) -> Result:
    (number,) = _whole(values)
    prime = is_prime(number)
    if prime:
        worked = step("is_prime", number=number)
    elif number == 1:
        worked = step("is_one")
    else:
        worked = step("is_composite", number=number, product=product_text(prime_powers(number)))
    if request.option == "which":
        return _one(Formula("prime" if prime else "composite" if number > 1 else "no"), worked)
    return _verdict(prime if request.option == "prime" else number > 1 and not prime, worked)


def _divisible(request: Request, values: list[Value], step: StepWriter) -> Result:
    number, divisor = _whole(values, least=0)
    if not divisor:
        raise TooHardError("divides_by_zero")
    quotient, rest = divmod(number, divisor)
    return _verdict(not rest, step("euclid", one=number, divisor=divisor, quotient=quotient, rest=rest))


def _factors(request: Request, values: list[Value], step: StepWriter) -> Result:
    (number,) = _whole(values)
    powers = prime_powers(number) if number > 1 else []
    worked = (step("factorized", number=number, product=product_text(powers)),) if powers else ()
    if request.kind == "factors":
        found = divisors(number)
        if request.option == "count":
            return _one(Fraction(len(found)), *worked)
    elif powers and request.kind == "prime_factors":
        found = [prime for prime, _ in powers]
    else:
        return _one(Formula(product_text(powers) or str(number)), *worked)
    return Result(tuple(map(Fraction, found)), ("",) * len(found), worked)


def _roots(request: Request, values: list[Value], step: StepWriter) -> Result:
    """Return both square roots."""
    (square,) = _rational(values)
    equation = Equation(Operation("^", Unknown("x"), Number(Fraction(2))), Number(square))
    solved = solve((equation,))
    if not solved.solutions:
        raise TooHardError("no_real_solution")
    found = tuple(solution["x"] for solution in solved.solutions)
    return Result(found, ("x",) * len(found), (step("rewrite_roots", equation=str(equation)),))


def _compare(request: Request, values: list[Value], step: StepWriter) -> Result:
    return _verdict(_HOLDS[request.option](_order(*values)), _compared(request, values, step))


def _relation(request: Request, values: list[Value], step: StepWriter) -> Result:
    sign = _sign(values)
    worked = _compared(request, values, step)
    return _one(Formula(f"{request.terms[0]}{sign}{request.terms[1]}"), worked)


def _sign(values: Sequence[Value]) -> str:
    order = _order(*values)
    return "<" if order < 0 else ">" if order > 0 else "="


def _order(one: Value, other: Value) -> int:
    """Return the sign of a difference, which is decided exactly; raise NotMathematicsError if it cannot be decided."""
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return (one > other) - (one < other)
    return _decided(lambda: real_of(one) - real_of(other))


def _decided(number: Callable[[], Real]) -> int:
    try:
        with limited(DECISION_SECONDS):
            return number().sign()
    except (NoValueError, UndecidedError):
        raise NotMathematicsError from None


_ordered = cmp_to_key(_order)


def _compared(request: Request, values: list[Value], step: StepWriter) -> Step:
    """Return the step that shows two values with a common denominator."""
    one, other = values
    sign = _sign(values)
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        shared = math.lcm(one.denominator, other.denominator)
        over = f"/{shared}" if shared > 1 else ""
        first, second = (f"{value.numerator * (shared // value.denominator)}{over}" for value in (one, other))
    else:
        first, second = map(about, values)
        if first == second:  # too close for six digits, or too large
            first, second = map(shown, values)
    return step("compared", comparison=f"{first} {sign} {second}")


def _extreme(request: Request, values: list[Value], step: StepWriter) -> Result:
    best = (max if request.kind == "larger" else min)(values, key=_ordered)
    return _one(best, _in_order(values, step))


def _sorted(request: Request, values: list[Value], step: StepWriter) -> Result:
    ordered = sorted(values, key=_ordered, reverse=request.kind == "descending")
    return Result(tuple(ordered), ("",) * len(ordered), (_in_order(values, step, request.kind == "descending"),))


def _in_order(values: list[Value], step: StepWriter, reverse: bool = False) -> Step:
    ordered = sorted(values, key=_ordered, reverse=reverse)
    return step("compared", comparison=f" {'>' if reverse else '<'} ".join(map(shown, dict.fromkeys(ordered))))


def _nearest(request: Request, values: list[Value], step: StepWriter) -> Result:
    target, *others = values
    gaps = [(_distance(other, target), other) for other in others]
    steps = [step("distance", one=shown(other), other=shown(target), value=_gap(gap)) for gap, other in gaps]
    return _one(min(others, key=cmp_to_key(partial(_nearer, target))), *steps)


def _nearer(target: Value, one: Value, other: Value) -> int:
    """Return the sign of the difference of two distances."""
    return _decided(lambda: abs(real_of(one) - real_of(target)) - abs(real_of(other) - real_of(target)))


def _distance(one: Value, other: Value) -> Fraction | float:
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return abs(one - other)
    return abs(decimal_of(one) - decimal_of(other))


def _gap(gap: Fraction | float) -> str:
    return number_text(gap) if isinstance(gap, Fraction) else f"{gap:.6g}"


def _digit(request: Request, values: list[Value], step: StepWriter) -> Result:
    (number,) = _rational(values)
    return _one(Fraction(int(abs(number) / Fraction(10) ** int(request.option)) % 10))


def _average(request: Request, values: list[Value], step: StepWriter) -> Result:
    numbers = _rational(values)
    total = sum(numbers, start=Fraction(0))
    mean = total / len(numbers)
    added = "+".join(f"({number_text(number)})" if number < 0 else number_text(number) for number in numbers)
    over = (
        f"({number_text(total)})/{len(numbers)}"
        if "/" in number_text(total)
        else f"{number_text(total)}/{len(numbers)}"
    )
    lines = [(added, total), (over, mean)]
    return _one(
        mean,
        *(step("calculation", meaning="", operation=one, value=number_text(value), unit="") for one, value in lines),
    )


def _ratio(request: Request, values: list[Value], step: StepWriter) -> Result:
    one, other = _rational(values)
    if not other:
        raise TooHardError("divides_by_zero")
    scale = Fraction(math.lcm(one.denominator, other.denominator))
    scale /= math.gcd(int(one * scale), int(other * scale))
    text = f"{one * scale}:{other * scale}"
    if scale == 1:
        return _one(Formula(text), step("same_simplify", expression=text))
    code, factor = ("reduced", 1 / scale) if scale.numerator == 1 else ("scaled", scale)
    return _one(Formula(text), step(code, ratio=f"{shown(one)}:{shown(other)}", factor=shown(factor), result=text))


_ANSWERS: dict[str, Callable[[Request, list[Value], StepWriter], Result]] = {
    "gcd": _gcd, "lcm": _lcm, "gcd_lcm": _gcd_lcm, "remainder": _division, "division": _division, "prime": _prime,
    "divisible": _divisible, "prime_factors": _factors, "factorization": _factors, "factors": _factors,
    "roots": _roots, "compare": _compare, "relation": _relation, "larger": _extreme, "smaller": _extreme,
    "ascending": _sorted, "descending": _sorted, "nearest": _nearest, "digit": _digit, "average": _average,
    "ratio": _ratio,
}  # fmt: skip
