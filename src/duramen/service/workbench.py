"""``POST /workbench/…``: what the inspector needs to fix a page. Every request has the page in it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from anyio import fail_after
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from duramen.inspector.workbench import ACTIONS, SentPage, do
from duramen.options import Options
from duramen.service.parameters import from_json
from duramen.service.problems import Problem, ProblemError
from duramen.service.workers import LoadLimiter, Workers

ReadJson = Callable[[Request, Callable[[int], None]], Awaitable[object]]
_OWN = ("block", "rule", "expect", "name", "why", "expected", "save", "replace")


class Workbench:
    """The endpoint. ``folder`` is the only one that it writes to."""

    def __init__(self, read_json: ReadJson, workers: Workers, gate: LoadLimiter, engine: Options, folder: str | None):
        self.read_json, self.workers, self.gate = read_json, workers, gate
        self.engine, self.folder = engine, folder

    async def work(self, request: Request) -> Response:
        action = request.path_params["action"]
        if action not in ACTIONS:
            raise ProblemError(Problem(404, "not-found", f"Available: {', '.join(ACTIONS)}."))
        with self.gate.hold() as count, fail_after(self.workers.seconds):
            self.gate.check()
            body = await self.read_json(request, count)
            own = {name: body.pop(name) for name in _OWN if name in body} if isinstance(body, dict) else {}
            html, chosen = from_json(body)
            if html is None:
                raise ProblemError(Problem(422, "wrong-parameters", "The page's HTML is missing."))
            page = SentPage(html, chosen.url, chosen.options(self.engine), self.folder)
            with self.gate.enter():
                return _answer(await self.workers.run(do, action, page, own))

    async def about(self, _: Request) -> Response:
        """Whether files can be saved."""
        return _answer({"saves": self.folder is not None})


def _answer(data: Mapping[str, Any]) -> Response:
    return JSONResponse(data, headers={"X-Content-Type-Options": "nosniff"})
