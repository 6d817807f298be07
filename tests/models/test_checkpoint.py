"""A checkpoint is read back bit by bit or not at all, even if its writer is killed at any moment.

Run as a script, this file is the writer process that the tests kill.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.errors import CheckpointError, InputError
from sau_solver.models.checkpoint import (
    CONFIG,
    STATE,
    VOCABULARY,
    WEIGHTS,
    Checkpoint,
    Checkpoints,
    check_shapes,
    read_checkpoint,
    write_checkpoint,
)

FILES = (CONFIG, VOCABULARY, WEIGHTS, STATE)
KILLS = 15


def filled(number: int) -> Checkpoint:
    """Return a checkpoint that has the number in every part."""
    return Checkpoint(
        {"name": "sau", "hidden": 512, "number": number},
        {"fingerprint": "0123"},
        {"number": number, "metrics": {"answer": 0.1 + 0.2}},
        {"tokens": ["鸡", "兔", str(number)]},
        {"encoder": torch.full((60, 50), float(number)), "decoder": torch.full((7,), number)},
        {"moments": torch.full((60, 50), float(number), dtype=torch.float64)},
    )


def number_of(checkpoint: Checkpoint) -> int:
    """Return the number of a filled checkpoint, and check every part of it."""
    number: int = checkpoint.progress["number"]
    expected = filled(number)
    assert (checkpoint.model, checkpoint.data) == (expected.model, expected.data)
    assert (checkpoint.progress, checkpoint.vocabulary) == (expected.progress, expected.vocabulary)
    assert_same_bits(checkpoint.weights, expected.weights)
    assert_same_bits(checkpoint.state, expected.state)
    return number


def assert_same_bits(left: dict[str, torch.Tensor], right: dict[str, torch.Tensor]) -> None:
    assert left.keys() == right.keys()
    for name in left:
        assert (left[name].dtype, left[name].shape) == (right[name].dtype, right[name].shape)
        assert bits(left[name]) == bits(right[name])


def bits(tensor: torch.Tensor) -> bytes:
    return tensor.detach().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def rewrite_config(folder: Path, **changes: Any) -> None:
    """Change config.json together with its checksum."""
    config = json.loads((folder / CONFIG).read_bytes()) | changes
    del config["sha256"]
    head = json.dumps(config, indent=1).removesuffix("\n}") + ",\n"
    seal = hashlib.sha256(head.encode()).hexdigest()
    (folder / CONFIG).write_text(f'{head} "sha256": "{seal}"\n}}\n')


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_checkpoint(filled(1), tmp_path / "model")
    return tmp_path / "model"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of few bytes that every test leaves unchanged."""
    target = tmp_path_factory.mktemp("small") / "model"
    tensors = {"w": torch.arange(8.0)}
    write_checkpoint(Checkpoint({"name": "sau"}, {}, {"step": 1}, {"tokens": ["x"]}, tensors, tensors), target)
    return target


class TestRoundTrip:
    @pytest.mark.parametrize(
        "dtype", [torch.float32, torch.bfloat16, torch.float16, torch.float64, torch.int64, torch.uint8, torch.bool]
    )
    def test_tensors_are_read_back_bit_by_bit(self, dtype: torch.dtype, tmp_path: Path) -> None:
        tensors = {
            "matrix": (torch.randn(5, 3, generator=torch.Generator().manual_seed(1)) * 100).to(dtype),
            "scalar": torch.tensor(1).to(dtype),
            "empty": torch.zeros(0, 4, dtype=dtype),
        }
        write_checkpoint(Checkpoint({}, {}, {}, {}, tensors, tensors), tmp_path / "model")
        back = read_checkpoint(tmp_path / "model", with_state=True)
        assert_same_bits(back.weights, tensors)
        assert_same_bits(back.state, tensors)

    def test_nan_and_infinity_keep_their_bits(self, tmp_path: Path) -> None:
        odd = torch.tensor([0x7FC00001, 0x7F800000, -0x80000000, 1], dtype=torch.int32).view(torch.float32)
        write_checkpoint(Checkpoint({}, {}, {}, {}, {"odd": odd}), tmp_path / "model")
        assert_same_bits(read_checkpoint(tmp_path / "model").weights, {"odd": odd})

    def test_everything_else_is_read_back_equal(self, folder: Path) -> None:
        assert number_of(read_checkpoint(folder, with_state=True)) == 1

    def test_without_a_state_there_is_no_file_for_it(self, tmp_path: Path) -> None:
        write_checkpoint(Checkpoint({}, {}, {}, {}, {"w": torch.ones(2)}), tmp_path / "model")
        assert names(tmp_path / "model") == sorted([CONFIG, VOCABULARY, WEIGHTS])
        assert read_checkpoint(tmp_path / "model", with_state=True).state == {}

    def test_the_state_is_read_only_on_request(self, folder: Path) -> None:
        (folder / STATE).unlink()
        assert read_checkpoint(folder).state == {}
        with pytest.raises(CheckpointError, match=STATE):
            read_checkpoint(folder, with_state=True)

    def test_tied_transposed_and_trainable_tensors_are_written_by_value(self, tmp_path: Path) -> None:
        matrix = torch.nn.Parameter(torch.arange(6.0).reshape(2, 3))
        views = {
            "matrix": matrix,
            "tied": matrix,
            "transposed": matrix.T,
            "row": matrix[1],
            "wide": matrix[0].expand(4, 3),
        }
        write_checkpoint(Checkpoint({}, {}, {}, {}, dict(views)), tmp_path / "model")
        assert_same_bits(read_checkpoint(tmp_path / "model").weights, dict(views))

    def test_equal_checkpoints_have_equal_bytes(self, folder: Path, tmp_path: Path) -> None:
        write_checkpoint(filled(1), tmp_path / "again")
        assert all((folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes() for name in FILES)

    def test_tensors_outlive_the_file_they_were_read_from(self, folder: Path) -> None:
        weights = read_checkpoint(folder).weights
        content = (folder / WEIGHTS).read_bytes()
        (folder / WEIGHTS).write_bytes(bytes(len(content)))
        assert_same_bits(weights, filled(1).weights)

    @pytest.mark.parametrize("value", [float("nan"), {1: "one"}, (1, 2), {1, 2}, "\ud800", torch.ones(1)])
    def test_values_that_json_cannot_hold_are_refused_and_the_old_checkpoint_stays(
        self, value: object, folder: Path
    ) -> None:
        for wrong in (
            Checkpoint({}, {}, {"value": value}, {}, {}),
            Checkpoint({}, {}, {}, {"value": value}, {}),
        ):
            with pytest.raises(CheckpointError, match="JSON"):
                write_checkpoint(wrong, folder)
        assert number_of(read_checkpoint(folder, with_state=True)) == 1
        assert names(folder.parent) == ["model"]


class TestDamage:
    @pytest.mark.parametrize("name", FILES)
    @given(data=st.data())
    def test_a_changed_byte_is_noticed_wherever_it_is(self, small: Path, name: str, data: st.DataObject) -> None:
        whole = (small / name).read_bytes()
        position = data.draw(st.integers(0, len(whole) - 1), label="position")
        changed = bytearray(whole)
        changed[position] ^= data.draw(st.integers(1, 255), label="mask")
        assert_refused(small, name, bytes(changed))

    @pytest.mark.parametrize("name", FILES)
    @given(data=st.data())
    def test_a_truncated_file_is_noticed(self, small: Path, name: str, data: st.DataObject) -> None:
        whole = (small / name).read_bytes()
        assert_refused(small, name, whole[: data.draw(st.integers(0, len(whole) - 1))])

    @pytest.mark.parametrize("name", FILES)
    def test_bytes_past_the_end_are_noticed(self, small: Path, name: str) -> None:
        assert_refused(small, name, (small / name).read_bytes() + b"\n")

    @pytest.mark.parametrize("name", FILES)
    def test_a_missing_file_is_named(self, folder: Path, name: str) -> None:
        (folder / name).unlink()
        with pytest.raises(CheckpointError, match=f"(?i){name}.*download"):
            read_checkpoint(folder, with_state=True)

    def test_the_message_says_which_file_is_damaged_and_what_to_do(self, folder: Path) -> None:
        (folder / WEIGHTS).write_bytes(b"short")
        with pytest.raises(CheckpointError, match=rf"{WEIGHTS}.*damaged.*got 5.*Download.*train again"):
            read_checkpoint(folder)

    def test_a_missing_folder_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(CheckpointError, match="nowhere: this checkpoint folder does not exist"):
            read_checkpoint(tmp_path / "nowhere")

    @pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"schema": "1"}', '{"model": "bert"}', "[" * 100_000])
    def test_some_other_config_is_not_taken_for_a_checkpoint(self, folder: Path, content: str) -> None:
        (folder / CONFIG).write_text(content)
        with pytest.raises(CheckpointError, match=CONFIG):
            read_checkpoint(folder)

    @pytest.mark.parametrize(("schema", "message"), [(2, "a newer version.*Update"), (0, "an older version.*Train")])
    def test_another_schema_says_which_is_newer(self, folder: Path, schema: int, message: str) -> None:
        rewrite_config(folder, schema=schema)
        with pytest.raises(CheckpointError, match=message):
            read_checkpoint(folder)

    @pytest.mark.parametrize("files", [{}, [], {VOCABULARY: {}, WEIGHTS: {}, "../../secret": {}}])
    def test_a_config_names_the_files_of_a_checkpoint_alone(self, folder: Path, files: object) -> None:
        rewrite_config(folder, files=files)
        with pytest.raises(CheckpointError, match=r"not the config\.json of a checkpoint"):
            read_checkpoint(folder)


def assert_refused(folder: Path, name: str, content: bytes) -> None:
    """Check that the checkpoint is refused while the file has this content."""
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(content)
    try:
        with pytest.raises(CheckpointError, match=name):
            read_checkpoint(folder, with_state=True)
    finally:
        (folder / name).write_bytes(whole)


class TestReplacing:
    def test_the_new_one_takes_the_place_of_the_old(self, folder: Path) -> None:
        write_checkpoint(filled(2), folder)
        assert number_of(read_checkpoint(folder, with_state=True)) == 2
        assert names(folder.parent) == ["model"]

    def test_a_state_of_the_old_one_does_not_stay(self, folder: Path) -> None:
        write_checkpoint(Checkpoint({}, {}, {}, {}, {}), folder)
        assert STATE not in names(folder)

    def test_after_a_kill_between_the_renames_the_old_one_is_read(self, folder: Path) -> None:
        folder.rename(folder.with_name(".model.replaced"))
        write_checkpoint(filled(2), folder.with_name(".model.writing"))
        assert number_of(read_checkpoint(folder, with_state=True)) == 1

    def test_after_a_kill_between_the_renames_the_next_write_cleans_up(self, folder: Path) -> None:
        folder.rename(folder.with_name(".model.replaced"))
        write_checkpoint(filled(2), folder.with_name(".model.writing"))
        write_checkpoint(filled(3), folder)
        assert number_of(read_checkpoint(folder, with_state=True)) == 3
        assert names(folder.parent) == ["model"]

    def test_a_folder_with_other_things_in_it_is_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "thesis.tex").write_text("years of work")
        with pytest.raises(CheckpointError, match=r"thesis\.tex"):
            write_checkpoint(filled(1), tmp_path)
        assert (tmp_path / "thesis.tex").read_text() == "years of work"

    def test_through_a_link_the_folder_behind_it_is_replaced(self, folder: Path) -> None:
        link = folder.with_name("link")
        link.symlink_to(folder)
        write_checkpoint(filled(2), link)
        assert link.is_symlink()
        assert number_of(read_checkpoint(folder, with_state=True)) == 2


class TestNumbered:
    def test_an_empty_or_missing_root_has_no_latest(self, tmp_path: Path) -> None:
        assert Checkpoints(tmp_path).latest() is None
        assert Checkpoints(tmp_path / "nowhere").latest() is None

    def test_the_newest_alone_is_kept(self, tmp_path: Path) -> None:
        checkpoints = Checkpoints(tmp_path / "run")
        for epoch, step in ((1, 50), (1, 100), (2, 10)):
            written = checkpoints.write(filled(epoch), epoch, step)
            assert checkpoints.latest() == written
        assert names(tmp_path / "run") == ["epoch-0002-step-000010"]

    def test_keep_sets_how_many_are_kept(self, tmp_path: Path) -> None:
        for step in range(5):
            Checkpoints(tmp_path, keep=3).write(filled(step), 0, step)
        assert names(tmp_path) == [f"epoch-0000-step-00000{step}" for step in (2, 3, 4)]

    def test_newest_is_by_number_and_not_by_spelling(self, tmp_path: Path) -> None:
        Checkpoints(tmp_path, keep=2).write(filled(1), 9_999, 1)
        newest = Checkpoints(tmp_path, keep=2).write(filled(2), 10_000, 1)
        assert Checkpoints(tmp_path).latest() == newest

    @pytest.mark.parametrize(("epoch", "step"), [(7, 3), (7, 2), (1, 9)])
    def test_a_number_that_is_not_above_the_newest_is_refused(self, tmp_path: Path, epoch: int, step: int) -> None:
        newest = Checkpoints(tmp_path).write(filled(1), 7, 3)
        with pytest.raises(CheckpointError, match="above that of epoch-0007-step-000003"):
            Checkpoints(tmp_path).write(filled(2), epoch, step)
        assert number_of(read_checkpoint(newest, with_state=True)) == 1

    def test_leftovers_of_killed_writers_are_ignored_and_removed(self, tmp_path: Path) -> None:
        checkpoints = Checkpoints(tmp_path)
        newest = checkpoints.write(filled(1), 1, 1)
        for left in (
            ".epoch-0002-step-000002.writing",
            ".epoch-0000-step-000001.deleting",
            "epoch-0009-step-000009.bak",
        ):
            (tmp_path / left).mkdir()
        assert checkpoints.latest() == newest
        checkpoints.write(filled(2), 2, 1)
        assert names(tmp_path) == ["epoch-0002-step-000001", "epoch-0009-step-000009.bak"]

    def test_at_least_one_must_be_kept(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="keep=1"):
            Checkpoints(tmp_path, keep=0)


class TestShapes:
    weights = {"a": torch.ones(2, 3), "b": torch.ones(4)}  # noqa: RUF012

    def test_those_of_the_model_pass(self) -> None:
        expected = {"b": torch.Size([4]), "a": torch.Size([2, 3])}
        check_shapes(self.weights, expected)
        with pytest.raises(CheckpointError):
            check_shapes(self.weights, expected | {"a": torch.Size([3, 2])})

    def test_the_message_names_what_is_missing_unexpected_and_different(self) -> None:
        with pytest.raises(CheckpointError) as caught:
            check_shapes(self.weights, {"a": torch.Size([2, 5]), "c": torch.Size([1])})
        message = str(caught.value)
        assert "missing: c; unexpected: b; of another shape: a (expected (2, 5), got (2, 3))" in message

    def test_only_the_first_few_are_named(self) -> None:
        with pytest.raises(CheckpointError, match=r"missing: t0, t1, t2 and 97 more\."):
            check_shapes({}, {f"t{i}": torch.Size([1]) for i in range(100)})


class Writer:
    """A process with torch loaded that forks a child for each request; the child writes until it is killed."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def start(self, target: Path, numbered: bool, die_at: int) -> None:
        """Start a child that kills itself at its `die_at`-th step; with 0 it writes until it is killed."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps([str(target), numbered, die_at]) + "\n")
        self.process.stdin.flush()

    def answer(self, kind: str) -> int:
        """Return the next number: the child's process id for "written", its exit code for "ended"."""
        assert self.process.stdout
        came, value = self.process.stdout.readline().split()
        assert came == kind, f"{came} {value}"
        return int(value)

    def close(self) -> None:
        with self.process:
            pass  # closing its pipes ends the process; leaving the block waits for it


@pytest.fixture(scope="module")
def writer() -> Iterator[Writer]:
    process = Writer()
    yield process
    process.close()


def newest_number(target: Path, numbered: bool) -> int:
    for path in (*target.glob("epoch-*"), *target.parent.glob(".*.replaced")):
        number_of(read_checkpoint(path, with_state=True))  # every checkpoint with a name is complete
    found = Checkpoints(target).latest() if numbered else target
    assert found is not None
    return number_of(read_checkpoint(found, with_state=True))


def write_number(number: int, target: Path, numbered: bool) -> None:
    if numbered:
        Checkpoints(target).write(filled(number), number // 10, number)
    else:
        write_checkpoint(filled(number), target)


@pytest.mark.slow
@pytest.mark.parametrize("numbered", [True, False], ids=["numbered", "fixed"])
class TestKilled:
    def test_at_any_moment_the_newest_is_whole(self, writer: Writer, tmp_path: Path, numbered: bool) -> None:
        target = tmp_path / "run"
        write_number(0, target, numbered)
        before = 0
        for _ in range(KILLS):
            writer.start(target, numbered, die_at=0)
            child = writer.answer("written")
            time.sleep(random.uniform(0, 0.1))
            os.kill(child, signal.SIGKILL)
            assert writer.answer("ended") == -signal.SIGKILL
            after = newest_number(target, numbered)
            assert after > before
            before = after

    def test_before_each_change_to_the_disk_the_newest_is_whole(
        self, writer: Writer, tmp_path: Path, numbered: bool
    ) -> None:
        target = tmp_path / "run"
        write_number(0, target, numbered)
        before, steps, ended = 0, 0, -signal.SIGKILL
        while ended == -signal.SIGKILL:
            steps += 1
            writer.start(target, numbered, die_at=steps)
            ended = writer.answer("ended")
            after = newest_number(target, numbered)
            assert after in (before, before + 1)
            before = after
        assert ended == 0
        assert steps > 15  # a folder and four files created, a folder renamed, another one deleted
        assert len(names(target if numbered else tmp_path)) == 1


def serve() -> None:
    """For each line of standard input, fork a child that writes, and print how it ended."""
    for line in sys.stdin:
        target, numbered, die_at = json.loads(line)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                write_till_killed(Path(target), numbered, die_at)
                code = 0
            finally:
                if code:
                    traceback.print_exc()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        print("ended", os.waitstatus_to_exitcode(status), flush=True)


def write_till_killed(target: Path, numbered: bool, die_at: int) -> None:
    parent = os.getppid()
    number = newest_number(target, numbered) + 1
    if die_at:
        die_before_step(die_at, target.parent)
        write_number(number, target, numbered)
        return
    write_number(number, target, numbered)
    print("written", os.getpid(), flush=True)
    while os.getppid() == parent:
        number += 1
        write_number(number, target, numbered)


def die_before_step(die_at: int, root: Path) -> None:
    """Kill this process just before its `die_at`-th change to the disk: open, create, rename or delete."""
    steps = 0

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal steps
        # While a folder is being deleted, names are relative to it.
        changes = event in ("os.mkdir", "os.rename", "os.remove", "os.rmdir")
        if changes or (event == "open" and str(arguments[0]).startswith(str(root))):
            steps += 1
            if steps == die_at:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)


if __name__ == "__main__":
    serve()
