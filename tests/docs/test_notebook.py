"""The notebook in examples/ runs from top to bottom, and its stored outputs are what its cells show.

`SAU_RENEW_DOCS=1 pytest tests/docs/test_notebook.py` writes the real outputs into it.
"""

from __future__ import annotations

import ast
import io
import json
import os
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[2] / "examples" / "solving.ipynb"
_DIGITS = re.compile(r"\d+")


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


class Notebook:
    """A notebook that is executed as Jupyter does it, without Jupyter."""

    def __init__(self) -> None:
        self.content: dict[str, Any] = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
        self.names: dict[str, Any] = {"__name__": "__main__"}

    @property
    def cells(self) -> list[dict[str, Any]]:
        return [cell for cell in self.content["cells"] if cell["cell_type"] == "code"]

    def execute(self, cell: dict[str, Any]) -> list[dict[str, Any]]:
        """Run a cell; return its outputs: what it prints, and its last expression in every notation it offers."""
        body = ast.parse("".join(cell["source"])).body
        last = body[-1] if body else None
        if isinstance(last, ast.Expr):
            body.pop()
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(ast.Module(body, []), "cell", "exec"), self.names)
            value = None
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "cell", "eval"), self.names)
        outputs: list[dict[str, Any]] = []
        if printed.getvalue():
            outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
        if value is not None:
            data = {"text/plain": lines(repr(value))}
            for kind, method in (("text/html", "_repr_html_"), ("text/latex", "_repr_latex_")):
                if (shown := getattr(value, method, lambda: None)()) is not None:
                    data[kind] = lines(shown)
            result = {"output_type": "execute_result", "execution_count": cell["execution_count"]}
            outputs.append(result | {"data": data, "metadata": {}})
        return outputs


def comparable(outputs: list[dict[str, Any]]) -> str:
    """Return outputs without what differs between CPUs: the digits of a confidence."""
    text = json.dumps(outputs, ensure_ascii=False, indent=1)
    return "\n".join(_DIGITS.sub("N", line) if "onfidence" in line else line for line in text.split("\n"))


def test_the_notebook_is_a_valid_notebook_with_all_outputs() -> None:
    content = Notebook().content
    assert (content["nbformat"], content["nbformat_minor"]) == (4, 5)
    assert all(re.fullmatch(r"[a-z0-9-]{1,64}", cell["id"]) for cell in content["cells"])
    assert [cell["execution_count"] for cell in Notebook().cells] == list(range(1, len(Notebook().cells) + 1))
    assert any("text/html" in output.get("data", {}) for cell in Notebook().cells for output in cell["outputs"])


@pytest.mark.slow
def test_the_notebook_runs_and_shows_what_it_stores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = Notebook()
    renew = bool(os.environ.get("SAU_RENEW_DOCS"))
    for cell in notebook.cells:
        outputs = notebook.execute(cell)
        if not renew:
            assert comparable(cell["outputs"]) == comparable(outputs)
        cell["outputs"] = outputs
    if renew:
        text = json.dumps(notebook.content, ensure_ascii=False, indent=1) + "\n"
        NOTEBOOK.write_text(text, encoding="utf-8")
