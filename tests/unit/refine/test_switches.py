"""Buttons that head a folded text are kept with it, in any make of accordion; other buttons never are."""

# ruff: noqa: E501 (markup as it is found reads better unbroken)

from __future__ import annotations

import json

import pytest

import duramen
from duramen.options import Options
from duramen.read.reader import read_page
from duramen.refine.switches import find_switches

PROSE = "<p>Oak heartwood is dense and dark, and it resists decay for decades when it is kept dry and well aired by the builder.</p>"
QUESTION = "How long does oak last in the ground?"
ANSWER = "<p>It lasts for about twenty years in the ground, and longer where the ground is dry.</p>"


def extract(body: str) -> str:
    html = f"<html lang=en><title>Oak timber</title><body><main><article><h1>Oak timber</h1>{PROSE * 2}{body}{PROSE * 2}</article></main>"
    return duramen.extract(html).html


@pytest.mark.parametrize(
    "accordion",
    [
        f'<div><button aria-expanded="false" aria-controls="a">{QUESTION}</button><div id="a">{ANSWER}</div></div>',
        f'<div><button aria-controls="a"><span>{QUESTION}</span><svg></svg></button><div><div id="a">{ANSWER}</div></div></div>',
        f'<div><button aria-expanded="true">{QUESTION}</button><div>{ANSWER}</div></div>',
        f'<div><div><button aria-expanded="true">{QUESTION}</button></div><div>{ANSWER}</div></div>',
        f'<div><button class="dropdown-toggle">{QUESTION}</button><nav class="w-dropdown-list">{ANSWER}</nav></div>',
    ],
)
def test_a_question_stays_with_its_answer(accordion: str) -> None:
    assert f"<p>{QUESTION}</p>{ANSWER}" in extract(accordion)


def test_data_is_read_as_a_page_is() -> None:
    body = f'<p>{PROSE * 4}</p><button aria-expanded="true">{QUESTION}</button>{ANSWER}<button>Share this page now</button>'
    data = json.dumps({"@type": "Article", "headline": "Oak timber", "articleBody": body})
    html = duramen.extract(f"<title>Oak timber</title><script type=application/ld+json>{data}</script><p>Loading").html
    assert f"<p>{QUESTION}</p>{ANSWER}" in html and "Share" not in html and "Loading" not in html


def test_a_button_in_a_heading_is_its_text() -> None:
    body = f'<h3><button type="button" data-bs-toggle="collapse">Durability</button></h3><div>{ANSWER}</div>'
    assert f"<h3>Durability</h3>{ANSWER}" in extract(body)


@pytest.mark.parametrize(
    "button",
    [
        f"<button>{QUESTION}</button>{ANSWER}",
        f'<button aria-expanded="false">Show more</button>{ANSWER}',
        f'<button aria-controls="b">{QUESTION}</button><div id="b"><nav><a href="/a">Home</a> <a href="/b">Shop</a></nav></div>{ANSWER}',
        f'<button type="submit" aria-expanded="true">{QUESTION}</button>{ANSWER}',
        f'<button aria-expanded="true">{"word " * 50}</button>{ANSWER}',
        f'<button aria-expanded="true">{QUESTION}</button> or {ANSWER}',
    ],
)
def test_other_buttons_go(button: str) -> None:
    assert "How long does" not in extract(f"<div>{button}</div>")
    assert "Show more" not in extract(f"<div>{button}</div>")
    assert "word word" not in extract(f"<div>{button}</div>")


def found(body: str, kept: str = "It lasts") -> list[str]:
    """How the buttons of a page are written that head a text which is kept."""
    page = read_page(f"<!doctype html><body>{body}", None, Options())
    blocks = [b for b, text in enumerate(page.blocks.text) if kept in text]
    return [*find_switches(page.tree, page.blocks, blocks).values()]


def words(count: int) -> str:
    return " ".join(["oak"] * count)


@pytest.mark.parametrize("tag", ["h2", "h3", "h4", "h5", "h6"])
def test_a_button_alone_in_a_heading_heads_what_follows(tag: str) -> None:
    assert found(f"<{tag}><button>Oak</button></{tag}>{ANSWER}") == ["span"]
    assert found(f"<{tag}>No. 1 <button>Oak</button></{tag}>{ANSWER}") == []
    assert found(f"<{tag}><b><i><button>Oak</button></i></b></{tag}>{ANSWER}") == ["span"]
    assert found(f"<{tag}><b><i><s><button>Oak</button></s></i></b></{tag}>{ANSWER}") == []


def test_terms_and_summaries_are_headings_too() -> None:
    assert found(f"<dl><dt><button>Oak</button></dt><dd>{ANSWER}</dd></dl>") == ["span"]
    assert found(f"<details><summary><button>Oak</button></summary>{ANSWER}</details>") == ["span"]


@pytest.mark.parametrize("tag", ["p", "span", "a", "strong", "b", "em", "label"])
def test_in_a_line_of_text_it_is_a_part_of_the_line(tag: str) -> None:
    assert found(f"<{tag}><button aria-expanded=false>{QUESTION}</button></{tag}><div>{ANSWER}</div>") == ["span"]


def test_elsewhere_it_is_a_block() -> None:
    assert found(f"<div><button aria-expanded=false>{QUESTION}</button></div><div>{ANSWER}</div>") == ["div"]
    assert found(f"<h1><button aria-expanded=false>{QUESTION}</button></h1><div>{ANSWER}</div>") == ["div"]


@pytest.mark.parametrize(
    ("attributes", "count"),
    [
        ("aria-expanded=false", 1),
        ("aria-controls=x", 1),
        ("class='x Accordion'", 1),
        ("class=accordions", 0),
        ("aria-expanded", 0),
        ("", 0),
        ("aria-expanded=false type=Submit", 0),
        ("aria-expanded=false type=button", 1),
    ],
)
def test_what_names_a_switch(attributes: str, count: int) -> None:
    assert len(found(f"<div><button {attributes}>{QUESTION}</button></div>{ANSWER}")) == count


@pytest.mark.parametrize(
    ("label", "alone", "in_heading"),
    [("", 0, 0), (words(1), 0, 1), (words(2), 0, 1), (words(3), 1, 1), (words(40), 1, 1), (words(41), 0, 0)],
)
def test_a_label_is_neither_a_word_nor_a_text(label: str, alone: int, in_heading: int) -> None:
    assert len(found(f"<button aria-expanded=false>{label}</button>{ANSWER}")) == alone
    assert len(found(f"<h2><button>{label}</button></h2>{ANSWER}")) == in_heading


@pytest.mark.parametrize(("other", "count"), [("x" * 82, 1), ("x" * 83, 0)])
def test_half_of_what_it_unfolds_is_kept(other: str, count: int) -> None:
    panel = f"<div id=a>{ANSWER}<p>{other}</p></div>"
    assert len(found(f"<button aria-controls=a>{QUESTION}</button><p>Other.</p>{panel}")) == count


def test_the_panel_is_named_or_follows() -> None:
    button = f"<button aria-controls=a>{QUESTION}</button>"
    assert found(f"<div id=a>{button}{ANSWER}</div>") == ["div"]
    assert found(f"{button}<p>Other.</p><div id=b>{ANSWER}</div>") == []
    assert found(f"{button} Other. {ANSWER}") == []
    assert found(f"<div>{button} <!-- panel --> \n</div> {ANSWER}") == ["div"]
    assert found(f"<p>It lasts.</p><div>{button}</div>") == []
    assert found(f"<div><div>{button}</div></div>{ANSWER}") == ["div"]
    assert found(f"<div><div><div>{button}</div></div></div>{ANSWER}") == []
    assert found(f"<div>Other. {button}</div>{ANSWER}") == []
    assert found(f"{button}{ANSWER}", kept="Nothing") == []
