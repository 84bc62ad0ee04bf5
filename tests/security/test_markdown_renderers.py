"""Attacks written as text stay text in Markdown, in every place that text can be, for the renderers that people use."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

import pytest
import yaml

from duramen.dom import Element, fragment
from duramen.model import Metadata
from duramen.options import Output
from duramen.refine.sanitize import sanitize
from duramen.render import front_matter, render_markdown

from .markdown_documents import document
from .renderers import FROM_NPM, FROM_PYPI, Render, from_npm

PLACES = [
    "<p>{}</p>",
    "<p>a{}<br>{}</p>",
    "<h2>{}</h2>",
    "<ul><li>{}<ul><li>{}</li></ul></li></ul>",
    "<dl><dt>{}</dt><dd>{}</dd></dl>",
    "<blockquote data-callout='note'>{}</blockquote>",
    "<table><caption>{}</caption><tr><th>{}</th></tr><tr><td>{}</td></tr></table>",
    "<table><tr><td><ul><li>{}</li></ul></td><td><pre>{}</pre></td></tr></table>",
    "<details><summary>{}</summary>{}</details>",
    "<p><code>{}</code> {} <kbd>{}</kbd></p>",
    "<pre><code>{}</code></pre>",
    '<p><a href="https://e.com/" title="{}">{}</a></p>',
    '<p>x <a href="https://e.com/" title="{}">{}</a></p>',
    '<p><a href="https://e.com/"><b>{}</b> {}</a></p>',
    '<p><img src="https://e.com/i" alt="{}" title="{}"></p>',
    '<p>`<span data-math="inline">{}</span> <code>{}</code></p>',
    '<p><span data-math="display">{}</span></p>',
    '<p>x<sup data-footnote-ref="1"><a href="#fn-1">1</a></sup>{}</p>'
    '<section data-footnotes><ol><li id="fn-1">{}</li></ol></section>',
    "<p>!<b>{}</b><i>{}</i></p>",
    "<p><span>{}</span>{}</p>",
    # A bare address takes backslashes and backticks behind it for its own.
    "<p>http://a.example/{}</p>",
    "<p>see www.a.example/{} and HTTPS://A.example?{}</p>",
    "<p>ftp://a.example/<code>{}</code> http://a.example/`<code>{}</code></p>",
    "<p><b>http://a.example/</b>{}<i>Www.a.example/</i><code>{}</code></p>",
    '<p>http://a.example/!<a href="https://e.com/">{}</a> http://a.example/<a href="https://e.com/">x</a>{}</p>',
    '<p>http://a.example/<img src="https://e.com/i" alt="{}" title="{}">{}</p>',
    '<p>http://a.example/<span data-math="inline">{}`</span></p>',
    "<h3>http://a.example/{}</h3><table><tr><th>http://a.example/{}</th></tr><tr><td>www.a.example/{}</td></tr></table>",
    '<p><a href="https://e.com/">http://a.example/{} <code>{}</code>http://a.example/<code>{}</code></a></p>',
    '<p>x<sup data-footnote-ref="1"><a href="#fn-1">1</a></sup></p>'
    '<section data-footnotes><ol><li id="fn-1">http://a.example/{}</li></ol></section>',
    "<blockquote><ul><li><pre>{}</pre></li></ul></blockquote>",
    "<section data-footnotes><ol><li><pre>{}</pre></li></ol></section>",
    "<p>x<br>{}</p><p><b>x</b>{} <code>x</code>{} <i>{}</i></p>",
    "<figure><img src='https://e.com/i' alt='{}'><figcaption>{}</figcaption></figure>",
    '<ol><li><p>{}</p><pre><code class="language-html">a\n\n{}\n\nb</code></pre></li></ol>',
    "<p>Note:<span>{}</span></p><p>:<span>{}</span></p>",
    "<blockquote><ul><li><pre>&lt;b&gt;{}\n    </pre></li></ul></blockquote>",
    "<ul><li><pre>x</pre></li></ul><pre>\n\n{}</pre>",
    '<p>{}`<code>{}</code> <abbr title="{}">{}</abbr></p><table><tr><td>{}|{}</td><td><b>{}</b></td></tr></table>',
]
OWN = [
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x y](javascript:alert(1))",
    "![x](javascript:alert(1))",
    "![x y](javascript:alert(1))",
    "www.e.example ![x](javascript:alert(1))",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    "javascript:alert(1)",
    "[x][y]\n\n[y]: javascript:alert(1)",
    "\n\n<script>alert(1)</script>\n\n",
    "```\n<script>alert(1)</script>\n```",
    "`<img src=x onerror=alert(1)>`",
    "` <img src=x onerror=alert(1)>",
    "``` <script>alert(1)</script>",
    "-->\n<script>alert(1)</script>",
    "</td></table>\n\n<img src=x onerror=alert(1)>",
    "</summary></details>\n\n[x](javascript:alert(1))",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\\<script>alert(1)</script>",
    "\\\\<script>alert(1)</script>",
    "\\`<script>alert(1)</script>\\`",
    "\\[x](javascript:alert(1))",
    '" onmouseover="alert(1)',
    '"><script>alert(1)</script>',
    ") [x](javascript:alert(1)",
    '") [x](javascript:alert(1)',
    "|\n|-|\n|<script>alert(1)</script>|",
    "$<script>alert(1)</script>$",
    "](javascript:alert(1))",
    "(javascript:alert(1))",
    "[^1]: javascript:alert(1)",
    "[a](<javascript:alert(1)>)",
    "<a href='javascript:alert(1)'>x</a>",
    "    <script>alert(1)</script>",
    "<style>*{}</style>",
    "<iframe srcdoc=x>",
    "http://a.example/<img src=x onerror=alert(1)>",
    "http://a.example/&lt;<img src=x onerror=alert(1)>",
    "https://a.example/\\<img src=x onerror=alert(1)>",
    "www.a.example/`<img src=x onerror=alert(1)>`",
    "a@b.example<img src=x onerror=alert(1)>",
    "mailto:a@b.example/<img src=x onerror=alert(1)>",
    "{: onclick=alert(1)}",
    "{:onclick=alert(1) .pwn}",
    "x {: onclick=alert(1) }",
    "x{onclick=alert(1)}",
    "x {#i .pwn onclick=alert(1)}",
    "x\n{: onclick=alert(1) }",
    "{onclick='alert(1)' .pwn}",
    ":script[alert(1)]",
    ":img{src=x onerror=alert(1)}",
    ':a[x]{href="javascript:alert(1)"}',
    "::script",
    '::img{src=x onerror="alert(1)"}',
    ":::script\nalert(1)\n:::",
    ":::div{onclick=alert(1)}\nx\n:::",
    "[[javascript:alert(1)]]",
    "[[x|javascript:alert(1)]]",
    "![[x]]",
    "[[javascript:alert(1)|x]]",
    "[[<img src=x onerror=alert(1)>]]",
    "*[HTML]: <img src=x onerror=alert(1)>",
    '*[x]: "><img src=x onerror=alert(1)>',
    "*[alert]: pwn",
    "$\\href{javascript:alert(1)}{x}$",
    "$$\\href{javascript:alert(1)}{x}$$",
    "\\(\\href{javascript:alert(1)}{x}\\)",
    "$`<img src=x onerror=alert(1)>`$",
    "/// html | div[onclick=alert(1)]\nx\n///",
    "/// html | script\nalert(1)\n///",
    '!!! pwn "x" onclick\n    <img src=x onerror=alert(1)>',
    "??? x",
    ".. image:: javascript:alert(1)",
    ".. figure:: x\n   :alt: x",
    ".. toc::",
    "[TOC]",
    "{toc}",
    "{{toc}}",
    "{{ alert(1) }}",
    "{% raw %}",
    "{%include x%}",
    "<<https://a.example/>>",
    "{--del--}",
    "{++<img src=x onerror=alert(1)>++}",
    "{==x==}{>>pwn<<}",
    "==mark==",
    "++ctrl+alt+delete++",
    ":smile: x",
    "~x~ ^y^ H~2~O x^2^",
    "^^ins^^",
    "[text]{.pwn onclick=alert(1)}",
    "[text]{onclick=alert(1)}",
    "`x`{onclick=alert(1)}",
    "{raw}`<img src=x onerror=alert(1)>`",
    "{raw:html}`<img>`",
    "`<b>`{=html}",
    "```{=html}\n<script>alert(1)</script>\n```",
    "^[<img src=x onerror=alert(1)>]",
    "[^a]: <img src=x onerror=alert(1)>",
    "[^a]",
    "x[^1]",
    "[^1]",
    '[x]: http://a.example "onclick"',
    "+++\nx = 1\n+++",
    "---\nx: 1\n---",
    "---\ntitle: <img src=x onerror=alert(1)>\n---",
    "title: <img src=x onerror=alert(1)>",
    "Title: x\nAuthor: y",
    "%%%",
    ": <img src=x onerror=alert(1)>",
    ":   def",
    "term\n: def",
    "~ def",
    '[=50% "x"]',
    '[=50% "<img src=x onerror=alert(1)>"]{: .pwn}',
    '--8<-- "/etc/passwd"',
    "@user #1 !1",
    "{#pwn}",
    "{.pwn}",
    "[漢字(ふりがな)]",
    ">! spoiler !<",
    ">! <img src=x onerror=alert(1)>",
    ":field: <img src=x onerror=alert(1)>",
    "% comment",
    "+++ break",
    "(label)=",
    "{{ x }}",
    "{abbr}`x`",
    "\\begin{equation}\\href{javascript:alert(1)}{x}\\end{equation}",
    "|:x|",
    "[x]{y}",
    "a http://a.example/{: onclick=alert(1)}",
    "a@b.example{onclick=alert(1)}",
    "[a](b){: onclick=alert(1)}",
    "http://a.example/\xa0<img src=x onerror=alert(1)>",
    "http://a.example/&quot;onclick=alert(1)",
    "http://a.example/'onclick='alert(1)",
    'http://a.example/"onclick="alert(1)//',
    'www.a.example"onclick="alert(1)//',
    'a@b.example"onclick="alert(1)',
    'xmpp:a@b.example/"x',
    "http://a.example/*<img src=x onerror=alert(1)>*",
    "http://a.example/_x_<img src=x onerror=alert(1)>",
    "http://a.example/~~<img src=x onerror=alert(1)>~~",
    "http://a.example/$<img src=x onerror=alert(1)>$",
    "javascript&colon;alert(1)",
    "<a\nhref=javascript:alert(1)>",
    "http://a.example/](javascript:alert(1))",
    "[http://a.example/](javascript:alert(1))",
    "![http://a.example/](javascript:alert(1))",
    "[www.a.example](javascript:alert(1))",
    "http://a.example/[x](javascript:alert(1))",
    "www.a.example/![x](javascript:alert(1))",
    "http://a.example/\\[x](javascript:alert(1))",
    "a@b.example[x](javascript:alert(1))",
    "a.example/[x](javascript:alert(1))",
    "a.com/`<img src=x onerror=alert(1)>`",
    "git.io<img src=x onerror=alert(1)>",
    "//a.com/<img src=x onerror=alert(1)>`x`",
    "tel:1/`<img src=x onerror=alert(1)>`",
    "x:y/`<img src=x onerror=alert(1)>`",
    "mailto:a@b.com`<img src=x onerror=alert(1)>`",
    "a@b.com`<img src=x onerror=alert(1)>`",
    "</code><img src=x onerror=alert(1)>",
    "</pre></code><script>alert(1)</script>",
    "-->",
    "<!--",
    "<![CDATA[",
    "<?php ?>",
    "<details>",
    "</details><img src=x onerror=alert(1)>",
    "&#60;img src=x onerror=alert(1)&#62;",
    "&#x3c;script&#x3e;alert(1)&#x3c;/script&#x3e;",
    "&lt;img src=x onerror=alert(1)&gt;",
    "\\&lt;img src=x onerror=alert(1)&gt;",
    "~~~\n<script>alert(1)</script>\n~~~",
    "~~~html\n",
    "````",
    "¨D<img>¨",
    "\x02klzzwxh:0000\x03",
    "¨K1K",
    "¨E60E",
    "¨NBSP;",
    "~D<img",
]


# What a rendering may hold besides canonical elements: what renderers write for tasks, notes, mathematics and line
# breaks of their own.
TAGS = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre hr figure figcaption details summary div section article"
    " table caption colgroup col thead tbody tfoot tr th td a img br wbr strong em b i u s del ins mark small sub sup q"
    " cite abbr dfn kbd samp var code time span ruby rt rp bdi bdo input label nav aside body html head eq eqn".split()
)
MATHML = frozenset(
    "math semantics mrow mi mo mn mtext mspace msup msub msubsup mfrac mstyle mover munder mtable mtr mtd mpadded msqrt"
    " annotation".split()
)
ATTRIBUTES = frozenset(
    "href src alt title class id name rel start type checked disabled align colspan rowspan lang dir value width"
    " height role scope tabindex".split()
)
MATHML_ATTRIBUTES = frozenset(
    "xmlns encoding mathvariant mathcolor mathbackground display stretchy fence separator linebreak accent lspace"
    " rspace minsize maxsize width height scriptlevel displaystyle".split()
)
ALLOWED = re.compile(r"https://e\.com/|#")
"""Python-Markdown reads a title with quotes as a part of the address, which still leads to the same site."""
BARE_ADDRESS = re.compile(r"((https?|ftp):)?//|(mailto|xmpp):[^@]*@", re.IGNORECASE)
"""What renderers link by themselves: a link to what the reader sees."""
FORMULA = re.compile(r'<script type="math/tex[^>]*>[^<]*</script>|(<span[^>]*) style="[^"]*"')
"""How renderers write mathematics: neither runs."""
EMPTY = re.compile(r"<([A-Za-z][\w-]*)></\1>")
"""To remark, a colon inside a word begins a directive: at worst an element with neither attributes nor content."""


def dangers(html: str) -> list[str]:
    """What is live in a rendering and should not be."""
    found: list[str] = []
    for element in fragment(EMPTY.sub("", FORMULA.sub(r"\1", html))).iter_elements():
        assert isinstance(element, Element)
        tag = element.tag
        if tag in MATHML and MATHML_ATTRIBUTES.issuperset(element.attrs):
            continue
        if tag not in TAGS or (tag == "input" and element.attr("type") != "checkbox"):
            found.append(tag)
        for name in element.attrs:
            value = element.attr(name) or ""
            if name not in ATTRIBUTES and not name.startswith(("data-", "aria-")):
                if name != "style" or tag not in ("td", "th"):
                    found.append(f"{tag} {name}")
            elif not value and name in ("src", "href"):
                # showdown loses the address of a link whose title has parentheses.
                continue
            elif name == "src" and not ALLOWED.match(value):
                found.append(f"{tag} src={value}")
            elif name == "href" and ":" in value and not ALLOWED.match(value) and not BARE_ADDRESS.match(value):
                found.append(f"{tag} href={value}")
            elif name == "class" and "pwn" in value.split():
                found.append(f"{tag} class={value}")
    return found


def matter_of(attack: str) -> str:
    return front_matter(
        Metadata(title=attack, authors=(attack, f"http://a.example/{attack}"), description=f"*x*{attack}"), None
    )


def check(attack: str, render: Render, places: list[str] = PLACES) -> None:
    pieces = [render_markdown(place.replace("{}", escape(attack))) for place in places]
    # All at once is much faster; each by itself shows which one it is.
    if dangers(render("\n\n".join(pieces))):
        for piece in pieces:
            assert not (found := dangers(render(piece))), (found, piece)
        raise AssertionError(f"several places together: {attack}")
    matter = matter_of(attack)
    assert not (found := dangers(render(render_markdown("<p>x</p>", matter)))), (found, matter)


@pytest.fixture(params=[*FROM_PYPI, *FROM_NPM])
def render(request: pytest.FixtureRequest) -> Render:
    name: str = request.param
    found = FROM_PYPI.get(name) or from_npm(name)
    if found is None:
        message = f"needs node and the npm packages of {name} (see .ci/run)"
        if os.environ.get("DURAMEN_REQUIRE_NPM"):
            pytest.fail(message)
        pytest.skip(message)
    return found


def some(attacks: list[str], share: int) -> Iterator[tuple[str, list[str]]]:
    """Each attack with a share of the places, which changes from attack to attack."""
    for number, attack in enumerate(attacks):
        yield attack, PLACES[number % share :: share]


def test_attacks_as_text(render: Render) -> None:
    for attack, places in some(OWN, 2):
        check(attack, render, places)


@pytest.mark.shared
@pytest.mark.parametrize("source", ["bleach", "javascript-execution", "owasp-xss-filter-evasion"])
def test_published_attacks_as_text(shared: Path, source: str, render: Render) -> None:
    path = shared / "corpora" / "xss" / f"{source}.json"
    if not path.is_file():
        pytest.skip(f"needs {path}")
    vectors = json.loads(path.read_text("utf-8"))["vectors"]
    for attack, places in some([vector["payload_html"] for vector in vectors], 16):
        check(attack, render, places)


WAYS = [Output(), Output(reference_links=True), Output(formulas="brackets"), Output(tables="lists")]
FOUND = [
    '<p><span data-math="inline">[a](&amp;#106;avascript:alert(1))</span></p>',
    '<p><span data-math="inline">[a](javascript\\:alert(1))</span></p>',
    '<p><span data-math="display">[[[javascript:alert(1)|x]]</span></p>',
    "<p><s><code>~~![](javascript:alert(1))</code></s></p>",
    "<blockquote data-callout=note><pre><code>\u2028&lt;img src=x onerror=alert(1)&gt;</code></pre></blockquote>",
    "<blockquote data-callout=note><pre><code>a\n\u2029&lt;img src=x onerror=alert(1)&gt;</code></pre></blockquote>",
    '<p><img src="https://e.com/i" title="\ufeff@xa onerror=alert(1)"></p>',
    '<table><tr><td><a href="https://e.com/"><span data-math="inline">] ([] (onclick=alert(1)</span></a></td></tr>'
    "</table>",
    '<p><a href="https://e.com/"><span data-math="inline">]([](onclick=alert(1))</span></a></p>',
    "<blockquote><table><tbody><tr><td><ul>http://a<abbr title='onerror'>`</abbr></ul></td><td></td></tr></tbody>"
    "</table></blockquote>",
    "<p>a \\<code>&lt;p onclick=alert(1)&gt;[a](javascript:alert(1))</code></p>",
    "<ol><li><pre><code>&gt;</code></pre></li></ol><pre><code>&lt;th&gt;&lt;style&gt;&lt;b onclick=x&gt;</code></pre>",
    '<p><sup data-footnote-ref="1"><a href="#fn-1">1</a></sup></p><section data-footnotes><ol><li id="fn-1">=<a href="https://'
    'e.com/"><code>&lt; =" onclick=alert(1) a</code></a></li></ol></section>',
    "<p>a \\\\\\<code>&lt;p onclick=alert(1)&gt;</code></p>",
    # What renderers do with two pieces of a page together; each was live in one of them.
    "<p><span data-math='inline'>[</span>](javascript:alert(1))</p>",
    "<table><tr><th><span data-math='inline'>[</span></th><td>](javascript:alert(1))</td></tr></table>",
    "<p><a href='https://e.com/'>$1</a>$1](javascript:alert(1))</p>",
    "<p><a href='https://e.com/'>==</a>==](javascript:alert(1))</p>",
    "<p><a href='https://e.com/'>^</a>^](javascript:alert(1))</p>",
    "<p><a href='https://e.com/'>^^</a>^^](javascript:alert(1))</p>",
    "<p><a href='https://e.com/~a'>x</a><a href='https://e.com/~b'>y</a>](javascript:alert(1))</p>",
    "<p><a href='https://e.com/?a=='>x</a> <a href='https://e.com/?b=='>y</a>](javascript:alert(1))</p>",
    "<p><a href='https://e.com/?a=='><samp>&lt;==</samp></a>](javascript:alert(1))</p>",
    "<p><a href='https://e.com/' title='[](onclick=alert(1))'>x</a></p>",
    "<p><samp><a href='https://e.com/'>`](javascript:alert(1))</a></samp></p>",
    "<p><code><span data-math='inline'>}</span>$&lt;img src=x onerror=alert(1)&gt;</code></p>",
    "<p>x <a href='https://e.com/'>y<br><br>](javascript:alert(1))</a></p>",
    "<p>$1<code><q>$[](javascript:alert(1))</q></code> $1<samp>$[](javascript:alert(1))</samp></p>",
    "<p>==<code>==&lt;img src=x onerror=alert(1)&gt;</code></p>",
    "<p>^<code>^^&lt;img src=x onerror=alert(1)&gt;</code></p>",
    "<p>&gt;!<code>!&lt;&lt;img src=x onerror=alert(1)&gt;</code></p>",
    "<p><s><code>~~&lt;img src=x onerror=alert(1)&gt;</code></s></p>",
    "<table><tr><th>&gt;!</th><td><code>!&lt;&lt;img src=x onerror=alert(1)&gt;</code></td></tr></table>",
    "<details><summary>x</summary><p><code>&lt;img src=x onerror=alert(1)&gt;</code></p></details>",
    "<details><summary>x</summary><p><samp>a <code>&lt;img src=x onerror=alert(1)&gt;</code></samp></p></details>",
    "<details><summary>x</summary><a href='https://e.com/onclick=a'>https://e.com/onclick=a</a></details>",
    "<details><summary>x</summary><ul><li>x<pre>&lt;img src=x onerror=alert(1)&gt;</pre></li></ul></details>",
    "<blockquote><details><summary><abbr title='[]()'>x</abbr></summary>x</details></blockquote>",
    "<details><summary><a href='https://e.com/`onclick=alert(1)'>`</a></summary>x</details>",
    "<ul><li><blockquote><pre>&lt;img src=x onerror=alert(1)&gt;</pre></blockquote></li></ul>",
    "<ol><li><pre>x</pre></li></ol><pre>&lt;img src=x onerror=alert(1)&gt;</pre>",
    "<ol><li><p>x</p><pre>&lt;form action=javascript:alert(1)&gt;</pre></li></ol>",
    "<ul><li><span data-math='display'>&lt;script&gt;alert(1)&lt;/script&gt;](a:</span></li></ul>",
    "<p>t:script<a href='https://e.com/'>alert(1)</a></p>",
    "<p>t:scr<span>ipt</span><a href='https://e.com/'>alert(1)</a></p>",
    "<p>t:script<sup data-footnote-ref='1'><a href='#fn-1'>1</a></sup></p>",
    "<p>t:x:</p>",
    "<p><img src='https://e.com/{----}' alt='x @x'></p>",
    "<p><a href='https://e.com/![x](javascript:alert(1))'>x</a></p>",
    "<p><a href='https://e.com/![&gt;'>;</a><a href='https://e.com/'>&gt;</a></p>",
    "<section data-footnotes><ol><li id='fn-1'>javascript:alert(1)\"x)</li></ol></section>"
    "<p>x<sup data-footnote-ref='1'><a href='#fn-1'>1</a></sup></p>",
    "<section data-footnotes><ol><li id='fn-1'>javascript:alert(1) =1x1</li></ol></section>"
    "<p>x<sup data-footnote-ref='1'><a href='#fn-1'>1</a></sup></p>",
    "<h4><code>&lt;img src=x onerror=alert(1)&gt;{</code>}</h4>",
]


def test_pieces_together(render: Render) -> None:
    for way in WAYS:
        found = {html: dangers(render(render_markdown(html, "", way))) for html in FOUND}
        assert {html: live for html, live in found.items() if live} == {}


def test_random_documents(render: Render) -> None:
    """Each in one of the ways in which Markdown can be written."""
    for seed in range(3000 if os.environ.get("DURAMEN_EXPLORE") else 60):
        way = WAYS[seed % len(WAYS)]
        text = render_markdown(sanitize(fragment(document(seed, OWN)), way), "", way)
        assert not (found := dangers(render(text))), (seed, found, text)


def test_the_renderers_are_trusting(render: Render) -> None:
    """The judge can find something: all let HTML and any address through."""
    assert dangers(render("a <img src=x onerror=alert(1)> b")) == ["img src=x", "img onerror"]
    assert dangers(render("[x](javascript:alert(1))")) == ["a href=javascript:alert(1)"]


LIVE = {
    "markdown-it-py": "http://a.example/\\<img src=x onerror=alert(1)>",
    "cmark-gfm": "http://a.example/\\<img src=x onerror=alert(1)>",
    "mistune": ".. image:: javascript:alert(1)",
    "pulldown-cmark": "## \\{onclick=alert(1)}",
    "Python-Markdown": "*x*{onclick=alert(1)}",
    "Python-Markdown, pymdownx": "/// html | div[onclick='alert(1)']\nx\n///",
    "marked": "http://a.example/\\<img src=x onerror=alert(1)>",
    "markdown-it": "http://a.example/\\<img src=x onerror=alert(1)>",
    "markdown-it, plugins": "x {onclick=alert(1)}",
    "micromark": ":script[alert(1)]",
    "remark": ":img{src=x onerror=alert(1)}",
}
"""What each would run if it were not escaped, or escaped with backslashes only."""


@pytest.mark.parametrize("name", LIVE)
def test_extensions_are_on(name: str) -> None:
    render = FROM_PYPI.get(name) or from_npm(name)
    if render is None:
        pytest.skip(f"needs the npm packages of {name}")
    assert dangers(render(LIVE[name]))


@pytest.mark.parametrize("name", ["commonmark", "cmark-gfm", "markdown-it-py", "marked", "commonmark.js"])
def test_words_stay(name: str) -> None:
    """What is escaped is read as it was written, character by character."""
    render = FROM_PYPI.get(name) or from_npm(name)
    if render is None:
        pytest.skip(f"needs the npm packages of {name}")
    # Not in bare addresses, whose links some renderers write with what was escaped in them.
    for attack in (attack for attack in OWN if "://" not in attack and "www." not in attack):
        for place in ("<p>{}</p>", "<h2>{}</h2>", "<ul><li>{}</li></ul>", "<p>x <b>{}</b></p>"):
            html = place.replace("{}", escape(attack))
            words = " ".join(fragment(html).text.split())
            assert " ".join(fragment(render(render_markdown(html))).text.split()) == words, attack


@pytest.mark.parametrize("attack", OWN)
def test_front_matter_is_read_back(attack: str) -> None:
    read = yaml.safe_load(matter_of(attack).strip("-\n"))
    assert read["title"] == attack
    assert read["authors"] == [attack, f"http://a.example/{attack}"]
