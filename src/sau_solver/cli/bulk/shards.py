"""Files, folders and URLs -> shards: each input file with an output file of the same name."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from sau_solver.cli.bulk.sources import PIPE, Source, SourceFormat
from sau_solver.cli.bulk.streaming import Shard
from sau_solver.data.compressed import compression_of
from sau_solver.data.remote_files import files_in, is_folder, is_url, joined, name_of
from sau_solver.errors import InputError
from sau_solver.files import make_folder

FORMATS = (".jsonl", ".json", ".csv", ".tsv", ".txt", ".parquet")
ANSWERS = ".jsonl"  # the ending of an output

_PATTERN = re.compile(r"[*?\[]")


def goes_to_folder(inputs: Sequence[str], target: str | None) -> bool:
    """Return whether an output is a folder, with a file for each input: it exists, or there are several inputs."""
    several = len(inputs) > 1 or is_folder(inputs[0]) or _is_pattern(inputs[0])
    return target is not None and target != PIPE and (several or target.endswith("/") or is_folder(target))


def find_shards(inputs: Sequence[str], target: str, form: SourceFormat = "auto", column: str = "") -> list[Shard]:
    """Return the shards of all inputs in order; the output of a/part-1.csv.gz is a/part-1.jsonl in the folder.

    Raise InputError if there is no input, if two have the same output, or if the folder lies among the inputs.
    """
    found: dict[str, Shard] = {}
    for name, path in (one for given in inputs for one in _files(given, target)):
        output = _stem(name) + ANSWERS
        if output in found:
            both = f"{found[output].source.path} and {path}"
            raise InputError(f"{both} would have the same output, {output}. Rename one, or solve it by itself.")
        found[output] = Shard(Source(path, form, column), joined(target, output))
    for shard in found.values():
        shard.source.check()
        if Path(shard.target).exists() and Path(shard.target).resolve() == Path(shard.source.path).resolve():
            raise InputError(f"{shard.target} is the input file. Give another --output.")
    return list(found.values())


def make_folders(shards: Sequence[Shard]) -> None:
    """Make the folders of the outputs; those of URLs need none."""
    for folder in {Path(shard.target).parent for shard in shards if not is_url(shard.target)}:
        try:
            make_folder(folder)
        except OSError as error:
            raise InputError(f"The folder {folder} cannot be made ({error.strerror}). Give another --output.") from None


def _files(given: str, target: str) -> Iterator[tuple[str, str]]:
    """Yield the name within the output folder and the path of each file of an input."""
    if given == PIPE:
        raise InputError("A pipe cannot be one of several inputs. Give files or folders.")
    if is_folder(given):
        _check_apart(given, target)
        names = [name for name in files_in(given) if _is_input(name)]
        if not names:
            raise InputError(f"{given}: no problems in this folder. They are in files with the endings {_known()}.")
        yield from ((name, joined(given, name)) for name in names)
    elif _is_pattern(given):
        names = sorted(path for path in glob.glob(given, recursive=True) if Path(path).is_file())  # noqa: PTH207
        if not names:
            raise InputError(f"{given}: no file matches. Give files or folders with problems.")
        yield from ((Path(name).name, name) for name in names)
    else:
        yield name_of(given), given


def _is_pattern(given: str) -> bool:
    return not is_url(given) and _PATTERN.search(given) is not None and not Path(given).exists()


def _is_input(name: str) -> bool:
    """Return whether a file has problems; names that begin with . or _ are not data, as in other tools."""
    hidden = any(part.startswith((".", "_")) for part in name.split("/"))
    return not hidden and name[: len(name) - len(compression_of(name))].lower().endswith(FORMATS)


def _check_apart(given: str, target: str) -> None:
    inside = given.rstrip("/") + "/" if is_url(given) else f"{Path(given).resolve()}/"
    if f"{target if is_url(given) else Path(target).resolve()}/".startswith(inside):
        raise InputError(f"{target} lies in the input folder {given}. Give another --output.")


def _stem(name: str) -> str:
    name = name[: len(name) - len(compression_of(name))]
    suffix = next((one for one in FORMATS if name.lower().endswith(one)), "")
    return name[: len(name) - len(suffix)]


def _known() -> str:
    return ", ".join(FORMATS) + " (also with .gz, .bz2, .xz or .zst)"
