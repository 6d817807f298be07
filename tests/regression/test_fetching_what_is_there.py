"""`sau data fetch hmwp` downloaded HMWP although it was there as a compressed file."""

from __future__ import annotations

from pathlib import Path

from sau_solver.data import corpora, fetch


def test_a_corpus_that_is_there_in_another_form_is_not_downloaded(tmp_path: Path) -> None:
    (file,) = corpora()["hmwp"].files
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_bytes(b"")
    assert fetch("hmwp", tmp_path, base_url="http://127.0.0.1:9") == (tmp_path / file,)
