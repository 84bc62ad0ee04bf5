"""The compiled Markdown renderer and the one in Python write the same, to the last character."""

from __future__ import annotations

import random

import pytest

from duramen.dom import fragment
from duramen.native import core
from duramen.options import Output
from duramen.refine.sanitize import sanitize
from duramen.render.compiled import compiled_markdown
from duramen.render.markdown import _Writer, render_markdown

pytestmark = pytest.mark.skipif(core is None, reason="the compiled core was not built here")

TEXTS = (
    "oak", "Oak and elm", " ", "\n", " oak", "elm ", "*", "_a_", "a_b", "_", "`", "``` x", "~", "[x]", "[ ] ", "[1]",
    "[1](", "[^1]", "^[", "[" + "a" * 81 + "]", "]", "\\", "\\*", "\\a", "&lt;b&gt;", "&lt; ", "&amp;amp;",
    "&amp;", "&amp;#1;",
    "$5", "$x$", "$", "#", "# a", "###### ", "####### a", "a #", "1.", "1. a", "12) a", "1234567890. a",
    "1\u0663. a", "-",
    "- a", "--", "+ a", ": a", ":", "===", "= =", "| a |", "|", "&gt; a", "!", "!", "^", "(a)", ":", "☐ task",
    "☑ ", "☒ done",
    "\u00ad", "\u200b ", "&nbsp;", "木", "“木”", "é", "—", "€", "\u0301", "https://a.example/x_y",
    "http://b.example/?a=1", "a:",
    "a?", "a\u00ad_b",
)  # fmt: skip
ATTRIBUTES = {
    "a": (
        'href="https://a.example/x_y"', 'href="http://b.example/?a=1"', 'href="https://a.example/(a)?b=$&amp;amp;c"',
        'href="https://a.example/(((("', 'href="https://a.example/a`b\\"',
        'href="https://a.example/é" title="a &quot;b&quot; [c]"',
        'href="mailto:a@b.example" title=" "',
    ),
    "img": ('src="https://a.example/a.png"', 'src="/a b.png" alt=" a ] *b* $x "', 'src="/b.png" alt="" title="a\nb"'),
    "ol": ("start=7", "start=0", "start=-3", "reversed", "start=999999999"),
    "li": ("id=fn-1", "id=fn-22"),
    "sup": ("data-footnote-ref=3",),
    "section": ("data-footnotes",),
    "blockquote": ("data-callout=note", "data-callout=caution"),
    "td": ("colspan=3", "rowspan=2", "rowspan=0", "colspan=1000 rowspan=1000"),
    "th": ("colspan=2", "scope=row"),
    "code": ("class=language-c++", "class=language-rust"),
}  # fmt: skip
INLINE = (
    "a a b strong em i del s sub sup sup u ins mark kbd q code code samp span cite ruby rt rp br img wbr dfn var"
).split()
BLOCKS = (
    "p p p h1 h3 h6 ul ol li li li dl dt dd dd blockquote pre hr figure figcaption div section table caption tr td th"
    " thead tbody colgroup col details summary details summary"
).split()


def random_content(seed: int) -> str:
    """Sanitized HTML of blocks, inline elements and texts that mean something to Markdown."""
    rng = random.Random(seed)
    some = rng.sample(BLOCKS, rng.randrange(2, 9)) + rng.sample(INLINE, rng.randrange(2, 9))
    out: list[str] = []
    opened: list[str] = []
    for _ in range(rng.randrange(3, 90)):
        choice = rng.random()
        if choice < 0.4:
            out.append(rng.choice(TEXTS))
        elif choice < 0.6 and opened:
            out.append(f"</{opened.pop()}>")
        else:
            tag = rng.choice(some)
            given = rng.choice(ATTRIBUTES.get(tag, ("",))) if rng.random() < 0.8 else ""
            out.append(f"<{tag} {given}>")
            if tag not in ("br", "img", "hr", "wbr", "col"):
                opened.append(tag)
    return sanitize(fragment("".join(out)), Output(keep_classes=seed % 5 == 0))


@pytest.mark.parametrize("part", range(20))
def test_random_content(part: int) -> None:
    written = 0
    for seed in range(part * 100, part * 100 + 100):
        html = random_content(seed)
        markdown = compiled_markdown(html)
        if markdown is not None:
            written += 1
            assert markdown == _Writer(html).write(fragment(html)), seed
    assert written > 60


def test_tables_as_html() -> None:
    cells = "<td><ul><li>{}</li></ul></td><td><pre><code class='language-c'>{}</code></pre></td>"
    for seed in range(200):
        texts = random.Random(seed).choices((*TEXTS, "<br>", "\n\n", "\"'", "<img src='/a.png' alt='\"a\"  b'>"), k=6)
        rows = "".join(f"<tr>{cells.format(*texts[k : k + 2])}</tr>" for k in (0, 2, 4))
        html = sanitize(fragment(f"<ol><li><table>{rows}</table>x<li>y</ol>"), Output())
        assert compiled_markdown(html) == _Writer(html).write(fragment(html)), seed


def test_deep_content() -> None:
    for tag in ("ul", "blockquote", "dl", "em", "div"):
        item = {"ul": "<li>", "dl": "<dt>a</dt><dd>"}.get(tag, "")
        html = sanitize(fragment(f"<{tag}>{item}x" * 300), Output())
        assert compiled_markdown(html) == _Writer(html).write(fragment(html))


def test_wide_tables() -> None:
    rows = '<tr><td colspan="100" rowspan="100">a</td><td rowspan="3">b</td></tr>' * 40
    html = f"<table><thead><tr><th>A</th></tr></thead><tbody>{rows}</tbody></table>"
    assert compiled_markdown(html) == _Writer(html).write(fragment(html))


@pytest.mark.parametrize(
    "html",
    [
        "<p>a",
        "<p>a</div>",
        "<p hidden>a</p>",
        "<p>&#39;</p>",
        "<p>a\rb</p>",
        "<p>a\x00</p>",
        "<svg></svg>",
        "<!-- a -->",
        '<p><span data-math="inline">x</span></p>',
        '<ol reversed=""><li>a</li></ol>',
        "<p>a\ud800</p>",
    ],
)
def test_what_is_left_to_python(html: str) -> None:
    assert compiled_markdown(html) is None
    assert render_markdown(html) == _Writer(html).write(fragment(html))
