"""Hostile pages of any size: one thing repeated or nested, each a row of name and recipe."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["SHAPES", "page"]

P = "<p>Oak heartwood is hard, dark and durable, and shipwrights chose it for keels.</p>"
LD = '<script type="application/ld+json">'


def repeated(unit: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """A unit as often as it fits; ``{n}`` in it is the number of the repetition."""

    def make(size: int) -> str:
        room = max(0, size - len(before) - len(after))
        if "{n}" not in unit:
            return before + unit * (room // len(unit)) + after
        made: list[str] = []
        while room > 0:
            made.append(unit.replace("{n}", str(len(made))))
            room -= len(made[-1])
        return before + "".join(made) + after

    return make


def levels(unit: str) -> Callable[[int], str]:
    """Nested, never closed."""
    return repeated(unit, "", "the bottom of the page" + P)


SHAPES: dict[str, Callable[[int], str]] = {
    "tags of the root": repeated("<html a{n}=1>", P),
    "tags of the body": repeated("<bOdy a{n}=1>", P),
    # Nesting.
    "nested divs": levels("<div>"),
    "nested divs with text": levels("<div>some words here "),
    "nested spans": levels("<span>a "),
    "nested lists": levels("<ul><li>item "),
    "nested quotes": levels("<blockquote>word "),
    "nested tables": levels("<table><tr><td>cell "),
    "nested table cells closed": lambda n: "<table><tr><td>a" * (n // 35) + "</table>" * (n // 35) + P,
    "nested sections with headings": levels("<section><h2>Heading</h2><p>some words in here"),
    "nested details": levels("<details><summary>more</summary>"),
    "nested definition lists": levels("<dl><dt>x<dd>y "),
    "nested links": levels("<a href=/x>link "),
    "nested forms": levels("<form><fieldset>"),
    "nested notes": levels("<sup>1"),
    "nested preformatted": levels("<pre>x"),
    "nested custom elements": levels("<x-y>word "),
    "nested drawings": levels("<svg><g>"),
    "nested formulas": levels("<math><mrow><mi>x</mi>"),
    "nested formulas around words": repeated("<math><mtext>words of a page {n}</mtext>", P * 5),
    "nested scripts in a formula": lambda n: "<math>" + levels("<script>x")(n),
    "nested data in a drawing": lambda n: "<svg>" + levels("<script type=application/ld+json>x")(n),
    "nested selects": levels("<select><option>a"),
    "nested templates": lambda n: "<template>" * min(2000, n // 30) + P * (n // 90),
    "nested figures": levels("<figure><figcaption>a "),
    "nested pictures": levels("<figure><img src=a.png>"),
    "nested objects": levels("<object><p>word "),
    "nested buttons": levels("<button>a"),
    "nested microdata": levels("<div itemscope itemtype=https://schema.org/Article itemprop=about>a "),
    "nested rdfa": levels("<div vocab=https://schema.org/ typeof=Article property=about>a "),
    "nested hidden": levels("<div hidden>words "),
    "nested callouts": levels('<div class="admonition note"><p>words in here'),
    "nested ruby": levels("<ruby>a<rt>b"),
    "nested code": levels("<code>a "),
    "nested headings": levels("<h2>a "),
    "nested articles": levels("<article><p>some words of the article"),
    "nested classes": levels("<div class=post-content>words here "),
    "nested noscript": levels("<noscript><p>words "),
    "nested boilerplate": levels("<div class='sidebar related share'><p>words here</p>"),
    "nested empty boilerplate": levels("<div class='sidebar related share'>"),
    "nested main": levels("<main><div role=main>words "),
    # Formatting elements and misnesting.
    "formatting": levels("<b><i>a "),
    "formatting in paragraphs": levels("<p><b><i><u>a "),
    "fonts": levels("<font size={n}>a "),
    "fonts in paragraphs": repeated("<p><font size={n}>a "),
    "wide font in paragraphs": lambda n: f"<p><font x='{'>' * (n // 2)}'>" + "<p>a" * (n // 8),
    "wide link in paragraphs": lambda n: f"<p><a href='/{'>' * (n // 2)}'>" + "<p>a" * (n // 8),
    "nested formatting then paragraphs": repeated("<p>a", "<p>" + "<b><i><u><s><tt><em><big><small><code>" * 3),
    "misnested": repeated("<p><table><td><b><i><a>"),
    "closed out of order": repeated("<b><p>a</b>b</p>"),
    "unclosed everything": repeated("<div><p><b><ul><li><a href=x><table><tr><td>word "),
    "ends without beginnings": repeated("</div></p></b></table>", P),
    # Many of one thing.
    "paragraphs": repeated(P),
    "short paragraphs": repeated("<p>a"),
    "numbered paragraphs": repeated("<p>Words of the paragraph number {n} in here."),
    "links": repeated("<a href=/{n}>link</a> "),
    "links in a list": repeated("<li><a href=/{n}>link text</a>", "<ul>"),
    "list items": repeated("<li>a", "<ul>"),
    "rows": repeated("<tr><td>a<td>b", "<table>"),
    "one row": repeated("<td>a", "<table><tr>"),
    "tables": repeated("<table><tr><th>a<td>b</table>"),
    "spans of cells": repeated("<tr><td rowspan=9 colspan=9>a", "<table>"),
    "far spans of cells": repeated("<tr><td rowspan=65534>a", P + "<table>"),
    "headings": repeated("<h2>Heading {n}</h2><p>Words number {n}"),
    "headings alone": repeated("<h3>Heading {n}</h3>"),
    "definitions": repeated("<dt>term {n}<dd>words", "<dl>"),
    "breaks": repeated("text<br>"),
    "rules": repeated("text<hr>"),
    "pictures": repeated("<img src=a{n}.png>", P, P),
    "pictures with sets": repeated("a{n}.png {n}w, ", P + '<img srcset="', '">' + P),
    "figures": repeated("<figure><img src=a.png alt=b><figcaption>Words {n}</figcaption></figure>", P),
    "captions beside what goes": repeated(
        "<figure><div id=gpt-ad></div>Share <figcaption>a caption</figcaption></figure>", "", P * 5
    ),
    "captions of one picture": repeated("<p class=caption>Words {n}</p>", P + "<div><img src=a.png>", "</div>" + P),
    "code blocks": repeated("<pre><code>x = {n}</code></pre>", P),
    "code lines": repeated("<span>a</span>\n", P + "<pre><code>"),
    "inline code": repeated("<code>a</code> ", "<p>"),
    "ruby": repeated("<ruby>木<rt>き</ruby>", "<p>"),
    "footnotes": repeated("<p>x<sup><a href=#n{n} id=r{n}>{n}</a></sup></p>"),
    "footnote list": repeated("<p>x<a href=#fn{n} id=r{n}>[{n}]</a></p><li id=fn{n}>note <a href=#r{n}>↩</a></li>"),
    "same footnote": repeated("<sup><a href=#fn1>1</a></sup> ", "<p>", "<ol><li id=fn1>note</ol>"),
    "notes in one block": lambda n: (
        "".join(f"<sup><a href=#x{k}>1</a></sup> w " for k in range(n // 80))
        + "<p>words "
        + "".join(f"<b id=x{k}>x</b><a href=#z>y</a>" for k in range(n // 80))
    ),
    "nested notes of one name": levels("<div class=footnotes><ol><li id=fn1>note<sup><a href=#fn1>1</a></sup>"),
    "sections of notes": repeated(
        "<section data-footnotes><ol><li id=fn{n}>note</ol></section>", "<p>x<sup><a href=#fn1>1</a></sup>" + P
    ),
    "ways back in a note": repeated(
        "<a class=backref href=#r>↩</a>",
        f"<p>x<sup id=r><a href=#fn1>1</a></sup></p>{P * 3}<div class=footnotes><ol><li id=fn1>note <span>words ",
    ),
    "callouts": repeated('<div class="admonition warning"><p class=admonition-title>Take care<p>words</div>'),
    "identifiers": repeated("<p id=i{n}>words here"),
    "classes": repeated("<div class=c{n}><p>Words {n} in here</div>"),
    "content classes": repeated("<div class=article-content><p>Words {n} in here</div>"),
    "boilerplate classes": repeated("<div class='sidebar ad share'><p>Words {n} in here</div>", P),
    "hidden elements": repeated("<p style='display:none'>Words</p><p hidden>b</p>", P * 3),
    "comments of readers": repeated("<div class=comment><p>Reader {n} says words</div>", P * 3 + "<div id=comments>"),
    "navigation": repeated("<nav><p>abc def</nav>"),
    "short noscripts": repeated("<noscript>ไม้</noscript>"),
    "advertisers in one wrapper": repeated(
        "<script src=//securepubads.doubleclick.net/a.js></script>", "<div>", "</div>" + P
    ),
    "noscripts": repeated("<noscript><p>abc def</noscript>"),
    "templates": repeated("<template><p>abc def</template>", P * 3),
    "custom elements": repeated("<x-{n}>word</x-{n}> "),
    "iframes": repeated("<iframe src=https://www.youtube.com/embed/{n}></iframe>", P),
    "videos": repeated("<video><source src={n}.mp4></video>", P),
    "drawings": repeated("<svg><path d=M0/></svg>", P),
    "formulas": repeated("<math><mi>x</mi><mo>+</mo><mn>{n}</mn></math> ", "<p>"),
    "tex": repeated("<script type=math/tex>x_{n}</script> ", "<p>words "),
    "inputs": repeated("<li><input type=checkbox>do it", "<ul>"),
    "options": repeated("<option>a", P + "<select>"),
    "forms": repeated("<form><label>a<input></label></form>", P),
    "times": repeated("<time datetime=2020-01-01>1 Jan 2020</time> ", "<p>"),
    "bylines": repeated("<span class=author rel=author>by Ann Oak {n}</span> ", P),
    "spans": repeated("<span>a</span>", "<p>"),
    "empty elements": repeated("<i></i>", P),
    "quotes": repeated("<q>a</q> ", "<p>"),
    "quote blocks": repeated("<blockquote>a words</blockquote>"),
    "articles": repeated("<article><h2>Story {n}</h2><p>Words of the story.</article>"),
    "bodies": repeated("<body class=a{n}>", P),
    "framesets": repeated("<frameset><frame>"),
    "bases": repeated("<base href=https://{n}.example/>", "", P),
    "titles": repeated("<title>Oak {n}</title>", "", P),
    "main elements": repeated("<main><p>Words of the part {n}.</main>"),
    "marks and changes": repeated("<mark>a</mark><del>b</del><ins>c</ins> ", "<p>"),
    # Data.
    "json-ld blocks": repeated(LD + '{"@type":"Thing"}</script>', "", P * 5),
    "json-ld articles": repeated(LD + '{"@type":"Article","headline":"Oak {n}"}</script>', "", P),
    "json-ld list": repeated('{"@type":"Article","@id":"#{n}"},', LD + "[", '{"@type":"Thing"}]</script>' + P),
    "json-ld references": repeated('{"@id":"#a","author":{"@id":"#a"}},', LD + '{"@graph":[', "{}]}</script>" + P),
    "json-ld nesting": repeated('{"author":', LD, "</script>" + P),
    "json-ld brackets": repeated("[", LD, "</script>" + P),
    "json-ld backslashes": repeated("\\", LD + '{"a":"', '"}</script>' + P),
    "json-ld broken": repeated('"a" "b" // x\n', LD + "{", "</script>" + P),
    "json-ld body": repeated(
        "<p>Words of the page {n}, not those.</p>",
        LD + '{"@type":"Article","articleBody":"' + "Words of the body, quite different. " * 300 + '"}</script>',
    ),
    "json-ld long body": lambda n: (
        LD
        + '{"@type":"Article","articleBody":"'
        + "Words of a body. " * (n // 34)
        + '"}</script>'
        + repeated("<p>Words of the page {n}, not those.</p>")(n // 2)
    ),
    "json-ld body of the blocks' words": lambda n: (
        LD
        + '{"@type":"Article","articleBody":"'
        + "a b " * (n // 12)
        + '"}</script>'
        + repeated("".join(f"<p>{'a b ' * k}a{{n}} a a</p>" for k in range(1, 15)))(2 * n // 3)
    ),
    "json-ld body like the blocks": lambda n: (
        LD
        + '{"@type":"Article","articleBody":"'
        + "a" * min(n // 2, 29_000)
        + '"}</script>'
        + f"<p>{'a' * 38}ba</p>" * (max(n // 2, n - 29_000) // 47)
    ),
    "json-ld steps": lambda n: (
        LD + '{"@type":"Article","speakable":{"cssSelector":["' + "a" + "[1]" * (n // 3 - 60) + '!"]}}</script>' + P
    ),
    "json-ld few steps": repeated(
        LD + '{"@type":"Article","speakable":{"cssSelector":["a' + "[1]" * 40 + '!"]}}</script>', P
    ),
    "json-ld that can be mended": repeated(LD + '{"a":[' + "1,2,," * 3_000 + "]}</script>", P),
    "state that can be mended": repeated(
        "<script type=application/json>" + '{"a":[' + "1,2,," * 3_000 + "]}</script>", "<div id=root></div>"
    ),
    "json-ld and much space": lambda n: LD + '{"a":x' + " " * (n - 150) + "y</script>" + P,
    # Values, and texts that are read like one.
    "permalink signs": lambda n: "<h1>Oak" + "¶" * (n - 150) + "x¶</h1>" + P,
    "commas in a srcset": lambda n: P + '<img src=é.png srcset="' + "," * (n - 200) + '">' + P,
    "digits in a srcset": lambda n: P + '<img src=é.png srcset="a.png ' + "1" * (n - 200) + '">' + P,
    "space in a width": lambda n: P + '<img src=é.png width="1' + " " * (n - 200) + 'x">' + P,
    "underscores in scripts": repeated("<script>" + "_" * 19_000 + "</script>", P),
    "space in tex": lambda n: P + "<script type=math/tex>{\\displaystyle" + " " * (n - 150) + "x</script>" + P,
    "json-ld paths": lambda n: (
        LD
        + '{"@type":"Article","speakable":{"xpath":["'
        + '","'.join("//div" * (10 + k) + "//p" for k in range(10))
        + '"]}}</script>'
        + "<div>a" * (n // 6)
    ),
    "state strings": repeated('window.__STATE__ = {"a":"words ', "<script>", "</script>" + P),
    "stream of texts": repeated("1:Tfffff,Words of the text. ", '<script>self.__next_f.push([1,"', '"])</script>' + P),
    "state braces": repeated("{", "<script>window.__STATE__ = ", "</script>" + P),
    "state": repeated(
        '{"body":"some words in here {n}"},',
        '<script id=__NEXT_DATA__ type=application/json>{"a":[',
        "0]}</script>" + P,
    ),
    "state of small values": repeated('{"a":"b"},', '<script>window.__STATE__ = {"a":[', "0]}</script>" + P),
    "json-ld of small values": repeated('{"a":"b"},', LD + "[", "0]</script>" + P),
    "scripts": repeated("<script>var a={n}</script>", "", P),
    "styles": repeated("<style>.a{n}{}</style>", "", P),
    "metas": repeated("<meta property=og:title content='Oak {n}'>", "", P),
    "authors": repeated("<meta name=author content='Ann Oak {n}'>", "", P),
    "keywords": repeated("oak{n}, ", "<meta name=keywords content='", "'>" + P),
    "link elements": repeated("<link rel=alternate hreflang=de href=/{n}>", "", P),
    "microdata": repeated("<div itemscope itemtype=https://schema.org/Article><b itemprop=name>Oak {n}</b></div>"),
    "microdata references": repeated("<div id=a{n} itemscope itemref='a{n} b'><b itemprop=name>Oak</b></div>"),
    "microdata properties": repeated(
        "<b itemprop=author>Ann {n}</b> ", "<div itemscope itemtype=https://schema.org/Article>"
    ),
    "microdata names": repeated(
        "name{n} ", "<div itemscope itemtype=https://schema.org/Article><b itemprop='", "'>Oak</b></div>" + P
    ),
    "microdata referring to all": lambda n: (
        "<div id=all>"
        + "<b itemprop=name>Oak</b>" * (n // 50)
        + "</div>"
        + "<div itemscope itemtype=https://schema.org/Article itemref=all></div>" * (n // 140)
    ),
    "microdata around a text": repeated(
        "word ", "<div itemscope itemtype=https://schema.org/Article>" + "<div itemprop=name>" * 300
    ),
    "rdfa": repeated("<div typeof=Article><b property=headline>Oak {n}</b></div>", "<div vocab=https://schema.org/>"),
    "rdfa prefixes": repeated("<div prefix='a{n}: https://a.example/{n}/'>a", "", P),
    # Attributes and names.
    "attributes": repeated("a{n}=1 ", "<p ", ">" + P),
    "same attribute": repeated("a=1 ", "<p ", ">" + P),
    "long class": repeated("a", '<div class="', f'">{P * 5}</div>'),
    "many classes": repeated("ab ", '<div class="', f'">{P * 5}</div>'),
    "many different classes": repeated("c{n} ", '<div class="', f'">{P * 5}</div>'),
    "hyphens in a class": repeated("a-", '<div class="', f'">{P * 5}</div>'),
    "capitals in a class": repeated("aB", '<div class="', f'">{P * 5}</div>'),
    "digits in a class": repeated("a1", '<div class="', f'">{P * 5}</div>'),
    "long identifier": repeated("a_", '<div id="', f'">{P * 5}</div>'),
    "long style": repeated("display:none;", '<div style="', f'">{P * 5}</div>'),
    "spaces in a style": repeated(" ", '<div style="display', f':none">{P * 5}</div>{P}'),
    "long address": repeated("a/../", "<p>words <a href='/", f"'>here</a>{P}"),
    "spaces in an address": repeated(" ", "<p>words <a href='/a", f"b'>here</a>{P * 5}"),
    "long base": lambda n: (
        f"<base href='https://a.example/{'a/' * (n // 8)}'>" + "<p>words <a href=b>c</a> <img src=d>" * (n // 72)
    ),
    "data address": repeated("QUJD", "<img src='data:image/png;base64,", f"'>{P}"),
    "long tag name": repeated("x", "<x-", f">{P}"),
    "long title": repeated("Oak - ", "<title>", f"</title>{P}"),
    "long alternative": repeated("words ", P + "<img src=a.png alt='", f"'>{P}"),
    "aria references": repeated("i{n} ", "<p aria-labelledby='", f"'>{P}"),
    # Text.
    "one text": repeated("word ", "<p>"),
    "one word": repeated("w", "<p>"),
    "one line of marks": repeated("a.b,c-d;", "<p>"),
    "sentences": repeated("Oak is hard. ", "<p>"),
    "white space": repeated(" ", "<p>a", "b" + P),
    "line feeds": repeated("\n", "<pre>a", "b</pre>" + P),
    "no-break spaces": repeated("&nbsp;", "<p>a", "b" + P),
    "entities": repeated("&amp;&lt;&notin;", "<p>"),
    "ampersands": repeated("&"),
    "less-than signs": repeated("<"),
    "stars": repeated("*", "<p>"),
    "stars and words": repeated("*a ", "<p>"),
    "brackets": repeated("[", "<p>"),
    "backticks": repeated("`", "<p>"),
    "backticks in code": repeated("`a", "<p><code>", "</code>"),
    "words between stops": repeated(".w{n}x", "<p>"),
    "dollars": repeated("$a$ ", "<p>"),
    "pipes": repeated("a | ", "<table><tr><th>a<th>b<tr><td>"),
    "tex marks": repeated("\\(a", "<p>"),
    "digits": repeated("1", "<p>"),
    "dates": repeated("1 January 2020, ", "<p>"),
    "addresses": repeated("https://a.example/b ", "<p>"),
    "base64": repeated("QUJDREVGR0hJSktMTU5P", "<p>"),
    "chinese": repeated("心材是树的中心，颜色较深。", "<p>"),
    "thai": repeated("แก่นไม้", "<p>"),
    "arabic": repeated("خشب القلب أكثر صلابة ", "<p>"),
    "combining marks": repeated("\u0301", "<p>a"),
    "invisible characters": repeated("a\u200b\u00ad", "<p>"),
    "direction marks": repeated("\u202ea", "<p>"),
    "emoji": repeated("👩‍👩‍👧", "<p>"),
    "code text": repeated("x = [1, 2]\n", "<pre><code>"),
    "copyright": repeated("© 2020 ", "<p>"),
    "numbered lines": repeated("{n} x\n", "<pre><code>"),
    "letters with accents": repeated("é", "<p>"),
    # Comments and other markup.
    "comments": repeated("<!-- x -->", "", P * 3),
    "text between comments": repeated("a<!---->", "<p>"),
    "open comments": repeated("<!--", P),
    "open scripts": repeated("<script>", P),
    "script in a script": repeated("<!--<script>", P + "<script>"),
    "open quotes": repeated('<a href="'),
    "open tags": repeated("<a "),
    "instructions": repeated("<?x ?>", "", P),
    "doctypes": repeated("<!doctype html>", "", P),
    "character data": repeated("<![CDATA[x]]>", P),
    "text areas": repeated("<textarea>x</textarea>", P),
    "raw text": repeated("<xmp><b></xmp>", P),
    "nulls": repeated("\0", "<p>a"),
}


def page(name: str, size: int) -> str:
    """About ``size`` characters of a shape."""
    return SHAPES[name](size)
