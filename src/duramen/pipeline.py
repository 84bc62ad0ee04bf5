"""The order of work: read, find, refine, render."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from duramen import dom
from duramen.blocks import segment
from duramen.budget import Budget
from duramen.captions import Captions, find_captions
from duramen.choice import choose
from duramen.errors import InputError, OptionError
from duramen.filter_list import Hidden, hide
from duramen.find.classical import STRATEGIES
from duramen.find.density import best_container, density_chances
from duramen.find.embedded import find_embedded
from duramen.find.frameworks import find_framework
from duramen.find.grounds import changed
from duramen.find.judge import Judgement, Model, expected_f1, expected_words, hints_of, judge_blocks, shipped_model
from duramen.find.patterns import find_patterns
from duramen.find.remembered import find_remembered, selector_of
from duramen.find.semantic import find_semantic
from duramen.find.site_rules import find_site_rule
from duramen.flatten import flatten, parse_tree
from duramen.model import Candidate, Encoding, Ground, PageKind, PageText, Quality, Remembered, Removal, Story, Trace
from duramen.options import Options, Output
from duramen.page import Page
from duramen.read.addresses import base_url
from duramen.read.by_rule import by_rule
from duramen.read.decode import decode_page, looks_like_html
from duramen.read.document_type import document_type
from duramen.read.framework import detect_framework, with_title
from duramen.read.hidden import take_out_hidden
from duramen.read.metadata import read_metadata
from duramen.read.structured import read_structured
from duramen.refine.compose import compose, compose_plainly
from duramen.refine.prune import Mark, mark_removals
from duramen.refine.quality import assess
from duramen.refine.sanitize import Draft, as_text, safe_metadata, sanitize
from duramen.refine.standardize import canonical_html
from duramen.result import Result
from duramen.rule_effects import renamed, told_by_rule
from duramen.rule_set import RuleSet, rules_of
from duramen.trace import block_views, invisible_characters, trace_removals, trace_steps

Tier = Callable[[Page], Iterable[Candidate]]

TIERS: tuple[Tier, ...] = (find_site_rule, find_framework, find_embedded, find_semantic, find_patterns)
"""In order of trust; the scoring tier, the judge's own choice, comes last."""

_DEFAULTS = Options()
_TAG = re.compile("<")
_SHORTEST_TAG = 3
_SHOWN = re.compile(r"(?:^|>)(?:\s|&nbsp;)*+(?:[^\s<&]|&(?!nbsp;))")
"""Text in sanitized HTML, in which no attribute holds a bare ``>``."""
_LONE = re.compile("[\ud800-\udfff]")

NO_TEXT = frozenset({"pdf", "image", "zip", "gzip", "binary"})
"""Input that holds no text a page could be read from."""


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
    """The whole order of work; ``model`` lets the benchmarks judge with a model that has not seen the page.

    ``remembered`` is what a selector cache knows of the site; when it is not ``None``, the trace has the selector of
    this content for the cache to learn. ``rules`` takes the place of the rules that the options name.
    ``content_type`` is what the server said of the bytes. ``repeated`` tells for the texts of blocks on which share of
    the site's other pages each stands, for a caller that has seen them.
    """
    budget = Budget(options.limits)
    limits: list[str] = []
    if not isinstance(html, (str, bytes)):
        html = bytes(html)
    if url is not None:
        url = _encodable(url)
    not_html = looks_like_html(html)
    text, encoding = _as_text("" if not_html in NO_TEXT else html, options, budget, limits, content_type)
    rules = rules if rules is not None else rules_of(options.rules)
    given = Given(text, url, options, rules, tuple(remembered or ()), model, budget.nodes_in(len(text)))
    found = find(given, limits, budget)
    page, judgement, hidden = found.page, found.judgement, found.hidden
    if repeated is not None:
        judgement = _without_repeated(judgement, repeated(page.blocks.text))
    choice = choose(page, found.marks, found.proposals, judgement, options.mode)
    winner, kept = choice.winner, choice.kept
    captions = find_captions(page, kept, choice.gone) if options.output.images else Captions()
    names = renamed(page, winner)
    # The evidence has served; on a long page it is most of the memory that the rest would find taken.
    del found
    judgement = replace(judgement, predict=lambda _: choice.expected, grounds=list)
    fragment = winner.fragment if winner is not None else ""
    draft: Draft = fragment
    in_time = not budget.is_overspent()
    if in_time and not fragment:
        wanted = [False] * len(page.blocks)
        for b in (*kept, *captions.blocks):
            wanted[b] = True
        draft = compose(page.tree, page.blocks, wanted, choice.gone, options.limits.max_depth, names)
    in_time = in_time and budget.covers(draft)
    if not in_time:
        limits.append(f"no time left of {options.limits.seconds} s to keep more than headings and paragraphs")
        draft = fragment or compose_plainly(page.tree, page.blocks, kept)
    is_cut = page.tree.cut or any(limit.startswith("input cut off") for limit in limits) or not in_time

    def told(page: Page, kept: list[int], fragment: str) -> tuple[Quality, str, tuple[Removal, ...]]:
        return (
            assess(page, kept, judgement.kind, choice.expected, not_html, tuple(limits), fragment, is_cut),
            selector_of(page, kept) if remembered is not None and kept else "",
            (*page.hidden, *invisible_characters(page, kept)) if options.visible_only else (),
        )

    steps = (*trace_steps(page, judgement, encoding), *rules.overridden_by(page.rule), *hidden.steps)
    about = told(page, kept, fragment)
    metadata, document, framework, base = page.metadata, page.document_type, page.framework, page.base_url
    # The page has served, too, and the draft is given away: each form it takes may be as long as the page.
    drafts = [draft]
    del page, draft
    content = sanitize(_canonical(drafts.pop(), base, options.output if in_time else None), options.output)
    is_empty = _SHOWN.search(content) is None
    if is_empty:
        if kept or fragment:
            about = told(find(given, []).page, [], "")
        content, kept, captions = "", [], Captions()
        choice.fail("nothing was left after sanitizing")
    quality, selector, unseen = about
    if budget.is_overspent():
        limits.append(f"the page took longer than {options.limits.seconds} s")
    limits += hidden.limits
    trace = Trace(
        steps=steps,
        attempts=tuple(choice.attempts),
        limits=tuple(limits),
        warnings=rules.problems if url else (),
        selector=selector,
        hidden=unseen,
        tell=partial(tell, given, judgement.judge, (*kept, *captions.blocks), winner),
    )
    return Result(
        content,
        metadata,
        judgement.kind,
        None if is_empty else choice.tier,
        quality,
        trace,
        document,
        encoding,
        framework,
        url,
        options.output,
        captions.letters,
    )


def _canonical(draft: Draft, base_url: str | None, output: Output | None) -> Draft:
    """A draft in canonical form, or as it is where there is no time for that; as the parser writes it."""
    return dom.fragment(as_text(draft)).inner_html if output is None else canonical_html(draft, base_url, output)


def page_of(html: str | bytes, url: str | None, options: Options, content_type: str | None = None) -> Page:
    """The page as an extraction with the same arguments sees it, for whoever wants to look at it beside the result."""
    budget = Budget(options.limits)
    html = "" if looks_like_html(html) in NO_TEXT else html
    text, _ = _as_text(html, options, budget, [], content_type)
    return read_page(text, _encodable(url) if url else url, options, [], max_nodes=budget.nodes_in(len(text)))


@dataclass(frozen=True, slots=True)
class Given:
    """All that the finding stage is given: the same again leads to the same findings."""

    text: PageText
    url: str | None
    options: Options
    rules: RuleSet
    remembered: tuple[Remembered, ...]
    model: Model | None
    max_nodes: int


@dataclass(frozen=True, slots=True)
class Found:
    """A page, read and judged: all that the choice is made from."""

    page: Page
    hidden: Hidden
    marks: tuple[Mark, ...]
    proposals: tuple[Candidate, ...]
    judgement: Judgement


def find(given: Given, limits: list[str], budget: Budget | None = None) -> Found:
    """Read the page, mark what rows remove, let the tiers propose, and give every block a chance."""
    url, options = given.url, given.options
    page = read_page(given.text, url, options, limits, given.rules, given.max_nodes)
    hidden = hide(page.tree, url, options.filter_lists) if options.filter_lists else Hidden()
    marks = mark_removals(page.tree, hidden.nodes)
    # A classical algorithm is measured alone: no other tier helps it.
    tiers = () if options.strategy in STRATEGIES else TIERS
    remembered = find_remembered(page, given.remembered) if options.strategy == "auto" else ()
    proposals = (*remembered, *(candidate for tier in tiers for candidate in tier(page)))
    if budget is not None and budget.is_half_spent() and options.strategy == "auto":
        limits.append("half the time was used up by reading: judged by density alone")
        options = replace(options, strategy="density")
    judgement = told_by_rule(page, proposals, judge(page, marks, proposals, options, given.model))
    return Found(page, hidden, marks, proposals, judgement)


def tell(given: Given, judge: str, blocks: Sequence[int], winner: Candidate | None) -> Story:
    """What became of every part of a page that was extracted before, and why.

    The page is read and judged again: a result that held the page for this would be many times its size.
    """
    if judge == "density":
        given = replace(given, options=replace(given.options, strategy="density"))
    found, kept = find(given, []), frozenset(blocks)
    removals = trace_removals(found.page, found.marks, kept, found.judgement)
    return Story(removals, block_views(found.page, found.marks, kept, winner, found.judgement))


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


def _as_text(
    html: str | bytes, options: Options, budget: Budget, limits: list[str], content_type: str | None
) -> tuple[PageText, Encoding]:
    most = budget.characters
    if len(html) > most:
        limits.append(
            f"input cut off after {most:,} of {len(html):,} {'characters' if isinstance(html, str) else 'bytes'}"
        )
        html = html[:most]
    text: PageText
    if isinstance(html, str):
        text, encoding = _encodable(html), Encoding("utf-8", "str")
    else:
        text, encoding = decode_page(bytes(html), options.encoding, content_type)
    tags = budget.tags_in(len(text))
    if len(text) > _SHORTEST_TAG * tags and dom.count_of(text, "<") > tags:
        # Nodes are left out once the page is parsed; one of tags alone must not come so far.
        text = str(text)
        at = next(islice(_TAG.finditer(text), tags, None)).start()
        limits.append(f"input cut off after {tags:,} tags, at {at:,} of {len(text):,} characters")
        text = text[:at]
    return text, encoding


def _encodable(text: str) -> str:
    """Half of a surrogate pair is no character: it could not leave again as UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8") if _LONE.search(text) else text


def read_page(
    text: PageText,
    url: str | None,
    options: Options,
    limits: list[str],
    rules: RuleSet | None = None,
    max_nodes: int = 0,
) -> Page:
    """Read: what is this page, and what does it say about itself?"""
    max_nodes = max_nodes or options.limits.max_nodes
    hidden: tuple[Removal, ...] = ()
    if options.visible_only:
        document = dom.parse(str(text), limits)
        hidden = take_out_hidden(document)
        tree = flatten(document, max_nodes)
    else:
        tree = parse_tree(text, max_nodes, limits)
    if tree.cut:
        limits.append(f"nodes after the first {max_nodes:,} were left out")
    if tree.deepest() > options.limits.max_depth:
        limits.append(f"elements deeper than {options.limits.max_depth} were unwrapped")
    base = base_url(tree, url)
    structured = read_structured(tree, base)
    rule = (rules or rules_of(options.rules)).for_url(url)
    framework = detect_framework(tree, structured.meta)
    told = with_title(tree, framework, read_metadata(tree, structured, url, base))
    metadata = safe_metadata(by_rule(tree, rule, told))
    return Page(
        tree,
        segment(tree),
        url,
        base,
        document_type(tree, text),
        structured,
        metadata,
        framework,
        rule,
        hidden,
    )


def judge(
    page: Page, marks: Sequence[Mark], proposals: Sequence[Candidate], options: Options, model: Model | None
) -> Judgement:
    """Find, first half: a chance for every block."""
    if options.strategy in STRATEGIES:
        kept = STRATEGIES[options.strategy](page)
        return _unlearned(page, [0.95 if wanted else 0.05 for wanted in kept], options.strategy)
    removed = page.blocks_in([m.node for m in marks if not m.rescued])
    if options.strategy == "density" or len(page.blocks) > Budget.blocks_in(page.tree.chars[-1]):
        return _unlearned(page, density_chances(page, removed), "density")
    hints = hints_of(page, proposals, best_container(page, removed))
    judgement = judge_blocks(page, hints, model or shipped_model())
    return _with_comments(page, marks, judgement, options.include_comments)


COMMENTS = "comments"
"""The removal row whose nodes are readers' comments."""


def _with_comments(page: Page, marks: Sequence[Mark], judgement: Judgement, wanted: bool) -> Judgement:
    """Comments are a forum's content; elsewhere they are kept only on request, however much text they are."""
    inside = page.blocks_in([m.node for m in marks if m.rule_id == COMMENTS])
    if not inside or judgement.kind.type == "forum":
        return judgement
    chances = list(judgement.chances)
    for b in inside:
        if wanted:
            chances[b] = max(chances[b], 0.8) if page.blocks.words[b] >= 5 else chances[b]
        elif judgement.kind.type == "article":
            chances[b] *= 0.2

    def why() -> list[tuple[Ground, ...]]:
        return changed(judgement.grounds(), "comments", judgement.chances, chances)

    return replace(judgement, chances=chances, grounds=why)


def _without_repeated(judgement: Judgement, shares: Sequence[float]) -> Judgement:
    """What stands on the site's other pages, too, is hardly this page's content."""
    chances = [chance * (1 - share) for chance, share in zip(judgement.chances, shares, strict=True)]

    def why() -> list[tuple[Ground, ...]]:
        return changed(judgement.grounds(), "repeated", judgement.chances, chances)

    return replace(judgement, chances=chances, grounds=why)


def _unlearned(page: Page, chances: list[float], name: str) -> Judgement:
    words = page.blocks.words
    total = expected_words(chances, words)
    return Judgement(chances, PageKind("article", 0.5), name, lambda kept: expected_f1(chances, words, kept, total))
