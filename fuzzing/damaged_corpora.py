"""Files of problems with changed values and bytes -> problems, rejected rows, or an error of ours."""

from __future__ import annotations

import copy
import gzip
import io
import json
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from fuzzing.json_values import leaves
from fuzzing.target import InvalidSpecError, Spec, require
from sau_solver.data.lines import to_line
from sau_solver.data.readers.file_formats import iterate_path
from sau_solver.errors import RowError, SauError
from sau_solver.problem import Problem

ROWS: tuple[dict[str, Any], ...] = (
    {
        "iIndex": 1,
        "sQuestion": "Tom has 3 pens and buys 5. How many has he?",
        "lEquations": ["X=3+5"],
        "lSolutions": [8.0],
    },
    {
        "ID": "q",
        "Body": "A box holds 7 pens.",
        "Question": "How many are in 3 boxes?",
        "Equation": "(7.0*3.0)",
        "Answer": 21.0,
    },
    {"text": "x", "equations": "unkn: x\r\nequ: x+3=5", "ans": "{2}", "id": "y.1"},
    {"question": "3 pens and 4 pens?", "answer": "There are 3+4=<<3+4=7>>7 pens.\n#### 7"},
    {
        "id": "1",
        "original_text": "鸡和兔共3只，鸡2只，兔几只？",
        "segmented_text": "鸡 和 兔",
        "equation": "x=3-2",
        "ans": "1",
    },
    {
        "id": 2,
        "original_text": "买3本书用去12元，每本多少元？",
        "equation": "3*x=12",
        "ans": "4",
        "num_list": ["3", "12"],
    },
    {
        "id": "3",
        "text": "2 apples cost 3/4 dollars. How much is 1 apple?",
        "equations": ["2*x=3/4"],
        "answers": ["3/8"],
        "language": "en",
    },
    {"original_text": "what is 3 % of 200 ?", "equation": "x=3/100*200", "ans": "6", "id": 5},
)
_VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 10**400, "", "x", "=", "x=1/0", "9^9^9^9", "(" * 300, [], {}, [[]], [None],
    {"a": 1}, "\u0000", "\ud800",
    "1/0", "NaN", "é" * 5_000, "unkn: \nequ: x==", "#### ", "<<>>", ["x=1", 3], "1,000,000.5%", "{1; 2} OR 3", 1e-320,
)  # fmt: skip


class DamagedCorpora:
    """JSON, JSON lines, gzip, XML and Parquet."""

    name = "corpora"

    def draw(self, random: Random) -> Spec:
        """Return rows with changes, the kind of file and changes of its bytes."""
        byte_edits = random.choice((0, 0, 0, 1, 3))
        return {
            "rows": [random.randrange(len(ROWS)) for _ in range(random.randint(1, 3))],
            "changes": [[random.randrange(10**6), random.randrange(len(_VALUES))] for _ in range(random.randint(0, 3))],
            "kind": random.choice(("lines", "lines", "list", "gzip", "parquet", "xml")),
            "edits": [[random.randrange(10**9), random.randrange(256)] for _ in range(byte_edits)],
            "cut": random.randrange(10**9) if random.random() < 0.1 else 0,
        }

    def check(self, spec: Spec) -> str:
        """Read the file; a problem that is read can be written and read again."""
        content = self._content(spec)
        with tempfile.TemporaryDirectory() as place:
            suffix = {"parquet": ".parquet", "xml": ".xml", "gzip": ".jsonl.gz"}.get(spec["kind"], ".jsonl")
            path = Path(place) / f"corpus{suffix}"
            path.write_bytes(content)
            try:
                outcomes = list(iterate_path(path))
            except SauError as error:
                require(str(error), "errors have a message", spec)
                return f"refused {spec['kind']}"
            problems = [one for one in outcomes if isinstance(one, Problem)]
            require(all(isinstance(one, Problem | RowError) for one in outcomes), "rows are problems or errors", spec)
            for problem in problems:
                path = Path(place) / "again.jsonl"
                path.write_bytes(to_line(problem).encode("utf-8", "surrogatepass"))
                json.loads(to_line(problem))
        return f"{spec['kind']} {len(problems)} {len(outcomes) - len(problems)}"

    @staticmethod
    def _content(spec: Spec) -> bytes:
        rows = [json.loads(json.dumps(ROWS[place % len(ROWS)])) for place in spec["rows"]]
        if not rows:
            raise InvalidSpecError
        for number, choice in spec["changes"]:
            row = rows[number % len(rows)]
            paths = leaves(row)[1:]
            if not paths:
                continue
            *inside, last = paths[number // len(rows) % len(paths)]
            holder = row
            for step in inside:
                holder = holder[step]
            holder[last] = copy.deepcopy(_VALUES[choice % len(_VALUES)])
        content = bytearray(_written(spec["kind"], rows))
        for place, byte in spec["edits"]:
            content[place % len(content)] = byte % 256
        if spec["cut"]:
            del content[spec["cut"] % len(content) :]
        return bytes(content)


def _written(kind: str, rows: list[dict[str, Any]]) -> bytes:
    lines = "\n".join(json.dumps(row) for row in rows).encode()
    match kind:
        case "list":
            return json.dumps(rows, indent=1).encode()
        case "gzip":
            return gzip.compress(lines, mtime=0)
        case "xml":
            body = "".join(
                f"<{'Problem'}>{''.join(f'<{k}>{v}</{k}>' for k, v in row.items())}</Problem>" for row in rows
            )
            return f"<Machine><ProblemSet>{body}</ProblemSet></Machine>".encode("utf-8", "replace")
        case "parquet":
            return _parquet(rows)
    return lines


def _parquet(rows: list[dict[str, Any]]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    target = io.BytesIO()
    same = [row for row in rows if row.keys() == rows[0].keys()]
    try:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(same), target)
    except (pyarrow.ArrowException, OverflowError, UnicodeEncodeError):
        raise InvalidSpecError from None
    return target.getvalue()
