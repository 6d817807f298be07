"""Files that cannot be read or are cut short: a job says which file it is, or does again what is missing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.kill_rounds import contents, different
from tests.cli.small_jobs import SmallJob, small_job
from tests.power_cuts.recorded_changes import COMPILER, library, run_preloaded

pytestmark = pytest.mark.slow

Spoil = Callable[[Path], None]


def cut(path: Path) -> None:
    """Leave the first half of a file, less a few bytes."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2 - 3])


def replace_by_folder(path: Path) -> None:
    """Put a folder in place of a file, which nobody can read as a file."""
    path.unlink()
    path.mkdir()


@pytest.fixture(scope="module", params=["train", "bulk", "crossval", "report"])
def job(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> SmallJob:
    return small_job(request.param, tmp_path_factory.mktemp("whole"))


INPUTS = {  # and what the message must contain
    "train": [("data/toy.jsonl.gz", "toy.jsonl.gz"), ("train.toml", "train.toml")],
    "crossval": [("data/toy.jsonl.gz", "toy"), ("crossval.toml", "crossval.toml")],
    "bulk": [("light/b.jsonl.gz", "b.jsonl.gz")],
    "report": [("results/sau-alg514.json", "sau-alg514")],
}


@pytest.mark.parametrize("spoil", [cut, replace_by_folder])
def test_a_broken_input_is_named(job: SmallJob, tmp_path: Path, spoil: Spoil) -> None:
    if job.name == "bulk" and spoil is replace_by_folder:
        pytest.skip("a folder among the inputs is a folder of more inputs")
    # The first half of a configuration is a configuration.
    inputs = [one for one in INPUTS[job.name] if spoil is not cut or not one[0].endswith(".toml")]
    for number, (file, named) in enumerate(inputs):
        path, kept = job.inputs / file, tmp_path / "kept"
        shutil.copy(path, kept)
        folder = tmp_path / str(number)
        folder.mkdir()
        try:
            spoil(path)
            code, printed = job.run(folder)
        finally:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
            shutil.copy(kept, path)
        assert code == 2, f"{file}: {printed}"
        assert named in printed
        assert "Traceback" not in printed


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
def test_an_input_on_a_broken_disk_is_named(
    job: SmallJob, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file, named = INPUTS[job.name][0]
    environment = {**job.environment, "UNREADABLE": str(job.inputs / file)}
    preloaded = library(tmp_path_factory.getbasetemp())
    done = run_preloaded(preloaded, job.arguments, tmp_path, environment, job.before)
    assert done.returncode == 2, done.stderr
    assert named in done.stderr
    assert "Traceback" not in done.stderr


def test_results_that_are_cut_short_are_made_again_or_named(job: SmallJob, tmp_path: Path) -> None:
    """A report, a cross-validation and bulk solving repair their files; a model must be trained again."""
    folder = tmp_path / "again"
    folder.mkdir()
    assert job.run(folder)[0] == 0
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or "logs" in path.parts or path.name == ".lock":
            continue
        whole = path.read_bytes()
        cut(path)
        code, printed = job.run(folder)
        assert "Traceback" not in printed
        if job.name == "train" and "model" in path.parts:
            assert code == 2
            assert path.name in printed
            path.write_bytes(whole)
        elif job.name == "train":
            path.write_bytes(whole)
        else:
            assert code == 0, printed
    assert different(job.expected, contents(folder)) == []
