"""Small checkpoints with changed bytes, or with changed values and right checksums -> refused, or loaded and usable."""

from __future__ import annotations

import copy
import hashlib
import json
import shutil
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from fuzzing.json_values import leaves
from fuzzing.target import InvalidSpecError, Spec, require
from sau_solver.equations.parser import parse
from sau_solver.equations.uet import Uet, rename_unknowns
from sau_solver.errors import SauError
from sau_solver.models.base import Example
from sau_solver.models.checkpoint import Checkpoint, write_checkpoint
from sau_solver.models.checkpoint_files import CONFIG, VOCABULARY, WEIGHTS
from sau_solver.models.loading import load_model
from sau_solver.models.options import NETWORKS as OPTIONS
from sau_solver.models.predictor import NetworkPredictor, predictor_class
from sau_solver.models.targets import Targets
from sau_solver.problem import Problem
from sau_solver.text.numbers import map_text

NETWORKS = ("sau", "seq2seq")
TEXTS = (
    ("Tom has 3 pens and buys 5 more pens. How many pens has he?", "x=3+5"),
    ("小明有12元，花了2元，还剩几元？", "x=12-2"),
)
FILES = (CONFIG, VOCABULARY, WEIGHTS)
_VALUES: tuple[Any, ...] = (
    None, True, 0, 1, -1, 2, 7, 1e308, 0.5, "", "sau", "bigru", [], {}, [[]], {"": None}, 10**18, -(10**30),
    "x" * 300, [1, 2, 3],
    ["x"], {"x": 1}, "NaN", "é", float("nan"),
)  # fmt: skip


def small_solver(name: str) -> NetworkPredictor[Any]:
    """Return a small random network of a kind, with the words and constants of two problems."""
    options = OPTIONS[name](embedding=4, hidden=6, dropout=0.0, minimum_word_count=1, minimum_constant_count=1)
    examples = []
    for text, equation in TEXTS:
        mapped = map_text(text)
        equations = rename_unknowns(parse(equation))
        tree = Uet.from_equations(equations, [number.value for number in mapped.numbers])
        examples.append(Example(Problem("", text, mapped.language, (equation,)), mapped, tree))
    return predictor_class(OPTIONS[name]).fresh(examples, Targets.build([one.tree for one in examples], 1), options)


class DamagedCheckpoints:
    """Checkpoints of two networks."""

    name = "checkpoints"

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp())
        for name in NETWORKS:
            solver = small_solver(name)
            model, vocabulary = solver.describe()
            weights = {key: value.float().clone() for key, value in solver.network.state_dict().items()}
            write_checkpoint(Checkpoint(model, {"language": "en"}, {"epoch": 1}, vocabulary, weights), self.root / name)
        self.text = map_text(TEXTS[0][0], "en")

    def __del__(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    def draw(self, random: Random) -> Spec:
        """Return changes of bytes, or of values."""
        network, file = random.choice(NETWORKS), random.choice(FILES)
        if random.random() < 0.4:
            edits = [[random.randrange(10**9), random.randrange(256)] for _ in range(random.choice((1, 1, 2, 8)))]
            return {
                "network": network,
                "file": file,
                "edits": edits,
                "cut": random.choice((0, 0, 0, random.randrange(10**9))),
            }
        if file == WEIGHTS:
            edits = [
                [random.randrange(random.choice((8, 200, 4_000))), random.randrange(256)]
                for _ in range(random.choice((1, 2, 8)))
            ]
            return {"network": network, "file": file, "edits": edits, "sealed": True, "cut": 0}
        changes = [
            [random.randrange(10**6), random.randrange(len(_VALUES))] for _ in range(random.choice((1, 1, 1, 2, 3)))
        ]
        return {"network": network, "file": file, "changes": changes}

    def check(self, spec: Spec) -> str:
        """Load the changed checkpoint and use it."""
        if spec["network"] not in NETWORKS or spec["file"] not in FILES:
            raise InvalidSpecError
        with tempfile.TemporaryDirectory(dir=self.root) as place:
            folder = Path(place)
            for file in FILES:
                shutil.copy(self.root / spec["network"] / file, folder / file)
            unchanged = self._edit(folder, spec) if "edits" in spec else self._change(folder, spec)
            try:
                model = load_model(folder)
                model.predictor.predict([self.text], 2)
            except SauError as error:
                require(str(error), "errors have a message", spec)
                return f"refused {spec['file']} {'values' if 'changes' in spec else 'bytes'}"
        loaded = unchanged or "changes" in spec or spec.get("sealed")
        require(loaded, "changed bytes are noticed", spec)
        return f"loaded {spec['file']}"

    @staticmethod
    def _edit(folder: Path, spec: Spec) -> bool:
        """Change bytes of a file; return whether it stays the same."""
        path = folder / spec["file"]
        before = path.read_bytes()
        content = bytearray(before)
        for place, byte in spec["edits"]:
            content[place % len(content)] = byte % 256
        if spec["cut"]:
            del content[spec["cut"] % len(content) :]
        path.write_bytes(content)
        if spec.get("sealed"):
            config = json.loads((folder / CONFIG).read_bytes())
            config["files"][spec["file"]] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            seal(folder, config)
        return bytes(content) == bytes(before)

    @staticmethod
    def _change(folder: Path, spec: Spec) -> bool:
        """Change values of a JSON file, with right checksums."""
        parts = {name: json.loads((folder / name).read_bytes()) for name in (CONFIG, VOCABULARY)}
        parts[CONFIG].pop("sha256")
        for number, choice in spec["changes"]:
            paths = leaves(parts[spec["file"]])[1:]
            if not paths:
                raise InvalidSpecError
            *inside, last = paths[number % len(paths)]
            place = parts[spec["file"]]
            for step in inside:
                place = place[step]
            place[last] = copy.deepcopy(_VALUES[choice % len(_VALUES)])
        vocabulary = json.dumps(parts[VOCABULARY]).encode()
        (folder / VOCABULARY).write_bytes(vocabulary)
        described = parts[CONFIG].get("files")
        if spec["file"] == VOCABULARY and isinstance(described, dict):
            described[VOCABULARY] = {"sha256": hashlib.sha256(vocabulary).hexdigest(), "bytes": len(vocabulary)}
        seal(folder, parts[CONFIG])
        return False


def seal(folder: Path, config: dict[str, Any]) -> None:
    """Write config.json with its checksum."""
    config.pop("sha256", None)
    head = json.dumps(config, indent=1).removesuffix("\n}") + ",\n"
    digest = hashlib.sha256(head.encode()).hexdigest()
    (folder / CONFIG).write_text(f'{head} "sha256": "{digest}"\n}}\n')
