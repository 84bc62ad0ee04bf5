"""HTML written as Markdown and read by a CommonMark renderer is the same document; so is its text."""

from __future__ import annotations

import re
import time
from html import escape, unescape
from urllib.parse import unquote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from duramen.dom import fragment
from duramen.render import render_markdown, render_text

from .documents import PLAIN, RICH, describe, shown, spoken, visible

SNIPPETS = [
    *"a b word Ärger 漢字 「引用」 é́ 🙂 x_y_z __init__ *args **kw** _a_ `code` ``` ~~~ ~~gone~~".split(),
    *"<b> <script> </div> <!-- --> ]]> <javascript:alert(1)> <a@b.c> [x](javascript:alert(1))".split(),
    *"[x] [ ] [1] [^1] [^1]: [!NOTE] ![ ![a](b) ](c) ]( [a]: [a][b] a|b %20 1986. +++".split(),
    *"&amp; &lt;b&gt; &#35; &copy & && # ## 1. 2) 10. - -- --- + * *** _ ___ = === > >> | ||".split(),
    *"|-| :-: : :: ! ^ $ $5 $x$ $$ \\ \\\\ \\* a\\ C:\\dir 'q' \"q\" (p) {b}".split(),
    *"http://e.com/a_b_c?x=1&amp=2 www.e.com".split(),
    "# heading",
    "- item",
    "1. item",
    "> quote",
    "    four spaces",
    "[ ] task",
    "[x] task",
    "a | b",
    "--- | ---",
    "<img src=x onerror=alert(1)>",
    '[x]: javascript:alert(1) "t"',
]
URLS = [
    "https://e.com/",
    "https://e.com/a_b*c",
    "https://e.com/a(b)c",
    "https://e.com/a(b",
    "https://e.com/a)b",
    "https://e.com/((((a))))",
    "https://e.com/a b",
    "https://e.com/?q=[x]&copy;=1&amp=2",
    "https://e.com/a|b`c`",
    'https://e.com/"q"\'<x>',
    "https://e.com/$a$\\b",
    "mailto:a@e.com",
]
# How many examples, and whether always the same, is for the profiles in conftest.py to say.
RELAXED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])

glyphs = st.text(alphabet="ab1 *_`~[]()<>#&$|\\!^-+.:=;'\"é漢「。\u00a0\u200b", min_size=1, max_size=6)
words = st.lists(st.sampled_from(SNIPPETS) | glyphs, min_size=1, max_size=4)
text = st.builds(lambda parts, glue: glue.join(parts), words, st.sampled_from(["", " ", " \n "])).filter(
    lambda s: bool(s.replace("\u200b", "").strip())
)
code_lines = st.text(alphabet="ab \t`~<>&\\|$#*[]()\n{}é", min_size=1, max_size=30).filter(lambda s: bool(s.strip()))
escaped = text.map(escape)
code = text.map(lambda s: f"<code>{escape(s)}</code>")
image = st.builds(
    lambda src, alt, title: f'<img src="{escape(src)}" alt="{escape(alt)}" title="{escape(title)}">',
    st.sampled_from(URLS),
    text | st.just(""),
    text | st.just(""),
)


def wrapped(tags: list[str], inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(lambda tag, content: f"<{tag}>{content}</{tag}>", st.sampled_from(tags), inner)


def run(inner: st.SearchStrategy[str], size: int = 4) -> st.SearchStrategy[str]:
    return st.builds(
        lambda parts, glue: glue.join(parts), st.lists(inner, min_size=1, max_size=size), st.sampled_from(["", " "])
    )


FORMATS = ["strong", "b", "em", "i", "del", "s", "sub", "sup", "u", "mark", "kbd", "span"]
unlinked = st.recursive(escaped | code, lambda inner: wrapped(FORMATS, run(inner)), max_leaves=5)
link = st.builds(
    lambda href, title, content: f'<a href="{escape(href)}"{title}>{content}</a>',
    st.sampled_from(URLS),
    st.just("") | text.map(lambda s: f' title="{escape(s)}"'),
    run(unlinked, 2) | image,
) | st.sampled_from(URLS[:2]).map(lambda url: f'<a href="{url}">{url}</a>')
inline = st.recursive(escaped | code | link | image, lambda inner: wrapped(FORMATS, run(inner)), max_leaves=5)
line = run(inline)
lines = st.lists(line, min_size=1, max_size=3).map("<br>".join)

paragraph = lines.map(lambda s: f"<p>{s}</p>")
heading = st.builds(lambda level, s: f"<h{level}>{s}</h{level}>", st.integers(1, 6), line)
pre = st.builds(
    lambda language, s: f"<pre><code{language}>{escape(s, quote=False)}</code></pre>",
    st.sampled_from(["", ' class="language-rust"', ' class="language-c++"']),
    code_lines,
)
cell = st.builds(
    lambda tag, s: f"<{tag}>{s}</{tag}>", st.sampled_from(["td", "td", "th"]), lines | paragraph | st.just("")
)
row = st.lists(cell, min_size=1, max_size=3).map(lambda cells: f"<tr>{''.join(cells)}</tr>")
table = st.lists(row, min_size=1, max_size=3).map(lambda rows: f"<table><tbody>{''.join(rows)}</tbody></table>")
figure = st.builds(lambda i, s: f"<figure>{i}<figcaption>{s}</figcaption></figure>", image, line)
leaf = paragraph | heading | pre | table | figure | st.just("<hr>")


def list_of(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    item = st.builds(
        lambda head, rest: f"<li>{head}{''.join(rest)}</li>", lines | paragraph | inner, st.lists(inner, max_size=2)
    )
    items = st.lists(item, min_size=1, max_size=3).map("".join)
    return st.builds(
        lambda opening, content: f"<{opening}>{content}</{opening[:2]}>",
        st.sampled_from(["ul", "ol", 'ol start="7"', 'ol start="0"']),
        items,
    )


def nest(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    content = st.lists(inner, min_size=1, max_size=3).map("".join)
    callout = st.builds(
        lambda kind, s: f'<blockquote data-callout="{kind}">{s}</blockquote>',
        st.sampled_from(["note", "tip", "important", "warning", "caution"]),
        content,
    )
    details = st.builds(lambda s, c: f"<details><summary>{s}</summary>{c}</details>", line, content)
    mixed = st.builds(
        lambda c, s: f"<table><tbody><tr><td>{c}</td><td>{s}</td></tr></tbody></table>", list_of(pre | paragraph), line
    )
    return list_of(inner) | wrapped(["blockquote"], content) | callout | details | mixed | wrapped(["div"], content)


block = st.recursive(leaf, nest, max_leaves=8)
documents = st.lists(block, min_size=1, max_size=5).map("".join)


@RELAXED
@given(documents)
def test_html_text_and_markdown_agree(html: str) -> None:
    before = describe(html)
    markdown = render_markdown(html)
    assert describe(RICH.render(markdown)) == before, markdown

    # Without extensions dollars are only dollars, and nothing else may change.
    plain = describe(PLAIN.render(markdown))
    assert (plain.words, plain.links, plain.images) == (before.words, before.links, before.images), markdown

    assert spoken(render_text(html)) == spoken("".join(shown(fragment(html))))


@RELAXED
@given(st.lists(st.tuples(line, lines, st.lists(block, max_size=2)), min_size=1, max_size=4))
def test_terms_and_descriptions_keep_their_words(groups: list[tuple[str, str, list[str]]]) -> None:
    html = "".join(f"<dt>{term}</dt><dd>{first}</dd><dd>{''.join(rest)}</dd>" for term, first, rest in groups)
    html = f"<dl>{html}</dl>"
    before, after = describe(html), describe(RICH.render(render_markdown(html)))
    assert spoken(" ".join(after.words)) == spoken(" ".join(before.words))
    assert (after.links, after.images, after.code, after.rows) == (
        before.links,
        before.images,
        before.code,
        before.rows,
    )


FORMULAS = [
    "x",
    "a_1^2",
    "\\frac{1}{2}",
    "a*b*c",
    "[x](y)",
    "a<b>c",
    "|x|",
    "\\text{$x$}",
    "`",
    "a \\\\ b",
    "a\\",
    "%c\nd",
    "&amp;",
    "1",
]


@RELAXED
@given(
    st.lists(
        st.tuples(line, st.sampled_from(FORMULAS), st.sampled_from(["inline", "display"]), lines),
        min_size=1,
        max_size=3,
    )
)
def test_notes_and_mathematics_keep_their_words(pieces: list[tuple[str, str, str, str]]) -> None:
    body, notes = "", ""
    for number, (sentence, formula, kind, note) in enumerate(pieces, 1):
        reference = f'<sup data-footnote-ref="{number}"><a href="#fn-{number}">{number}</a></sup>'
        body += f'<p>{sentence}{reference} <span data-math="{kind}">{escape(formula)}</span> {sentence}</p>'
        notes += f'<li id="fn-{number}">{note}</li>'
    markdown = render_markdown(f"{body}<section data-footnotes><ol>{notes}</ol></section>")
    root = fragment(RICH.render(markdown))
    items = [item for item in root.iter_elements("li") if item.attr("class") == "footnote-item"]
    assert len(items) == len(pieces), markdown
    back = [spoken(visible(item).replace("↩︎", "")) for item in items]
    assert back == [spoken(visible(fragment(note))) for *_, note in pieces], markdown
    wanted = {url for *_, url in re.findall(r'(href|src)="([^"#][^"]*)"', fragment(f"{body}{notes}").inner_html)}
    for renderer in (PLAIN, RICH):
        found = fragment(renderer.render(markdown)).iter_elements(("a", "img"))
        addresses = {unquote(url) for a in found if (url := a.attr("href" if a.tag == "a" else "src"))}
        assert {a for a in addresses if not a.startswith("#fn")} <= {unquote(unescape(url)) for url in wanted}, markdown


@pytest.mark.parametrize(
    "opening", ["<div>", "<blockquote>", "<ul><li>", "<blockquote><ol><li>a", "<b><i><u>", "<dl><dd>"]
)
def test_depth_changes_no_words(opening: str) -> None:
    html = f"{opening * 200}<p>one <b>two</b></p><pre>three\n  four</pre><table><tr><td>five</td></tr></table>"
    words = spoken("".join(shown(fragment(html))))
    assert spoken(" ".join(describe(RICH.render(render_markdown(html))).words)) == words
    assert spoken(render_text(html)) == words


def test_fifty_thousand_nodes() -> None:
    html = "<h2>a</h2><p>b <em>c</em> <a href='https://e.com/'>d</a></p><ul><li>e<ul><li>f</li></ul></li></ul>" * 4000
    start = time.process_time()
    assert render_markdown(html).count("## a") == 4000
    assert render_text(html).count("b c d") == 4000
    assert time.process_time() - start < 10
