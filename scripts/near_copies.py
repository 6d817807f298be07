"""Find texts of a corpus that are near copies of texts of other corpora: python scripts/near_copies.py school-en

Texts are compared as sets of words, with one word for all numbers and without punctuation, by their Jaccard similarity.
Compares with every corpus of the same language in SAU_DATA, train and test parts alike.
"""

from __future__ import annotations

import argparse
from collections import defaultdict

import numpy as np

from sau_solver.data import available, corpora, load
from sau_solver.data.prepared.overlap import masked
from sau_solver.text.numbers import map_text

LIMITS = (0.3, 0.4, 0.5, 0.6, 1.01)


def word_sets(texts: list[str], language: str) -> list[frozenset[str]]:
    """Return the words of each text."""
    return [frozenset(masked(map_text(text, "zh" if language == "zh" else "en"))) for text in texts]


def main() -> None:
    """Print the most similar pairs and the distribution of the maxima."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus")
    parser.add_argument("--show", type=int, default=5, help="pairs to print")
    chosen = parser.parse_args()
    own = load(chosen.corpus)
    language = own.problems[0].language
    family = chosen.corpus.split("-")[0]
    texts: dict[str, str] = {}
    for name in available():
        if corpora()[name].language == language and not name.startswith((family, "families-")):
            for problem in load(name).problems:
                texts.setdefault(problem.text, name)
    others = word_sets(list(texts), language)
    holding: dict[str, list[int]] = defaultdict(list)
    for place, words in enumerate(others):
        for word in words:
            holding[word].append(place)
    index = {word: np.array(places, dtype=np.int32) for word, places in holding.items()}
    sizes = np.array([len(words) for words in others])
    best: list[tuple[float, str, str]] = []
    listed = list(texts)
    for problem, words in zip(own.problems, word_sets([one.text for one in own.problems], language), strict=True):
        found = [index[word] for word in words if word in index]
        if not found:
            continue
        shared = np.bincount(np.concatenate(found), minlength=len(sizes))
        similarities = shared / (len(words) + sizes - shared)
        place = int(similarities.argmax())
        best.append((float(similarities[place]), problem.id, listed[place]))
    best.sort(reverse=True)
    print(f"{chosen.corpus}: {len(own):,} texts against {len(texts):,} texts of {len(set(texts.values()))} corpora")
    print(f"largest similarity {best[0][0]:.2f}, median {best[len(best) // 2][0]:.2f}")
    for low, high in zip((0.0, *LIMITS[:-1]), LIMITS, strict=True):
        print(f"  {low:.1f} to {min(high, 1.0):.1f}: {sum(low <= one[0] < high for one in best):,}")
    by_id = {one.id: one.text for one in own.problems}
    for similarity, name, text in best[: chosen.show]:
        print(f"{similarity:.2f} {name} ({texts[text]})\n  {by_id[name]}\n  {text}")


if __name__ == "__main__":
    main()
