"""Text of a problem -> `Reading`: the things it asks for, its numbers with their words, and its comparisons."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache

from sau_solver.problem import Language
from sau_solver.text.asking.chinese_things import chinese_things
from sau_solver.text.asking.comparisons import Comparison, comparisons_of
from sau_solver.text.asking.decimals import decimals_asked
from sau_solver.text.asking.english_things import english_things
from sau_solver.text.asking.mentions import Mention, mentions_of, stem, words_of
from sau_solver.text.asking.thing import Thing
from sau_solver.text.asking.transfers import transfers_of
from sau_solver.text.numbers import NumberSlot, find_numbers

_EN_PAIR = re.compile(
    r"(?=\b([A-Za-z'-]+(?: [A-Za-z'-]+)?)\s+(?:and|or)\s+(?:the |some |a |an |his |her |of "
    r")?([A-Za-z'-]+(?: [A-Za-z'-]+)?))"
)
_ZH_PAIR = re.compile(r"([\u4e00-\u9fff\d角元]{1,5})[和与、及跟]([\u4e00-\u9fff\d角元]{1,5})")

_ZH_MATCHED = re.compile(
    r"[1一每][个张条套块]([\u4e00-\u9fff]{1,4}?)配[\d一二两三四][个张条套块]([\u4e00-\u9fff]{1,4})"
)
_ZH_BEFORE_NAME = re.compile(r"^.*[有买卖着里把了的是在用]")
_ZH_AFTER_NAME = re.compile(r"[共各两一\d]")
_EN_OPPOSITES = (
    "first second,big small,large small,thick thin,long short,heavy light,fast slow,boy girl,man woman,adult child"
    ",long wide,letter_A letter_B,deep shallow,old new,upper lower,left right"
)
_ZH_OPPOSITES = "大小,长短,甲乙,男女,上下,快慢,粗细,长宽,高矮,前后,左右,师徒,AB,新旧"

_EN_NAMES = re.compile(
    r"\b([A-Za-z'-]+s)\s+and\s+(?:the |some |of )?([A-Za-z'-]+s)\b|\b([A-Z][a-z]+)\s+and\s+([A-Z][a-z]+)\b"
)
_EN_PRICED = re.compile(
    r"(?:^|[.,;] |\band )(?:an? |the |each |every )?([A-Za-z'-]+(?: [A-Za-z'-]+)?) "
    r"(?:costs?|sells? for|sold for|weighs?|(?:is|are) worth)\b",
    re.IGNORECASE,
)
_EN_COMPARED = re.compile(  # Anna has twice as many stickers as Ben
    r"(?:^|[.?!] |\b(?:that|and|if) )([A-Z][a-z]+) (?:is|was|has|had|[a-z]+(?:s|ed))\b"
    r"[^.?!]*?\b(?:than|as) ([A-Z][a-z]+)\b"
)
_EN_AT = re.compile(r"(?<!\d )\b([a-z'-]+s) (?:at|for) \$\d", re.IGNORECASE)  # pens at $2 and notebooks at $3
_ZH_NAMES = re.compile(
    r"(?:^|[，。；有买养着里把])([\u4e00-\u9fff]{1,4}?)[和与、]([\u4e00-\u9fff]{1,4}?)(?=[两二各共一分，。；]|的|$)"
)
_ZH_STEMS = re.compile(r"(甲)(乙)(?:(丙)(丁)?)?(?=[两二三四各共])")
_ZH_LETTER = re.compile(
    r"(?:[每为是有了共各长宽高重买卖付行走][\u4e00-\u9fff]{0,4}?)([a-km-z])(?=\s*(?:元|个|本|千米|米|千克|克|人|只|件|天|小时|分钟|岁|吨|张|支|箱|页|辆|名"
    r"|棵|台|套|双|厘米|分米|升|斤|公里))"
)
_EN_LETTER = re.compile(
    r"\$([a-z])\b(?!\w)|(?<![A-Za-z'’.])([b-hj-z]) (?:dollars|cents|books|apples|miles|hours|minutes|days|years|pounds"
    r"|students|people|boys|girls|tickets|marbles|pens|pencils|boxes|bags|feet|meters|kilometers|inches|liters|gallons)\b"
)
_LETTER_ASKED = (
    r"求[^。，]{0,6}LETTER|LETTER\s*(?:的值|[是为]多少|[是为]几|等于)|LETTER\s*[=＝]|[=＝]\s*LETTER|设[^。，]{0,12}LETTER"
    r"|(?:find|what (?:is|are)|value of|values of|solve for|determine|let) (?:the value of )?LETTER\b"
)
_EN_NAME = re.compile(r"(?<=[a-z,0-9] )[A-Z][a-z']*\b")
_ZH_NAMES_OF_THINGS = frozenset("甲乙丙丁ABCDabcd长宽高男女")
NAME = 4.0
_NAMED_BY_NUMBER = frozenset("路号班年月时点")
MAX_NUMBERS_WITH_LETTER = 3
_GIVEN = re.compile(
    r"公(?:[约因]数|倍数|因子)(?:是|为|＝|=)?\s*\d|质因数|互质"
    r"|\b(?:factor|divisor|multiple) (?:is|was) \d",
    re.IGNORECASE,
)
_GCD_AND_LCM = re.compile(r"最大公.{1,12}最小公倍数|最小公倍数.{1,6}最大公", re.DOTALL)
_PRODUCT = re.compile(r"(?:[A-Za-z]|[甲乙丙]数?)\s*[=＝]\s*(\d+(?:\s*[×*·]\s*\d+)+)(?!\s*[×*·])")
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
        found = (chinese_things if self.language == "zh" else english_things)(self.text)
        return tuple(  # 够吗？为什么？ is one part
            thing
            for place, thing in enumerate(found)
            if thing.relation != "none" or place == 0 or found[place - 1].relation != "none"
        )

    @property
    def asked_text(self) -> str:
        """The words of the questions, one after the other."""
        return " ".join(f"{thing.question} {thing.words}" for thing in self.things)

    @cached_property
    def decimals(self) -> int | None:
        """How many decimals a Chinese text wants the answer to have; None if it does not say."""
        return decimals_asked(self.text) if self.language == "zh" else None

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

    def counterpart(self, words: frozenset[str]) -> tuple[frozenset[str], frozenset[str]] | None:
        """Return the words that distinguish a thing from its partner in the text, and the partner's words.

        If the text has `roses and tulips`, the words of `how many roses are in the vase` choose the first. Return None
        if the thing has no partner.
        """
        for first, second in (*self._named_pairs, *self._opposites):
            one, two = first - second, second - first
            for own, other in ((one, two), (two, one)):
                known = own & words
                if not other & words and 2 * len(known) >= len(own) > 0:
                    return own, other
        return None

    @cached_property
    def _named_pairs(self) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
        """The pairs whose words distinguish them; 2分球 and 3分球 have the same words."""
        if self.language == "en":
            return self.pairs
        found = [match for match in _ZH_PAIR.finditer(self.text) if not re.search(r"\d", match[1])]
        found += _ZH_MATCHED.finditer(self.text)
        named = (
            (words_of(_ZH_BEFORE_NAME.sub("", m[1]), "zh"), words_of(_ZH_AFTER_NAME.split(m[2])[0], "zh"))
            for m in found
        )
        return tuple((first, second) for first, second in named if first and second and first != second)

    @cached_property
    def _opposites(self) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
        """Opposite words that the text has both of: first and second, 大 and 小."""
        own = words_of(self.text, self.language)
        listed = _EN_OPPOSITES if self.language == "en" else _ZH_OPPOSITES
        both = (pair.split() if self.language == "en" else list(pair) for pair in listed.split(","))
        return tuple((frozenset({one}), frozenset({two})) for one, two in both if one in own and two in own)

    @cached_property
    def listed(self) -> tuple[tuple[str, ...], ...]:
        """Names of things that the text mentions together, as it writes them: (ducks, lambs), (鸡, 兔)."""
        pattern = _ZH_NAMES if self.language == "zh" else _EN_NAMES
        found = [tuple(part.strip() for part in match.groups() if part) for match in pattern.finditer(self.text)]
        if self.language == "zh":
            found += [tuple(filter(None, match.groups())) for match in _ZH_STEMS.finditer(self.text)]
        else:
            found += [match.groups() for match in _EN_COMPARED.finditer(self.text)]
            for priced in (_EN_PRICED.findall(self.text), _EN_AT.findall(self.text)):
                if len(priced) > 1:
                    found.append(tuple(name if name.isupper() else name.lower() for name in priced))
        return tuple(names for names in found if all(words_of(name, self.language) for name in names))

    @cached_property
    def common(self) -> tuple[int, ...]:
        """The numbers whose common divisor or multiple the text names and asks for; empty if it does not."""
        if not self.things or self.things[0].relation not in ("gcd", "lcm") or _GIVEN.search(self.text):
            return ()
        if _GCD_AND_LCM.search(self.text):
            return ()  # their sum or difference
        if products := _PRODUCT.findall(self.text):  # A=2×3×5，B=3×5×7
            return tuple(math.prod(map(int, re.findall(r"\d+", one))) for one in products) if len(products) > 1 else ()
        numbers = [n for n in self.numbers if self.text[n.end : n.end + 1] not in _NAMED_BY_NUMBER]
        wholes = [n for n in numbers if n.value.denominator == 1 and n.value > 1 and any(map(str.isdigit, n.text))]
        stated = [n for n in wholes if self.is_argument(n)]
        values = tuple(dict.fromkeys(int(n.value) for n in (stated if len(stated) > 1 else wholes)))
        return values if len(values) > 1 else ()

    @cached_property
    def letter(self) -> str:
        """A letter that stands for a number of the text (每本x元) and is not what is asked for; otherwise empty."""
        if len(self.numbers) > MAX_NUMBERS_WITH_LETTER:
            return ""  # a long text with letters asks for their values
        pattern = _ZH_LETTER if self.language == "zh" else _EN_LETTER
        for found in pattern.finditer(self.text):
            name = re.escape(next(group for group in found.groups() if group))
            alone = len(re.findall(rf"(?<![A-Za-z]){name}(?![A-Za-z])", self.text)) == 1
            if alone and not re.search(_LETTER_ASKED.replace("LETTER", name), self.text, re.IGNORECASE):
                return name
        return ""

    def before(self, question: str) -> str:
        """Return the text before a question that is quoted from it; empty if it opens the text or is not found."""
        return self.text[: max(0, self.text.find(question[:-1]))]

    def is_argument(self, number: NumberSlot) -> bool:
        """Return whether a number stands where the numbers of a named divisor or multiple stand: GCF of 84 and 126."""
        before, after = self.text[: number.start], self.text[number.end :]
        return bool(_OF.search(before) or _OF_ZH.match(after))

    def rarity(self, word: str) -> float:
        """Return how informative a word is: the more often the text has it, the less."""
        count = self.text.count(word) if self.language == "zh" else self._counts[word]
        return 1.0 / math.sqrt(max(1, count - 1))

    def is_name(self, word: str) -> bool:
        """Return whether a word is a name: Sue, 甲."""
        if self.language == "zh":
            return word in _ZH_NAMES_OF_THINGS
        return word in self._names or word.startswith("letter_")

    def weight(self, word: str) -> float:
        """Return how much a word says about who is compared; names say more than other words."""
        return self.rarity(word) * (NAME if self.is_name(word) else 1.0)

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
        return comparisons_of(self.text, self.language, self.numbers) + transfers_of(
            self.text, self.language, self.numbers
        )


@lru_cache(maxsize=256)
def read_questions(text: str, language: Language) -> Reading:
    """Return the reading of a text. All callers share one object per text, so that it is analyzed once."""
    return Reading(text, language)
