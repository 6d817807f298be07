"""Chinese questions for an estimate -> the product of rounded factors: 29 rows with 31 pupils are about 30×30.

Primary schools teach to round each factor to its first digit. Factors such as 15 and 25 stay. Only products of two
whole numbers of the text are estimated: no rule says how exact another estimate should be. If the text calls one of its
numbers approximate, 约 says that the answer cannot be exact, and asks for no estimate.
"""

from __future__ import annotations

import re
from fractions import Fraction

from sau_solver.equations.expressions import Equations, Number, Operation, Unknown
from sau_solver.text.asking import Reading, Thing

_WANTED = re.compile(r"大约|大概|估[一计算]|(?<![节预])约")
_STATED = re.compile(r"大约|大概|约(?![翰定会好束])|左右")
_TRAVELED = re.compile(r"每(?:秒|分钟?|小时|天)[^，。]{0,6}?[米里]|[米里][/／每]|速度|声音|保留|精确|四舍五入")
_QUESTION = re.compile(r"[^，。；：？?！!．]*(?:多少|几|多[远重高长])[^，。；？?．]*")
_KEPT = 30  # a smaller factor that ends in 5 stays


def estimated(thing: Thing, reading: Reading, equations: Equations) -> Fraction | None:
    """Return the estimate that a question asks for, or None if it asks for the exact value."""
    if reading.language != "zh" or len(equations) != 1:
        return None
    asked = [found for found in _QUESTION.finditer(reading.text) if found[0]]
    if len(asked) != 1 or not _WANTED.search(asked[0][0]) or thing.unit == "%":
        return None
    rest = reading.text[: asked[0].start()] + reading.text[asked[0].end() :]
    if _STATED.search(rest) or _TRAVELED.search(reading.text):
        return None
    one = equations[0]
    side = one.right if isinstance(one.left, Unknown) else one.left
    if not isinstance(side, Operation) or side.operator != "*":
        return None
    factors = [node.value for node in (side.left, side.right) if isinstance(node, Number)]
    stated = {number.value for number in reading.numbers}
    if len(factors) < 2 or not all(factor in stated and factor.denominator == 1 for factor in factors):
        return None
    return _rounded(int(factors[0])) * _rounded(int(factors[1]))


def _rounded(number: int) -> Fraction:
    """Return a number rounded to its first digit, half up."""
    unit = 10 ** (len(str(number)) - 1)
    if number < _KEPT and number % 10 == 5:
        return Fraction(number)
    return Fraction((2 * number + unit) // (2 * unit) * unit)
