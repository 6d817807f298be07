"""The endpoints for several problems: a text is split into its problems, and problems become a worksheet."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sau_solver.errors import InputError
from sau_solver.phrases import Language
from sau_solver.server import refusals, schemas
from sau_solver.server.refusals import Refusal
from sau_solver.server.workers.pool import Pool
from sau_solver.server.workers.process import Answer
from sau_solver.sheets.sheet import item_of, make_sheet
from sau_solver.sheets.sheet_formats import SHEET_FORMATS, SheetFormat
from sau_solver.text.lists.problem_lines import ProblemLine
from sau_solver.text.lists.problem_lists import MAX_PROBLEMS, read_problems

BUSY_TRIES = 5  # how often a part of a worksheet is submitted if the queue is full

EXPORTED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The worksheet as a file.",
        "content": {kind.media_type: {"schema": {"type": "string"}} for kind in SHEET_FORMATS.values()},
    }
}


async def split(body: schemas.ProblemsRequest, request: Request, messages: Language | None) -> Response:
    """Answer with the problems of a text."""
    try:
        found = await asyncio.to_thread(read_problems, body.text, body.format, body.column, messages=messages)
    except InputError as error:
        raise refusals.no_list(error) from None
    request.state.logged["problems"] = len(found.problems)
    listed = [_listed(problem) for problem in found.problems]
    table = {"column": found.column, "columns": list(found.columns)} if found.columns else {}
    return JSONResponse({"problems": listed, "format": found.format} | table)


async def export(
    body: schemas.ExportRequest, items: Sequence[dict[str, Any]], pool: Pool, request: Request
) -> Response:
    """Solve the problems and answer with a worksheet. A text that is not a problem gets a remark in its place."""
    answers = await _solve_in_parts(items, pool, request)
    solved = [item_of(json.loads(answer.body), problem) for answer, problem in zip(answers, body.problems, strict=True)]
    sheet = make_sheet(solved, body.answers, None if body.lang == "auto" else body.lang)
    text = await asyncio.to_thread(SHEET_FORMATS[body.format].write, sheet)
    return file_response(text, body.format)


def file_response(text: str, form: SheetFormat, name: str = "worksheet") -> Response:
    """Return the response with a worksheet to save."""
    headers = {"content-disposition": f'attachment; filename="{name}.{form}"'}
    return Response(text, media_type=SHEET_FORMATS[form].media_type, headers=headers)


def check_count(body: schemas.ExportRequest) -> None:
    """Refuse a worksheet with too many problems."""
    if len(body.problems) > MAX_PROBLEMS:
        raise refusals.too_many(MAX_PROBLEMS, len(body.problems), "problems")


async def _solve_in_parts(items: Sequence[dict[str, Any]], pool: Pool, request: Request) -> list[Answer]:
    """Solve a batch at a time, each with a deadline of its own, so that other requests can go between them."""
    size = pool.settings.batch_size
    answers: list[Answer] = []
    for start in range(0, len(items), size):
        if await request.is_disconnected():
            raise refusals.stopping()
        answers += await _solve(items[start : start + size], pool, BUSY_TRIES)
    return answers


async def _solve(items: Sequence[dict[str, Any]], pool: Pool, tries: int) -> list[Answer]:
    try:
        return await pool.solve(items, 0.0)
    except Refusal as refusal:
        if refusal.status != 429 or tries <= 1:
            raise
        await asyncio.sleep(refusal.retry_after or 1)
    return await _solve(items, pool, tries - 1)


def _listed(problem: ProblemLine) -> dict[str, Any]:
    more = {"number": problem.label, "error": problem.error or None}
    return {"text": problem.text} | {name: value for name, value in more.items() if value is not None}
