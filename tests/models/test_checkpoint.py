"""A checkpoint is read back bit by bit, replaces the one before it, and fits its model."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from sau_solver.errors import CheckpointError, InputError
from sau_solver.models.checkpoint import (
    Checkpoint,
    Checkpoints,
    check_shapes,
    read_checkpoint,
    write_checkpoint,
)
from sau_solver.models.checkpoint_files import CONFIG, STATE, VOCABULARY, WEIGHTS
from tests.models.numbered_checkpoints import FILES, assert_same_bits, filled, names, number_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_checkpoint(filled(1), tmp_path / "model")
    return tmp_path / "model"


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
