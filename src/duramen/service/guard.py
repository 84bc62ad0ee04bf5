"""Who may talk to a server on this machine: by Host, Origin and token. The same rules for the service and for MCP.

A page in a browser can send requests to a loopback address, and by DNS rebinding even read the answers. So without a
token only loopback names are answered (Host), and no page of another site is (Origin, Sec-Fetch-Site). A server that is
reachable from elsewhere needs a token.
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
    """Whether a host name or address never leaves this machine.

    >>> [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


class Guard:
    """ASGI middleware. ``open_paths`` are answered without a token: they hold nothing that is not public."""

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
            return Problem(421, "wrong-host", "This server answers for loopback names only; use http://127.0.0.1.")
        if not self._may_ask(headers, host, path):
            return Problem(403, "foreign-origin", "Pages of other sites may not use this server.")
        if self.token is None or path in self.open_paths:
            return None
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), self.token.encode()):
            return None
        return Problem(401, "token-needed", "Send the server's token: Authorization: Bearer …")

    def _may_ask(self, headers: Headers, host: str, path: str) -> bool:
        origin = headers.get("origin")
        if origin is not None:
            both_here = _name(origin) in HOSTS and _name(f"//{host}") in HOSTS
            return both_here or origin.partition("://")[2] == host or origin in self.origins
        if headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            # A link from elsewhere may open the page, but nothing from elsewhere may make the server work.
            return path in self.open_paths and headers.get("sec-fetch-mode") == "navigate"
        return True


def _name(address: str) -> str:
    """The host name of an address, or what could not be a host name."""
    try:
        parts = urlsplit(address)
        return parts.hostname or ""
    except ValueError:
        return ""
