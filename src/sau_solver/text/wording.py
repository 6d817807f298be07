"""Find the cues of a text: what its words say about the answer, and which of several roots it asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from sau_solver.problem import Language
from sau_solver.text.asking import Reading, read_questions
from sau_solver.text.questions import questions_of


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit that the text sets: at most, or at least, a number or a percentage."""

    upper: bool
    limit: Fraction
    percent: bool


@dataclass(frozen=True, slots=True)
class Cues:
    """What the words of one text say about its answer."""

    may_be_negative: bool = False  # asks for numbers as such, not for quantities
    counted: bool = False  # asks for a number of things, which is an integer
    asks_for_part: bool = False  # asks for a part of a whole, which is at most 1
    larger: bool = False  # the question asks for the longer side
    smaller: bool = False
    generous: bool = False  # the seller gives the customers the better price
    reduction: bool = False  # the question asks by how much, so the lower price is the larger answer
    bounds: tuple[Bound, ...] = ()
    reading: Reading | None = None  # the things asked for, and what the words say about them


def cues_of(text: str, language: Language) -> Cues:
    """Find the cues of a text."""
    words, questions = _WORDS[language], questions_of(text, language)
    question = questions.last_clause
    return Cues(
        may_be_negative=bool(words.signed.search(text)) and not words.unsigned.search(text),
        counted=bool(words.counted.search(text)),
        asks_for_part=questions.asks_for_part,
        larger=bool(words.larger.search(question)),
        smaller=bool(words.smaller.search(question)),
        generous=bool(words.generous.search(text)),
        reduction=bool(words.reduction.search(question)),
        bounds=tuple(
            Bound(upper, Fraction(match["number"]), bool(match["percent"]))
            for upper, pattern in ((True, words.at_most), (False, words.at_least))
            for match in pattern.finditer(text)
        ),
        reading=read_questions(text, language),
    )


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of one language behind the cues."""

    counted: re.Pattern[str]
    signed: re.Pattern[str]  # about numbers as such, which may be negative
    unsigned: re.Pattern[str]  # about numbers that are not negative
    larger: re.Pattern[str]
    smaller: re.Pattern[str]
    generous: re.Pattern[str]
    reduction: re.Pattern[str]
    at_most: re.Pattern[str]  # a bound with its number and perhaps a percent sign
    at_least: re.Pattern[str]


_NUMBER = r"(?P<number>\d+(?:\.\d+)?)\s*(?P<percent>[%％])?"

_WORDS: dict[Language, _Words] = {
    "zh": _Words(
        counted=re.compile(
            r"(?:多少|几)(?:名|个|人|只|头|辆|棵|张|件|支|本|条|台|艘|间|块|套|位|盏|箱|双|把|盆|朵|粒|袋|瓶|盒|部|架|匹|场|队|节|道|枚|根|颗|座|户|束|顶|副|幅)"
        ),
        signed=re.compile(r"连续.{0,3}[整奇偶]?数|[整实]数|[1-9一两二三这]个?数[的之和差积是为，]|零下"),
        unsigned=re.compile(r"自然数|正[整奇偶实]?数"),
        larger=re.compile(r"(?:矩形|长方形|场地|菜园|花圃|花坛|此时|则|求).{0,6}长(?:是|为|等于|多少|应|$)"),
        smaller=re.compile(r"宽(?:是|为|等于|多少|应|$)|短边"),
        generous=re.compile(r"实惠|优惠|便宜|薄利多销|减少库存|去(?:掉)?库存|减少.{0,4}库存|让利|扩大销售|占领市场"),
        reduction=re.compile(r"降价?|减价|下降|减少|便宜|优惠"),
        at_most=re.compile(
            r"(?:不[得能可应会]?(?:超过|高于|多于|大于|超出)|最多|最大(?:可用|利用)?长度[为是]?|墙(?:的|可利用的|可用)?(?:长度?|宽)[为是]?)"
            rf"[^，。．；0-9]{{0,8}}?{_NUMBER}"
        ),
        at_least=re.compile(rf"(?:不[得能可应会]?(?:低于|少于|小于)|至少)[^，。．；0-9]{{0,8}}?{_NUMBER}"),
    ),
    "en": _Words(
        counted=re.compile(
            r"\bhow many (?!(?:more |fewer |total )?(?:hours?|minutes?|miles?|gallons?|liters?|litres?|pounds?"
            r"|grams?|ounces?|kilo\w*|feet|inches|met(?:er|re)s?|quarts?|cups?|cm|ml|m|kg|yards?|percent|days?|years?|acres?|tons?)\b)",
            re.IGNORECASE,
        ),
        signed=re.compile(r"\bintegers?\b|\bnumbers?\b|\bnegative\b|\bbelow zero\b", re.IGNORECASE),
        unsigned=re.compile(r"\b(?:positive|natural|whole|counting)\b(?!.*\bnegative\b)", re.IGNORECASE | re.DOTALL),
        larger=re.compile(r"\b(?:longer|length)\b", re.IGNORECASE),
        smaller=re.compile(r"\b(?:shorter|width)\b", re.IGNORECASE),
        generous=re.compile(r"\b(?:lowest|lower) price\b", re.IGNORECASE),
        reduction=re.compile(r"\b(?:reduce|discount|lower)", re.IGNORECASE),
        at_most=re.compile(rf"(?:at most|no more than|not more than|up to)\s+\$?\s*{_NUMBER}", re.IGNORECASE),
        at_least=re.compile(rf"(?:at least|no less than|not less than)\s+\$?\s*{_NUMBER}", re.IGNORECASE),
    ),
}
