"""How tests run here: one thread each, since two workers with two threads each wait for one another on two cores.

Hypothesis: no time limit an example, the same examples each time in CI, many if asked.

HYPOTHESIS_PROFILE=thorough pytest tests/test_equations.py
"""

from __future__ import annotations

import os

from hypothesis import settings

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before anything imports torch

settings.register_profile("default", deadline=None, print_blob=True)
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True)
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=1500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default"))
