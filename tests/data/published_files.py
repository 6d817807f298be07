"""Small files in every published format, with invented problems, and a web server that publishes them."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from sau_solver.problem import Problem


def indented(*rows: Mapping[str, object]) -> bytes:
    return json.dumps(rows, ensure_ascii=False, indent=4).encode()


def stream(*rows: Mapping[str, object]) -> bytes:
    return "\n".join(json.dumps(row, ensure_ascii=False, indent=2) for row in rows).encode()


def lines(*rows: Mapping[str, object]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


@dataclass(frozen=True)
class Published:
    """A published file, the same problem in our JSON lines, and the Problem that both must give."""

    form: str
    content: bytes
    folder_form: bytes
    problem: Problem
    split: str | None = None
    fold: int | None = None


MATH23K = Published(
    "math23k",
    stream(
        {
            "id": "1",
            "original_text": "书店有3箱书，每箱12本，一共多少本？",
            "segmented_text": "书店 有 3 箱 书 ， 每箱 12 本 ， 一共 多少 本 ？",
            "equation": "x=3*12",
            "ans": "36",
        }
    ),
    lines(
        {
            "id": "1",
            "text": "书店有3箱书，每箱12本，一共多少本？",
            "segmented": "书店 有 3 箱 书 ， 每箱 12 本 ， 一共 多少 本 ？",
            "equation": "x=3*12",
            "answer": "36",
            "split": "train",
        }
    ),
    Problem(
        id="1",
        text="书店有3箱书，每箱12本，一共多少本？",
        language="zh",
        equations=("x=3*12",),
        answers=(Fraction(36),),
        words=("书店", "有", "3", "箱", "书", "，", "每箱", "12", "本", "，", "一共", "多少", "本", "？"),
        split="train",
    ),
    split="train",
)

HMWP = Published(
    "hmwp",
    indented(
        {
            "id": 77,
            "original_text": "果园 有 24 棵 树 ， 梨树 x 棵",
            "equation": "x + y = 24.0 ; x = 2.0 * y",
            "ans": [16, 8.0],
        }
    ),
    lines(
        {
            "idx": 0,
            "id": 77,
            "text": "果园 有 24 棵 树 ， 梨树 x 棵",
            "equation": "x + y = 24.0 ; x = 2.0 * y",
            "answer": [16, 8.0],
            "paper_filter": True,
        }
    ),
    Problem(
        id="0",
        text="果园有24棵树，梨树x棵",
        language="zh",
        equations=("x + y = 24.0", "x = 2.0 * y"),
        answers=(Fraction(16), Fraction(8)),
        words=("果园", "有", "24", "棵", "树", "，", "梨树", "x", "棵"),
    ),
)

CM17K = Published(
    "cm17k",
    indented(
        {
            "id": 5,
            "type": 3,
            "original_text": "1  只 鸡 2  条 腿 ， 共 3.5  元 ？",
            "equation": "x + y = 3.5 ; x - y = 0.5",
            "ans": [2, 1.5],
            "examination_point": "",
            "analyse": "",
            "raw_text": "一只鸡两条腿，共3.5元？",
            "pos": "m q n",
        }
    ),
    lines(
        {
            "id": 5,
            "text": "一只鸡两条腿，共3.5元？",
            "segmented": "1  只 鸡 2  条 腿 ， 共 3.5  元 ？",
            "equation": "x + y = 3.5 ; x - y = 0.5",
            "answer": [2, 1.5],
            "type": 3,
            "examination_point": "",
            "analysis": "",
            "split": "valid",
        }
    ),
    Problem(
        id="5",
        text="一只鸡两条腿，共3.5元？",
        language="zh",
        equations=("x + y = 3.5", "x - y = 0.5"),
        answers=(Fraction(2), Fraction(3, 2)),
        words=("1", "只", "鸡", "2", "条", "腿", "，", "共", "3.5", "元", "？"),
        split="valid",
        kind="3",
    ),
    split="valid",
)

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
GSM8K_ZH_ROW: dict[str, object] = {
    "id": "train-0",
    "text": "罗莎折了16只纸鹤，然后又折了一半。她一共折了多少只？",
    "text_en": "Rosa folds 16 cranes, then half as many again. How many in all?",
    "solution": "She folds 16/2=<<16/2=8>>8 more.\nThat is 16+8=<<16+8=24>>24.\n#### 24",
    "equations": ["16/2=8", "16+8=24"],
    "answer": "24",
    "split": "train",
}
GSM8K_ZH = Published(
    "gsm8k-zh",
    lines(GSM8K_ZH_ROW),
    lines(GSM8K_ZH_ROW),
    Problem(
        id="train-0",
        text="罗莎折了16只纸鹤，然后又折了一半。她一共折了多少只？",
        language="zh",
        equations=("x=16+16/2",),
        answers=(Fraction(24),),
        split="train",
    ),
)

ALL = {
    "Math23K": MATH23K,
    "HMWP": HMWP,
    "CM17K": CM17K,
    "ALG514": KUSHMAN,
    "DRAW-1K": KUSHMAN_NESTED,
    "MAWPS": MAWPS,
    "Dolphin1878": DOLPHIN,
    "Dolphin18K": DOLPHIN18K,
    "ASDiv": ASDIV,
    "ASDiv-A": ASDIV_A,
    "SVAMP": SVAMP,
    "MathQA": MATHQA,
    "GSM8K": GSM8K,
    "GSM8K in Chinese": GSM8K_ZH,
}

# The files that a public server offers for the corpora that can be fetched.
BY_CORPUS = {
    "hmwp": HMWP,
    "hmwp-all": HMWP,
    "alg514": KUSHMAN_NESTED,
    "draw1k": KUSHMAN_NESTED,
    "dolphin1878": DOLPHIN,
    "dolphin_l": KUSHMAN,
    "mawps": MAWPS,
    "mawps-single": MAWPS,
    "asdiv": ASDIV,
    "asdiv-a": ASDIV_A,
    "svamp": SVAMP,
    "ape210k-valid": MATH23K,
    "cm17k-valid": CM17K,
    "mathqa-valid": MATHQA,
    "gsm8k": GSM8K,
}


def zipped(member: str, content: bytes) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(member, content)
    return archive.getvalue()


@contextmanager
def web_server(pages: dict[str, bytes], cut_short: bool = False) -> Iterator[tuple[str, list[str]]]:
    """Run a local server; yield its address and the list of requested paths. `cut_short` breaks off inside a file."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # name required by http.server
            asked.append(self.path)
            content = pages.get(self.path)
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write((content or b"")[: len(content or b"") // 2 if cut_short else None])

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # name required by http.server
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
