"""Sentences with numbers whose values are known -> the numbers that the number mapping finds, in both languages.

The writers of numerals here share no code with the readers.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from fuzzing.target import InvalidSpecError, Spec, require
from sau_solver.problem import Language
from sau_solver.text.numbers import find_numbers, map_text

_DIGITS = "零一二三四五六七八九"
_FORMAL = dict(zip("一二三四五六七八九十百千", "壹贰叁肆伍陆柒捌玖拾佰仟", strict=True))
_CHINESE_BEFORE = ("买了", "用去", "还剩", "共有", "长", "重", "走了", "：", "，", "是")
_CHINESE_UNITS = ("个", "元", "米", "千米", "千克", "吨", "人", "只", "本", "公里", "小时", "棵", "千瓦")
_ENGLISH_BEFORE = ("Tom has", "It costs", "She bought", "They walked", "We need", "The sum is")
_ENGLISH_UNITS = ("apples", "dollars", "meters", "kg", "hours", "miles", "pounds of rice", "books")
_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_PARTS = {2: "half", 3: "third", 4: "quarter", 5: "fifth", 6: "sixth", 7: "seventh", 8: "eighth", 9: "ninth"}
_NOISE = (
    "0123456789.,%/()-+:：½¼三十百千万亿两半个折成点分之又几第廿〇零壹 和的米元"
    "\u200b\u202e\ud800\U0001f600\u0660\u0967\uff11\x00\t\n aAehnoundredtywk"
)


def chinese_numeral(number: int, two: str = "二") -> str:
    """Return a whole number below 10^12 as a Chinese numeral; `two` is the sign of 2 before 百, 千, 万 and 亿."""
    if number == 0:
        return "零"
    text, gap = "", False
    for size, sign in ((10**8, "亿"), (10**4, "万"), (1, "")):
        section = number // size % 10**4
        if not section:
            gap = bool(text)
            continue
        written = _section(section, two, alone=not text)
        if text and (gap or section < 1_000):
            written = "零" + written
        text, gap = text + written + sign, False
        if sign and section == 2:
            text = text[:-2] + two + sign
    return text


def _section(number: int, two: str, alone: bool) -> str:
    text, gap = "", False
    for size, sign in ((1_000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // size % 10
        if not digit:
            gap = bool(text)
            continue
        name = two if digit == 2 and size >= 100 else _DIGITS[digit]
        if size == 10 and digit == 1 and not text and alone:
            name = ""
        text, gap = text + ("零" if gap else "") + name + sign, False
    return text


def english_numeral(number: int, joint: str) -> str:
    """Return a whole number as English words."""
    for size, name in ((10**9, "billion"), (10**6, "million"), (1_000, "thousand")):
        if number >= size:
            rest = f" {english_numeral(number % size, joint)}" if number % size else ""
            return f"{english_numeral(number // size, joint)} {name}{rest}"
    if number >= 100:
        rest = f"{joint}{english_numeral(number % 100, joint)}" if number % 100 else ""
        return f"{_SMALL[number // 100]} hundred{rest}"
    if number >= 20:
        return _TENS[number // 10] + (f"-{_SMALL[number % 10]}" if number % 10 else "")
    return _SMALL[number]


def _decimal(whole: int, digits: str) -> Fraction:
    return whole + Fraction(int(digits), 10 ** len(digits))


def written(language: str, form: str, a: int, b: int, style: int) -> tuple[str, Fraction]:
    """Return a number as text, and its value."""
    two = "两" if style % 2 else "二"
    if form == "digits":
        return (f"{a:,}" if style % 2 else f"{a}"), Fraction(a)
    if form == "decimal":
        return f"{a}.{b:02d}", _decimal(a, f"{b:02d}")
    if form == "percent":
        return f"{a}.{b}%" if style % 2 else f"{a}%", (_decimal(a, f"{b}") if style % 2 else Fraction(a)) / 100
    proper = Fraction(1 + b % 8, 9 + b % 5)
    if form == "fraction":
        return f"{proper.numerator}/{proper.denominator}", proper
    if form == "mixed":
        joint = " " if language == "en" else "又"
        return f"{a}{joint}{proper.numerator}/{proper.denominator}", a + proper
    if language == "zh":
        return _written_chinese(form, a, b, proper, two, formal=style % 5 == 0)
    return _written_english(form, a, b, " and " if style % 2 else " ")


def _written_chinese(form: str, a: int, b: int, proper: Fraction, two: str, formal: bool) -> tuple[str, Fraction]:
    name = chinese_numeral(a, two)
    if form == "word":
        return ("".join(_FORMAL.get(sign, sign) for sign in chinese_numeral(a)) if formal else name), Fraction(a)
    if form == "word decimal":
        digits = f"{b:02d}"
        return f"{chinese_numeral(a)}点{''.join(_DIGITS[int(digit)] for digit in digits)}", _decimal(a, digits)
    parts = f"{chinese_numeral(proper.denominator)}分之{chinese_numeral(proper.numerator)}"
    if form == "word fraction":
        return parts, proper
    if form == "word mixed":
        return f"{chinese_numeral(a)}又{parts}", a + proper
    if form == "word percent":
        return f"百分之{chinese_numeral(a)}", Fraction(a, 100)
    raise InvalidSpecError


def _written_english(form: str, a: int, b: int, joint: str) -> tuple[str, Fraction]:
    if form == "word":
        return english_numeral(a, joint), Fraction(a)
    if form == "word percent":
        return f"{english_numeral(a, joint)} percent", Fraction(a, 100)
    if form == "word decimal":
        size, name = ((10**6, "million"), (1_000, "thousand"), (100, "hundred"))[b % 3]
        return f"{a}.{b} {name}", _decimal(a, f"{b}") * size
    below = 3 + b % 7
    above = 2 + b % (below - 2) if below > 3 else 2
    if form == "word fraction":
        return f"{_SMALL[above]}{'-' if b % 2 else ' '}{_PARTS[below]}s", Fraction(above, below)
    if form == "word mixed":
        return f"{english_numeral(a, ' ')} and a half", a + Fraction(1, 2)
    raise InvalidSpecError


_FORMS = ("digits", "decimal", "percent", "fraction", "mixed", "word", "word decimal", "word fraction", "word mixed")
_ALL = (*_FORMS, "word percent")


class NumberTexts:
    """Numbers with known values between words and units, and texts of random characters."""

    name = "number mapping"

    def draw(self, random: Random) -> Spec:
        """Return a language and a list of numbers, or a text of random characters."""
        if random.random() < 0.25:
            length = int(10 ** random.uniform(0, 4 if random.random() < 0.01 else 2))
            signs = [
                chr(random.randrange(0x11_0000)) if random.random() < 0.1 else random.choice(_NOISE)
                for _ in range(length)
            ]
            return {"lang": random.choice(("zh", "en")), "noise": "".join(signs)}
        numbers = [
            [
                random.choice(_ALL),
                self._size(random),
                random.randrange(100),
                random.randrange(60),
                random.randrange(60),
            ]
            for _ in range(random.randint(1, 3))
        ]
        return {"lang": random.choice(("zh", "en")), "numbers": numbers}

    @staticmethod
    def _size(random: Random) -> int:
        return random.randrange(1, int(10 ** random.uniform(0.5, random.choice((2, 4, 11)))) + 1)

    def check(self, spec: Spec) -> str:
        """Compare the numbers that are found with those that were written."""
        language: Language = spec["lang"]
        if "noise" in spec:
            self._consistent(spec["noise"], language)
            return f"noise {language}"
        text, values = sentence(language, spec["numbers"])
        self._consistent(text, language)
        found = [slot.value for slot in find_numbers(text, language)]
        forms = sorted({one[0] for one in spec["numbers"]})
        require(found == values, f"values of {language} {'/'.join(forms)}", f"{text!r}: {list(map(str, found))}")
        return f"{language} {'/'.join(forms)}"

    @staticmethod
    def _consistent(text: str, language: Language) -> None:
        """Check what must hold for any text: slots are in order, and they say where they come from."""
        mapped = map_text(text, language)
        end = 0
        for slot in mapped.numbers:
            require(end <= slot.start < slot.end <= len(text), "slots in order", repr(text))
            require(text[slot.start : slot.end] == slot.text, "text of a slot", repr(text))
            end = slot.end
        again = [(slot.start, slot.value) for slot in find_numbers(text, language)]
        require(again == [(slot.start, slot.value) for slot in mapped.numbers], "map_text = find_numbers", repr(text))


def sentence(language: str, numbers: list[list[int | str]]) -> tuple[str, list[Fraction]]:
    """Return a text with the numbers, and their values."""
    pieces, values = [], []
    for form, a, b, before, after in numbers:
        if not isinstance(a, int) or not isinstance(b, int) or a < 1 or not isinstance(before, int):
            raise InvalidSpecError
        assert isinstance(after, int)
        size = min(a, 99) if form in ("percent", "word percent") or "mixed" in str(form) else a
        text, value = written(language, str(form), size, b, before)
        if language == "zh":
            unit = _CHINESE_UNITS[after % len(_CHINESE_UNITS)]
            if text[-1] in "千万亿仟" or "%" in text or "百分之" in text:
                unit = ""  # 五万人 counts in 万, and 三千 before 米 is read as 千米
            pieces.append(f"{_CHINESE_BEFORE[before % len(_CHINESE_BEFORE)]}{text}{unit}。")
        else:
            unit = _ENGLISH_UNITS[after % len(_ENGLISH_UNITS)]
            pieces.append(f"{_ENGLISH_BEFORE[before % len(_ENGLISH_BEFORE)]} {text} {unit}. ")
        values.append(value)
    return "".join(pieces), values
