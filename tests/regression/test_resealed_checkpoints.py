"""A checkpoint with correct checksums and wrong content caused a traceback or a huge allocation."""

from __future__ import annotations

import copy
import hashlib
import json
import random
import resource
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from sau_solver.errors import CheckpointError, SauError
from sau_solver.models.checkpoint import Checkpoint, write_checkpoint
from sau_solver.models.checkpoint_files import CONFIG, VOCABULARY
from sau_solver.models.loading import Model, load_model, shipped_folder
from sau_solver.models.options import NETWORKS
from sau_solver.models.quantized import restore
from sau_solver.solver import Solver
from tests.models.networks import small_solver

Place = tuple[str | int, ...]


def reseal(source: Path, target: Path, path: Place, value: object) -> None:
    """Copy a checkpoint with one value of config.json or vocabulary.json changed, and right checksums."""
    parts = {name: json.loads((source / name).read_bytes()) for name in (CONFIG, VOCABULARY)}
    del parts[CONFIG]["sha256"]
    file, inside = (CONFIG if path[0] in parts[CONFIG] else VOCABULARY), path
    place: Any = parts[file]
    for step in inside[:-1]:
        place = place[step]
    place[inside[-1]] = value
    for other in source.iterdir():
        (target / other.name).write_bytes(other.read_bytes())
    vocabulary = json.dumps(parts[VOCABULARY]).encode()
    (target / VOCABULARY).write_bytes(vocabulary)
    described = parts[CONFIG].get("files")
    if isinstance(described, dict) and isinstance(described.get(VOCABULARY), dict) and path[0] != "files":
        described[VOCABULARY] = {"sha256": hashlib.sha256(vocabulary).hexdigest(), "bytes": len(vocabulary)}
    head = json.dumps(parts[CONFIG], indent=1).removesuffix("\n}") + ",\n"
    seal = hashlib.sha256(head.encode()).hexdigest()
    (target / CONFIG).write_text(f'{head} "sha256": "{seal}"\n}}\n')


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small checkpoint of every network."""
    root = tmp_path_factory.mktemp("small")
    for name in NETWORKS:
        solver, _ = small_solver(name)
        model, vocabulary = solver.describe()
        weights = {key: value.clone() for key, value in solver.network.state_dict().items()}
        write_checkpoint(Checkpoint(model, {"language": "en"}, {"epoch": 1}, vocabulary, weights), root / name)
    return root


FILES = [{"vocabulary.json": 5, "model.safetensors": 5}, {"vocabulary.json": {}, "model.safetensors": {}}]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("model", "name"), []),
        (("model", "name"), {"sau": 1}),
        (("model", "options"), None),
        (("model", "options", "hidden"), "384"),
        (("model", "options", "hidden"), 10**18),
        (("model", "options", "dropout"), float("nan")),
        (("model", "options", "operator_score"), []),
        (("model", "options", "from_the_future"), 1),
        (("model", "encoder"), []),
        (("model", "encoder"), {"kind": "gpt"}),
        (("model", "encoder"), {"kind": "bert", "layers": 2}),
        (("files",), FILES[0]),
        (("files",), FILES[1]),
        (("words",), "abc"),
        (("words",), [1, 2]),
        (("words",), ["twice", "twice"]),
        (("equations",), []),
        (("unknowns",), [""]),
        (("constants",), ["1/0"]),
        (("constants",), ["1e999999999"]),
        (("padding",), 10**12),
        (("padding",), True),
    ],
)
def test_wrong_content_is_refused(small: Path, tmp_path: Path, path: Place, value: object) -> None:
    reseal(small / "sau", tmp_path, path, value)
    with pytest.raises(CheckpointError):
        load_model(tmp_path)


@pytest.mark.parametrize(
    ("name", "value"),
    [("heads", 0), ("heads", 7), ("layers", 1_000_000_000), ("layers", 0), ("size", 1 << 40), ("positions", 60_000)],
)
def test_a_network_much_larger_than_its_weights_is_never_built(tmp_path: Path, name: str, value: int) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    reseal(shipped_folder("zh"), tmp_path, ("model", "encoder", name), value)
    with pytest.raises(CheckpointError):
        load_model(tmp_path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000  # KB


def test_a_small_file_does_not_unpack_to_a_large_tensor() -> None:
    packed = torch.frombuffer(bytearray(zlib.compress(bytes(10_000_000))[2:-4]), dtype=torch.uint8)
    stored = {"w.q": packed, "w.scale": torch.ones(1000)}
    with pytest.raises(CheckpointError, match="w do not fit"):
        restore(stored, {"w": torch.Size([1000, 10_000])})


@pytest.mark.parametrize("scale", [torch.ones(3), torch.ones(()), torch.ones(2, 2)])
def test_scales_of_another_shape_are_refused(scale: torch.Tensor) -> None:
    packed = torch.frombuffer(bytearray(zlib.compress(bytes(8))[2:-4]), dtype=torch.uint8)
    with pytest.raises(CheckpointError, match="scales of w"):
        restore({"w.q": packed, "w.scale": scale}, {"w": torch.Size([2, 4])})


WRONG: list[object] = [
    None, [], {}, 0, -1, 10**9, 10**40, 1e308, float("nan"), True, "", "x", "1/0", ["x"], [[]], {"a": 1},
]  # fmt: skip


def places(value: Any, path: Place = ()) -> Iterator[Place]:
    """Yield the way to every value of an object, and to the first values of lists."""
    steps: list[Any] = list(value)[:30] if isinstance(value, dict) else []
    steps += range(min(2, len(value))) if isinstance(value, list) else []
    for step in steps:
        yield (*path, step)
        yield from places(value[step], (*path, step))


@pytest.mark.slow
@pytest.mark.parametrize("name", list(NETWORKS))
def test_any_changed_value_is_refused_or_solves(small: Path, tmp_path: Path, name: str) -> None:
    config, vocabulary = (json.loads((small / name / file).read_bytes()) for file in (CONFIG, VOCABULARY))
    known = [path for path in (*places(config), *places(vocabulary)) if path != ("sha256",)]
    draw = random.Random(name)
    refused = 0
    for _ in range(25):
        path, value = draw.choice(known), copy.deepcopy(draw.choice(WRONG))
        reseal(small / name, tmp_path, path, value)
        try:
            model: Model = load_model(tmp_path)
            Solver({"en": lambda: model}).solve("Tom has 3 apples and 5 pears. How many are there?")  # noqa: B023
        except SauError:
            refused += 1
    assert refused
