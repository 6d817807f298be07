"""Decide which labels of a noisy corpus a model may learn: those whose equation explains the whole text.

A quarter to a third of MathQA's formulas are wrong, and the corpus has no other answer to compare with. Wrong formulas
mostly overlook a number of the text, use one again and again, need odd constants or give odd values. Number theory,
probability and bare algebra are left out, because few of their formulas are right.
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction

from sau_solver.data.known_constants import is_known_constant
from sau_solver.data.prepared.examples import Prepared
from sau_solver.equations.expressions import Number
from sau_solver.equations.symbols import Slot

MAX_SYMBOLS = 19
MAX_CONSTANTS = 4
MAX_USES = 2  # of one number of the text
MIN_WORDS = 12

_UNUSUAL = re.compile(
    r"\b(?:probab|chances?\b|random|remainder|prime|divisib|divided by|factors?\b|factorial|digits?\b|multiples?\b"
    r"|integers?\b|place values?|decimal|cards?\b|dice\b|arrang|permut|combinat|ways\b|which of|following|median"
    r"|deviation|sequence|series|progression|function|polynomial|equations?\b|lines?\b|axis|coordinate|dimensions?\b"
    r"|least|greatest|maximum|minimum|approximate|nearest|banker|true discount|clock|angles?\b|calendar|leap"
    r"|consecutive|real numbers?)",
    re.IGNORECASE,
)
_ALGEBRA = re.compile(
    r"\?\s*[=×*+]|=\s*\?|\b[i-z]\s*[-+*/^=]|[-+*/^=]\s*[i-z]\b|[√∞^|]"
    r"|\b(?:log|sqrt|square root)\b|\b(?:value of|if) [i-z]\b"
)
_ASKS = re.compile(r"\?|\b(?:find|what|how|calculate|determine)\b|\b(?:is|are|was|be)\s*[.:]*\s*$", re.IGNORECASE)
_ASKS_RATIO = re.compile(
    r"\b(?:what|find|then|is)\b[^.?]*\bratio (?:of|between|in which)\b[^.?]*[.?:]*\s*$", re.IGNORECASE
)
_ASKS_TWICE = re.compile(
    r"\bfind (?:the|its) \w+ and \w+\b|\bfind\b[^.?]*\band (?:the |its )?(?:rate|speed|area|perimeter)\b"
    r"|\band how\b|\bwhat are the (?:two|three|numbers)\b|\?.*\?",
    re.IGNORECASE,
)
_MEASURED = (
    "kilo|met|mile|hour|minute|second|day|week|month|year|lit|gallon|kg|gram|pound|ounce|feet|foot|inch|cm|km|dollar"
    "|rupee|percent|rs|square|cubic|acre|ton|quart|times|yard"
)
_COUNTS = re.compile(rf"\bhow many (?!(?:\w+ )?(?:{_MEASURED}))|\bnumber of (?!hours|minutes|days)", re.IGNORECASE)


def is_trusted(one: Prepared) -> bool:
    """Return whether the label of a prepared problem may be learned although its corpus is noisy."""
    text = one.problem.text
    return _is_story(text) and _is_usual_answer(one.problem.answers, text) and _explains_text(one)


def _is_story(text: str) -> bool:
    """Return whether a text has the length of a word problem, one question, and no unusual subject."""
    unusual = (_UNUSUAL, _ALGEBRA, _ASKS_RATIO, _ASKS_TWICE)
    words = sum(any(map(str.isalpha, word)) for word in text.split())
    return words >= MIN_WORDS and bool(_ASKS.search(text)) and not any(pattern.search(text) for pattern in unusual)


def _is_usual_answer(answers: tuple[Fraction, ...], text: str) -> bool:
    """Return whether there is one answer, positive and with at most two decimals, and whole if it counts things."""
    if len(answers) != 1 or answers[0] <= 0 or (100 * answers[0]).denominator != 1:
        return False
    return answers[0].denominator == 1 or not _COUNTS.search(text)


def _explains_text(one: Prepared) -> bool:
    """Return whether a short tree uses every number of the text once or twice, and only constants that are known."""
    if one.learned is None or len(one.learned) > MAX_SYMBOLS:
        return False
    uses = Counter(one.numbers[symbol.index] for symbol in one.learned.symbols if isinstance(symbol, Slot))
    constants = [symbol.value for symbol in one.learned.symbols if isinstance(symbol, Number)]
    return (
        set(one.numbers) == set(uses)
        and max(uses.values(), default=0) <= MAX_USES * max(Counter(one.numbers).values(), default=1)
        and len(constants) <= MAX_CONSTANTS
        and all(is_known_constant(value, one.problem.text, one.problem.language) for value in constants)
    )
