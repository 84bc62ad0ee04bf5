"""Callouts, tables and quotations are parts of the text that they are in."""

from __future__ import annotations

from array import array

import pytest

from duramen.find.structures import settle_structures
from duramen.options import Options
from duramen.page import Page
from duramen.read.reader import read_page

SENTENCE = "Oak heartwood is hard, dark and durable, and shipwrights chose it for keels."
BOX = '<div class="markdown-alert"><p>Mind the blade.</p></div>'
TABLE = "<figure><table><tr><td>Oak<td>500<tr><td>Ash<td>200</table></figure>"
MENU = "<table><tr><td><a href=/a>Oak</a><td><a href=/b>Ash</a><tr><td><a href=/c>Elm</a><td>200</table>"
POST = '<blockquote class="bluesky-embed"><p>The mill burns.</p></blockquote>'


def read(body: str) -> Page:
    return read_page(f"<title>Oaks</title><body>{body}", None, Options())


def settled(body: str, probabilities: list[float]) -> list[float]:
    page = read(body)
    assert len(page.blocks) == len(probabilities), page.blocks.text
    return settle_structures(array("d", probabilities), page)


@pytest.mark.parametrize("unit", [BOX, TABLE, POST])
def test_units_of_the_text_stay_between_its_paragraphs(unit: str) -> None:
    body = f"<article><p>{SENTENCE}</p>{unit}<p>{SENTENCE} And so on.</p></article>"
    n = len(read(body).blocks)
    assert settled(body, [0.9, *[0.3] * (n - 2), 0.8]) == pytest.approx([0.9, *[0.8] * (n - 2), 0.8])
    doubtful = [0.9, *[0.1] * (n - 2), 0.8]
    assert settled(body, doubtful) == pytest.approx(doubtful)


@pytest.mark.parametrize("unit", [f"<aside>{BOX}</aside><hr>", MENU, BOX.replace("markdown-alert", "promo")])
def test_what_only_looks_like_one_is_judged_by_itself(unit: str) -> None:
    body = f"<article><p>{SENTENCE}</p>{unit}<p>{SENTENCE} And so on.</p></article>"
    if "aside" in unit:
        body = f"<div><p>{SENTENCE}</p></div><aside><b>Shop</b>{BOX}</aside><p>{SENTENCE} And so on.</p>"
    given = [0.9, *[0.3] * (len(read(body).blocks) - 2), 0.8]
    assert settled(body, given) == pytest.approx(given)


def test_a_quotation_keeps_who_is_named_above_it() -> None:
    quotation = "<div class=title>sam:</div><blockquote><p>Row on, I said.</p></blockquote>"
    assert settled(f"<p>{SENTENCE}</p><aside>{quotation}</aside>", [0.9, 0.1, 0.7]) == [0.9, 0.7, 0.7]
    assert settled(f"<p>{SENTENCE}</p><div>{quotation}</div>", [0.9, 0.1, 0.7]) == [0.9, 0.1, 0.7]


def test_a_heading_in_a_wrapper_heads_the_component() -> None:
    card = f"<section><div><h4>Toggle</h4></div><div><p>{SENTENCE}</p></div></section>"
    assert settled(f"{card}<p>{SENTENCE * 3}</p>", [0.1, 0.8, 0.9]) == pytest.approx([0.6, 0.8, 0.9])


def test_the_choices_of_a_poll_are_no_content() -> None:
    poll = "<label><input type=radio> Oak</label><label><input type=radio> Ash</label>"
    assert settled(f"<p>{SENTENCE}</p>{poll}", [0.9, 0.8])[1:] == pytest.approx([0.16])
    assert settled(f"<p>{SENTENCE}</p>{poll.replace('radio', 'checkbox')}", [0.9, 0.8])[1:] == [0.8]
    assert settled(f"<p>{SENTENCE}</p>{poll}{SENTENCE * 6}", [0.9, 0.8])[1:] == [0.8]
