"""The parser's own elements, by their numbers in the flattened page: where selectors are asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from duramen.dom import Element, Node

_FEW = 6
"""Kinds of elements up to which looking for each is quicker than numbering them all."""


class Elements:
    """The parser's own elements by their number in the tree: looked up only where a selector found some."""

    def __init__(self, root: Element | None, tags: Sequence[str], cls: Sequence[str], ident: Sequence[str]) -> None:
        self.root, self._tags, self._cls, self._ident = root, tags, cls, ident

    def forget(self) -> None:
        """Let go of the parser's document, which no selector is asked of any more."""
        self.root = None
        self.__dict__.pop("_numbers", None)
        self.__dict__.pop("_by_number", None)

    def at(self, i: int) -> Element | None:
        """The element with a number; None for text."""
        if i == 0 or self.root is None:
            return self.root
        return self._by_number.get(i)

    def numbers_of(self, found: Iterable[Any]) -> set[int]:
        """The numbers of what a selector found; what stands inside a drawing counts as the drawing."""
        found = list(found)
        if not found:
            return set()
        if "_numbers" not in self.__dict__ and (told := self._by_names(found)) is not None:
            return told
        return {self._numbers[node] for node in found if node in self._numbers}

    def _by_names(self, found: Sequence[Any]) -> set[int] | None:
        """The numbers of elements that are all there is of their tag, class and id; None where others are like them.

        Most that a rule selects are; to number every element of the page for them takes as long as to parse it.
        """
        alike = Counter(
            (node.tag, " ".join((node.attr("class") or "").split()), node.attr("id") or "")
            for node in found
            if type(node) is Element
        )
        if len(alike) > _FEW or sum(alike.values()) < len(found):
            return None
        numbers: set[int] = set()
        for (tag, cls, ident), count in alike.items():
            places = [i for i, name in enumerate(self._cls) if name == cls] if cls else range(len(self._tags))
            like = [i for i in places if self._tags[i] == tag and self._ident[i] == ident]
            if len(like) != count:
                return None
            numbers.update(like)
        return numbers

    @cached_property
    def _numbers(self) -> dict[Node, int]:
        numbers: dict[Node, int] = {}
        if self.root is None:
            return numbers
        places = (i for i, tag in enumerate(self._tags) if tag)
        for node in chain((self.root,), self.root.descendants):
            if type(node) is not Element:
                continue
            above = numbers.get(node.parent, -1) if node.parent is not None else -1
            if above >= 0 and self._tags[above] == "svg":
                numbers[node] = above
                continue
            i = next(places, None)
            if i is None:
                break
            numbers[node] = i
        return numbers

    @cached_property
    def _by_number(self) -> dict[int, Element]:
        found: dict[int, Element] = {}
        for node, i in self._numbers.items():
            if isinstance(node, Element):
                found.setdefault(i, node)
        return found
