"""Settings and a pool -> the FastAPI app: the paths, what they check, and how every error becomes one kind of JSON."""

from __future__ import annotations

import json
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import FileResponse, JSONResponse, Response

from sau_solver import __version__
from sau_solver.server import refusals, sample_bodies, schemas
from sau_solver.server.gate import Gate, response_to
from sau_solver.server.openapi import complete
from sau_solver.server.refusals import Refusal
from sau_solver.server.workers.pool import Pool
from sau_solver.server.workers.process import Answer

_TOLD = {
    401: "No API key, or another.", 413: "Past a limit.", 415: "The body is not announced as JSON.",
    422: "A field is wrong, or the text is no problem.",
    429: "Too many requests wait.", 500: "A mistake of ours.", 503: "The server stops.", 504: "Past the deadline.",
}  # fmt: skip
Responses = dict[int | str, dict[str, Any]]
ERRORS: Responses = {code: {"model": schemas.Error, "description": told} for code, told in _TOLD.items()}
_NAMES = {404: "not_found", 405: "wrong_method", 415: "wrong_type"}


def create_app(pool: Pool) -> FastAPI:
    """The app over a pool that runs."""
    settings, metrics = pool.settings, pool.metrics
    app = FastAPI(
        title="SAU-Solver",
        summary="Math word problems in, exact answers with their equations, tree and reasons out.",
        version=__version__,
        docs_url=None,  # both of these load scripts from other hosts
        redoc_url=None,
        redirect_slashes=False,
    )
    _add_solving(app, pool)
    _add_watching(app, pool)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Refusal, _refused)
    app.add_middleware(Gate, settings=settings, metrics=metrics)
    if settings.cors_origins:  # around the gate: a browser asks first without a key, and its refusals must be readable
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type", "x-api-key", "x-request-id"],
            expose_headers=["retry-after", "x-request-id"],
        )
    complete(app, settings)
    return app


def _add_solving(app: FastAPI, pool: Pool) -> None:
    settings = pool.settings

    @app.post("/v1/solve", response_model=schemas.Solution, responses=ERRORS, summary="Solve a word problem")
    async def solve(asked: schemas.SolveRequest, request: Request) -> Response:
        _check_text(asked.text, "text", settings.max_text)
        _tell(request, settings.log_text, asked.text)
        (answer,) = await pool.solve([_item(asked.text, "text", asked)], request.state.spent())
        return _response(request, answer)

    @app.post("/v1/solve/batch", response_model=schemas.Batch, responses=ERRORS, summary="Solve many word problems")
    async def solve_batch(asked: schemas.BatchRequest, request: Request) -> Response:
        if len(asked.texts) > settings.max_batch:
            raise refusals.too_many(settings.max_batch, len(asked.texts))
        for place, text in enumerate(asked.texts):
            _check_text(text, f"texts.{place}", settings.max_text)
        _tell(request, settings.log_text, *asked.texts)
        items = [_item(text, f"texts.{place}", asked) for place, text in enumerate(asked.texts)]
        answers = await pool.solve(items, request.state.spent())
        _tell_causes(request, answers)
        body = b'{"results":[' + b",".join(answer.body for answer in answers) + b"]}"
        return Response(body, media_type="application/json")

    @app.post("/v1/template", response_model=schemas.Solution, responses=ERRORS, summary="Solve with other numbers")
    async def template(asked: schemas.TemplateRequest, request: Request) -> Response:
        _check_text(asked.text, "text", settings.max_text)
        _tell(request, settings.log_text, asked.text)
        item = asked.model_dump() | {"lang": _language(asked.lang)}
        return _response(request, await pool.work(item, request.state.spent()))

    @app.post("/v1/equation", response_model=schemas.EquationAnswer, responses=ERRORS, summary="Solve equations")
    async def equation(asked: schemas.EquationRequest, request: Request) -> Response:
        text = asked.equations if isinstance(asked.equations, str) else "; ".join(asked.equations)
        _check_text(text, "equations", settings.max_text)
        _tell(request, settings.log_text, text)
        return _response(request, await pool.work(asked.model_dump() | {"equations": text}, request.state.spent()))


def _add_watching(app: FastAPI, pool: Pool) -> None:
    unwell: Responses = {503: {"model": schemas.Health, "description": "No worker is ready, or the server stops."}}
    sample = 'sau_requests_total{endpoint="/v1/solve",status="200"} 1.0'
    plain: Responses = {200: {"content": {"text/plain": {"example": sample}}}, 401: ERRORS[401]}

    @app.get("/healthz", response_model=schemas.Health, responses=unwell, summary="Whether the server can work")
    async def healthz() -> Response:
        status = "ok" if pool.healthy else "stopping" if pool.stopping else "no_workers"
        workers = {lane.name: lane.ready for lane in (pool.solving, pool.exact)}
        told = {"status": status, "version": __version__, "models": pool.solving.models, "workers": workers}
        return JSONResponse(told, 200 if pool.healthy else 503)

    @app.get("/metrics", response_class=Response, responses=plain, summary="For Prometheus")
    async def metrics() -> Response:
        return Response(pool.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        index = pool.settings.page / "index.html"
        if not index.is_file():
            raise HTTPException(404, "This installation has no page.")
        return FileResponse(index)

    app.mount("/page", StaticFiles(directory=pool.settings.page, check_dir=False))


def _item(text: str, field: str, asked: schemas.SolveRequest | schemas.BatchRequest) -> dict[str, Any]:
    lang = _language(asked.lang)
    return {"text": text, "lang": lang, "beam": asked.beam, "explain": asked.explain, "field": field}


def _language(lang: str) -> str | None:
    return None if lang == "auto" else lang


def _check_text(text: str, field: str, limit: int) -> None:
    if len(text) > limit:
        what = "A text of equations" if field == "equations" else "A problem"
        raise refusals.too_long(what, limit, len(text), field)


def _tell(request: Request, whole: bool, *texts: str) -> None:
    """What the log says of a request: how much text, and the text itself where the operator wants it."""
    told = request.state.told
    told["problems"], told["characters"] = len(texts), sum(map(len, texts))
    if whole:
        told["text"] = list(texts)


def _tell_causes(request: Request, answers: list[Answer]) -> None:
    if causes := [answer.counted["cause"] for answer in answers if "cause" in answer.counted]:
        request.state.told["cause"] = ", ".join(dict.fromkeys(causes))


def _response(request: Request, answer: Answer) -> Response:
    _tell_causes(request, [answer])
    return Response(answer.body, answer.status, media_type="application/json")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return response_to(error)


async def _invalid(request: Request, error: Exception) -> Response:
    """The first complaint of the validation, without what came: that may be anything."""
    assert isinstance(error, RequestValidationError)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        message = "A body of application/json was expected; send the header content-type: application/json."
        return response_to(Refusal(415, "wrong_type", message, "body", "send content-type: application/json."))
    first = error.errors()[0]
    _, *path = first["loc"]
    if first["type"] == "json_invalid" or not path:
        message = "A JSON object was expected, something else came; send one such as {example}."
        refusal = Refusal(422, "invalid", message.format(example='{"text": "…"}'), "body")
    else:
        field = ".".join(str(part) for part in path if part not in ("str", "list[str]"))
        refusal = Refusal(422, "invalid", f"{field}: {first['msg']}.", field, _how_to(request))
    return response_to(refusal)


def _how_to(request: Request) -> str:
    path = request.url.path
    shown = {"/v1/solve": sample_bodies.SOLVE_REQUESTS[0], "/v1/solve/batch": sample_bodies.BATCH_REQUEST}
    shown |= {"/v1/template": sample_bodies.TEMPLATE_REQUEST, "/v1/equation": sample_bodies.EQUATION_REQUESTS[0]}
    return f"send a body such as {json.dumps(shown[path], ensure_ascii=False)}" if path in shown else ""


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 400:  # the body could not be read as JSON: not UTF-8, or brackets without end
        return response_to(Refusal(422, "invalid", "A JSON object in UTF-8 was expected; send one.", "body"))
    hint = "GET /openapi.json lists the paths and their methods."
    refusal = Refusal(error.status_code, _NAMES.get(error.status_code, "refused"), f"{error.detail}.", hint=hint)
    answer = response_to(refusal)
    answer.headers.update(error.headers or {})
    return answer
