"""English sentences that carry mathematics -> requests: "Solve 3x = 9 for x.", "Let f(x) = 2x. What is f(3)?"."""

from __future__ import annotations

import re
from dataclasses import replace

from sau_solver.equations.expressions import Number
from sau_solver.text.mathematics.english_commands import read_command
from sau_solver.text.mathematics.english_terms import as_formula
from sau_solver.text.mathematics.request import NotMathematicsError, Reader, Request
from sau_solver.text.mathematics.typed import RELATION, is_formula, without_blank


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_FRONT = _compiled(
    r"(?:(?:hey|hi|hello|ok|okay|so|now|then|please|pls|kindly|thus|hence|therefore|question|problem|exercise|task|and)"
    r"\b[\s,:!.]*|(?:can|could|would|will)\s+you\s+(?:please\s+)?|i\s+(?:want|need|would\s+like|have)\s+to\s+"
    r"|help\s+me\s+(?:to\s+)?|let's\s+|try\s+to\s+|(?:tell|show)\s+me\s+)+"
)
_END = _compiled(
    r"(?:[\s,.;]*\b(?:please|for\s+me|thanks|thank\s+you|step\s+by\s+step|show\s+(?:your|the|all)\s+(?:work|working|steps)"
    r"|and\s+check\s+(?:it|your\s+answer)|exactly))+$"
)
_VERB = _compiled(
    r"(?:calculate|compute|evaluate|work\s+out|find(?:\s+out)?|determine|solve|get|give(?:\s+me)?|figure\s+out|state"
    r"|write(?:\s+down)?|what(?:'s|s|\s+is|\s+are|\s+was|\s+does|\s+number\s+is|\s+values?\s+of)|how\s+(?:much|many)\s+(?:is|are)"
    r"|do|list|answer|simplify|reduce|make)\b[\s:,]*(?:all\s+)?"
)
_NOUN = _compiled(
    r"(?:the\s+)?(?:following\s+|exact\s+|numerical\s+|given\s+|real\s+)*"
    r"(?:values?|results?|answers?|solutions?|roots?|zeros?)\s+(?:of|to|for|in|from)\b\s*:?\s*"
)
_SYSTEM = _compiled(
    r"(?:the\s+|this\s+|these\s+)?(?:following\s+|given\s+|linear\s+|quadratic\s+|simultaneous\s+|two\s+)*"
    r"(?:systems?(?:\s+of\s+(?:linear\s+|simultaneous\s+)?equations)?|equations?(?:\s+true)?|inequality"
    r"|pair\s+of\s+equations|expressions?|fraction|calculation|formula|simultaneously)\b\s*[:,]?\s*"
)
_NAMES = r"(?:[A-Za-zα-ω](?![A-Za-z(])(?:\s*(?:,|and|,\s*and)\s*[A-Za-zα-ω](?![A-Za-z(]))*)"
_FOR_FRONT = _compiled(rf"for\s+({_NAMES})(?:\s*[:.,]\s*|\s+in\s+|\s+if\s+|\s*$)")
_FOR_END = _compiled(rf"[\s,]+for\s+({_NAMES})\s*$")
_NAMED = _compiled(rf"({_NAMES})(?:\s*=)?\s*$")
_COLON = _compiled(rf"({_NAMES})\s*[:.,]\s+")
_WHERE = _compiled(
    r"[\s,]+(?:if|when|given(?:\s+that)?|for\s+which|such\s+that|so\s+that|where|from|for|at|with|in|that\s+satisf(?:y|ies)"
    r"|satisf(?:y|ies)|knowing\s+that)\b\s*:?\s*"
)
_PREMISE = _compiled(
    r"(?:let|suppose|assume|given|if|when|consider|knowing)\b\s*(?:that\s+)?(?:the\s+equation\s+)?[:,]?\s*"
)
_THEN = _compiled(
    r"[\s,;]+(?=(?:then|what|find|calculate|compute|evaluate|determine|solve|how|work\s+out)\b)"
    r"|,\s*(?=[A-Za-z]\s*(?:\([^()]*\))?\s*=\s*(?:\?|$))"
)
_BE = _compiled(r"([A-Za-z])\s+(?:be|equals?)\s+(.*)$")
_DEFINED_FOR = _compiled(r"\s+for\s+(?=[A-Za-z]\s*\()")
_SENTENCE_END = re.compile(r"(?<=[^.!\s])[.?]+(?:\s+|$)|(?<=[A-Za-z])!+(?:\s+|$)|\n+")
_PLACES = _compiled(
    r"[\s,(]*\b(?:and\s+)?(?:(?:round(?:ed|ing)?|correct|accurate)\s+(?:(?:your|the)\s+answer\s+|it\s+)?(?:off\s+)?)?to\s+"
    r"(?:the\s+)?(?:nearest\s+(?P<nearest>[a-z]+)|(?P<count>\d|one|two|three|four|five|six|zero)\s*"
    r"(?:decimals?(?:\s+places?)?|d\.?p\.?s?|places?))\s*\)?\.?$"
)
_COUNTS = {"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_NEAREST = {
    "whole": 0, "integer": 0, "unit": 0, "one": 0, "tenth": 1, "hundredth": 2, "thousandth": 3, "ten": -1, "tens": -1,
    "hundred": -2, "hundreds": -2, "thousand": -3, "thousands": -3, "million": -6, "cent": 2, "dollar": 0,
}  # fmt: skip
_WHOLE_NUMBER = _compiled(r"nearest\s+whole\s+number")


def read_english(text: str, reader: Reader) -> Request:
    """Return what the sentences ask for; raise NotMathematicsError for everything else."""
    plain = _END.sub("", text.strip().rstrip(" .?")).strip()
    asked: Request | None = None
    for part in _SENTENCE_END.split(plain):
        sentence = part.strip(" ,;")
        if not sentence.strip(".?!"):
            continue
        premise, ask = _parted(_fronted(sentence))
        if premise:
            _define(premise, reader)
        if ask:
            if asked is not None:
                raise NotMathematicsError
            asked = _rounded(ask, reader)
    if asked is None and reader.values and not reader.equations:  # "Let i be 3*4." asks for i
        asked = Request("equation", wanted=(list(reader.values)[-1],))
    return reader.completed(asked or Request("equation"), "en")


def _fronted(sentence: str) -> str:
    front = _FRONT.match(sentence)
    return sentence[front.end() :] if front else sentence


def _parted(sentence: str) -> tuple[str, str]:
    """Split "If A, what is B" into what is given and what is asked."""
    lead = _PREMISE.match(sentence)
    rest = sentence[lead.end() :] if lead else sentence
    then = _THEN.search(rest)
    given = rest[: then.start()] if then else rest
    if lead or (RELATION.search(without_blank(given)) and is_formula(given)):
        return given, _fronted(rest[then.end() :]) if then else ""
    return "", sentence


def _define(premise: str, reader: Reader) -> None:
    """Keep what a premise says: `p be 3*4`, `i be x(24) for x(v)=…`, `f(x)=…`, equations."""
    if found := _BE.match(premise):
        name, value = found[1], found[2]
        if function := _DEFINED_FOR.search(value):
            reader.define(value[function.end() :])
            value = value[: function.start()]
        request = _asked(value, reader)
        if request.kind != "expression":
            raise NotMathematicsError
        reader.set_value(name, request.terms[0])
        return
    for part in re.split(r"\s+and\s+(?=[A-Za-z]\s*\()", premise):
        reader.define(part)


def _rounded(ask: str, reader: Reader) -> Request:
    """Read a question that may end in "to 2 decimal places"."""
    ask = _WHOLE_NUMBER.sub("nearest integer", ask)
    found = _PLACES.search(ask)
    if found is None:
        return _asked(ask, reader)
    if found["nearest"]:
        places = _NEAREST.get(found["nearest"].lower())
    else:
        places = int(found["count"]) if found["count"].isdigit() else _COUNTS[found["count"].lower()]
    request = _asked(ask[: found.start()].rstrip(" ,("), reader)
    if places is None:
        raise NotMathematicsError
    number = len(request.terms) == 1 and isinstance(request.terms[0], Number)
    return replace(request, kind="round" if number and request.kind == "expression" else request.kind, places=places)


def _asked(ask: str, reader: Reader) -> Request:
    """Read one question or command."""
    ask = ask.strip().rstrip("?").rstrip()
    if request := read_command(ask, reader):
        return request
    verb = _VERB.match(ask)
    rest = _plain(ask[verb.end() :] if verb else ask)
    if found := _FOR_FRONT.match(rest):
        if tail := _plain(rest[found.end() :]):
            reader.define(tail)
        return Request("equation", wanted=_named(found[1]))
    if (found := _FOR_END.search(rest)) and RELATION.search(rest):
        reader.define(rest[: found.start()])
        return Request("equation", wanted=_named(found[1]))
    if (found := _COLON.match(rest)) and RELATION.search(rest):
        reader.define(_plain(rest[found.end() :]))
        return Request("equation", wanted=_named(found[1]))
    if (where := _WHERE.search(rest)) and RELATION.search(rest, where.end()):
        _define(_plain(rest[where.end() :]), reader)
        return _asked(rest[: where.start()], reader)
    if RELATION.search(without_blank(rest)):
        reader.define(rest)
        return Request("equation")
    if (found := _NAMED.match(rest)) and (reader.equations or rest in reader.values):
        return Request("equation", wanted=_named(found[1]))
    simplify = verb is not None and verb[0].lower().startswith(("simplify", "reduce"))
    term = reader.expression(as_formula(without_blank(rest)))
    return Request("expression", (term,), option="simplify" if simplify else "")


def _plain(text: str) -> str:
    """Return the text without "the value of" and "the following system of equations:" before its formulas."""
    for pattern in (_NOUN, _SYSTEM):
        if found := pattern.match(text):
            text = text[found.end() :]
    return text.strip()


def _named(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[A-Za-zα-ω]", re.sub(r"\band\b", ",", text)))
