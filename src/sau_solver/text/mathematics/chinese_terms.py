"""Chinese words for numbers and operations -> formulas: 百分之二十 -> 20%, 三加五 -> 3+5, 2又1/2 -> 2 1/2."""

from __future__ import annotations

import re

from sau_solver.equations.expressions import print_number
from sau_solver.text.numbers import find_numbers

_NUMERAL = r"[零〇一二两三四五六七八九十百千万亿点]+"
_OPERAND = r"(-?[0-9][0-9.]*(?:/[0-9]+)?%?|[A-Za-z](?![A-Za-z])|\([^()]*\)|√[0-9.]+)"
_PERCENT = re.compile(rf"百分之([0-9.]+|{_NUMERAL})")
_FRACTION = re.compile(rf"({_NUMERAL}|[0-9]+)分之({_NUMERAL}|[0-9]+)")
_STANDING = re.compile(
    rf"(?<![\u4e00-\u9fff]){_NUMERAL}(?=[加减乘除的与和])|(?<=[加减乘除以去与和]){_NUMERAL}(?![\u4e00-\u9fff])"
    rf"|(?<=[加减乘除以去与和]){_NUMERAL}(?=的[和差积商]|等于|是|得)"
)
_REPLACEMENTS = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        (rf"([0-9]+)又{_OPERAND}", r"(\1+\2)"),
        (rf"{_OPERAND}的平方(?!根)", r"(\1)^2"),
        (rf"{_OPERAND}的立方(?!根)", r"(\1)^3"),
        (rf"{_OPERAND}的([0-9]+)次[方幂]", r"(\1)^\2"),
        (rf"{_OPERAND}的算术平方根", r"sqrt(\1)"),
        (rf"{_OPERAND}的立方根", r"(\1)^(1/3)"),
        (rf"{_OPERAND}的绝对值", r"abs(\1)"),
        (rf"{_OPERAND}的倒数", r"1/(\1)"),
        (rf"{_OPERAND}的相反数", r"-(\1)"),
        (rf"{_OPERAND}的一半", r"(\1)/2"),
        (rf"{_OPERAND}的([0-9.]+)倍", r"(\1)*\2"),
        (rf"{_OPERAND}的{_OPERAND}", r"(\1)*\2"),
        (rf"{_OPERAND}除以{_OPERAND}", r"(\1)/(\2)"),
        (rf"{_OPERAND}除{_OPERAND}", r"(\2)/(\1)"),
        (r"\s*(?:加上?)\s*", "+"),
        (r"\s*(?:减去?)\s*", "-"),
        (r"\s*(?:乘以?)\s*", "*"),
        (r"\s*除以\s*", "/"),
        (r"负(?=[0-9])", "-"),
    )
)
HAN = re.compile(r"[\u4e00-\u9fff]")


def as_formula(text: str) -> str:
    """Return the text with signs and digits in place of words, as far as they are known."""
    if not HAN.search(text):
        return text
    text = _PERCENT.sub(lambda found: f"{_digits(found[1])}%", text)
    text = _FRACTION.sub(lambda found: f"({_digits(found[2])}/{_digits(found[1])})", text)
    text = _STANDING.sub(lambda found: _digits(found[0]), text)
    for pattern, replacement in _REPLACEMENTS:
        text = pattern.sub(replacement, text)
    return text


def _digits(numeral: str) -> str:
    found = find_numbers(numeral, "zh")
    return print_number(found[0].value) if len(found) == 1 and found[0].text == numeral else numeral
