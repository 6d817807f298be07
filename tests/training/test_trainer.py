"""Training learns, gives the same weights for the same seed also after interruptions, and explains its errors."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import torch

from sau_solver.data.prepared.examples import first_slots
from sau_solver.errors import CheckpointError, InputError, OutOfMemoryError
from sau_solver.models import devices
from sau_solver.models.options import SauOptions
from sau_solver.models.sau.sau_network import SauNetwork
from sau_solver.models.targets import Targets
from sau_solver.training import learning
from sau_solver.training.learning import Solver, TrainingTask, learn
from sau_solver.training.trainer import EpochReport, Trainee, matmul_precision
from sau_solver.training.training_options import Precision, Schedule, TrainingOptions
from tests.models.problems import examples
from tests.training.tasks import SHORT, TINY, StoppedError, same, stop_after, task


@pytest.mark.slow
def test_problems_of_three_types_can_be_learned_by_heart() -> None:
    learned = examples()[::2]
    options = SauOptions(embedding=32, hidden=64, dropout=0.0, minimum_word_count=1, minimum_constant_count=1)
    training = TrainingOptions(
        epochs=140, batch=11, learning_rate=1e-2, weight_decay=0.0, schedule="cosine", device="cpu"
    )
    reports: list[EpochReport] = []
    (solver,) = learn([task(options=options, learned=learned)], training, reports.append)
    predicted = solver.predict([example.text for example in learned])
    known = set()
    for example, candidates in zip(learned, predicted, strict=True):
        numbers = tuple(number.value for number in example.text.numbers)
        if first_slots(candidates[0].tree, numbers) == first_slots(example.tree, numbers):
            known.add(example.problem)
    assert len(known) >= len(learned) - 2  # rounding differs between processors, and decides the last ones
    assert {problem.kind for problem in known} == {"arithmetic", "linear", "non-linear"}
    assert reports[-1].accuracy > 0.97
    assert reports[-1].loss < 0.15 < reports[0].loss


@pytest.mark.slow
def test_the_same_seed_gives_the_same_weights_and_another_does_not() -> None:
    (first,), (again,), (other,) = (learn([task(seed=seed)], SHORT) for seed in (0, 0, 1))
    assert same(first, again)
    assert not same(first, other)


@pytest.mark.slow
def test_a_training_does_not_depend_on_earlier_trainings_in_the_process() -> None:
    together = learn([task(seed=1), task(seed=0)], SHORT)
    torch.manual_seed(99)
    (alone,) = learn([task(seed=0)], SHORT)
    assert same(together[1], alone)


def test_training_changes_no_global_state_of_torch() -> None:
    def state() -> list[object]:
        settings = torch.get_float32_matmul_precision(), torch.get_num_threads(), torch.get_default_dtype()
        return [torch.get_rng_state().tolist(), torch.is_grad_enabled(), *settings]

    before = state()
    learn([task()], replace(SHORT, epochs=1))
    assert state() == before


def test_the_precision_of_products_is_restored_also_after_an_error() -> None:
    before = torch.get_float32_matmul_precision()
    other = "medium" if before != "medium" else "highest"
    inside = []

    def fail() -> None:
        with matmul_precision(other):
            inside.append(torch.get_float32_matmul_precision())
            raise StoppedError

    with pytest.raises(StoppedError):
        fail()
    assert inside == [other]
    assert torch.get_float32_matmul_precision() == before


@cache
def uninterrupted(averaging: float) -> Solver:
    (whole,) = learn([task()], replace(SHORT, averaging=averaging))
    return whole


@pytest.mark.slow
@pytest.mark.xdist_group("interrupted-training")
@pytest.mark.parametrize("averaging", [0.0, 0.9])
@pytest.mark.parametrize("epoch", [1, 2, 5])
def test_an_interrupted_training_ends_with_the_weights_of_an_uninterrupted_one(
    tmp_path: Path, epoch: int, averaging: float
) -> None:
    training = replace(SHORT, averaging=averaging)
    whole = uninterrupted(averaging)
    with pytest.raises(StoppedError):
        learn([task(tmp_path)], training, stop_after(epoch))
    reports: list[EpochReport] = []
    (resumed,) = learn([task(tmp_path)], training, reports.append, resume=True)
    assert [told.epoch for told in reports if not told.part] == list(range(epoch, 6))
    assert same(resumed, whole)


def test_a_training_that_stopped_after_its_last_epoch_is_not_trained_further(tmp_path: Path) -> None:
    brief = replace(SHORT, epochs=2)
    (whole,) = learn([task(tmp_path)], brief, keep=False)
    reports: list[EpochReport] = []
    (resumed,) = learn([task(tmp_path)], brief, reports.append, resume=True)
    assert not reports
    assert same(resumed, whole)


@pytest.mark.slow
def test_resuming_requires_the_original_settings_and_data(tmp_path: Path) -> None:
    with pytest.raises(StoppedError):
        learn([task(tmp_path)], SHORT, stop_after(2))
    with pytest.raises(CheckpointError, match=r"\[training\] epochs was 5 and is 9"):
        learn([task(tmp_path)], replace(SHORT, epochs=9), resume=True)
    with pytest.raises(CheckpointError, match=r"\[sau\] dropout was 0\.3 and is 0\.2.*another name"):
        learn([task(tmp_path, options=replace(TINY, dropout=0.2))], SHORT, resume=True)
    with pytest.raises(CheckpointError, match="corpus was 'made up' and is 'another'"):
        learn([replace(task(tmp_path), data={"corpus": "another", "fold": 0})], SHORT, resume=True)
    assert learn([task(tmp_path)], replace(SHORT, checkpoint_seconds=60), resume=True)


@pytest.mark.slow
def test_networks_that_train_together_resume_from_the_newest_epoch_that_all_have(tmp_path: Path) -> None:
    for seed, epoch in ((0, 4), (1, 3)):  # as if killed between the two checkpoints
        with pytest.raises(StoppedError):
            learn([task(tmp_path / str(seed), seed)], SHORT, stop_after(epoch))
    tasks = [task(tmp_path / str(seed), seed) for seed in (0, 1)]
    targets = [Targets.build([e.tree for e in one.examples], 1) for one in tasks]
    solvers = [learning._fresh(one, target) for one, target in zip(tasks, targets, strict=True)]
    trainees = [Trainee(one.name, solver.network, [], one.seed) for one, solver in zip(tasks, solvers, strict=True)]
    found = learning._common_snapshots(tasks, trainees, SHORT)
    assert found is not None
    assert [snapshot.epoch for snapshot in found] == [2, 2]
    left = [checkpoints.all()[-1].name[:10] for one in tasks if (checkpoints := one.checkpoints)]
    assert left == ["epoch-0002", "epoch-0002"]


def test_a_network_without_alignment_has_no_weights_for_it() -> None:
    (solver,) = learn([task(options=replace(TINY, ssar=0.0))], replace(SHORT, epochs=1))
    assert solver.network.alignment is None
    assert not any("alignment" in name for name in solver.network.state_dict())


def test_the_learning_rate_follows_the_schedule() -> None:
    rates: dict[Schedule, list[float]] = {"halving": [], "cosine": []}
    for schedule, seen in rates.items():
        training = replace(SHORT, epochs=4, halve_every=2, learning_rate=1.0e-3, schedule=schedule)
        learn([task(learned=examples()[:4])], training, lambda told, seen=seen: seen.append(told.rate))  # type: ignore[misc]
    assert rates["halving"] == [1e-3, 1e-3, 5e-4, 5e-4]
    assert rates["cosine"] == pytest.approx([0.853553e-3, 0.5e-3, 0.146447e-3, 0], rel=1e-5)  # at the end of an epoch


def test_a_missing_gpu_is_an_error_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match='Use device = "cpu" or "auto"'):
        learn([task()], replace(SHORT, device="cuda"))


@pytest.mark.parametrize("features", [{}, {"avx512_bf16": True, "amx_tile": True}])
def test_bfloat16_requires_a_device_that_has_it(features: dict[str, bool], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: features)
    monkeypatch.setattr(devices, "_AMX_TRIAL", "import os; os.abort()")
    with pytest.raises(InputError, match='must be "float32" on this CPU, got "bfloat16"'):
        learn([task()], replace(SHORT, precision="bfloat16", device="cpu"))


@pytest.mark.slow
def test_a_cpu_learns_in_bfloat16_nearly_as_in_float32() -> None:
    if not devices.has_bfloat16(torch.device("cpu")):
        pytest.skip("this CPU does not multiply in bfloat16")
    losses: dict[Precision, list[float]] = {"float32": [], "bfloat16": []}
    for precision, seen in losses.items():
        reports: list[EpochReport] = []
        (solver,) = learn([task()], replace(SHORT, precision=precision, device="cpu"), reports.append)
        assert all(value.dtype is torch.float32 for value in solver.network.state_dict().values())
        seen += [report.loss for report in reports if not report.part]
    assert losses["bfloat16"] != losses["float32"]
    assert losses["bfloat16"] == pytest.approx(losses["float32"], rel=0.1)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 9 GiB.\nMore"), "Tried to allocate 9 GiB"),
        (RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"), "not have enough memory"),
    ],
)
def test_the_error_for_running_out_of_memory_says_what_to_lower(
    monkeypatch: pytest.MonkeyPatch, error: RuntimeError, said: str
) -> None:
    def full(*_: object) -> None:
        raise error

    monkeypatch.setattr(SauNetwork, "losses", full)
    with pytest.raises(OutOfMemoryError, match=said) as raised:
        learn([task()], SHORT)
    assert r"Lower [training] batch (now 4), [sau] hidden (now 12)" in str(raised.value)
    assert "More" not in str(raised.value)


def test_other_errors_are_not_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("shapes differ")

    monkeypatch.setattr(SauNetwork, "losses", broken)
    with pytest.raises(RuntimeError, match="shapes differ"):
        learn([task()], SHORT)


def test_training_without_examples_is_an_error() -> None:
    with pytest.raises(InputError, match="at least one problem"):
        learn([TrainingTask("empty", [], TINY, 0)], SHORT)
