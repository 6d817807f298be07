"""The weights with which a new network begins if it continues a trained one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from sau_solver.errors import InputError
from sau_solver.models.checkpoint import TRAINING_ONLY, check_shapes
from sau_solver.models.layers.stacked import Rounding, kept_by_rounding
from sau_solver.models.loading import LANGUAGES, shipped_folder
from sau_solver.models.options import NetworkOptions
from sau_solver.models.predictor import NetworkPredictor, predictor_class
from sau_solver.models.quantized import ROUNDED
from sau_solver.models.sau.teachers import weights_with_layers
from sau_solver.models.targets import Targets
from sau_solver.text.pieces import Pieces
from sau_solver.text.tokens import Tokens
from sau_solver.training.training_options import TrainingOptions

Solver = NetworkPredictor[Any]

_EMBEDDING = "encoder.pretrained.embedding.weight"  # a row for each piece
_LEAVES = "decoder.leaves"  # a row for each unknown and constant; the last one is for rare constants


def started_from(name: str) -> Path:
    """Return the folder of the network that a training starts from: a path, or a language for its shipped model."""
    return next((shipped_folder(language) for language in LANGUAGES if language == name), Path(name))


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Draw the random numbers of the block from a seed, and leave the generators as they were."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)  # torch.manual_seed would change the GPUs' generators too
        yield


def continued(
    options: NetworkOptions, seed: int, trained: Solver, words_of: Solver, training: TrainingOptions
) -> Solver:
    """Return a solver with the weights of a trained one, `[training] start`; its encoder may have fewer layers.

    It reads the words and writes the symbols of `words_of`, which is the trained one itself, or a teacher that knows
    more of them. Words that the trained one does not know begin with the teacher's embedding.
    """
    kind, name = predictor_class(type(options)), training.start
    if not isinstance(trained, kind):
        raise InputError(f"[training] start must be a {options.model} network, got {name}. Name another folder.")
    described, _ = trained.describe()
    layers = getattr(options, "encoder_layers", 0)
    if layers and "encoder" in described:
        described["encoder"] = described["encoder"] | {"layers": layers}
    with seeded(seed):
        solver = kind.blank(described, words_of.describe()[1], options, torch.device("cpu"))
    own = solver.network.state_dict()
    # Shipped models come without the weights that only training uses: those are new.
    weights = {key: value for key, value in own.items() if key.startswith(TRAINING_ONLY)}
    weights |= weights_with_layers(trained.network.state_dict(), solver.network.depth)
    if (trained.vocabulary, trained.network.targets) != (words_of.vocabulary, words_of.network.targets):
        weights |= _reordered(weights, own, trained, words_of, name)
    if training.rounding:
        rounding = Rounding(training.rounding, training.rounding_step)
        weights |= {
            key: kept_by_rounding(value, rounding)
            for key, value in weights.items()
            if key.startswith(ROUNDED) and key.endswith(".weight") and value.dim() == 2
        }
    check_shapes(weights, {key: value.shape for key, value in own.items()})
    solver.network.load_state_dict(weights)
    return solver


def _reordered(
    weights: Mapping[str, Tensor], new: Mapping[str, Tensor], trained: Solver, words_of: Solver, name: str
) -> dict[str, Tensor]:
    """Return the weights that have a row for each word or symbol, in the order of `words_of`."""
    taught = words_of.network.state_dict()
    known, wanted = _piece_names(trained.vocabulary), _piece_names(words_of.vocabulary)
    if not known or not wanted or taught[_EMBEDDING].shape[1:] != weights[_EMBEDDING].shape[1:]:
        raise InputError(
            f"[training] start must know the words and symbols of the first teacher, or have a pretrained encoder of "
            f"the same size, got {name}. Name another folder, or remove the teachers."
        )
    symbols = [_leaf_names(one.network.targets) for one in (trained, words_of)]
    return {
        _EMBEDDING: _by_name(weights[_EMBEDDING], known, taught[_EMBEDDING], wanted),
        _LEAVES: _by_name(weights[_LEAVES], symbols[0], new[_LEAVES], symbols[1]),
    }


def _by_name(known: Tensor, names: Sequence[object], other: Tensor, wanted: Sequence[object]) -> Tensor:
    """Return the rows of `known` for the wanted names that it has, and those of `other` for the rest."""
    places = {name: place for place, name in enumerate(names)}
    rows = [known[places[name]] if name in places else other[place] for place, name in enumerate(wanted)]
    return torch.stack(rows)


def _piece_names(tokens: Tokens) -> list[object]:
    """Return a name for each id; none for words that are no pieces."""
    return [*range(len(tokens) - len(tokens.pieces)), *tokens.pieces] if isinstance(tokens, Pieces) else []


def _leaf_names(targets: Targets) -> list[object]:
    unused = [f"unused {place}" for place in range(targets.padding)]
    return [*targets.unknowns, *targets.constants, *unused, "rare"]
