"""docs/hub.md, followed to the letter with a stand-in of the Hub."""

from __future__ import annotations

from pathlib import Path

import pytest

from sau_solver.models.loading import shipped_folder
from tests.docs.pages import ROOT, Reader
from tests.hub.conftest import files_of
from tests.hub.hub_stand_in import TOKEN, Repository, hub_server


@pytest.mark.slow
def test_the_page_can_be_followed_to_the_letter(tmp_path: Path) -> None:
    pytest.importorskip("huggingface_hub", reason="the extra `pretrained` is not installed")
    reader = Reader(ROOT / "docs/hub.md", tmp_path)
    with hub_server() as hub:
        published = hub.repositories["ann/sau-en"] = Repository()
        published.refs["v1.0"] = published.commit(files_of(shipped_folder("en")))
        reader.environment |= {"HF_ENDPOINT": hub.address, "HF_HOME": str(tmp_path / "cache")}
        reader.environment |= {"HF_TOKEN": TOKEN, "HF_HUB_DISABLE_XET": "1"}
        assert len(reader.follow()) == 4
        assert hub.repositories["ann/my-model"].private
        fetched = [path for path in hub.asked("GET") if path.startswith("/ann/sau-en/resolve/")]
        assert len(fetched) == len(set(fetched))
