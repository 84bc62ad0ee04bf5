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


def raised(body: str, *probabilities: float) -> list[float]:
    page = read(TEXT * 3 + body + TEXT * 3)
    assert len(page.blocks) == len(probabilities) + 8, page.blocks.text
    around = [0.05] * 4
    return settle_structures(array("d", [*around, *probabilities, *around]), page)[4:-4]


@pytest.mark.parametrize("tag", ["h2", "h3", "h4", "h5", "h6"])
def test_a_heading_is_raised_to_nine_tenths_of_what_it_heads(tag: str) -> None:
    assert raised(f"<div><{tag}>Kilns</{tag}><p>They are hot.</p></div>", 0.1, 0.8) == pytest.approx([0.72, 0.8])


@pytest.mark.parametrize(
    ("body", "heading"),
    [
        # One level deeper at most.
        ("<div><h2>Kilns</h2><div><p>They are hot.</p></div></div>", 0.72),
        ("<div><h2>Kilns</h2></div><p>They are hot.</p>", 0.1),
        # In a wrapper of its own it is raised less.
        ("<div><header><h2>Kilns</h2></header><p>They are hot.</p></div>", 0.6),
        ("<div><i><b><s><h2>Kilns</h2></s></b></i><p>They are hot.</p></div>", 0.1),
        ("<div><h1>Kilns</h1><p>They are hot.</p></div>", 0.1),
        ("<div><p>Kilns</p><p>They are hot.</p></div>", 0.1),
        # Half of it may be a link, more may not.
        ("<div><h2>abcd <a href=/>efghi</a></h2><p>They are hot.</p></div>", 0.1),
        ("<div><h2>abcdefgh <a href=/>ij</a></h2><p>They are hot.</p></div>", 0.72),
    ],
)
def test_a_heading_goes_with_what_is_beside_it(body: str, heading: float) -> None:
    assert raised(body, 0.1, 0.8)[0] == pytest.approx(heading)


def test_headings_are_raised_through_each_other() -> None:
    found = raised("<div><h2>Kilns</h2><h3>Hot ones</h3><p>They are hot.</p></div>", 0.1, 0.1, 0.8)
    assert found == pytest.approx([0.648, 0.72, 0.8])


def words(count: int) -> str:
    return " ".join(["kiln"] * count)


@pytest.mark.parametrize("tag", ["ul", "ol", "dl"])
@pytest.mark.parametrize(("count", "whole"), [(24, True), (25, False)])
def test_a_list_of_short_items_is_whole(tag: str, count: int, whole: bool) -> None:
    # Each block counts half a word more.
    item = "dd" if tag == "dl" else "li"
    found = raised(f"<{tag}>{f'<{item}>{words(count)}' * 3}</{tag}><p>{words(200)}</p>", 0.9, 0.1, 0.8, 0.0)
    assert (len(set(found[:3])) == 1) == whole


@pytest.mark.parametrize(("count", "whole"), [(14, True), (15, False)])
def test_a_table_of_short_cells_is_whole(count: int, whole: bool) -> None:
    cells = f"<td>{words(count)}" * 3
    found = raised(f"<table><tr>{cells}</table><p>{words(200)}</p>", 0.9, 0.1, 0.8, 0.0)
    assert (len(set(found[:3])) == 1) == whole


def test_two_items_are_no_list() -> None:
    assert raised("<ul><li>Oak<li>Elm</ul>", 0.9, 0.1) == [0.9, 0.1]
    assert len(set(raised("<ul><li>Oak<li>Elm<li>Ash</ul>", 0.9, 0.1, 0.1))) == 1


def test_a_list_of_lists_is_whole_where_it_is_links() -> None:
    inner = "<ul><li>Oak<li>Elm<li>Ash</ul>"
    found = raised(f"<ul><li>Woods{inner}<li>Kilns</ul>", 0.9, 0.5, 0.5, 0.2, 0.9)
    assert found[0] == found[4] == 0.9 and len(set(found[1:4])) == 1
    linked = "<ul><li><a href=/o>Oak</a><li><a href=/e>Elm</a><li><a href=/a>Ash</a></ul>"
    menu = f"<ul><li><a href=/w>Woods</a>{linked}<li><a href=/k>Kilns</a></ul>"
    assert len(set(raised(menu, 0.9, 0.5, 0.5, 0.2, 0.9))) == 1


def test_the_layout_of_a_page_is_no_table() -> None:
    found = raised(f"<table><tr>{f'<td>{words(14)}' * 16}</table>", *[0.9] * 8, *[0.1] * 8)
    assert set(found) == {0.9, 0.1}


@pytest.mark.parametrize(
    "tag", ["h1", "h2", "h3", "h4", "h5", "h6", "img", "picture", "iframe", "video", "blockquote", "dl"]
)
def test_code_with_such_an_element_was_left_open(tag: str) -> None:
    found = raised(f"<pre><b>one</b><div>two</div><{tag}></{tag}></pre>", 0.9, 0.2)
    assert found == [0.9, 0.2]


@pytest.mark.parametrize("tag", ["pre", "xmp", "listing"])
def test_one_block_of_code_is_kept_where_the_text_around_it_is(tag: str) -> None:
    page = read(f"<{tag}>kiln.heat(900)</{tag}>")
    assert settle_structures(array("d", [0.9, 0.2, 0.8]), page)[1] == 0.8
    assert settle_structures(array("d", [0.9, 0.15, 0.8]), page)[1] == 0.8
    assert settle_structures(array("d", [0.9, 0.14, 0.8]), page)[1] == 0.14
    assert settle_structures(array("d", [0.9, 0.95, 0.8]), page)[1] == 0.95


def test_three_blocks_around_code_are_looked_at() -> None:
    page = read(f"{TEXT * 3}<pre>kiln.heat(900)</pre>{TEXT * 3}")
    near = [0.1, 0.9, 0.1, 0.1, 0.2, 0.1, 0.1, 0.8, 0.1]
    far = [0.9, 0.1, 0.1, 0.1, 0.2, 0.1, 0.1, 0.1, 0.8]
    assert settle_structures(array("d", near), page)[4] == 0.8
    assert settle_structures(array("d", far), page)[4] == 0.2


FORMULA = '<math display="block"><mi>x</mi><mo>+</mo><mi>y</mi></math>'


@pytest.mark.parametrize(
    ("formula", "found"),
    [
        (FORMULA, 0.72),
        (FORMULA.replace("block", "inline"), 0.1),
        (f"<table><tr><td>{FORMULA}<td>(1)</table>", 0.72),
    ],
)
def test_a_formula_is_kept_where_the_text_around_it_is(formula: str, found: float) -> None:
    page = read(f"<div>{formula}</div>")
    between = [0.1] * (len(page.blocks) - 2)
    assert settle_structures(array("d", [0.9, *between, 0.8]), page)[1:-1] == pytest.approx([found] * len(between))


def test_a_formula_in_a_table_with_more_is_alone() -> None:
    page = read(f"<table><tr><td>{FORMULA}<td>{words(9)}</table>")
    assert settle_structures(array("d", [0.9, 0.1, 0.1, 0.8]), page)[2] == 0.1


@pytest.mark.parametrize(
    ("last", "found"),
    [
        ("<pre>kiln.heat(900)</pre>", 0.9),
        ("<div><pre>kiln.heat(900)</pre></div>", 0.9),
        ("<div><pre>kiln.heat(900)</pre><b>Copy</b></div>", 0.9),
        (FORMULA, 0.81),
        ("<div class=admonition>Mind the heat.</div>", 0.9),
        ("<p>kiln.heat(900)</p>", 0.2),
        ("<table><tr><td>Heat</table>", 0.2),
    ],
)
def test_what_ends_its_element_is_kept_where_the_text_before_it_is(last: str, found: float) -> None:
    page = read(f"<article>{TEXT}{last}</article>")
    rest = [0.1] * (len(page.blocks) - 3)
    assert settle_structures(array("d", [0.1, 0.9, 0.2, *rest]), page)[2] == pytest.approx(found)
    other = read(f"<article>{TEXT}{last}<p>{words(9)}</p></article>")
    assert settle_structures(array("d", [0.1, 0.9, 0.2, 0.1, *rest]), other)[2] == 0.2
    alone = read(f"<article>{TEXT}</article>{last}")
    assert settle_structures(array("d", [0.1, 0.9, 0.2, *rest]), alone)[2] == 0.2


NOTED = '<p>Kilns are hot<a href="#n1">1</a> and heavy.</p>{}<p>{}</p>'


@pytest.mark.parametrize(
    ("note", "found"),
    [
        ('<div role=doc-footnote id=n1>A note.</div>', 0.72),
        ('<div role=doc-endnote><b id=n1>A note.</b></div>', 0.72),
        ('<div role=doc-endnotes id=n1>A note.</div>', 0.72),
        ('<div role=note id=n1>A note.</div>', 0.1),
        ('<div class="my-footnotes" id=n1>A note.</div>', 0.72),
        ('<div class=footnote id=n2>A note.</div>', 0.1),
        ('<div class=footnote id=n2>A note<a href="#n2">^</a>.</div>', 0.1),
    ],
)  # fmt: skip
def test_a_note_is_nearly_as_likely_as_what_refers_to_it(note: str, found: float) -> None:
    assert raised(NOTED.format(note, words(9)), 0.8, 0.1, 0.3)[1] == pytest.approx(found)


def test_a_note_of_several_references() -> None:
    body = '<p>Hot<a href="#n1">1</a></p><p>Heavy<a href="#n1">1</a></p><div class=footnote id=n1>A note.</div>'
    assert raised(body, 0.8, 0.4, 0.1)[2] == pytest.approx(0.9 * 0.6)


TITLE = "<h1>The schedule of kilns</h1>"


@pytest.mark.parametrize(
    ("title", "heading", "count", "teaser"),
    [
        ("The schedule of kilns", TITLE, 80, 0.1),
        ("The schedule of kilns", TITLE, 50, 0.5),
        ("The schedule of kilns", TITLE + TITLE, 80, 0.5),
        ("The schedule of kilns", "<h1>Other words for it</h1>", 80, 0.5),
        ("Kilns, hot", "<h1>Kilns, hot</h1>", 80, 0.5),
    ],
)
def test_the_content_begins_with_the_title(title: str, heading: str, count: int, teaser: float) -> None:
    page = read_page(f"<title>{title}</title><body><p>Read this</p>{heading}<p>{words(count)}</p>", None, Options())
    probabilities = array("d", [0.5, *[0.9] * (len(page.blocks) - 1)])
    assert settle_structures(probabilities, page)[0] == pytest.approx(teaser)


@pytest.mark.parametrize(("count", "teaser"), [(400, 0.1), (600, 0.5)])
def test_unless_there_is_much_more_before_it(count: int, teaser: float) -> None:
    body = f"<p>{words(count)}</p>{TITLE}<p>{words(80)}</p>"
    page = read_page(f"<title>The schedule of kilns</title><body>{body}", None, Options())
    assert settle_structures(array("d", [0.5, 0.9, 0.9]), page)[0] == pytest.approx(teaser)


@pytest.mark.parametrize(("count", "goes"), [(30, True), (31, False)])
def test_an_attribution_is_short(count: int, goes: bool) -> None:
    found = raised(f"<blockquote><p>Kilns!</p><footer>{words(count)}</footer></blockquote>", 0.8, 0.1)
    assert (found[1] == 0.8) == goes


@pytest.mark.parametrize(("count", "goes"), [(12, True), (13, False)])
def test_the_title_of_a_listing_is_short(count: int, goes: bool) -> None:
    listing = f"<figure><figcaption>{words(count)}</figcaption><pre>kiln.heat(900)</pre></figure>"
    assert (raised(listing, 0.05, 0.8)[0] == 0.8) == goes


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<aside class=starlight-aside>Kilns are hot.</aside>", 0.8),
        ("<aside>Kilns are hot.</aside>", 0.3),
        ("<div><aside class=starlight-aside>Kilns are hot.</aside></div>", 0.8),
    ],
)
def test_a_box_between_the_text(body: str, found: float) -> None:
    assert settle_structures(array("d", [0.9, 0.3, 0.8]), read(body))[1] == found


def test_a_box_beside_the_text_is_alone() -> None:
    page = read(f"<section><aside class=starlight-aside>Kilns are hot.</aside>{TEXT}</section>")
    assert settle_structures(array("d", [0.9, 0.3, 0.8, 0.8]), page)[1] == 0.3


@pytest.mark.parametrize(("links", "found"), [(0, 0.8), (1, 0.8), (2, 0.2)])
def test_a_table_between_the_text_is_no_menu(links: int, found: float) -> None:
    cells = "".join(f"<td><a href=/>Oak {n}</a>" if n < links else f"<td>Oak {n}" for n in range(4))
    page = read(f"<table><tr>{cells}</table>")
    assert settle_structures(array("d", [0.9, *[0.2] * 4, 0.8]), page)[1] == pytest.approx(found)
