"""The order of work: read, find, refine, render. The one loop here holds all fallback."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import mul

from duramen import dom
from duramen.blocks import segment
from duramen.errors import InputError, OptionError
from duramen.find.classical import STRATEGIES
from duramen.find.density import density_chances
from duramen.find.embedded import find_embedded, hydrated_candidates
from duramen.find.frameworks import detect_framework, find_framework, framework_title, rows
from duramen.find.judge import Judgement, Model, best_choice, expected_f1, hints_of, judge_blocks, shipped_model
from duramen.find.patterns import find_patterns
from duramen.find.semantic import find_semantic
from duramen.find.site_rules import find_site_rule, rule_for
from duramen.find.validate import validate
from duramen.model import Attempt, Candidate, Check, Encoding, PageKind, TierName, Trace
from duramen.options import Options
from duramen.page import Page
from duramen.read.decode import decode, looks_like_html
from duramen.read.document_type import document_type
from duramen.read.metadata import read_metadata
from duramen.read.structured import hydration_bodies, read_structured
from duramen.refine.compose import compose
from duramen.refine.prune import Mark, mark_removals, selected_nodes
from duramen.refine.quality import assess
from duramen.refine.sanitize import safe_metadata, sanitize
from duramen.refine.standardize import standardize
from duramen.result import Result
from duramen.trace import title_blocks, trace_removals, trace_steps

Tier = Callable[[Page], Iterable[Candidate]]

TIERS: tuple[Tier, ...] = (find_site_rule, find_framework, find_embedded, find_semantic, find_patterns)
"""In order of trust; the scoring tier, the judge's own choice, comes last."""

MOST_BLOCKS = 20_000
"""A page of more blocks than this is judged by density alone: no page made for readers is, and it would take long."""
LIKELY = 0.3
"""A container's blocks below this chance are dropped with the judge's own."""
THIN = 80
"""With fewer words than this the page's own text is not taken for its content if it carries more as data."""
RICHER = 1.5
"""Data must have this many times the words of the page's own text to replace it: it has no links."""
COVERED = 0.5
"""With less of the judge's own choice in it a framework's element is that of an unknown version: half a page."""
DATA_F1 = 0.8
"""What is expected of content that the page carries as data: it is complete, but may be more than the article."""

TRUST: dict[TierName, float] = {
    "site_rule": 0.5,
    "framework": 0.5,
    "structured": 0.0,
    "semantic": 0.0,
    "pattern": 0.0,
    "scoring": 0.0,
}
"""How much expected F1 the judge's own choice must be ahead by to beat a tier's candidate."""


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
    return run(html, url, _checked(html, url, options))


def run(html: str | bytes, url: str | None, options: Options, model: Model | None = None) -> Result:
    """The whole order of work; ``model`` lets the benchmarks judge with a model that has not seen the page."""
    started = time.process_time()
    limits: list[str] = []
    if not isinstance(html, (str, bytes)):
        html = bytes(html)
    if url is not None:
        url = _encodable(url)
    not_html = looks_like_html(html)
    text, encoding = _as_text("" if not_html in NO_TEXT else html, options, limits)
    page = read_page(text, url, options, limits)
    marks = mark_removals(page.tree)
    # A classical algorithm is measured alone: no other tier helps it.
    tiers = () if options.strategy in STRATEGIES else TIERS
    proposals = [candidate for tier in tiers for candidate in tier(page)]
    if time.process_time() - started > options.limits.seconds / 2 and options.strategy == "auto":
        limits.append("half the time was used up by reading: judged by density alone")
        options = replace(options, strategy="density")
    judgement = judge(page, marks, proposals, options, model)
    choice = choose(page, marks, proposals, judgement, options)
    winner, kept = choice.winner, choice.kept
    fragment = winner.fragment if winner is not None else ""
    wanted = [b in kept for b in range(len(page.blocks))]
    draft = fragment or compose(page.tree, page.blocks, wanted, choice.gone, options.limits.max_depth)
    root = dom.fragment(draft)
    standardize(root, page.base_url, options.output)
    content = sanitize(root, options.output)
    is_empty = not dom.fragment(content).text.strip()
    if is_empty:
        content, kept, fragment = "", set(), ""
        choice.fail("nothing was left after sanitizing")
    quality = assess(page, sorted(kept), judgement.kind, choice.expected, not_html, tuple(limits), fragment=fragment)
    if time.process_time() - started > options.limits.seconds:
        limits.append(f"the page took longer than {options.limits.seconds} s")
    trace = Trace(
        steps=trace_steps(page, judgement, encoding),
        attempts=tuple(choice.attempts),
        removals=trace_removals(page, marks, kept, judgement),
        limits=tuple(limits),
    )
    tier = None if is_empty else choice.tier
    return Result(
        content,
        page.metadata,
        judgement.kind,
        tier,
        quality,
        trace,
        page.document_type,
        encoding,
        page.framework,
        url,
        options.output,
    )


def _checked(html: object, url: object, options: object) -> Options:
    if not isinstance(html, (str, bytes, bytearray, memoryview)):
        raise InputError(
            f"html must be str or bytes, not {type(html).__name__}; read a file with Path(name).read_bytes() first"
        )
    if url is not None and not isinstance(url, str):
        raise InputError(f"url must be a str or None, not {type(url).__name__}; write str(url)")
    if options is None:
        return Options()
    if not isinstance(options, Options):
        raise OptionError(
            f"options must be duramen.Options, not {type(options).__name__}; write Options(mode='recall')"
        )
    return options


def _as_text(html: str | bytes, options: Options, limits: list[str]) -> tuple[str, Encoding]:
    most = options.limits.max_bytes
    if len(html) > most:
        limits.append(
            f"input cut off after {most:,} of {len(html):,} {'characters' if isinstance(html, str) else 'bytes'}"
        )
        html = html[:most]
    if isinstance(html, str):
        return _encodable(html), Encoding("utf-8", "str")
    return decode(bytes(html), options.encoding)


def _encodable(text: str) -> str:
    """Half of a surrogate pair is no character: it could not leave again as UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8") if _LONE.search(text) else text


def read_page(text: str, url: str | None, options: Options, limits: list[str]) -> Page:
    """Read: what is this page, and what does it say about itself?"""
    document = dom.parse(text)
    tree = dom.flatten(document, options.limits.max_nodes)
    if tree.cut:
        limits.append(f"nodes after the first {options.limits.max_nodes:,} were left out")
    if tree.depth and max(tree.depth) > options.limits.max_depth:
        limits.append(f"elements deeper than {options.limits.max_depth} were unwrapped")
    base_url = dom.base_url(document, url)
    structured = read_structured(tree, document, base_url)
    metadata = safe_metadata(read_metadata(tree, document, structured, url, base_url))
    framework = detect_framework(tree, structured.meta)
    titled = framework_title(tree, framework)
    if titled is not None:
        sources = {**metadata.sources, "title": f"framework {titled[1]}"}
        metadata = replace(metadata, title=titled[0], sources=sources)
    return Page(
        tree,
        segment(tree),
        url,
        base_url,
        document_type(document, text),
        structured,
        metadata,
        framework,
        rule_for(url),
    )


def judge(
    page: Page, marks: Sequence[Mark], proposals: Sequence[Candidate], options: Options, model: Model | None
) -> Judgement:
    """Find, first half: a chance for every block."""
    if options.strategy in STRATEGIES:
        kept = STRATEGIES[options.strategy](page)
        return _unlearned(page, [0.95 if wanted else 0.05 for wanted in kept], options.strategy)
    removed = page.blocks_in([m.node for m in marks if not m.rescued])
    chances, container = density_chances(page, removed)
    if options.strategy == "density" or len(page.blocks) > MOST_BLOCKS:
        return _unlearned(page, chances, "density")
    judgement = judge_blocks(page, hints_of(page, proposals, container), model or shipped_model())
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
    return replace(judgement, chances=chances)


def _unlearned(page: Page, chances: list[float], name: str) -> Judgement:
    words = page.blocks.words
    return Judgement(chances, PageKind("article", 0.5), name, lambda kept: expected_f1(chances, words, kept))


def choose(
    page: Page, marks: Sequence[Mark], proposals: Sequence[Candidate], judgement: Judgement, options: Options
) -> Choice:
    """Find, second half: every candidate is validated and weighed. This loop holds all fallback."""
    words, chances = page.blocks.words, judgement.chances
    own = set(best_choice(chances, words, "balanced")[0])
    likely = {b for b, p in enumerate(chances) if p > LIKELY} | own
    scoring = Candidate("scoring", f"judge-{judgement.judge}", "blocks with the best expected F1")
    sure = _sure_removals(page, marks, judgement)
    attempts: list[Attempt] = []
    best: Choice | None = None
    best_rank = -2.0

    def candidates() -> Iterator[Candidate]:
        yield from (c for c in proposals if not c.fragment)
        yield scoring
        yield from (c for c in proposals if c.fragment)
        if best is None or best.words < THIN:
            yield from hydrated_candidates(hydration_bodies(page.tree))

    for candidate in candidates():
        row = rows()[page.framework.id] if candidate.tier == "framework" and page.framework else None
        gone = _rule_removals(page, candidate) | (set() if row and row.whole else sure)
        if candidate.fragment:
            size = dom.count_words(dom.fragment(candidate.fragment).text)
            if size < THIN or (best is not None and size < RICHER * best.words):
                attempts.append(
                    Attempt(candidate, (), 0.0, f"the page's own text is preferred to {size} words of data")
                )
                continue
            attempts.append(Attempt(candidate, (), 0.0, "valid"))
            best = Choice(attempts, len(attempts) - 1, set(), set(), size, DATA_F1)
            continue
        blocks = own if candidate is scoring else page.blocks_in(candidate.nodes)
        kept = blocks - page.blocks_in(gone)
        if candidate.tier in ("structured", "semantic", "pattern") or (row and not row.whole):
            kept &= likely
        checks = validate(page, sorted(kept), (row and row.kind) or judgement.kind.type)
        if row:
            rest = own - page.blocks_in(gone)
            share = sum(words[b] for b in rest & blocks) / max(1, sum(words[b] for b in rest))
            checks += (Check("covered", round(share, 3), COVERED, share >= COVERED),)
        score = expected_f1(chances, words, kept)
        failed = next((c for c in checks if not c.passed), None)
        outcome = f"failed: {failed.name} {failed.value:g} (limit {failed.limit:g})" if failed else "valid"
        attempts.append(Attempt(candidate, checks, round(score, 4), outcome))
        rank = score + TRUST[candidate.tier] - (1.0 if failed else 0.0)
        if kept and rank > best_rank + 1e-9:
            best_rank = rank
            best = Choice(attempts, len(attempts) - 1, kept, gone, sum(words[b] for b in kept), 0.0)
    if best is None:
        return Choice(attempts, -1, set(), set(), 0, 0.0)
    if options.mode != "balanced" and best.kept and best.tier not in ("site_rule", "framework"):
        leaning = set(best_choice(chances, words, options.mode)[0]) - page.blocks_in(best.gone)
        best.kept = (best.kept & leaning or best.kept) if options.mode == "precision" else best.kept | leaning
    best.settle(title_blocks(page, best.kept), judgement)
    return best


@dataclass
class Choice:
    """The winner of the loop, while it runs and after."""

    attempts: list[Attempt]
    index: int
    kept: set[int]
    gone: set[int]
    words: int
    expected: float

    def settle(self, title: set[int], judgement: Judgement) -> None:
        """Take the title's own heading out, say who won, and what is expected of it."""
        self.kept = self.kept - title
        for i, attempt in enumerate(self.attempts):
            if i == self.index:
                self.attempts[i] = replace(attempt, outcome="won")
            elif attempt.outcome == "valid":
                self.attempts[i] = replace(attempt, outcome="lost: lower score")
        if self.kept:
            self.expected = judgement.predict(sorted(self.kept))

    def fail(self, why: str) -> None:
        """The winner turned out to be nothing."""
        if self.index >= 0:
            self.attempts[self.index] = replace(self.attempts[self.index], outcome=f"failed: {why}")

    @property
    def winner(self) -> Candidate | None:
        return self.attempts[self.index].candidate if self.index >= 0 else None

    @property
    def tier(self) -> TierName | None:
        return self.winner.tier if self.winner is not None else None


_CERTAIN = 0.6
_MUCH = 0.3


def _sure_removals(page: Page, marks: Sequence[Mark], judgement: Judgement) -> set[int]:
    """The nodes of sure rows, except where the judge is certain of a region or finds much of the content in it."""
    size = list(accumulate(page.blocks.words, initial=0))
    mass = list(accumulate(map(mul, page.blocks.words, judgement.chances), initial=0.0))
    gone: set[int] = set()
    for mark in marks:
        if not mark.sure or mark.rescued:
            continue
        start, stop = page.range_of(mark.node)
        inside = mass[stop] - mass[start]
        if inside <= _CERTAIN * (size[stop] - size[start]) and inside <= _MUCH * mass[-1]:
            gone.add(mark.node)
    return gone


def _rule_removals(page: Page, candidate: Candidate) -> set[int]:
    if candidate.tier == "site_rule" and page.rule is not None:
        return selected_nodes(page.tree, page.rule.remove) - selected_nodes(page.tree, page.rule.keep)
    if candidate.tier == "framework" and page.framework is not None:
        row = rows()[page.framework.id]
        return selected_nodes(page.tree, row.remove) - selected_nodes(page.tree, row.keep)
    return set()
