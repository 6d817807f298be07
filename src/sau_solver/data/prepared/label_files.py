"""Files of labels: the equations that were found for problems with answers only, one JSON object per line.

{"corpus": "contest-zh", "id": "contest-12", "equations": ["x=3*4"], "log_probability": -0.2}

A file holds no text of a corpus, so it can be kept and passed on where the corpus cannot.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Self

from sau_solver.data.prepared.answer_labels import Label, is_learnable
from sau_solver.data.rows import Row, read_rows
from sau_solver.errors import InputError, RowError
from sau_solver.files import make_folder, user_path, write_atomically
from sau_solver.problem import Problem


@dataclass(frozen=True)
class Labels:
    """Labels by corpus and id."""

    found: Mapping[tuple[str, str], Label]

    @classmethod
    def of(cls, corpora: Mapping[str, Iterable[Label]]) -> Self:
        """Return the labels of several corpora."""
        return cls({(name, label.id): label for name, own in corpora.items() for label in own})

    @classmethod
    def read(cls, paths: Iterable[Path | str]) -> Self:
        """Read files of labels; a later file replaces the labels of an earlier one."""
        found: dict[tuple[str, str], Label] = {}
        for path in map(Path, paths):
            if not path.is_file():
                raise InputError(f"{path}: no such file of labels. Write it with sau data label.")
            for row in read_rows(path):
                try:
                    corpus, label = _read(row)
                except RowError as error:
                    raise InputError(f"{error}. Write the file again with sau data label.") from None
                found[corpus, label.id] = label
        return cls(found)

    def write(self, path: Path) -> None:
        """Write the labels as a file, compressed if its name ends with .gz."""
        with user_path(path):
            make_folder(path.parent)
            lines = self._lines()
            write_atomically(path, gzip.compress(lines.encode(), mtime=0) if path.suffix == ".gz" else lines)

    def joined(self, other: Labels) -> Labels:
        """Return the labels of both; those of the other replace these."""
        return Labels({**self.found, **other.found})

    def applied(self, corpus: str, problems: Sequence[Problem]) -> list[Problem]:
        """Return the problems of a corpus with the labels as equations, where they have no equations of their own."""
        return [self._applied(problem, self.found.get((corpus, problem.id))) for problem in problems]

    def described(self) -> dict[str, dict[str, object]]:
        """Return what a checkpoint records about the labels; empty if there are none."""
        if not self.found:
            return {}
        digest = hashlib.sha256(self._lines().encode()).hexdigest()
        return {"labels": {"problems": len(self.found), "sha256": digest}}

    def __contains__(self, key: tuple[str, str]) -> bool:
        return key in self.found

    def _applied(self, problem: Problem, label: Label | None) -> Problem:
        return replace(problem, equations=label.equations) if label and is_learnable(problem) else problem

    def _lines(self) -> str:
        return "".join(
            json.dumps(
                {
                    "corpus": corpus,
                    "id": id_,
                    "equations": list(label.equations),
                    "log_probability": label.log_probability,
                },
                ensure_ascii=False,
            )
            + "\n"
            for (corpus, id_), label in self.found.items()
        )


def _read(row: Row | RowError) -> tuple[str, Label]:
    """Return the corpus and the label of a line; raise RowError if the line is not a label."""
    if isinstance(row, RowError):
        raise row
    equations, log_probability = row.get("equations"), row.get("log_probability")
    if not isinstance(equations, list) or not equations or not all(isinstance(one, str) for one in equations):
        raise row.error(f"equations must be a list of texts, got {equations!r}")
    if not isinstance(log_probability, int | Decimal | None):
        raise row.error(f"log_probability must be a number or null, got {log_probability!r}")
    known = None if log_probability is None else float(log_probability)
    return row.text("corpus"), Label(row.text("id"), tuple(equations), known)
