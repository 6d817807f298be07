"""Text of a problem -> Solution. The only module that sees every stage.

text        screen it, find its numbers; mathematics and stories that rules understand need no model
models      propose candidate trees
answering   solve and rank the candidates, estimate the confidence
explaining  write the steps
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Literal, overload

from sau_solver.answering.asked import Asked, common_number
from sau_solver.answering.asked.final_unknown import AskedFirst
from sau_solver.answering.candidates import Candidate
from sau_solver.answering.ranking import Ranked, rank
from sau_solver.equations.uet import Uet
from sau_solver.errors import InputError, NotATreeError
from sau_solver.explaining.formats import common_unit
from sau_solver.explaining.known_story_answers import answer_story
from sau_solver.explaining.requested import fulfill
from sau_solver.explaining.story import tell
from sau_solver.hub.model_names import HubName, by_language, find_model
from sau_solver.models.base import BEAM
from sau_solver.models.loading import LANGUAGES, Model, StoredModel
from sau_solver.phrases import Phrase, say
from sau_solver.problem import Language
from sau_solver.solution import Solution
from sau_solver.solving import Outcome
from sau_solver.text.asking import read_questions
from sau_solver.text.mathematics.request import NotMathematicsError
from sau_solver.text.numbers import MappedText
from sau_solver.text.renumbering import renumbered
from sau_solver.text.screening import MAX_CHARACTERS, Screened, screen

BATCH = 64
MAX_BEAM = 50

_LISTED = re.compile(r"\s+(?:of|for|between)\s+\d.*")  # LCM of 4, 6 and 10

# A problem: its text, or its text and language, or its text, language and reader's language.
ProblemText = str | bytes | tuple[str | bytes, Language | None] | tuple[str | bytes, Language | None, Language | None]


@dataclass(frozen=True, slots=True)
class _Typed:
    """What a user typed, the language of the problem if it is given, and the language of the reader."""

    text: str | bytes
    language: Language | None
    reader: Language | None


class Solver:
    """Solves problems in the languages that it has models for."""

    def __init__(self, models: Mapping[Language, Callable[[], Model]], max_characters: int = MAX_CHARACTERS) -> None:
        """Create a solver; `models` loads the model of each language when it is first needed."""
        self._sources, self._max_characters = dict(models), max_characters
        self._loaded: dict[Callable[[], Model], Model] = {}
        self._lock = Lock()

    def __repr__(self) -> str:
        languages = ", ".join(
            f"{LANGUAGES[language]} ({self._loaded[source].name if source in self._loaded else 'not loaded yet'})"
            for language, source in self._sources.items()
        )
        return f"<Solver: {languages}>"

    @classmethod
    def from_pretrained(cls, model: str | Path, revision: str | None = None) -> Solver:
        """Return a solver with the model of a folder, or of the Hugging Face Hub (owner/name); the same as `load`."""
        return load(model, revision=revision)

    def save_pretrained(self, folder: str | Path, results: str | Path | None = None) -> None:
        """Write the models to a folder, with a model card: safetensors, JSON and README.md.

        `results` are the figures of the card: report.json of `sau benchmark` or the output of `sau evaluate --json`.
        By default they are those that were stored when the model was made. A folder that was saved before is replaced.
        """
        self._save(Path(folder), Path(folder).resolve().name, results)

    def push_to_hub(
        self,
        name: str,
        results: str | Path | None = None,
        private: bool = False,
        revision: str | None = None,
        message: str = "Publish a model of SAU-Solver",
    ) -> str:
        """Publish the models on the Hugging Face Hub in one commit, and return owner/name@commit.

        The files are those of `save_pretrained`. The token comes from HF_TOKEN or `hf auth login`. `private` is for a
        repository that does not exist yet. `revision` is a branch.
        """
        from sau_solver.hub.publishing import Push, push

        HubName.read(name, revision)  # fail before the work
        with TemporaryDirectory(prefix="sau-hub-") as temporary:
            folder = Path(temporary) / "model"
            self._save(folder, name, results)
            return push(folder, name, Push(private, revision, message))

    def _save(self, folder: Path, title: str, results: str | Path | None) -> None:
        from sau_solver.hub.publishing import save

        stored = {one: source for one, source in self._sources.items() if isinstance(source, StoredModel)}
        if not stored or len(stored) < len(self._sources):
            raise InputError("Only models that were loaded from folders can be saved. Create the solver with load().")
        folders = by_language({one: source.folder for one, source in stored.items()})
        save(folders, folder, title, Path(results) if results else None)

    def model(self, language: Language) -> Model:
        """Return the model of a language and load it if necessary."""
        source = self._sources.get(language)
        if source is None:
            raise self._missing(language)
        with self._lock:
            if source not in self._loaded:
                self._loaded[source] = source()
            return self._loaded[source]

    def solve(
        self,
        text: str | bytes,
        language: Language | None = None,
        beam: int = BEAM,
        reader: Language | None = None,
    ) -> Solution:
        """Solve one problem with `beam` candidates; raise InputError if the text is not a problem.

        Equations, expressions and sentences that carry them are solved exactly, without a model.

        `language` is that of the problem, which is otherwise detected. `reader` is the language of the steps and the
        reason, by default that of the problem.
        """
        _check(beam)
        screened = self.read(text, language, reader)
        if isinstance(screened, Solution):
            return screened
        return next(self._solved([(screened, reader or screened.language)], beam))

    @overload
    def solve_many(
        self,
        texts: Iterable[ProblemText],
        batch_size: int = BATCH,
        language: Language | None = None,
        beam: int = BEAM,
        errors: Literal["raise"] = "raise",
        reader: Language | None = None,
    ) -> Iterator[Solution]: ...

    @overload
    def solve_many(
        self,
        texts: Iterable[ProblemText],
        batch_size: int = BATCH,
        language: Language | None = None,
        beam: int = BEAM,
        *,
        errors: Literal["return"],
        reader: Language | None = None,
    ) -> Iterator[Solution | InputError]: ...

    def solve_many(
        self,
        texts: Iterable[ProblemText],
        batch_size: int = BATCH,
        language: Language | None = None,
        beam: int = BEAM,
        errors: Literal["raise", "return"] = "raise",
        reader: Language | None = None,
    ) -> Iterator[Solution | InputError]:
        """Yield the solutions in order, reading and solving one batch at a time.

        By default the first text that is not a problem raises its InputError. With `errors="return"` the error is
        yielded in place of the solution, and solving goes on.
        """
        if batch_size < 1:
            raise InputError(f"batch_size must be at least 1, got {batch_size}.")
        _check(beam)
        typed = (_typed(text, language, reader) for text in texts)
        return self._batches(typed, batch_size, beam, errors == "raise")

    def asked_first(self, language: Language) -> AskedFirst:
        """Return what the network of a language calls x, for `solve_again`; no weights are loaded for it."""
        source = self._sources.get(language)
        return source.asked_first if isinstance(source, StoredModel) else ""

    @staticmethod
    def solve_again(
        text: MappedText,
        tree: Uet,
        values: Sequence[Fraction],
        reader: Language | None = None,
        asked_first: AskedFirst = "",
    ) -> Solution:
        """Solve a problem with other numbers, using a tree that was found for it; no model is asked."""
        reader = reader or text.language
        changed = renumbered(text, values)
        tree.require_numbers(len(values))
        ranked = rank(changed, [Candidate(tree, 0.0)], asked_first=asked_first)
        if ranked.best is None:
            reason = say(reader, "renumbered")
            return Solution(changed, reason=reason, candidates=ranked.candidates, reader=reader)
        return Solution.of(changed, ranked.best, tell(changed, ranked.best, reader))

    def read(
        self, text: str | bytes, language: Language | None = None, reader: Language | None = None
    ) -> Screened | Solution:
        """Screen a text; return its solution if no model is needed: mathematics, and stories that rules understand."""
        screened = screen(text, language, self._max_characters, reader)
        if screened.story is not None:
            return solve_story(screened, reader or screened.language)
        if screened.request is not None:
            try:
                return solve_request(screened, reader or screened.language)
            except NotMathematicsError:
                screened = screen(text, language, self._max_characters, reader, mathematics=False)
        if not screened.obstacle and screened.language not in self._sources:
            raise self._missing(screened.language, reader or screened.language)
        return screened

    def ranked(self, screened: Sequence[Screened], beam: int = BEAM) -> Iterator[Ranked | None]:
        """Yield each problem's ranked candidates, or None if it has an obstacle. A model gets its problems together."""
        ranked: dict[Language, Iterator[Ranked]] = {}
        for language in dict.fromkeys(one.language for one in screened if not one.obstacle):
            own = [one.mapped for one in screened if one.language == language and not one.obstacle]
            ranked[language] = _ranked_by_model(own, self.model(language), beam)
        for one in screened:
            yield None if one.obstacle else next(ranked[one.language])

    def _batches(
        self, texts: Iterator[_Typed], batch_size: int, beam: int, raising: bool
    ) -> Iterator[Solution | InputError]:
        while batch := list(islice(texts, batch_size)):
            screened = [(self._screened(typed), typed.reader) for typed in batch]
            if raising:
                wrong = next((place for place, (one, _) in enumerate(screened) if isinstance(one, InputError)), None)
                screened = screened if wrong is None else screened[: wrong + 1]
            read = [(one, reader or one.language) for one, reader in screened if isinstance(one, Screened)]
            solved = self._solved(read, beam)
            for one, _ in screened:
                if raising and isinstance(one, InputError):
                    raise one
                yield next(solved) if isinstance(one, Screened) else one

    def _screened(self, typed: _Typed) -> Screened | Solution | InputError:
        try:
            return self.read(typed.text, typed.language, typed.reader)
        except InputError as error:
            return error

    def _missing(self, language: Language, reader: Language = "en") -> InputError:
        """Return the error of a problem in a language without a model."""
        known = tuple(Phrase(f"language_{one}") for one in self._sources)
        return InputError.phrased(reader, "no_model", known=known, given=Phrase(f"language_{language}"))

    def _solved(self, screened: Sequence[tuple[Screened, Language]], beam: int) -> Iterator[Solution]:
        """Yield the solution of each screened text in its reader's language."""
        ranked = self.ranked([one for one, _ in screened], beam)
        for (one, reader), found in zip(screened, ranked, strict=True):
            if found is None:
                yield Solution(one.mapped, reason=say(reader, one.obstacle), reader=reader)
            else:
                yield _concluded(found, self.model(one.language), reader)


def solve_request(screened: Screened, reader: Language) -> Solution:
    """Return the exact solution of a text that needs no model; raise NotMathematicsError if it makes no sense."""
    assert screened.request is not None
    found = fulfill(screened.request, reader)
    try:
        tree = Uet.from_equations(found.equations) if found.equations else None
    except NotATreeError:  # trees cannot hold functions
        tree = None
    return Solution(
        text=screened.mapped,
        equations=found.equations,
        tree=tree,
        roots=found.roots,
        answers=found.answers,
        asked=_named(screened)
        or tuple(
            Asked("", label, label, value, found.unit, of_several=len(set(found.labels)) > 1)
            for label, value in zip(found.labels, found.answers, strict=True)
        ),
        unit=found.unit,
        confidence=0.0 if found.outcome is Outcome.TOO_HARD else 1.0,
        abstained=found.outcome is Outcome.TOO_HARD,
        reason=found.reason,
        steps=found.steps,
        kind=found.kind,
        outcome=found.outcome,
        shown=found.shown,
        reader=reader,
    )


def solve_story(screened: Screened, reader: Language) -> Solution:
    """Return the solution of a story that rules understand, which no model has to read."""
    assert screened.story is not None
    found = answer_story(screened.story, screened.mapped, reader)
    return Solution(
        text=screened.mapped,
        answers=tuple(one.answer for one in found.asked if one.answer is not None),
        asked=found.asked,
        unit=common_unit(found.asked),
        confidence=found.confidence,
        abstained=False,
        steps=found.steps,
        reader=reader,
    )


def _named(screened: Screened) -> tuple[Asked, ...]:
    """Return what a word problem asks that names a common divisor or multiple of its numbers."""
    reading = read_questions(screened.text, screened.language)
    if not reading.common or (screened.request and screened.request.kind not in ("gcd", "lcm")):
        return ()
    named = common_number(reading, reading.things[0])
    if named is None or not (named.unit or named.question):
        return ()
    return (replace(named, quantity=_LISTED.sub("", named.quantity)),)


def load(model: str | Path | None = None, max_characters: int = MAX_CHARACTERS, revision: str | None = None) -> Solver:
    """Return a solver with the shipped models, with that of one language ("zh", "en"), or with a model that you name.

    A name is a folder, or owner/name of a model on the Hugging Face Hub, which is downloaded once. `revision` is a
    branch, a tag or a commit of the Hub; owner/name@revision means the same. Weights are read when the first problem of
    their language is solved.
    """
    if model is None and revision is None:
        return Solver({one: StoredModel(one, f"sau-{one}") for one in LANGUAGES}, max_characters)
    if model is None:
        raise InputError(f"revision={revision!r} needs a model, such as load('owner/name', revision={revision!r}).")
    if model in LANGUAGES and revision is None:
        language: Language = "zh" if model == "zh" else "en"
        return Solver({language: StoredModel(language, f"sau-{language}")}, max_characters)
    found = find_model(model, revision)
    return Solver({one: StoredModel(folder, found.name) for one, folder in found.folders.items()}, max_characters)


def _typed(problem: ProblemText, language: Language | None, reader: Language | None) -> _Typed:
    if not isinstance(problem, tuple):
        return _Typed(problem, language, reader)
    own = problem[2] if len(problem) == 3 else None
    return _Typed(problem[0], problem[1] or language, own or reader)


def _check(beam: int) -> None:
    if not 1 <= beam <= MAX_BEAM:
        raise InputError(f"beam must be between 1 and {MAX_BEAM}, got {beam}.")


def _ranked_by_model(texts: Sequence[MappedText], model: Model, beam: int) -> Iterator[Ranked]:
    predicted = model.predictor.predict(texts, beam)
    unknown = list(map(model.unknown_words, texts))
    for text, candidates, unknown_words in zip(texts, predicted, unknown, strict=True):
        yield rank(text, candidates, model.preference, unknown_words, model.asked_first)


def _concluded(ranked: Ranked, model: Model, reader: Language) -> Solution:
    """Return the best answer with its confidence, or the reason why there is none."""
    best = ranked.best
    if best is None:
        reason = say(reader, "unsolved" if ranked.candidates else "silent")
        return Solution(ranked.text, reason=reason, candidates=ranked.candidates, model=model.name, reader=reader)
    confidence, threshold = model.calibration.confidence(ranked.confidence_features()), model.calibration.threshold
    reason = ""
    if confidence < threshold:
        kind = "unlikely" if confidence < 0.5 else "unsure"
        reason = say(reader, kind, confidence=confidence, threshold=threshold)
    return replace(
        Solution.of(ranked.text, best, tell(ranked.text, best, reader, guess=bool(reason))),
        confidence=confidence,
        abstained=bool(reason),
        reason=reason,
        candidates=ranked.candidates,
        model=model.name,
    )
