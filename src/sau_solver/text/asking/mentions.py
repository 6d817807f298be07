"""Text of a problem -> the words around each of its numbers, which say what the number belongs to.

A text is split into chunks at punctuation and conjunctions ("$8 for adults" | "$5 for children"). The words of a chunk
are stems in English and characters in Chinese, without words that do not identify a thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from sau_solver.problem import Language
from sau_solver.text.numbers import NumberSlot

BETWEEN = 0.5  # weight of words between the previous number and this one
FARTHER = 0.4  # weight of words before that
BEHIND = 0.3  # weight of words long after the number
SOON = 4  # words after a number that count fully; in Chinese characters


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_EN_STOP = _listed(
    "a an the of to in on at for from by with and or but if then than as is are was were be been being do does did has "
    "have had will would can could should must may might how many much what which who when where there this that these "
    "those it its he she they them his her their him we you i my your our us each every all both one two total number "
    "amount altogether together so such not no more less fewer find determine calculate now some other another rest "
    "only also into out up per get got most least answer value cost price meter meters feet foot inch inches cm km "
    "mile miles dollar dollars cent cents year years hour hours minute minutes kg pound pounds kilogram kilograms gram "
    "grams liter liters gallon gallons km/h euro euros show shows say says"
)
_EN_FORMS = {
    "child": "children kids kid",
    "man": "men",
    "woman": "women",
    "person": "people",
    "foot": "feet",
    "goose": "geese",
    "mouse": "mice",
    "ox": "oxen",
    "calf": "calves",
    "knife": "knives",
    "loaf": "loaves",
    "half": "halves",
    "win": "won wins",
    "lose": "lost losses loss",
    "sell": "sold",
    "buy": "bought",
    "pay": "paid",
    "long": "length longer longest",
    "wide": "width wider",
    "high": "height higher",
    "tall": "taller",
    "old": "older age ages younger",
    "right": "correct correctly",
    "wrong": "incorrect incorrectly",
    "penny": "pennies",
    "mother": "mother's mom",
    "father": "dad",
    "invest": "invested",
    "adult": "grown-ups",
    "senior": "seniors",
    "deep": "depth",
    "large": "larger bigger greater",
    "small": "smaller",
    "short": "shorter shortest",
    "return": "back returning",
    "ride": "rode ridden riding",
    "drive": "drove driven driving",
    "run": "ran running",
    "swim": "swam swimming",
    "fly": "flew flown flying flies",
    "eat": "ate eaten",
    "write": "wrote written writing",
    "spend": "spent",
    "give": "gave given giving",
    "make": "made making",
    "throw": "threw thrown",
    "catch": "caught",
    "bake": "baked baking",
    "hike": "hiked hiking",
    "bike": "biked biking",
    "score": "scored scoring",
}
_EN_IRREGULAR = {form: word for word, forms in _EN_FORMS.items() for form in forms.split()}
_EN_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*")
_EN_LETTER = re.compile(  # machine A, A's, A has; not the article
    r"(?<=[a-z] )A(?=$|['’]s|[ ,.?])|\bA(?=['’]s)|^A(?=$| (?:is|has|was|had|costs|weighs|does)\b)"
    r"|\b[B-HJ-Z]\b(?!-|\.[a-zA-Z]|['’](?!s))"
)
_ZH_CHARACTER = re.compile(r"[\u4e00-\u9fffA-Za-z]")
_ZH_SHAPE = re.compile(r"[长正]方[形体]|[去今明前]年|其中|小时|分钟|千米|千克|平方|立方")
_ZH_CHILD, _ZH_ADULT = re.compile(r"儿童|孩子"), re.compile(r"大人")
_ZH_STOP = frozenset(
    "的了是有多少几各每共个只一这那其他她它们原来现在今求问请和与及跟、两种分别为多时数已知如果若要用了把就再还且又则在从到"
)
_ZH_SAME = str.maketrans("输赢购", "负胜买")
_EN_CUT = re.compile(r"[,;:.?!\n]|\b(?:and|while|but|or|whereas)\b", re.IGNORECASE)
_ZH_CUT = re.compile(r"[，。；：？！、,;:?!\n]|和(?!数)|而(?!且)|以及|与|或者?")
_NO_NUMBERS = ("半", "half")  # 半价15元: the price is 15
_CAN = re.compile(r"(?<=\ba )can\b|(?<=\bper )can\b|(?<=\bone )can\b")  # the thing, not the verb
_PREPOSITION = re.compile(r"\s+(?:on|in|for|of|at|from|with)\b")
_NEXT_WORD = re.compile(r"\W*\w+")
_SENTENCE_CUT = re.compile(r"[。？！；;?!\n]|\.(?!\d)")


def stem(word: str) -> str:
    """Return the common form of an English word: goats and goat, children and child, older and age."""
    word = word.removesuffix("'s").removesuffix("’s").removesuffix("'")
    if word in _EN_IRREGULAR:
        return _EN_IRREGULAR[word]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "oes")):
        return word[:-2]
    if len(word) > 6 and word.endswith("ing"):
        return word[:-3]
    if len(word) > 5 and word.endswith("ed"):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us")):
        return word[:-1]
    return word


@lru_cache(maxsize=4096)
def words_of(text: str, language: Language) -> frozenset[str]:
    """Return the words of a text that can tell one thing from another."""
    if language == "zh":
        text = _ZH_CHILD.sub("小孩", _ZH_ADULT.sub("成人", _ZH_SHAPE.sub("", text)))
        return frozenset(_ZH_CHARACTER.findall(text.translate(_ZH_SAME))) - _ZH_STOP
    found = {f"letter_{letter}" for letter in _EN_LETTER.findall(text)}
    for word in _EN_WORD.findall(_CAN.sub("cans", text.lower())):
        if word not in _EN_STOP:
            found.add(stem(word))
            if "-" in word:
                found.update(stem(part) for part in word.split("-") if part not in _EN_STOP)
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Mention:
    """The words around one number, with weights.

    `near` has the words of its chunk: those between this number and the next one count more than those between the
    previous number and this one. `earlier` has the chunks before it in its sentence, the nearest first.
    """

    number: NumberSlot
    near: Mapping[str, float]
    earlier: tuple[frozenset[str], ...]


def mentions_of(text: str, language: Language, numbers: Iterable[NumberSlot]) -> tuple[Mention, ...]:
    """Return the words around each number of a text."""
    numbers = tuple(numbers)
    chunks = _chunks(text, language, numbers)
    apart = [None if number.text in _NO_NUMBERS or _is_one(number) else number for number in numbers]
    found: list[Mention] = []
    for place, number in enumerate(numbers):
        here = next((i for i, (start, end) in enumerate(chunks) if start <= number.start < end), 0)
        start, end = chunks[here]
        before = max([start, *(other.end for other in apart[:place] if other and other.end > start)])
        after = min([end, *(other.start for other in apart[place + 1 :] if other and other.start < end)])
        shared = before > start
        near = dict.fromkeys(words_of(text[number.end : after], language), BEHIND)
        close = _soon(text, number.end, after, language)
        near |= dict.fromkeys(words_of(text[before : number.start], language), BETWEEN if shared else 1.0)
        near |= dict.fromkeys(words_of(text[number.end : close], language), 1.0)
        if language == "en" and found and (noun := _elided_noun(text, numbers[place - 1], number)):
            near |= dict.fromkeys(words_of(noun, language), 1.0)
        if shared:  # the chunk may be about what it starts with
            for word in words_of(text[start:before], language):
                near.setdefault(word, FARTHER)
        earlier = []
        while here > 0 and not _SENTENCE_CUT.search(text[chunks[here - 1][1] - 1 : chunks[here][0] + 1]):
            here -= 1
            earlier.append(words_of(text[slice(*chunks[here])], language))
        found.append(Mention(number, near, tuple(earlier)))
    return tuple(found)


def _is_one(number: NumberSlot) -> bool:
    return number.value == 1 and not any(map(str.isdigit, number.text))


def _elided_noun(text: str, before: NumberSlot, number: NumberSlot) -> str:
    """Return the noun of the previous number if this one has none: 4 seats in the stalls and 1 on the balcony."""
    if not _PREPOSITION.match(text, number.end) or _SENTENCE_CUT.search(text[before.end : number.start]):
        return ""
    noun = _NEXT_WORD.match(text, before.end)
    return noun[0] if noun and not _PREPOSITION.match(text, before.end) else ""


def _soon(text: str, start: int, end: int, language: Language) -> int:
    """Return the end of the few words that follow a number."""
    if language == "zh":
        return min(end, start + SOON + 1)
    place = start
    for _ in range(SOON):
        word = _NEXT_WORD.match(text, place, end)
        if word is None:
            return end
        place = word.end()
    return place


def _chunks(text: str, language: Language, numbers: tuple[NumberSlot, ...]) -> list[tuple[int, int]]:
    """Return the parts between punctuation and conjunctions; a mark inside a number (1,200) does not cut."""
    inside = [(number.start, number.end) for number in numbers]
    cut = _ZH_CUT if language == "zh" else _EN_CUT
    edges = [
        match.end()
        for match in cut.finditer(text)
        if not any(start <= match.start() < end for start, end in inside)
        and not (match[0] == "." and text[match.end() : match.end() + 1].isdigit())
    ]
    starts = [0, *edges]
    return [(start, end) for start, end in zip(starts, [*edges, len(text)], strict=True) if end > start]


def same_number(one: Fraction, other: Fraction) -> bool:
    """Return whether two numbers may be the same one, written as a share or as a percentage: 0.15 and 15.

    200 and 2 are different numbers: a share that is written as a percentage is not a whole number.
    """
    return one == other or (one in (other * 100, other / 100) and min(one, other).denominator > 1)
