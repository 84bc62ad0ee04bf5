"""A signed or dated text on a page of doubtful type is an article."""

from __future__ import annotations

from pathlib import Path

import pytest

import duramen
from duramen.find.page_type import settle_page_type
from duramen.model import PageKind, PageType
from duramen.options import Options
from duramen.page import Page
from duramen.read.reader import read_page

EXAMPLES = Path(__file__).parents[3] / "examples"
SIGNED = '<meta name="author" content="Tove Lindqvist"><meta property="article:published_time" content="2026-03-03">'
TEXT = "<main><p>The wheel of the old mill broke loose during the storm.</p><p>Repairs will take the summer.</p></main>"


def read(body: str, head: str = SIGNED) -> Page:
    return read_page(f"<!doctype html><html><head><title>Mill</title>{head}</head><body>{body}", None, Options())


def settled(page: Page, kind: PageType = "forum", confidence: float = 0.35, article: float = 0.3) -> PageType:
    return settle_page_type(page, [0.9] * len(page.blocks), PageKind(kind, confidence), article).type


def test_the_example_is_an_article() -> None:
    result = duramen.extract((EXAMPLES / "short.html").read_bytes())
    assert result.page_type == "article" and not result.kind.uncertain


def test_one_signed_text() -> None:
    assert settled(read(TEXT)) == "article"


@pytest.mark.parametrize(
    ("page", "confidence", "article"),
    [
        (read(TEXT), 0.6, 0.3),
        (read(TEXT), 0.45, 0.2),
        (read(TEXT, ""), 0.35, 0.3),
        (read("".join(f"<div><p>Post number {n} of several people.</p></div>" for n in range(4))), 0.35, 0.3),
    ],
    ids=["certain", "hardly an article", "neither signed nor dated", "several texts"],
)
def test_else_the_most_probable_type(page: Page, confidence: float, article: float) -> None:
    assert settled(page, confidence=confidence, article=article) == "forum"


@pytest.mark.parametrize(
    ("kind", "confidence", "article", "found"),
    [
        ("forum", 0.49, 0.3, "article"),
        ("forum", 0.5, 0.3, "forum"),
        ("forum", 0.4, 0.2, "article"),
        ("forum", 0.4, 0.19, "forum"),
        ("product", 0.4, 0.2, "article"),
    ],
)
def test_how_weak_the_evidence_has_to_be(kind: PageType, confidence: float, article: float, found: PageType) -> None:
    assert settled(read(TEXT), kind, confidence, article) == found


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ('<meta name="author" content="Tove Lindqvist">', "article"),
        ('<meta property="article:published_time" content="2026-03-03">', "article"),
        ("", "forum"),
    ],
)
def test_an_author_or_a_date_is_enough(head: str, found: PageType) -> None:
    assert settled(read(TEXT, head)) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        # Four of five likely words are in one container.
        (f"<main><p>{'mill ' * 8}</p></main><div><p>{'mill ' * 2}</p></div>", "article"),
        (f"<main><p>{'mill ' * 7}</p></main><div><p>{'mill ' * 2}</p></div>", "forum"),
        (f"<main><p>{'mill ' * 8}</p><li>{'mill ' * 2}</li></main>", "article"),
        (f"<main><p>{'mill ' * 7}</p><li>{'mill ' * 2}</li></main>", "forum"),
        (f"<main><li>{'mill ' * 9}</li></main>", "forum"),
    ],
)
def test_one_text_is_paragraphs_of_one_container(body: str, found: PageType) -> None:
    assert settled(read(body)) == found


@pytest.mark.parametrize(("probability", "found"), [(0.5, "forum"), (0.49, "article")])
def test_only_likely_words_count(probability: float, found: PageType) -> None:
    page = read(f"<main><p>{'mill ' * 7}</p></main><div><p>{'mill ' * 2}</p></div>")
    assert settle_page_type(page, [0.5, probability], PageKind("forum", 0.35), 0.3).type == found
    assert settle_page_type(page, [0.4, 0.4], PageKind("forum", 0.35), 0.3).type == "forum"


def test_the_type_has_the_probability_of_an_article() -> None:
    kind = settle_page_type(read(TEXT), [0.9, 0.9], PageKind("forum", 0.35), 0.31234)
    assert kind == PageKind("article", 0.312, ("one text with an author or a date",))
