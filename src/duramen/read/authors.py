"""Who wrote the page: from data made for that, else from bylines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from duramen.read.dates import find_date
from duramen.read.metadata_rows import metadata_rows, separated
from duramen.read.names import is_account, is_capitalized, is_east_asian, names_in
from duramen.read.structured_lookup import PAGE, POST, StructuredLookup, strength
from duramen.read.text_clean import clean_text, fold, squeeze
from duramen.read.vocabulary import types_of

__all__ = ["read_authors"]

MAX_AUTHORS = 10
_MOST_BETWEEN = 6
"""Characters between two links to the people who wrote a page together."""
_MOST_TEXTS = 200
"""Texts that may say who wrote the page that are looked at."""


def read_authors(lookup: StructuredLookup, site: set[str], title: str | None) -> tuple[str, ...]:
    heading = fold(title or "")
    account: tuple[str, tuple[str, ...]] | None = None
    own: tuple[str, tuple[str, ...]] | None = None
    for source, data, texts in _author_candidates(lookup):
        names: dict[str, str] = {}
        for text in texts:
            for name in [text] if data and _is_in_host(text, lookup) else names_in(text, data):
                if fold(name) != heading:
                    names.setdefault(fold(name), name)
        found = tuple(names.values())[:MAX_AUTHORS]
        people = tuple([name for name in found if squeeze(name) not in site])
        if not people:
            # A site may be named after the person who writes it; in <meta> one word is rather the site's own.
            is_person = source == "dom:rel=author" or (data and not source.startswith("meta:"))
            is_named = " " in "".join(found[:1]) and (data or (_is_byline(source) and not any(map(is_account, found))))
            if found and own is None and (is_person or is_named):
                own = source, found
        elif (
            account is None
            and all(map(is_account, people))
            and (
                (source == "json-ld:author" and lookup.is_report)
                or source.startswith("meta:")
                or (source.startswith("dom:.") and all(" " in name for name in people))
            )
        ):
            # An account or a department, before which a byline goes.
            account = source, people
        elif account is None or (
            (_is_byline(source) or (account[0].startswith("dom:") and source.startswith("meta:")))
            and not any(map(is_account, people))
        ):
            lookup.sources["authors"] = source
            return people
    if account or own:
        lookup.sources["authors"], found = account or own or ("", ())
        return found
    return ()


def _is_byline(source: str) -> bool:
    return source in ("dom:rel=author", "dom:text near the title", "dom:address", "dom:credit") or source.startswith(
        "dom:."
    )


def _is_in_host(text: str, lookup: StructuredLookup) -> bool:
    """Whether a text names the one whose site it is: "The Oak Expert" of theoakexpert.example is no role."""
    words = text.split()
    return 2 <= len(words) <= 4 and squeeze(text) in lookup.host


def _author_candidates(lookup: StructuredLookup) -> Iterator[tuple[str, bool, list[str]]]:
    """(source, whether a field made for names, texts)."""
    organisations: list[str] = []
    for item in lookup.items:
        if strength(item) <= PAGE and "product" not in types_of(item):
            for key in ("author", "creator"):
                people, others = _people(lookup, item.get(key))
                yield f"json-ld:{key}", True, people
                if strength(item) <= POST:
                    organisations.extend(others)
    if lookup.is_home:
        return
    for notation, item in lookup.marked:
        if strength(item) <= POST:
            people, others = _people(lookup, item.get("author"))
            if len(people) > 1 and lookup.nodes.props.get("author"):
                # Those who commented are often marked as authors of the page, too: where they are decides.
                continue
            yield f"{notation}:author", True, people + others
    yield from _stated(lookup, "author")
    tree, nodes = lookup.tree, lookup.nodes
    for source, numbers in (
        ("dom:rel=author", nodes.rels.get("author", [])),
        ("dom:itemprop=author", nodes.props.get("author", [])),
    ):
        near = [i for i in numbers[:50] if not nodes.is_aside(i)]
        if near and source == "dom:itemprop=author":
            # In a forum, those who answered may be marked, and the one who asked be named as every member is.
            yield from _first_poster(lookup, near[0])
        if not lookup.is_teaser_list(near):
            yield source, False, _first_of(lookup, near)
    bylines = [i for i in nodes.bylines()[:200] if not nodes.is_aside(i)]
    if not lookup.is_teaser_list(bylines):
        for i in bylines[:10]:
            if lookup.nodes.belongs(i):
                yield f"dom:.{tree.cls[i].split()[0][:40]}", False, _byline(lookup, i)
    yield from _stated(lookup, "author_weak")
    for i in nodes.addresses[:5]:
        # In an article, the address is its author's, in an ``aside`` of it too.
        if nodes.landmark_rank(i) and (not nodes.is_aside(i) or (nodes.landmark_rank(i) == 2 and nodes.belongs(i))):
            yield "dom:address", False, _byline(lookup, i)
    yield "dom:link near the title", False, _people_linked(lookup)
    yield "dom:text near the title", False, _by_someone(lookup)
    yield "dom:text near the title", False, _by_beside_date(lookup)
    yield from _only_one("dom:written by", _written_by(lookup))
    yield from _first_poster(lookup)
    if len(bylines) <= 10:
        yield from _only_one("dom:byline", [text for i in bylines for text in _byline(lookup, i)])
    if is_east_asian(lookup.document_title) or tree.attr(0, "lang")[:2].lower() in ("zh", "ja", "ko"):
        from duramen.read.credits import credits_in

        yield "dom:credit", False, credits_in(tree, nodes.anchor)
    yield from _only_one(
        "dom:rel=author", [text for i in nodes.rels.get("author", [])[:20] for text in _byline(lookup, i)]
    )
    yield "json-ld:author", True, organisations
    beside = [
        i for i in nodes.bylines()[:11] if nodes.is_aside(i) and any(tree.tag[j] == "aside" for j in tree.ancestors(i))
    ]
    if len(beside) <= 10:
        texts = [text for i in beside for text in _byline(lookup, i)]
        if all(" " in name and is_capitalized(name) for text in texts for name in names_in(text)):
            yield from _only_one("dom:byline", texts)


def _stated(lookup: StructuredLookup, field: str) -> Iterator[tuple[str, bool, list[str]]]:
    for key in lookup.rows.meta[field]:
        if key not in lookup.meta:
            continue
        if key == "twitter:data1" and not lookup.rows.written_by.search(
            " ".join(lookup.meta.get("twitter:label1", ()))
        ):
            continue
        yield f"meta:{key}", True, [clean_text(value, 500) or "" for value in lookup.meta[key]]


def _only_one(source: str, texts: list[str]) -> Iterator[tuple[str, bool, list[str]]]:
    """Names far from the title, or beside it, if they are all the same."""
    if len({tuple(map(fold, names)) for text in texts if (names := names_in(text))}) == 1:
        yield source, False, texts


def _first_poster(lookup: StructuredLookup, before: int | None = None) -> Iterator[tuple[str, bool, list[str]]]:
    """The member of a forum who wrote the first post, perhaps only if the name is before an element."""
    nodes = lookup.nodes
    for i in nodes.posters()[:20]:
        if before is not None and lookup.tree.end[i] > before:
            return
        if i > nodes.anchor >= 0 and nodes.belongs(i) and not nodes.is_aside(i) and (name := nodes.short(i, 60)):
            yield "dom:first post", False, [name]
            return


def _people_linked(lookup: StructuredLookup) -> list[str]:
    """The first link near the title that leads to a person, and those directly behind it."""
    tree, nodes = lookup.tree, lookup.nodes
    found: dict[int, str] = {}
    for _, _, link in nodes.window:
        if link < 0 or link in found or not _is_of_people(tree.attr(link, "href")):
            continue
        if found and tree.chars[link] - tree.chars[tree.end[max(found)]] > _MOST_BETWEEN:
            break
        text = nodes.short(link)
        names = names_in(text)
        if names and all(" " in name for name in names) and not nodes.is_aside(link):
            found[link] = text
    return list(found.values())


def _is_of_people(href: str) -> bool:
    """Whether an address is where sites present a person: most show it by their folders alone."""
    if "=" in href or "?" in href or "/@" in href:
        return metadata_rows().people_address.search(href) is not None
    return not metadata_rows().people.isdisjoint(href.lower().split("/")[1:-1])


def _by_someone(lookup: StructuredLookup) -> list[str]:
    """A short text near the title that begins with "by", or the one after it."""
    label = False
    for j, shown, link in lookup.nodes.window:
        words = shown[:2000].split(None, 1)
        begins = bool(words) and words[0].rstrip(":").lower() in lookup.rows.by_beginnings
        if not begins and not label:
            continue
        text = " ".join(" ".join(words).split())
        if (label or lookup.rows.by_someone.match(text)) and len(text) <= 60 and not lookup.nodes.is_aside(j):
            names = names_in(text)
            if names and label and link >= 0 and _is_of_people(lookup.tree.attr(link, "href")):
                return [text]
            # "Von" and "par" begin sentences too, in which there are small letters.
            if names and all(" " in name and (text[:2].lower() == "by" or is_capitalized(name)) for name in names):
                return [text]
        label = begins and lookup.rows.by_label.fullmatch(text) is not None
    return []


def _by_beside_date(lookup: StructuredLookup) -> list[str]:
    """A short text near the title with a name after "by" and a date, which may be an account of one word."""
    language = lookup.tree.attr(0, "lang") or None
    for j, shown, _ in lookup.nodes.dated_window:
        text = " ".join(shown.split()) if len(shown) <= 400 else ""
        if not 8 <= len(text) <= 120 or not lookup.rows.by_before_name.search(text):
            continue
        found = find_date(text, language=language)
        if found is None or lookup.nodes.is_aside(j):
            continue
        for part in (text[: found.start], text[found.end :]):
            by = lookup.rows.by_before_name.search(part)
            before = part[: by.start()].strip(" ,|·•–—-:") if by else ""
            # What is before "by" is the time, or one word for what was done.
            if by and (not before or " " not in before or not any(map(str.isalpha, before))):
                name = lookup.rows.date_word_at_end.sub("", part[by.end() :].rstrip(" ,|·•–—-"))
                if names_in(name):
                    return [name]
    return []


def _written_by(lookup: StructuredLookup) -> list[str]:
    """Texts anywhere in the page that say who wrote it, or the ones after them."""
    tree, found = lookup.tree, []
    phrases, beginnings = lookup.rows.written_anywhere
    for i in tree.core.texts_beginning(*beginnings)[:_MOST_TEXTS]:
        text = " ".join(tree.text[i].split())
        phrase = next(filter(text.startswith, phrases), "")
        # A cell of a table says who wrote what the page is about.
        if not phrase or len(text) > 200 or tree.tag[tree.parent[i]] in ("th", "td", "dt") or lookup.nodes.is_aside(i):
            continue
        rest = text[len(phrase) :].strip(" :") or lookup.nodes.text_after(i)
        if all(" " in name and is_capitalized(name) for name in names_in(rest)):
            found.append(rest)
    return found


def _people(lookup: StructuredLookup, value: Any) -> tuple[list[str], list[str]]:
    """Names of persons, and of organisations."""
    people: list[str] = []
    others: list[str] = []
    for part in (value if isinstance(value, list) else [value])[:20]:
        part = lookup.resolve(part)
        if isinstance(part, str):
            people.append(clean_text(part, 500) or "")
        elif isinstance(part, dict):
            kinds = types_of(part)
            name = part.get("name")
            group = others if kinds and "person" not in kinds else people
            group.extend(clean_text(text, 500) or "" for text in (name[:10] if isinstance(name, list) else [name]))
    return people, others


def _first_of(lookup: StructuredLookup, numbers: list[int]) -> list[str]:
    """The text of the first marked element, and of those directly beside it."""
    tree = lookup.tree
    texts: list[str] = []
    last = -1
    for i in numbers[:20]:
        if last >= 0 and (tree.chars[i] - tree.chars[tree.end[last]] > 20 or i < tree.end[last]):
            break
        names = _byline(lookup, i)
        if names:
            texts.extend(names)
            last = i
    return texts


def _byline(lookup: StructuredLookup, i: int) -> list[str]:
    """The names in a byline: of its parts marked as names, its links to people, else of its first line."""
    tree = lookup.tree
    if not 2 <= tree.chars_in(i) <= 400:
        return []
    linked: list[str] = []
    for j in range(i + 1, tree.end[i]):
        if tree.tag[j] and tree.cls[j] and lookup.rows.person_name.search(separated(tree.cls[j])):
            return [" ".join(lookup.nodes.lines(j))]
        if tree.tag[j] == "a" and _is_of_people(tree.attr(j, "href")):
            linked.append(lookup.nodes.short(j))
    if any(linked):
        return linked
    for line in lookup.nodes.lines(i)[:4]:
        if names_in(line):
            return [line]
    return []
