"""`sau train` and `sau evaluate` as users see them: folders, interruptions, messages."""

from __future__ import annotations

import gzip
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
import torch

from benchmarks.kill_rounds import Wait, after_progress, kill_and_resume
from sau_solver.cli import main
from sau_solver.data.prepared.folds import make_manifest
from sau_solver.experiments import evaluation, material
from sau_solver.experiments.judging import METRICS
from sau_solver.training import learning
from sau_solver.training.trainer import EpochReport
from tests import commands
from tests.cli.progress_lines import without_progress
from tests.cli.tiny_training import CONFIG, write_corpus
from tests.experiments.conftest import problems

pytestmark = pytest.mark.slow

KILLS = 3

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small corpus with its folds; runs go to the test's own folder."""
    folder = write_corpus(tmp_path / "data")
    monkeypatch.setenv("SAU_DATA", str(folder))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    for module in (material, evaluation):
        monkeypatch.setattr(module, "load_manifest", lambda name, corpus: make_manifest(corpus, name))
    monkeypatch.chdir(tmp_path)
    torch.set_num_threads(1)
    return folder


@pytest.fixture
def config(tmp_path: Path) -> str:
    path = tmp_path / "tiny.toml"
    path.write_text(CONFIG.format(epochs=2), encoding="utf-8")
    return str(path)


@pytest.fixture
def sau(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Runs a command in this process; returns exit code, output and messages without progress."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["sau", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capfd.readouterr()
        assert "Traceback" not in printed.err
        return int(ended.value.code or 0), printed.out, without_progress(printed.err)

    return run


def interrupt(monkeypatch: pytest.MonkeyPatch, epoch: int) -> None:
    """Press Ctrl+C after this many epochs."""
    original = learning.learn

    def learn(*arguments: object, **named: object) -> object:
        tasks, training, _, *rest = arguments

        def stop(told: EpochReport) -> None:
            if told.epoch == epoch:
                raise KeyboardInterrupt

        return original(tasks, training, stop, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(learning, "learn", learn)


def test_a_training_writes_its_folder_and_prints_the_next_command(sau: Command, config: str) -> None:
    code, out, err = sau("train", config, "--fold", "1")
    assert (code, err) == (0, "")
    assert "tiny/fold1-seed3: trained on 16 problems" in out
    folder = Path("runs/tiny/fold1-seed3")
    assert f"Model:    {folder}/model" in out
    assert f"sau evaluate {folder}/model --data alg514" in out
    assert sorted(path.name for path in folder.iterdir()) == ["checkpoints", "logs", "model"]
    told = json.loads((folder / "model" / "config.json").read_text(encoding="utf-8"))["data"]
    expected = {"corpus": "alg514", "fold": 1, "text": "published", "equations": "published", "division": "alg514"}
    assert told.items() >= expected.items()


def test_without_a_fold_all_problems_are_learned(sau: Command, config: str, tmp_path: Path) -> None:
    code, out, _ = sau("train", config, "--seed", "9", "--runs", str(tmp_path / "elsewhere"))
    assert code == 0
    assert "trained on 20 problems" in out  # one of the 21 has equations that cannot be read
    assert (tmp_path / "elsewhere" / "tiny" / "all-seed9" / "model").is_dir()


def test_a_corpus_that_is_cut_off_in_its_last_line_is_named(sau: Command, config: str, data: Path) -> None:
    path = data / "alg514/alg514.jsonl.gz"
    path.write_bytes(gzip.decompress(path.read_bytes())[:-30])  # plain JSON lines, whatever the name is
    code, out, err = sau("train", config)
    assert code == 0
    assert "trained on 20 problems" in out  # the last of the 21 is also the one that cannot be learned
    reported = [line for line in err.splitlines() if line.startswith("Skipped ")]
    assert len(reported) == 1
    assert reported[0].startswith(f"Skipped {path}:21: not JSON: ")
    assert reported[0].endswith("the last line is incomplete (file truncated?)")
    code, _, err = sau("evaluate", "runs/tiny/all-seed3", "--data", str(path))
    assert reported[0] in err.splitlines()


def test_a_finished_training_is_not_repeated(sau: Command, config: str) -> None:
    sau("train", config)
    before = Path("runs/tiny/all-seed3/model/config.json").stat().st_mtime_ns
    for arguments in ([], ["--resume"]):
        code, out, _ = sau("train", config, *arguments)
        assert code == 0
        assert "is already trained. To train it again, remove runs/tiny/all-seed3." in out
    assert Path("runs/tiny/all-seed3/model/config.json").stat().st_mtime_ns == before
    code, out, err = sau("train", config, "--set", "sau.hidden=10")
    assert (code, out) == (2, "")
    assert "[sau] hidden was 8 and is 10" in err


def test_an_interrupted_training_continues_only_with_resume(
    sau: Command, config: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        interrupt(patched, 2)
        code, _, err = sau("train", config)
    assert code == 130
    assert "add --resume to the command" in err
    code, out, err = sau("train", config)
    assert (code, out) == (2, "")
    assert "holds an interrupted training (epoch-0001-step-" in err
    assert "Add --resume to continue it, or delete the folder" in err
    code, out, err = sau("train", config, "--resume")
    assert (code, err) == (0, "")
    assert "trained on 20 problems" in out


def test_what_a_kill_after_the_last_checkpoint_left_is_removed(sau: Command, config: str) -> None:
    sau("train", config)
    folder = Path("runs/tiny/all-seed3")
    shutil.rmtree(folder / "model")
    (folder / "checkpoints" / ".epoch-0001-step-000005.deleting").mkdir()
    assert sau("train", config, "--resume")[0] == 0
    assert (folder / "model").is_dir()
    assert not list((folder / "checkpoints").glob(".*"))


def test_resuming_without_a_checkpoint_starts_from_the_beginning(sau: Command, config: str) -> None:
    code, _, err = sau("train", config, "--resume")
    assert code == 0
    assert "has no checkpoint. Training starts from the beginning" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--fold", "7"], "fold must be between 0 and 4 for alg514, got 7"),
        (["--set", "training.epoch=5"], "Did you mean epochs?"),
        (["--set", "training.epochs=many"], "[training] epochs must be int, got 'many'"),
        (["--set", "epochs=5"], "--set must be table.key=value, such as training.epochs=5"),
        (["--set", "training.batch=0"], "[training] batch must be at least 1, got 0"),
        (["--set", "experiment.corpus=dolphin1878"], "Run: sau data fetch dolphin1878"),
        (["--set", "training.precision=bfloat17"], "[training] precision must be one of float32, bfloat16"),
        (["--set", "training.device=tpu"], "must be one of auto, cpu, cuda, got 'tpu'"),
    ],
)
def test_wrong_settings_are_explained(sau: Command, config: str, arguments: list[str], said: str) -> None:
    code, out, err = sau("train", config, *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_a_missing_gpu_is_explained(sau: Command, config: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    code, _, err = sau("train", config, "--set", "training.device=cuda")
    assert code == 2
    assert 'Use device = "cpu" or "auto"' in err


def test_only_networks_are_trained(sau: Command, tmp_path: Path) -> None:
    path = tmp_path / "retrieval.toml"
    path.write_text('[experiment]\nname = "r"\ncorpus = "alg514"\nmodel = "retrieval"\n', encoding="utf-8")
    code, _, err = sau("train", str(path))
    assert code == 2
    assert "retrieval is not a network" in err


class TestEvaluating:
    def test_only_the_fold_that_was_held_out_is_tested(self, sau: Command, config: str) -> None:
        sau("train", config, "--fold", "2", "--set", "training.epochs=1")
        code, out, _ = sau("evaluate", "runs/tiny/fold2-seed3/model", "--data", "alg514", "--json")
        result = json.loads(out)
        assert code == 0
        assert (result["fold"], result["tested"], result["problems"]) == (2, "fold", 4)
        assert set(result["metrics"]) == set(METRICS)
        code, out, _ = sau("evaluate", "runs/tiny/fold2-seed3", "--data", "alg514")
        assert "the 4 problems of the held-out fold 2" in out
        code, _, err = sau("evaluate", "runs/tiny/fold2-seed3", "--data", "alg514", "--fold", "1")
        assert code == 2
        assert "knows its held-out fold" in err

    def test_a_copy_of_its_corpus_is_recognized(self, sau: Command, config: str, tmp_path: Path) -> None:
        sau("train", config, "--fold", "2", "--set", "training.epochs=1")
        sau("data", "convert", "alg514", str(tmp_path / "copy.jsonl"))
        code, out, _ = sau("evaluate", "runs/tiny/fold2-seed3", "--data", str(tmp_path / "copy.jsonl"), "--json")
        assert code == 0
        assert (json.loads(out)["tested"], json.loads(out)["problems"]) == ("fold", 4)

    def test_training_data_is_not_tested(self, sau: Command, config: str) -> None:
        sau("train", config, "--set", "training.epochs=1")
        code, out, err = sau("evaluate", "runs/tiny/all-seed3", "--data", "alg514")
        assert (code, out) == (2, "")
        assert "trained on all problems of alg514" in err
        assert "--fold 0" in err

    def test_other_data_is_tested_completely(self, sau: Command, config: str, tmp_path: Path) -> None:
        sau("train", config, "--set", "training.epochs=1")
        row = {"id": "a", "text": "Ann has 3 apples and buys 4. How many?", "equations": ["x=3+4"], "answers": ["7"]}
        (tmp_path / "mine.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
        arguments = ("evaluate", "runs/tiny/all-seed3", "--data", str(tmp_path / "mine.jsonl"))
        code, out, _ = sau(*arguments, "--beam", "2", "--device", "cpu")
        assert code == 0
        assert "on mine.jsonl: all 1 problems" in out
        code, _, err = sau(*arguments, "--device", "tpu")
        assert code == 2
        assert "--device must be one of auto, cpu, cuda" in err

    @pytest.mark.parametrize("kind", ["network", "retrieval"])
    def test_problems_of_the_training_data_are_left_out_of_other_data(
        self, sau: Command, config: str, tmp_path: Path, kind: str
    ) -> None:
        if kind == "network":
            sau("train", config, "--set", "training.epochs=1")
            model = "runs/tiny/all-seed3"
        else:
            model = "retrieval.toml"
            text = '[experiment]\nname = "r"\ncorpus = "alg514"\nmodel = "retrieval"\n'
            (tmp_path / model).write_text(text, encoding="utf-8")
        known = [{"id": one.id, "text": f" {one.text}", "equations": list(one.equations)} for one in problems()[:3]]
        new = {"id": "a", "text": "Ann has 3 apples and buys 4. How many?", "equations": ["x=3+4"], "answers": ["7"]}
        for name, rows in (("some.jsonl", [*known, new]), ("all.jsonl", known)):
            lines = "".join(json.dumps(row) + "\n" for row in rows)
            (tmp_path / name).write_text(lines, encoding="utf-8")
        code, out, err = sau("evaluate", model, "--data", str(tmp_path / "some.jsonl"))
        assert code == 0, err
        assert "all 1 problems, without 3 from its training data" in out
        code, out, err = sau("evaluate", model, "--data", str(tmp_path / "all.jsonl"))
        assert (code, out) == (2, "")
        assert "learned from every problem of all.jsonl" in err

    def test_a_changed_version_of_its_corpus_is_refused(self, sau: Command, config: str, data: Path) -> None:
        sau("train", config, "--fold", "2", "--set", "training.epochs=1")
        path = data / "alg514" / "alg514.jsonl.gz"
        path.write_bytes(gzip.compress(b"".join(gzip.decompress(path.read_bytes()).splitlines(True)[1:])))
        code, _, err = sau("evaluate", "runs/tiny/fold2-seed3", "--data", "alg514")
        assert code == 2
        assert "but the files under SAU_DATA have" in err

    def test_a_network_that_is_not_trained_says_how_to_train_it(self, sau: Command, config: str) -> None:
        code, out, err = sau("evaluate", config, "--data", "alg514")
        assert (code, out) == (2, "")
        assert f"sau train {config} --fold 0" in err
        code, _, err = sau("evaluate", "nowhere", "--data", "alg514")
        assert code == 2
        assert "nowhere: no such file. Give a model folder" in err


@pytest.mark.parametrize(
    "arguments",
    [("train", "tiny.toml"), ("crossval", "tiny.toml"), ("evaluate", "data", "--data", "alg514")],
    ids=lambda arguments: arguments[0],
)
@pytest.mark.usefixtures("config")
def test_without_torch_the_install_command_is_printed(arguments: tuple[str, ...]) -> None:
    code = "import sys; sys.modules['torch'] = None; from sau_solver.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "torch is not installed. Run in a checkout: pip install '.[train]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_training_that_is_killed_several_times_ends_with_the_weights_of_an_uninterrupted_one(tmp_path: Path) -> None:
    config = tmp_path / "long.toml"
    config.write_text(CONFIG.format(epochs=24), encoding="utf-8")
    draw = random.Random(20_261_115)

    def start(folder: str) -> commands.Command:
        return commands.Command("train", str(config), "--resume", "--runs", folder)

    def saved() -> list[str]:
        return sorted(path.name for path in (tmp_path / "killed/tiny/all-seed3/checkpoints").glob("epoch-*"))

    def is_new(before: list[str]) -> bool:
        return saved() != before

    def moments() -> Iterator[Wait]:
        for _ in range(KILLS):
            # After a new checkpoint it may be training, writing the next one or deleting one.
            yield after_progress(partial(is_new, saved()), draw.uniform(0, 0.12))

    interrupted = kill_and_resume(partial(start, "killed"), moments())
    assert interrupted.kills == KILLS
    assert "has no checkpoint" not in interrupted.printed
    assert "has no checkpoint" in kill_and_resume(partial(start, "whole"), ()).printed
    for name in ("model.safetensors", "vocabulary.json", "config.json"):
        one, other = (tmp_path / folder / "tiny/all-seed3/model" / name for folder in ("whole", "killed"))
        assert one.read_bytes() == other.read_bytes(), name
