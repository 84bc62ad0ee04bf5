"""What some blocks come to, which blocks nodes hold, and what remains when others go."""

from __future__ import annotations

import random

import pytest

from duramen.options import Options
from duramen.page import PARAGRAPHS, PROSE, Measures, Page
from duramen.read.reader import read_page

TAGS = "div p li td blockquote a span h2 pre x-card é".split()


def page_of(seed: int) -> Page:
    rng = random.Random(seed)
    html = "<title>Oak</title>"
    for _ in range(rng.randrange(60)):
        tag = rng.choice(TAGS)
        html += f"<{tag} href=#>" + "heartwood " * rng.randrange(40) + rng.choice(["", f"</{tag}>"])
    return read_page(html, None, Options())


@pytest.mark.parametrize("seed", range(20))
def test_measures_are_sums_over_blocks(seed: int) -> None:
    page, rng = page_of(seed), random.Random(seed)
    blocks, tag = page.blocks, page.tree.tag
    every = range(len(blocks))

    def markup(kept: list[int]) -> int:
        between = tag[blocks.first[kept[0]] : blocks.last[kept[-1]] + 1] if kept else []
        return sum(len(f"<{name}></{name}>") for name in between if name)

    for kept in ([], [*every], sorted(rng.sample(every, len(every) // 2))):
        assert page.measure(kept) == Measures(
            sum(blocks.words[b] for b in kept),
            sum(blocks.words[b] for b in kept if blocks.links[b] * 2 < blocks.chars[b]),
            sum(blocks.words[b] >= PROSE or tag[blocks.owner[b]] in PARAGRAPHS for b in kept),
            sum(blocks.chars[b] for b in kept),
            sum(blocks.links[b] for b in kept),
            markup(kept),
        )


@pytest.mark.parametrize("seed", range(20))
def test_a_node_holds_the_blocks_that_begin_inside_it(seed: int) -> None:
    page, rng = page_of(seed), random.Random(seed)
    tree, first, last = page.tree, page.blocks.first, page.blocks.last
    nodes, blocks = range(len(tree)), range(len(page.blocks))
    inside = {i: {b for b in blocks if tree.contains(i, first[b])} for i in nodes}
    assert all(set(range(*page.range_of(i))) == inside[i] for i in nodes)
    for given in ((0,), (), tuple(rng.sample(nodes, len(nodes) // 8))):
        for gone in (set(), set(rng.sample(nodes, len(nodes) // 9))):
            # A block that only begins with what goes, stays.
            lost = {b for i in gone for b in inside[i] if last[b] < tree.end[i]}
            held = {b for i in given for b in inside[i]} - lost
            for among in (None, [], sorted(rng.sample(blocks, len(blocks) // 2))):
                assert page.kept(given, gone, among) == sorted(held if among is None else held.intersection(among))


def test_the_text_of_a_card_is_link_text_only_if_cards_are_links() -> None:
    card = "<a href=/1><h3>Guide</h3><p>How to fire</p></a>"
    page = read_page(f"<title>Kiln</title>{card}<p><a href=/2>More</a> text</p>", None, Options())
    every = range(len(page.blocks))
    assert page.measure(every).links == sum(page.blocks.links)
    assert page.measure(every, cards_are_links=False).links == page.blocks.links[2] > 0
    assert page.measure(every, cards_are_links=False).prose_words == page.measure(every).prose_words


def test_headings_are_the_blocks_that_their_elements_own() -> None:
    page = read_page("<title>Oak</title><h1>One</h1><p>Two<h2>Three<div>Four</div></h2><h1></h1>", None, Options())
    assert [page.blocks.text[b] for b in page.headings({"h1", "h2"})] == ["One", "Three"]


def test_what_is_not_there_is_refused() -> None:
    page = page_of(3)
    nodes, blocks = len(page.tree), len(page.blocks)
    for node in (-1, nodes):
        with pytest.raises(IndexError, match="no such node"):
            page.range_of(node)
        with pytest.raises(IndexError, match="no such node"):
            page.kept((node,), set())
        with pytest.raises(IndexError, match="no such node"):
            page.kept((0,), {node})
    for b in (-1, blocks, 1 << 80):
        with pytest.raises((ValueError, OverflowError)):
            page.measure([b])
        with pytest.raises((ValueError, OverflowError)):
            page.kept((0,), set(), [b])
