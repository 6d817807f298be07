"""Decide which constants of a gold equation come from general knowledge: 7 if the text speaks of weeks, 12 of a dozen.

A constant that is neither such a fact nor a number of the text mostly is an intermediate result that somebody worked
out in their head. A model cannot learn it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction
from functools import cache

from sau_solver.equations.expressions import Equations, Expression, Number, Operation, numbers_of, walk_equations
from sau_solver.equations.normal_form import normal_form
from sau_solver.problem import Language

# Constants that need no word of the text: pairs, halves, percentages and averages of two.
PLAIN = frozenset(map(Fraction, ("1", "2", "100", "1/2", "1/100")))

_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_MONTHS_ZH = r"月份|[\d一二三四五六七八九十]月"
_SCHOOL = "school|work|office|teach"
_ROUND = "circle|circular|circum|diamet|radius|radii|cylind|cone|sphere|wheel"
_ROUND_ZH = "圆|直径|半径|球"

# The beginnings of English words, and the Chinese words, that explain a constant.
_WORDS: dict[str, tuple[str, str]] = {
    "3": ("yard|tripl|thrice|third|triang|trio|meals|breakfast|tricycle|trimester", "码|三角|三餐|早餐|三轮|季度"),
    "4": (
        r"quarter|months?\b(?=.*\bweek)|week(?=.*\bmonth)|legs?\b|paws?\b|wheels?\b|tires?\b|sides?\b|square|rectang"
        r"|perimeter|seasons?\b|gallon|quart|quadrup|corners|walls?\b",
        "条腿|只脚|轮子|车轮|轮胎|边长|正方|长方|周长|季|加仑|夸脱|月(?=.*周)|周(?=.*月)|四边",
    ),
    "5": (
        rf"weekday|business days|nickel|fingers|toes|pentagon|friday"
        rf"|(?:{_SCHOOL})(?=.*\bweek)|week(?=.*\b(?:{_SCHOOL}))",
        "工作日|平日|平时|手指|五角|五边|周五|(?:工作|上学|学校)(?=.*周)|周(?=.*(?:工作|上学|学校))",
    ),
    "6": ("insect|cube|dice|half[- ]dozen|half a dozen|six[- ]?packs?|hexagon", "昆虫|正方体|立方体|骰|六边|半打"),
    "7": ("week", "周(?!长)|星期|礼拜"),
    "8": (r"spider|octop|gallon|pint|cups?\b|octagon|ounce", "蜘蛛|章鱼|加仑|品脱|八边|盎司"),
    "10": ("dime|decade|fingers|toes|mm|cm|millimet|centimet|digit", "角(?!形|度)|十年|厘米|毫米|分米|手指|位数"),
    "12": (
        r"dozen|month|year|annual|inch|foot|feet|noon|clock|hour|a\.?m\b|p\.?m\b",
        r"[一两几半少三四五六七八九十\d]打|个月|每月|月份|年|英寸|英尺|中午|小时",
    ),
    "16": (r"ounce|oz\b|pound|lbs?\b|cups?\b|pint|gallon", "盎司|磅|品脱|加仑"),
    "24": (r"days?\b|hour|midnight", "小时|[每一]天"),
    "25": (r"quarters\b", "25美分"),
    "28": ("february|week", "二月|2月|周(?!长)|星期"),
    "29": ("february|leap", "二月|2月|闰年"),
    "30": (rf"month|half[- ]hour|half an hour|days\b|{_MONTHS}", f"个月|每月|半小时|半个小时|{_MONTHS_ZH}"),
    "31": (_MONTHS, _MONTHS_ZH),
    "36": ("yard", "码"),
    "50": ("half[- ]dollar|states", "半美元|州"),
    "52": (r"year|annual|decks?\b|cards", "年|扑克|牌"),
    "60": (r"minute|mins?\b|hour|second|clock|a\.?m\b|p\.?m\b|mph|kph|kmh|km ?/ ?h", "分钟|小时|秒"),
    "90": (r"right angle|right triangle|degree|angles?\b|perpendicular", "直角|度"),
    "180": (r"triang|degree|angles?\b|semicirc", "三角|度"),
    "360": (r"circle|degree|angles?\b|rotat|pie chart", "圆|度"),
    "365": ("year|annual", "年"),
    "366": ("leap", "闰"),
    "1000": (
        r"kilo|kg\b|km\b|kw|grams?\b|meters?\b|metres?\b|m\b|lit(?:er|re)|ml\b|milli|mg\b|tons?\b|thousand",
        "千|公里|公斤|克|米|升|吨",
    ),
    "2000": (r"tons?\b", "吨"),
    "3600": ("hour|second|kmph|km ?/ ?h", "小时|秒"),
    "1760": ("yard", "码"),
    "5280": ("mile", "英里"),
    "10000": ("hectare", "公顷|万"),
    "1/3": ("third|cone|pyramid", "三分|圆锥"),
    "1/4": ("quarter", "刻|四分|季"),
    "3/4": ("quarter", "四分"),
    "1/10": ("dime", "角(?!形|度)|十分"),
    "1/20": ("nickel", "5美分"),
    "3.14": (_ROUND, _ROUND_ZH),
    "22/7": (_ROUND, _ROUND_ZH),
}


@cache
def _cues(language: Language) -> dict[Fraction, re.Pattern[str]]:
    if language == "zh":
        return {Fraction(value): re.compile(zh, re.DOTALL) for value, (_, zh) in _WORDS.items()}
    flags = re.IGNORECASE | re.DOTALL
    return {Fraction(value): re.compile(rf"\b(?:{en})", flags) for value, (en, _) in _WORDS.items()}


def is_known_constant(value: Fraction, text: str, language: Language) -> bool:
    """Return whether the words of the text explain a constant."""
    if value in PLAIN:
        return True
    cues = _cues(language)
    cue = cues.get(value) or (cues.get(1 / value) if 0 < value < Fraction(1, 20) else None)  # 1/60 of an hour
    return cue is not None and cue.search(text) is not None


def strange_constants(
    equations: Equations, numbers: Collection[Fraction], text: str, language: Language
) -> tuple[Fraction, ...]:
    """Return the numbers of equations that neither the numbers of the text nor general knowledge explain.

    The notations of one number are folded first: 25*0.01 is the 25 % of a text, and 1.05 an increase by 5 %.
    """
    known = {*numbers, *(100 * value for value in numbers if value < 1)}  # 62 for the 62 % of a text

    def unexplained(equations: Equations) -> tuple[Fraction, ...]:
        values = (value for value in numbers_of(equations) if value not in known)
        return tuple(value for value in values if not is_known_constant(value, text, language))

    if not unexplained(equations):  # folding is slow
        return ()
    equations = normal_form(equations, tuple(numbers), "folded")
    known |= {Fraction(count) for node in walk_equations(equations) if (count := _averaged(node))}
    return unexplained(equations)


def _averaged(node: Expression) -> int:
    """Return how many terms an average has, or 0 if the expression is not a sum divided by the number of its terms."""
    match node:
        case Operation("/", total, Number(value)) if value == _terms(total) > 1:
            return _terms(total)
    return 0


def _terms(node: Expression) -> int:
    return _terms(node.left) + _terms(node.right) if isinstance(node, Operation) and node.operator == "+" else 1
