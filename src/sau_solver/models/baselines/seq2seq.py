"""Seq2Seq with attention and significant number identification (Wang et al., 2017), a baseline of the paper.

A two-layer BiGRU reads the text, a GRU with attention writes equations word by word in infix order. All problems share
one target vocabulary that includes slots, so an output may name numbers that the text does not have, or not be an
equation at all; such an output becomes a candidate marked as unreadable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Self

import torch
from torch import Tensor
from torch.nn import functional

from sau_solver.answering.candidates import UNFILLABLE, Candidate
from sau_solver.equations.symbols import Slot, Symbol
from sau_solver.equations.uet import Uet
from sau_solver.errors import NotATreeError
from sau_solver.models.base import BEAM, Example
from sau_solver.models.baselines.infix import CLOSE, OPEN, infix, infix_text, read_infix
from sau_solver.models.baselines.number_significance import (
    Significance,
    judge_windows,
    keep_numbers,
    needed_numbers,
    windows,
)
from sau_solver.models.baselines.sequence_batch import (
    EncodedSequence,
    PaddedSequences,
    SequenceBatch,
    collate_sequences,
)
from sau_solver.models.baselines.sequence_beam import END, DecodingState, search_sequences
from sau_solver.models.encoders.bigru import Encoder
from sau_solver.models.layers.additive import search_keys
from sau_solver.models.layers.attention import Attention, Memory
from sau_solver.models.layers.dropout import Dropout, keep_all
from sau_solver.models.layers.gru import GruSteps
from sau_solver.models.layers.stacked import Embedding, Linear, per_problem
from sau_solver.models.network import Found, Losses, Mean, Network, missed_symbols
from sau_solver.models.options import Seq2SeqOptions
from sau_solver.models.predictor import NetworkPredictor
from sau_solver.models.sau.tree_batch import Texts
from sau_solver.models.sau.tree_beam import taken
from sau_solver.models.targets import RARE, EncodedProblem, Targets, encode_text
from sau_solver.text.numbers import MappedText
from sau_solver.text.tokens import Vocabulary

_BRACKETS = (OPEN, CLOSE)  # their ids follow that of END
_FIRST = 1 + len(_BRACKETS)  # the id of the first symbol of the targets


class Seq2Seq(Network[SequenceBatch]):
    """The network: ids in, scores and losses out."""

    options: Seq2SeqOptions
    known: Tensor

    def __init__(self, words: int, targets: Targets, options: Seq2SeqOptions) -> None:
        super().__init__()
        hidden = options.hidden
        self.options, self.targets = options, targets
        self.written = _FIRST + targets.generated + options.slots  # number of ids that can be written
        self.encoder = Encoder(words, options.embedding, hidden)
        self.embedding = Embedding(self.written + 1, options.embedding)  # the last one stands for all rare constants
        self.begin = Linear(hidden, options.embedding)
        self.decoder = GruSteps(options.embedding, hidden)
        self.attention = Attention(hidden)
        self.join = Linear(2 * hidden, hidden)
        self.score = Linear(hidden, self.written)
        self.significance = Significance(words, options.embedding) if options.window else None
        place = torch.arange(self.written)
        known = (place < _FIRST + targets.generated - targets.padding) | (place >= _FIRST + targets.generated)
        self.register_buffer("known", known, persistent=False)

    @property
    def words(self) -> int:
        """Return the size of the word vocabulary."""
        return self.encoder.words

    @classmethod
    def spanning(cls, networks: Sequence[Self]) -> Self:
        """Return a network for the largest of the word vocabularies."""
        return cls(max(network.words for network in networks), networks[0].targets, networks[0].options)

    def collate(self, problems: Sequence[EncodedProblem]) -> SequenceBatch:
        """Return a batch on the CPU."""
        return collate_sequences(problems)

    def padded(self, problems: Sequence[EncodedProblem], device: torch.device) -> PaddedSequences:
        """Return the problems padded to one shape."""
        return PaddedSequences(problems, device)

    def read(self, texts: Texts, drop: Dropout) -> tuple[Memory, Tensor]:
        """Encode the texts; return what attention reads and the first input of the decoder."""
        states, goals = self.encoder(texts.words, texts.lengths, drop)
        real = torch.arange(texts.words.shape[1], device=states.device) < texts.lengths.unsqueeze(1)
        return self.attention.remember(states, real, texts.word_counts), self.begin(drop(goals))

    def losses(self, batch: SequenceBatch, drop: Dropout, smoothing: float = 0.0) -> Losses:
        """Return the loss of a batch: a mean over its problems plus a mean over its numbers for their significance."""
        steps, runs = batch.steps, len(batch.problems)
        memory, first = self.read(batch.texts, drop)
        before = self.embedding(batch.read(self.written)[:, :-1])
        states = self.decoder(drop(torch.cat([first.unsqueeze(1), before], 1)))
        state = steps.gathered(states)
        context = self.attention(state, memory, steps)
        scores = self.score(drop(torch.tanh(self.join(drop(torch.cat([state, context], 1))))))
        if scores.dtype is torch.bfloat16:
            scores = scores.float()
        gold, scored = (
            steps.gathered(each.unsqueeze(-1)).squeeze(1)
            for each in (batch.gold.symbols, batch.scored.to(scores.dtype))
        )
        real = steps.repeated(self.listed(len(states)))
        ids = torch.arange(self.written, device=scores.device).expand_as(real)
        missed, right = missed_symbols(scores, gold, scored, real, ids, smoothing)
        missed, right, counted = (each.view(runs, -1).sum(1) for each in (missed, right, scored))
        means = [Mean(missed, batch.problems)]
        total = means[0].value
        beside = torch.zeros_like(total)
        if self.significance is not None:
            significance = self._significance_loss(batch, drop).view(runs, -1).sum(1)
            means.append(Mean(significance, batch.gold.judged.view(runs, -1).sum(1)))
            beside = means[1].value
            total = total + beside
        return Losses(total.sum(), missed, beside, right, counted, tuple(means))

    def _significance_loss(self, batch: SequenceBatch, drop: Dropout) -> Tensor:
        assert self.significance is not None
        odds = self.significance(batch.gold.windows, drop)
        needed, judged = batch.gold.needed.to(odds.dtype), batch.gold.judged.to(odds.dtype)
        return functional.binary_cross_entropy_with_logits(odds, needed, reduction="none") * judged

    def listed(self, problems: int) -> Tensor:
        """Return (problems, ids): which ids can be written."""
        return per_problem(self.known.unsqueeze(-1), problems).squeeze(-1)

    def search(self, texts: Texts, beam: int) -> list[Found]:
        """Return the `beam` most probable sequences that the search finds for each text."""
        with torch.no_grad():
            state = Seq2SeqState(self, texts, beam)
        return search_sequences(state, len(texts.words), beam, self.options.longest_sequence, texts.words.device)


class Seq2SeqState(DecodingState):
    """The decoder's GRU state of each hypothesis."""

    def __init__(self, network: Seq2Seq, texts: Texts, beam: int) -> None:
        self.network = network
        memory, first = network.read(texts, keep_all)
        self.memory = replace(memory, keys=search_keys(memory.keys))
        state = network.decoder.step(first, first.new_zeros(len(first), network.options.hidden))
        self.state = state.unsqueeze(1).expand(-1, beam, -1)

    def log_probabilities(self) -> Tensor:
        """Return the log-probabilities of the next symbol."""
        network = self.network
        context = network.attention.search(self.state, self.memory)
        scores: Tensor = network.score(torch.tanh(network.join(torch.cat([self.state, context], -1))))
        return scores.to(context.dtype).masked_fill(~network.known, -torch.inf).log_softmax(-1)

    def advance(self, parent: Tensor, symbol: Tensor) -> None:
        """Reorder the hypotheses and append a symbol to each."""
        before = taken(self.state, parent)
        inputs = self.network.embedding(symbol)
        self.state = self.network.decoder.step(inputs.flatten(0, 1), before.flatten(0, 1)).view_as(before)

    def select(self, problems: Tensor) -> None:
        """Keep only these problems."""
        self.memory, self.state = self.memory.of_problems(problems), self.state.index_select(0, problems)


class Seq2SeqPredictor(NetworkPredictor[Seq2Seq]):
    """Seq2Seq with its vocabulary."""

    name: ClassVar[str] = Seq2SeqOptions.model

    @classmethod
    def build(cls, words: int, targets: Targets, options: Seq2SeqOptions) -> Seq2Seq:
        """Return a network with initial weights."""
        return Seq2Seq(words, targets, options)

    @classmethod
    def fresh(cls, examples: Sequence[Example], targets: Targets, options: Seq2SeqOptions) -> Self:
        """Return an untrained solver; its vocabulary includes unneeded numbers, because they stay words."""
        texts = [_as_learned(example, options)[0].words for example in examples]
        vocabulary = Vocabulary.build(texts, options.minimum_word_count)
        return cls(cls.build(len(vocabulary), targets, options), vocabulary)

    def encode(self, example: Example) -> EncodedProblem:
        """Encode the text with slots for the needed numbers, the equations in infix order, and all windows."""
        text, needed = _as_learned(example, self.network.options)
        tree = _renumbered(example.tree, {old: new for new, old in enumerate(_kept(needed))})
        symbols = (*(self._id_of(word) for word in infix(tree)), END)
        around = self._windows(example.text)
        words = encode_text(text, self.vocabulary).words
        return EncodedSequence(words, (), (), None, symbols, tuple(map(tuple, around)), tuple(needed[: len(around)]))

    def predict(self, texts: Sequence[MappedText], beam: int = BEAM) -> list[list[Candidate]]:
        """Return for each text at most `beam` different trees or unreadable outputs, the most probable first."""
        needed = self.significant(texts)
        reduced = [keep_numbers(text, own) for text, own in zip(texts, needed, strict=True)]
        return [
            _of_text(candidates, text, _kept(own))
            for candidates, text, own in zip(super().predict(reduced, beam), texts, needed, strict=True)
        ]

    def significant(self, texts: Sequence[MappedText]) -> list[list[bool]]:
        """Predict which numbers of each text get a slot."""
        classifier = self.network.significance
        if classifier is None:
            return [[True] * len(text.numbers) for text in texts]
        device = next(self.network.parameters()).device
        judged = iter(judge_windows(classifier, [row for text in texts for row in self._windows(text)], device))
        return [[next(judged) for _ in text.numbers] for text in texts]

    def candidates(self, found: Found) -> list[Candidate]:
        """Turn the sequences of a search into candidates, with the slots of the text that the network read."""
        made = []
        for symbols, log_probability in zip(found.symbols, found.log_probabilities, strict=True):
            words = [self._symbol_of(symbol) for symbol in symbols]
            try:
                made.append(Candidate(read_infix(words), log_probability))
            except NotATreeError:
                made.append(Candidate(UNFILLABLE, log_probability, infix_text(words) or "nothing"))
        return made

    def _windows(self, text: MappedText) -> list[list[int]]:
        if not self.network.options.window:
            return []
        ids, begins = self.vocabulary.read(text.words)
        return windows(ids, [begins[place] for place in text.positions], self.network.options.window)

    def _id_of(self, word: Symbol) -> int:
        if isinstance(word, str) and word in _BRACKETS:
            return 1 + _BRACKETS.index(word)
        index = self.network.targets.id_of(word)
        return index + _FIRST if index != RARE and index + _FIRST < self.network.written else RARE

    def _symbol_of(self, index: int) -> Symbol:
        return _BRACKETS[index - 1] if index < _FIRST else self.network.targets.symbol_of(index - _FIRST)


def _as_learned(example: Example, options: Seq2SeqOptions) -> tuple[MappedText, list[bool]]:
    """Return the text as training reads it, and which of its numbers the equations need."""
    needed = needed_numbers(example.text, example.tree) if options.window else [True] * len(example.text.numbers)
    return keep_numbers(example.text, needed), needed


def _kept(needed: Sequence[bool]) -> list[int]:
    """Return the slots of the whole text that the network reads as slots, in order."""
    return [slot for slot, kept in enumerate(needed) if kept]


def _renumbered(tree: Uet, slots: dict[int, int]) -> Uet:
    return Uet(tuple(Slot(slots[one.index]) if isinstance(one, Slot) else one for one in tree.symbols))


def _of_text(candidates: Sequence[Candidate], text: MappedText, kept: Sequence[int]) -> list[Candidate]:
    """Return the candidates with the slots of the whole text, each tree once; a slot beyond them stays unfilled."""
    found: dict[Uet | str, Candidate] = {}
    for one in candidates:
        if one.unreadable:
            found.setdefault(one.unreadable, one)
            continue
        beyond = len(text.numbers) - len(kept)
        slots = {slot: kept[slot] if slot < len(kept) else slot + beyond for slot in one.tree.slots()}
        tree = _renumbered(one.tree, slots)
        found.setdefault(tree, replace(one, tree=tree))
    return list(found.values())


PREDICTOR = Seq2SeqPredictor
