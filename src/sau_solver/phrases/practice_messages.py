"""The sentences about practice by code, in English and Chinese: refused requests, and verdicts on answers."""

from __future__ import annotations

from collections.abc import Mapping

PRACTICE: Mapping[str, tuple[str, str]] = {
    # --- requests that are refused ------------------------------------------------------------------------------------
    "unknown_skill": ("There is no skill “{skill}”.", "没有名为“{skill}”的题型。"),
    "unknown_skill_hint": ("{path} lists all skills.", "所有题型见 {path}。"),
    "similar_skills": ("Did you mean {names}?", "你要找的是 {names} 吗？"),
    "no_families": ("There are no problems for this choice.", "没有符合这些条件的题目。"),
    "no_families_hint": ("Choose another skill or grade.", "请选择其他题型或年级。"),
    "out_of_range": (
        "{field} must be between {least:,} and {most:,}, got {given}.",
        "{field} 必须在 {least:,} 到 {most:,} 之间，实际是 {given}。",
    ),
    "out_of_range_hint": ("Send another number, or leave it out.", "请换一个数，或不填这一项。"),
    "unknown_exercise": ("There is no exercise “{id}”.", "没有编号为“{id}”的练习题。"),
    "unknown_exercise_hint": (
        "Send the id of a generated problem, such as {example}.",
        "请使用已生成题目的编号，例如 {example}。",
    ),
    "no_request": (
        "The request does not say whether to mark an answer, to show hints or to show the solution.",
        "请求中没有说明要批改答案、查看提示还是查看解答。",
    ),
    "no_request_hint": (
        "Send an answer, or ask for hints or for the solution.",
        "请提交答案，或者请求提示或解答。",
    ),
    "answer_without_number": ("There is no number in this answer.", "答案中没有数。"),
    "answer_without_number_hint": (
        "Type a number such as 12, 0.5, 3/4 or 25%, with or without a unit.",
        "请输入数，例如 12、0.5、3/4 或 25%，单位可写可不写。",
    ),
    # --- verdicts on typed answers ------------------------------------------------------------------------------------
    "mark_right": ("That is right!", "答对了！"),
    "mark_wrong": (
        "Not right yet. Read the question once more, or take a hint.",
        "还不对。再读一遍问题，或者看一个提示。",
    ),
    "mark_some": (
        "Not right yet: {right} of {count} answers are right.",
        "还不全对：{count} 个答案中对了 {right} 个。",
    ),
    "mark_count_one": (
        "The question asks for one number. Type only that number.",
        "这道题只求一个数，请只写这个数。",
    ),
    "mark_count": (
        "The question asks for {count} numbers. Type all of them, with commas between them.",
        "这道题要求 {count} 个数，请全部写出，用逗号隔开。",
    ),
    "mark_order": (
        "These are the right numbers, but in another order. Type them in the order of the question.",
        "数都对，但顺序不对。请按提问的顺序写。",
    ),
    "mark_unit": ("Check the unit: the question asks for {unit}.", "请检查单位：这道题求的是{unit}。"),
}
