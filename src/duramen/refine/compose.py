"""Copy the chosen part of the page into a draft of its own.

The page itself is read-only. What is kept is written out as a fragment and parsed again, which gives a private tree
with the original structure, every source text node in it at most once, and no deeper than the limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from types import MappingProxyType

from duramen.blocks import Blocks
from duramen.dom import escape
from duramen.native import core
from duramen.refine.elements.embeds import EMBEDS, is_embedding
from duramen.refine.elements.images import IMAGES
from duramen.refine.elements.note_list import NOTE_ID
from duramen.refine.elements.vocabulary import ordered, pairs, words
from duramen.refine.kept_text import KeptText
from duramen.refine.sanitize import Draft
from duramen.tables import load, plain_name
from duramen.tree import BLOCK_TAGS, Tree

_MEDIA = IMAGES | EMBEDS
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
_INERT = frozenset({"noscript", "template", "dialog", "form", "fieldset", "legend"})
"""Elements that would take their text with them; with kept text in them they are plain containers."""
_LED = frozenset({"pre", "listing"})
"""Elements of which parsers drop a line feed at the start."""
_FORMULAS = ordered("math-tag-prefixes")
_WHOLE = frozenset({"pre", "listing", "xmp", "table"})
_UNITS = frozenset(name for kind in ("listings", "boxes") for name in load("units.toml")[kind]["classes"])
"""What says of its text what it is: where that is all there is of a page, it is no mere wrapper."""
_BREAKS = frozenset({"br", "hr", "wbr"})
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
_DRAWN = frozenset(
    name
    for row in ("embed-post", "embed-settings", "math-settings")
    for name in (at.split()[0] for at, _ in pairs(row))
)
"""Class words of elements that a script fills: players and formulas without any text."""
_PLACES = (("a", "id"), ("a", "name"), ("span", "id"), ("sup", "id"))
_LABELS = frozenset({"label"})
_WRITTEN, _BOX, _SPOKEN, _TAKEN_OUT, _STAYS, _PLACE = 1, 2, 4, 8, 16, 32
"""Bits by element: what is written in any case, as a script that is a formula, a box to tick, what is no block but has
text that is written, what goes, a picture, player or formula that stays, and a place that links lead to."""
_MEDIUM = 1
"""The bit of media; a formula drawn in a font of its own shows no text, and is one."""
_CUSTOM = 16384
"""The bit of custom elements and labels, which are written as what they behave like, ``div`` or ``span``."""


def compose(
    tree: Tree,
    blocks: Blocks,
    kept: Iterable[int],
    gone: set[int],
    max_depth: int,
    renamed: Mapping[int, str] = MappingProxyType({}),
    switches: Mapping[int, str] = MappingProxyType({}),
    lead: int | None = None,
) -> Draft:
    """The kept blocks, the elements around them and the media among them, as unsanitized HTML.

    ``renamed`` elements are written under another name: a site rule names their kind. So are ``switches``,
    whose text no block has (:mod:`duramen.refine.switches`). The ``lead`` is written, too, wherever it is.
    """
    own = sorted(set(kept))
    if not own:
        return ""
    last, root = blocks.last[own[-1]], blocks.owner[own[0]]
    before = min(switches, default=root)
    while root > 0 and not (tree.contains(root, last) and tree.contains(root, before)):
        root = tree.parent[root]
    named = list(_named(tree))
    root = inner = _whole(tree, root, named)
    if lead is not None:
        while not tree.contains(root, lead):
            root = tree.parent[root]
    tag = tree.tag[root]
    formulas = [i for i, kind in tree.stated("script", ("type",)) if kind.startswith("math/")]
    boxes = [i for i, kind in tree.stated("input", ("type",)) if kind.lower() == "checkbox"]
    marked = dict.fromkeys(formulas, _WRITTEN) | dict.fromkeys(boxes, _BOX)
    families = _families(tree)
    formulas += [i for i in named if not tree.chars_in(i) and not _DRAWN.isdisjoint(tree.cls[i].lower().split())]
    media = _MEDIA.union([tag for tag, bits in families.items() if bits & _MEDIUM]) if families else _MEDIA
    text = KeptText(tree, blocks, own)
    scripts = [i for i, address in tree.stated("script", ("src",)) if is_embedding(address) and text.is_around(i)]
    marked |= dict.fromkeys(scripts, _WRITTEN | _STAYS)
    for i in (*formulas, *tree.tagged(media)):
        if i == lead or (tree.contains(inner, i) and text.is_around(i)):
            marked[i] = marked.get(i, 0) | _STAYS
    labels = [label for i in boxes if tree.tag[label := tree.parent[i]] == "label"]
    boxed = [label for label in labels if tree.tag[tree.parent[label]] == "li"]
    for i in (*_places(tree), *boxed):
        marked[i] = marked.get(i, 0) | _PLACE
    if lead is not None:
        around = (i for i in tree.ancestors(lead) if tree.contains(root, i))
        marked |= {i: marked.get(i, 0) | _WRITTEN for i in around}
        marked |= dict.fromkeys((i for i in tree.tagged(_BREAKS) if not tree.contains(inner, i)), _TAKEN_OUT)
    marked |= dict.fromkeys(switches, _SPOKEN) | dict.fromkeys(gone, _TAKEN_OUT)
    names = (_ROOTS.get(tag, ""), _WRAPPED.get(tag, ""))
    blocks_of_text = (*_threads(tree, named), *_choices(tree))
    renamed = dict.fromkeys(blocks_of_text, "div") | dict(switches) | dict(renamed)
    wanted = bytearray(len(blocks))
    for b in own:
        wanted[b] = 1
    traits = _TRAITS | families if families else _TRAITS
    return tree.core.compose(wanted, marked, max_depth, renamed, root, *names, traits)


def _whole(tree: Tree, root: int, named: Iterable[int]) -> int:
    """The listing, table or callout of which an element is all the text, or the element itself."""
    units = {i for i in named if not _UNITS.isdisjoint(tree.cls[i].lower().split())}
    for above in tree.ancestors(root):
        if tree.chars_in(above) > tree.chars_in(root):
            break
        if tree.tag[above] in _WHOLE or above in units:
            root = above
    return root


def _families(tree: Tree) -> dict[str, int]:
    """What the custom elements and labels of a page mean for its draft."""
    named = [tag for tag in tree.tag_counts() if ("-" in tag or tag == "label") and tag not in _MEDIA]
    return {tag: _MEDIUM if tag.startswith(_FORMULAS) else _CUSTOM for tag in named}


@cache
def _name_lookup() -> core.Lookup:
    return core.Lookup(dict.fromkeys(map(plain_name, _THREADS | _DRAWN | _UNITS), 0.0))


def _named(tree: Tree) -> Iterator[int]:
    """Elements of which a class word may name a thread, what a script fills, a listing or a callout."""
    return (i for i, is_ident in tree.core.matching_words(_name_lookup()) if not is_ident and tree.cls[i])


def _threads(tree: Tree, named: Iterable[int]) -> Iterator[int]:
    """Lists and quotations that are threads of posts, and their items, for the compiled core."""
    for i in named:
        if not _THREADS.isdisjoint(tree.cls[i].lower().split()):
            if tree.tag[i] in _THREADED:
                yield i
            yield from (j for j in tree.children(i) if tree.tag[j] == "li")


def _choices(tree: Tree) -> Iterator[int]:
    """Labels side by side: only a style sheet sets them apart."""
    for label, following in pairwise(tree.tagged(_LABELS)):
        if tree.end[label] == following and tree.parent[label] == tree.parent[following]:
            yield from (label, following)


def _places(tree: Tree) -> Iterator[int]:
    """Inline elements whose id is that of a note: of those without text, only what they name would be lost."""
    for tag, attribute in _PLACES:
        for i, value in tree.stated(tag, (attribute,)):
            if NOTE_ID.fullmatch(value):
                yield i


def compose_plainly(tree: Tree, blocks: Blocks, kept: Sequence[int]) -> str:
    """The kept blocks as headings and paragraphs: all that can be made of a page on which the time ran out."""
    parts: list[str] = []
    for b in kept:
        tag = tree.tag[blocks.owner[b]]
        tag = tag if tag in _HEADINGS else "p"
        parts.append(f"<{tag}>{escape(blocks.text[b])}</{tag}>\n")
    return "".join(parts)
