"""Corpora: find, download and read published files, or a user's own file, as Problems."""

from sau_solver.data.answers import Answers, read_answers, read_value
from sau_solver.data.corpus import Conversion, Corpus, convert, iterate_corpus, load, load_file
from sau_solver.data.fetching import fetch
from sau_solver.data.lines import to_fields, to_line, write_lines
from sau_solver.data.readers import FORMATS, Format, Reading, detect, find_format, iterate, read
from sau_solver.data.registry import CorpusInfo, Source, available, corpora, data_folder, find_corpus

__all__ = [
    "FORMATS",
    "Answers",
    "Conversion",
    "Corpus",
    "CorpusInfo",
    "Format",
    "Reading",
    "Source",
    "available",
    "convert",
    "corpora",
    "data_folder",
    "detect",
    "fetch",
    "find_corpus",
    "find_format",
    "iterate",
    "iterate_corpus",
    "load",
    "load_file",
    "read",
    "read_answers",
    "read_value",
    "to_fields",
    "to_line",
    "write_lines",
]
