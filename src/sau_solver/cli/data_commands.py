"""`sau data`: list, download, convert, count and check corpora."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from sau_solver.cli.command_classes import MARKUP, Command, Group
from sau_solver.cli.model_option import ModelOption, named_model
from sau_solver.cli.terminal import complain, one_of, output, print_json, progress, rejected_rows, write_file
from sau_solver.curriculum.augmentation import TRANSFORMATIONS, augmented
from sau_solver.data import Corpus, available, convert, corpora, fetch, find_corpus, load, load_file
from sau_solver.data.checking import Check, check, label_report
from sau_solver.data.lines import write_lines
from sau_solver.data.prepared.answer_labels import Label, LabelOptions, is_learnable, likely_labels, unambiguous_labels
from sau_solver.data.prepared.label_files import Labels
from sau_solver.data.prepared.problem_types import PROBLEM_TYPES, published_type
from sau_solver.data.statistics import PAPER, Statistics, gold_equations, statistics
from sau_solver.equations.expressions import Statements
from sau_solver.errors import InputError, RowError
from sau_solver.models.loading import require_torch
from sau_solver.problem import Problem

LABELS = LabelOptions()

app = typer.Typer(
    cls=Group,
    help="List, download, convert, count and check corpora.",
    no_args_is_help=True,
    rich_markup_mode=MARKUP,
    pretty_exceptions_enable=False,
    add_completion=False,
)


def corpus_names(incomplete: str) -> list[str]:
    """Return the names of corpora that begin like this, for the completion of a shell."""
    return [name for name in corpora() if name.startswith(incomplete)]


Names = Annotated[
    list[str] | None,
    typer.Argument(help="Corpora or files. Default: all corpora on this machine.", autocompletion=corpus_names),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object per corpus.")]


@app.command("list", cls=Command)
def list_corpora(json: Json = False) -> None:
    """List all known corpora and show which of them you have."""
    here = set(available())
    table = Table(box=None, pad_edge=False)
    for column in ("name", "lang", "problems", "here", "license", "title"):
        table.add_column(column, justify="right" if column == "problems" else "left")
    for name, info in corpora().items():
        if json:
            told = {field: getattr(info, field) for field in ("name", "title", "language", "problems")}
            print_json({**told, "licence": info.license, "here": name in here, "fetchable": bool(info.sources)})
        state = "yes" if name in here else "fetch" if info.sources else "no"
        table.add_row(name, info.language, f"{info.problems:,}", state, info.license, info.title)
    if not json:
        output().print(table)


@app.command("fetch", cls=Command)
def fetch_corpus(
    name: Annotated[str, typer.Argument(help="Name of a corpus; see `sau data list`.", autocompletion=corpus_names)],
) -> None:
    """Download a corpus from its public source and verify its checksum."""
    with progress() as bars:
        tasks: dict[str, Any] = {}

        def show(file: str, done: int, total: int | None) -> None:
            if file not in tasks:
                tasks[file] = bars.add_task(file, total=total)
            bars.update(tasks[file], completed=done, total=total)

        paths = fetch(name, progress=show)
    if not tasks:
        complain(f"{name} is already here. To download it again, remove its files.")
    for path in paths:
        output().print(str(path), markup=False, soft_wrap=True)


@app.command("convert", cls=Command)
def convert_corpus(
    source: Annotated[str, typer.Argument(help="A corpus, or a file in any published format.")],
    target: Annotated[Path, typer.Argument(help="Output file: .jsonl or .jsonl.gz.")],
    format: Annotated[str | None, typer.Option(help="Format of the source. Default: detect it.")] = None,  # noqa: A002
) -> None:
    """Convert a corpus to JSON lines."""
    with progress(f"Converting {source}"):
        done = convert(source, target, form=format)
    _show_rejected(source, done.rejected)
    output().print(f"{done.written:,} problems -> {done.target}", markup=False, soft_wrap=True)


@app.command("augment", cls=Command)
def augment(
    source: Annotated[str, typer.Argument(help="A corpus, or a file of problems.", autocompletion=corpus_names)],
    target: Annotated[Path, typer.Argument(help="Output file: .jsonl or .jsonl.gz.")],
    only: Annotated[
        list[str] | None, typer.Option(help=f"Kind of copies, may be repeated: {', '.join(TRANSFORMATIONS)}.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same copies.")] = 1,
) -> None:
    """Write changed copies of problems whose equations stay true: unneeded numbers, other names, reversed questions.

    Problems of a split `test` are left out.
    """
    for name in only or ():
        one_of("--only", name, tuple(TRANSFORMATIONS))
    problems = [problem for problem in load_named(source) if problem.split != "test"]
    counts: Counter[str] = Counter()

    def counted() -> Iterator[Problem]:
        for name, problem in augmented(problems, seed, only):
            counts[name] += 1
            yield problem

    with progress(f"Changing {len(problems):,} problems"):
        written = write_lines(counted(), target)
    parts = ", ".join(f"{count:,} {name}" for name, count in counts.most_common())
    output().print(f"{written:,} copies ({parts}) -> {target}", markup=False, soft_wrap=True)


@app.command("label", cls=Command)
def label(
    source: Annotated[str, typer.Argument(help="A corpus, or a file of problems.", autocompletion=corpus_names)],
    target: Annotated[Path, typer.Option("--output", metavar="FILE.jsonl", help="File for the labels.")],
    model: ModelOption = None,
    simplest: Annotated[
        bool, typer.Option("--simplest", help="Use no model: label problems whose simplest tree is the only one.")
    ] = False,
    beam: Annotated[int, typer.Option(min=1, max=100, help="Candidates of the model to compare.")] = LABELS.beam,
    share: Annotated[
        float, typer.Option(min=0, max=1, help="Least probability among the equations that give the answer.")
    ] = LABELS.share,
    probability: Annotated[
        float, typer.Option(min=0, max=1, help="Least probability among all equations.")
    ] = LABELS.probability,
) -> None:
    """Find equations for problems that have only answers, for `labels` in the [mixture] of a training.

    Problems of a split `test` are left out.
    """
    options = LabelOptions(beam, share, probability)
    _label_corpus(load_named(source), target, None if simplest else options, model)


@app.command("stats", cls=Command)
def stats(names: Names = None, json: Json = False) -> None:
    """Count problems, templates and words, as in Table 1 of the paper, and the problem types of HMWP."""
    rows: list[tuple[str, Statistics]] = []
    for corpus in _load(names):
        with progress() as bars:
            task = bars.add_task(corpus.name, total=len(corpus))
            rows.append((corpus.name, statistics(corpus, lambda task=task: bars.advance(task))))  # type: ignore[misc]
        if corpus.name == "hmwp":
            rows += [(f"hmwp {kind}", statistics(group)) for kind, group in _by_type(corpus).items()]
    if json:
        for name, row in rows:
            print_json({"name": name, **dataclasses.asdict(row)})
        return
    table = Table(box=None, pad_edge=False)
    for column in ("corpus", "problems", "templates", "sentences", "words", "avg EL", "SNI", "constants", "ops"):
        table.add_column(column, justify="left" if column == "corpus" else "right")
    for name, row in rows:
        table.add_row(name, *_cells(row))
        if paper := PAPER.get(name):
            table.add_row("  in the paper", *map(_paper, paper), style="dim")
    output().print(table)


@app.command("check", cls=Command)
def check_corpus(
    names: Names = None,
    list_all: Annotated[bool, typer.Option("--list", help="Print every disagreement.")] = False,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.md", help="Write the disagreements to this file.")
    ] = None,
    json: Json = False,
) -> None:
    """Count the problems whose equations can be parsed and solved and agree with the annotated answers."""
    table = Table(box=None, pad_edge=False)
    columns = "corpus, problems, parsed, round trip, solved, agreeing, %, rounded, chosen %, numbers in text"
    for column in columns.split(", "):
        table.add_column(column, justify="left" if column == "corpus" else "right")
    results = []
    for corpus in _load(names):
        with progress() as bars:
            task = bars.add_task(corpus.name, total=len(corpus))
            result = check(corpus, lambda done, task=task: bars.update(task, completed=done))  # type: ignore[misc]
        results.append(result)
        if json:
            print_json({**dataclasses.asdict(result), "disagreements": result.ids_by_kind()})
        table.add_row(*_check_cells(result))
    if report is not None:
        write_file(report, label_report(results))
    if json:
        return
    output().print(table)
    if list_all:
        for result in results:
            for d in result.disagreements:
                line = f"{result.name} {d.id} [{d.kind}] {d.equations}  found {d.found}  annotated {d.annotated}"
                output().print(line, markup=False, soft_wrap=True)


def _by_type(corpus: Corpus) -> dict[str, list[Problem]]:
    """Group the problems of HMWP by the types of Table 3 of the paper."""
    groups: dict[str, list[Problem]] = {kind: [] for kind in PROBLEM_TYPES}
    for problem in corpus:
        equations = gold_equations(problem)
        groups[published_type(problem, Statements(equations) if equations else None)].append(problem)
    return groups


def load_named(name: str) -> Corpus:
    """Load a corpus by name, or a file by path; report the rows that were skipped."""
    suffixes = (".jsonl", ".json", ".gz", ".xml", ".parquet")
    is_path = Path(name).is_file() or "/" in name or Path(name).suffix in suffixes
    is_path = is_path or (Path(name).is_dir() and name not in corpora())
    with progress(f"Reading {name}"):
        corpus = load_file(name) if is_path else load(find_corpus(name).name)
    _show_rejected(name, corpus.rejected)
    return corpus


def _load(names: list[str] | None) -> list[Corpus]:
    loaded = [load_named(name) for name in names or available()]
    if not loaded:
        complain("There is no corpus on this machine. `sau data list` shows which ones you can download.")
        raise typer.Exit(2)
    return loaded


def _show_rejected(name: str, rejected: tuple[RowError, ...]) -> None:
    for line in rejected_rows(name, rejected):
        complain(line)


def _cells(row: Statistics) -> list[str]:
    counts = [row.problems, row.templates, row.sentences, row.words]
    averages = [row.average_equation_length, row.average_sni, row.average_constants, row.average_operators]
    return [f"{count:,}" for count in counts] + [f"{average:.2f}" for average in averages]


def _paper(value: float | None) -> str:
    return "-" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def _check_cells(result: Check) -> list[str]:
    counts = (result.problems, result.parsed, result.round_tripped, result.solved, result.agreeing)
    return [
        result.name,
        *(f"{count:,}" for count in counts),
        f"{100 * result.agreeing / max(1, result.problems):.2f}",
        f"{result.rounded:,}",
        f"{100 * result.chosen / max(1, result.problems):.2f}",
        f"{100 * result.numbers_found / max(1, result.numbers):.1f} %",
    ]


def _label_corpus(corpus: Corpus, target: Path, options: LabelOptions | None, model: str | None) -> None:
    """Write equations for the problems of a corpus that have only answers; without options, use no model."""
    problems = [problem for problem in corpus if is_learnable(problem)]
    if not problems:
        raise InputError(
            f"{corpus.name} must have problems with an answer and without equations, got none. Give another corpus."
        )
    if options is None:
        with progress(f"Searching trees for {len(problems):,} problems"):
            found = list(unambiguous_labels(problems, "raw"))
    else:
        language = problems[0].language
        found = _by_network(problems, named_model(model or language).folder(language), options)
    Labels.of({corpus.name: found}).write(target)
    share = 100 * len(found) / len(problems)
    line = f"{len(found):,} of {len(problems):,} problems ({share:.1f} %) got equations -> {target}"
    output().print(line, markup=False, soft_wrap=True)
    if not found:
        complain("No problem got equations. Lower --share or --probability, or train the model longer.")


def _by_network(problems: list[Problem], folder: Path, options: LabelOptions) -> list[Label]:
    require_torch()
    from sau_solver.models.checkpoint import load_with_data

    predictor, data = load_with_data(folder, "auto")
    found: list[Label] = []
    with progress() as bars:
        task = bars.add_task("labeling", total=len(problems))
        for label in likely_labels(problems, predictor, data.get("text", "raw"), options):
            found += [label] if label else []
            bars.advance(task)
    return found
