"""Parts of a batch in threads give what they give one after the other."""

from __future__ import annotations

from dataclasses import replace

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
def test_results_come_in_order_and_threads_are_given_back() -> None:
    inside: set[int] = set()

    def work(part: int) -> int:
        inside.add(torch.get_num_threads())
        return part * part

    assert list(side_by_side(work, range(20), CPU)) == [part * part for part in range(20)]
    assert inside == {1}
    assert torch.get_num_threads() == 2


@pytest.mark.usefixtures("two_threads")
def test_an_error_of_a_part_is_raised_and_threads_are_given_back() -> None:
    def work(part: int) -> int:
        raise ValueError(f"part {part}")

    with pytest.raises(ValueError, match="part 0"):
        list(side_by_side(work, [0, 1, 2], CPU))
    assert torch.get_num_threads() == 2


@pytest.mark.usefixtures("two_threads")
def test_a_batch_in_parts_has_the_candidates_of_the_whole(solver: Solver, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [example.text for example in examples()]
    whole = solver.predict(texts)
    monkeypatch.setitem(network_solver._PROBLEMS, "cpu", 3)
    parts = solver.predict(texts)
    assert [[one.tree for one in own] for own in parts] == [[one.tree for one in own] for own in whole]
    for own, other in zip(parts, whole, strict=True):
        assert [one.log_probability for one in own] == pytest.approx([one.log_probability for one in other], abs=1e-3)
