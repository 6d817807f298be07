"""The report and config.json of a shipped model -> its model card, in Markdown.

Every figure of a card comes from these files; a test generates the cards again and compares.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sau_solver.data import corpora
from sau_solver.experiments.report.far_problems import FAR
from sau_solver.experiments.report.figures import Line, drawing, risk_coverage_curves, save
from sau_solver.experiments.report.reliability import Point, risk_coverage
from sau_solver.hub.model_card import MADE
from sau_solver.models.loading import LANGUAGES
from sau_solver.problem import Language
from sau_solver.shipping.card_copies import far_answers
from sau_solver.shipping.card_licenses import rests_on

OPENING = """# Shipped models

`python scripts/ship.py cards` generates this page from `results/shipped/` and from the `config.json` of the weights.
All figures are for raw text, as a user types it.

- `answer` is the share of problems whose answers a reader would accept: one value where one is asked. `annotated` is
  the share whose answers equal those of the corpus, which may list every unknown. [Results](results.md) explains the
  other protocols.
- `answer, < .6` is the same without the test problems that have a near copy in the training data
  ([how it is measured](benchmark.md#the-figures)).
- ECE is the expected calibration error in percentage points, over ten bins of equal width. The least ECE is what a
  perfectly calibrated solver would show on the same number of problems.
- `answered` is the share of problems for which the solver does not abstain.
- The preference between answers was fitted on the validation problems of the training corpora by ten-fold
  cross-fitting: each problem is measured with a preference that was fitted on the other parts. The confidence was
  fitted on all validation problems and on 500 problems of held-out families, so the ECE on these problems is
  optimistic. School and the held-out families carry half of the weight in this fit, a quarter each. This makes the
  confidence more honest on problems unlike the published corpora, and too low on most of those corpora.
- Networks and weights were not chosen on test problems. The rules for implausible answers and for the choice between
  roots were written with problems of HMWP and ALG514 in sight, also of fold 0.
  The rules for estimates and days of months were written on the contest's training part, while its test figure was
  known: it was 75.8 before and is 76.0 now.
- As in the public splits, a training problem may equal a test problem of the same corpus except for its numbers.
  `python benchmarks/mixture_counts.py` counts the problems that are learned, held out and dropped.
"""

LIMITS = """## Limits
- The answer must be a number. Problems that ask for a word, a comparison, a proof or a drawing are not solved, nor
  are those with tables, figures or dates. Of problems with times of day, only plain stories of elapsed time are solved.
- A constant that is not in the text must be frequent in the training data, such as the legs of an animal or the days
  of a week.
- Accuracy falls with the number of steps that a problem needs.
- A confident answer can be wrong. The confidence is calibrated on problems like those of the corpora, and is too high
  for problems of another kind.
- `contest-zh` has answers but no equations. `strict`, `reference` and `first` compare equations, so they are 0 there
  and too low in "test, all".
- The authors of most corpora state no license. Their texts are not part of the package, but the weights were learned
  from them. [NOTICE](../NOTICE) lists the terms of every corpus and encoder.
"""

MARKS = ("<!-- shipped models: python scripts/ship.py cards -->\n", "<!-- end of shipped models -->")

# The test parts in the README: for each language a published, a different and a hard one. The cards have all parts.
IN_README = ("math23k/test", "contest-zh/test", "school-zh/test", "mawps/fold0", "gsm8k/test", "school-en/test")
TOGETHER = {"test": "test, all", "validation": "validation, training corpora"}
_FAR = "answer_without_copies"
SHARES = {
    "answer": "answer",
    f"answer, {FAR}": _FAR,
    "annotated": "annotated",
    "strict": "strict",
    "reference": "reference",
    "first": "first",
    "any of 5": "among_candidates",
    "ECE": "calibration_error",
    "least ECE": "calibration_error_floor",
    "right at 50 % coverage": "right_at_half_coverage",
    "answered": "answered",
    "right if answered": "right_of_answered",
}


def card(language: Language, folder: Path, report: Path) -> str:
    """Return one model's part of the page."""
    described = json.loads((folder / "config.json").read_bytes())
    measured = json.loads(report.with_suffix(".json").read_text(encoding="utf-8"))
    model, data = described["model"], described["data"]
    size = sum(file["bytes"] for file in described["files"].values()) / 1e6
    training = model["training"]
    far = far_answers(described, report)
    columns = _columns(measured, bool(far))
    options = model["trained"]["options"]
    lines = [
        f"## {LANGUAGES[language]}",
        "",
        f"`sau train configs/shipped/shipped-{language}.toml`, then",
        f"`python scripts/ship.py build {language} MODEL --most {measured['most']}`.",
        f"Encoder {options['encoder']}{_layers(options)}, hidden {options['hidden']}, {training['epochs']} epochs,",
        f"batch {training['batch']}, seed {model['seed']}.",
        f"Weights are quantized to integers up to {measured['most']}{_rounding(training)} and take {size:.1f} MB"
        f"{_lost(measured)}.",
        f"SHA-256 {described['files']['model.safetensors']['sha256'][:16]}….",
        "",
        f"![Risk and coverage](pictures/risk-coverage-{language}.svg)",
        "",
        f"| held out | problems | {' | '.join(columns)} |",
        f"|---|---:|{'---:|' * len(columns)}",
    ]
    for kind in ("test", "validation"):
        known = far if kind == "test" else {}
        lines += [
            _row(f"{kind} {part}", found | ({_FAR: known[part]} if part in known else {}), columns)
            for part, found in measured[kind].items()
        ]
        lines.append(_row(TOGETHER[kind], measured["together"][kind], columns))
    lines += ["", "| type, test problems | problems | answer |", "|---|---:|---:|"]
    for part, found in measured["test"].items():
        lines += [
            f"| {part}: {kind} | {own['problems']:,} | {100 * own['answer']:.2f} |"
            for kind, own in found["by_type"].items()
        ]
    lines += [
        "",
        "| learned from | problems | dropped as copies of held-out problems or of each other | license |",
        "|---|---:|---:|---|",
    ]
    for name, source in data["sources"].items():
        title, license_ = MADE[name] if name in MADE else (corpora()[name].title, corpora()[name].license)
        lines.append(f"| {title} | {source['learned']:,} | {source['duplicates']:,} | {license_} |")
    lines += ["", *rests_on(data["sources"])]
    return "\n".join(lines) + "\n"


def _layers(options: Mapping[str, Any]) -> str:
    return f", {options['encoder_layers']} of its layers" if options.get("encoder_layers") else ""


def _rounding(training: Mapping[str, Any]) -> str:
    """Return how the weights of an encoder are stored if it was trained with rounded weights."""
    if not training.get("rounding"):
        return ""
    step = f" with a step of {training['rounding_step']} root mean squares" if training.get("rounding_step") else ""
    return f", those of the encoder up to {training['rounding']}{step},"


def _lost(measured: Mapping[str, Any]) -> str:
    """Return what quantizing the weights cost, if the network was measured before."""
    if measured["lost"] is None:
        return ""
    return f"; this changes accuracy on validation problems by {0 - 100 * measured['lost']:+.2f} points"


def summary(reports: Mapping[Language, Path]) -> str:
    """Return the table of the README: the share of right answers on some test problems of every model."""
    lines = [
        "| test problems | language | problems | right | right in the more confident half |",
        "|---|---|---:|---:|---:|",
    ]
    for language, report in reports.items():
        measured = json.loads(report.with_suffix(".json").read_text(encoding="utf-8"))
        for part, found in measured["test"].items():
            if part in IN_README:
                right, surer = (f"{100 * found[name]:.1f} %" for name in ("answer", "right_at_half_coverage"))
                title = corpora()[part.partition("/")[0]].title
                lines.append(f"| {title} | {LANGUAGES[language]} | {found['problems']:,} | {right} | {surer} |")
    return "\n".join(lines) + "\n"


def page(parts: Mapping[Language, str], permissive: str) -> str:
    """Return the page with all cards and the section about permissive models."""
    return "\n".join([OPENING, *parts.values(), permissive, LIMITS])


def draw_curves(language: Language, report: Path, path: Path) -> None:
    """Draw the risk-coverage curves of a model's test parts; needs matplotlib."""
    lines = gzip.decompress(report.with_suffix(".jsonl.gz").read_bytes()).decode().splitlines()
    measured = json.loads(report.with_suffix(".json").read_text(encoding="utf-8"))
    trials: list[dict[str, Any]] = [json.loads(line) for line in lines]
    curves: dict[Line, list[Point]] = {}
    for place, part in enumerate(measured["test"]):
        own = [trial for trial in trials if trial["part"] == part]
        curves[Line(part, place)] = risk_coverage(
            [one["confidence"] for one in own], ["answer" in one["right"] for one in own]
        )
    with drawing():
        save(risk_coverage_curves(curves, f"{LANGUAGES[language]}: risk and coverage on test problems"), path)


def _columns(measured: Mapping[str, Any], copies: bool) -> dict[str, str]:
    """Return the columns of the card that are known: a report may be older than `first`, or lack the near copies."""
    known = {share for found in measured["test"].values() for share in found} | ({_FAR} if copies else set())
    return {title: share for title, share in SHARES.items() if share in known}


def _row(name: str, found: Mapping[str, Any], columns: Mapping[str, str]) -> str:
    shown = (f"{100 * found[share]:.2f}" if share in found else "–" for share in columns.values())
    return f"| {name} | {found['problems']:,} | {' | '.join(shown)} |"
