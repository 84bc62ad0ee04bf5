"""What a choice of blocks comes to, by the compiled core and by Python."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from duramen.native import core
from duramen.options import Options
from duramen.page import Page
from duramen.read.reader import read_page

pytestmark = pytest.mark.skipif(core is None, reason="the compiled core was not built here")

TAGS = "div p li td blockquote a span h2 pre x-card é".split()


def page_of(seed: int) -> Page:
    rng = random.Random(seed)
    html = "<title>Oak</title>"
    for _ in range(rng.randrange(60)):
        tag = rng.choice(TAGS)
        html += f"<{tag} href=#>" + "heartwood " * rng.randrange(40) + rng.choice(["", f"</{tag}>"])
    return read_page(html, None, Options())


@pytest.mark.parametrize("seed", range(40))
def test_same_measures(seed: int) -> None:
    page, rng = page_of(seed), random.Random(seed)
    assert page.tree.core is not None
    pure = replace(page, tree=replace(page.tree, core=None))
    assert [page.range_of(i) for i in range(len(page.tree))] == [pure.range_of(i) for i in range(len(page.tree))]
    every = range(len(page.blocks))
    for kept in ([], [*every], sorted(rng.sample(every, len(every) // 2))):
        assert page.measure(kept) == pure.measure(kept)


@pytest.mark.parametrize("seed", range(40))
def test_same_blocks(seed: int) -> None:
    page, rng = page_of(seed), random.Random(seed)
    pure = replace(page, tree=replace(page.tree, core=None))
    nodes, blocks = range(len(page.tree)), range(len(page.blocks))
    for given in ((0,), (), tuple(rng.sample(nodes, len(nodes) // 8))):
        for gone in (set(), set(rng.sample(nodes, len(nodes) // 9))):
            for among in (None, [], sorted(rng.sample(blocks, len(blocks) // 2))):
                assert page.kept(given, gone, among) == pure.kept(given, gone, among)


def test_phrases() -> None:
    phrases = ["turn on cookies", "訂閱", "oak", "a", ""]
    assert core.Phrases(phrases).within("please, turn on cookies\n訂閱 now") == ["turn on cookies", "訂閱", "a", ""]
    assert core.Phrases(phrases).within("Oxen") == [""]
    assert core.Phrases(["oak"]).within("") == [] == core.Phrases([]).within("oak")


def test_phrases_that_are_none() -> None:
    for given in (3, [3], ["\ud800"]):
        with pytest.raises((TypeError, UnicodeEncodeError)):
            core.Phrases(given)
    with pytest.raises(TypeError):
        core.Phrases(["oak"]).within(3)


def test_what_is_not_there_is_refused() -> None:
    page = page_of(3)
    nodes, blocks = len(page.tree), len(page.blocks)
    for node in (-1, nodes):
        with pytest.raises(IndexError, match="no such node"):
            page.tree.core.range_of(node)
        with pytest.raises(IndexError, match="no such node"):
            page.kept((node,), set())
        with pytest.raises(IndexError, match="no such node"):
            page.kept((0,), {node})
    for start, stop in ((-1, 1), (0, nodes + 1)):
        with pytest.raises(IndexError, match="no such node"):
            page.tree.core.markup(start, stop)
    for b in (-1, blocks, 1 << 80):
        with pytest.raises((ValueError, OverflowError)):
            page.measure([b])
        with pytest.raises((ValueError, OverflowError)):
            page.kept((0,), set(), [b])
