"""A fetched page: its HTML, its content, and the link to its next page."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from duramen.model import Fetched, TraceDetails, VerdictName
from duramen.options import Options
from duramen.pipeline import keep_whole, page_of, run
from duramen.read.decode import decode
from duramen.result import Result

if TYPE_CHECKING:
    from duramen.fetch.content import Kind
    from duramen.fetch.formats import DocumentSource
    from duramen.parts.links import Link
    from duramen.selector_cache import SelectorCache


def read_fetched(
    fetched: Fetched, options: Options, selectors: SelectorCache | None = None, details: bool = False
) -> Result:
    """Extract a fetched page; a document that is not HTML is kept as a whole. The trace begins with the steps of
    fetching."""
    document = _document(fetched, options)
    steps = fetched.steps
    if document is not None:
        steps = (*steps, f"this is {document.name}")
        result = _with_limits(keep_whole(document.html, fetched.url, options, document.page_type), document.limits)
    else:
        extract = selectors.extract if selectors is not None else run
        result = extract(_page(fetched, options), fetched.url, options, content_type=fetched.charset)
    trace = replace(result.trace, steps=(*steps, *result.trace.steps))
    if details:
        trace = replace(trace, explain=partial(_unchanged, trace.details))
    return replace(result, trace=trace)


def _unchanged(details: TraceDetails) -> TraceDetails:
    return details


def is_explained(result: Result) -> bool:
    """Whether the details of a result's trace are already computed."""
    return isinstance(result.trace.explain, partial) and result.trace.explain.func is _unchanged


def source_of(fetched: Fetched, options: Options) -> str | bytes:
    """The HTML of a fetched page or document."""
    document = _document(fetched, options)
    return document.html if document is not None else _page(fetched, options)


def is_page(fetched: Fetched) -> bool:
    """Whether it is HTML, and not a document of another kind."""
    return fetched.rendered or _kind(fetched) == "page"


def _kind(fetched: Fetched) -> Kind:
    from duramen.fetch.content import kind_of

    return kind_of(fetched.url, fetched.headers, fetched.body)


def _document(fetched: Fetched, options: Options) -> DocumentSource | None:
    """A document that is not HTML, as a page."""
    if is_page(fetched):
        return None
    from duramen.fetch.formats import read_document

    kind = _kind(fetched)
    return read_document(kind, fetched.url, fetched.body, "" if kind == "pdf" else _text(fetched, options))


def _page(fetched: Fetched, options: Options) -> str | bytes:
    return _text(fetched, options) if fetched.rendered else fetched.body


def _with_limits(result: Result, limits: tuple[str, ...]) -> Result:
    """A result that is not all of its document."""
    if not limits:
        return result
    quality, trace = result.quality, result.trace
    verdict: VerdictName = "partial" if quality.verdict == "good" else quality.verdict
    reasons = (*quality.reasons, *(f"truncated: {limit}" for limit in limits))
    return replace(
        result,
        quality=replace(quality, verdict=verdict, reasons=reasons),
        trace=replace(trace, limits=(*trace.limits, *limits)),
    )


def links_of(fetched: Fetched, result: Result, options: Options, navigation: bool) -> tuple[Link, ...]:
    """The links in a result, or those of its page that are not in it."""
    if not navigation:
        return tuple(link for link in result.links if link.url.startswith(("http:", "https:")))
    if not is_page(fetched):
        return ()  # all of a document is content
    from duramen.fetch.links import navigation_links

    return navigation_links(page_of(_page(fetched, options), fetched.url, options, fetched.charset), result.links)


def next_page_of(fetched: Fetched, options: Options, seen: set[str]) -> str | None:
    """The URL of an article's next page."""
    from duramen.fetch.pages import next_page

    return next_page(_text(fetched, options), fetched.url, seen)


def _text(fetched: Fetched, options: Options) -> str:
    given = "utf-8" if fetched.rendered else options.encoding
    return decode(fetched.body, given, fetched.charset)[0]
