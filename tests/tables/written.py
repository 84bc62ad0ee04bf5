"""Cases that take a page made for them: elements, metadata, hydration data, units and the judge's evidence."""

# ruff: noqa: E501 (a page reads better unbroken)

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import duramen
from duramen.classic import HtmlTextExtractor
from duramen.dom import fragment
from duramen.find import reasons
from duramen.find.classical.containers import readability_scores, stopword_scores
from duramen.find.evidence import NAMES, column
from duramen.find.evidence import table as table_of
from duramen.find.hints import Hints, Lexicon
from duramen.find.imprint import _lists_of_tags
from duramen.find.remembered import is_stable, own_names
from duramen.find.removals import mark_removals
from duramen.find.semantic import find_semantic
from duramen.find.structures import settle_structures
from duramen.flatten import parse_tree
from duramen.options import Options, Output
from duramen.page import Page
from duramen.read.languages import month_first_in
from duramen.read.reader import read_page
from duramen.read.text_clean import is_home
from duramen.refine.captions import find_captions
from duramen.refine.compose import compose
from duramen.refine.elements.tex import opening_delimiters
from duramen.refine.standardize import standardize
from duramen.refine.switches import find_switches
from duramen.repeated import shape_of

from .changing import Case, table, to, without
from .pages import PROSE, SENTENCE, page

# ---- elements ----

BASE = "https://example.org/docs/page"
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
    "role-sidenote": ("sidenote", '<p>Oak<span class="sidenote">Old.</span></p>'),
    "sidenote-switch": ("margin-toggle", '<p>Oak<input type="checkbox" class="margin-toggle"><span class="sidenote">Old.</span></p>'),
    "shortcode": ("gallery", '<p>Oak [gallery ids="1"]</p>'),
    "shortcode-prefixes": ("vc_", "<p>Oak [vc_row]</p>"),
    "pointer-not": ("source", f'<p>{"Oak " * 30}</p><p>Source: <a href="/a">Ten trees that every builder knows</a></p><p>{"Oak " * 30}</p>'),
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
    "math-labels": ("mjx-math", '<p><b class="mjx-chtml"><b class="mjx-math" aria-label="x_1">x</b></b></p>'),
    "math-settings": ("latex-rendered -> persistentExpression", '<div class="latex-rendered" data-attrs=\'{"persistentExpression": "x_1"}\'></div>'),
    "math-code": ("js-render-math", '<p><code class="js-render-math">x_1</code></p>'),
    "math-number": ("eqno", r'<div class="math"><span class="eqno">(1)</span>\[x\]</div>'),
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
    "image-tags": ("amp-img", '<p>a<amp-img src="/a.jpg"></amp-img></p>'),
    "image-emoji": ("wp-smiley", '<p>a<img class="wp-smiley" src="/a.jpg" alt=":)"></p>'),
    "link-tracking": (r"utm_\w+", '<p><a href="/a?utm_source=b">Oaks</a></p>'),
    "permalink-words": ("copy link", '<h2>Oaks <a href="/x">Copy link</a></h2>'),
    "permalink-around": ("header", '<h2><a class="header" href="/x">Oaks</a></h2>'),
    "table-data": ("wikitable", f'<table class="wikitable"><tr><td>a</td><td>{"Oak. " * 100}</td></tr></table>'),
    "embed-tags": ("lite-youtube", '<lite-youtube videoid="abcdefg">a</lite-youtube>'),
    "embed-scripts": ("gist.github.com/", '<script src="https://gist.github.com/ada/0a1b.js"></script>'),
    "embed-documents": ("pdf", '<iframe src="/oaks.pdf"></iframe>'),
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
    "embed-settings": ("tweet url -> {0}", '<div class="tweet" data-attrs=\'{"url": "https://x.com/ada/status/1"}\'></div>'),
    "math-attributes": ("data-tex", '<p><span class="math" data-tex="x_1">x</span></p>'),
    "math-addresses": (r"latex\.codecogs\.com/[\w.]+\?(.+)", '<p>So <img src="https://latex.codecogs.com/svg.image?x_1">.</p>'),
    "embed-post-text": ("tiktok-embed", f'<section class="tiktok-embed" cite="https://t.example/a"><p>{"Oak " * 20}</p></section>'),
}  # fmt: skip
TYPESET = {
    "math-scripts": ("mathjax", r'<script src="/mathjax.js"></script><p>Oak \(x_1\).</p>'),
}
PAGES = {
    "thread": ("posts", '<ol class="posts"><li>Oak.</li><li>Elm.</li></ol>'),
    "switch-toggle": ("accordion", '<button class="accordion">How old are oaks?</button><p>Very old.</p>'),
    "math-tag-prefixes": ("mjx-", "<p>Oak <mjx-container>x</mjx-container></p>"),
}


def elements() -> Iterator[Case]:
    for row in table("elements.toml")["row"]:
        (kind,) = row.keys() & {"words", "phrases", "pairs"}
        entry, html = (DRAFTS | PAGES | TYPESET)[row["id"]]
        make = composed if row["id"] in PAGES else typeset if row["id"] in TYPESET else canonical
        output = partial(make, html)
        yield Case("elements.toml", f"row / {row['id']} / {kind}", without(entry), output)


def typeset(html: str) -> object:
    return opening_delimiters(parse_tree(html), html) is not None


def canonical(html: str) -> object:
    root = fragment(html)
    standardize(root, BASE, Output(strip_tracking=True))
    return root.inner_html


def composed(body: str) -> object:
    read = read_page(f"<body>{body}", None, Options())
    switches = find_switches(read.tree, read.blocks, range(len(read.blocks)))
    return compose(read.tree, read.blocks, range(len(read.blocks)), set(), 200, switches=switches)


# ---- finding ----


def finding() -> Iterator[Case]:
    for row in table("finding.toml")["row"]:
        (kind,) = row.keys() & {"words", "phrases"}
        entry, output = FINDING[row["id"]]
        yield Case("finding.toml", f"row / {row['id']} / {kind}", without(entry), output)


# ---- the classic extractor ----

CLASSIC = {
    # The entry that is taken out, and a page that has it.
    "boilerplate": ("toolbar", "<p>Oak</p><div class=toolbar>Elm</div>"),
    "layout": ("without", "<p>Oak</p><div class=without-sidebar>Elm</div>"),
    "label": ("Pull requests", "<p>Oak</p><p>Pull requests</p>"),
}


def classic() -> Iterator[Case]:
    for row in table("classic.toml")["row"]:
        (kind,) = row.keys() & {"words", "phrases"}
        entry, html = CLASSIC[row["id"]]
        yield Case("classic.toml", f"row / {row['id']} / {kind}", without(entry), partial(shown, html))


def shown(html: str) -> object:
    return HtmlTextExtractor().extract(html).text


def read(body: str) -> Page:
    return read_page(page(body), None, Options())


def scored(names: str) -> object:
    given = read(f'<div class="{names}"><p>{SENTENCE}</p></div>{PROSE}')
    scores = readability_scores(given.tree, given.blocks, strip=True, weigh=True)
    return scores.shown, scores.names, stopword_scores(given.tree, given.blocks.words, given.blocks.words).shown


def counted(text: str, name: str) -> object:
    given = read(f"<p>{text}</p>")
    evidence = table_of(given.tree, given.blocks, Hints(), Lexicon())
    return column(evidence.table, NAMES, name).tolist()


def named(html: str) -> object:
    tree = parse_tree(html)
    return [*own_names(tree, tree.body + 1)]


FINDING: dict[str, tuple[str, Callable[[], object]]] = {
    # The entry that is taken out, and what changes with it.
    "skip-link": ("skip to", lambda: [*find_semantic(read(f"<a href=#c>Skip to content</a><div id=c>{PROSE}</div>"))]),
    "player": (
        "vimeo",
        lambda: mark_removals(read('<iframe src="https://vimeo.example/1" width=300 height=250></iframe>').tree),
    ),
    "filed": ("topics", lambda: [*_lists_of_tags(read("<ul><li><a href=/topics/oak/>Oak</a></ul>").tree)]),
    "singling": ("pinned", lambda: shape_of("li", "post pinned")),
    "state": ("dark", lambda: is_stable("story-dark")),
    "grid": ("col", partial(named, "<div class='col-md-8'>x</div>")),
    "naming-attribute": ("data-qa", partial(named, "<div data-qa=story>x</div>")),
    "date-term": ("ago", partial(counted, "Posted ago", "date")),
    "money-term": ("EUR", partial(counted, "5 EUR", "money")),
    "copyright-notice": ("copyright", partial(counted, "Copyright Oak", "copyright")),
    "readability-unlikely": ("skyscraper", partial(scored, "skyscraper")),
    "readability-maybe": ("column", partial(scored, "skyscraper column")),
    "readability-positive": ("story", partial(scored, "story")),
    "readability-negative": ("promo", partial(scored, "promo")),
    "readability-share": ("sharedaddy", partial(scored, "sharedaddy")),
    "stopwords-naughty": ("timestamp", partial(scored, "timestamp")),
}


# ---- metadata ----

STATED = {
    "image": "https://oaks.example/a.jpg", "published": "2020-03-04", "published_weak": "2020-03-04",
    "modified": "2020-03-04", "author": "Ada Lovelace", "author_weak": "Ada Lovelace",
}  # fmt: skip
ADDRESS = "https://oaks.example/woods/heartwood"
DESCRIBED = {
    # The entry that is taken out, and a page that has it.
    "names / byline / words": ("autore", '<p class="autore">Ada Lovelace</p>'),
    "names / byline / without": ("photo", '<p class="author-photo">Ada Lovelace</p>'),
    "names / byline / without_at_end": ("bio", '<p class="author-bio">Ada Lovelace</p>'),
    "names / person / words": ("writer", '<p class="byline">Our own <b class="writer-name">Ada Lovelace</b></p>'),
    "names / person / parts": ("nickname", '<p class="byline">Our own <b class="writer-nickname">Ada Lovelace</b></p>'),
    "names / person / alone": ("fn", '<p class="byline">Our own <b class="fn">Ada Lovelace</b></p>'),
    "names / date / words": ("fecha", '<p class="fecha">A ship came to the harbour of Oakland and sank there on March 4, 2020 in a storm.</p>'),
    "names / dateline / words": ("datum", f'{"<p>Oak and elm.</p>" * 90}<p class="datum">4.3.2020</p>'),
    "names / aside / words": ("teaser", '<div class="teaser"><p class="byline">Ada Lovelace</p></div>'),
    "names / aside / without": ("elementor-widget", '<div class="elementor-widget"><p class="byline">Ada Lovelace</p></div>'),
    "names / poster / words": ("username", '<b class="username">oak99</b>'),
    "names / main / words": ("primary", '<div id="primary"><address>Ada Lovelace</address></div>'),
    "link / people / words": ("staff", '<a href="/staff/ada">Ada Lovelace</a>'),
    "link / licence / words": ("https://creativecommons.org/licenses/", '<a href="https://creativecommons.org/licenses/by/4.0/">CC</a>'),
    "label / updated / phrases": ("revis", '<time class="revised" datetime="2020-03-04">4 March</time>'),
    "label / updated / without": ("updates", "<p>Oak updates</p><p>March 4, 2020</p>"),
    "label / published / phrases": ("entry-date", '<time datetime="2019-01-02">2 January</time><time class="entry-date" datetime="2020-03-04">4 March</time>'),
    "label / other / phrases": ("registered", "<p>Registered: March 4, 2020</p>"),
    "label / date / phrases": ("stand", "<p>Stand in Oakland Town: 4.3.2020</p>"),
    "label / date / words": ("am", "<p>Oakland town, am 4.3.2020</p>"),
    "label / by / words": ("autorin", "<p>Autorin</p><p>Ada Lovelace</p>"),
    "label / by / before": ("words", "<p>Words by Ada Lovelace</p>"),
    "label / by / before_name": ("reviewed", "<p>Reviewed by Ada Lovelace</p>"),
    "label / by / before_alone": ("started", "<p>Started by</p><p>Ada Lovelace</p>"),
    "label / written_by / phrases": ("verfasst von", '<meta name="twitter:label1" content="Verfasst von"><meta name="twitter:data1" content="Ada Lovelace">'),
    "person / by / words": ("door", '<p class="byline">door Ada Lovelace</p>'),
    "person / by / after_words": ("by", '<p class="byline">Our own reporter by Ada Lovelace</p>'),
    "person / address / words": ("de", '<p class="byline">Ada Oakland.de</p>'),
    "person / by / before": ("gepostet", '<p class="byline">Gepostet von Ada Lovelace</p>'),
    "person / label / phrases": ("verfasser", '<p class="byline">Verfasser: Ada Lovelace</p>'),
    "person / heading / words": ("autorin", '<p class="byline">Autorin Ada Lovelace</p>'),
    "person / date / words": ("op", '<p class="byline">Ada Lovelace op Maandag</p>'),
    "person / more / phrases": ("medically", '<p class="byline">Ada Lovelace medically checked</p>'),
    "person / and / words": ("und", '<p class="byline">Ada Lovelace und Charles Babbage</p>'),
    "person / and / between": ("with", '<p class="byline">Ada Lovelace with Charles Babbage</p>'),
    "person / and / between_full": ("og", '<p class="byline">Ada Lovelace og Charles Babbage</p>'),
    "person / role / words": ("chief", '<p class="byline">Ada Lovelace, Chief Carpenter</p>'),
    "person / organisation / words": (
        "marketing",
        '<script type="application/ld+json">{"@type": "Article", "author": "Oak Marketing"}</script><p class="byline">Ada Lovelace</p>',
    ),
    "person / nobody / words": ("admin", '<meta name="author" content="admin">'),
    "person / interface / words": ("follow", '<p class="byline">Follow</p>'),
    "person / interface / after": ("stand", '<p class="byline">Ada Lovelace Stand</p>'),
    "person / phrase / phrases": ("newsletter", '<p class="byline">Ada Newsletter</p>'),
    "person / particle / words": ("du", '<p class="byline">du Lovelace</p>'),
}  # fmt: skip


DATED = {
    # The entry that is taken out, the language, and a page that has it.
    "month": ("toukokuuta", "fi", '<p class="date">4 toukokuuta 2020</p>'),
    "month_elsewhere": ("hr:listopada=10", "hr", '<p class="date">4. listopada 2019</p>'),
    "month_number": ("tháng", "vi", '<p class="date">4 tháng 3, 2020</p>'),
    "weekday": ("mittwoch", "de", "<p>Mittwoch Oakland, 4.3.2020</p>"),
    "between": ("gada", "lv", '<p class="date">2020. gada 4. marts</p>'),
    "persian": ("اسفند", "fa", '<p class="date">۱۴ اسفند ۱۳۹۸</p>'),
    "era": ("令和=2018", "ja", '<p class="date">令和2年3月4日</p>'),
    "year": ("th=25", "th", f'{"<p>Oak and elm.</p>" * 120}<p>4 มีนาคม 2563</p>'),
}  # fmt: skip


def metadata() -> Iterator[Case]:
    for field, row in table("metadata.toml")["meta"].items():
        for name in row["words"].split():
            label = '<meta name="twitter:label1" content="Written by">' if name == "twitter:data1" else ""
            html = f'{label}<meta name="{name}" content="{STATED.get(field, "Rings")}">'
            output = partial(described, html, titled=field != "title")
            yield Case("metadata.toml", f"meta / {field} / words", without(name), output)
    for place, (entry, html) in DESCRIBED.items():
        yield Case("metadata.toml", place, without(entry), partial(described, html))
    for part, entry, html in (
        ("phrases", "執筆", "<p>執筆：山田花子</p>"),
        ("after", "특파원", "<p>홍길동 특파원</p>"),
        ("report", "報導", "<p>記者 王小明 台北報導</p>"),
    ):
        yield Case("metadata.toml", f"label / credit / {part}", without(entry), partial(described, html, language="ja"))
    named = partial(described, '<meta property="og:title" content="Startseite">', titled=False)
    yield Case("metadata.toml", "title / generic / phrases", without("startseite"), named)
    section = partial(described, '<meta property="og:title" content="Acorns fall in the storm - Nieuws">', titled=False)
    yield Case("metadata.toml", "title / section / phrases", without("nieuws"), section)
    others: tuple[tuple[str, str, Callable[[], object]], ...] = (
        ("link / home", "home", partial(is_home, "https://oaks.example/home")),
        ("language / name", "deutsch=de", partial(described, "<p>Oak</p>", language="Deutsch")),
        ("language / month_first", "gov", partial(month_first_in, "en", "https://oaks.gov/a")),
    )
    for place, entry, outcome in others:
        yield Case("metadata.toml", f"{place} / words", without(entry), outcome)
    # Surnames are signs, not words.
    reporter = partial(described, "<p>本报记者 王小明</p>", language="zh")
    yield Case("metadata.toml", "person / surname / words", lambda signs: signs.replace("王", ""), reporter)


def calendar() -> Iterator[Case]:
    for place, (entry, language, html) in DATED.items():
        output = partial(described, html, language=language)
        yield Case("calendar.toml", f"{place} / words", partial(_less, entry), output)


def _less(entry: str, words: str) -> str:
    """The months are known by their lines, which stay."""
    return "\n".join(" ".join(word for word in line.split() if word != entry) for line in words.split("\n"))


def described(html: str, *, titled: bool = True, language: str = "") -> object:
    head, body = (html, "") if html.startswith("<meta") else ("", html)
    head += '<meta property="og:type" content="article">'
    if titled:
        head, body = f"<title>Oak heartwood</title>{head}", f"<h1>Oak heartwood</h1>{body}"
    html = page(body + PROSE, head)
    html = html.replace("lang=en", f"lang={language}") if language else html
    return read_page(html, ADDRESS, Options()).metadata


# ---- hydration ----

BODY = " ".join([SENTENCE] * 7)
LONG = " ".join([SENTENCE] * 14)
PARTS = [SENTENCE] * 12


def script(**state: Any) -> str:
    return f'<script type="application/json">{json.dumps(state)}</script>'


HYDRATED = {
    "state / names": ("__NUXT__", f"<script>var __NUXT__={json.dumps({'body': LONG})}</script>"),
    "state / capitals": ("STATE", f"<script>var __INITIAL_STATE__={json.dumps({'body': LONG})}</script>"),
    "state / attributes": ("data-props", f"<div data-props='{json.dumps({'body': LONG})}'></div>"),
    "keys / body": ("markdown", script(markdown=BODY)),
    "keys / other": ("cookie", script(cookie=LONG)),
    "keys / blocks": ("paragraphs", script(paragraphs=[{"text": part} for part in PARTS])),
    "keys / text": ("heading", script(blocks=[{"heading": part} for part in PARTS])),
}


def hydration() -> Iterator[Case]:
    for place, (entry, body) in HYDRATED.items():
        yield Case("hydration.toml", f"{place} / words", without(entry), partial(html_of, page(body)))


def html_of(html: str) -> object:
    return duramen.extract(html, ADDRESS).html


# ---- units ----

CAPTION = '<div><img src="/a.jpg" width="600"><p class="{}">An oak</p></div>'
TITLED = '<div><p class="code-caption">oak.ts</p><pre>let oak = 1;</pre></div>'
BOX = '<aside class="starlight-aside">Oak.</aside>'
LEGEND = f'<div class="{{}}"><img src="/a.jpg" width="600"><p class="photo-caption">An oak</p><p>{SENTENCE}</p></div>'
LINES = '<div class="view-line">let oak = 1;</div><div class="view-line">oak += 1;</div>'


def units() -> Iterator[Case]:
    """A case for each class and each module that reads it: what one of them no longer finds, another may still find."""
    between = f"<p>{SENTENCE}</p>{{}}<p>{SENTENCE}</p>".format
    made: Mapping[str, Sequence[Callable[[str], Callable[[], object]]]] = {
        "captions": (
            lambda name: partial(canonical, CAPTION.format(name)),
            lambda name: partial(captioned, between(CAPTION.format(name))),
        ),
        "listings": (
            lambda name: partial(canonical, f'<div class="{name}">{LINES}</div>'),
            lambda name: partial(settled, f'<div class="{name}">{LINES}</div>'),
        ),
        "boxes": (lambda name: partial(settled, between(f'<aside class="{name}">Oak.</aside>'), (0.9, 0.3, 0.8)),),
        "figures": (lambda name: partial(captioned, between(LEGEND.format(name))),),
        "posts": (lambda name: partial(settled, f'<blockquote class="{name}"><p>Oaks</p>By Ada</blockquote>'),),
    }
    for row, cases in made.items():
        for entry in table("units.toml")[row]["classes"]:
            # A line of an editor is kept with the others, and is no listing by itself.
            for case in cases[1:] if entry == "codemirror-line" else cases:
                yield Case("units.toml", f"{row} / classes", without(entry), case(entry))
    for output in (partial(canonical, TITLED), partial(settled, TITLED, (0.3, 0.8))):
        yield Case("units.toml", "listing-titles / classes", without("code-caption"), output)


def captioned(body: str) -> object:
    """The captions that are kept for their picture's sake, where the judge keeps only the blocks around it."""
    return find_captions(read_page(page(body), None, Options()), (0, 2), ())


def settled(body: str, judged: tuple[float, ...] = (0.8, 0.3)) -> object:
    """The probabilities of some blocks, once those that belong together have one; those of a real page are up to the model."""
    return settle_structures(array("d", judged), read_page(page(body), None, Options()))


# ---- evidence ----


def evidence() -> Iterator[Case]:
    for row in table("evidence.toml")["row"]:
        shown = partial(evidence_shown, row["id"])
        for field in row.keys() - {"id"}:
            change = to([*row["columns"][1:], "oaks"]) if field == "columns" else to("Oaks")
            yield Case("evidence.toml", f"row / {row['id']} / {field}", change, shown)


def evidence_shown(row_id: str) -> object:
    """How a row's evidence is shown: where there is some, where there is none, and where it speaks against a block.

    Whether there is any for the blocks of a page is up to the model.
    """
    row = next(row for row in reasons.rows() if row.id == row_id)
    return row.columns, row.words(1.0, 1.0), row.words(0.0, 1.0), row.words(1.0, -1.0)
