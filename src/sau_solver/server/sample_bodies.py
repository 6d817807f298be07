"""The example requests and responses of the OpenAPI schema. A test sends the requests and compares the responses."""

from __future__ import annotations

from typing import Any

from sau_solver import __version__

Object = dict[str, Any]

APPLES = "Tom has 3 apples and buys 5 more. How many apples does he have?"
PENS = "一支钢笔8元，买3支钢笔要多少元？"

SOLVE_REQUESTS: list[Object] = [{"text": APPLES}, {"text": PENS, "lang": "zh", "beam": 5, "explain": True}]
BATCH_REQUEST: Object = {"texts": [APPLES, PENS]}
PROBLEMS_REQUEST: Object = {"text": f"1. {APPLES}\n2. {PENS}", "format": "auto"}
EXPORT_REQUEST: Object = {"problems": [APPLES, PENS], "format": "html", "answers": "separate"}
TEMPLATE_REQUEST: Object = {"text": APPLES, "lang": "en", "tree": "+ N0 N1", "numbers": ["4", "5"]}
EQUATION_REQUESTS: list[Object] = [
    {"equations": "x*(50-2*x)=300"},
    {"equations": ["x+y=20", "2*x+4*y=50"], "lang": "zh", "explain": True},
]
GENERATE_REQUESTS: list[Object] = [
    {"skill": "speed", "seed": 3, "count": 2},
    {"id": "en-speed-3-17", "answers": True, "steps": True},
    {"lang": "zh", "grade": 4, "count": 20, "format": "html", "answers": "separate"},
]
CHECK_REQUESTS: list[Object] = [
    {"id": "en-speed-3-17", "answer": "2 1/2 hours"},
    {"id": "en-speed-3-17", "reveal": "hint", "steps": 1, "lang": "en"},
    {"id": "zh-speed-3-17", "reveal": "solution"},
]

SOLUTION: Object = {
    "problem": APPLES,
    "kind": "problem",
    "language": "en",
    "numbers": [{"text": "3", "value": "3", "start": 8, "end": 9}, {"text": "5", "value": "5", "start": 26, "end": 27}],
    "equations": ["x=3+5"],
    "answers": ["8"],
    "decimal": [8.0],
    "unit": "apples",
    "asked": [
        {
            "question": "How many apples does he have?",
            "quantity": "apples",
            "unknown": "x",
            "answer": "8",
            "unit": "apples",
            "rounding": "",
            "certain": True,
            "display": "8 apples",
        }
    ],
    "display": "8 apples",
    "roots": [{"x": "8"}],
    "confidence": 0.9865,
    "abstained": False,
    "reason": "",
    "steps": ["“3 apples”, “5 more”: 3 + 5 = 8", "Answer: 8 apples."],
    "candidates": [{"equations": ["x=3+5"], "outcome": "solved", "answers": ["8"], "log_probability": -0.0531}],
    "model": "sau-en",
}
ERROR: Object = {
    "error": "no_problem",
    "message": "The problem has no words.",
    "field": "texts.1",
    "hint": "Describe it in Chinese or English.",
}
BATCH: Object = {"results": [SOLUTION, ERROR]}
PROBLEMS: Object = {"problems": [{"text": APPLES, "number": 1}, {"text": PENS, "number": 2}], "format": "list"}
EQUATION: Object = {
    "equations": ["x*(50-2*x)=300"],
    "conditions": [],
    "outcome": "solved",
    "roots": [{"x": "10"}, {"x": "15"}],
    "decimal": [{"x": 10.0}, {"x": 15.0}],
    "families": [],
    "reason": "",
    "steps": ["Solve x*(50-2*x)=300 for x."],
}
SKILLS: Object = {
    "skills": [
        {
            "skill": "speed",
            "grade": 4,
            "en": "Distance, speed and time",
            "zh": "路程、速度与时间",
            "families": {"en": 8, "zh": 6},
        }
    ]
}
GENERATED: Object = {
    "problems": [
        {
            "id": "en-speed-3-17",
            "text": "Amina's family drives at a steady 60 kilometers per hour for 7 hours. "
            "How many kilometers would be covered in 3 hours at this speed?",
            "language": "en",
            "skill": "speed",
            "grade": 4,
            "asked": [
                {
                    "question": "How many kilometers would be covered in 3 hours at this speed?",
                    "quantity": "kilometers",
                    "unit": "kilometers",
                }
            ],
        }
    ]
}
CHECKED: Object = {
    "id": "en-speed-3-17",
    "right": False,
    "mark": "unit",
    "parts": [False],
    "message": "Check the unit: the question asks for kilometers.",
}
HEALTH: Object = {
    "status": "ok",
    "version": __version__,
    "models": ["sau-zh", "sau-en"],
    "workers": {"solve": 2, "equation": 1},
}
