"""Where selectors are asked: of the compiled core, or of the parser's own elements, by their numbers in the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import Any

from duramen.dom import Document
from duramen.dom import ParsedElement as Element
from duramen.dom import ParsedNode as Node
from duramen.native import core


@lru_cache(maxsize=1024)
def _read(selector: str) -> Any:
    """A selector as the compiled core reads it; None for one with more in it than names, places and contents."""
    return core.selector(selector)


_FEW = 6
"""Kinds of elements up to which looking for each is quicker than numbering them all."""


def _elements_below(element: Element) -> Iterator[Element]:
    return (node for node in element.descendants if type(node) is Element)


class Elements:
    """The parser's own elements by their number in the tree: looked up only where a selector found some."""

    def __init__(
        self,
        parsed: Callable[[], Document],
        tags: Sequence[str],
        cls: Sequence[str],
        ident: Sequence[str],
        core: Any,
        cut: bool,
    ) -> None:
        self._parsed, self._tags, self._cls, self._ident, self._core = parsed, tags, cls, ident, core
        self._cut = cut

    @cached_property
    def document(self) -> Document:
        """The parser's document, for what the flattened page cannot tell."""
        return self._parsed()

    @property
    def root(self) -> Element | None:
        """The page's ``<html>``."""
        return self.document.root

    def select(self, selector: str, within: int) -> list[int]:
        """Numbers of the elements that a selector matches below or at one, in document order."""
        if self._core is not None and (read := _read(selector)) is not None:
            found: list[int] | None = self._core.select(read, within)
            if found is not None:
                return found
        return self.asked(selector, within)

    def asked(self, selector: str, within: int) -> list[int]:
        """The same, as the parser's own document tells it."""
        root = self.at(within)
        if root is None:
            return []
        found = self.numbers_of(root.select(selector))
        if root.matches(selector):
            found.add(within)
        return sorted(found)

    def at(self, i: int) -> Element | None:
        """The element with a number; None for text."""
        return self.root if i == 0 else self._by_number.get(i)

    def numbers_of(self, found: Iterable[Any]) -> set[int]:
        """The numbers of what a selector found; what stands inside a drawing counts as the drawing."""
        found = list(found)
        if not found:
            return set()
        # Of a page that was cut off there may be others like them behind the cut.
        if not self._cut and "_numbers" not in self.__dict__ and (told := self._by_names(found)) is not None:
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
            like = self._alike(tag, cls, ident)
            if len(like) != count:
                return None
            numbers.update(like)
        return numbers

    def _alike(self, tag: str, cls: str, ident: str) -> list[int]:
        if self._core is not None:
            return self._core.alike(tag, cls, ident)  # type: ignore[no-any-return]
        places = [i for i, name in enumerate(self._tags) if name == tag]
        return [i for i in places if self._cls[i] == cls and self._ident[i] == ident]

    @cached_property
    def _numbers(self) -> dict[Node, int]:
        numbers: dict[Node, int] = {}
        root = self.root
        if root is None:
            return numbers
        nodes = chain((root,), _elements_below(root))
        for i, tag in enumerate(self._tags):
            if not tag:
                continue
            node = next(nodes, None)
            if node is None:
                break
            numbers[node] = i
            if tag == "svg":
                numbers.update(dict.fromkeys(islice(nodes, sum(1 for _ in _elements_below(node))), i))
        return numbers

    @cached_property
    def _by_number(self) -> dict[int, Element]:
        found: dict[int, Element] = {}
        for node, i in self._numbers.items():
            if isinstance(node, Element):
                found.setdefault(i, node)
        return found
