"""Access control for local servers, by Host, Origin and token: the same for the HTTP service and for MCP.

A page in a browser can send requests to a loopback address, and with DNS rebinding even read the responses. So without
a token only loopback names are accepted (Host), and no pages of other sites (Origin, Sec-Fetch-Site), except those of
allowed origins. A server that is reachable from other machines needs a token.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
from collections.abc import Iterable
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from duramen.service.problems import Problem, problem_response

HEADERS_OUT = ("Duramen-Verdict", "Duramen-Page-Type", "Mcp-Session-Id", "Retry-After", "WWW-Authenticate")
"""Response headers that pages of allowed origins may read, beside those that every page may."""
PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"(?P<name>[a-z0-9_-]++(?:\.[a-z0-9_-]++)*+|\[(?=[^\]]*:)[0-9a-f:.]++\])(?::(?P<port>[0-9]{1,5}))?+")
_WRONG_HOST = "This server accepts only loopback host names; use http://127.0.0.1."


class Address(NamedTuple):
    """The host and port that a Host or Origin header names."""

    name: str
    port: int


def address(host: str, scheme: str) -> Address | None:
    """The address in a Host header. ``None`` for anything but a name and a port.

    Parsers of URLs are too generous here: they skip user information, and ignore what follows a port.

    >>> address("LocalHost", "http"), address("[::1]:8321", "http")
    (Address(name='localhost', port=80), Address(name='::1', port=8321))
    >>> [address(host, "http") for host in ("127.0.0.1:80.evil.example", "127.0.0.1@evil.example", "localhost.", "::1")]
    [None, None, None, None]
    >>> address("[127.0.0.1]", "http")
    """
    found = _HOST.fullmatch(host.lower())
    if found is None:
        return None
    port = int(found["port"] or PORTS[scheme])
    return Address(found["name"].strip("[]"), port) if port < 65_536 else None


def origin_address(origin: str) -> Address | None:
    """The address in an Origin header of an http or https page; ``None`` for all others."""
    scheme, _, host = origin.partition("://")
    return address(host, scheme) if scheme in PORTS else None


def canonical_origin(text: str) -> str | None:
    """An origin as browsers send it; ``None`` if the text is not an origin.

    >>> canonical_origin("HTTPS://Friend.example:443/"), canonical_origin("app://id"), canonical_origin("*")
    ('https://friend.example', 'app://id', None)
    """
    scheme, separator, rest = text.lower().removesuffix("/").partition("://")
    if not separator or not re.fullmatch("[a-z][a-z0-9+.-]*", scheme):
        return None
    if scheme not in PORTS:
        return f"{scheme}://{rest}" if re.fullmatch("[a-z0-9_.-]+", rest) else None
    if address(rest, scheme) is None:
        return None
    return f"{scheme}://{rest.removesuffix(f':{PORTS[scheme]}')}"


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
    """ASGI middleware. ``open_paths`` need no token: their content is public.

    Pages of ``origins`` get CORS headers, and their preflight requests are answered without a token, because browsers
    send none with them.
    """

    def __init__(
        self, app: ASGIApp, token: str | None = None, origins: Iterable[str] = (), open_paths: Iterable[str] = ()
    ) -> None:
        self.app = app
        self.token = token
        self.origins = frozenset(origins)
        self.open_paths = frozenset(open_paths)
        self._for_other_origins = CORSMiddleware(
            self._check_token,
            allow_origins=self.origins,
            allow_methods=("GET", "POST", "DELETE"),
            allow_headers=("*",),
            allow_private_network=True,
            expose_headers=HEADERS_OUT,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        problem = self._refusal(headers, scope["path"])
        if problem is not None:
            await problem_response(problem)(scope, receive, send)
        elif headers.get("origin") in self.origins:
            await self._for_other_origins(scope, receive, send)
        else:
            await self._check_token(scope, receive, send)

    async def _check_token(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.token is None or scope["path"] in self.open_paths or self._has_token(Headers(scope=scope)):
            await self.app(scope, receive, send)
        else:
            problem = Problem(401, "token-needed", "Send the server's token: Authorization: Bearer …")
            await problem_response(problem)(scope, receive, send)

    def _has_token(self, headers: Headers) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        wanted = (self.token or "").encode()
        return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), wanted)

    def _refusal(self, headers: Headers, path: str) -> Problem | None:
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or address(hosts[0], "http") is None:
            return Problem(421, "wrong-host", "The Host header is not a host name." if self.token else _WRONG_HOST)
        if self.token is None and not _is_local(address(hosts[0], "http")):
            return Problem(421, "wrong-host", _WRONG_HOST)
        if len(origins) > 1 or not self._is_allowed(headers, hosts[0], path):
            return Problem(403, "foreign-origin", "Pages of other sites may not use this server.")
        return None

    def _is_allowed(self, headers: Headers, host: str, path: str) -> bool:
        origin = headers.get("origin")
        if origin is not None:
            if origin in self.origins:
                return True
            page = origin_address(origin)
            if page is None:
                return False
            here = address(host, origin.partition("://")[0])
            return page == here or (_is_local(page) and _is_local(here))
        if headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            # A link on another site may open the page, but another site may not start work on the server.
            return path in self.open_paths and headers.get("sec-fetch-mode") == "navigate"
        return True


def _is_local(address: Address | None) -> bool:
    return address is not None and is_loopback(address.name)
