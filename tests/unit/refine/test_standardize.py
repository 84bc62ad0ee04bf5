"""What must hold for any tree: stable, nothing lost or doubled, never an error, never slow."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from refine_shapes import BASE, canonical, strip

from duramen.dom import fragment
from duramen.options import Output
from duramen.refine.sanitize import sanitize
from duramen.refine.standardize import standardize

_TAGS = (
    "div p span b a ul ol li dl dt dd table tr td th h2 h3 pre code figure figcaption img br blockquote details summary"
    " section sup em iframe button noscript picture math mi mfrac x-card center font aside caption hr video input svg"
    " label".split()
)
_ATTRIBUTES = [
    "",
    "",
    "",
    ' class="note"',
    ' class="admonition warning"',
    ' class="highlight"',
    ' class="language-js"',
    ' class="line"',
    ' class="footnotes"',
    ' class="caption"',
    ' class="katex"',
    ' class="alert alert-info"',
    ' class="sr-only"',
    ' class="CodeMirror"',
    ' class="cm-line"',
    ' class="mermaid"',
    ' class="gutter"',
    ' class="headerlink" href="#x"',
    ' id="fn1"',
    ' href="#fn1"',
    ' href="/x" title="one"',
    ' href="javascript:x"',
    ' src="/a.jpg"',
    ' src="data:x"',
    ' data-src="/b.png"',
    ' title="T" src="https://e.com/x"',
    ' role="presentation"',
    " data-footnotes",
    ' data-footnote-ref="1"',
    ' data-callout="note"',
    ' data-math="inline"',
    ' colspan="3"',
    ' width="1"',
]
_WORDS = ["one", "two three", " ", "\n", "1", "↩", "Note", "¶", "\u200b", "x" * 210, "[!NOTE] hi", " a ", "\n\n  z"]


def _element(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda tag, attribute, inner: f"<{tag}{attribute}>{''.join(inner)}</{tag}>",
        st.sampled_from(_TAGS),
        st.sampled_from(_ATTRIBUTES),
        st.lists(children, max_size=4),
    )


_PAGES = st.lists(st.recursive(st.sampled_from(_WORDS), _element, max_leaves=14), max_size=4).map("".join)

_PROSE_TAGS = "div p b em ul ol li dl dt dd h2 h3 br blockquote section span font center x-card article pre hr".split()
_PROSE = st.lists(
    st.recursive(
        st.integers(1000, 9999).map(str),
        lambda inner: st.builds(
            lambda tag, parts: f"<{tag}>{' '.join(parts)}</{tag}>",
            st.sampled_from(_PROSE_TAGS),
            st.lists(inner, max_size=5),
        ),
        max_leaves=20,
    ),
    max_size=5,
).map(" ".join)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(_PAGES, st.sampled_from([BASE, None]))
def test_a_second_time_changes_nothing(html: str, base_url: str | None) -> None:
    root = fragment(html)
    standardize(root, base_url, Output())
    strip(root)
    once = root.inner_html
    standardize(root, base_url, Output())
    assert root.inner_html == once
    again = fragment(once)
    assert again.inner_html == once
    standardize(again, base_url, Output())
    assert again.inner_html == once


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(_PAGES)
def test_the_sanitizer_agrees(html: str) -> None:
    root = fragment(html)
    standardize(root, BASE, Output())
    safe = sanitize(root, Output())
    again = fragment(safe)
    standardize(again, BASE, Output())
    assert sanitize(again, Output()) == safe


@settings(max_examples=300)
@given(_PROSE)
def test_no_word_is_lost_doubled_or_moved(html: str) -> None:
    assert fragment(canonical(html)).text.split() == fragment(html).text.split() or _glued(html)


def _glued(html: str) -> bool:
    """Words of neighbouring blocks may touch once white space between blocks is gone; their letters still match."""
    return "".join(fragment(canonical(html)).text.split()) == "".join(fragment(html).text.split())


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(_PAGES, st.booleans(), st.booleans(), st.booleans())
def test_no_tree_and_no_option_raises(html: str, links: bool, images: bool, keep_classes: bool) -> None:
    root = fragment(html)
    standardize(root, BASE, Output(links=links, images=images, keep_classes=keep_classes))
    if not images:
        assert next(root.iter_elements("img"), None) is None
    if not links:
        assert all((a.attr("href") or "").startswith("#fn-") for a in root.iter_elements("a"))


def test_a_cell_that_speaks_only_to_screen_readers_keeps_its_word() -> None:
    html = (
        "<table><tr><th>Calls<div class=sr-only>By phone</div></th><td><svg></svg><span class=sr-only>Yes</span></td>"
        "<td><svg></svg><span class=sr-only>No</span></td></tr>"
        "<tr><th>Mail</th><td>Free</td><td>1 Euro</td></tr></table>"
    )
    cells = [cell.text for cell in fragment(canonical(html)).iter_elements(("th", "td"))]
    assert cells == ["Calls", "Yes", "No", "Mail", "Free", "1 Euro"]


LARGE = {
    "flat": '<p class="a">some text <b>x</b> <a href="/y">z</a></p>' * 16_000,
    "deep": "<div>x" * 20_000,
    "deep inline": "<b>x<i>y" * 5_000,
    "lists": "<ul><li>x" * 5_000,
    "breaks": "x<br><br>" * 25_000,
    "code": "<pre>" + '<span class="line"><b>x</b> y</span>\n' * 20_000,
    "buttons before code": "<div>" + "<button>x</button>" * 10_000 + "<pre>x</pre>" * 10_000,
    "editors": '<div class="CodeMirror">' * 2_000 + '<pre class="CodeMirror-line">x</pre>' * 2_000,
    "notes": "".join(f'<sup><a href="#fn{i}">{i}</a></sup>' for i in range(8_000))
    + '<ol class="footnotes">'
    + "".join(f'<li id="fn{i}">x</li>' for i in range(8_000)),
    "callouts": '<div class="note"><p>' + "x" * 50 + '</p><div class="alert alert-info">' * 1_000,
    "tables": "<table><tr><td>x" * 2_000,
    "captions": "<div>" + '<img src="a"><p class="caption">x</p>' * 8_000,
    "formulas": "<math><mfrac><mi>x</mi><mn>2</mn></mfrac></math>" * 8_000,
}


@pytest.mark.parametrize("name", LARGE)
def test_time_is_linear(name: str) -> None:
    root = fragment(LARGE[name])
    start = time.process_time()
    standardize(root, BASE, Output())
    assert time.process_time() - start < 5  # Takes well under a second; what is quadratic takes minutes.
