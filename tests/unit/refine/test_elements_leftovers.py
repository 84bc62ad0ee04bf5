"""Shortcodes and pointers to other articles go; what only looks like them stays."""

from __future__ import annotations

import pytest
from refine_shapes import canonical

from duramen.options import Output
from duramen.refine.standardize import canonical_form

PROSE = "<p>Oak heartwood is dense and dark, and it resists decay for decades when it is kept dry and well aired.</p>"
TITLE = "Ten trees that every builder should know"
LINK = f'<a href="https://example.org/trees">{TITLE}</a>'


@pytest.mark.parametrize(
    "html",
    [
        '[vc_row][vc_column width="1/2"]Oak.[/vc_column][/vc_row]',
        '[caption id="a1" align="left"]Oak.[/caption]',
        "Oak.[gallery ids=“1,2”]",
        "[embed]Oak.[/embed]",
        '[et_pb_text admin_label="Text"]Oak.[/et_pb_text]',
    ],
)
def test_shortcodes_go(html: str) -> None:
    assert canonical(f"<p>{html}</p>") == "<p>Oak.</p>"


@pytest.mark.parametrize(
    "html",
    [
        "Oak[1] [sic] [link](url) [a link](b)",
        "<code>[vc_row]</code>",
        "a[video] [gallery] x[row] [/path] [audio]b[/video ]",
        "[the oak = old]",
    ],
)
def test_other_brackets_stay(html: str) -> None:
    assert canonical(f"<p>{html}</p>") == f"<p>{html}</p>"


@pytest.mark.parametrize(
    "label", ["Read also:", "<strong>Lesen Sie auch:</strong>", "Lea también:", "À lire :", "延伸阅读："]
)
def test_pointers_go(label: str) -> None:
    assert canonical(f"{PROSE}<p>{label} {LINK}</p>{PROSE}") == PROSE * 2


@pytest.mark.parametrize("label", ["READ ALSO:", "延伸阅读："])
def test_pointers_go_with_a_label_inside_their_link(label: str) -> None:
    link = f'<a href="https://example.org/trees"><strong>{label} {TITLE}</strong></a>'
    assert canonical(f"{PROSE}<p>{link}</p>{PROSE}") == PROSE * 2


@pytest.mark.parametrize(
    "html",
    [
        f'{PROSE}<p><a href="https://example.org/trees">{TITLE}</a></p>{PROSE}',
        f'{PROSE}<p><a href="https://example.org/trees">The oaks of the county: a list</a></p>{PROSE}',
        f'{PROSE}<p><a href="https://example.org/trees">Source: {TITLE}</a></p>{PROSE}',
        f"{PROSE}<p>Source: {LINK}</p>{PROSE}",
        f"{PROSE}<p>Download: {LINK}</p>{PROSE}",
        f'{PROSE}<p>Read also: <a href="https://other.example/trees">{TITLE}</a></p>{PROSE}',
        f'{PROSE}<p>Read also: <a href="https://example.org/trees.pdf">{TITLE}</a></p>{PROSE}',
        f"{PROSE}<p>Read also: {LINK}, which is long.</p>{PROSE}",
        f"{PROSE}<p>Read also {LINK}</p>{PROSE}",
        f"{PROSE}<p>Read also: {LINK}</p>",
        f"{PROSE}<h2>See also</h2><p>Read also: {LINK}</p>{PROSE}",
        f"{PROSE}<ul><li>Read also: {LINK}</li></ul>{PROSE}",
        f"{PROSE}<p>Read also: {LINK}</p><p>Read also: {LINK}</p>{PROSE}",
    ],
)
def test_other_links_stay(html: str) -> None:
    assert canonical(html) == html


@pytest.mark.parametrize(
    ("html", "made"),
    [
        ("<p>By <b>Ann Peter</b><time>May 5</time></p>", "<p>By <b>Ann Peter</b> <time>May 5</time></p>"),
        (
            '<p><a href="https://e.org/a">one</a><a href="https://e.org/b">two</a></p>',
            '<p><a href="https://e.org/a">one</a> <a href="https://e.org/b">two</a></p>',
        ),
        ("<p><b>I</b><b>ndeed</b></p>", "<p><b>I</b><b>ndeed</b></p>"),
        ("<p><b>un</b><i>seen</i></p>", "<p><b>un</b><i>seen</i></p>"),
        ("<p><code><b>get</b><i>Value</i></code></p>", "<p><code><b>get</b><i>Value</i></code></p>"),
    ],
)
def test_words_that_a_style_sheet_sets_apart(html: str, made: str) -> None:
    assert canonical(html) == made


def test_quotation_marks_are_not_doubled() -> None:
    assert canonical("<p>“<q>No</q>”, «<q> no</q>»</p>") == "<p>“No”, « no»</p>"
    assert canonical("<p><q>“No”</q> and <q>yes</q></p>") == "<p>“No” and <q>yes</q></p>"


@pytest.mark.parametrize(
    ("html", "made"),
    [
        (f"{PROSE}<h2>More</h2>", PROSE),
        (f"<section>{PROSE}</section><section><h2>More</h2><h3>Links</h3></section>", f"<section>{PROSE}</section>"),
        (f"{PROSE}<h3>They never came back to the forest.</h3>", f"{PROSE}<p>They never came back to the forest.</p>"),
        ("<h2>Oak</h2><h2>Elm</h2>", "<p>Oak</p><p>Elm</p>"),
        (f"{PROSE}<h3>a</h3><h3>b</h3><h3>c</h3>", f"{PROSE}<p>a</p><p>b</p><p>c</p>"),
        (f"<h2>Oak</h2>{PROSE}", f"<h2>Oak</h2>{PROSE}"),
    ],
)
def test_no_heading_ends_the_content(html: str, made: str) -> None:
    assert canonical_form(html, None, Output()).inner_html == made


def test_who_is_quoted_is_parted_from_the_quotation() -> None:
    post = "<blockquote><div><cite>Ada wrote: <span>1 May</span></cite>Row on.</div></blockquote>"
    assert canonical(post) == "<blockquote><p><cite>Ada wrote: 1 May</cite></p><p>Row on.</p></blockquote>"
    for stays in (
        "<blockquote><p><cite>Oaks</cite> is a book.</p></blockquote>",
        "<blockquote><p><cite>Oaks</cite>, a book.</p></blockquote>",
        "<blockquote><p>In <cite>Oaks</cite>: row on.</p></blockquote>",
        "<p><cite>Oaks</cite>: a book.</p>",
    ):
        assert canonical(stays) == stays
