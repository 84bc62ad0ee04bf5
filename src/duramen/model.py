"""Every value that crosses a border between stages: frozen, standard library only.

Nodes of the page are named by their number in document order (see :class:`duramen.dom.Tree`), so that a value can point
into the page without holding it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

PageType = Literal["article", "documentation", "forum", "product", "listing", "collection", "service"]
TierName = Literal["site_rule", "framework", "structured", "semantic", "pattern", "scoring"]
VerdictName = Literal["good", "partial", "poor", "empty"]

TIERS: tuple[TierName, ...] = ("site_rule", "framework", "structured", "semantic", "pattern", "scoring")


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
    sources: Mapping[str, str] = field(default_factory=dict)

    @property
    def author(self) -> str | None:
        """The authors in one line."""
        return ", ".join(self.authors) or None


@dataclass(frozen=True, slots=True)
class StructuredData:
    """What the page carries as data beside its text."""

    json_ld: tuple[Mapping[str, Any], ...] = ()
    """Every JSON-LD object, ``@graph`` and arrays flattened."""
    microdata: tuple[Mapping[str, Any], ...] = ()
    meta: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
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


@dataclass(frozen=True, slots=True)
class SiteRule:
    """What is known about one site. Selectors are tried in order; the first that finds something holds the content."""

    id: str
    domains: tuple[str, ...]
    content: tuple[str, ...]
    remove: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    """What stays although a removal row would take it."""
    min_words: int = 30
    """With less than this the rule has failed and the universal tiers decide."""
    source: str = ""
    """The file the rule was read from."""


@dataclass(frozen=True, slots=True)
class PageKind:
    """The page's type, and what spoke for it."""

    type: PageType
    confidence: float
    evidence: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Quality:
    """The verdict on a result."""

    verdict: VerdictName
    score: float
    """Between 0 and 1: how much of the true content is expected to be here, and nothing else (a predicted F1)."""
    reasons: tuple[str, ...]
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """Every decision, in order."""

    steps: tuple[str, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    removals: tuple[Removal, ...] = ()
    limits: tuple[str, ...] = ()
    """What a limit cut off; empty when nothing was."""


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
