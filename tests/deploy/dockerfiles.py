"""A Dockerfile -> its stages and instructions, and the values of its variables."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILE = ROOT / "deploy" / "Dockerfile"


@dataclass(frozen=True)
class Stage:
    """The instructions of one stage in order, each with its name and the rest of its line."""

    instructions: list[tuple[str, str]] = field(default_factory=list)

    def all(self, name: str) -> list[str]:
        """Return what follows each instruction of that name."""
        return [rest for found, rest in self.instructions if found == name]

    def one(self, name: str) -> str:
        """Return what follows the only instruction of that name."""
        (rest,) = self.all(name)
        return rest

    def variables(self, name: str) -> dict[str, str]:
        """Return the variables that ENV or ARG set."""
        words = [word for rest in self.all(name) for word in re.findall(r'[A-Z_]+=(?:"[^"]*"|\S*)|[A-Z_]+', rest)]
        return {key: value.strip('"') for key, _, value in (word.partition("=") for word in words)}

    def copied(self) -> list[str]:
        """Return the files and folders of the checkout that are copied into this stage."""
        return [path for rest in self.all("COPY") if not rest.startswith("--from") for path in rest.split()[:-1]]

    def command(self, name: str) -> list[str]:
        """Return the words of CMD or HEALTHCHECK in their JSON form."""
        rest = self.one(name)
        words = json.loads(rest[rest.index("[") :])
        assert isinstance(words, list)
        return words


def read_stages(path: Path = FILE) -> tuple[Stage, ...]:
    """Return the stages of a Dockerfile; the first one has what is before the first FROM."""
    stages = [Stage()]
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    for line in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines():
        name, _, rest = line.strip().partition(" ")
        if name == "FROM":
            stages.append(Stage())
        if name:
            stages[-1].instructions.append((name, rest.strip()))
    return tuple(stages)
