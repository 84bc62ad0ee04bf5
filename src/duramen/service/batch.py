"""Batches: many pages in one request, and a line of JSON for each as soon as it is done."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from anyio import Lock, create_task_group
from prometheus_client import Counter as Counted
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from duramen.errors import DuramenError
from duramen.service.negotiate import LINES, MEDIA
from duramen.service.parameters import BatchPage
from duramen.service.problems import ProblemError, problem_for

AT_ONCE = 8
"""Pages of one batch that are fetched or extracted at a time."""
CONTENT = frozenset(MEDIA) - {"json"}


class BatchResponse(Response):
    """Extracts while it responds.

    At most ``AT_ONCE`` results exist at a time: a page is begun only when the line of another one has been sent, so a
    client that reads slowly slows the work down, and one that disconnects ends it. The last line counts the pages; a
    response without it is not complete. ``held`` is closed at the end.
    """

    media_type = LINES

    def __init__(
        self,
        pages: Sequence[BatchPage],
        extract: Callable[[BatchPage], Awaitable[dict[str, Any]]],
        format: str | None,
        verdicts: Counted,
        held: ExitStack,
    ) -> None:
        super().__init__(headers={"X-Content-Type-Options": "nosniff"})
        del self.headers["content-length"]
        self._pages, self._extract, self._format = pages, extract, format
        self._verdicts, self._held = verdicts, held
        self._counts: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._held:
            async with create_task_group() as group:

                async def watch() -> None:
                    while (await receive())["type"] != "http.disconnect":
                        pass
                    group.cancel_scope.cancel()

                group.start_soon(watch)
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                await self._work(send)
                summary = {"pages": len(self._pages), "failed": self._counts["failed"]}
                await send({"type": "http.response.body", "body": _line({"summary": summary}), "more_body": False})
                group.cancel_scope.cancel()

    async def _work(self, send: Send) -> None:
        numbered, sending = iter(enumerate(self._pages)), Lock()

        async def work(pages: Iterator[tuple[int, BatchPage]]) -> None:
            for number, page in pages:
                line = _line({"index": number, "url": page.url, **await self._outcome(page)})
                async with sending:
                    await send({"type": "http.response.body", "body": line, "more_body": True})

        async with create_task_group() as group:
            for _ in range(min(AT_ONCE, len(self._pages))):
                group.start_soon(work, numbered)

    async def _outcome(self, page: BatchPage) -> dict[str, Any]:
        try:
            result = await self._extract(page)
        except (DuramenError, ProblemError, TimeoutError) as error:
            self._counts["failed"] += 1
            return {"problem": problem_for(error).to_dict()}
        self._verdicts.labels(result["quality"]["verdict"]).inc()
        unwanted = CONTENT - {self._format} if self._format in CONTENT else ()
        return {"result": {name: value for name, value in result.items() if name not in unwanted}}


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
