"""The elements of a page that may hold metadata: headings, bylines, dates, and whether they are the page's own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import islice

from duramen.page import is_permalink
from duramen.read.dates import has_digit
from duramen.read.metadata_rows import metadata_rows
from duramen.tree import BLOCK_TAGS, Tree

__all__ = ["MetadataNodes"]

NEAR = 700
"""Characters around the title within which a date or a name is taken to be the page's."""
_LINE = 150
"""Characters of an element that is hardly more than a line, such as a byline."""
_ASIDES = ("aside", "nav", "footer")
_TAGS = ("h1", "time", "address", "title", "article", "main", *_ASIDES)
_RELS = frozenset({"author", "canonical", "image_src", "licence", "license", "tag"})
_MOST_RELS = 20
"""Words of ``rel`` that are read."""
_PROPS = frozenset({"headline", "author", "datePublished", "dateModified", "dateCreated"})
_PERMALINK_SIGNS = "¶§\uf0c1\u200b🔗"
"""Glyphs by which headings link to themselves; "C#" is a name."""


@lru_cache(maxsize=256)
def _rels_in(value: str) -> frozenset[str]:
    return _RELS.intersection(value.lower().split()[:_MOST_RELS])


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
    """The page's nodes that may hold metadata, by number; what is rarely needed is looked up on first use."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.tagged: dict[str, list[int]] = {tag: [] for tag in _TAGS}
        for i in tree.tagged(self.tagged.keys()):
            self.tagged[tree.tag[i]].append(i)
        self.h1, self.times, self.addresses = self.tagged["h1"], self.tagged["time"], self.tagged["address"]
        self.title = next((i for i in self.tagged["title"] if tree.tag[tree.parent[i]] != "svg"), -1)
        self.links: list[tuple[str, str]] = []
        """``<link>`` by the words of ``rel`` that matter here, with what they point at."""
        self.rels: dict[str, list[int]] = {}
        """``<a>`` by the words of ``rel`` that matter here."""
        for i, value in tree.stated("link", ("rel",)):
            for rel in _rels_in(value):
                self.links.append((rel, tree.attr(i, "href")))
        for i, value in tree.stated("a", ("rel",)):
            for rel in _rels_in(value):
                self.rels.setdefault(rel, []).append(i)
        self.title_at = -1
        """The heading that is the title, once it is known."""

    @cached_property
    def props(self) -> dict[str, list[int]]:
        """Elements by ``itemprop``."""
        found: dict[str, list[int]] = {}
        for i, value in self.tree.valued("itemprop"):
            props = value.split()[:4]
            if not _PROPS.isdisjoint(props):
                for prop in props:
                    found.setdefault(prop, []).append(i)
        return found

    @cached_property
    def _named(self) -> tuple[list[int], list[int], list[int], list[int]]:
        """The elements whose class names a byline, a date, something beside the content, or a member of a forum."""
        bylines, dates, asides, posters = self.tree.core.with_words("class", metadata_rows().class_words, 4)
        return bylines, dates, asides, posters

    @cached_property
    def _identified(self) -> tuple[frozenset[int], frozenset[int]]:
        """The elements whose id names something beside the content, and those whose id is that of a main element."""
        tree, rows = self.tree, metadata_rows()
        aside, main = tree.core.with_words("id", rows.id_words, 2)
        return frozenset(aside), frozenset([i for i in main if i > tree.body and tree.ident[i] in rows.main_ids])

    def bylines(self) -> list[int]:
        """The elements whose class names an author."""
        is_byline, cls = metadata_rows().is_byline, self.tree.cls
        return [i for i in self._named[0] if is_byline(cls[i])]

    def dated(self) -> list[int]:
        """The elements whose class names a date."""
        return self._named[1]

    def posters(self) -> list[int]:
        """The elements whose class names the member of a forum who wrote a post."""
        return self._named[3]

    def licences(self) -> list[int]:
        """``<a>`` to known licences."""
        tree = self.tree
        return [i for i in tree.core.beginning("href", *metadata_rows().licences) if tree.tag[i] == "a"]

    def is_aside(self, i: int) -> bool:
        """Whether a node is in a sidebar, a footer, a comment or a list of teasers, which the title is not in."""
        asides, parent, body = self._asides, self.tree.parent, self.tree.body
        while i > body:
            if i in asides and self._is_beside_title(i):
                return True
            i = parent[i]
        return False

    def _is_beside_title(self, i: int) -> bool:
        """Whether an element that is beside the content by its name or tag really is."""
        tree, at = self.tree, self.title_at
        if i <= at < tree.end[i]:
            return False
        chars, is_footer = tree.chars, tree.tag[i] == "footer"
        # The footer of an article belongs to it, that of the page does not.
        # What holds most of the page is not beside the content, whatever it is called.
        if self.landmark_rank(i) == 2 if is_footer else chars[tree.end[i]] - chars[i] > chars[-1] / 2:
            return False
        if at >= 0 and chars[at] - _LINE <= chars[i] <= chars[tree.end[at]] + NEAR // 2 and self._is_next_to(i, at):
            return False
        # What only its class says may be the name of a part of the content.
        is_by_class = tree.tag[i] not in _ASIDES and i not in self._identified[0]
        return not (is_by_class and metadata_rows().is_content(tree.cls[i]))

    def _is_next_to(self, i: int, title: int) -> bool:
        """Whether an element near the title is a small one, in a part of the page that holds both."""
        tree = self.tree
        if tree.tag[i] in ("nav", "footer") or tree.chars_in(i) > _LINE:
            return False
        above = tree.parent[i]
        for _ in range(3):
            if above <= tree.body:
                return False
            if above <= title < tree.end[above]:
                return True
            above = tree.parent[above]
        return False

    @cached_property
    def _asides(self) -> frozenset[int]:
        """The elements that are beside the content by tag, class or id."""
        return self._identified[0].union(self._named[2], *(self.tagged[tag] for tag in _ASIDES))

    def landmark_rank(self, i: int) -> int:
        """2 inside an ``article``, 1 inside ``main`` or its older forms, else 0."""
        (articles, mains), parent, rank = self._landmarks, self.tree.parent, 0
        while i > 0:
            if i in articles:
                return 2
            if i in mains:
                rank = 1
            i = parent[i]
        return rank

    @cached_property
    def _landmarks(self) -> tuple[frozenset[int], frozenset[int]]:
        return frozenset(self.tagged["article"]), self._identified[1].union(self.tagged["main"])

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
            # A permalink, or the date of the page, which some themes write into the heading.
            if (tree.tag[j] == "a" and is_permalink(tree, j)) or tree.tag[j] == "time":
                behind = tree.end[j]
                continue
            if tree.gap[j] or tree.tag[j] in BLOCK_TAGS or tree.tag[j] == "br":
                parts.append(" ")
            if tree.chars[j + 1] > tree.chars[j]:
                parts.append(tree.text[j])
        return _without_sign("".join(parts))

    @property
    def anchor(self) -> int:
        """The title's heading, or what may be it: the page's only first heading."""
        return self.title_at if self.title_at >= 0 or len(self.h1) != 1 else self.h1[0]

    @cached_property
    def window(self) -> list[tuple[int, str, int]]:
        """The shown texts around the title, once it is known: number, text, and the link around it or -1."""
        tree, at, chars = self.tree, self.anchor, self.tree.chars
        if at < 0:
            return []
        before = bisect_right(chars, chars[at] - NEAR // 4, 0, at + 1) - 1
        first, stop = min(at, max(tree.body, before)), bisect_right(chars, chars[at] + NEAR, at, len(tree))
        return [*_shown(tree, first, at), *_shown(tree, tree.end[at], stop)]

    @cached_property
    def dated_window(self) -> list[tuple[int, str, int]]:
        """Those of these texts that may have a date in them."""
        return [shown for shown in self.window if has_digit(shown[1])]

    def text_after(self, i: int) -> str:
        """The next shown text after one, if it is short."""
        tree = self.tree
        for j in range(i + 1, min(i + 8, len(tree))):
            if tree.chars[j + 1] > tree.chars[j]:
                return " ".join(tree.text[j].split()) if len(tree.text[j]) <= 200 else ""
        return ""

    def is_in_teaser(self, i: int, link: int) -> bool:
        """Whether a text, with the link around it or -1, is in a link that holds more than it."""
        tree = self.tree
        if link < 0:
            link = next((j for j in islice(tree.ancestors(i), 6) if tree.tag[j] == "a"), -1)
        return link >= 0 and tree.chars_in(link) > 40

    def belongs(self, i: int) -> bool:
        """Whether a byline or a date is where those of the page are."""
        tree = self.tree
        at = self.title_at if self.title_at >= 0 else (self.h1[0] if self.h1 else -1)
        if at < 0:
            return bool(self.landmark_rank(i)) or tree.chars[i] < 2 * NEAR
        return -NEAR / 2 < tree.chars[i] - tree.chars[at] < NEAR or self.landmark_rank(i) == 2


def _shown(tree: Tree, first: int, stop: int) -> Iterator[tuple[int, str, int]]:
    """The texts that are shown from one node up to another, each with its link, or the link around its element."""
    parent, tag, text = tree.parent, tree.tag, tree.text
    for i in tree.speaking(first, stop):
        link = parent[i]
        if tag[link] != "a":
            link = max(parent[link], 0)
        yield i, text[i], link if tag[link] == "a" else -1
