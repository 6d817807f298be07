"""Near copies of test problems in training texts: the index agrees with a comparison of all pairs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sau_solver.data.prepared.training_copies import NEAR, LearnedText, nearest_copies, pairs_of, similarity
from sau_solver.problem import Problem

TEXTS = st.lists(
    st.lists(st.sampled_from(["tom", "has", "9", "apples", "and", "buys", "pears", "now"]), min_size=1, max_size=9),
    max_size=8,
)


def problem(text: str) -> Problem:
    return Problem(text, text, "en")


@given(TEXTS, TEXTS, st.sampled_from([0.3, NEAR, 0.8, 1.0]))
def test_the_index_finds_what_comparing_every_pair_finds(
    tested: list[list[str]], learned: list[list[str]], least: float
) -> None:
    ours = [pairs_of(problem(" ".join(words))) for words in tested]
    theirs = [problem(" ".join(words)) for words in learned]
    nearest = [max((similarity(one, pairs_of(other)) for other in theirs), default=0.0) for one in ours]
    assert nearest_copies(ours, map(LearnedText, theirs), least) == [one if one >= least else 0.0 for one in nearest]


def test_numbers_and_punctuation_do_not_matter_but_the_order_of_words_does() -> None:
    one = pairs_of(problem("Tom has 3 apples, and buys 5."))
    assert similarity(one, pairs_of(problem("tom has 12 apples and buys 7?"))) == 1.0
    assert similarity(one, pairs_of(problem("buys 5 and apples 3 has Tom"))) < NEAR


def test_a_copy_that_was_dropped_from_training_does_not_count_and_only_near_copies_are_asked() -> None:
    tested = [pairs_of(problem("Tom has 3 apples and buys 5."))]
    asked: list[str] = []

    def dropped() -> bool:
        asked.append("copy")
        return False

    def unlike() -> bool:
        raise AssertionError("this text is not near")

    copy, other = problem("Tom has 4 apples and buys 6."), problem("A train needs 3 hours for 270 km.")
    assert nearest_copies(tested, [LearnedText(copy, dropped), LearnedText(other, unlike)]) == [0.0]
    assert asked == ["copy"]
