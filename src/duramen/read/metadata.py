"""What a page says about itself: title, authors, dates and the rest, each with its source.

A field is left empty rather than guessed. The tables at the top say which sources are believed, best first.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from types import MappingProxyType
from typing import Any
from urllib.parse import urljoin, urlsplit

from duramen.dom import Document, Element, Tree, detect_language
from duramen.model import Metadata, StructuredData
from duramen.read.structured import link_objects, types_of

__all__ = ["read_metadata"]

# --- Tables --------------------------------------------------------------------------------------------------------

_ARTICLE_TYPES = """
    newsarticle reportagenewsarticle analysisnewsarticle opinionnewsarticle backgroundnewsarticle reviewnewsarticle
    advertisercontentarticle satiricalarticle blogposting liveblogposting techarticle scholarlyarticle
    medicalscholarlyarticle report article apireference
"""
_POST_TYPES = "discussionforumposting socialmediaposting question qapage recipe howto podcastepisode claimreview review"
_THING_TYPES = "product productgroup jobposting event course book movie softwareapplication"
_PAGE_TYPES = "creativework videoobject dataset collectionpage itempage faqpage aboutpage medicalwebpage"
# Types whose name, author and dates are those of the page itself; the smaller the number, the stronger.
MAIN_TYPES: dict[str, int] = {
    **dict.fromkeys(_ARTICLE_TYPES.split(), 0),
    **dict.fromkeys(_POST_TYPES.split(), 1),
    **dict.fromkeys(_THING_TYPES.split(), 2),
    **dict.fromkeys(_PAGE_TYPES.split(), 3),
    "webpage": 4,
}
SITE_TYPES = frozenset({"website", "organization", "newsmediaorganization", "corporation", "localbusiness"})

TITLE_METAS = ("og:title", "twitter:title", "dc.title", "dcterms.title", "citation_title", "parsely-title", "headline")
SITE_METAS = (
    "og:site_name",
    "application-name",
    "apple-mobile-web-app-title",
    "twitter:app:name:iphone",
    "dc.publisher",
)
AUTHOR_METAS = (
    "citation_author",
    "parsely-author",
    "sailthru.author",
    "article:author_name",
    "byl",
    "dc.creator",
    "dcterms.creator",
    "dc.creator.personalname",
    "cxenseparse:author",
    "author",
    "authors",
    "article:author",
    "twitter:data1",
)
PUBLISHED_METAS = (
    "article:published_time",
    "article:published",
    "og:article:published_time",
    "og:published_time",
    "og:pubdate",
    "datepublished",
    "parsely-pub-date",
    "sailthru.date",
    "cxenseparse:recs:publishtime",
    "citation_publication_date",
    "citation_online_date",
    "citation_date",
    "dc.date.issued",
    "dcterms.issued",
    "dc.date.created",
    "dcterms.created",
    "dc.date",
    "dcterms.date",
    "publishdate",
    "publish-date",
    "publish_date",
    "published-date",
    "publication_date",
    "publication-date",
    "pubdate",
    "article.published",
    "article_date_original",
    "article-date",
    "date",
    "original-publish-date",
    "displaydate",
    "timestamp",
    "release_date",
    "datecreated",
    "created",
)
MODIFIED_METAS = (
    "article:modified_time",
    "og:article:modified_time",
    "og:updated_time",
    "datemodified",
    "article:updated_time",
    "dcterms.modified",
    "dc.date.modified",
    "article.updated",
    "last-modified",
    "lastmod",
    "revised",
    "revision_date",
    "modified",
    "updated_time",
)
DESCRIPTION_METAS = ("og:description", "description", "twitter:description", "dc.description", "dcterms.abstract")
IMAGE_METAS = ("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src", "thumbnail")
SECTION_METAS = ("article:section", "parsely-section", "cxenseparse:category", "category", "subject")
TAG_METAS = ("article:tag", "parsely-tags", "news_keywords", "keywords", "sailthru.tags")
LANGUAGE_METAS = ("content-language", "language", "dc.language", "dcterms.language")

SEPARATOR = re.compile(r"\s+[|–—·•»«>\\⋆›]+\s+|\s+-+\s+|\s*::\s*|\s*\|\s*|:\s+|\s+/\s+")

_BYLINE = re.compile(
    r"(?:^|[\s_-])(?:by-?line|bylines|author|authors|autor|autore|auteur|writer|post-?author|article-?author|contributor"
    r"|vcard|posted-?by|written-?by)(?:$|[\s_-])",
    re.I,
)
_BYLINE_NAME = re.compile(
    r"(?:^|[\s_-])(?:author|byline|autor|auteur|writer|contributor)[_-]{1,2}(?:name|link|title-name)\b|(?:^|\s)fn(?:$|\s)",
    re.I,
)
_NO_BYLINE = re.compile(
    r"comment|bio\b|biograph|avatar|image|img|photo|pic\b|portrait|social|share|related|follow|desc|about|count|more-from"
    r"|recommend|sidebar|widget|footer|thumb|icon|role|job|position|info-box|archive|list-item|teaser|reply|reviewer"
    r"|testimonial|quote",
    re.I,
)
_DATED = re.compile(
    r"(?:^|[\s_-])(?:date|dates|datum|fecha|published|pub-?date|publish-?date|post-?date|entry-?date|article-?date"
    r"|dateline|timestamp|time|posted-?on|datetime|created|meta|byline|veroeffentlicht|pubdate|data)(?:$|[\s_-])",
    re.I,
)
_ASIDE = re.compile(
    r"(?:^|[\s_-])(?:comments?|commentlist|disqus|related|sidebar|side-bar|widgets?|footer|recommended|recommendations|more|latest|popular|trending"
    r"|teasers?|promo|newsletter|nav|navigation|menu|carousel|slider|upcoming|cookie|consent|modal)(?:$|[\s_-])",
    re.I,
)

_MAX_TITLE = 300
_MAX_AUTHORS = 10
_MAX_TAGS = 30


@dataclass(slots=True)
class _Seen:
    """What one walk over the page notes, by node number."""

    titles: list[int] = field(default_factory=list)
    h1: list[int] = field(default_factory=list)
    h2: list[int] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    addresses: list[int] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    """``<link>`` by each word of ``rel``."""
    authors: list[int] = field(default_factory=list)
    """``<a rel=author>``."""
    tags: list[int] = field(default_factory=list)
    licences: list[str] = field(default_factory=list)
    commons: set[str] = field(default_factory=set)
    bylines: list[int] = field(default_factory=list)
    dated: list[int] = field(default_factory=list)
    props: dict[str, list[int]] = field(default_factory=dict)
    aside: list[bool] = field(default_factory=list)
    """Whether a node stands in a comment, a sidebar, a teaser list, a footer."""
    inside: list[int] = field(default_factory=list)
    """2 inside an ``article``, 1 inside ``main``, else 0."""


_PROPS = frozenset({"headline", "author", "datePublished", "dateModified", "name", "dateCreated"})


def read_metadata(
    tree: Tree, document: Document, structured: StructuredData, url: str | None, base_url: str | None
) -> Metadata:
    """Collect a page's metadata; every value is plain text of bounded length."""
    if not len(tree):
        return Metadata()
    return _Reader(tree, document, structured, url, base_url or url).read()


class _Reader:
    def __init__(
        self, tree: Tree, document: Document, structured: StructuredData, url: str | None, base: str | None
    ) -> None:
        self.tree = tree
        self.document = document
        self.meta = structured.meta
        self.url = url or ""
        self.base = base or ""
        self.sources: dict[str, str] = {}
        self.by_id = link_objects(structured.json_ld)
        self.items = _main_items(structured.json_ld, self.by_id)
        self.site_items = [item for item in structured.json_ld if SITE_TYPES.intersection(types_of(item))]
        self.microdata = _main_items(structured.microdata, {})
        self.seen = _walk(tree, bool(structured.microdata) or document.select_one("[itemprop]") is not None)

    def read(self) -> Metadata:
        site_name = self._site_name()
        title = self._title(site_name)
        language = self._language()
        published, modified = self._dates(language)
        values: dict[str, Any] = {
            "title": title,
            "authors": self._authors(site_name, title),
            "published": published,
            "modified": modified,
            "description": self._description(),
            "site_name": site_name,
            "language": language,
            "canonical_url": self._canonical(),
            "image": self._image(),
            "section": self._section(),
            "tags": self._tags(),
            "licence": self._licence(),
        }
        sources = {name: source for name, source in self.sources.items() if values.get(name)}
        return Metadata(**values, sources=MappingProxyType(sources))

    # Helpers

    def _from_metas(self, name: str, keys: Iterable[str], limit: int) -> str | None:
        for key in keys:
            for value in self.meta.get(key, ()):
                if text := _plain(value, limit):
                    self.sources[name] = f"meta:{key}"
                    return text
        return None

    def _resolve(self, value: Any) -> Any:
        """Follow an ``@id`` reference."""
        if isinstance(value, dict) and len(value) <= 2 and isinstance(value.get("@id"), str) and "name" not in value:
            return self.by_id.get(value["@id"], value)
        return value

    def _absolute(self, value: Any) -> str | None:
        if not isinstance(value, str):
            return None
        value = html.unescape(value).strip()
        if not value or len(value) > 2000 or value.startswith(("data:", "javascript:", "#", "blob:")):
            return None
        try:
            joined = urljoin(self.base, value) if self.base else value
            parts = urlsplit(joined)
        except ValueError:
            return None
        if parts.scheme not in ("http", "https") or not parts.netloc or " " in parts.netloc:
            return None
        return joined.replace(" ", "%20")

    # Site name

    def _site_name(self) -> str | None:
        if name := self._from_metas("site_name", SITE_METAS[:1], 120):
            return name
        for item in self.items:
            publisher = self._resolve(item.get("publisher"))
            for part in publisher if isinstance(publisher, list) else [publisher]:
                if isinstance(part, dict) and (name := _plain(part.get("name"), 120)):
                    self.sources["site_name"] = "json-ld:publisher"
                    return name
        for wanted in ("website", None):
            for item in self.site_items:
                if (wanted is None or wanted in types_of(item)) and (name := _plain(item.get("name"), 120)):
                    self.sources["site_name"] = "json-ld:" + types_of(item)[0]
                    return name
        if name := self._from_metas("site_name", SITE_METAS[1:], 120):
            return name
        return self._site_name_in_title()

    def _site_name_in_title(self) -> str | None:
        """The part of ``<title>`` that is the host's name."""
        host = _host_name(self.url)
        if not host:
            return None
        for part in _split_title(self._document_title()):
            if _squeeze(part) == host:
                self.sources["site_name"] = "title"
                return part
        return None

    # Title

    def _document_title(self) -> str:
        for i in self.seen.titles[:1]:
            return _plain("".join(self.tree.text[i + 1 : self.tree.end[i]]), 1000, unescape=False) or ""
        return ""

    def _title(self, site_name: str | None) -> str | None:
        document_title = self._document_title()
        data: list[tuple[str, str]] = []
        for item in self.items:
            strength = _strength(item)
            for name in ("headline", "name") if strength < 4 else ("headline",):
                if (text := _plain(item.get(name), _MAX_TITLE)) and not (name == "name" and strength == 3):
                    data.append((f"json-ld:{name}", text))
                    break
        for key in TITLE_METAS:
            data.extend(
                (f"meta:{key}", text) for value in self.meta.get(key, ())[:1] if (text := _plain(value, _MAX_TITLE))
            )
        for item in self.microdata:
            if _strength(item) < 3 and (text := _plain(item.get("headline") or item.get("name"), _MAX_TITLE, False)):
                data.append(("microdata:headline", text))
        witnesses = [_fold(text) for _, text in data]
        if document_title:
            witnesses.append(_fold(document_title))
        site = _squeeze(site_name or "")
        host = _host_name(self.url)
        headings = self._headings(site)
        best: tuple[float, str, str] | None = None
        for source, text in headings:
            folded = _fold(text)
            agreement = max((_agreement(folded, witness) for witness in witnesses), default=0.5)
            if agreement >= 0.6 and (best is None or agreement > best[0] + 0.25):
                best = (agreement, source, text)
        if best:
            return self._found("title", best[1], best[2])
        stripped = _strip_site(document_title, site, host, [t for _, t in data] + [t for _, t in headings])
        for source, text in data:
            clean = _strip_site(text, site, host, [stripped])
            if clean and _squeeze(clean) not in (site, host):
                # Shared data of all pages of a site says nothing about this one.
                if document_title and _agreement(_fold(clean), _fold(document_title)) < 0.2 and headings:
                    continue
                return self._found("title", source, clean)
        if stripped:
            return self._found("title", "title", stripped)
        if headings:
            return self._found("title", *headings[0])
        return self._found("title", data[0][0], data[0][1]) if data else None

    def _headings(self, site: str) -> list[tuple[str, str]]:
        """Headings that may be the title, in the order of the specification's §2.2."""
        tree, seen = self.tree, self.seen
        ranked: list[tuple[int, int, str]] = []
        headlines = set(seen.props.get("headline", ()))
        for i in seen.h1[:20]:
            if i in headlines:
                rank, source = 1, "dom:h1[itemprop=headline]"
            elif seen.inside[i] == 2 and any(
                tree.tag[j] == "header" and seen.inside[j] == 2 for j in tree.ancestors(i)
            ):
                rank, source = 0, "dom:article header h1"
            elif seen.inside[i]:
                rank, source = 2, "dom:article h1" if seen.inside[i] == 2 else "dom:main h1"
            else:
                rank, source = 3, "dom:h1"
            ranked.append((rank + (4 if seen.aside[i] else 0), i, source))
        ranked.extend((2, i, "dom:itemprop=headline") for i in headlines if i not in seen.h1 and not seen.aside[i])
        out: list[tuple[str, str]] = []
        for _, i, source in sorted(ranked):
            text = _plain(tree.text_in(i), _MAX_TITLE, unescape=False)
            if text and len(text) > 1 and _squeeze(text) != site:
                out.append((source, text))
        return out

    def _found(self, name: str, source: str, text: str) -> str:
        self.sources[name] = source
        return text

    # Authors

    def _authors(self, site_name: str | None, title: str | None) -> tuple[str, ...]:
        site = {_squeeze(site_name or ""), _host_name(self.url)} - {""}
        heading = _fold(title or "")
        for source, strong, raw in self._author_candidates():
            names: list[str] = []
            for text in raw:
                for name in _names(text, strong):
                    folded = _fold(name)
                    if folded == heading or (not strong and _squeeze(name) in site):
                        continue
                    if folded not in {_fold(known) for known in names}:
                        names.append(name)
            if names:
                self.sources["authors"] = source
                return tuple(names[:_MAX_AUTHORS])
        return ()

    def _author_candidates(self) -> Iterator[tuple[str, bool, list[str]]]:
        for item in self.items:
            if _strength(item) <= 3:
                for key in ("author", "creator"):
                    people, others = self._people(item.get(key))
                    yield f"json-ld:{key}", True, people
                    yield f"json-ld:{key}", True, others
        for item in self.microdata:
            if _strength(item) <= 1:
                people, others = self._people(item.get("author"))
                yield "microdata:author", False, people + others
        for key in AUTHOR_METAS:
            if key == "twitter:data1" and "written by" not in " ".join(self.meta.get("twitter:label1", ())).lower():
                continue
            values = [_plain(v, 500) or "" for v in self.meta.get(key, ())]
            yield f"meta:{key}", False, values
        tree, seen = self.tree, self.seen
        near = [i for i in seen.authors if not seen.aside[i]]
        yield "dom:rel=author", False, self._group(near)
        yield "dom:itemprop=author", False, self._group([i for i in seen.props.get("author", ()) if not seen.aside[i]])
        marked = [i for i in seen.bylines if not seen.aside[i]]
        for i in marked:
            yield f"dom:.{tree.cls[i].split()[0][:40]}", False, self._byline(i)
        for i in seen.addresses:
            if not seen.aside[i] and seen.inside[i]:
                yield "dom:address", False, self._byline(i)

    def _people(self, value: Any) -> tuple[list[str], list[str]]:
        """Names of persons, and of organisations."""
        people: list[str] = []
        others: list[str] = []
        values = value if isinstance(value, list) else [value]
        for part in values[:20]:
            part = self._resolve(part)
            if isinstance(part, str):
                people.append(_plain(part, 500) or "")
            elif isinstance(part, dict):
                name = part.get("name")
                for text in name[:10] if isinstance(name, list) else [name]:
                    kinds = types_of(part)
                    (others if kinds and "person" not in kinds else people).append(_plain(text, 500) or "")
        return people, others

    def _group(self, numbers: list[int]) -> list[str]:
        """The texts of the first marked element and of those beside it."""
        tree = self.tree
        texts: list[str] = []
        last = -1
        for i in numbers[:20]:
            text = _plain(tree.text_in(i), 300, unescape=False)
            if not text:
                continue
            if last >= 0 and tree.chars[i] - tree.chars[tree.end[last]] > 20:
                break
            texts.append(text)
            last = i
        return texts

    def _byline(self, i: int) -> list[str]:
        """The names in a byline: its links to people if it has some, else its text."""
        tree = self.tree
        if tree.chars_in(i) > 400:
            return []
        linked: list[str] = []
        for j in range(i + 1, tree.end[i]):
            if tree.tag[j] == "a" and _PEOPLE_PATH.search(tree.attr(j, "href")):
                linked.append(_plain(tree.text_in(j), 200, unescape=False) or "")
            elif tree.tag[j] and tree.cls[j] and _BYLINE_NAME.search(tree.cls[j]):
                return [_plain(tree.text_in(j), 200, unescape=False) or ""]
        if any(linked):
            return linked
        return [_plain(tree.text_in(i), 400, unescape=False) or ""]

    # Dates

    def _dates(self, language: str | None) -> tuple[str | None, str | None]:
        month_first = _month_first(language, self.url)
        published = self._pick_date("published", self._published_candidates(), month_first)
        modified = self._pick_date("modified", self._modified_candidates(), month_first)
        if modified and published and modified[:10] < published[:10]:
            modified = None
        return published, modified

    def _pick_date(self, name: str, candidates: Iterator[tuple[str, str]], month_first: bool) -> str | None:
        for source, text in candidates:
            if found := parse_date(text, month_first):
                self.sources[name] = source
                return found
        return None

    def _published_candidates(self) -> Iterator[tuple[str, str]]:
        for item in self.items:
            if _strength(item) <= 2:
                for key in ("datePublished", "dateCreated", "datePosted", "uploadDate"):
                    yield from _texts(f"json-ld:{key}", item.get(key))
        for key in PUBLISHED_METAS:
            yield from ((f"meta:{key}", value) for value in self.meta.get(key, ()))
        for item in self.microdata:
            if _strength(item) <= 1:
                yield from _texts("microdata:datePublished", item.get("datePublished"))
                yield from _texts("microdata:dateCreated", item.get("dateCreated"))
        yield from self._prop_dates("datePublished")
        yield from self._times()
        if found := _URL_DATE.search(self.url) or _URL_DATE.search(self._canonical() or ""):
            yield "url", "-".join(found.groups())
        yield from self._near_title()
        for item in self.items:
            if _strength(item) > 2:
                yield from _texts("json-ld:datePublished", item.get("datePublished"))
                yield from _texts("json-ld:uploadDate", item.get("uploadDate"))

    def _modified_candidates(self) -> Iterator[tuple[str, str]]:
        for item in self.items:
            yield from _texts("json-ld:dateModified", item.get("dateModified"))
        for key in MODIFIED_METAS:
            yield from ((f"meta:{key}", value) for value in self.meta.get(key, ()))
        for item in self.microdata:
            if _strength(item) <= 1:
                yield from _texts("microdata:dateModified", item.get("dateModified"))
        yield from self._prop_dates("dateModified")
        tree = self.tree
        for i in self.seen.times:
            if not self.seen.aside[i] and _UPDATED.search(tree.cls[i]):
                yield "dom:time.updated", tree.attr(i, "datetime") or tree.text_in(i)

    def _prop_dates(self, name: str) -> Iterator[tuple[str, str]]:
        tree = self.tree
        for i in self.seen.props.get(name, ())[:3]:
            if not self.seen.aside[i]:
                yield (
                    f"dom:itemprop={name}",
                    tree.attr(i, "datetime") or tree.attr(i, "content") or tree.text_in(i)[:100],
                )

    def _times(self) -> Iterator[tuple[str, str]]:
        """``<time>`` elements: those marked as the publication's first, then the first in the article."""
        tree, seen = self.tree, self.seen
        usable = [i for i in seen.times[:50] if not seen.aside[i]]
        stated = [i for i in usable if not _UPDATED.search(tree.cls[i])]
        for i in stated:
            if "pubdate" in tree.attr(i, "itemprop") or _has(tree, i, "pubdate") or _PUBLISHED.search(tree.cls[i]):
                yield "dom:time.published", tree.attr(i, "datetime") or tree.text_in(i)
        for i in stated or usable:
            if seen.inside[i] or self._close_to_title(i):
                yield "dom:time", tree.attr(i, "datetime") or tree.text_in(i)
                break

    def _close_to_title(self, i: int) -> bool:
        tree = self.tree
        return any(abs(tree.chars[i] - tree.chars[j]) < 600 for j in self.seen.h1)

    def _near_title(self) -> Iterator[tuple[str, str]]:
        """Elements marked as dates near the title; a date in running text is no date of the page."""
        tree, seen = self.tree, self.seen
        for i in seen.dated[:60]:
            if seen.aside[i] or tree.chars_in(i) > 120:
                continue
            if seen.inside[i] or self._close_to_title(i):
                yield f"dom:.{tree.cls[i].split()[0][:40]}", tree.text_in(i)

    # The rest

    def _description(self) -> str | None:
        if text := self._from_metas("description", DESCRIPTION_METAS, 2000):
            return text
        for item in self.items:
            if text := _plain(item.get("description"), 2000):
                return self._found("description", "json-ld:description", text)
        return None

    def _language(self) -> str | None:
        tree = self.tree
        for source, value in (("dom:html lang", tree.attr(0, "lang")), ("dom:html xml:lang", tree.attr(0, "xml:lang"))):
            if tag := _language_tag(value):
                return self._found("language", source, tag)
        for key in LANGUAGE_METAS:
            for value in self.meta.get(key, ()):
                if tag := _language_tag(value.split(",")[0]):
                    return self._found("language", f"meta:{key}", tag)
        for item in self.items:
            value = item.get("inLanguage")
            if isinstance(value, str) and (tag := _language_tag(value)):
                return self._found("language", "json-ld:inLanguage", tag)
        for value in self.meta.get("og:locale", ()):
            if tag := _language_tag(value):
                return self._found("language", "meta:og:locale", tag)
        text = _shown_sample(tree)
        if len(text) >= 60:
            code, confidence = detect_language(text)
            if code and confidence >= 0.5:
                return self._found("language", "detected", LANGUAGES.get(code, code))
        return None

    def _canonical(self) -> str | None:
        for rel, href in self.seen.links:
            if rel == "canonical" and (found := self._absolute(href)):
                return self._found("canonical_url", "link:canonical", found)
        for value in self.meta.get("og:url", ()):
            if found := self._absolute(value):
                return self._found("canonical_url", "meta:og:url", found)
        return None

    def _image(self) -> str | None:
        for key in IMAGE_METAS:
            for value in self.meta.get(key, ()):
                if found := self._absolute(value):
                    return self._found("image", f"meta:{key}", found)
        for item in self.items:
            for key in ("image", "thumbnailUrl"):
                value = self._resolve(item.get(key))
                value = self._resolve(value[0]) if isinstance(value, list) and value else value
                if isinstance(value, dict):
                    value = value.get("url") or value.get("contentUrl")
                if found := self._absolute(value):
                    return self._found("image", f"json-ld:{key}", found)
        for rel, href in self.seen.links:
            if rel == "image_src" and (found := self._absolute(href)):
                return self._found("image", "link:image_src", found)
        return None

    def _section(self) -> str | None:
        if text := self._from_metas("section", SECTION_METAS, 120):
            return text
        for item in self.items:
            value = item.get("articleSection")
            if isinstance(value, list):
                value = value[0] if value else None
            if text := _plain(value, 120):
                return self._found("section", "json-ld:articleSection", text)
        return None

    def _tags(self) -> tuple[str, ...]:
        tags: dict[str, str] = {}

        def add(source: str, values: Iterable[Any], split: bool) -> None:
            for value in values:
                text = _plain(value, 4000)
                for part in re.split(r"[,;|]", text) if text and split else [text or ""]:
                    part = part.strip(" #\"'[]")
                    if part and len(part) <= 80 and len(tags) < _MAX_TAGS and part.lower() not in tags:
                        self.sources.setdefault("tags", source)
                        tags[part.lower()] = part

        for key in TAG_METAS:
            add(f"meta:{key}", self.meta.get(key, ()), True)
        for item in self.items:
            value = item.get("keywords")
            add("json-ld:keywords", value[:100] if isinstance(value, list) else [value], True)
        for i in self.seen.tags[:100]:
            if not self.seen.aside[i]:
                add("dom:rel=tag", [self.tree.text_in(i)], False)
        return tuple(tags.values())

    def _licence(self) -> str | None:
        for rel, href in self.seen.links:
            if rel in ("license", "licence") and (found := self._absolute(href)):
                return self._found("licence", "link:license", found)
        for item in self.items:
            value = item.get("license")
            if isinstance(value, dict):
                value = value.get("url") or value.get("@id")
            if isinstance(value, str) and value.strip():
                return self._found("licence", "json-ld:license", self._absolute(value) or _plain(value, 200) or "")
        for href in self.seen.licences:
            if found := self._absolute(href):
                return self._found("licence", "dom:rel=license", found)
        if len(self.seen.commons) == 1 and (found := self._absolute(next(iter(self.seen.commons)))):
            return self._found("licence", "dom:creativecommons", found)
        return None


# --- One walk ------------------------------------------------------------------------------------------------------


def _walk(tree: Tree, has_props: bool) -> _Seen:
    seen = _Seen()
    tags, classes, idents, parents = tree.tag, tree.cls, tree.ident, tree.parent
    nodes = tree.nodes
    marks = {name: _marks(name) for name in set(classes)}
    ident_aside = {name for name in set(idents) if name and _ASIDE.search(name)}
    aside, inside = seen.aside, seen.inside
    body = tree.body
    for i, tag in enumerate(tags):
        above = parents[i]
        if not tag:
            aside.append(aside[above])
            inside.append(inside[above])
            continue
        is_byline, is_dated, is_aside = marks[classes[i]]
        if above < 0:
            aside.append(False)
            inside.append(0)
        else:
            aside.append(
                aside[above]
                or (i > body and (tag in ("footer", "aside", "nav") or is_aside or idents[i] in ident_aside))
            )
            inside.append(2 if tag == "article" else max(inside[above], 1) if tag == "main" else inside[above])
        if is_byline:
            seen.bylines.append(i)
        if is_dated:
            seen.dated.append(i)
        if tag in _NOTED:
            node = nodes[i]
            if not isinstance(node, Element):
                continue
            if tag == "a":
                _note_anchor(node, i, seen)
            elif tag == "h1":
                seen.h1.append(i)
            elif tag == "time":
                seen.times.append(i)
            elif tag == "title":
                if i < body or not seen.titles:
                    seen.titles.append(i)
            elif tag == "link":
                href = node.attr("href")
                if href:
                    seen.links.extend((rel, href) for rel in (node.attr("rel") or "").lower().split()[:5])
            elif tag == "address":
                seen.addresses.append(i)
        if has_props:
            node = nodes[i]
            if isinstance(node, Element) and (props := node.attr("itemprop")):
                for prop in props.split()[:4]:
                    if prop in _PROPS:
                        seen.props.setdefault(prop, []).append(i)
    return seen


_NOTED = frozenset({"a", "h1", "time", "title", "link", "address"})
_COMMONS = re.compile(r"^https?://creativecommons\.org/(?:licenses|publicdomain)/", re.I)
_PEOPLE_PATH = re.compile(
    r"/(?:authors?|autor(?:en|es)?|auteurs?|autore|people|staff|profiles?|by|writers?|contributors?|team|redakteur|users?|members?|u|@)(?:/|\?|=)|/@\w|[?&]author=",
    re.I,
)


def _note_anchor(node: Element, i: int, seen: _Seen) -> None:
    rel = node.attr("rel")
    if rel:
        words = rel.lower().split()
        if "author" in words:
            seen.authors.append(i)
        if "tag" in words:
            seen.tags.append(i)
        if "license" in words or "licence" in words:
            seen.licences.append(node.attr("href") or "")
    href = node.attr("href")
    if href and "creativecommons.org/" in href and len(seen.commons) < 3 and _COMMONS.match(href):
        seen.commons.add(href)


def _marks(name: str) -> tuple[bool, bool, bool]:
    if not name:
        return (False, False, False)
    name = _CAMEL.sub("-", name[:500])
    return (
        bool(_BYLINE.search(name)) and not _NO_BYLINE.search(name),
        bool(_DATED.search(name)),
        bool(_ASIDE.search(name)),
    )


_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def _has(tree: Tree, i: int, name: str) -> bool:
    node = tree.nodes[i]
    return isinstance(node, Element) and node.attr(name) is not None


def _main_items(
    objects: tuple[Mapping[str, Any], ...], by_id: Mapping[str, Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """The objects that may describe the page itself, strongest type first."""
    found: list[tuple[int, int, Mapping[str, Any]]] = []
    for item in objects[:300]:
        inner = item.get("mainEntity")
        for part in (item, *(inner[:3] if isinstance(inner, list) else [inner])):
            if isinstance(part, dict):
                strength = _strength(part)
                if strength < 9:
                    found.append((strength, len(found), part))
    # Several articles are a list of teasers, unless the first is much richer: it alone may be the page.
    return [item for _, _, item in sorted(found, key=lambda entry: entry[:2])][:20]


def _strength(item: Mapping[str, Any]) -> int:
    return min((MAIN_TYPES.get(kind, 9) for kind in types_of(item)), default=9)


def _texts(source: str, value: Any) -> Iterator[tuple[str, str]]:
    for part in value[:5] if isinstance(value, list) else [value]:
        if isinstance(part, dict):
            part = part.get("@value")
        if isinstance(part, (str, int)):
            yield source, str(part)


def _shown_sample(tree: Tree) -> str:
    """Some shown text from the middle of the page, where its own language is."""
    parts: list[str] = []
    size = 0
    start = tree.chars[-1] // 4
    for i, text in enumerate(tree.text):
        if text and tree.chars[i + 1] > tree.chars[i] >= start:
            parts.append(text)
            size += len(text)
            if size > 4000:
                break
    return " ".join(" ".join(parts).split())[:4000]


# --- Text ----------------------------------------------------------------------------------------------------------

_TAGS = re.compile(r"</?[a-zA-Z][^<>]{0,300}>")
_NOT_WORD = re.compile(r"[\W_]+")


def _plain(value: Any, limit: int, unescape: bool = True) -> str | None:
    """Text without mark-up, entities resolved once, white space folded."""
    if isinstance(value, list):
        value = next((part for part in value if isinstance(part, str)), None)
    if isinstance(value, dict):
        value = value.get("@value")
    if not isinstance(value, str):
        return None
    text = value[: limit * 4]
    if unescape and "&" in text:
        text = html.unescape(text)
    if unescape and "<" in text:
        text = _TAGS.sub(" ", text)
    text = " ".join(text.translate(_INVISIBLE).split())
    if len(text) > limit:
        text = text[:limit].rsplit(" ", 1)[0].rstrip(" ,;") + "…"
    return text or None


_INVISIBLE = dict.fromkeys([*range(9), *range(14, 32), 0xAD, 0x200B, 0x200E, 0x200F, 0x2028, 0xFEFF, 0xFFFC])


def _fold(text: str) -> str:
    return " ".join(_NOT_WORD.sub(" ", text.casefold()).split())


def _squeeze(text: str) -> str:
    return _NOT_WORD.sub("", text.casefold())


def _host_name(url: str) -> str:
    """The telling part of a host: ``example`` of ``www.example.co.uk``."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    parts = [part for part in host.split(".") if part not in ("www", "m", "amp", "blog", "news", "en")]
    if len(parts) >= 3 and len(parts[-2]) <= 3 and len(parts[-1]) <= 2:
        parts = parts[:-1]
    return _squeeze(parts[-2] if len(parts) >= 2 else "".join(parts[:1]))


def _agreement(one: str, other: str) -> float:
    """How far two folded titles say the same: 1 when one holds the other, else the share of common words."""
    if not one or not other:
        return 0.0
    if one == other:
        return 1.0
    short, long = sorted((one, other), key=len)
    if f" {short} " in f" {long} ":
        # A single common word is no agreement.
        return 0.95 if len(short) >= 12 or len(short) * 3 >= len(long) else 0.6
    a, b = set(one.split()), set(other.split())
    return len(a & b) / min(len(a), len(b)) * (0.9 if min(len(a), len(b)) > 2 else 0.5)


def _split_title(title: str) -> list[str]:
    return [part.strip() for part in SEPARATOR.split(title) if part.strip()]


def _strip_site(title: str, site: str, host: str, witnesses: list[str]) -> str:
    """A title without the site's name at its end or beginning."""
    if not title:
        return ""
    folded = {_fold(text) for text in witnesses if text}
    if _fold(title) in {_fold(w) for w in witnesses[:0]}:
        return title
    spans = [match.span() for match in SEPARATOR.finditer(title)]
    if not spans:
        return title
    for start, end in spans:
        for part in (title[:start].strip(), title[end:].strip()):
            if _fold(part) in folded and part:
                return part
    changed = True
    while changed and spans:
        changed = False
        start, end = spans[-1]
        last = _squeeze(title[end:])
        first_start, first_end = spans[0]
        first = _squeeze(title[:first_start])
        if (last and last in (site, host)) or (last and host and len(host) > 3 and last.replace("com", "") == host):
            title, changed = title[:start].rstrip(), True
            spans.pop()
        elif first and first in (site, host):
            title, changed = title[first_end:].lstrip(), True
            spans = [match.span() for match in SEPARATOR.finditer(title)]
    if spans and "|" in title[spans[-1][0] : spans[-1][1]] and len(title[spans[-1][1] :].split()) <= 4:
        rest = title[: spans[-1][0]].rstrip()
        if len(rest.split()) >= 3:
            return rest
    return title


# --- Names ---------------------------------------------------------------------------------------------------------

_BY = re.compile(
    r"^(?:(?:(?:article|story|words|text|texto|texte|foto|photos?|posted|written|published|created|submitted|reviewed|reported|geschrieben"
    r"|veröffentlicht|verfasst|erstellt|publié|écrit|rédigé|publicado|escrito|scritto|pubblicato|ein beitrag|ein artikel)\s+)?"
    r"(?:by|von|vom|par|por|di|da|door|av|af|autor(?:in|en)?|author|authors|auteur|autore|redaktion|redactie|作者|文)\s*[:：]?\s+|(?:by|von|autor(?:in)?|author|authors|auteur|autore|text|texte|texto|foto|作者|文|記者)\s*[:：]\s*)",
    re.I,
)
_CUT = re.compile(
    r"\s*(?:[|•·–—/<>\[\]()]|\s-\s|\s+(?:on|am|in|at|um|le|el|il|op|posted|updated|published|last|reviewed|for|fact|medically)\s+\S*(?=\d|[A-Z]|\s|$)|\d{1,2}[./ ]|\d{4}|,?\s*\d+\s+(?:min|hours|days|years)).*$",
    re.S,
)
_CUT_STRONG = re.compile(r"\s*(?:[|•·<>\[\]]|\s[-–—]\s).*$", re.S)
_LIST = re.compile(r"\s*[,;&+]\s*|\s+(?:and|und|et|y|e|en|og|och|ja|with|mit)\s+", re.I)
_LIST_STRONG = re.compile(r"\s*[;&]\s*|\s*,\s+(?:and\s+)?|\s+(?:and|und)\s+", re.I)
_ROLE = re.compile(
    r"\b(?:editor|reporter|correspondent|journalist|staff|writer|ph\.?d|m\.?d|m\.?s|b\.?a|rn|rd|jr|sr|ii|iii|senior|chief|contributor|author|autor|autorin|redakteur|redakteurin"
    r"|redaktion|analyst|founder|ceo|cto|director|manager|professor|columnist|producer|consultant|esq|cpa|ldn|cfp|mph|msc|mba|inc|llc|ltd|gmbh)\b\.?",
    re.I,
)
_NO_NAME = re.compile(
    r"https?:|www\.|\S@\S|[{}<>=\\_$%^~]{1}|^\W+$|\.(?:com|org|net|de|fr|html?|php)\b|[.!?]\s+\S+\s+\S+\s+\S+\s|[?!]$",
    re.I,
)
_UI_WORDS = frozenset(
    [
        "admin",
        "administrator",
        "administrador",
        "root",
        "user",
        "guest",
        "anonymous",
        "unknown",
        "author",
        "authors",
        "autor",
        "autoren",
        "editor",
        "editors",
        "editorial",
        "staff",
        "team",
        "redaktion",
        "redaktionsteam",
        "newsroom",
        "webmaster",
        "null",
        "none",
        "undefined",
        "n/a",
        "na",
        "comments",
        "comment",
        "share",
        "follow",
        "home",
        "contact",
        "login",
        "sign",
        "subscribe",
        "read",
        "more",
        "minutes",
        "ago",
        "updated",
        "posted",
        "published",
        "view",
        "profile",
        "all",
        "posts",
        "by",
        "about",
        "advertisement",
        "facebook",
        "twitter",
        "instagram",
        "linkedin",
        "youtube",
        "pinterest",
        "email",
        "print",
        "copy",
        "link",
        "the",
        "website",
        "wordpress",
        "super",
        "default",
        "newsdesk",
        "desk",
        "agencies",
        "agency",
        "gast",
        "gastautor",
    ]
)
_UI_PHRASE = re.compile(
    r"\b(?:minutes? ago|hours? ago|days? ago|min read|read more|view all|all posts|sign in|log in|click here|follow us|share this|terms of|privacy policy"
    r"|posted|updated|published|comments?|subscribe|newsletter|copyright|rights reserved|learn more|written by|website|cookies?)\b",
    re.I,
)
_CJK_NAME = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def _names(text: str, strong: bool) -> list[str]:
    """The names of people in an author field or a byline."""
    text = text.strip(" \t,;:-–—|·•\"'")
    if not text or len(text) > 400:
        return []
    previous = None
    while text != previous:
        previous = text
        text = _BY.sub("", text, count=1).strip(" \t,;:-–—|·•\"'")
    text = (_CUT_STRONG if strong else _CUT).sub("", text).strip(" \t,;:-–—|·•")
    if not text:
        return []
    parts = [
        part.strip(" .,;:\"'“”") if not re.search(r"\b\w\.$", part) else part.strip()
        for part in (_LIST_STRONG if strong else _LIST).split(text)
    ]
    if len(parts) == 2 and all(len(part.split()) == 1 for part in parts) and "," in text:
        # "Doe, Jane" is one person.
        parts = [f"{parts[1]} {parts[0]}"]
    out: list[str] = []
    for part in parts:
        part = re.sub(r"^(?:and|und|et|by|von|dr\. med\.)\s+", "", part, flags=re.I)
        if out and _ROLE.fullmatch(part) is not None:
            continue
        if _is_name(part, strong):
            out.append(part)
    return out


def _is_name(name: str, strong: bool) -> bool:
    words = name.split()
    if not 2 <= len(name) <= 60 or len(words) > (7 if strong else 5) or not any(map(str.isalpha, name)):
        return False
    if _NO_NAME.search(name) or _UI_PHRASE.search(name):
        return False
    lowered = {word.strip(".,:").lower() for word in words}
    if lowered <= _UI_WORDS:
        return False
    if _CJK_NAME.search(name):
        return len(name) <= 20
    if strong:
        return True
    if _ROLE.search(name) and len(words) <= 2 and not name[0].isupper():
        return False
    if any(map(str.isdigit, name)) and len(words) > 1:
        return False
    # Sentences are mostly in lower case, names are not.
    small = sum(word[0].islower() for word in words)
    return small <= len(words) / 2 or len(words) == 1


# --- Dates ---------------------------------------------------------------------------------------------------------

_MONTHS_TEXT = """
january jan januar jänner janvier janv enero ene gennaio gen janeiro januari styczen stycznia января янв ocak leden ledna
february feb februar février févr fév febrero febbraio fevereiro fev februari lutego luty февраля фев şubat unora
march mar märz maerz mrz mars marzo março marco maart marca marzec марта мар mart brezna
april apr avril avr abril abr aprile kwietnia kwiecień апреля апр nisan dubna
may mai mayo maggio mag maio mei maja maj мая май mayıs kvetna
june jun juni juin junio giugno giu junho czerwca czerwiec июня июн haziran cervna
july jul juli juillet juil julio luglio lug julho lipca lipiec июля июл temmuz cervence
august aug août aout agosto ago agustus augustus sierpnia sierpień августа авг ağustos srpna augusti
september sep sept septembre septiembre settembre set setembro września wrzesień сентября сен eylül zari
october oct oktober okt octobre octubre ottobre ott outubro out października październik октября окт ekim rijna
november nov novembre noviembre novembro listopada listopad ноября ноя kasım
december dec dezember dez décembre déc diciembre dic dicembre dezembro desember grudnia grudzień декабря дек aralık prosince
"""
_MONTHS = {word: number for number, line in enumerate(_MONTHS_TEXT.strip().splitlines(), 1) for word in line.split()}
_ISO = re.compile(
    r"(?<!\d)((?:19|20)\d{2})[-./]?(0[1-9]|1[0-2])[-./]?(0[1-9]|[12]\d|3[01])(?!\d)"
    r"(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?"
)
_LOOSE_ISO = re.compile(r"(?<!\d)((?:19|20)\d{2})[-./](\d{1,2})[-./](\d{1,2})(?!\d)")
_NUMERIC = re.compile(r"(?<![\d.])(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?((?:19|20)?\d{2})(?!\d)")
_DAY_MONTH = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?\s*(?:de |of |-)?\s*([^\W\d_]{3,12})\.?,?\s*(?:de |del |-)?\s*((?:19|20)\d{2})(?!\d)"
)
_MONTH_DAY = re.compile(r"([^\W\d_]{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+((?:19|20)\d{2})(?!\d)")
_CJK_DATE = re.compile(r"((?:19|20)\d{2})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]")
_STAMP = re.compile(r"^\s*(\d{10})(?:\d{3})?\s*$")
_URL_DATE = re.compile(r"[/_-]((?:19|20)\d{2})[/-](0?[1-9]|1[0-2])[/-](0?[1-9]|[12]\d|3[01])(?=\D|$)")
_UPDATED = re.compile(r"updat|modif|edit|revis|aktualisiert", re.I)
_PUBLISHED = re.compile(r"publi|posted|entry-date|post-date|pubdate|created", re.I)


def parse_date(text: str, month_first: bool = True) -> str | None:
    """A date (with its time if the text is in ISO 8601) between 1995 and tomorrow.

    >>> parse_date("Published on 3rd of May, 2019"), parse_date("2021-02-03T04:05:06Z"), parse_date("yesterday")
    ('2019-05-03', '2021-02-03T04:05:06+00:00', None)
    """
    text = text.strip()[:200]
    if not text:
        return None
    if match := _ISO.search(text):
        year, month, day, hour, minute, second, zone = match.groups()
        if (plain := _checked(int(year), int(month), int(day))) is None:
            return None
        if hour is None or int(hour) > 23 or int(minute) > 59:
            return plain
        # A bare zero hour is how systems without a time write a date.
        if not zone and int(hour) == int(minute) == int(second or 0) == 0:
            return plain
        shift = ""
        if zone:
            shift = "+00:00" if zone in ("Z", "UTC", "GMT") else f"{zone[:3]}:{zone[-2:]}"
        return f"{plain}T{int(hour):02}:{minute}:{min(int(second or 0), 59):02}{shift}"
    if match := _CJK_DATE.search(text) or _LOOSE_ISO.search(text):
        return _checked(*map(int, match.groups()))
    if match := _STAMP.match(text):
        return _checked_date(datetime.fromtimestamp(int(match.group(1)), UTC).date())
    for pattern, day_at, month_at in ((_DAY_MONTH, 1, 2), (_MONTH_DAY, 2, 1)):
        for match in pattern.finditer(text):
            number = _MONTHS.get(match.group(month_at).lower().rstrip("."))
            if number:
                return _checked(int(match.group(3)), number, int(match.group(day_at)))
    if match := _NUMERIC.search(text):
        first, mark, second, year = match.groups()
        a, b = int(first), int(second)
        month_leads = (month_first and mark != ".") if a <= 12 and b <= 12 else a <= 12
        full = int(year) + (2000 if len(year) == 2 else 0)
        return _checked(full, a, b) if month_leads else _checked(full, b, a)
    if "," in text[:6] or " GMT" in text:
        try:
            return _checked_date(parsedate_to_datetime(text).date())
        except (ValueError, TypeError, IndexError, OverflowError):
            return None
    return None


def _checked(year: int, month: int, day: int) -> str | None:
    try:
        return _checked_date(date(year, month, day))
    except ValueError:
        return None


def _checked_date(found: date) -> str | None:
    if date(1995, 1, 1) <= found <= datetime.now(UTC).date() + timedelta(days=1):
        return found.isoformat()
    return None


def _month_first(language: str | None, url: str) -> bool:
    """Whether 03/04 is the fourth of March: in American English only."""
    if language in ("en-US", "en-PH", "fil"):
        return True
    if language and language.split("-")[0] != "en":
        return False
    if language in ("en", None):
        try:
            host = urlsplit(url).hostname or ""
        except ValueError:
            return True
        return host.rsplit(".", 1)[-1] in ("com", "org", "net", "us", "gov", "edu", "io", "info", "")
    return False


# --- Languages -----------------------------------------------------------------------------------------------------

_LANGUAGE_TAG = re.compile(r"^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_].*)?$", re.I)
_LANGUAGE_NAMES = {"english": "en", "german": "de", "deutsch": "de", "french": "fr", "spanish": "es", "italian": "it"}
_ALPHA3 = """
afr:af aka:ak amh:am ara:ar aze:az bel:be ben:bn bul:bg cat:ca ces:cs cmn:zh cym:cy dan:da deu:de ell:el eng:en
epo:eo est:et fas:fa fin:fi fra:fr gle:ga guj:gu heb:he hin:hi hrv:hr hun:hu hye:hy ind:id isl:is ita:it jav:jv jpn:ja
kan:kn kat:ka khm:km kor:ko lat:la lav:lv lit:lt mal:ml mar:mr mkd:mk mya:my nep:ne nld:nl nno:nn nob:nb nor:no ori:or
ory:or pan:pa pes:fa pol:pl por:pt ron:ro rus:ru sin:si slk:sk slv:sl sna:sn som:so spa:es sqi:sq srp:sr swe:sv tam:ta
tel:te tgl:tl tha:th tuk:tk tur:tr ukr:uk urd:ur uzb:uz vie:vi yid:yi zho:zh zul:zu
"""
LANGUAGES = dict(pair.split(":") for pair in _ALPHA3.split())


def _language_tag(value: str) -> str | None:
    """A language tag in the form of BCP 47, such as ``de`` or ``pt-BR``."""
    value = value.strip()
    match = _LANGUAGE_TAG.match(value)
    if not match:
        return _LANGUAGE_NAMES.get(value.lower())
    language, script, region = match.groups()
    language = LANGUAGES.get(language.lower(), language.lower())
    if language in ("und", "zxx", "mul", "xx"):
        return None
    return "-".join(filter(None, (language, script and script.title(), region and region.upper())))
