"""What the sanitizer lets out is read back as it was written: by the parser, and by the sanitizer itself."""

from __future__ import annotations

import random

import pytest

from duramen.dom import fragment
from duramen.native import core
from duramen.options import Output
from duramen.refine.sanitize import sanitize

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


CHANGED = (
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
    # In each of these something is where it only seems to be ended by what follows.
    "<ul><li><ul><li>a</li></ul></li></ul>",
    "<dl><dd><blockquote><dl><dt>a</dt></dl></blockquote></dd></dl>",
    "<table><caption><p>a</p></caption><colgroup><col></colgroup><tbody><tr><td><p>b</p><table><tbody><tr><td>c</td></tr>"
    "</tbody></table></td></tr></tbody></table>",
    "<b><p>a</p><i><b><b><b><b>c</b></b></b></b></i></b><p>d</p>",
    "<pre>\n\na</pre>",
    "<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>",
    "<div>" * 190 + "x" + "</div>" * 190,
)


@pytest.mark.parametrize("html", ORDINARY + NESTED)
def test_what_is_safe_and_well_nested_stays_as_it_is(html: str) -> None:
    assert sanitize(html, Output()) == html == sanitize(html.encode(), Output()) == sanitize(fragment(html), Output())


@pytest.mark.parametrize("html", CHANGED)
def test_all_else_is_written_anew(html: str) -> None:
    result = sanitize(html, Output())
    assert result != html
    assert fragment(result).inner_html == result == sanitize(result, Output())


def test_attributes_are_allowed_by_the_options_at_hand() -> None:
    html = '<p class="a" id="user-content-b"><a href="https://a.example" rel="nofollow ugc noopener">x</a></p>'
    written = sanitize(html, Output(keep_classes=True, nofollow=True))
    assert written == '<p class="a" id="user-content-b"><a href="https://a.example" rel="nofollow">x</a></p>'
    assert sanitize(written, Output()) == '<p><a href="https://a.example">x</a></p>'


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
def test_whatever_comes_in_the_result_is_read_back_as_it_is(lot: int) -> None:
    for number in range(500):
        rng = random.Random(lot * 1_000 + number)
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
        result = sanitize(html, Output())
        assert fragment(result).inner_html == result == sanitize(result, Output()), html


def test_no_sanitizer_is_made_of_nonsense() -> None:
    nonsense: list[tuple[object, ...]] = [(), ({}, {}, {}, {}, {}, {}, (), 1, 1, None)]
    for wrong in nonsense:
        with pytest.raises(TypeError):
            core.Sanitizer(*wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        sanitize(1, Output())  # type: ignore[arg-type]


@pytest.mark.parametrize("outer", ["p", "h2", "h6", "li", "dt", "summary", "a href=https://wood.example/"])
@pytest.mark.parametrize("inner", "h1 h6 p ul details table hr pre figure li dd section".split())
def test_what_may_not_nest_is_read_back_as_it_is_written(outer: str, inner: str) -> None:
    name = outer.partition(" ")[0]
    written = sanitize(f"<{outer}>Oak <{inner}>Elm</{inner}> Ash</{name}>", Output())
    assert fragment(written).inner_html == written
    assert f"<p>Oak <{inner}>" not in written
