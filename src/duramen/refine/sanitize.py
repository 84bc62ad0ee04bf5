"""The last step before anything leaves: only what the policy names is written, from scratch.

The core parses the draft and writes the tags and attributes that ``data/policy.toml`` allows, never a string of the
page that is not escaped, and nested as parsers nest (:mod:`duramen.refine.nesting`). It parses the result again and
compares, so that a browser reads back the tree that was written. What does not settle after a few rounds is written as
plain paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from duramen.dom import Element, named_characters
from duramen.model import Metadata
from duramen.native import core
from duramen.options import Output
from duramen.refine.nesting import MISSING, TABLE_PARTS, forms
from duramen.tables import load

__all__ = ["Draft", "as_text", "safe_metadata", "safe_text", "safe_url", "sanitize", "strip_invisible"]

_ROUNDS = 4
"""So often a result that is not read back as it was written is sanitized again."""

_SCHEME = re.compile(r"([^/?#\\]*?):")
_HOST = re.compile(r"//[^\s/?#\\]")
_PLAIN_ADDRESS = re.compile(r"https?://[A-Za-z0-9][!-~]*")
"""An address in which there is nothing to repair; every list of schemes has these two."""
_FOOTNOTE = re.compile(r"#fn-[1-9][0-9]{0,5}")
_UNSAFE_IN_URL = re.compile(r'[\s"<>`{}|^]')
_METADATA_URL_LIMIT = 2000
_SAFE_URL = re.compile(r"https?://[A-Za-z0-9][A-Za-z0-9.-]*/[!#-;=?-\[\]_a-z~]*")
"""An address of a plain host in which there is nothing to repair or to escape."""
_METADATA_TEXTS = ("title", "published", "modified", "description", "site_name", "language", "section", "licence")

Draft = str | bytes
"""HTML on its way to the sanitizer: a text, or UTF-8, in which the compiled core hands it on."""
_Check = Callable[[str], str | None]
_Checks = tuple[tuple[str, _Check], ...]


def strip_invisible(text: str) -> tuple[str, int]:
    r"""Take out control and hidden characters; also says how many there were.

    Control characters that separate words become spaces and half surrogates U+FFFD; these are not counted.

    >>> strip_invisible("pay\u202eload\U000e0041")
    ('payload', 2)
    """
    found: tuple[str, int] = core.visible(text)
    return found


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
    address = _address(url, ("http", "https"), _METADATA_URL_LIMIT)
    if address is None or _SCHEME.match(address) is None:
        return None
    authority = re.split(r"[/?#]", address.partition("//")[2], maxsplit=1)[0]
    if "@" in authority or "\\" in address or _UNSAFE_IN_URL.search(authority):
        return None
    address = _UNSAFE_IN_URL.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), address)
    return address if len(address) <= _METADATA_URL_LIMIT else None


def safe_metadata(metadata: Metadata) -> Metadata:
    """Metadata as it may leave: addresses by :func:`safe_url`, all else by :func:`safe_text`; what is empty is None."""
    limits = _data()["metadata"]
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


def as_text(draft: Draft) -> str:
    """A draft for those who read it in Python."""
    return draft if isinstance(draft, str) else draft.decode()


def sanitize(draft: Element | Draft, output: Output) -> str:
    """The safe HTML of a draft, or of what is inside an element. Sanitizing it again changes nothing."""
    sanitizer = _sanitizer(output.keep_classes, output.nofollow, output.links, output.images)
    html: str = sanitizer.sanitize(draft)
    return html


@cache
def _data() -> Mapping[str, Any]:
    return load("policy.toml")


@cache
def _sanitizer(keep_classes: bool, nofollow: bool, links: bool, images: bool) -> Any:
    data = _data()
    tags = _rules(keep_classes, links, images)
    dropped = {tag for group in data["drop"] for tag in group["tags"]}
    if not images:
        dropped.add("img")
    fixed = {"a": f' rel="{data["nofollow"]["rel"]}"'} if nofollow and links else {}
    addresses = {
        rule["name"]: data["limits"]["url"] for rule in data["attribute"] if rule.get("kind") in ("link", "image")
    }
    # A table refused at the limit would leave its cells without one, so a table may pass it by its own parts.
    depth = data["limits"]["depth"] - 4
    written = forms({tag for tag, _, _ in tags.values()})
    return core.Sanitizer(
        tags, written, fixed, TABLE_PARTS, MISSING, addresses, frozenset(dropped), depth, _ROUNDS, named_characters()
    )


def _rules(keep_classes: bool, links: bool, images: bool) -> dict[str, tuple[str, str | None, _Checks]]:
    """By tag of the page: the tag to write, how its attributes must begin, and its attributes."""
    data = _data()
    allowed = [tag for group in data["allow"] for tag in group["tags"]]
    if not links:
        allowed.remove("a")
    if not images:
        allowed.remove("img")
    names: dict[str, dict[str, _Check]] = {tag: {} for tag in allowed}
    required: dict[str, str] = {}
    for rule in data["attribute"]:
        check = _check(rule, data)
        for tag in allowed if rule["on"] == ["*"] else [tag for tag in rule["on"] if tag in names]:
            names[tag][rule["name"]] = check
            if rule.get("required"):
                required[tag] = rule["name"]
    if keep_classes:
        kept = data["keep_classes"]
        for tag in allowed:
            names[tag]["class"] = _folded(_pattern(kept["class"]))
            names[tag]["id"] = _prefixed(_pattern(kept["id"]), kept["id_prefix"], names[tag].get("id"))
    tags: dict[str, tuple[str, str | None, _Checks]] = {}
    for tag, checks in names.items():
        first = required.get(tag)
        # A required attribute comes first, so that what was written shows whether it is there.
        order = sorted(checks, key=[first, *checks].index)
        tags[tag] = (tag, f' {first}="' if first else None, tuple((name, checks[name]) for name in order))
    for group in data["rename"]:
        tags |= dict.fromkeys(group["tags"], tags[group["to"]])
    return tags


def _check(rule: Mapping[str, Any], data: Mapping[str, Any]) -> _Check:
    if "pattern" in rule:
        return _pattern(rule["pattern"])
    limits, schemes = data["limits"], data["schemes"]
    kinds: dict[str, _Check] = {
        "link": lambda value: _link(value, schemes["link"], limits["url"]),
        "image": lambda value: _address(value, schemes["image"], limits["url"]),
        "text": lambda value: _words(value, limits["text"]) or None,
        "alt": lambda value: _words(value, limits["text"]),
    }
    return kinds[rule["kind"]]


def _pattern(pattern: str) -> _Check:
    matches = re.compile(pattern).fullmatch
    return lambda value: value if matches(value) else None


def _folded(check: _Check) -> _Check:
    return lambda value: check(" ".join(value.split()))


def _prefixed(check: _Check, prefix: str, own: _Check | None) -> _Check:
    def prefixed(value: str) -> str | None:
        if own is not None and own(value) is not None:
            return value
        value = strip_invisible(value)[0]
        return check(value if value.startswith(prefix) else prefix + value) if value else None

    return prefixed


def _words(value: str, limit: int) -> str:
    return strip_invisible(value)[0].strip()[:limit].rstrip()


def _link(value: str, schemes: list[str], limit: int) -> str | None:
    return value if _FOOTNOTE.fullmatch(value) else _address(value, schemes, limit)


def _address(value: str, schemes: list[str] | tuple[str, ...], limit: int) -> str | None:
    """An address read as browsers read it: trimmed, without line breaks; None if it is not of an allowed scheme."""
    if _PLAIN_ADDRESS.fullmatch(value) and len(value) <= limit:
        return value
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
