"""What belongs together is kept or dropped together."""

from __future__ import annotations

from array import array

import pytest

from duramen.find.structures import settle_structures
from duramen.options import Options
from duramen.page import Page
from duramen.read.reader import read_page

LINES = ("import kiln", "kiln.heat(900)", "kiln.hold(30)", "kiln.cool()")
TEXT = "<p>Write the schedule of the firing as a program and let the server run it.</p>"


def read(body: str) -> Page:
    return read_page(f"<title>Kilns</title><body>{TEXT}{body}{TEXT}", None, Options())


def settled(body: str, *probabilities: float) -> list[float]:
    """The probabilities of the blocks between two that are hardly content."""
    page = read(body)
    assert len(page.blocks) == len(probabilities) + 2
    return settle_structures(array("d", [0.1, *probabilities, 0.1]), page)[1:-1]


def drawn(tag: str) -> str:
    return "".join(f"<{tag}>{line}</{tag}>" for line in LINES)


@pytest.mark.parametrize(
    "listing",
    [
        f"<pre>{drawn('div')}</pre>",
        f"<pre><code>{drawn('div')}</code></pre>",
        f"<div><code>{drawn('div')}</code></div>",
        f'<div class="CodeMirror-code CodeMirror">{drawn("pre")}</div>',
        f'<div class="syntaxhighlighter js">{drawn("div")}</div>',
        f'<div class="view-lines">{drawn("div")}</div>',
    ],
)
def test_the_lines_of_a_listing_share_one_probability(listing: str) -> None:
    probabilities = settled(listing, 0.9, 0.2, 0.9, 0.2)
    assert len(set(probabilities)) == 1 and 0.2 < probabilities[0] < 0.9


def test_a_listing_is_kept_where_the_text_around_it_is() -> None:
    page = read(f"<pre>{drawn('div')}</pre>")
    probabilities = settle_structures(array("d", [0.9, 0.3, 0.2, 0.2, 0.2, 0.9]), page)
    assert probabilities[1:-1] == [0.9] * 4


def test_code_that_was_left_open_is_no_listing() -> None:
    assert settled(f"<code><h3>Menu</h3>{drawn('div')}<img src=x.png></code>", 0.9, 0.2, 0.3, 0.4, 0.5) == [
        0.9, 0.2, 0.3, 0.4, 0.5,
    ]  # fmt: skip


def test_code_inside_a_line_is_no_unit() -> None:
    assert settled("<p><code>kiln</code> heats, <code>cool</code> cools.</p><p><code>x</code></p>", 0.9, 0.2) == [
        0.9,
        0.2,
    ]


def test_a_table_shares_one_probability() -> None:
    table = "<table><tr><td>Oak<td>140<tr><td>Larch<td>75</table>"
    assert len(set(settled(table, 0.9, 0.2, 0.9, 0.2))) == 1


def test_an_embedded_post_goes_with_its_text() -> None:
    post = '<blockquote class="twitter-tweet"><p>We fired the kiln.</p>— A potter <a href="/1">3 May</a></blockquote>'
    assert settled(post, 0.8, 0.1) == [0.8, 0.8]
    assert settled(post.replace("twitter-tweet", "quote"), 0.8, 0.1) == [0.8, 0.1]


@pytest.mark.parametrize(
    "quotation",
    [
        "<blockquote><p>The oak is king.</p><footer>— <cite>John Evelyn</cite></footer></blockquote>",
        "<blockquote><p>The oak is king.</p><cite>John Evelyn</cite></blockquote>",
        "<figure><blockquote>The oak is king.</blockquote><figcaption>John Evelyn</figcaption></figure>",
        "<div><blockquote>The oak is king.</blockquote> <footer>John Evelyn</footer></div>",
    ],
)
def test_an_attribution_goes_with_its_quotation(quotation: str) -> None:
    assert settled(quotation, 0.8, 0.1) == [0.8, 0.8]


def test_labels_and_messages_of_a_form_go() -> None:
    form = "<form><label>Your name</label><input name=n><span>Processing…</span></form>"
    assert max(settled(f"<p>Oak.</p>{form}<p>Elm.</p>", *[0.8] * 3)[1:-1]) < 0.5
    assert settled("<form><p>Oak.</p><input type=hidden name=n></form>", 0.8) == [0.8]


def test_a_footer_behind_other_text_is_no_attribution() -> None:
    assert settled("<blockquote>Oak.</blockquote><p>Elm.</p><footer>Imprint</footer>", 0.8, 0.7, 0.1)[2] == 0.1


@pytest.mark.parametrize(
    ("beside", "goes"), [("Python", True), ("Python, as it was written for the kiln of the old brickworks", False)]
)
def test_a_listing_has_a_title_in_a_frame_that_shows_little_else(beside: str, goes: bool) -> None:
    frame = f'<div><div class="code-caption">kiln.py</div><pre>heat(900)</pre><p>{beside}</p></div>'
    assert (settled(frame, 0.2, 0.9, 0.1)[0] == 0.9) is goes


def test_a_table_of_a_third_of_the_page_shares_one_probability() -> None:
    table = f"<table><tr>{'<td>Oak and elm' * 2}<tr>{'<td>Larch and ash' * 2}</table>"
    found = settled(f"{table}<p>{'kiln ' * 24}</p>", 0.9, 0.2, 0.9, 0.2, 0.5)
    assert len(set(found[:4])) == 1 and found[4] == 0.5
