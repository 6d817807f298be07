"""Small files in the formats of the English corpora, with invented problems."""

from __future__ import annotations

from fractions import Fraction

from sau_solver.problem import Problem
from tests.data.published_form import Published, indented, lines

KUSHMAN_ROW: dict[str, object] = {
    "iIndex": 41,
    "sQuestion": "Pens and caps number 12 . There are 2 more pens . How many pens ?",
    "lEquations": ["pens+caps=12.0", "pens=caps+2.0"],
    "lSolutions": [7.0, 5.0],
    "Template": ["m + n = a"],
}
KUSHMAN_PROBLEM = Problem(
    id="41",
    text="Pens and caps number 12 . There are 2 more pens . How many pens ?",
    language="en",
    equations=("pens+caps=12.0", "pens=caps+2.0"),
    answers=(Fraction(7), Fraction(5)),
    fold=3,
)
KUSHMAN = Published(
    "kushman",
    indented(KUSHMAN_ROW),
    lines(
        {
            "id": 41,
            "text": KUSHMAN_PROBLEM.text,
            "equations": ["pens+caps=12.0", "pens=caps+2.0"],
            "answer": [7.0, 5.0],
            "fold": 3,
        }
    ),
    KUSHMAN_PROBLEM,
    fold=3,
)
KUSHMAN_NESTED = Published(
    "kushman",
    lines({"original": KUSHMAN_ROW, "text": "ignored", "expr": [], "id": "fold3-41", "answer": [[7.0, 5.0]]}),
    KUSHMAN.folder_form,
    KUSHMAN_PROBLEM,
    fold=3,
)
MAWPS = Published(
    "kushman",
    indented(
        {
            "iIndex": 9,
            "sQuestion": "Ann has 0.5 kg and buys 2 more. How much?",
            "lEquations": ["0.5+2"],
            "lSolutions": ["2.5"],
        }
    ),
    lines({"id": 9, "text": "Ann has 0.5 kg and buys 2 more. How much?", "equation": "0.5+2", "answer": 2.5}),
    Problem("9", "Ann has 0.5 kg and buys 2 more. How much?", "en", ("x=0.5+2",), (Fraction(5, 2),)),
)
DOLPHIN = Published(
    "dolphin",
    indented(
        {
            "id": "made.up.1",
            "index": 4,
            "text": "Two numbers add to 9 and differ by 5. Find them.",
            "sources": "https://example.org",
            "equations": ["unkn: m,n", "equ: m+n = 9", "equ: m-n=5"],
            "ans": "{7; 2} or {2; 7}",
            "ans_simple": [7, 2],
        }
    ),
    lines(
        {
            "id": "made.up.1",
            "text": "Two numbers add to 9 and differ by 5. Find them.",
            "unknowns": ["m", "n"],
            "equations": ["m+n = 9", "m-n=5"],
            "answer": "{7; 2} or {2; 7}",
            "split_original": "dev",
        }
    ),
    Problem(
        id="made.up.1",
        text="Two numbers add to 9 and differ by 5. Find them.",
        language="en",
        equations=("m+n = 9", "m-n=5"),
        answers=(Fraction(7), Fraction(2)),
        alternatives=((Fraction(2), Fraction(7)),),
        unknowns=("m", "n"),
        split="dev",
    ),
    split="dev",
)
DOLPHIN18K = Published(
    "dolphin",
    indented(
        {
            "id": "made.up.2",
            "text": "A coat at 20% off costs 40. What was its price?",
            "equations": "unkn: x\r\nequ: x*0.8=40",
            "ans": "50 | $50",
            "label": "manual",
        }
    ),
    lines(
        {
            "id": "made.up.2",
            "text": "A coat at 20% off costs 40. What was its price?",
            "label": "manual",
            "unknowns": ["x"],
            "equations": ["x*0.8=40"],
            "answer": "50 | $50",
            "part": "eval",
        }
    ),
    Problem(
        id="made.up.2",
        text="A coat at 20% off costs 40. What was its price?",
        language="en",
        equations=("x*0.8=40",),
        answers=(Fraction(50),),
        unknowns=("x",),
        split="eval",
        kind="manual",
    ),
    split="eval",
)
ASDIV_PROBLEM = Problem(
    id="made-0001",
    text="Six jars & four cups stand here. How many things stand here?",
    language="en",
    equations=("x=6+4",),
    answers=(Fraction(10),),
    kind="Addition",
)
ASDIV_FOLDER = lines(
    {
        "id": "made-0001",
        "body": "Six jars & four cups stand here.",
        "question": "How many things stand here?",
        "text": ASDIV_PROBLEM.text,
        "equation": "6+4=10",
        "answer": "10 (things)",
        "grade": 1,
        "type": "Addition",
    }
)
ASDIV = Published(
    "asdiv",
    b"""<?xml version="1.0" encoding="UTF-8"?>
<Machine-Reading-Corpus-File><ProblemSet>
    <Problem ID="made-0001" Grade="1" Source="made up">
        <Body>Six jars &amp; four cups stand here.</Body>
        <Question>How many things stand here?</Question>
        <Solution-Type>Addition</Solution-Type>
        <Answer>10 (things)</Answer>
        <Formula>6+4=10</Formula>
    </Problem>
</ProblemSet></Machine-Reading-Corpus-File>
""",
    ASDIV_FOLDER,
    ASDIV_PROBLEM,
)
ASDIV_A = Published(
    "asdiv",
    indented(
        {
            "@ID": "made-0001",
            "@Grade": "1",
            "@Source": "made up",
            "Body": "Six jars & four cups stand here.",
            "Question": "How many things stand here?",
            "Solution-Type": {"@Subgoal-1": "Sum", "#text": "Addition"},
            "Answer": "10 (things)",
            "Formula": "6+4=10",
        }
    ),
    ASDIV_FOLDER,
    ASDIV_PROBLEM,
)
SVAMP = Published(
    "svamp",
    indented(
        {
            "ID": "made-1",
            "Body": "Tom has 8 kites and gives 3 away",
            "Question": "how many are left?",
            "Equation": "( 8.0 - 3.0 )",
            "Answer": 5.0,
            "Type": "Subtraction",
        }
    ),
    lines(
        {
            "id": "made-1",
            "body": "Tom has 8 kites and gives 3 away",
            "question": "how many are left?",
            "equation": "( 8.0 - 3.0 )",
            "answer": "5",
            "type": "Subtraction",
        }
    ),
    Problem(
        id="made-1",
        text="Tom has 8 kites and gives 3 away, how many are left?",
        language="en",
        equations=("x=( 8.0 - 3.0 )",),
        answers=(Fraction(5),),
        kind="Subtraction",
    ),
)
MATHQA = Published(
    "mathqa",
    indented(
        {"original_text": "a tank of 60 litres loses 1 / 4 . what is left ?", "equation": "x=(60*(3/4))", "ans": "45.0"}
    ),
    lines(
        {
            "id": "valid-0",
            "text": "a tank of 60 litres loses 1 / 4 . what is left ?",
            "equation": "x=(60*(3/4))",
            "answer": "45.0",
            "split": "valid",
        }
    ),
    Problem(
        id="valid-0",
        text="a tank of 60 litres loses 1 / 4 . what is left ?",
        language="en",
        equations=("x=(60*(3/4))",),
        answers=(Fraction(45),),
        split="valid",
    ),
    split="valid",
)
GSM8K = Published(
    "gsm8k",
    lines(
        {
            "question": "Rosa folds 16 cranes, then half as many again. How many in all?",
            "answer": "She folds 16/2=<<16/2=8>>8 more.\nThat is 16+8=<<16+8=24>>24.\n#### 24",
        }
    ),
    lines(
        {
            "id": "train-0",
            "text": "Rosa folds 16 cranes, then half as many again. How many in all?",
            "solution": "She folds 16/2=<<16/2=8>>8 more.\nThat is 16+8=<<16+8=24>>24.\n#### 24",
            "equations": ["16/2=8", "16+8=24"],
            "answer": "24",
            "split": "train",
        }
    ),
    Problem(
        id="train-0",
        text="Rosa folds 16 cranes, then half as many again. How many in all?",
        language="en",
        equations=("x=16+16/2",),
        answers=(Fraction(24),),
        split="train",
    ),
    split="train",
)
