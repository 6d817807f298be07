"""The bodies of requests and answers, as OpenAPI shows them; every field is documented in docs/server.md."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from sau_solver.explaining.step_kinds import StepKind
from sau_solver.models.base import BEAM
from sau_solver.problem import Language
from sau_solver.server import sample_bodies
from sau_solver.solver import MAX_BEAM

Kind = Literal["operator", "unknown", "constant", "number"]
Outcome = Literal["solved", "none", "infinite", "too_hard"]
CandidateOutcome = Literal["solved", "none", "infinite", "too_hard", "not_filled"]
SolutionOutcome = Literal["solved", "none", "infinite", "too_hard", "not_filled", "unread"]
MAX_NUMBER = 90  # characters of a number
MAX_TREE = 2_000  # characters; the longest tree that a model writes has a tenth of them
MAX_VALUES = 60  # as many numbers as a problem may have

Lang = Annotated[Literal["auto", "zh", "en"], Field(description="Language of the text; auto finds it out.")]
Beam = Annotated[
    int,
    Field(ge=1, le=MAX_BEAM, strict=True, description="Candidates that the search keeps."),
    BeforeValidator(
        lambda came: int(came) if isinstance(came, float) and came.is_integer() else came
    ),  # 5.0 is JSON's 5
]
Explain = Annotated[bool, Field(strict=True, description="Add what a page shows: tree, attention, MathML, LaTeX.")]


def _shown(*shown: dict[str, Any], forbid: bool = False) -> ConfigDict:
    return ConfigDict(extra="forbid" if forbid else "ignore", json_schema_extra={"examples": list(shown)})


class SolveRequest(BaseModel):
    """A word problem."""

    model_config = _shown(*sample_bodies.SOLVE_REQUESTS, forbid=True)
    text: str = Field(description="The problem, in Chinese or English.")
    lang: Lang = "auto"
    beam: Beam = BEAM
    explain: Explain = False


class BatchRequest(BaseModel):
    """Word problems."""

    model_config = _shown(sample_bodies.BATCH_REQUEST, forbid=True)
    texts: list[str] = Field(min_length=1, description="The problems, each in Chinese or English.")
    lang: Lang = "auto"
    beam: Beam = BEAM
    explain: Explain = False


class TemplateRequest(BaseModel):
    """A problem that was solved before, with other numbers."""

    model_config = _shown(sample_bodies.TEMPLATE_REQUEST, forbid=True)
    text: str = Field(description="The problem as it was solved.")
    lang: Lang = "auto"
    tree: str = Field(min_length=1, max_length=MAX_TREE, description="The tree.prefix of its solution.")
    numbers: list[Annotated[str, Field(min_length=1, max_length=MAX_NUMBER)]] = Field(
        max_length=MAX_VALUES,
        description="A number for each number of the text, in order, as a problem would write it: 21, 3/4, 25%, 八折.",
    )


class EquationRequest(BaseModel):
    """Equations to solve exactly."""

    model_config = _shown(*sample_bodies.EQUATION_REQUESTS, forbid=True)
    equations: str | list[str] = Field(description="One text with ';' between equations, or a list of them.")
    lang: Annotated[Language, Field(description="Language of the steps.")] = "en"
    explain: Explain = False


class FoundNumber(BaseModel):
    """A number of the text; start and end count characters."""

    text: str
    value: str
    start: int
    end: int


class SolvedCandidate(BaseModel):
    """What else the model proposed."""

    equations: list[str]
    outcome: CandidateOutcome
    answers: list[str]
    log_probability: float
    mathml: list[str] | None = None
    latex: list[str] | None = None
    answers_mathml: list[str] | None = None


class Node(BaseModel):
    """Of a universal expression tree."""

    symbol: str
    label: str
    kind: Kind
    number: int | None = Field(description="For a number of the text: which one.")
    parent: int | None
    children: list[int]


class Tree(BaseModel):
    """Nodes in prefix order."""

    prefix: str
    nodes: list[Node]


class Word(BaseModel):
    """Of the problem; start and end count characters."""

    text: str
    start: int
    end: int


class Attention(BaseModel):
    """For each node of the tree, how much the decoder looked at each word when it wrote that node."""

    words: list[Word]
    weights: list[list[float]]


class Solution(BaseModel):
    """What was found; the fields from `tree` on only come where they are asked for with `explain`."""

    model_config = _shown(sample_bodies.SOLUTION)
    problem: str
    language: Language
    numbers: list[FoundNumber]
    equations: list[str]
    answers: list[str]
    decimal: list[float | None]
    unit: str
    roots: list[dict[str, str]]
    confidence: float | None = Field(ge=0, le=1, description="null where no model was asked.")
    abstained: bool
    reason: str
    steps: list[str]
    candidates: list[SolvedCandidate]
    model: str
    outcome: SolutionOutcome | None = None
    tree: Tree | None = None
    attention: Attention | None = None
    template: list[str] | None = None
    mathml: list[str] | None = None
    latex: list[str] | None = None
    answers_mathml: list[str] | None = None
    step_kinds: list[StepKind] | None = None
    steps_mathml: list[str] | None = None


class Error(BaseModel):
    """Why there is no answer."""

    model_config = _shown(sample_bodies.ERROR)
    error: str
    message: str
    field: str
    hint: str


class Batch(BaseModel):
    """A solution for each text, or an error in its place."""

    model_config = _shown(sample_bodies.BATCH)
    results: list[Solution | Error]


class EquationAnswer(BaseModel):
    """What came of solving; the fields from `tree` on only come where they are asked for with `explain`."""

    model_config = _shown(sample_bodies.EQUATION)
    equations: list[str]
    conditions: list[str]
    outcome: Outcome
    roots: list[dict[str, str]]
    decimal: list[dict[str, float | None]]
    reason: str
    steps: list[str]
    tree: Tree | None = None
    mathml: list[str] | None = None
    latex: list[str] | None = None
    conditions_mathml: list[str] | None = None
    roots_mathml: list[dict[str, str]] | None = None
    step_kinds: list[StepKind] | None = None
    steps_mathml: list[str] | None = None


class Health(BaseModel):
    """Whether the server can work."""

    model_config = _shown(sample_bodies.HEALTH)
    status: Literal["ok", "stopping", "no_workers"]
    version: str
    models: list[str]
    workers: dict[str, int]
