"""Measure how well stories about angles are told from other problems, and answered.

    python benchmarks/angles.py [--wrong] [--corpora]

Reads benchmarks/angles/{development,validation,traps}.jsonl. Precision is the share of right answers among the texts
that the recognizer takes for a story; recall is the share of stories that it answers right. The rules were written on
the development file. The traps, on which it must be silent, were written after the rules.

`--wrong` lists what is wrong in the development file only. `--corpora` also runs the recognizer over the training parts
of the corpora at hand, compares the answers with the annotated ones and lists every difference.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

from sau_solver.problem import Language
from sau_solver.text.angle_stories import angle_story

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # `python benchmarks/angles.py` finds benchmarks.story_precision

from benchmarks.story_precision import run  # noqa: E402


def answers(text: str, language: Language) -> tuple[Fraction, ...]:
    """Return the answers of the story of a text; nothing if it is left to the network."""
    story = angle_story(text, language)
    return story.answers if story else ()


if __name__ == "__main__":
    assert __doc__ is not None
    run(__doc__, ROOT / "benchmarks" / "angles", answers)
