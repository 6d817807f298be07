"""A network that learned from a user's own corpus raised UnknownCorpusError on a machine without that corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from sau_solver.data import Corpus, find_corpus
from sau_solver.errors import InputError
from sau_solver.experiments.evaluation import _refuse_learned

HMWP = Corpus("hmwp", (), (), (), find_corpus("hmwp"))


def test_a_model_of_an_unregistered_corpus_can_be_tested_on_other_data() -> None:
    _refuse_learned(Path("model"), HMWP, {"corpus": "not-registered-here"})


def test_a_model_of_a_corpus_with_the_same_files_is_still_refused() -> None:
    with pytest.raises(InputError, match="hmwp has problems of hmwp-all"):
        _refuse_learned(Path("model"), HMWP, {"corpus": "hmwp-all"})
