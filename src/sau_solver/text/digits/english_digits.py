"""English stories about the digits of a number: every clause says something, asks something or only introduces it."""

from __future__ import annotations

import re

from sau_solver.equations.expressions import Expression
from sau_solver.text.common_stories.told_stories import MAX_CHARACTERS, told
from sau_solver.text.digits.digit_cards import english_cards
from sau_solver.text.digits.digit_reading import DigitReading, together
from sau_solver.text.digits.digit_story import MAX_LENGTH, MIN_LENGTH, DigitAsk, DigitStory, Said, Wanted
from sau_solver.text.digits.english_digit_words import length_of, lettered

_IS = r" (?:is also|is equal to|are equal to|is exactly|is|are|was|were|will be|would be|equals|becomes|must be) "
_SPLIT = re.compile(r", and also |, and |, but |; and |, |; | and also | and |,? (?=if |when )")
_CONNECTED = re.compile(
    r"^(?:(?:if|when|and|also|then|but|suppose|given|it is known|such|in N,?|for N,?|in addition,?|moreover,?|further,?"
    r"|furthermore,?|additionally,?|it is found) (?:that )?)+"
)
_NOTHING = re.compile(
    r"(?:i am (?:thinking of )?N|i have N(?: in mind)?|there is N|consider N|think of N"
    r"|[a-z]+ (?:is thinking of|thinks of"
    r"|thought of|writes down|wrote down|picks|chose|has) N|N (?:consists of|has|contains) (?:only |exactly )?\d digits"
    r"|in N|for N)"
)
_FIND = re.compile(
    r"(?:please )?(?:find out|find|determine|what (?:is|was|are|were|must be|would be)|calculate|identify|give|name"
    r"|work out|compute|can you (?:find|tell me)|state) (?P<rest>.+)"
)
_WHICH = re.compile(
    r"(?:what|which) N (?:is it|is this|was it|am i|is that|could it be|is (?:he|she) thinking of)|what am i"
    r"|who am i|what is it"
)
_SUPERLATIVE = re.compile(r"(?:the )?(?P<which>largest|smallest)(?: possible)? N(?: (?P<rest>.+))?")
_COUNT = re.compile(r"how many NS(?: are there| exist)?(?: (?P<rest>(?!are there).+?))?(?: are there| exist)?")
_RELATIVE = re.compile(
    r"(?P<in>in which|where|such that|so that|for which) |(?P<whose>whose) "
    r"|(?P<has>with|have|has|having|that (?:have|has)|which (?:have|has)) |(?P<which>(?:that"
    r"|which)(?: also)?) (?=is |are |can )"
)
_PREDICATE_SPLIT = re.compile(r",? and (?=(?:whose|that|which|a |an |[OTHK] )\b)|, (?=whose|which|that)")
_TURNED = r"digits turned(?: to form R)?,? (?:then )?"
_CHANGES = r"(?:is |will be |would be |will |would )?(increase|decrease)s?d?"


_CUE = re.compile(r"\bdigits?\b|\b(?:two|three|four|2|3|4)-digit|\bplace\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.?!])\s+")
_ADJECTIVE = re.compile(r"\b(?P<one>even|odd) (?=\d-digit numbers?\b)|(?<=\d-digit )(?P<other>even|odd) (?=numbers?\b)")
_MULTIPLE = re.compile(r"(?<=\d-digit )multiple of (\d+)\b")
_BETWEEN = re.compile(r"\bnumber (?:which is |that is )?(between \d+ and \d+)(?= (?:has|is|whose)\b|[.,])")


def english_story(text: str) -> DigitStory | None:
    """Return the story about digits that an English text tells."""
    if len(text) > MAX_CHARACTERS or not _CUE.search(text):
        return None
    written = told(text, "en", whole=False)
    if written is None:
        return None
    plain = written.text.lower()
    if found := english_cards(plain):
        return found
    length = length_of(plain)
    if not MIN_LENGTH <= length <= MAX_LENGTH:
        return None
    reading = EnglishDigits(length)
    plain = _with_kinds_said(plain, reading)
    understood = all(map(reading.read, _SENTENCE.split(lettered(plain, length))))
    return reading.story() if understood else None


def _with_kinds_said(text: str, reading: EnglishDigits) -> str:
    """Return a text without the words that say that its number is odd, a multiple or between two numbers."""
    for kind in _ADJECTIVE.finditer(text):
        reading.said += reading.parity("N", kind["one"] or kind["other"]) or []
    for multiple in _MULTIPLE.finditer(text):
        reading.said += reading.divisible("N", multiple[1]) or []
    for between in _BETWEEN.finditer(text):
        reading.said += reading.statement(f"N is {between[1]}") or []
    return _BETWEEN.sub("number", _MULTIPLE.sub("number", _ADJECTIVE.sub("", text)))


class EnglishDigits(DigitReading):
    """Reads the lettered sentences of an English text."""

    turning = False  # the clause before only says that the digits are reversed

    def read(self, sentence: str) -> bool:
        """Read one sentence; False if a part of it is not understood."""
        sentence = sentence.strip(" .?!,;:")
        if not sentence or self._read_one(sentence):
            return True
        said, asks, turning = len(self.said), len(self.asks), self.turning
        for cut in _SPLIT.finditer(sentence):
            if self._read_one(sentence[: cut.start()]) and self.read(sentence[cut.end() :].removeprefix("that ")):
                return True
            del self.said[said:], self.asks[asks:]
            self.turning = turning
        return False

    def _read_one(self, clause: str) -> bool:
        clause = _CONNECTED.sub("", clause.strip(" ,"))
        if clause == "digits turned":
            self.turning = True
            return self.turn_around()
        if self.turning and not re.search(r"\bR\b", clause):  # the tens digit of which number?
            return False
        self.turning = False
        if _NOTHING.fullmatch(clause):
            return True
        if (asked := self._asked(clause)) is not None:
            self.asks += asked
            return True
        found = self.statement(clause)
        self.said += found or []
        return found is not None

    def quantity(self, words: str) -> Expression | None:
        """Return the quantity that some words name."""
        words = re.sub(r"^(?:exactly |just |only |also |equal to |the |a total of )+", "", words.strip())
        if (atom := self.atom(words)) is not None:
            return atom
        if found := re.fullmatch(r"(\d+) (more|less) than (.+)", words):
            return self.joined("+", (found[3], found[1])) if found[2] == "more" else self.less(found[3], found[1])
        if found := re.fullmatch(r"(.+) (plus|increased by|minus|decreased by|diminished by|reduced by) (.+)", words):
            added = found[2] in ("plus", "increased by")
            return self.joined("+", (found[1], found[3])) if added else self.less(found[1], found[3])
        if found := re.fullmatch(r"(sum|product) of (.+)", words):
            parts = re.split(r",? and |, ", found[2])
            return self.joined("+" if found[1] == "sum" else "*", parts) if len(parts) > 1 else None
        if words.startswith("their ") and self.turned:  # of the digits, or of the two numbers
            return None
        if words in ("difference of digits", "their difference"):
            return self.apart("T", "O") if self.numeral.length == 2 else None
        if words == "sum of squares":
            return self.squares()
        if found := re.fullmatch(r"square of (.+)", words):
            return self.joined("*", (found[1], found[1]))
        if words in ("their sum", "their product"):
            return self.atom("S" if words == "their sum" else "P")
        if found := re.fullmatch(r"difference (?:of|between) (.+) and (.+)", words):
            return self.apart(found[1], found[2])
        of = r"(?:times )?(?:as (?:large|big|great|much|many) as |of |that of |the )*"
        if found := re.fullmatch(rf"(\d+|\d+/\d+) {of}(.+)", words):
            return self.multiple(found[1], found[2])
        found = re.fullmatch(r"(.+) (?:multiplied by|times) (\d+)", words)
        return self.multiple(found[2], found[1]) if found else None

    # --- questions ---------------------------------------------------------------------------------------------------

    def _asked(self, clause: str) -> list[DigitAsk] | None:
        if _WHICH.fullmatch(clause):
            return self.ask("N")
        if found := re.fullmatch(r"(?:what|which) (N (?:is|has) .+)", clause):
            return self._asked_with("value", found[1].removeprefix("N "))
        if counted := _COUNT.fullmatch(clause):
            return self._asked_with("count", counted["rest"])
        if not (found := _FIND.fullmatch(clause)):
            return None
        rest = found["rest"]
        if most := _SUPERLATIVE.fullmatch(rest):
            return self._asked_with("largest" if most["which"] == "largest" else "smallest", most["rest"])
        if re.fullmatch(r"(?:the )?(?:2 |3 |4 )?digits(?: (?:of|in) N)?", rest):
            return [DigitAsk("digits")]
        if re.fullmatch(r"(?:the )?[NROTHKSP]|(?:the )?(?:sum of|difference between) N and R", rest):
            return self.ask(rest)
        if (split := re.fullmatch(r"(?:the )?([NROTHK]) and (?:the )?([NROTHK])", rest)) and split[1] != split[2]:
            one, other = self.ask(split[1]), self.ask(split[2])
            return None if one is None or other is None else one + other
        return self._asked_with("value", rest[2:]) if rest.startswith("N ") else None

    def _asked_with(self, wanted: Wanted, predicate: str | None) -> list[DigitAsk] | None:
        """Return that the numbers of some kind are asked for, after what is said about them."""
        if predicate:
            found = self._predicates(predicate)
            if found is None:
                return None
            self.said += found
        return self.ask("N") if wanted == "value" else [DigitAsk(wanted)]

    # --- statements --------------------------------------------------------------------------------------------------

    def statement(self, clause: str) -> list[Said] | None:
        """Return what a clause says about the digits; None if it is not understood."""
        clause = _CONNECTED.sub("", clause)
        if (said := self._turning(clause)) is not None:
            return said
        if found := re.fullmatch(r"(.+) exceeds (.+) by (\d+)", clause):
            return self.differing(found[1], found[2], found[3])
        if found := re.fullmatch(rf"(.+){_IS}(more|less) than (.+) by (\d+)", clause):
            return self.differing(found[1], found[3], found[4] if found[2] == "more" else f"-{found[4]}")
        if found := re.fullmatch(rf"(.+){_IS}(more|less) than (.+)", clause):
            return self.compared(found[1], ">" if found[2] == "more" else "<", found[3])
        if found := re.fullmatch(rf"([OT]){_IS}(?:the )?(more|less)(?: one| digit)(?: of the 2(?: digits)?)?", clause):
            return self.compared(found[1], ">" if found[2] == "more" else "<", "OT".replace(found[1], ""))
        if found := re.fullmatch(rf"(.+){_IS}(?:an )?(odd|even)(?: N| digit)?", clause):
            return self.parity(found[1], found[2])
        if found := re.fullmatch(
            rf"(.+){_IS}(?:exactly )?(?:divisible by|a multiple of|multiples of)(?: both)? (\d+)(?: and (\d+))?", clause
        ):
            return together([self.divisible(found[1], one) for one in found.groups()[1:] if one])
        if found := re.fullmatch(
            rf"(.+){_IS}(?:between|more than) (\d+) and (?:also |is )?(?:less than )?(\d+)", clause
        ):
            return together([self.compared(found[1], ">", found[2]), self.compared(found[1], "<", found[3])])
        if found := re.fullmatch(
            rf"(.+){_IS}divided by (.+?),? (?:(?:then )?the quotient is|it gives a quotient of|the result is) (\d+)"
            r"(?:,? and (?:the|a) remainder (?:is|of)| with (?:a )?remainder(?: of)?) (\d+)",
            clause,
        ):
            return self.divided(*found.groups())
        if found := re.fullmatch(r"(?:N |both |the 2 |the |its |my |2 )*digits (?:of N )?(.+)", clause):
            return self._digits(found[1])
        if found := re.fullmatch(r"N (?:also )?(?:has|have|consists of|is made up of) (.+)", clause):
            return self._predicate(found[1])
        if found := re.fullmatch(rf"N{_IS}(.+) and (.+)", clause):  # is 4 times S and twice P
            return together([self.equal("N", found[1]), self.equal("N", found[2])])
        if found := re.fullmatch(r"i am N ((?:less|more) than \d+|divisible by \d+)", clause):
            return self.statement(f"N is {found[1]}")
        for cut in re.finditer(_IS, clause):
            if (said := self.equal(clause[: cut.start()], clause[cut.end() :])) is not None:
                return said
        return None

    def _turning(self, clause: str) -> list[Said] | None:
        """Return what a clause says about the number with its digits in the opposite order."""
        if re.search(r"\bR\b|turn", clause) and not self.turn_around():
            return None
        if found := re.fullmatch(rf"(?:{_TURNED}(?:N|R|the result)|turning) {_CHANGES}(?: (?:N|it))? by (\d+)", clause):
            return self.differing("R", "N", found[2] if found[1] == "increase" else f"-{found[2]}")
        if found := re.fullmatch(
            rf"{_TURNED}(?:N|R|it|the result|the value|you get|it becomes)((?:{_IS})|(?: exceeds )| )(.+)", clause
        ):
            verb = found[1] if found[1].strip() else " is "
            return self.statement(f"R{verb}{found[2]}")
        if found := re.fullmatch(rf"{_TURNED}(?:you )?(increase|decrease)s? (?:N|its value|it) by (\d+)", clause):
            return self.differing("R", "N", found[2] if found[1] == "increase" else f"-{found[2]}")
        if found := re.fullmatch(rf"N {_CHANGES} by (\d+),? (?:when|if) digits turned", clause):
            return self.differing("R", "N", found[2] if found[1] == "increase" else f"-{found[2]}")
        if found := re.fullmatch(rf"{_TURNED}(.+\bR\b.*)", clause):
            return self.statement(found[1])
        added = r"(\d+) (?:is |be )?(added to|subtracted from|taken from|taken away from) (?:N|it)"
        if found := re.fullmatch(
            rf"{added}(?:,| and)? (?:then )?(?:the result (?:is|will be) )?(digits turned|R|.+)", clause
        ):
            result = "R" if found[3] == "digits turned" else re.sub("^the result (?:is|will be) ", "", found[3])
            return self.equal(f"N {'plus' if found[2] == 'added to' else 'minus'} {found[1]}", result)
        if found := re.fullmatch(
            r"(adding|subtracting) (\d+) (?:to|from) N (?:turns|reverses) (?:the|its) digits", clause
        ):
            return self.equal(f"N {'plus' if found[1] == 'adding' else 'minus'} {found[2]}", "R")
        return None

    def _digits(self, rest: str) -> list[Said] | None:
        """Return what a clause says about all digits: add up to 5, are the same, have a sum of 5."""
        if re.fullmatch(r"are (?:all )?(?:the same|equal|identical)", rest):
            return self.all_equal()
        if re.fullmatch(r"are (?:all )?different", rest):
            return self.all_different()
        if found := re.fullmatch(
            r"(?:add up to|add to|sum to|total|(?:have|with|having) a (?:sum|total) of) (\d+)", rest
        ):
            return self.equal("S", found[1])
        if found := re.fullmatch(r"(?:have|with|having) a product of (\d+)|multiply to (\d+)", rest):
            return self.equal("P", found[1] or found[2])
        if (found := re.fullmatch(r"differ by (\d+)", rest)) and self.numeral.length == 2:
            return self.equal("difference of digits", found[1])
        return None

    # --- what follows a number: whose digits add up to 5, that has a tens digit of 6 ----------------------------------

    def _predicates(self, words: str) -> list[Said] | None:
        parts = [words] if self._understood(words) is not None else _PREDICATE_SPLIT.split(words)
        return together([self._understood(part) for part in parts])

    def _understood(self, words: str) -> list[Said] | None:
        """Return what a relative clause says about the number."""
        if not (start := _RELATIVE.match(words)):
            verb = "" if re.match("is |are |can ", words) else "is "
            return (
                self.statement(f"N {verb}{words}") if verb == "" or re.match("divisible |less |more ", words) else None
            )
        rest = words[start.end() :]
        if start["in"]:
            return self.statement(rest)
        if start["which"]:
            return self.statement(f"N {rest}")
        if start["has"]:
            return self._predicate(rest)
        if re.match(r"(?:2 |3 )?digits ", rest):
            return self._digits(rest.split("digits ", 1)[1])
        return self.equal("S", rest[7:]) if rest.startswith("sum is ") else self.statement(rest)

    def _predicate(self, words: str) -> list[Said] | None:
        """Return what is said about a number that has something: a tens digit of 6, digits whose sum is 5."""
        if found := re.fullmatch(r"(?:a |an )?([OTHKSP]) (?:of|that is|which is|equal to|that equals) (.+)", words):
            if re.match("(?:more|less) than ", found[2]):
                return self.statement(f"{found[1]} is {found[2]}")
            return self.equal(found[1], found[2])
        if found := re.fullmatch(
            r"(?:\d )?digits (?:whose|with a|that have a|which have a) (sum|product) (?:is|of) (\d+)", words
        ):
            return self.equal("S" if found[1] == "sum" else "P", found[2])
        if found := re.fullmatch(
            r"(?:\d )?digits (?:that |which )?(add(?:ing)? up to|sum(?:ming)? to|add(?:ing)? to) (\d+)", words
        ):
            return self.equal("S", found[2])
        if re.fullmatch(r"(?:\d )?(?:identical|equal|the same)(?: \d)? digits", words):
            return self.all_equal()
        return self.all_different() if re.fullmatch(r"(?:\d |all )?different digits", words) else None
