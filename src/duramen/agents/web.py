"""The MCP server over streamable HTTP, behind the same guard as the HTTP service."""

from __future__ import annotations

from collections.abc import Iterable

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duramen.service.guard import Guard
from duramen.service.problems import Problem, problem_response
from duramen.service.workers import LoadLimiter, OverloadedError

PATH = "/mcp"
LARGEST_BODY = 4_194_304
HELD_BYTES = 128_000_000
"""Maximum bytes of request bodies in memory at once; more are refused."""


def web_app(server: MCPServer, token: str | None = None, origins: Iterable[str] = ()) -> ASGIApp:
    """An ASGI app that serves MCP at ``/mcp``. :class:`Guard` checks Host, Origin and token, as for all servers."""
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_sessions=200,
        max_request_body_size=LARGEST_BODY,
    )
    return Guard(WholeBodies(app), token, origins)


class WholeBodies:
    """ASGI middleware: passes a request to the app when its whole body has arrived.

    A client that disconnects before is not an error, but the MCP library would log a traceback.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.gate = LoadLimiter(HELD_BYTES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            with self.gate.hold() as count:
                arrived: list[Message] = []
                size, more = 0, True
                # A body that is too large is passed on as a stream, and the app refuses it.
                while more and size <= LARGEST_BODY:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return
                    arrived.append(message)
                    more = message.get("more_body", False)
                    size += len(message.get("body", b""))
                    count(len(message.get("body", b"")))
                arrived.reverse()

                async def receive_again() -> Message:
                    return arrived.pop() if arrived else await receive()

                await self.app(scope, receive_again, send)
        except OverloadedError as error:
            await problem_response(Problem(503, "overloaded", str(error)))(scope, receive, send)
