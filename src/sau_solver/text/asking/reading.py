"""Everything about what a text asks, computed once per text: its things, its numbers with their words, comparisons."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache

from sau_solver.problem import Language
from sau_solver.text.asking.chinese_things import chinese_things
from sau_solver.text.asking.comparisons import Comparison, comparisons_of
from sau_solver.text.asking.english_things import english_things
from sau_solver.text.asking.mentions import Mention, mentions_of, stem, words_of
from sau_solver.text.asking.thing import Thing
from sau_solver.text.numbers import NumberSlot, find_numbers

_EN_PAIR = re.compile(
    r"(?=\b([A-Za-z'-]+(?: [A-Za-z'-]+)?)\s+(?:and|or)\s+(?:the |some |a |an |his |her |of "
    r")?([A-Za-z'-]+(?: [A-Za-z'-]+)?))"
)
_ZH_PAIR = re.compile(r"([\u4e00-\u9fff\d角元]{1,5})[和与、及跟]([\u4e00-\u9fff\d角元]{1,5})")

_EN_NAMES = re.compile(
    r"\b([A-Za-z'-]+s)\s+and\s+(?:the |some |of )?([A-Za-z'-]+s)\b|\b([A-Z][a-z]+)\s+and\s+([A-Z][a-z]+)\b"
)
_ZH_NAMES = re.compile(
    r"(?:^|[，。；有买养着里把])([\u4e00-\u9fff]{1,4}?)[和与、]([\u4e00-\u9fff]{1,4}?)(?=[两二各共一分，。；]|的|$)"
)
_EN_NAME = re.compile(r"(?<=[a-z,0-9] )[A-Z][a-z']*\b")
_ZH_NAMES_OF_THINGS = frozenset("甲乙丙丁ABCDabcd")
NAME = 2.0
_OF = re.compile(
    r"(?:factor|divisor|multiple|denominator|GCF|GCD|HCF|LCM)\s+of\s+(?:\d+(?:\s*,\s*|\s+and\s+|,\s*and\s+))*$",
    re.IGNORECASE,
)
_OF_ZH = re.compile(r"(?:[、和与，]\d+)*的(?:最大公|最小公)")


@dataclass(frozen=True)
class Reading:
    """What a text asks for and the evidence in its words. Each property is computed at its first use."""

    text: str
    language: Language

    @cached_property
    def numbers(self) -> tuple[NumberSlot, ...]:
        """The numbers of the text."""
        return tuple(find_numbers(self.text, self.language))

    @cached_property
    def things(self) -> tuple[Thing, ...]:
        """The things asked for, in order."""
        return (chinese_things if self.language == "zh" else english_things)(self.text)

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """The words around each number."""
        return mentions_of(self.text, self.language, self.numbers)

    @cached_property
    def pairs(self) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
        """The words of things that the text mentions together, in order: ducks and lambs, 成人票和学生票."""
        pattern = _ZH_PAIR if self.language == "zh" else _EN_PAIR
        found = ((words_of(m[1], self.language), words_of(m[2], self.language)) for m in pattern.finditer(self.text))
        return tuple((first, second) for first, second in found if first and second and first != second)

    @cached_property
    def listed(self) -> tuple[tuple[str, ...], ...]:
        """Names of things that the text mentions together, as it writes them: (ducks, lambs), (鸡, 兔)."""
        pattern = _ZH_NAMES if self.language == "zh" else _EN_NAMES
        found = [tuple(part.strip() for part in match.groups() if part) for match in pattern.finditer(self.text)]
        return tuple(names for names in found if all(words_of(name, self.language) for name in names))

    def is_argument(self, number: NumberSlot) -> bool:
        """Return whether a number stands where the numbers of a named divisor or multiple stand: GCF of 84 and 126."""
        before, after = self.text[: number.start], self.text[number.end :]
        return bool(_OF.search(before) or _OF_ZH.match(after))

    def rarity(self, word: str) -> float:
        """Return how much a word tells: less, the more often the text has it."""
        count = self.text.count(word) if self.language == "zh" else self._counts[word]
        return 1.0 / math.sqrt(max(1, count - 1))

    def weight(self, word: str) -> float:
        """Return how much a word tells about who is compared: names more than other words."""
        names = _ZH_NAMES_OF_THINGS if self.language == "zh" else self._names
        return self.rarity(word) * (NAME if word in names else 1.0)

    @cached_property
    def _names(self) -> frozenset[str]:
        """Words that are capitalized inside a sentence, in lower case."""
        return frozenset(stem(word.lower()) for word in _EN_NAME.findall(self.text))

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(stem(word) for word in re.findall(r"[a-z]+(?:['’-][a-z]+)*", self.text.lower()))

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The comparisons that the text states."""
        return comparisons_of(self.text, self.language, self.numbers)


@lru_cache(maxsize=256)
def read_questions(text: str, language: Language) -> Reading:
    """Return the reading of a text. All callers share one object per text, so that it is analyzed once."""
    return Reading(text, language)
