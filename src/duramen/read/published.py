"""When the page was published and last changed: two dates, never mixed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from duramen.read.dates import date_in_url, find_date, has_digit, parse_date
from duramen.read.languages import month_first_in
from duramen.read.metadata_rows import separated
from duramen.read.structured_lookup import POST, StructuredLookup, strength, texts_of
from duramen.tree import Tree

__all__ = ["read_dates"]


def read_dates(lookup: StructuredLookup, language: str | None, canonical: str | None) -> tuple[str | None, str | None]:
    month_first = month_first_in(language, lookup.url)
    in_url = date_in_url(lookup.url) or (date_in_url(canonical) if canonical and canonical != lookup.url else None)
    published = _pick_date(lookup, "published", _published_candidates(lookup, in_url, month_first), month_first)
    modified = _pick_date(lookup, "modified", _modified_candidates(lookup), month_first)
    if published and in_url and _is_same_night(published, in_url):
        published = lookup.found("published", "url", in_url)
    if modified and published and modified[:10] < published[:10]:
        modified = None
    return published, modified


def _pick_date(
    lookup: StructuredLookup, name: str, candidates: Iterator[tuple[str, str]], month_first: bool
) -> str | None:
    for source, text in candidates:
        if found := parse_date(text, month_first):
            return lookup.found(name, source, found)
    return None


def _published_candidates(lookup: StructuredLookup, in_url: str | None, month_first: bool) -> Iterator[tuple[str, str]]:
    for item in lookup.items:
        for key in ("datePublished", "dateCreated") if strength(item) <= POST else ("datePosted",):
            yield from texts_of(f"json-ld:{key}", item.get(key))
    yield from _stated(lookup, "published")
    for notation, item in lookup.marked:
        if strength(item) <= POST:
            yield from texts_of(f"{notation}:datePublished", item.get("datePublished"))
            yield from texts_of(f"{notation}:dateCreated", item.get("dateCreated"))
    if not lookup.is_home:
        yield from _prop_dates(lookup, "datePublished")
    if in_url:
        yield "url", in_url
    if not lookup.is_home:
        yield from _times(lookup)
        yield from _near_title(lookup, month_first)
    yield from _stated(lookup, "published_weak")
    for item in lookup.items:
        if lookup.kind.startswith("video"):
            yield from texts_of("json-ld:uploadDate", item.get("uploadDate"))


def _modified_candidates(lookup: StructuredLookup) -> Iterator[tuple[str, str]]:
    for item in lookup.items:
        yield from texts_of("json-ld:dateModified", item.get("dateModified"))
    yield from _stated(lookup, "modified")
    for notation, item in lookup.marked:
        if strength(item) <= POST:
            yield from texts_of(f"{notation}:dateModified", item.get("dateModified"))
    if lookup.is_home:
        return
    yield from _prop_dates(lookup, "dateModified")
    tree = lookup.tree
    for i in lookup.nodes.times[:20]:
        if _is_update(lookup, i) and not lookup.nodes.is_aside(i) and lookup.nodes.belongs(i):
            yield "dom:time.updated", tree.attr(i, "datetime") or lookup.nodes.short(i)


def _stated(lookup: StructuredLookup, field: str) -> Iterator[tuple[str, str]]:
    for key in lookup.rows.meta[field]:
        if key in lookup.meta:
            for value in lookup.meta[key]:
                yield f"meta:{key}", value


def _prop_dates(lookup: StructuredLookup, name: str) -> Iterator[tuple[str, str]]:
    tree = lookup.tree
    numbers = [i for i in lookup.nodes.props.get(name, ())[:20] if not lookup.nodes.is_aside(i)]
    if not lookup.is_teaser_list(numbers):
        for i in numbers[:3]:
            text = tree.attr(i, "datetime") or tree.attr(i, "content") or lookup.nodes.short(i)
            yield f"dom:itemprop={name}", text


def _times(lookup: StructuredLookup) -> Iterator[tuple[str, str]]:
    """``<time>`` elements: those marked as the publication's first, then the first that belongs to the title."""
    tree, nodes = lookup.tree, lookup.nodes
    stated = [i for i in nodes.times[:60] if not nodes.is_aside(i) and not _is_update(lookup, i)]
    if lookup.is_teaser_list(stated):
        return
    for i in stated:
        if _has(tree, i, "pubdate") or _says(tree.cls[i], lookup.rows.published):
            yield "dom:time.published", tree.attr(i, "datetime") or lookup.nodes.short(i)
    for i in stated:
        if lookup.nodes.belongs(i):
            yield "dom:time", tree.attr(i, "datetime") or lookup.nodes.short(i)


def _is_update(lookup: StructuredLookup, i: int) -> bool:
    """Whether a date is said to be that of the last change."""
    tree = lookup.tree
    above = tree.parent[i]
    label = f"{tree.cls[i]} {tree.cls[above]} {lookup.nodes.short(i)[:80]}"
    j = i - 1
    while j > max(0, i - 8):
        if tree.text[j].strip():
            label += " " + tree.text[j].strip()[-40:]
            break
        j -= 1
    return _says(label, lookup.rows.updated) and not _says(label, lookup.rows.published)


def _says(text: str, parts: tuple[str, ...]) -> bool:
    return any(map(text.lower().__contains__, parts))


def _near_title(lookup: StructuredLookup, month_first: bool) -> Iterator[tuple[str, str]]:
    """Elements marked as dates near the title, then short texts there that are hardly more than a date."""
    tree, nodes = lookup.tree, lookup.nodes
    marked = [i for i in nodes.dated()[:100] if 5 < tree.chars_in(i) <= 120 and not nodes.is_aside(i)]
    if not lookup.is_teaser_list(marked):
        for i in marked[:20]:
            # What is called "meta" or "info" is mostly no date, and says so by having no digit.
            if not has_digit(tree.text_in(i)) or _is_update(lookup, i):
                continue
            if lookup.nodes.belongs(i) or _says(f"{tree.cls[i]} {lookup.nodes.short(i)}", lookup.rows.published):
                yield f"dom:.{tree.cls[i].split()[0][:40]}", " ".join(nodes.lines(i))
    aside: dict[str, str] = {}
    for j, text, _ in lookup.nodes.window():
        if not 6 <= len(text.strip()) <= 80:
            continue
        found = find_date(text, month_first)
        if not found or _is_update(lookup, j):
            continue
        rest = (text[: found.start] + text[found.end :]).strip()
        if len(rest) <= (25 if not text[: found.start].strip() else 12) or (
            len(rest) <= 40 and lookup.rows.date_label.search(text[: found.start])
        ):
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
            and not _is_update(lookup, i)
            and (iso := parse_date(nodes.short(i), month_first))
        }
        if len(alone) == 1:
            i = next(iter(alone.values()))
            yield f"dom:.{tree.cls[i].split()[0][:40]}", nodes.short(i)
    # A column beside the title holds its date, or those of other pages.
    if len(aside) == 1:
        yield "dom:text beside the title", next(iter(aside.values()))


def _has(tree: Tree, i: int, name: str) -> bool:
    return name in tree.attrs[i]


def _is_same_night(moment: str, day: str) -> bool:
    """Whether a moment in Greenwich may be another day, a day before or after, where it was written."""
    if not moment.endswith("+00:00") or moment[:10] == day:
        return False
    distance = date.fromisoformat(day) - date.fromisoformat(moment[:10])
    hour = int(moment[11:13])
    return (distance.days == 1 and hour >= 10) or (distance.days == -1 and hour < 12)
