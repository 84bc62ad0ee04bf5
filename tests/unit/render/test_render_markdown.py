"""Each construct of the canonical form, and the Markdown it becomes."""

from __future__ import annotations

import time
from html import escape
from textwrap import dedent

import pytest
from markdown_it import MarkdownIt

from duramen.render import render_markdown

COMMONMARK = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])

BLOCKS = [
    ("nothing", "", ""),
    ("white space", " \n <p> </p>&nbsp;<div></div>", ""),
    ("paragraphs", "<p>One\n  two</p>\n<p>three</p>", "One two\n\nthree"),
    ("stray text", "one<p>two</p>three", "one\n\ntwo\n\nthree"),
    ("headings", "<h1>A</h1><h6>B <em>c</em></h6>", "# A\n\n###### B *c*"),
    ("heading with a break", "<h2>A<br>b</h2>", "## A b"),
    ("heading ending in hashes", "<h2>C #</h2><h2>C#</h2><h3>#</h3>", "## C \\#\n\n## C#\n\n### \\#"),
    ("rule", "<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"),
    ("rule at the beginning is no front matter", "<hr><p>b</p>", "___\n\nb"),
    ("rule in a list is no rule of bullets", "<ul><li><hr></li></ul>", "- ___"),
    ("hard break", "<p>a<br>b <br> c<br></p>", "a\\\nb\\\nc"),
    ("two breaks part paragraphs", "<p>a<br><br>b</p>", "a\n\nb"),
    ("quotation", "<blockquote><p>a</p><p>b</p></blockquote><p>c</p>", "> a\n>\n> b\n\nc"),
    ("nested quotations", "<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"),
    ("callout", '<blockquote data-callout="warning"><p>a</p></blockquote>', "> [!WARNING]\n> a"),
    (
        "callout with a title",
        '<blockquote data-callout="tip"><p><strong>T</strong></p><p>a</p></blockquote>',
        "> [!TIP]\n> **T**\n>\n> a",
    ),
    (
        "callout that begins with a list",
        '<blockquote data-callout="note"><ul><li>a</li></ul></blockquote>',
        "> [!NOTE]\n>\n> - a",
    ),
    ("unknown callout", '<blockquote data-callout="x]"><p>a</p></blockquote>', "> a"),
    (
        "figure",
        '<figure><img src="https://e.com/i.png" alt="A" title="T"><figcaption>Cap <b>x</b></figcaption></figure>',
        '![A](https://e.com/i.png "T")\n\nCap **x**',
    ),
    (
        "details",
        "<details><summary>S &lt; <b>t</b></summary><p>a</p><ul><li>b</li></ul></details><p>c</p>",
        "<details>\n<summary>S &lt; <b>t</b></summary>\n\na\n\n- b\n\n</details>\n\nc",
    ),
    (
        "link around blocks",
        '<a href="https://e.com/"><h3>T</h3><p>d</p></a>',
        "### [T](https://e.com/)\n\n[d](https://e.com/)",
    ),
    ("emphasis around blocks", "<strong><p>a</p><p>b</p></strong>", "**a**\n\n**b**"),
    ("front matter look-alike", "<p>---</p><p>title: x</p><p>---</p>", "\\---\n\ntitle: x\n\n\\---"),
]

CODE = [
    ("language", '<pre><code class="language-rust">fn a() {}\n</code></pre>', "```rust\nfn a() {}\n```"),
    ("no language", "<pre><code>a</code></pre>", "```\na\n```"),
    ("pre alone", "<pre>a</pre>", "```\na\n```"),
    ("odd languages", '<pre><code class="language-c++">a</code></pre>', "```c++\na\n```"),
    ("hostile language", '<pre><code class="language-a`b">a</code></pre>', "```\na\n```"),
    ("fences inside", "<pre><code>```py\nx\n````\n</code></pre>", "`````\n```py\nx\n````\n`````"),
    ("white space to the byte", "<pre><code>  a  \n\n\tb \n\n</code></pre>", "```\n  a  \n\n\tb \n\n```"),
    ("invisible characters stay in code", "<pre><code>a\u200bb\u00adc</code></pre>", "```\na\u200bb\u00adc\n```"),
    ("in a quotation", "<blockquote><pre>a\n\nb</pre></blockquote>", "> ```\n> a\n>\n> b\n> ```"),
    ("empty", "<pre><code> \n </code></pre>", ""),
    ("line ends", "<pre>a<br>b&#13;c</pre>", "```\na\nb\nc\n```"),
]

INLINE = [
    (
        "emphasis",
        "<b>a</b> <strong>b</strong> <i>c</i> <em>d</em> <s>e</s> <del>f</del>",
        "**a** **b** *c* *d* ~~e~~ ~~f~~",
    ),
    ("white space moves out", "a<b> b </b>c", "a **b** c"),
    ("empty elements vanish", "a<b></b><i> </i>b<code></code>", "a b"),
    ("same element twice", "<b><strong>a</strong></b>", "**a**"),
    ("both", "<b><i>a</i></b> <i><b>b</b> c</i>", "**_a_** *__b__ c*"),
    ("touching", "<i>a</i><i>b</i><b>c</b>", "*a*<em>b</em>**c**"),
    ("inside a word", "a<b>b</b>c", "a**b**c"),
    ("punctuation against a letter", "<b>Note:</b>text", "<strong>Note:</strong>text"),
    ("Chinese", "汉<b>字</b>汉<b>「字」</b>汉", "汉**字**汉<strong>「字」</strong>汉"),
    (
        "no Markdown for it",
        "H<sub>2</sub>O<sup>3</sup> <u>u</u> <ins>i</ins> <mark>m</mark> <kbd>K</kbd>",
        "H<sub>2</sub>O<sup>3</sup> <u>u</u> <ins>i</ins> <mark>m</mark> <kbd>K</kbd>",
    ),
    (
        "text only",
        '<small>a</small> <cite>b</cite> <abbr title="x">c</abbr> <time>d</time> <span>e</span>',
        "a b c d e",
    ),
    ("quotation marks", "<q>a</q>", '"a"'),
    ("ruby", "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢\\(kan)"),
    ("invisible characters", "a\u00adb\u200bc\ufeffd&nbsp;e", "abcd e"),
    ("code", "<code>a*b</code> <samp>c</samp>", "`a*b` `c`"),
    ("code with backticks", "<code>`a`</code> <code>a``b</code>", "`` `a` `` `a``b`"),
    ("code that touches", "<code>a</code><code>b</code>c", "`ab`c"),
    ("formatted code", "<code>a <b>b</b> <i>c</i></code>", "`a b c`"),
    ("links in code", '<code>Vec&lt;<a href="https://e.com/">T</a>&gt;</code>', "`Vec<`[`T`](https://e.com/)`>`"),
    ("link", '<a href="https://e.com/" title="a &quot;b&quot;">t</a>', '[t](https://e.com/ "a &quot;b&quot;")'),
    ("link of brackets", '<a href="https://e.com/">[1] ]</a>', "[\\[1\\] \\]](https://e.com/)"),
    ("address as text", '<a href="https://e.com/a-b">https://e.com/a-b</a>', "<https://e.com/a-b>"),
    (
        "awkward addresses",
        '<a href="https://e.com/a b(c)">a</a> <a href="https://e.com/(">b</a> <a href="https://e.com/&lt;`\\">c</a>',
        "[a](https://e.com/a%20b(c)) [b](https://e.com/\\() [c](https://e.com/%3C%60%5C)",
    ),
    ("no text, no link", 'a<a href="https://e.com/"> </a>b', "a b"),
    ("link without address", "<a>t</a>", "t"),
    (
        "linked image",
        '<a href="https://e.com/"><img src="https://e.com/i" alt="a"></a>',
        "[![a](https://e.com/i)](https://e.com/)",
    ),
    ("image", '<img src="https://e.com/i" alt="a ] *b*"><img alt="x">', "![a &#93; \\*b\\*](https://e.com/i)"),
    ("exclamation mark before a link", 'wow!<a href="https://e.com/">t</a>', "wow\\![t](https://e.com/)"),
    ("code right behind an address", "http://e.com/<code>*&lt;b></code>", "http://e.com/<code>&#42;&#60;b&#62;</code>"),
    (
        "link right behind an address",
        'http://e.com/!<a href="https://e.com/">t</a>',
        "http://e.com/&#33;[t](https://e.com/)",
    ),
    ("mathematics", '<span data-math="inline">a_1 &lt;b | c</span>', "$a_1 < b | c$"),
    ("mathematics with dollars", '<span data-math="inline">\\text{$x$}</span>', "`\\text{$x$}`"),
    ("prices beside mathematics", '$5, <span data-math="inline">x</span>', "\\$5, $x$"),
]

ESCAPES = [
    ("*a* **b** _c_ snake_case_name", "\\*a\\* \\*\\*b\\*\\* \\_c\\_ snake_case_name"),
    ("`a` ~~b~~ ~5", "\\`a\\` \\~\\~b\\~\\~ \\~5"),
    ("<script> a < b 1<2 <a@b.c>", "&lt;script> a < b 1&lt;2 &lt;a@b.c>"),
    ("&amp; &copy AT&T a&b=c;", "&amp;amp; &copy AT&T a&b=c;"),
    ("[1] [x] [a](b) [^1] [a]: b [!NOTE] ![a]", "[1] \\[x] \\[a](b) \\[^1] \\[a]: b \\[!NOTE] !\\[a]"),
    ("C:\\dir\\* a\\", "C:\\dir\\\\\\* a\\\\"),
    ("$5 and $6, $x$", "$5 and $6, \\$x\\$"),
    ("# a", "\\# a"),
    ("#a", "#a"),
    ("- a", "\\- a"),
    ("+ a", "\\+ a"),
    ("-a", "-a"),
    ("1. a", "1\\. a"),
    ("12) a", "12\\) a"),
    ("1.5 a", "1.5 a"),
    ("1986.", "1986\\."),
    ("> a", "\\> a"),
    (": a", "\\: a"),
    ("===", "\\=\\=="),
    ("| a | b |", "| a | b |"),
    ("|-|-|", "\\|-|-|"),
    ("https://e.com/a_b_c?d=1&e=2", "https://e.com/a_b_c?d=1&e=2"),
    ("http://e.com/[a b](c) [a](b)", "http://e.com/&#91;a b](c) \\[a](b)"),
    ("WWW.e.com/`a` `b`", "WWW.e.com/&#96;a&#96; \\`b\\`"),
]

LISTS = [
    ("bullets", "<ul><li>a</li><li>b</li></ul>", "- a\n- b"),
    ("numbers", '<ol start="9"><li>a</li><li>b</li></ol>', "9. a\n10. b"),
    ("senseless start", '<ol start="-3"><li>a</li></ol>', "1. a"),
    ("reversed", "<ol reversed><li>a</li><li>b</li></ol>", "2. a\n1. b"),
    ("numbers that jump", '<ol><li>a</li><li value="5">b</li><li>c</li></ol>', "1. a\n5. b\n6. c"),
    ("nested", "<ul><li>a<ol><li>b<ul><li>c</li></ul></li></ol></li><li>d</li></ul>", "- a\n  1. b\n     - c\n- d"),
    ("nested after a paragraph", "<ul><li><p>a</p><ul><li>b</li></ul></li></ul>", "- a\n  - b"),
    ("nested with a start", '<ul><li>a<ol start="2"><li>b</li></ol></li></ul>', "- a\n\n  2. b"),
    ("list in a list", "<ul><li><ul><li>a</li></ul></li></ul>", "- - a"),
    ("text after a nested list", "<ul><li>a<ul><li>b</li></ul>c</li><li>d</li></ul>", "- a\n  - b\n\n  c\n\n- d"),
    ("paragraphs", "<ul><li><p>a</p><p>b</p></li><li>c</li></ul>", "- a\n\n  b\n\n- c"),
    (
        "code",
        "<ol><li>a<pre>b\n  c</pre></li><li><pre>d</pre></li></ol>",
        "1. a\n\n   ```\n   b\n     c\n   ```\n\n2. ~~~\n   d\n   ~~~",
    ),
    ("quotation", "<ul><li><blockquote>a<br>b</blockquote></li></ul>", "- > a\\\n  > b"),
    ("empty item", "<ol><li>a</li><li></li><li>b</li></ol>", "1. a\n2.\n3. b"),
    ("neighbours stay two lists", "<ul><li>a</li></ul><ul><li>b</li></ul><ul><li>c</li></ul>", "- a\n\n* b\n\n- c"),
    ("neighbours with numbers", "<ol><li>a</li></ol><ol><li>b</li></ol>", "1. a\n\n1) b"),
    ("tasks", "<ul><li>☒ a</li><li>☐ b</li></ul>", "- [x] a\n- [ ] b"),
    ("tasks in paragraphs", "<ul><li><p>☑ a</p></li></ul><p>☐ b</p>", "- [x] a\n\n☐ b"),
    ("text that looks like a task", "<ul><li>[x] a</li></ul>", "- \\[x] a"),
    ("item without a list", "<li>a</li>", "a"),
    ("terms", "<dl><dt>T</dt><dd>d</dd><dt>U</dt><dt>V:</dt><dd>e</dd></dl>", "- **T**: d\n- **U**\\\n  **V:** e"),
    ("terms with blocks", "<dl><dt>T</dt><dd><p>d</p><p>e</p></dd></dl>", "- **T**:\n\n  d\n\n  e"),
    (
        "terms in groups",
        "<dl><div><dt>T</dt><dd>d</dd></div><div><dt>U</dt><dd>e</dd></div></dl>",
        "- **T**: d\n- **U**: e",
    ),
]

TABLES = [
    (
        "header",
        "<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
        "| A | B |\n| --- | --- |\n| 1 | 2 |",
    ),
    (
        "header without thead",
        "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>",
        "| A | B |\n| --- | --- |\n| 1 | 2 |",
    ),
    ("rows with names", "<table><tr><th>A</th><td>1</td></tr></table>", "|  |  |\n| --- | --- |\n| A | 1 |"),
    (
        "alignment",
        '<table><tr><th align="left">A</th><th align="center">B</th><th>C</th><th align="left">D</th></tr>'
        '<tr><td>1</td><td>2</td><td align="right">3</td><td align="right">4</td></tr>'
        '<tr><td>1</td><td>2</td><td align="right">3</td><td align="center">4</td></tr></table>',
        "| A | B | C | D |\n| :-- | :-: | --: | --- |\n| 1 | 2 | 3 | 4 |\n| 1 | 2 | 3 | 4 |",
    ),
    (
        "a table in a table of data",
        "<table><tbody><tr><th>A</th><th>B</th></tr><tr><td>a</td><td><table><tbody><tr><td>1</td></tr></tbody></table></td></tr>"
        "</tbody></table>",
        "<table><tbody>\n<tr><th>A</th><th>B</th></tr>\n<tr><td>a</td><td><table><tbody>\n<tr><td>1</td></tr></tbody></table></td></tr>"
        "</tbody></table>",
    ),
    ("no header", "<table><tr><td>1</td></tr></table>", "|  |\n| --- |\n| 1 |"),
    ("caption", "<table><caption>C</caption><tr><th>A</th></tr></table>", "C\n\n| A |\n| --- |"),
    (
        "pipes",
        "<table><tr><th>a|b</th><th><code>c|d\\|</code></th></tr></table>",
        "| a\\|b | `c\\|d\\\\|` |\n| --- | --- |",
    ),
    ("lines", "<table><tr><th><p>a</p><p>b</p></th><th>c<br>d</th></tr></table>", "| a<br>b | c<br>d |\n| --- | --- |"),
    (
        "spans",
        '<table><tr><th colspan="2">A</th></tr><tr><td rowspan="2">1</td><td>2</td></tr><tr><td>3</td></tr></table>',
        "| A |  |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |",
    ),
    (
        "short rows",
        "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td></tr></table>",
        "| A | B |\n| --- | --- |\n| 1 |",
    ),
    ("empty", "<table><tr><td></td></tr></table>", ""),
    (
        "blocks in cells",
        "<table><tr><td><ul><li>a\n\n*b*</li></ul></td>"
        '<td><pre><code class="language-c">x\n\ny</code></pre></td></tr></table>',
        "<table><tbody>\n<tr><td><ul><li>a *b*</li></ul></td>"
        '<td><pre><code class="language-c">x&#10;&#10;y</code></pre></td></tr></tbody></table>',
    ),
    ("one column of blocks is no table", "<table><tr><td><ul><li>a</li></ul></td></tr></table>", "- a"),
    (
        "tables for layout",
        "<table><tr><td>a</td><td><table><tr><th>B</th></tr></table></td></tr></table>",
        "a\n\n| B |\n| --- |",
    ),
    (
        "rows that a span fills",
        '<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td colspan="2" rowspan="2">1</td><td>2</td></tr>'
        "<tr><td>3</td></tr><tr><td>4</td></tr></table>",
        "| A | B | C |\n| --- | --- | --- |\n| 1 |  | 2 |\n|  |  | 3 |\n| 4 |",
    ),
    (
        "in a list",
        "<ul><li><table><tr><th>A</th></tr><tr><td>1</td></tr></table></li></ul>",
        "- | A |\n  | --- |\n  | 1 |",
    ),
]

NOTES = [
    (
        "reference and note",
        '<p>a<sup data-footnote-ref="1"><a href="#fn-1">1</a></sup>(b)</p>'
        '<section data-footnotes><ol><li id="fn-1"><p>One two</p><p>three</p></li></ol></section>',
        "a[^1]\\(b)\n\n[^1]: One two\n\n    three",
    ),
    (
        "names are counted when the ids are gone",
        "<section data-footnotes><ol><li>a b</li><li>c d</li></ol></section>",
        "[^1]: a b\n\n[^2]: c d",
    ),
    (
        "never a link definition",
        '<section data-footnotes><ol><li>https://e.com</li><li>x "t"</li><li><pre>a</pre></li></ol></section>',
        '[^1]: https://e.com &nbsp;\n\n[^2]: x "t" &nbsp;\n\n[^3]: &nbsp; &nbsp;\n\n    ```\n    a\n    ```',
    ),
    (
        "display mathematics",
        '<p>a <span data-math="display">\\frac12 % c\n = x</span> b</p>',
        "a\n\n$$\\frac12 = x$$\n\nb",
    ),
    (
        "display mathematics in a cell",
        '<table><tr><th><span data-math="display">a|b</span></th></tr></table>',
        "| $a\\|b$ |\n| --- |",
    ),
    ("display mathematics with dollars", '<p><span data-math="display">\\$</span></p>', "```math\n\\$\n```"),
]


@pytest.mark.parametrize(
    ("html", "expected"), [pytest.param(h, e, id=i) for i, h, e in BLOCKS + CODE + LISTS + TABLES + NOTES]
)
def test_blocks(html: str, expected: str) -> None:
    assert render_markdown(html) == expected


@pytest.mark.parametrize(("html", "expected"), [pytest.param(h, e, id=i) for i, h, e in INLINE])
def test_inline(html: str, expected: str) -> None:
    assert render_markdown(f"<p>{html}</p>") == expected


@pytest.mark.parametrize(("text", "expected"), ESCAPES)
def test_text_stays_text(text: str, expected: str) -> None:
    html = "<p>" + text.replace("&", "&amp;").replace("<", "&lt;") + "</p>"
    assert render_markdown(html) == expected
    assert COMMONMARK.renderInline(expected.replace("\n", " ")).count("<") == 0


@pytest.mark.parametrize(
    "html",
    [
        "<p><span>&lt;</span><span>script&gt;</span></p>",
        "<p>&lt;<span>a href=x&gt;</span></p>",
        "<p><span>&amp;</span>lt;b&gt;</p>",
        "<p>[a]<span>(javascript:x)</span></p>",
        "<p><span>1</span>. a</p>",
        "<p>[<code>]</code>](x)</p>",
        "<p>`<code>a</code>`</p>",
    ],
)
def test_text_in_pieces_stays_text(html: str) -> None:
    back = COMMONMARK.render(render_markdown(html)).replace("<code>", "").replace("</code>", "")
    assert back.removeprefix("<p>").removesuffix("</p>\n").count("<") == 0


def test_front_matter_comes_first() -> None:
    assert render_markdown("<p>a</p>", "---\ntitle: x\n---\n") == "---\ntitle: x\n---\n\na"


@pytest.mark.parametrize(
    "nesting",
    [
        "<blockquote>{}</blockquote>",
        "<ul><li>{}</li></ul>",
        "<ul><li>x{}</li></ul>",
        "<div>{}</div>",
        "<b>{}</b>",
        "<dl><dt>t</dt><dd>{}</dd></dl>",
        "<details>{}</details>",
        "<table><tr><td>{}</td></tr></table>",
        "<u><i>{}</i></u>",
    ],
)
def test_depth_is_no_danger(nesting: str) -> None:
    html = "<p>core</p>"
    for _ in range(200):
        html = nesting.replace("{}", html)
    markdown = render_markdown(html)
    assert "core" in COMMONMARK.render(markdown)
    assert max(map(len, markdown.split("\n"))) < 200


@pytest.mark.parametrize(
    "piece",
    [
        "<p>a <b>b</b></p>",
        "<b>a</b>",
        "<ul><li>a</li></ul>",
        "<tr><td>a</td></tr>",
        "[",
        "&amp;a",
        "<code>`</code>",
        "<br>a",
        "!<a href=x>b</a>",
        '<td colspan="999" rowspan="999">a</td>',
        "<blockquote>a",
        "<details><summary>a</summary>",
        "<var>a</var>",
    ],
)
def test_cost_grows_with_the_page(piece: str) -> None:
    html = piece * 25_000
    if piece.startswith("<t"):
        html = f"<table>{html}</table>"
    elif piece.startswith("<var"):
        html = f"<code>{html}</code>"
    start = time.process_time()
    render_markdown(html)
    assert time.process_time() - start < 5


def test_nested_containers_together() -> None:
    html = """
        <ol><li><p>Install:</p><pre><code class="language-sh">pip install x\n</code></pre>
        <blockquote data-callout="note"><p>Needs <code>gcc</code>.</p>
        <ul><li>or <code>clang</code></li></ul></blockquote></li>
        <li>Run it.</li></ol>"""
    assert render_markdown(html) == dedent(
        """\
        1. Install:

           ```sh
           pip install x
           ```

           > [!NOTE]
           > Needs `gcc`.
           >
           > - or `clang`

        2. Run it."""
    )


def test_a_long_text_is_escaped_as_a_short_one() -> None:
    """Of a long text some is escaped at a time; what stands before and after still counts."""
    short = "a_b _c_ *d* [e] 1 < 2 <f `g` "
    piece = render_markdown(f"<p>{escape(short)}</p>").strip()
    assert render_markdown(f"<p>{escape(short * 2000)}</p>").split() == (piece + " ").split() * 2000


def test_a_backtick_before_code_is_no_part_of_it() -> None:
    """marko and mistletoe read a backslash, a backtick and the one of the code as two backticks."""
    assert render_markdown("<p>a`<code>x</code> `b`</p>").strip() == "a&#96;`x` \\`b\\`"


@pytest.mark.parametrize(
    "html",
    [
        "<blockquote><ul><li><pre>&lt;script&gt;\n    </pre></li></ul></blockquote>",
        "<ul><li><pre>x</pre></li></ul><pre>\n\n&lt;script&gt;</pre>",
    ],
)
def test_code_that_a_renderer_would_lose_the_fence_of_is_html(html: str) -> None:
    written = render_markdown(html)
    assert "<pre>" in written and "<script>" not in written


def test_definitions_without_terms_are_plain_blocks() -> None:
    html = "<p>Zero.</p><dl><dd>One.<dl><dd><p>Two.</p></dd></dl></dd><dd>Three.</dd></dl><p>Four.</p>"
    assert render_markdown(html).split() == ["Zero.", "One.", "Two.", "Three.", "Four."]
    assert "- **Oak**: Hard." in render_markdown("<dl><dt>Oak</dt><dd>Hard.</dd></dl>")
