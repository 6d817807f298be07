"""English questions -> the things they ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sau_solver.text.asking.english_lists import VERB, VERBS, things_listed
from sau_solver.text.asking.english_ratios import ratio_asked, stated_ratio
from sau_solver.text.asking.english_rounding import english_rounding, is_counted
from sau_solver.text.asking.english_units import unit_asked
from sau_solver.text.asking.measures import english_unit
from sau_solver.text.asking.mentions import words_of
from sau_solver.text.asking.no_quantity import NO_QUANTITY
from sau_solver.text.asking.really_asked import EN_SENTENCE, asked_in_english, opens_story
from sau_solver.text.asking.thing import RatioAsked, Relation, Thing
from sau_solver.text.questions import Question, questions_of
from sau_solver.text.units import counted_things, unit_in_question

_GCD = re.compile(
    r"\b(?:greatest|highest|largest) common (?:factor|divisor|measure)\b|\b(?:GCF|GCD|HCF)\b", re.IGNORECASE
)
_LCM = re.compile(r"\b(?:least|lowest|smallest) common (?:multiple|denominator)\b|\bLCM\b", re.IGNORECASE)
_DIFFERENCE = re.compile(
    r"^how (?:many|much) (?!of (?:the|these|those) )(?:(?!the )[\w/]+ ){0,2}"
    r"(?:more|fewer|less|older|younger|longer|shorter|taller|heavier"
    r"|lighter|farther|further|faster|slower|cheaper|dearer|higher|lower|bigger|larger|greater|smaller|wider|deeper"
    r"|narrower|stronger|thicker|thinner|warmer|colder)\b"
    r"(?=.*\bthan\b|\s*(?:\w+ )?(?:\?|$|did|does|do|is|was|are|were|has|will))"
    r"|^how many (?:years|feet|inches|meters|miles|pounds|cm|km|kg|dollars|cents|minutes|hours|points"
    r"|degrees) (?:older|younger|longer|shorter|taller|heavier|lighter|farther|faster|more|less)\b"
    r"|^(?:what(?:['’]?s)?|find|determine|calculate|compute) (?:is |was |be )?(?:the )?(?:positive "
    r")?difference\b|^by how (?:many|much)\b"
    r"|^how far (?:apart|ahead|behind)\b|^how far (?:is|was) \w+ (?:ahead|behind)\b|\b(?:age )?gap\b|\boutnumbers?\b"
    r"|\bdo (?:they|the \w+ \w+) differ\b|^how many (?:years|points|meters|km) (?:is|are|was) .+ (?:ahead|behind)\b"
    r"|^how many .+ to catch up with\b|^how (?:much|many \w+) (?:do|does|did) \w+ save (?:on|at)\b",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"\b(?:altogether|all together|in total|in all|all in all|combined(?! (?:to|with)\b)"
    r"|(?<!mixed )(?<!mix )together|total|sum of"
    r"|add(?:ed)? (?:the two|them|up))\b",
    re.IGNORECASE,
)
_LARGER = re.compile(
    r"\b(?:larger|largest|greater|greatest|bigger|biggest|longer|longest|older|oldest|eldest|higher|highest"
    r"|taller|heavier|faster|major|more expensive)\b(?!\s+(?:common|possible|whole number of|number "
    r"of|than|integer (?:less|that)|(?:\w+ )?first\b))",
    re.IGNORECASE,
)
_SMALLER = re.compile(
    r"\b(?:smaller|smallest|lesser|shorter|shortest|younger|youngest|lower|lowest|lighter|slower"
    r"|cheaper|minor)\b(?!\s+(?:common|possible|number of|than|(?:\w+ )?first\b))",
    re.IGNORECASE,
)
_THAT_HAS_MORE = re.compile(
    r"\b(?:that|which|who) (?:is|has|had|holds?|costs?|weighs?|got|sold|won|earns?|earned) (?:the )?"
    r"(?:(?P<more>more|most|larger|greater|heavier|longer|bigger)|less|fewer|least|fewest|smaller|lighter|shorter)\b"
    r"(?! than)",
    re.IGNORECASE,
)
_EVERY = re.compile(
    r"\b(?:of|for|at|on|in|by|did|does|do|is|are|was|were|will|should|has|have|had|can) (?:each"
    r"|both(?! to (?:have|be|get)\b)|these|those)\b"
    r"|\beach (?:of|type|kind|one|person|girl|boy|number|child|pipe|angle|side|alone)\b"
    r"|\beach (?:part|piece|section|segment|half|account|day)\b|\b(?:at which|hours|speed|rate|share) each\b"
    r"|^(?:is|are) our ages?$|^(?:are |were )?(?:the|their|its|both|all) (?:(?!sum|total|of)\w+ )?(?:rates|speeds"
    r"|lengths|measures|prices|costs|amounts|weights|heights|distances|integers|numbers|angles)\b"
    r"|\brespectively\b|\b(?:are|were|is|be) both\b|^(?:are|were) they\b|^them\b|^both\W*$"
    r"|^all (?:the )?(?:two|three|four)\b|\btheir (?:\w+ )?(?:age"
    r"|rates|ages|prices|speeds|weights|values|heights|lengths|costs|sizes|masses|widths|areas)\b"
    r"|\bthe two (?:\w+ )?(?:prices|weights|lengths|speeds|heights|weigh|cost|earn|rates)\b"
    r"|\b(?:the|its|their) (?:two|three|four|2|3|4|other)?\s?(?:consecutive )?(?:even |odd |positive |whole "
    r"|natural )?(?:numbers|integers|dimensions|angles|sides|ages|pieces|prices|digits)\b"
    r"|^\s*(?:are |were |is )?(?:the )?(?:two|three|four|both|2|3|4) (?!times)\w+s\b|\b(?:length"
    r"|measure|size)s? of (?:the|all|its) (?:two|three|sides|angles|pieces)\b",
    re.IGNORECASE,
)
_NAMED_BY_NUMBER = re.compile(  # how many 3 pointers; how many tents for 4 people are these
    r"how many (?:[2-4] \w+s\b|[a-z ]+\d+ [a-z ]+ (?:are|were) (?:these|those)$)", re.IGNORECASE
)
_ONE_OF_EACH = re.compile(r"\bone (?:\w+ )?of each\b", re.IGNORECASE)
_RESULT = re.compile(r"what(?: (?:do you|will \w+|does \w+) get| is the result| does that make)$", re.IGNORECASE)
_ADDED = re.compile(
    r"\badds? (?:(?:just |only )?the (?:lowest|smallest) and the (?:highest|largest)|them|the two|both)\b[^.]*\.?\s*$",
    re.IGNORECASE,
)
_WHEN_ADDED = re.compile(r"\bwhen (?:(?:you|she|he|they|we) adds? (?:them|both|\w+ and \w+)|added)$", re.IGNORECASE)
_IN_BOTH = re.compile(r"\bin both \w+s$", re.IGNORECASE)
_SIDE_NAMED = re.compile(r"\w+ (?:is|are) the (?P<size>long|short)(?:er)?(?: \w+)? side\b", re.IGNORECASE)
_COUNTS = {"two": 2, "2": 2, "both": 2, "three": 3, "3": 3, "four": 4, "4": 4}
_STATED_COUNT = re.compile(
    r"\b(two|three|four|2|3|4) (?:\w+ ){0,2}?(?:numbers|integers|sides|angles|ages|pieces|digits|prices)\b",
    re.IGNORECASE,
)
_PLURAL_EVERY = re.compile(
    r"\b(?:they|numbers|integers|sides|angles|ages|pieces|dimensions|digits|prices)\b", re.IGNORECASE
)
_AREA = re.compile(r"\barea\b", re.IGNORECASE)
_PERIMETER = re.compile(r"\bperimeter\b", re.IGNORECASE)
_DIMENSIONS = {
    "long": "length of",
    "far": "distance",
    "fast": "speed of",
    "tall": "height of",
    "high": "height of",
    "heavy": "weight of",
    "wide": "width of",
    "deep": "depth of",
}
_ELLIPSIS = re.compile(
    r"\s*(?:and\s+)?(?:at|for|on)\s+\$?\s*\d[^?]{0,30}\?$|\s*and\s+(?:of\s+|for\s+)?(?:an?|the|one|each)\s[^?,]{2,30}\?$",
    re.IGNORECASE,
)
_TOGETHER = re.compile(r"\b(?:together|altogether|in total|in all|combined)\b", re.IGNORECASE)
_BOTH_KINDS = re.compile(r"\b(?:both|these two) kinds\b", re.IGNORECASE)
_ALTOGETHER = re.compile(r"\b(?:all in all|altogether|in all|in total),?\s*$", re.IGNORECASE)
_DESCRIBED = re.compile(r"\s+with \d+ (?:more|fewer|less)\b")  # how many cats are in a home with 3 more dogs than cats
_IF = re.compile(r",?\s+(?:if|given that|assuming)\s", re.IGNORECASE)
_SIZED = ("how wide", "how long", "how tall", "how high", "how deep")


def english_things(text: str) -> tuple[Thing, ...]:
    """Return the things that an English text asks for, in order."""
    for pattern, relation in ((_GCD, "gcd"), (_LCM, "lcm")):
        if pattern.search(text) and not _is_given(pattern, text):
            return (_named(text, "gcd" if relation == "gcd" else "lcm", pattern),)
    questions = questions_of(text, "en").found
    questions = asked_in_english(questions, text)
    found = [(question.place, thing) for question in questions for thing in _things(question, text)]
    asked = [(place, thing) for place, thing in found if thing.relation != "none"]
    if len(text) < 2000 and asked:
        places = {place for place, _ in asked}
        asked += [  # How much did she invest at 8 %? At 5 %?
            (
                sentence.start(),
                replace(asked[-1][1], question=sentence[0].strip(), quantity=_tidy(sentence[0]), words=sentence[0]),
            )
            for sentence in EN_SENTENCE.finditer(text)
            if sentence.start() not in places and _ELLIPSIS.match(sentence[0])
        ]
        asked += [
            (sentence.start(), Thing(" ".join(sentence[0].split()), _tidy(sentence[0]), relation="none"))
            for sentence in EN_SENTENCE.finditer(text)
            if sentence.start() not in places and NO_QUANTITY.match(sentence[0].strip())
            if not opens_story(text, sentence)
        ]
    if not asked and (ratio := stated_ratio(text)) is not None:
        return (Thing("", "", relation="ratio", words=ratio.first, other=ratio.second),)
    ordered = [thing for _, thing in sorted(asked, key=lambda one: one[0])]
    named = [thing for thing in ordered if thing.relation == "value"]
    if len(named) > 1:  # How many of each? How many nickels? How many dimes?
        ordered = [thing for thing in ordered if thing.relation != "every"]
    return tuple(ordered)


def _is_given(pattern: re.Pattern[str], text: str) -> bool:
    """Return whether a text says what a common divisor or multiple is, or names both of them and asks for neither."""
    given = (
        rf"(?:{pattern.pattern})"
        + r"(?: and (?:\w+ ){0,2}\w+)?(?: of [^.?!]{1,40}?)? (?:is|are|was|were|=)(?: \w+){0,2} \d"
    )
    if re.search(given, text, re.IGNORECASE):
        return True
    both = _GCD.search(text) and _LCM.search(text)
    return (
        bool(both)
        and re.search(r"\b(?:sum|product|difference|ratio)\b|\bfactors of their\b", text, re.IGNORECASE) is not None
    )


def _named(text: str, relation: Relation, pattern: re.Pattern[str]) -> Thing:
    questions = questions_of(text, "en").found
    own = [one for one in questions if pattern.search(one.after)]
    counted = [one for one in questions if one.word == "how many"]
    last = (counted or own or [Question("", "", "", "", False)])[-1]
    unit = unit_in_question(last, text, "en") if counted else ""
    if not counted and questions and questions[-1].word.startswith("how"):
        last = questions[-1]
        unit = english_unit(f"{last.word} {last.after}", text)
    return Thing(last.quoted, unit or _tidy(last.after), unit, relation, words=last.after)


def _things(question: Question, text: str) -> Iterator[Thing]:
    question = replace(question, after=_IF.split(question.after)[0])
    whole = f"{question.word} {question.after}"
    if question.word in ("why", "where", "who") or NO_QUANTITY.match(whole):
        return
    ratio = ratio_asked(question, _rest(question, text))
    if ratio is not None:
        yield _ratio_thing(ratio, question)
        return
    relation = _relation(question, whole, text[: question.place])
    unit = unit_asked(question, whole, text, relation)
    words = f"{question.word.removeprefix('how ')} {question.after}" if question.word in _SIZED else question.after
    words = _DESCRIBED.split(words)[0]
    thing = Thing(question.quoted, "", unit, relation, words=words, rounding=english_rounding(question, whole))
    thing = replace(thing, counted=is_counted(question))
    if relation == "sum" and _RESULT.match(whole):
        thing = replace(thing, words=f"{question.before} {words}")
    match relation:
        case "difference":
            first, _, second = _split_pair(question.after)
            yield replace(thing, quantity=_tidy(question.after), words=first, other=second)
        case "every":
            count = next((_COUNTS[word] for word in re.findall(r"\w+", question.after.lower()) if word in _COUNTS), 0)
            if not count and _PLURAL_EVERY.search(question.after):
                stated = _STATED_COUNT.search(text)
                count = _COUNTS[stated[1].lower()] if stated else 2
            yield replace(thing, quantity="", count=count)
        case "value" if parts := things_listed(question):
            for part in parts:
                yield replace(
                    thing,
                    quantity=_tidy(part),
                    words=part,
                    unit=unit_asked(replace(question, after=part), f"{question.word} {part}", text, relation) or unit,
                )
        case _:
            yield replace(thing, quantity=_quantity(question))


def _ratio_thing(ratio: RatioAsked, question: Question) -> Thing:
    unit = "times" if ratio.times else "%" if ratio.percent else ""
    return Thing(
        question.quoted,
        _tidy(question.after),
        unit,
        "ratio",
        words=ratio.first,
        other=ratio.second,
        part=ratio.part,
        times=ratio.times,
    )


def _rest(question: Question, text: str) -> str:
    """Return the rest of a question's sentence, which may contain a second question word."""
    sentence = EN_SENTENCE.match(text, question.place)
    whole = " ".join(sentence[0].split()) if sentence else ""
    return whole[len(question.before) + len(question.word) :].strip(" ?.")


def _relation(question: Question, whole: str, before: str = "") -> Relation:
    if _DIFFERENCE.search(whole) or (
        question.before.lower().rstrip().endswith("by") and question.word.startswith(("how", "what"))
    ):
        return "difference"
    larger, smaller = bool(_LARGER.search(whole)), bool(_SMALLER.search(whole))
    if bigger := _THAT_HAS_MORE.search(whole):
        return "larger" if bigger["more"] else "smaller"
    if larger != smaller and question.word != "how many":
        return "larger" if larger else "smaller"
    if re.match(r"(?:is |was )?the (?P<which>first|last) of (?:these|the|those|all)\b", question.after):
        return "smaller" if "first" in question.after.split(" of ")[0] else "larger"
    one = _NAMED_BY_NUMBER.match(whole) or re.match(r"(?:is |was )?(?:one|either|any) of\b", question.after)
    every = (_EVERY.search(question.after) and not one) or (
        question.word == "how old" and re.match(r"are\b(?! (?:the )?(?:you|twins|triplets)\b)", question.after)
    )
    if re.match(r"(?:is |was |will be )?(?:the|their) (?:sum|total)\b(?: of\b|$)", question.after):
        return "sum"
    if re.match(r"(?:is |was |will be )?(?:the|their) product\b(?: of\b|$)", question.after):
        return "product"
    if _RESULT.match(whole) and _ADDED.search(question.before or before):
        return "sum"
    if _WHEN_ADDED.search(question.after) or (question.word == "how many" and _IN_BOTH.search(question.after)):
        return "sum"
    if side := _SIDE_NAMED.match(question.after):
        return "larger" if side["size"].lower() == "long" else "smaller"
    if _ONE_OF_EACH.search(question.after) and re.search(r"\b(?:pay|cost|price|spend)\b", whole):
        return "sum"
    of_both = question.word in ("how many", "how much") and _BOTH_KINDS.search(question.after) is not None
    if every and not of_both and (not _SUM.search(question.after) or re.search(r"\beach\b", question.after)):
        return "every"
    if _AREA.search(whole) and not question.several:
        return "area"
    if _PERIMETER.search(whole) and not question.several:
        return "perimeter"
    if _SUM.search(question.after) and (not question.several or _TOGETHER.search(question.after)):
        return "sum"
    if of_both or (question.word == "how many" and _ALTOGETHER.search(question.before)):
        return "sum"
    return "value"


def _split_pair(after: str) -> tuple[str, str, str]:
    for mark in (r"\bthan\b", r"\bas\b(?!.*\bas\b)", r"\bto\b", r"\band\b", r"\bthe\b"):
        found = list(re.finditer(mark, after))
        if found:
            return after[: found[-1].start()], found[-1][0], after[found[-1].end() :]
    return after, "", ""


def _quantity(question: Question) -> str:
    after = question.after
    if question.word == "how many":
        things = counted_things(question)
        if things:
            of = re.match(rf"{re.escape(things)} of (?:the )?(?P<what>[\w%$. -]+?)(?:\s+{VERBS}|$)", after)
            return of["what"] if of else things
        return _tidy(VERB.split(after)[0]) if words_of(VERB.split(after)[0], "en") else ""
    if old := re.match(r"(?:is|was|will)\s+(?P<who>.+?)(?:\s+(?:be\b|now|today|if|in \d).*)?$", after):
        who = old["who"]
        if question.word == "how old":
            return f"{who}'s age"
        name = _DIMENSIONS.get(question.word.removeprefix("how "))
        if name and not name.endswith("of"):
            return name
        if name:
            return f"{name} {who}"
        if question.word in ("what", "what's", "how much"):
            return _tidy(who)
    if cost := re.match(r"(?:does|do|did|will|would)\s+(?P<what>.+?)\s+costs?\b", after):
        return f"price of {cost['what']}"
    if question.word in ("find", "determine", "calculate", "compute"):
        return _tidy(after)
    return ""


def _tidy(text: str) -> str:
    shown = re.sub(
        r"^\s*(?:\([a-h1-9]\)\s*)?(?:(?:is|was|are|were|will be)\s+)?(?:the|a|an|his|her|its|their)\s+",
        "",
        " ".join(text.split()),
        flags=re.IGNORECASE,
    )
    shown = re.sub(r"\s+(?=[,;:%)]|'s\b)", "", re.split(r"[,;?.](?:\s|$)|\s+if\s", shown)[0])
    return shown if len(shown) <= 60 else ""
