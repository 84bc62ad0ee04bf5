"""When the page was published and last changed: two dates, never mixed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cached_property
from itertools import chain

from duramen.lazy_pattern import lazy_pattern
from duramen.read.calendar_words import is_weekday, years_begin
from duramen.read.dates import (
    CLOCK,
    FoundDate,
    date_in_url,
    find_date,
    has_digit,
    in_shown_zone,
    is_new_edition,
    is_same_night,
    may_be_another_day,
    parse_date,
)
from duramen.read.languages import month_first_in
from duramen.read.metadata_nodes import NEAR
from duramen.read.metadata_rows import separated
from duramen.read.structured_lookup import PAGE, POST, StructuredLookup, strength, texts_of
from duramen.read.text_clean import first_place, says

__all__ = ["read_dates"]

_BEFORE_CLOCK = " ,/·-–日\u3000\xa0"
_LABEL_END = lazy_pattern(r"[:：|·•]")
"""What is between a name or another value and the label after it."""
_MARKED_OFF = lazy_pattern(r"(?<=\S)\s*[|·•]")
"""What is before a further part of a line, such as the number of comments."""
_FULL_YEAR = lazy_pattern(r"\d{4}")
_PLACE = lazy_pattern(r"[(\[]?(?:[^\W\d_][^\d(]{1,30}[,/]?\s*[(\[]?)?")
"""What may be before the date of a dateline."""
_DATELINE_END = lazy_pattern(r"\s?(?:[)\]]|[–—:-]\s|\.\s?[–—-])")
_NOT_OF_PAGE = frozenset({"a", "li", "dd", "i", "code", "pre"})
"""Elements whose dates are mostly those of something that the page is about."""
_MOST_ABOVE = 2
"""Days above a title that may be the page's own, of its publication and its last change."""
_MOST_TEXTS = 300
"""Texts of a page that are searched for a date far from the title."""


def read_dates(lookup: StructuredLookup, language: str | None, canonical: str | None) -> tuple[str | None, str | None]:
    reader = _DateReader(lookup, language)
    in_url = date_in_url(lookup.url) or (date_in_url(canonical) if canonical and canonical != lookup.url else None)
    published = reader.pick("published", reader.published_candidates(in_url))
    modified = reader.pick("modified", reader.modified_candidates())
    if published and in_url and (is_same_night(published, in_url) or is_new_edition(published, in_url)):
        # The address keeps the first day; systems state that of a new edition as the day of publication.
        published = lookup.found("published", "url", in_url)
    elif published and not lookup.is_home and published[:10] != in_url:
        published = reader.stated_and_shown(published)
        if may_be_another_day(published):
            published = reader.as_shown(published)
        # Systems write the day of their last run into both fields.
        may_be_stamp = not modified or modified[:10] == published[:10]
        is_stated = lookup.sources["published"].startswith(("json-ld:", "meta:"))
        if may_be_stamp and is_stated and (lookup.is_report or lookup.kind == "article"):
            published = reader.earlier_shown(published)
    if not lookup.is_home:
        published = published or reader.pick("published", reader.only_candidates())
        modified = modified or reader.pick("modified", reader.shown_updates(everywhere=not published))
    published = published or reader.pick("published", reader.weak_candidates())
    if modified and published and modified[:10] < published[:10]:
        modified = None
    return published, modified


class _DateReader:
    """Finds a page's dates; what several of the readers need is looked up once."""

    def __init__(self, lookup: StructuredLookup, language: str | None) -> None:
        self._lookup, self._tree, self._nodes = lookup, lookup.tree, lookup.nodes
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

    def weak_candidates(self) -> Iterator[tuple[str, str]]:
        """What is believed only where the page shows no date."""
        lookup = self._lookup
        yield from self._stated("published_weak")
        for item in lookup.items if lookup.kind.startswith("video") else ():
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

    def shown_updates(self, everywhere: bool) -> Iterator[tuple[str, str]]:
        """Dates near the title that are called those of the last change, then perhaps the only one on the page."""
        nodes, rows = self._nodes, self._lookup.rows
        near = "\n".join([text for _, text, _ in nodes.window])
        # Few pages have such a phrase, which is quicker to see in all texts at once.
        for j, text, _ in nodes.dated_window if says(near, rows.updated) else ():
            if self._is_short(text, 120) and not nodes.is_aside(j):
                if (at := first_place(text, rows.updated)) >= 0:
                    text = text[at:]
                elif not says(self._text_before(j), rows.updated):
                    continue
                if self._found(text):
                    yield "dom:text near the title", text
        dates: dict[str, str] = {}
        for j in self._with_years if everywhere else ():
            text = self._tree.text[j]
            # Most texts with a year in them say nothing of a change, which is quicker to see than a date.
            if not self._is_short(text, 120) or not (says(text, rows.updated) or len(text) <= 40):
                continue
            if not self._nodes.is_aside(j) and (found := self._found(text)):
                before = text[: found.start].strip() or self._text_before(j)
                if says(before[-40:], rows.updated):
                    dates[found.iso] = text[found.start :]
        if len(dates) == 1:
            yield "dom:labelled text", next(iter(dates.values()))

    def only_candidates(self) -> Iterator[tuple[str, str]]:
        """Dates far from the title: the first that is called that of the publication, then the only one there is."""
        tree, nodes, lookup = self._tree, self._nodes, self._lookup
        alone, labelled = dict[str, str](), dict[str, str]()
        for j in self._with_years:
            text = tree.text[j]
            if not self._is_short(text, 120) or not _FULL_YEAR.search(text) or not (found := self._found(text)):
                continue
            rest, before, date = self._rest(text, found), text[: found.start].strip(), text[found.start : found.end]
            if len(rest) > 60 or not _FULL_YEAR.search(date) or self._is_update(j):
                continue
            if says(before or self._text_before(j), lookup.rows.published) or says(
                text[found.end : found.end + 40], lookup.rows.published
            ):
                if not nodes.is_aside(j):
                    yield "dom:labelled text", text[found.start :]
                labelled[found.iso] = text[found.start :]
            elif not (
                nodes.is_aside(j) or has_digit(_MARKED_OFF.split(rest)[0]) or tree.tag[tree.parent[j]] in _NOT_OF_PAGE
            ) and self._is_hardly_more(text, found):
                alone[found.iso] = text[found.start :]
        for source, dates in (("dom:labelled text", labelled), ("dom:only date", alone)):
            if len(dates) == 1:
                yield source, next(iter(dates.values()))
        if not alone:
            times = [i for i in nodes.times[:60] if not self._is_update(i) and self._is_in_article(i)]
            shown = {iso[:10]: iso for i in times if (iso := self._parsed(tree.attr(i, "datetime") or nodes.short(i)))}
            if len(shown) == 1:
                yield "dom:only time", next(iter(shown.values()))
        yield from self._datelines()
        yield from self._called_updated()

    def _called_updated(self) -> Iterator[tuple[str, str]]:
        """The only date near the title, where its class alone says that it is that of the last change.

        The microformat of blogs requires that class, and many of their themes give it to the date of publication.
        """
        tree, nodes, rows = self._tree, self._nodes, self._lookup.rows
        dates: dict[str, str] = {}
        for i in (*nodes.times[:60], *nodes.dated()[:100]):
            if not (says(tree.cls[i], rows.updated) and 5 < tree.chars_in(i) <= 60 and nodes.belongs(i)):
                continue
            text = nodes.short(i)
            label = f"{text} {self._text_before(i)}"
            if nodes.is_aside(i) or says(label, rows.updated) or says(label, rows.other):
                continue
            if day := self._parsed(tree.attr(i, "datetime") or text):
                dates.setdefault(day[:10], day)
        if len(dates) == 1:
            yield "dom:.updated", next(iter(dates.values()))

    def _datelines(self) -> Iterator[tuple[str, str]]:
        """Dates with which the first paragraph begins: "Berlin, 3 May 2019 – The …"."""
        nodes = self._nodes
        for j, text, _ in nodes.window:
            beginning = text.lstrip()[:60]
            if len(text) > 60 and j > nodes.title_at and has_digit(beginning) and not nodes.is_aside(j):
                found = self._found(beginning)
                if found and _FULL_YEAR.search(beginning[found.start : found.end]):
                    before, after = beginning[: found.start], beginning[found.end :]
                    if _PLACE.fullmatch(before) and _DATELINE_END.match(after):
                        yield "dom:dateline", beginning[found.start :]
                return

    def _is_in_article(self, i: int) -> bool:
        """Whether a node is not beside the content, or in an ``aside`` of the content itself."""
        tree, nodes = self._tree, self._nodes
        if not nodes.is_aside(i):
            return True
        is_near = nodes.title_at >= 0 and 0 <= tree.chars[i] - tree.chars[nodes.title_at] < NEAR
        return nodes.landmark_rank(i) > 0 and (is_near or any(tree.tag[j] == "aside" for j in tree.ancestors(i)))

    @cached_property
    def _with_years(self) -> list[int]:
        """The shown texts that may have a year in them."""
        tree = self._tree
        found = tree.core.texts_holding(*years_begin(self._language))
        return [j for j in found[:_MOST_TEXTS] if j > tree.body]

    def _text_before(self, i: int) -> str:
        """The end of the shown text before a node, which may be its label; the title is none."""
        tree, title = self._tree, self._nodes.title_at
        for j in range(i - 1, max(0, i - 8), -1):
            if tree.chars[j + 1] > tree.chars[j] and (text := tree.text[j].strip()):
                return "" if 0 <= title <= j < tree.end[title] else _LABEL_END.split(text.rstrip(" :："))[-1][-40:]
        return ""

    def _is_hardly_more(self, text: str, found: FoundDate) -> bool:
        """Whether a text is hardly more than its date, by what is before it and by all that it says besides."""
        rows, before, rest = self._lookup.rows, text[: found.start].strip(), self._rest(text, found)
        has_clock = len(found.iso) > 10 or CLOCK.match(text[found.end :].lstrip(_BEFORE_CLOCK)) is not None
        return (
            len(rest) <= (12 if before else 25)
            or (len(rest) <= 40 and (rows.date_label.search(before) is not None or says(before, rows.published)))
            # The day and the time at which something appeared: "Oak News, 3 May 2019 10:15, by Ada Lovelace".
            or (len(rest) <= 50 and has_clock)
        )

    def stated_and_shown(self, published: str) -> str:
        """Where the page states several days of publication, the one that it shows."""
        lookup, days = self._lookup, {published[:10]: ("", published)}
        if lookup.sources["published"].startswith(("json-ld:", "meta:")):
            for source, text in self._stated("published"):
                if (moment := self._parsed(text)) and not is_same_night(moment, published[:10]):
                    days.setdefault(moment[:10], (source, moment))
        if len(days) > 1:
            for _, text in chain(self._times(), self._near_title(), self._called_updated()):
                if (day := self._parsed(text)) and (chosen := days.get(day[:10])):
                    return lookup.found("published", *chosen) if chosen[0] else published
        return published

    def as_shown(self, published: str) -> str:
        """A moment in Greenwich as the day that the page shows, if that is the one before or after."""
        lookup = self._lookup
        for source, text in chain(self._times(), self._near_title()):
            day = self._parsed(text)
            if day and (not day.endswith("+00:00") or day == published):
                if day[:10] != published[:10] and is_same_night(published, day[:10]):
                    found = self._found(text)
                    beside = text[: found.start] + text[found.end :] if found else ""
                    return lookup.found("published", source, in_shown_zone(published, day[:10], beside) or day)
                break
        return published

    def earlier_shown(self, published: str) -> str:
        """The date that the page shows as its own, where that is days before the one that it states.

        What a page shows was there before it: systems that write the date of their last run into the data exist.
        """
        nodes = self._nodes
        for j, text, link, found in self._near_dates:
            if link >= 0 or nodes.is_aside(j) or len(self._rest(text, found)) > 20:
                continue
            stated, shown = date.fromisoformat(published[:10]), date.fromisoformat(found.iso[:10])
            is_swapped = stated.year == shown.year and (stated.day, stated.month) == (shown.month, shown.day)
            if (stated - shown).days > 1 and not is_swapped and not self._is_update(j):
                return self._lookup.found("published", "dom:text near the title", found.iso)
            break
        return published

    def _stated(self, field: str) -> Iterator[tuple[str, str]]:
        lookup = self._lookup
        for key in lookup.stated_keys(field):
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
            if "pubdate" in tree.attrs[i] or says(tree.cls[i], lookup.rows.published):
                yield "dom:time.published", tree.attr(i, "datetime") or nodes.short(i)
        for i in stated:
            if nodes.belongs(i):
                yield "dom:time", tree.attr(i, "datetime") or nodes.short(i)

    def _is_update(self, i: int) -> bool:
        """Whether a date is said to be that of the last change, or of something else than the page."""
        tree, rows = self._tree, self._lookup.rows
        words = f"{self._nodes.short(i)[:80]} {self._text_before(i)}"
        label = f"{tree.cls[i]} {tree.cls[tree.parent[i]]} {words}"
        if says(label, rows.other):
            return True
        if not says(label, rows.updated) or says(label, rows.published) or "pubdate" in tree.attrs[i]:
            return False
        return not says(words, rows.not_updated)

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
                if nodes.belongs(i) or says(f"{tree.cls[i]} {nodes.short(i)}", lookup.rows.published):
                    yield f"dom:.{tree.cls[i].split()[0][:40]}", " ".join(nodes.lines(i))
        aside: dict[str, str] = {}
        above = sum(j < nodes.anchor for j, *_ in self._near_dates)
        for j, text, link, found in self._near_dates:
            # Several days above the title are those of a list.
            is_listed = j < nodes.anchor and (above > _MOST_ABOVE or nodes.is_in_teaser(j, link))
            if is_listed or self._is_update(j):
                continue
            if self._is_hardly_more(text, found):
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

    @cached_property
    def _near_dates(self) -> list[tuple[int, str, int, FoundDate]]:
        """The short texts near the title that have a date, each with the link around it or -1."""
        near = self._nodes.dated_window
        return [(*shown, found) for shown in near if self._is_short(shown[1]) and (found := self._found(shown[1]))]

    def _found(self, text: str) -> FoundDate | None:
        return find_date(text, self._month_first, self._language)

    def _is_short(self, text: str, most: int = 80) -> bool:
        return 6 <= len(text) <= 4 * most and 6 <= len(text.strip()) <= most

    def _rest(self, text: str, found: FoundDate) -> str:
        """What a text says beside a date, its weekday and its time."""
        rest = CLOCK.sub("", text[: found.start] + text[found.end :]).strip()
        if len(rest) <= 12 or " " not in rest:
            return rest
        return " ".join([word for word in rest.split() if not is_weekday(word)])
