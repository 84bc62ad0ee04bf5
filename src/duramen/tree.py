"""The page flattened in document order, read-only.

In a :class:`Tree` node *i*'s subtree is the range ``i .. end[i]``, so that every sum over a subtree is one subtraction
of running totals.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import Any

from duramen.dom import Document, DocumentFragment, Element, Node, Text
from duramen.elements import Elements
from duramen.native import core

BLOCK_TAGS = frozenset(
    "address article aside blockquote body button canvas caption center col colgroup dd details dialog dir div dl dt"
    " fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav"
    " noscript ol optgroup option p pre search section select summary table tbody td template textarea tfoot th thead"
    " title tr ul video audio iframe object".split()
)
"""Elements that begin and end a line of text."""

SILENT_TAGS = frozenset(
    "script style head title meta link base iframe object embed applet svg canvas audio video map area datalist"
    " textarea select button param source track frame frameset noframes noembed".split()
)
"""Elements whose text is never shown as running text."""


_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
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


MOST_FOR_COSTLY = 30_000
"""Nodes up to which a selector may look through the page again for every element: a second's work or two."""
_COSTLY = re.compile(r":has\((?!\s*>[^()]*\)\s*(?:,|$))|-of-type\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tree:
    """A page in document order: parallel lists, one entry a node (element or text).

    Text that a reader does not see (scripts, options, vector graphics) weighs nothing in the totals but is kept, since
    data may hide in it.
    """

    parent: list[int]
    end: list[int]
    depth: list[int]
    tag: list[str]
    """Lower-case tag name; empty for text."""
    attrs: Sequence[Attributes]
    """Attributes by lower-case name."""
    cls: list[str]
    """The ``class`` attribute, its words parted by single spaces."""
    ident: list[str]
    """The ``id`` attribute."""
    text: list[str]
    """A text node's characters; empty for elements."""
    chars: list[int]
    """Running total of shown characters (white space folded) before node *i*; one entry more than nodes."""
    links: list[int]
    """Running total of shown characters inside ``<a>``."""
    words: list[int]
    """Running total of words; a Chinese, Japanese or Thai character counts as half a word."""
    gap: list[bool]
    """Whether white space alone stands before the node: blank text nodes are not nodes of their own, except in code."""
    body: int
    cut: bool
    """Whether nodes were left out for exceeding the limit."""
    valued: Callable[[str], Sequence[tuple[int, str]]]
    """The elements that have an attribute, in document order, each with its value."""
    elements: Elements
    core: Any
    """The same tree in the compiled core; None without it."""

    def __len__(self) -> int:
        return len(self.tag)

    def tagged(self, tags: Set[str]) -> list[int]:
        """The elements of some tags, in document order."""
        if self.core is not None:
            return self.core.tagged(tags)  # type: ignore[no-any-return]
        return [i for i, tag in enumerate(self.tag) if tag and tag in tags]

    def classed(self, values: Set[str]) -> list[int]:
        """The elements whose ``class`` is one of some values, in document order."""
        if self.core is not None:
            return self.core.classed(values)  # type: ignore[no-any-return]
        return [i for i, value in enumerate(self.cls) if value and value in values]

    def classes(self) -> set[str]:
        """The values of ``class``, each once."""
        values = set(self.cls if self.core is None else self.core.classes())
        values.discard("")
        return values

    def tag_counts(self) -> Mapping[str, int]:
        """How many elements have each tag."""
        if self.core is not None:
            return self.core.tag_counts()  # type: ignore[no-any-return]
        return Counter(filter(None, self.tag))

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

    def text_in(self, i: int) -> str:
        """The shown text below a node, white space folded, blocks apart."""
        return self._text_between(i, self.end[i])

    def _text_between(self, i: int, stop: int) -> str:
        parts: list[str] = []
        open_blocks: list[int] = []
        for j in range(i, stop):
            while open_blocks and open_blocks[-1] <= j:
                open_blocks.pop()
                parts.append(" ")
            if self.gap[j]:
                parts.append(" ")
            if self.tag[j] in BLOCK_TAGS:
                open_blocks.append(self.end[j])
                parts.append(" ")
            elif self.tag[j] == "br":
                parts.append(" ")
            elif self.chars[j + 1] > self.chars[j]:
                parts.append(self.text[j])
        return folded("".join(parts))

    def lead(self, i: int, most: int) -> str:
        """The beginning of the shown text below a node; of nodes without text only the first count."""
        size, last = 0, i
        for last in range(i, min(self.end[i], i + _LEAD_NODES)):
            size += len("".join(self.text[last][:1000].split())) if self.chars[last + 1] > self.chars[last] else 0
            if size >= most:
                break
        return self._text_between(i, last + 1)[:most]

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

        None where its cost would grow with the square of a page of more than :data:`MOST_FOR_COSTLY` nodes.
        """
        if len(self) > MOST_FOR_COSTLY and _COSTLY.search(selector):
            return []
        return self.elements.select(selector, within)

    def xpath(self, expression: str) -> list[int]:
        """Numbers of the elements an XPath finds, in document order; none when it is not one."""
        root = self.elements.at(0)
        try:
            found = root.xpath(expression) if root is not None else ()
        except (ValueError, TypeError):
            return []
        return sorted(self.elements.numbers_of(found)) if isinstance(found, list) else []


_NO_ATTRIBUTES: Attributes = {}
_STATES: Mapping[str, int] = (
    dict.fromkeys(SILENT_TAGS, 1)
    | {"a": 2}
    | dict.fromkeys(("pre", "code", "listing", "xmp", "samp", "kbd"), 4)
    | {"svg": 1 | 8, "textarea": 1 | 4}
)


def flatten(document: Document, max_nodes: int = 1_000_000) -> Tree:
    """Flatten a parsed page into a :class:`Tree`, in one walk."""
    if core is not None:
        # What the parser writes, the core reads back quicker than anything could ask the parser node by node.
        # Its pieces are each as wide as their own characters, and most are plain: quicker than the whole at once.
        scanned = core.scan(document.serialize_iter(), max_nodes, _STATES, BLOCK_TAGS)
        if scanned is not None:
            parent, end, depth, tag, cls, ident, text, chars, links, words, gap, body, cut = scanned.columns()
            return Tree(
                parent, end, depth, tag, scanned.attributes(), cls, ident, text, chars, links, words, gap, body, cut,
                scanned.valued, Elements(lambda: document, tag, cls, ident, scanned), scanned,
            )  # fmt: skip
    return _flatten(document, max_nodes)


def _flatten(document: Document, max_nodes: int) -> Tree:
    parent: list[int] = []
    depth: list[int] = []
    tag: list[str] = []
    attrs: list[Attributes] = []
    cls: list[str] = []
    ident: list[str] = []
    text: list[str] = []
    chars, links, words = [0], [0], [0]
    gap: list[bool] = []
    # Per node: 1 below an element whose text is never shown, 2 in a link, 4 where white space counts, 8 in a drawing.
    state: list[int] = []
    number: dict[Node | None, int] = {}
    holders: dict[str, list[tuple[int, str]]] = {}
    body = i = 0
    cut = blank = False
    total = linked_total = word_total = 0
    root = document.root
    everything: Iterable[Any] = chain((root,), root.descendants) if root is not None else ()
    for node, data in _joined(everything):
        kind = type(node)
        if kind is Text:
            above = number[node.parent]
            inherited = state[above]
            pieces = data.split()
            if (not pieces and not inherited & 4) or inherited & 8:
                blank = True
                continue
            if i >= max_nodes:
                cut = True
                break
            tag.append("")
            attrs.append(_NO_ATTRIBUTES)
            cls.append("")
            ident.append("")
            text.append(data)
            if pieces and not inherited & 1:
                size = sum(map(len, pieces)) + len(pieces)
                total += size
                word_total += len(pieces) if data.isascii() else count_words(data)
                if inherited & 2:
                    linked_total += size
        elif kind is Element:
            above = number[node.parent] if i else -1
            inherited = state[above] if i else 0
            if inherited & 8:
                # What a drawing is made of is no text.
                number[node] = above
                continue
            if i >= max_nodes:
                cut = True
                break
            number[node] = i
            name = node.tag
            if name in _STATES:
                inherited |= _STATES[name]
            elif name == "body":
                body = body or i
            tag.append(name)
            text.append("")
            own = node.attrs
            if own:
                # Not dict(own): asking for each name in turn is quadratic in the number of attributes.
                own = {key: value if type(value) is str else " ".join(value or ()) for key, value in own.items()}
                for key, value in own.items():
                    holders.setdefault(key, []).append((i, value))
                attrs.append(own)
                cls.append(own.get("class", ""))
                ident.append(own.get("id", ""))
            else:
                attrs.append(_NO_ATTRIBUTES)
                cls.append("")
                ident.append("")
        else:
            if kind is DocumentFragment:
                # A template's content hangs below a fragment: it counts as the template's own child.
                number[node] = number[node.parent]
            continue
        parent.append(above)
        state.append(inherited)
        depth.append(depth[above] + 1 if i else 0)
        gap.append(blank)
        chars.append(total)
        links.append(linked_total)
        words.append(word_total)
        blank = False
        i += 1
    end = list(range(1, i + 1))
    for j in range(i - 1, 0, -1):
        above = parent[j]
        if end[above] < end[j]:
            end[above] = end[j]
    return Tree(
        parent, end, depth, tag, attrs, cls, ident, text, chars, links, words, gap, body, cut,
        lambda name: holders.get(name, ()), Elements(lambda: document, tag, cls, ident, None), None,
    )  # fmt: skip


def _joined(nodes: Iterable[Any]) -> Iterator[tuple[Any, str]]:
    """Nodes in order, texts with their characters; texts that stand side by side are one."""
    held: Any = None
    data = ""
    for node in nodes:
        if type(node) is Text:
            if held is not None and held.parent is node.parent:
                data += node.data
                continue
            if held is not None:
                yield held, data
            held, data = node, node.data
            continue
        if held is not None:
            yield held, data
            held = None
        yield node, ""
    if held is not None:
        yield held, data
