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

# The words of an English and of a Chinese text that explain a constant.
_WORDS: dict[str, tuple[str, str]] = {
    "3": (
        "yards?|feet|foot|tripl|thrice|thirds?|triang|trio|meals?|breakfast|lunch|tricycle|trimester",
        "码|英尺|三角|三餐|早餐|午餐|三轮|季度|两倍|长方体|圆锥",
    ),
    "4": (
        "quarters?|weeks?|months?|legs?|paws?|feet|foot|wheels?|cars?|tires?|sides?|square|rectang|perimeter|seasons?"
        "|gallons?|quarts?|quadrupl|quadruplets|corners?|walls?|dogs?|cats?|cows?|horses?|chairs?|tables?|pigs?",
        "周|月|腿|脚|轮|汽车|边|正方|长方|周长|季|加仑|夸脱|狗|猫|牛|马|椅|桌|猪|兔|羊|四边|年",
    ),
    "5": (
        "weekdays?|work|school|nickels?|fingers?|toes?|pentagon|monday|friday|business|teach|office|working",
        "工作|上学|学校|手指|五角|周一|周五|平日",
    ),
    "6": (
        "insects?|cubes?|dice|die|half[- ]dozen|half a dozen|six[- ]?packs?|hexagon|ants?|bees?",
        "昆虫|正方体|骰|六边|半打|立方体",
    ),
    "7": ("weeks?|weekly|daily|each day|every day|days?|a day|per day|monday|sunday", "周|星期|每天|天|礼拜"),
    "8": ("spiders?|octop|gallons?|pints?|cups?|arachnid|octagon|furlong|ounces?", "蜘蛛|章鱼|加仑|品脱|杯|八角|盎司"),
    "10": (
        "dimes?|decades?|fingers?|toes?|mm|cm|millimet|centimet|decimal|digit",
        "角|十年|厘米|毫米|分米|手指|数字|位数",
    ),
    "12": (
        "dozens?|months?|monthly|years?|yearly|annual|annually|inch|inches|foot|feet|noon|clock|hours?|a\\.?m\\b|p\\.?m\\b",
        "打|月|年|英寸|英尺|中午|点|小时|个月",
    ),
    "16": ("ounces?|oz|pounds?|lbs?|cups?|pints?|gallons?", "盎司|磅|杯|品脱|加仑"),
    "24": ("days?|hours?|daily|midnight|dozens?", "天|日|小时|时"),
    "25": ("quarters?", "25美分"),
    "28": ("february|weeks?", "二月|周|星期"),
    "29": ("february|leap", "二月|闰年"),
    "30": (f"months?|monthly|days?|half[- ]hours?|half an hour|{_MONTHS}", "月|半小时|半个小时|天"),
    "31": (_MONTHS, "月"),
    "36": ("yards?|inch|inches", "码|英寸"),
    "48": ("two dozen|states?", "州"),
    "50": ("half[- ]dollars?|states?|cents?", "州|美分"),
    "52": ("years?|weeks?|weekly|annual|annually|yearly|decks?|cards?", "年|周|星期|扑克|牌"),
    "60": ("minutes?|mins?|hours?|hourly|seconds?|clock|a\\.?m\\b|p\\.?m\\b|mph|kph|km/h", "分|时|秒|点"),
    "90": ("right angle|right triangle|degrees?|perpendicular|angles?", "直角|度|角"),
    "180": ("triang|degrees?|angles?|semicirc", "三角|度|角"),
    "360": ("circle|degrees?|angles?|rotat|pie chart|days?", "圆|度|角|天"),
    "365": ("years?|yearly|annual|annually|days?", "年|天"),
    "366": ("leap", "闰"),
    "1000": (
        "kilo\\w*|kg|km|grams?|meters?|metres?|lit(?:er|re)s?|millilit\\w*|ml|tons?|thousands?|milligrams?|mg|milli\\w*",
        "千|公里|公斤|克|米|升|吨",
    ),
    "2000": ("tons?", "吨"),
    "3600": ("hours?|seconds?", "时|秒"),
    "1760": ("miles?|yards?", "英里|码"),
    "5280": ("miles?|feet", "英里|英尺"),
    "10000": ("hectares?", "公顷|万"),
    "1/4": ("quarters?", "季|刻|四分"),
    "1/10": ("dimes?", "角"),
    "1/20": ("nickels?", "美分"),
    "3.14": ("circle|circular|circum\\w*|diamet\\w*|radius|radii|cylind\\w*|cone|sphere|wheel", "圆|直径|半径|球"),
    "22/7": ("circle|circular|circum\\w*|diamet\\w*|radius|radii|cylind\\w*|cone|sphere|wheel", "圆|直径|半径|球"),
    "3/4": ("quarters?", "四分"),
    "1/3": ("thirds?|cones?|pyramids?", "三分|圆锥"),
}


@cache
def _cues(language: Language) -> dict[Fraction, re.Pattern[str]]:
    if language == "zh":
        return {Fraction(value): re.compile(zh) for value, (_, zh) in _WORDS.items()}
    return {Fraction(value): re.compile(rf"\b(?:{en})", re.IGNORECASE) for value, (en, _) in _WORDS.items()}


def is_known_constant(value: Fraction, text: str, language: Language) -> bool:
    """Return whether a constant belongs to an equation because of what the text speaks of."""
    if value in PLAIN:
        return True
    cue = _cues(language).get(
        1 / value if 0 < value < 1 and value.numerator == 1 and value < Fraction(1, 20) else value
    )
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
