"""Standard error without the lines of progress, which appear only on a slow machine."""

from __future__ import annotations

import re

LINE = re.compile(r"^\[\d+ (s|min|h)[^\]]*\] .*\n?", re.MULTILINE)


def without_progress(text: str) -> str:
    """Remove lines such as `[12 s] hmwp: 44 %`."""
    return LINE.sub("", text)
