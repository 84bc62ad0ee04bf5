"""The page flattened in document order, read-only.

In a :class:`Tree` node *i*'s subtree is the range ``i .. end[i]``, so that every sum over a subtree is one subtraction
of running totals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import overload

from duramen import native
from duramen.lazy_pattern import lazy_pattern
from duramen.selectors import read_selector

BLOCK_TAGS = frozenset(
    "address article aside blockquote body button canvas caption center col colgroup dd details dialog dir div dl dt"
    " fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav"
    " noscript ol optgroup option p pre search section select summary table tbody td template textarea tfoot th thead"
    " title tr ul video audio iframe object".split()
)
"""Elements that begin and end a line of text."""

INLINE_FAMILIES = frozenset({"mjx-", "math-"})
"""How the names of custom elements begin that are part of a line of text: formulas. Others count as blocks."""

NAMING_ATTRIBUTES = frozenset(
    {"role", "itemprop", "data-testid", "data-component", "data-test", "aria-label", "data-block", "data-type"}
)
"""Attributes beside ``class`` and ``id`` that name what an element is."""
SILENT_TAGS = frozenset(
    "script style head title meta link base iframe object embed applet svg canvas audio video map area datalist"
    " textarea select button param source track frame frameset noframes noembed".split()
)
"""Elements whose text is never shown as running text."""


_UNSPACED = lazy_pattern(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
)
"""Characters of scripts that put no spaces between words (Thai, Lao, Burmese, Khmer, kana, Han)."""

Attributes = Mapping[str, str]
"""Attributes by name; the words of ``class`` and ``rel`` are parted by single spaces."""


def count_words(text: str) -> int:
    """Words by white space; two characters of a script without spaces count as one word.

    >>> count_words("Heartwood is the centre of a tree."), count_words("心材是树的中心")
    (7, 4)
    """
    spaced = len(text.split())
    if text.isascii():
        return spaced
    unspaced = len(_UNSPACED.findall(text))
    return spaced + unspaced // 2 if unspaced else spaced


_PIECE = 50_000
_LEAD_NODES = 1_000


def folded(text: str) -> str:
    """White space as single spaces, none at the ends: ``" ".join(text.split())``, a piece of a long text at a time.

    A word is an object of its own, ten times as large as its letters.

    >>> folded("  Heartwood \\n is hard. ")
    'Heartwood is hard.'
    """
    if len(text) <= _PIECE:
        return " ".join(text.split())
    parts: list[str] = []
    apart = False
    for start in range(0, len(text), _PIECE):
        piece = text[start : start + _PIECE]
        words = " ".join(piece.split())
        if words and parts and (apart or piece[0].isspace()):
            parts.append(" ")
        apart = piece[-1].isspace() if words else True
        if words:
            parts.append(words)
    return "".join(parts)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tree:
    """A page in document order: parallel columns, one entry a node (element or text), each made when it is read.

    Text that a reader does not see (scripts, options, vector graphics) weighs nothing in the totals but is kept, since
    data may hide in it.
    """

    parent: Sequence[int]
    end: Sequence[int]
    depth: Sequence[int]
    tag: Sequence[str]
    """Lower-case tag name; empty for text."""
    attrs: Sequence[Attributes]
    """Attributes by lower-case name."""
    cls: Sequence[str]
    """The ``class`` attribute, its words parted by single spaces."""
    ident: Sequence[str]
    """The ``id`` attribute."""
    text: Sequence[str]
    """A text node's characters; empty for elements."""
    chars: Sequence[int]
    """Running total of shown characters (white space folded) before node *i*; one entry more than nodes."""
    links: Sequence[int]
    """Running total of shown characters inside ``<a>``."""
    words: Sequence[int]
    """Running total of words; a Chinese, Japanese or Thai character counts as half a word."""
    gap: Sequence[bool]
    """Whether only white space precedes the node: blank text nodes are not nodes of their own, except in code."""
    body: int
    cut: bool
    """Whether nodes were left out for exceeding the limit."""
    valued: Callable[[str], Sequence[tuple[int, str]]]
    """The elements that have an attribute, in document order, each with its value."""
    core: native.core.Tree
    """The same tree in the compiled core."""

    def __len__(self) -> int:
        return len(self.tag)

    def tagged(self, tags: Set[str]) -> list[int]:
        """The elements of some tags, in document order."""
        return self.core.tagged(tags)

    def classed(self, values: Set[str]) -> list[int]:
        """The elements whose ``class`` is one of some values, in document order."""
        return self.core.classed(values)

    def identified(self, name: str) -> int:
        """The first element with an id; -1 where there is none."""
        return next((i for i, ident in self.valued("id") if ident == name), -1)

    @overload
    def stated(self, tag: str, names: tuple[str]) -> list[tuple[int, str]]: ...

    @overload
    def stated(self, tag: str, names: tuple[str, ...]) -> list[tuple[int, str, *tuple[str | None, ...]]]: ...

    def stated(self, tag: str, names: tuple[str, ...]) -> Sequence[tuple[int | str | None, ...]]:
        """The elements of a tag with the values of some attributes, or None, in document order.

        Only elements that have the first of the attributes are returned.
        """
        return self.core.stated(tag, names)

    def classes(self) -> list[str]:
        """The values of ``class``, each once, as they come."""
        return [value for value in self.core.classes() if value]

    def tag_counts(self) -> Mapping[str, int]:
        """How many elements have each tag."""
        return self.core.tag_counts()

    def deepest(self) -> int:
        """How many elements are around the node that has most."""
        return self.core.deepest()

    def chars_in(self, i: int) -> int:
        return self.chars[self.end[i]] - self.chars[i]

    def links_in(self, i: int) -> int:
        return self.links[self.end[i]] - self.links[i]

    def words_in(self, i: int) -> int:
        return self.words[self.end[i]] - self.words[i]

    def link_density(self, i: int) -> float:
        chars = self.chars_in(i)
        return self.links_in(i) / chars if chars else 0.0

    def contains(self, outer: int, inner: int) -> bool:
        return outer <= inner < self.end[outer]

    def ancestors(self, i: int) -> Iterator[int]:
        i = self.parent[i]
        while i >= 0:
            yield i
            i = self.parent[i]

    def children(self, i: int) -> Iterator[int]:
        """Direct children, text nodes included."""
        j, stop = i + 1, self.end[i]
        while j < stop:
            yield j
            j = self.end[j]

    def attr(self, i: int, name: str) -> str:
        """An attribute of an element, empty when absent."""
        return self.attrs[i].get(name, "")

    def only_text(self, i: int) -> str:
        """The text of an element that holds nothing else, unchanged: a script's, unless it is one in a drawing."""
        return self.text[i + 1] if self.end[i] == i + 2 else ""

    def text_in(self, i: int) -> str:
        """The shown text below a node, white space folded, blocks apart."""
        return self.core.shown(i, self.end[i])

    def speaking(self, first: int, stop: int) -> list[int]:
        """The texts that are shown, from one node up to another."""
        return self.core.speaking(first, stop)

    def lead(self, i: int, most: int) -> str:
        """The beginning of the shown text below a node; of nodes without text only the first count."""
        size, last = 0, i
        for last in range(i, min(self.end[i], i + _LEAD_NODES)):
            size += len("".join(self.text[last][:1000].split())) if self.chars[last + 1] > self.chars[last] else 0
            if size >= most:
                break
        return self.core.shown(i, last + 1)[:most]

    def path(self, i: int) -> str:
        """A short path for people: up to three steps, each with its id or first class."""
        steps: list[str] = []
        while i >= 0 and len(steps) < 3:
            name = self.tag[i]
            if name:
                if self.ident[i]:
                    name = f"{name}#{self.ident[i][:40]}"
                elif self.cls[i]:
                    name = f"{name}.{self.cls[i].partition(' ')[0][:40]}"
                steps.append(name)
            i = self.parent[i]
        return " > ".join(reversed(steps))

    def select(self, selector: str, within: int = 0) -> list[int]:
        """Numbers of the elements a CSS selector matches below (or at) a node, in document order.

        What is found inside a drawing counts as the drawing.
        """
        return self.core.select(read_selector(selector), within)
