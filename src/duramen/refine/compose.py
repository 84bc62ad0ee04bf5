"""Copy the chosen part of the page into a draft of its own.

The page itself is read-only. What is kept is written out as a fragment and parsed again, which gives a private tree
with the original structure, every source text node in it at most once, and no deeper than the limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from duramen.blocks import Blocks
from duramen.dom import escape
from duramen.native import core
from duramen.refine.elements.vocabulary import ordered, words
from duramen.refine.sanitize import Draft
from duramen.tree import BLOCK_TAGS, Tree

_MEDIA = frozenset(
    {"img", "picture", "video", "audio", "iframe", "amp-img", "amp-youtube", "lite-youtube", "object", "embed"}
)
_VOID = frozenset(
    {"img", "br", "hr", "wbr", "source", "track", "embed", "input", "area", "col", "base", "link", "meta", "param"}
)
_GONE = frozenset(
    {
        "script",
        "style",
        "link",
        "meta",
        "base",
        "head",
        "title",
        "input",
        "button",
        "select",
        "textarea",
        "svg",
        "canvas",
    }
)
_KEPT_EMPTY = frozenset({"td", "th", "br", "hr", "wbr", "col", "colgroup"})
_VERBATIM = frozenset({"pre", "code", "listing", "xmp", "plaintext", "samp", "kbd"})
"""Elements in which white space counts: highlighters give spaces and empty lines elements of their own."""
_ROOTS = {
    "body": "div",
    "html": "div",
    "main": "div",
    "td": "div",
    "th": "div",
    "caption": "div",
    "dd": "div",
    "dt": "div",
}
_WRAPPED = {"li": "ul", "tr": "table", "tbody": "table", "thead": "table", "tfoot": "table", "summary": "details"}
_INERT = frozenset({"noscript", "template", "dialog", "form", "fieldset", "label", "legend"})
"""Elements that would take their text with them; with kept text in them they are plain containers."""
_LED = frozenset({"pre", "textarea", "listing"})
"""Elements of which parsers drop a line feed at the start."""
_FORMULAS = ordered("math-tag-prefixes")
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_THREADED = frozenset({"ol", "ul", "blockquote"})
_THREADS = words("thread")
_BITS: tuple[tuple[Iterable[str], int], ...] = (
    (_MEDIA, 1), (_VOID, 2), (_GONE, 4), (_KEPT_EMPTY, 8), (_INERT, 16), (("figure",), 32), (BLOCK_TAGS, 64),
    (("script",), 128), (("br",), 256), (("html", "body"), 512), (_LED, 1024), (("xmp", "plaintext"), 2048),
    (("source",), 4096), (_VERBATIM, 8192),
)  # fmt: skip
_TRAITS = {tag: sum(bit for tags, bit in _BITS if tag in tags) for tag in {tag for tags, _ in _BITS for tag in tags}}
"""These tables for the compiled core: bits by tag."""
_DRAWN = 1
_CUSTOM = 16384
"""The bit of custom elements, which are written as what they behave like, ``div`` or ``span``."""


def compose(
    tree: Tree,
    blocks: Blocks,
    keep: list[bool],
    gone: set[int],
    max_depth: int,
    renamed: Mapping[int, str] = MappingProxyType({}),
    switches: Mapping[int, str] = MappingProxyType({}),
) -> Draft:
    """The kept blocks, the elements around them and the media among them, as unsanitized HTML.

    ``renamed`` elements are written under another name: a site rule names their kind. So are ``switches``,
    whose text no block has (:mod:`duramen.refine.switches`).
    """
    wanted = bytes(keep)
    first = wanted.find(1)
    if first < 0:
        return ""
    last = blocks.last[wanted.rfind(1)]
    root = blocks.owner[first]
    before = min(switches, default=root)
    while root > 0 and not (tree.contains(root, last) and tree.contains(root, before)):
        root = tree.parent[root]
    tag = tree.tag[root]
    typed = [(i, mark) for i, kind in tree.valued("type") if (mark := _typed(tree.tag[i], kind))]
    typed += [(i, 3) for i in switches]
    names = (_ROOTS.get(tag, ""), _WRAPPED.get(tag, ""))
    renamed = dict.fromkeys(_threads(tree), "div") | dict(switches) | dict(renamed)
    return tree.core.compose(wanted, gone, max_depth, renamed, root, *names, _traits(tree), typed)


def _traits(tree: Tree) -> dict[str, int]:
    """What the tags of a page mean for its draft."""
    named = [tag for tag in tree.tag_counts() if "-" in tag and tag not in _MEDIA]
    # A formula drawn in a font of its own shows no text.
    return _TRAITS | {tag: _DRAWN if tag.startswith(_FORMULAS) else _CUSTOM for tag in named} if named else _TRAITS


@cache
def _thread_lookup() -> core.Lookup:
    return core.Lookup(dict.fromkeys(_THREADS, 0.0))


def _threads(tree: Tree) -> Iterator[int]:
    """Lists and quotations that are threads of posts, and their items, for the compiled core."""
    for i, is_ident in tree.core.matching_words(_thread_lookup()):
        if not is_ident and _is_thread(tree, i):
            if tree.tag[i] in _THREADED:
                yield i
            yield from (j for j in tree.children(i) if tree.tag[j] == "li")


def _is_thread(tree: Tree, i: int) -> bool:
    return bool(tree.cls[i]) and not _THREADS.isdisjoint(tree.cls[i].lower().split())


def _typed(tag: str, kind: str) -> int:
    """1 for a script that holds a formula, 2 for a box to tick."""
    if tag == "script":
        return 1 if kind.startswith("math/") else 0
    return 2 if tag == "input" and kind.lower() == "checkbox" else 0


def compose_plainly(tree: Tree, blocks: Blocks, kept: Sequence[int]) -> str:
    """The kept blocks as headings and paragraphs: all that can be made of a page on which the time ran out."""
    parts: list[str] = []
    for b in kept:
        tag = tree.tag[blocks.owner[b]]
        tag = tag if tag in _HEADINGS else "p"
        parts.append(f"<{tag}>{escape(blocks.text[b])}</{tag}>\n")
    return "".join(parts)
