"""The figures of the paper (Qin et al., EMNLP 2020), and which experiment reproduces which system on which corpus.

Accuracies are in percent. Table 1 is in data/statistics.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

RETRIEVAL, SEQ2SEQ, GTS = "Retrieval-Jaccard", "Seq2Seq-attn w/ SNI", "GTS"
STACK, WITHOUT_SSAR, SAU = "StackDecoder", "SAU-Solver w/o SSAR", "SAU-Solver"

CORPORA: Mapping[str, str] = {  # the columns of Table 2
    "hmwp": "HMWP",
    "alg514": "ALG514",
    "math23k": "Math23K",
    "dolphin18k-manual": "Dolphin18K-Manual",
}
TYPES: Mapping[str, str] = {  # the columns of Table 3
    "linear-one": "linear (One-VAR)",
    "linear-two": "linear (Two-VAR)",
    "non-linear-one": "non-linear (One-VAR)",
}

# Table 2. Retrieval-Jaccard is only in Table 3, on HMWP.
ACCURACY: Mapping[str, Mapping[str, float]] = {
    RETRIEVAL: {"hmwp": 21.72},
    SEQ2SEQ: {"hmwp": 23.2, "alg514": 16.1, "math23k": 58.1, "dolphin18k-manual": 5.9},
    GTS: {"math23k": 73.9},
    STACK: {"hmwp": 27.4, "alg514": 28.86, "math23k": 66.0, "dolphin18k-manual": 9.8},
    WITHOUT_SSAR: {"hmwp": 44.40, "alg514": 55.44, "math23k": 74.53, "dolphin18k-manual": 11.02},
    SAU: {"hmwp": 44.83, "alg514": 57.39, "math23k": 74.84, "dolphin18k-manual": 11.41},
}

# Table 3: the number of right problems of each type of HMWP, and the accuracy.
CORRECT_BY_TYPE: Mapping[str, Mapping[str, int]] = {
    RETRIEVAL: {"linear-one": 222, "linear-two": 348, "non-linear-one": 618, "all": 1_188},
    SEQ2SEQ: {"linear-one": 244, "linear-two": 312, "non-linear-one": 711, "all": 1_267},
    SAU: {"linear-one": 593, "linear-two": 673, "non-linear-one": 1_186, "all": 2_452},
}
ACCURACY_BY_TYPE: Mapping[str, Mapping[str, float]] = {
    RETRIEVAL: {"linear-one": 11.42, "linear-two": 21.56, "non-linear-one": 32.32, "all": 21.72},
    SEQ2SEQ: {"linear-one": 12.55, "linear-two": 19.33, "non-linear-one": 37.19, "all": 23.2},
    SAU: {"linear-one": 30.50, "linear-two": 41.70, "non-linear-one": 62.03, "all": 44.83},
}

# Table 4, SAU-Solver: right and wrong problems by the size of the tree, for one fold of each corpus.
BY_SIZE: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "math23k": {
        "3-": (729, 168), "5": (1_872, 435), "7": (620, 291), "9": (147, 143), "11": (66, 74), "13+": (20, 66),
    },
    "hmwp": {"3-": (0, 0), "5": (3, 1), "7": (32, 25), "9": (159, 69), "11": (102, 111), "13+": (197, 395)},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """One problem of Table 5: its id in HMWP, and each system's equation with the paper's verdict."""

    id: str
    title: str
    equations: Mapping[str, tuple[str, bool]]


# fmt: off
CASES = (
    Case("19", "chickens and rabbits", {
        SEQ2SEQ: ("(x-n1)/n0=(x-n1)/n2", False), WITHOUT_SSAR: ("n0+x+4.0*x=n1", True),
        SAU: ("2.0*x+4.0*(n0-x)=n1", True),
    }),
    Case("1", "a ship between two docks", {
        SEQ2SEQ: ("x/(n2+n1)+n1=x-/n2", False), WITHOUT_SSAR: ("x/n2-n4=x/n3+n4", True), SAU: ("x/n2-n4=x/n3+n4", True),
    }),
    Case("76", "sorting books", {
        SEQ2SEQ: ("n1*(x/n2)+n5*(x+n4)/n2=1.0", False), WITHOUT_SSAR: ("x/n2+n5*(x+n4)/n2=1.0", True),
        SAU: ("x/n2+n5*(x+n4)/n2=1.0", True),
    }),
    Case("23", "a sheepfold along a wall", {
        SEQ2SEQ: ("x*(n3-2.0*x)=n4", False), WITHOUT_SSAR: ("(n2-2.0*x)*(n4-2.0*x)=n5", False),
        SAU: ("x*(n4-2.0*x)=n5", True),
    }),
)
# fmt: on


@dataclass(frozen=True, slots=True)
class System:
    """A row of Table 2: the experiment of the system on each corpus that it can be run on."""

    name: str
    experiments: Mapping[str, str]
    selective: bool = False  # shown over the problems that it can write, and below that over all


def _on_all(pattern: str) -> Mapping[str, str]:
    return {corpus: pattern.format(corpus) for corpus in CORPORA}


SYSTEMS = (
    System(RETRIEVAL, _on_all("retrieval-{}")),
    System(SEQ2SEQ, _on_all("seq2seq-{}")),
    # GTS can write only 2 problems of HMWP, too few to learn from.
    System(GTS, {corpus: f"gts-{corpus}" for corpus in CORPORA if corpus != "hmwp"}, selective=True),
    System(STACK, _on_all("stack-decoder-{}")),
    System(WITHOUT_SSAR, _on_all("sau-{}-without-ssar")),
    System(SAU, _on_all("sau-{}")),
)

# Experiments beyond the paper's tables that are reported as missing without results.
BEYOND = ("sau-draw1k", "sau-mawps")

# The remark on every figure of a corpus.
REMARKS: Mapping[str, str] = {"dolphin18k-manual": "1,788 of the 4,902 texts are available"}
