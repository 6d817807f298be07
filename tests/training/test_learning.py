"""A solver learns only from its training examples, loads from its folder unchanged, and logs its training."""

from __future__ import annotations

import shutil
from dataclasses import replace
from fractions import Fraction
from itertools import cycle
from pathlib import Path

import pytest
import safetensors.torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from sau_solver.equations.parser import parse
from sau_solver.equations.uet import Uet
from sau_solver.errors import CheckpointError
from sau_solver.models.base import Example
from sau_solver.models.checkpoint import (
    load_predictor,
    load_with_data,
    read_checkpoint,
    write_checkpoint,
)
from sau_solver.models.checkpoint_files import CONFIG, VOCABULARY, WEIGHTS
from sau_solver.problem import Problem
from sau_solver.text.numbers import map_text
from sau_solver.text.tokens import UNKNOWN_WORD
from sau_solver.training.learning import Solver, learn
from tests.models.problems import examples
from tests.training.tasks import SHORT, StoppedError, same, stop_after, task

BRIEF = replace(SHORT, epochs=2)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Solver, Path]:
    """Return a solver and its folder, which no test changes."""
    folder = tmp_path_factory.mktemp("trained")
    (solver,) = learn([task(folder)], BRIEF)
    return solver, folder


def held_out() -> Example:
    """Return an example with a word and a constant that no training example contains."""
    problem = Problem("held out", "A zebra has 4 legs and 77 stripes.", "en", ("x=4*365",), (Fraction(1460),))
    text = map_text(problem.text, "en")
    return Example(problem, text, Uet.from_equations(parse("x=4*365"), [number.value for number in text.numbers]))


def test_words_and_constants_come_only_from_the_training_examples(trained: tuple[Solver, Path]) -> None:
    without, _ = trained
    (with_it,) = learn([task(learned=[*examples(), held_out()])], BRIEF)
    assert with_it.vocabulary.read(["zebra"])[0] != [UNKNOWN_WORD]
    assert without.vocabulary.read(["zebra"])[0] == [UNKNOWN_WORD]
    assert Fraction(365) in with_it.network.targets.constants
    assert Fraction(365) not in without.network.targets.constants
    (candidates,) = without.predict([held_out().text])
    assert candidates  # unknown words do not prevent a prediction
    assert not any("365" in str(candidate.tree) for candidate in candidates)


def test_a_solver_loads_from_its_folder_unchanged(trained: tuple[Solver, Path]) -> None:
    solver, folder = trained
    loaded, data = load_with_data(folder / "model")
    texts = [example.text for example in examples()]
    assert loaded.predict(texts) == solver.predict(texts)
    assert same(loaded, solver)
    assert (loaded.vocabulary, loaded.network.targets) == (solver.vocabulary, solver.network.targets)
    assert data == {"corpus": "made up", "fold": 0}
    assert sorted(path.name for path in folder.iterdir()) == ["checkpoints", "logs", "model"]


@pytest.mark.parametrize("name", [CONFIG, VOCABULARY, WEIGHTS])
def test_a_damaged_folder_is_refused(trained: tuple[Solver, Path], tmp_path: Path, name: str) -> None:
    path = shutil.copytree(trained[1] / "model", tmp_path / "model") / name
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=f"{name}: the file is damaged"):
        load_predictor(tmp_path / "model")


def test_weights_of_other_shapes_are_refused(trained: tuple[Solver, Path], tmp_path: Path) -> None:
    checkpoint = read_checkpoint(trained[1] / "model")
    other = {**checkpoint.model, "options": {**checkpoint.model["options"], "hidden": 20}}
    write_checkpoint(replace(checkpoint, model=other), tmp_path / "other")
    with pytest.raises(CheckpointError, match=r"do not fit this network.*of another shape"):
        load_predictor(tmp_path / "other")
    write_checkpoint(replace(checkpoint, weights=dict(list(checkpoint.weights.items())[1:])), tmp_path / "fewer")
    with pytest.raises(CheckpointError, match="missing"):
        load_predictor(tmp_path / "fewer")


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ({"name": "dqn"}, "got 'dqn'"),
        ({"name": "sau"}, "model.options must be a JSON object"),
        ({"name": "sau", "options": {"colour": "red"}}, "'colour', which this version of sau-solver does not know"),
    ],
)
def test_a_checkpoint_of_another_model_or_version_is_refused(
    trained: tuple[Solver, Path], tmp_path: Path, model: dict[str, object], said: str
) -> None:
    write_checkpoint(replace(read_checkpoint(trained[1] / "model"), model=model), tmp_path / "other")
    with pytest.raises(CheckpointError, match=said):
        load_predictor(tmp_path / "other")


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="train a model first"):
        load_predictor(tmp_path / "none")


def test_the_model_contains_the_average_of_weights_if_one_is_computed(trained: tuple[Solver, Path]) -> None:
    _, folder = trained
    (last,) = (folder / "checkpoints").glob("epoch-0002-*")
    state = safetensors.torch.load_file(last / "state.safetensors")
    learned = safetensors.torch.load_file(folder / "model" / WEIGHTS)
    raw = safetensors.torch.load_file(last / WEIGHTS)
    name = "encoder.embedding.weight"
    assert learned[name].equal(state[f"average.{name}"])
    assert not learned[name].equal(raw[name])


@pytest.mark.slow
def test_every_epoch_is_logged_for_tensorboard(tmp_path: Path) -> None:
    with pytest.raises(StoppedError):
        learn([task(tmp_path / "0"), task(tmp_path / "1", 1)], SHORT, stop_after(3))
    (first,) = (tmp_path / "0" / "logs").iterdir()
    first.rename(first.with_name("events.out.tfevents.1.here"))  # sorts before the second log file
    learn([task(tmp_path / "0"), task(tmp_path / "1", 1)], SHORT, resume=True)
    for run in ("0", "1"):
        logs = EventAccumulator(str(tmp_path / run / "logs"))
        logs.Reload()
        scalars = ["accuracy", "alignment", "loss", "problems_per_second", "rate"]
        assert sorted(logs.Tags()["scalars"]) == scalars
        for name in scalars:
            assert [event.step for event in logs.Scalars(name)] == [1, 2, 3, 4, 5], name


@pytest.mark.slow
def test_a_training_with_weights_resumes_where_it_was(tmp_path: Path) -> None:
    brief = replace(SHORT, epochs=2)
    weights = cycle((0.25, 2.5, 1.0))
    weighed = [replace(example, weight=weight) for example, weight in zip(examples(), weights, strict=False)]
    (whole,) = learn([task(learned=weighed)], brief)
    with pytest.raises(StoppedError):
        learn([task(tmp_path, learned=weighed)], brief, stop_after(2))
    (resumed,) = learn([task(tmp_path, learned=weighed)], brief, resume=True)
    (usual,) = learn([task()], brief)
    assert same(resumed, whole)
    assert not same(whole, usual)
