"""The words of Chinese and English problems that say which of several roots is asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sau_solver.problem import Language


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of one language that say something about the root asked for."""

    counted: re.Pattern[str]  # asks for a number of things
    signed: re.Pattern[str]  # speaks of bare numbers, which may be negative
    unsigned: re.Pattern[str]  # says that they are not
    larger: re.Pattern[str]  # in the question: the longer side
    smaller: re.Pattern[str]
    generous: re.Pattern[str]  # the buyer's good or an emptied store: the lower price
    reduction: re.Pattern[str]  # in the question: by how much, so that the lower price is the larger answer
    at_most: re.Pattern[str]  # a bound, with its number and perhaps a percent sign
    at_least: re.Pattern[str]

    def may_be_negative(self, text: str) -> bool:
        """Whether a text asks for numbers as such, which may be below zero, and not for quantities."""
        return bool(self.signed.search(text)) and not self.unsigned.search(text)


_NUMBER = r"(?P<number>\d+(?:\.\d+)?)\s*(?P<percent>[%％])?"

WORDINGS: dict[Language, Wording] = {
    "zh": Wording(
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
    "en": Wording(
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
