"""The benchmark that hides a page's data and reads the page without it."""

from __future__ import annotations

import json
from typing import Any

from benchmarks.hidden_metadata import Comparison, compare, compared_once, half_of, table

URL = "https://almanac.example/oaks"
TEXT = "<p>" + "The rings of an oak are wide in a wet summer, and narrow in a dry one. " * 8


def page(data: dict[str, Any], meta: str = "", shown: str = "") -> str:
    article = json.dumps({"@type": "Article", **data})
    return (
        f'<html lang="en"><head><title>Oaks and their rings</title>{meta}'
        f'<script type="application/ld+json">{article}</script></head>'
        f"<body><article><h1>Oaks and their rings</h1>{shown}{TEXT}</article></body></html>"
    )


def verdicts(html: str) -> dict[str, tuple[str, str]]:
    return {one.field: (one.verdict, one.got) for one in compare(html, URL)}


def test_what_data_states_is_read_from_the_page_alone() -> None:
    data = {
        "headline": "Oaks and their rings",
        "author": {"@type": "Person", "name": "Ada Lovelace"},
        "datePublished": "2019-05-03",
    }
    shown = '<p class="byline">By Ada Lovelace</p><p class="date">May 3, 2019</p>'
    found = verdicts(page(data, shown=shown))
    assert found == {
        "title": ("exact", "Oaks and their rings"),
        "authors": ("exact", "Ada Lovelace"),
        "published": ("exact", "2019-05-03"),
        "language": ("exact", "en"),
    }


def test_marks_on_elements_are_hidden_with_the_data() -> None:
    marked = '<span itemprop="author">Ada Lovelace</span><span itemprop="datePublished" content="2019-05-03"></span>'
    found = verdicts(page({"datePublished": "2019-05-03"}, shown=f"<div itemscope>{marked}</div>"))
    assert found["published"] == ("not shown", "")


def test_wrong_missing_and_not_shown_are_told_apart() -> None:
    data = {"datePublished": "2019-05-03", "author": {"@type": "Person", "name": "Ada Lovelace"}}
    assert verdicts(page(data, shown='<p class="date">June 4, 2020</p><p>3/2019'))["published"][0] == "wrong"
    assert verdicts(page(data))["published"] == ("not shown", "")
    assert verdicts(page(data, shown='<p class="byline">By Charles Babbage</p>'))["authors"][0] == "not shown"
    both = '<p class="byline">By Charles Babbage</p><p>A friend of Ada Lovelace and of oaks.</p>'
    assert verdicts(page(data, shown=both))["authors"] == ("wrong", "Charles Babbage")
    assert (
        verdicts(page(data, shown="<p>A note that Ada Lovelace wrote, among many others.</p>"))["authors"][0]
        == "missing"
    )


def test_carriers_that_disagree_are_no_truth() -> None:
    meta = '<meta property="article:published_time" content="2020-01-01"><meta property="og:title" content="Oaks">'
    found = verdicts(page({"datePublished": "2019-05-03", "headline": "Oaks and their rings"}, meta))
    assert "published" not in found and "title" not in found


def test_the_site_is_no_author_and_no_part_of_a_title() -> None:
    meta = (
        '<meta property="og:site_name" content="The Almanac"><meta name="author" content="The Almanac">'
        '<meta property="og:title" content="Oaks and their rings | The Almanac">'
    )
    found = verdicts(page({}, meta))
    assert found["title"] == ("exact", "Oaks and their rings") and "authors" not in found


def test_figures_are_shares_of_the_pages_that_show_a_value() -> None:
    def one(verdict: str) -> Comparison:
        return Comparison("", None, "title", verdict, "", "", "")

    head, title, *_ = table([one("exact"), one("exact"), one("wrong"), one("near"), one("not shown")])
    assert head.split()[:6] == ["field", "pages", "exact", "near", "wrong", "missing"]
    assert title.split() == ["title", "4", "0.500", "0.250", "0.250", "0.000", "1"]
    assert compared_once([(b"a", [one("exact")]), (b"a", [one("wrong")])]) == [one("exact")]


def test_pages_of_a_site_are_in_one_half() -> None:
    assert len({half_of(f"corpus/{n}", f"https://www.almanac.example/{n}") for n in range(9)}) == 1
    assert {half_of("", f"https://almanac{n}.example/") for n in range(9)} == {0, 1}
