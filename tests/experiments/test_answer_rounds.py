"""A network learns a toy corpus from answers alone; from shuffled answers it does not."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from sau_solver.answering.candidates import evaluate_candidates
from sau_solver.answering.protocols import is_accepted
from sau_solver.data import load
from sau_solver.data.prepared.label_files import Labels
from sau_solver.errors import InputError
from sau_solver.experiments.answer_rounds import LABELS
from sau_solver.experiments.config import ExperimentConfig, parse_config
from sau_solver.experiments.runs import Run
from sau_solver.experiments.training_runs import check_training, train, training_state
from sau_solver.models.checkpoint import load_predictor, read_checkpoint
from sau_solver.text.numbers import map_text
from tests.training.tasks import StoppedError, stop_after

pytestmark = pytest.mark.slow

CONFIG = """
[experiment]
name = "toy"
model = "sau"
text = "raw"
equations = "ordered"

[mixture]
language = "en"
sources = ["toy"]
test = ["toy/test"]
rounds = 2
within = "text"

[sau]
embedding = 24
hidden = 32
dropout = 0.0
minimum_word_count = 1
minimum_constant_count = 1
longest_tree = 7

[training]
epochs = 28
batch = 16
learning_rate = 1e-2
schedule = "cosine"
device = "cpu"
"""
REGISTER = """
[toy]
title = "Toy"
language = "en"
format = "sau"
problems = 150
license = "Apache-2.0"
citation = "made up"
notes = "Answers only."
files = ["toy.jsonl"]
"""
KINDS: list[tuple[str, Callable[[int, int], int]]] = [
    ("{name} has {a} {thing} and buys {b} more. How many {thing} does {name} have now?", lambda a, b: a + b),
    ("{name} had {a} {thing} and lost {b} of them. How many {thing} are left?", lambda a, b: a - b),
    ("{name} fills {a} boxes with {b} {thing} each. How many {thing} are in the boxes?", lambda a, b: a * b),
    # The 9 and the 6 are not needed, so that the right tree leaves out a number: only a network finds these.
    ("{name} is 9 years old and has {a} {thing} and {b} cups. How many things are that?", lambda a, b: a + b),
    ("There are 6 tables. {name} put {a} {thing} on them and took {b} away. How many are left?", lambda a, b: a - b),
]


def toy(seed: int = 5) -> list[dict[str, object]]:
    """Return 120 problems to learn from and 30 to test; many answers have several simple trees, as 4 of 8 and 2."""
    draw = random.Random(seed)
    rows: list[dict[str, object]] = []
    for number in range(150):
        text, value = KINDS[number % len(KINDS)]
        b = draw.randint(2, 12)
        a = b + draw.choice((2, b, 3 * b, *range(3, 60)))
        words = {"name": draw.choice(("Ann", "Bob", "Eve")), "thing": draw.choice(("pears", "coins", "pens"))}
        split = "test" if number >= 120 else "train"
        rows.append(
            {"id": str(number), "text": text.format(a=a, b=b, **words), "answers": [value(a, b)], "split": split}
        )
    return rows


def write(folder: Path, rows: list[dict[str, object]]) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "corpora.toml").write_text(REGISTER)
    (folder / "toy.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Train in one thread, which is faster for small tensors."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SAU_DATA", str(tmp_path / "data"))
    write(tmp_path / "data", toy())
    return tmp_path / "data"


@pytest.fixture
def config(data: Path) -> ExperimentConfig:
    return parse_config(CONFIG)


def right_of_test(run: Run) -> float:
    """Return the share of test problems whose first candidate has the right answer."""
    problems = load("toy").part("test").problems
    texts = [map_text(problem.text, "en") for problem in problems]
    predicted = load_predictor(run.model).predict(texts, beam=1)
    return sum(
        is_accepted(problem, evaluate_candidates(text, own)[0].answers)
        for problem, text, own in zip(problems, texts, predicted, strict=True)
    ) / len(problems)


class TestLearning:
    def test_a_network_learns_from_answers_alone(self, config: ExperimentConfig, tmp_path: Path) -> None:
        run = Run(config, None, 0, tmp_path / "runs")
        learned = train(run)
        first = read_checkpoint(run.round_folder(1) / "model").data["sources"]["toy"]
        assert 0.4 * 120 < first["learned"] < 0.75 * 120 < 0.9 * 120 <= learned  # first only what is unambiguous
        labels = Labels.read([run.round_folder(1) / LABELS])
        assert read_checkpoint(run.model).data["labels"] == labels.described()["labels"]
        assert {id_ for _, id_ in labels.found} <= set(map(str, range(120)))  # none for testing
        assert right_of_test(run) >= 0.9

    def test_it_does_not_learn_from_shuffled_answers(
        self, config: ExperimentConfig, data: Path, tmp_path: Path
    ) -> None:
        rows = toy()
        answers = [row["answers"] for row in rows[:120]]
        random.Random(1).shuffle(answers)
        write(
            data,
            [
                {**row, "answers": own}
                for row, own in zip(rows, [*answers, *(row["answers"] for row in rows[120:])], strict=True)
            ],
        )
        run = Run(config, None, 0, tmp_path / "runs")
        assert train(run) < 0.5 * 120
        assert right_of_test(run) < 0.5


class TestRounds:
    @pytest.fixture
    def brief(self, config: ExperimentConfig) -> ExperimentConfig:
        assert config.training is not None
        return replace(config, training=replace(config.training, epochs=2, checkpoint_seconds=0))

    def test_an_interrupted_round_is_resumed(self, brief: ExperimentConfig, tmp_path: Path) -> None:
        run = Run(brief, None, 0, tmp_path / "runs")
        with pytest.raises(StoppedError):
            train(run, report=stop_after(2))
        assert training_state(run) == "interrupted"
        with pytest.raises(InputError, match="Add --resume to continue it"):
            check_training(run, resume=False)
        train(run, resume=True)
        assert training_state(run) == "finished"
        unbroken = Run(brief, None, 0, tmp_path / "others")
        train(unbroken)
        labels = [Labels.read([one.round_folder(1) / LABELS]) for one in (run, unbroken)]
        assert labels[0] == labels[1]
        assert train(run) == train(unbroken)  # finished: nothing is trained again

    def test_without_rounds_answers_alone_are_not_learned(self, brief: ExperimentConfig, tmp_path: Path) -> None:
        run = Run(replace(brief, mixture=replace(brief.one_mixture(), rounds=0)), None, 0, tmp_path)
        with pytest.raises(InputError, match="at least one problem whose equations form a tree"):
            train(run)

    def test_files_of_labels_are_learned(self, brief: ExperimentConfig, data: Path, tmp_path: Path) -> None:
        run = Run(replace(brief, mixture=replace(brief.one_mixture(), rounds=1)), None, 0, tmp_path / "one")
        unambiguous = train(run)
        assert not run.round_folder(1).exists()
        row = next(row for row in toy() if "years old" in str(row["text"]))
        text = str(row["text"])
        a, b = (number.value for number in map_text(text, "en").numbers[1:])
        line = {"corpus": "toy", "id": row["id"], "equations": [f"x={a}+{b}"]}
        (data / "labels.jsonl").write_text(json.dumps(line) + "\n")
        mixture = replace(brief.one_mixture(), rounds=1, labels=(str(data / "labels.jsonl"),))
        assert train(Run(replace(brief, mixture=mixture), None, 0, tmp_path / "two")) == unambiguous + 1

    def test_wrong_rounds_are_explained(self, data: Path) -> None:
        with pytest.raises(InputError, match=r"\[mixture\] rounds must be 0 or more, got -1"):
            parse_config(CONFIG, ["mixture.rounds=-1"])
