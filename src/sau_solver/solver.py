"""Text of a problem -> Solution: screening, number mapping, the model's candidates, their ranking, confidence, story.

The one place that sees all stages. Models are loaded when the first problem of their language comes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Lock

from sau_solver.answering.candidates import rank
from sau_solver.concluding import conclude, unsolved
from sau_solver.errors import InputError
from sau_solver.models.base import BEAM, Candidate
from sau_solver.models.loading import LANGUAGES, Model, load_model, shipped_folder
from sau_solver.problem import Language
from sau_solver.solution import Solution
from sau_solver.text.numbers import map_text
from sau_solver.text.screening import MAX_CHARACTERS, Screened, screen

BATCH = 64
MAX_BEAM = 50

# A problem as it came: its text, or its text and its language.
Typed = str | bytes | tuple[str | bytes, Language | None]


class Solver:
    """Solves problems in the languages that it has models for."""

    def __init__(self, models: Mapping[Language, Callable[[], Model]], longest: int = MAX_CHARACTERS) -> None:
        """`models` say how the model of each language is loaded; that is done once, when it is needed.

        `longest` is how many characters a problem may have.
        """
        self._sources, self._longest = dict(models), longest
        self._loaded: dict[Callable[[], Model], Model] = {}
        self._turn = Lock()

    def model(self, language: Language) -> Model:
        """The model of a language, loaded now if it was not before."""
        source = self._sources.get(language)
        if source is None:
            known = " and ".join(LANGUAGES[one] for one in self._sources)
            raise InputError(f"A problem in {known} was expected, one in {LANGUAGES[language]} came; load its model.")
        with self._turn:
            if source not in self._loaded:
                self._loaded[source] = source()
            return self._loaded[source]

    def solve(self, text: str | bytes, language: Language | None = None, beam: int = BEAM) -> Solution:
        """The solution of one problem; InputError where the text is none (`screening`).

        `beam` is how many candidates the model is asked for.
        """
        return next(self._solved([screen(text, language, self._longest)], _checked(beam)))

    def solve_many(
        self,
        texts: Iterable[Typed],
        batch_size: int = BATCH,
        language: Language | None = None,
        beam: int = BEAM,
    ) -> Iterator[Solution]:
        """Solutions in order, read and solved a batch at a time; raises at the first text that is no problem.

        Where standard error is a terminal, a bar shows how far it is.
        """
        from sau_solver.cli.progress import shown  # Rich, only where many are solved

        for result in shown(self.solve_all(texts, batch_size, language, beam), texts):
            if isinstance(result, InputError):
                raise result
            yield result

    def solve_all(
        self,
        texts: Iterable[Typed],
        batch_size: int = BATCH,
        language: Language | None = None,
        beam: int = BEAM,
    ) -> Iterator[Solution | InputError]:
        """The same without a bar; a text that is no problem gives its InputError in its place, and nothing stops.

        What concerns all texts is raised: weights that are missing, a beam of zero.
        """
        if batch_size < 1:
            raise InputError(f"A batch of at least 1 problem was expected, {batch_size} came.")
        return self._batches(iter(texts), batch_size, language, _checked(beam))

    def _batches(
        self, texts: Iterator[Typed], batch_size: int, language: Language | None, beam: int
    ) -> Iterator[Solution | InputError]:
        while batch := list(islice(texts, batch_size)):
            screened = [self._screened(typed, language) for typed in batch]
            solved = self._solved([one for one in screened if isinstance(one, Screened)], beam)
            for one in screened:
                yield one if isinstance(one, InputError) else next(solved)

    def _screened(self, typed: Typed, language: Language | None) -> Screened | InputError:
        text, own = typed if isinstance(typed, tuple) else (typed, None)
        try:
            screened = screen(text, own or language, self._longest)
            if screened.is_problem and screened.language not in self._sources:
                self.model(screened.language)
        except InputError as error:
            return error
        return screened

    def _solved(self, screened: list[Screened], beam: int) -> Iterator[Solution]:
        """The problems of one language go to its model together; solutions come in the order of the problems."""
        texts = [map_text(one.text, one.language, one.numbers) for one in screened]
        candidates: dict[int, list[Candidate]] = {}
        for language in dict.fromkeys(one.language for one in screened if one.is_problem):
            places = [k for k, one in enumerate(screened) if one.language == language and one.is_problem]
            predicted = self.model(language).predictor.predict([texts[place] for place in places], beam)
            candidates |= zip(places, predicted, strict=True)
        for place, (one, text) in enumerate(zip(screened, texts, strict=True)):
            if one.is_problem:
                model = self.model(one.language)
                yield conclude(rank(text, candidates[place], model.preference), model)
            else:
                yield unsolved(text, one.reason)


def load(model: str | Path | None = None, longest: int = MAX_CHARACTERS) -> Solver:
    """A solver: with the shipped weights, those of one language ("zh", "en"), or a model folder for every language.

    Nothing is read before the first problem; `Solver.model` reads at once. `longest`: characters of a problem.
    """
    if model is None:
        return Solver({language: _shipped(language) for language in LANGUAGES}, longest)
    if model in LANGUAGES:
        language: Language = "zh" if model == "zh" else "en"
        return Solver({language: _shipped(language)}, longest)
    folder = Path(model)
    if not folder.is_dir():
        raise InputError(
            f"The folder of a trained model, or one of {', '.join(LANGUAGES)}, was expected; {str(model)!r} "
            "is neither. Give the folder that `sau train` wrote, or nothing for the models that come with the package."
        )
    if (folder / "model").is_dir():  # the folder of a training holds its model
        folder = folder / "model"
    return Solver(dict.fromkeys(LANGUAGES, partial(load_model, folder, _name(folder.resolve()))), longest)


def _name(folder: Path) -> str:
    """The folder's; of runs/EXPERIMENT/RUN/model, which all trained models are called, EXPERIMENT/RUN."""
    return folder.name if folder.name != "model" else "/".join(folder.parts[-3:-1])


def _shipped(language: Language) -> Callable[[], Model]:
    return lambda: load_model(shipped_folder(language), f"sau-{language}")


def _checked(beam: int) -> int:
    if not 1 <= beam <= MAX_BEAM:
        raise InputError(f"A beam of 1 to {MAX_BEAM} candidates was expected, {beam} came.")
    return beam
