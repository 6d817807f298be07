"""Text of a problem -> the statements without the questions, and the questions.

A question goes from the start of the clause that asks to the end of its sentence. In "Ann has 3 pens and Ben 5, how
many do they have?" it is "how many do they have?".
"""

from __future__ import annotations

import re

from sau_solver.problem import Language
from sau_solver.text.asking.really_asked import EN_SENTENCE, asked_in_chinese, asked_in_english
from sau_solver.text.questions import ZH_SENTENCE, Question, questions_of

_CLAUSE_MARK = re.compile(r"[，；：]|[,;:](?!\d)")
_OPEN = " 　,，;；:："  # a text must not end with this after its question is removed


def told_and_asked(text: str, language: Language) -> tuple[str, str]:
    """Return the text without its questions, and the questions. They are empty if a question cannot be cut out."""
    found = questions_of(text, language).found
    asked = asked_in_english(found, text) if language == "en" else asked_in_chinese(found, text)
    spans = [_span(question, text, language) for question in asked]
    told, questions, end = [], [], 0
    for span in sorted(span for span in spans if span is not None):
        start = max(span[0], end)  # two questions of one sentence overlap
        told.append(text[end:start])
        questions.append(text[start : span[1]])
        end = max(end, span[1])
    if not questions or None in spans:
        return text, ""
    stop, space = (".", " ") if language == "en" else ("。", "")
    parts = [_closed(part, stop) for part in (*told, text[end:])]
    clauses = [question.strip() for question in questions]
    return space.join(filter(None, parts)), space.join(one[:1].upper() + one[1:] for one in clauses if one)


def _span(question: Question, text: str, language: Language) -> tuple[int, int] | None:
    """Return where the clause of a question starts, and where its sentence ends."""
    sentence = (EN_SENTENCE if language == "en" else ZH_SENTENCE).match(text, question.place)
    if sentence is None:
        return None
    words = question.before
    if language == "zh":
        words = words + question.word if question.word not in ("=", "求") else words or question.after
    spaced = re.compile(r"\s*".join(map(re.escape, words.split())))
    place = spaced.search(text, question.place, sentence.end())
    if place is None:
        return None
    before = text[sentence.start() : place.end() if language == "en" else place.start()]
    marks = list(_CLAUSE_MARK.finditer(before))
    return sentence.start() + (marks[-1].end() if marks else 0), sentence.end()


def _closed(part: str, stop: str) -> str:
    """Return a part of a text with a full stop if it was cut off inside a sentence."""
    cut = part.strip().rstrip(_OPEN)
    return cut + stop if cut and cut != part.strip() else cut
