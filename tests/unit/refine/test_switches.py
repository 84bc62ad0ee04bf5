"""Buttons that head a folded text are kept with it, in any make of accordion; other buttons never are."""

# ruff: noqa: E501 (markup as it is found reads better unbroken)

from __future__ import annotations

import json

import pytest

import duramen

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
