"""What the readers of the single fields share: the page's data, its nodes, and the sources found so far."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Any
from urllib.parse import urljoin, urlsplit

from duramen.lazy_pattern import lazy_pattern
from duramen.model import StructuredData
from duramen.read.metadata_nodes import MetadataNodes
from duramen.read.metadata_rows import metadata_rows
from duramen.read.text_clean import agreement_of, clean_text, fold, host_name, is_home
from duramen.read.vocabulary import ARTICLE_TYPES, link_objects, types_of

__all__ = ["ARTICLE", "OTHER", "PAGE", "POST", "THING", "WEB_PAGE", "StructuredLookup", "strength", "texts_of"]

_POST_TYPES = "discussionforumposting socialmediaposting question qapage recipe howto podcastepisode claimreview"
_THING_TYPES = "product productgroup jobposting event course book movie softwareapplication review"
_PAGE_TYPES = "creativework videoobject dataset collectionpage itempage faqpage aboutpage medicalwebpage"
# Types whose name, author and dates are those of the page itself; the smaller the number, the stronger.
ARTICLE, POST, THING, PAGE, WEB_PAGE, OTHER = range(6)
MAIN_TYPES: dict[str, int] = {
    **dict.fromkeys(ARTICLE_TYPES, ARTICLE),
    **dict.fromkeys(_POST_TYPES.split(), POST),
    **dict.fromkeys(_THING_TYPES.split(), THING),
    **dict.fromkeys(_PAGE_TYPES.split(), PAGE),
    "webpage": WEB_PAGE,
}
_WHOLE = lazy_pattern(r"https?://[a-z0-9.-]+(?:/[\w%./~+@,:=&!*()-]*(?:\?[\w%./~+@,:=&!*()-]+)?)?", re.A)
"""An address that needs neither joining nor escaping, as most are."""
SITE_TYPES = frozenset({"website", "organization", "newsmediaorganization", "corporation", "localbusiness"})


class StructuredLookup:
    """Everything known about a page before its fields are filled; the source of each is noted as it is found."""

    def __init__(self, nodes: MetadataNodes, structured: StructuredData, url: str, base: str) -> None:
        self.nodes = nodes
        self.tree = nodes.tree
        self.rows = metadata_rows()
        self.meta = structured.meta
        self.url = url
        self.base = base
        self.sources: dict[str, str] = {}
        self.by_id = link_objects(structured.json_ld)
        self.document_title = ""
        if nodes.title >= 0:
            text = "".join(self.tree.text[nodes.title + 1 : self.tree.end[nodes.title]])
            self.document_title = clean_text(text, 1000, unescape=False) or ""
        self.kind: str = " ".join(self.meta.get("og:type", ("",))[0].lower().split())
        witness = fold(f"{self.document_title} {' '.join(self.meta.get('og:title', ())[:1])}")
        self.items = _main_items(structured.json_ld, witness)
        self.marked = [
            (source, item)
            for source, items in (("microdata", structured.microdata), ("rdfa", structured.rdfa))
            for item in _main_items(items, witness)
        ]
        """What is marked up on the elements themselves, with the notation it is written in."""
        strongest = min(map(strength, self.items), default=OTHER)
        self.is_report = strongest == ARTICLE
        self.is_article = self.kind == "article" or strongest <= POST
        self._objects = structured.json_ld[:300]
        self.host = host_name(url)
        self.is_home = bool(url) and is_home(url)

    def site_items(self) -> list[Mapping[str, Any]]:
        """The objects that describe the site or its owner, the site first."""
        found = [item for item in self._objects if SITE_TYPES.intersection(types_of(item))]
        return sorted(found, key=lambda item: "website" not in types_of(item))

    def found(self, name: str, source: str, text: str) -> str:
        """Note a field's source, and give its value back."""
        self.sources[name] = source
        return text

    def stated_keys(self, field: str) -> list[str]:
        """The names of ``<meta>`` for a field that the page has, best first."""
        present = self.rows.meta_names[field].intersection(self.meta)
        return [key for key in self.rows.meta[field] if key in present] if len(present) > 1 else list(present)

    def from_metas(self, name: str, keys: Iterable[str], limit: int) -> str | None:
        """The first text that one of these ``<meta>`` has."""
        for key in keys:
            for value in self.meta.get(key, ()):
                if text := clean_text(value, limit):
                    return self.found(name, f"meta:{key}", text)
        return None

    def resolve(self, value: Any) -> Any:
        """Follow an ``@id`` reference."""
        if isinstance(value, dict) and "name" not in value and isinstance(value.get("@id"), str):
            return self.by_id.get(value["@id"], value)
        return value

    def absolute(self, value: Any) -> str | None:
        """An address of the web in full, or nothing."""
        if not isinstance(value, str):
            return None
        address: str = html.unescape(value).strip()
        if not address or len(address) > 2000 or address.startswith(("data:", "javascript:", "#", "blob:")):
            return None
        if _WHOLE.fullmatch(address):
            return address
        try:
            joined = urljoin(self.base, address) if self.base else address
            parts = urlsplit(joined)
        except ValueError:
            return None
        if parts.scheme not in ("http", "https") or not parts.netloc or " " in parts.netloc:
            return None
        return joined.replace(" ", "%20")

    def is_teaser_list(self, numbers: list[int]) -> bool:
        """Whether names or dates repeat down the page as teasers do; posts of a forum repeat too, but are longer."""
        if len(numbers) < 4 or self.kind == "article":
            return False
        tree = self.tree
        if len({self.nodes.short(i) for i in numbers[:8]}) < 3:
            return False
        span = tree.chars[numbers[-1]] - tree.chars[numbers[0]]
        return span / (len(numbers) - 1) < 500


def _main_items(objects: tuple[Mapping[str, Any], ...], witness: str) -> list[Mapping[str, Any]]:
    """The objects that may describe the page itself, strongest type first."""
    if not objects:
        return []
    ranked: list[tuple[int, Mapping[str, Any]]] = []
    for item in objects[:300]:
        inner = item.get("mainEntity")
        if inner and "faqpage" in types_of(item):
            inner = None
        parts = (item, *(inner[:3] if isinstance(inner, list) else [inner]))
        ranked += [(rank, part) for part in parts if isinstance(part, dict) and (rank := strength(part)) < OTHER]
    ranked.sort(key=itemgetter(0))
    found = [item for _, item in ranked]
    articles = [item for rank, item in ranked if rank == ARTICLE]
    if len(articles) > 1 and witness:
        # Several articles may be teasers of others: those whose headline the page's title confirms come first.
        agreeing = [
            item for item in articles if agreement_of(fold(clean_text(item.get("headline"), 300) or ""), witness) > 0.5
        ]
        if agreeing or len(articles) > 2:
            found = agreeing + [item for rank, item in ranked if rank > ARTICLE]
    return found[:20]


def strength(item: Mapping[str, Any]) -> int:
    """How strongly an object speaks for the page itself, by its type; the smaller, the stronger."""
    kinds = types_of(item)
    if len(kinds) == 1:
        return MAIN_TYPES.get(kinds[0], OTHER)
    return min([MAIN_TYPES.get(kind, OTHER) for kind in kinds], default=OTHER)


def texts_of(source: str, value: Any) -> Iterator[tuple[str, str]]:
    """The texts of a property, which may be an array, each with its source."""
    for part in value[:5] if isinstance(value, list) else [value]:
        if isinstance(part, dict):
            part = part.get("@value")
        if isinstance(part, (str, int)):
            yield source, str(part)
