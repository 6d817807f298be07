"""A full disk ends a job with a message that names the file, and the same command continues when there is space."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.kill_rounds import contents, different
from tests.cli.small_jobs import NAMES, small_job

pytestmark = pytest.mark.slow

# No file may become larger. The first write beyond it fails, as on a full disk: only the words of the error differ.
FULL = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, ({size}, resource.RLIM_INFINITY))\n"


@pytest.mark.parametrize("name", NAMES)
def test_a_full_disk_is_explained_and_a_later_run_continues(name: str, tmp_path: Path) -> None:
    job = small_job(name, tmp_path)
    folder = tmp_path / "full"
    folder.mkdir()
    largest = max(map(len, job.expected.values()))
    failed = 0
    for size in (900, largest // 2, largest - 1):
        code, printed = job.run(folder, FULL.format(size=size))
        assert "Traceback" not in printed
        if code:
            failed += 1
            assert code == 2
            assert "File too large" in printed
            assert "Give another path" in printed or "Check the path and the space left" in printed
    assert failed >= 2
    code, printed = job.run(folder)
    assert code == 0, printed
    assert different(job.expected, contents(folder)) == []
