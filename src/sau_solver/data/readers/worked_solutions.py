"""Join the steps of a worked solution, as GSM8K publishes them, to one equation for the answer.

The solution marks most of its arithmetic: "He has 48/2 = <<48/2=24>>24 clips". Other steps are only written out, such
as "14 + 5 = 19 years". They must also be joined: otherwise their results stay in the equation as constants that the
problem does not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from sau_solver.data.answers import NoValueError, evaluate, evaluate_text
from sau_solver.data.known_constants import is_known_constant, strange_constants
from sau_solver.equations.expressions import Equation, Expression, Number, Operation, Unknown, to_text, walk
from sau_solver.equations.normal_form import folded
from sau_solver.equations.parser import parse_expression
from sau_solver.errors import EquationError, TooLargeError
from sau_solver.problem import Language
from sau_solver.text.numbers import map_text

MAX_NODES = 200  # of a joined expression; steps that use results twice grow exponentially
MAX_TOKENS = 40  # of the written arithmetic before an equals sign

_ONE, _HUNDRED, _HUNDREDTH = Number(Fraction(1)), Number(Fraction(100)), Number(Fraction(1, 100))

_MARK = re.compile(r"<<([^<>]*)>>")
_BARE_MARK = re.compile(r"<<[^<>+*/-]*>>")  # "<<30=30>>30 years": the arithmetic stands in front of it
_PER_UNIT = re.compile(r"(?<=[a-z])\s*/\s*(?:1\s+)?[a-z]+", re.IGNORECASE)  # "90 seconds/ear"
_TOKEN = re.compile(
    r"(?P<number>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?%?|\.\d+%?)"
    r"|(?P<end>[.:;!?](?=\s|$)|\n)"
    r"|(?P<sign>[-+*/()=])|(?P<word>[^\W\d_]+)"
)
_SIGNS = str.maketrans("×÷–−", "*/--")
_WORD_SIGNS = {"x": "*", "times": "*", "of": "of", "plus": "+", "minus": "-", "is": "=", "are": "=", "equals": "="}
_CENTS = re.compile(r"\bcents?\b|¢|美分", re.IGNORECASE)


def join_solution(solution: str, answer: Fraction, text: str, language: Language) -> str | None:
    """Return one equation for the answer of a worked solution ("x=48+48/2"), or None if there is none.

    The language is that of the problem's text; solutions are in English. There is no equation if the exact value of the
    joined steps is not the answer, for example because a step was rounded, or if the equation has a constant that is
    neither a number of the text nor general knowledge.
    """
    joining = _Joining(solution, text, language)
    for step in steps_of(solution):
        joining.add(step)
    joined = joining.equation(answer)
    return None if joined is None or joining.strange(joined.right) else to_text((joined,))


# --- Finding the steps ------------------------------------------------------------------------------------------------


def steps_of(solution: str) -> Iterator[str]:
    """Yield the steps of a solution in order, those in << >> and those only written out, as "48/2=24"."""
    solution = _BARE_MARK.sub("", solution)
    marked = {_compact(step) for step in _MARK.findall(solution)}
    for place, part in enumerate(_MARK.split(solution)):
        if place % 2:
            yield part
        else:
            yield from (step for step in _written_steps(part) if _compact(step) not in marked)


def _compact(step: str) -> str:
    return re.sub(r"[ ,$]", "", step)


def _written_steps(text: str) -> Iterator[str]:
    tokens = _tokens(text)
    for place in range(len(tokens) - 1):
        if tokens[place] != "=" or not _is_result(tokens, place + 1):
            continue
        result = tokens[place + 1]
        start = next((k + 1 for k in range(place - 1, -1, -1) if tokens[k] in ("=", "\n")), 0)
        part = tokens[max(start, place - MAX_TOKENS) : place]
        if part[-1:] == ["100%"] and result.endswith("%"):  # "8 / 50 * 100% = 16%" gives the answer 16
            part, result = [*part[:-1], "100"], result[:-1]
        if left := _arithmetic(part, result):
            yield f"{left}={result}"


def _tokens(text: str) -> list[str]:
    """Return numbers and signs. Other words are left out, and the end of a sentence becomes a line break."""
    tokens: list[str] = []
    for match in _TOKEN.finditer(_PER_UNIT.sub(" ", text.translate(_SIGNS).replace("$", " "))):
        if match["number"]:
            tokens.append(match["number"].replace(",", ""))
        elif match["end"]:
            tokens.append("\n")
        elif sign := match["sign"] or _WORD_SIGNS.get(match["word"].lower()):
            tokens.append(sign)
    return tokens


def _is_result(tokens: Sequence[str], place: int) -> bool:
    """Return whether a number stands here that does not start another expression."""
    follows = tokens[place + 1] if place + 1 < len(tokens) else "\n"
    return tokens[place][-1] in "0123456789%" and follows not in ("+", "-", "*", "/", "(")


def _arithmetic(tokens: Sequence[str], result: str) -> str | None:
    """Return the longest arithmetic at the end of the tokens that has the value of the result."""
    value = evaluate_text(result)
    for start in range(len(tokens) - 2):
        part = tokens[start:]
        if any(left[-1] in "0123456789%" and right[0] in ".0123456789" for left, right in pairwise(part)):
            continue
        try:
            text = _with_products(part)
            if evaluate_text(text) == value:
                return text
        except NoValueError:
            continue
    return None


def _with_products(tokens: Sequence[str]) -> str:
    """Return arithmetic as text: "of" is a product, and so are 40000(.20) and (1/2) 1956."""
    text = "".join(tokens).replace("of", "*")
    return re.sub(r"(?<=[\d%])(?=\()|(?<=\))(?=[\d.(])", "*", text)


# --- Joining them -----------------------------------------------------------------------------------------------------


@dataclass
class _Step:
    result: Fraction
    expression: Expression
    used: bool = False


class _Joining:
    """The steps joined so far. Each is an expression over numbers of the text and constants."""

    def __init__(self, solution: str, text: str, language: Language) -> None:
        self.lines = [_MARK.sub("", line) for line in solution.splitlines()]
        self.text = text
        self.language = language
        self.numbers = frozenset(number.value for number in map_text(text, language).numbers)
        self.done: list[_Step] = []

    def add(self, step: str) -> None:
        """Add a step ("48/2=24"). A step that cannot be parsed is left out."""
        left, _, right = step.rpartition("=")
        try:
            # Folded, so that the 7 of 9/7 is not taken for an earlier result of 7.
            known = self.numbers.union(step.result for step in self.done)
            result, expression = evaluate_text(right), self._substituted(folded(parse_expression(left), known))
            if sum(1 for _ in walk(expression)) <= MAX_NODES:
                self.done.append(_Step(result, expression))
        except (NoValueError, EquationError, TooLargeError):
            return

    def equation(self, answer: Fraction) -> Equation | None:
        """Return the equation of the last step whose result is the answer, if its exact value is the answer."""
        steps = (step for step in reversed(self.done) if step.result == answer)
        final = next((step.expression for step in steps if isinstance(step.expression, Operation)), None)
        try:
            return None if final is None or evaluate(final) != answer else Equation(Unknown("x"), final)
        except (NoValueError, TooLargeError):
            return None

    def strange(self, expression: Expression) -> bool:
        """Return whether an expression has a number that is neither in the text nor general knowledge."""
        equation = Equation(Unknown("x"), expression)
        return bool(strange_constants((equation,), self.numbers, self.text, self.language))

    def _substituted(self, expression: Expression) -> Expression:
        """Replace each number that is the result of an earlier step by the expression of that step.

        A number that is in the text, and is also a result that has been used, stays a number.
        """
        match expression:
            case Operation("*", left, Number(value)) if self._is_part(value):
                return Operation("/", self._substituted(left), Number(1 / value))
            case Operation("/", left, Number(value)) if self._is_part(value):
                return Operation("*", self._substituted(left), Number(1 / value))
            case Operation(operator, left, right):
                return Operation(operator, self._substituted(left), self._substituted(right))
            case Number(value):
                if step := self._source(value):
                    step.used = True
                    return step.expression
                return expression if value in self.numbers else self._explained(value) or expression
        return expression

    def _is_part(self, value: Fraction) -> bool:
        """Return whether the text has the reciprocal of a number instead: nine times as many for "a ninth"."""
        if value <= 2 or value in self.numbers or 1 / value not in self.numbers:
            return False
        step = self._source(value)
        return step is None or step.used

    def _source(self, value: Fraction) -> _Step | None:
        """Return the latest step with this result, unused ones first; unused ones only if the text has the number."""
        matching = [step for step in reversed(self.done) if step.result == value]
        unused = next((step for step in matching if not step.used), None)
        if unused or value in self.numbers:
            return unused
        return matching[0] if matching else None

    def _explained(self, value: Fraction) -> Expression | None:
        """Return an expression for a number that no step gives and that is not in the text, or None."""
        if 100 * value in self.numbers and _CENTS.search(self.text):
            return Operation("*", Number(100 * value), _HUNDREDTH)
        if is_known_constant(value, self.text, self.language):
            return None
        if step := self._source(value / 100):  # "100% - 10% = 90%", and then 450/90
            step.used = True
            return Operation("*", step.expression, _HUNDRED)
        if value - 1 in self.numbers and self._is_coefficient(value) and self._is_coefficient(value - 1):
            return Operation("+", _ONE, Number(value - 1))  # x + 2x = 3x
        return None

    def _is_coefficient(self, value: Fraction) -> bool:
        pattern = re.compile(rf"(?<![\d.,]){value}\s*\*?\s*(?:[a-zA-Z]\b|\([a-z])")
        return value.denominator == 1 and any(pattern.search(line) for line in self.lines)
