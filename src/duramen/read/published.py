"""When the page was published and last changed: two dates, never mixed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from duramen.lazy_pattern import lazy_pattern
from duramen.read.calendar_words import is_weekday, years_begin
from duramen.read.dates import FoundDate, date_in_url, find_date, has_digit, parse_date
from duramen.read.languages import month_first_in
from duramen.read.metadata_rows import separated
from duramen.read.structured_lookup import PAGE, POST, StructuredLookup, strength, texts_of

__all__ = ["read_dates"]


_CLOCK = lazy_pattern(r"\d{1,2}[:.時时]\d{2}(?:[:.分]\d{2})?(?:\s?[ap]\.?m\.?)?", re.I)
_FULL_YEAR = lazy_pattern(r"\d{4}")
_NOT_OF_PAGE = frozenset({"a", "li", "dd", "i", "code", "pre"})
"""Elements whose dates are mostly those of something that the page is about."""
_MOST_TEXTS = 300
"""Texts of a page that are searched for a date far from the title."""


def read_dates(lookup: StructuredLookup, language: str | None, canonical: str | None) -> tuple[str | None, str | None]:
    reader = _DateReader(lookup, language)
    in_url = date_in_url(lookup.url) or (date_in_url(canonical) if canonical and canonical != lookup.url else None)
    published = reader.pick("published", reader.published_candidates(in_url))
    modified = reader.pick("modified", reader.modified_candidates())
    if published and in_url and _is_same_night(published, in_url):
        published = lookup.found("published", "url", in_url)
    elif published and _may_be_another_day(published) and not lookup.is_home:
        published = reader.as_shown(published)
    if not published and not lookup.is_home:
        published = reader.pick("published", reader.only_candidates())
    if modified and published and modified[:10] < published[:10]:
        modified = None
    return published, modified


class _DateReader:
    """Finds a page's dates; what several of the readers need is looked up once."""

    def __init__(self, lookup: StructuredLookup, language: str | None) -> None:
        self._lookup = lookup
        self._tree, self._nodes = lookup.tree, lookup.nodes
        self._language = language
        self._month_first = month_first_in(language, lookup.url)

    def pick(self, name: str, candidates: Iterator[tuple[str, str]]) -> str | None:
        for source, text in candidates:
            if found := self._parsed(text):
                return self._lookup.found(name, source, found)
        return None

    def _parsed(self, text: str) -> str | None:
        return parse_date(text, self._month_first, self._language)

    def published_candidates(self, in_url: str | None) -> Iterator[tuple[str, str]]:
        lookup = self._lookup
        for item in lookup.items:
            for key in ("datePublished", "dateCreated") if strength(item) <= POST else ("datePosted",):
                yield from texts_of(f"json-ld:{key}", item.get(key))
        yield from self._stated("published")
        for notation, item in lookup.marked:
            if strength(item) <= POST:
                yield from texts_of(f"{notation}:datePublished", item.get("datePublished"))
                yield from texts_of(f"{notation}:dateCreated", item.get("dateCreated"))
        for item in lookup.items:
            # A thing such as a book has a date of its own, which is not the page's.
            if strength(item) >= PAGE:
                yield from texts_of("json-ld:datePublished", item.get("datePublished"))
        if not lookup.is_home:
            yield from self._prop_dates("datePublished")
        if in_url:
            yield "url", in_url
        if not lookup.is_home:
            yield from self._times()
            yield from self._near_title()
        yield from self._stated("published_weak")
        for item in lookup.items:
            if lookup.kind.startswith("video"):
                yield from texts_of("json-ld:uploadDate", item.get("uploadDate"))

    def modified_candidates(self) -> Iterator[tuple[str, str]]:
        lookup, tree, nodes = self._lookup, self._tree, self._nodes
        for item in lookup.items:
            yield from texts_of("json-ld:dateModified", item.get("dateModified"))
        yield from self._stated("modified")
        for notation, item in lookup.marked:
            if strength(item) <= POST:
                yield from texts_of(f"{notation}:dateModified", item.get("dateModified"))
        if lookup.is_home:
            return
        yield from self._prop_dates("dateModified")
        for i in nodes.times[:20]:
            if self._is_update(i) and not nodes.is_aside(i) and nodes.belongs(i):
                yield "dom:time.updated", tree.attr(i, "datetime") or nodes.short(i)

    def only_candidates(self) -> Iterator[tuple[str, str]]:
        """Dates far from the title: the first that is called that of the publication, then the only one there is."""
        tree, nodes, lookup = self._tree, self._nodes, self._lookup
        alone: dict[str, str] = {}
        labelled: dict[str, str] = {}
        for j in self._with_years():
            text = tree.text[j]
            if not self._is_short(text, 120) or not (found := self._found(text)) or self._is_update(j):
                continue
            rest, before, date = self._rest(text, found), text[: found.start].strip(), text[found.start : found.end]
            if len(rest) > 60 or not _FULL_YEAR.search(date):
                continue
            if _says(before or self._text_before(j), lookup.rows.published):
                if not nodes.is_aside(j):
                    yield "dom:labelled text", text[found.start :]
                labelled[found.iso] = text[found.start :]
            elif not (
                nodes.is_aside(j) or has_digit(rest) or tree.tag[tree.parent[j]] in _NOT_OF_PAGE
            ) and self._is_hardly_more(before, rest):
                alone[found.iso] = text[found.start :]
        for source, dates in (("dom:labelled text", labelled), ("dom:only date", alone)):
            if len(dates) == 1:
                yield source, next(iter(dates.values()))
        if not alone:
            times = [i for i in nodes.times[:60] if not self._is_update(i) and self._is_in_article(i)]
            shown = {iso[:10]: iso for i in times if (iso := self._parsed(tree.attr(i, "datetime") or nodes.short(i)))}
            if len(shown) == 1:
                yield "dom:only time", next(iter(shown.values()))

    def _is_in_article(self, i: int) -> bool:
        """Whether a node is not beside the content, or in an ``aside`` of the content itself."""
        tree, nodes = self._tree, self._nodes
        return not nodes.is_aside(i) or (
            nodes.landmark_rank(i) > 0 and any(tree.tag[j] == "aside" for j in tree.ancestors(i))
        )

    def _with_years(self) -> list[int]:
        """The shown texts that may have a year in them."""
        tree = self._tree
        found = {j for beginning in years_begin(self._language) for j in tree.core.texts_holding(beginning)}
        return [j for j in sorted(found)[:_MOST_TEXTS] if tree.chars[j + 1] > tree.chars[j] and j > tree.body]

    def _text_before(self, i: int) -> str:
        """The end of the text before a node, which may be its label."""
        for j in range(i - 1, max(0, i - 8), -1):
            if text := self._tree.text[j].strip():
                return text[-40:]
        return ""

    def _is_hardly_more(self, before: str, rest: str) -> bool:
        """Whether a text is hardly more than its date, by what is before it and by all that it says besides."""
        return len(rest) <= (12 if before else 25) or (
            len(rest) <= 40 and self._lookup.rows.date_label.search(before) is not None
        )

    def as_shown(self, published: str) -> str:
        """A moment in Greenwich as the day that the page shows, if that is the one before or after."""
        lookup = self._lookup
        for source, text in (*self._times(), *self._near_title()):
            day = self._parsed(text)
            if day and (not day.endswith("+00:00") or day == published):
                if day[:10] != published[:10] and _is_same_night(published, day[:10]):
                    return lookup.found("published", source, day)
                break
        return published

    def _stated(self, field: str) -> Iterator[tuple[str, str]]:
        lookup = self._lookup
        for key in lookup.rows.meta[field]:
            if key in lookup.meta:
                for value in lookup.meta[key]:
                    yield f"meta:{key}", value

    def _prop_dates(self, name: str) -> Iterator[tuple[str, str]]:
        tree, nodes = self._tree, self._nodes
        numbers = [i for i in nodes.props.get(name, ())[:20] if not nodes.is_aside(i)]
        if not self._lookup.is_teaser_list(numbers):
            for i in numbers[:3]:
                text = tree.attr(i, "datetime") or tree.attr(i, "content") or nodes.short(i)
                yield f"dom:itemprop={name}", text

    def _times(self) -> Iterator[tuple[str, str]]:
        """``<time>`` elements: those marked as the publication's first, then the first that belongs to the title."""
        tree, nodes, lookup = self._tree, self._nodes, self._lookup
        stated = [i for i in nodes.times[:60] if not nodes.is_aside(i) and not self._is_update(i)]
        if lookup.is_teaser_list(stated):
            return
        for i in stated:
            if "pubdate" in tree.attrs[i] or _says(tree.cls[i], lookup.rows.published):
                yield "dom:time.published", tree.attr(i, "datetime") or nodes.short(i)
        for i in stated:
            if nodes.belongs(i):
                yield "dom:time", tree.attr(i, "datetime") or nodes.short(i)

    def _is_update(self, i: int) -> bool:
        """Whether a date is said to be that of the last change, or of something else than the page."""
        tree, rows = self._tree, self._lookup.rows
        above = tree.parent[i]
        label = f"{tree.cls[i]} {tree.cls[above]} {self._nodes.short(i)[:80]}"
        label += " " + self._text_before(i)
        return _says(label, rows.other) or (_says(label, rows.updated) and not _says(label, rows.published))

    def _near_title(self) -> Iterator[tuple[str, str]]:
        """Elements marked as dates near the title, then short texts there that are hardly more than a date."""
        tree, nodes, lookup = self._tree, self._nodes, self._lookup
        # What is called "meta" or "info" is mostly no date, and says so by having no digit.
        marked = [
            i
            for i in nodes.dated()[:100]
            if 5 < tree.chars_in(i) <= 120 and not nodes.is_aside(i) and has_digit(tree.text_in(i))
        ]
        if not lookup.is_teaser_list(marked):
            for i in marked[:20]:
                if self._is_update(i):
                    continue
                if nodes.belongs(i) or _says(f"{tree.cls[i]} {nodes.short(i)}", lookup.rows.published):
                    yield f"dom:.{tree.cls[i].split()[0][:40]}", " ".join(nodes.lines(i))
        aside: dict[str, str] = {}
        for j, text, _ in nodes.window():
            if not self._is_short(text) or not (found := self._found(text)) or self._is_update(j):
                continue
            if self._is_hardly_more(text[: found.start].strip(), self._rest(text, found)):
                if not nodes.is_aside(j):
                    yield "dom:text near the title", text
                elif j > nodes.title_at:
                    aside[found.iso] = text
        if lookup.is_article and not aside:
            alone = {
                iso: i
                for i in marked
                if tree.chars_in(i) <= 60
                and lookup.rows.dateline.search(separated(tree.cls[i]))
                and not self._is_update(i)
                and (iso := self._parsed(nodes.short(i)))
            }
            if len(alone) == 1:
                i = next(iter(alone.values()))
                yield f"dom:.{tree.cls[i].split()[0][:40]}", nodes.short(i)
        # A column beside the title holds its date, or those of other pages.
        if len(aside) == 1:
            yield "dom:text beside the title", next(iter(aside.values()))

    def _found(self, text: str) -> FoundDate | None:
        return find_date(text, self._month_first, self._language)

    def _is_short(self, text: str, most: int = 80) -> bool:
        return 6 <= len(text) <= 4 * most and 6 <= len(text.strip()) <= most

    def _rest(self, text: str, found: FoundDate) -> str:
        """What a text says beside a date, its weekday and its time."""
        rest = _CLOCK.sub("", text[: found.start] + text[found.end :]).strip()
        if len(rest) <= 12 or " " not in rest:
            return rest
        return " ".join([word for word in rest.split() if not is_weekday(word)])


def _says(text: str, parts: tuple[str, ...]) -> bool:
    return any(map(text.lower().__contains__, parts))


def _may_be_another_day(moment: str) -> bool:
    """Whether a moment in Greenwich is on another day in many places."""
    return moment.endswith("+00:00") and not 8 <= int(moment[11:13]) < 20


def _is_same_night(moment: str, day: str) -> bool:
    """Whether a moment in Greenwich may be another day, a day before or after, where it was written."""
    if not moment.endswith("+00:00") or moment[:10] == day:
        return False
    distance = date.fromisoformat(day) - date.fromisoformat(moment[:10])
    hour = int(moment[11:13])
    return (distance.days == 1 and hour >= 10) or (distance.days == -1 and hour < 12)
