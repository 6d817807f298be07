"""Find the unit of an answer in its question: 多少千米 gives 千米, "how many apples" gives apples.

An uncertain unit is left out. Values are never converted, not even for percentages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sau_solver.problem import Language
from sau_solver.text.questions import Question

MONEY = ("dollars", "euros", "pounds", "cents", "元", "块")
MAX_LOOKED_AT = 200  # characters after `how many` that may name the things

# --- Chinese: the word that follows 多少 or 几 ------------------------------------------------------------------------

_ZH_MEASURED = (
    "平方千米|平方公里|平方分米|平方厘米|平方毫米|平方米|平方|立方千米|立方分米|立方厘米|立方毫米|立方米|立方|千瓦时|千瓦|"
    "千米|公里|分米|厘米|毫米|英里|海里|米|千克|公斤|毫克|克|市斤|斤|吨|两|毫升|公升|升|公顷|公亩|亩|小时|分钟|秒钟|秒|"
    "元|角|美元|度|岁|倍|天|年|周|星期|个小时|个月|个星期|个百分点|日|km/h|m/s|km|cm|dm|mm|kg|mL|ml|m|g|L|t|尺|寸|丈|里|里路"
)
_ZH_COUNTED = (
    "个人|个|人次|人|只|头|名|位|辆|棵|株|张|件|支|枝|本|条|台|艘|间|块|套|盏|箱|双|把|盆|朵|粒|颗|袋|瓶|盒|部|架|匹|场|队|节|筐|页|"
    "行|排|列|层|段|圈|组|班|户|家|次|趟|遍|道题|道|题|册|枚|根|束|份|包|桶|杯|顶|面|幅|篇|扎|捆|车|枚|对|副|尾|座|所|扇|口|碗|"
    "罐|听|滴|堆|批|级|步|下|字|分|折|号|楼|种|代|匙|串|片|斗|斛|文|钱(?=银)"
)
_ZH_UNIT = re.compile(
    rf"\s*(?P<unit>(?:[十百千]?万|亿)?(?:{_ZH_MEASURED}|{_ZH_COUNTED})"
    rf"(?:\^[23]|[²³])?(?:[/／](?:(?:{_ZH_MEASURED}|{_ZH_COUNTED}|时|分|月)(?:\^[23]|[²³])?))?)"
)
_ZH_EQUALS = re.compile(r"(?:[是为定]|等于|[=＝])\s*$")
_ZH_HOURS = re.compile(r"\s*时(?!间|候|刻)")
_ZH_PER_CENT = re.compile(r"百分之几|多少\s*[%％]|百分之多少|百分率|百分比|百分数|增长率|下降率|降低率|减少率|提高率")
_ZH_MONEY = re.compile(r"元")
_ZH_OTHER_MONEY = re.compile(r"[万亿千百美]元|角|\d分(?!钟|之|米)|分钱")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# --- English: the things after "how many" ---------------------------------------------------------------------------

_EN_STOP = _words(
    "do does did is are was were will would can could should must may might has have had in at on for to from per if "
    "when that which who whose they he she it we you i each there left remain remained with by than as did before "
    "after altogether total be would've now still not of"
)
_EN_LOOSE = _words("more fewer less additional extra total other another whole full different further")
_EN_DETERMINED = _words("the a an his her its their this these those your my our some any")
_EN_UNMARKED = _words(
    "people children men women feet teeth geese mice fish sheep deer oxen dice cattle mph cm km kg ml mm pupils"
)
_EN_PER_CENT = re.compile(r"\bper\s?cent(?:age)?\b", re.IGNORECASE)
_EN_MEASURE = (
    r"miles|feet|inches|yards|meters|metres|kilometers|kilometres|centimeters|centimetres|km|cm|mm|hours|minutes|seconds|"
    r"days|weeks|months|years|dollars|cents|gallons|liters|litres|milliliters|quarts|pints|cups|ounces|pounds|teaspoons|tablespoons|tons|grams|"
    r"kilograms|kg|mph|degrees"
)
_EN_IN = re.compile(
    rf"\bin\s+(?:units of\s+|square\s+|cubic\s+)?(?:{_EN_MEASURE})(?:\s+per\s+[a-z]+)?(?=\s*$|\s*,)", re.IGNORECASE
)
_EN_PAID = re.compile(
    r"\b(?:money|cost|costs|pay|paid|spend|spent|spending|earn|earned|owe|invest|invested|charge|charged|price|budget)\b",
    re.IGNORECASE,
)
_EN_DOLLARS = re.compile(r"\$|\bdollars?\b", re.IGNORECASE)
_EN_CENTS = re.compile(r"\bcents?\b|¢|\bpenn(?:y|ies)\b|\b(?:dime|nickel|quarter|half-dollar)s?\b", re.IGNORECASE)


def unit_in_question(question: Question, text: str, language: Language) -> str:
    """Return the unit that one question states, or an empty string."""
    return (_chinese if language == "zh" else _english)(question, text)


def asks_per_cent(questions: Sequence[Question], language: Language) -> bool:
    """Return whether the only question asks for a share that is usually given as a percentage."""
    if len(questions) != 1:
        return False
    (question,) = questions
    whole = question.before + question.word + question.after
    if language == "zh":
        return bool(_ZH_PER_CENT.search(whole)) and not question.several
    return bool(_EN_PER_CENT.search(question.after)) and question.word.startswith(("what", "find", "how much"))


def measured_by(question: Question) -> re.Match[str] | None:
    """Match the Chinese unit or measure word after 多少 or 几, in `question.after`."""
    if question.word not in ("多少", "几", "="):
        return None
    found = _ZH_UNIT.match(question.after)
    if found or _ZH_EQUALS.search(question.before):  # 是多少时 means "when it is how much"
        return found
    return _ZH_HOURS.match(question.after) if question.word != "=" else None


def leading_measure(text: str) -> str:
    """Return the Chinese unit or measure word at the start of a text, or an empty string."""
    found = _ZH_UNIT.match(text)
    return found[0] if found else ""


def is_unit(measure: str) -> bool:
    """Return whether a Chinese measure word measures (千米) instead of counting things (只)."""
    return re.fullmatch(_ZH_MEASURED, measure) is not None


_LENGTH = re.compile(
    r"(平方|立方|square |cubic |)"
    r"(千米|公里|分米|厘米|毫米|米|(?:kilo|centi|deci|milli)?met(?:er|re)s|feet|inches|yards|miles|km|dm|cm|mm|m)"
)
_POWERS = {"": 1, "平方": 2, "square ": 2, "立方": 3, "cubic ": 3}


def power_of_length(unit: str) -> int:
    """Return 1 for a length, 2 for an area, 3 for a volume (平方分米 is 2), and 0 for any other unit."""
    found = _LENGTH.fullmatch(unit)
    return _POWERS[found[1]] if found else 0


def length_to_power(unit: str, power: int) -> str:
    """Return the unit of the same length to another power (分米, 2: 平方分米), or an empty string if there is none."""
    found = _LENGTH.fullmatch(unit)
    if not found or not 1 <= power <= 3:
        return ""
    chinese = "\u4e00" <= found[2][0] <= "\u9fff"
    return ("", "平方" if chinese else "square ", "立方" if chinese else "cubic ")[power - 1] + found[2]


def counted_things(question: Question) -> str:
    """Return the things after an English `how many`, such as `adult tickets`, or an empty string if unsure."""
    if question.word != "how many":
        return ""
    words = re.findall(r"[\w$%.,'-]*\w", question.after[:MAX_LOOKED_AT])
    while words and words[0].lower() in _EN_LOOSE:
        del words[0]
    phrase: list[str] = []
    for word in words:
        if word.lower() in _EN_STOP or word.lower() in _EN_DETERMINED:
            break
        phrase.append(word)
    ended = len(phrase) < len(words)
    if ended and words[len(phrase)].lower() in _EN_DETERMINED:  # a verb and its object follow
        phrase = phrase[:1] if phrase and phrase[0].lower() in _EN_UNMARKED else []
    if "and" in phrase:  # baseball and football cards are cards; nickels and dimes have no common name
        phrase = [] if _is_plural(phrase[phrase.index("and") - 1]) else phrase[-1:]
    if phrase and not _is_plural(phrase[-1]):  # "people attended", "people came"
        phrase = phrase[:1] if phrase[0].lower() in _EN_UNMARKED else []
    if len(phrase) > (4 if ended else 2):
        return ""
    return " ".join(phrase)


def _is_plural(word: str) -> bool:
    return word.lower() in _EN_UNMARKED or (len(word) > 2 and word.endswith("s") and not word.endswith(("ss", "'s")))


def _chinese(question: Question, text: str) -> str:
    whole = question.before + question.word + question.after
    if _ZH_PER_CENT.search(whole):
        return ""
    if match := measured_by(question):
        unit = match[0].strip()
        return "小时" if unit == "时" else unit
    paid = question.word == "多少" and question.after.startswith("钱")
    return "元" if paid and _ZH_MONEY.search(text) and not _ZH_OTHER_MONEY.search(text) else ""


def _english(question: Question, text: str) -> str:
    if _EN_PER_CENT.search(question.after):
        return ""
    if stated := _EN_IN.search(question.after):
        return re.sub(r"^in\s+(?:units of\s+)?", "", stated[0], flags=re.IGNORECASE).lower()
    if things := counted_things(question):
        words = [word for word in things.split() if not re.search(r"\d", word)]
        return " ".join(words[-1:] if len(words) < len(things.split()) else words)
    if question.word == "how much" and _EN_PAID.search(question.after):
        return "dollars" if _EN_DOLLARS.search(text) and not _EN_CENTS.search(text) else ""
    return "years" if question.word == "how old" else ""
