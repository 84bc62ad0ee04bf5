"""Every attack through every way out, judged by what a parser sees in the result.

The lists here are written a second time on purpose: a slip in ``policy.toml`` must not excuse itself.
"""

from __future__ import annotations

import html
import importlib
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, get_args
from urllib.parse import urlsplit

import pytest

from duramen.dom import fragment
from duramen.options import Options, Output, Strategy
from duramen.refine.sanitize import sanitize
from duramen.safe_values import strip_invisible

from .vectors import OWN, SOURCES, Vector, parsed, published

TAGS = (
    "p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre hr figure figcaption details summary div section article"
    " address table caption colgroup col thead tbody tfoot tr th td a img br wbr strong em b i u s del ins mark small"
    " sub sup q cite abbr dfn kbd samp var code time span ruby rt rp bdi bdo"
)
ATTRIBUTES = {
    "a": {"href", "title", "data-embed"},
    "img": {"src", "alt", "title", "width", "height"},
    "abbr": {"title"},
    "ol": {"start", "reversed"},
    "li": {"id"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "col": {"span"},
    "colgroup": {"span"},
    "time": {"datetime"},
    "code": {"class"},
    "blockquote": {"data-callout"},
    "span": {"data-math"},
    "sup": {"data-footnote-ref"},
    "section": {"data-footnotes"},
}
OUTPUTS = [Output(), Output(keep_classes=True, nofollow=True), Output(links=False, images=False)]
ALIGNED = {"td": {"style"}, "th": {"style"}}
"""The Markdown reader's own attribute for columns."""

sources = pytest.mark.parametrize(
    "source", ["own", *(pytest.param(name, marks=pytest.mark.shared) for name in SOURCES)]
)


def vectors(source: str) -> list[Vector]:
    return OWN if source == "own" else published(source)


def each(source: str, examine: Callable[[Vector], None]) -> None:
    """Run all attacks and name every one that gets through, not only the first."""
    failures = []
    for vector in vectors(source):
        try:
            examine(vector)
        except Exception as failure:
            failures.append(f"{vector.name}: {vector.html!r:.200}: {failure!r:.300}")
    assert not failures, "\n".join(failures)


def check_url(value: str, schemes: set[str]) -> None:
    value = re.sub(r"[\x00-\x20\x7f-\x9f]", "", value)
    assert urlsplit(value).scheme.lower() in schemes, value
    # Whatever stands before a colon is a scheme to somebody.
    assert re.split(r"[/?#]", value, maxsplit=1)[0].partition(":")[1] == "" or urlsplit(value).scheme, value


def check(markup: str, output: Output = OUTPUTS[0], besides: Mapping[str, set[str]] = MappingProxyType({})) -> None:
    """Nothing but what is listed above, what the options ask for, and what the caller expects besides."""
    markup.encode()
    for element in parsed(markup):
        tag = element.tag
        assert tag in TAGS.split(), tag
        assert element.namespace == "html"
        allowed = {"dir", "lang"} | ATTRIBUTES.get(tag, set()) | besides.get(tag, set())
        if output.keep_classes:
            allowed |= {"class", "id"}
        if output.nofollow and tag == "a":
            allowed |= {"rel"}
        for name, value in element.attrs.items():
            assert name in allowed, (tag, name)
            if name == "href":
                check_url(value, {"", "http", "https", "mailto"})
            elif name == "src":
                check_url(value, {"", "http", "https"})
            elif name == "id":
                assert re.fullmatch(r"fn-[0-9]+|user-content-.*", value), value
            elif name == "rel":
                assert value == "nofollow"


def later(module: str, name: str) -> Callable[..., Any]:
    """A function of a stage that may not be part of this build."""
    try:
        found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as missing:
        pytest.skip(f"{module}.{name} is not there yet: {missing}")
    return found


def rendered(markdown: str) -> str:
    """Markdown as the most trusting reader would show it: raw HTML is let through, bare addresses become links."""
    markdown_it = pytest.importorskip("markdown_it")
    pytest.importorskip("linkify_it")
    text: str = (
        markdown_it.MarkdownIt("commonmark", {"html": True, "linkify": True})
        .enable(["table", "strikethrough", "linkify"])
        .render(markdown)
    )
    return text


def page(vector: Vector) -> str:
    """A page that carries an attack in its text and in everything it says about itself."""
    quoted = html.escape(vector.html)
    words = "Sentences that make this a page with content, so that something is found and written. " * 12
    return (
        f"<!doctype html><html lang='{quoted}'><head><title>{quoted}</title>"
        f'<meta name="author" content="{quoted}"><meta name="description" content="{quoted}">'
        f'<meta property="og:title" content="{quoted}"><meta property="og:site_name" content="{quoted}">'
        f'<meta property="og:image" content="{quoted}"><link rel="canonical" href="{quoted}">'
        f'<meta property="article:tag" content="{quoted}"><meta property="article:section" content="{quoted}">'
        f'<meta property="article:published_time" content="{quoted}"></head>'
        f"<body><article><h1>{quoted}</h1><p>{words}</p><div>{vector.html}</div><p>{words}</p></article></body></html>"
    )


def test_there_are_enough_own_vectors() -> None:
    assert len(OWN) >= 60
    assert len({vector.name for vector in OWN}) == len(OWN)


@pytest.mark.shared
def test_the_published_vectors_are_there() -> None:
    assert sum(len(published(source)) for source in SOURCES) >= 300


@sources
@pytest.mark.parametrize("output", OUTPUTS, ids=["default", "classes-nofollow", "text-only"])
@pytest.mark.parametrize(
    "around", ["{}", "<table>{}", "<p><b>{}", "<ul><li>{}", "<pre><code>{}", "<a href=/>{}", "<svg>{}"]
)
def test_html(source: str, output: Output, around: str) -> None:
    def examine(vector: Vector) -> None:
        result = sanitize(fragment(around + vector.html), output)
        check(result, output)
        assert output.links or next(fragment(result).iter_elements(("a", "img")), None) is None
        assert fragment(result).inner_html == result == sanitize(fragment(result), output)

    each(source, examine)


@sources
def test_markdown(source: str) -> None:
    render_markdown = later("duramen.render.markdown", "render_markdown")
    each(
        source,
        lambda vector: check(rendered(render_markdown(sanitize(fragment(vector.html), Output()))), besides=ALIGNED),
    )


@sources
@pytest.mark.parametrize("strategy", get_args(Strategy))
def test_whole_page(source: str, strategy: Strategy) -> None:
    extract = later("duramen.pipeline", "extract")
    options = Options(strategy=strategy, output=Output(front_matter=True))

    def examine(vector: Vector) -> None:
        result = extract(page(vector), url="https://example.org/", options=options)
        check(result.html)
        # The front matter, too: many readers take it for text.
        check(rendered(result.markdown), besides=ALIGNED)
        metadata = result.metadata
        for url in (metadata.canonical_url, metadata.image):
            assert url is None or urlsplit(url).scheme in ("http", "https")
        for value in (*metadata.authors, *metadata.tags, metadata.title, metadata.description, metadata.site_name):
            assert value is None or (strip_invisible(value) == (value, 0) and len(value) <= 20_000)

    each(source, examine)
