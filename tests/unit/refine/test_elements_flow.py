"""Paragraphs, headings, lists: what holds the hard elements together."""

from __future__ import annotations

import json

import pytest
from refine_shapes import canonical

from duramen.dom import fragment
from duramen.options import Output
from duramen.pipeline import extract
from duramen.refine.standardize import standardize

SHAPES = {
    "text alone": ("Words.", "<p>Words.</p>"),
    "div of words": ("<div>Some <b>bold</b> words.</div>", "<p>Some <b>bold</b> words.</p>"),
    "div of blocks": ("<div><div><p>a</p></div><div><p>b</p></div></div>", "<p>a</p><p>b</p>"),
    "mixed": ("<div>a<p>b</p>c <i>d</i></div>", "<p>a</p><p>b</p><p>c <i>d</i></p>"),
    "two breaks": ("<div>a<br><br>b<br>c<br> <br>d<br></div>", "<p>a</p><p>b<br>c</p><p>d</p>"),
    "two breaks in a paragraph": ("<p>a<br><br><br>b</p>", "<p>a</p><p>b</p>"),
    "breaks at the edges": ("<p><br>a<br></p>", "<p>a</p>"),
    "only breaks": ("<p>a</p><br><p><br></p><div><br><br></div><p>b</p>", "<p>a</p><p>b</p>"),
    "empty": ("<p>a</p><p>&nbsp;</p><div><span> </span></div><section></section><h2></h2><hr>", "<p>a</p><hr>"),
    "blank inline": ("<p>a<b> </b>b<i></i></p>", "<p>a b</p>"),
    "span and font": ('<p><span style="x">a</span> <font color="red"><big>b</big></font></p>', "<p>a b</p>"),
    "renamed": (
        "<center><tt>a</tt> <strike>b</strike> <acronym title='x y'>c</acronym></center>",
        '<p><code>a</code> <s>b</s> <abbr title="x y">c</abbr></p>',
    ),
    "sections": (
        "<main><article><header><h1>T</h1></header><section><p>a</p></section><footer>b</footer></article></main>",
        "<article><h1>T</h1><section><p>a</p></section><p>b</p></article>",
    ),
    "levels": ("<h1>a</h1><h4>b</h4><h6>c</h6>", "<h1>a</h1><h4>b</h4><h6>c</h6>"),
    "list in a list": (
        "<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>",
        "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>",
    ),
    "list first in a list": ("<ul><ol><li>b</li></ol></ul>", "<ul><li><ol><li>b</li></ol></li></ul>"),
    "items outside": ("<div><li>a</li> <li>b</li><p>c</p></div>", "<ul><li>a</li><li>b</li></ul>\n<p>c</p>"),
    "words in a list": ("<ul>a <b>b</b><li>c</li></ul>", "<ul><li>a <b>b</b></li><li>c</li></ul>"),
    "wrapped items": ("<ul><div><li>a</li></div></ul>", "<ul><li><ul><li>a</li></ul></li></ul>"),
    "paragraph in an item": ("<ul><li><p>a</p></li></ul>", "<ul><li><p>a</p></li></ul>"),
    "div in an item": ("<ul><li><div>a</div></li><li></li></ul>", "<ul><li>a</li></ul>"),
    "menu": ("<menu><li>a</li></menu>", "<ul><li>a</li></ul>"),
    "start": ("<ol><li>a</li></ol>", "<ol><li>a</li></ol>"),
    "definitions": (
        "<dl><div><dt>a</dt><dd>b</dd></div><dt>c</dt><dd><p>d</p></dd></dl>",
        "<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd><p>d</p></dd></dl>",
    ),
    "definitions outside": ("<div><dt>a</dt><dd>b</dd></div>", "<dl><dt>a</dt><dd>b</dd></dl>"),
    "tasks": (
        '<ul><li><input type="checkbox" checked disabled> a</li><li><input type="checkbox"> b</li></ul>',
        "<ul><li>☑  a</li><li>☐  b</li></ul>",
    ),
    "quotation": ("<blockquote>a<br><br>b</blockquote>", "<blockquote><p>a</p><p>b</p></blockquote>"),
    "details": (
        "<details><summary><p>a</p></summary>b</details>",
        "<details><summary>a</summary><p>b</p></details>",
    ),
    "summary outside": ("<div><summary>a</summary><p>b</p></div>", "<p>a</p><p>b</p>"),
    "bold around blocks": (
        "<b><p>a</p><ul><li>b</li></ul></b>",
        "<p><b>a</b></p><ul><li><b>b</b></li></ul>",
    ),
    "block in a heading": ("<h2><div>a</div><div>b</div></h2>", "<h2>a b</h2>"),
    "list in a heading": ("<h2>a<ul><li>b</li></ul></h2>", "<p>a</p><ul><li>b</li></ul>"),
    "custom elements": (
        "<x-card><p>a</p></x-card><p>b <x-tip>c</x-tip> d</p><x-text>e</x-text>",
        "<p>a</p><p>b c d</p><p>e</p>",
    ),
    "silent": (
        "<p>a<script>x</script><style>y</style><!-- z --></p><svg><text>v</text></svg><button>w</button>"
        "<textarea>u</textarea><select><option>t</option></select>",
        "<p>a</p>",
    ),
    "ruby": (
        "<p><ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby></p>",
        "<p><ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby></p>",
    ),
    "for screen readers": ('<h2 class="visually-hidden">Footnotes</h2><p>a</p>', "<p>a</p>"),
    "empty block between words": ("<td>a</td><div>a<p></p>b</div>", "<p>a</p><p>a</p><p>b</p>"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shape(name: str) -> None:
    html, expected = SHAPES[name]
    assert canonical(html) == expected
    assert canonical(expected) == expected


def test_keep_classes() -> None:
    html = '<div class="box"><p>a <span class="x">b</span> <span>c</span></p></div>'
    output = Output(keep_classes=True)
    assert canonical(html, output=output) == "<div><p>a <span>b</span> c</p></div>"


@pytest.mark.parametrize(
    ("card", "linked"),
    [
        ('<div><img src="/a.png"></div><div>Five beams for a small barn</div>', "Five beams for a small barn"),
        (
            "<div>News</div><div>Five beams for a small barn</div><div>By Mia, who saws</div>",
            "Five beams for a small barn",
        ),
        ("<div>By the yard and more</div><h3>Beams</h3>", "Beams"),
        ('<div><img src="/a.png"></div><div>Beams</div>', "Beams"),
        ('<div><img src="/a.png"></div>', ""),
    ],
)
def test_a_card_is_linked_where_it_says_most(card: str, linked: str) -> None:
    root = fragment(canonical(f'<p>Before</p><a href="/x">{card}</a>'))
    assert [a.text for a in root.iter_elements("a")] == [linked]


@pytest.mark.parametrize("tag", ["a", "b", "em"])
def test_a_name_that_no_element_can_be_made_with_is_left_out(tag: str) -> None:
    words = "Oak heartwood is hard, dark and durable. " * 30
    body = f"<p>{words}</p><{tag} =oak<=1 href=/x><p>{words}</p><p>{words}</p></{tag}>"
    root = fragment(body)
    standardize(root, None, Output())
    assert root.text.count("durable") == 90
    page = f'<script type="application/ld+json">{json.dumps({"@type": "Article", "articleBody": body})}</script><p>x'
    assert extract(page).text.count("durable") == 90
