"""Statements that two amounts would be equal after a change -> comparisons.

Examples: "if Ann gives Ben 5, they have the same" and 足球再多5个就和排球同样多.
These mean: Ann has 10 more than Ben, and there are 5
fewer footballs than volleyballs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from sau_solver.problem import Language
from sau_solver.text.asking.comparisons import Comparison
from sau_solver.text.asking.mentions import words_of
from sau_solver.text.numbers import NumberSlot

_N = r"(?P<n>\d[\d.]*|[a-z]+|[两二三四五六七八九十]+)"
_ZH_SAME = r"(?:同样多|一样多|相等|同样长|一样长|一样重|相同)"
_ZH_NAME = r"[^，。；？！\d给从比]"
_ZH_GIVES = re.compile(
    rf"(?P<a>{_ZH_NAME}{{1,8}}?)(?:如果|若|要是)?(?:送|借|分)?给了?(?P<b>{_ZH_NAME}{{1,6}}?)(?P<n>\d+)(?P<rest>[^。？！]*)"
)
_ZH_MOVED = re.compile(
    r"从?(?P<a>[^，。；？！\d从]{1,8}?)(?:里|中)?(?:拿|搬|取|调|运|借|倒|移|抽|挪)出?(?P<n>\d+)[^，。；？！\d]{0,6}?"
    r"(?:放|到|给|去|往|进|支援|入)+(?P<b>[^，。；？！\d]{1,6}?)(?:，|里|中|后|去|时)(?P<rest>[^。？！]*)"
)
_ZH_IF_MORE = re.compile(
    rf"(?P<a>{_ZH_NAME}{{1,8}}?)(?:如果|若|要是)?(?:再|又)?(?:(?P<more>多|增加|买来?|加上?|添)|少|减少|拿走|卖掉|吃掉|用去|去掉)了?"
    rf"(?P<n>\d+)[^，。；？！\d]{{0,3}}，?(?:就|则|那么|便|后)*[^，。；？！\d]{{0,3}}?[和与跟同](?P<b>{_ZH_NAME}{{1,6}}?)"
    rf"[^，。；？！\d]{{0,4}}?{_ZH_SAME}"
)
_ZH_EQUAL = re.compile(_ZH_SAME)
_ZH_STILL = re.compile(r"比[^，。；？！\d]{0,6}?(?:(?P<more>多|长|重)|少|短|轻)(?P<k>\d+)")
_ZH_MULTIPLE = re.compile(r"(?:是|为)[^，。；？！\d]{1,6}?的(?P<k>\d+)倍")
_EN_SAME = r"(?:the same|equal(?:ly)?\b|as (?:many|much|long|old|heavy)|even\b)"
_EN_GIVES = re.compile(
    rf"\b(?P<a>[A-Z][a-z]+|the \w+) (?:gives?|gave|hands?|lends?|passes) (?P<b>[A-Z][a-z]+|the \w+|her|him)"
    rf" \$?{_N}\b[^.?!]*?\b{_EN_SAME}"
)
_EN_IF_MORE = re.compile(
    rf"\b[Ii]f (?:(?:there were |there are )?\$?{_N} (?P<more>more|extra|fewer|less) (?P<a>[a-z]+)"
    rf"|(?P<who>[\w ]{{1,20}}?) (?:had|has|were|was|got|weighed|cost) \$?(?P<m>\d[\d.]*) ?(?:[a-z]+ )?"
    rf"(?P<much>more|extra|longer|fewer|less|shorter))"
    rf"[^.?!]*?\bas (?:many|much|long|old|heavy)(?P<b>[^.?!,]*)"
)
_EN_TAKE_AWAY = re.compile(
    rf"\b(?:take away|took away|remove|without) {_N} (?:of the )?(?P<a>[a-z]+)[^.?!]*?\b(?:equal|the same|as many)",
    re.IGNORECASE,
)


_EN_MOVED = re.compile(
    rf"\b[Ii]f {_N} (?:\w+ ){{0,2}}?(?:went|go|moved?|were moved|are moved|walk(?:ed)?|switch(?:ed)?|changed?)"
    rf" from (?P<a>[\w ]{{2,25}}?) (?:in)?to (?P<b>(?:the |a )?[\w-]+(?: [\w-]+)?)[^.?!]*?(?:the same|equal|as many)"
)
_EN_WITH_FEWER = re.compile(
    rf"\b(?:with|if there were) {_N} (?P<more>more|extra|fewer|less) (?P<a>[a-z]+)[^.?!]*?\b(?:equal|the same)",
    re.IGNORECASE,
)
_EN_ONLY_MORE = re.compile(
    rf"(?:^|[.,;:] |\b(?:and|but|with) )(?P<a>[^.,;:?]*?)\$?\b{_N} (?:[a-z]+ )?"
    r"(?:(?P<more>more|longer|older|taller|heavier|wider|larger|bigger)|less|fewer|shorter|younger|smaller|lighter)\b"
    r"(?![^.;?]*\bthan\b)(?P<rest>[^.,;:?]{0,30})(?=[.,;])"
)


_ZH_RATIO = re.compile(
    r"(?P<a>[^，。；？！\d]{1,12}?)[与和跟](?P<b>[^，。；？！\d]{1,8}?)(?:的|之)[^，。；？！\d]{0,6}?比[是为]?\s*(?P<m>\d+)\s*[:：∶比]\s*(?P<n>\d+)"
)
_ZH_SEXES = re.compile(
    r"(?P<a>男)(?P<b>女)[生职工]{0,2}(?:的?人数)?(?:之|的)?比[是为]?\s*(?P<m>\d+)\s*[:：∶比]\s*(?P<n>\d+)"
)
_EN_IN_RATIO = re.compile(
    r"\b(?P<a>[A-Za-z]+) and (?P<b>[A-Za-z]+)\b[^.?!]{0,50}? in (?:the|a) ratio "
    r"(?:of )?(?P<m>\d+)\s*(?:to|:)\s*(?P<n>\d+)"
)
_EN_FOR_EVERY = re.compile(
    r"\b[Ff]or every (?P<m>\d+) (?P<a>[a-z ]{2,30}?),? (?:there (?:are|is|were)|she|he|they|it|you)\b[^.?!\d]{0,20}"
    r"(?P<n>\d+) (?P<b>[a-z ]{2,25})"
)
_EN_RATIO = re.compile(
    r"\bratio of (?P<a>[\w ]{2,30}?) to (?P<b>[\w ]{2,30}?) (?:is|was|are) (?P<m>\d+)\s*(?:to|:)\s*(?P<n>\d+)",
    re.IGNORECASE,
)


_ZH_RATHER = re.compile(r"(?P<a>[^，。；？！\d]{1,6}?)的(?:那[段个条根张])?(?:(?P<more>[大长多重高])|[小短少轻矮])些")
_EN_RATHER = re.compile(
    r"\b(?P<a>[A-Z][a-z]+)'s \w+ (?:shows|is|has|says) (?:(?P<more>more|larger|higher)|less|smaller|lower) than"
    r" (?P<b>[A-Z][a-z]+)'s"
)


def transfers_of(text: str, language: Language, numbers: Sequence[NumberSlot]) -> tuple[Comparison, ...]:
    """Return the comparisons that follow from statements about equal amounts after a change."""
    found = _chinese(text) if language == "zh" else _english(text, numbers)
    return tuple(one for one in (*found, *_ratios(text, language), *_without_numbers(text, language)) if one.first)


def _without_numbers(text: str, language: Language) -> Iterator[Comparison]:
    """Yield comparisons that only say which one is more: 黑棋的大些, Nick's card shows less than Kit's."""
    for match in (_ZH_RATHER if language == "zh" else _EN_RATHER).finditer(text):
        second = words_of(match["b"], language) if language == "en" else frozenset()
        yield Comparison(words_of(match["a"], language), second, 1 if match["more"] else -1, (), ())


def _ratios(text: str, language: Language) -> Iterator[Comparison]:
    """Yield the ratios that the text states. A to B = 4:5 means that 5 times A is 4 times B."""
    patterns = (_ZH_RATIO, _ZH_SEXES) if language == "zh" else (_EN_RATIO, _EN_IN_RATIO, _EN_FOR_EVERY)
    for match in (match for pattern in patterns for match in pattern.finditer(text)):
        first, second = words_of(match["a"], language), words_of(match["b"], language)
        yield Comparison(first, second, 0, (Fraction(match["m"]),), (), (Fraction(match["n"]),))


def _chinese(text: str) -> Iterator[Comparison]:
    for pattern in (_ZH_GIVES, _ZH_MOVED):
        for match in pattern.finditer(text):
            moved, rest = Fraction(match["n"]), match["rest"]
            first, second = words_of(match["a"], "zh"), words_of(match["b"], "zh")
            if multiple := _ZH_MULTIPLE.search(rest):  # a - n = k * (b + n), or b + n = k * (a - n)
                factor = Fraction(multiple["k"])
                change = ((factor + 1) * moved,)
                yield Comparison(first, second, 1, (factor,), change)
                yield Comparison(second, first, -1, (factor,), change)
            elif still := _ZH_STILL.search(rest):
                added = Fraction(still["k"]) * (1 if still["more"] else -1)
                yield Comparison(first, second, 1, (), (2 * moved + added, 2 * moved - added))
            elif _ZH_EQUAL.search(rest):
                yield Comparison(first, second, 1, (), (2 * moved,))
    for match in _ZH_IF_MORE.finditer(text):
        first, second = words_of(match["a"], "zh"), words_of(match["b"], "zh")
        yield Comparison(first, second, -1 if match["more"] else 1, (), (Fraction(match["n"]),))


def _english(text: str, numbers: Sequence[NumberSlot]) -> Iterator[Comparison]:
    def value(match: re.Match[str], group: str) -> Fraction | None:
        start, end = match.span(group)
        return next((number.value for number in numbers if start <= number.start < end), None)

    for match in (match for pattern in (_EN_GIVES, _EN_MOVED) for match in pattern.finditer(text)):
        if (moved := value(match, "n")) is not None:
            yield Comparison(words_of(match["a"], "en"), words_of(match["b"], "en"), 1, (), (2 * moved,))
    for match in _EN_IF_MORE.finditer(text):
        added = value(match, "n" if match["n"] else "m")
        first = words_of(match["a"] or match["who"], "en")
        if added is not None:
            less = (match["more"] or match["much"]) in ("fewer", "less", "shorter")
            yield Comparison(first, words_of(match["b"], "en") - first, 1 if less else -1, (), (added,))
    for match in _EN_WITH_FEWER.finditer(text):
        if (change := value(match, "n")) is not None:
            less = match["more"].lower() in ("fewer", "less")
            yield Comparison(words_of(match["a"], "en"), frozenset(), 1 if less else -1, (), (change,))
    for match in _EN_ONLY_MORE.finditer(text):  # Anya got $18 more; 26 more chose pizza
        if (change := value(match, "n")) is not None and not re.search(r"\b(?:if|how)\b", match["a"], re.IGNORECASE):
            named = words_of(f"{match['a']} {match['rest']}", "en")
            yield Comparison(named, frozenset(), 1 if match["more"] else -1, (), (change,))
    for match in _EN_TAKE_AWAY.finditer(text):
        if (taken := value(match, "n")) is not None:
            yield Comparison(words_of(match["a"], "en"), frozenset(), 1, (), (taken,))
