"""A question for a quantity without a unit -> its unit: a width has the text's unit of length."""

from __future__ import annotations

import re

# --- English ---------------------------------------------------------------------------------------------------------

_EN_LENGTH = (
    r"kilomet(?:er|re)s?|centimet(?:er|re)s?|millimet(?:er|re)s?|met(?:er|re)s?|miles?|feet|foot|inch(?:es)?|yards?"
    r"|km|cm|mm|ft|in\.|m"
)
_EN_WEIGHT = r"kilograms?|milligrams?|grams?|pounds?|ounces?|tons?|kg|lbs?|oz|mg|g"
_EN_VOLUME = r"milliliters?|millilitres?|liters?|litres?|gallons?|quarts?|pints?|cups?|mL|ml|L"
_EN_TIME = r"hours?|minutes?|seconds?|days?|weeks?|months?|years?|h|min"
_EN_SPEED = re.compile(
    rf"\b(?:mph|km/h|kph|m/s|ft/s)(?![\w/])|\b(?:{_EN_LENGTH})\s+(?:per|an|a|each|every)\s+(?:hour|minute|second|day)\b",
    re.IGNORECASE,
)
_EN_DOLLARS = re.compile(r"\$|\bdollars?\b", re.IGNORECASE)
_EN_OTHER_MONEY = (("€", "euros"), ("euro", "euros"), ("£", "pounds"))
_EN_CENTS = re.compile(r"\bcents?\b|¢", re.IGNORECASE)
_EN_MONEY = re.compile(
    r"\b(?:money|costs?|price[sd]?|pay|pays|paid|spend|spent|earn|earns|earned|owe[sd]?|invest(?:ed"
    r"|s)?|charge[sd]?|budget|allowance"
    r"|salary|wages?|interest|profit|bill|change|savings?|saved?|deposit(?:ed)?|worth|income|discount"
    r"|fee|rent|tips?|share|account|revenue|raised?|tax|loan|fare)\b",
    re.IGNORECASE,
)
_EN_KINDS: tuple[tuple[str, str], ...] = (
    (
        "percent",
        r"\bper\s?cent(?:age)?\b|^what %|\bconcentration\b|\b(?:interest|germination|growth|success|tax) rate\b"
        r"|\brate of interest\b|\b(?:fat|salt|sugar|alcohol) content\b",
    ),
    ("times", r"^how many times\b|^how often\b|\bfactor\b"),
    ("ratio", r"\bratio\b|\bfraction\b|\bprobability\b"),
    ("volume", r"\bvolume\b"),
    ("angle", r"\bangles?\b|\btemperature\b"),
    ("area", r"\barea\b|^how (?:large|big) is\b"),
    ("score", r"\bscores?\b"),
    ("age", r"^how old\b|\b(?:ages?)\b"),
    (
        "speed",
        r"^how (?:fast|strong)\b|\bspeeds?\b|\brate of (?:the )?(?:current|wind|boat|plane|stream)\b|\bvelocity\b",
    ),
    (
        "time",
        r"^how long (?:will|does|did|would|until|before|after|is the (?:trip|movie|flight)|(?:\w+ "
        r"){0,3}take)\b|^how soon\b|\btime\b(?! as)"
        r"|^how long (?:do|can|must|should|could|ha[sd]|have)\b.*\b(?:need|meet|last|work|wait|stay|live|finish|fill"
        r"|empty|run|walk|drive|ride|travel)\b|^when (?:do|does|did|will|would|is|are|can)\b",
    ),
    ("weight", r"^how heavy\b|\bweigh(?:t|ts|s)?\b|\bmass\b"),
    (
        "length",
        r"^how (?:far|long|tall|high|wide|deep|thick)\b|\b(?:length|width|height|depth|distance"
        r"|perimeter|diameter|radius|sides?|base|circumference|dimensions|long|wide|hypotenuse|legs? of the)\b",
    ),
    ("money", _EN_MONEY.pattern),
)
_EN_COMPILED = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _EN_KINDS)
_SQUARE = {
    "m": "square meters",
    "cm": "square centimeters",
    "km": "square kilometers",
    "mm": "square millimeters",
    "ft": "square feet",
}
_COUNTED = (
    "mile meter metre yard hour minute second day week month year pound ounce gram kilogram ton liter litre gallon "
    "kilometer centimeter"
)
_PLURAL = {"foot": "feet", "inch": "inches", "h": "hours", "min": "minutes", "g": "grams"} | {
    word: f"{word}s" for word in _COUNTED.split()
}

_ABSTRACT = re.compile(r"\b(?:numbers?|integers?|digits?|probability|fraction|ratio|average|scale)\b", re.IGNORECASE)
_VERBS = frozenset({"is", "are", "was", "were", "did", "does", "do", "will", "would", "should", "has", "have", "can"})


def english_unit(asked: str, text: str) -> str:
    """Return the unit of what an English question asks for; empty if the text does not have one."""
    kind = next((kind for kind, pattern in _EN_COMPILED if pattern.search(asked)), "")
    length = _first(_EN_LENGTH, text)
    match kind:
        case "percent":
            return "%"
        case "times":
            return "times"
        case "angle":
            return "degrees"
        case "age":
            return "years"
        case "area" | "volume":
            word = "square" if kind == "area" else "cubic"
            stated = re.search(rf"\b{word} (?:{_EN_LENGTH})\b", text, re.IGNORECASE)
            if stated:
                return f"{word} {_plural_first(stated[0].split()[-1])}"
            if kind == "volume" and not length:
                return _first(_EN_VOLUME, text)
            return _SQUARE.get(length, f"{word} {length}" if length else "").replace("square", word)
        case "speed":
            if stated := _EN_SPEED.search(text):
                return re.sub(r"\s(?:an|a|each|every)\s", " per ", _plural_first(stated[0]))
            time = _first(_EN_TIME, text)
            short = {"hours": "h", "seconds": "s"}.get(time)
            if short and length in ("km", "m"):
                return f"{length}/{short}"
            return f"{length} per {time.removesuffix('s')}" if length and time else ""
        case "time":
            return _first(_EN_TIME, text) or _time_of_speed(text)
        case "weight":
            return _first(_EN_WEIGHT, text)
        case "length":
            squared = re.search(rf"\bsquare (?P<unit>{_EN_LENGTH})\b", text)
            if length or squared:
                return length or (squared["unit"] if squared else "")
            return _first(_EN_TIME, text) if asked.startswith("how long") else ""
        case "score":
            return "points" if re.search(r"\bpoints?\b", text) else ""
        case "money":
            return money_unit(text)
    if re.match(r"how much of (?:that|it|this|the (?:money|total|sum|bill))\b", asked) and (money := money_unit(text)):
        return money
    if asked.startswith("how much"):
        what = re.match(r"how much (?:more |less |of the |of )?(?P<noun>[a-z]+)", asked)
        if what and what["noun"] not in _VERBS and what["noun"] not in ("in", "altogether"):
            of = re.search(rf"\b(?P<unit>{_EN_WEIGHT}|{_EN_VOLUME}) of (?:\w+ )?{what['noun']}", text, re.IGNORECASE)
            if of:
                return _PLURAL.get(of["unit"], of["unit"])
            return _first(_EN_VOLUME, text) or _first(_EN_WEIGHT, text) or length
        return money_unit(text) or _only_unit(text)
    return _only_unit(text) if re.match(r"what(?:'s)? (?:is|was|did|does|do|were|are|would|will)\b", asked) else ""


def _only_unit(text: str) -> str:
    """Return the unit of a text that measures in one unit only; empty if it has none or several."""
    found = {_first(units, text) for units in (_EN_LENGTH, _EN_WEIGHT, _EN_VOLUME)} | {money_unit(text)}
    found.discard("")
    return found.pop() if len(found) == 1 and not _ABSTRACT.search(text) else ""


def _time_of_speed(text: str) -> str:
    """Return the time that the speeds of a text are given in."""
    speed = _EN_SPEED.search(text)
    if speed is None:
        return ""
    return "seconds" if speed[0].lower().endswith(("/s", "second")) else "minutes" if "minute" in speed[0] else "hours"


def money_unit(text: str) -> str:
    """Return dollars or cents, whichever the text uses."""
    if _EN_DOLLARS.search(text):
        return "dollars"
    for mark, name in _EN_OTHER_MONEY:
        if mark in text:
            return name
    return "cents" if _EN_CENTS.search(text) else ""


def _first(units: str, text: str) -> str:
    """Return the first unit that stands after a number of the text, in the plural; a speed's unit comes last."""
    lead = r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|few|many|in|per|an|each|half)\b)[\s-]?"
    for end in (r"(?![\w/])", r"(?!\w)"):
        if found := re.search(rf"{lead}(?P<unit>{units}){end}", text):
            return _PLURAL.get(found["unit"], found["unit"])
    return ""


def _plural_first(unit: str) -> str:
    first, _, rest = unit.partition(" ")
    return f"{_PLURAL.get(first, first)} {rest}".strip()


# --- Chinese ---------------------------------------------------------------------------------------------------------

_ZH_LENGTH = "千米|公里|分米|厘米|毫米|英里|海里|米|km|cm|dm|mm|m(?![²/a-zA-Z^])"
_ZH_KINDS: tuple[tuple[str, str], ...] = (
    ("percent", r"百分之|百分率|百分比|(?<![效频概速周功])率(?!是每)|浓度|[%％]"),
    ("area", r"面积"),
    ("volume", r"体积|容积"),
    ("speed", r"速度?|流速|风速"),
    ("age", r"年龄|岁数|[多几]大"),
    ("money", r"单价|[价售进成]本?价|价[格钱]|价$|钱|费用?|工资|利润|利息|成本|存款|收入|元"),
    ("weight", r"重量?|质量"),
    ("time", r"时间|多久"),
    ("length", r"[长宽高]|边|周长|距离|路程|半径|直径|多远|全程|底|深"),
)
_ZH_COMPILED = tuple((kind, re.compile(pattern)) for kind, pattern in _ZH_KINDS)
_ZH_UNITS = {
    "weight": "千克|公斤|毫克|克|吨|斤",
    "time": "小时|分钟|秒|天|分",
    "speed": r"(?:千米|公里|米|km|m)[/／每](?:小时|时|分钟|分|秒|h|s|min)",
}


def chinese_unit(asked: str, text: str) -> str:
    """Return the unit of what a Chinese question asks for; empty if the text does not have one."""
    kind = next((kind for kind, pattern in _ZH_COMPILED if pattern.search(asked)), "")
    match kind:
        case "percent":
            return "%"
        case "age":
            return "岁"
        case "money":
            found = re.search(r"\d\s*((?:[万亿千百]|美)?元)", text)
            return found[1] if found else ""
        case "area" | "volume":
            mark = "平方" if kind == "area" else "立方"
            stated = re.search(rf"{mark}(?:千米|公里|分米|厘米|毫米|米)", text)
            length = re.search(rf"[\d.]\s*({_ZH_LENGTH})", text)
            return stated[0] if stated else mark + length[1] if length and length[1][0] > "z" else ""
        case "length":
            found = re.search(rf"[\d.一二两三四五六七八九十百]\s*({_ZH_LENGTH})(?![/／每])", text)
            return found[1] if found else ""
        case "speed":
            if found := re.search(_ZH_UNITS["speed"], text):
                return found[0]
            each = re.search(r"每(小时|分钟|秒|时)[^，。；]{0,6}?[\d.]+\s*(千米|公里|米)", text)
            if each:
                return f"{each[2]}/{each[1]}"
            length = re.search(rf"[\d.]\s*({_ZH_LENGTH})", text)
            time = re.search(r"[\d.]\s*个?(小时|分钟|秒|时)", text)
            return f"{length[1]}/{time[1]}" if length and time else ""
        case "weight" | "time":
            found = re.search(rf"[\d.]\s*个?({_ZH_UNITS[kind]})", text)
            return found[1] if found else ""
    return ""
