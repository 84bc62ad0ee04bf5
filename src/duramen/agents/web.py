"""The MCP server over streamable HTTP, behind the same guard as the HTTP service."""

from __future__ import annotations

from collections.abc import Iterable

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp

from duramen.service.guard import Guard

PATH = "/mcp"


def web_app(server: MCPServer, token: str | None = None, origins: Iterable[str] = ()) -> ASGIApp:
    """An ASGI app that serves MCP at ``/mcp``. Host, Origin and token are the guard's, for all servers alike."""
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_sessions=200,
    )
    return Guard(app, token, origins)
