"""ONNX Runtime stored an identifier of the device in the user's cache folder and sent events to its makers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import os
before = dict(os.environ)
from sau_solver.models.inference import onnx_graph
assert dict(os.environ) == before
onnx_graph.onnxruntime.SessionOptions()
"""


@pytest.mark.slow
@pytest.mark.parametrize("given", [{}, {"ORT_DISABLE_TELEMETRY": "1"}])
def test_nothing_is_stored_or_sent(given: dict[str, str], tmp_path: Path) -> None:
    # Without CI and the like: the library reports nothing where it sees them.
    environment = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "LANG") if name in os.environ}
    subprocess.run([sys.executable, "-c", CODE], check=True, env=environment | given | {"HOME": str(tmp_path)})
    assert list(tmp_path.rglob("*")) == []
