"""Values that may leave Duramen: text without hidden characters, addresses of allowed schemes, clean metadata."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from duramen.lazy_pattern import lazy_pattern
from duramen.model import Metadata
from duramen.native import core
from duramen.tables import load

__all__ = ["policy", "safe_address", "safe_metadata", "safe_text", "safe_url", "strip_invisible"]

_SCHEME = lazy_pattern(r"([^/?#\\]*?):")
_HOST = lazy_pattern(r"//[^\s/?#\\]")
_PLAIN_ADDRESS = lazy_pattern(r"https?://[A-Za-z0-9][!-~]*")
"""An address in which there is nothing to repair; every list of schemes has these two."""
_UNSAFE_IN_URL = lazy_pattern(r'[\s"<>`{}|^]')
_METADATA_URL_LIMIT = 2000
_SAFE_URL = lazy_pattern(r"https?://[A-Za-z0-9][A-Za-z0-9.-]*/[!#-;=?-\[\]_a-z~]*")
"""An address of a plain host in which there is nothing to repair or to escape."""
_METADATA_TEXTS = (
    "title",
    "published",
    "modified",
    "description",
    "site_name",
    "publisher",
    "language",
    "section",
    "licence",
)


@cache
def policy() -> Mapping[str, Any]:
    """What may leave: the rows of ``data/policy.toml``."""
    return load("policy.toml")


def strip_invisible(text: str) -> tuple[str, int]:
    r"""Take out control and hidden characters; also says how many there were.

    Control characters that separate words become spaces and half surrogates U+FFFD; these are not counted.

    >>> strip_invisible("pay\u202eload\U000e0041")
    ('payload', 2)
    """
    return core.visible(text)


def safe_text(value: str, limit: int) -> str:
    """A metadata string: plain text (not HTML, ``<`` may occur), white space folded, no longer than the limit.

    >>> safe_text("  a\\x00 <b>\\n c ", 5)
    'a <b>'
    """
    # Folding a string of megabytes for the sake of its first words is not worth it.
    value, _ = strip_invisible(value[: limit * 8 + 1000])
    value = " ".join(value.split())
    return value if len(value) <= limit else value[:limit].rstrip()


def safe_url(url: str) -> str | None:
    """A metadata address: absolute http or https without credentials, ready for an attribute; None for all others.

    >>> safe_url(" https://example.org/a b "), safe_url("javascript:alert(1)")
    ('https://example.org/a%20b', None)
    """
    if _SAFE_URL.fullmatch(url) and len(url) <= _METADATA_URL_LIMIT:
        return url
    address = safe_address(url, ("http", "https"), _METADATA_URL_LIMIT)
    if address is None or _SCHEME.match(address) is None:
        return None
    authority = re.split(r"[/?#]", address.partition("//")[2], maxsplit=1)[0]
    if "@" in authority or "\\" in address or _UNSAFE_IN_URL.search(authority):
        return None
    address = _UNSAFE_IN_URL.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), address)
    return address if len(address) <= _METADATA_URL_LIMIT else None


def safe_metadata(metadata: Metadata) -> Metadata:
    """Metadata as it may leave: addresses by :func:`safe_url`, all else by :func:`safe_text`; what is empty is None."""
    limits = policy()["metadata"]
    if _is_safe(metadata, limits):
        return metadata
    cleaned: dict[str, Any] = {}
    for name in _METADATA_TEXTS:
        value = getattr(metadata, name)
        cleaned[name] = (value and safe_text(value, limits.get(name, limits["other"]))) or None
    for name in ("canonical_url", "image"):
        value = getattr(metadata, name)
        cleaned[name] = safe_url(value) if value else None
    for name in ("authors", "tags"):
        limit = limits.get(name, limits["other"])
        values = [safe_text(value, limit) for value in getattr(metadata, name)[: limits["list"]]]
        cleaned[name] = tuple(filter(None, values))
    kept = {name: source for name, source in metadata.sources.items() if cleaned.get(name, True)}
    return Metadata(**cleaned, sources=kept)


def _is_safe(metadata: Metadata, limits: Mapping[str, int]) -> bool:
    """Whether cleaning would change nothing, as for most: all texts are looked at as one."""
    texts: list[str] = []
    for name in _METADATA_TEXTS:
        value = getattr(metadata, name)
        if value is not None:
            if not 0 < len(value) <= limits.get(name, limits["other"]):
                return False
            texts.append(value)
    for name in ("authors", "tags"):
        values = getattr(metadata, name)
        limit = limits.get(name, limits["other"])
        if len(values) > limits["list"] or not all(0 < len(value) <= limit for value in values):
            return False
        texts += values
    for url in (metadata.canonical_url, metadata.image):
        if url is not None and (len(url) > _METADATA_URL_LIMIT or not _SAFE_URL.fullmatch(url)):
            return False
    joined = " ".join(texts)
    # Of white space, only the space is printable.
    if (
        not joined.isprintable()
        or strip_invisible(joined) != (joined, 0)
        or "  " in joined
        or joined[:1] == " "
        or joined[-1:] == " "
    ):
        return False
    return type(metadata.sources) is dict and all(getattr(metadata, name, True) for name in metadata.sources)


def safe_address(value: str, schemes: list[str] | tuple[str, ...], limit: int) -> str | None:
    """An address read as browsers read it: trimmed, without line breaks; None if it is not of an allowed scheme."""
    if _PLAIN_ADDRESS.fullmatch(value) and len(value) <= limit:
        return value
    if len(value) > 4 * limit:
        return None
    value = strip_invisible(value)[0]
    value = value.strip().replace("\n", "").replace("\r", "").replace("\t", "").replace(" ", "%20")
    if value.startswith("//"):
        value = f"https:{value}"
    if not value or len(value) > limit or value[0] == "#":
        return None
    found = _SCHEME.match(value)
    if found is None:
        return None if value[0] in "/\\" and value[1:2] in ("/", "\\") else value
    scheme = found[1].lower()
    if scheme not in schemes:
        return None
    if scheme in ("http", "https") and _HOST.match(value, found.end()) is None:
        return None
    return value
