"""A card says which corpora have no license of their authors, and compares permissive models with the shipped ones."""

from __future__ import annotations

import json
from pathlib import Path

from sau_solver.shipping.card_licenses import comparison, rests_on


def test_the_card_names_the_corpora_without_a_license_of_their_authors() -> None:
    sources = {"gsm8k": {"learned": 6}, "hmwp": {"learned": 3}, "curriculum": {"learned": 9}, "math23k": {"learned": 1}}
    told = " ".join(rests_on(sources))
    assert "HMWP; Math23K." in told
    assert "They have 4 of the 10 learned problems" in told
    assert rests_on({"gsm8k": {"learned": 6}}) == [
        "The authors of all these corpora state a license that permits any use."
    ]


def test_the_test_parts_of_both_reports_are_compared(tmp_path: Path) -> None:
    parts = {"zh": {"a/test": 0.5, "b/test": 0.25}, "zh-permissive": {"b/test": 0.125, "c/test": 1.0}}
    for name, shares in parts.items():
        tested = {part: {"problems": 8, "answer": share} for part, share in shares.items()}
        (tmp_path / f"{name}.json").write_text(json.dumps({"test": tested}), encoding="utf-8")
    reports = {one: (tmp_path / one, tmp_path / f"{one}-permissive") for one in ("zh", "en")}
    told = comparison(reports)  # type: ignore[arg-type]
    assert [line for line in told.splitlines() if "/test |" in line] == ["| b/test | 8 | 25.00 | 12.50 |"]


def test_there_is_no_table_before_a_permissive_model_was_measured(tmp_path: Path) -> None:
    assert "| test problems |" not in comparison({"zh": (tmp_path / "zh", tmp_path / "zh-permissive")})
