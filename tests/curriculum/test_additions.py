"""A mixture learns from generated problems and changed copies: seeded, checked, and never from what is held out."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from functools import cache, partial
from itertools import islice
from pathlib import Path

import pytest

from sau_solver.curriculum.additions import KINDS, additions, copies
from sau_solver.curriculum.families import families, find_skill
from sau_solver.data import load
from sau_solver.data.prepared import mixtures, parallel_map
from sau_solver.data.prepared.mixture_options import MixtureOptions
from sau_solver.data.prepared.mixtures import MixtureMaterial, gather_mixture
from sau_solver.data.prepared.overlap import masked
from sau_solver.errors import InputError
from sau_solver.problem import Problem
from tests.data.prepared.small_mixture import MIXTURE, write_small_corpora

SCHOOL = MixtureOptions(
    language="en",
    sources=("school-en",),
    test=("school-en/test", "school-en/transfer"),
    validation=("school-en/validation",),
)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return write_small_corpora(tmp_path / "data", monkeypatch)


def gather(mixture: MixtureOptions, folder: Path | None = None) -> MixtureMaterial:
    return gather_mixture(mixture, "raw", "ordered", folder, additions)


whole_school = cache(partial(load, "school-en"))


@pytest.fixture
def school(monkeypatch: pytest.MonkeyPatch) -> Sequence[Problem]:
    """Return one in fifteen groups of School, and make them all of it."""
    whole = whole_school()
    groups = sorted({problem.lesson.group for problem in whole if problem.lesson})[::15]
    few = tuple(problem for problem in whole if problem.lesson and problem.lesson.group in groups)
    monkeypatch.setattr(mixtures, "load", lambda name, folder: dataclasses.replace(whole, problems=few))
    return few


class TestGenerated:
    @pytest.mark.slow
    def test_they_are_a_source_of_problems_from_families_that_are_learned(self, data: Path) -> None:
        material = gather(dataclasses.replace(MIXTURE, generated=150), data)
        held_out = {(family.skill.name, family.name) for family in families("en") if family.held_out}
        made = [one.problem for one in material.train if one.problem.lesson]
        assert not held_out & {(one.lesson.skill, one.lesson.group) for one in made if one.lesson}
        assert not any(find_skill(one.lesson.skill).transfer for one in made if one.lesson)
        counts = material.sources["curriculum"]
        assert counts.problems == 150
        assert counts.learned == len(made) > 135
        assert len({one.kind for one in made}) > 30  # skills

    @pytest.mark.slow
    def test_the_seed_decides(self, data: Path) -> None:
        seeded = [dataclasses.replace(MIXTURE, generated=20, generated_seed=seed) for seed in (0, 0, 1)]
        first, again, other = ([one.problem.text for one in gather(mixture, data).train] for mixture in seeded)
        assert first == again != other

    def test_a_mixture_without_them_is_as_before(self, data: Path) -> None:
        assert gather(MIXTURE, data) == gather_mixture(MIXTURE, "raw", "ordered", data)


class TestAugmented:
    def test_copies_are_made_of_learned_problems_alone(self, data: Path) -> None:
        material = gather(dataclasses.replace(MIXTURE, augmented=1.0), data)
        made = [one.problem.id for one in material.train if "+" in one.problem.id]
        real = {one.problem.id for one in material.train} - set(made)
        assert made
        assert {name.rpartition("+")[0] for name in made} <= real
        assert {name.rpartition("+")[2] for name in made} <= set(KINDS)
        tested = {masked(one.text) for own in material.test.values() for one in own}
        assert not tested & {masked(one.text) for one in material.train}

    @pytest.mark.slow
    def test_every_problem_has_a_first_copy_before_one_has_a_second(self) -> None:
        problems = whole_school().part("train").problems[:60]
        made = [copy.id.rpartition("+")[0] for copy in copies(problems, seed=0)]
        several = Counter(made)
        assert len(several) > 40
        assert set(made[: len(several)]) == set(several)
        assert max(several.values()) > 1

    def test_the_seed_decides(self) -> None:
        problems = whole_school().part("train").problems[:30]
        first, again, other = (list(islice(copies(problems, seed), 20)) for seed in (3, 3, 4))
        assert first == again != other

    def test_a_part_of_the_copies_can_be_asked_for(self, data: Path) -> None:
        material = gather(dataclasses.replace(MIXTURE, augmented=0.25), data)
        real = sum(material.sources[name].learned for name in MIXTURE.sources)
        assert material.sources["augmented"].problems == round(0.25 * real)


@pytest.mark.slow
class TestSchool:
    def test_only_its_training_part_is_learned(self, school: Sequence[Problem]) -> None:
        material = gather(SCHOOL)
        splits = Counter(problem.split for problem in school)
        assert {part: len(own) for part, own in {**material.test, **material.validation}.items()} == {
            f"school-en/{split}": splits[split] for split in ("test", "transfer", "validation")
        }
        assert {one.problem.split for one in material.train} == {"train"}
        counts = material.sources["school-en"]
        assert counts.held_out == len(school) - splits["train"] > 0
        assert counts.learned > 0.97 * splits["train"]
        assert counts.disagreeing == 0  # a problem that asks for one of two unknowns, or rounds, is right

    @pytest.mark.usefixtures("school")
    def test_parts_that_the_mixture_does_not_name_are_not_learned_either(self) -> None:
        fewer = gather(dataclasses.replace(SCHOOL, test=("school-en/validation",), validation=()))
        assert {one.problem.split for one in fewer.train} == {"train"}

    @pytest.mark.usefixtures("school")
    def test_a_group_with_a_held_out_problem_is_not_learned(self) -> None:
        material = gather(dataclasses.replace(SCHOOL, validation=("school-en/slice20",)))
        groups = {one.problem.lesson.group for one in material.validation["school-en/slice20"] if one.problem.lesson}
        assert len(groups) > 5
        assert not groups & {one.problem.lesson.group for one in material.train if one.problem.lesson}

    def test_held_out_families_are_no_source(self) -> None:
        with pytest.raises(InputError, match="must not name families-en"):
            dataclasses.replace(SCHOOL, sources=("families-en",))


@pytest.mark.slow
def test_several_processes_gather_what_one_gathers(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mixture = dataclasses.replace(MIXTURE, validation=(), generated=5, augmented=1.0, weights={"mawps": 2.0})
    alone = gather(mixture, data)
    monkeypatch.setattr(mixtures, "processes_for", lambda problems: 2)
    monkeypatch.setattr(parallel_map, "_TOGETHER", 2)
    assert gather(mixture, data) == alone
    assert alone.sources["mawps"].near
    assert alone.sources["gsm8k"].repeated


class TestWeights:
    def test_examples_carry_the_weight_of_their_source(self, data: Path) -> None:
        mixture = dataclasses.replace(MIXTURE, generated=10, weights={"mawps": 2.5, "curriculum": 0.5})
        by_source = {(one.problem.lesson is not None, one.weight) for one in gather(mixture, data).train}
        assert by_source == {(False, 1.0), (False, 2.5), (True, 0.5)}

    def test_a_checkpoint_records_what_is_used_and_nothing_else(self, data: Path) -> None:
        newer = {"generated": 5, "generated_seed": 2, "augmented": 0.5, "asked_first": True, "weights": {"mawps": 2.0}}
        described = gather(dataclasses.replace(MIXTURE, **newer), data).data  # type: ignore[arg-type]
        assert {name: described[name] for name in newer} == newer
        assert not newer.keys() & gather(MIXTURE, data).data.keys()
        assert list(described["sources"]) == ["alg514", "mawps", "gsm8k", "curriculum", "augmented"]

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"weights": {"mawp": 2.0}}, r"alg514, mawps, gsm8k\), got 'mawp'. Did you mean mawps"),
            ({"weights": {"curriculum": 2.0}}, r"got 'curriculum'"),
            ({"weights": {"mawps": 0.0}}, "above 0, got 0.0 for mawps. Remove the source"),
            ({"weights": {"mawps": float("inf")}}, "above 0, got inf"),
            ({"generated": -1}, "generated must be at least 0, got -1"),
            ({"augmented": float("nan")}, "augmented must be at least 0, got nan"),
            ({"generated_seed": 2**32}, "generated_seed must be 0 to"),
        ],
    )
    def test_what_is_wrong_is_said(self, options: dict[str, object], message: str) -> None:
        with pytest.raises(InputError, match=message):
            dataclasses.replace(MIXTURE, **options)  # type: ignore[arg-type]
