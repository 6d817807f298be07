"""The text of a problem -> the questions it asks: the words that ask, and what stands before and after them.

Every question of the text is found, also the first of several: only where there is exactly one is it certain what the
one unknown stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from sau_solver.problem import Language

MAX_QUESTIONS = 20
MAX_QUOTED = 120  # characters of a question that a step repeats


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that a text asks for.

    `word` is the interrogative (`多少`, `how many`), an order (`求`, `find`) or a blank (`=`); `before` and `after` are
    the rest of its clause. `several` says that the one question is asked of more than one thing.
    """

    word: str
    before: str
    after: str
    quoted: str  # the question as a sentence of its own; empty where it is too long to repeat
    several: bool


def questions_of(text: str, language: Language) -> tuple[Question, ...]:
    """Everything the text asks for, in order, up to a number that no problem has."""
    return tuple(_chinese(text) if language == "zh" else islice(_english(text), MAX_QUESTIONS))


# --- Chinese -------------------------------------------------------------------------------------------------------

_ZH_SENTENCE = re.compile(r"[^。．？?！!；;\n.]+(?:(?<=\d)\.(?=\d)[^。．？?！!；;\n.]*)*[。．？?！!；;.]?")
_ZH_CLAUSE = re.compile(
    r"(?<![A-Za-z])，|，(?![A-Za-z])|(?<![A-Za-z\d]),|,(?![A-Za-z\d])|(?<!\d)[：:]|[：:](?!\d)"  # not A，B nor 3：4
)
_ZH_WORD = re.compile(
    r"百分之几|几分之几|多少|几何|几多|几(?!乎|十|百|千(?![克米瓦])|万|年来|[天年日]前|个月前)|多[长高远大重宽深久快厚]"
    r"|什么|哪|何[时处]|谁|怎|吗|[（(]\s*[）)]|[=＝]\s*(?=[?？.．。]?$)"
)
_ZH_ORDER = re.compile(r"^(?:请你?|试)?求(?:出|得)?(?!和|解)")
_ZH_SEVERAL = re.compile(r"各|分别|依次")
_ZH_JOINED = re.compile(r"[、和与及]|各|分别")
_ZH_LEAD = re.compile(r"^(?:[(（]\d[)）](?!班)|那么|那(?=[么每这])|则|而|请?问|试问|并且?)+")
_ZH_RETOLD = re.compile(r"(?:意思|译文|大意)[是为]?[：:，]")  # an old text asks, and its translation again
_ZH_SOON = re.compile(r"几[天年日]后")  # 几天后 as a clause of its own: some days later
_ZH_END = " 　。．？?！!；;.”’」\"'"


def _chinese(text: str) -> list[Question]:
    found = list(islice(_chinese_questions(_ZH_RETOLD.split(text)[-1]), MAX_QUESTIONS))
    sure = [question for question in found if not _ZH_SOON.fullmatch(question.word + question.after)]
    return sure or found


def _chinese_questions(text: str) -> Iterator[Question]:
    for sentence in _ZH_SENTENCE.findall(text):
        for clause in _clauses(sentence):
            body = clause.rstrip(_ZH_END)
            marked = body + "？" if clause != body else body
            asked = list(_ZH_WORD.finditer(marked))
            for match in asked:
                word = "=" if match[0][0] in "=＝(（" else match[0]
                quoted = _quoted(_ZH_LEAD.sub("", body), "？")
                several = bool(_ZH_SEVERAL.search(body))
                yield Question(word, body[: match.start()], body[match.end() :], quoted, several)
            if not asked and (order := _ZH_ORDER.match(body)):
                rest = body[order.end() :]
                yield Question("求", "", rest, _quoted(body, "。"), bool(_ZH_JOINED.search(rest)))


def _clauses(sentence: str) -> list[str]:
    """The clauses of a Chinese sentence; an order that goes on as a question (求甲，乙各多少) stays in one piece."""
    clauses: list[str] = []
    for clause in _ZH_CLAUSE.split(sentence):
        stripped = clause.strip(" 　“”‘’「」\"'")
        before = clauses[-1] if clauses else ""
        if _ZH_ORDER.match(before) and not _ZH_WORD.search(before) and _ZH_SEVERAL.search(stripped):
            clauses[-1] = f"{before}，{stripped}"
        else:
            clauses.append(stripped)
    return clauses


# --- English -------------------------------------------------------------------------------------------------------

_EN_SENTENCE = re.compile(r"(?:\b(?:Mrs?|Ms|Dr|St|vs|etc|No)\.|\d\.(?=\d)|[^.?!\n])+[.?!]?", re.IGNORECASE)
_EN_WORD = re.compile(
    r"\bhow\s+(?:many|much|long|far|old|fast|tall|high|wide|deep|heavy|big|large|often|soon)\b|\bwhat(?:'?s)?\b"
    r"|(?:^|(?<=[,;:]\s)|(?<=\bthen\s)|(?<=\band\s))(?:find|determine|calculate|compute)\s"
    r"(?=(?:the|his|her|its|their|both|each|two|three|all|a|an|x)\b)|^(?:which|who|when|where|why)\b(?=.*\?)",
    re.IGNORECASE,
)
_EN_LED = re.compile(r"\b(?:in|after|for|at|by|to|of|on|from|with)\s+$", re.IGNORECASE)
_EN_SEVERAL = re.compile(
    r"\brespectively\b|\b(?:of|for|at) each\b|\beach (?:of|type|kind)\b|\bboth\b"
    r"|^\s*(?:(?:is|was|will be)\s+)?the\s+(?:two|three|2|3)\b",
    re.IGNORECASE,
)
_EN_AND = re.compile(r"\band\b", re.IGNORECASE)
_EN_VERB = re.compile(r"\b(?:must|should|will|would|can|could|do|does|did)\b", re.IGNORECASE)
_EN_PLURAL = re.compile(r"^(?:the\s+|his\s+|her\s+|their\s+|its\s+)?(?:[a-z-]+\s+){0,2}?[a-z]+(?<!s)s\b", re.IGNORECASE)
_EN_ADDED = re.compile(r"\s(?:of|in|that|at|for|to|if|with|whose|which|such|so|on|per|from)\s", re.IGNORECASE)
_EN_EQUALS = re.compile(r"(?P<many>are|were)\b|(?:is|was|will be)\b", re.IGNORECASE)


def _english(text: str) -> Iterator[Question]:
    for found in _EN_SENTENCE.findall(text):
        sentence = " ".join(found.split())
        asked = list(_EN_WORD.finditer(sentence))
        for place, match in enumerate(asked):
            end = asked[place + 1].start() if place + 1 < len(asked) else len(sentence)
            word = " ".join(match[0].lower().split())
            after = _ended(sentence[match.end() : end])
            led = _EN_LED.search(sentence[: match.start()])
            start = led.start() if led else match.start()
            quoted = _quoted(_tidy(sentence[start:end]), "." if _is_order(word) else "?")
            yield Question(word, sentence[: match.start()], after, quoted, _several(word, after))


def _several(word: str, after: str) -> bool:
    """Whether an English question is for more than one thing."""
    if word.startswith("what"):
        equals = _EN_EQUALS.match(after)
        if equals is None:
            return bool(re.search(r"\b(?:respectively|each|both)\b", after))
        if equals["many"]:
            return True
    things = _EN_VERB.split(after)[0] if word == "how many" else after  # must be molded and sold: one thing
    if _EN_AND.search(things.split(",")[0]) or _EN_SEVERAL.search(after):
        return True
    return _is_order(word) and bool(_EN_PLURAL.match(_EN_ADDED.split(after)[0]))


def _is_order(word: str) -> bool:
    return word in ("find", "determine", "calculate", "compute")


def _ended(text: str) -> str:
    """The words of a question without the marks behind them, and without the `and` that leads to the next one."""
    stripped = text.strip(" ,.?!;")
    for word in (" and", " or", " then"):
        stripped = stripped.removesuffix(word).rstrip(" ,.?!;")
    return stripped


def _tidy(text: str) -> str:
    """Published texts are often split into words: their spaces before punctuation go."""
    closed = re.sub(r"\s+(?=[,;:%)]|'s\b|n't\b)", "", _ended(text))
    return closed[:1].upper() + closed[1:]


def _quoted(body: str, mark: str) -> str:
    """A question for a step; a bare formula is none."""
    body += "”" * (body.count("“") - body.count("”"))
    return body + mark if len(body) <= MAX_QUOTED and re.search(r"[^\W\d_]{2}", body) else ""
