"""Which of the two languages a text is written in."""

from __future__ import annotations

import re

from sau_solver.problem import Language

_IDEOGRAPH = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}+")


def detect_language(text: str) -> Language:
    """Chinese where ideographs outnumber Latin words of two letters or more, else English."""
    ideographs = len(_IDEOGRAPH.findall(text))
    return "zh" if ideographs and ideographs > len(_LATIN_WORD.findall(text)) else "en"
