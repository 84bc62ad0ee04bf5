"""Links: absolute, harmless, and no permalinks in headings."""

from __future__ import annotations

import pytest
from refine_shapes import BASE, canonical

from duramen.dom import fragment
from duramen.options import Output
from duramen.refine.elements.links import absolute


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("/x", "https://example.org/x"),
        ("y?a=1#b", "https://example.org/docs/y?a=1#b"),
        ("//other.org/x", "https://other.org/x"),
        ("#part", f"{BASE}#part"),
        ("#", BASE),
        ("/../x", "https://example.org/x"),
        ("/x\\y", "https://example.org/x\\y"),
        (" https://a.org/b c\n", "https://a.org/b%20c"),
        ("HTTP://A.org", "HTTP://A.org"),
        ("mailto:a@b.org", "mailto:a@b.org"),
        ("mailto:", None),
        ("javascript:alert(1)", None),
        ("java\tscript:alert(1)", None),
        ("\x01javascript:alert(1)", None),
        ("data:text/html,x", None),
        ("tel:+123", None),
        ("https:x", None),
        ("https://", None),
        ("", None),
        ("   ", None),
        ("//[bad", None),
    ],
)
def test_absolute(url: str, expected: str | None) -> None:
    assert absolute(url, BASE) == expected
    if expected is not None:
        assert absolute(expected, BASE) == expected


@pytest.mark.parametrize(
    ("url", "expected"), [("/x", "/x"), ("#x", None), ("//a.org", "https://a.org"), ("https://a.org", "https://a.org")]
)
def test_without_a_base(url: str, expected: str | None) -> None:
    assert absolute(url, None) == expected


SHAPES = {
    "relative": ('<p><a href="/x" target="_blank">go</a></p>', '<p><a href="https://example.org/x">go</a></p>'),
    "script": ('<p>a <a href="javascript:void(0)">b</a> c</p>', "<p>a b c</p>"),
    "no address": ("<p>a <a name=x>b</a> c</p>", "<p>a b c</p>"),
    "empty": ('<p>a <a href="/x"> </a>b</p>', "<p>a  b</p>"),
    "image": (
        '<p><a href="/x"><img src="/a.jpg"></a></p>',
        '<p><a href="https://example.org/x"><img src="https://example.org/a.jpg"></a></p>',
    ),
    "for screen readers": (
        '<p><a href="/x">go<span class="sr-only"> (opens in a new tab)</span></a></p>',
        '<p><a href="https://example.org/x">go</a></p>',
    ),
    "card": (
        '<a href="/x"><div><img src="/a.jpg"><h3>Title</h3><p>Words</p></div></a>',
        '<p><img src="https://example.org/a.jpg"></p><h3><a href="https://example.org/x">Title</a></h3><p>Words</p>',
    ),
    "block": ('<a href="/x"><div>Words</div></a>', '<p><a href="https://example.org/x">Words</a></p>'),
    "link in a link": (
        '<a href="/x">a<table><tr><th>h</th><th>i</th></tr><tr><td><a href="/y">b</a></td><td>c</td></tr></table></a>',
        '<p><a href="https://example.org/x">a</a></p><table><tbody><tr><th>h</th><th>i</th></tr><tr><td><a '
        'href="https://example.org/y">b</a></td><td>c</td></tr></tbody></table>',
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shape(name: str) -> None:
    html, expected = SHAPES[name]
    assert canonical(html) == expected
    assert canonical(expected) == expected


HEADINGS = [
    '<h2 id="x">Setup<a class="headerlink" href="#x" title="Permalink to this headline">¶</a></h2>',
    '<h2 id="x">Setup<a class="headerlink" href="#x">#</a></h2>',
    '<h2 id="x">Setup<a class="headerlink" href="#x">\uf0c1</a></h2>',
    '<h2 class="anchor" id="x">Setup<a class="hash-link" aria-label="Direct link to Setup" href="#x">\u200b</a></h2>',
    '<h2 id="x" tabindex="-1">Setup <a class="header-anchor" href="#x" aria-label="Permalink">\u200b</a></h2>',
    '<div class="sl-heading-wrapper level-h2"><h2 id="x">Setup</h2><a class="sl-anchor-link" href="#x"><span '
    'aria-hidden="true"><svg></svg></span><span class="sr-only">Section titled “Setup”</span></a></div>',
    '<h2>Setup<a id="x" class="subheading-anchor" href="#x"></a></h2>',
    '<h2 id="x"><a class="header" href="#x">Setup</a></h2>',
    '<h2 id="x"><a href="#x" class="headerlink" title="Setup"></a>Setup</h2>',
    '<h2 id="x">Setup <a class="anchor" href="#x"><svg></svg></a></h2>',
    '<h2 id="x"><a href="#x">Setup</a></h2>',
    '<h2><span id="x">Setup</span><span class="mw-editsection">[<a href="/edit">edit</a>]</span></h2>',
    '<h2 id="x">Setup<a href="#x" class="anchorjs-link">🔗</a></h2>',
    '<h2 id="x">Setup<a href="/docs/page#x">Permalink</a></h2>',
    '<h2 id="x"><a href="#x">Section titled Setup</a>Setup</h2>',
    "<h2><div><span>Setup</span></div></h2>",
]


@pytest.mark.parametrize("html", HEADINGS)
def test_heading_keeps_its_text_only(html: str) -> None:
    assert canonical(html).replace(" </h2>", "</h2>") == "<h2>Setup</h2>"


def test_heading_keeps_a_real_link() -> None:
    assert canonical('<h2><a href="/x">Setup</a></h2>') == '<h2><a href="https://example.org/x">Setup</a></h2>'


def test_without_links() -> None:
    assert canonical('<p>a <a href="/x">b</a></p>', output=Output(links=False)) == "<p>a b</p>"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ('<p><a href="/a">Road shoes</a><a href="/b">Trail shoes</a></p>', "Road shoes Trail shoes"),
        ('<p><a href="/a">T</a><a href="/a">his one</a></p>', "This one"),
        ('<p><a href="/a">One</a><a href="/b">, two</a></p>', "One, two"),
        ('<p><a href="/a">One</a> <a href="/b">two</a></p>', "One two"),
    ],
)
def test_links_that_touch_are_told_apart(html: str, text: str) -> None:
    assert fragment(canonical(html)).text == text
