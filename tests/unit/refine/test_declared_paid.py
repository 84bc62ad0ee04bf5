"""How pages declare that their text is not free, and what makes it a paywall."""

from __future__ import annotations

import json
from typing import Any

import pytest

from duramen.options import Options
from duramen.read.reader import read_page
from duramen.refine.obstacles import _declared_paid, find_obstacles


def declared(head: str) -> str:
    return _declared_paid(read_page(f"<!doctype html><head>{head}</head><p>Oak</p>", None, Options()))


def data(**item: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps({"@context": "https://schema.org", **item})}</script>'


TYPES = ("Article", "NewsArticle", "BlogPosting", "Report", "WebPage", "CreativeWork", "WebPageElement")


@pytest.mark.parametrize("kind", TYPES)
def test_articles_that_are_not_free(kind: str) -> None:
    assert declared(data(**{"@type": kind}, isAccessibleForFree=False)) == "isAccessibleForFree is false"


@pytest.mark.parametrize("kind", ["Product", "Event", "Person"])
def test_other_things_may_cost(kind: str) -> None:
    assert declared(data(**{"@type": kind}, isAccessibleForFree=False)) == ""


@pytest.mark.parametrize(
    ("free", "paid"),
    [
        (False, True), ("False", True), ("no", True), ("0", True), ("https://schema.org/False", True),
        (["false"], True), (" false ", True), (True, False), ("true", False), ("yes", False), ("", False),
    ],
)  # fmt: skip
def test_spellings(free: Any, paid: bool) -> None:
    assert bool(declared(data(**{"@type": "Article"}, isAccessibleForFree=free))) == paid


def test_a_part_that_is_not_free() -> None:
    part = {"@type": "WebPageElement", "isAccessibleForFree": False}
    assert declared(data(**{"@type": "NewsArticle"}, isAccessibleForFree=True, hasPart=part))
    assert declared(data(**{"@type": "NewsArticle"}, hasPart=["x", part]))
    assert declared(data(**{"@type": "NewsArticle"}, hasPart={"isAccessibleForFree": False}))
    assert not declared(
        data(**{"@type": "NewsArticle"}, hasPart={"@type": "ImageObject", "isAccessibleForFree": False})
    )


@pytest.mark.parametrize("name", ["article:content_tier", "og:article:content_tier", "content_tier"])
@pytest.mark.parametrize(
    ("tier", "paid"),
    [("locked", True), ("Metered", True), (" premium ", True), ("paid", True), ("free", False), ("", False)],
)
def test_content_tiers(name: str, tier: str, paid: bool) -> None:
    assert declared(f"<meta property={name} content='{tier}'>") == (f"{name} is {tier.strip().lower()}" if paid else "")


@pytest.mark.parametrize(
    ("count", "found"), [(100, "noted"), (1000, "noted"), (1001, "cut"), ("1001", "cut"), (100_000, "noted")]
)
def test_a_declared_length_that_is_not_here(count: Any, found: str) -> None:
    text = "<p>" + "Oak heartwood is hard and dark, and it lasts. " * 60 + "</p>"
    head = data(**{"@type": "Article"}, isAccessibleForFree=False, wordCount=count)
    page = read_page(f"<!doctype html><head><title>Oak</title>{head}</head>{text}", None, Options())
    obstacles = find_obstacles(page, range(len(page.blocks)), 600)
    assert [(obstacle.code, obstacle.effect) for obstacle in obstacles] == [("paywall", found)]
