"""Copy the chosen part of the page into a draft of its own.

The page itself is read-only. What is kept is written out as a fragment and parsed again, which gives a private tree
with the original structure, every source text node in it at most once, and no deeper than the limit.
"""

from __future__ import annotations

import re
from itertools import accumulate

import numpy as np

from duramen.blocks import Blocks
from duramen.dom import BLOCK_TAGS, Tree, escape

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
_VERBATIM = frozenset({"pre", "code", "listing", "xmp", "samp", "kbd"})
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
_THREADS = frozenset({"posts", "postlist", "messagelist", "comment-list", "commentlist", "postcontent", "messagetext"})
"""Lists of whole posts, whose numbers are not the author's, and posts that forums write as quotations."""
_PLAIN_NAME = re.compile(r"[\w:.-]+")
_DOMINANT = 0.5
"""A picture without text of its own stays where at least this share of the text around it stays."""


def compose(tree: Tree, blocks: Blocks, keep: list[bool], gone: set[int], max_depth: int) -> str:
    """The kept blocks, the elements around them and the media among them, as unsanitized HTML."""
    n = len(tree)
    kept_text = np.zeros(n + 1, dtype=np.int64)
    spoken = [False] * n
    for b, wanted in enumerate(keep):
        if wanted:
            for i in range(blocks.first[b], blocks.last[b] + 1):
                if tree.text[i]:
                    spoken[i] = True
    sizes = np.diff(np.array(tree.chars, dtype=np.int64))
    kept_text[1:] = np.cumsum(np.where(np.array(spoken, dtype=bool), np.maximum(sizes, 0), 0))
    chosen = [b for b, wanted in enumerate(keep) if wanted]
    if not chosen:
        return ""
    first, last = blocks.first[chosen[0]], blocks.last[chosen[-1]]
    root = blocks.owner[chosen[0]]
    while root > 0 and not tree.contains(root, last):
        root = tree.parent[root]
    return _Writer(tree, spoken, kept_text.tolist(), gone, max_depth, first, last).write(root)


class _Writer:
    """One walk over the chosen subtree, with an explicit stack of elements to close."""

    def __init__(
        self, tree: Tree, spoken: list[bool], kept: list[int], gone: set[int], max_depth: int, first: int, last: int
    ) -> None:
        self.tree, self.spoken, self.kept, self.gone = tree, spoken, kept, gone
        self.max_depth, self.first, self.last = max_depth, first, last
        self.media = list(accumulate((self._is_media(i, tag) for i, tag in enumerate(tree.tag)), initial=0))
        self.blocks = list(accumulate((tag in BLOCK_TAGS for tag in tree.tag), initial=0))

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
                i = tree.end[i]
                continue
            if tag in _VERBATIM:
                code_stop = max(code_stop, tree.end[i])
            name = _ROOTS.get(tag) or self._name(i, tag) if i == root else self._name(i, tag)
            if tree.depth[i] - tree.depth[root] <= self.max_depth and name:
                out.append(self._open(i, name))
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
            return self._is_media(i, tag)
        if self.tree.chars_in(i) and tag != "figure":
            return False
        if tag in _KEPT_EMPTY or (verbatim and _GONE.isdisjoint(self.tree.tag[i : self.tree.end[i]])):
            return True
        return self.media[self.tree.end[i]] > self.media[i] and self._among_kept(i)

    def _is_media(self, i: int, tag: str) -> bool:
        """Pictures, players, and formulas that stand in scripts: content without text of its own."""
        return tag in _MEDIA or (tag == "script" and self.tree.attr(i, "type").startswith("math/"))

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
        if "-" in tag and tag not in _MEDIA and not tag.startswith(("mjx-", "annotation")):
            has_blocks = self.blocks[self.tree.end[i]] > self.blocks[i]
            return "div" if has_blocks or self.tree.words_in(i) > 20 else "span"
        if tag in _INERT and self.kept_in(i):
            return "div"
        if tag in ("ol", "ul", "blockquote", "li") and self._is_thread(self.tree.parent[i] if tag == "li" else i):
            return "div"
        return {"body": "div", "html": "div"}.get(tag, tag)

    def _is_thread(self, i: int) -> bool:
        return bool(self.tree.cls[i]) and not _THREADS.isdisjoint(self.tree.cls[i].lower().split())

    def _open(self, i: int, name: str) -> str:
        attrs = self.tree.attrs[i]
        if not attrs:
            return f"<{name}>"
        parts = [f"<{name}"]
        for key, value in attrs.items():
            if _PLAIN_NAME.fullmatch(key) and not key.startswith("on"):
                text = value if type(value) is str else " ".join(value) if value else ""
                parts.append(f' {key}="{escape(text)}"')
        return "".join(parts) + ">"
