"""Microdata: items written on the elements themselves, as the HTML standard reads them.

In one thing they are read as search engines do, and as schema.org's own examples are written: ``content`` is the value
of any element that would else be read as text.

What elements inside each other, or references between them, would repeat without end is left out and reported.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from duramen.read.element_values import AT_LEAST, MAX_ITEMS, MAX_NAMES, MAX_VALUES, TIMES, ElementValues, TooMuchError
from duramen.tree import Tree

__all__ = ["read_microdata"]

_NO_CONTENT = frozenset(
    "Breadcrumb BreadcrumbList Comment ImageObject SiteNavigationElement UserComments"
    " WPFooter WPHeader WPSideBar".split()
)
"""What says nothing about the page itself, where it is no part of something else; it is half of all that is written."""
_TEMPLATE = frozenset({"template"})
_ADDRESSES = {
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    **dict.fromkeys(("a", "area", "link"), "href"),
    "object": "data",
}
_STATEMENTS = {"meta": "content", "data": "value", "meter": "value"}


def read_microdata(
    tree: Tree, base_url: str | None, problems: list[str], *, whole: bool = False
) -> tuple[Mapping[str, Any], ...]:
    """The page's items as objects like those of JSON-LD; those inside others are their values.

    What is separate and only a comment, a breadcrumb or the like is left out, unless ``whole``.
    """
    scopes = {i for i, _ in tree.valued("itemscope")}
    if not scopes:
        return ()
    parts, kinds = {i for i, _ in tree.valued("itemprop")}, dict(tree.valued("itemtype"))
    starts = [i for i in sorted(scopes - parts) if whole or _may_tell(kinds.get(i, ""))]
    if not starts:
        return ()
    try:
        items = _Items(tree, scopes, base_url)
        roots = items.read(starts)
    except TooMuchError:
        problems.append("microdata: left out, since it repeats itself too often")
        return ()
    if items.made >= MAX_ITEMS:
        problems.append("microdata: items left out, over the limit")
    return roots


def _may_tell(kind: str) -> bool:
    return kind.rpartition("/")[2] not in _NO_CONTENT


class _Items:
    """Which properties each item of a page has, and what they say."""

    def __init__(self, tree: Tree, scopes: set[int], base_url: str | None) -> None:
        self.tree, self.scopes, self.reading = tree, scopes, ElementValues(tree, base_url)
        self.names = {i: value.split() for i, value in tree.valued("itemprop")}
        if max(map(len, self.names.values()), default=0) > MAX_NAMES:
            raise TooMuchError
        self.references = _references(tree)
        """The elements that an item refers to."""
        self.around: dict[int, int] = {}
        """The item or template that a property, or what is referred to, is in."""
        self.inside: dict[int, list[int]] = {}
        """The properties that stand in an item or template, but in no other that it holds."""
        self.values: dict[int, str] = {}
        self.made = self.visited = 0
        self._sort_out()

    def _sort_out(self) -> None:
        tree, open_ones = self.tree, [-1]
        referred = {i for elements in self.references.values() for i in elements}
        for i in sorted({*self.scopes, *self.names, *tree.tagged(_TEMPLATE), *referred}):
            while len(open_ones) > 1 and tree.end[open_ones[-1]] <= i:
                open_ones.pop()
            self.around[i] = open_ones[-1]
            if i in self.names:
                self.inside.setdefault(open_ones[-1], []).append(i)
            if i in self.scopes or tree.tag[i] == "template":
                open_ones.append(i)

    def read(self, starts: list[int]) -> tuple[Mapping[str, Any], ...]:
        """Items that are no item's property, with all that they hold."""
        roots: list[Mapping[str, Any]] = []
        for i in starts:
            if self.made >= MAX_ITEMS:
                break
            root = self._begin()
            roots.append(root)
            self._fill(i, root)
        return tuple(roots)

    def _fill(self, root: int, made: dict[str, Any]) -> None:
        stack: list[tuple[int, dict[str, Any] | None]] = [(root, made)]
        path: set[int] = set()
        while stack:
            i, item = stack.pop()
            if item is None:
                path.discard(i)
                continue
            path.add(i)
            stack.append((i, None))
            self._describe(i, item)
            for name, numbers in self._properties(i).items():
                values: list[Any] = []
                for j in numbers[:MAX_VALUES]:
                    if j not in self.scopes:
                        values.append(self._value(j))
                    elif j not in path and self.made < MAX_ITEMS:
                        inner = self._begin()
                        values.append(inner)
                        stack.append((j, inner))
                if values:
                    item[name] = values[0] if len(values) == 1 else values

    def _begin(self) -> dict[str, Any]:
        self.made += 1
        if self.made > TIMES * len(self.scopes):
            raise TooMuchError
        return {}

    def _describe(self, i: int, made: dict[str, Any]) -> None:
        attributes = self.tree.attrs[i]
        if kinds := attributes.get("itemtype", "").split():
            made["@type"] = kinds[0] if len(kinds) == 1 else kinds
        if ident := attributes.get("itemid"):
            made["@id"] = ident

    def _properties(self, i: int) -> dict[str, list[int]]:
        """The elements that are an item's properties, by name, in document order."""
        numbers: Sequence[int] = self.inside.get(i, ())
        if references := self.references.get(i):
            every = set(numbers)
            for at in references:
                # What is referred to counts with all of it that no other item holds.
                beside = self.inside.get(self.around[at], ())
                part = beside[bisect_left(beside, at) : bisect_left(beside, self.tree.end[at])]
                self._visit(len(part))
                every.update(part)
            every.discard(i)
            numbers = sorted(every)
        self._visit(len(numbers))
        found: dict[str, list[int]] = {}
        for j in numbers:
            names = self.names[j]
            for name in names if len(names) == 1 else dict.fromkeys(names):
                found.setdefault(name, []).append(j)
        return found

    def _visit(self, count: int) -> None:
        self.visited += count
        if self.visited > TIMES * len(self.tree) + AT_LEAST:
            raise TooMuchError

    def _value(self, i: int) -> str:
        value = self.values.get(i)
        if value is None:
            value = self.values[i] = self._read(i)
        return value

    def _read(self, i: int) -> str:
        tag, attributes = self.tree.tag[i], self.tree.attrs[i]
        if tag in _STATEMENTS:
            return attributes.get(_STATEMENTS[tag], "")
        if tag in _ADDRESSES:
            return self.reading.address(attributes.get(_ADDRESSES[tag], ""))
        if tag == "time" and "datetime" in attributes:
            return attributes["datetime"]
        return attributes.get("content") or self.reading.text(i)


def _references(tree: Tree) -> dict[int, list[int]]:
    referring = tree.valued("itemref")
    if not referring:
        return {}
    places: dict[str, int] = {}
    for i, name in tree.valued("id"):
        places.setdefault(name, i)
    return {i: [places[name] for name in dict.fromkeys(names.split()) if name in places] for i, names in referring}
