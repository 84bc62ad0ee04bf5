"""The caption of a picture, player, table or listing goes where that goes.

Pictures and players have no text to judge: they stay where the text around them stays. Their captions are text, and the
judge would drop many of them, since the annotators of its training pages did.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from duramen.native import core
from duramen.page import Page, letters
from duramen.refine.elements.embeds import EMBEDS, is_shown
from duramen.refine.elements.images import FRAMES, IMAGES, best_candidate, shown_as
from duramen.refine.kept_text import KEPT, KeptText
from duramen.tables import load, plain_name

_PICTURES = (IMAGES - {"picture"}) | {"source"} | EMBEDS
_CAPTIONS = frozenset({"figcaption"})
_FIGURES = frozenset(load("units.toml")["figures"]["classes"])
"""Class words of such elements that may hold more: a legend, a second picture."""
_FIGURE_WITHIN = 8
_FRAME_WITHIN = 2
"""So many elements above a caption is its figure, or the element that holds it and its picture."""
_SOURCES = 20
"""Nodes of a player among which its sources are looked for."""


class Captions(NamedTuple):
    """The captions that are kept for their picture's sake."""

    blocks: Sequence[int] = ()
    letters: frozenset[str] = frozenset()
    """What those of pictures say (:func:`duramen.page.letters`), but for those of which the judge would keep most."""


def find_captions(page: Page, kept: Sequence[int], gone: Collection[int]) -> Captions:
    """The captions of pictures that stay, given the blocks that are kept and the elements that are taken out."""
    pictures = page.tree.tagged(_PICTURES)
    captions = list(_captions(page, pictures)) if kept else []
    if not captions:
        return Captions()
    tree, own, stay = page.tree, frozenset(kept), frozenset(page.kept((0,), gone))
    text = KeptText(tree, page.blocks, kept)
    blocks: list[int] = []
    spoken: set[str] = set()
    silent: set[str] = set()
    for caption, figure in captions:
        inside = [b for b in range(*page.range_of(caption)) if b in stay]
        added = [b for b in inside if b not in own]
        size = sum(page.blocks.chars[b] for b in inside)
        is_seen = _is_shown(page, pictures, figure)
        said = silent if is_seen and text.chars_in(caption) < KEPT * size else spoken
        said.add(letters("".join(page.blocks.text[b] for b in inside)))
        if not added:
            continue
        around = outer = text.around(figure)
        if figure > text.last and tree.parent[figure] != tree.parent[text.last] and around != figure:
            # Behind the last words that are kept there are no others beside it.
            outer = figure
            while tree.parent[outer] != around:
                outer = tree.parent[outer]
            if tree.chars_in(outer) > tree.chars_in(figure):
                continue
        but = tree.chars_in(caption) if around == figure else 0
        stays = is_seen or tree.chars_in(figure) > tree.chars_in(caption)
        if stays and text.fills(around, but) and not text.is_parted(figure):
            blocks += added
            text.last = max(text.last, page.blocks.last[added[-1]])
    return Captions(blocks, frozenset(silent - spoken)) if blocks else Captions()


def _captions(page: Page, pictures: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The captions of the page, each with the element that holds it and its picture."""
    tree = page.tree
    for caption in tree.tagged(_CAPTIONS):
        figure = tree.parent[caption]
        for _ in range(_FIGURE_WITHIN):
            if figure <= 0 or tree.tag[figure] == "figure":
                break
            figure = tree.parent[figure]
        if (
            figure > 0
            and tree.tag[figure] == "figure"
            and (_count(pictures, figure, tree.end[figure]) or tree.chars_in(figure) > tree.chars_in(caption))
        ):
            yield caption, figure
    if not pictures:
        return
    for caption, is_ident in tree.core.matching_words(_caption_words()):
        if is_ident or tree.tag[caption] in _CAPTIONS or _count(pictures, caption, tree.end[caption]):
            continue
        frame = tree.parent[caption]
        for _ in range(_FRAME_WITHIN):
            is_figure = not _FIGURES.isdisjoint(tree.cls[frame].split())
            if tree.tag[frame] not in FRAMES or (tree.chars_in(frame) > tree.chars_in(caption) and not is_figure):
                break
            if _count(pictures, frame, tree.end[frame]):
                yield caption, frame
                break
            frame = tree.parent[frame]


@cache
def _caption_words() -> core.Lookup:
    return core.Lookup(dict.fromkeys(map(plain_name, load("units.toml")["captions"]["classes"]), 0.0))


def _count(nodes: Sequence[int], start: int, stop: int) -> int:
    return bisect_left(nodes, stop) - bisect_left(nodes, start)


def _is_shown(page: Page, pictures: Sequence[int], figure: int) -> bool:
    """Whether one of an element's pictures is more than an icon or a placeholder."""
    tree = page.tree
    for i in pictures[bisect_left(pictures, figure) : bisect_left(pictures, tree.end[figure])]:
        attrs = tree.attrs[i]
        if tree.tag[i] in EMBEDS:
            if plays(page, i):
                return True
        elif best_candidate(attrs.get("srcset", "")) if tree.tag[i] == "source" else _stays(attrs, page.base_url):
            return True
    return False


def plays(page: Page, player: int) -> bool:
    """Whether a link takes the place of a player or other embedded thing."""
    tree = page.tree
    inside = range(player + 1, min(tree.end[player], player + _SOURCES))
    sources = [tree.attr(j, "src") for j in inside if tree.tag[j] == "source"]
    return is_shown(tree.tag[player], tree.attrs[player], sources, page.base_url)


def _stays(attrs: Any, base_url: str | None) -> bool:
    return shown_as(attrs, "", base_url, keep=True)[0] is not None
