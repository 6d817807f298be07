"""Stored predictions -> the same predictions with verdicts by the present protocols.

Nothing is predicted again: the stored trees are filled with the numbers of the texts, solved and judged. Types and
sizes stay as they are stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sau_solver.answering.candidates import EXPERIMENT, Candidate, SymbolicLimits
from sau_solver.data import load
from sau_solver.data.prepared.examples import Prepared, prepare_all
from sau_solver.errors import CorpusError
from sau_solver.experiments.judging import METRICS, Judged, judge_problem, scores, shares_of_expressible
from sau_solver.experiments.results import RESCORED, ResultStore, RunResult
from sau_solver.solving import Outcome

PATIENT = SymbolicLimits(seconds=20 * EXPERIMENT.seconds, candidates=None)

OnRun = Callable[[str], None]  # gets the name of a run that is done


@dataclass(slots=True)
class Changes:
    """How many verdicts on chosen candidates became right or wrong, by metric, and how many outcomes changed."""

    problems: int = 0
    gained: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    outcomes: int = 0

    def add(self, old: Judged, new: Judged) -> None:
        """Count the differences between two verdicts on one problem."""
        self.problems += 1
        for metric in METRICS:
            before, after = old.right(metric), new.right(metric)
            self.gained[metric] += after and not before
            self.lost[metric] += before and not after
        pairs = zip(old.candidates, new.candidates, strict=True)
        self.outcomes += sum(one.outcome != other.outcome for one, other in pairs)


def rescore(store: ResultStore, on_run: OnRun | None = None) -> Changes:
    """Score every stored prediction of an experiment again and store the verdicts; return what changed."""
    changes = Changes()
    rescored: list[tuple[RunResult, Sequence[Judged]]] = []
    runs = store.runs(RESCORED)
    prepared = prepared_for(runs[0], store.experiment) if runs else {}
    for run in runs:
        judged = []
        for old, new in judged_again(store.predictions(run), prepared):
            changes.add(old, new)
            judged.append(new)
        rescored.append((replace(run, **scores(judged), expressible=shares_of_expressible(judged)), judged))
        if on_run:
            on_run(run.name)
    store.rescore(rescored)
    return changes


def judged_again(stored: Sequence[Judged], prepared: Mapping[str, Prepared]) -> Iterator[tuple[Judged, Judged]]:
    """Yield every prediction as it is stored and as it is judged now."""
    for one in stored:
        candidates = [Candidate(own.tree, own.log_probability, own.unreadable) for own in one.candidates]
        found = judge_problem(prepared[one.id], candidates).candidates
        if any(map(_took_longer, one.candidates, found)):
            patient = judge_problem(prepared[one.id], candidates, PATIENT).candidates
            pairs = zip(one.candidates, found, patient, strict=True)
            found = tuple(late if _took_longer(old, new) else new for old, new, late in pairs)
        yield one, replace(one, candidates=found)


def _took_longer(old: Candidate, new: Candidate) -> bool:
    """Tell whether a deadline may now have stopped what a faster machine solved before: the candidate or gold."""
    stopped = new.outcome == Outcome.TOO_HARD != old.outcome
    return stopped or bool((old.right - new.right) & {"reference", "strict"})


def prepared_for(run: RunResult, experiment: str) -> dict[str, Prepared]:
    """Return the problems of a run's corpus by id, prepared as for the model; raise CorpusError if they differ."""
    corpus = load(run.config["corpus"])
    if corpus.fingerprint != run.fingerprint:
        raise CorpusError(
            f"{experiment} was run on {corpus.name} with fingerprint {run.fingerprint[:12]}, but the corpus on this "
            f"machine has {corpus.fingerprint[:12]}. Download it again: sau data fetch {corpus.name}"
        )
    everything = prepare_all(corpus, corpus.name, run.config["text"], run.config.get("equations", "published"))
    return {one.problem.id: one for one in everything}
