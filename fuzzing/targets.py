"""All targets by name; a target is imported when it is made, because some need torch and others start at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import cast

from fuzzing.target import Target

_PLACES = {
    "number mapping": "number_texts.NumberTexts",
    "printing": "printed_equations.PrintedTrees",
    "parser": "printed_equations.TypedEquations",
    "linear systems": "planted_systems.LinearSystems",
    "polynomials": "planted_equations.PlantedPolynomials",
    "polynomial systems": "planted_systems.PolynomialSystems",
    "radicals": "planted_equations.PlantedRadicals",
    "constants": "constant_values.ConstantValues",
    "functions": "function_equations.FunctionEquations",
    "conditions": "planted_conditions.PlantedConditions",
    "curves": "planted_curves.PlantedCurves",
    "large equations": "large_equations.LargeEquations",
    "texts": "problem_texts.ProblemTexts",
    "shipped models": "problem_texts.ShippedModels",
    "checkpoints": "damaged_checkpoints.DamagedCheckpoints",
    "corpora": "damaged_corpora.DamagedCorpora",
    "requests": "sent_requests.SentRequests",
    "raw HTTP": "sent_bytes.SentBytes",
}


def _made(place: str) -> Target:
    module, _, name = place.partition(".")
    return cast(Target, getattr(import_module(f"fuzzing.{module}"), name)())


TARGETS: Mapping[str, Callable[[], Target]] = {name: partial(_made, place) for name, place in _PLACES.items()}
