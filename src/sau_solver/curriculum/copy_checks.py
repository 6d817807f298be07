"""What must hold for a changed copy of a problem: its text still states its numbers, and its equations stay true."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from sau_solver.curriculum.word_pools import Word
from sau_solver.data.labels import statements_of
from sau_solver.equations.expressions import Equations, numbers_of
from sau_solver.errors import SauError
from sau_solver.phrases import Language
from sau_solver.problem import Problem
from sau_solver.text.numbers import NumberSlot
from sau_solver.text.numbers.mapping import find_numbers

_SENTENCES = {
    "en": re.compile(r"(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bDr\.)(?<=[.?!])\s+(?=[A-Z\d\"])"),
    "zh": re.compile(r"(?<=[。！？])|(?<=[^\d．]．)(?!\d)"),
}
_BACK = re.compile(r"(?:he|she|they|it|his|her|their|this|that|these|those|then|each|if|so|but|the)\b", re.IGNORECASE)
_BACK_INSIDE = re.compile(  # in a statement; "Emily takes 5 away" does not say from what
    r"\b(?:they|them|ones|others|as (?:many|much))\b|\d (?:away|back|to|from|more|are|were)\b|\bthis rate\b|\d ?\.$",
    re.IGNORECASE,
)
_NO_QUANTITY = re.compile(r"(?:do|does|did|is|are|was|were|will|would|can|could|has|have)\b", re.IGNORECASE)
_MAY_ROUND = re.compile(r"\b(?:can|could|needs?|needed)\b", re.IGNORECASE)  # with a division
_WORD = {"en": re.compile(r"[A-Za-z]{3,}"), "zh": re.compile(r"[\u4e00-\u9fff]")}
_STOP = frozenset({
    "and", "has", "have", "had", "was", "were", "are", "for", "from", "with", "his", "her", "who", "one", "two",
    "three", "four", "five", "six", "seven", "eight", "nine", "ten", "into", "out", "did", "doe", "buy", "bought",
    "got", "gave", "give",
    "put", "made", "make", "take", "took", "per", "day", "week", "hour", "minute", "year", "dollar",
})  # fmt: skip
_BEFORE_ONE = frozenset({"a", "an", "one", "each", "every", "per", "another", "the", "1"})
_MAY_FOLLOW = frozenset({
    "", "and", "or", "are", "is", "were", "was", "in", "on", "from", "to", "for", "at", "of", "he", "she", "they",
    "does", "did", "do", "have", "has", "had", "will", "can", "with", "that", "which", "who", "each", "every",
    "left", "if", "than", "as", "by", "but", "then", "more", "now", "altogether", "there", "would", "could",
})  # fmt: skip


def sentences_of(text: str, language: Language) -> list[str]:
    """Return the sentences of a text."""
    return [sentence.strip() for sentence in _SENTENCES[language].split(text.strip()) if sentence.strip()]


def equations_of(problem: Problem) -> Equations | None:
    """Return the equations of a problem; None if they cannot be read or have conditions."""
    try:
        statements = statements_of(problem)
    except SauError:
        return None
    return None if statements.conditions else statements.equations or None


def kind_of(problem: Problem) -> str:
    """Return the skill or the published kind of a problem, otherwise its equations without their numbers."""
    return problem.kind or re.sub(r"\d+(?:\.\d+)?%?", "n", "; ".join(problem.equations))


def numbers_used(problem: Problem) -> set[Fraction] | None:
    """Return the numbers of the text and of the equations; None if there are no equations that can be read."""
    equations = equations_of(problem)
    if equations is None:
        return None
    return {*numbers_of(equations), *values_in(problem.text, problem.language), *problem.answers}


def values_in(text: str, language: Language) -> list[Fraction]:
    """Return the values of the numbers in a text, in order."""
    return [number.value for number in find_numbers(text, language)]


def if_true(problem: Problem, changed: Problem) -> Problem | None:
    """Return the changed problem if its text still states the numbers of the old one in their order."""
    remaining = iter(values_in(changed.text, changed.language))
    kept = all(value in remaining for value in values_in(problem.text, problem.language))
    return changed if kept and changed.text != problem.text else None


def is_replaceable(problem: Problem, slot: NumberSlot, equations: Equations) -> bool:
    """Return whether a number in digits occurs once in the text and once in the equations."""
    return (
        slot.text.isdigit()
        and slot.value != problem.answers[0]
        and values_in(problem.text, problem.language).count(slot.value) == 1
        and numbers_of(equations).count(slot.value) == 1
        and problem.text[: slot.start][-1:] not in "/.:$%"
        and problem.text[slot.end :][:1] not in (*"/.:%分",)
    )


def tells_one_number(problem: Problem) -> bool:
    """Return whether the answer of an English problem determines its numbers: not yes or no, and not rounded."""
    question = sentences_of(problem.text, "en")[-1]
    rounded = any("/" in equation for equation in problem.equations) and _MAY_ROUND.search(question)
    return not (_NO_QUANTITY.match(question) or rounded)


def refers_back(sentence: str) -> bool:
    """Return whether a sentence refers to the one before it, so that nothing can stand between them."""
    return bool(_BACK.match(sentence) or (not sentence.endswith("?") and _BACK_INSIDE.search(sentence)))


def content_words(text: str, language: Language) -> frozenset[str]:
    """Return the words of a text that carry its meaning; pairs of characters in Chinese."""
    found = _WORD[language].findall(text)
    if language == "zh":
        return frozenset(map("".join, pairwise(found)))
    return frozenset(word.lower().rstrip("s") for word in found) - _STOP


def names_only(problem: Problem, word: Word) -> bool:
    """Return whether a text mentions a thing, and never as a part of the name of another thing."""
    if not mentions(problem.text, word):
        return False
    if problem.language == "zh":
        # 集邮 and 邮票, 孵小鸡 and 鸡蛋, 这些球 and 足球 belong together; a price may not fit another thing.
        others = problem.text.replace(word.one, "").replace("书", "")
        if "元" in others or set(word.one) & set(others):
            return False
        return f"{word.measure}{word.one}" in problem.text and problem.text.count(word.one) == len(
            re.findall(rf"{word.one}(?![\u4e00-\u9fff]*[树园味汁色汤店厂])", problem.text)
        )
    found = re.findall(rf"(\w+)?\s?\b({word.many}|{word.one})\b\s?(-|\w+)?", problem.text)
    return bool(found) and all(
        after.lower() in _MAY_FOLLOW and _is_counted(before.lower(), noun == word.one) for before, noun, after in found
    )


def _is_counted(before: str, single: bool) -> bool:
    """Return whether the word before a noun allows it to be counted, unlike "candy to buy" or "folders to fill"."""
    return before in _BEFORE_ONE if single else before != "into"


def mentions(text: str, word: Word) -> bool:
    """Return whether a text contains a word."""
    return word.one in text or word.many in text
