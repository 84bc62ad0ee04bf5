"""The page as the finding stage sees it: everything that was read, nothing decided yet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence, Set
from typing import NamedTuple

from duramen.blocks import Blocks
from duramen.lazy_pattern import lazy_pattern
from duramen.model import DocumentType, Encoding, Framework, Metadata, Removal, SiteRule, StructuredData
from duramen.tree import Tree

PARAGRAPHS = frozenset({"p", "li", "blockquote", "pre", "dd", "td"})
PROSE = 20
"""Old pages part their paragraphs by ``<br>`` or ``<div>``: a block of so many words counts as one."""


class Measures(NamedTuple):
    """What some blocks come to."""

    words: int
    prose_words: int
    """Those of blocks that are more text than links."""
    paragraphs: int
    chars: int
    links: int
    markup: int
    """Characters of the bare tags from the first to the last."""


class Page(NamedTuple):
    tree: Tree
    blocks: Blocks
    url: str | None
    base_url: str | None
    document_type: DocumentType
    structured: StructuredData
    metadata: Metadata
    framework: Framework | None
    rule: SiteRule | None
    encoding: Encoding
    not_html: str | None
    """Why the input is not HTML, if it is not."""
    limits: tuple[str, ...]
    """What a limit has cut off."""
    hidden: tuple[Removal, ...]
    """What was taken out for being hidden, with ``Options.visible_only``."""
    bodies_in_scripts: Callable[[], Sequence[tuple[str, str]]]
    """Content in the state of client-side frameworks; looked for when called, since it is seldom needed."""

    @property
    def is_cut(self) -> bool:
        """Whether part of the page was not read."""
        return self.tree.cut or any(limit.startswith("input cut off") for limit in self.limits)

    def range_of(self, node: int) -> tuple[int, int]:
        """The blocks that begin inside a node: the first, and the one after the last."""
        return self.tree.core.range_of(node)

    def kept_chars(self, kept: Iterable[int]) -> Callable[[int], int]:
        """A function that counts the characters of kept blocks in an element."""
        return self.blocks.kept_chars(self.tree, kept)

    def blocks_in(self, nodes: Iterable[int]) -> set[int]:
        """The blocks that begin inside any of these nodes."""
        found: set[int] = set()
        for node in nodes:
            found.update(range(*self.range_of(node)))
        return found

    def measure(self, kept: Sequence[int], *, cards_are_links: bool = True) -> Measures:
        """What these blocks come to.

        A card is a link around several blocks. Its text counts as ``links`` only if cards are links.
        """
        return Measures._make(self.tree.core.measure(list(kept), PARAGRAPHS, PROSE, cards_are_links))

    def headings(self, tags: Set[str]) -> list[int]:
        """The blocks that are headings of these tags, in order."""
        return self.tree.core.owned(tags)

    def saying_title(self, blocks: Iterable[int]) -> list[int]:
        """Those of the blocks that say the page's title, letter for letter."""
        title, text = letters(self.metadata.title or ""), self.blocks.text
        return [b for b in blocks if letters(text[b]) == title] if title else []

    def kept(self, nodes: Iterable[int], gone: Collection[int], among: list[int] | None = None) -> list[int]:
        """The blocks that begin inside any of these nodes, in order, without those that lie inside any that goes.

        A block that only begins with what goes, goes on without it.
        """
        return self.tree.core.kept(nodes, gone, among)


_OTHERS = lazy_pattern(r"[\W_]+")
_LETTERS = {ord(c): c.casefold() if c.isalnum() else None for c in map(chr, range(128))}


def letters(text: str) -> str:
    """A text's letters and digits, however it is written and spaced."""
    if text.isascii():
        return text.translate(_LETTERS)
    return _OTHERS.sub("", text.casefold())


def is_permalink(tree: Tree, node: int) -> bool:
    """Whether a link leads into a page and says nothing but a sign: the way a heading links to itself."""
    return "#" in tree.attr(node, "href") and not any(map(str.isalnum, tree.text_in(node)))


TITLE_TAGS = frozenset({"h1", "h2"})
_TITLE_WITHIN = 12
"""The title's own heading is among the first blocks of the content."""


def title_blocks(page: Page, kept: Sequence[int]) -> set[int]:
    """The heading that repeats the title: it is ``Result.title``, not body content.

    A theme may set the title above a document that begins with it: every ``<h1>`` of these goes.
    """
    owner, tag = page.blocks.owner, page.tree.tag
    headings = [b for b in kept[:_TITLE_WITHIN] if tag[owner[b]] in TITLE_TAGS]
    found = page.saying_title(headings) if headings else []
    return {b for b in found if b == found[0] or tag[owner[b]] == "h1"}
