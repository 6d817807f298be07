"""A graph of operations -> the bytes of an ONNX model, and a session of ONNX Runtime that runs it.

ONNX is a Protocol Buffers format. The few messages that a graph needs are written here, so that nobody has to install
the package `onnx` (30 MB) in order to solve problems. The numbers of fields and types are those of onnx.proto.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np


@contextmanager
def _without_reports() -> Iterator[None]:
    """Keep ONNX Runtime from reporting to its makers, unless the user has decided about it.

    It reads this variable once, while it is imported. Without it, it stores an identifier and sends events.
    """
    name = "ORT_DISABLE_TELEMETRY"
    given = name in os.environ
    os.environ.setdefault(name, "1")
    try:
        yield
    finally:
        if not given:
            del os.environ[name]


with _without_reports():
    import onnxruntime

Array = np.ndarray[Any, Any]

_IR_VERSION, _OPERATORS = 9, 20  # the version of the format, and of the standard operators
_TYPES = {"float32": 1, "int64": 7}  # TensorProto.DataType
_EXTERNAL = 1  # TensorProto.DataLocation: the values are not in the model but given to the session
_FLOAT, _INTEGER, _INTEGERS = 1, 2, 7  # AttributeProto.AttributeType


class Graph:
    """A graph that grows node by node; values have names."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._inputs: list[bytes] = []
        self._outputs: list[bytes] = []
        self._initializers: list[bytes] = []
        self.weights: dict[str, Array] = {}

    def input(self, name: str, kind: str, dimensions: Sequence[int | str]) -> str:
        """Add an input; a dimension that differs from run to run has a name."""
        self._inputs.append(_described(name, kind, dimensions))
        return name

    def output(self, value: str, name: str, dimensions: Sequence[int | str]) -> None:
        """Make a value an output under this name."""
        self._nodes.append(_node("Identity", (value,), (name,), {}))
        self._outputs.append(_described(name, "float32", dimensions))

    def weight(self, name: str, values: Array) -> str:
        """Add weights, which stay outside the model: the session reads the array itself."""
        self.weights[name] = values
        told = _field(1, "location") + _field(2, "memory")
        tensor = b"".join(_field(1, size) for size in values.shape) + _field(2, _TYPES[values.dtype.name])
        self._initializers.append(tensor + _field(8, name) + _field(13, told) + _field(14, _EXTERNAL))
        return name

    def constant(self, values: Array) -> str:
        """Add a few values as part of the model."""
        name = f"constant{len(self._initializers)}"
        tensor = b"".join(_field(1, size) for size in values.shape) + _field(2, _TYPES[values.dtype.name])
        self._initializers.append(tensor + _field(8, name) + _field(9, values.tobytes()))
        return name

    def node(self, operator: str, *inputs: str, **attributes: float | int | Sequence[int]) -> str:
        """Add an operation with one result, and return the result's name."""
        return self.nodes(operator, 1, *inputs, **attributes)[0]

    def nodes(self, operator: str, count: int, *inputs: str, **attributes: float | int | Sequence[int]) -> list[str]:
        """Add an operation with several results, and return their names."""
        made = [f"value{len(self._nodes)}.{place}" for place in range(count)]
        self._nodes.append(_node(operator, inputs, made, attributes))
        return made

    def model(self) -> bytes:
        """Return the graph as an ONNX model."""
        graph = b"".join(_field(1, node) for node in self._nodes) + _field(2, "graph")
        graph += b"".join(_field(5, tensor) for tensor in self._initializers)
        graph += b"".join(_field(11, value) for value in self._inputs)
        graph += b"".join(_field(12, value) for value in self._outputs)
        return _field(1, _IR_VERSION) + _field(7, graph) + _field(8, _field(1, "") + _field(2, _OPERATORS))


def start(graph: Graph, threads: int) -> onnxruntime.InferenceSession:
    """Return a session that runs a graph on the CPU with so many threads."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors only
    options.enable_mem_pattern = False  # it would keep a plan of the memory for every length of a text
    # Threads that wait in a loop for the next operation would take a core from the search.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in graph.weights.values()]
    options.add_external_initializers(list(graph.weights), values)
    return onnxruntime.InferenceSession(graph.model(), options, providers=["CPUExecutionProvider"])


def default_threads() -> int:
    """Return the number of threads for networks: OMP_NUM_THREADS, or one for each core of this process."""
    told = os.environ.get("OMP_NUM_THREADS", "")
    if told.isdecimal() and int(told) > 0:
        return int(told)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _node(operator: str, inputs: Sequence[str], outputs: Sequence[str], attributes: Mapping[str, Any]) -> bytes:
    named = b"".join(_field(1, name) for name in inputs) + b"".join(_field(2, name) for name in outputs)
    return named + _field(4, operator) + b"".join(_field(5, _attribute(*one)) for one in attributes.items())


def _attribute(name: str, value: float | int | Sequence[int]) -> bytes:
    match value:
        case float():
            return _field(1, name) + b"\x15" + np.float32(value).tobytes() + _field(20, _FLOAT)
        case int():
            return _field(1, name) + _field(3, value) + _field(20, _INTEGER)
    return _field(1, name) + b"".join(_field(8, one) for one in value) + _field(20, _INTEGERS)


def _described(name: str, kind: str, dimensions: Sequence[int | str]) -> bytes:
    sizes = (_field(1, one) if isinstance(one, int) else _field(2, one) for one in dimensions)
    shape = b"".join(_field(1, size) for size in sizes)
    return _field(1, name) + _field(2, _field(1, _field(1, _TYPES[kind]) + _field(2, shape)))


def _field(number: int, value: int | str | bytes) -> bytes:
    """Return a field of a message: an integer, a text or another message."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value & ((1 << 64) - 1))
    content = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    """Return an integer, seven bits a byte, the lowest first."""
    made = bytearray()
    while value > 0x7F:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    made.append(value)
    return bytes(made)
