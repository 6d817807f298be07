"""Corpora: find, download and read published files, or a user's own file, as Problems."""

from sau_solver.data.corpus import Corpus, convert, load, load_file
from sau_solver.data.fetching import fetch
from sau_solver.data.lines import write_lines
from sau_solver.data.registry import available, corpora, data_folder, find_corpus

__all__ = [
    "Corpus",
    "available",
    "convert",
    "corpora",
    "data_folder",
    "fetch",
    "find_corpus",
    "load",
    "load_file",
    "write_lines",
]
