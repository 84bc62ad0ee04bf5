"""Metadata read from what a page shows, compared with what it states as data: truth that no one had to write.

    python -m benchmarks.hidden_metadata                            figures of every field, over all corpora
    python -m benchmarks.hidden_metadata --list title --limit 40    also pages whose title is wrong or missing
    python -m benchmarks.hidden_metadata --half 0                   half of the sites, to check rules made on the other

Of every page the carriers of metadata (JSON-LD, ``<meta>``, microdata, RDFa, and for the language ``lang``) are read
and then hidden; titles, authors, dates, language and the site's name are read again from the rest: the text, the
``<title>``, the elements and the address. Where the carriers of a field agree, they are its truth; where they do not,
the page is left out. What the page does not show at all (``not shown``) cannot be read, and does not count as missing.

exact: the same; near: a title with or without the site's name, some of several authors, a longer or shorter name of
the site; wrong; missing. The shares are of the pages that show the value.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from multiprocessing import Pool
from pathlib import Path
from typing import Any

from benchmarks.outputs import pages
from benchmarks.train.dataset import domain_of
from duramen.evaluation.shown import ShownPage, squeezed
from duramen.flatten import parse_tree, without
from duramen.model import StructuredData
from duramen.options import Options
from duramen.read.addresses import base_url
from duramen.read.dates import parse_date
from duramen.read.hidden import take_out_hidden
from duramen.read.languages import LANGUAGES
from duramen.read.metadata import read_metadata
from duramen.read.metadata_nodes import MetadataNodes
from duramen.read.reader import read_source
from duramen.read.structured import read_structured
from duramen.read.structured_lookup import POST, THING, StructuredLookup, strength
from duramen.read.text_clean import clean_text, host_of
from duramen.read.titles import split_title
from duramen.read.vocabulary import types_of
from duramen.tree import Tree

FIELDS = ("title", "authors", "published", "modified", "language", "site_name")
VERDICTS = ("exact", "near", "wrong", "missing", "not shown")
MARKS = frozenset("itemprop itemscope itemtype itemid itemref property typeof vocab about resource content".split())
"""Attributes of microdata and RDFa."""


@dataclass(frozen=True)
class Comparison:
    """A field of one page: what its carriers agree on, and what was read without them."""

    page: str
    url: str | None
    field: str
    verdict: str
    got: str
    want: str
    source: str


def hidden(tree: Tree) -> Tree:
    """The page without the carriers of its metadata."""
    carriers = tree.tagged({"meta"}) + [i for i, kind in tree.stated("script", ("type",)) if "ld+json" in kind.lower()]
    rest = without(tree, sorted(carriers))
    valued = rest.valued
    first = {name: value for name, value in rest.attrs[0].items() if name not in ("lang", "xml:lang")}
    return replace(
        rest,
        attrs=[first, *rest.attrs[1:]],
        valued=lambda name: [] if name in MARKS else valued(name),
    )


def compare(html: str | bytes, url: str | None, page: str = "") -> list[Comparison]:
    """Every field of a page whose carriers agree."""
    options = Options()
    source = read_source(html, options)
    tree, *_ = take_out_hidden(parse_tree(source.text, source.max_nodes))
    if not len(tree):
        return []
    base = base_url(tree, url)
    structured = read_structured(tree, base)
    carried = agreed(tree, structured, url, base)
    if not carried:
        return []
    rest = hidden(tree)
    got = read_metadata(rest, read_structured(rest, base), url, base)
    shown = ShownPage(rest, url)
    compared = []
    for field, want in carried.items():
        value = getattr(got, field)
        verdict = _verdict(field, value, want, shown)
        written = ", ".join(want) if isinstance(want, tuple) else want
        read = ", ".join(value) if isinstance(value, tuple) else value or ""
        compared.append(Comparison(page, url, field, verdict, read, written, got.sources.get(field, "")))
    return compared


def agreed(tree: Tree, structured: StructuredData, url: str | None, base: str | None) -> dict[str, Any]:
    """The values on which all carriers of a field agree."""
    lookup = StructuredLookup(MetadataNodes(tree), structured, url or "", base or "")
    carriers: dict[str, list[Any]] = {
        "title": _titles(lookup),
        "authors": _authors(lookup),
        "published": _days(lookup, "published", "datePublished"),
        "modified": _days(lookup, "modified", "dateModified"),
        "language": _languages(lookup),
        "site_name": _site_names(lookup),
    }
    found: dict[str, Any] = {}
    for field, values in carriers.items():
        keys = {KEYS[field](value) for value in values}
        if len(keys) == 1 and keys != {""}:
            found[field] = values[0]
    if found.get("modified") == found.get("published"):
        # Nothing changed, and so the page shows one date.
        found.pop("modified", None)
    return found


def _metas(lookup: StructuredLookup, field: str) -> list[str]:
    return [
        text
        for key in lookup.rows.meta[field]
        if key != "twitter:data1"
        for value in lookup.meta.get(key, ())
        if (text := clean_text(value, 500))
    ]


def _titles(lookup: StructuredLookup) -> list[str]:
    items = [item.get("headline") or item.get("name") for item in lookup.items if strength(item) <= THING]
    titles = [text for value in items if (text := clean_text(value, 500))] + _metas(lookup, "title")
    site = {squeezed(name) for name in (*_site_names(lookup), lookup.host)}
    return [_without_site(title, site) for title in titles]


def _without_site(title: str, site: set[str]) -> str:
    last = (split_title(title) or ("",))[-1]
    if last != title and squeezed(last) in site:
        return title[: title.rindex(last)].rstrip(" |-–—·•:»/")
    return title


def _authors(lookup: StructuredLookup) -> list[tuple[str, ...]]:
    """The people of each carrier."""
    found: list[tuple[str, ...]] = []
    for item in lookup.items:
        if strength(item) <= POST:
            value = item.get("author")
            people = [lookup.resolve(part) for part in (value if isinstance(value, list) else [value])]
            names = [text for person in people if _is_person(person) and (text := clean_text(person.get("name"), 200))]
            if names:
                found.append(tuple(names))
    for field in ("author", "author_weak"):
        for key in lookup.rows.meta[field]:
            names = [text for value in lookup.meta.get(key, ()) if (text := clean_text(value, 200))]
            if names and key != "twitter:data1" and not any("://" in name for name in names):
                found.append(tuple(names))
    site = {squeezed(name) for name in (*_site_names(lookup), lookup.host, host_of(lookup.url))}
    # A publisher in a field for authors is no person whom a byline could name.
    return [names for names in found if site.isdisjoint(map(squeezed, names))]


def _is_person(person: Any) -> bool:
    return isinstance(person, Mapping) and "person" in types_of(person)


def _days(lookup: StructuredLookup, field: str, name: str) -> list[str]:
    stated = [str(item[name]) for item in lookup.items if strength(item) <= POST and isinstance(item.get(name), str)]
    return [day for text in (*stated, *_metas(lookup, field)) if (day := parse_date(text, True, "en"))]


def _languages(lookup: StructuredLookup) -> list[str]:
    tags = [lookup.tree.attr(0, "lang"), *lookup.meta.get("og:locale", ()), *lookup.meta.get("content-language", ())]
    tags += [item["inLanguage"] for item in lookup.items if isinstance(item.get("inLanguage"), str)]
    codes = [tag.replace("_", "-").partition("-")[0].strip().lower() for tag in tags]
    return [LANGUAGES.get(code, code) for code in codes if code.isalpha() and len(code) in (2, 3)]


def _site_names(lookup: StructuredLookup) -> list[str]:
    names = list(lookup.meta.get("og:site_name", ()))
    names += [str(item["name"]) for item in lookup.site_items() if "website" in types_of(item) and item.get("name")]
    return [text for name in names if (text := clean_text(name, 120))]


def _people_key(names: tuple[str, ...]) -> str:
    return " ".join(sorted(squeezed(name) for name in names))


KEYS: dict[str, Callable[[Any], str]] = {
    "title": squeezed,
    "authors": _people_key,
    "published": lambda day: day[:10],
    "modified": lambda day: day[:10],
    "language": str,
    "site_name": squeezed,
}


def _verdict(field: str, got: Any, want: Any, shown: ShownPage) -> str:
    is_day = field in ("published", "modified")
    if not got:
        return "missing" if _is_shown(field, want, shown) else "not shown"
    if field == "language":
        return "exact" if got.partition("-")[0] == want else "wrong"
    if is_day:
        if _days_of(want) & _days_of(got):
            return "exact"
        return "wrong" if _is_shown(field, want, shown) else "not shown"
    one, other = KEYS[field](got), KEYS[field](want)
    if one == other:
        return "exact"
    if not _is_shown(field, want, shown):
        return "not shown"
    if field == "authors":
        return "near" if set(one.split()) & set(other.split()) else "wrong"
    return "near" if len(one) >= 4 and len(other) >= 4 and (one in other or other in one) else "wrong"


def _is_shown(field: str, want: Any, shown: ShownPage) -> bool:
    if field in ("published", "modified"):
        return any(shown.has_day(day) for day in _days_of(want))
    return field == "language" or all(shown.has_text(part) for part in (want if isinstance(want, tuple) else (want,)))


def _days_of(moment: str) -> set[str]:
    """The days that a moment may be on: where it was written, and in Greenwich or beside it where it is said in UTC."""
    days = {moment[:10]}
    if len(moment) > 19:
        instant = datetime.fromisoformat(moment).astimezone(UTC)
        days.add(instant.date().isoformat())
        if moment.endswith("+00:00"):
            days |= {(instant + timedelta(hours=hours)).date().isoformat() for hours in (-12, 14)}
    return days


def half_of(page: str, url: str | None) -> int:
    """Sites by a digest of their domain: all pages of a site are in one half."""
    return zlib.crc32((domain_of(url) or page).encode()) % 2


def _compared(page: tuple[str, Path, str | None]) -> tuple[bytes, list[Comparison]]:
    name, path, url = page
    html = gzip.decompress(path.read_bytes())
    return hashlib.blake2b(html, digest_size=16).digest(), compare(html, url, name)


def compared_once(compared: Iterable[tuple[bytes, list[Comparison]]]) -> list[Comparison]:
    """All comparisons, of a page that is in several corpora the first."""
    by_page: dict[bytes, list[Comparison]] = {}
    for digest, some in compared:
        by_page.setdefault(digest, some)
    return [one for some in by_page.values() for one in some]


def table(compared: Sequence[Comparison]) -> Iterator[str]:
    """The figures of every field as lines."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one in compared:
        counts[one.field][one.verdict] += 1
    yield f"{'field':10} {'pages':>6}  " + "  ".join(f"{verdict:>8}" for verdict in VERDICTS[:4]) + "  not shown"
    for field in FIELDS:
        tally = counts[field]
        pages = sum(tally[verdict] for verdict in VERDICTS[:4])
        shares = "  ".join(f"{tally[verdict] / max(1, pages):8.3f}" for verdict in VERDICTS[:4])
        yield f"{field:10} {pages:6}  {shares}  {tally['not shown']:9}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", choices=FIELDS, help="list the pages on which a field is not exact, worst first")
    parser.add_argument("--limit", type=int, help="list at most so many pages")
    parser.add_argument("--half", type=int, choices=(0, 1), help="only one half of the sites")
    parser.add_argument("--corpora", help="only these corpora, separated by commas")
    parser.add_argument("--json", type=Path, help="write every comparison into a file")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    args = parser.parse_args(arguments)
    corpora = args.corpora.split(",") if args.corpora else None
    chosen = [
        page
        for page in pages()
        if (corpora is None or page[0].partition("/")[0] in corpora)
        and (args.half is None or half_of(page[0], page[2]) == args.half)
    ]
    if not chosen:
        parser.error(f"there are no pages in {args.corpora or 'this half'}")
    with Pool(args.workers) as pool:
        compared = compared_once(pool.imap(_compared, chosen, chunksize=16))
    print("\n".join(table(compared)))
    if args.list:
        order = ("wrong", "missing", "near")
        listed = [one for one in compared if one.field == args.list and one.verdict in order]
        for one in sorted(listed, key=lambda one: order.index(one.verdict))[: args.limit]:
            print(f"{one.verdict}  {one.page}  {one.url}")
            print(f"    read   {one.got!r} ({one.source})\n    stated {one.want!r}")
    if args.json:
        args.json.write_text(
            json.dumps([vars(one) for one in compared], ensure_ascii=False, indent=1), encoding="utf-8"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
