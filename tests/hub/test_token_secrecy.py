"""The token is sent to the Hub and to nobody else: it is in no log, message, traceback or file."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

import pytest

import sau_solver as sau
from sau_solver.errors import InputError
from sau_solver.hub.downloads import redacted
from tests.hub.conftest import files_of
from tests.hub.hub_stand_in import TOKEN, Hub, Repository
from tests.hub.test_downloads import PROBLEM

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")

WRONG = "hf_otherSecret9876543210"


def assert_secret(token: str, folder: Path, *texts: str) -> None:
    for text in texts:
        assert token not in text
    for path in folder.rglob("*"):
        assert not path.is_file() or token.encode() not in path.read_bytes()


def test_a_push_and_a_load_leave_no_trace_of_the_token(
    hub: Hub, small_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("huggingface_hub").propagate = True
        name = sau.load(small_model).push_to_hub("ann/small", private=True)
        loaded = sau.load(name)
        solved = loaded.solve(PROBLEM)
    assert TOKEN in {request.token for request in hub.requests}
    assert caplog.text  # the HTTP library logs its requests
    out, err = capfd.readouterr()
    assert_secret(TOKEN, tmp_path, caplog.text, out, err, name, repr(loaded), str(solved.as_json()))
    for content in hub.repositories["ann/small"].files().values():
        assert TOKEN.encode() not in content


@pytest.mark.parametrize("do", ["load", "push"])
def test_a_refused_token_is_not_part_of_the_message(
    hub: Hub, small_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, do: str
) -> None:
    monkeypatch.setenv("HF_TOKEN", WRONG)
    hub.repositories["ann/small"] = Repository(private=True)
    hub.repositories["ann/small"].commit(files_of(small_model))
    with pytest.raises(InputError) as raised:
        sau.load("ann/small") if do == "load" else sau.load(small_model).push_to_hub("ann/small")
    assert WRONG in {request.token for request in hub.requests}
    assert_secret(WRONG, tmp_path, str(raised.value), "".join(traceback.format_exception(raised.value)))


@pytest.mark.parametrize("token", ["hf_broken\x01Secret42", "broken\x01Secret42", "brokenSecret\u4e2d42"])
def test_a_token_that_cannot_be_sent_is_not_part_of_the_message(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setenv("HF_TOKEN", token)
    with pytest.raises(InputError) as raised:
        sau.load("ann/small")
    shown = "".join(traceback.format_exception(raised.value))
    assert "Secret" not in shown
    assert_secret(token, tmp_path, shown)


def test_whatever_looks_like_a_token_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "plain-secret")
    said = redacted("sent b'Bearer abc.def' and hf_abcdefgh12 and plain-secret to x")
    assert said == "sent b'***' and *** and *** to x"
