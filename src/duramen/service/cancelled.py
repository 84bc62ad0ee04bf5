"""Requests that are cancelled when the server stops."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import h11
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duramen.service.problems import Problem, problem_response

STOPPING = Problem(503, "shutting-down", "The server is shutting down.")


class CancelledRequests:
    """ASGI middleware: a request that is cancelled, as at the end of the grace time, gets 503 and no traceback."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def note(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, note)
        except asyncio.CancelledError:
            # Only the server cancels a request's task, and nothing awaits it: it may end normally.
            if not started:
                await problem_response(STOPPING)(scope, receive, send)
            else:
                with suppress(h11.LocalProtocolError, RuntimeError):
                    await send({"type": "http.response.body", "body": b"", "more_body": False})
