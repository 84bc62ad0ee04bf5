"""The five-stage chain that every candidate passes (003 §4.2), with limits that belong to the page's type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from duramen.model import Check, PageType, SiteRule
from duramen.page import Page


class Bounds(NamedTuple):
    """What a candidate must have at least, or at most."""

    chars: int
    paragraphs: int
    link_density: float
    indicators: int


# The article row is the specification's own; the others are loosened where wcxb-dev's truth of that type would fail it.
BOUNDS: dict[PageType, Bounds] = {
    "article": Bounds(100, 2, 0.3, 1),
    "documentation": Bounds(60, 0, 0.6, 0),
    "forum": Bounds(60, 0, 0.6, 0),
    "product": Bounds(60, 0, 0.6, 0),
    "listing": Bounds(60, 0, 0.98, 0),
    "collection": Bounds(60, 0, 0.98, 0),
    "service": Bounds(60, 0, 0.6, 0),
}


CARDS = frozenset[PageType]({"documentation", "service", "listing", "collection"})
"""Page types whose content may be cards, each in one link; elsewhere a card is a teaser for another page."""


def _bounds(kind: PageType, rule: SiteRule | None) -> Bounds:
    """The limits of the page's type, with those that a site rule sets for its own candidate."""
    bounds = BOUNDS[kind]
    if rule is None:
        return bounds
    paragraphs = bounds.paragraphs if rule.paragraphs is None else max(0, rule.paragraphs - 1)
    density = bounds.link_density if rule.link_density is None else rule.link_density
    return bounds._replace(paragraphs=paragraphs, link_density=density)


def validate(page: Page, kept: Sequence[int], kind: PageType, rule: SiteRule | None = None) -> tuple[Check, ...]:
    """The checks on a candidate's blocks, in the order of the specification; all are reported, also after a failure."""
    bounds = _bounds(kind, rule)
    measures = page.measure(kept, cards_are_links=kind not in CARDS)
    chars, paragraphs = measures.chars, measures.paragraphs
    density = measures.links / chars if chars else 0.0
    meta = page.metadata
    indicators = sum(map(bool, (meta.published or meta.modified, meta.authors, meta.title)))
    return (
        Check("blocks", len(kept), 1, len(kept) >= 1),
        Check("characters", chars, bounds.chars, chars > bounds.chars),
        Check("paragraphs", paragraphs, bounds.paragraphs, paragraphs > bounds.paragraphs or not bounds.paragraphs),
        Check("link_density", round(density, 3), bounds.link_density, density < bounds.link_density),
        Check("indicators", indicators, bounds.indicators, indicators >= bounds.indicators),
    )
