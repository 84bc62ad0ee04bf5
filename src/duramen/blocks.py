"""The page as a sequence of text blocks: runs of text that one block-level element shows without a break.

A block is the unit in which the judge decides. It knows its owner (the nearest block-level element), its text nodes and
its measures; what stands around it is read from the :class:`~duramen.Tree`.
"""

from __future__ import annotations

from dataclasses import dataclass

from duramen.tree import BLOCK_TAGS, Tree


@dataclass(frozen=True, slots=True)
class Blocks:
    """Parallel lists, one entry a block, in document order."""

    owner: list[int]
    first: list[int]
    """The block's first text node."""
    last: list[int]
    """Its last text node (inclusive)."""
    text: list[str]
    chars: list[int]
    links: list[int]
    """Characters inside links."""
    words: list[int]

    def __len__(self) -> int:
        return len(self.owner)


def segment(tree: Tree) -> Blocks:
    """Cut the page's shown text into blocks."""
    return Blocks(*tree.core.segment()) if tree.core is not None else _segment(tree)


def _segment(tree: Tree) -> Blocks:
    owner: list[int] = []
    first: list[int] = []
    last: list[int] = []
    text: list[str] = []
    block_chars: list[int] = []
    block_links: list[int] = []
    block_words: list[int] = []
    tags, parents, texts, gap = tree.tag, tree.parent, tree.text, tree.gap
    chars, links, words = tree.chars, tree.links, tree.words
    holder: list[int] = [0] * len(tags)
    pieces: list[str] = []
    current = -1
    start = stop = 0

    def close() -> None:
        folded = " ".join("".join(pieces).split())
        if folded:
            owner.append(current)
            first.append(start)
            last.append(stop)
            text.append(folded)
            block_chars.append(chars[stop + 1] - chars[start])
            block_links.append(links[stop + 1] - links[start])
            block_words.append(words[stop + 1] - words[start])

    for i, name in enumerate(tags):
        if name:
            if name in BLOCK_TAGS or "-" in name:
                holder[i] = i
            else:
                holder[i] = holder[parents[i]] if i else 0
                if pieces and (gap[i] or name == "br"):
                    pieces.append(" ")
            continue
        if chars[i + 1] == chars[i]:
            if pieces:
                pieces.append(" ")
            continue
        mine = holder[parents[i]]
        if mine != current or not pieces:
            if pieces:
                close()
            current = mine
            start = i
            pieces = []
        elif _block_between(tree, stop, i, mine):
            close()
            start = i
            pieces = []
        stop = i
        if gap[i]:
            pieces.append(" ")
        pieces.append(texts[i])
    if pieces:
        close()
    return Blocks(owner, first, last, text, block_chars, block_links, block_words)


def _block_between(tree: Tree, before: int, after: int, owner: int) -> bool:
    """Whether an (empty) block element of the same owner parts two text nodes, as ``<hr>`` or an image block does."""
    j = before + 1
    while j < after:
        if tree.tag[j] in BLOCK_TAGS and tree.end[j] <= after:
            return True
        j += 1
    return False
