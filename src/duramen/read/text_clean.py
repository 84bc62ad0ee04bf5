"""Values as metadata gives them: plain text, folded for comparison, and the names in addresses."""

from __future__ import annotations

import html
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from duramen.lazy_pattern import lazy_pattern
from duramen.native import core
from duramen.read.metadata_rows import metadata_rows

__all__ = [
    "agreement_of",
    "clean_text",
    "first_place",
    "fold",
    "host_name",
    "host_of",
    "is_home",
    "page_name",
    "says",
    "squeeze",
]

_TAGS = lazy_pattern(r"</?[a-zA-Z][^<>]{0,300}>")
_PLAIN_URL = lazy_pattern(r"https?://([a-z0-9.-]+)(/[!-\"$->@-~]*)?(?:\?([!-\"$-~]*))?(?:#[!-~]*)?")
"""An address as most are: its host, path and query are where they seem to be."""
_NOT_WORD = lazy_pattern(r"[\W_]+")
_PLAIN_WORDS = bytes(ord(chr(c).lower()) if chr(c).isalnum() else 32 for c in range(128)).ljust(256)
"""For ASCII: small letters, and a space for what is no letter or digit."""
_INVISIBLE = lazy_pattern("[\x00-\x08\x0e-\x1f\xad\u200b\u200e\u200f\u2028\ufeff\ufffc]")


def clean_text(value: Any, limit: int, unescape: bool = True) -> str | None:
    """Text without mark-up, entities resolved once, white space folded."""
    if not isinstance(value, str):
        if isinstance(value, list):
            value = next((part for part in value if isinstance(part, str)), None)
        elif isinstance(value, dict):
            value = value.get("@value")
        if not isinstance(value, str):
            return None
    text = value[: limit * 4]
    if unescape:
        # Data is often escaped once too often; where that hides mark-up, it may be what the text is about.
        if "&" in text and "&lt;" not in text:
            text = html.unescape(text)
        if "</" in text:
            text = _TAGS.sub(" ", text)
    if not text.isprintable() or "\ufffc" in text:
        text = " ".join(_INVISIBLE.sub("", text).split())
    elif "  " in text or text[:1] == " " or text[-1:] == " ":
        # Of white space, only the space is printable.
        text = " ".join(text.split())
    if len(text) > limit:
        text = text[:limit].rsplit(" ", 1)[0].rstrip(" ,;") + "…"
    return text or None


@lru_cache(maxsize=256)
def fold(text: str) -> str:
    """The words of a text, for comparison."""
    if text.isascii():
        return b" ".join(text.encode().translate(_PLAIN_WORDS).split()).decode()
    return _NOT_WORD.sub(" ", text.casefold()).strip()


@lru_cache(maxsize=256)
def squeeze(text: str) -> str:
    """A text's letters and digits, for comparison."""
    if text.isascii():
        return b"".join(text.encode().translate(_PLAIN_WORDS).split()).decode()
    return _NOT_WORD.sub("", text.casefold())


@lru_cache(maxsize=16)
def host_of(url: str) -> str:
    if plain := _PLAIN_URL.fullmatch(url):
        return plain[1].removeprefix("www.")
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")


def is_home(url: str) -> bool:
    if plain := _PLAIN_URL.fullmatch(url):
        path, query = plain[2] or "", plain[3]
    else:
        try:
            _, _, path, query, _ = urlsplit(url)
        except ValueError:
            return False
    name = path.strip("/")
    return not query and (not name or name in metadata_rows().home)


def page_name(url: str) -> str:
    """The last folder of an address, in which many sites repeat the page's title.

    >>> page_name("https://example.org/news/an-old-oak.html?x=1"), page_name("https://example.org/")
    ('an-old-oak', '')
    """
    address = url[:1000].partition("#")[0].partition("?")[0]
    path = (address.partition("://")[2] if "://" in address else address).partition("/")[2]
    name, _, kind = path.rstrip("/").rpartition("/")[2].rpartition(".")
    return name if name and len(kind) <= 5 else name + "." + kind if name else kind


def host_name(url: str) -> str:
    """The telling part of a host: ``example`` of ``www.example.co.uk``."""
    parts = host_of(url).split(".")
    if len(parts) >= 3 and len(parts[-2]) <= 3 and len(parts[-1]) <= 2:
        parts = parts[:-1]
    return squeeze(parts[-2] if len(parts) >= 2 else parts[0])


def agreement_of(one: str, other: str) -> float:
    """How far two folded titles say the same: high when one holds the other, else the share of common words."""
    if not one or not other:
        return 0.0
    if one == other:
        return 1.0
    short, long = sorted((one, other), key=len)
    if f" {short} " in f" {long} ":
        # That a word occurs in a title is no agreement.
        return 0.95 if len(short) >= 12 or len(short) * 3 >= len(long) else 0.3 if long.startswith(short) else 0.15
    a, b = set(one.split()), set(other.split())
    fewer = min(len(a), len(b))
    return len(a & b) / fewer * (0.9 if fewer > 2 else 0.4)


def says(text: str, phrases: core.Phrases) -> bool:
    """Whether a text has one of some phrases in it."""
    return bool(phrases.within(text.lower()))


def first_place(text: str, phrases: core.Phrases) -> int:
    """Where the first of some phrases begins in a text, or -1."""
    lowered = text.lower()
    return min(map(lowered.find, phrases.within(lowered)), default=-1)
