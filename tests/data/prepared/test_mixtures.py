"""A mixture combines corpora and learns from nothing that is held out, not even from a copy."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from sau_solver.data import available
from sau_solver.data.prepared import mixtures
from sau_solver.data.prepared.held_out_parts import held_out_of
from sau_solver.data.prepared.mixture_options import MixtureOptions
from sau_solver.data.prepared.mixtures import MixtureMaterial, _left_of, gather_mixture, held_out
from sau_solver.data.prepared.overlap import masked, values
from sau_solver.errors import InputError
from sau_solver.experiments.config import load_config
from sau_solver.problem import Problem
from tests.data.prepared.small_mixture import MIXTURE, compute_manifests, mawps, write, write_small_corpora
from tests.data.read_corpora import corpus_of
from tests.experiments.conftest import corpus as small_corpus
from tests.experiments.conftest import problems

CONFIGS = Path(__file__).parents[3] / "configs"
ENOUGH = 700  # problems of a source


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return write_small_corpora(tmp_path / "data", monkeypatch)


@pytest.fixture
def material(data: Path) -> MixtureMaterial:
    return gather(MIXTURE, data)


def gather(mixture: MixtureOptions, folder: Path | None = None) -> MixtureMaterial:
    return gather_mixture(mixture, "raw", "ordered", folder)


def held(material: MixtureMaterial) -> dict[str, list[str]]:
    both = {**material.test, **material.validation}
    return {part: [one.problem.id for one in prepared] for part, prepared in both.items()}


class TestHoldingOut:
    def test_every_part_is_complete_and_not_learned(self, material: MixtureMaterial) -> None:
        out = held(material)
        assert out["alg514/fold0"] == ["0-buy", "0-box", "0-heads", "0-square"]
        assert out["gsm8k/test"] == ["test-0"]
        assert len(out["mawps/slice3"]) == 17 // 3
        learned = {example.problem.id for example in material.train}
        assert not learned & {id_ for ids in out.values() for id_ in ids}

    def test_no_training_text_has_the_words_of_a_held_out_one(self, material: MixtureMaterial) -> None:
        out = {
            masked(one.text)
            for prepared in (*material.test.values(), *material.validation.values())
            for one in prepared
        }
        assert not out & {masked(example.text) for example in material.train}

    def test_copies_from_other_corpora_are_dropped(self, data: Path) -> None:
        material = gather(dataclasses.replace(MIXTURE, validation=()), data)
        learned = {example.problem.id for example in material.train}
        assert not learned & {"copy", "near", "wrong", "guess", "none"}
        counts = material.sources["mawps"]
        assert (counts.equal, counts.near, counts.disagreeing, counts.unfounded, counts.unusable) == (1, 1, 1, 1, 1)

    def test_counts_add_up(self, material: MixtureMaterial) -> None:
        for counts in material.sources.values():
            dropped = counts.unusable + counts.disagreeing + counts.unfounded + counts.duplicates
            assert counts.problems == counts.held_out + dropped + counts.learned
        assert len(material.train) == sum(counts.learned for counts in material.sources.values())

    def test_a_problem_of_an_earlier_source_is_not_learned_twice(self, data: Path) -> None:
        material = gather(dataclasses.replace(MIXTURE, validation=()), data)
        assert material.sources["gsm8k"].repeated == 1
        assert "train-1" not in {example.problem.id for example in material.train}

    def test_gathering_a_mixture_twice_gives_the_same(self, data: Path) -> None:
        assert gather(MIXTURE, data) == gather(MIXTURE, data)

    def test_a_slice_does_not_depend_on_the_order_of_the_file(self, data: Path, material: MixtureMaterial) -> None:
        write(data, {"mawps": mawps()[::-1]})
        again = held(gather(MIXTURE, data))
        assert sorted(again["mawps/slice3"]) == sorted(held(material)["mawps/slice3"])

    def test_one_part_can_be_read_alone(self, data: Path, material: MixtureMaterial) -> None:
        for part, prepared in {**material.test, **material.validation}.items():
            assert tuple(held_out(MIXTURE, part, "raw", "ordered", data)) == prepared
        with pytest.raises(InputError, match=r"\(alg514/fold0, gsm8k/test, mawps/slice3\), got 'alg514'"):
            held_out(MIXTURE, "alg514", "raw", "ordered", data)

    def test_the_data_of_a_checkpoint_describe_the_mixture(self, material: MixtureMaterial) -> None:
        described = json.loads(json.dumps(material.data))
        assert described == material.data  # as read from a file
        assert described["name"] == "mixture"
        assert described["test"] == {"alg514/fold0": 4, "gsm8k/test": 1}
        assert described["validation"] == {"mawps/slice3": 5}
        for name, counts in material.sources.items():
            own = described["sources"][name]
            assert len(own["fingerprint"]) == 64
            assert (own["learned"], own["duplicates"]) == (counts.learned, counts.duplicates)


class TestParts:
    @pytest.mark.parametrize(
        ("part", "message"),
        [
            ("gsm8k/tset", r"Did you mean test\? Known: train, test, sliceN"),
            ("alg514/fold7", r"Known: fold0, fold1, fold2, fold3, fold4, sliceN for one in N"),
            ("alg514/slice0", "alg514 has no part 'slice0'"),
            ("mawps/all", "mawps has no part 'all'"),
        ],
    )
    @pytest.mark.usefixtures("data")
    def test_an_unknown_part_lists_the_known_ones(self, part: str, message: str) -> None:
        with pytest.raises(InputError, match=message):
            gather(dataclasses.replace(MIXTURE, test=(part,)))

    def test_overlapping_parts_are_rejected(self, monkeypatch: pytest.MonkeyPatch) -> None:
        compute_manifests(monkeypatch)
        marked = tuple(dataclasses.replace(p, fold=k % 5, split="test") for k, p in enumerate(problems()))
        corpus = dataclasses.replace(small_corpus(), problems=marked)
        with pytest.raises(InputError, match=r"alg514/test and alg514/fold0 both contain problem"):
            held_out_of(corpus, ["fold0", "test"])

    def test_slices_are_taken_from_the_remaining_problems(self, monkeypatch: pytest.MonkeyPatch) -> None:
        compute_manifests(monkeypatch)
        marked = tuple(dataclasses.replace(p, fold=k % 5) for k, p in enumerate(problems()))
        found = held_out_of(dataclasses.replace(small_corpus(), problems=marked), ["slice4", "fold0", "slice2"])
        assert [len(found[name]) for name in ("fold0", "slice4", "slice2")] == [5, 4, 6]
        assert len({problem.id for own in found.values() for problem in own}) == 15


def some_left_of(*arguments: Any) -> list[Problem]:
    """Return some problems of a source that are not held out: all of them take minutes."""
    left = _left_of(*arguments)
    return left[:: 1 + len(left) // ENOUGH]


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "tested"),
    [
        pytest.param(
            "shipped-zh",
            {"math23k/test": 1000, "hmwp/fold0": 1094, "contest-zh/test": 1000, "school-zh/test": 558}
            | {"school-zh/transfer": 610},
            marks=pytest.mark.xdist_group("shipped zh"),  # with tests/shipping, which reads the same corpora
        ),
        pytest.param(
            "shipped-en",
            {"alg514/fold0": 102, "draw1k/test": 200, "mawps/fold0": 474, "gsm8k/test": 1319, "school-en/test": 564}
            | {"school-en/transfer": 627},
            marks=pytest.mark.xdist_group("shipped en"),
        ),
    ],
)
def test_the_shipped_mixtures_hold_their_parts_out(
    name: str, tested: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = load_config(CONFIGS / f"shipped/{name}.toml")
    mixture = dataclasses.replace(config.one_mixture(), generated=0, augmented=0.0, weights={})
    if missing := set(mixture.sources) - set(available()):
        pytest.skip(f"not in SAU_DATA: {', '.join(sorted(missing))}")
    monkeypatch.setattr(mixtures, "load", lambda name, folder: corpus_of(name))
    monkeypatch.setattr(mixtures, "_left_of", some_left_of)
    material = gather_mixture(mixture, config.text, config.equations)
    assert {part: len(prepared) for part, prepared in material.test.items()} == tested
    assert not any(name.startswith("asdiv") for name in material.sources)  # its license forbids commercial use
    out = {
        (masked(one.text), values(one.text))
        for own in (*material.test.values(), *material.validation.values())
        for one in own
    }
    assert not out & {(masked(example.text), values(example.text)) for example in material.train}
    assert sum(len(example.tree.slots()) > 0 for example in material.train) > 0.99 * len(material.train)
    for counts in material.sources.values():
        assert counts.covered > 0.9 * counts.learned
