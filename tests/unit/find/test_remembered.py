"""The selector that would find a content again: stable names only, one element only."""

from __future__ import annotations

import pytest

from duramen import Options
from duramen.find.remembered import container_of, find_remembered, is_stable, selector_of, stable_selector
from duramen.model import Remembered
from duramen.page import Page
from duramen.read.reader import read_page

PROSE = "".join(
    f"<p>Ring {n} of the oak is wide, for the summer of that year was wet and mild in the hills.</p>" for n in "abcd"
)


def read(body: str) -> Page:
    return read_page(f"<!doctype html><title>x</title><body>{body}", None, Options())


def kept(page: Page) -> list[int]:
    return [b for b, text in enumerate(page.blocks.text) if text.startswith("Ring")]


@pytest.mark.parametrize(
    ("body", "selector"),
    [
        (f"<div id=story>{PROSE}</div>", "div#story"),
        (f"<div id=post-48213 class=entry-text>{PROSE}</div>", "div.entry-text"),
        (f"<div class='css-1q2w3e body-copy'>{PROSE}</div>", "div.body-copy"),
        (f"<section itemprop=articleBody class=e1qksbhf0>{PROSE}</section>", 'section[itemprop="articleBody"]'),
        (f"<div data-testid=story-wrapper class=x>{PROSE}</div>", 'div[data-testid="story-wrapper"]'),
        (f"<article class='p-4 col-md-8'>{PROSE}</article>", "article"),
        (f"<div class='card wide'>{PROSE}</div><div class=card>x</div><div class=wide>y</div>", "div.card.wide"),
        (f"<div class=story-main><div><div>{PROSE}</div></div></div>", "div.story-main > div > div"),
        (f"<div class=is-open><div class=sc-gZhRl>{PROSE}</div></div>", ""),
        (f"<article>{PROSE}</article><article>x</article>", ""),
        (PROSE, ""),
    ],
)
def test_a_selector_of_stable_names(body: str, selector: str) -> None:
    page = read(f"<nav>Home</nav>{body}<footer>x</footer>")
    assert selector_of(page, kept(page)) == selector


def test_the_smallest_element_that_holds_nearly_all() -> None:
    page = read(f"<div id=outer><div id=inner>{PROSE}</div><p>Less.</p></div>")
    assert page.tree.ident[container_of(page, kept(page))] == "inner"
    assert container_of(page, []) == -1


def test_no_element_that_holds_much_else() -> None:
    page = read(
        f"<div id=outer>{'<p>Other words of the page, of which there are a great many here.</p>' * 20}{PROSE}</div>"
    )
    assert container_of(page, kept(page)) == -1


@pytest.mark.parametrize(
    ("name", "stable"),
    [
        ("content", True),
        ("story_body", True),
        ("articleBody", True),
        ("main2", True),
        ("ab", False),
        ("", False),
        ("jsx-3810287", False),
        ("dcr-1xdhyk6", False),
        ("ff31b4af", False),
        ("bbc-1151pbn", False),
        ("nav-open", False),
        ("with space", False),
        ('x"]', False),
        ("x" * 200, False),
    ],
)
def test_stable_names(name: str, stable: bool) -> None:
    assert is_stable(name) is stable


def test_candidates_have_the_rate_as_confidence() -> None:
    page = read(f"<div id=story>{PROSE}</div>")
    known = [Remembered("#story", 0.9, "served"), Remembered("#gone", 1.0), Remembered("p[", 1.0), Remembered("p", 0.0)]
    first, second = find_remembered(page, known)
    assert (first.tier, first.rule_id, first.confidence) == ("cache", "cache:#story", 0.9)
    assert first.evidence == "#story: served" and len(second.nodes) == 4


def test_deep_pages_are_bounded() -> None:
    page = read("<div>" * 3000 + PROSE)
    assert stable_selector(page.tree, len(page.tree) - 1) == ""
