"""A program for `sau benchmark --program "python examples/benchmark_program.py"`. It needs nothing but Python.

It reads one problem per line from standard input and writes one reply per line to standard output. Replace `solve` by a
call of your own system. A reply has the `id` of its problem, and:

equations   list of equations with the numbers of the problem: ["x+y=20", "2*x+4*y=50"]. Optional.
answers     list of the values that the problem asks for: ["15"], ["3/4"], ["0.5", "2"]. Optional beside equations.
confidence  the probability that the answers are right, from 0 to 1. Optional.
abstained   true if the system is not sure enough to answer. Optional.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

NUMBER = re.compile(r"\d+(?:\.\d+)?")
MORE = re.compile(r"\b(?:altogether|in all|in total|total|sum)\b|一共|共|总", re.IGNORECASE)
LESS = re.compile(r"\b(?:left|remain\w*|difference|fewer|how many more|how much more)\b|剩|还有|少|比", re.IGNORECASE)


def solve(text: str) -> dict[str, Any]:
    """Add, subtract or multiply the first two numbers, whatever the problem says. Replace this by your system."""
    numbers = NUMBER.findall(text)
    if len(numbers) < 2:
        return {"abstained": True}
    one, other = numbers[:2]
    if LESS.search(text):
        return {"equations": [f"x={one}-{other}"], "confidence": 0.3}
    if MORE.search(text):
        return {"equations": [f"x={one}+{other}"], "confidence": 0.3}
    return {"equations": [f"x={one}*{other}"], "confidence": 0.2}


def main() -> None:
    """Reply to each problem as soon as it is read."""
    for line in sys.stdin:
        problem = json.loads(line)
        print(json.dumps({"id": problem["id"], **solve(problem["text"])}), flush=True)


if __name__ == "__main__":
    main()
