"""Text -> whether it asks for anything, and whether equations can give what it asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sau_solver.problem import Language


@dataclass(frozen=True, slots=True)
class Demand:
    """The words of one language with which problems ask."""

    request: re.Pattern[str]  # something is asked for
    number: re.Pattern[str]  # a number is, in so many words
    quantity: re.Pattern[str]  # perhaps a quantity is
    unanswerable: re.Pattern[str]  # something is that no equation gives
    sentence: re.Pattern[str]  # one sentence with the mark that ends it


_HOW = "many|much|long|far|old|fast|tall|high|deep|wide|heavy|big|large|often|soon|late|early|few|thick|hot|cold"
_QUANTITIES = (
    r"number|sum|difference|product|quotient|ratio|amount|total|cost|price|age|speed|rate|length|width|height|distance|area|volume"
    r"|perimeter|average|mean|value|percent\w*|fraction|part|time|size|probability|weight|profit|remainder"
)

DEMANDS: dict[Language, Demand] = {
    "zh": Demand(
        request=re.compile(
            r"[？?=＝几求问何谁哪吗呢□…]|多[少大长高重远久快深宽厚]|计算|[^打]算|解[答方]|什么|怎|试[确写列]|列[式方]|确定|判断|化简"
            r"|分别|各[是为有]|[（(【\[]\s*[）)】\]]|[_＿]{2,}|——|<u>|&nbsp;|[是为有得约占需要的共水]\s*[^\w\s]*\s*$|之比|比等于|距离"
            r"|证|说明|画|写|(?<![A-Za-z])[xyXY](?![A-Za-z])"
        ),
        number=re.compile(r"多[少大长高重远久快深宽厚]|几|求(?!证)|计算"),
        quantity=re.compile(
            r"多[少大长高重远久快深宽厚]|几|求(?!证)|计算|[^打]算|等于|列[式方]|解方程|[=＝]|[（(]\s*[）)]|_{2,}|何[时日值]"
        ),
        unanswerable=re.compile(
            r"证明|求证|为什么|为何|画[出图一个]|作图|解释|说明理由|说说|谈谈|讨论|谁|哪里|哪儿|什么颜色|名字|叫什么|首都|天气"
            r"|作文|写一?[首篇封]|翻译|讲[一个]|意思|怎么[办样走去做写说]|怎样[做写走说]"
        ),
        sentence=re.compile(r"[^。．？！?!\n]+[。．？！?!\n]*"),
    ),
    "en": Demand(
        request=re.compile(
            r"[?？=]|_{2,}|\b(?:how|what|which|when|where|who|whom|whose|why|find|determine|calculate|compute|solve|evaluate|give"
            r"|tell|express|write|estimate|name|state|list|show|prove|draw|explain|work out|figure|simplify|convert"
            r"|translate|describe|define|identify|numbers?|integers?|if|times|ratio|sum|product|divided|older|equal)\b",
            re.IGNORECASE,
        ),
        number=re.compile(
            rf"\b(?:how (?:{_HOW})|find|determine|calculate|compute|solve|evaluate|equations?)\b", re.IGNORECASE
        ),
        quantity=re.compile(
            rf"\b(?:how (?:{_HOW})|find|determine|calculate|compute|solve|evaluate|estimate|convert|when"
            rf"|equations?|what(?:'s|’s)?\b[^?]{{0,80}}\b(?:{_QUANTITIES})s?)\b|\b(?:{_QUANTITIES})s?\b[^.?!]*\?|=",
            re.IGNORECASE,
        ),
        unanswerable=re.compile(
            r"\b(?:why|prove|proof|draw|sketch|explain|describe|discuss|translate|who|whom|where|define|essay|poem|story"
            r"|joke|meaning|capital|weather|colou?r|president|named?|how (?:do|does|did|come|to))\b",
            re.IGNORECASE,
        ),
        sentence=re.compile(r"(?:[^.?!\n]|\.(?=\d))+[.?!\n]*"),
    ),
}


def asks(text: str, language: Language) -> bool:
    """Whether a text asks for anything."""
    return DEMANDS[language].request.search(text) is not None


def asks_for_no_quantity(text: str, language: Language) -> bool:
    """Whether everything that a text asks for is something that no equation gives: a reason, a proof, a person."""
    words = DEMANDS[language]
    asking = [part.strip() for part in words.sentence.findall(text) if words.request.search(part)]
    return bool(asking) and all(_asks_for_no_quantity(sentence, words) for sentence in asking)


def _asks_for_no_quantity(sentence: str, words: Demand) -> bool:
    """A sentence that opens with `why` asks for a reason whatever follows; inside a sentence `who` may mean nothing."""
    if words.number.search(sentence):
        return False
    opening = words.unanswerable.match(sentence)
    return opening is not None or bool(words.unanswerable.search(sentence) and not words.quantity.search(sentence))
