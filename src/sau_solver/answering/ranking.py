"""Evaluated candidates -> groups with equal answers, the best group first.

The probabilities of candidates with equal answers add up. The groups are ordered by the model's preference, or, for
models without one, by probability with implausible answers last. Candidates without an answer are in no group.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from sau_solver.answering.asked.final_unknown import AskedFirst
from sau_solver.answering.candidates import Candidate, evaluate_candidates
from sau_solver.answering.features import Evidence, best_verified, confidence_features, preference_features
from sau_solver.answering.month_days import with_days_of_the_month
from sau_solver.answering.preference import PLAUSIBLE_FIRST, Preference
from sau_solver.solving import Value, decimal_of
from sau_solver.text.numbers import MappedText

TOLERANCE = 1e-9  # relative, between two values that are not both rational


@dataclass(frozen=True, slots=True)
class Group:
    """Candidates with equal answers; `members` are their positions in the beam, the most probable first."""

    answers: tuple[Value, ...]
    members: tuple[int, ...]
    log_probability: float  # of all members together
    score: float  # by the preference that ordered the groups
    features: Mapping[str, float] = field(repr=False)  # what the score is computed from


@dataclass(frozen=True, slots=True)
class Ranked:
    """The evaluated candidates of a problem in beam order, and the groups they form, the best group first."""

    text: MappedText
    candidates: tuple[Candidate, ...]
    groups: tuple[Group, ...]
    unknown_words: float = 0.0  # share of words that the model has never seen

    @property
    def best(self) -> Candidate | None:
        """The most probable candidate of the best group; None if no candidate has an answer."""
        return self.candidates[self.groups[0].members[0]] if self.groups else None

    def ordered(self, preference: Preference) -> Ranked:
        """Return the same groups in the order of another preference."""
        groups = [replace(group, score=preference.score(group.features)) for group in self.groups]
        return replace(self, groups=tuple(sorted(groups, key=lambda group: -group.score)))

    def confidence_features(self) -> dict[str, float]:
        """Return the features of the best group that the confidence is computed from."""
        best = self.best
        if best is None:
            raise ValueError("a problem without an answer has no confidence features")
        group = self.groups[0]
        evidence = Evidence(
            log_probability=group.log_probability,
            verified=best_verified([self.candidates[place] for place in group.members]),
            log_share=group.score - log_sum([one.score for one in self.groups]),
            log_total=log_sum([one.log_probability for one in self.candidates]),
            agreeing=len(group.members) / len(self.candidates),
            unknown_words=self.unknown_words,
        )
        return confidence_features(self.text, best, evidence)


def rank(
    text: MappedText,
    candidates: Sequence[Candidate],
    preference: Preference = PLAUSIBLE_FIRST,
    unknown_words: float = 0.0,
    asked_first: AskedFirst = "",
) -> Ranked:
    """Solve the candidates of a problem and order their answers; `asked_first` is what the network calls x."""
    known = [replace(one, tree=with_days_of_the_month(text, one.tree)) for one in candidates]
    evaluated = evaluate_candidates(text, known, asked_first=asked_first)
    groups = [_group(text, evaluated, places) for places in _places_of_equal_answers(evaluated)]
    return Ranked(text, evaluated, tuple(groups), unknown_words).ordered(preference)


def equal_answers(one: Sequence[Value], other: Sequence[Value]) -> bool:
    """Tell whether two answers have the same values in any order: exactly if rational, else within TOLERANCE."""
    if len(one) != len(other):
        return False
    if len(one) == 1:
        return _equal(one[0], other[0])
    pairs = zip(sorted(one, key=decimal_of), sorted(other, key=decimal_of), strict=True)
    return all(_equal(first, second) for first, second in pairs)


def log_sum(logarithms: Sequence[float]) -> float:
    """Return log(sum(exp(x))) without overflow."""
    largest = max(logarithms, default=-math.inf)
    if math.isinf(largest):
        return largest
    return largest + math.log(sum(math.exp(one - largest) for one in logarithms))


def _places_of_equal_answers(candidates: Sequence[Candidate]) -> list[list[int]]:
    """Return the beam positions of each group; groups and members in the order of their probability."""
    groups: list[list[int]] = []
    for place in sorted(range(len(candidates)), key=lambda place: -candidates[place].log_probability):
        answers = candidates[place].answers
        if not answers:
            continue
        for group in groups:
            if equal_answers(candidates[group[0]].answers, answers):
                group.append(place)
                break
        else:
            groups.append([place])
    return groups


def _group(text: MappedText, candidates: Sequence[Candidate], places: Sequence[int]) -> Group:
    members = [candidates[place] for place in places]
    total = log_sum([one.log_probability for one in members])
    features = preference_features(text, members, total)
    return Group(members[0].answers, tuple(places), total, 0.0, features)


def _equal(one: Value, other: Value) -> bool:
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return one == other
    return one == other or math.isclose(decimal_of(one), decimal_of(other), rel_tol=TOLERANCE)
