"""A model of the Hugging Face Hub -> a folder in the cache of huggingface_hub, with the files of a checkpoint only.

config.json comes first, so that nothing else is downloaded from a repository that is not a model of this package. The
digests are verified when the checkpoint is read. The token, from HF_TOKEN or `hf auth login`, is left to
huggingface_hub: it is never passed on, stored or part of a message.
"""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from sau_solver import __version__
from sau_solver.errors import CheckpointError, InputError
from sau_solver.hub.model_names import CONFIG, FILES, HubName
from sau_solver.models.loading import LANGUAGES

PLACES = ("", *(f"{language}/" for language in LANGUAGES))  # where a repository may have a checkpoint

_TOKENS = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")  # environment variables
_SECRET = re.compile(r"hf_\w{4,}|Bearer\s+[^\s'\"]+")


def download(name: HubName) -> Path:
    """Return the folder of a model of the Hub; download what is not in the cache. The folder's name is the commit.

    With HF_HUB_OFFLINE=1, or if the Hub cannot be reached, the cache must have the model.
    """
    folder = _snapshot(name, [place + CONFIG for place in PLACES])
    places = [place for place in PLACES if (folder / place / CONFIG).is_file()]
    places = [""] if "" in places else places
    if not places:
        raise CheckpointError(f"{name} is not a model of SAU-Solver: it has no {CONFIG}. Name another model.")
    for place in places:
        _check(name, folder / place / CONFIG)
    wanted = [place + file for place in places for file in FILES]
    found = _snapshot(replace(name, revision=folder.name), wanted)
    if missing := [file for file in wanted if not (found / file).is_file()]:
        raise CheckpointError(f"{name} lacks {', '.join(missing)} on the Hub. Publish it again.")
    return found


def _check(name: HubName, path: Path) -> None:
    """Raise CheckpointError if config.json does not describe a checkpoint; its digest is verified later."""
    try:
        described = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        described = None
    if not isinstance(described, dict) or type(described.get("schema")) is not int or "files" not in described:
        raise CheckpointError(f"{name} is not a model of SAU-Solver: {CONFIG} does not describe one. Name another.")
    if not _is_description(described.get("data")):
        raise CheckpointError(f"{name}: its {CONFIG} does not describe training data correctly. Name another model.")


def _is_description(data: object) -> bool:
    """Return whether a checkpoint's data has the entries that commands rely on; others may be missing."""
    if not isinstance(data, dict) or data.get("language") not in (None, *LANGUAGES):
        return False
    if "sources" not in data:
        return isinstance(data.get("corpus", ""), str) and ("fold" in data) == ("corpus" in data)
    parts = (data["sources"], data.get("test"), data.get("validation"))
    if not all(isinstance(part, dict) for part in parts) or not {"near", "within"} <= data.keys():
        return False
    return all(isinstance(one, dict) and isinstance(one.get("fingerprint"), str) for one in data["sources"].values())


def _snapshot(name: HubName, files: list[str]) -> Path:
    """Return the folder of a revision in the cache, with those of the files that the repository has."""
    hub = library(str(name))
    try:
        folder = hub.snapshot_download(
            name.name,
            revision=name.revision,
            allow_patterns=files,
            tqdm_class=_silent(),
            library_name="sau-solver",
            library_version=__version__,
        )
    except transport_errors() as error:
        raise refusal(name, error) from None
    return Path(folder)


def library(name: str) -> ModuleType:
    """Import huggingface_hub; raise InputError if it is not installed."""
    try:
        import huggingface_hub
    except ImportError:
        raise InputError(
            f"{name} is not a folder, and models of the Hugging Face Hub need huggingface_hub. "
            "Run in a checkout: pip install '.[pretrained]'"
        ) from None
    return huggingface_hub


def transport_errors() -> tuple[type[Exception], ...]:
    """Return the errors that requests to the Hub can raise; the HTTP library depends on huggingface_hub's version."""
    from huggingface_hub.errors import EntryNotFoundError

    session = import_module("huggingface_hub.utils").get_session()
    http = sys.modules[type(session).__module__.partition(".")[0]]
    own = [getattr(http, one) for one in ("HTTPError", "InvalidURL") if hasattr(http, one)]
    return (OSError, ValueError, EntryNotFoundError, *own)


def refusal(name: HubName, error: Exception) -> InputError:
    """Return what a failed request means for the user, without the token."""
    from huggingface_hub import errors

    revision = name.revision or "main"
    match error:
        case errors.GatedRepoError():
            return InputError(f"You may not read {name} yet. Ask for access on its page, and set HF_TOKEN.")
        case errors.RepositoryNotFoundError():
            return InputError(
                f"{name.name} is neither a folder here nor a model that you may use on the Hugging Face Hub. "
                "Check the name. For a private model, set HF_TOKEN to a token that may read it."
            )
        case errors.RevisionNotFoundError():
            return InputError(f"{name.name} has no revision {revision!r}. Give a branch, a tag or a commit of it.")
        case errors.LocalEntryNotFoundError() | errors.OfflineModeIsEnabled():
            return InputError(
                f"{name} is neither a folder here nor in the cache of the Hugging Face Hub, and the Hub cannot be "
                f"reached ({redacted(_first_line(error.__cause__ or error))}). Check the name and the connection; "
                "offline, HF_HUB_OFFLINE=1 works after a first download."
            )
    response = getattr(error, "response", None)
    if getattr(response, "status_code", None) in (401, 403):
        return InputError(f"The Hugging Face Hub refused access to {name}. Set HF_TOKEN to a token that allows it.")
    reason = redacted(_first_line(error.__cause__ or error))
    return InputError(f"{name}: the Hugging Face Hub did not answer as expected ({reason}). Try again later.")


def redacted(text: str) -> str:
    """Return a message without tokens."""
    for secret in filter(None, (os.environ.get(one, "").strip() for one in _TOKENS)):
        text = text.replace(secret, "***").replace(repr(secret)[1:-1], "***")
    return _SECRET.sub("***", text)


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _silent() -> type:
    """Return progress bars that show nothing: a library does not print."""
    bar: Any = import_module("huggingface_hub.utils").tqdm

    def create(self: Any, *args: Any, **options: Any) -> None:
        bar.__init__(self, *args, **{**options, "disable": True})

    return type("SilentBar", (bar,), {"__init__": create})
