"""Solve problems with a running server (`sau serve`). This client needs nothing but Python.

python examples/client.py "Tom has 3 apples and buys 5 more. How many apples does he have?"
"""

from __future__ import annotations

import json
import os
import sys
import time
import urllib.error
import urllib.request
from typing import Any

SERVER = os.environ.get("SAU_SERVER", "http://127.0.0.1:8000")
ATTEMPTS = 5


def ask(path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Post JSON and return the JSON answer. If the server is busy, wait as long as it says and try again."""
    headers = {"content-type": "application/json"}
    if key := os.environ.get("SAU_API_KEY"):
        headers["authorization"] = f"Bearer {key}"
    request = urllib.request.Request(SERVER + path, json.dumps(body).encode(), headers)  # noqa: S310
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
                found: dict[str, Any] = json.load(answer)
                return found
        except urllib.error.HTTPError as error:
            if error.code != 429 or attempt == ATTEMPTS:
                body = json.load(error)
                raise SystemExit(f"{error.code} {body['error']}: {body['message']} {body['hint']}") from None
            time.sleep(float(error.headers["retry-after"]))
        except urllib.error.URLError as error:
            raise SystemExit(f"{SERVER} does not answer ({error.reason}). Start the server with: sau serve") from None
    raise AssertionError("The last attempt returns or raises.")


def sureness(solution: dict[str, Any]) -> str:
    """Say how sure the solver is. An answer of a model is never certain."""
    if solution["abstained"]:
        return "not sure"
    if solution["kind"] != "problem":
        return "exact"
    percent = round(100 * solution["confidence"])
    return "more than 99 % sure" if percent > 99 else f"{percent} % sure"


def main() -> None:
    """Solve the problems of the command line in one request."""
    if not sys.argv[1:]:
        raise SystemExit(__doc__)
    for solution in ask("/v1/solve/batch", {"texts": sys.argv[1:]})["results"]:
        if "error" in solution:
            print(f"{solution['field']}: {solution['message']} {solution['hint']}")
            continue
        print(f"{'; '.join(solution['equations'])}  ->  {solution['display'] or 'no answer'} ({sureness(solution)})")


if __name__ == "__main__":
    main()
