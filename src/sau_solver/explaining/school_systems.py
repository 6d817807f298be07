"""A system of equations -> its lines in a school book, by substitution or by addition, with every equation shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.equations.expressions import Equation, Expression, Number, Unknown
from sau_solver.explaining.one_unknown import cleared, is_linear, is_number, names_in, put, simplified, solve_one
from sau_solver.explaining.terms import (
    NotInSchoolError,
    Term,
    coefficient_of,
    combine,
    expand,
    scaled,
    to_expression,
)
from sau_solver.explaining.work import Work, sides, unknowns_in, value_equation, value_expression
from sau_solver.phrases import Phrase
from sau_solver.solving import Value

MAX_UNKNOWNS = 4

Found = dict[str, Value]


@dataclass(frozen=True, slots=True)
class Labeled:
    """An equation with the number that later lines call it by."""

    number: int
    equation: Equation

    @property
    def label(self) -> Phrase:
        """The number in brackets."""
        return Phrase.of("label", number=self.number)


def labeled(equations: Sequence[Equation]) -> tuple[Phrase, ...]:
    """Return equations with their numbers, as a step shows them."""
    return tuple(
        Phrase.of("labeled", number=number, equation=equation) for number, equation in enumerate(equations, start=1)
    )


def solve_system(work: Work, equations: Sequence[Equation], names: Sequence[str]) -> list[Found]:
    """Write the lines that solve as many equations as unknowns; return the solutions."""
    if not 2 <= len(names) == len(equations) <= MAX_UNKNOWNS:
        raise NotInSchoolError
    system = _System(work, len(equations))
    return system.solved([Labeled(number, equation) for number, equation in enumerate(equations, start=1)], names)


def _is_polynomial(equation: Equation) -> bool:
    try:
        expand(equation.left)
        expand(equation.right)
    except NotInSchoolError:
        return False
    return True


class _System:
    def __init__(self, work: Work, used: int) -> None:
        self.work, self.used = work, used

    def solved(self, rows: list[Labeled], names: Sequence[str]) -> list[Found]:
        """Solve a system: equations with one unknown come first, those that only define an unknown come last."""
        if len(rows) == 1:
            (name,) = names
            self.work.say("first", label=rows[0].label)
            self.work.start(rows[0].equation)
            return [{name: root} for root in solve_one(self.work, rows[0].equation, name)]
        if all(_is_polynomial(row.equation) and is_linear(row.equation) for row in rows):
            return [self.linear(rows, list(names))]
        for row in rows:
            alone = _standing_alone(row.equation)
            others = [other for other in rows if other is not row]
            if alone and others and all(alone[0] not in names_in(other.equation) for other in others):
                name, value = alone
                rest = self.solved(others, [one for one in names if one != name])
                return [found | {name: self.back(name, value, found)} for found in rest]
        return self.with_one_linear(rows)

    # --- linear systems ----------------------------------------------------------------------------------------------

    def linear(self, rows: list[Labeled], names: list[str]) -> Found:
        """Solve a linear system by reducing it by one unknown at a time."""
        if len(rows) == 1:
            return self.last(rows[0])
        alone = next((row for row in rows if len(names_in(row.equation)) == 1), None)
        if alone is not None:
            return self.one_first(alone, [row for row in rows if row is not alone], names)
        ready = self.isolated(rows)
        if ready is not None:
            return self.substituted(rows, names, *ready)
        rows = [self.tidied(row) for row in rows]
        if len(rows) == 2 and (pair := _ready_pair(rows, names)):
            return self.added(rows, names, pair)
        ready = self.expressed(rows, names)
        if ready is not None:
            return self.substituted(rows, names, *ready)
        return self.added(rows, names, _cheapest(rows, names))

    def last(self, row: Labeled) -> Found:
        """Solve the last equation, which has one unknown."""
        (name,) = names_in(row.equation) or {""}
        if _value_of(row.equation, name) is not None:  # its value was just written
            return {name: coefficient_of(expand(row.equation.right), ())}
        return {name: solve_one(self.work, row.equation, name)[0]}

    def tidied(self, row: Labeled) -> Labeled:
        """Write the lines that bring an equation to ax + by = c, unless one unknown stands alone or none is left."""
        left, right = row.equation.left, row.equation.right
        if _standing_alone(row.equation) or len(names_in(row.equation)) < 2:
            return row
        self.work.start(row.equation)
        one, other = simplified(self.work, cleared(self.work, row.equation, at=self.at(row)), at=self.at(row))
        unknown = [term for term in combine([*one, *scaled(other, Fraction(-1))]) if term.powers]
        number = coefficient_of(other, ()) - coefficient_of(one, ())
        if unknown and all(term.coefficient < 0 for term in unknown):
            unknown, number = scaled(unknown, Fraction(-1)), -number
        equation = sides(unknown, [Term(number)] if number else [])
        tidy = is_number(right) and sides(one, other) == equation
        if not tidy and not (is_number(left) and is_number(right)):
            self.work.line("standard", equation, at=self.at(row))
        if not unknown:
            raise NotInSchoolError
        return Labeled(row.number, equation)

    def at(self, row: Labeled) -> Phrase:
        """Return the words that say which equation a line is about."""
        return Phrase.of("at", label=row.label)

    def one_first(self, alone: Labeled, others: list[Labeled], names: list[str]) -> Found:
        """Solve the equation that has one unknown, and put its value into the others."""
        (name,) = names_in(alone.equation)
        if _value_of(alone.equation, name) is None:
            self.work.say("first", label=alone.label)
            self.work.start(alone.equation)
        found: Found = {name: solve_one(self.work, alone.equation, name)[0]}
        rest = [one for one in names if one != name]
        filled = [self.filled(row, found) if name in names_in(row.equation) else row for row in others]
        return self.linear(filled, rest) | found

    def filled(self, row: Labeled, found: Mapping[str, Value]) -> Labeled:
        """Write an equation with values in place of unknowns."""
        known = {name: value_expression(value) for name, value in found.items()}
        equation = _put(row.equation, known)
        used = [value_equation(name, found[name]) for name in sorted(found) if name in names_in(row.equation)]
        for name in names_in(equation):
            if _value_of(equation, name) is not None:
                total = Number(coefficient_of(expand(equation.right), ()))
                self.work.say("back", values=tuple(used), source=row.equation, equation=equation, value=total)
                return Labeled(row.number, Equation(Unknown(name), total))
        self.work.line("put", equation, values=tuple(used), label=row.label)
        return Labeled(row.number, equation)

    def isolated(self, rows: list[Labeled]) -> tuple[Labeled, str, Expression] | None:
        """Return an equation in which an unknown stands alone, with the unknown and what it equals."""
        for row in rows:
            if (alone := _standing_alone(row.equation)) is not None:
                return row, *alone
        return None

    def expressed(self, rows: list[Labeled], names: list[str]) -> tuple[Labeled, str, Expression] | None:
        """Write an unknown with coefficient 1 in terms of the others; None if there is none."""
        choices = []
        for place, row in enumerate(rows):
            for position, name in enumerate(names):
                coefficient = _coefficient(row.equation, name)
                if abs(coefficient) == 1:
                    size = sum(abs(term.coefficient) for term in expand(row.equation.left))
                    choices.append((coefficient < 0, size, place, position))
        if not choices:
            return None
        _, _, place, position = min(choices)
        row, name = rows[place], names[position]
        sign = _coefficient(row.equation, name)
        others = [term for term in expand(row.equation.left) if term.powers != ((name, 1),)]
        value = to_expression(scaled([*expand(row.equation.right), *scaled(others, Fraction(-1))], sign))
        self.work.line("express", Equation(Unknown(name), value), label=row.label)
        return row, name, value

    def substituted(
        self, rows: list[Labeled], names: list[str], source: Labeled, name: str, value: Expression
    ) -> Found:
        """Put an expression for an unknown into the other equations, solve those, and go back."""
        rest = [one for one in names if one != name]
        others = []
        for row in rows:
            if row is not source:
                equation = row.equation
                if name in names_in(equation):
                    equation = _put(equation, {name: value})
                    self.work.line("substitute", equation, source=Equation(Unknown(name), value), label=row.label)
                    row = Labeled(self.next_number() if len(rest) > 1 else row.number, equation)
                others.append(self.renewed(row, rows) if len(rest) > 1 else row)
        found = self.linear(others, rest)
        return {name: self.back(name, value, found)} | found

    def next_number(self) -> int:
        self.used += 1
        return self.used

    def renewed(self, row: Labeled, before: list[Labeled]) -> Labeled:
        """Simplify a new equation, and give it a number."""
        if row in before:
            return row
        self.work.start(row.equation)
        one, other = simplified(self.work, row.equation)
        unknown = [term for term in combine([*one, *scaled(other, Fraction(-1))]) if term.powers]
        number = coefficient_of(other, ()) - coefficient_of(one, ())
        if not unknown:
            raise NotInSchoolError
        if all(term.coefficient < 0 for term in unknown):
            unknown, number = scaled(unknown, Fraction(-1)), -number
        equation = sides(unknown, [Term(number)] if number else [])
        self.work.say("call", number=row.number, equation=equation)
        self.work.start(equation)
        return Labeled(row.number, equation)

    def back(self, name: str, value: Expression, found: Mapping[str, Value]) -> Value:
        """Write the value of an unknown that was expressed by others."""
        known = {one: value_expression(found[one]) for one in sorted(unknowns_in(value))}
        if not all(isinstance(found[one], Fraction) for one in known):
            raise NotInSchoolError
        total = coefficient_of(expand(put(value, known)), ())
        used = tuple(value_equation(one, found[one]) for one in known)
        source = Equation(Unknown(name), value)
        filled = Equation(Unknown(name), put(value, known))
        if known:
            self.work.say("back", values=used, source=source, equation=filled, value=Number(total))
        self.work.start(value_equation(name, total))
        return total

    # --- addition ----------------------------------------------------------------------------------------------------

    def added(self, rows: list[Labeled], names: list[str], name: str) -> Found:
        """Eliminate an unknown by adding or subtracting multiples of the equations, solve the rest, and go back."""
        pivot = next((row for row in rows if _coefficient(row.equation, name)), None)
        if pivot is None:  # 0=1 is left of equations that contradict each other
            raise NotInSchoolError
        rest = [one for one in names if one != name]
        others = []
        for row in rows:
            if row is pivot:
                continue
            others.append(row if not _coefficient(row.equation, name) else self.combined(pivot, row, name, len(rest)))
        found = self.linear(others, rest)
        filled = self.filled(pivot, {one: found[one] for one in rest if one in names_in(pivot.equation)})
        return {name: solve_one(self.work, filled.equation, name)[0]} | found

    def combined(self, first: Labeled, second: Labeled, name: str, left_over: int) -> Labeled:
        """Write the sum or difference of two equations in which an unknown drops out."""
        one, other = _coefficient(first.equation, name), _coefficient(second.equation, name)
        common = Fraction(math.lcm(one.numerator, other.numerator), math.gcd(one.denominator, other.denominator))
        first, second = self.multiplied(first, abs(common / one)), self.multiplied(second, abs(common / other))
        sign = Fraction(-1) if one * other > 0 else Fraction(1)
        if sign < 0 and _negative_rest(first, second):
            first, second = second, first
        total = [
            combine([*expand(a), *scaled(expand(b), sign)])
            for a, b in (
                (first.equation.left, second.equation.left),
                (first.equation.right, second.equation.right),
            )
        ]
        equation = sides(*total)
        if not names_in(equation):
            raise NotInSchoolError
        self.work.line("subtract_rows" if sign < 0 else "add_rows", equation, one=first.label, other=second.label)
        if left_over == 1:
            return Labeled(first.number, equation)
        number = self.next_number()
        self.work.say("call", number=number, equation=equation)
        return Labeled(number, equation)

    def multiplied(self, row: Labeled, factor: Fraction) -> Labeled:
        if factor == 1:
            return row
        equation = sides(*(scaled(expand(side), factor) for side in (row.equation.left, row.equation.right)))
        number = self.next_number()
        self.work.say("multiply_row", label=row.label, factor=Number(factor), number=number, equation=equation)
        return Labeled(number, equation)

    # --- one linear equation and another one -------------------------------------------------------------------------

    def with_one_linear(self, rows: list[Labeled]) -> list[Found]:
        """Solve two equations of which one is linear: put an unknown of it into the other."""
        if len(rows) != 2:
            raise NotInSchoolError
        row = next((row for row in rows if _is_polynomial(row.equation) and is_linear(row.equation)), None)
        if row is None:
            raise NotInSchoolError
        names = sorted(names_in(row.equation))
        ready = self.isolated([row])
        if ready is None and len(names) > 1:
            ready = self.expressed([self.tidied(row)], names)
        if ready is None:
            raise NotInSchoolError
        _, name, value = ready
        (other,) = (one for one in rows if one is not row)
        equation = _put(other.equation, {name: value})
        self.work.line("substitute", equation, source=Equation(Unknown(name), value), label=other.label)
        (left,) = names_in(equation) or {""}
        roots = solve_one(self.work, equation, left)
        if not all(isinstance(root, Fraction) for root in roots):
            raise NotInSchoolError
        return [{left: root, name: self.back(name, value, {left: root})} for root in roots]


def _put(equation: Equation, by: dict[str, Expression]) -> Equation:
    return Equation(put(equation.left, by), put(equation.right, by))


def _coefficient(equation: Equation, name: str) -> Fraction:
    powers = ((name, 1),)
    return coefficient_of(expand(equation.left), powers) - coefficient_of(expand(equation.right), powers)


def _standing_alone(equation: Equation) -> tuple[str, Expression] | None:
    """Return an unknown that is one side of an equation, and the other side, which is free of it and simple."""
    for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
        if isinstance(side, Unknown) and not is_number(other) and side.name not in unknowns_in(other):
            return side.name, other
    return None


def _value_of(equation: Equation, name: str) -> Expression | None:
    return equation.right if equation.left == Unknown(name) and is_number(equation.right) else None


def _ready_pair(rows: list[Labeled], names: list[str]) -> str | None:
    """Return an unknown that drops out when two equations are added or subtracted as they are."""
    first, second = (row.equation for row in rows)
    pairs = {name: (_coefficient(first, name), _coefficient(second, name)) for name in names}
    opposite = [name for name, (one, other) in pairs.items() if one == -other != 0]
    equal = [name for name, (one, other) in pairs.items() if one == other != 0]
    return next(iter([*opposite, *equal]), None)


def _cheapest(rows: list[Labeled], names: list[str]) -> str:
    """Return the unknown whose coefficients have the smallest common multiple."""

    def cost(name: str) -> tuple[bool, int]:
        coefficients = [_coefficient(row.equation, name) for row in rows]
        return not all(coefficients), math.lcm(*(abs(one.numerator) or 1 for one in coefficients))

    return min(names, key=cost)


def _negative_rest(first: Labeled, second: Labeled) -> bool:
    """Return whether first - second has only negative terms with unknowns."""
    terms = [
        term
        for term in combine([*expand(first.equation.left), *scaled(expand(second.equation.left), Fraction(-1))])
        if term.powers
    ]
    return bool(terms) and all(term.coefficient < 0 for term in terms)
