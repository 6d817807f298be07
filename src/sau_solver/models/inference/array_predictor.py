"""A trained SAU network with a pretrained encoder as a predictor, without torch.

It has the answers of models/sau/sau_predictor.py, which trains the network and is the oracle of the tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from sau_solver.answering.candidates import Candidate
from sau_solver.equations.uet import Uet
from sau_solver.errors import CheckpointError, NotATreeError
from sau_solver.models.base import BEAM
from sau_solver.models.checkpoint_files import CheckpointFiles
from sau_solver.models.described import built, described_targets, described_tokens
from sau_solver.models.inference.array_decoder import ArrayDecoder
from sau_solver.models.inference.array_encoder import EMBEDDING, ArrayEncoder, Reading
from sau_solver.models.inference.array_search import ArraySearch, Written
from sau_solver.models.inference.array_weights import read_weights
from sau_solver.models.inference.onnx_graph import Array, default_threads
from sau_solver.models.network_shapes import described_shape, network_shapes
from sau_solver.models.options import SauOptions
from sau_solver.models.targets import EncodedProblem, Targets, encode_text, encode_tree
from sau_solver.text.numbers import MappedText, shown_words
from sau_solver.text.tokens import UNKNOWN_WORD, Tokens

_PROBLEMS, _WORDS = 16, 48 * 1024  # the most problems and the most words, with padding, of one search


def is_readable(files: CheckpointFiles) -> bool:
    """Return whether this package can solve with a checkpoint: SAU with a pretrained encoder and without a verifier.

    A network that was trained with rounded weights must be a shipped one, whose weights are stored like that.
    """
    training = files.model.get("training")
    rounded = isinstance(training, dict) and bool(training.get("rounding")) and "trained" not in files.model
    return (
        not rounded
        and files.model.get("name") == SauOptions.model
        and "verifier" not in files.model
        and bool(files.model.get("encoder"))
    )


class ArrayPredictor:
    """A network with the vocabulary that it reads."""

    name = SauOptions.model

    def __init__(self, tokens: Tokens, options: SauOptions, encoder: ArrayEncoder, decoder: ArrayDecoder) -> None:
        self.vocabulary, self.options, self._encoder, self._decoder = tokens, options, encoder, decoder

    @classmethod
    def read(cls, files: CheckpointFiles) -> ArrayPredictor:
        """Return the network of a checkpoint; raise CheckpointError if its parts do not fit together."""
        threads = default_threads()
        try:
            options = built(SauOptions, files.model.get("options"), "model.options")
            shape, tokens = described_shape(files.model), described_tokens(files.vocabulary)
            targets = described_targets(files.vocabulary)
            assert shape is not None, "is_readable has been asked"
            weights = read_weights(files, network_shapes(options, shape, targets, len(tokens)), EMBEDDING, threads)
        except CheckpointError as error:
            raise CheckpointError(f"{files.folder}: {error}") from None
        encoder = ArrayEncoder(shape, weights, threads)
        return cls(tokens, options, encoder, ArrayDecoder(targets, options, weights.arrays))

    @property
    def targets(self) -> Targets:
        """The symbols that the network writes."""
        return self._decoder.targets

    def predict(self, texts: Sequence[MappedText], beam: int = BEAM) -> list[list[Candidate]]:
        """Return for each text at most `beam` different trees, the most probable first."""
        problems = [self._encoded(text) for text in texts]
        order = sorted(range(len(problems)), key=lambda number: -len(problems[number].words))
        candidates: list[list[Candidate]] = [[] for _ in problems]
        chosen = list(_batches(order, problems))
        for numbers, found in zip(chosen, self._searched(chosen, problems, beam), strict=True):
            for number, one in zip(numbers, found, strict=True):
                candidates[number] = self._candidates(one)
        return candidates

    def _searched(
        self, chosen: Sequence[Sequence[int]], problems: Sequence[EncodedProblem], beam: int
    ) -> Iterator[list[Written]]:
        """Yield what is found for each batch; while one batch is searched, the next one is encoded."""

        def search(batch: list[EncodedProblem], reading: Reading) -> list[Written]:
            return ArraySearch(self._decoder, reading, batch, beam).run()

        batches = [[problems[number] for number in numbers] for numbers in chosen]
        if len(batches) == 1:
            yield search(batches[0], self._encoder.read(batches[0]))
            return
        with ThreadPoolExecutor(1) as pool:
            started = [pool.submit(search, batch, self._encoder.read(batch)) for batch in batches]
            yield from (one.result() for one in started)

    def _candidates(self, found: Written) -> list[Candidate]:
        written = [tuple(map(self.targets.symbol_of, symbols)) for symbols in found.symbols]
        return [Candidate(Uet(symbols), own) for symbols, own in zip(written, found.log_probabilities, strict=True)]

    def unknown_words(self, text: MappedText) -> float:
        """Return the share of a text's words that are not in the vocabulary."""
        ids, _ = self.vocabulary.read(self._shown(text))
        return sum(index == UNKNOWN_WORD for index in ids) / len(ids)

    def attended(self, text: MappedText, tree: Uet) -> list[list[float]]:
        """Return the weight of each word for each node of a tree; the weights of a node sum to 1."""
        if missing := [slot for slot in tree.slots() if slot >= len(text.numbers)]:
            raise NotATreeError(f"The tree uses N{missing[0]}, but the text has {len(text.numbers)} numbers.")
        shares = self._attention(self._encoded(text), tree)  # (nodes, tokens)
        ids, begins = self.vocabulary.read(self._shown(text))
        last = len(ids) - 1 if begins and begins[0] else len(ids)  # a start token comes with an end token
        ends = [*begins[1:], last]
        words = [shares[:, begin:end].sum(1) for begin, end in zip(begins, ends, strict=True)]
        rows = np.stack(words, 1).tolist() if words else [[] for _ in shares]
        return [[one / (sum(row) or 1.0) for one in row] for row in rows]

    def _attention(self, problem: EncodedProblem, tree: Uet) -> Array:
        """Return how much of each token the decoder reads when it writes each node of a given tree."""
        decoder, targets, shape = self._decoder, self.targets, encode_tree(tree, self.targets)
        reading = self._encoder.read([problem])
        known = decoder.know(reading, [problem])
        shares: list[Array] = [np.empty(0)] * len(shape.symbols)

        def write(node: int, state: Array) -> Array:
            """Write the subtree of a node, and return its embedding."""
            shares[node] = decoder.shares(state[None], known)[0, 0]
            symbol = shape.symbols[node]
            if shape.left[node] < 0:
                slot = targets.leaves + 1 + symbol - targets.generated
                leaf = symbol - targets.operators if symbol >= 0 else targets.leaves  # the last one: a rare constant
                return known.leaves[[slot if symbol >= targets.generated else leaf]]
            context = shares[node][None] @ known.states[0]
            operator = np.array([symbol])
            first, goal = decoder.opened(state, context, operator)
            left = write(shape.left[node], first)
            right = write(shape.right[node], decoder.right(goal, left))
            return decoder.merged(left, right, operator)

        write(0, decoder.root(reading.goals))
        return np.stack(shares)

    def _encoded(self, text: MappedText) -> EncodedProblem:
        return encode_text(text, self.vocabulary, words=self._shown(text))

    def _shown(self, text: MappedText) -> Sequence[str]:
        return shown_words(text) if self.options.number_forms else text.words


def _batches(order: Sequence[int], problems: Sequence[EncodedProblem]) -> Iterator[Sequence[int]]:
    """Yield the numbers of problems that are searched together: those of similar length, the longest first."""
    while order:
        together = max(1, min(_PROBLEMS, _WORDS // len(problems[order[0]].words)))
        yield order[:together]
        order = order[together:]
