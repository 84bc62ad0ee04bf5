"""What a page says about itself, each value with its source.

A field is left empty rather than guessed. The tables at the top of each reader say which sources are believed, best
first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from duramen.model import Metadata, StructuredData
from duramen.read.authors import read_authors
from duramen.read.facts import Facts
from duramen.read.languages import read_language
from duramen.read.places import Places
from duramen.read.plain import host_of, plain, squeeze
from duramen.read.published import read_dates
from duramen.read.titles import read_title, split_title
from duramen.read.vocabulary import types_of
from duramen.tree import Tree

__all__ = ["read_metadata"]

SITE_METAS = ("og:site_name", "application-name", "apple-mobile-web-app-title", "dc.publisher")
DESCRIPTION_METAS = ("og:description", "description", "twitter:description", "dc.description", "dcterms.abstract")
IMAGE_METAS = ("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src", "thumbnail")
SECTION_METAS = ("article:section", "parsely-section", "cxenseparse:category", "category", "subject")
TAG_METAS = ("article:tag", "parsely-tags", "news_keywords", "keywords", "sailthru.tags")
MAX_TAGS = 30
_COMMAS = re.compile("[,;|]")


def read_metadata(tree: Tree, structured: StructuredData, url: str | None, base_url: str | None) -> Metadata:
    """Collect a page's metadata; every value is plain text of bounded length."""
    if not len(tree):
        return Metadata()
    facts = Facts(Places(tree), structured, url or "", base_url or url or "")
    site_name = _site_name(facts)
    site = _site_names(facts, site_name)
    # The order matters: authors and dates are looked for around the title.
    title = read_title(facts, set(site))
    language = read_language(facts)
    canonical = _canonical(facts)
    published, modified = read_dates(facts, language, canonical)
    values: dict[str, Any] = {
        "title": title,
        "authors": read_authors(facts, site, title),
        "published": published,
        "modified": modified,
        "description": _description(facts),
        "site_name": site_name,
        "language": language,
        "canonical_url": canonical,
        "image": _image(facts),
        "section": _section(facts),
        "tags": _tags(facts),
        "licence": _licence(facts),
    }
    sources = {name: source for name, source in facts.sources.items() if values.get(name)}
    return Metadata(**values, sources=sources)


def _site_name(facts: Facts) -> str | None:
    if name := facts.from_metas("site_name", SITE_METAS[:1], 120):
        return name
    for item in facts.items:
        publisher = item.get("publisher")
        for part in publisher[:3] if isinstance(publisher, list) else [publisher]:
            part = facts.resolve(part)
            if isinstance(part, dict) and (name := plain(part.get("name"), 120)):
                return facts.found("site_name", "json-ld:publisher", name)
    for item in sorted(facts.site_items, key=lambda item: "website" not in types_of(item)):
        if name := plain(item.get("name"), 120):
            return facts.found("site_name", f"json-ld:{types_of(item)[0]}", name)
    if name := facts.from_metas("site_name", SITE_METAS[1:], 120):
        return name
    for part in split_title(facts.document_title):
        if facts.host and squeeze(part) == facts.host:
            return facts.found("site_name", "title", part)
    return None


def _site_names(facts: Facts, site_name: str | None) -> set[str]:
    host = host_of(facts.url)
    names = (site_name or "", facts.host, host, ".".join(host.split(".")[-2:]))
    return {squeezed for name in names if (squeezed := squeeze(name))}


def _description(facts: Facts) -> str | None:
    if text := facts.from_metas("description", DESCRIPTION_METAS, 2000):
        return text
    for item in facts.items:
        if text := plain(item.get("description"), 2000):
            return facts.found("description", "json-ld:description", text)
    return None


def _canonical(facts: Facts) -> str | None:
    for rel, href in facts.places.links:
        if rel == "canonical" and (found := facts.absolute(href)):
            return facts.found("canonical_url", "link:canonical", found)
    for value in facts.meta.get("og:url", ()):
        if found := facts.absolute(value):
            return facts.found("canonical_url", "meta:og:url", found)
    return None


def _image(facts: Facts) -> str | None:
    for key in IMAGE_METAS:
        for text in facts.meta.get(key, ()):
            if found := facts.absolute(text):
                return facts.found("image", f"meta:{key}", found)
    for item in facts.items:
        for key in ("image", "thumbnailUrl"):
            value = facts.resolve(item.get(key))
            value = facts.resolve(value[0]) if isinstance(value, list) and value else value
            if isinstance(value, dict):
                value = value.get("url") or value.get("contentUrl")
            if found := facts.absolute(value):
                return facts.found("image", f"json-ld:{key}", found)
    for rel, href in facts.places.links:
        if rel == "image_src" and (found := facts.absolute(href)):
            return facts.found("image", "link:image_src", found)
    return None


def _section(facts: Facts) -> str | None:
    if text := facts.from_metas("section", SECTION_METAS, 120):
        return text
    for item in facts.items:
        if text := plain(item.get("articleSection"), 120):
            return facts.found("section", "json-ld:articleSection", text)
    return None


def _tags(facts: Facts) -> tuple[str, ...]:
    tags: dict[str, str] = {}

    def add(source: str, values: Iterable[Any], split: bool) -> None:
        for value in values:
            text = plain(value, 4000) or ""
            for part in _COMMAS.split(text) if split else [text]:
                part = part.strip(" #\"'[]")
                if part and len(part) <= 80 and len(tags) < MAX_TAGS and part.lower() not in tags:
                    facts.sources.setdefault("tags", source)
                    tags[part.lower()] = part

    for key in TAG_METAS:
        if key in facts.meta:
            add(f"meta:{key}", facts.meta[key], True)
    for item in facts.items:
        if value := item.get("keywords"):
            add("json-ld:keywords", value[:100] if isinstance(value, list) else [value], True)
    for i in facts.places.rels.get("tag", ())[:100]:
        if not facts.places.is_aside(i):
            add("dom:rel=tag", [facts.places.short(i)], False)
    return tuple(tags.values())


def _licence(facts: Facts) -> str | None:
    tree, places = facts.tree, facts.places
    for rel, href in places.links:
        if rel in ("license", "licence") and (found := facts.absolute(href)):
            return facts.found("licence", "link:license", found)
    for item in facts.items:
        value = item.get("license")
        if isinstance(value, dict):
            value = value.get("url") or value.get("@id")
        if isinstance(value, str) and (text := facts.absolute(value) or plain(value, 200)):
            return facts.found("licence", "json-ld:license", text)
    for i in (*places.rels.get("license", ()), *places.rels.get("licence", ())):
        if found := facts.absolute(tree.attr(i, "href")):
            return facts.found("licence", "dom:rel=license", found)
    commons = {tree.attr(i, "href") for i in places.commons()}
    # With several licences on a page, none can be told to be the page's own.
    if len(commons) == 1 and (found := facts.absolute(commons.pop())):
        return facts.found("licence", "dom:creativecommons", found)
    return None
