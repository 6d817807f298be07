"""Solved equations and the questions of a text -> one entry for each thing asked, with its value.

`Asked` is what every interface shows: the question, the quantity in the text's words, the unknown or expression that
answers it, the exact answer and its unit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sau_solver.answering.asked.definitions import compared_definition, is_repeated
from sau_solver.answering.asked.derived import derived_asked
from sau_solver.answering.asked.equation_terms import term_asked
from sau_solver.answering.asked.estimates import estimated
from sau_solver.answering.asked.final_unknown import FIRST, AskedFirst, final_unknown, worked_out
from sau_solver.answering.asked.later_ages import age_asked
from sau_solver.answering.asked.linking import CERTAIN, MAX_ASSIGNED, link, places_of
from sau_solver.answering.asked.nearest import nearest
from sau_solver.answering.asked.parts import parts_of, steps_of
from sau_solver.answering.asked.quantities import Quantity, quantities_of, text_of, value_of
from sau_solver.answering.asked.ratio_shares import shares_asked
from sau_solver.answering.asked.repeated_questions import asked_once, merged
from sau_solver.answering.asked.rounding import rounded
from sau_solver.answering.asked.shapes import figure_asked, shape_asked
from sau_solver.answering.asked.single_unknown import one_unknown_asked
from sau_solver.answering.asked.sums_and_ratios import function_of, in_order
from sau_solver.answering.asked.totals import combination_asked, side_asked
from sau_solver.answering.asked.travel import travel_asked
from sau_solver.answering.asked.two_calculations import two_calculations
from sau_solver.answering.asked.two_digit_numbers import number_of_digits
from sau_solver.equations.expressions import Equations, Expression, Number, Operation, Unknown, numbers_of, walk
from sau_solver.equations.roles import PERCENT, Roles, roles_of
from sau_solver.equations.structure import are_cases, defined_in_turn, is_complement, is_definition
from sau_solver.solving import Assignment, Value, decimal_of
from sau_solver.text.asking import Reading, Thing

_MADE_OF_DIGITS = re.compile(r"\bdigits?\b|\bfraction\b|[两三]位数|分[子母]", re.IGNORECASE)
_WHOLE_NUMBER = re.compile(
    r"\b(?:original|given|new|two-digit)?\s?(?:number|integer|fraction)\b(?!.*\bdigit)"
    r"|位数[是为]?$|[原新]数|分数(?!的分[子母])",
    re.IGNORECASE,
)
_OBLONG = re.compile(r"\brectang|长方形|矩形", re.IGNORECASE)
_MARK = re.compile(r"[?？]|[(（][1-9一二三a-c][)）]")
_PLAIN = ("sum", "area", "perimeter")
MAX_SHARE = 10  # 25 is 25 %, not 2500 %


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that the text asks for.

    `answer` is None for a question that was skipped. `certain` is False if equations and words do not say which unknown
    is meant; then every unknown is listed, or the one that the network calls what is asked.
    """

    question: str  # as quoted from the text
    quantity: str  # in the text's words; empty if they are not known
    unknown: str  # the unknown or expression of the equations
    answer: Value | None
    unit: str = ""
    rounding: str = ""  # up, down, remainder, missing (in the last group) or nearest
    certain: bool = True
    share: bool = False  # the answer is a share of one: with the unit %, 1/5 is shown as 20%
    of_several: bool = False  # the equations have other unknowns than this one
    shown: str = ""  # how the answer is displayed, if not as a number with its unit: 10:05 pm


def ask(
    reading: Reading,
    equations: Equations,
    solution: Assignment,
    roles: Roles | None = None,
    only_solution: bool = True,
    asked_first: AskedFirst = "",
) -> tuple[Asked, ...]:
    """Return an entry for each thing that the text asks for, in the order of its questions.

    `roles` are those of the equations, if they are known already. Pass `only_solution=False` if there are other
    solutions: then a single unknown is taken as what is asked. `asked_first` is what the network that wrote the
    equations has learned to call x; it counts where the words do not settle what is asked.
    """
    things = reading.things
    numeric = [thing for thing in things if thing.relation != "none"]
    if numeric and numeric[0].relation in ("gcd", "lcm") and (named := common_number(reading, numeric[0])):
        return (named,)
    if roles is None:
        roles = roles_of(equations)
    if missing := [name for name in roles.names if name not in solution]:
        roles = roles_of(equations, missing)
    names = roles.names
    if not names:
        return ()
    if not numeric:
        return tuple(Asked("", "", name, solution[name], certain=len(names) == 1) for name in names)
    answering = _Answering(reading, equations, solution, roles, asked_first)
    if not only_solution and len(names) == 1:
        del answering.quantities[1:]
    answered = answering.answer(numeric)
    entries = iter(answered)
    ordered: list[Asked] = []
    for thing in things:
        if thing.relation == "none":
            ordered.append(Asked(thing.question, thing.quantity, "", None))
        else:
            ordered.extend(_new(next(entries), ordered) if len(names) > 1 else next(entries))
    return tuple(ordered)


def common_number(reading: Reading, thing: Thing) -> Asked | None:
    """Return the greatest common divisor or least common multiple that a text names, of the numbers it names."""
    values = reading.common
    if not values:
        return None
    answer = math.gcd(*values) if thing.relation == "gcd" else math.lcm(*values)
    shown = f"{thing.relation}({','.join(map(str, values))})"
    return Asked(thing.question, thing.quantity, shown, Fraction(answer), thing.unit)


class _Answering:
    """The questions of one text against one solution of one candidate's equations."""

    def __init__(
        self, reading: Reading, equations: Equations, solution: Assignment, roles: Roles, asked_first: AskedFirst
    ) -> None:
        self.reading, self.equations, self.solution = reading, equations, solution
        self.names, self.defined = roles.names, roles.defined
        self.predicted = FIRST if asked_first and FIRST.name in roles.names else None
        self.works_out_what_is_asked = asked_first == "expressions" and worked_out(equations) == FIRST
        self.quantities = quantities_of(roles, solution)
        self.unknowns = self.quantities[: len(self.names)]
        self.in_turn = defined_in_turn(equations) if len(self.names) > 1 else []

    def answer(self, things: Sequence[Thing]) -> list[list[Asked]]:
        """Return the entries for each thing."""
        kept = asked_once(things, len(self.names), self.reading.language)
        if len(kept) < len(things):
            found = iter(self.answer(list(kept.values())))
            return [next(found) if place in kept else [] for place in range(len(things))]
        things = list(kept.values())
        if shares := shares_asked(things, self.reading, self.equations):
            return [[self._entry(thing, share) for share in own] for thing, own in zip(things, shares, strict=True)]
        if not self.in_turn and (made := combination_asked(things, self.reading, self.unknowns)) is not None:
            return [[self._entry(merged(things) or things[0], made)], *([] for _ in things[1:])]
        if len(things) == 1:
            return [self._one(things[0])]
        things = asked_for = [self._as_figure(one) for one in things]
        if len(things) == len(self.names):  # 一共有几间？有多少人？ does not ask for a sum
            things = [
                replace(one, relation="value") if one.relation in _PLAIN and self._figure(one) is None else one
                for one in things
            ]
        if all(thing.relation == "value" for thing in things) and not self.in_turn and len(self.names) > 1:
            return self._listed(things)
        if len(self.names) == 1:
            return self._several_of_one(things)
        if len(self.in_turn) >= len(things):
            last = two_calculations(asked_for, self.reading, self.equations) or in_order(
                asked_for, self.in_turn[-len(things) :], self.equations
            )
            return [[self._entry(t, Unknown(name))] for t, name in zip(things, last, strict=True)]
        return self._mixed(things)

    def _one(self, thing: Thing) -> list[Asked]:
        if len(self.names) == 1 and self.defined:
            made = compared_definition(thing, self.reading, self.equations, self.solution)
            return [self._entry(thing, made or Unknown(self.names[0]))]
        if len(self.names) == 1:
            found = one_unknown_asked(thing, self.reading, self.equations, self.solution, self.quantities)
            return [self._entry(thing, expression) for expression in found]
        if self.works_out_what_is_asked and thing.relation != "every":
            return [self._entry(thing, FIRST)]
        if self.in_turn and thing.relation != "every" and not self._is_function_of_ends(thing):
            return [self._entry(thing, Unknown(self.in_turn[-1]))]
        if (side := side_asked(thing, self.reading, self.equations)) is not None:
            return [self._entry(thing, side)]
        if thing.relation == "every":
            return self._every(thing)
        if (made := self._made(replace(thing, relation="value") if thing.relation == "made" else thing)) is not None:
            return [self._entry(thing, made)]
        if thing.relation in ("larger", "smaller"):
            return [self._extreme(thing, self.unknowns)]
        if thing.relation != "value":
            if not self.in_turn and (last := final_unknown(thing, self.reading.language, self.equations)) is not None:
                return [self._entry(thing, last)]
            made = function_of(thing, self.reading, self.equations, self.unknowns)
            if made is not None:
                return [self._entry(thing, made)]
        listed = thing.count == len(self.names) and thing.relation in ("value", "sum")
        if listed or (thing.relation == "value" and are_cases(self.equations)):
            return self._every(thing)
        return self._linked(thing)

    def _figure(self, thing: Thing) -> Expression | None:
        return figure_asked(thing, self.reading, self.equations, self.unknowns)

    def _as_figure(self, thing: Thing) -> Thing:
        """Return the thing with the relation `made` if no unknown stands for it."""
        plain = thing.relation == "value" and len(self.names) > 1 and not self.in_turn
        return replace(thing, relation="made") if plain and self._made(thing) is not None else thing

    def _made(self, thing: Thing) -> Expression | None:
        """Return the measure of a figure, the term of a sum or the combination that a question asks for."""
        if (figure := self._figure(thing)) is not None:
            return figure
        if (number := number_of_digits(thing, self.reading, self.equations, self.unknowns)) is not None:
            return number
        if (term := term_asked(thing, self.reading, self.equations, self.unknowns)) is not None:
            return term
        return combination_asked([thing], self.reading, self.unknowns)

    def _is_function_of_ends(self, thing: Thing) -> bool:
        """Return whether a difference, sum or ratio of unknowns is asked for whose equations do not use each other."""
        figure = _OBLONG.search(self.reading.text) and self._figure(thing)
        if thing.relation not in ("difference", "sum", "ratio") and not figure:
            return False
        first, *others = self.equations
        if thing.relation == "sum" and self._are_compared():
            return True
        used = {
            node.name
            for equation in self.equations
            for side in (equation.left, equation.right)
            if not isinstance(side, Unknown)
            for node in walk(side)
            if isinstance(node, Unknown)
        }
        return not used or (thing.relation == "difference" and len(others) == 1 and is_complement(first, others[0]))

    def _are_compared(self) -> bool:
        """Return whether the text compares the two unknowns, so that the second one does not just use the first."""
        values = [self.solution[name] for name in self.in_turn]
        if len(values) != 2 or not isinstance(values[0], Fraction) or not isinstance(values[1], Fraction):
            return False
        first, second = values[0], values[1]
        return any(one.holds(first, second) or one.holds(second, first) for one in self.reading.comparisons)

    def _linked(self, thing: Thing) -> list[Asked]:
        if _MADE_OF_DIGITS.search(self.reading.text) and _WHOLE_NUMBER.search(thing.words):
            return [replace(entry, certain=False) for entry in self._every(thing)]
        (place,), margin = link(self.reading, [thing], self.quantities)
        if margin >= CERTAIN:
            return [self._entry(thing, self.quantities[place].expression)]
        if (last := final_unknown(thing, self.reading.language, self.equations)) is not None:
            return [self._entry(thing, last)]
        if self.predicted is not None:
            return [replace(self._entry(thing, self.predicted), certain=False)]
        return [replace(entry, certain=False) for entry in self._every(thing)]

    def _every(self, thing: Thing) -> list[Asked]:
        """Return all unknowns, labeled by the things that the text mentions together where that is possible."""
        labels = self._labels(len(self.unknowns))
        entries = [
            replace(self._entry(thing, quantity.expression), quantity=label or thing.quantity, unit=thing.unit)
            for quantity, label in zip(self.unknowns, labels, strict=True)
        ]
        places = places_of(self.reading, labels)
        return [entry for _, entry in sorted(zip(places, entries, strict=True), key=lambda one: one[0])]

    def _labels(self, count: int) -> list[str]:
        for listed in self.reading.listed:
            if len(listed) == count <= MAX_ASSIGNED:
                places, margin = link(self.reading, listed, self.unknowns)
                if margin >= CERTAIN:
                    labels = [""] * count
                    for label, place in zip(listed, places, strict=True):
                        labels[place] = label
                    return labels
        return [""] * count

    def _extreme(self, thing: Thing, quantities: Sequence[Quantity]) -> Asked:
        best = max if thing.relation == "larger" else min
        return self._entry(thing, best(quantities, key=lambda one: decimal_of(one.value)).expression)

    def _listed(self, things: Sequence[Thing]) -> list[list[Asked]]:
        """Assign several named things to the unknowns at once."""
        quantities = self.unknowns
        if len(things) > len(quantities) or len(quantities) > MAX_ASSIGNED:
            return self._mixed(things)
        places, margin = link(self.reading, things, quantities)
        sure = margin >= CERTAIN or len(things) == len(quantities)
        return [
            [replace(self._entry(thing, quantities[place].expression), certain=sure)]
            for thing, place in zip(things, places, strict=True)
        ]

    def _several_of_one(self, things: Sequence[Thing]) -> list[list[Asked]]:
        """Answer several questions with one unknown: by the parts of its equation, or only the last question."""
        parts = parts_of(self.equations, self.names[0]) if not self.defined else []
        if len(parts) == len(things) and all(thing.relation == "value" for thing in things):
            own = [Quantity(part, value) for part in parts if (value := value_of(part, self.solution)) is not None]
            if len(own) == len(things):
                places, _ = link(self.reading, things, own)
                return [[self._entry(t, own[place].expression)] for t, place in zip(things, places, strict=True)]
        if (told := travel_asked(things, self.equations, self.names[0])) is not None:
            return [
                [self._entry(thing, made) if made is not None else _skipped(thing)]
                for thing, made in zip(things, told, strict=True)
            ]
        last = len(things) - 1
        if not self.defined and (answers := self._with_derived(things)):
            return answers
        if is_repeated(things, self.reading.language):
            return [[], *self.answer(things[1:])]
        if self.defined:
            if (whole := merged(things)) is not None:
                return [[self._entry(whole, Unknown(self.names[0]))], *([] for _ in things[1:])]
            entries = [self._entry(thing, Unknown(self.names[0])) for thing in things]
            if all(entry.rounding for entry in entries):  # full boxes, and what is left
                return [[entry] for entry in entries]
        steps = steps_of(self.equations, total=things[0].relation == "sum")
        marks = len(_MARK.findall(self.reading.text))
        if len(steps) == last < marks:  # 一共花了多少元？还剩多少元？ with x=500-68*6: 68*6 answers the first question
            return [
                [self._entry(thing, expression)]
                for thing, expression in zip(things, [*steps, Unknown(self.names[0])], strict=True)
            ]
        if self.defined and (shaped := shape_asked(things, self.equations)) is not None:
            last = shaped
        return [
            [self._entry(thing, Unknown(self.names[0]))] if place == last else [_skipped(thing)]
            for place, thing in enumerate(things)
        ]

    def _with_derived(self, things: Sequence[Thing]) -> list[list[Asked]]:
        """Answer questions if one asks for the unknown and the others for expressions with it; else return nothing."""
        made = [
            derived_asked(thing, self.reading, self.equations, self.solution, [])
            or side_asked(thing, self.reading, self.equations)
            for thing in things
        ]
        if made.count(None) > 1 or len(set(map(str, made))) < len(made):
            return []
        return [[self._entry(t, m or Unknown(self.names[0]))] for t, m in zip(things, made, strict=True)]

    def _mixed(self, things: Sequence[Thing]) -> list[list[Asked]]:
        """Answer each question on its own. Two plain questions never get the same unknown."""
        found: list[list[Asked]] = []
        plain = [thing for thing in things if thing.relation == "value"]
        assigned: dict[int, Expression] = {}
        plain = plain[: len(self.unknowns)]
        if plain and len(self.unknowns) <= MAX_ASSIGNED:
            places, _ = link(self.reading, plain, self.unknowns)
            assigned = {id(t): self.unknowns[place].expression for t, place in zip(plain, places, strict=True)}
        for thing in things:
            if id(thing) in assigned:
                entries = [self._entry(thing, assigned[id(thing)])]
            elif thing.relation == "value":
                entries = [_skipped(thing)]
            else:
                entries = self._one(thing)
            found.append(entries)
        return found

    def _entry(self, thing: Thing, expression: Expression) -> Asked:
        if not self.defined and not self.in_turn:
            expression = age_asked(thing, self.reading, self.equations, expression)
        if isinstance(expression, Unknown) and self._is_percentage(thing, expression.name):
            expression = Operation("*", Number(Fraction(100)), expression)
        value = value_of(expression, self.solution)
        share = thing.unit == "%" and value is not None and self._is_share(value)
        several = len(self.names) > 1
        entry = Asked(
            thing.question, thing.quantity, text_of(expression), value, thing.unit, share=share, of_several=several
        )
        near = nearest(thing, self.reading, value, share)
        if near is not None and near != value:
            return replace(entry, answer=near, rounding="nearest")
        if not isinstance(value, Fraction) or share:
            return entry
        about = estimated(thing, self.reading, self.equations) if self.defined else None
        if about is not None and about != value:
            return replace(entry, answer=about, rounding="estimate")
        own = self.equations if not several else self._defining(expression)
        made = rounded(thing, value, self.reading, own)
        return entry if made is None else replace(entry, answer=made[0], rounding=made[1])

    def _defining(self, expression: Expression) -> Equations:
        """Return the equation that sets an unknown equal to numbers; if there is none, all equations."""
        own = tuple(one for one in self.equations if expression in (one.left, one.right) and is_definition((one,)))
        return own or self.equations

    def _is_percentage(self, thing: Thing, name: str) -> bool:
        """Return whether the text asks for the x of x% and the equations compute with x as a share."""
        asked = re.fullmatch(rf"当?{name}(?:的值)?", thing.quantity.strip()) is not None
        value = self.solution.get(name)
        if not asked or value is None or not re.search(rf"(?<![A-Za-z\d]){name}\s*[%％]", self.reading.text):
            return False
        return decimal_of(value) < 1 and not any(number in PERCENT for number in numbers_of(self.equations))

    def _is_share(self, value: Value) -> bool:
        """Return whether the equations compute with shares of one. Those with percent have the constant 100."""
        hundred = any(number in PERCENT for number in numbers_of(self.equations))
        if hundred and not any(number.value in PERCENT for number in self.reading.numbers):
            return False
        return decimal_of(value) < (1 if hundred else MAX_SHARE)


def _new(entries: Sequence[Asked], before: Sequence[Asked]) -> list[Asked]:
    """Return the entries that no earlier question has got: 各有多少人？设男生x人，女生y人，求x和y的值."""
    known = {(one.unknown, one.answer) for one in before if one.answer is not None}
    names = {name for name, _ in known}
    new = [one for one in entries if (one.unknown, one.answer) not in known]
    return [one for one in new if one.answer is not None or one.quantity.removesuffix("的值") not in names]


def _skipped(thing: Thing) -> Asked:
    return Asked(thing.question, thing.quantity, "", None, thing.unit, certain=False)
