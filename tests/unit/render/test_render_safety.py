"""Attacks written as text stay text in Markdown, in every place that text can stand."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin

from duramen.dom import Element, fragment
from duramen.render import render_markdown

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
    "<blockquote><ul><li><pre>{}</pre></li></ul></blockquote>",
    '<p><a href="https://e.com/" title="{}">{}</a></p>',
    '<p><img src="https://e.com/i" alt="{}" title="{}"></p>',
    '<p>`<span data-math="inline">{}</span> <code>{}</code></p>',
    '<p><span data-math="display">{}</span></p>',
    '<p>x<sup data-footnote-ref="1"><a href="#fn-1">1</a></sup>{}</p>'
    '<section data-footnotes><ol><li id="fn-1">{}</li><li><pre>{}</pre></li></ol></section>',
    "<p>!<b>{}</b><i>{}</i></p>",
    "<p><span>{}</span>{}</p>",
]
OWN = [
    "[x](javascript:alert(1))",
    "![x](javascript:alert(1))",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    "javascript:alert(1)",
    "[x][y]\n\n[y]: javascript:alert(1)",
    "\n\n<script>alert(1)</script>\n\n",
    "```\n<script>alert(1)</script>\n```",
    "`<img src=x onerror=alert(1)>`",
    "``` <script>alert(1)</script>",
    "-->\n<script>alert(1)</script>",
    "</td></table>\n\n<img src=x onerror=alert(1)>",
    "</summary></details>\n\n[x](javascript:alert(1))",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\\<script>alert(1)</script>",
    "\\`<script>alert(1)</script>\\`",
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
]
RENDERERS = [
    MarkdownIt("commonmark", {"html": True}),
    MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).use(footnote_plugin),
]
for renderer in RENDERERS:
    # The strictest judge is the renderer that lets every address pass.
    renderer.validateLink = lambda url: True  # type: ignore[method-assign]
ALLOWED = re.compile(r"(https://e\.com/i?|#fn(ref)?1)\Z")


def dangers(html: str) -> list[str]:
    found: list[str] = []
    for element in fragment(html).iter_elements():
        assert isinstance(element, Element)
        if element.tag in (
            "script",
            "style",
            "iframe",
            "svg",
            "math",
            "object",
            "embed",
            "form",
            "input",
            "link",
            "meta",
            "base",
        ):
            found.append(element.tag)
        for name in element.attrs:
            value = element.attr(name) or ""
            if name.startswith("on") or name in ("style", "srcdoc", "action"):
                found.append(f"{element.tag} {name}")
            elif name in ("href", "src") and not ALLOWED.match(value):
                found.append(f"{element.tag} {name}={value}")
    return found


def check(attack: str) -> None:
    for place in PLACES:
        markdown = render_markdown(place.replace("{}", escape(attack)))
        for renderer in RENDERERS:
            assert not dangers(renderer.render(markdown)), markdown


@pytest.mark.parametrize("attack", OWN)
def test_attacks_as_text(attack: str) -> None:
    check(attack)


@pytest.mark.shared
@pytest.mark.parametrize("source", ["bleach", "javascript-execution", "owasp-xss-filter-evasion"])
def test_published_attacks_as_text(shared: Path, source: str) -> None:
    path = shared / "corpora" / "xss" / f"{source}.json"
    if not path.is_file():
        pytest.skip(f"needs {path}")
    for vector in json.loads(path.read_text("utf-8"))["vectors"]:
        check(vector["payload_html"])
