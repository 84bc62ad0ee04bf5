"""Attacks written as text stay text in Markdown, in every place that text can be, for the renderers that people use.

All of them let HTML through and, where they can, make links of bare addresses. The strictest judge is the most trusting
renderer.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import cmarkgfm
import markdown as python_markdown
import mistune
import pytest
from cmarkgfm.cmark import Options as CmarkOptions
from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin

from duramen.dom import Element, fragment
from duramen.model import Metadata
from duramen.render import front_matter, render_markdown

Render = Callable[[str], str]

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
]
NESTED_CODE = [
    "<blockquote><ul><li><pre>{}</pre></li></ul></blockquote>",
    "<section data-footnotes><ol><li><pre>{}</pre></li></ol></section>",
]
"""Python-Markdown knows no fenced code inside other blocks."""
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
]


def _markdown_it() -> dict[str, Render]:
    trusting = {
        "commonmark": MarkdownIt("commonmark", {"html": True}),
        "markdown-it": MarkdownIt("gfm-like", {"html": True, "linkify": True}).use(footnote_plugin),
    }
    for renderer in trusting.values():
        renderer.validateLink = lambda url: True  # type: ignore[method-assign]
    return {name: renderer.render for name, renderer in trusting.items()}


def _cmark(text: str) -> str:
    options = CmarkOptions.CMARK_OPT_UNSAFE | CmarkOptions.CMARK_OPT_FOOTNOTES
    html: str = cmarkgfm.markdown_to_html_with_extensions(
        text, options=options, extensions=["table", "autolink", "strikethrough", "tasklist"]
    )
    return html


def _mistune() -> Render:
    # What mistune itself takes for a harmful address it would replace, which hides it from this test.
    renderer = mistune.HTMLRenderer(escape=False, allow_harmful_protocols=True)
    render: Any = mistune.create_markdown(
        renderer=renderer, plugins=["url", "table", "strikethrough", "footnotes", "task_lists"]
    )
    return render  # type: ignore[no-any-return]


def _python_markdown(text: str) -> str:
    html: str = python_markdown.markdown(text, extensions=["extra"])
    return html


RENDERERS: dict[str, Render] = {
    **_markdown_it(),
    "cmark-gfm": _cmark,
    "mistune": _mistune(),
    "Python-Markdown": _python_markdown,
}
ALLOWED = re.compile(r"https://e\.com/i?(\s|\Z)|#(user-content-)?fn[\w:-]*\Z")
"""Python-Markdown reads a title with quotes as a part of the address, which still leads to the same site."""
BARE_ADDRESS = re.compile(r"((https?|ftp):)?//|mailto:[\w.]+@[\w.]+", re.IGNORECASE)
"""What renderers link by themselves: a link to what the reader sees."""
ACTIVE = frozenset("script style iframe svg math object embed form link meta base video audio".split())


def dangers(html: str) -> list[str]:
    """What is live in a rendering and should not be."""
    found: list[str] = []
    for element in fragment(html).iter_elements():
        assert isinstance(element, Element)
        tag = element.tag
        if tag in ACTIVE or (tag == "input" and element.attr("type") != "checkbox"):
            found.append(tag)
        for name in element.attrs:
            value = element.attr(name) or ""
            if (
                name.startswith("on")
                or name in ("srcdoc", "action", "formaction")
                or (name == "style" and tag not in ("td", "th"))
            ):
                found.append(f"{tag} {name}")
            elif name == "src" and not ALLOWED.match(value):
                found.append(f"{tag} src={value}")
            elif name == "href" and not ALLOWED.match(value) and not (tag == "a" and BARE_ADDRESS.match(value)):
                found.append(f"{tag} href={value}")
    return found


def check(attack: str, name: str, render: Render) -> None:
    places = PLACES if name == "Python-Markdown" else PLACES + NESTED_CODE
    pieces = [render_markdown(place.replace("{}", escape(attack))) for place in places]
    # All at once is much faster; each by itself shows which one it is.
    if dangers(render("\n\n".join(pieces))):
        for piece in pieces:
            assert not dangers(render(piece)), piece
        raise AssertionError(f"several places together: {attack}")
    matter = front_matter(
        Metadata(title=attack, authors=(attack, f"http://a.example/{attack}"), description=attack), None
    )
    assert not dangers(render(render_markdown("<p>x</p>", matter))), matter


@pytest.mark.parametrize("name", RENDERERS)
@pytest.mark.parametrize("attack", OWN)
def test_attacks_as_text(attack: str, name: str) -> None:
    check(attack, name, RENDERERS[name])


@pytest.mark.shared
@pytest.mark.parametrize("name", RENDERERS)
@pytest.mark.parametrize("source", ["bleach", "javascript-execution", "owasp-xss-filter-evasion"])
def test_published_attacks_as_text(shared: Path, source: str, name: str) -> None:
    path = shared / "corpora" / "xss" / f"{source}.json"
    if not path.is_file():
        pytest.skip(f"needs {path}")
    for vector in json.loads(path.read_text("utf-8"))["vectors"]:
        check(vector["payload_html"], name, RENDERERS[name])


def test_the_renderers_are_trusting() -> None:
    """The judge can find something: all let HTML through, and those that can make links of addresses do."""
    for name, render in RENDERERS.items():
        assert dangers(render("a <img src=x onerror=alert(1)> b")) == ["img src=x", "img onerror"], name
        assert dangers(render("[x](javascript:alert(1))")) == ["a href=javascript:alert(1)"], name
    linking = [name for name, render in RENDERERS.items() if "<a" in render("see http://a.example/b now")]
    assert linking == ["markdown-it", "cmark-gfm", "mistune"]


@cache
def _marked() -> str:
    """The program that renders with marked, as GitHub's own pages do in browsers; empty where it is not installed."""
    program = "import('marked').then(m => process.stdout.write(m.marked.parse(require('fs').readFileSync(0, 'utf8'))))"
    node = shutil.which("node")
    if node is None or subprocess.run([node, "-e", program], input="a", capture_output=True, text=True).returncode:
        return ""
    return program


@pytest.mark.parametrize("attack", OWN)
def test_marked(attack: str) -> None:
    program = _marked()
    if not program:
        pytest.skip("needs node and its package marked (npm install --no-save marked)")

    def render(text: str) -> str:
        return subprocess.run(["node", "-e", program], input=text, capture_output=True, text=True, check=True).stdout

    check(attack, "marked", render)
