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
