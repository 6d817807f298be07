"""Chinese stories about the digits of a number: every clause says something, asks something or only introduces it."""

from __future__ import annotations

import re

from sau_solver.equations.expressions import Expression
from sau_solver.text.common_stories.told_stories import MAX_CHARACTERS
from sau_solver.text.digits.chinese_digit_words import chinese_digits_told, chinese_letters
from sau_solver.text.digits.digit_cards import chinese_cards
from sau_solver.text.digits.digit_reading import PLACES, DigitReading, together
from sau_solver.text.digits.digit_story import MAX_LENGTH, MIN_LENGTH, DigitAsk, DigitStory, Said, Wanted

_CUE = re.compile(r"[一两二三四1-4]位[数奇偶]|数字")
_LENGTH = re.compile(r"([1-9])位[奇偶单双]?数")
_CLAUSE = re.compile(r"[，,。．；;？?！!：:]")
_KIND = re.compile(r"(?<=\d位)([奇偶单双])(?=数)")

_START = (
    r"(?:(?:那么|如果|若|假如|且|并且|而且|又知|又|已知|其中|同时|而|则|现在|如|但|并|知道|满足|此时|这时|这样|即)*)"
)
_NOTHING = re.compile(
    r"(?:有)?N|(?:小[\u4e00-\u9fff]|老师|[甲乙])?(?:心里)?(?:想|写|想好|写出|想到)(?:了)?N|N是N|你知道吗|请问|猜1猜|问|[(（]?用方程来?解[)）]?"
)
_TWO = rf"(?P<first>[{PLACES}])与(?P<second>[{PLACES}])"
_TURN = re.compile(
    rf"(?:把|将|对调)?(?:N)?的?(?:{_TWO}|两数字)(?:的)?(?:位置)?(?:互相)?(?:对调(?:位置)?|颠倒(?:位置|过来)?)?(?:位置)?(?P<after>之?后|以后)?(?:(?:得到|变成|组成|形成|成为)(?:1个)?(?=R))?"
)
_ADD = re.compile(r"(?:把|将|给|用)?N(?P<sign>加上|加|增加|减去|减|减少)(?P<amount>\d+)(?:后|以后|之后)?")
_ASKED = re.compile(
    r"(?:求|问|求出|试求|请?求)?(?P<what>.+?)(?:各|分别)?(?:是多少|是几|是什么数|是什么|等于多少|为多少|是谁|多少|是哪个数|为几|是)"
    r"|(?:求|求出|试求)(?P<sought>.+)"
)
_THOUGHT = re.compile(r"(?:小[\u4e00-\u9fff]|老师)(?:心里)?(?:想|写)的(?:数|N)")
_COUNT = re.compile(
    r"(?:(?P<rest>.+)的)?(?:不同的)?N(?:[1一]共|总共|共)?(?:有)?(?:多少|几)个|(?P<other>.+)的N(?:[1一]共|共)?有"
)
_SUPERLATIVE = re.compile(r"(?:(?P<rest>.+)的)?(?P<most>最[大小])的?N")


def chinese_story(text: str) -> DigitStory | None:
    """Return the story about digits that a Chinese text tells."""
    if len(text) > MAX_CHARACTERS or not _CUE.search(text):
        return None
    plain = chinese_digits_told(text)
    if plain is None:
        return None
    if found := chinese_cards(plain):
        return found
    lengths = set(_LENGTH.findall(plain))
    if len(lengths) != 1 or not MIN_LENGTH <= (length := int(lengths.pop())) <= MAX_LENGTH:
        return None
    if any(int(count) != length for count in re.findall(r"(\d)个?(?:数位|数字)", plain)):
        return None
    reading = ChineseDigits(length)
    for kind in _KIND.findall(plain):
        reading.said += reading.parity("N", "odd" if kind in "奇单" else "even") or []
    return reading.story() if reading.read(chinese_letters(_KIND.sub("", plain))) else None


class ChineseDigits(DigitReading):
    """Reads the lettered clauses of a Chinese text.

    A clause without a subject is about the quantity that the clause before it introduces or makes.
    """

    subject = "N"  # of a clause that names none
    made = ""  # what 所得的数 stands for
    changed = False  # the clause before changes the number, so that words may be about the new one

    def read(self, text: str) -> bool:
        """Read all clauses; False if one of them is not understood."""
        text = re.sub(r"除以([^，]+)，?商是?(\d+)，?(?:而|且)?余数?是?(\d+)", r"除以\1商\2余\3", text)
        return all(self._read_one(clause) for clause in _CLAUSE.split(text) if clause)

    def _read_one(self, clause: str) -> bool:
        if not (clause := re.sub(rf"^{_START}", "", clause)):
            return True
        if _NOTHING.fullmatch(clause):
            self.subject = "N"
            return True
        if (asked := self._asked(clause)) is not None:
            self.asks += asked
            return True
        if (rest := self._event(clause)) is not None:
            self.changed = True
            return not rest or self._state(rest)
        return self._state(clause)

    def _state(self, clause: str) -> bool:
        clause = re.sub(rf"^{_START}", "", clause)
        if self.changed and not re.search("[RG]", clause) and not re.match("[比是等为成变得]", clause):
            return False
        self.changed = False
        found = self.statement(clause)
        self.said += found or []
        return found is not None

    def _event(self, clause: str) -> str | None:
        """Read that digits change places or that a number is added; return the rest of the clause."""
        found = _TURN.match(clause)
        if found and ("对调" in found[0] or "颠倒" in found[0]):
            if not self._turn(found):
                return None
            self.subject = self.made = "R"
            return re.sub(r"^(?:后|，)?(?:得到|得|组成)?(?=R)", "", clause[found.end() :])
        if (found := _ADD.match(clause)) and (found.end() == len(clause) or found[0].endswith("后")):
            self.subject = self.made = f"N{'加' if found['sign'][0] in '加增' else '减'}{found['amount']}"
            return clause[found.end() :]
        return None

    def _turn(self, found: re.Match[str]) -> bool:
        if found["first"]:
            return self.turn(PLACES.index(found["first"]), PLACES.index(found["second"]))
        return self.turn_around()

    # --- questions ---------------------------------------------------------------------------------------------------

    def _asked(self, clause: str) -> list[DigitAsk] | None:
        if found := _COUNT.fullmatch(clause):
            return self._asked_of_all("count", found["rest"] or found["other"])
        if not (found := _ASKED.fullmatch(clause)):
            return None
        what = _THOUGHT.sub("N", found["what"] or found["sought"])
        if most := _SUPERLATIVE.fullmatch(what):
            return self._asked_of_all("largest" if most["most"] == "最大" else "smallest", most["rest"])
        if len(what) > 1 and not re.fullmatch(r"[NROTHK]与[NROTHK]", what):
            return None
        asked = [self.ask(one) for one in what.split("与")]
        return None if any(one is None for one in asked) else [one for each in asked if each for one in each]

    def _asked_of_all(self, wanted: Wanted, said: str | None) -> list[DigitAsk] | None:
        """Return that all numbers of some kind are asked about, after what is said about them."""
        for part in re.split("且|并且", said) if said else ():
            found = self.statement(part)
            if found is None:
                return None
            self.said += found
        return [DigitAsk(wanted)]

    # --- statements --------------------------------------------------------------------------------------------------

    def statement(self, clause: str) -> list[Said] | None:
        """Return what a clause says about the digits; None if it is not understood."""
        if found := re.fullmatch(r"(.*)比(.+?)(大|多|小|少)了?(\d+)", clause):
            return self.differing(self._named(found[1]), found[2], found[4] if found[3] in "大多" else f"-{found[4]}")
        if found := re.fullmatch(r"(.*?)(?:比(.+)(?P<than>大|小)|(?P<is>大|小)于(.+))", clause):
            relation = ">" if "大" in (found["than"], found["is"]) else "<"
            return self.compared(self._named(found[1]), relation, found[2] or found[5])
        if found := re.fullmatch(
            r"(.*?)(?:能|可以)被(\d+)整除|(.*?)是(\d+(?:[、和与]\d+)*)的(?:公)?倍数|(.*?)有因数(\d+)", clause
        ):
            own = self._named(found[1] or found[3] or found[5] or "")
            divisors = re.findall(r"\d+", found[2] or found[4] or found[6])
            return together([self.divisible(own, one) for one in divisors])
        if found := re.fullmatch(r"(.*?)是1?个?([奇偶单双])数", clause):
            return self.parity(self._named(found[1]), "odd" if found[2] in "奇单" else "even")
        if found := re.fullmatch(r"(.*?)在(\d+)(?:和|与|到|至|~)(\d+)之间", clause):
            own = self._named(found[1])
            return together([self.compared(own, ">", found[2]), self.compared(own, "<", found[3])])
        if found := re.fullmatch(r"(.*?)除以(.+)商(\d+)余(\d+)", clause):
            return self.divided(self._named(found[1]), *found.groups()[1:])
        if re.fullmatch(r"(?:两数字|T与O)(?:完全)?(?:相同|相等|1样)", clause):
            return self.all_equal() if self.numeral.length == 2 or "两" in clause else None
        if found := re.fullmatch(r"(.+)与(.+)(?:相同|相等)", clause):
            return self.equal(found[1], found[2])
        if found := re.fullmatch(r"(.+)与(.+)相差(\d+)", clause):
            return self.differing_by(found[1], found[2], found[3])
        for cut in re.finditer("等于|成为|变成|等|是|为|成|得|=", clause):
            said = self.equal(self._named(clause[: cut.start()]), clause[cut.end() :])
            if said is not None:
                return said
        return None

    def _named(self, words: str) -> str:
        """Return the words of a subject; those of the clause before if this one names none."""
        if not self.turned:  # otherwise of the digits, or of the two numbers
            words = {"和": "S", "它们的和": "S", "积": "P", "它们的积": "P"}.get(words, words)
        return words or self.subject

    def quantity(self, words: str) -> Expression | None:
        """Return the quantity that some words name."""
        if (atom := self.atom(words)) is not None:
            return atom
        if words == "G":
            return self.quantity(self.made) if self.made and self.made != "G" else None
        if self._is_turned(words):
            return self.atom("R")
        if found := re.fullmatch(r"(.+?)(?:之和|的和|之积|的积|的乘积|之差|的差)", words):
            kind, parts = words[-1], found[1].split("与")
            if kind == "差":
                signed = re.fullmatch("(.+)减去?(.+)", found[1])
                return self.less(signed[1], signed[2]) if signed else self.apart(*parts) if len(parts) == 2 else None
            return self.joined("+" if kind == "和" else "*", parts) if len(parts) > 1 else None
        if found := re.fullmatch(r"(.+)的(?:(\d+)倍|(\d+/\d+))", words):
            return self.multiple(found[2] or found[3], found[1])
        if found := re.fullmatch(r"(.+)(?:加上?|增加)(\d+)", words):
            return self.joined("+", (found[1], found[2]))
        if found := re.fullmatch(r"(.+)(?:减去?|减少)(\d+|[OTHK])", words):
            return self.less(found[1], found[2])
        return None

    def _is_turned(self, words: str) -> bool:
        """Return whether some words name the number after its digits changed places, which they say themselves."""
        found = _TURN.match(words)
        if not found or not ("对调" in found[0] or "颠倒" in found[0]):
            return False
        ended = re.fullmatch(
            r"(?:之?后|以后)?(?:所?(?:得到?|组成|形成))?的?(?:R|G|N|新?\d?位?数|数)", words[found.end() :]
        )
        return bool(ended) and self._turn(found)
