"""A short part of what `make fuzz` checks: the same inputs in every run, without limits of time and memory."""

from __future__ import annotations

import pytest

from fuzzing.fuzz_worker import Checker
from fuzzing.sent_bytes import SentBytes
from fuzzing.target import random_of
from fuzzing.targets import TARGETS

SEED = 2026
INPUTS = {
    "number mapping": 300,
    "printing": 60,
    "parser": 600,
    "linear systems": 60,
    "polynomials": 40,
    "polynomial systems": 20,
    "radicals": 60,
    "constants": 200,
    "functions": 8,
    "conditions": 100,
    "curves": 60,
    "large equations": 12,
    "texts": 40,
    "shipped models": 10,
    "checkpoints": 40,
    "corpora": 60,
    "requests": 60,
    "raw HTTP": 60,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_no_rule_is_broken(name: str) -> None:
    checker = Checker(TARGETS[name]())
    kinds = set()
    for index in range(INPUTS[name]):
        spec = checker.target.draw(random_of(SEED, name, index))
        kind, wrong = checker.verdict(spec)
        assert wrong is None, f"{spec}\n{wrong}"
        kinds.add(kind)
    assert len(kinds - {"invalid"}) > 1, "all inputs were of one kind"
    if isinstance(checker.target, SentBytes):
        checker.target.close()
