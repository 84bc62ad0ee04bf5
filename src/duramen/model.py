"""Every value that crosses a border between stages: frozen, standard library only.

Nodes of the page are named by their number in document order (see ``Tree`` in ``tree.py``), so that a value can point
into the page without holding it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol

PageType = Literal["article", "documentation", "forum", "product", "listing", "collection", "service"]
TierName = Literal["cache", "site_rule", "framework", "structured", "semantic", "pattern", "scoring", "document"]
VerdictName = Literal["good", "partial", "poor", "empty"]

TIERS: tuple[TierName, ...] = ("cache", "site_rule", "framework", "structured", "semantic", "pattern", "scoring")


class Utf8(Protocol):
    """A page in well-formed UTF-8, which the compiled core reads as it is; ``str`` decodes it."""

    @property
    def data(self) -> bytes: ...

    def __len__(self) -> int:
        """How many characters it has."""

    def count(self, character: str, /) -> int:
        """How often a character of ASCII is in it."""


PageText = str | Utf8


@dataclass(frozen=True, slots=True)
class Encoding:
    """How bytes became text."""

    name: str
    source: str
    """``given``, ``bom``, ``header``, ``declared``, ``detected``, or ``str`` when text was given."""
    replaced: int = 0
    """Characters that stand for bytes which could not be decoded."""


@dataclass(frozen=True, slots=True)
class DocumentType:
    """Which HTML the page says it is written in; ``legacy`` pages are searched with legacy selectors."""

    name: str
    source: str
    legacy: bool


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the page says about itself. ``sources`` names where each field was found."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    """People; an organisation only where the page names no one else."""
    publisher: str | None = None
    """The organisation, or the person, that the page names as its publisher."""
    published: str | None = None
    modified: str | None = None
    description: str | None = None
    site_name: str | None = None
    language: str | None = None
    canonical_url: str | None = None
    image: str | None = None
    section: str | None = None
    tags: tuple[str, ...] = ()
    licence: str | None = None
    sources: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def author(self) -> str | None:
        """The authors in one line."""
        return ", ".join(self.authors) or None


class StructuredData(NamedTuple):
    """What the page carries as data beside its text."""

    json_ld: tuple[Mapping[str, Any], ...] = ()
    """Every JSON-LD object, ``@graph`` and arrays flattened."""
    microdata: tuple[Mapping[str, Any], ...] = ()
    rdfa: tuple[Mapping[str, Any], ...] = ()
    """Typed things, by the names of schema.org."""
    meta: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """``<meta>`` by lower-case ``property`` or ``name`` (OpenGraph, Twitter, Dublin Core): all values in order."""
    bodies: tuple[tuple[str, str], ...] = ()
    """Content carried as data: (source, text or HTML), longest first."""
    speakable: tuple[str, ...] = ()
    """CSS selectors and XPaths of ``speakable``, as written (XPaths begin with ``/``)."""
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Framework:
    """The generator, CMS or forum software behind a page."""

    id: str
    name: str
    confidence: float
    evidence: tuple[str, ...]


class RuleCase(NamedTuple):
    """A page that a site rule has to get right."""

    name: str
    url: str
    contains: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    expected: Mapping[str, str] = MappingProxyType({})
    """Metadata by name (``title``, ``author``, ``published``), and ``tier`` if another one should win."""
    html: str = ""
    page: str = ""
    """The file of the page, beside the rule, when it does not stand in the rule itself."""


class SiteRule(NamedTuple):
    """What is known about one site. Selectors are tried in order; the first that finds enough holds the content."""

    id: str
    domains: tuple[str, ...]
    primary: tuple[str, ...]
    secondary: tuple[str, ...] = ()
    fallback: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    """What stays although a removal row would take it."""
    paths: tuple[str, ...] = ()
    """Shell-style patterns of URL paths; without any the rule is for the whole site."""
    page_type: PageType | None = None
    metadata: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """Selectors of ``title``, ``author`` and ``published``."""
    rename: Mapping[str, str] = MappingProxyType({})
    """Elements that are written as another one: selector to tag."""
    words: int = 30
    """With fewer words than this a selector has failed and the next one is tried."""
    paragraphs: int | None = None
    link_density: float | None = None
    quality: float = 0.5
    """The expected F1 that every case has to reach."""
    about: str = ""
    cases: tuple[RuleCase, ...] = ()
    source: str = ""
    """The file the rule was read from."""

    @property
    def levels(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return ("primary", self.primary), ("secondary", self.secondary), ("fallback", self.fallback)


class Hidden(NamedTuple):
    """What filter lists hide on a page."""

    nodes: dict[int, str]
    """Each element, and the rule that names it."""
    steps: list[str]
    limits: list[str]


class Remembered(NamedTuple):
    """A selector that served a site before (see :class:`duramen.selector_cache.SelectorCache`)."""

    selector: str
    rate: float
    """The share of pages on which it served; 0 while it is on trial or too old to be trusted."""
    evidence: str = ""


UNCERTAIN = 0.5
"""A page type with less confidence than this is a guess."""


@dataclass(frozen=True, slots=True)
class PageKind:
    """The page's type, and what spoke for it."""

    type: PageType
    confidence: float
    evidence: tuple[str, ...] = ()

    @property
    def uncertain(self) -> bool:
        """Whether another type is as likely as not: the type is then a guess."""
        return self.confidence < UNCERTAIN


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposal of one tier: these nodes, or this fragment, are the content."""

    tier: TierName
    rule_id: str
    evidence: str
    nodes: tuple[int, ...] = ()
    fragment: str = ""
    """HTML of content that the page carries only as data; unsanitized, like the page."""
    confidence: float = 0.5


@dataclass(frozen=True, slots=True)
class Check:
    """One measured condition."""

    name: str
    value: float
    limit: float
    passed: bool


@dataclass(frozen=True, slots=True)
class Attempt:
    """How a candidate fared in the one loop that holds all fallback."""

    candidate: Candidate
    checks: tuple[Check, ...]
    score: float
    outcome: str
    """``won``, or why it lost."""


@dataclass(frozen=True, slots=True)
class Removal:
    """Something taken out of the content (or put back: ``rescued``), and by which rule."""

    step: str
    rule_id: str
    reason: str
    place: str
    """A short CSS-like path to the node."""
    words: str
    """The first words of what was removed."""
    rescued: bool = False
    node: int | None = None
    """The number of the node in the page, if it is one."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One kind of evidence on a block."""

    id: str
    """The row of ``evidence.toml``."""
    phrase: str
    weight: float
    """By how much it moved the block's log-odds of being content: above zero for, below zero against it."""


@dataclass(frozen=True, slots=True)
class BlockView:
    """A block of the page, what became of it and why."""

    path: str
    """A short CSS-like path to the element that shows it."""
    text: str
    """Its first words."""
    words: int
    kept: bool
    probability: float
    """How likely the judge took it to be content."""
    rule: str
    """What decided: the winning candidate's rule, a removal row, or the judge."""
    speaks_for: tuple[Reason, ...] = ()
    """The strongest evidence that it is content."""
    speaks_against: tuple[Reason, ...] = ()
    """The strongest evidence that it is not."""


@dataclass(frozen=True, slots=True)
class Quality:
    """The verdict on a result."""

    verdict: VerdictName
    score: float
    """Between 0 and 1: how much of the true content is expected to be here, and nothing else (a predicted F1)."""
    reasons: tuple[str, ...]
    """Why the verdict is not better, each with a code before its colon; one that is good may have hints."""
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class TraceDetails:
    """What became of every part of the page."""

    removals: tuple[Removal, ...] = ()
    blocks: tuple[BlockView, ...] = ()


@dataclass(frozen=True)
class Trace:
    """Every decision, in order."""

    steps: tuple[str, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    limits: tuple[str, ...] = ()
    """What a limit cut off; empty when nothing was."""
    warnings: tuple[str, ...] = ()
    """What is wrong outside the page, such as a rule file that could not be used."""
    selector: str = ""
    """A selector of stable names that finds this content again; only when a selector cache asked for it."""
    hidden: tuple[Removal, ...] = ()
    """What no reader sees and was left out for that; only with ``Options.visible_only``."""
    explain: Callable[[], TraceDetails] = field(default=TraceDetails, repr=False, compare=False)
    """Works out :attr:`removals` and :attr:`blocks` from the input, which it holds."""
    reread: Callable[[], Any] | None = field(default=None, repr=False, compare=False)
    """Reads the page again from the input, for what :class:`duramen.Result` computes on request."""

    @cached_property
    def details(self) -> TraceDetails:
        return self.explain()

    @property
    def removals(self) -> tuple[Removal, ...]:
        """What was taken out or put back, by which rule; worked out when first used."""
        return (*self.hidden, *self.details.removals)

    @property
    def blocks(self) -> tuple[BlockView, ...]:
        """Every block, kept or dropped, with its probability and the evidence; worked out when first used."""
        return self.details.blocks


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page as the server sent it, unpacked."""

    url: str
    """Where it was found in the end, after all redirects."""
    status: int
    headers: Mapping[str, str]
    """By lower-case name; of ``set-cookie`` each on a line of its own."""
    content_type: str
    """Without its parameters, lower-case; empty when the server did not say."""
    charset: str | None
    """What the server said."""
    body: bytes
    steps: tuple[str, ...] = ()
    """What happened on the way, in order."""
    redirects: tuple[str, ...] = ()
    """The addresses that led here, in order."""
    from_cache: bool = False
    rendered: bool = False
    """A browser ran the page's scripts; ``body`` is then its document, in UTF-8."""
