"""The change test of elements.toml: without one entry of a row, a draft made for it comes out differently."""

# ruff: noqa: E501 (a draft reads better unbroken)

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest

import duramen.refine.compose
import duramen.refine.standardize
from duramen import tables
from duramen.blocks import segment
from duramen.dom import fragment
from duramen.flatten import parse_tree
from duramen.options import Output

BASE = "https://example.org/docs/page"
ROWS: dict[str, Mapping[str, Any]] = {row["id"]: row for row in tables.load("elements.toml")["row"]}
CODE = "<pre>let x = 1;</pre>"
NOTE = '<p>A<sup><a href="#n1">1</a></sup></p>'

DRAFTS = {
    # The entry that is taken out, and a draft that has it.
    "role-aside": ("sr-only", '<p>a<span class="sr-only">new window</span></p>'),
    "role-control": ("mw-editsection", '<h2>Oaks<span class="mw-editsection">edit</span></h2>'),
    "role-permalink": ("headerlink", '<p>Oaks<a class="headerlink" href="#x">¶</a></p>'),
    "role-mermaid": ("mermaid", '<div class="mermaid">graph TD</div>'),
    "role-math": ("arithmatex", r'<p><span class="arithmatex">\(x\)</span></p>'),
    "role-footnotes": ("endnotes", f'{NOTE}<div class="endnotes"><p id="n1">x</p></div>'),
    "role-callout": ("admonition", '<div class="admonition"><p>a</p></div>'),
    "role-embed": ("wp-block-embed__wrapper", '<div class="wp-block-embed__wrapper">https://youtu.be/abcdefg</div>'),
    "code-gutter": ("lineno", '<pre><i class="lineno">1</i>a</pre>'),
    "code-tools": ("copybtn", '<pre>a<i class="copybtn">Copy</i></pre>'),
    "code-tool-prefixes": ("buttongroup", '<pre>a<i class="buttongroup_x1">Copy</i></pre>'),
    "code-line": ("code-line", '<pre><span class="code-line">a</span><span class="code-line">b</span></pre>'),
    "code-not-line": ("token", '<pre><span class="token line">a</span><span class="token line">b</span></pre>'),
    "code-empty-line": ("nextra-code", '<div class="nextra-code"><pre><span>a</span>\n<span> </span>\n<b>b</b></pre></div>'),
    "code-editor-line": ("cm-line", '<div class="cm-editor"><div class="cm-line">a</div><div class="cm-line">b</div></div>'),
    "code-header": ("codeheader", f'<div class="codeheader">Example</div>{CODE}'),
    "code-cell": (
        "rouge-code",
        '<table class="language-own"><tr><td class="gutter"><pre>1</pre></td><td class="rouge-code"><pre>a</pre></td></tr></table>',
    ),
    "code-numbered-cell": (
        "lntd",
        '<table class="language-own"><tr><td class="lntd"><pre>a</pre></td><td class="lntd"><pre><span class="lnt">1</span></pre></td></tr></table>',
    ),
    "code-diff-line": (
        "ec-line",
        '<pre class="language-diff"><div class="ec-line ins">a</div><div class="ec-line del">b</div></pre>',
    ),
    "code-language-label": (
        "crayon-language",
        '<div class="crayon-syntax"><span class="crayon-language">Python</span><div class="crayon-line">a</div></div>',
    ),
    "code-title": ("code-caption", f'<p>x</p><div><b class="code-caption">main.py</b>{CODE}</div>'),
    "code-title-attributes": (
        "data-rehype-pretty-code-",
        f'<p>x</p><div><b data-rehype-pretty-code-title="">main.py</b>{CODE}</div>',
    ),
    "language": ("rust", '<pre class="hljs rust">a</pre>'),
    "language-none": ("plaintext", '<pre class="language-plaintext">a</pre>'),
    "language-prefixes": ("language", '<pre class="language-rust">a</pre>'),
    "language-attributes": ("data-lang", '<pre data-lang="rust">a</pre>'),
    "language-beside": ("hljs", '<pre class="hljs rust">a</pre>'),
    "language-not": ("wrapper", '<pre class="highlight-wrapper">a</pre>'),
    "language-scopes": ("gfm -> markdown", '<pre class="highlight-source-gfm">a</pre>'),
    "math-wrapper": ("katex", '<p><span class="katex"><math><mi>x</mi></math><b>x</b></span></p>'),
    "math-wrapper-tags": ("mjx-container", "<p><mjx-container><math><mi>x</mi></math><b>x</b></mjx-container></p>"),
    "math-display": ("katex-display", '<span class="katex-display"><math><mi>x</mi></math></span>'),
    "math-drawn": ("mathjax_preview", '<p><b class="MathJax_Preview">x</b><script type="math/tex">x</script></p>'),
    "math-picture": ("latex", r'<p><img class="latex" src="/a.png" alt="\frac12"></p>'),
    "math-delimited": ("arithmatex", r'<p><span class="arithmatex">\(x\)</span></p>'),
    "note-reference": ("fn", '<p>A<a class="fn" href="#x1">1</a></p><div class="footnotes"><p id="x1">x</p></div>'),
    "note-back": ("footnote-back", f'{NOTE}<div class="footnotes"><p id="n1">x <a class="footnote-back" href="/y">up</a></p></div>'),
    "note-ids": ("endnote", '<p>A<a href="#endnote-1">1</a></p><p id="endnote-1">x</p>'),
    "note-id-prefixes": ("user-content-", '<p>A<a href="#user-content-fn-1">1</a></p><p id="user-content-fn-1">x</p>'),
    "note-back-words": ("zurück", f'{NOTE}<div class="footnotes"><p id="n1">x <a href="#y">zurück</a></p></div>'),
    "note-label": ("backrefs", f'{NOTE}<div class="footnotes"><p id="n1"><span class="backrefs">a b</span> x</p></div>'),
    "callout-note": ("seealso", '<div class="callout seealso"><p>a</p></div>'),
    "callout-tip": ("hint", '<div class="callout hint"><p>a</p></div>'),
    "callout-important": ("important", '<div class="callout important"><p>a</p></div>'),
    "callout-warning": ("warning", '<div class="callout warning"><p>a</p></div>'),
    "callout-caution": ("danger", '<div class="callout danger"><p>a</p></div>'),
    "callout-prefixes": ("callout-", '<div class="callout callout-tip"><p>a</p></div>'),
    "callout-colours": ("red- -> caution", '<div class="nextra-callout nx-bg-red-100"><p>a</p></div>'),
    "callout-coloured": ("nextra-callout", '<div class="nextra-callout nx-bg-red-100"><p>a</p></div>'),
    "callout-sure": ("theme-admonition", '<div class="theme-admonition tip a b"><p>a</p></div>'),
    "callout-teaser": ("callout", '<div class="callout"><p>a</p></div>'),
    "callout-message": ("alert", '<div class="alert tip"><p>Oak heartwood is hard and dark.</p></div>'),
    "callout-table": (
        "admonitionblock",
        '<div class="admonitionblock note"><table><tr><td>i</td><td class="content">a</td></tr><tr><td>b</td><td>c</td></tr></table></div>',
    ),
    "callout-title": ("callout-header", '<div class="admonition"><p class="callout-header">Oaks</p><p>a</p></div>'),
    "callout-icon": ("icon", '<div class="admonition"><p>a</p><span class="icon">i</span></div>'),
    "callout-words": ("hinweis", '<div class="admonition"><p>Hinweis</p><p>a</p></div>'),
    "image-lazy": ("data-original", '<p><img src="/a.jpg" data-original="/b.jpg"></p>'),
    "image-lazy-sets": ("data-lazy-srcset", '<p><img src="/a.jpg" data-lazy-srcset="/b.jpg 2x"></p>'),
    "image-placeholder": ("spacer", '<p>a<img src="/spacer.gif"></p>'),
    "image-ornament": ("avatar", '<p>a<img class="avatar" src="/a.jpg"></p>'),
    "image-emoji": ("wp-smiley", '<p>a<img class="wp-smiley" src="/a.jpg" alt=":)"></p>'),
    "permalink-words": ("copy link", '<h2>Oaks <a href="/x">Copy link</a></h2>'),
    "permalink-around": ("header", '<h2><a class="header" href="/x">Oaks</a></h2>'),
    "table-data": ("wikitable", f'<table class="wikitable"><tr><td>a</td><td>{"Oak. " * 100}</td></tr></table>'),
    "embed-tags": ("lite-youtube", '<lite-youtube videoid="abcdefg">a</lite-youtube>'),
    "embed-sources": ("data-litespeed-src", '<iframe data-litespeed-src="/film" title="A film"></iframe>'),
    "embed-titles": ("aria-label", '<iframe src="/film" aria-label="A film"></iframe>'),
    "embed-not-content": ("taboola", '<iframe src="https://taboola.example/x" title="A film"></iframe>'),
    "embed-advertisement": (r"advert\w*", '<iframe src="/film" title="Advertisement 1"></iframe>'),
    "embed-sites": ("spotify", '<iframe src="/film" title="Spotify player"></iframe>'),
    "embed-kinds": ("widget", '<iframe src="/film" title="Widget"></iframe>'),
    "embed-path": (
        r"youtu\.be/([\w-]{6,}) -> https://www.youtube.com/watch?v={0}",
        '<iframe src="https://youtu.be/abcdefg" title="A film"></iframe>',
    ),
    "embed-query": (
        "player.twitch.tv channel -> https://www.twitch.tv/{0}",
        '<iframe src="https://player.twitch.tv/?channel=oaks" title="A film"></iframe>',
    ),
    "embed-attribute": (
        "amp-vimeo data-videoid -> https://vimeo.com/{0}",
        '<amp-vimeo data-videoid="1234"></amp-vimeo>',
    ),
    "embed-post": (
        "youtube-player data-id -> https://www.youtube.com/watch?v={0}",
        '<div class="youtube-player" data-id="abcdefg">a</div>',
    ),
    "embed-post-text": ("tiktok-embed", f'<section class="tiktok-embed" cite="https://t.example/a"><p>{"Oak " * 20}</p></section>'),
}  # fmt: skip
PAGES = {
    "thread": ("posts", '<ol class="posts"><li>Oak.</li><li>Elm.</li></ol>'),
    "math-tag-prefixes": ("mjx-", "<p>Oak <mjx-container>x</mjx-container></p>"),
}


original = cache(tables.load)
READERS = ("duramen.refine.elements", "duramen.refine.standardize", "duramen.refine.compose")


@contextmanager
def rows_changed(monkeypatch: pytest.MonkeyPatch, row_id: str, entry: str) -> Iterator[None]:
    """The modules that read the rows, imported anew with one entry missing; the others come back afterwards."""

    def changed(name: str) -> Mapping[str, Any]:
        data = dict(original(name))
        if name == "elements.toml":
            data["row"] = [without(row, entry) if row["id"] == row_id else row for row in data["row"]]
        return data

    with monkeypatch.context() as patch:
        for name in [name for name in sys.modules if name.startswith(READERS)]:
            patch.delitem(sys.modules, name)
        for module in ("standardize", "compose", "elements"):
            patch.setattr(duramen.refine, module, getattr(duramen.refine, module))
        patch.setattr(tables, "load", changed)
        yield
        for name in [name for name in sys.modules if name.startswith(READERS)]:
            del sys.modules[name]


def without(row: Mapping[str, Any], entry: str) -> dict[str, Any]:
    """A row that lacks an entry."""
    changed = dict(row)
    kind, separator, glue = next(
        k for k in (("words", None, " "), ("phrases", ";", ";"), ("pairs", "\n", "\n")) if k[0] in row
    )
    entries = [" ".join(part.split()) for part in row[kind].split(separator)]
    assert entry in entries, f"{row['id']} has no {entry!r}"
    changed[kind] = glue.join(part for part in entries if part and part != entry) or "no-such-entry -> x"
    return changed


def canonical(html: str) -> str:
    standardize = importlib.import_module("duramen.refine.standardize").standardize
    root = fragment(html)
    standardize(root, BASE, Output())
    return str(root.inner_html)


def composed(body: str) -> str:
    compose = importlib.import_module("duramen.refine.compose").compose
    tree = parse_tree(f"<body>{body}")
    blocks = segment(tree)
    return str(compose(tree, blocks, [True] * len(blocks), set(), 200), "utf-8")


@pytest.mark.parametrize("row_id", [*DRAFTS, *PAGES])
def test_without_an_entry_the_output_changes(row_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    entry, html = (DRAFTS | PAGES)[row_id]
    make = composed if row_id in PAGES else canonical
    before = make(html)
    with rows_changed(monkeypatch, row_id, entry):
        after = make(html)
    assert before != after
    assert make(html) == before


def test_every_row_is_covered() -> None:
    assert set(ROWS) == {*DRAFTS, *PAGES}


def test_every_row_has_a_reason_and_one_kind_of_entries() -> None:
    for row in ROWS.values():
        assert row["reason"] and len(row.keys() & {"words", "phrases", "pairs"}) == 1, row["id"]
