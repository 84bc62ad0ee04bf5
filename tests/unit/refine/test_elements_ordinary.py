"""Ordinary drafts become the same in the compiled core, which does not parse them, as through the steps in Python."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from duramen.dom import fragment
from duramen.native import core
from duramen.options import Output
from duramen.refine.elements.compiled import _ORDINARY, compiled_draft
from duramen.refine.elements.survey import ROLES
from duramen.refine.sanitize import as_text
from duramen.refine.standardize import canonical_html, standardize

pytestmark = pytest.mark.skipif(core is None, reason="the compiled core was not built here")

BASE = "https://a.example/b/c"
TEXTS = (
    "oak", " ", "\n", " oak", "elm \n", "Oak, elm and ash.", "&nbsp;", "\u200b", "&amp;nbsp;", "é\u2003", "木",
    "&lt;b&gt;", "¶", "#", "Permalink", "Please allow JavaScript.", "1", "[2]", "Tree " * 12, "<br>", "<br><br>",
    "<wbr>", "<hr>",
    "a\nb",
)  # fmt: skip
SIZES = ("", "1", "0", "24", "640", " 30px", "100%", "12.5", "x")
ADDRESSES = (
    "https://a.example/oak.jpg", "/oak.png", "//b.example/o.webp?a=1&amp;b=2", "oak.gif", "/img/blank.gif", "#top", "",
    "#fn-1", "https://a.example/b/c#fn1", "mailto:a@b.example", "javascript:x", "data:image/gif;base64,AA",
    "/a b", "/é",
    "../up", "/a/../b", "http://[bad", "/a&nbsp;b", "https://b.example/&quot;x&quot;", "?q=1", "#", "/\\x",
)  # fmt: skip
SETS = ("/a-300.jpg 300w, /a-900.jpg 900w", "/s.png 1x, /t.png 2x", "/blank.gif 1x", "")
CLASSES = (
    "a b", "header", "Wikitable x", "sr-only", "[&amp;>p]:m", "É", "emoji", "icon avatar", "anchor", "note", "K", "",
)  # fmt: skip


def attributes(rng: random.Random, tag: str) -> str:
    """Attributes that some step looks at, among others."""
    names: dict[str, Sequence[str]] = {
        "class": CLASSES if rng.random() < 0.9 else sorted(ROLES),
        "id": ("x",),
        "title": ("", "oak", "é 木"),
    }
    if tag == "a":
        names |= {"href": ADDRESSES, "role": ("doc-noteref", "button"), "href ": ADDRESSES}
    elif tag in ("img", "source"):
        names |= dict.fromkeys(("src", "data-src", "data-x", "src "), ADDRESSES) | {"width": SIZES, "height": SIZES}
        names |= {"alt": ("", "oak", "An oak in a wood, seen from far away", "&nbsp; x"), "srcset": SETS}
        names |= {"data-srcset": SETS, "style": ("width: 20px; height:10px", "")}
    elif tag in ("iframe", "video", "audio"):
        names |= {
            "src": (*ADDRESSES, "https://www.youtube.com/embed/abcdef123"),
            "title": ("", "A film", "video player", "Ad"),
        }
        names |= {"autoplay": ("",), "muted": ("",), "data-src": ADDRESSES}
    elif tag == "input":
        names |= {"type": ("checkbox", "Checkbox", "text", "chec\u212abox"), "checked": ("",)}
    elif tag in ("table", "td", "th"):
        names |= {
            "colspan": SIZES,
            "rowspan": SIZES,
            "border": ("0", "1"),
            "bgcolor": ("red",),
            "role": ("none", "row"),
        }
    elif rng.random() < 0.02:
        names |= {
            "data-math": ("inline",),
            "data-callout": ("tip",),
            "data-footnotes": ("",),
            "data-footnote-ref": ("1",),
        }
    chosen = rng.sample(sorted(names), min(len(names), rng.choice((0, 0, 1, 2, 4))))
    return "".join(f' {name.strip()}="{rng.choice(names[name])}"' for name in chosen)


def random_draft(seed: int) -> str:
    """Any ordinary elements, as the parser writes them."""
    rng = random.Random(seed)
    tags = [
        *rng.sample(sorted(_ORDINARY), rng.randrange(2, 8)),
        "div",
        "p",
        "a",
        "a",
        "img",
        "img",
        "h2",
        "span",
        "ul",
        "li",
    ]
    tags += ["table", "tr", "td"] * rng.choice((0, 0, 2)) + ["picture", "source"] * rng.choice((0, 0, 1))
    tags += ["noscript", "video", "iframe", "input"] * rng.choice((0, 0, 1))
    out: list[str] = []
    opened: list[str] = []
    for _ in range(rng.randrange(3, 60)):
        choice = rng.random()
        if choice < 0.35:
            out.append(rng.choice(TEXTS))
        elif choice < 0.6 and opened:
            out.append(f"</{opened.pop()}>")
        else:
            tag = rng.choice(tags)
            out.append(f"<{tag}{attributes(rng, tag)}>")
            opened.append(tag)
    return fragment("".join(out)).inner_html


def in_python(draft: str, base_url: str | None, output: Output) -> str:
    root = fragment(draft)
    standardize(root, base_url, output)
    return root.inner_html


@pytest.mark.parametrize("part", range(20))
def test_random_drafts(part: int) -> None:
    read = 0
    for seed in range(part * 200, part * 200 + 200):
        draft, base_url = random_draft(seed), (BASE, None, "about:blank")[seed % 3]
        output = Output(links=seed % 8 > 0, images=seed % 7 > 0)
        html = compiled_draft(draft, base_url, output)
        if html is not None:
            read += 1
            assert html.decode() == in_python(draft, base_url, output), seed
    assert read > 50


IMAGE: dict[str, Sequence[str]] = {
    "src": (
        "https://a.example/oak.jpg", "/oak.png", "/img/blank.gif", "/a/x-Lazy.PNG?v=1", "/default-image.webp#x",
        "/image.svg", "/1x1.jpeg", "https://a.example/dot.gif.php", "data:image/gif;base64,A", "oak.jpg",
        "//b.example/o.png",
        " /oak.png", "", "/é.png", "/spacer.gif?a=1&amp;b=2", "/my&amp;blank.gif", "https://a.example/clear.gif/oak.png",
    ),
    "srcset": (
        "/a.jpg 300w, /b.jpg 900.5w,/c.jpg 2400w", "/a.jpg, /b.jpg 2x", "/a.jpg,/b.jpg 2x", "/a.jpg 5x, /b.jpg 4x", ",",
        " /a.jpg 12.34.5w , /b.jpg 34.4w", "/w_1,h_2/a.jpg 3w, /b.jpg 2w,", "/blank.gif 2x, /a.jpg 1x", "",
        "/a\u2003.jpg 1x",
        "/a.jpg 1.5x, /b.jpg 1.50x, /c.jpg 3x", "/a.jpg?b=1&amp;c=2 9w", "/a.jpg 300.x, /b.jpg", "a.jpg 9w",
        "/a.jpg&nbsp;9w",
    ),
    "alt": ("", "oak", " An\noak ", "&nbsp;", "a &amp; b", "An oak in a wood, seen from far away", "\u200b"),
    "title": ("", "oak", "An oak", "&quot;oak&quot;", " x\ty "),
    "width": ("", "0", "1", "2", "3", "24", "640", "640px", " 640 px ", "100%", "12.5", "12.", "123456", "5&lt;", "٣"),
    "height": ("", "2", "24", "33", "480", "auto", "48.0px"),
    "style": (
        "width:20px;height:10px", "WIDTH : 1px", "max-width:1px", "width:1px", "height:9999999px;",
        "a:&quot; width:1px",
        ";\nwidth:40px;width:50px ", "width:1em", "width:é;height:1px",
    ),
    "class": ("", "a b", "emoji", "Icon x", "avatar\tlogo", "blank", "data-src"),
    "id": ("x", "&amp;"),
    "data-src": ("/lazy.jpg", ""),
    "data-x": ("/x.jpg",),
    "loading": ("lazy",),
}  # fmt: skip


@pytest.mark.parametrize("part", range(10))
def test_random_images(part: int) -> None:
    """By themselves, in links and in pictures: most are described by the core, others are asked of Python."""
    for seed in range(part * 400, part * 400 + 400):
        rng = random.Random(seed)
        names = rng.sample([name for name in IMAGE if name != "data-src" or seed % 4 == 0], rng.randrange(1, 8))
        image = "<img" + "".join(f' {name}="{rng.choice(IMAGE[name])}"' for name in names) + ">"
        around = ("{}", '<a href="/oak.jpg">{}</a>', '<picture><source srcset="/s.webp 2x">{}</picture>', "<p>a{}b</p>")
        draft = fragment(rng.choice(around).format(image) + rng.choice(("", "<p>oak</p>"))).inner_html
        base_url = rng.choice((BASE, None, "about:blank"))
        html = compiled_draft(draft, base_url, Output())
        assert html is not None
        assert html.decode() == in_python(draft, base_url, Output()), draft


CODE_TAGS = (
    "div", "div", "figure", "span", "p", "code", "section", "td", "b", "a", "mark", "li", "font", "center", "h4", "sub",
    "figcaption", "noscript",
)  # fmt: skip
CODE_NAMES = (
    "highlight", "language-rust", "lang-en", "hljs python", "sourceCode", "brush: js", "Language-Text", "line",
    "token line", "line-numbers", "linenos", "copy-btn", "toolbar", "nextra-code", "code-header", "code-title",
    "filename", "code", "note", "x",
    "highlight-source-shell", "highlight-box", "buttongroup-x", "sr-only", "headerlink", "shiki diff", "language-diff",
    "lntd", "lntd", "lnt", "rouge-code", "code-caption", "code-block-caption", "a_Title", "CodeBlockTitle__x", "titled",
    "x-file-name",
)  # fmt: skip
CODE_ATTRIBUTES = (
    ' lang="de"', ' data-lang="C++"', ' data-line=""', ' id="x"', ' href="/a"',
    ' data-rehype-pretty-code-title=""',
)  # fmt: skip
CODE_TEXTS = (
    "let x;", "\n", " ", "  \n\n", "a\nb\n", "\n\nc", "&nbsp;", "\u200b", "é 木", "&lt;b&gt;", "Label", "word " * 14,
    "word " * 70, "<br>", "[!NOTE]", "", "", "<wbr>", "\n", "\n", "a = {b};", '<img src="/a.jpg">', "<input>",
    '<table><tr><td class="lntd"><pre><span class="lnt">1\n2</span></pre></td><td class="lntd"><pre>a\nb</pre></td>'
    "</tr></table>",
    '<table class="rouge-code"><tr><td><pre>c</pre></td></tr></table>',
)  # fmt: skip


@pytest.mark.parametrize("part", range(20))
def test_random_code(part: int) -> None:
    """Blocks of code in frames, beside labels, titles and text."""
    read = 0
    for seed in range(part * 300, part * 300 + 300):
        rng = random.Random(seed)
        names = rng.sample(CODE_NAMES, 6)
        out: list[str] = []
        opened: list[str] = []
        for _ in range(rng.randrange(4, 30)):
            choice = rng.random()
            if choice < 0.4:
                out.append(rng.choice(CODE_TEXTS))
            elif choice < 0.65 and opened:
                out.append(f"</{opened.pop()}>")
            else:
                tag = "pre" if rng.random() < 0.3 else rng.choice(CODE_TAGS)
                attrs = f' class="{rng.choice(names)}"' if rng.random() < 0.3 else ""
                attrs += rng.choice(("", "", "", "", *CODE_ATTRIBUTES))
                out.append(f"<{tag}{attrs}>")
                opened.append(tag)
        draft = fragment("".join(out)).inner_html
        html = compiled_draft(draft, BASE, Output())
        if html is not None:
            read += 1
            assert html.decode() == in_python(draft, BASE, Output()), draft
    assert read > 50


BOX_NAMES = (
    "admonition", "admonition note", "note", "tip x", "callout", "callout-warning", "alert alert-info",
    "alert dismissible", "hint", "custom-block danger", "nextra-callout red-100", "info x y", "notices caution",
    "markdown-alert",
)  # fmt: skip
BOX_PARTS = ("admonition-title", "title", "alert-heading", "icon", "fa fas", "callout-icon", "x", "octicon-a")
BOX_TAGS = ("p", "div", "span", "i", "h5", "strong", "summary", "img", "code", "a", "label", "ul", "li")
BOX_TEXTS = (
    "Note", "NOTE:", "Warning!", "⚠ Tip", "\u00a0Note", "Hinweis", "Before you start", " ", "\n", "x",
    "Back up first. " * 3, "&nbsp;", "a &lt; b", "let\u00a0op", "19 characters of it",
    "20 characters of it.", "", "<br>",
)  # fmt: skip


@pytest.mark.parametrize("part", range(20))
def test_random_boxes(part: int) -> None:
    """Callouts with and without titles, icons and words, in each other."""
    read = 0
    for seed in range(part * 300, part * 300 + 300):
        rng = random.Random(seed)
        out: list[str] = []
        opened: list[str] = []
        for _ in range(rng.randrange(3, 30)):
            choice = rng.random()
            if choice < 0.4:
                out.append(rng.choice(BOX_TEXTS))
            elif choice < 0.6 and opened:
                out.append(f"</{opened.pop()}>")
            elif choice < 0.8 or not opened:
                tag = rng.choice(("div", "div", "aside", "section", "blockquote", "details", "p", "span"))
                attrs = rng.choice(("", "", ' id="x"', ' data-type="tip"', ' title="y"'))
                out.append(f'<{tag} class="{rng.choice(BOX_NAMES)}"{attrs}>')
                opened.append(tag)
            else:
                tag = rng.choice(
                    ("p", "div", "span", "i", "h5", "strong", "summary", "img", "code", "a", "label", "ul", "li")
                )
                attrs = f' class="{rng.choice(BOX_PARTS)}"' if rng.random() < 0.5 else ""
                attrs += ' src="/a.jpg"' if tag == "img" else ' href="/b"' if tag == "a" else ""
                out.append(f"<{tag}{attrs}>")
                opened += [] if tag == "img" else [tag]
        draft = fragment("".join(out)).inner_html
        html = compiled_draft(draft, BASE, Output())
        if html is not None:
            read += "data-callout" in html.decode()
            assert html.decode() == in_python(draft, BASE, Output()), draft
    assert read > 50


FIGURE_TAGS = ("div", "div", "p", "li", "span", "center", "section", "a", "figure", "b", "ul", "small", "dd")


@pytest.mark.parametrize("part", range(10))
def test_random_figures(part: int) -> None:
    """Images with captions that only their class makes captions."""
    made = 0
    for seed in range(part * 300, part * 300 + 300):
        rng = random.Random(seed)
        out: list[str] = []
        opened: list[str] = []
        for _ in range(rng.randrange(4, 24)):
            choice = rng.random()
            if choice < 0.2:
                out.append(rng.choice(("Oak", " ", "\n", "a &amp; b", "&nbsp;", "<br>", "", "w" * 9)))
            elif choice < 0.35:
                out.append(f'<img src="/{rng.randrange(3)}.jpg">')
            elif choice < 0.6 and opened:
                out.append(f"</{opened.pop()}>")
            else:
                tag = rng.choice(FIGURE_TAGS)
                attrs = ' class="wp-caption-text"' if rng.random() < 0.4 else ' href="/b"' if tag == "a" else ""
                out.append(f"<{tag}{attrs}>")
                opened.append(tag)
        draft = fragment("".join(out)).inner_html
        html = compiled_draft(draft, BASE, Output())
        if html is not None:
            made += "<figcaption" in html.decode()
            assert html.decode() == in_python(draft, BASE, Output()), draft
    assert made > 2


NOTE_TAGS = (
    "li", "li", "p", "p", "div", "aside", "dl", "dt", "dd", "section", "ol", "ul", "span", "sup", "sup", "small", "b",
    "table", "tr", "td", "h2", "a", "a", "a", "pre",
)  # fmt: skip
NOTE_NAMES = (
    "footnotes", "footnote", "references", "footnote-ref", "footnote-back", "label", "mw-cite-backlink", "fn", "x",
    "reflist", "backref", "note", "anchor",
)  # fmt: skip
NOTE_IDS = ("fn1", "fn:2", "n3", "ref1", "ref2", "cite_note-4", "a&amp;b", "É", "note")
NOTE_TEXTS = (
    "1", "[2]", "*", "↩", "Back", "A source.", " ", "\n", "&nbsp;", "see", "[", "] ", "", "<br>",
    "Oaks live long. " * 5,
    '<sup><a href="#fn1" id="ref1">1</a></sup>', '<a href="#ref1" role="doc-backlink">↩</a>',
    '<a class="fn" name="ref2" href="#n3">3</a>', '<sup><a href="#n3">3</a>, <a href="#fn:2">2</a></sup>',
    '<p>A source. <a href="#ref1">↩</a></p>', '<p id="n3">Elms.&nbsp;<a href="#ref2">↩</a> </p>',
    '<img src="/a.jpg">',
)  # fmt: skip


@pytest.mark.parametrize("part", range(20))
def test_random_notes(part: int) -> None:
    """Marks of notes, and what they refer to, in any order and in each other."""
    made = 0
    for seed in range(part * 300, part * 300 + 300):
        rng = random.Random(seed)
        ids, names, tags = rng.sample(NOTE_IDS, 3), rng.sample(NOTE_NAMES, 5), rng.sample(NOTE_TAGS, 9)
        texts = rng.sample(NOTE_TEXTS, 9)
        out: list[str] = []
        opened: list[str] = []
        for _ in range(rng.randrange(4, 50)):
            choice = rng.random()
            if choice < 0.4:
                out.append(rng.choice(texts))
            elif choice < 0.65 and opened:
                out.append(f"</{opened.pop()}>")
            else:
                tag = rng.choice(tags)
                attrs = f' class="{rng.choice(names)}"' if rng.random() < 0.3 else ""
                attrs += f' {rng.choice(("id", "id", "name"))}="{rng.choice(ids)}"' if rng.random() < 0.4 else ""
                if tag == "a" and rng.random() < 0.9:
                    attrs += f' href="{rng.choice(("#", "#", BASE + "#", "/x#"))}{rng.choice(ids)}"'
                attrs += ' role="doc-noteref"' if rng.random() < 0.05 else ""
                out.append(f"<{tag}{attrs}>")
                opened.append(tag)
        draft = fragment("".join(out)).inner_html
        html = compiled_draft(draft, BASE, Output())
        if html is not None:
            made += b"data-footnotes" in html
            assert html.decode() == in_python(draft, BASE, Output()), draft
    assert made > 5


FRAMED = (
    *('<div class="language-rust">' + "<div>" * n + "<pre>a</pre>" + "</div>" * (n + 1) for n in range(7, 15)),
    *(f'<p>b</p><div><i class="toolbar">{"w" * n}</i><pre>a</pre></div>' for n in (59, 60, 61, 301)),
    *(f'<p>b</p><div class="language-own">{"<i></i>" * n}<pre>a</pre></div>' for n in (11, 12, 13)),
    '<div class="lang-c"><pre class="x"><code class="language-text">a</code></pre></div>',
    '<p>b</p><div><i class="gutter">1 2 3</i><pre>a</pre><i><img src="/a.jpg"></i></div>',
)


BOXED = (
    *(f'<div class="admonition tip">{"<i></i>" * n}<p class="title">Oak</p>a</div>' for n in (22, 23, 24)),
    *(f'<div class="admonition tip"><p>b</p>{"<i></i>" * n}<span class="icon">Oak</span>a</div>' for n in (22, 23, 24)),
    *(f'<div class="note">{"<i></i>" * n}<b>Note</b><p>a</p></div>' for n in (2, 3, 4)),
    *(f'<div class="alert alert-info"><p>{"a" * n}</p></div>' for n in (19, 20)),
    *(f'<div class="tip">{"<div>" * n}<b>Tip</b>{"</div>" * n}<p>a</p></div>' for n in (1, 2, 3, 4)),
    '<div class="alert alert-info"><input><p>Back up your files first.</p></div>',
    '<details class="admonition"><summary>Oak <code>a</code><img src="/a.jpg"></summary><p>b</p></details>',
)


CAPTIONED = (
    *(f'<div>{"<i></i>" * n}<img src="/a.jpg"><p class="caption">Oak</p></div>' for n in (10, 11)),
    *(
        f'<div>{"<div>" * n}<img src="/a.jpg"><p class="caption">Oak</p>{"</div>" * n}<img src="/b.jpg"></div>'
        for n in range(3)
    ),
    *(f'<div><img src="/a.jpg"><p>{"<i></i>" * n}</p><p class="caption">Oak</p></div>' for n in (495, 496, 497)),
    *(f'<div><img src="/a.jpg">{text}<p class="caption">Oak</p></div>' for text in ("a", "ab", "a b")),
)
LINED = (
    "<pre><div>a</div><div>b</div></pre>", '<pre><span class="line">a</span>\n<span class="line"></span>\n</pre>',
    "<pre>a<br>b<input>c</pre>", "<pre>\n<p> </p> <p>a</p>b<p>c</p></pre>",
    '<pre><i class="lineno">1</i>a<br>\nb</pre>',
    '<pre><span class="line">a<span class="line"></span></span><span data-line="">b</span>c</pre>',
    "<p><code>a<b>b</b></code> <code>c\nd</code> <code>e<br>f</code></p>",
    '<pre>Oaks <a href="/b">b</a><br><i>and elms</i></pre>', '<pre>{}; <a href="/b">b</a></pre>',
    '<pre>Oaks <a href="/b">b</a><a href="/c">c</a></pre>', "<pre><h2>a</h2>b</pre>",
    '<div><p class="filename">a.py</p><div>b</div><pre>a</pre></div>',
    '<div><p class="filename"> a &amp;\n b </p><pre>a</pre><p data-rehype-pretty-code-caption="">c</p></div>',
    '<div><p class="x-title">a</p><div><p class="code-caption">b</p><pre>c</pre></div><p class="title">d</p></div>',
    *(f'<p class="code-header">{"w" * n}</p><pre>a</pre>' for n in (199, 200)),
    '<div><input><pre>a</pre><noscript>b</noscript></div>',
    '<div><table><tbody><tr><td class="lntd"><pre><i class="lnt">1</i></pre></td><td class="lntd"><pre>a</pre></td>'
    "</tr>"
    "</tbody></table></div>",
    '<table class="linenos"><tbody><tr><td><pre>1</pre></td></tr></tbody></table>',
    '<div class="code"><table><tbody><tr><td><pre>1</pre></td></tr></tbody></table></div>',
    '<p class="é Ébène">a</p>',
)  # fmt: skip


NOTED = (
    '<p>a<sup><a href="#n1">1</a></sup></p>', '<p><a href="#fn1">1</a></p>',
    '<p>a<sup><a href="#n1">1</a></sup></p><section class="footnotes"><ol><li>b</li><li id="n1">c</li></ol></section>',
    '<p><a href="#fn1" id="r">1</a></p><dl><dt id="fn1">1</dt><dd>a <a href="#r">1</a> </dd></dl><p>b</p>',
    '<p><a href="#fn1">1</a></p><table><tbody><tr id="fn1"><td>1</td><td>a</td></tr></tbody></table>',
    '<p><sup>(<a href="#fn1">1</a>)</sup></p><div><div><p id="fn1"><span class="label">1</span>a</p></div></div>',
    '<p><a href="#fn1">1</a></p><p id="fn1"><sup class="label"><a href="#fn2">2</a> x</sup>a</p>',
    '<p><a href="#fn1">1</a></p><div><i><b><u><a name="fn1"></a></u></b></i></div><p id="fn1">b</p>',
    *(f'<p><a href="#fn1">1</a></p><p id="fn1"><span class="label">{"w" * n}</span>a</p>' for n in (59, 60)),
    *(f'<p><a href="#fn1">1</a></p><p>{"<b>" * n}<i id="fn1">a</i>{"</b>" * n}</p>' for n in (1, 2, 3)),
)  # fmt: skip


POST = "https://www.instagram.com/p/abc123/"
MARKED = (
    f'<blockquote class="instagram-media" data-instgrm-permalink="{POST}?utm=1"><a href="/a">b</a></blockquote>',
    f'<p class="instagram-media" data-instgrm-permalink="{POST}">a</p><p class="fb-post" data-href="{POST}">b</p>',
    '<div class="wp-block-embed__wrapper">\n https://youtu.be/abcdefg \n</div><p>a</p>',
    '<div class="wp-block-embed__wrapper"><iframe src="https://www.youtube.com/embed/abcdefg"></iframe></div>',
    '<div class="wp-block-embed__wrapper">https://b.example/ <b>c</b></div>',
    '<div class="youtube-player" data-id="abcdefg"></div><div class="youtube-player" data-id="a b">c</div>',
    *(f'<section class="tiktok-embed" cite="https://t.example/a">{"w" * n}</section>' for n in (39, 40)),
    '<div class="fb-video" data-href="mailto:a@b.example">c</div>',
    "<p>a</p><picture><b>c</b></picture>",
)


@pytest.mark.parametrize("draft", [*FRAMED, *BOXED, *CAPTIONED, *LINED, *NOTED, *MARKED])
def test_frames_and_boxes(draft: str) -> None:
    html = compiled_draft(draft, BASE, Output())
    assert html is not None
    assert html.decode() == in_python(draft, BASE, Output())


HARD = (
    '<pre class="language-diff">a<br>b</pre>',
    '<pre class="linenos">1</pre>', "<pre>a<pre>b</pre></pre>", "<iframe>a</iframe>",
    "<video><iframe></iframe></video>", "<h2><iframe></iframe></h2>",
    "<object></object>", "<p><code>a\nb\nc</code></p>", "<p><code>a<br>b<br>c</code></p>",
    '<div class="admonitionblock">a</div>',
    '<span data-math="inline">a</span>',
    '<picture><source srcset="/a.jpg"></picture>', "<svg></svg>", "<x-card>a</x-card>",
    '<table><tbody><tr><td><i class="sr-only">Yes</i></td></tr></tbody></table>',
)  # fmt: skip
MENDED = (
    # What a parser would move, or write in another way.
    "<p><div>a</div></p>", "<ul><li>a<li>b</li></li></ul>", "<h1><h2>a</h2></h1>", "<dl><dd><dt>a</dt></dd></dl>",
    '<a href="/a"><i><a href="/b">a</a></i></a>', "<table><tr><td>a</td></tr></table>", "<td>a</td>",
    "<table>a</table>", "<ruby><b><rt>a</rt></b></ruby>", "<p>a", "<p>a</i>", "a & b", "a > b", "a\xa0b", "a\rb",
    "a\x00b", "<!-- a -->", "<P>a</P>", '<p title="<">a</p>', '<p title="a" title="b">a</p>', '<p TITLE="a">b</p>',
    "<p title=a>b</p>", "<p hidden>a</p>", "<br/>", "<p>&copy;</p>", '<p class="a\u2003b">a</p>', "\ud800",
    "<div>" * 300 + "</div>" * 300, "<b>" * 240 + "<i></i>" * 1000 + "</b>" * 240,
)  # fmt: skip


@pytest.mark.parametrize("draft", [*HARD, *MENDED])
def test_what_is_left_to_python(draft: str) -> None:
    assert compiled_draft(draft, BASE, Output()) is None
    assert as_text(canonical_html(draft, BASE, Output())) == in_python(draft, BASE, Output())


@pytest.mark.parametrize(
    ("draft", "html"),
    [
        ('<h2>Oaks<a href="#oaks" class="headerlink">¶</a></h2>', "<h2>Oaks</h2>"),
        ('<p>a<img src="/oak.jpg" alt="An oak"></p>', '<p>a<img src="https://a.example/oak.jpg" alt="An oak"></p>'),
        (
            '<p><a href="/elm">Elm</a><a href="/ash">ash</a></p>',
            '<p><a href="https://a.example/elm">Elm</a> <a href="https://a.example/ash">ash</a></p>',
        ),
        ('<p>Oak<span class="sr-only">new window</span></p>', "<p>Oak</p>"),
        (
            '<img data-src="/b.jpg"><noscript><img src="/b.jpg"></noscript>',
            '<p><img src="https://a.example/b.jpg"></p>',
        ),
        (
            '<iframe src="/film" title="A film"></iframe>',
            '<p><a href="https://a.example/film">A film</a></p>',
        ),
        ('<ul><li><input type="checkbox">Acorns</li></ul>', "<ul><li>☐ Acorns</li></ul>"),
        (
            '<div class="highlight-rust"><div><pre>\n<b>let</b> a &lt; b;\n\n</pre></div></div>',
            '<pre><code class="language-rust">let a &lt; b;</code></pre>',
        ),
        ("<table><tbody><tr><td>A wood</td></tr></tbody></table>", "<p>A wood</p>"),
    ],
)
def test_what_is_read(draft: str, html: str) -> None:
    assert as_text(canonical_html(draft, BASE, Output())) == html == in_python(draft, BASE, Output())
    assert compiled_draft(draft.encode(), BASE, Output()) == html.encode()


def test_raw_callouts_are_left_to_python() -> None:
    draft = "<blockquote><p>[!TIP] Oak.</p></blockquote>"
    html = canonical_html(draft, None, Output())
    assert compiled_draft(draft, None, Output()) is None
    assert html == '<blockquote data-callout="tip"><p>Oak.</p></blockquote>'
