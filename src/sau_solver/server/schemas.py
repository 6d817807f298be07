"""The request and response bodies of the API, as OpenAPI shows them. docs/server.md documents every field."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from sau_solver.curriculum.marking import MAX_TYPED
from sau_solver.explaining.steps import StepKind
from sau_solver.models.base import BEAM
from sau_solver.problem import Language
from sau_solver.server import sample_bodies
from sau_solver.sheets.sheet import Answers
from sau_solver.sheets.sheet_formats import SheetFormat
from sau_solver.solver import MAX_BEAM
from sau_solver.text.lists.problem_lists import Format, GivenFormat
from sau_solver.text.screening import MAX_NUMBERS

Kind = Literal["operator", "unknown", "constant", "number"]
Outcome = Literal["solved", "partial", "none", "infinite", "too_hard"]
CandidateOutcome = Literal["solved", "partial", "none", "infinite", "too_hard", "not_filled"]
SolutionOutcome = Literal["solved", "partial", "none", "infinite", "too_hard", "not_filled", "unread"]
MAX_NUMBER = 90  # characters of a number
MAX_COLUMN = 200  # characters
MAX_TREE = 2_000  # characters; ten times the longest tree that a model writes

Lang = Annotated[Literal["auto", "zh", "en"], Field(description="Language of the steps; auto is that of the text.")]
_FLOAT_TO_INT = BeforeValidator(  # 5.0 is 5
    lambda given: int(given) if isinstance(given, float) and given.is_integer() else given
)
Beam = Annotated[
    int,
    Field(ge=1, le=MAX_BEAM, strict=True, description="Beam size: the number of candidates that the search keeps."),
    _FLOAT_TO_INT,
]
Whole = Annotated[int, Field(strict=True), _FLOAT_TO_INT]
GeneratedAnswers = Annotated[
    Literal[True, False, "inline", "separate", "none"],
    BeforeValidator(lambda given: str(given) if type(given) in (int, float) else given),  # 1 is not true
]
Explain = Annotated[bool, Field(strict=True, description="Add tree, attention, MathML, LaTeX and step kinds.")]


def _config(*examples: dict[str, Any], forbid: bool = False) -> ConfigDict:
    return ConfigDict(extra="forbid" if forbid else "ignore", json_schema_extra={"examples": list(examples)})


class SolveRequest(BaseModel):
    """A word problem to solve."""

    model_config = _config(*sample_bodies.SOLVE_REQUESTS, forbid=True)
    text: str = Field(description="The problem, in Chinese or English.")
    lang: Lang = "auto"
    beam: Beam = BEAM
    explain: Explain = False


class BatchRequest(BaseModel):
    """Word problems to solve."""

    model_config = _config(sample_bodies.BATCH_REQUEST, forbid=True)
    texts: list[str] = Field(min_length=1, description="The problems, each in Chinese or English.")
    lang: Lang = "auto"
    beam: Beam = BEAM
    explain: Explain = False


class ProblemsRequest(BaseModel):
    """A pasted text or the content of a file with several problems."""

    model_config = _config(sample_bodies.PROBLEMS_REQUEST, forbid=True)
    text: str = Field(description="A numbered list, one problem per line or block, CSV, or JSON lines.")
    format: GivenFormat = Field("auto", description="How the problems are written; auto finds it out.")
    column: str = Field("", max_length=MAX_COLUMN, description="The CSV column of the problems: its name or number.")


class ExportRequest(BaseModel):
    """Problems to solve and to write to a worksheet."""

    model_config = _config(sample_bodies.EXPORT_REQUEST, forbid=True)
    problems: list[str] = Field(min_length=1, description="The problems, each in Chinese or English.")
    format: SheetFormat = Field(description="Markdown, HTML, CSV or LaTeX.")
    answers: Answers = Field("inline", description="Below each problem, on a page of their own, or not at all.")
    lang: Lang = "auto"
    beam: Beam = BEAM


class TemplateRequest(BaseModel):
    """A solved problem to solve again with other numbers."""

    model_config = _config(sample_bodies.TEMPLATE_REQUEST, forbid=True)
    text: str = Field(description="The problem that was solved.")
    lang: Lang = "auto"
    tree: str = Field(min_length=1, max_length=MAX_TREE, description="The field tree.prefix of its solution.")
    numbers: list[Annotated[str, Field(min_length=1, max_length=MAX_NUMBER)]] = Field(
        max_length=MAX_NUMBERS,
        description="A number for each number of the text, in order, as a problem would write it: 21, 3/4, 25%, 八折.",
    )


class EquationRequest(BaseModel):
    """Equations to solve exactly."""

    model_config = _config(*sample_bodies.EQUATION_REQUESTS, forbid=True)
    equations: str | list[str] = Field(description="Equations separated by ';', or a list of equations.")
    lang: Annotated[Language, Field(description="Language of the steps.")] = "en"
    explain: Explain = False


class GenerateRequest(BaseModel):
    """Which problems to generate, and how. Numbers out of range are refused in the reader's language."""

    model_config = _config(*sample_bodies.GENERATE_REQUESTS, forbid=True)
    lang: Annotated[Language, Field(description="Language of the problems.")] = "en"
    skill: str | None = Field(None, description="A skill of /v1/skills; without it, problems of every skill.")
    grade: Whole | None = Field(None, description="Only skills of this grade, 1 to 9.")
    seed: Whole | None = Field(None, description="The same seed gives the same problems; by default a random one.")
    place: Whole = Field(0, description="The place of the first problem in the sequence of the seed, from 0.")
    count: Whole = Field(1, description="How many problems, at least 1.")  # with an id, any number is ignored
    id: str | None = Field(
        None, description="Make this problem again; lang, skill, grade, seed, place and count are ignored."
    )
    answers: GeneratedAnswers = Field(
        False, description="Add the answers; in a file, where they are: true is separate, false is none."
    )
    steps: Annotated[bool, Field(strict=True)] = Field(False, description="Add answers and worked steps.")
    format: SheetFormat | None = Field(None, description="Return a worksheet as a file instead of JSON.")


class CheckRequest(BaseModel):
    """An answer to an exercise, or a request for hints or for the solution."""

    model_config = _config(*sample_bodies.CHECK_REQUESTS, forbid=True)
    id: str = Field(max_length=MAX_NUMBER, description="The id of a generated problem.")
    answer: str | None = Field(
        None, max_length=MAX_TYPED, description="Numbers as people type them: 12, 0.5, 3/4, 2 1/2 hours, 25%, 8 and 5."
    )
    reveal: Literal["hint", "solution"] | None = None
    steps: Whole = Field(1, description="How many hints, from the first one on.", json_schema_extra={"minimum": 1})
    lang: Annotated[Language | None, Field(description="Language of message, hints and steps.")] = None


class ListedProblem(BaseModel):
    """One problem of a list: its text, its own number if it has one, and the reason if it cannot be read."""

    text: str
    number: int | None = None
    error: str | None = None


class ProblemListed(BaseModel):
    """The problems of a text or file, in order; `column` is the CSV column that they come from, of all `columns`."""

    model_config = _config(sample_bodies.PROBLEMS)
    problems: list[ListedProblem]
    format: Format
    column: str | None = None
    columns: list[str] | None = None


class FoundNumber(BaseModel):
    """A number in the text; start and end are character positions."""

    text: str
    value: str
    start: int
    end: int


class CandidateEntry(BaseModel):
    """A candidate of the model, best first."""

    equations: list[str]
    outcome: CandidateOutcome
    answers: list[str]
    log_probability: float
    mathml: list[str] | None = None
    latex: list[str] | None = None
    answers_mathml: list[str] | None = None


class Node(BaseModel):
    """A node of a universal expression tree."""

    symbol: str
    label: str
    kind: Kind
    number: int | None = Field(description="Index of the number in the text, for a node of kind number.")
    parent: int | None
    children: list[int]


class Tree(BaseModel):
    """A universal expression tree, with its nodes in prefix order."""

    prefix: str
    nodes: list[Node]


class Word(BaseModel):
    """A word of the problem; start and end are character positions."""

    text: str
    start: int
    end: int


class Attention(BaseModel):
    """The attention of the decoder: for each node of the tree, a weight for each word."""

    words: list[Word]
    weights: list[list[float]]


class AskedEntry(BaseModel):
    """One thing that the text asks for; `answer` is null for a question that was skipped."""

    question: str
    quantity: str
    unknown: str
    answer: str | None
    unit: str
    rounding: str
    certain: bool
    display: str


class Solution(BaseModel):
    """The solution of a word problem. The fields from `tree` on are present only if the request sets `explain`."""

    model_config = _config(sample_bodies.SOLUTION)
    problem: str
    kind: str = Field(
        "problem", description='"problem", or what mathematics asks for: "equation", "expression", "gcd" …'
    )
    language: Language
    numbers: list[FoundNumber]
    equations: list[str]
    answers: list[str]
    decimal: list[float | None]
    unit: str
    asked: list[AskedEntry]
    display: str
    roots: list[dict[str, str]]
    confidence: float | None = Field(ge=0, le=1, description="null if no model was used.")
    abstained: bool
    reason: str
    steps: list[str]
    candidates: list[CandidateEntry]
    model: str
    outcome: SolutionOutcome | None = None
    tree: Tree | None = None
    attention: Attention | None = None
    template: list[str] | None = None
    mathml: list[str] | None = None
    latex: list[str] | None = None
    answers_mathml: list[str] | None = None
    asked_mathml: list[str] | None = None
    step_kinds: list[StepKind] | None = None
    steps_mathml: list[str] | None = None


class Error(BaseModel):
    """Why there is no answer, and what to do."""

    model_config = _config(sample_bodies.ERROR)
    error: str
    message: str
    field: str
    hint: str


class Batch(BaseModel):
    """A solution or an error for each text, in order."""

    model_config = _config(sample_bodies.BATCH)
    results: list[Solution | Error]


class EquationAnswer(BaseModel):
    """The solutions of equations. The fields from `tree` on are present only if the request sets `explain`."""

    model_config = _config(sample_bodies.EQUATION)
    equations: list[str]
    conditions: list[str]
    outcome: Outcome
    roots: list[dict[str, str]]
    decimal: list[dict[str, float | None]]
    families: list[dict[str, str]]
    reason: str
    steps: list[str]
    tree: Tree | None = None
    mathml: list[str] | None = None
    latex: list[str] | None = None
    conditions_mathml: list[str] | None = None
    roots_mathml: list[dict[str, str]] | None = None
    step_kinds: list[StepKind] | None = None
    steps_mathml: list[str] | None = None


class SkillEntry(BaseModel):
    """A skill with its grade, its names in both languages, and the number of families of problems per language."""

    skill: str
    grade: int
    en: str
    zh: str
    families: dict[Language, int]


class Skills(BaseModel):
    """The skills of the curriculum, in the order in which schools teach them."""

    model_config = _config(sample_bodies.SKILLS)
    skills: list[SkillEntry]


class AskedFor(BaseModel):
    """One thing that a generated problem asks for."""

    question: str
    quantity: str
    unit: str


class GeneratedProblem(BaseModel):
    """A generated problem. The fields from `answers` on are present only if the request asks for them."""

    id: str
    text: str
    language: Language
    skill: str
    grade: int
    asked: list[AskedFor]
    answers: list[str] | None = None
    display: str | None = None
    equations: list[str] | None = None
    steps: list[str] | None = None


class Generated(BaseModel):
    """Generated problems, in order."""

    model_config = _config(sample_bodies.GENERATED)
    problems: list[GeneratedProblem]


class Checked(BaseModel):
    """The mark of an answer (`right` to `message`), hints (`steps` to `left`), or the solution."""

    model_config = _config(sample_bodies.CHECKED)
    id: str
    right: bool | None = None
    mark: Literal["right", "wrong", "count", "order", "unit"] | None = None
    parts: list[bool] | None = Field(None, description="For each thing asked, whether it is right.")
    message: str | None = None
    steps: list[str] | None = None
    steps_mathml: list[str] | None = None
    step_kinds: list[StepKind] | None = None
    left: int | None = Field(None, description="How many more hints there are.")
    solution: Solution | None = None


class Health(BaseModel):
    """The state of the server."""

    model_config = _config(sample_bodies.HEALTH)
    status: Literal["ok", "stopping", "no_workers"]
    version: str
    models: list[str]
    workers: dict[str, int]
