"""Questions about the numbers that some digits make, each used at most once: the largest, the smallest, how many.

An English text must say that no digit is used twice. A Chinese one need not if the number has as many digits as are
given: that is how school books mean it.
"""

from __future__ import annotations

import re
from fractions import Fraction

from sau_solver.equations.expressions import Condition, Number
from sau_solver.text.digits.digit_story import MAX_LENGTH, MIN_LENGTH, DigitAsk, DigitStory, Numeral, Wanted

MAX_CARDS = 10

_SPACE = re.compile(r" (?=[.,?!])")
_DIGITS = r"(?P<cards>\d(?:(?:\s?,\s?(?:and )?|,? and )\d)+)"
_ONCE = re.compile(
    r",? (?:(?:if|and|by|where|when|using|use|with) )*(?:(?:each|every)(?: of the)?(?: digits?)?(?: (?:is"
    r"|can be|may be|must be|being))?"
    r"(?: used)?(?: exactly| only| just)? once(?: only)?|once each|(?:each|all) exactly once"
    r"|without (?:repeating|repetition of|reusing) (?:any |the |a )?digits?|without (?:any )?repetition"
    r"|no (?:digit|digits) (?:is|are|may be|can be) (?:repeated|used more than once|used twice)|no digit repeated"
    r"|no (?:digit|digits) may be used twice|(?:the )?digits (?:may|can|must) ?not be repeated|without repeats"
    r"|(?:the )?repetition(?: of (?:a )?digits?)? is not (?:allowed|permitted)|repetitions are not allowed)(?=[ ,.?]|$)"
)
_FROM = (
    rf"(?:with|from|using|out of|by using|of|by)(?: each of)?(?: all)?(?: of)?(?: the)?(?: \d)?"
    rf"(?: different)?(?: digits| numbers| digit cards| number cards| cards)? {_DIGITS}"
)
_MAKE = (
    r"(?:,? (?:that |which )?(?:(?:you|we|i|one) )?(?:can |could )?(?:be )?"
    r"(?:made|make|formed|form|written|write|created|create|built|build)(?: up)?)"
)
_KIND = r"(?P<odd{0}>even |odd )?(?P<length{0}>\d)-digit (?P<even{0}>even |odd )?(?:whole |natural )?numbers?"
_WHICH = (
    r"(?:what is|find|what would be|write|determine|name|give) (?:the )?(?:"
    rf"(?P<most>largest|greatest|biggest|highest|smallest|least|lowest)(?: possible)? {_KIND.format('')}"
    r"|(?P<both>difference between|difference of|sum of) (?:the )?(?:largest|greatest"
    r"|biggest) and (?:the )?(?:smallest|least)"
    rf"(?: possible)? {_KIND.format('s')})"
)
_HOW_MANY = (
    rf"how many (?:different |distinct |possible )?{_KIND.format('c')}"
    r"(?: can| could)?(?: (?:you|we|be|one|i))? (?:made|make|formed|form|written|write|created|create|built|build)"
)
_ENGLISH = re.compile(rf"(?:{_FROM.replace('cards', 'first')},? )?(?:{_WHICH}{_MAKE}|{_HOW_MANY})(?: {_FROM})?")

_ZH_DIGITS = r"(?:数字)?(?P<cards>\d(?:[、,，和]\d)+)"
_ZH_ONCE = r"(?:没有重复(?:数字)?的|数字不重复的|无重复数字的|各位数字不同的|各位数字互不相同的)"
_ZH_SAID = re.compile(
    r"[，,]?(?:每个数字|每张卡片|每个数)(?:都)?(?:只能|只|能)?用1次|[，,]?(?:且)?(?:数字)?不(?:能|许)?重复(?:使用)?"
)
_ZH_KIND = rf"(?P<once{{0}}>{_ZH_ONCE})?的?(?P<length{{0}}>\d)位(?P<even{{0}}>[奇偶单双])?数"
_CHINESE = re.compile(
    rf"(?:小[\u4e00-\u9fff])?(?:[用由]|选用){_ZH_DIGITS}(?:这|共)?(?:(?P<many>\d)[个张]?(?:不同的?)?(?P<paper>数字卡片|卡片|数卡)?(?:数字|数)?)?"
    r"[，,]?(?:[1一]共|总共|共)?(?:可以|能够|能|可)?(?:组成|摆成|摆出|写出|排成|组出)(?:的)?(?:"
    rf"(?P<once>{_ZH_ONCE})?(?P<most>最[大小])的?{_ZH_KIND.format('m')}"
    rf"|{_ZH_KIND.format('a')}中[，,]?(?P<among>最[大小])的?(?:数|1个)?"
    rf"|最大的?(?P<lengthd>\d)位数[与和]最小的?(?P=lengthd)位数的(?P<both>差|和)"
    rf")(?:是|等于|为)(?:多少|几|什么)"
    rf"|"
    rf"(?:小[\u4e00-\u9fff])?[用由]{_ZH_DIGITS.replace('cards', 'given')}(?:这"
    rf"|共)?(?:(?P<number>\d)[个张]?(?:不同的?)?(?P<card>数字卡片|卡片|数卡)?(?:数字|数)?)?"
    r"[，,]?(?:[1一]共|总共|共)?(?:可以|能够|能|可)?(?:组成|摆成|摆出|写出|排成|组出)(?:多少|几)个(?:不同的|不1样的)?"
    rf"{_ZH_KIND.format('c')}"
)


def english_cards(text: str) -> DigitStory | None:
    """Return the story of a lower-case text with its numbers in digits, if it asks what some digits make."""
    plain, once = _ONCE.subn("", _SPACE.sub("", re.sub(r"\s+", " ", text).replace(" - digit", "-digit")).strip(" .?!"))
    found = _ENGLISH.fullmatch(plain.strip(" ,")) if once else None
    if not found or bool(found["cards"]) == bool(found["first"]):
        return None
    wanted: Wanted = "count"
    if found["most"]:
        wanted = "largest" if found["most"] in ("largest", "greatest", "biggest", "highest") else "smallest"
    elif found["both"]:
        wanted = "sum" if found["both"].startswith("sum") else "difference"
    kinds = {(found[f"odd{one}"] or found[f"even{one}"] or "").strip() for one in ("", "s", "c")} - {""}
    length = found["length"] or found["lengths"] or found["lengthc"]
    return _story(found["cards"] or found["first"], length, wanted, kinds)


def chinese_cards(text: str) -> DigitStory | None:
    """Return the story of a text without spaces, with its numbers in digits, if it asks what some digits make."""
    plain, said = _ZH_SAID.subn("", text.strip("。？?！"))
    found = _CHINESE.fullmatch(plain)
    if not found:
        return None
    cards, length = (
        found["cards"] or found["given"],
        next(found[f"length{one}"] for one in "madc" if found[f"length{one}"]),
    )
    given = re.findall(r"\d", cards)
    many = found["many"] or found["number"]
    once = said or any(found[one] for one in ("once", "oncem", "oncea", "oncec", "paper", "card"))
    if (many and int(many) != len(given)) or not (once or len(given) == int(length)):
        return None
    most = found["most"] or found["among"]
    wanted: Wanted = "count"
    if most:
        wanted = "largest" if most == "最大" else "smallest"
    elif found["both"]:
        wanted = "sum" if found["both"] == "和" else "difference"
    kinds = {"odd" if found[f"even{one}"] in ("奇", "单") else "even" for one in "mac" if found[f"even{one}"]}
    return _story(cards, length, wanted, kinds)


def _story(cards: str, length: str, wanted: Wanted, kinds: set[str]) -> DigitStory | None:
    digits = tuple(map(int, re.findall(r"\d", cards)))
    size = int(length)
    if not MIN_LENGTH <= size <= MAX_LENGTH or not size <= len(digits) <= MAX_CARDS or len(set(digits)) < len(digits):
        return None
    said = tuple(
        Condition("odd" if kind == "odd" else "even", Numeral(size).number(), Number(Fraction(0))) for kind in kinds
    )
    story = DigitStory(size, said, (DigitAsk(wanted),), cards=digits)
    return story if story.is_decided else None
