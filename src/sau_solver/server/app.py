"""A pool of workers -> the FastAPI app: its paths, their checks, and one JSON form for all errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any, Literal

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import FileResponse, JSONResponse, Response

from sau_solver import __version__
from sau_solver.phrases import Language, Phrase
from sau_solver.server import listing, refusals, sample_bodies, schemas
from sau_solver.server.gate import OPEN, Gate, response_to
from sau_solver.server.practice import Kind
from sau_solver.server.refusals import Refusal
from sau_solver.server.settings import Settings
from sau_solver.server.workers.pool import Pool
from sau_solver.server.workers.process import Answer
from sau_solver.text.language import detect_language

_DESCRIPTIONS = {
    401: "The API key is missing or wrong.",
    413: "The text, batch or body is too long.",
    415: "The content type is not application/json.",
    422: "A field is invalid, or the text is not a problem.",
    429: "Too many requests are waiting.",
    500: "Internal error.",
    503: "The server is shutting down.",
    504: "The deadline has passed.",
}
Responses = dict[int | str, dict[str, Any]]
ERRORS: Responses = {code: {"model": schemas.Error, "description": text} for code, text in _DESCRIPTIONS.items()}
Lang = Literal["auto", "zh", "en"]

KEYS: dict[str, Any] = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "The API key, if the operator has set one."},
    "key": {"type": "apiKey", "in": "header", "name": "x-api-key", "description": "The API key in its own header."},
}
REQUEST_ID = {
    "description": "The x-request-id of the request if it is valid, otherwise a new one. It is also in the log.",
    "required": True,
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
}
RETRY_AFTER = {
    "description": "Seconds to wait before the next attempt.",
    "required": True,
    "schema": {"type": "integer", "minimum": 1},
}
SKILLS_CACHED = "private, max-age=3600"  # they change only with the version
GENERATED: Responses = {200: {"description": "The problems; a worksheet as a file if the request has a format."}}
GENERATED[200]["content"] = listing.EXPORTED[200]["content"]
_LIMITS = (
    "Limits of this server: {0.max_text:,} characters per text, {0.max_body:,} bytes per request, {0.max_upload:,} "
    "bytes per list of problems, {0.max_batch:,} problems per batch, {0.max_generated:,} generated problems per "
    "request, {0.max_sheet:,} of a worksheet, {0.max_waiting:,} waiting requests, {0.request_seconds:g} s per request."
)


class JsonRoute(APIRoute):
    """A path whose bodies must be application/json; FastAPI itself would also accept application/vnd.api+json."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of a request, which checks the content type first."""
        handle = super().get_route_handler()

        async def checked(request: Request) -> Response:
            kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            if self.body_field is not None and kind != "application/json":
                raise refusals.wrong_type(kind)
            return await handle(request)

        return checked


def create_app(pool: Pool) -> FastAPI:
    """Create the app that sends its work to a running pool."""
    settings, metrics = pool.settings, pool.metrics
    app = FastAPI(
        title="SAU-Solver",
        summary="Solves math word problems in Chinese and English: exact answers with equations, tree and steps.",
        version=__version__,
        docs_url=None,  # both pages would load scripts from other hosts
        redoc_url=None,
        redirect_slashes=False,
    )
    app.router.route_class = JsonRoute
    _add_solving(app, pool)
    _add_lists(app, pool)
    _add_practice(app, pool)
    _add_monitoring(app, pool)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Refusal, _refused)
    app.add_middleware(Gate, settings=settings, metrics=metrics)
    if settings.cors_origins:  # around the gate: preflights have no key, and other sites must be able to read errors
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type", "x-api-key", "x-request-id"],
            expose_headers=["retry-after", "x-request-id"],
        )
    _complete_schema(app, settings)
    return app


def _add_solving(app: FastAPI, pool: Pool) -> None:
    settings = pool.settings

    @app.post("/v1/solve", response_model=schemas.Solution, responses=ERRORS, summary="Solve a word problem")
    async def solve(body: schemas.SolveRequest, request: Request) -> Response:
        _check_text(body.text, "text", settings.max_text, body.lang)
        _log_texts(request, settings.log_text, body.text)
        (answer,) = await pool.solve([_item(body.text, "text", body, request)], request.state.spent())
        return _response(request, answer)

    @app.post("/v1/solve/batch", response_model=schemas.Batch, responses=ERRORS, summary="Solve many word problems")
    async def solve_batch(body: schemas.BatchRequest, request: Request) -> Response:
        if len(body.texts) > settings.max_batch:
            raise refusals.too_many(settings.max_batch, len(body.texts))
        for place, text in enumerate(body.texts):
            _check_text(text, f"texts.{place}", settings.max_text, body.lang)
        _log_texts(request, settings.log_text, *body.texts)
        items = [_item(text, f"texts.{place}", body, request) for place, text in enumerate(body.texts)]
        answers = await pool.solve(items, request.state.spent())
        _log_causes(request, answers)
        results = b'{"results":[' + b",".join(answer.body for answer in answers) + b"]}"
        return Response(results, media_type="application/json")

    @app.post(
        "/v1/template",
        response_model=schemas.Solution,
        responses=ERRORS,
        summary="Solve a problem again with other numbers",
    )
    async def template(body: schemas.TemplateRequest, request: Request) -> Response:
        _check_text(body.text, "text", settings.max_text, body.lang)
        _log_texts(request, settings.log_text, body.text)
        item = body.model_dump() | {"lang": _language(body.lang), "messages": _accepted_language(request)}
        return _response(request, await pool.work(item, request.state.spent()))

    @app.post(
        "/v1/equation", response_model=schemas.EquationAnswer, responses=ERRORS, summary="Solve equations exactly"
    )
    async def equation(body: schemas.EquationRequest, request: Request) -> Response:
        text = body.equations if isinstance(body.equations, str) else "; ".join(body.equations)
        _check_text(text, "equations", settings.max_text, body.lang)
        _log_texts(request, settings.log_text, text)
        item = body.model_dump() | {"equations": text, "messages": _accepted_language(request)}
        return _response(request, await pool.work(item, request.state.spent()))


def _add_lists(app: FastAPI, pool: Pool) -> None:
    settings = pool.settings

    @app.post(
        "/v1/problems", response_model=schemas.ProblemListed, responses=ERRORS, summary="Find the problems of a text"
    )
    async def problems(body: schemas.ProblemsRequest, request: Request) -> Response:
        _log_texts(request, settings.log_text, body.text)
        return await listing.split(body, request, _accepted_language(request))

    @app.post("/v1/export", response_class=Response, responses=ERRORS | listing.EXPORTED, summary="Make a worksheet")
    async def export(body: schemas.ExportRequest, request: Request) -> Response:
        listing.check_count(body)
        _log_texts(request, settings.log_text, *body.problems)
        own = {"lang": _language(body.lang), "beam": body.beam, "explain": False, "step_kinds": True}
        own["messages"] = _accepted_language(request)
        items = [own | {"text": text, "field": f"problems.{place}"} for place, text in enumerate(body.problems)]
        return await listing.export(body, items, pool, request)


def _add_practice(app: FastAPI, pool: Pool) -> None:
    """Add the endpoints of practice; practice.py explains why an equation worker answers them."""
    settings = pool.settings
    listed: Responses = {status: ERRORS[status] for status in (401, 413, 429, 500, 503, 504)}

    async def work(kind: Kind, item: dict[str, Any], request: Request) -> Answer:
        request.state.logged["problems"] = item.get("count", 1)  # never the typed answer
        messages = {"practice": kind, "messages": _accepted_language(request)}
        return await pool.work(item | messages, request.state.spent())

    @app.get("/v1/skills", response_model=schemas.Skills, responses=listed, summary="List the skills to practice")
    async def skills(request: Request) -> Response:
        response = _response(request, await work("skills", {}, request))
        if response.status_code == 200:
            response.headers["cache-control"] = SKILLS_CACHED
        return response

    @app.post(
        "/v1/generate", response_model=schemas.Generated, responses=ERRORS | GENERATED, summary="Generate problems"
    )
    async def generate(body: schemas.GenerateRequest, request: Request) -> Response:
        limits = {"most": settings.max_generated, "most_on_sheet": settings.max_sheet}
        answer = await work("generate", body.model_dump() | limits, request)
        if body.format is None or answer.status != 200:
            return _response(request, answer)
        made = json.loads(answer.body)
        return listing.file_response(made["sheet"], body.format, made["name"])

    @app.post("/v1/check", response_model=schemas.Checked, responses=ERRORS, summary="Check an answer, or get hints")
    async def check(body: schemas.CheckRequest, request: Request) -> Response:
        return _response(request, await work("check", body.model_dump(), request))


def _add_monitoring(app: FastAPI, pool: Pool) -> None:
    unwell: Responses = {
        503: {"model": schemas.Health, "description": "No worker is ready, or the server is shutting down."}
    }
    sample = 'sau_requests_total{endpoint="/v1/solve",status="200"} 1.0'
    plain: Responses = {200: {"content": {"text/plain": {"example": sample}}}, 401: ERRORS[401]}

    @app.get("/healthz", response_model=schemas.Health, responses=unwell, summary="Health of the server")
    async def healthz() -> Response:
        status = "ok" if pool.healthy else "stopping" if pool.stopping else "no_workers"
        workers = {lane.name: lane.ready for lane in (pool.solving, pool.exact)}
        body = {"status": status, "version": __version__, "models": pool.solving.models, "workers": workers}
        return JSONResponse(body, 200 if pool.healthy else 503)

    @app.get("/metrics", response_class=Response, responses=plain, summary="Metrics in the format of Prometheus")
    async def metrics() -> Response:
        return Response(pool.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        index = pool.settings.page / "index.html"
        if not index.is_file():
            raise refusals.no_page()
        return FileResponse(index)

    app.mount("/page", StaticFiles(directory=pool.settings.page, check_dir=False))


def _item(text: str, field: str, body: schemas.SolveRequest | schemas.BatchRequest, request: Request) -> dict[str, Any]:
    item = {"text": text, "lang": _language(body.lang), "beam": body.beam, "explain": body.explain, "field": field}
    return item | {"messages": _accepted_language(request)}


def _accepted_language(request: Request) -> Language | None:
    """Return the language that the client wants messages in; None means the language of the text."""
    return refusals.accepted_language(request.headers.get("accept-language"))


def _language(lang: Lang) -> Language | None:
    return None if lang == "auto" else lang


def _check_text(text: str, field: str, limit: int, lang: Lang) -> None:
    if len(text) > limit:
        raise refusals.too_long(limit, len(text), field, _language(lang) or detect_language(text[:limit]))


def _log_texts(request: Request, log_text: bool, *texts: str) -> None:
    """Add the number of texts and characters to the log line, and the texts themselves if the operator wants them."""
    logged = request.state.logged
    logged["problems"], logged["characters"] = len(texts), sum(map(len, texts))
    if log_text:
        logged["text"] = list(texts)


def _log_causes(request: Request, answers: list[Answer]) -> None:
    if causes := [answer.counted["cause"] for answer in answers if "cause" in answer.counted]:
        request.state.logged["cause"] = ", ".join(dict.fromkeys(causes))


def _response(request: Request, answer: Answer) -> Response:
    _log_causes(request, [answer])
    return Response(answer.body, answer.status, media_type="application/json")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return response_to(error, _accepted_language(request))


async def _invalid(request: Request, error: Exception) -> Response:
    """Answer with the first validation error, without the input, which may be anything."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    _, *path = first["loc"]
    if first["type"] == "json_invalid" or not path:
        refusal = Refusal(422, "invalid", Phrase("not_json"), "body", _hint(request))
    else:
        field = ".".join(str(part) for part in path if part not in ("str", "list[str]"))
        refusal = refusals.invalid_field(field, first["type"], first.get("ctx", {}), _hint(request))
    return response_to(refusal, _accepted_language(request))


def _hint(request: Request) -> str | Phrase:
    path = request.url.path
    examples = {"/v1/solve": sample_bodies.SOLVE_REQUESTS[0], "/v1/solve/batch": sample_bodies.BATCH_REQUEST}
    examples |= {"/v1/template": sample_bodies.TEMPLATE_REQUEST, "/v1/equation": sample_bodies.EQUATION_REQUESTS[0]}
    examples |= {"/v1/problems": sample_bodies.PROBLEMS_REQUEST, "/v1/export": sample_bodies.EXPORT_REQUEST}
    examples |= {"/v1/generate": sample_bodies.GENERATE_REQUESTS[0], "/v1/check": sample_bodies.CHECK_REQUESTS[0]}
    if path not in examples:
        return ""
    return Phrase.of("such_a_body", example=json.dumps(examples[path], ensure_ascii=False))


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 400:  # the body is not UTF-8, or its brackets are nested too deeply
        refusal = Refusal(422, "invalid", Phrase("not_utf8"), "body", _hint(request))
        return response_to(refusal, _accepted_language(request))
    answer = response_to(refusals.http_error(error.status_code, request.method), _accepted_language(request))
    answer.headers.update(error.headers or {})
    return answer


def _complete_schema(app: FastAPI, settings: Settings) -> None:
    """Add headers, keys and limits to the schema that the app serves, after all paths are added."""
    schema = app.openapi()  # FastAPI builds it once and serves this object
    schema["info"]["description"] = _LIMITS.format(settings)
    schema["components"]["securitySchemes"] = KEYS
    for path, methods in schema["paths"].items():
        for operation in methods.values():
            if path not in OPEN:
                operation["security"] = [*([] if settings.api_key else [{}]), *({name: []} for name in KEYS)]
            for status, answer in operation["responses"].items():
                answer["headers"] = {"x-request-id": REQUEST_ID}
                if status in ("429", "503") and path not in OPEN:
                    answer["headers"]["retry-after"] = RETRY_AFTER
