"""From a page's text to its :class:`~duramen.tree.Tree`: by the compiled core, or by the parser and one walk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from duramen.dom import Document, DocumentFragment, named_characters, parse, tamed
from duramen.dom import ParsedElement as Element
from duramen.dom import ParsedNode as Node
from duramen.dom import ParsedText as Text
from duramen.elements import Elements
from duramen.model import PageText
from duramen.native import core
from duramen.tree import BLOCK_TAGS, SILENT_TAGS, Attributes, Tree, count_words

_NO_ATTRIBUTES: Attributes = {}
_STATES: Mapping[str, int] = (
    dict.fromkeys(SILENT_TAGS, 1)
    | {"a": 2}
    | dict.fromkeys(("pre", "code", "listing", "xmp", "samp", "kbd"), 4)
    | {"svg": 1 | 8, "textarea": 1 | 4}
)


def parse_tree(html: PageText, max_nodes: int = 1_000_000, limits: list[str] | None = None) -> Tree:
    """Parse a page and flatten it; the parser's own document is made only if something asks for it.

    What had to be left out is added to ``limits``.
    """
    if core is None:
        return flatten(parse(str(html), limits), max_nodes)
    html = tamed(html, limits)
    parsed = core.parse(html, max_nodes, _STATES, BLOCK_TAGS, named_characters())
    if parsed is None:
        # The document is not held for a selector that may ask for it: it is larger than all the rest.
        parsed = _scanned(parse(str(html), limits), max_nodes)
        if parsed is None:
            return _flatten(parse(str(html)), max_nodes)
    return _told(parsed, lambda: parse(str(html)))


def flatten(document: Document, max_nodes: int = 1_000_000) -> Tree:
    """Flatten a parsed page into a :class:`Tree`, in one walk."""
    scanned = _scanned(document, max_nodes)
    return _flatten(document, max_nodes) if scanned is None else _told(scanned, lambda: document)


def _scanned(document: Document, max_nodes: int) -> Any:
    # What the parser writes, the core reads back quicker than anything could ask the parser node by node.
    # Its pieces are each as wide as their own characters, and most are plain: quicker than the whole at once.
    return None if core is None else core.scan(document.serialize_iter(), max_nodes, _STATES, BLOCK_TAGS)


def _told(scanned: Any, document: Callable[[], Document]) -> Tree:
    parent, end, depth, tag, attrs, cls, ident, text, chars, links, words, gap, body, cut = scanned.columns()
    return Tree(
        parent, end, depth, tag, attrs, cls, ident, text, chars, links, words, gap, body, cut,
        scanned.valued, Elements(document, tag, cls, ident, scanned, cut), scanned,
    )  # fmt: skip


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
        lambda name: holders.get(name, ()), Elements(lambda: document, tag, cls, ident, None, cut), None,
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
