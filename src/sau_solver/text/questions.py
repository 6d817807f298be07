"""Turn the text of a problem into what it asks for.

This module finds the questions, and no other one does: screening, the choice between roots, the plausibility of
answers, units and the names of unknowns all read the same `Questions`. `text/asking` reads in them which things are
asked for, and `answering/asked` finds the unknown or expression that answers each thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice

from sau_solver.problem import Language

MAX_QUESTIONS = 20
MAX_QUOTED = 120  # characters of a question that a step repeats
ENDING = 60  # characters at the end of a text in which `asks_for_part` looks


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a text.

    `word` is the interrogative (`多少`, `how many`), an imperative (`求`, `find`) or a blank (`=`). `before` and
    `after` are the rest of its clause.
    """

    word: str
    before: str
    after: str
    quoted: str  # the question as a sentence of its own; empty if it is too long to repeat
    several: bool  # whether the question asks for more than one thing
    place: int = 0  # where its sentence starts in the text


@dataclass(frozen=True)
class Questions:
    """Everything that is known about what a text asks. Each property is computed at its first use.

    The properties cover different parts of the text on purpose: a text may ask for something (`asks_anything`) in words
    from which no single question can be isolated (`found`), and the words that choose between two roots must be in the
    last clause, because earlier clauses describe other quantities.
    """

    text: str
    language: Language

    @cached_property
    def found(self) -> tuple[Question, ...]:
        """Every question whose words could be isolated, in order, at most MAX_QUESTIONS."""
        return tuple(_chinese(self.text) if self.language == "zh" else islice(_english(self.text), MAX_QUESTIONS))

    @cached_property
    def last_clause(self) -> str:
        """The last clause of the text, which usually asks. It is not limited to the questions in `found`."""
        clauses = [clause for clause in _CLAUSE_END.split(self.text) if clause.strip()]
        return clauses[-1] if clauses else ""

    @cached_property
    def asks_anything(self) -> bool:
        """Whether any word or mark of the text asks for something, a quantity or not."""
        return _REQUESTS[self.language].request.search(self.text) is not None

    @cached_property
    def asks_for_no_quantity(self) -> bool:
        """Whether every sentence that asks wants something no equation gives: a reason, a proof, a person."""
        words = _REQUESTS[self.language]
        asking = [part.strip() for part in words.sentence.findall(self.text) if words.request.search(part)]
        return bool(asking) and all(words.asks_for_no_quantity(sentence) for sentence in asking)

    @cached_property
    def asks_for_part(self) -> bool:
        """Whether the end of the text asks for a part of a whole, such as a probability, which is at most 1."""
        return _PART.search(self.text[-ENDING:]) is not None


@lru_cache(maxsize=256)
def questions_of(text: str, language: Language) -> Questions:
    """Return the questions of a text. All callers share one object per text, so that it is analyzed once."""
    return Questions(text, language)


# --- Words that ask ------------------------------------------------------------------------------------------------

_CLAUSE_END = re.compile(r"[。．？?！!；;，,]|(?<!\d)\.(?!\d)")
_PART = re.compile(
    r"几分之几|百分之(?:几|多少)|几成|概率|可能性|\bprobability\b|\bwhat (?:percent|percentage|fraction|part)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Requests:
    """Patterns of one language that tell what kind of thing a sentence asks for."""

    request: re.Pattern[str]  # asks for something
    number: re.Pattern[str]  # certainly asks for a number
    quantity: re.Pattern[str]  # may ask for a quantity
    unanswerable: re.Pattern[str]  # asks for something that no equation gives
    yes_or_no: re.Pattern[str]  # a sentence that is answered with yes or no
    sentence: re.Pattern[str]  # one sentence with its final mark

    def asks_for_no_quantity(self, sentence: str) -> bool:
        """Return whether a sentence asks only for something that no equation gives.

        A sentence that starts with `why` asks for a reason, whatever follows. Inside a sentence, `who` may be a
        relative pronoun, so the sentence must not contain a word for a quantity.
        """
        if self.number.search(sentence):
            return False
        if self.unanswerable.match(sentence) or self.yes_or_no.match(sentence):
            return True
        return bool(self.unanswerable.search(sentence)) and not self.quantity.search(sentence)


_HOW = "many|much|long|far|old|fast|tall|high|deep|wide|heavy|big|large|often|soon|late|early|few|thick|hot|cold"
_QUANTITIES = (
    r"number|sum|difference|product|quotient|ratio|amount|total|cost|price|age|speed|rate|length|width|height|distance|area|volume"
    r"|perimeter|average|mean|value|percent\w*|fraction|part|time|size|probability|weight|profit|remainder"
)

_REQUESTS: dict[Language, _Requests] = {
    "zh": _Requests(
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
        yes_or_no=re.compile(
            r"(?!.*(?:你能|[能会]算|知道|什么|哪|何|[（(]\s*[）)]|_{2,})).*(?:吗|是不是.*|能不能.*|够不够.*)[？?]*$",
            re.DOTALL,
        ),
        sentence=re.compile(r"[^。．？！?!\n]+[。．？！?!\n]*"),
    ),
    "en": _Requests(
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
        yes_or_no=re.compile(
            r"(?:(?:so|then|now|and|but)\b,? *)?(?:is|are|was|were|does|do|did|can|could|will|would|has|have|should)\b"
            r"(?!.*\b(?:what|which|when|how|find|tell|give)\b).*\?\s*$",
            re.IGNORECASE | re.DOTALL,
        ),
        sentence=re.compile(r"(?:[^.?!\n]|\.(?=\d))+[.?!\n]*"),
    ),
}


# --- Chinese -------------------------------------------------------------------------------------------------------

ZH_SENTENCE = re.compile(r"[^。．？?！!；;\n.]+(?:(?<=\d)\.(?=\d)[^。．？?！!；;\n.]*)*[。．？?！!；;.]?")
_ZH_CLAUSE = re.compile(
    r"(?<![A-Za-z])，|，(?![A-Za-z])|(?<![A-Za-z\d]),|,(?![A-Za-z\d])|(?<!\d)[：:]|[：:](?!\d)"  # not A，B nor 3：4
)
_ZH_WORD = re.compile(
    r"百分之几|几分之几|多少|几何|几多|几(?!乎|十|百|千(?![克米瓦])|万|年来|[天年日]前|个月前)|多[长高远大重宽深久快厚]"
    r"|什么|哪|何[时处]|谁(?![也都知料想])|怎|吗|[（(]\s*[）)]|[=＝]\s*(?=[?？.．。]?$)"
)
_ZH_ORDER = re.compile(
    r"^(?:请你?|试)?(?:(?:先|再|分别|依次)?求(?:出|得)?(?!和|解)|分别[写算]出|把(?=.{1,16}(?:都|从.到.|分别|依次)写出来))"
)
_ZH_SEVERAL = re.compile(r"各|分别|依次")
_ZH_JOINED = re.compile(r"[、和与及]|各|分别")
_ZH_LEAD = re.compile(r"^(?:[(（]\d[)）](?!班)|那么|那(?=[么每这])|则|而|请?问|试问|并且?)+")
_ZH_RETOLD = re.compile(r"(?:意思|译文|大意)[是为]?[：:，]")  # a classical text whose translation repeats the question
_ZH_SOON = re.compile(r"几[天年日]后")  # 几天后 as a clause of its own means "some days later"
_ZH_END = " 　。．？?！!；;.”’」\"'"


def _chinese(text: str) -> list[Question]:
    found = list(islice(_chinese_questions(_ZH_RETOLD.split(text)[-1]), MAX_QUESTIONS))
    sure = [question for question in found if not _ZH_SOON.fullmatch(question.word + question.after)]
    return sure or found


def _chinese_questions(text: str) -> Iterator[Question]:
    for sentence in ZH_SENTENCE.finditer(text):
        place = sentence.start()
        for clause in _clauses(sentence[0]):
            body = clause.rstrip(_ZH_END)
            marked = body + "？" if clause != body else body
            asked = list(_ZH_WORD.finditer(marked))
            for match in asked:
                word = "=" if match[0][0] in "=＝(（" else match[0]
                quoted = _quoted(_ZH_LEAD.sub("", body), "？")
                several = bool(_ZH_SEVERAL.search(body))
                yield Question(word, body[: match.start()], body[match.end() :], quoted, several, place)
            if not asked and (order := _ZH_ORDER.match(body)):
                rest = body[order.end() :]
                several = bool(_ZH_JOINED.search(rest) or _ZH_SEVERAL.search(order[0]) or "写出来" in rest)
                yield Question("求", "", rest, _quoted(body, "。"), several, place)


def _clauses(sentence: str) -> list[str]:
    """Split a Chinese sentence into clauses. An imperative continued by a question (求甲，乙各多少) stays whole."""
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
    r"\bhow\s+(?:many|much|long|far|old|fast|tall|high|wide|deep|heavy|big|large|often|soon|strong)\b|\bwhat(?:'?s)?\b"
    r"|(?:^|(?<=[,;:)]\s)|(?<=\bthen\s)|(?<=\band\s))(?:find|determine|calculate"
    r"|compute|work out|figure out)\s"
    r"(?=(?:the|his|her|its|their|both|each|two|three|four|five|[2-6] consecutive|all|a|an|x|them)\b)"
    r"|^(?:which|who|when|where|why)\b(?=.*\?)"
    r"|(?:(?<=^at\s)|(?<=^on\s)|(?<=^in\s)|(?<=^for\s)|(?<=^with\s)|(?<=,\sand\s)|(?<=\sand\sat\s))which\b(?!\s+point)(?=.*\?)",
    re.IGNORECASE,
)
_EN_LED = re.compile(r"\b(?:in|after|for|at|by|to|of|on|from|with)\s+$", re.IGNORECASE)
_EN_SEVERAL = re.compile(
    r"\brespectively\b|\b(?:of|for|at) each\b|\beach (?:of|type|kind)\b|\bboth\b"
    r"|^\s*(?:(?:is|was|will be)\s+)?the\s+(?:two|three|2|3)\b",
    re.IGNORECASE,
)
_EN_LIST = re.compile(  # the length, the width and the area
    r"\s*(?:the|its|their) [a-z]+(?: [a-z]+)?(?:, (?:(?:the|its|their) )?[a-z]+(?: [a-z]+)?)+"
    r",? and (?:(?:the|its|their) )?[a-z]+"
    r"|\s*(?:is |was )?(?:the|its|their) [^,?]+, and (?:the|its|their) [a-z]+",
    re.IGNORECASE,
)
_EN_AND = re.compile(r"\band\b", re.IGNORECASE)
_EN_VERB = re.compile(r"\b(?:must|should|will|would|can|could|do|does|did)\b", re.IGNORECASE)
_EN_PLURAL = re.compile(r"^(?:the\s+|his\s+|her\s+|their\s+|its\s+)?(?:[a-z-]+\s+){0,2}?[a-z]+(?<!s)s\b", re.IGNORECASE)
_EN_ADDED = re.compile(r"\s(?:of|in|that|at|for|to|if|with|whose|which|such|so|on|per|from)\s", re.IGNORECASE)
_EN_EQUALS = re.compile(r"(?P<many>are|were)\b|(?:is|was|will be)\b", re.IGNORECASE)


def _english(text: str) -> Iterator[Question]:
    for found in _EN_SENTENCE.finditer(text):
        sentence = " ".join(found[0].split())
        asked = list(_EN_WORD.finditer(sentence))
        for place, match in enumerate(asked):
            end = asked[place + 1].start() if place + 1 < len(asked) else len(sentence)
            word = " ".join(match[0].lower().split())
            word = "find" if word in ("work out", "figure out") else word
            after = _ended(sentence[match.end() : end])
            led = _EN_LED.search(sentence[: match.start()])
            start = led.start() if led else match.start()
            quoted = _quoted(_tidy(sentence[start:end]), "." if _is_order(word) else "?")
            yield Question(word, sentence[: match.start()], after, quoted, _several(word, after), found.start())


def _several(word: str, after: str) -> bool:
    if word.startswith("what"):
        equals = _EN_EQUALS.match(after)
        if equals is None:
            return bool(re.search(r"\b(?:respectively|each|both)\b", after))
        if equals["many"]:
            return True
    things = _EN_VERB.split(after)[0] if word == "how many" else after  # "must be molded and sold" is about one thing
    if _EN_AND.search(things.split(",")[0]) or _EN_SEVERAL.search(after) or _EN_LIST.match(after):
        return True
    return _is_order(word) and bool(_EN_PLURAL.match(_EN_ADDED.split(after)[0]))


def _is_order(word: str) -> bool:
    return word in ("find", "determine", "calculate", "compute")


def _ended(text: str) -> str:
    """Remove final punctuation, and the `and` that introduces the next question, from the words of a question."""
    stripped = text.strip(" ,.?!;")
    for word in (" and", " or", " then"):
        stripped = stripped.removesuffix(word).rstrip(" ,.?!;")
    return stripped


def _tidy(text: str) -> str:
    """Remove the spaces before punctuation that tokenized corpora contain, and capitalize the first letter."""
    closed = re.sub(r"\s+(?=[,;:%)]|'s\b|n't\b)", "", _ended(text))
    return closed[:1].upper() + closed[1:]


def _quoted(body: str, mark: str) -> str:
    """Return a question as a step quotes it, or an empty string if it is too long or a bare formula."""
    body += "”" * (body.count("“") - body.count("”"))
    return body + mark if len(body) <= MAX_QUOTED and re.search(r"[^\W\d_]{2}", body) else ""
