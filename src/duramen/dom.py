"""The only door to the HTML parser.

Its own nodes (``Element``, ``Text``) are what the refine and render stages edit, in private copies; the page itself is
read through :mod:`duramen.tree`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set

from turbohtml import (
    Comment,
    Doctype,
    Document,
    DocumentFragment,
    Element,
    Node,
    SelectorSyntaxError,
    Text,
    escape,
    parse_fragment,
)
from turbohtml import parse as _parse

__all__ = [
    "Comment",
    "Doctype",
    "Document",
    "DocumentFragment",
    "Element",
    "Node",
    "SelectorSyntaxError",
    "Text",
    "base_url",
    "decode_legacy",
    "detect_encoding",
    "detect_language",
    "escape",
    "fragment",
    "parse",
    "raw_attributes",
    "sanitizer",
]


def parse(html: str) -> Document:
    """Parse a page as browsers do with scripting off, shadow roots left where they were declared."""
    return _parse(html, positions=False, allow_declarative_shadow_roots=False)


def base_url(document: Document, url: str | None) -> str | None:
    """What relative links are relative to: the page's ``<base>``, itself relative to the page's address."""
    return document.base_url(url or "") or None


def fragment(html: str) -> Element:
    """Parse a piece of HTML into a ``div`` of its own, free to be edited."""
    return parse_fragment(html, positions=False)


def raw_attributes(element: Element) -> Iterator[tuple[str, str]]:
    """Attributes as written (the parser splits ``class`` and ``rel`` into lists)."""
    for name, value in element.attrs.items():
        if value is None:
            yield name, ""
        elif isinstance(value, str):
            yield name, value
        else:
            yield name, " ".join(value)


def sanitizer(
    tags: Iterable[str], attributes: Mapping[str, Set[str]], schemes: Iterable[str]
) -> Callable[[Element], str]:
    """The HTML library's own allow-list sanitizer over what stands inside an element."""
    from turbohtml.clean import OnDisallowed, Policy, Sanitizer

    policy = Policy(
        tags=frozenset(tags),
        attributes={tag: frozenset(names) for tag, names in attributes.items()},
        url_schemes=frozenset(schemes),
        allow_relative_urls=True,
        allow_fragment_urls=True,
        on_disallowed_tag=OnDisallowed.REMOVE,
        allow_svg=False,
        allow_mathml=False,
    )
    return Sanitizer(policy).sanitize


def detect_encoding(data: bytes) -> tuple[str, float, str]:
    """The likeliest encoding of some bytes (WHATWG name), the confidence in it, and its language if it has one."""
    from turbohtml.detect import detect

    match = detect(data)
    return (match.encoding or "windows-1252").lower(), match.confidence, match.language or ""


def decode_legacy(data: bytes, name: str) -> str:
    """Decode by a WHATWG encoding, bad bytes replaced."""
    import turbohtml.detect  # noqa: F401 - registers the codecs

    return data.decode(f"whatwg-{name}", "replace")


def detect_language(text: str) -> tuple[str, float]:
    """The ISO 639-3 code of a text's language (empty when unknown) and the confidence in it."""
    from turbohtml.detect import detect_language

    match = detect_language(text)
    return match.language or "", match.confidence
