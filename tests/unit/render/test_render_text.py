"""Each construct of the canonical form, and the text it becomes."""

from __future__ import annotations

import time

import pytest

from duramen.render import render_text

CASES = [
    ("nothing", "", ""),
    ("white space", " <p> </p>&nbsp;", ""),
    ("blocks", "<h1>A</h1><p>one\n two</p>three<div>four</div>five<hr>six", "A\n\none two\n\nthree\nfour\nfive\n\nsix"),
    ("empty code parts lines, too", "a<pre> \n</pre>b", "a\nb"),
    ("markup that no sanitizer wrote", "<P>a<p hidden>it&#39;s<!-- x --><script>y</script><svg><text>z", "a\n\nit'sz"),
    ("break", "<p>a<br>b<br><br>c</p>", "a\nb\nc"),
    ("inline", "<p>a<b>b</b> <i>c</i> H<sub>2</sub>O <a href='x'>d</a></p>", "ab c H2O d"),
    ("entities", "<p>a&nbsp;&nbsp;b &amp;amp; &lt;c&gt;</p>", "a b &amp; <c>"),
    ("invisible characters", "<p>a\u00adb\u200bc\ufeff</p>", "abc"),
    ("joiners stay", "<p>👩\u200d💻 می\u200cخواهم</p>", "👩\u200d💻 می\u200cخواهم"),
    ("joiners of ligatures go", "<p>Auf\u200clage, ö\u200cf и\u200dя</p>", "Auflage, öf ия"),
    ("power", "<p>10<sup>6</sup> trees, 10<sup>−3</sup> m<sup>2</sup></p>", "10^6 trees, 10^−3 m^2"),
    (
        "raised words are no power",
        "<p>the 4<sup>th</sup> of<sup>[1]</sup> n<sup>o</sup> <sup>2</sup></p>",
        "the 4th of[1] no 2",
    ),
    ("images", '<p>a <img src="x" alt="alt"> b</p>', "a b"),
    ("lines without letters", "<p>a</p><p>***</p><p>→<br>_</p><p>b</p>", "a\n\nb"),
    ("code without letters stays", "<p><code>==</code></p><pre>{\n}</pre>", "==\n\n{\n}"),
    ("code", "<p>a</p><pre><code>if x:\n\n    y  \n</code></pre><p>b</p>", "a\n\nif x:\n\n    y  \n\nb"),
    ("invisible characters stay in code", "<pre>a\u200bb</pre>", "a\u200bb"),
    ("list", "<p>a</p><ul><li>b</li><li><p>c</p></li></ul><p>d</p>", "a\n\n- b\n- c\n\nd"),
    ("numbers are not words", '<ol start="3"><li>a</li><li>b</li></ol>', "- a\n- b"),
    ("reversed", "<ol reversed><li>a</li><li>b</li></ol>", "- a\n- b"),
    ("senseless start", '<ol start="x"><li>a</li></ol>', "- a"),
    ("nested", "<ul><li>a<ol><li>b</li></ol></li><li>c</li></ul>", "- a\n  - b\n- c"),
    ("nested after a paragraph", "<ol><li><p>a</p><ul><li>b</li></ul></li></ol>", "- a\n  - b"),
    ("list in a list", "<ul><li><ul><li>a</li><li>b</li></ul></li></ul>", "- - a\n  - b"),
    ("empty item", "<ul><li>a</li><li> </li><li>b</li></ul>", "- a\n- b"),
    ("code in an item", "<ol><li>a<pre>b\n c</pre></li><li>d</li></ol>", "- a\n\n  b\n   c\n- d"),
    ("code as an item", "<ul><li><pre>b\nc</pre></li></ul>", "- b\n  c"),
    (
        "table",
        "<table><caption>C</caption><tr><th>A</th><th>B</th></tr><tr><td>1</td><td><p>2</p><p>3</p></td></tr></table>",
        "C\nA | B\n1 | 2 3",
    ),
    ("table of signs", "<table><tr><td>+</td><td>-</td></tr></table>", "+ | -"),
    ("empty row", "<table><tr><td>a</td></tr><tr><td> </td></tr><tr><td></td><td>b</td></tr></table>", "a\n| b"),
    ("table for layout", "<table><tr><td><p>a</p><ul><li>b</li></ul></td><td>c</td></tr></table>", "a\n\n- b\n\nc"),
    ("quotation", '<blockquote data-callout="note"><p><strong>T</strong></p><p>a</p></blockquote>', "T\n\na"),
    ("terms", "<dl><dt>T</dt><dd>d</dd><dt>U</dt><dd>e</dd></dl>", "T\nd\nU\ne"),
    ("details", "<details><summary>S</summary><p>a</p></details>", "S\n\na"),
    ("figure", '<figure><img src="x"><figcaption>Cap</figcaption></figure>', "Cap"),
    ("mathematics", '<p>a <span data-math="inline">x_1^2</span></p>', "a x_1^2"),
    (
        "footnotes",
        '<p>a<sup data-footnote-ref="1"><a href="#fn-1">1</a></sup></p>'
        '<section data-footnotes><ol><li id="fn-1"><p>b</p></li></ol></section>',
        "a[1]\n\n[1] b",
    ),
    ("ruby and quotation", "<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> <q>a</q></p>", '漢(kan) "a"'),
]


@pytest.mark.parametrize(("html", "expected"), [pytest.param(h, e, id=i) for i, h, e in CASES])
def test_text(html: str, expected: str) -> None:
    assert render_text(html) == expected


@pytest.mark.parametrize("tag", ["div", "blockquote", "b", "details"])
def test_depth_is_no_danger(tag: str) -> None:
    assert render_text(f"<{tag}>" * 5000 + "core") == "core"


def test_deep_lists_stop_moving_right() -> None:
    text = render_text("<ul><li>x" * 200 + "core")
    assert text.endswith("core")
    assert max(map(len, text.split("\n"))) < 60


@pytest.mark.parametrize(
    "piece", ["<p>a <b>b</b></p>", "<li>a", "<ul><li>a", "<tr><td>a", "<table><tr><td>a", "<br>", "<pre>a</pre>"]
)
def test_cost_grows_with_the_page(piece: str) -> None:
    html = piece * 25_000
    start = time.process_time()
    render_text(f"<table>{html}</table>" if piece.startswith("<tr") else html)
    assert time.process_time() - start < 5
