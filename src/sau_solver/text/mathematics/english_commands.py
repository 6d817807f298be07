"""English commands and questions with special words -> requests: GCD, remainder, sorting, comparing, percent."""

from __future__ import annotations

import re
from collections.abc import Callable

from sau_solver.equations.expressions import Expression, Function, Number, Operation, Operator
from sau_solver.text.mathematics.english_terms import as_formula
from sau_solver.text.mathematics.request import HUNDRED, Kind, NotMathematicsError, Reader, Request, folded

Read = Callable[[str, Reader], Request]

_LEAD = (
    r"(?:(?:calculate|compute|evaluate|work out|find|determine|get|give(?: me)?|state|list|name|write(?: down)?"
    r"|what(?:'s| is| are| was)|which (?:is|are)|how much is|do)\b[\s:,]*)?(?:all )?(?:of )?(?:the )?"
)
_DIVIDED = re.compile(r"\0|\s+(?:is\s+|are\s+)?divided\s+by\s+|\s+(?:by|and)\s+|\s*/\s*", re.IGNORECASE)
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
        return folded(operator, _terms(text, reader))

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


def _quotient(text: str, reader: Reader) -> Request:
    return Request("expression", (Operation("/", *_pair(text, _DIVIDED, reader)),))


def _distance(text: str, reader: Reader) -> Request:
    """Read a difference; it is not negative."""
    one, other = _pair(text, _AND, reader)
    if isinstance(one, Number) and isinstance(other, Number):
        return Request("expression", (Operation("-", *sorted((one, other), key=lambda n: n.value, reverse=True)),))
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


def _percent_is(text: str, reader: Reader) -> Request:
    """Read what percent of B A is."""
    part, _, base = text.partition("\0")
    return _percent_of(f"{base}\0{part}", reader)


def _percent_base(text: str, reader: Reader) -> Request:
    """Read a question for the number of which A is the share B."""
    part, _, share = text.partition("\0")
    if not ("%" in share or "percent" in share or "/" in share or " of" in share):
        raise NotMathematicsError
    base = Operation("/", _term(part, reader), _term(share.removesuffix(" of"), reader))
    return Request("expression", (base,))


def _as_percent(text: str, reader: Reader) -> Request:
    return Request("expression", (Operation("*", _term(text, reader), HUNDRED),), option="percent")


def _ratio(text: str, reader: Reader) -> Request:
    one, _, other = text.partition("\0")
    return Request("ratio", (_term(one, reader), _term(other, reader)))


def _divisible(text: str, reader: Reader) -> Request:
    number, _, divisor = text.partition("\0")
    return Request("divisible", (_term(number, reader), _term(divisor, reader)))


def _multiple_of(text: str, reader: Reader) -> Request:
    divisor, _, number = text.partition("\0")
    return Request("divisible", (_term(number, reader), _term(divisor, reader)))


def _denominators(text: str, reader: Reader) -> Request:
    bottoms: list[Expression] = []
    terms = _terms(text, reader)
    if all(isinstance(term, Number) and term.value.denominator == 1 for term in terms):
        return Request("lcm", terms)
    for term in terms:
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
_OF = r"\s*(?:of|for|between)?\s*:?\s*"
_ORDER = r"(?:sort|put|arrange|order|rank) (.*?),? (?:in|into|from|by) (?:an? )?"
_UP, _DOWN = (
    r"(?:ascending|increasing|smallest|least|lowest)",
    r"(?:descending|decreasing|largest|greatest|biggest|highest)",
)
_THE_EXPRESSION = r"\s*[:,]?\s*(?:the expression )?(.*)"
_WRITE = r"(?:convert|change|express|write|turn|give) (.+?) (?:into|to|as|in) (?:an? )?(?:simplest )?"
_IN = r"\s*(?:value |number |one )?(?:in|of|out of|among)?\s*:?\s*"

# (pattern, reader): a space stands for white space; the groups are joined by \0 and given to the reader.
_TABLE: tuple[tuple[str, Read], ...] = (
    (_LEAD + rf"(?:{_BIGGEST} common (?:divisor|factor)|g\.?c\.?[df]\.?|h\.?c\.?f\.?){_OF}(.*)", _listed("gcd")),
    (_LEAD + rf"(?:{_LEAST} common multiple|l\.?c\.?m\.?){_OF}(.*)", _listed("lcm")),
    (_LEAD + r"(?:(?:least|lowest|smallest) )?common denominator (?:of|for)\s*(.*)", _denominators),
    (_LEAD + r"quotient and (?:the )?remainder (?:when|of|if|from|for)?\s*(.*)", _divided("division")),
    (_LEAD + r"remainder (?:when|of|if|from|after)?\s*(.*)", _divided("remainder")),
    (_LEAD + r"(.+?) (?:mod|modulo) (.*)", _divided("remainder")),
    (_LEAD + r"(?:sum|total) (?:of )?(.*)", _folded("+")),
    (_LEAD + r"product (?:of )?(.*)", _folded("*")),
    (_LEAD + r"difference (?:between|of) (.*)", _distance),
    (_LEAD + r"quotient (?:of|when) (.*)", _quotient),
    (_LEAD + r"distance (?:between|from) (.*)", _distance),
    (_LEAD + r"(?:average|mean|arithmetic mean) (?:of )?(?:the numbers )?:?\s*(.*)", _listed("average")),
    (r"(?:sum|put together|add together|add up) (.*)", _folded("+")),
    (r"add (.*)", _operated("+", "and|to|with")),
    (r"subtract (.*)", _operated("-", "from", reverse=True)),
    (r"take (.*)", _operated("-", r"(?:away\ )?from", reverse=True)),
    (r"multiply (?!out\b)(.*)", _operated("*", "and|by|with")),
    (r"divide (.*)", _operated("/", "by")),
    (_LEAD + r"prime factors? of (.*)", _single("prime_factors")),
    (_LEAD + r"prime (?:factorisation|factorization|decomposition) of (.*)", _single("factorization")),
    (_LEAD + r"(?:positive |whole )?(?:factors|divisors) of (.*)", _single("factors")),
    (r"(?:express|write) (.*?) as a product of (?:its )?prime(?:s| (?:factors|numbers))", _single("factorization")),
    (_LEAD + r"([a-z]+(?: thousands)?) digit (?:of|in) (.*)", _digit),
    (r"how many (?:positive )?(?:factors|divisors) does (.*?) have", _single("factors", "count")),
    (_LEAD + r"number of (?:positive )?(?:factors|divisors) of (.*)", _single("factors", "count")),
    (r"round (?:off )?(.*)", _single("expression", "round")),
    (_LEAD + r"(?:first )?derivative of (.*)", _derivative),
    (r"differentiate (.*)", _derivative),
    (_LEAD + r"(?:nearest|closest) (?:value |number )?to (.+?)(?: in |\s*:\s*|, | (?=\(a\)))(.*)", _nearest),
    (rf"{_ORDER}{_UP}\b[a-z\s]*$", _listed("ascending")),
    (rf"{_ORDER}{_DOWN}\b[a-z\s]*$", _listed("descending")),
    (r"sort (.*)", _listed("ascending")),
    (rf"(?:which|what) (?:number )?is (?:the )?(?:{_GREATER}|{_BIGGEST}){_IN}[,:?]?\s*(.*)", _listed("larger")),
    (rf"(?:which|what) (?:number )?is (?:the )?(?:{_SMALLER}|{_LEAST}){_IN}[,:?]?\s*(.*)", _listed("smaller")),
    (rf"is (.+?) (?:{_GREATER} than or equal to|at least) (.*)", _compared(">=")),
    (rf"is (.+?) (?:{_SMALLER} than or equal to|at most) (.*)", _compared("<=")),
    (rf"is (.+?) {_GREATER} than (.*)", _compared(">")),
    (rf"is (.+?) {_SMALLER} than (.*)", _compared("<")),
    (r"(?:is|does) (.+?) (?:equal|equal to|the same as) (?:to )?(.*)", _compared("=")),
    (r"are (.+?) and (.+?) (?:equal|the same|equivalent)$", _compared("=")),
    (r"is (.+?) (?:a )?prime(?: number)?$", _single("prime", "prime")),
    (r"is (.+?) (?:a )?composite(?: number)?$", _single("prime", "composite")),
    (r"is (.+?) (?:evenly )?divisible by (.*)", _divisible),
    (r"is (.+?) a multiple of (.*)", _divisible),
    (r"(?:is|does) (.+?) (?:a (?:factor|divisor) of|divide) (.*)", _multiple_of),
    (r"what (?:percent|per cent|percentage|%) of (.+?) is (.*)", _percent_of),
    (r"(.+?) is what (?:percent|per cent|percentage|%) of (.*)", _percent_is),
    (r"(.+?) is (.+? of) (?:what|which)(?: number)?$", _percent_base),
    (rf"{_WRITE}(?:percent|per cent|percentage|%)$", _as_percent),
    (rf"{_WRITE}decimal(?: number| form)?$", _single("expression", "decimal")),
    (rf"{_WRITE}(?:common )?fraction$", _single("expression", "fraction")),
    (_LEAD + r"(?:simplest )?ratio (?:of|between) (.+?) (?:to|and) (.*)", _ratio),
    (r"(?:simplify|reduce) (?:the )?ratio (?:of )?(.+?)(?:\s*:\s*| to )(.*)", _ratio),
    (rf"(?:fully |completely )?factor(?:ise|ize)?\b(?: (?:fully|completely|out))?{_THE_EXPRESSION}", _single("factor")),
    (rf"(?:expand|multiply out)\b(?: and simplify)?(?: the brackets in)?{_THE_EXPRESSION}", _single("expand")),
    (r"(?:collect|combine|group) (?:the )?(?:like )?terms (?:in|of)?\s*:?\s*(.*)", _single("simplify")),
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
