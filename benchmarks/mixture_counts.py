"""Count the training problems of the shipped models by source: which are used, and which are dropped and why.

    SAU_DATA=... python benchmarks/mixture_counts.py [CONFIG.toml ...]

problems = held out + no tree + disagreeing + unfounded + equal + near + repeated + learned.

- no tree: the gold equations do not form a tree.
- disagreeing: the gold equations do not give the annotated answers.
- unfounded: the gold equations use no number of the text.
- equal, near: copies and near-duplicates of held-out problems.
- repeated: also contained in an earlier source.
- own: near-duplicates of held-out problems of the same corpus; they are learned, because the public splits have them.
- covered: learned problems whose constants all occur at least 5 times in training.
- over 45: learned problems whose trees are longer than the search can write.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import fields
from pathlib import Path

from sau_solver.curriculum.additions import additions
from sau_solver.data.prepared.mixtures import LONGEST_TREE, MixtureMaterial, SourceCounts, gather_mixture
from sau_solver.errors import SauError
from sau_solver.experiments.config import load_config

CONFIGS = Path(__file__).parents[1] / "configs/shipped"
SHIPPED = (CONFIGS / "shipped-zh.toml", CONFIGS / "shipped-en.toml")

COLUMNS = (
    "problems",
    "held out",
    "no tree",
    "disagreeing",
    "unfounded",
    "equal",
    "near",
    "repeated",
    "learned",
    "own",
    "covered",
)


def table(material: MixtureMaterial) -> list[str]:
    """Return the rows of all sources and their sum as Markdown."""
    header = "| ".join(["| source ", *(f"{name} " for name in (*COLUMNS, f"over {LONGEST_TREE}"))]) + "|"
    lines = [header, "|---|" + "---:|" * (len(COLUMNS) + 1)]
    names = [field.name for field in fields(SourceCounts)]
    total = SourceCounts(*(sum(getattr(one, name) for one in material.sources.values()) for name in names))
    for source, counts in (*material.sources.items(), ("all", total)):
        numbers = [f"{getattr(counts, name):,}" for name in names]
        place = names.index("covered")
        numbers[place] = f"{counts.covered / counts.learned:.2%}" if counts.learned else "-"
        lines.append(f"| {source} | {' | '.join(numbers)} |")
    return lines


def main() -> int:
    """Print a table for every mixture, and the sizes of its held-out parts."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("configs", nargs="*", metavar="CONFIG.toml", type=Path, default=SHIPPED)
    for path in arguments.parse_args().configs:
        started = time.perf_counter()
        try:
            config = load_config(path)
            material = gather_mixture(config.one_mixture(), config.text, config.equations, make=additions)
        except SauError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            return 2
        print(f"\n{path.stem}: {len(material.train):,} problems, read in {time.perf_counter() - started:.0f} s\n")
        print("\n".join(table(material)), end="\n\n")
        for kind, parts in (("test", material.test), ("validation", material.validation)):
            print(f"{kind}: " + ", ".join(f"{name} {len(prepared):,}" for name, prepared in parts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
