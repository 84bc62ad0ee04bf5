"""RDFa: types and properties written on the elements themselves, by the names that schema.org has for them.

RDFa Lite, with ``about`` and ``content`` of the full language. Publishers use schema.org and, with older systems,
Dublin Core, SIOC and FOAF; properties and types of other vocabularies are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from duramen.read.element_values import MAX_ITEMS, MAX_NAMES, MAX_VALUES, ElementValues, TooMuchError
from duramen.tree import Tree

__all__ = ["read_rdfa"]

_TERMS, _ELEMENTS = "http://purl.org/dc/terms/", "http://purl.org/dc/elements/1.1/"
_FOAF, _SIOC = "http://xmlns.com/foaf/0.1/", "http://rdfs.org/sioc/ns#"
_PREFIXES: Mapping[str, str] = {
    "dc": _TERMS, "dcterms": _TERMS, "dc11": _ELEMENTS, "foaf": _FOAF, "schema": "http://schema.org/", "sioc": _SIOC,
}  # fmt: skip
"""Those of the standard's initial context that are read here."""
_MAX_PREFIXES = 100
_CORE_NAMES = {
    "title": "headline",
    "creator": "author",
    "created": "dateCreated",
    "issued": "datePublished",
    "modified": "dateModified",
    "description": "description",
}
_NAMES: dict[str, str] = {
    **{prefix + name: meant for prefix in (_TERMS, _ELEMENTS) for name, meant in _CORE_NAMES.items()},
    "http://purl.org/rss/1.0/modules/content/encoded": "articleBody",
    f"{_FOAF}name": "name",
}
_TYPES = {
    f"{_SIOC}Item": "Article",
    "http://rdfs.org/sioc/types#BlogPost": "BlogPosting",
    "http://rdfs.org/sioc/types#Comment": "Comment",
    f"{_FOAF}Person": "Person",
}
_NO_CONTENT = frozenset({"foaf:Image", "Image", "ImageObject", "BreadcrumbList", "ListItem"})
_OTHER_VOCABULARIES = ("mw:", "v:")
"""Of wikis, and of breadcrumbs once."""
_SCHEMA = ("https://schema.org/", "http://schema.org/", "http://www.schema.org/", "https://www.schema.org/")


def read_rdfa(
    tree: Tree, base_url: str | None, problems: list[str], *, whole: bool = False
) -> tuple[Mapping[str, Any], ...]:
    """The page's typed things as objects like those of JSON-LD; those inside others are their values.

    A page that types only breadcrumbs or pictures is not read, unless ``whole``.
    """
    if not whole and not _may_tell(tree):
        return ()
    reader = _Reader(tree, base_url)
    try:
        reader.read()
    except TooMuchError:
        problems.append("rdfa: left out, since it repeats itself too often")
        return ()
    if reader.count >= MAX_ITEMS:
        problems.append("rdfa: items left out, over the limit")
    return tuple([root for root in reader.roots if "@type" in root and len(root) > 1])


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


class _Context(NamedTuple):
    """What holds inside an element."""

    end: int
    vocabulary: str
    prefixes: Mapping[str, str]
    item: dict[str, Any] | None
    """The innermost typed thing."""

    def full(self, written: str) -> str:
        """A term or prefixed name as an address."""
        prefix, colon, name = written.partition(":")
        if not colon:
            return self.vocabulary + written
        known = self.prefixes.get(prefix.lower())
        return written if known is None else known + name


class _Reader:
    """One walk over the elements that have something to say."""

    def __init__(self, tree: Tree, base_url: str | None) -> None:
        self.tree, self.values = tree, ElementValues(tree, base_url)
        self.roots: list[dict[str, Any]] = []
        self.count = 0

    def read(self) -> None:
        tree = self.tree
        typed, named, vocabularies, prefixes = (
            dict(tree.valued(name)) for name in ("typeof", "property", "vocab", "prefix")
        )
        open_ones = [_Context(len(tree), "", _PREFIXES, None)]
        for i in sorted({*typed, *named, *vocabularies, *prefixes}):
            while i >= open_ones[-1].end:
                open_ones.pop()
            around = open_ones[-1]
            here = around._replace(end=tree.end[i], vocabulary=vocabularies.get(i, around.vocabulary))
            if i in prefixes:
                here = here._replace(prefixes=_declared(prefixes[i], around.prefixes))
            if i in typed:
                if self.count >= MAX_ITEMS:
                    break
                item = self._described(i, typed[i], here)
                if around.item is None:
                    self.roots.append(item)
                else:
                    self._add(around.item, named.get(i, ""), here, item)
                here = here._replace(item=item)
            elif i in named and here.item is not None:
                self._add(here.item, named[i], here, self._value(i))
            if i in typed or i in vocabularies or i in prefixes:
                open_ones.append(here)

    def _described(self, i: int, kinds: str, here: _Context) -> dict[str, Any]:
        self.count += 1
        made: dict[str, Any] = {}
        known = [kind for word in kinds.split()[:10] if (kind := _type(here.full(word)))]
        if known:
            made["@type"] = known[0] if len(known) == 1 else known
        attributes = self.tree.attrs[i]
        for name in ("about", "resource", "href", "src"):
            if name in attributes:
                made["@id"] = self.values.address(attributes[name])
                break
        return made

    def _add(self, item: dict[str, Any], names: str, here: _Context, value: Any) -> None:
        """Add a value to a property: alone as it is, beside others in a list."""
        for written in dict.fromkeys(names.split()[:MAX_NAMES]):
            name = _name(here.full(written))
            if name is None:
                continue
            if name not in item:
                item[name] = value
            elif not isinstance(item[name], list):
                item[name] = [item[name], value]
            elif len(item[name]) < MAX_VALUES:
                item[name].append(value)

    def _value(self, i: int) -> str:
        attributes = self.tree.attrs[i]
        if "content" in attributes:
            return attributes["content"]
        if self.tree.tag[i] == "time" and "datetime" in attributes:
            return attributes["datetime"]
        for name in ("resource", "href", "src"):
            if name in attributes:
                return self.values.address(attributes[name])
        return self.values.text(i)


def _declared(prefixes: str, around: Mapping[str, str]) -> Mapping[str, str]:
    """Prefixes with those that an attribute declares: ``dc: http://purl.org/dc/terms/`` and so on."""
    words = prefixes.split()[: 2 * MAX_NAMES]
    declared = {
        name[:-1].lower(): meant for name, meant in zip(words[::2], words[1::2], strict=False) if name[-1] == ":"
    }
    return {**around, **declared} if len(around) + len(declared) <= _MAX_PREFIXES else around


def _schema(full: str) -> str | None:
    for prefix in _SCHEMA:
        if full.startswith(prefix):
            return full[len(prefix) :]
    return None


def _type(full: str) -> str | None:
    return _schema(full) or _TYPES.get(full)


def _name(full: str) -> str | None:
    return _schema(full) or _NAMES.get(full)
