"""Measure the time and memory of `sau equation` for hostile input, including the start of the interpreter.

    python benchmarks/hostile_equations.py

The memory is the peak of the command or of its symbolic worker, whichever is larger.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time

EQUATIONS = {
    "9^9^9^9": "9^9^9^9",
    "x^1000=2": "x^1000=2",
    "10,000 nested brackets": "(" * 10_000 + "x" + ")" * 10_000 + "=1",
    "100,000-digit literal": "x=" + "7" * 100_000,
    "40 unknowns, linear": "; ".join(f"a{k}+a{(k + 1) % 40}={k}" for k in range(39)) + "; a0=1",
    "40 unknowns, quadratic": "; ".join(f"a{k}*a{(k + 1) % 40}+a{k}^2={k}" for k in range(40)),
    "1/0": "1/0",
    "0=1": "0=1",
    "x=x": "x=x",
    "x/0=1": "x/0=1",
    "0/0": "0/0",
    "(x^2-1)/(x-1)=0": "(x^2-1)/(x-1)=0",
    "empty": "",
    "control characters": "x\x01=\x1b[31m3",
    "tower of powers": "x^x^x^x^x=2",
    "dense powers": "(x+1)^999=(x-1)^998+7",
    "power of a sum": "(a+b+c+d+f+g)^90=1",
    "no closed form": "2^x+3^x=10*x^2+sin(x)",
    "12 quadratics": "; ".join(f"a{k}^2+a{(k + 1) % 12}*a{(k + 5) % 12}={k + 1}" for k in range(12)),
    "two quintics": "x^5+y^5+x*y=3; x^5-y^4+x^2*y^3=7",
}


def main() -> None:
    """Print one row per equation."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    print(f"{'equation':26} {'exit':>4} {'seconds':>8} {'MB':>5}")
    for name, text in EQUATIONS.items():
        code, seconds, megabytes = measure(text)
        print(f"{name:26} {code:4} {seconds:8.2f} {megabytes:5.0f}")


def measure(text: str) -> tuple[int, float, float]:
    """Return the exit code, the seconds and the peak memory in MB of the command."""
    command = [sys.executable, "-c", "from sau_solver.cli import main; main()", "equation", text, "--json"]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), time.perf_counter() - start, usage.ru_maxrss / 1024


if __name__ == "__main__":
    main()
