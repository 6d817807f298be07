"""docs/curriculum.md shows a family as it is in its file."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "curriculum.md"


def test_the_family_on_the_page_is_the_first_one_of_its_file() -> None:
    found = re.search(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    file = files("sau_solver.curriculum").joinpath("families", "en", "speed.toml")
    assert file.read_text(encoding="utf-8").startswith(found[1])
