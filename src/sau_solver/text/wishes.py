"""Text of a problem -> which of several solutions it wants: the smaller rise, the lower price, below $120."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from sau_solver.problem import Language

# What is to be small or large: the change that is made, the price, the number of things, or the unknown itself.
Wanted = Literal["change", "price", "number", "unknown"]


@dataclass(frozen=True, slots=True)
class Wish:
    """A quantity that a text wants to be as large or as small as possible."""

    wanted: Wanted
    largest: bool


_EN_PRICES = r"(?:prices?|fees?|fares?|rents?|rates?)"
_EN_CHANGES = r"(?:rises?|raise|increase|cut|reduction|discount|change|step)"
_PATTERNS: dict[Language, tuple[tuple[Wanted, bool, re.Pattern[str]], ...]] = {
    "zh": (
        (
            "change",
            False,
            re.compile(
                r"(?:涨|降|提|增加|多[种放]|减少|加价|让价|停)[^，。；？]{0,6}(?:尽量少|尽可能少|最少|尽量小|最小)"
                r"|尽量少(?:涨|降|增|种)|不想[涨降加让]\w{0,2}太多|能少(.)就少\1"
            ),
        ),
        ("change", True, re.compile(r"(?:涨|降|提高|让)[^，。；？]{0,4}(?:尽量多|尽可能多|尽量大)")),
        (
            "number",
            True,
            re.compile(
                r"(?:走|卖|销)得?越多越好|尽快(?:清|卖|脱手|出手)|清(?:空|理)?(?:库存|仓库)|销量(?:尽量|尽可能)[大多]"
            ),
        ),
        (
            "number",
            False,
            re.compile(
                r"进货量(?:较|尽量|尽可能)?少|减少进货量|成本(?:尽可能|尽量|要|最|较)的?低|减少成本|从成本考虑|节[省约]成本"
            ),
        ),
        (
            "price",
            False,
            re.compile(
                r"[让使](?:顾客|游客|客户|消费者|大家|家长)\w{0,4}(?:少花|得到实惠|实惠)|价格?(?:尽量|尽可能)低"
            ),
        ),
        ("unknown", False, re.compile(r"第一次(?:到|达|经过|通过|升)|首次|上升(?:途|过程)?中|上升时|往上[飞升]")),
        ("unknown", True, re.compile(r"再次|第二次(?:到|达|经过|通过)|下落|落回|下降途中|回落")),
    ),
    "en": (
        (
            "number",
            True,
            re.compile(
                r"\blos(?:e|ing) as few\b|\bsell as many\b|\bclear (?:his|her|its|the|their) stock\b|\bfull hall\b"
                r"|\bas many (?:\w+ ){1,2}as (?:possible|(?:it|he|she|they) can)\b",
                re.IGNORECASE,
            ),
        ),
        (
            "change",
            True,
            re.compile(
                rf"\b(?:larger|largest|bigger|greater) (?:price )?{_EN_CHANGES}\b"
                rf"|\b{_EN_CHANGES}\b[^.;?]{{0,20}}\bas large as\b"
                rf"|\b(?:lower(?:ed)?|raised?|cut)\b[^.;?]{{0,20}}\bas (?:much|far|high) as\b",
                re.IGNORECASE,
            ),
        ),
        (
            "change",
            False,
            re.compile(
                rf"\b(?:smaller|smallest|lesser) (?:price )?{_EN_CHANGES}\b"
                r"|(?<!lose )(?<!losing )\bas (?:small|little|few)(?: \w+)? as (?:possible|(?:it|he|she|they) can)\b",
                re.IGNORECASE,
            ),
        ),
        (
            "price",
            False,
            re.compile(
                rf"\blower of (?:the|these) (?:\w+ )?{_EN_PRICES}\b|\blowest (?:{_EN_PRICES}|one)\b"
                rf"|\bas low an? {_EN_PRICES}\b"
                rf"|\b{_EN_PRICES}\b[^.;?]{{0,10}}\bas low as\b",
                re.IGNORECASE,
            ),
        ),
        (
            "price",
            True,
            re.compile(
                rf"\bhigher of (?:the|these) (?:\w+ )?{_EN_PRICES}\b|\bhighest (?:{_EN_PRICES}|one)\b"
                rf"|\b{_EN_PRICES}\b (?:is )?as high as possible",
                re.IGNORECASE,
            ),
        ),
        (
            "unknown",
            False,
            re.compile(
                r"\bfirst (?:time|reach\w*|pass\w*)\b|\b(?:its|the|her|his) way up\b"
                r"|\bclimb\b|\bwhile (?:it is )?rising\b",
                re.IGNORECASE,
            ),
        ),
        (
            "unknown",
            True,
            re.compile(r"\bsecond time\b|\b(?:its|the|her|his) way (?:back )?down\b|\bcoming down\b", re.IGNORECASE),
        ),
    ),
}


def wishes_of(text: str, language: Language) -> tuple[Wish, ...]:
    """Return the quantities that a text wants to be small or large, but not those that it wants to be both."""
    found = [Wish(wanted, largest) for wanted, largest, pattern in _PATTERNS[language] if pattern.search(text)]
    return tuple(one for one in found if Wish(one.wanted, not one.largest) not in found)
