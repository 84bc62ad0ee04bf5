"""The core parses pages as the HTML library does: what one writes the other writes, byte for byte."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from duramen import flatten
from duramen.dom import named_characters, parse
from duramen.native import core

pytestmark = pytest.mark.skipif(core is None, reason="needs the compiled core: install where there is a C compiler")

TAGS = (
    "a address annotation-xml applet area article b base basefont bgsound big blockquote body br button caption"
    " center code col colgroup dd desc details dialog dir div dl dt em embed fieldset figure font foreignobject"
    " form h1 h2 h6 head header hr html i iframe image img input keygen li link listing main malignmark marquee"
    " math menu meta mglyph mi mo mtext nav nobr noembed noframes noscript object ol optgroup option p param pre"
    " rb rp rt rtc ruby s script search section select small source span strike strong style sub summary sup svg"
    " table tbody td template textarea tfoot th thead title tr track tt u ul var wbr xmp oak x-y path g"
    " lineargradient"
).split()
ATTRIBUTES = [
    "",
    " a=1",
    ' class="x y"',
    " type=hidden",
    " type='hidden'",
    " color=red",
    ' encoding="text/html"',
    " A=2 a=3",
    " /",
    " x='\"'",
    ' href="?a=1&amp;b&copy=2&nbsp;"',
    ' viewbox="0" xlink:href=x definitionurl=1',
    " =b c/d e=",
]
TEXTS = [
    "x",
    " ",
    "\n",
    "y z",
    "&amp;",
    "&lt;b",
    "&nbsp;",
    "1 < 2",
    "a&copyb",
    "\n\nq",
    "<!-- c -->",
    "<!---->",
    "<?php x?>",
    "<![CDATA[z<]]>",
    "<!x>",
    "</ x>",
    "<",
    "é",
    "\u3000",
    "\r\n",
]
SIGNS = (
    (
        "< > / = \" ' & amp; amp # #x 41; 1 x a A b ! !-- -- --> --!> - [CDATA[ ]]> ? <p <a <b> </b </p> <script>"
        " </script <!-- <style> </style> <title> </title> <textarea> </textarea> <svg> </svg> <math> <table> <td>"
        " <select> <option> not copy notin; é \xa0 \U0001f600 &#128; &#0; &#xD800; ` <br/> <xmp> </xmp>"
        " <iframe> </iframe> <noscript> <!doctype&html> <template> </template> <p&a=\" <p&a=' <p&a= &lt &gt; &nbsp &AMP"
        " &ampx &amp= &# &#x &#1114112; &NotEqualTilde; & & <?a <?xml ?>"
    )
    .replace("&a=", "\x01a=")
    .replace("&html>", "\x01html>")
    .split(" ")
)
SIGNS.extend(" \n\t\f\r")


def of_tags(numbers: random.Random) -> str:
    tags = numbers.sample(TAGS, numbers.choice([3, 6, 12, len(TAGS)]))
    parts = ["<!doctype html>"] if numbers.random() < 0.5 else []
    opened = ["p"]
    for _ in range(numbers.choice([5, 10, 20, 60])):
        which = numbers.random()
        if which < 0.4:
            opened.append(numbers.choice(tags))
            parts.append(f"<{opened[-1]}{numbers.choice(ATTRIBUTES)}>")
        elif which < 0.65:
            parts.append(f"</{numbers.choice(opened if numbers.random() < 0.8 else tags)}>")
        else:
            parts.append(numbers.choice(TEXTS))
    return "".join(parts)


def of_signs(numbers: random.Random) -> str:
    return "".join(numbers.choice(SIGNS) for _ in range(numbers.choice([4, 8, 16, 40]))).replace("\x01", " ")


def written(html: str) -> str | None:
    return core.written(html, named_characters())  # type: ignore[no-any-return]


def by_library(html: str) -> str:
    return "".join(parse(html).serialize_iter())


def shortest(html: str) -> str:
    """A page that is still not parsed alike, for the message."""
    while True:
        for i in range(len(html)):
            less = html[:i] + html[i + 1 :]
            told = written(less)
            if told is not None and told != by_library(less):
                html = less
                break
        else:
            return html


@pytest.mark.parametrize("make", [of_tags, of_signs])
@pytest.mark.parametrize("lot", range(4))
def test_any_page(make: Callable[[random.Random], str], lot: int) -> None:
    declined = 0
    for number in range(700):
        html = make(random.Random(lot * 1_000 + number))
        told = written(html)
        declined += told is None
        assert told is None or told == by_library(html), repr(shortest(html))
        assert columns(html, by_core=True) == columns(html, by_core=False), html
    assert declined < 14


CASES = (
    "",
    "x",
    "<p>a<p>b",
    "<b><p>x</b>y</p>",
    "<a>1<a>2",
    "<b><i><p>x</b>y</i>z",
    "<table>a<tr>b<td>c</table>d",
    "<table><td><b>x</table>y",
    "<li>a<li>b<ul><li>c</ul>d",
    "<dl><dt>a<dd>b<dt>c",
    "<h1>a<h2>b",
    "<p><table><td>x",
    "<!doctype html><p><table><td>x",
    "<form><form><table><form></table>",
    "<table><input type='hidden'/><input type=hidden>",
    "\u3000<table><input type='hidden'/><input type=hidden>",
    "<svg><p>x",
    "<math><mi><p>x</math>y",
    "<svg><foreignObject><p>x</foreignObject><title><b>y</title></svg>z",
    "<select><option>a<optgroup><option>b<hr>c",
    "<select><select>x",
    "<p><select><p>x</select>y",
    "<template><td>x</template><td>y",
    "<ruby>a<rb>b<rtc>c<rt>d",
    "<noscript><link><p>x</noscript>y",
    "<head></head><meta><p>x</body>y<!--z--></html>w<!--v-->",
    "<pre>\n\nx",
    "<textarea>\n&#10;x",
    "<title>a<b>&amp;</title>",
    "<script><!--<script></script>x--></script>y",
    "<style>a>b",
    "<a href='?a&b=c&copy=d&copy;&notin;&notit;&#x80;&#0;&#xD800;&#x110000;'>x",
    "&notit;&ampx;&NotEqualTilde;",
    "<html a=1><body b=2><html a=3 c=4><body b=5 d=6>",
    "<button><p><button>x",
    "<nobr><nobr>x",
    "<object><b></object>x",
    "<b a=1><b a=1><b a=1><b a=1><p>x",
    "<i a=1 b=2><i b=2 a=1><i a=1 b=2><i a=1 b=2><p>x",
    "<table><colgroup><col><col></colgroup><caption>x<td>y",
    "<table><thead><td>x<tfoot><tr><th>y",
    "<br/></br></p>x",
    "<image><keygen><wbr>x",
    "<P CLASS=X Class=y ID='&quot;'>x",
    "<div a='\u00a0<>&\"'>\u00a0<>&",
    "a\r\nb\rc",
    "<x-y><oak/>z",
    '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><p><table>',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd"><p><table>',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><p><table>',
    '<!doctype html system "about:legacy-compat"><p><table>',
)


@pytest.mark.parametrize("html", CASES)
def test_what_pages_have(html: str) -> None:
    assert written(html) == by_library(html)
    assert columns(html, by_core=True) == columns(html, by_core=False)


@pytest.mark.parametrize(
    "html",
    [
        "<frameset><frame>",
        "<plaintext>x",
        "a\0b",
        "<div>" * 600,
        "<b>" * 600 + "<p>x",
        "a</>b",
        "<p><selectedcontent>",
        "<a " + " ".join(f"a{n}=1" for n in range(200)) + ">",
        '<!doctype html public "-//oak//"><p>',
        "<svg><template>",
        "<p>" + "".join(f"<b a={n}>" for n in range(100)) + "<p>x" * 2_000,
    ],
)
def test_what_is_left_to_the_library(html: str) -> None:
    assert written(html) is None
    assert columns(html, by_core=True) == columns(html, by_core=False)


def columns(html: str, by_core: bool) -> Sequence[object]:
    tree = flatten.parse_tree(html) if by_core else flatten._flatten(parse(html), 1_000_000)
    each = (tree.parent, tree.end, tree.tag, tree.cls, tree.ident, tree.text, tree.chars, tree.gap)
    return (*map(list, each), list(tree.attrs), tree.body)


def test_a_declined_page_has_a_tree() -> None:
    assert flatten.parse_tree("<plaintext>oak<p>").text[-1] == "oak<p>"


def test_the_document_is_made_when_asked_for() -> None:
    tree = flatten.parse_tree("<p class=oak>x<svg><g id=ash></svg>")
    assert "document" not in tree.elements.__dict__
    assert tree.select("#ash") == tree.tagged({"svg"})
    assert "document" in tree.elements.__dict__
