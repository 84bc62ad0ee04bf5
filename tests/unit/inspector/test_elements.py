"""The elements around a block, and selectors that find them."""

from __future__ import annotations

from typing import Any

from duramen.inspector.elements import elements_of
from duramen.options import Options
from duramen.pipeline import page_of

HTML = (
    "<body><main class=story><h1>Oak</h1><p class=byline>By <a class=author href=/ann>Ann Moss</a>, today</p>"
    "<div class=css-1q2w3e><p>Oaks live for centuries.</p></div>"
    "<div class=promo>Buy shoes</div><div class=promo>Buy more shoes</div></main>"
)


def elements(text: str, html: str = HTML) -> list[dict[str, Any]]:
    page = page_of(html, None, Options())
    return elements_of(page, next(b for b, words in enumerate(page.blocks.text) if text in words))


def test_from_the_inside_out() -> None:
    found = elements("Ann Moss")
    assert [(one["label"], one["role"]) for one in found] == [
        ("a.author", "inside"), ("p.byline", "own"), ("main.story", "around"),
    ]  # fmt: skip
    assert found[0]["selectors"][0]["selector"] == "a.author" and found[0]["text"] == "Ann Moss"


def test_an_element_with_other_blocks_says_so() -> None:
    assert [(one["label"], one["more"]) for one in elements("Ann Moss")][1:] == [
        ("p.byline", False),
        ("main.story", True),
    ]


def test_a_selector_for_all_of_a_kind() -> None:
    (wider, *_) = elements("more shoes")[0]["selectors"]
    assert (wider["selector"], wider["count"], wider["stable"]) == ("div.promo", 2, True)
    assert len(wider["blocks"]) == 2


def test_what_has_no_lasting_name_is_found_and_marked() -> None:
    paragraph, box, *_ = elements("centuries")
    assert paragraph["selectors"][0]["selector"] == "main.story > div > p"
    assert box["selectors"][0]["selector"] == "div.css-1q2w3e" and not box["selectors"][0]["stable"]


def test_every_selector_finds_its_element_and_no_block_is_no_error() -> None:
    page = page_of(HTML, None, Options())
    for b in range(len(page.blocks)):
        for one in elements_of(page, b):
            assert one["selectors"]
    assert elements_of(page, len(page.blocks)) == [] == elements_of(page, -1)


def test_what_has_no_name_at_all_is_found_by_its_place() -> None:
    html = "<body><table><tr><td>Menu<td><p>Eel on rye.</p><p>Toast it.</p></table>"
    paragraph, cell, *_ = elements("Toast", html)
    found = [(one["selector"], one["count"]) for one in cell["selectors"]]
    assert found == [("body > table > tbody > tr > td:nth-of-type(2)", 1), ("body > table > tbody > tr > td", 2)]
    assert paragraph["selectors"][0]["count"] == 1
