"""RDFa: types and properties written on the elements themselves, by the names that schema.org has for them.

Publishers use schema.org and, with older systems, Dublin Core, SIOC and FOAF; what another vocabulary says is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from duramen.read.vocabulary import is_affordable, parsed_items
from duramen.tree import Tree

__all__ = ["read_rdfa"]

MAX_ITEMS = 2_000
MAX_VALUES = 200

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
_SCHEMA = ("https://schema.org/", "http://schema.org/", "http://www.schema.org/", "https://www.schema.org/")


def read_rdfa(tree: Tree, base_url: str | None, problems: list[str]) -> tuple[Mapping[str, Any], ...]:
    """The page's typed things as objects like those of JSON-LD; those inside others are their values."""
    # Wikis type every picture in a vocabulary of their own.
    if all(kind.startswith("mw:") for _, kind in tree.valued("typeof")):
        return ()
    if not is_affordable(tree, "property"):
        problems.append("rdfa: left out, since it repeats itself too often")
        return ()
    roots: list[Mapping[str, Any]] = []
    count = 0
    for item in parsed_items("rdfa", tree.elements.document.rdfa, base_url, problems):
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


def _schema(written: str) -> str | None:
    for prefix in _SCHEMA:
        if written.startswith(prefix):
            return written[len(prefix) :]
    return None


def _type(written: str) -> str | None:
    return _schema(written) or _TYPES.get(written)


def _name(written: str) -> str | None:
    return _schema(written) or _NAMES.get(written)
