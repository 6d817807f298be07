"""Find the cues of a text: what its words say about the answer, and which of several roots it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.problem import Language
from sau_solver.text.asking import Reading, read_questions
from sau_solver.text.questions import questions_of
from sau_solver.text.wishes import Wish, wishes_of

HALF = Fraction(50)  # percent


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit that the text sets: at most, or at least, a number or a percentage."""

    upper: bool
    limit: Fraction
    percent: bool = False
    clause: str = ""  # the words around it, which may say what is limited
    letter: str = ""  # the unknown that the text itself limits: 0<x<1
    strict: bool = False  # the limit itself is not allowed: more than 30


@dataclass(frozen=True, slots=True)
class Cues:
    """What the words of one text say about its answer."""

    may_be_negative: bool = False  # asks for numbers as such, not for quantities
    counted: bool = False  # asks for a number of things, which is an integer
    asks_for_part: bool = False  # asks for a part of a whole, which is at most 1
    larger: bool = False  # the question asks for the longer side
    smaller: bool = False
    both_ways: bool = False  # the text tells what a rise and what a fall does, so a change may be negative
    generous: bool = False  # the seller gives the customers the better price
    reduction: bool = False  # the question asks by how much, so the lower price is the larger answer
    bounds: tuple[Bound, ...] = ()
    wishes: tuple[Wish, ...] = ()  # what is to be as small or as large as possible
    reading: Reading | None = None  # the things asked for, and what the words say about them


def cues_of(text: str, language: Language) -> Cues:
    """Find the cues of a text."""
    words, questions = _WORDS[language], questions_of(text, language)
    question = questions.last_clause
    asking = " ".join([question, *(one.before for one in questions.found)])  # 降价多少元时，每天盈利2000元？
    if letter := _LETTER_ASKED.search(asking):  # 单价下降x元…当x定为多少时
        asking += " ".join(re.findall(rf"\w{{0,4}}{letter['letter']}", text))
    return Cues(
        may_be_negative=bool(words.signed.search(text)) and not words.unsigned.search(text),
        counted=bool(words.counted.search(text)),
        asks_for_part=questions.asks_for_part,
        larger=bool(words.larger.search(question)),
        smaller=bool(words.smaller.search(question)),
        both_ways=bool(words.both_ways.search(text)),
        generous=bool(words.generous.search(text)),
        reduction=bool(words.reduction.search(asking)),
        bounds=tuple(
            Bound(upper, Fraction(_limit(match)), bool(match["percent"]), _clause(match), strict=_is_strict(match))
            for upper, match in _bounds(words.at_most, words.at_least, text)
        )
        + tuple(dict.fromkeys(Bound(upper, HALF, True) for upper, _ in _bounds(*words.half, text)))
        + tuple(_ranges(text)),
        wishes=wishes_of(text, language),
        reading=read_questions(text, language),
    )


def _bounds(at_most: re.Pattern[str], at_least: re.Pattern[str], text: str) -> list[tuple[bool, re.Match[str]]]:
    """Return the upper bounds of a text, then the lower ones; not the "more than 5" of "not be more than 5"."""
    found = [(True, match) for match in at_most.finditer(text)] + [(False, match) for match in at_least.finditer(text)]
    negated = [match.span() for _, match in found if _NEGATION.match(match[0])]
    return [
        (upper, match)
        for upper, match in found
        if not any(start < match.start() and match.end() <= end for start, end in negated)
    ]


def _is_strict(match: re.Match[str]) -> bool:
    return _STRICT.match(match[0]) is not None


def _clause(match: re.Match[str]) -> str:
    """Return the clause that a bound stands in, without its number."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    return _CLAUSE.split(before)[-1] + re.sub(r"\d+(?:\.\d+)?", "", match[0]) + _CLAUSE.split(after)[0]


def _ranges(text: str) -> Iterator[Bound]:
    """Yield the bounds of a range (售价在50至70元范围内) and of a letter (0<x<1)."""
    for match in _RANGE.finditer(text):
        clause = _clause(match)
        yield Bound(False, Fraction(match["low"]), clause=clause)
        yield Bound(True, Fraction(match["high"]), clause=clause)
    for match in _LETTER.finditer(text):
        if match["low"]:
            yield Bound(False, Fraction(match["low"]), letter=match["letter"])
        if match["high"]:
            yield Bound(True, Fraction(match["high"]), letter=match["letter"])


def _limit(match: re.Match[str]) -> str:
    """Return the number of a bound, which may come before its words: a wall 17 m long."""
    return next(number for name, number in match.groupdict().items() if number and name != "percent")


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of one language behind the cues."""

    counted: re.Pattern[str]
    signed: re.Pattern[str]  # about numbers as such, which may be negative
    unsigned: re.Pattern[str]  # about numbers that are not negative
    larger: re.Pattern[str]
    smaller: re.Pattern[str]
    both_ways: re.Pattern[str]
    generous: re.Pattern[str]
    reduction: re.Pattern[str]
    at_most: re.Pattern[str]  # a bound with its number and perhaps a percent sign
    at_least: re.Pattern[str]
    half: tuple[re.Pattern[str], re.Pattern[str]]  # at most half of something, at least half of it


_STRICT = re.compile(r"多于|少于|大于|小于|more than|less than|fewer than", re.IGNORECASE)
_NEGATION = re.compile(r"不|no\b|not\b|never\b", re.IGNORECASE)
_NUMBER = r"(?P<number>\d+(?:\.\d+)?)\s*(?P<percent>[%％])?"
_CLAUSE = re.compile(r"[，,。．；;：:？?！!]|(?<!\d)\.(?!\d)")
_LETTER_ASKED = re.compile(r"当(?P<letter>[a-z])(?=[定为是取等]|$)")
_RANGE = re.compile(
    r"(?P<low>\d+(?:\.\d+)?)[元米]?[~～至到—-](?P<high>\d+(?:\.\d+)?)\s*[\u4e00-\u9fffa-zA-Z]{0,3}?(?:的?范围|之间|以?内)"
)
_LETTER = re.compile(
    r"(?:(?P<low>\d+(?:\.\d+)?)\s*[<＜≤⩽]\s*)?(?<![A-Za-z])(?P<letter>[a-z])\s*[<＜≤⩽]\s*(?P<high>\d+(?:\.\d+)?)"
)
_NUMBER_FIRST = r"(?P<first>\d+(?:\.\d+)?)\s*"

_WORDS: dict[Language, _Words] = {
    "zh": _Words(
        counted=re.compile(
            r"(?:多少|几)(?:名|个|人|只|头|辆|棵|张|件|支|本|条|台|艘|间|块|套|位|盏|箱|双|把|盆|朵|粒|袋|瓶|盒|部|架|匹|场|队|节|道|枚|根|颗|座|户|束|顶|副|幅)"
        ),
        signed=re.compile(r"连续.{0,3}[整奇偶]?数|[整实]数|[1-9一两二三这]个?数[的之和差积是为，]|零下"),
        unsigned=re.compile(r"自然数|正[整奇偶实]?数|页码|门牌|座位号|房号|房间号|学号|百分[率数]|增长率"),
        larger=re.compile(
            r"(?:矩形|长方形|场地|菜园|花圃|花坛|此时|则|求).{0,6}长(?:是|为|等于|多少|应|[和与、及]宽|$)"
            r"|^长(?:是|为|应|[和与、及]宽)"
        ),
        smaller=re.compile(r"宽(?:是|为|等于|多少|应|$)|短边"),
        both_ways=re.compile(
            r"每(?:增加|上涨|涨价?|提高|加价)[^。]{0,40}每(?:减少|下降|降低?|降价|减价)"
            r"|每(?:减少|下降|降低?|降价|减价)[^。]{0,40}每(?:增加|上涨|涨价?|提高|加价)"
        ),
        generous=re.compile(
            r"实惠|优惠|便宜|薄利多销|减少.{0,4}库存|去(?:掉)?库存|库存.{0,4}减少|让利|扩大销[售量]|占领市场|占有率|大量销售"
            r"|照顾.{0,4}顾客|吸引更多|(?:销售?量|销量)(?:较|更|尽量|尽可能)大|卖出.{0,6}更多|减少空[余置闲]"
        ),
        reduction=re.compile(r"降价?|减价|下降|减少|便宜|优惠"),
        at_most=re.compile(
            r"(?:不[得能可应会]?(?:超过|高于|多于|大于|超出)|最多|最大(?:可用|利用)?长度[为是]?|[墙堤]\w{0,2}(?:的|最长|可利用的?|可用|最大可用的?)?(?:长度?|宽|利用)[为是]?"
            r"|(?<!不)(?<!不[得能可应会])(?:低于|小于|不到|少于)|最高只能)"
            rf"[^，。．；0-9]{{0,8}}?{_NUMBER}(?!倍)"
            rf"|{_NUMBER_FIRST}(?:秒后[^，。]{{0,3}}停|(?:米|m)长的[^，。]{{0,4}}[墙堤])"
            r"|长度?为?(?P<wall>\d+(?:\.\d+)?)\s*(?:米|m)的[^，。]{0,4}[墙堤]"
            r"|[在于](?P<within>\d+(?:\.\d+)?)元以内|分[为成](?P<levels>\d+)个?档"
        ),
        at_least=re.compile(
            r"(?:不[得能可应会]?(?:低于|少于|小于)|至少|(?<!不)(?<!不[得能可应会])(?:高于|大于|多于))"
            rf"[^，。．；0-9]{{0,8}}?{_NUMBER}"
        ),
        half=(
            re.compile(r"(?:不[得能可应会]?(?:超过|多于|大于)|不到|少于|小于)一半"),
            re.compile(r"(?:不[得能可应会]?(?:少于|小于)|超过|多于|大于)一半"),
        ),
    ),
    "en": _Words(
        counted=re.compile(
            r"\bhow many (?!(?:more |fewer |total )?(?:hours?|minutes?|miles?|gallons?|liters?|litres?|pounds?"
            r"|grams?|ounces?|kilo\w*|feet|inches|met(?:er|re)s?|quarts?|cups?|cm|ml|m|kg|yards?|percent|days?|years?|acres?|tons?)\b)"
            r"|\bintegers?\b",
            re.IGNORECASE,
        ),
        signed=re.compile(r"\bintegers?\b|\bnumbers?\b|\bnegative\b|\bbelow zero\b", re.IGNORECASE),
        unsigned=re.compile(
            r"\b(?:positive|natural|whole|counting|(?:page|house|seat|room|locker|ticket|door) numbers?|percentage)\b"
            r"(?!.*\bnegative\b)",
            re.IGNORECASE | re.DOTALL,
        ),
        larger=re.compile(r"\b(?:longer|length)\b", re.IGNORECASE),
        smaller=re.compile(r"\b(?:shorter|width)\b", re.IGNORECASE),
        both_ways=re.compile(
            r"\bfor (?:each|every)\b[^.]{0,60}\b(?:increase|raise|rise)[^.]{0,80}\bfor (?:each|every)\b[^.]{0,60}"
            r"\b(?:decrease|reduction|cut|drop)",
            re.IGNORECASE,
        ),
        generous=re.compile(r"\b(?:lowest|lower) price\b", re.IGNORECASE),
        reduction=re.compile(r"\b(?:reduce|discount|lower)", re.IGNORECASE),
        at_most=re.compile(
            r"(?:at most|no more than|\bnot [\w ]{0,12}more than|up to|below|under"
            r"|(?<!no )(?<!not )(?<!\d )less than|cheaper than)"
            rf"(?<!goes below)(?<!go below)(?<!fall below)(?<!falls below)\s+[$€£]?\s*{_NUMBER}(?!\s+times)",
            re.IGNORECASE,
        ),
        at_least=re.compile(
            r"(?:at least|no less than|not less than|(?:never|not) (?:goes|go|falls?) below|\bnot be lower than|down to"
            r"|above|over|(?<!no )(?<!not )(?<!charge )(?<!\d )more than)"
            rf"\s+[$€£]?\s*{_NUMBER}(?!\s+times)",
            re.IGNORECASE,
        ),
        half=(
            re.compile(r"\b(?:(?:no|not|never)(?: [\w ]{0,12})? more|less|fewer) than half\b", re.IGNORECASE),
            re.compile(r"\b(?:(?:no|not|never)(?: [\w ]{0,12})? (?:less|fewer)|more) than half\b", re.IGNORECASE),
        ),
    ),
}
