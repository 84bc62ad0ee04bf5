"""Addresses joined as browsers do it (https://url.spec.whatwg.org/)."""

from __future__ import annotations

import re
from unicodedata import normalize
from urllib.parse import quote, unquote_to_bytes

from duramen.lazy_pattern import lazy_pattern

__all__ = ["joined"]

_PLAIN_SITE = lazy_pattern(r"https?://(?:[a-z0-9]+(?:-[a-z0-9]+)*\.){1,8}[a-z]{2,20}(?=/|\Z)")
_PLAIN_PATH = lazy_pattern(r"(?:/[A-Za-z0-9_-][A-Za-z0-9_.-]*+)++/?")
"""As most addresses are: one is put behind the other."""
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
"""Schemes whose addresses have a host and a path, and the ports they need not name."""
_AROUND = "".join(map(chr, range(33)))
_BREAKS = lazy_pattern(r"[\t\n\r]")
_SCHEME = lazy_pattern(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", re.DOTALL)
_PARTS = lazy_pattern(r"([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
_AUTHORITY = lazy_pattern(r"[^/\\?#]*")
_HOST = lazy_pattern(r"(.*?)(?::([0-9]*))?", re.DOTALL)
_NOT_IN_HOSTS = lazy_pattern(r"[\x00-\x20#/:<>?@\[\\\]^|%\x7f]")
_NUMBER = lazy_pattern(r"0[xX][0-9A-Fa-f]*|[0-9]+")
_ONE_DOT, _TWO_DOTS = frozenset((".", "%2e")), frozenset(("..", ".%2e", "%2e.", "%2e%2e"))
# What is not written as it is, beside controls and what is not ASCII.
_ASCII = frozenset(map(chr, range(33, 127)))
_IN_PATH = "".join(_ASCII - set('"#<>?^`{}'))
_IN_QUERY = "".join(_ASCII - set("\"#<>'"))
_IN_FRAGMENT = "".join(_ASCII - set('"<>`'))


def joined(address: str, base: str) -> str:
    """An address that may be relative to another, in full and as browsers write it; the other where it is none.

    >>> joined("../oaks", "https://wood.example/trees/beeches/")
    'https://wood.example/trees/oaks'
    >>> joined("//WOOD.example:443/a b", "https://wood.example/"), joined("http://[/", "https://wood.example/")
    ('https://wood.example/a%20b', 'https://wood.example/')
    """
    if (site := _PLAIN_SITE.match(base)) and _PLAIN_PATH.fullmatch(address):
        return site[0] + address
    try:
        return _resolved(_trimmed(address), _trimmed(base))
    except ValueError:
        return base


def _trimmed(address: str) -> str:
    return _BREAKS.sub("", address.strip(_AROUND))


def _resolved(address: str, base: str) -> str:
    stated, around = _SCHEME.fullmatch(address), _SCHEME.fullmatch(base)
    outer = around[1].lower() if around else ""
    scheme, rest = (stated[1].lower(), stated[2]) if stated else (outer, address)
    if scheme not in _PORTS:
        if scheme in ("", "data", "javascript") or not stated:
            raise ValueError(address)
        return f"{scheme}:{rest}"
    rest_of_base = around[2] if around else ""
    slashes = len(rest) - len(rest.lstrip("/\\"))
    if slashes >= 2 or (stated and scheme != outer):
        authority = _AUTHORITY.match(rest, slashes)
        assert authority is not None
        return _whole(scheme, authority[0], rest[authority.end() :], [])
    if not rest_of_base:
        raise ValueError(base)
    authority = _AUTHORITY.match(rest_of_base, len(rest_of_base) - len(rest_of_base.lstrip("/\\")))
    assert authority is not None
    parts = _PARTS.fullmatch(rest_of_base, authority.end())
    assert parts is not None
    if slashes:
        return _whole(scheme, authority[0], rest, [])
    if rest[:1] in ("", "#", "?"):
        query = "" if parts[2] is None or rest.startswith("?") else f"?{parts[2]}"
        return _whole(scheme, authority[0], parts[1] + query + rest, [])
    return _whole(scheme, authority[0], rest, _segments(parts[1], [])[:-1])


def _whole(scheme: str, authority: str, rest: str, before: list[str]) -> str:
    """An address from its parts; ``before`` is the path that the rest's is added to."""
    parts = _PARTS.fullmatch(rest)
    assert parts is not None
    user, at, site = authority.rpartition("@")
    found = _HOST.fullmatch(site)
    assert found is not None
    port = int(found[2]) if found[2] else _PORTS[scheme]
    if port > 65_535:
        raise ValueError(site)
    path = quote("/".join(_segments(parts[1], before)), safe=_IN_PATH)
    query = "" if parts[2] is None else "?" + quote(parts[2], safe=_IN_QUERY)
    fragment = "" if parts[3] is None else "#" + quote(parts[3], safe=_IN_FRAGMENT)
    shown = "" if port == _PORTS[scheme] else f":{port}"
    return f"{scheme}://{user}{at}{_host(found[1])}{shown}/{path}{query}{fragment}"


def _segments(path: str, before: list[str]) -> list[str]:
    segments = list(before)
    pieces = path.replace("\\", "/").removeprefix("/").split("/")
    for number, piece in enumerate(pieces, 1):
        if piece.lower() in _TWO_DOTS:
            del segments[-1:]
        elif piece.lower() not in _ONE_DOT:
            segments.append(piece)
            continue
        if number == len(pieces):
            segments.append("")
    return segments


def _host(name: str) -> str:
    """A host as it is written; raises :class:`ValueError` for what is none."""
    if name.startswith("["):
        from ipaddress import IPv6Address  # few pages need it

        return f"[{IPv6Address(name[1:-1] if name.endswith(']') else '')}]"
    if "%" in name:
        name = unquote_to_bytes(name).decode("utf-8", "replace")
    name = name.lower() if name.isascii() else ".".join(map(_label, normalize("NFKC", name).lower().split(".")))
    if not name or _NOT_IN_HOSTS.search(name):
        raise ValueError(name)
    last = name.removesuffix(".").rpartition(".")[2]
    return _ipv4(name.removesuffix(".").split(".")) if last.isdigit() or _NUMBER.fullmatch(last) else name


def _label(label: str) -> str:
    return label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii")


def _ipv4(pieces: list[str]) -> str:
    if len(pieces) > 4 or not all(map(_NUMBER.fullmatch, pieces)):
        raise ValueError(pieces)
    numbers = [int(p[2:] or "0", 16) if p[:2] in ("0x", "0X") else int(p, 8 if p[0] == "0" else 10) for p in pieces]
    value = sum(number << 8 * (3 - place) for place, number in enumerate(numbers[:-1])) + numbers[-1]
    if max(numbers[:-1], default=0) > 255 or numbers[-1] >= 256 ** (5 - len(numbers)):
        raise ValueError(pieces)
    return ".".join(str(value >> shift & 255) for shift in (24, 16, 8, 0))
