"""The network of SAU-Solver: encoder, tree decoder and alignment put together; the loss of a batch (eq. 12-13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import torch
from torch import Tensor

from sau_solver.models.encoders.bigru import Encoder
from sau_solver.models.encoders.pretrained import PretrainedEncoder
from sau_solver.models.layers.attention import Memory
from sau_solver.models.layers.dropout import Dropout, keep_all
from sau_solver.models.network import Found, Losses, Mean, Network, missed_symbols
from sau_solver.models.network_shapes import BertShape
from sau_solver.models.options import OBJECTIVES, SauOptions
from sau_solver.models.sau.alignment import Alignment
from sau_solver.models.sau.teachers import Teachers
from sau_solver.models.sau.tree_batch import Batch, PaddedTrees, Texts, collate
from sau_solver.models.sau.tree_beam import TreeSearch
from sau_solver.models.sau.tree_decoder import Symbols, TreeDecoder
from sau_solver.models.sau.verifier import Verifier, VerifierShape, collate_candidates
from sau_solver.models.targets import EncodedProblem, Targets, encode_ids
from sau_solver.text.pieces import END
from sau_solver.text.tokens import UNKNOWN_WORD

_RESERVED = END  # ids of padding, unknown words, numbers and marks, which word dropout leaves alone


@dataclass(frozen=True, slots=True)
class Written:
    """Everything that the network computes to write the gold trees of a batch, except the scores."""

    memory: Memory  # the encoder states that nodes attend to
    symbols: Symbols
    subtrees: Tensor  # (rows, hidden)
    nodes: Tensor  # (rows, hidden): decoder states
    contexts: Tensor  # (rows, hidden)


class SauNetwork(Network[Batch]):
    """The paper's network: ids in, scores and losses out."""

    options: SauOptions
    ssar: Tensor  # the weight of the alignment, a scalar or (runs,)
    objective: Tensor  # 1 for what the alignment minimizes, else 0: (objectives,) or (runs, objectives)

    def __init__(self, words: int, targets: Targets, options: SauOptions, shape: BertShape | None = None) -> None:
        """Create a network for `words` word ids; `shape` is the shape of a pretrained encoder, None for the BiGRU."""
        super().__init__()
        self.options, self.targets, self.shape = options, targets, shape
        self.encoder: Encoder | PretrainedEncoder
        if shape is None:
            self.encoder = Encoder(words, options.embedding, options.hidden)
        else:
            self.encoder = PretrainedEncoder(shape, words, options.hidden)
        self.decoder = TreeDecoder(targets, options)
        self.alignment = Alignment(options, targets.generated) if options.aligns else None
        self.register_buffer("ssar", torch.tensor(options.ssar), persistent=False)
        chosen = torch.tensor([float(options.alignment == one) for one in OBJECTIVES])
        self.register_buffer("objective", chosen, persistent=False)
        self.teachers: Teachers | None = None  # only while the network is trained
        self.verifier: Verifier | None = None  # trained after the rest of the network, see training/verifying.py

    def add_verifier(self, shape: VerifierShape) -> Verifier:
        """Give the network a new verifier, with initial weights."""
        self.verifier = Verifier(self.targets, self.options.hidden, shape)
        return self.verifier.to(self.ssar.device)

    def learn_from(self, teachers: Sequence[Self], share: float) -> None:
        """Also learn from trained networks, which need the same words, the same targets and the same stacking."""
        self.teachers = Teachers(teachers, share)

    @property
    def depth(self) -> int:
        """The number of layers of a pretrained encoder; 0 for the BiGRU."""
        return 0 if self.shape is None else self.shape.layers

    @property
    def words(self) -> int:
        """The number of word ids."""
        return self.encoder.words

    @classmethod
    def spanning(cls, networks: Sequence[Self]) -> Self:
        """Return a network for the most words, with an alignment if one of these has one."""
        options = max((network.options for network in networks), key=lambda one: (one.aligns, one.ssar))
        made = cls(max(network.words for network in networks), networks[0].targets, options, networks[0].shape)
        if made.alignment is not None:
            used = {network.options.alignment for network in networks if network.options.aligns}
            made.alignment.objectives = tuple(one for one in OBJECTIVES if one in used)
        return made

    def collate(self, problems: Sequence[EncodedProblem]) -> Batch:
        """Return a ragged batch on the CPU."""
        return collate(problems, self.targets)

    def padded(self, problems: Sequence[EncodedProblem], device: torch.device) -> PaddedTrees:
        """Return the problems padded to one shape."""
        return PaddedTrees(problems, self.targets, device)

    @torch.no_grad()
    def search(self, texts: Texts, beam: int) -> list[Found]:
        """Return the `beam` most probable trees that the search finds for each text, in prefix order."""
        encoded = self.encode(texts, keep_all)
        found = TreeSearch(self.decoder, encoded, texts, beam).run()
        if self.verifier is None or not any(one.symbols for one in found):
            return found
        trees = [[encode_ids(symbols, self.targets) for symbols in one.symbols] for one in found]
        candidates = collate_candidates(trees, texts, self.targets)
        scores = iter(self.verifier(encoded[0], texts, candidates, keep_all).tolist())
        return [replace(one, verified=[next(scores) for _ in one.symbols]) for one in found]

    def encode(self, texts: Texts, drop: Dropout) -> tuple[Tensor, Tensor, Tensor]:
        """Return the states of words, the goal of the root, and a mask of the words that are not padding."""
        words = self._without_some(texts, drop) if self.options.word_dropout else texts.words
        states, goals = self.encoder(words, texts.lengths, drop)
        real = torch.arange(texts.words.shape[1], device=texts.words.device) < texts.lengths.unsqueeze(1)
        return states, goals, real

    def _without_some(self, texts: Texts, drop: Dropout) -> Tensor:
        """Return the word ids with a share of the words unknown, so that no word alone gives an answer away."""
        kept = drop.of(self.options.word_dropout)(torch.ones(texts.words.shape, device=texts.words.device)) > 0
        kept = kept.scatter(1, texts.places, torch.ones_like(texts.slots)) | (texts.words <= _RESERVED)
        return torch.where(kept, texts.words, UNKNOWN_WORD)

    def write(self, batch: Batch, drop: Dropout, encoded: tuple[Tensor, Tensor, Tensor] | None = None) -> Written:
        """Run the decoder over the gold trees of a batch, each node after those above it and to its left.

        Give `encoded` if the texts are already encoded, as where several trees of one text are compared.
        """
        texts, trees, decoder = batch.texts, batch.trees, self.decoder
        states, goals, real = encoded or self.encode(texts, drop)
        symbols = decoder.symbols(states, texts, drop)
        memory = decoder.attention.remember(states, real, texts.word_counts)
        subtrees = decoder.subtrees(symbols, trees, drop)
        nodes, contexts = decoder.descend(goals, subtrees, memory, trees, drop)
        return Written(memory, symbols, subtrees, nodes, contexts)

    def scored(self, batch: Batch, written: Written, drop: Dropout) -> tuple[Tensor, Tensor, Tensor]:
        """Return the score of every symbol for every node, which symbols exist, and classes of symbols of equal value.

        All are (nodes, symbols).
        """
        rows, symbols = batch.trees.nodes, written.symbols
        scores = self.decoder.scores(written.nodes, written.contexts, symbols, rows, drop)
        if scores.dtype is torch.bfloat16:
            scores = scores.float()
        return scores, rows.repeated(symbols.real), rows.repeated(symbols.classes)

    def missed(
        self, batch: Batch, written: Written, drop: Dropout, smoothing: float = 0.0
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return for each node the loss of its gold symbol, whether it is the most probable, and whether it counts."""
        return self._missed(batch, self.scored(batch, written, drop), smoothing)

    def _missed(
        self, batch: Batch, scored: tuple[Tensor, Tensor, Tensor], smoothing: float
    ) -> tuple[Tensor, Tensor, Tensor]:
        index = batch.trees.nodes.index
        gold, counted = (each.index_select(0, index) for each in (batch.trees.symbols, batch.trees.scored))
        scores, real, classes = scored
        return *missed_symbols(scores, gold, counted, real, classes, smoothing), counted

    def losses(self, batch: Batch, drop: Dropout, smoothing: float = 0.0) -> Losses:
        """Return the losses of a batch; the total is a mean over its problems or its symbols."""
        written = self.write(batch, drop)
        scored = self.scored(batch, written, drop)
        missed, right, counted = self._missed(batch, scored, smoothing)
        loss = self.teachers.shared_loss(batch, scored[0], scored[1], counted, missed) if self.teachers else missed
        loss, missed, right, counted = (
            each.view(len(batch.problems), -1).sum(1) for each in (loss, missed, right, counted)
        )
        means: tuple[Mean, ...] = (Mean(loss, batch.problems if self.options.loss_mean == "problems" else counted),)
        total = means[0].value
        aligned = torch.zeros_like(total)
        if self.alignment is not None:
            aligned, mean = self.alignment(written.subtrees, written.memory, batch, self.objective)
            total = total + self.ssar * aligned
            means = (*means, replace(mean, weight=self.ssar)) if mean else ()
        return Losses(total.sum(), missed, aligned, right, counted, means)
