"""The core's reader of sanitized HTML accepts nothing that the HTML library and its sanitizer would change."""

from __future__ import annotations

import random

import pytest

from duramen.dom import fragment
from duramen.native import core
from duramen.options import Output
from duramen.refine.sanitize import _policy, sanitize

pytestmark = pytest.mark.skipif(core is None, reason="the compiled core was not built here")

POLICY = _policy(False, False, True, True)
WITH_CLASSES = _policy(True, True, True, True)


def is_left_alone(html: str) -> bool:
    tree = fragment(html)
    return html == tree.inner_html


ORDINARY = (
    "",
    "Oaks &amp; beeches",
    "<p>Oak is <em>hard</em>, 1 &lt; 2&nbsp;kg.</p>",
    '<p><a href="https://wood.example/?a=1&amp;b=2#c" title="Oak &quot;wood&quot;">Oak</a></p>',
    '<p><a href="mailto:a@b.example">b</a></p>',
    '<p><a href="/oak">o</a><a href="oak/a:b">o</a><a href="?a:b">o</a><a href="#fn-1">1</a></p>',
    '<figure><img src="https://wood.example/é.png" alt="" width="1" height="2"><figcaption>木</figcaption></figure>',
    '<pre><code class="language-c">int a;\n</code></pre><table><tbody><tr><td colspan="2">x</td></tr></tbody></table>',
    '<ol start="3"><li>a</li></ol><blockquote data-callout="note"><p>b</p></blockquote><hr><p>c<br>d</p>',
)


@pytest.mark.parametrize("html", ORDINARY)
def test_what_is_written_is_accepted(html: str) -> None:
    assert (
        POLICY.reader.accepts(html)
        and POLICY.reader.accepts(html.encode())
        and is_left_alone(html)
        and sanitize(html, Output()) == html
    )


REFUSED = (
    "<script>x</script>",
    "<p>a",
    "<p>a</p></p>",
    "<p><p>a</p></p>",
    "<p><table></table></p>",
    "<table><p>x</p></table>",
    "<a href='https://a.example'>x</a>",
    '<a href="https://a.example"><a href="https://b.example">x</a></a>',
    "<P>a</P>",
    "<p >a</p>",
    "<p/>",
    "<br/>",
    "</br>",
    "<!-- a -->",
    "<![CDATA[a]]>",
    "<?php a ?>",
    "<svg><p>a</p></svg>",
    "<math><mi>a</mi></math>",
    "<style>a</style>",
    "<body>a</body>",
    '<p onclick="a()">x</p>',
    '<p href="https://a.example">x</p>',
    '<p style="color:red">x</p>',
    '<img src="x/y" onerror="a()">',
    '<p id="a" id="b">x</p>',
    "1 < 2",
    "1 > 2",
    "a & b",
    "a &copy; b",
    "a &#60; b",
    "<p>a\x00b</p>",
    "a\rb",
    '<a href="javascript:alert(1)">x</a>',
    '<a href="JavaScript:alert(1)">x</a>',
    '<a href=" javascript:alert(1)">x</a>',
    '<a href="\x01javascript:alert(1)">x</a>',
    '<a href="java\nscript:alert(1)">x</a>',
    '<a href="java&#115;cript:alert(1)">x</a>',
    '<a href="javascript&colon;alert(1)">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<a href="vbscript:x">x</a>',
    '<a href="//b.example">x</a>',
    '<a href="\\\\b.example">x</a>',
    '<a href="/\\b.example">x</a>',
    '<img src="javascript:alert(1)">',
    '<a href="">x</a>',
    "<h1>a</h2>",
    "<ul><li>a</ul>",
    "<div>" * 600 + "</div>" * 600,
    "\ud800",
    "a\xa0b",
    "a &quot; b",
    '<p title="\xa0">a</p>',
    "<pre>\na</pre>",
    "<table><tr><td>a</td></tr></table>",
    "<table>a<tbody></tbody></table>",
    "<table><colgroup>a</colgroup></table>",
    "<td>a</td>",
    "<ul><li><b><li>a</li></b></li></ul>",
    "<dl><dt><div><dd>a</dd></div></dt></dl>",
    "<h2><h3>a</h3></h2>",
    "<p><b><ul></ul></b></p>",
    "<p><hr></p>",
    "<b><p>a</b></p>",
    "<ruby><b><rt>a</rt></b></ruby><rt><p></p></rt></rt>",
)
NESTED = (
    # In each of these something stands where it only seems to be ended by what follows.
    "<ul><li><ul><li>a</li></ul></li></ul>",
    "<dl><dd><blockquote><dl><dt>a</dt></dl></blockquote></dd></dl>",
    "<table><caption><p>a</p></caption><colgroup> <col></colgroup>\n<tbody><tr><td><p>b</p><table></table></td></tr>"
    "</tbody></table>",
    "<b><p>a</p><i><b><b><b><b>c</b></b></b></b></i></b><p>d</p>",
    "<pre>\n\na</pre>",
    "<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>",
    "<div>" * 190 + "</div>" * 190,
)


@pytest.mark.parametrize("html", NESTED)
def test_what_is_nested_well_is_accepted(html: str) -> None:
    assert POLICY.reader.accepts(html) and is_left_alone(html)


@pytest.mark.parametrize("html", REFUSED)
def test_what_is_in_doubt_is_left_to_the_library(html: str) -> None:
    assert not POLICY.reader.accepts(html)


def test_attributes_are_allowed_by_the_policy_at_hand() -> None:
    html = '<p class="a" id="user-content-b"><a href="https://a.example" rel="nofollow ugc noopener">x</a></p>'
    written = sanitize(html, Output(keep_classes=True, nofollow=True))
    assert "class=" in written and "rel=" in written
    assert WITH_CLASSES.reader.accepts(written) and not POLICY.reader.accepts(written)


PIECES = (
    "<p>", "</p>", "<div>", "</div>", "<table>", "<tbody>", "<tr>", "<td>", "</td>", "</tr>", "</tbody>",
    "</table>", "<ul>", "<li>", "</li>", "</ul>", "<b>", "</b>", "<em>", "</em>", '<a href="https://a.example">',
    "</a>", "<br>", '<img src="https://a.example/b" alt="c">', "<h2>", "</h2>", "<pre>", "</pre>", "<pre>\n", "\n",
    "<code>", "</code>", "x", " ", "&amp;", "&lt;", "&nbsp;", "\xa0", "é", "\U0001f333", "<ruby>", "<rt>", "</rt>",
    "</ruby>", "<dl>", "<dt>", "<dd>", "</dd>", "</dt>", "</dl>", "<details>", "<summary>", "</summary>",
    "</details>", "<section>", "</section>", "<hr>", "<svg>", "<script>", "<button>", "<option>",
    '<p title="&quot;">', '<a href="/b:c">', '<a href="b:c">', "<caption>", "</caption>", "<address>", "</address>",
    "<colgroup>", "<col>", "<th>", "<thead>", "<rp>", "<figure>", "<blockquote>", "<ol>", "<h3>", "<span>", "<i>",
    "&quot;", '<td colspan="2">', '<b title="a">',
)  # fmt: skip


def closing(piece: str) -> str:
    name = piece[1:].split(">")[0].split(" ")[0]
    return "" if name in ("br", "img", "hr", "col") else f"</{name}>"


@pytest.mark.parametrize("lot", range(6))
def test_whatever_is_accepted_the_library_leaves_alone(lot: int) -> None:
    accepted = 0
    for number in range(500):
        rng = random.Random(lot * 1_000 + number)
        # Well-formed as often as not: what is not is hardly ever accepted.
        html = ""
        opened: list[str] = []
        for _ in range(rng.randrange(1, 12)):
            piece = rng.choice(PIECES)
            if number % 2 == 0:
                html += piece
            elif piece.startswith("</"):
                html += opened.pop() if opened else ""
            else:
                html += piece
                opened += [closing(piece)] if piece.startswith("<") else []
        html += "".join(reversed(opened))
        if POLICY.reader.accepts(html):
            accepted += 1
            assert is_left_alone(html), html
    assert accepted > 20


def test_no_reader_is_made_of_nonsense() -> None:
    nonsense: list[tuple[object, ...]] = [(), ({}, (), (), None), ({"p": 1}, (), (), core.Lookup({}))]
    for wrong in nonsense:
        with pytest.raises(TypeError):
            core.Reader(*wrong)
    with pytest.raises(TypeError):
        POLICY.reader.accepts(1)
