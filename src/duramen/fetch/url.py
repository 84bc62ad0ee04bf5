"""URLs of pages, parsed once as browsers parse them, so that no later step can interpret them differently."""

from __future__ import annotations

import re
from dataclasses import dataclass

import ada_url

from duramen.errors import BadUrl

_UNSEEN = re.compile(r"[\x00-\x20\x7f\\]")
"""White space, control characters and backslashes, on which parsers disagree."""

# https://fetch.spec.whatwg.org/#port-blocking: services that could mistake a request for their own protocol.
BAD_PORTS = frozenset(
    int(port)
    for port in """
    0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135
    137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719
    1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080
    """.split()
)


@dataclass(frozen=True, slots=True)
class Url:
    """The URL of a page in its parts, from which requests are built."""

    href: str
    """The normalized URL, without a fragment."""
    scheme: str
    host: str
    """A host name in ASCII, or an IP address without brackets."""
    port: int
    target: str
    """Path and query."""

    @property
    def authority(self) -> str:
        """The value of the ``Host`` header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.authority}"


_PORTS = {"http": 80, "https": 443}


def parse_url(text: str, base: Url | None = None) -> Url:
    """Parse a URL from a user, or, relative to ``base``, from a server.

    >>> parse_url("HTTP://Example.org:80/a/../b?c#d").href
    'http://example.org/b?c'
    >>> parse_url("http://0x7f.1/").host
    '127.0.0.1'
    >>> parse_url("../x", parse_url("https://example.org/a/b/c")).href
    'https://example.org/a/x'
    """
    text = text.strip()
    shown = text if text.isprintable() else repr(text)[1:-1]
    if base is None and _UNSEEN.search(text):
        raise BadUrl(shown, "the URL contains spaces, backslashes or control characters", "write them as %20 and so on")
    try:
        parsed = ada_url.URL(text, base=base.href if base else None)
    except ValueError:
        advice = (
            "write it in full, beginning with https://" if "://" not in text else "check the host name and the port"
        )
        raise BadUrl(shown, "this is not the URL of a page", advice) from None
    scheme = parsed.protocol.removesuffix(":")
    if scheme not in _PORTS:
        raise BadUrl(shown, f"{scheme}: is not supported", "only http:// and https:// are")
    if parsed.username or parsed.password:
        raise BadUrl(_without_password(parsed), "the URL contains a user name or password", "leave them out")
    host = parsed.hostname.removeprefix("[").removesuffix("]")
    port = int(parsed.port) if parsed.port else _PORTS[scheme]
    if port in BAD_PORTS:
        raise BadUrl(shown, f"port {port} is blocked", "check the URL")
    if not host or host.startswith(".") or ".." in host:
        raise BadUrl(shown, "the host name is missing", "check the URL")
    parsed.hash = ""
    return Url(parsed.href, scheme, host, port, parsed.pathname + parsed.search)


def _without_password(parsed: ada_url.URL) -> str:
    parsed.username = parsed.password = ""
    return str(parsed.href)


def same_site(one: Url, other: Url) -> bool:
    """Whether the hosts are the same, with or without ``www.``; the scheme may differ."""
    return one.host.removeprefix("www.") == other.host.removeprefix("www.")
