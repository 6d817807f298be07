"""Questions and the unknowns of equations -> a step that says what the unknowns stand for, or None if that is unsure.

A single unknown that answers a single question is named after it. The text does not say which of two unknowns is which,
so two unknowns are only introduced together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sau_solver.answering.asked import Asked
from sau_solver.equations.expressions import Unknown
from sau_solver.explaining.steps import Step, StepWriter
from sau_solver.phrases import Phrase, say
from sau_solver.problem import Language
from sau_solver.text.asking.english_rounding import is_counted
from sau_solver.text.numbers import MappedText
from sau_solver.text.questions import Question
from sau_solver.text.units import counted_things, measured_by

_HAN = r"[\u4e00-\u9fff]"
_SIDES = (("length", "width"), ("width", "length"), ("长", "宽"), ("宽", "长"))
_EN_PLURALS = frozenset({"children", "people", "men", "women", "sheep", "fish", "geese", "mice"})
_EN_NO_OWNER = re.compile(r"(?:he|she|it|they|that|age|ages|sum|who|now|twice|half|old|years?)", re.IGNORECASE)
_EN_NO_KIND = re.compile(
    r"(?:the|a|an|of|many|more|fewer|all|these|those|some|his|her|their|its|both|two|three|each|sold|bought|sells?|buys?"
    r"|has|have|had|other|and|or|in|total|how|much|only|which|what|as|for|with|kinds?|types?|different)",
    re.IGNORECASE,
)
MAX_THING, MAX_THING_WORDS = 12, 5  # length of a quantity that is a name: characters in Chinese, words in English
MAX_NAMED = 40  # characters of a Chinese clause that is turned into a statement

_EN_VERB = re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|had|went|he|she|they|it|you|more|left|remain)\b", re.IGNORECASE
)
_EN_DETERMINED = re.compile(r"(?:the|a|an|his|her|its|their|my|your|each|one)\b|\w+'s\b|\d", re.IGNORECASE)
_ZH_TAIL = re.compile(r"(?:每[个本张件盒支]|[买卖存用花装有是])$")
_ZH_NO_NOUN = re.compile(r"^[的还比修追]|每|^当初|还要|一共|取回")
_ZH_LEAD = re.compile(
    r"^(?:那么?|则|而|并|所以|请?问|试问|[请试]?求[出得]?|那|当(?![日天月年时])|判断|可知|算一算|想一想|请?你?算一?算|请你|[(（]\d[)）]|[①②③])\s*"
)
_ZH_UNCLEAR = re.compile(r"[“”‘’「」\"'《（(【]|你|请|算|能否|是否|设|[a-zA-Z]|至少|最多|最少|至多|[?？]")
_SINGLE = str.maketrans("“”", "‘’")
_ZH_EQUALS = re.compile(r"(?:应?定?[是为]|等于|[=＝])$")
_ZH_PARTICLE = re.compile(r"[呢啊吗呀]$")
_EN_THING = re.compile(
    r"^(?:(?:is|was|will be)\s+)?(?P<thing>(?:the|his|her|its|their|a|an|\w+'s)\s+[^,;:]+?)(?:\s+if\s.*|,.*)?$",
    re.IGNORECASE,
)
_EN_UNCLEAR = re.compile(r"\b(?:you|each|both|following|answer|there|value of [a-z])\b|[\"“”()]", re.IGNORECASE)


def name_unknowns(
    questions: Sequence[Question],
    unknowns: Sequence[str],
    language: Language,
    plain: bool = False,
    reader: Language | None = None,
) -> Step | None:
    """Return the step that introduces the unknowns; `plain` only quotes the question, as for shares and discounts.

    A reader of another language than the problem's also gets the question quoted.
    """
    reader = reader or language
    step = StepWriter(reader)
    plain = plain or reader != language
    if not questions or not unknowns or any(_mentions(question, unknowns) for question in questions):
        return None
    several = any(question.several for question in questions)
    if len(unknowns) == 1 and len(questions) == 1 and not several:
        named = _chinese if language == "zh" else _english
        question = questions[0]
        if not plain and (introduction := named(question, unknowns[0], step)):
            return introduction
        return step("let_question", unknown=unknowns[0], question=_nested(question.quoted)) if question.quoted else None
    if len(unknowns) > 1 and (
        len(questions) == len(unknowns) or (len(questions) == 1 and several and not _lists(questions[0], len(unknowns)))
    ):
        quoted = list(dict.fromkeys(question.quoted for question in questions))
        if all(quoted):
            shown = "".join(say(reader, "quoted", question=_nested(text)) for text in quoted).strip()
            joined = say(reader, "names").join(unknowns[:-1]) + say(reader, "and") + unknowns[-1]
            return step("let_several", unknowns=joined, questions=shown)
    return None


def name_asked(entries: Sequence[Asked], unknowns: Sequence[str], text: MappedText, reader: Language) -> Step | None:
    """Return the step that says which of several unknowns is which quantity; None if the questions do not tell.

    One of two unknowns may be named by its partner: if x stands for the goats, y stands for the chickens.
    """
    certain = [one for one in entries if one.certain and one.unknown in unknowns]
    known = {one.unknown: (_thing(one.quantity, text), one.unit) for one in certain}
    quantities = [quantity for quantity, _ in known.values()]
    if len(unknowns) < 2 or not known or not all(quantities) or len(set(quantities)) < len(quantities):
        return None
    if len(unknowns) == 2 and len(known) == 1:
        ((name, (quantity, unit)),) = known.items()
        if partner := _partner(quantity, text):
            known[unknowns[1 - unknowns.index(name)]] = (partner, "" if unit == quantity else unit)
    named = [name for name in unknowns if name in known]
    parts = [_named(Unknown(name), *known[name], name == named[0], text, reader) for name in named]
    rest = tuple(Unknown(name) for name in unknowns if name not in known)
    if rest:
        parts.append(Phrase.of("let_rest", unknowns=rest))
    chain = parts[0]
    for part in parts[1:]:
        chain = Phrase.of("chained", one=chain, other=part)
    return StepWriter(reader)("let_all", parts=chain)


def _thing(quantity: str, text: MappedText) -> str:
    """Return the words of a quantity that name a thing, or an empty string if they seem to say something else."""
    if text.language == "zh":
        quantity = _ZH_TAIL.sub("", quantity.removeprefix("需要"))
        unclear = len(quantity) > MAX_THING or _ZH_UNCLEAR.search(quantity) or _ZH_NO_NOUN.search(quantity)
    else:
        unclear = len(quantity.split()) > MAX_THING_WORDS or _EN_VERB.search(quantity)
    return "" if unclear else quantity


def _named(unknown: Unknown, quantity: str, unit: str, first: bool, text: MappedText, reader: Language) -> Phrase:
    """Return `x be the number of goats`, or `y be the width (meters)` after the first one."""
    if text.language == "en":
        quantity = _owned(quantity, unit)
    last = quantity.split()[-1]
    counted = text.language == "en" and (not unit or _is_counted(unit))
    plural = (last.endswith("s") and not last.endswith(("'s", "ss"))) or last in _EN_PLURALS
    code = "number" if counted and plural else "thing"
    own = Phrase.of("let_unit", unit=unit) if unit and code == "thing" else ""
    if text.language == "en" and code == "thing" and quantity[0].islower() and not _EN_DETERMINED.match(quantity):
        priced = unit == "dollars" and len(quantity.split()) == 1
        quantity = f"the price of one {quantity}" if priced else f"the {quantity}"
    if text.language == "en" and code == "thing" and quantity[0].isdigit():  # 40% solution
        quantity = f"the amount of {quantity}"
    thing = quantity if reader == text.language else Phrase.of("words", words=quantity)
    return Phrase.of(f"let_{'first' if first else 'next'}_{code}", unknown=unknown, thing=thing, unit=own)


def _is_counted(unit: str) -> bool:
    return is_counted(Question("how many", "", unit, "", several=False))


def _owned(quantity: str, unit: str) -> str:
    """Return what a person has or is: Anna's stickers, Lisa's age; other quantities stay as they are."""
    if not quantity.isalpha() or not quantity.istitle() or not unit or quantity.lower() == unit.lower():
        return quantity
    if unit in ("years", "dollars", "cents"):
        return f"{quantity}'s {'age' if unit == 'years' else 'money'}"
    return f"{quantity}'s {unit}" if _is_counted(unit) else quantity


def _partner(quantity: str, text: MappedText) -> str:
    """Return what a text mentions together with a quantity: chickens for goats, 鸡 for 兔; empty if nothing."""
    own = re.escape(quantity)
    if text.language == "zh":
        if len(quantity) == 1:  # 鸡兔同笼
            pattern = rf"({_HAN}){own}(?=[同共各])|{own}({_HAN})(?=[同共各])"
        else:
            pattern = rf"(?<!{_HAN})({_HAN}{{1,4}})[和与、]{own}|{own}[和与、]({_HAN}{{1,4}}?)(?=[共一各两，的])"
    else:
        pattern = rf"\b([a-z]+s) and (?:some |the )?{own}\b|\b{own} and (?:some |the )?([a-z]+s)\b"
    pair = re.search(pattern, text.text, re.IGNORECASE)
    if pair:
        return _thing(pair[1] or pair[2], text)
    side = next((other for one, other in _SIDES if one == quantity and other in text.text), "")
    return side or (_compared(quantity, text.text) if text.language == "en" else "")


def _compared(quantity: str, text: str) -> str:
    """Return what an English text compares with a quantity, or sets beside it: child tickets for adult tickets."""
    if owner := re.fullmatch(r"(?:the |his |her |my )?([A-Za-z]+)'s age", quantity):
        verb = r"(?:is|was|will be)\b[^.?!]*?\b(?:than|as|of) (?:his |her |the |a )?"
        who = re.search(rf"\b([A-Za-z]+) {verb}{owner[1]}\b|\b{owner[1]} {verb}([A-Za-z]+)\b", text)
        found = (who[1] or who[2]) if who else ""
        if not found or _EN_NO_OWNER.fullmatch(found):
            return ""
        return f"{'the ' if found.islower() else ''}{found}'s age"
    *kind, head = quantity.split()
    if len(kind) != 1 or not head.endswith("s"):
        return ""
    kinds = re.findall(rf"([A-Za-z'’]+) {re.escape(head)}\b", text)
    others = {one.lower() for one in kinds if not _EN_NO_KIND.fullmatch(one)} - {kind[0].lower()}
    return f"{others.pop()} {head}" if len(others) == 1 else ""


def _lists(question: Question, count: int) -> bool:
    """Return whether a question lists more than `count` things, such as teachers, parents and pupils for 2."""
    return len(re.findall(r"[、和与及]|\band\b", question.quoted)) >= count


def _nested(text: str) -> str:
    """Return a text with single quotation marks inside, so that it can stand in double ones."""
    return text.translate(_SINGLE)


def _mentions(question: Question, unknowns: Sequence[str]) -> bool:
    """Return whether the question itself uses the name of an unknown, perhaps for something else."""
    names = "|".join(map(re.escape, unknowns))
    return bool(
        re.search(rf"(?<![A-Za-z])(?:{names})(?![A-Za-z])", question.before + " " + question.after, re.IGNORECASE)
    )


def _chinese(question: Question, unknown: str, step: StepWriter) -> Step | None:
    before, after = question.before.strip(), _ZH_PARTICLE.sub("", question.after.strip())
    while (shorter := _ZH_LEAD.sub("", before)) != before:
        before = shorter
    if question.word == "求":
        thing = re.sub(r"(?:是|为|的值)$", "", after)
        fits = 0 < len(thing) <= MAX_NAMED and not _ZH_UNCLEAR.search(thing)
        return step("let_thing", thing=thing, unknown=unknown) if fits else None
    if question.word not in ("多少", "几", "=") or _ZH_UNCLEAR.search(before) or len(before) > MAX_NAMED:
        return None
    if not after or (after == "时" and _ZH_EQUALS.search(before)):
        thing = _ZH_EQUALS.sub("", before)
        stated = question.word == "=" or thing != before
        fits = stated and re.search(r"[\u4e00-\u9fff]$", thing) is not None
        return step("let_thing", thing=thing, unknown=unknown) if fits else None
    measure = measured_by(question)
    if measure is None:
        return None
    rest = after[len(measure[0].strip()) :]
    after = re.sub(r"(?<!小)时$", "", after) if rest else after  # 当 … 时 means "when"
    if _ZH_UNCLEAR.search(rest):
        return None
    before = re.sub(r"[=＝]$", "是", before)
    return step("let_clause", before=before, unknown=unknown, after=after)


def _english(question: Question, unknown: str, step: StepWriter) -> Step | None:
    if things := counted_things(question):
        plain = re.match(r"\s*(?:more|fewer|less|additional|extra|other|another|further)\b", question.after)
        if plain is None and question.quoted:
            return step("let_number", unknown=unknown, things=things, question=_nested(question.quoted))
        return None
    if question.word in ("what", "what's", "find", "determine", "calculate", "compute"):
        found = _EN_THING.match(question.after)
        if (
            found
            and not _EN_UNCLEAR.search(found["thing"])
            and (question.word != "what" or question.after[:2] in ("is", "wa", "wi"))
        ):
            thing = re.sub(r"\s+(?=[,;:%)]|'s\b|$)", "", found["thing"])
            return step("let_thing", thing=thing, unknown=unknown)
    return None
