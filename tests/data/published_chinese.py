"""Small files in the formats of the Chinese corpora, with invented problems."""

from __future__ import annotations

from fractions import Fraction

from sau_solver.problem import Problem
from tests.data.published_form import Published, indented, lines, stream

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
