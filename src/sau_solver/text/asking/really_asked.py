"""Question words of a text -> those that really ask.

In 又来了几个同学 the word 几 means "some". 谁 may be part of a story. "She keeps what is left" is not a question. A
question that opens a story ("Who won?") is not meant for the reader.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sau_solver.text.questions import ZH_SENTENCE, Question

EN_SENTENCE = re.compile(r"(?:\b(?:Mrs?|Ms|Dr|St|vs|p\.m|a\.m)\.|\d\.(?=\d)|[^.?!\n])+[.?!]?", re.IGNORECASE)
_ZH_NUMBER = re.compile(r"\d|[一二两三四五六七八九十百]{2,}|[二两三四五六七八九十][个只本元米人天辆箱张条棵]")
_ZH_ASKS = re.compile(r"多少|几|多[长高远大重宽深久快厚]")
_ZH_ORDERED = re.compile(r"^(?:请你?)?(?:先|再|然后)?(?:求|算|说出?)")
_ZH_CONDITION = re.compile(r"^(?:如果|只要|无论|不管|不论|假如|要是|凡是)")
_ZH_SET_ASIDE = re.compile(r"^(?:不用|不必|我知道|先不管|先别管|来分|来分配|分配|忘了|没[人有]知道)|先不管$")
_ZH_PURPOSE = re.compile(r"^(?:好|以便|才好|才能)(?:决定|知道|安排|准备|计划)")
_ZH_SAME_COUNT = re.compile(r"能[^，几]{0,3}几(?P<unit>.)就?[^，几]{0,3}几(?P=unit)")
_ZH_FILL_IN = re.compile(r"^(?:应?该)?(?:怎么|怎样)?(?:填|写)(?:多少|几|什么)?")
_ZH_LATER = re.compile(r"[年天日个]月?后")
_ZH_FILLED = re.compile(r"满几[^，。几\d]{1,2}[之以]?后")  # 坐满几条后会剩下多少名同学
_ZH_IN_OTHER_WORDS = re.compile(r"^(?:也就是|就是说|换句话说|即)")
_NUMBER = re.compile(r"\d")
MAX_CALL = 4  # characters of 在吗 or 小峰吗, which only call somebody
_TIME_OR_CHOICE = ("when", "which", "who", "where")
_RELATIVE = re.compile(
    r"\b(?:keeps?|gets?|takes?|gives?|is|are|was|sees?|knows?|likes?|with|eats?|sells?|of|than|times|halves?|as|guess"
    r"|shared?|adds? up|exactly|splits?|makes?|to (?:have|reach|afford)|twice|double|triple|half(?: of)?)\s*$",
    re.IGNORECASE,
)
_EMBEDDED = re.compile(  # nobody knows how high it is
    r"\b(?:knows?|knew|sees?|shows?|showed|wonders?|wondered|remembers?|forgot|asks?|asked)"
    r"(?: (?:yet|at last|exactly|quickly|himself|herself|him|her))*\s*$",
    re.IGNORECASE,
)
_POINTER = re.compile(  # repeats an earlier question: What is the answer?
    r"^(?:what(?:'s)?|which)\s+(?:is\s+)?(?:(?:the|your|right|correct)\s+)*"
    r"(?:answer|solution|result|number do(?:es)? \w+ (?:write|say|give))\b",
    re.IGNORECASE,
)
_OTHER_QUESTION = re.compile(r"\b(?:can|could|will) you\b[^.?!]*\?", re.IGNORECASE)  # Can you tell him?
_ENDS = re.compile("[.?!。．？！]")
_ANSWERED = re.compile(  # the text answers its first question itself and asks for something else
    r"\bif the answer to (?:this|that|the) question (?:is|was)\b|如果(?:这个|该)?问题的答案是", re.IGNORECASE
)


def asked_in_chinese(questions: Sequence[Question], text: str) -> tuple[Question, ...]:
    """Leave out words that do not ask here: 几个同学 in a statement means "some", 如果哪天 is a condition.

    Nothing is left out if nothing would remain.
    """
    questions = _unanswered(questions, text)
    marked = any(is_marked(question, text) for question in questions)
    found = tuple(
        one
        for place, one in enumerate(questions)
        if place == len(questions) - 1
        or (
            (one.word != "几" or (marked and is_marked(one, text)) or _ZH_ORDERED.match(one.before))
            and (one.word != "=" or one.quoted != questions[place + 1].quoted)  # ((())/(())) is one blank
        )
    )
    if marked and len(found) > 1 and not is_marked(found[-1], text) and found[-1].word == "几":
        found = found if _ZH_ORDERED.match(found[-1].before) else found[:-1]
    sure = tuple(one for place, one in enumerate(found) if not _is_told(one, found[:place], found[place + 1 :], text))
    return sure or found


def _unanswered(questions: Sequence[Question], text: str) -> Sequence[Question]:
    """Leave out the questions before "If the answer to this question is 7", if another one follows."""
    answered = _ANSWERED.search(text)
    if not answered:
        return questions
    return [one for one in questions if not _ENDS.search(text[one.place : answered.start()])] or questions


def _is_told(one: Question, before: Sequence[Question], later: Sequence[Question], text: str) -> bool:
    """Return whether a question word belongs to what a text tells."""
    whole = one.before + one.word + one.after
    if _ZH_CONDITION.match(one.before) and one.word in ("哪", "谁"):
        return True
    if one.word == "吗" and len(whole) <= MAX_CALL and later:
        return True
    if _ZH_SET_ASIDE.search(one.after) and later:
        return True
    if _ZH_SAME_COUNT.search(whole) and later:
        return True
    if before and (_ZH_PURPOSE.match(one.before) or (_ZH_FILL_IN.match(whole) and "“" in before[-1].before)):
        return True
    follows = [other for other in later if other.place == one.place]
    if not follows or not is_marked(one, text) or one.word not in ("几", "多少"):
        return False
    if any(_ZH_IN_OTHER_WORDS.match(other.before) for other in follows[:1]):
        return True
    if one.word == "几" and not one.before and _ZH_LATER.match(one.after):
        return True
    if one.word == "几" and follows[0].quoted == one.quoted and _ZH_FILLED.search(one.before + one.word + one.after):
        return True
    start = text.find(whole, one.place)
    between = text[start + len(whole) : text.find(follows[0].before + follows[0].word, start + len(whole))]
    clauses = [clause for clause in re.split(r"[，,：:]", between) if not _ZH_ASKS.search(clause)]
    return one.word == "几" and start >= 0 and any(_ZH_NUMBER.search(clause) for clause in clauses)


def asked_in_english(questions: Sequence[Question], text: str) -> tuple[Question, ...]:
    """Leave out words that do not ask here: she keeps what is left; When it rains, how many …? What is the answer?

    Nothing is left out if nothing would remain.
    """
    questions = _unanswered(questions, text)
    marked = [(one, is_marked(one, text)) for one in questions]
    any_marked = any(mark for _, mark in marked) or _OTHER_QUESTION.search(text) is not None
    found = [
        one
        for one, mark in marked
        if not one.word.startswith("what") or not (_RELATIVE.search(one.before) or (any_marked and not mark))
    ]
    asked = {
        one.place
        for one in found
        if is_marked(one, text) and not _EMBEDDED.search(one.before) and not _POINTER.match(f"{one.word} {one.after}")
    }
    found = [one for one in found if not (asked - {one.place}) or not _EMBEDDED.search(one.before)]
    sentences = {one.place for one in found if one.word not in _TIME_OR_CHOICE}
    found = [one for one in found if one.word not in _TIME_OR_CHOICE or one.place not in sentences]
    first = [one for one in found if not _POINTER.match(f"{one.word} {one.after}")]
    return tuple(first or found or questions)


def opens_story(text: str, sentence: re.Match[str]) -> bool:
    """Return whether a question stands before everything that the text tells: Who won? Lin got 12 of the 30 votes."""
    return not _NUMBER.search(text, 0, sentence.end()) and bool(_NUMBER.search(text, sentence.end()))


def is_marked(question: Question, text: str) -> bool:
    """Return whether the sentence of a question ends with a question mark."""
    chinese = question.word[:1] > "~" or question.word == "="
    sentence = (ZH_SENTENCE if chinese else EN_SENTENCE).match(text, question.place)
    return sentence is not None and sentence[0][-1:] in ("？", "?")
