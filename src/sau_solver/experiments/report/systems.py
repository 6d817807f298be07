"""Which experiment stands for which system of the paper on which corpus: the rows and columns of Table 2."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sau_solver.experiments.report import paper


@dataclass(frozen=True, slots=True)
class System:
    """A row of Table 2: an experiment for each corpus that the system can be run on."""

    name: str
    experiments: Mapping[str, str]
    selective: bool = False  # its figure is over the problems that it can express; one over all stands below it


def _on_all(pattern: str) -> Mapping[str, str]:
    return {corpus: pattern.format(corpus) for corpus in paper.CORPORA}


SYSTEMS = (
    System(paper.RETRIEVAL, _on_all("retrieval-{}")),
    System(paper.SEQ2SEQ, _on_all("seq2seq-{}")),
    # Of HMWP GTS can express 2 problems: nothing to learn from.
    System(paper.GTS, {corpus: f"gts-{corpus}" for corpus in paper.CORPORA if corpus != "hmwp"}, selective=True),
    System(paper.STACK, _on_all("stack-decoder-{}")),
    System(paper.WITHOUT_SSAR, _on_all("sau-{}-without-ssar")),
    System(paper.SAU, _on_all("sau-{}")),
)

# Experiments beyond the paper's tables whose runs are missed where there are none.
BEYOND = ("sau-draw1k", "sau-mawps")

# What is to be said of every figure on a corpus.
REMARKS: Mapping[str, str] = {"dolphin18k-manual": "the 1,788 texts at hand of 4,902"}
