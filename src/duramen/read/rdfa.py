"""RDFa: types and properties written on the elements themselves, by the names that schema.org has for them.

Publishers use schema.org and, with older systems, Dublin Core, SIOC and FOAF; what another vocabulary says is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Any

from duramen.tree import Tree

__all__ = ["read_rdfa"]

MAX_ITEMS = 2_000
MAX_VALUES = 200
MAX_NAMES = 50
"""Names that one element may have: the HTML library compares each with all before it."""
_TIMES = 8
_AT_LEAST = 100_000
"""Values may repeat the page's characters so many times over, or so often."""

_DUBLIN_CORE = ("http://purl.org/dc/terms/", "http://purl.org/dc/elements/1.1/")
_CORE_NAMES = {
    "title": "headline",
    "creator": "author",
    "created": "dateCreated",
    "issued": "datePublished",
    "modified": "dateModified",
    "description": "description",
}
_NAMES: dict[str, str] = {
    **{prefix + name: meant for prefix in _DUBLIN_CORE for name, meant in _CORE_NAMES.items()},
    "http://purl.org/rss/1.0/modules/content/encoded": "articleBody",
    "http://xmlns.com/foaf/0.1/name": "name",
}
_TYPES = {
    "http://rdfs.org/sioc/ns#Item": "Article",
    "http://rdfs.org/sioc/types#BlogPost": "BlogPosting",
    "http://rdfs.org/sioc/types#Comment": "Comment",
    "http://xmlns.com/foaf/0.1/Person": "Person",
}
_NO_CONTENT = frozenset({"foaf:Image", "Image", "ImageObject", "BreadcrumbList", "ListItem"})
_OTHER_VOCABULARIES = ("mw:", "v:")
"""Of wikis, and of breadcrumbs once."""
_SCHEMA = ("https://schema.org/", "http://schema.org/", "http://www.schema.org/", "https://www.schema.org/")


def read_rdfa(tree: Tree, base_url: str | None, problems: list[str]) -> tuple[Mapping[str, Any], ...]:
    """The page's typed things as objects like those of JSON-LD; those inside others are their values."""
    if not _may_tell(tree):
        return ()
    if not _is_affordable(tree):
        problems.append("rdfa: left out, since it repeats itself too often")
        return ()
    roots: list[Mapping[str, Any]] = []
    count = 0
    for item in _parsed(tree, base_url, problems):
        root: dict[str, Any] = {}
        stack: list[tuple[Any, dict[str, Any]]] = [(item, root)]
        while stack:
            source, made = stack.pop()
            count += 1
            kinds = [kind for written in source.type[:10] if (kind := _type(written))]
            if kinds:
                made["@type"] = kinds[0] if len(kinds) == 1 else kinds
            if source.resource:
                made["@id"] = source.resource
            for written, values in source.properties.items():
                name = _name(written)
                if name is None:
                    continue
                plain: list[Any] = []
                for value in values[:MAX_VALUES]:
                    if isinstance(value, str):
                        plain.append(value)
                    elif count + len(stack) < MAX_ITEMS:
                        inner: dict[str, Any] = {}
                        plain.append(inner)
                        stack.append((value, inner))
                made.setdefault(name, plain[0] if len(plain) == 1 else plain)
        if "@type" in root and len(root) > 1:
            roots.append(root)
        if count >= MAX_ITEMS:
            problems.append("rdfa: items left out, over the limit")
            break
    return tuple(roots)


def _may_tell(tree: Tree) -> bool:
    """Whether a type may be one that is read, and of more than breadcrumbs or pictures.

    A name without prefix is one of the vocabulary that is stated; what is also a property is part of something else.
    """
    typed = tree.valued("typeof")
    if not typed:
        return False
    parts = {i for i, _ in tree.valued("property")}
    words = {word for i, kinds in typed if i not in parts for word in kinds.split()} - _NO_CONTENT
    is_stated = bool(tree.valued("vocab"))
    return any(not word.startswith(_OTHER_VOCABULARIES) if ":" in word else is_stated for word in words)


def _is_affordable(tree: Tree) -> bool:
    """Whether the HTML library can read the page's properties without far more work than the page is.

    It copies the text of each element that is one, however they are nested.
    """
    named = tree.valued("property")
    # What was cut off is still there for the library.
    if tree.cut or any(len(names) > MAX_NAMES and len(names.split()) > MAX_NAMES for _, names in named):
        return False
    if len(named) <= _TIMES:
        return True
    sizes = list(accumulate(map(len, tree.text), initial=0))
    return sum(sizes[tree.end[i]] - sizes[i] for i, _ in named) <= _TIMES * sizes[-1] + _AT_LEAST


def _parsed(tree: Tree, base_url: str | None, problems: list[str]) -> Iterable[Any]:
    """The items that the HTML library finds; none, and a problem told, where it cannot."""
    parse = tree.elements.document.rdfa
    try:
        return parse(base_url) if base_url else parse()
    except ValueError:
        try:
            return parse()
        except (ValueError, RecursionError):
            problems.append("rdfa: unreadable")
    except RecursionError:
        problems.append("rdfa: nested too deeply")
    return ()


def _schema(written: str) -> str | None:
    for prefix in _SCHEMA:
        if written.startswith(prefix):
            return written[len(prefix) :]
    return None


def _type(written: str) -> str | None:
    return _schema(written) or _TYPES.get(written)


def _name(written: str) -> str | None:
    return _schema(written) or _NAMES.get(written)
