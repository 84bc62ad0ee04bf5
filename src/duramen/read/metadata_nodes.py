"""Where metadata may stand in a page: headings, bylines, dates, and whether they are the page's own."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache

from duramen.page import is_permalink
from duramen.tree import BLOCK_TAGS, Tree

__all__ = ["MetadataNodes", "elements_holding", "parted"]

# Class names are looked up by stems, which is quick, and then by whole words: a hyphen, an underscore and a capital
# letter begin a new one. The patterns are in small letters, since to ignore case is slow.
BYLINE_STEMS = ("author", "byline", "by-line", "autor", "auteur", "writer", "contributor", "posted-by", "written-by")
_BYLINE = re.compile(
    r"(?<![^\s_-])(?:by-?lines?|authors?|autore?n?|auteurs?|writers?|postauthor|articleauthor|contributors?|posted-by"
    r"|written-by)(?![^\s_-])"
)
_NO_BYLINE = re.compile(
    r"comment|bio(?:$|[\s_-])|biograph|avatar|image|img|photo|pic(?:$|[\s_-])|portrait|social|share|related|follow|desc"
    r"|about|count|more-from|recommend|sidebar|widget|footer|thumb|icon|role|job|position|archive|teaser|reply|review"
    r"|testimonial|quote|card(?:$|[\s_-])"
)
DATE_STEMS = ("date", "datum", "fecha", "publi", "posted", "time", "meta", "byline", "created", "info")
_DATED = frozenset(
    "dates date datum fecha published publish publich publication publie publié pubdate postdate entrydate articledate"
    " dateline timestamp time posted datetime created meta metadata byline info infos".split()
)
_ASIDE = frozenset(
    "comments comment commentlist disqus replies related sidebar widgets widget footer recommended recommendations"
    " more latest recent popular trending teasers teaser promo newsletter nav navigation menu carousel slider upcoming"
    " cookie consent modal testimonials testimonial reviews events event".split()
)
_ASIDE_PAIR = re.compile(r"(?<![^\s_-])(?:side-bar|review-card)(?![^\s_-])")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_COMMONS = re.compile(r"^https?://creativecommons\.org/(?:licenses|publicdomain)/", re.I)
_COMMONS_STARTS = ("https://creativecommons.org/", "http://creativecommons.org/")
_NAME = 500
"""Characters of a class or id value that are looked at."""
_MAIN_IDS = frozenset({"main", "content", "main-content", "maincontent", "article", "primary"})
_MOST_KNOWN = 10_000
"""Nodes of which is remembered whether they stand aside: pages that nest without end must not fill the memory."""
NEAR = 700
"""Characters around the title within which a date or a name is taken to be the page's."""
_ANCHOR_RELS = frozenset({"author", "tag", "license", "licence"})
_RELS = frozenset({"canonical", "license", "licence", "image_src"})
_LOWER = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_PROPS = frozenset({"headline", "author", "datePublished", "dateModified", "dateCreated"})

_PERMALINK_SIGNS = "¶§\uf0c1\u200b🔗"
"""Glyphs by which headings link to themselves; "C#" is a name."""


def parted(name: str) -> str:
    """The words of a class or id value apart, also where only a capital letter parts them, and in small letters.

    >>> parted("postAuthor byline")
    'post-author byline'
    """
    name = name[:_NAME]
    return name if name.islower() else _CAMEL.sub("-", name).lower()


def _words_in(name: str) -> list[str]:
    return name.replace("-", " ").replace("_", " ").split()


@lru_cache(maxsize=4096)
def _names_aside(name: str) -> bool:
    name = parted(name[:_NAME])
    if not _ASIDE.isdisjoint(_words_in(name)):
        return True
    return ("side-bar" in name or "review-card" in name) and _ASIDE_PAIR.search(name) is not None


@lru_cache(maxsize=4096)
def _names_byline(name: str) -> bool:
    words = parted(name)
    return _BYLINE.search(words) is not None and _NO_BYLINE.search(words) is None


@lru_cache(maxsize=4096)
def _names_date(name: str) -> bool:
    return not _DATED.isdisjoint(_words_in(parted(name)))


def elements_holding(tree: Tree, name: str, parts: tuple[str, ...]) -> list[int]:
    """The elements whose attribute holds one of some parts, which are in lower case."""
    if tree.core is not None:
        return tree.core.holding(name, parts)  # type: ignore[no-any-return]
    return [i for i, value in tree.valued(name) if _holds(value, parts)]


def _classes_holding(tree: Tree, some: tuple[str, ...], others: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The class values of the page that hold one of some parts, and those that hold one of others."""
    if tree.core is not None:
        return tree.core.classes_holding(some, others)  # type: ignore[no-any-return]
    values = tree.classes()
    return [name for name in values if _holds(name, some)], [name for name in values if _holds(name, others)]


def _holds(value: str, parts: tuple[str, ...]) -> bool:
    lowered = value.translate(_LOWER)
    return any(part in lowered for part in parts)


def _without_sign(text: str) -> str:
    """A heading's text without the sign of its permalink at the end."""
    shown = text.rstrip()
    end = len(shown)
    while end and shown[end - 1] in _PERMALINK_SIGNS:
        end -= 1
    if end > 1 and shown[end - 1] == "#" and shown[end - 2].isspace():
        end -= 1
    return text if end == len(shown) else shown[:end].rstrip()


class MetadataNodes:
    """The page's nodes that may carry metadata, by number; what is rarely needed is looked for when asked."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.h1, self.times, self.addresses, titles, links, rels = _noted(tree)
        self.title = next((i for i in titles if tree.tag[tree.parent[i]] != "svg"), -1)
        self.links = links
        """``<link>`` by the words of ``rel`` that matter here, with what they point at."""
        self.rels = rels
        """``<a>`` by the words of ``rel`` that matter here."""
        self.title_at = -1
        """The heading that is the title, once it is known."""
        self._aside: tuple[int, dict[int, bool | None]] = (-1, {})
        """The title that was known, and what then stood aside."""
        self._telling: tuple[list[str], list[str]] | None = None
        """The class values that may tell of an author, and of a date."""
        self._window: list[tuple[int, str, int, str]] | None = None
        self.props = _props(tree)
        """Elements by ``itemprop``."""

    def bylines(self) -> list[int]:
        """The elements whose class tells of an author."""
        return self._classed(0, _names_byline)

    def dated(self) -> list[int]:
        """The elements whose class tells of a date."""
        return self._classed(1, _names_date)

    def _classed(self, which: int, is_meant: Callable[[str], bool]) -> list[int]:
        if self._telling is None:
            # Plain search is so much quicker than the patterns that most names never meet them.
            self._telling = _classes_holding(self.tree, BYLINE_STEMS, DATE_STEMS)
        wanted = {name for name in self._telling[which] if is_meant(name[:_NAME])}
        return self.tree.classed(wanted) if wanted else []

    def commons(self) -> list[int]:
        """``<a>`` to licences of Creative Commons."""
        tree = self.tree
        starting = tree.beginning("href", _COMMONS_STARTS)
        return [i for i in starting if tree.tag[i] == "a" and _COMMONS.match(tree.attr(i, "href"))]

    def is_aside(self, i: int) -> bool:
        """Whether a node stands in a sidebar, a footer, a comment or a list of teasers."""
        core = self.tree.core
        if core is not None:
            return core.aside(i, self.title_at, _names_aside)  # type: ignore[no-any-return]
        if self._aside[0] != self.title_at:
            self._aside = (self.title_at, {})
        title_at, known = self._aside
        parent, end, body = self.tree.parent, self.tree.end, self.tree.body
        path: list[int] = []
        while i > body and i not in known and not i <= title_at < end[i]:
            path.append(i)
            i = parent[i]
        found = known.get(i)
        for i in reversed(path):
            found = self._is_aside_below(i, found)
            if len(known) < _MOST_KNOWN:
                known[i] = found
        return bool(found)

    def _is_aside_below(self, i: int, above: bool | None) -> bool | None:
        """Whether a node is aside by itself, or else by what stands above it; None where nothing tells."""
        tree = self.tree
        tag, cls, ident = tree.tag[i], tree.cls[i], tree.ident[i]
        if above:
            return True
        if tag == "footer":
            return above is None
        # What holds most of the page is nothing beside it, whatever it is called.
        if tree.chars_in(i) <= tree.chars[-1] / 2 and (
            tag == "aside" or tag == "nav" or (cls != "" and _names_aside(cls)) or (ident != "" and _names_aside(ident))
        ):
            return True
        if above is None and (tag == "article" or (tag == "div" and ident in _MAIN_IDS)):
            return False
        return above

    def landmark_rank(self, i: int) -> int:
        """2 inside an ``article``, 1 inside ``main`` or its older forms, else 0."""
        tree = self.tree
        if tree.core is not None:
            return tree.core.inside(i)  # type: ignore[no-any-return]
        found = 0
        while i > tree.body:
            if tree.tag[i] == "article":
                return 2
            if tree.tag[i] == "main" or tree.ident[i] in _MAIN_IDS:
                found = 1
            i = tree.parent[i]
        return found

    def short(self, i: int, limit: int = 300) -> str:
        """The shown text of a small element; of a large one nothing."""
        tree = self.tree
        if tree.chars_in(i) > limit or tree.end[i] - i > 500:
            return ""
        return tree.text_in(i)

    def lines(self, i: int) -> list[str]:
        """The shown text below a node, a line for each block, words of different elements kept apart."""
        tree = self.tree
        lines: list[list[str]] = [[]]
        ends: list[int] = []
        for j in range(i, min(tree.end[i], i + 400)):
            while ends and j >= ends[-1]:
                ends.pop()
                lines.append([])
            if tree.tag[j]:
                if tree.tag[j] in BLOCK_TAGS or tree.tag[j] == "br":
                    lines.append([])
                    ends.append(tree.end[j])
            elif tree.chars[j + 1] > tree.chars[j]:
                lines[-1].append(tree.text[j])
        return [line for parts in lines if (line := " ".join(" ".join(parts).split()))]

    def heading(self, i: int) -> str:
        """The text of a heading, its blocks and line breaks as spaces."""
        tree = self.tree
        parts: list[str] = []
        behind = i
        for j in range(i, min(tree.end[i], i + 1000)):
            if j < behind:
                continue
            if tree.tag[j] == "a" and is_permalink(tree, j):
                behind = tree.end[j]
                continue
            if tree.gap[j] or tree.tag[j] in BLOCK_TAGS or tree.tag[j] == "br":
                parts.append(" ")
            if tree.chars[j + 1] > tree.chars[j]:
                parts.append(tree.text[j])
        return _without_sign("".join(parts))

    def window(self) -> list[tuple[int, str, int, str]]:
        """The shown texts around the title, each with the link it stands in; for when the title is known."""
        if self._window is None:
            tree, at, chars = self.tree, self.title_at, self.tree.chars
            if at < 0:
                return []
            before = bisect_right(chars, chars[at] - NEAR // 4, 0, at + 1) - 1
            first, stop = min(at, max(tree.body, before)), bisect_right(chars, chars[at] + NEAR, at, len(tree))
            self._window = [*_spoken(tree, first, at), *_spoken(tree, tree.end[at], stop)]
        return self._window

    def belongs(self, i: int) -> bool:
        """Whether a byline or a date stands where those of the page stand."""
        tree = self.tree
        at = self.title_at if self.title_at >= 0 else (self.h1[0] if self.h1 else -1)
        if at < 0:
            return bool(self.landmark_rank(i)) or tree.chars[i] < 2 * NEAR
        return -NEAR / 2 < tree.chars[i] - tree.chars[at] < NEAR or self.landmark_rank(i) == 2


_Noted = tuple[list[int], list[int], list[int], list[int], list[tuple[str, str]], dict[str, list[int]]]


def _noted(tree: Tree) -> _Noted:
    """The elements of four tags, ``<link>`` and ``<a>``, as :class:`MetadataNodes` has them."""
    if tree.core is not None:
        return tree.core.noted()  # type: ignore[no-any-return]
    tagged = ([i for i, own in enumerate(tree.tag) if own == tag] for tag in ("h1", "time", "address", "title"))
    links: list[tuple[str, str]] = []
    anchors: dict[str, list[int]] = {}
    for i, value in tree.valued("rel"):
        rels = value.lower().split()
        if tree.tag[i] == "link":
            links += [(rel, tree.attr(i, "href")) for rel in rels[:5] if rel in _RELS]
        elif tree.tag[i] == "a":
            for rel in _ANCHOR_RELS.intersection(rels):
                anchors.setdefault(rel, []).append(i)
    h1, times, addresses, titles = tagged
    return h1, times, addresses, titles, links, anchors


def _spoken(tree: Tree, first: int, stop: int) -> list[tuple[int, str, int, str]]:
    """The texts that are shown, from one node up to another: number, text, the link around it, and where that leads.

    A link that holds no more than the text and an element around that counts; else it is -1 and leads nowhere.
    """
    if tree.core is not None:
        return tree.core.spoken(first, stop)  # type: ignore[no-any-return]
    found: list[tuple[int, str, int, str]] = []
    for i in tree.speaking(first, stop):
        link = tree.parent[i]
        if tree.tag[link] != "a":
            link = max(tree.parent[link], 0)
        is_link = tree.tag[link] == "a"
        found.append((i, tree.text[i], link if is_link else -1, tree.attr(link, "href") if is_link else ""))
    return found


def _props(tree: Tree) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for i, value in tree.valued("itemprop"):
        props = value.split()[:4]
        if not _PROPS.isdisjoint(props):
            for prop in props:
                found.setdefault(prop, []).append(i)
    return found
