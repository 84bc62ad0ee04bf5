"""The order of work: read, find, refine; text and Markdown are rendered when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial

from duramen.budget import Budget
from duramen.errors import InputError, OptionError
from duramen.find.finder import Found, Search, find_content, judge_page
from duramen.find.judge import Model
from duramen.find.remembered import selector_of
from duramen.model import Candidate, Remembered, Trace, TraceDetails
from duramen.options import Options
from duramen.page import Page
from duramen.read.reader import Source, encodable, read_page, read_source
from duramen.refine.quality import assess, emptied
from duramen.refine.refiner import Refinement
from duramen.result import Result
from duramen.rule_set import RuleSet, rules_of
from duramen.trace import block_views, invisible_characters, trace_removals, trace_steps

_DEFAULTS = Options()


def extract(html: str | bytes, url: str | None = None, options: Options | None = None) -> Result:
    """The main content of a page.

    ``html`` is the page as text or as the bytes that came over the wire; ``url`` makes links absolute and selects site
    rules. Never raises for any page: look at ``Result.quality``.

    >>> result = extract("<html lang=en><title>Oaks</title><body><nav><a href=/>Home</a></nav><main><h1>Oaks</h1>"
    ...                  "<p>Oaks live for centuries, and their heartwood is hard, dark and durable.</p></main>")
    >>> result.text
    'Oaks live for centuries, and their heartwood is hard, dark and durable.'
    """
    return run(html, url, checked(html, url, options))


def run(
    html: str | bytes,
    url: str | None,
    options: Options,
    model: Model | None = None,
    remembered: Sequence[Remembered] | None = None,
    rules: RuleSet | None = None,
    content_type: str | None = None,
    repeated: Callable[[Sequence[str]], Sequence[float]] | None = None,
) -> Result:
    """The whole order of work, with what callers inside the package may add to it.

    ``model`` and ``rules`` replace the shipped ones. ``remembered`` is what a selector cache knows of the site: unless
    it is ``None``, the trace has a selector to learn. ``repeated`` is explained in ``find_content``.
    """
    budget, url = Budget(options.limits), encodable(url) if url is not None else None
    rules = rules if rules is not None else rules_of(options.rules)
    source = read_source(html, options, content_type, budget)
    page = read_page(source, url, options, rules)
    found = find_content(page, Search(options, model, tuple(remembered or ())), budget, repeated)
    refinement = Refinement(page, found.kept, found.gone, found.fragment, found.renamed, options, budget)

    limits, is_cut = (*page.limits, *found.limits, *refinement.limits), bool(refinement.limits)
    quality = assess(page, found.kept, found.kind, found.expected, limits, found.fragment, is_cut=is_cut)
    trace = _trace(page, found, rules, learns=remembered is not None)
    metadata, about = page.metadata, (page.document_type, page.encoding, page.framework, url, options.output)
    del page  # Its memory is needed for the forms that the content takes next.

    content = refinement.finish()
    kept = (*found.kept, *refinement.captions.blocks) if content else ()
    if not content:
        found.choice.fail("nothing was left after sanitizing")
        quality, trace = emptied(quality), replace(trace, selector="")
    if budget.is_overspent():
        limits += (f"the page took longer than {options.limits.seconds} s",)
    trace = replace(trace, limits=(*limits, *found.hidden.limits), attempts=tuple(found.choice.attempts))
    trace = replace(trace, explain=partial(explain_blocks, source, url, rules, found.search, kept, found.winner))
    tier = found.choice.tier if content else None
    return Result(content, metadata, found.kind, tier, quality, trace, *about, refinement.captions.letters)


def _trace(page: Page, found: Found, rules: RuleSet, *, learns: bool) -> Trace:
    """What is known of the decisions before the content is in its final form."""
    options = found.search.options
    return Trace(
        steps=(*trace_steps(page, found.kind, found.judge), *rules.overridden_by(page.rule), *found.hidden.steps),
        warnings=rules.problems if page.url else (),
        selector=selector_of(page, found.kept) if learns and found.kept else "",
        hidden=(*page.hidden, *invisible_characters(page, found.kept)) if options.visible_only else (),
    )


def explain_blocks(
    source: Source,
    url: str | None,
    rules: RuleSet,
    search: Search,
    kept: Collection[int],
    winner: Candidate | None,
) -> TraceDetails:
    """What became of every part of a page that was extracted before, and why.

    The page is read and judged again: a result that held the page for this would be many times its size.
    """
    page = read_page(source, url, search.options, rules)
    judged, blocks = judge_page(page, search), frozenset(kept)
    removals = trace_removals(page, judged.marks, blocks, judged.judgement)
    return TraceDetails(removals, block_views(page, judged.marks, blocks, winner, judged.judgement))


def page_of(html: str | bytes, url: str | None, options: Options, content_type: str | None = None) -> Page:
    """The page as an extraction with the same arguments reads it, to show it beside the result."""
    return read_page(read_source(html, options, content_type), encodable(url) if url else url, options)


def checked(html: object, url: object, options: object) -> Options:
    """The options, once it is clear that none of the three is misused."""
    if not isinstance(html, (str, bytes, bytearray, memoryview)):
        raise InputError(
            f"html must be str or bytes, not {type(html).__name__}; read a file with Path(name).read_bytes() first"
        )
    if url is not None and not isinstance(url, str):
        raise InputError(f"url must be a str or None, not {type(url).__name__}; write str(url)")
    if options is None:
        return _DEFAULTS
    if not isinstance(options, Options):
        raise OptionError(
            f"options must be duramen.Options, not {type(options).__name__}; write Options(mode='recall')"
        )
    return options
