"""The ASGI app: routes, limits, and errors as structured responses."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.message import Message
from importlib import resources
from importlib.metadata import version
from typing import Any

from anyio import fail_after, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from duramen.corpus import Corpus
from duramen.errors import BadUrl, FetchError, OptionError, PrivateAddress, RobotsDenied
from duramen.inspector.inspection import inspect_fetched, inspect_page
from duramen.model import Fetched
from duramen.options import FetchOptions, Limits, Options
from duramen.pipeline import run
from duramen.result import Result
from duramen.service.guard import Guard
from duramen.service.metrics import MEDIA_TYPE as METRICS
from duramen.service.metrics import Metrics, MetricsMiddleware
from duramen.service.negotiate import FORMS, preferred
from duramen.service.openapi import document
from duramen.service.pages import Pages
from duramen.service.parameters import RequestParameters, from_json, from_query
from duramen.service.problems import Problem, ProblemError, problem_response
from duramen.service.workers import LoadLimiter, OverloadedError, TooSlowError, WorkerLostError, Workers

HTML_TYPES = (
    "text/html",
    "application/xhtml+xml",
    "text/plain",
    "application/octet-stream",
    "application/x-www-form-urlencoded",
)
"""Content types that may be HTML; the last is curl's default."""
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
    " frame-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The inspector's policy: no other origins, nothing inline. The frames it creates from text inherit it."""
CONTENT_POLICY = "default-src 'none'; img-src http: https:; sandbox"
"""The policy of HTML responses: content without scripts."""
STATIC = {
    "/": ("index.html", "text/html"),
    "/inspector.css": ("inspector.css", "text/css"),
    "/page.css": ("page.css", "text/css"),
    "/inspector.js": ("inspector.js", "text/javascript"),
    "/example.html": ("example.html", "text/plain"),
}
"""The inspector's files. The example is served as text, so that it does not run as a page of this origin."""
OPEN = frozenset({*STATIC, "/health"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceOptions:
    """The settings of the service."""

    token: str | None = None
    origins: tuple[str, ...] = ()
    """Pages of these origins may use the service, in addition to its own."""
    max_bytes: int = 8_000_000
    """Maximum size of a request body."""
    seconds: float = 30.0
    """Time limit of one request: reading the body, waiting for a worker, extracting."""
    workers: int | None = None
    requests: int = 64
    """Maximum of concurrent requests; more get 503."""
    held_bytes: int = 128_000_000
    """Maximum of request bytes in memory at once; more get 503."""
    fetch: FetchOptions = field(default_factory=lambda: FetchOptions(timeout=20.0, max_bytes=8_000_000))
    engine: Options = field(default_factory=lambda: Options(limits=Limits(max_bytes=8_000_000)))
    corpus: Corpus | None = None
    """Annotated pages that the inspector shows by id; no other file can be read."""


class Service:
    """The endpoints."""

    def __init__(self, options: ServiceOptions) -> None:
        self.options = options
        self.gate = LoadLimiter(options.held_bytes, options.requests)
        self.workers = Workers(options.workers, options.seconds)
        self.metrics = Metrics(self.gate)
        self.pages = Pages(options.fetch, self.workers, self.gate)

    async def extract(self, request: Request) -> Response:
        media = preferred(request.headers.get("accept"))
        if media is None:
            raise ProblemError(Problem(406, "not-acceptable", f"Available: {', '.join(FORMS)}."))
        result = await self._process(request, extract_page, result_to_dict)
        self.metrics.verdicts.labels(result["quality"]["verdict"]).inc()
        if media == "application/json":
            return _json(result)
        headers = {
            "Duramen-Verdict": result["quality"]["verdict"],
            "Duramen-Page-Type": result["page_type"]["type"],
            "Content-Security-Policy": CONTENT_POLICY,
        }
        return Response(result[FORMS[media]], headers=headers, media_type=f"{media}; charset=utf-8")

    async def inspect(self, request: Request) -> Response:
        if preferred(request.headers.get("accept"), ["application/json"]) is None:
            raise ProblemError(Problem(406, "not-acceptable", "Available: application/json."))
        return _json(await self._process(request, inspect_sent, inspect_result))

    async def inspect_annotated(self, request: Request) -> Response:
        """A page of the corpus, for the links in the report of ``duramen eval``."""
        corpus, id = self.options.corpus, request.path_params["id"]
        if corpus is None or id not in corpus.truths:
            raise ProblemError(Problem(404, "not-found", "The corpus has no such page."))
        chosen = from_query(request.query_params.multi_items())
        options = chosen.options(self.options.engine)
        with self.gate.enter(), self.gate.hold() as count, fail_after(self.options.seconds):
            try:
                html = await to_thread.run_sync(corpus.page, id, options.limits.max_bytes)
            except OSError as error:
                raise ProblemError(Problem(404, "not-found", f"The page cannot be read: {error}.")) from None
            count(len(html))
            return _json(await self.workers.run(inspect_sent, html, corpus.truths[id].url, options, True))

    async def _process(self, request: Request, sent: ForSentPage, named: ForFetchedPage) -> dict[str, Any]:
        """Read the page that a request sends or names, and process it in a worker, within the limits."""
        with self.gate.hold() as count, fail_after(self.options.seconds):
            if request.method == "POST":
                # A request counts once it has arrived: clients that send slowly must not block others.
                self.gate.check()
                html, chosen, encoding = await self._read_sent_page(request, count)
                options = chosen.options(self.options.engine, encoding)
                with self.gate.enter():
                    return await self.workers.run(sent, html, chosen.url, options, chosen.trace)
            with self.gate.enter():
                return await self._process_url(request, named, count)

    async def _process_url(
        self, request: Request, named: ForFetchedPage, count: Callable[[int], None]
    ) -> dict[str, Any]:
        chosen = from_query(request.query_params.multi_items())
        if chosen.url is None:
            raise ProblemError(
                Problem(422, "wrong-parameters", "The URL of a page is missing.", (("url", "is required"),))
            )
        options = chosen.options(self.options.engine)
        details = chosen.trace or named is inspect_result
        fetched, result = await self.pages.read(chosen.url, options, details=details)
        count(len(fetched.body))
        return await self.workers.run(named, fetched, result, options, chosen.trace)

    async def _read_sent_page(
        self, request: Request, count: Callable[[int], None]
    ) -> tuple[str | bytes, RequestParameters, str | None]:
        kind, charset = content_type(request.headers.get("content-type", ""))
        if kind == "application/json":
            body = await self._body(request, count)
            try:
                html, chosen = from_json(json.loads(body), "html")
            except (ValueError, RecursionError):
                raise ProblemError(Problem(422, "wrong-parameters", "The body is not JSON.")) from None
            return html, chosen, None
        if kind and kind not in HTML_TYPES:
            raise ProblemError(Problem(415, "wrong-type", f"Send {HTML_TYPES[0]} or application/json, not {kind}."))
        chosen = from_query(request.query_params.multi_items())
        return await self._body(request, count), chosen, charset

    async def _body(self, request: Request, count: Callable[[int], None]) -> bytes:
        most = self.options.max_bytes
        too_large = ProblemError(Problem(413, "too-large", f"A page may have at most {most:,} bytes."))
        declared = request.headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > most:
            raise too_large
        pieces: list[bytes] = []
        size = 0
        async for piece in request.stream():
            size += len(piece)
            if size > most:
                raise too_large
            count(len(piece))
            pieces.append(piece)
        if not size:
            raise ProblemError(
                Problem(422, "no-body", "Send the page's HTML as the body, or use GET with the parameter url.")
            )
        return b"".join(pieces)

    async def health(self, _: Request) -> Response:
        return JSONResponse({"status": "ok", "version": version("duramen"), "requests_in_progress": self.gate.inside})

    async def metrics_text(self, _: Request) -> Response:
        return Response(self.metrics.text(), headers={"Content-Type": METRICS})

    async def openapi(self, _: Request) -> Response:
        return JSONResponse(document(version("duramen"), self.options.token is not None))


def extract_page(html: str | bytes, url: str | None, options: Options, trace: bool) -> dict[str, Any]:
    """Runs in a worker: extract a page that was sent."""
    return run(html, url, options).to_dict(trace)


def result_to_dict(_: Fetched, result: Result, __: Options, trace: bool) -> dict[str, Any]:
    """Runs in a worker, because rendering a fetched page's result takes time too."""
    return result.to_dict(trace)


def inspect_sent(html: str | bytes, url: str | None, options: Options, _: bool) -> dict[str, Any]:
    """Runs in a worker: inspect a page that was sent; the inspector always needs the trace."""
    return inspect_page(html, url, options)


def inspect_result(fetched: Fetched, result: Result, options: Options, _: bool) -> dict[str, Any]:
    return inspect_fetched(fetched, result, options)


ForSentPage = Callable[[str | bytes, str | None, Options, bool], dict[str, Any]]
ForFetchedPage = Callable[[Fetched, Result, Options, bool], dict[str, Any]]


def content_type(header: str) -> tuple[str, str | None]:
    """Media type and charset of a Content-Type header; an unknown charset is ``None``.

    >>> content_type('Text/HTML; charset="ISO-8859-1"'), content_type("text/html; charset=nonsense")
    (('text/html', 'iso-8859-1'), ('text/html', None))
    """
    message = Message()
    message["Content-Type"] = header
    charset = message.get_content_charset()
    try:
        Options(encoding=charset)
    except OptionError:
        charset = None
    return (message.get_content_type() if header.strip() else ""), charset


def create_app(options: ServiceOptions | None = None) -> Starlette:
    """The service as an ASGI app, for any server."""
    service = Service(options or ServiceOptions())
    configured = service.options
    routes = [
        Route("/extract", service.extract, methods=["GET", "POST"]),
        Route("/inspect", service.inspect, methods=["GET", "POST"]),
        Route("/health", service.health),
        Route("/metrics", service.metrics_text),
        Route("/openapi.json", service.openapi),
        *(Route(path, _static(*file)) for path, file in STATIC.items()),
        *([Route("/corpus/{id}", service.inspect_annotated)] if configured.corpus is not None else []),
    ]
    known = frozenset(route.path for route in routes)
    return Starlette(
        routes=routes,
        middleware=[
            Middleware(MetricsMiddleware, metrics=service.metrics, routes=known),
            Middleware(Guard, token=configured.token, origins=configured.origins, open_paths=OPEN),
        ],
        exception_handlers=dict.fromkeys(ANSWERED, _answer),
        lifespan=_lifespan(service),
    )


def _lifespan(service: Service) -> Callable[[Starlette], Any]:
    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        # The first request should not wait for a process to start and load the model.
        await service.workers.warm_up(extract_page, "<p>ready</p>", None, service.options.engine, False)
        async with service.pages:
            yield

    return lifespan


ANSWERED = (
    ProblemError,
    HTTPException,
    FetchError,
    OptionError,
    OverloadedError,
    TooSlowError,
    TimeoutError,
    WorkerLostError,
    ClientDisconnect,
)


async def _answer(_: Request, error: Exception) -> Response:
    if isinstance(error, ProblemError):
        return problem_response(error.problem)
    if isinstance(error, HTTPException):
        names = {404: "not-found", 405: "method-not-allowed"}
        problem = Problem(error.status_code, names.get(error.status_code, "http-error"), error.detail)
        return problem_response(problem, dict(error.headers or {}))
    if isinstance(error, FetchError):
        refused = isinstance(error, (PrivateAddress, RobotsDenied))
        status = 422 if isinstance(error, BadUrl) else 403 if refused else 424
        return problem_response(Problem(status, _dashed(type(error).__name__), f"{error.what}; {error.advice}"))
    if isinstance(error, OptionError):
        return problem_response(Problem(422, "not-possible", str(error)))
    if isinstance(error, ClientDisconnect):
        return problem_response(Problem(400, "gone", "The client closed the connection."))
    if isinstance(error, OverloadedError):
        return problem_response(Problem(503, "overloaded", str(error)))
    if isinstance(error, WorkerLostError):
        return problem_response(Problem(422, "worker-lost", str(error)))
    return problem_response(Problem(504, "too-slow", str(error) or "The request took too long."))


def _dashed(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def _static(name: str, media: str) -> Callable[[Request], Awaitable[Response]]:
    body = (resources.files("duramen") / "inspector" / "static" / name).read_bytes()

    async def serve(_: Request) -> Response:
        headers = {
            "Content-Security-Policy": PAGE_POLICY,
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-cache",
        }
        return Response(body, headers=headers, media_type=f"{media}; charset=utf-8")

    return serve


def _json(data: dict[str, Any]) -> Response:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Response(text, headers={"X-Content-Type-Options": "nosniff"}, media_type="application/json")
