"""Boilerpipe: text blocks are classified by how many words and links they and their neighbours have.

Written from Kohlschütter, Fankhauser, Nejdl: *Boilerplate Detection using Shallow Text Features* (WSDM 2010,
https://doi.org/10.1145/1718487.1718542) and from the published description of the library's ArticleExtractor. Of the
paper's two decision trees the one on numbers of words decides (:func:`content_blocks`); the one on text density
(:func:`dense_blocks`) is there as evidence. Left out: the phrases that end an article, because they are English. Two
characters of a script without spaces count as a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from duramen.page import Page

_LINE = 80
"""Characters a line, for text density."""
_LARGE = 100
"""Words with which a run at the tag level of the largest one is content, too."""
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


@dataclass(slots=True)
class _Run:
    """Neighbouring content blocks that were fused."""

    first: int
    last: int
    level: int
    words: int


def boilerpipe(page: Page) -> list[bool]:
    """Classify each block, fuse neighbours, keep the largest run and the runs that go with it."""
    tree, blocks = page.tree, page.blocks
    content = content_blocks(page)
    is_heading = [tree.tag[owner] in _HEADINGS for owner in blocks.owner]
    _drop_trailing_headings(content, is_heading)
    # The tree calls a heading boilerplate when a menu precedes it; it goes with what it heads.
    fused = [keep or (is_heading[b] and any(content[b + 1 : b + 2])) for b, keep in enumerate(content)]
    kept = [False] * len(blocks)
    for run in _chosen(page, _runs(page, fused)):
        kept[run.first : run.last + 1] = fused[run.first : run.last + 1]
    _add_list_items(page, kept)
    return kept


def content_blocks(page: Page) -> list[bool]:
    """The paper's decision tree on link density and number of words (its algorithm 2), block by block."""
    links, words = _link_densities(page), page.blocks.words
    around = zip(links, [0.0, *links], words, [0, *words], [*words[1:], 0], strict=False)
    return [
        linked <= 0.333333
        and (own > 40 or after > 17 if linked_before > 0.555556 else own > 16 or after > 15 or before > 4)
        for linked, linked_before, own, before, after in around
    ]


def dense_blocks(page: Page) -> list[bool]:
    """The paper's decision tree on link density and text density (its algorithm 1), block by block."""
    links, density = _link_densities(page), text_densities(page)
    return list(map(_is_dense, links, [0.0, *links], density, [0.0, *density], [*density[1:], 0.0]))


def text_densities(page: Page) -> list[float]:
    """Words a line when a block's text is wrapped at 80 characters; a text within one line has as many as it has."""
    sizes = zip(page.blocks.words, page.blocks.chars, strict=True)
    return [words * _LINE / chars if chars > _LINE else words for words, chars in sizes]


def _link_densities(page: Page) -> list[float]:
    sizes = zip(page.blocks.links, page.blocks.chars, strict=True)
    return [links / chars if chars else 0.0 for links, chars in sizes]


def _is_dense(links: float, links_before: float, density: float, density_before: float, density_after: float) -> bool:
    if links > 0.333333:
        return False
    if links_before > 0.555556:
        return density_after > 11
    if density > 9:
        return density_after > 0
    return density_after > 10 or density_before > 4


def _drop_trailing_headings(content: list[bool], is_heading: Sequence[bool]) -> None:
    """Headings with no content after them head something else."""
    for b in range(len(content) - 1, -1, -1):
        if content[b]:
            if not is_heading[b]:
                return
            content[b] = False


def _runs(page: Page, fused: Sequence[bool]) -> list[_Run]:
    """Content blocks side by side are one run; so are two runs at one tag level with a single block between them.

    A run's tag level is that of its outermost block.
    """
    tree, blocks = page.tree, page.blocks
    side_by_side: list[_Run] = []
    for b, keep in enumerate(fused):
        if not keep:
            continue
        level = tree.depth[blocks.owner[b]]
        if side_by_side and b - side_by_side[-1].last == 1:
            _fuse(side_by_side[-1], _Run(b, b, level, blocks.words[b]))
        else:
            side_by_side.append(_Run(b, b, level, blocks.words[b]))
    runs: list[_Run] = []
    for run in side_by_side:
        if runs and run.first - runs[-1].last == 2 and run.level == runs[-1].level:
            _fuse(runs[-1], run)
        else:
            runs.append(run)
    return runs


def _fuse(run: _Run, following: _Run) -> None:
    run.last = following.last
    run.level = min(run.level, following.level)
    run.words += following.words


def _chosen(page: Page, runs: Sequence[_Run]) -> list[_Run]:
    """The largest run, large runs at its tag level, and what is between the page's title and it."""
    if not runs:
        return []
    largest = max(runs, key=lambda run: (run.words, -run.first))
    title = _title_block(page)
    return [
        run
        for run in runs
        if run is largest or (run.level == largest.level and run.words >= _LARGE) or title <= run.first < largest.first
    ]


def _title_block(page: Page) -> int:
    """The last block that has the page's title, or one past the end."""
    title = (page.metadata.title or "").lower()
    if len(title) < 8:
        return len(page.blocks)
    most = len(title) + 20
    found = [b for b, text in enumerate(page.blocks.text) if len(text) <= most and title in text.lower()]
    return found[-1] if found else len(page.blocks)


def _add_list_items(page: Page, kept: list[bool]) -> None:
    """List items without links that follow the content belong to it."""
    tree, blocks = page.tree, page.blocks
    for b in range(1, len(kept)):
        if kept[b - 1] and not kept[b] and tree.tag[blocks.owner[b]] == "li" and not blocks.links[b]:
            kept[b] = True
