"""What the operator sends to some hosts: cookies and passwords. Each goes to its host only, also after redirects."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookiejar import LoadError, MozillaCookieJar
from netrc import NetrcParseError, netrc
from pathlib import Path
from typing import Any

from duramen.errors import OptionError
from duramen.fetch.url import Url
from duramen.options import FetchOptions


@dataclass(frozen=True, slots=True)
class Cookie:
    """One cookie, and where it goes."""

    name: str
    value: str
    host: str
    """Without a dot before it."""
    subdomains: bool = False
    path: str = "/"
    secure: bool = False
    expires: float | None = None

    def is_for(self, url: Url) -> bool:
        if url.host != self.host and not (self.subdomains and url.host.endswith(f".{self.host}")):
            return False
        if (self.secure and url.scheme != "https") or (self.expires is not None and self.expires < time.time()):
            return False
        path = url.target.partition("?")[0]
        return path == self.path or path.startswith(self.path if self.path.endswith("/") else f"{self.path}/")


class Credentials:
    """The cookies and passwords of a session's options."""

    def __init__(self, options: FetchOptions) -> None:
        self.cookies = (*_given_cookies(options.cookies), *_state_cookies(options.browser_state))
        self._auth = {
            host.lower(): "Basic " + base64.b64encode(":".join(pair).encode()).decode()
            for host, pair in _passwords(options.auth).items()
        }

    def fields(self, url: Url) -> dict[str, str]:
        """The header fields for a URL."""
        fields: dict[str, str] = {}
        if found := {cookie.name: cookie.value for cookie in self.cookies if cookie.is_for(url)}:
            fields["cookie"] = "; ".join(f"{name}={value}" for name, value in found.items())
        if authorization := self._auth.get(url.authority) or self._auth.get(url.host):
            fields["authorization"] = authorization
        return fields


def _passwords(given: object) -> Mapping[str, tuple[str, str]]:
    if given is None or isinstance(given, Mapping):
        return given or {}
    try:
        found = netrc(str(given)).hosts
    except (OSError, NetrcParseError) as error:
        raise OptionError(f"auth {str(given)!r} cannot be read ({error}); it must be a netrc file") from None
    # An entry for every other host would send a password anywhere.
    return {host: (user, password or "") for host, (user, _, password) in found.items() if host != "default"}


def _given_cookies(given: object) -> list[Cookie]:
    if given is None:
        return []
    if isinstance(given, Mapping):
        return [
            Cookie(str(name), str(value), host.lower().lstrip("."), host.startswith("."))
            for host, pairs in given.items()
            for name, value in pairs.items()
        ]
    jar = MozillaCookieJar(str(given))
    try:
        jar.load(ignore_discard=True, ignore_expires=True)
    except (OSError, LoadError) as error:
        raise OptionError(
            f"cookies {str(given)!r} cannot be read ({error}); it must be a Netscape cookie file"
        ) from None
    return [
        Cookie(
            cookie.name,
            cookie.value or "",
            cookie.domain.lstrip(".").lower(),
            cookie.domain_initial_dot or cookie.domain_specified,
            cookie.path,
            cookie.secure,
            cookie.expires or None,  # most programs write 0 for a cookie of a session
        )
        for cookie in jar
    ]


def _state_cookies(path: object) -> list[Cookie]:
    """The cookies of a state that Playwright saved, so that a page is fetched as the browser would see it."""
    if path is None:
        return []
    try:
        state: Any = json.loads(Path(str(path)).read_text(encoding="utf-8"))
        return [
            Cookie(
                each["name"],
                each["value"],
                each["domain"].lstrip(".").lower(),
                each["domain"].startswith("."),
                each.get("path", "/"),
                bool(each.get("secure")),
                each["expires"] if each.get("expires", -1) > 0 else None,
            )
            for each in state.get("cookies", [])
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise OptionError(
            f"browser_state {str(path)!r} cannot be read ({type(error).__name__}); Playwright's storage_state saves it"
        ) from None
