"""Copy the chosen part of the page into a draft of its own.

The page itself is read-only. What is kept is written out as a fragment and parsed again, which gives a private tree
with the original structure, every source text node in it at most once, and no deeper than the limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate
from types import MappingProxyType
from typing import Any

import numpy as np

from duramen.blocks import Blocks
from duramen.dom import escape
from duramen.native import core
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
_RENAMED = {"body": "div", "html": "div", "xmp": "pre", "plaintext": "pre"}
_LED = frozenset({"pre", "textarea", "listing"})
_PLAIN_NAME = re.compile(r"[\w:.-]+", re.ASCII)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_THREADED = frozenset({"ol", "ul", "blockquote"})
_THREADS = frozenset({"posts", "postlist", "messagelist", "comment-list", "commentlist", "postcontent", "messagetext"})
"""Lists of whole posts, whose numbers are not the author's, and posts that forums write as quotations."""
_DOMINANT = 0.5
"""A picture without text of its own stays where at least this share of the text around it stays."""


_BITS: tuple[tuple[Iterable[str], int], ...] = (
    (_MEDIA, 1), (_VOID, 2), (_GONE, 4), (_KEPT_EMPTY, 8), (_INERT, 16), (("figure",), 32), (BLOCK_TAGS, 64),
    (("script",), 128), (("br",), 256), (("html", "body"), 512), (_LED, 1024), (("xmp", "plaintext"), 2048), (("source",), 4096),
    (_VERBATIM, 8192),
)  # fmt: skip
_TRAITS = {tag: sum(bit for tags, bit in _BITS if tag in tags) for tag in {tag for tags, _ in _BITS for tag in tags}}
"""These tables for the compiled core: bits by tag."""


def compose(
    tree: Tree,
    blocks: Blocks,
    keep: list[bool],
    gone: set[int],
    max_depth: int,
    renamed: Mapping[int, str] = MappingProxyType({}),
) -> Draft:
    """The kept blocks, the elements around them and the media among them, as unsanitized HTML.

    ``renamed`` elements are written under another name: a site rule says what they are.
    """
    wanted = bytes(keep)
    first = wanted.find(1)
    if first < 0:
        return ""
    last = blocks.last[wanted.rfind(1)]
    root = blocks.owner[first]
    while root > 0 and not tree.contains(root, last):
        root = tree.parent[root]
    if tree.core is not None:
        tag = tree.tag[root]
        typed = [(i, mark) for i, kind in tree.valued("type") if (mark := _typed(tree.tag[i], kind))]
        names = (_ROOTS.get(tag, ""), _WRAPPED.get(tag, ""))
        renamed = dict.fromkeys(_threads(tree), "div") | dict(renamed)
        written: bytes = tree.core.compose(wanted, gone, max_depth, renamed, root, *names, _TRAITS, typed)
        return written
    n = len(tree)
    kept_text = np.zeros(n + 1, dtype=np.int64)
    spoken = [False] * n
    for b, is_kept in enumerate(keep):
        if is_kept:
            for i in range(blocks.first[b], blocks.last[b] + 1):
                if tree.text[i]:
                    spoken[i] = True
    sizes = np.diff(np.array(tree.chars, dtype=np.int64))
    kept_text[1:] = np.cumsum(np.where(np.array(spoken, dtype=bool), np.maximum(sizes, 0), 0))
    return _Writer(tree, spoken, kept_text.tolist(), gone, max_depth, last, renamed).write(root)


@cache
def _thread_lookup() -> Any:
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


class _Writer:
    """One walk over the chosen subtree, with an explicit stack of elements to close."""

    def __init__(
        self,
        tree: Tree,
        spoken: list[bool],
        kept: list[int],
        gone: set[int],
        max_depth: int,
        last: int,
        renamed: Mapping[int, str],
    ) -> None:
        self.tree, self.spoken, self.kept, self.gone = tree, spoken, kept, gone
        self.max_depth, self.last, self.renamed = max_depth, last, renamed
        self.media = list(accumulate((self._is_media(i, tag) for i, tag in enumerate(tree.tag)), initial=0))
        self.blocks = list(accumulate((tag in BLOCK_TAGS for tag in tree.tag), initial=0))
        self.silent = list(accumulate((tag in _GONE for tag in tree.tag), initial=0))

    def kept_in(self, i: int) -> int:
        return self.kept[self.tree.end[i]] - self.kept[i]

    def write(self, root: int) -> str:
        tree = self.tree
        out: list[str] = []
        closing: list[tuple[int, str]] = []
        wrapper = _WRAPPED.get(tree.tag[root], "")
        if wrapper:
            out.append(f"<{wrapper}>")
        i, stop = root, tree.end[root]
        code_stop = max((tree.end[j] for j in (root, *tree.ancestors(root)) if tree.tag[j] in _VERBATIM), default=0)
        while i < stop:
            while closing and closing[-1][0] <= i:
                out.append(closing.pop()[1])
            tag = tree.tag[i]
            if tree.gap[i] and i > root:
                out.append("\n")
            if not tag:
                if tree.tag[tree.parent[i]] == "script":
                    # Only formulas get here; a script's text is not escaped, but must not end the script.
                    out.append(tree.text[i].replace("</", "< /"))
                elif self.spoken[i] or not tree.text[i].strip():
                    out.append(escape(tree.text[i]))
                i += 1
                continue
            if i in self.gone or (i != root and not self._wanted(i, tag, verbatim=i < code_stop)):
                if tag not in _GONE and tag not in BLOCK_TAGS and not tree.chars_in(i):
                    out.append(self._spacing(i))
                i = tree.end[i]
                continue
            if tag in _VERBATIM:
                code_stop = max(code_stop, tree.end[i])
            name = _ROOTS.get(tag) or self._name(i, tag) if i == root else self._name(i, tag)
            if tree.depth[i] - tree.depth[root] <= self.max_depth and name:
                out.append(self._open(i, name))
                if name in _LED:
                    # Parsers drop the line feed that such an element begins with.
                    out.append("\n")
                if name not in _VOID:
                    closing.append((tree.end[i], f"</{name}>"))
            i += 1
        while closing:
            out.append(closing.pop()[1])
        if wrapper:
            out.append(f"</{wrapper}>")
        return "".join(out)

    def _wanted(self, i: int, tag: str, *, verbatim: bool) -> bool:
        if self.kept_in(i):
            return True
        if tag in _GONE:
            return self._is_media(i, tag) or (tag == "input" and self._is_task(i))
        if tag == "source":
            return self.tree.tag[self.tree.parent[i]] in _MEDIA
        if self.tree.chars_in(i) and tag != "figure":
            return False
        if tag in _KEPT_EMPTY or (verbatim and self.silent[self.tree.end[i]] == self.silent[i]):
            return True
        return self.media[self.tree.end[i]] > self.media[i] and self._among_kept(i)

    def _spacing(self, i: int) -> str:
        """What an inline element without text does to the words around it: code highlighters mark up mere spaces."""
        tree = self.tree
        return "".join(
            tree.text[j] if not tree.tag[j] else "<br>"
            for j in range(i + 1, tree.end[i])
            if tree.tag[j] == "br" or (not tree.tag[j] and tree.text[j].isspace())
        )

    def _is_media(self, i: int, tag: str) -> bool:
        """Pictures, players, and formulas that stand in scripts: content without text of its own."""
        return tag in _MEDIA or (tag == "script" and _typed(tag, self.tree.attr(i, "type")) == 1)

    def _is_task(self, i: int) -> bool:
        """A box to tick in front of a kept line."""
        return _typed("input", self.tree.attr(i, "type")) == 2 and self.kept_in(self.tree.parent[i]) > 0

    def _among_kept(self, i: int) -> bool:
        """Whether the nearest element that has kept text is mostly kept."""
        tree = self.tree
        if i > self.last and tree.parent[i] != tree.parent[self.last]:
            return False
        above = tree.parent[i]
        steps = 0
        while above > 0 and not self.kept_in(above) and steps < self.max_depth:
            above = tree.parent[above]
            steps += 1
        return self.kept_in(above) >= _DOMINANT * max(1, tree.chars_in(above))

    def _name(self, i: int, tag: str) -> str:
        """Custom elements become what they behave like."""
        if i in self.renamed:
            return self.renamed[i]
        if "-" in tag and tag not in _MEDIA and not tag.startswith(("mjx-", "annotation")):
            has_blocks = self.blocks[self.tree.end[i]] > self.blocks[i]
            return "div" if has_blocks or self.tree.words_in(i) > 20 else "span"
        if tag in _INERT and self.kept_in(i):
            return "div"
        if tag in _THREADED and _is_thread(self.tree, i):
            return "div"
        if tag == "li" and _is_thread(self.tree, self.tree.parent[i]):
            return "div"
        return _RENAMED.get(tag, tag)

    def _open(self, i: int, name: str) -> str:
        attrs = self.tree.attrs[i]
        if not attrs:
            return f"<{name}>"
        parts = [f"<{name}"]
        for key, value in attrs.items():
            if _PLAIN_NAME.fullmatch(key) and not key.startswith("on"):
                parts.append(f' {key}="{escape(value)}"')
        return "".join(parts) + ">"
