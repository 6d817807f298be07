"""Batches in threads give the results of whole batches, and the user's process keeps its global settings."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from threading import Thread

import pytest
import torch

from sau_solver.models import predictor as network_solver
from sau_solver.models.devices import side_by_side
from sau_solver.models.options import SauOptions
from sau_solver.training.learning import Solver, learn
from tests.models.problems import examples
from tests.models.tiny_encoders import tiny_bert
from tests.training.tasks import SHORT, task

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def solver(tmp_path_factory: pytest.TempPathFactory) -> Solver:
    options = SauOptions(hidden=12, minimum_word_count=1, minimum_constant_count=1)
    encoder = tiny_bert(tmp_path_factory.mktemp("bert"))
    (made,) = learn([task(options=replace(options, encoder=str(encoder)))], SHORT)
    return made


@pytest.fixture
def two_threads() -> object:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("two_threads")
def test_results_are_in_order_and_the_caller_keeps_its_threads() -> None:
    inside: set[int] = set()

    def work(part: int) -> int:
        inside.add(torch.get_num_threads())
        return part * part

    during: set[int] = set()
    results = []
    for result in side_by_side(work, range(20), CPU):
        results.append(result)
        during.add(torch.get_num_threads())
    assert results == [part * part for part in range(20)]
    assert inside == {1}
    assert during == {2}
    assert torch.get_num_threads() == 2


@pytest.mark.usefixtures("two_threads")
def test_other_threads_that_begin_meanwhile_keep_the_default_of_the_process() -> None:
    seen: list[int] = []
    for _ in side_by_side(lambda part: part, range(4), CPU):
        other = Thread(target=lambda: seen.append(torch.get_num_threads()))
        other.start()
        other.join()
    assert seen == [2, 2, 2, 2]


@pytest.mark.usefixtures("two_threads")
def test_an_error_of_a_part_is_raised_and_the_caller_keeps_its_threads() -> None:
    def work(part: int) -> int:
        raise ValueError(f"part {part}")

    with pytest.raises(ValueError, match="part 0"):
        list(side_by_side(work, [0, 1, 2], CPU))
    assert torch.get_num_threads() == 2


@pytest.mark.slow
@pytest.mark.usefixtures("two_threads")
def test_a_batch_in_parts_has_the_candidates_of_the_whole(solver: Solver, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [example.text for example in examples()]
    whole = solver.predict(texts)
    monkeypatch.setitem(network_solver._PROBLEMS, "cpu", 3)
    parts = solver.predict(texts)
    assert [[one.tree for one in own] for own in parts] == [[one.tree for one in own] for own in whole]
    for own, other in zip(parts, whole, strict=True):
        assert [one.log_probability for one in own] == pytest.approx([one.log_probability for one in other], abs=1e-3)


GLOBAL_STATE = """
import json, os, sys
import torch
import sau_solver

def state():
    flags = {
        "matmul": torch.get_float32_matmul_precision(),
        "gradients": torch.is_grad_enabled(),
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "dtype": str(torch.get_default_dtype()),
        "mkldnn": torch.backends.mkldnn.enabled,
        "cudnn": [torch.backends.cudnn.enabled, torch.backends.cudnn.benchmark, torch.backends.cudnn.deterministic],
        "tf32": torch.backends.cuda.matmul.allow_tf32,
        "seed": torch.initial_seed(),
    }
    threads = [torch.get_num_threads(), torch.get_num_interop_threads()]
    return dict(os.environ), list(sys.path), threads, flags

torch.set_num_threads(2)
before = state()
solver = sau_solver.load("en")
loaded = state()
texts = [f"Tom has {count} apples and buys {count + 1} more. How many apples does he have?" for count in range(3, 40)]
answers = [solution.answers for solution in solver.solve_many(texts)]
print(json.dumps([before == loaded, before == state(), len(answers)]))
"""


@pytest.mark.slow
def test_loading_and_solving_leave_the_environment_and_the_settings_of_torch_unchanged() -> None:
    done = subprocess.run([sys.executable, "-c", GLOBAL_STATE], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [True, True, 37]
