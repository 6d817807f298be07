"""Problems of any corpus -> counterfactual copies whose equations and answers are still correct.

distractor  a sentence with a number from another problem of its kind, which the answer does not need
names       other names for the people
objects     another thing of the same kind (apples -> pears; in Chinese with the same measure word)
numbers     small numbers in words instead of digits, or in digits instead of words
reverse     the answer is given, and one of the numbers is asked for

A transformation returns None if it cannot be sure that text and equations still match (copy_checks).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

from sau_solver.curriculum.copy_checks import (
    content_words,
    equations_of,
    if_true,
    is_replaceable,
    kind_of,
    mentions,
    names_only,
    numbers_used,
    refers_back,
    sentences_of,
    tells_one_number,
    values_in,
)
from sau_solver.curriculum.number_draws import short_decimal
from sau_solver.curriculum.spelling import chinese_word, english_word
from sau_solver.curriculum.word_pools import Word, pools
from sau_solver.data.labels import statements_of
from sau_solver.equations.expressions import Number, Unknown, replaced, to_text, unknowns_of
from sau_solver.equations.uet import is_arithmetic
from sau_solver.phrases import Language
from sau_solver.problem import AskedFor, Lesson, Problem
from sau_solver.solving import Outcome, solve
from sau_solver.text.numbers.mapping import find_numbers

# Words by which a sentence refers to others, compares, adds up or asks; a sentence with one of them cannot be a
# distractor.
_REFERS = {
    "en": re.compile(
        r"\b(?:he|she|they|it|his|her|hers|their|theirs|him|them|its|this|that|these|those|there|the|each|every|both|"
        r"other|others|another|more|less|fewer|than|total|altogether|all|together|same|rest|remaining|left|now|then|"
        r"after|before|if|so|but|also|too|as|twice|half|times|some|any|only|still|average|how|what|who|which|find|"
        r"again|later|first|next)\b|[?$%]|['’]\d|^\d+ (?:is|are|was|were)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"[?？%]|[他她它们此这那其共总剩余平均每各又再还后前比倍同样照若如果已知求问多少几现原另第相等由从把被将时]"
    ),
}
_PRONOUN = re.compile(r"\b(?:he|she|they|his|her|their|him|them)\b", re.IGNORECASE)
_NOBODY = re.compile(r"(?:an?|there|\d+) ", re.IGNORECASE)  # the start of a sentence that is not about a person
_ZH_FRAGMENT = re.compile(r"^[在用刚按以为要]|[。．？；：,]|[中上里下内外年]$")  # not a complete sentence
_ZH_PER_CENT = re.compile("百分之[几多]|百分[率比]")  # the question asks for it
_LENGTHS = {"en": (25, 110), "zh": (8, 26)}
ENOUGH = 10  # sentences of one kind of problem
# Names that are also other words.
_NOT_NAMES = frozenset({
    "Will", "Mark", "Grace", "Ruby", "Ivy", "Lily", "Daisy", "Max", "Frank", "Rose", "Bella", "天天", "明明", "圆圆",
    "可可", "高远",
})  # fmt: skip
_ZH_POOLS = ("fruit", "supply", "toy", "collect", "book", "food")
_ZH_LONGER = "[花旗帽蛙菜虾子舰伞点人雄]|星(?!期)"  # 小红花 is not a child's name
_SPELLED = {english_word(number): number for number in range(2, 21)}
_DIGITS = re.compile(r"(?<![\d.,/:$£€%-])(?<![$£€] )(?:1\d|20|[2-9])(?![\d.,/:%°-]|th\b|st\b|nd\b|rd\b)")
# A number before these words counts things; 2 is then written 两.
_ZH_COUNTED = re.compile(
    r"(?<![\d.,/:：$%第+*÷×=<>A-Za-z-])(?:1\d|20|[2-9])(?=[个只名人位本支枝张条块件辆台天周秒米吨元升倍岁棵朵颗盒箱袋筐瓶杯包套双副把排行次种道"
    r"页篇首间座头匹架艘串根段节户场桶罐碗盆枚封幅步批车队]|小时|分钟|分米|千克|千米|厘米|毫[米升]|平方|立方|公[里斤顷]|星期)"
)
_SPELLED_OUT = re.compile(rf"\b(?:{'|'.join(_SPELLED)})\b(?!-)", re.IGNORECASE)

Transformation = Callable[[Problem, Sequence[str], Random], Problem | None]


def augmented(
    problems: Sequence[Problem], seed: int, names: Sequence[str] | None = None
) -> Iterator[tuple[str, Problem]]:
    """Yield for every problem each copy that can be made of it, with the name of the transformation."""
    sentences = _Sentences(problems)
    for place, problem in enumerate(problems):
        for name in names or TRANSFORMATIONS:
            rng = Random(f"{seed}/{place}/{name}")  # noqa: S311 (nothing secret)
            made = TRANSFORMATIONS[name](problem, sentences.fitting(problem), rng)
            if made is not None:
                yield name, replace(made, id=f"{problem.id}+{name}", words=None)


class _Sentences:
    """The distractors of a corpus, by language and kind of problem."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        groups: dict[tuple[Language, str], list[Problem]] = {}
        for problem in problems:
            for kind in dict.fromkeys((kind_of(problem), "")):
                groups.setdefault((problem.language, kind), []).append(problem)
        self._found = {key: distractors(group) for key, group in groups.items()}

    def fitting(self, problem: Problem) -> list[str]:
        """Return the sentences of problems of the same kind; of the whole language if these are few."""
        own = self._found[problem.language, kind_of(problem)]
        return own if len(own) >= ENOUGH else self._found[problem.language, ""]


def distractors(problems: Iterable[Problem]) -> list[str]:
    """Return the sentences of a corpus that can stand in another problem: they have a number and no references."""
    found: dict[str, None] = {}
    for problem in problems:
        low, high = _LENGTHS[problem.language]
        for sentence in _statements(problem):
            numbers = find_numbers(sentence, problem.language)
            one = len(numbers) == 1 and numbers[0].text.isdigit()
            if low <= len(sentence) <= high and one and not _REFERS[problem.language].search(sentence):
                found[sentence] = None
    return list(found)


def _statements(problem: Problem) -> list[str]:
    """Return the sentences before the last one; in Chinese, where they are long, the first clause as a sentence."""
    if problem.language == "en":
        return sentences_of(problem.text, "en")[:-1]
    first, comma, _ = problem.text.partition("，")
    return [f"{first}。"] if comma and not _ZH_FRAGMENT.search(first) else []


def with_distractor(problem: Problem, sentences: Sequence[str], rng: Random) -> Problem | None:
    """Return the problem with a sentence from another one, before a sentence that does not refer back.

    In Chinese it is the first sentence, because later ones often leave out what they refer to.
    """
    own = content_words(problem.text, problem.language)
    used = numbers_used(problem)
    parts = sentences_of(problem.text, problem.language)
    english = problem.language == "en"
    places = [place for place in range(1, len(parts)) if not refers_back(parts[place])] if english else [0]
    if used is None or not places or not sentences:
        return None
    for _ in range(20):
        sentence = rng.choice(sentences)
        value = find_numbers(sentence, problem.language)[0].value
        place = rng.choice(places)
        confused = english and not _NOBODY.match(sentence) and _PRONOUN.search(parts[place])
        if not confused and value not in used and not own & content_words(sentence, problem.language):
            text = (" " if english else "").join([*parts[:place], sentence, *parts[place:]])
            return if_true(problem, replace(problem, text=text, lesson=_with_unneeded(problem, text, value)))
    return None


def _with_unneeded(problem: Problem, text: str, value: Fraction) -> Lesson | None:
    """Return the lesson with one more number that is not needed, in the order of the text."""
    if problem.lesson is None:
        return None
    order = values_in(text, problem.language)
    unneeded = sorted((*problem.lesson.unneeded, value), key=order.index)
    return replace(problem.lesson, contrast="unneeded numbers", unneeded=tuple(unneeded))


def with_other_names(problem: Problem, sentences: Sequence[str], rng: Random) -> Problem | None:
    """Return the problem with other names of the same gender."""
    known, pattern = _names(problem.language)
    present = set(pattern.findall(problem.text))
    if not present or (
        problem.language == "zh" and re.search(f"(?:{'|'.join(present)})(?:{_ZH_LONGER})", problem.text)
    ):
        return None
    swaps: dict[str, str] = {}
    for name in sorted(present):
        free = [
            word.one
            for word in known.values()
            if word.female == known[name].female and word.one not in present and word.one not in swaps.values()
        ]
        swaps[name] = rng.choice(free)
    return if_true(problem, _replaced(problem, swaps))


def with_other_objects(problem: Problem, sentences: Sequence[str], rng: Random) -> Problem | None:
    """Return the problem with another thing of the same kind."""
    choices = [
        (word, other)
        for pool in _interchangeable(problem.language)
        for word in pool
        if names_only(problem, word)
        for other in pool
        if other.measure == word.measure and not mentions(problem.text, other)
    ]
    if not choices:
        return None
    word, other = rng.choice(choices)
    swaps = {word.many: other.many, word.one: other.one}
    if problem.language == "en":
        for article in ("a", "an", "A", "An"):
            right = f"{article[0]}{'n' if other.one[0] in 'aeiou' else ''}"
            swaps[f"{article} {word.one}"] = f"{right} {other.one}"
    return if_true(problem, _replaced(problem, swaps))


def with_other_spelling(problem: Problem, sentences: Sequence[str], rng: Random) -> Problem | None:
    """Return the problem with its small numbers in words, or in digits if they are words."""
    if problem.language == "zh":
        text = _ZH_COUNTED.sub(lambda match: "两" if match[0] == "2" else chinese_word(int(match[0])), problem.text)
    elif _DIGITS.search(problem.text):
        text = _DIGITS.sub(lambda match: _as_started(english_word(int(match[0])), match), problem.text)
    else:
        text = _SPELLED_OUT.sub(lambda match: str(_SPELLED[match[0].lower()]), problem.text)
    changed = replace(problem, text=text)
    same = values_in(problem.text, problem.language) == values_in(text, problem.language)
    return changed if text != problem.text and same else None


def reversed_problem(problem: Problem, sentences: Sequence[str], rng: Random) -> Problem | None:
    """Return the problem with its answer given and one of its numbers, now x, asked for."""
    equations = equations_of(problem)
    if equations is None or len(problem.answers) != 1 or not is_arithmetic(equations):
        return None
    if problem.asks and (problem.asks[0].rounding or problem.asks[0].unknown != unknowns_of(equations)[0]):
        return None
    slots = [slot for slot in find_numbers(problem.text, problem.language) if is_replaceable(problem, slot, equations)]
    if not slots or (problem.language == "en" and not tells_one_number(problem)):
        return None
    slot = rng.choice(slots)
    answer = short_decimal(problem.answers[0])
    if problem.language == "zh" and _ZH_PER_CENT.search(problem.text):
        if not 0 < problem.answers[0] <= 1 or "/" in answer:
            return None
        answer = f"{short_decimal(100 * problem.answers[0])}%"
    told = (
        f" If the answer to this question is {answer}, what is the value of x?"
        if problem.language == "en"
        else f"如果这个问题的答案是{answer}，那么x是多少？"
    )
    text = f"{problem.text[: slot.start]}x{problem.text[slot.end :]}{told}"
    (name,) = unknowns_of(equations)
    hidden = replaced(equations, {Unknown(name): Number(problem.answers[0]), Number(slot.value): Unknown("x")})
    made = replace(
        problem,
        text=text,
        equations=(to_text(hidden),),
        answers=(slot.value,),
        asked=(),
        asks=(AskedFor("x", slot.value, quantity="x"),),
        lesson=None,
    )
    solved = solve(statements_of(made).equations)
    unique = solved.outcome is Outcome.SOLVED and solved.solutions == ({"x": slot.value},)
    return made if unique else None


TRANSFORMATIONS: Mapping[str, Transformation] = {
    "distractor": with_distractor,
    "names": with_other_names,
    "objects": with_other_objects,
    "numbers": with_other_spelling,
    "reverse": reversed_problem,
}


def _replaced(problem: Problem, swaps: Mapping[str, str]) -> Problem:
    """Return the problem with words replaced in its text and labels, all at once."""
    edge = r"\b" if problem.language == "en" else ""
    pattern = re.compile(f"{edge}(?:{'|'.join(map(re.escape, sorted(swaps, key=len, reverse=True)))}){edge}")

    def swap(text: str) -> str:
        return pattern.sub(lambda match: swaps[match[0]], text)

    asks = tuple(replace(one, unit=swap(one.unit), quantity=swap(one.quantity)) for one in problem.asks)
    return replace(problem, text=swap(problem.text), asks=asks)


@cache
def _names(language: Language) -> tuple[Mapping[str, Word], re.Pattern[str]]:
    """Return the names that can be exchanged, and a pattern that finds them."""
    known = {word.one: word for word in pools(language)["child"] if word.one not in _NOT_NAMES}
    edge = r"\b" if language == "en" else ""
    return known, re.compile(f"{edge}(?:{'|'.join(sorted(known, key=len, reverse=True))}){edge}")


@cache
def _interchangeable(language: Language) -> tuple[tuple[Word, ...], ...]:
    names = ("fruit", "veg", "flower", "toy", "supply") if language == "en" else _ZH_POOLS
    return tuple(pools(language)[name] for name in names)


def _as_started(word: str, match: re.Match[str]) -> str:
    before = match.string[: match.start()].rstrip()
    return word.capitalize() if not before or before[-1] in ".?!" else word
