"""Equation text -> tokens: operators, numbers and names."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.equations.expressions import Relation
from sau_solver.errors import EquationError, TooLargeError

MAX_DIGITS = 200  # of one number

# Function names in the corpora -> ours. `sqrt` has no node of its own; it becomes a power of one half.
FUNCTIONS = {
    "sqrt": "sqrt", "abs": "abs", "log": "log", "ln": "ln", "exp": "exp",
    "sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin", "acos": "acos", "atan": "atan",
    "comb": "comb", "_comb": "comb", "_cm": "comb", "perm": "perm", "_perm": "perm", "_pm": "perm",
    "factorial": "factorial", "gcd": "gcd", "_gcd": "gcd", "lcm": "lcm", "_lcm": "lcm",
    "floor": "floor", "_floor": "floor", "_int": "floor", "ceiling": "ceiling", "_ceiling": "ceiling",
    "round": "round", "_round": "round", "mod": "mod", "remainder": "mod",
}  # fmt: skip
PREDICATES: dict[str, Relation] = {
    "is_integer": "integer", "is_int": "integer", "is_digit": "digit", "is_odd": "odd", "is_even": "even",
    "is_prime": "prime", "is_prime_number": "prime",
}  # fmt: skip

# Typographic variants are replaced one character for one, so that columns stay correct. The degree sign is dropped.
VARIANTS = str.maketrans(
    "（）［］【】｛｝＝＋－−–—×·⋅∙＊÷／∕∶：＾；，．％＜＞！｜\t\r\xa0\u3000°",
    "()[][]{}=+----*****///::^;,.%<>!|     ",
)
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"  # digits and signs of an exponent such as x²
_LOWERED = str.maketrans(_RAISED, "0123456789+-")
_EXPONENT = re.compile(r"[+-]?[0-9]+")
_HALVES = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_SEPARATING = frozenset({"and", "且", "和"})  # words between two equations


def _pattern(integer: str, before_fraction: str = "") -> re.Pattern[str]:
    power = r"(?:[eE][+-]?[0-9]+)?"
    return re.compile(
        r"(?P<space>[ ]+)"
        rf"|{before_fraction}(?P<fraction>\(\ *(?P<numerator>[0-9]+)\ */\ *(?P<denominator>[0-9]+)\ *\))"
        rf"|(?P<raised>[{_RAISED}]+)"
        rf"|(?P<half>[{_HALVES}])"
        r"|(?P<numbered>[0-9]+_[^\W\d]\w*)"  # a name such as 3_quarter_pound
        rf"|(?P<mixed>(?P<whole>[0-9]+)\ +(?P<over>[0-9]+)/(?P<under>[0-9]+)(?![0-9.]))"
        rf"|(?P<number>(?:{integer})(?:\.[0-9]*)?{power}|\.[0-9]+{power})"
        rf"|(?P<name>[^\W\d{_RAISED}{_HALVES}][^\W{_RAISED}{_HALVES}]*|π|√)"
        r"|(?P<operator>\*\*|[-+*/:^])"
        r"|(?P<open>[(\[{])"
        r"|(?P<close>[)\]}])"
        r"|(?P<relation>==|!=|<=|>=|[=<>≠≤≥])"
        r"|(?P<mark>[;,、%!|\n])"
    )


_TOKEN = _pattern(integer=r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+")
# Inside the brackets of a call `1,000` is two arguments, and the bracket of `sqrt(1/4)` opens a call, not a fraction.
_ARGUMENT = _pattern(integer=r"[0-9]+", before_fraction=r"(?<![A-Za-z])")
_CALLABLE = FUNCTIONS.keys() | PREDICATES.keys()


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of equation text; a literal has a `value`."""

    kind: str
    text: str
    column: int
    value: Fraction | None = None


def tokenize(plain: str, original: str) -> list[Token]:
    """Return the tokens of a text whose typographic variants are replaced; errors point into the original."""
    tokens: list[Token] = []
    calls: list[bool] = []  # for each open bracket: does it contain arguments?
    open_calls = 0  # how many of them do
    position = 0
    while position < len(plain):
        called = bool(tokens) and tokens[-1].kind == "name" and tokens[-1].text in _CALLABLE
        match = (_ARGUMENT if called or open_calls else _TOKEN).match(plain, position)
        if match is None or match.lastgroup is None:
            raise EquationError("bad_character", original, position, character=repr(plain[position]))
        kind, text, end = match.lastgroup, match[0], match.end()
        if kind == "numbered":
            kind = "name"
        elif kind == "name" and text in _SEPARATING:
            kind, text = "mark", ";"
        elif kind == "mixed" and int(match["over"]) >= int(match["under"]):  # 3 5/2 is not a mixed number
            kind, text, end = "number", match["whole"], match.end("whole")
        if kind == "open":
            calls.append(called)
            open_calls += called
        elif kind == "close" and calls:
            open_calls -= calls.pop()
        if kind != "space":
            tokens.append(Token(kind, text, position, _literal(kind, text, match)))
        position = end
    tokens.append(Token("end", "", len(plain)))
    return tokens


def brackets_around_relations(tokens: list[Token]) -> dict[int, int]:
    """Return the positions of the brackets that contain a relation, as in `(a=b)`: opening -> closing."""
    found: dict[int, int] = {}
    pending: list[int] = []
    containing: set[int] = set()
    for position, token in enumerate(tokens):
        if token.kind == "open":
            pending.append(position)
        elif token.kind == "relation" and pending:
            containing.add(pending[-1])
        elif token.kind == "close" and pending and (opening := pending.pop()) in containing:
            found[opening] = position
    return found


def _literal(kind: str, text: str, found: re.Match[str]) -> Fraction | None:
    """Return the value of a literal; None for other tokens, and for a fraction whose denominator is 0."""
    if kind not in ("number", "fraction", "mixed", "half", "raised"):
        return None
    if len(text) > MAX_DIGITS:
        raise TooLargeError("long_number", count=len(text), limit=MAX_DIGITS)
    match kind:
        case "fraction":
            denominator = int(found["denominator"])
            return Fraction(int(found["numerator"]), denominator) if denominator else None
        case "mixed":
            return int(found["whole"]) + Fraction(int(found["over"]), int(found["under"]))
        case "half":
            return Fraction(unicodedata.normalize("NFKC", text).replace("\u2044", "/"))
        case "raised":
            digits = text.translate(_LOWERED)
            return Fraction(digits) if _EXPONENT.fullmatch(digits) else None
    if text.isdecimal():  # nearly all numbers; Fraction reads an integer faster than a text
        return Fraction(int(text))
    mantissa, _, exponent = text.replace(",", "").lower().partition("e")
    if exponent and abs(int(exponent)) + len(mantissa) > MAX_DIGITS:
        raise TooLargeError("large_exponent", number=text, limit=MAX_DIGITS)
    return Fraction(mantissa) * Fraction(10) ** int(exponent) if exponent else Fraction(mantissa)
