"""English commands and questions with words of their own -> requests: GCD, remainder, sorting, comparing, percent."""

from __future__ import annotations

import re
from collections.abc import Callable

from sau_solver.equations.expressions import Expression, Function, Number, Operation, Operator
from sau_solver.text.mathematics.english_terms import as_formula
from sau_solver.text.mathematics.request import HUNDRED, Kind, NotMathematicsError, Reader, Request

Read = Callable[[str, Reader], Request]

_LEAD = (
    r"(?:(?:calculate|compute|evaluate|work\s+out|find|determine|get|give(?:\s+me)?|state|list|name|write(?:\s+down)?"
    r"|what(?:'s|\s+is|\s+are|\s+was)|which\s+(?:is|are)|how\s+much\s+is|do)\b[\s:,]*)?(?:all\s+)?(?:of\s+)?(?:the\s+)?"
)
_DIVIDED = re.compile(r"\s+(?:is\s+|are\s+)?divided\s+by\s+|\s+(?:by|and)\s+|\s*/\s*", re.IGNORECASE)
_WITH_RESPECT = re.compile(r"\s+(?:with\s+respect\s+to|wrt\.?)\s+([A-Za-z])$", re.IGNORECASE)
_AND = re.compile(r"\s*,?\s+(?:and|to|with)\s+|\s*,\s*", re.IGNORECASE)
_DIGITS = {
    "units": 0, "unit": 0, "ones": 0, "tens": 1, "hundreds": 2, "thousands": 3, "ten thousands": 4,
    "hundred thousands": 5, "millions": 6, "tenths": -1, "hundredths": -2, "thousandths": -3,
}  # fmt: skip


def _terms(text: str, reader: Reader) -> tuple[Expression, ...]:
    found = reader.items(as_formula(text))
    if not found:
        raise NotMathematicsError
    return found


def _term(text: str, reader: Reader) -> Expression:
    return reader.expression(as_formula(text))


def _pair(text: str, between: re.Pattern[str], reader: Reader) -> tuple[Expression, Expression]:
    first, *rest = between.split(text, maxsplit=1)
    if not rest:
        raise NotMathematicsError
    return _term(first, reader), _term(rest[0], reader)


def _listed(kind: Kind, option: str = "", least: int = 2) -> Read:
    def read(text: str, reader: Reader) -> Request:
        terms = _terms(text, reader)
        if len(terms) < least:
            raise NotMathematicsError
        return Request(kind, terms, option=option)

    return read


def _single(kind: Kind, option: str = "") -> Read:
    return lambda text, reader: Request(kind, (_term(text, reader),), option=option)


def _folded(operator: Operator) -> Read:
    """Return a reader of "the sum of A and B": the operation over the whole list."""

    def read(text: str, reader: Reader) -> Request:
        first, *rest = _terms(text, reader)
        if not rest or (operator in "-/" and len(rest) > 1):
            raise NotMathematicsError
        for term in rest:
            first = Operation(operator, first, term)
        return Request("expression", (first,))

    return read


def _operated(operator: Operator, between: str, reverse: bool = False) -> Read:
    """Return a reader of "Multiply A by B" or, reversed, "Subtract A from B"."""
    pattern = re.compile(rf"\s+(?:{between})\s+", re.IGNORECASE)

    def read(text: str, reader: Reader) -> Request:
        one, other = _pair(text, pattern, reader)
        return Request("expression", (Operation(operator, other, one) if reverse else Operation(operator, one, other),))

    return read


def _divided(kind: Kind) -> Read:
    return lambda text, reader: Request(kind, _pair(re.sub(r"^dividing\s+", "", text), _DIVIDED, reader))


def _distance(text: str, reader: Reader) -> Request:
    one, other = _pair(text, _AND, reader)
    return Request("expression", (Function("abs", (Operation("-", one, other),)),))


def _derivative(text: str, reader: Reader) -> Request:
    found = _WITH_RESPECT.search(text)
    body = text[: found.start()] if found else text
    return Request("derivative", (_term(body, reader),), option=found[1] if found else "")


def _compared(relation: str) -> Read:
    def read(text: str, reader: Reader) -> Request:
        one, other = _pair(text, re.compile("\0"), reader)
        return Request("compare", (one, other), option=relation)

    return read


def _digit(text: str, reader: Reader) -> Request:
    place, _, number = text.partition("\0")
    if place.lower() not in _DIGITS:
        raise NotMathematicsError
    return Request("digit", (_term(number, reader),), option=str(_DIGITS[place.lower()]))


def _nearest(text: str, reader: Reader) -> Request:
    target, _, rest = text.partition("\0")
    return Request("nearest", (_term(target, reader), *_terms(rest, reader)))


def _percent_of(text: str, reader: Reader) -> Request:
    """Read what percent of A (the base) B is."""
    base, _, part = text.partition("\0")
    share = Operation("*", Operation("/", _term(part, reader), _term(base, reader)), HUNDRED)
    return Request("expression", (share,), option="percent")


def _percent_base(text: str, reader: Reader) -> Request:
    """Read of what number A is the share B."""
    part, _, share = text.partition("\0")
    if not ("%" in share or "percent" in share or "/" in share or " of" in share):
        raise NotMathematicsError
    base = Operation("/", _term(part, reader), _term(share.removesuffix(" of"), reader))
    return Request("expression", (base,))


def _divisible(text: str, reader: Reader) -> Request:
    number, _, divisor = text.partition("\0")
    return Request("divisible", (_term(number, reader), _term(divisor, reader)))


def _multiple_of(text: str, reader: Reader) -> Request:
    divisor, _, number = text.partition("\0")
    return Request("divisible", (_term(number, reader), _term(divisor, reader)))


def _denominators(text: str, reader: Reader) -> Request:
    bottoms: list[Expression] = []
    for term in _terms(text, reader):
        match term:
            case Operation("/", _, bottom):
                bottoms.append(bottom)
            case Number(value):
                bottoms.append(Number(type(value)(value.denominator)))
            case _:
                raise NotMathematicsError
    return Request("lcm", tuple(bottoms))


_GREATER = r"(?:bigger|greater|larger|more|higher)"
_SMALLER = r"(?:smaller|less|lower|fewer)"
_BIGGEST, _LEAST = r"(?:biggest|greatest|largest|highest|maximum)", r"(?:smallest|least|lowest|minimum)"
_IN = r"\s*(?:value\s+|number\s+|one\s+)?(?:in|of|out\s+of|among)?\s*:?\s*"

# (pattern, reader): the groups of the pattern are joined by \0 and given to the reader.
_TABLE: tuple[tuple[str, Read], ...] = (
    (_LEAD + r"(?:(?:greatest|highest|largest|biggest)\s+common\s+(?:divisor|factor)|g\.?c\.?[df]\.?|h\.?c\.?f\.?)\s*(?:of|for|between)?\s*:?\s*(.*)", _listed("gcd")),
    (_LEAD + r"(?:(?:least|lowest|smallest)\s+common\s+multiple|l\.?c\.?m\.?)\s*(?:of|for|between)?\s*:?\s*(.*)", _listed("lcm")),
    (_LEAD + r"(?:(?:least|lowest|smallest)\s+)?common\s+denominator\s+(?:of|for)\s*(.*)", _denominators),
    (_LEAD + r"quotient\s+and\s+(?:the\s+)?remainder\s+(?:when|of|if|from|for)?\s*(.*)", _divided("division")),
    (_LEAD + r"remainder\s+(?:when|of|if|from|after)?\s*(.*)", _divided("remainder")),
    (_LEAD + r"(.+?)\s+(?:mod|modulo)\s+(.*)", lambda text, reader: Request("remainder", _pair(text, re.compile("\0"), reader))),
    (_LEAD + r"(?:sum|total)\s+(?:of\s+)?(.*)", _folded("+")),
    (_LEAD + r"product\s+(?:of\s+)?(.*)", _folded("*")),
    (_LEAD + r"difference\s+(?:between|of)\s+(.*)", _folded("-")),
    (_LEAD + r"quotient\s+(?:of|when)\s+(.*)", lambda text, reader: Request("expression", (Operation("/", *_pair(text, _DIVIDED, reader)),))),
    (_LEAD + r"distance\s+(?:between|from)\s+(.*)", _distance),
    (_LEAD + r"(?:average|mean|arithmetic\s+mean)\s+(?:of\s+)?(?:the\s+numbers\s+)?:?\s*(.*)", _listed("average")),
    (r"(?:sum|put\s+together|add\s+together|add\s+up)\s+(.*)", _folded("+")),
    (r"add\s+(.*)", _operated("+", "and|to|with")),
    (r"subtract\s+(.*)", _operated("-", "from", reverse=True)),
    (r"take\s+(.*)", _operated("-", "(?:away\\s+)?from", reverse=True)),
    (r"multiply\s+(?!out\b)(.*)", _operated("*", "and|by|with")),
    (r"divide\s+(.*)", _operated("/", "by")),
    (_LEAD + r"prime\s+factors?\s+of\s+(.*)", _single("prime_factors")),
    (_LEAD + r"prime\s+(?:factorisation|factorization|decomposition)\s+of\s+(.*)", _single("factorization")),
    (_LEAD + r"(?:positive\s+|whole\s+)?(?:factors|divisors)\s+of\s+(.*)", _single("factors")),
    (r"(?:express|write)\s+(.*?)\s+as\s+a\s+product\s+of\s+(?:its\s+)?prime(?:s|\s+(?:factors|numbers))$", _single("factorization")),
    (_LEAD + r"([a-z]+(?:\s+thousands)?)\s+digit\s+(?:of|in)\s+(.*)", _digit),
    (r"round\s+(?:off\s+)?(.*)", _single("expression", "round")),
    (_LEAD + r"(?:first\s+)?derivative\s+of\s+(.*)", _derivative),
    (r"differentiate\s+(.*)", _derivative),
    (_LEAD + r"(?:nearest|closest)\s+(?:value\s+|number\s+)?to\s+(.+?)(?:\s+in\s+|\s*:\s*|,\s+|\s+(?=\(a\)))(.*)", _nearest),
    (r"(?:sort|put|arrange|order|rank)\s+(.*?),?\s+(?:in|into|from|by)\s+(?:an?\s+)?(?:ascending|increasing|smallest|least|lowest)\b[a-z\s]*$", _listed("ascending")),
    (r"(?:sort|put|arrange|order|rank)\s+(.*?),?\s+(?:in|into|from|by)\s+(?:an?\s+)?(?:descending|decreasing|largest|greatest|biggest|highest)\b[a-z\s]*$", _listed("descending")),
    (r"sort\s+(.*)", _listed("ascending")),
    (rf"(?:which|what)\s+(?:number\s+)?is\s+(?:the\s+)?(?:{_GREATER}|{_BIGGEST}){_IN}[,:?]?\s*(.*)", _listed("larger")),
    (rf"(?:which|what)\s+(?:number\s+)?is\s+(?:the\s+)?(?:{_SMALLER}|{_LEAST}){_IN}[,:?]?\s*(.*)", _listed("smaller")),
    (rf"is\s+(.+?)\s+(?:{_GREATER}\s+than\s+or\s+equal\s+to|at\s+least)\s+(.*)", _compared(">=")),
    (rf"is\s+(.+?)\s+(?:{_SMALLER}\s+than\s+or\s+equal\s+to|at\s+most)\s+(.*)", _compared("<=")),
    (rf"is\s+(.+?)\s+{_GREATER}\s+than\s+(.*)", _compared(">")),
    (rf"is\s+(.+?)\s+{_SMALLER}\s+than\s+(.*)", _compared("<")),
    (r"(?:is|does)\s+(.+?)\s+(?:equal|equal\s+to|the\s+same\s+as)\s+(?:to\s+)?(.*)", _compared("=")),
    (r"are\s+(.+?)\s+and\s+(.+?)\s+(?:equal|the\s+same|equivalent)$", _compared("=")),
    (r"is\s+(.+?)\s+(?:a\s+)?prime(?:\s+number)?$", _single("prime", "prime")),
    (r"is\s+(.+?)\s+(?:a\s+)?composite(?:\s+number)?$", _single("prime", "composite")),
    (r"is\s+(.+?)\s+(?:evenly\s+)?divisible\s+by\s+(.*)", _divisible),
    (r"is\s+(.+?)\s+a\s+multiple\s+of\s+(.*)", _divisible),
    (r"(?:is|does)\s+(.+?)\s+(?:a\s+(?:factor|divisor)\s+of|divide)\s+(.*)", _multiple_of),
    (r"what\s+(?:percent|per\s+cent|percentage|%)\s+of\s+(.+?)\s+is\s+(.*)", _percent_of),
    (r"(.+?)\s+is\s+what\s+(?:percent|per\s+cent|percentage|%)\s+of\s+(.*)", lambda text, reader: _percent_of("\0".join(reversed(text.split("\0"))), reader)),
    (r"(.+?)\s+is\s+(.+?\s+of)\s+(?:what|which)(?:\s+number)?$", _percent_base),
    (r"(?:fully\s+|completely\s+)?(?:factor|factorise|factorize)\b(?:\s+(?:fully|completely|out))?\s*[:,]?\s*(?:the\s+expression\s+)?(.*)", _single("factor")),
    (r"(?:expand|multiply\s+out)\b(?:\s+and\s+simplify)?(?:\s+the\s+brackets\s+in)?\s*[:,]?\s*(?:the\s+expression\s+)?(.*)", _single("expand")),
    (r"(?:collect|combine|group)\s+(?:the\s+)?(?:like\s+)?terms\s+(?:in|of)?\s*:?\s*(.*)", _single("simplify")),
)  # fmt: skip
COMMANDS = tuple(
    (re.compile(pattern + ("" if pattern.endswith("$") else "$"), re.IGNORECASE), read) for pattern, read in _TABLE
)


def read_command(ask: str, reader: Reader) -> Request | None:
    """Return the request of a command or question that the table knows, otherwise None."""
    for pattern, read in COMMANDS:
        if found := pattern.match(ask):
            return read("\0".join(found.groups()), reader)
    return None
