"""The config.json of a model, and results measured with it -> its model card: README.md as the Hub shows it.

The head of the page is YAML for the Hub; its values are written as JSON, which YAML contains.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sau_solver import __version__
from sau_solver.data.prepared.mixture_options import AUGMENTED, CURRICULUM
from sau_solver.data.registry import corpora
from sau_solver.errors import InputError
from sau_solver.models.loading import LANGUAGES
from sau_solver.problem import Language

# The sources that a mixture makes itself: their titles and licenses.
MADE = {
    CURRICULUM: ("Curriculum, generated", "that of this package"),
    AUGMENTED: ("changed copies of the problems above", "those of their corpora"),
}

LIMITS = """## Limits

- The answer must be a number. Problems that ask for a word, a comparison, a proof or a drawing are not solved.
- Accuracy falls with the number of steps that a problem needs.
- A confident answer can be wrong, above all on problems unlike those of the training data.
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """The share of right answers on one test part, such as gsm8k/test."""

    part: str
    problems: int
    answer: float

    @property
    def corpus(self) -> str:
        """The title of the corpus; its name if it is not registered."""
        name = self.part.partition("/")[0]
        return corpora()[name].title if name in corpora() else name


def model_card(title: str, described: Mapping[Language | None, Mapping[str, Any]], results: Path | None = None) -> str:
    """Return the card of a model; `described` is its config.json by language, or under None for one of all languages.

    The figures are those of the results file, or those that were stored when the model was made.
    """
    figures = read_results(results) if results else [one for own in described.values() for one in stored_figures(own)]
    languages = list(dict.fromkeys(one for key, own in described.items() for one in _languages(key, own)))
    parts = [_head(title, languages, figures), f"# {title}\n", _usage(title), _tests(figures)]
    parts += [_training(key, own) for key, own in described.items()]
    return "\n".join([*parts, LIMITS])


# Figures


def stored_figures(described: Mapping[str, Any]) -> list[Figure]:
    """Return what the checkpoint says about its test parts; empty if it was not measured."""
    data = described["data"]
    measured, tested = data.get("measured"), data.get("test")
    if not isinstance(measured, Mapping) or not isinstance(tested, Mapping):
        return []
    return [Figure(part, tested.get(part, 0), float(share)) for part, share in measured.get("test", {}).items()]


def read_results(path: Path) -> list[Figure]:
    """Read report.json of `sau benchmark`, the output of `sau evaluate --json`, or the report of a shipped model."""
    try:
        found = list(_figures(json.loads(path.read_text(encoding="utf-8"))))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}). Check the path.") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        found = []
    if not found:
        raise InputError(
            f"{path} must be report.json of `sau benchmark` or the output of `sau evaluate --json`, with answers. "
            "Give another file."
        )
    return found


def _figures(stored: Any) -> Iterator[Figure]:
    if "parts" in stored:
        rows = [(one["name"], one["problems"], one["metrics"].get("answer")) for one in stored["parts"]]
    elif "data" in stored:
        rows = [(stored["data"], stored["problems"], stored["metrics"].get("answer"))]
    else:
        rows = [(part, own["problems"], own["answer"]) for part, own in stored["test"].items()]
    for part, problems, answer in rows:
        if answer is not None:
            yield Figure(str(part), int(problems), float(answer))


# Parts of the page


def _languages(key: Language | None, described: Mapping[str, Any]) -> Sequence[Language]:
    """Return the languages of a checkpoint; all of them if neither its place nor its data say one."""
    data = described["data"]
    named = corpora()[data["corpus"]].language if data.get("corpus") in corpora() else None
    known = key or data.get("language") or named
    return [language for language in LANGUAGES if known in (None, language)]


def _head(title: str, languages: Sequence[Language], figures: Sequence[Figure]) -> str:
    results = [
        {
            "task": {"type": "math-word-problems", "name": "Math word problems"},
            "dataset": {"type": one.part.partition("/")[0], "name": one.corpus, "split": one.part.partition("/")[2]},
            "metrics": [{"type": "accuracy", "name": "Right answers", "value": round(one.answer, 4)}],
        }
        for one in figures
    ]
    head: dict[str, object] = {
        "language": list(languages),
        "library_name": "sau-solver",
        "tags": ["math-word-problems", "equations"],
    }
    if results:
        head["model-index"] = [{"name": title, "results": results}]
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items()]
    return "\n".join(["---", *lines, "---", ""])


def _usage(title: str) -> str:
    return f"""A model of SAU-Solver {__version__}, which solves math word problems: exact answers, equations and worked
steps. It has only safetensors and JSON files, and their SHA-256 is verified when it is loaded.

```python
import sau_solver as sau

solver = sau.load({json.dumps(title, ensure_ascii=False)})
```

```console
$ sau solve --model {title} "Tom has 3 apples and buys 5 more. How many apples does he have?"
```
"""


def _tests(figures: Sequence[Figure]) -> str:
    if not figures:
        return "## Results\n\nNo results are stored with this model.\n"
    rows = [f"| {_cell(one.part)} | {one.problems:,} | {100 * one.answer:.1f} |" for one in figures]
    table = "\n".join(["| test problems | problems | right answers, % |", "|---|---:|---:|", *rows])
    return f"## Results\n\n{table}\n"


def _training(key: Language | None, described: Mapping[str, Any]) -> str:
    model, data = described["model"], described["data"]
    options = model.get("options", {})
    size = sum(file["bytes"] for file in described["files"].values()) / 1e6
    facts = {
        "model": model.get("name"),
        "encoder": options.get("encoder"),
        "hidden": options.get("hidden"),
        "epochs": model.get("training", {}).get("epochs"),
        "seed": model.get("seed"),
    }
    digest = described["files"]["model.safetensors"]["sha256"]
    told = ", ".join(f"{name} {value}" for name, value in facts.items() if value is not None)
    lines = [
        f"## Training{f', {LANGUAGES[key]}' if key else ''}\n",
        f"{_cell(told)}. {size:.1f} MB, SHA-256 of model.safetensors `{digest}`.\n",
    ]
    sources = {name: source.get("learned") for name, source in data.get("sources", {}).items()}
    if not sources and data.get("corpus"):
        sources = {data["corpus"]: None}
    if sources:
        lines += ["| learned from | problems | license |", "|---|---:|---|"]
    for name, learned in sources.items():
        info = corpora().get(name)
        title, license_ = (info.title, info.license) if info else MADE.get(name, (name, "–"))
        lines.append(f"| {_cell(title)} | {'–' if learned is None else f'{learned:,}'} | {_cell(license_)} |")
    return "\n".join(lines) + "\n"


def _cell(text: object) -> str:
    """Return a text that cannot break out of a table or a line."""
    return " ".join(str(text).split()).replace("|", "\\|").replace("<", "&lt;")
