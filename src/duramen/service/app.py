"""The ASGI app: routes, limits, and errors as structured responses."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from email.message import Message
from importlib import resources
from importlib.metadata import version
from time import perf_counter
from typing import Any

from anyio import fail_after, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from duramen.corpus import Corpus
from duramen.errors import FetchError, OptionError, RuleError
from duramen.option_checks import check_fields
from duramen.options import MOST_BYTES, MOST_SECONDS, FetchOptions, Limits, Options
from duramen.service.batch import BatchResponse
from duramen.service.bodies import read_body
from duramen.service.guard import Guard
from duramen.service.metrics import MEDIA_TYPE as METRICS
from duramen.service.metrics import Metrics, MetricsMiddleware
from duramen.service.negotiate import FORMS, LINES, MEDIA, preferred
from duramen.service.openapi import document
from duramen.service.pages import Pages
from duramen.service.parameters import BatchPage, RequestParameters, batch_from_json, from_json, from_query
from duramen.service.problems import Problem, ProblemError, problem_for, problem_response
from duramen.service.work import (
    ForFetchedPage,
    ForSentPage,
    extract_page,
    inspect_result,
    inspect_sent,
    result_to_dict,
)
from duramen.service.workbench import Workbench
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
SCRIPTS = tuple(
    "block cards case compare dom filter frames inspector link match menu options pick"
    " result rule search server source state summary tabs theme trace tree".split()
)  # fmt: skip
"""The inspector's modules."""
STATIC = {
    "/": ("index.html", "text/html"),
    "/inspector.css": ("inspector.css", "text/css"),
    "/page.css": ("page.css", "text/css"),
    **{f"/{name}.js": (f"{name}.js", "text/javascript") for name in SCRIPTS},
    "/example.html": ("example.html", "text/plain"),
}
"""The inspector's files. The example is served as text, so that it does not run as a page of this origin."""
OPEN = frozenset({*STATIC, "/health"})


RANGES = {
    "max_bytes": (1, MOST_BYTES),
    "seconds": (0.001, MOST_SECONDS),
    "workers": (1, 1_000),
    "requests": (1, 100_000),
    "held_bytes": (1, 1_000 * MOST_BYTES),
}
"""The numbers that :class:`ServiceOptions` accepts."""


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
    """Processes that extract; by default one per core, up to 4."""
    requests: int = 64
    """Maximum of concurrent requests; more get 503."""
    held_bytes: int = 128_000_000
    """Maximum of request bytes in memory at once; more get 503."""
    fetch: FetchOptions = field(default_factory=lambda: FetchOptions(timeout=20.0, max_bytes=8_000_000))
    engine: Options = field(default_factory=lambda: Options(limits=Limits(max_bytes=8_000_000)))
    corpus: Corpus | None = None
    """Annotated pages that the inspector shows by id; no other file can be read."""
    workbench: str | None = None
    """The folder where the inspector saves site rules and cases, and whose rules it uses; without it, it saves none."""

    def __post_init__(self) -> None:
        check_fields(self, RANGES)


class Service:
    """The endpoints."""

    def __init__(self, options: ServiceOptions) -> None:
        self.options = options
        self.gate = LoadLimiter(options.held_bytes, options.requests)
        self.workers = Workers(options.workers, options.seconds)
        self.metrics = Metrics(self.gate)
        self.pages = Pages(options.fetch, self.workers, self.gate)
        self.workbench = Workbench(self._json_body, self.workers, self.gate, options.engine, options.workbench)

    async def extract(self, request: Request) -> Response:
        media = preferred(request.headers.get("accept"))
        if media is None:
            raise ProblemError(Problem(406, "not-acceptable", f"Available: {', '.join(FORMS)}."))
        result, chosen = await self._process(request, extract_page, result_to_dict)
        if chosen.format is not None:
            media = MEDIA[chosen.format]
        self.metrics.verdicts.labels(result["quality"]["verdict"]).inc()
        if media == "application/json":
            return _json(result)
        headers = {
            "Duramen-Verdict": result["quality"]["verdict"],
            "Duramen-Page-Type": result["page_type"]["type"],
            "Content-Security-Policy": CONTENT_POLICY,
        }
        return Response(result[FORMS[media]], headers=headers, media_type=f"{media}; charset=utf-8")

    async def batch(self, request: Request) -> Response:
        """Many pages; the response has a line for each as soon as it is done."""
        # Its lines are JSON, which many clients ask for with every request, such as curl --json.
        if preferred(request.headers.get("accept"), [LINES, "application/json"]) is None:
            raise ProblemError(Problem(406, "not-acceptable", f"Available: {LINES}."))
        with ExitStack() as stack:
            count = stack.enter_context(self.gate.hold())
            with fail_after(self.options.seconds):
                self.gate.check()
                pages, chosen = batch_from_json(await self._json_body(request, count))
            stack.enter_context(self.gate.enter())
            options = chosen.options(self.options.engine)

            async def extract_one(page: BatchPage) -> dict[str, Any]:
                with fail_after(self.options.seconds):
                    if page.html is not None:
                        return await self.workers.run(extract_page, page.html, page.url, options, chosen)
                    return await self._extract_url(page.url or "", options, chosen, result_to_dict)

            return BatchResponse(pages, extract_one, chosen.format, self.metrics.verdicts, stack.pop_all())

    async def inspect(self, request: Request) -> Response:
        if preferred(request.headers.get("accept"), ["application/json"]) is None:
            raise ProblemError(Problem(406, "not-acceptable", "Available: application/json."))
        inspected, _ = await self._process(request, inspect_sent, inspect_result)
        return _json(inspected)

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
            return _json(await self.workers.run(inspect_sent, html, corpus.truths[id].url, options, chosen))

    async def _process(
        self, request: Request, sent: ForSentPage, named: ForFetchedPage
    ) -> tuple[dict[str, Any], RequestParameters]:
        """Read the page that a request sends or names, and process it in a worker, within the limits."""
        with self.gate.hold() as count, fail_after(self.options.seconds):
            html: str | bytes | None = None
            encoding = None
            if request.method == "POST":
                # A request counts once it has arrived: clients that send slowly must not block others.
                self.gate.check()
                html, chosen, encoding = await self._read_sent_page(request, count)
            else:
                chosen = from_query(request.query_params.multi_items())
                if chosen.url is None:
                    errors = (("url", "is required"),)
                    raise ProblemError(Problem(422, "wrong-parameters", "The URL of a page is missing.", errors))
            options = chosen.options(self.options.engine, encoding)
            with self.gate.enter():
                if html is not None:
                    return await self.workers.run(
                        sent, html, chosen.url, options, chosen, self.options.workbench
                    ), chosen
                return await self._extract_url(chosen.url or "", options, chosen, named, count), chosen

    async def _extract_url(
        self,
        url: str,
        options: Options,
        chosen: RequestParameters,
        named: ForFetchedPage,
        count: Callable[[int], None] = lambda _: None,
    ) -> dict[str, Any]:
        details = chosen.trace or named is inspect_result
        started = perf_counter()
        fetched, result = await self.pages.read(url, options, chosen.render, details=details)
        seconds = perf_counter() - started
        count(len(fetched.body))
        made = await self.workers.run(named, fetched, result, options, chosen, self.options.workbench)
        return made | {"seconds": round(seconds, 4)} if named is inspect_result else made

    async def _read_sent_page(
        self, request: Request, count: Callable[[int], None]
    ) -> tuple[str | bytes | None, RequestParameters, str | None]:
        """The page, unless the request names only its URL; the parameters; and the page's encoding, if it is stated."""
        kind, charset = content_type(request.headers.get("content-type", ""))
        if kind == "application/json":
            html, chosen = from_json(await self._json_body(request, count))
            return html, chosen, None
        if kind and kind not in HTML_TYPES:
            raise ProblemError(Problem(415, "wrong-type", f"Send {HTML_TYPES[0]} or application/json, not {kind}."))
        chosen = from_query(request.query_params.multi_items())
        return await self._body(request, count), chosen, charset

    async def _json_body(self, request: Request, count: Callable[[int], None]) -> object:
        if content_type(request.headers.get("content-type", ""))[0] != "application/json":
            raise ProblemError(Problem(415, "wrong-type", "Send application/json."))
        try:
            return json.loads(await self._body(request, count))
        except (ValueError, RecursionError):
            raise ProblemError(Problem(422, "wrong-parameters", "The body is not JSON.")) from None

    async def _body(self, request: Request, count: Callable[[int], None]) -> bytes:
        body = await read_body(request, self.options.max_bytes, count)
        if not body:
            raise ProblemError(
                Problem(422, "no-body", "Send the page's HTML as the body, or use GET with the parameter url.")
            )
        return body

    async def health(self, _: Request) -> Response:
        return JSONResponse({"status": "ok", "version": version("duramen"), "requests_in_progress": self.gate.inside})

    async def metrics_text(self, _: Request) -> Response:
        return Response(self.metrics.text(), headers={"Content-Type": METRICS})

    async def openapi(self, _: Request) -> Response:
        return JSONResponse(document(version("duramen"), self.options.token is not None))


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
        Route("/batch", service.batch, methods=["POST"]),
        Route("/inspect", service.inspect, methods=["GET", "POST"]),
        Route("/workbench", service.workbench.about),
        Route("/workbench/{action}", service.workbench.work, methods=["POST"]),
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
        await service.workers.warm_up(extract_page, "<p>ready</p>", None, service.options.engine, RequestParameters())
        async with service.pages:
            yield

    return lifespan


ANSWERED = (
    ProblemError,
    HTTPException,
    FetchError,
    OptionError,
    RuleError,
    OverloadedError,
    TooSlowError,
    TimeoutError,
    WorkerLostError,
    ClientDisconnect,
)


async def _answer(_: Request, error: Exception) -> Response:
    if isinstance(error, ProblemError):
        return problem_response(error.problem, error.headers)
    if isinstance(error, HTTPException):
        names = {404: "not-found", 405: "method-not-allowed"}
        problem = Problem(error.status_code, names.get(error.status_code, "http-error"), error.detail)
        return problem_response(problem, dict(error.headers or {}))
    if isinstance(error, ClientDisconnect):
        return problem_response(Problem(400, "gone", "The client closed the connection."))
    return problem_response(problem_for(error))


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
