"""The index finds exactly what a plain double loop finds, ties and all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.models.baselines import jaccard
from sau_solver.models.baselines.jaccard import JaccardIndex, Neighbour, Weights, similarity

WORDS = st.sampled_from("abcdefgh")
WEIGHTS = st.dictionaries(WORDS, st.integers(1, 6), max_size=6)
DOCUMENTS = st.lists(st.tuples(WEIGHTS, st.integers(0, 4), st.integers(0, 3)), max_size=30)


def double_loop(
    documents: list[tuple[dict[str, int], int, int]], query: Weights, count: int, supply: int | None
) -> list[Neighbour]:
    ranked = sorted(
        (
            Neighbour(place, similarity(query, weights))
            for place, (weights, _, demand) in enumerate(documents)
            if supply is None or demand <= supply
        ),
        key=lambda one: (-one.similarity, one.document),
    )
    nearest: list[Neighbour] = []
    groups: set[int] = set()
    for one in ranked:
        group = documents[one.document][1]
        if one.similarity > 0 and group not in groups and len(nearest) < count:
            groups.add(group)
            nearest.append(one)
    return nearest


@given(DOCUMENTS, WEIGHTS, st.integers(1, 5), st.none() | st.integers(0, 3), st.sampled_from([1, 4, 20, 10**6]))
def test_the_index_equals_the_double_loop(
    documents: list[tuple[dict[str, int], int, int]], query: dict[str, int], count: int, supply: int | None, long: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jaccard, "_LONG_LIST", long)  # when to look whether the rest can be left unread
        index = JaccardIndex(*([list(column) for column in zip(*documents, strict=True)] or ([], [], [])))
        assert index.nearest(query, count, supply) == double_loop(documents, query, count, supply)


def test_similarity_is_the_sum_of_minima_over_the_sum_of_maxima() -> None:
    assert similarity({"a": 3, "b": 1}, {"a": 1, "c": 2}) == 1 / (3 + 1 + 2)


def test_a_text_is_wholly_similar_to_itself_and_not_at_all_to_a_stranger() -> None:
    assert similarity({"a": 3, "b": 1}, {"a": 3, "b": 1}) == 1
    assert similarity({"a": 3}, {"b": 3}) == 0
    assert similarity({}, {}) == 0


def test_long_lists_of_common_words_are_left_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [{"rare": 100, "the": 1} if place == 7 else {"the": 1, f"w{place}": 50} for place in range(200)]
    index = JaccardIndex(documents, list(range(200)), [0] * 200)
    read: list[str] = []
    original = jaccard._Search.read

    def spy(self: jaccard._Search, word: str, postings: jaccard._Postings) -> None:
        read.append(word)
        original(self, word, postings)

    monkeypatch.setattr(jaccard._Search, "read", spy)
    assert [one.document for one in index.nearest({"rare": 100, "the": 1}, 1)] == [7]
    assert read == ["rare"]
