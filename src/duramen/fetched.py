"""A fetched page: its HTML, its content, and the link to its next page."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from duramen.model import Fetched, TraceDetails
from duramen.options import Options
from duramen.pipeline import run
from duramen.read.decode import decode
from duramen.result import Result

if TYPE_CHECKING:
    from duramen.selector_cache import SelectorCache


def read_fetched(
    fetched: Fetched, options: Options, selectors: SelectorCache | None = None, details: bool = False
) -> Result:
    """Extract a fetched page; the trace begins with the steps of fetching it."""
    html, steps = source_of(fetched, options)
    extract = selectors.extract if selectors is not None else run
    result = extract(html, fetched.url, options, content_type=fetched.charset)
    trace = replace(result.trace, steps=(*steps, *result.trace.steps))
    if details:
        trace = replace(trace, explain=partial(_unchanged, trace.details))
    return replace(result, trace=trace)


def _unchanged(details: TraceDetails) -> TraceDetails:
    return details


def is_explained(result: Result) -> bool:
    """Whether the details of a result's trace are already computed."""
    return isinstance(result.trace.explain, partial) and result.trace.explain.func is _unchanged


def source_of(fetched: Fetched, options: Options) -> tuple[str | bytes, tuple[str, ...]]:
    """The HTML of a fetched page, and the steps that produced it."""
    from duramen.fetch.content import is_markdown
    from duramen.fetch.markdown import markdown_page

    if is_markdown(fetched.headers, fetched.body):
        steps = (*fetched.steps, "the site offers the page as Markdown")
        return markdown_page(_text(fetched, options)), steps
    return (_text(fetched, options) if fetched.rendered else fetched.body), fetched.steps


def next_page_of(fetched: Fetched, options: Options, seen: set[str]) -> str | None:
    """The URL of an article's next page."""
    from duramen.fetch.pages import next_page

    return next_page(_text(fetched, options), fetched.url, seen)


def _text(fetched: Fetched, options: Options) -> str:
    given = "utf-8" if fetched.rendered else options.encoding
    return decode(fetched.body, given, fetched.charset)[0]
