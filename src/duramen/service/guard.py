"""Access control for local servers, by Host, Origin and token: the same for the HTTP service and for MCP.

A page in a browser can send requests to a loopback address, and with DNS rebinding even read the responses. So without
a token only loopback names are accepted (Host), and no pages of other sites (Origin, Sec-Fetch-Site). A server that is
reachable from other machines needs a token.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from duramen.service.problems import Problem, problem_response

HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


def is_loopback(host: str) -> bool:
    """Whether a host name or address refers to this machine.

    >>> [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


class Guard:
    """ASGI middleware. ``open_paths`` need no token: their content is public."""

    def __init__(
        self, app: ASGIApp, token: str | None = None, origins: Iterable[str] = (), open_paths: Iterable[str] = ()
    ) -> None:
        self.app = app
        self.token = token
        self.origins = frozenset(origins)
        self.open_paths = frozenset(open_paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            problem = self._refusal(Headers(scope=scope), scope["path"])
            if problem is not None:
                await problem_response(problem)(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _refusal(self, headers: Headers, path: str) -> Problem | None:
        host = headers.get("host", "")
        if self.token is None and _name(f"//{host}") not in HOSTS:
            return Problem(421, "wrong-host", "This server accepts only loopback host names; use http://127.0.0.1.")
        if not self._is_allowed(headers, host, path):
            return Problem(403, "foreign-origin", "Pages of other sites may not use this server.")
        if self.token is None or path in self.open_paths:
            return None
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), self.token.encode()):
            return None
        return Problem(401, "token-needed", "Send the server's token: Authorization: Bearer …")

    def _is_allowed(self, headers: Headers, host: str, path: str) -> bool:
        origin = headers.get("origin")
        if origin is not None:
            both_here = _name(origin) in HOSTS and _name(f"//{host}") in HOSTS
            return both_here or origin.partition("://")[2] == host or origin in self.origins
        if headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            # A link on another site may open the page, but another site may not start work on the server.
            return path in self.open_paths and headers.get("sec-fetch-mode") == "navigate"
        return True


def _name(address: str) -> str:
    """The host name in a Host or Origin header; for invalid input, a string that is not a host name."""
    try:
        parts = urlsplit(address)
        return parts.hostname or ""
    except ValueError:
        return ""
