"""A campaign goes on where it stopped, keeps one small file for each finding, and closes what is fixed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fuzzing.__main__ import table
from fuzzing.campaign import Campaign
from fuzzing.fuzz_state import State
from fuzzing.shrinking import shrink


def test_a_failing_input_is_made_small() -> None:
    spec = {"text": "a long text with one bad ; sign", "numbers": [3, 812, 7]}
    small = shrink(spec, lambda one: ";" in one["text"] and any(number > 100 for number in one["numbers"]))
    assert small == {"text": ";", "numbers": [101]} or small["text"] == ";"
    assert len(small["numbers"]) == 1


def test_the_smallest_input_of_a_rule_is_kept(tmp_path: Path) -> None:
    state = State(tmp_path)
    found = {"rule": "no exception", "detail": "", "index": 4, "original": "xxxx"}
    assert state.found("parser", 1, found | {"input": "xx"})
    assert not state.found("parser", 1, found | {"input": "xxx"})
    assert not state.found("parser", 1, found | {"input": "x\ud800"[:1]})
    ((file, stored),) = state.stored_findings("parser")
    assert (stored["input"], stored["open"]) == ("x", True)
    state.settle(file, None)
    assert not next(state.stored_findings())[1]["open"]
    assert state.found("parser", 1, found | {"input": "xx"}), "a rule that is broken again is open again"


def test_a_table_of_no_campaign_is_refused(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "fuzzing", "--table", "--folder", str(tmp_path / "absent")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Run `make fuzz` first." in done.stderr
    assert not (tmp_path / "absent").exists()


def test_a_stored_table_outlives_a_refused_one(tmp_path: Path) -> None:
    rule = next(line for line in Path("Makefile").read_text("utf-8").splitlines() if line.startswith("write = "))
    (tmp_path / "Makefile").write_text(f"{rule}\nall:\n\t$(call write,{sys.executable} -m fuzzing --table,table.txt)\n")
    (tmp_path / "table.txt").write_text("stored")
    place = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path.cwd()), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(["make"], cwd=tmp_path, env=place, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert (tmp_path / "table.txt").read_text() == "stored"


@pytest.mark.slow
def test_a_campaign_goes_on_where_it_stopped(tmp_path: Path) -> None:
    first = State(tmp_path)
    Campaign(first, seed=5).slice("linear systems", 1.0)
    done = first.of("linear systems", 5).next
    assert done > 0
    second = State(tmp_path)
    assert second.of("linear systems", 5).next == done
    Campaign(second, seed=5).slice("linear systems", 1.0)
    assert second.of("linear systems", 5).next > done
    lines = (tmp_path / "corpus" / "linear systems.jsonl").read_text("utf-8").splitlines()
    assert {"kind", "input"} == set(json.loads(lines[0]))
    assert f"{second.of('linear systems', 5).inputs:,}" in table(second)
    assert list(second.stored_findings()) == []


@pytest.mark.slow
def test_a_crash_that_no_longer_occurs_is_closed(tmp_path: Path) -> None:
    state = State(tmp_path)
    crash = {"rule": "crash (-11)", "detail": "", "index": 3, "input": None, "original": None}
    state.found("parser", 1, crash)
    Campaign(state, seed=1).recheck()
    assert [one["open"] for _, one in State(tmp_path).stored_findings()] == [False]
