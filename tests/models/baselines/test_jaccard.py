"""The Jaccard index finds exactly the same neighbors as a plain double loop, ties included."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.models.baselines import jaccard
from sau_solver.models.baselines.jaccard import JaccardIndex, Neighbor, Weights, similarity

WORDS = st.sampled_from("abcdefgh")
WEIGHTS = st.dictionaries(WORDS, st.integers(1, 6), max_size=6)
DOCUMENTS = st.lists(st.tuples(WEIGHTS, st.integers(0, 4), st.integers(0, 3)), max_size=30)


def double_loop(
    documents: list[tuple[dict[str, int], int, int]], query: Weights, count: int, supply: int | None
) -> list[Neighbor]:
    ranked = sorted(
        (
            Neighbor(place, similarity(query, weights))
            for place, (weights, _, demand) in enumerate(documents)
            if supply is None or demand <= supply
        ),
        key=lambda one: (-one.similarity, one.document),
    )
    nearest: list[Neighbor] = []
    groups: set[int] = set()
    for one in ranked:
        group = documents[one.document][1]
        if one.similarity > 0 and group not in groups and len(nearest) < count:
            groups.add(group)
            nearest.append(one)
    return nearest


@given(DOCUMENTS, WEIGHTS, st.integers(1, 5), st.none() | st.integers(0, 3), st.sampled_from([0.0, 0.05, 0.25, 1.0]))
def test_the_index_equals_the_double_loop(
    documents: list[tuple[dict[str, int], int, int]], query: dict[str, int], count: int, supply: int | None, long: float
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jaccard, "_LONG", long)  # decides when the search probes whether it can stop
        index = JaccardIndex(*([list(column) for column in zip(*documents, strict=True)] or ([], [], [])))
        assert index.nearest(query, count, supply) == double_loop(documents, query, count, supply)


def test_similarity_is_the_sum_of_minima_over_the_sum_of_maxima() -> None:
    assert similarity({"a": 3, "b": 1}, {"a": 1, "c": 2}) == 1 / (3 + 1 + 2)


def test_a_text_has_similarity_1_to_itself_and_0_to_a_text_without_common_words() -> None:
    assert similarity({"a": 3, "b": 1}, {"a": 3, "b": 1}) == 1
    assert similarity({"a": 3}, {"b": 3}) == 0
    assert similarity({}, {}) == 0


def test_long_lists_of_common_words_are_left_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [{"rare": 100, "the": 1} if place == 7 else {"the": 1, f"w{place}": 50} for place in range(200)]
    index = JaccardIndex(documents, list(range(200)), [0] * 200)
    read: list[str] = []
    original = JaccardIndex._read

    def spy(self: JaccardIndex, word: str, weight: int, shared: dict[int, int]) -> None:
        read.append(word)
        original(self, word, weight, shared)

    monkeypatch.setattr(JaccardIndex, "_read", spy)
    assert [one.document for one in index.nearest({"rare": 100, "the": 1}, 1)] == [7]
    assert read == ["rare"]
