"""Copies of problems keep text and equations true."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from random import Random

import pytest

from sau_solver.curriculum import augmentation
from sau_solver.curriculum.augmentation import (
    TRANSFORMATIONS,
    augmented,
    distractors,
    reversed_problem,
    with_distractor,
    with_other_names,
    with_other_objects,
    with_other_spelling,
)
from sau_solver.curriculum.copy_checks import kind_of
from sau_solver.curriculum.generation import Choice, generate
from sau_solver.curriculum.word_pools import pools
from sau_solver.data.asked_values import gives_what_is_asked
from sau_solver.data.checking import agrees
from sau_solver.data.labels import statements_of
from sau_solver.phrases import Language
from sau_solver.problem import Lesson, Problem
from sau_solver.solving import close, solve_statements
from sau_solver.text.numbers.mapping import find_numbers

TOM = Problem(
    "1",
    "Tom picked 12 apples. Anna picked 30 apples. How many apples did Tom and Anna pick?",
    "en",
    ("x=12+30",),
    (Fraction(42),),
)
MING = Problem("2", "小明有5支铅笔，小红给了他8支。小明现在有多少支铅笔？", "zh", ("x=5+8",), (Fraction(13),))
CAGES = "A pet store has 9 bird cages."


def test_a_distractor_stands_before_a_sentence_and_leaves_the_rest_as_it_is() -> None:
    made = with_distractor(TOM, [CAGES], Random(1))
    assert made is not None
    assert made.text.replace(f"{CAGES} ", "") == TOM.text
    assert made.equations == TOM.equations


@pytest.mark.parametrize(
    "sentence",
    [
        "A farm has 12 horses.",  # the number is used
        "Tom owns 7 horses.",  # the same person
        "A basket holds 7 apples.",  # the same things
        "A farm has 42 horses.",  # the answer
    ],
)
def test_a_sentence_that_could_matter_is_no_distractor(sentence: str) -> None:
    assert with_distractor(TOM, [sentence], Random(1)) is None


def test_no_distractor_stands_before_a_sentence_that_refers_back() -> None:
    text = "Tom picked 12 apples. He gave 3 of them away. He ate 2. How many does he have?"
    problem = Problem("3", text, "en", ("x=12-3-2",), (Fraction(7),))
    for seed in range(20):
        made = with_distractor(problem, [CAGES], Random(seed))
        assert made is not None
        assert f"{CAGES} How many" in made.text


@pytest.mark.parametrize(
    "text",
    [
        "Mr. Green picked 12 apples. How many more apples must he buy to have 30?",
        "Tom found 12 apples and Anna 30 apples. When they washed them, all were good. How many did they find?",
        "Tom picked 30 apples. Anna picked 12 times as many. How many apples did Anna pick?",
        "Tom picked 30 apples. Anna takes 12 away. How many apples are left?",
    ],
)
def test_a_distractor_does_not_break_a_title_or_a_reference(text: str) -> None:
    problem = Problem("3", text, "en", ("x=30-12",), (Fraction(18),))
    before_question = f" {CAGES} How many".join(text.rsplit(" How many", 1))
    assert {made.text for seed in range(20) if (made := with_distractor(problem, [CAGES], Random(seed)))} == {
        before_question
    }


def test_a_fragment_is_no_distractor() -> None:
    text = (
        "Sean has 55 blocks. 29 are eaten by a hippopotamus. Jo builds a model '52 Mustang. How many blocks are left?"
    )
    assert distractors([Problem("3", text, "en", ("x=55-29",), (Fraction(26),))]) == []


def test_only_sentences_that_refer_to_nothing_are_taken() -> None:
    texts = ("A pet store has 9 bird cages. Each cage has 2 birds. He has 5 more than she. How many birds are there?",)
    problems = [Problem(str(place), text, "en", ("x=9*2",), (Fraction(18),)) for place, text in enumerate(texts)]
    assert distractors(problems) == [CAGES]
    chinese = Problem("4", "超市运来300袋大米，卖出了一部分。剩下多少袋？", "zh")
    fragment = Problem("5", "在400米的跑道上，小明跑了3圈。他跑了多少米？", "zh")
    year = Problem("15", "截止2008年，全校有30个班。每班40人，共多少人？", "zh")
    assert distractors([chinese, fragment, year]) == ["超市运来300袋大米。"]


def test_a_distractor_comes_from_problems_of_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(augmentation, "ENOUGH", 2)
    told = {
        "sums": ["A wooden barn keeps 51 horses.", "Lena swam 62 lanes yesterday.", "Grandpa baked 73 brown cookies."],
        "rates": ["Zoe typed 54 pages on Sunday.", "A gray truck carried 65 crates.", "Omar washed 76 plates quickly."],
        "few": ["Nobody knew about 87 hidden coins."],
    }
    problems = [
        Problem(one, f"{one} Bo saw 3. How many?", "en", ("x=3",), (Fraction(3),), kind=kind)
        for kind, sentences in told.items()
        for one in sentences
    ]
    for kind, sentences in told.items():
        copies = [copy for _, copy in augmented(problems, 1, ["distractor"]) if copy.kind == kind]
        every = [one for group in told.values() for one in group]
        added = {one for copy in copies for one in every if one in copy.text and one not in copy.id}
        assert added
        assert added <= set(sentences) or kind == "few"
    assert kind_of(TOM) == "x=n+n"


def test_a_distractor_is_an_unneeded_number_of_its_lesson() -> None:
    lesson = Lesson("part-whole", 2, "g", "base", (Fraction(30),))
    made = with_distractor(replace(TOM, lesson=lesson), [CAGES], Random(1))
    assert made is not None
    assert made.lesson is not None
    assert sorted(made.lesson.unneeded) == [9, 30]
    assert (made.lesson.contrast, made.lesson.group) == ("unneeded numbers", "g")
    assert with_distractor(TOM, [CAGES], Random(1)) == replace(made, lesson=None)


def test_names_are_swapped_everywhere_and_keep_their_gender() -> None:
    made = with_other_names(TOM, (), Random(3))
    assert made is not None
    assert "Tom" not in made.text
    assert "Anna" not in made.text
    words = made.text.split()
    assert words[0] == words[-4]  # the first name again in the question


def test_chinese_names_are_swapped() -> None:
    made = with_other_names(MING, (), Random(3))
    assert made is not None
    assert "小明" not in made.text
    assert made.text.count("支") == MING.text.count("支")


def test_chinese_names_keep_their_gender_and_are_no_part_of_another_word() -> None:
    reads = Problem("11", "小红看一本54页的书，她每天看9页。几天看完？", "zh", ("x=54/9",), (Fraction(6),))
    girls = {word.one for word in pools("zh")["child"] if word.female}
    for seed in range(20):
        made = with_other_names(reads, (), Random(seed))
        assert made is not None
        assert made.text.partition("看")[0] in girls
    paper = replace(reads, text="39个同学做小红花，每人做5朵。一共做了多少朵？")
    assert with_other_names(paper, (), Random(1)) is None


@pytest.mark.parametrize(
    "text",
    [
        "小明集邮，已有35张邮票，又得到2张。一共有多少张？",
        "用3000个鸡蛋孵小鸡，没有孵出来150只。孵出多少只？",
        "学校买12个足球和11个排球。这些球一共有多少个？",
        "一个足球80元，买3个要多少元？",
    ],
)
def test_a_thing_that_the_story_needs_stays(text: str) -> None:
    assert with_other_objects(Problem("12", text, "zh"), (), Random(1)) is None


def test_objects_are_swapped_in_text_and_labels() -> None:
    made = with_other_objects(TOM, (), Random(2))
    assert made is not None
    assert "apple" not in made.text
    chinese = with_other_objects(MING, (), Random(2))
    assert chinese is not None
    assert "铅笔" not in chinese.text
    assert chinese.text.count("支") == 3


def test_a_part_of_another_name_is_not_swapped() -> None:
    problem = Problem("6", "A park has 12 apple trees and 3 rose gardens. How many is that?", "en", ("x=12+3",))
    assert with_other_objects(problem, (), Random(1)) is None


@pytest.mark.parametrize(
    "text",
    [
        "Luke won 13 tickets. He buys candy for 3 tickets each. How many can he buy?",
        "Kim put 85 files into folders with 5 files each. How many folders is that?",
        "Kim drank 2 bottles of lemon-lime soda and 3 bottles of cola. How many bottles is that?",
    ],
)
def test_what_is_not_counted_or_holds_other_things_is_not_swapped(text: str) -> None:
    assert with_other_objects(Problem("6", text, "en", ("x=2+3",)), (), Random(1)) is None


@pytest.mark.parametrize(
    ("text", "language", "changed"),
    [
        ("Tom has 3 apples and 12 pears.", "en", "Tom has three apples and twelve pears."),
        ("Tom has three apples.", "en", "Tom has 3 apples."),
        ("小明有2支铅笔和12本书。", "zh", "小明有两支铅笔和十二本书。"),
    ],
)
def test_numbers_are_spelled_the_other_way(text: str, language: Language, changed: str) -> None:
    made = with_other_spelling(Problem("7", text, language), (), Random(1))
    assert made is not None
    assert made.text == changed


@pytest.mark.parametrize(
    "text",
    [
        "It costs $3.",
        "It costs $ 3 .",
        "On page 35 of 250.",
        "第3天",
        "3月5日",
        "按7：3：2分",
        "计算：12*3=",
        "8的3.5倍",
        "2班",
        "宽2m",
    ],
)
def test_numbers_that_words_would_change_stay(text: str) -> None:
    language: Language = "zh" if any(ord(letter) > 0x3000 for letter in text) else "en"
    assert with_other_spelling(Problem("8", text, language), (), Random(1)) is None


def test_the_reversed_problem_tells_the_answer_and_asks_for_a_number() -> None:
    made = reversed_problem(TOM, (), Random(1))
    assert made is not None
    assert "If the answer to this question is 42, what is the value of x?" in made.text
    assert made.answers in ((Fraction(12),), (Fraction(30),))
    assert made.asked == made.answers
    assert str(made.answers[0]) not in made.text
    assert gives_what_is_asked(made, solve_statements(statements_of(made)))


def test_a_share_is_told_in_per_cent() -> None:
    text = "计划用电480度，实际少用60度。节省百分之几？"
    made = reversed_problem(Problem("14", text, "zh", ("x=60/480",), (Fraction(1, 8),)), (), Random(1))
    assert made is not None
    assert "答案是12.5%，" in made.text


def test_a_number_that_occurs_twice_or_a_problem_with_two_unknowns_is_not_reversed() -> None:
    twice = Problem("9", "Tom has 5 pens and 5 books. How many things?", "en", ("x=5+5",), (Fraction(10),))
    system = Problem("10", "Two numbers add up to 7 and differ by 3.", "en", ("x+y=7", "x-y=3"), (Fraction(5),))
    assert reversed_problem(twice, (), Random(1)) is None
    assert reversed_problem(system, (), Random(1)) is None


@pytest.mark.parametrize(
    "question",
    ["Does she have enough for a pie?", "How many pies can she make?", "How many bags will she need?"],
)
def test_an_answer_that_does_not_fix_a_number_is_not_told(question: str) -> None:
    problem = Problem("11", f"Tess has 20 apples in heaps of 5. {question}", "en", ("x=20/5",), (Fraction(4),))
    assert reversed_problem(problem, (), Random(1)) is None


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_copy_solves_agrees_and_states_its_numbers(language: Language) -> None:
    problems = list(islice(generate(Choice(language), 11), 150))
    originals = {problem.id: problem for problem in problems}
    made: Counter[str] = Counter()
    for name, problem in augmented(problems, seed=2):
        made[name] += 1
        assert agrees(problem, solve_statements(statements_of(problem)), close), problem.text
        before = [one.value for one in find_numbers(originals[problem.id.rpartition("+")[0]].text, language)]
        after = [one.value for one in find_numbers(problem.text, language)]
        lost = Counter(before) - Counter(after)
        assert sum(lost.values()) == (1 if name == "reverse" else 0), problem.text
    assert made.keys() == TRANSFORMATIONS.keys()
    assert list(augmented(problems, 2)) == list(augmented(problems, 2))


def test_a_distractor_has_the_language_of_the_problem() -> None:
    mixed = [problem for language in ("en", "zh") for problem in islice(generate(Choice(language), 11), 60)]
    copies = [problem for _, problem in augmented(mixed, 2, ["distractor"])]
    assert {problem.language for problem in copies} == {"en", "zh"}
    for problem in copies:
        assert (problem.language == "zh") == bool(re.search(r"[\u4e00-\u9fff]", problem.text)), problem.text
        assert (problem.language == "en") == bool(re.search(r"[A-Za-z]{4}", problem.text)), problem.text


def test_a_person_is_not_inserted_before_a_pronoun() -> None:
    problem = Problem(
        "11",
        "Tom picked 12 apples. Anna picked 30 apples. How many did they pick?",
        "en",
        ("x=12+30",),
        (Fraction(42),),
    )
    for seed in range(20):
        made = with_distractor(problem, ["Maria owns 7 horses."], Random(seed))
        assert made is None or "Maria owns 7 horses. Anna" in made.text
