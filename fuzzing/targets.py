"""All targets by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fuzzing.damaged_checkpoints import DamagedCheckpoints
from fuzzing.damaged_corpora import DamagedCorpora
from fuzzing.function_equations import FunctionEquations
from fuzzing.number_texts import NumberTexts
from fuzzing.planted_conditions import PlantedConditions
from fuzzing.planted_equations import PlantedPolynomials, PlantedRadicals
from fuzzing.planted_systems import LinearSystems, PolynomialSystems
from fuzzing.printed_equations import PrintedTrees, TypedEquations
from fuzzing.problem_texts import ProblemTexts, ShippedModels
from fuzzing.sent_requests import SentRequests
from fuzzing.target import Target

_ALL: tuple[Callable[[], Target], ...] = (
    NumberTexts,
    PrintedTrees,
    TypedEquations,
    LinearSystems,
    PlantedPolynomials,
    PolynomialSystems,
    PlantedRadicals,
    FunctionEquations,
    PlantedConditions,
    ProblemTexts,
    ShippedModels,
    DamagedCheckpoints,
    DamagedCorpora,
    SentRequests,
)
TARGETS: Mapping[str, Callable[[], Target]] = {made.name: made for made in _ALL}  # type: ignore[attr-defined]
