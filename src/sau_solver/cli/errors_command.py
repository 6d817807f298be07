"""`sau errors`: group the wrong predictions of stored results, or the wrong answers of a model, by cause."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, get_args

import typer
from rich.table import Table

from sau_solver.answering.protocols import PROTOCOLS
from sau_solver.cli.data_commands import corpus_names, load_named
from sau_solver.cli.model_option import HUB_HELP, title_of, trained_model
from sau_solver.cli.terminal import one_of, output, print_json, progress
from sau_solver.data import Corpus
from sau_solver.errors import InputError
from sau_solver.experiments.answer_causes import ANSWER_CAUSES, TRAITS, ErrorGroup, WrongAnswer, by_skill, wrong_answers
from sau_solver.experiments.error_causes import CAUSES, Mistake, mistakes
from sau_solver.experiments.evaluation import trial_of
from sau_solver.experiments.report.merging import Experiment, merge
from sau_solver.experiments.rescoring import prepared_for
from sau_solver.experiments.results import ResultStore
from sau_solver.models.base import BEAM
from sau_solver.models.options import DeviceName

MAX_TEXT = 200  # characters of a problem that are shown


@dataclass(frozen=True, slots=True)
class _Errors:
    """What is printed: the wrong predictions of each cause, and of a model the groups of problems by skill."""

    title: str
    about: Mapping[str, Any]  # the first fields of the JSON object
    protocol: str
    tested: int
    causes: Mapping[str, Sequence[Mistake | WrongAnswer]]
    groups: Mapping[str, Mapping[str, ErrorGroup]] = field(default_factory=dict)

    @property
    def wrong(self) -> int:
        return sum(map(len, self.causes.values()))


def errors(
    source: Annotated[
        str,
        typer.Argument(
            metavar="RESULT|MODEL",
            help="The result file of an experiment, such as results/sau-hmwp.json. With --data: a model folder, zh or "
            f"en for a shipped model, or {HUB_HELP}.",
        ),
    ],
    data: Annotated[
        str | None,
        typer.Option(
            help="Solve this corpus (see `sau data list`) or file with the model.", autocompletion=corpus_names
        ),
    ] = None,
    split: Annotated[str | None, typer.Option(help="With --data: only this published split, for example test.")] = None,
    beam: Annotated[int, typer.Option(min=1, help="With --data: candidates per problem.")] = BEAM,
    device: Annotated[str, typer.Option(help="With --data: device of the network: auto, cpu or cuda.")] = "auto",
    run: Annotated[str | None, typer.Option(help="Of a result file: only this run, such as fold0-seed0.")] = None,
    protocol: Annotated[
        str, typer.Option(help="Metric of a result file: reference, strict, answer or annotated.")
    ] = "answer",
    examples: Annotated[int, typer.Option(min=0, help="Number of examples per cause.")] = 3,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object with all problem ids.")] = False,
) -> None:
    """Group the wrong predictions of an experiment, or the wrong answers of a model, by cause.

    With --data, a model answers as in `sau solve`, and wrong answers are also grouped by skill.
    """
    one_of("--protocol", protocol, PROTOCOLS)
    place = one_of("--device", device, get_args(DeviceName))
    if data is None:
        if split is not None:
            raise InputError("--split works only with --data. Omit it, or give a model and --data CORPUS.")
        found = _of_result(Path(source), run, protocol)
    else:
        if run is not None or protocol != "answer":
            raise InputError("--run and --protocol are for result files. Omit them, or omit --data.")
        corpus = load_named(data) if split is None else load_named(data).part(split)
        found = _of_model(source, corpus, beam, place)
    if json:
        print_json(_fields(found, examples))
    else:
        _show(found, examples)


def _of_result(path: Path, run: str | None, protocol: str) -> _Errors:
    with progress(f"Reading {path}"):
        experiment = _experiment(path, run)
        prepared = prepared_for(experiment.runs[0], experiment.name)
        tested = [(prepared[one.id], one) for own in experiment.runs for one in experiment.judged(own)]
        wrong = mistakes(tested, protocol)
    causes = _grouped(wrong, CAUSES)
    about = {"experiment": experiment.name, "runs": [own.name for own in experiment.runs]}
    return _Errors(experiment.name, about, protocol, len(tested), causes)


def _of_model(model: str, corpus: Corpus, beam: int, device: DeviceName) -> _Errors:
    named = trained_model(model)
    if named is None:
        raise InputError(
            f"{model} is not a trained model. Give a model folder written by `sau train`, zh, en, or {HUB_HELP}."
        )
    folder = named.folder(corpus.problems[0].language)
    with progress() as bars, trial_of(folder, corpus, device, title_of(model, named)) as trial:
        task = bars.add_task(f"{Path(model).name} on {corpus.name}", total=None)
        known = [one for one in trial.test if one.problem.answers]
        if not known:
            raise InputError(f"The problems of {corpus.name} have no answers, so no answer can be called wrong.")
        wrong = wrong_answers(
            trial.model,
            [one.problem for one in known],
            beam,
            lambda done, problems: bars.update(task, completed=done, total=problems),
        )
    causes = _grouped(wrong, ANSWER_CAUSES)
    about = {name: trial.described[name] for name in ("model", "data", "fingerprint", "learned")}
    title = f"{about['model']} on {corpus.name}"
    return _Errors(title, about, "answer", len(known), causes, by_skill(known, wrong))


def _grouped(
    wrong: Sequence[Mistake | WrongAnswer], causes: Sequence[str]
) -> dict[str, Sequence[Mistake | WrongAnswer]]:
    return {cause: [one for one in wrong if one.cause == cause] for cause in causes}


def _experiment(path: Path, name: str | None) -> Experiment:
    if not path.is_file() or path.suffix != ".json":
        raise InputError(
            f"{path} is not a result file. Give one such as results/sau-hmwp.json, or a model and --data CORPUS."
        )
    store = ResultStore(path.parent, path.name.removesuffix(".json"))
    stored = store.runs()
    runs = [run for run in stored if name in (None, run.name)]
    if not runs:
        raise InputError(f"--run must be one of {', '.join(run.name for run in stored)}, got {name!r}.")
    return merge(store, runs, None)


def _show(found: _Errors, examples: int) -> None:
    console = output()
    console.print(
        f"{found.title}: {found.wrong:,} of {found.tested:,} predictions are wrong by {found.protocol}.",
        markup=False,
        soft_wrap=True,
    )
    traits = TRAITS if found.groups else ()
    table = _table("cause", "predictions", "% of wrong", "% of all", *traits)
    ordered = sorted(found.causes.items(), key=lambda group: -len(group[1]))
    for cause, own in ordered:
        if found.groups and not own:  # of the many causes of a model, only those that occur
            continue
        shares = (100 * len(own) / max(1, total) for total in (found.wrong, found.tested))
        counts = (str(count) for count in _traits(own).values()) if traits else ()
        table.add_row(cause, f"{len(own):,}", *(f"{share:.1f}" for share in shares), *counts)
    console.print(table)
    for title, groups in found.groups.items():
        table = _table(title, "problems", "wrong", "% wrong", "most frequent causes")
        for name, group in groups.items():
            most = ", ".join(f"{cause} {count}" for cause, count in list(group.causes.items())[:2])
            share = f"{100 * group.wrong / group.problems:.1f}"
            table.add_row(name, f"{group.problems:,}", f"{group.wrong:,}", share, most)
        console.print()
        console.print(table)
    for cause, own in ordered:
        if own and examples:
            console.print(f"\n{cause}", style="bold", markup=False)
        for mistake in own[:examples]:
            for name, value in _example(mistake).items():
                console.print(f"  {name:<10} {value}", markup=False, soft_wrap=True)
            console.print()


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in (first, *others):
        table.add_column(column, justify="left" if column in (first, "most frequent causes") else "right")
    return table


def _traits(own: Sequence[Mistake | WrongAnswer]) -> dict[str, int]:
    return {trait: sum(isinstance(one, WrongAnswer) and trait in one.traits for one in own) for trait in TRAITS}


def _example(mistake: Mistake | WrongAnswer) -> dict[str, str]:
    problem = mistake.problem
    text = problem.text if len(problem.text) <= MAX_TEXT else problem.text[:MAX_TEXT] + " …"
    nothing = mistake.chosen.outcome if isinstance(mistake, Mistake) and mistake.chosen else "nothing"
    return {
        "id": problem.id,
        "text": text,
        "gold": "; ".join(problem.equations) or "nothing",
        "predicted": mistake.predicted or "nothing",
        "annotated": ", ".join(map(str, problem.answers)) or "nothing",
        "given": ", ".join(mistake.given) or nothing,
    }


def _fields(found: _Errors, examples: int) -> dict[str, Any]:
    causes = {
        cause: {
            "predictions": len(own),
            **({"traits": _traits(own)} if found.groups else {}),
            "ids": [mistake.problem.id for mistake in own],
            "examples": [_example(mistake) for mistake in own[:examples]],
        }
        for cause, own in found.causes.items()
    }
    fields = {**found.about, "protocol": found.protocol, "problems": found.tested, "wrong": found.wrong}
    if not found.groups:
        return fields | {"causes": causes}
    groups = {
        title: {name: dataclasses.asdict(group) for name, group in own.items()} for title, own in found.groups.items()
    }
    return fields | {"causes": causes, "groups": groups}
