"""The order of work: read, find, refine; text and Markdown are rendered when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence, Set
from dataclasses import replace
from functools import partial

from duramen.budget import Budget
from duramen.errors import InputError, OptionError
from duramen.find.finder import Found, Search, find_content, judge_page
from duramen.find.judge import Model
from duramen.find.remembered import selector_of
from duramen.lazy_pattern import lazy_pattern
from duramen.model import Candidate, PageKind, PageType, Quality, Remembered, Trace, TraceDetails, VerdictName
from duramen.options import Options, takes_options
from duramen.page import Page
from duramen.read.reader import Source, encodable, read_page, read_source
from duramen.refine.quality import assess, emptied
from duramen.refine.refiner import Refinement
from duramen.result import Result
from duramen.rule_set import RuleSet, rules_of
from duramen.trace import block_views, invisible_characters, trace_removals, trace_steps

_DEFAULTS = Options()
_ADDRESS = lazy_pattern(r"(?!file:)(?:([a-z][a-z0-9+.-]*+)://|www\.)[^\s<>]++", re.I)
_PATH = lazy_pattern(r"(?:(?:\.{0,2}/|~/|file:/|[a-z]:\\)[^<>\r\n]*|[^\s<>]+)\.(?:x?html?|mhtml|pdf)", re.I)
_LONGEST_ADDRESS = 2_000


@takes_options("extract(html, {})")
def extract(html: str | bytes, url: str | None = None, options: Options | None = None) -> Result:
    """The main content of a page.

    ``html`` is the page as text or as the bytes that came over the wire; ``url`` makes links absolute and selects site
    rules. Never raises for any page: look at ``Result.quality``. A text that is only a URL or the name of a file is no
    page, and raises :class:`duramen.InputError`.

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
    kept, tier = ((*found.kept, *refinement.captions.blocks), found.choice.tier) if content else ((), None)
    if not content:
        found.choice.fail("nothing was left after sanitizing")
        quality, trace = emptied(quality), replace(trace, selector="")
    if budget.is_overspent():
        limits += (f"the page took longer than {options.limits.seconds} s",)
    limits, attempts = (*limits, *found.hidden.limits), tuple(found.choice.attempts)
    explain = partial(explain_blocks, source, url, rules, found.search, kept, found.choice.copies, found.winner)
    reread, hidden = partial(_reread, source, url, rules, options, kept), (*trace.hidden, *refinement.hidden)
    trace = replace(trace, limits=limits, attempts=attempts, hidden=hidden, explain=explain, reread=reread)
    return Result(content, metadata, found.kind, tier, quality, trace, *about, refinement.captions.letters)


def keep_whole(html: str, url: str | None, options: Options, page_type: PageType = "article") -> Result:
    """A document that is content as a whole, such as a feed or a PDF, written as a page: nothing is searched for."""
    budget = Budget(options.limits)
    page = read_page(read_source(html, options, None, budget), url, options)
    kept = range(len(page.blocks))
    refinement = Refinement(page, kept, set(), "", {}, options, budget)
    limits = (*page.limits, *refinement.limits)
    hidden = (*page.hidden, *invisible_characters(page, kept)) if options.visible_only else ()
    content = refinement.finish()
    reasons = tuple(f"truncated: {limit}" for limit in limits) if content else ("empty: the document has no text",)
    verdict: VerdictName = "empty" if not content else "partial" if limits else "good"
    quality = Quality(verdict, 1.0 if content else 0.0, reasons, ())
    trace = Trace(steps=("all of the document was kept",), limits=limits, hidden=hidden, explain=TraceDetails)
    about = (page.document_type, page.encoding, page.framework, url, options.output)
    return Result(
        content, page.metadata, PageKind(page_type, 0.0), "document" if content else None, quality, trace, *about
    )


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
    copies: Set[int],
    winner: Candidate | None,
) -> TraceDetails:
    """What became of every part of a page that was extracted before, and why.

    The page is read and judged again: a result that held the page for this would be many times its size.
    """
    page = read_page(source, url, search.options, rules)
    judged, blocks = judge_page(page, search), frozenset(kept)
    removals = trace_removals(page, judged.marks, blocks, copies, judged.judgement)
    return TraceDetails(removals, block_views(page, judged.marks, blocks, copies, winner, judged.judgement))


def _reread(
    source: Source, url: str | None, rules: RuleSet, options: Options, kept: Sequence[int]
) -> tuple[Page, Sequence[int]]:
    """A page that was extracted before, and the blocks of it that are content."""
    return read_page(source, url, options, rules), kept


def page_of(html: str | bytes, url: str | None, options: Options, content_type: str | None = None) -> Page:
    """The page as an extraction with the same arguments reads it, to show it beside the result."""
    return read_page(read_source(html, options, content_type), encodable(url) if url else url, options)


def checked(html: object, url: object, options: object) -> Options:
    """The options, once it is clear that none of the three is misused."""
    if not isinstance(html, (str, bytes, bytearray, memoryview)):
        raise InputError(
            f"html must be str or bytes, not {type(html).__name__}; read a file with Path(name).read_bytes() first"
        )
    if isinstance(html, str) and len(html) <= _LONGEST_ADDRESS:
        text = html.strip()
        if address := _ADDRESS.fullmatch(text):
            fetchable = (address[1] or "http").lower() in ("http", "https")
            how = "fetch it with Session().extract(url), or" if fetchable else "download it by other means, and"
            raise InputError(f"{text!r} is a URL, not a page; {how} give extract the HTML")
        if _PATH.fullmatch(text):
            path = f"Path({text.removeprefix('file://')!r}){'.expanduser()' if text.startswith('~') else ''}"
            raise InputError(f"{text!r} is the name of a file, not a page; write extract({path}.read_bytes())")
    if isinstance(url, Options):
        raise OptionError("the second argument is the page's URL; write extract(html, options=Options(mode='recall'))")
    if url is not None and not isinstance(url, str):
        raise InputError(f"url must be a str or None, not {type(url).__name__}; leave it out if it is not known")
    if options is None:
        return _DEFAULTS
    if not isinstance(options, Options):
        raise OptionError(
            f"options must be duramen.Options, not {type(options).__name__}; write Options(mode='recall')"
        )
    return options
