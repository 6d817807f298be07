"""A checkpoint with a changed, missing or foreign file is refused, and the message names the file."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from sau_solver.errors import CheckpointError
from sau_solver.models.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from sau_solver.models.checkpoint_files import CONFIG, VOCABULARY, WEIGHTS
from tests.models.numbered_checkpoints import FILES, filled


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
