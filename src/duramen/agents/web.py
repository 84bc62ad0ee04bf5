"""The MCP server over streamable HTTP, behind the same guard as the HTTP service."""

from __future__ import annotations

from collections.abc import Iterable

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from sse_starlette.sse import AppStatus
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duramen.service.bodies import read_body
from duramen.service.guard import Guard
from duramen.service.problems import Problem, ProblemError, problem_response
from duramen.service.workers import LoadLimiter, OverloadedError

PATH = "/mcp"
LARGEST_BODY = 4_194_304
HELD_BYTES = 128_000_000
"""Maximum bytes of request bodies in memory at once; more are refused."""


def web_app(server: MCPServer, token: str | None = None, origins: Iterable[str] = ()) -> ASGIApp:
    """An ASGI app that serves MCP at ``/mcp``. :class:`Guard` checks Host, Origin and token, as for all servers."""
    # Calls in progress should finish when the server is stopped; the library would end their streams at once.
    AppStatus.enable_automatic_graceful_drain = False
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_sessions=200,
        max_request_body_size=LARGEST_BODY,
    )
    return Guard(WholeBodies(app), token, origins)


class WholeBodies:
    """ASGI middleware: passes a request to the app when its whole body has arrived, decompressed.

    The MCP library would log a traceback for a client that disconnects before, and reads compressed bodies as text.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.gate = LoadLimiter(HELD_BYTES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        with self.gate.hold() as count:
            try:
                body = await read_body(Request(scope, receive), LARGEST_BODY, count)
            except ClientDisconnect:
                return
            except ProblemError as error:
                await problem_response(error.problem, error.headers)(scope, receive, send)
                return
            except OverloadedError as error:
                await problem_response(Problem(503, "overloaded", str(error)))(scope, receive, send)
                return
            arrived: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

            async def receive_again() -> Message:
                return arrived.pop() if arrived else await receive()

            await self.app(_without_encoding(scope, len(body)), receive_again, send)


def _without_encoding(scope: Scope, size: int) -> Scope:
    """The request as it would be if its body had not been compressed."""
    names = [name for name, _ in scope["headers"]]
    if b"content-encoding" not in names:
        return scope
    changed = (b"content-encoding", b"content-length", b"transfer-encoding")
    kept = [(name, value) for name, value in scope["headers"] if name not in changed]
    return {**scope, "headers": [*kept, (b"content-length", str(size).encode())]}
