"""What a page says about itself, each value with its source.

A field is left empty rather than guessed. The tables at the top of each reader say which sources are believed, best
first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from duramen.lazy_pattern import lazy_pattern
from duramen.model import Metadata, StructuredData
from duramen.read.authors import read_authors
from duramen.read.languages import read_language
from duramen.read.metadata_nodes import MetadataNodes
from duramen.read.published import read_dates
from duramen.read.structured_lookup import StructuredLookup
from duramen.read.text_clean import clean_text, host_of, squeeze
from duramen.read.titles import read_title, split_title
from duramen.read.vocabulary import types_of
from duramen.tree import Tree

__all__ = ["read_metadata"]

MAX_TAGS = 30
_COMMAS = lazy_pattern("[,;|]")


def read_metadata(tree: Tree, structured: StructuredData, url: str | None, base_url: str | None) -> Metadata:
    """Collect a page's metadata; every value is plain text of bounded length."""
    if not len(tree):
        return Metadata()
    lookup = StructuredLookup(MetadataNodes(tree), structured, url or "", base_url or url or "")
    site_name = _site_name(lookup)
    site = _site_names(lookup, site_name)
    # The order matters: authors and dates are looked for around the title.
    title = read_title(lookup, set(site))
    language = read_language(lookup)
    canonical = _canonical(lookup)
    published, modified = read_dates(lookup, language, canonical)
    values: dict[str, Any] = {
        "title": title,
        "authors": read_authors(lookup, site, title),
        "publisher": _publisher(lookup),
        "published": published,
        "modified": modified,
        "description": _description(lookup),
        "site_name": site_name,
        "language": language,
        "canonical_url": canonical,
        "image": _image(lookup),
        "section": _section(lookup),
        "tags": _tags(lookup),
        "licence": _licence(lookup),
    }
    sources = {name: source for name, source in lookup.sources.items() if values.get(name)}
    return Metadata(**values, sources=sources)


def _site_name(lookup: StructuredLookup) -> str | None:
    if name := lookup.from_metas("site_name", lookup.rows.meta["site_name"][:1], 120):
        return name
    if name := _named_publisher(lookup):
        return lookup.found("site_name", "json-ld:publisher", name)
    for item in lookup.site_items():
        if name := clean_text(item.get("name"), 120):
            return lookup.found("site_name", f"json-ld:{types_of(item)[0]}", name)
    if name := lookup.from_metas("site_name", lookup.rows.meta["site_name"][1:], 120):
        return name
    for part in split_title(lookup.document_title):
        if lookup.host and squeeze(part) == lookup.host:
            return lookup.found("site_name", "title", part)
    return None


def _named_publisher(lookup: StructuredLookup) -> str | None:
    for item in lookup.items:
        publisher = item.get("publisher")
        for part in publisher[:3] if isinstance(publisher, list) else [publisher]:
            part = lookup.resolve(part)
            if isinstance(part, dict) and (name := clean_text(part.get("name"), 120)):
                return name
    return None


def _publisher(lookup: StructuredLookup) -> str | None:
    if name := _named_publisher(lookup):
        return lookup.found("publisher", "json-ld:publisher", name)
    for key in lookup.rows.meta["publisher"]:
        for value in lookup.meta.get(key, ()):
            if (name := clean_text(value, 120)) and "://" not in name:
                return lookup.found("publisher", f"meta:{key}", name)
    return None


def _site_names(lookup: StructuredLookup, site_name: str | None) -> set[str]:
    host = host_of(lookup.url)
    names = (site_name or "", lookup.host, host, ".".join(host.split(".")[-2:]))
    return {squeezed for name in names if (squeezed := squeeze(name))}


def _description(lookup: StructuredLookup) -> str | None:
    if text := lookup.from_metas("description", lookup.rows.meta["description"], 2000):
        return text
    for item in lookup.items:
        if text := clean_text(item.get("description"), 2000):
            return lookup.found("description", "json-ld:description", text)
    return None


def _canonical(lookup: StructuredLookup) -> str | None:
    for rel, href in lookup.nodes.links:
        if rel == "canonical" and (found := lookup.absolute(href)):
            return lookup.found("canonical_url", "link:canonical", found)
    for value in lookup.meta.get("og:url", ()):
        if found := lookup.absolute(value):
            return lookup.found("canonical_url", "meta:og:url", found)
    return None


def _image(lookup: StructuredLookup) -> str | None:
    for key in lookup.rows.meta["image"]:
        for text in lookup.meta.get(key, ()):
            if found := lookup.absolute(text):
                return lookup.found("image", f"meta:{key}", found)
    for item in lookup.items:
        for key in ("image", "thumbnailUrl"):
            value = lookup.resolve(item.get(key))
            value = lookup.resolve(value[0]) if isinstance(value, list) and value else value
            if isinstance(value, dict):
                value = value.get("url") or value.get("contentUrl")
            if found := lookup.absolute(value):
                return lookup.found("image", f"json-ld:{key}", found)
    for rel, href in lookup.nodes.links:
        if rel == "image_src" and (found := lookup.absolute(href)):
            return lookup.found("image", "link:image_src", found)
    return None


def _section(lookup: StructuredLookup) -> str | None:
    if text := lookup.from_metas("section", lookup.rows.meta["section"], 120):
        return text
    for item in lookup.items:
        if text := clean_text(item.get("articleSection"), 120):
            return lookup.found("section", "json-ld:articleSection", text)
    return None


def _tags(lookup: StructuredLookup) -> tuple[str, ...]:
    tags: dict[str, str] = {}

    def add(source: str, values: Iterable[Any], split: bool) -> None:
        for value in values:
            text = clean_text(value, 4000) or ""
            for part in _COMMAS.split(text) if split else [text]:
                part = part.strip(" #\"'[]")
                if part and len(part) <= 80 and len(tags) < MAX_TAGS and part.lower() not in tags:
                    lookup.sources.setdefault("tags", source)
                    tags[part.lower()] = part

    for key in lookup.rows.meta["tags"]:
        if key in lookup.meta:
            add(f"meta:{key}", lookup.meta[key], True)
    for item in lookup.items:
        if value := item.get("keywords"):
            add("json-ld:keywords", value[:100] if isinstance(value, list) else [value], True)
    for i in lookup.nodes.rels.get("tag", ())[:100]:
        if not lookup.nodes.is_aside(i):
            add("dom:rel=tag", [lookup.nodes.short(i)], False)
    return tuple(tags.values())


def _licence(lookup: StructuredLookup) -> str | None:
    tree, nodes = lookup.tree, lookup.nodes
    for rel, href in nodes.links:
        if rel in ("license", "licence") and (found := lookup.absolute(href)):
            return lookup.found("licence", "link:license", found)
    for item in lookup.items:
        value = item.get("license")
        if isinstance(value, dict):
            value = value.get("url") or value.get("@id")
        if isinstance(value, str) and (text := lookup.absolute(value) or clean_text(value, 200)):
            return lookup.found("licence", "json-ld:license", text)
    for i in (*nodes.rels.get("license", ()), *nodes.rels.get("licence", ())):
        if found := lookup.absolute(tree.attr(i, "href")):
            return lookup.found("licence", "dom:rel=license", found)
    known = {tree.attr(i, "href") for i in nodes.licences()}
    # With several licences on a page, none is certain to be the page's own.
    if len(known) == 1 and (found := lookup.absolute(known.pop())):
        return lookup.found("licence", "dom:creativecommons", found)
    return None
