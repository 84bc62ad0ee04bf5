"""Heuristics are data: this module loads the rows, checks them and compiles them for fast look-up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from duramen.errors import RuleError
from duramen.lazy_pattern import lazy_pattern
from duramen.native import core
from duramen.toml_copies import read_toml

DATA = Path(__file__).parent / "data"
"""The data files of the package. A package with a compiled module is always a folder on disk."""


def load(name: str) -> Mapping[str, Any]:
    """A data file of the package."""
    return read_toml((DATA / name).read_text("utf-8"))


@cache
def rows_by_id(name: str) -> Mapping[str, Mapping[str, Any]]:
    """The rows of a data file by id."""
    return {row["id"]: row for row in load(name)["row"]}


def row_words(name: str, row_id: str) -> tuple[str, ...]:
    """The words or phrases of a row, in its order."""
    row = rows_by_id(name).get(row_id)
    if row is None:
        raise RuleError(f"{name}: there is no row {row_id!r}")
    if "phrases" in row:
        return tuple(" ".join(phrase.split()) for phrase in row["phrases"].split(";"))
    return tuple(row["words"].split())


@lru_cache(maxsize=20_000)
def split_names(names: str) -> tuple[tuple[str, ...], ...]:
    """Each class word or id as its lower-case parts: the token boundaries that rows match at.

    A piece with digits inside is a hash, not a word; digits at the end number an element.

    >>> split_names("moreStories site-header ad2 w-node-b5343ad4 canvas")
    (('more', 'stories'), ('site', 'header'), ('ad',), ('w', 'node', 'b5343ad4'), ('canvas',))
    """
    return core.split_names(names)


@lru_cache(maxsize=20_000)
def plain_name(word: str) -> str:
    """A class word without the hash that CSS modules append, lower-case, parts joined by hyphens.

    >>> plain_name("article-body__content__17Yit"), plain_name("Post_Content"), plain_name("post-content")
    ('article-body--content', 'post-content', 'post-content')
    """
    return core.plain_name(word)


class Hosts:
    """Some hosts and those below them, as addresses have them."""

    def __init__(self, hosts: Iterable[str]) -> None:
        names = tuple(hosts)
        self._labels = frozenset(name.partition(".")[0] for name in names)
        self._any = lazy_pattern(rf"//(?:[\w-]+\.)*(?:{'|'.join(map(re.escape, names))})(?![\w-])", re.I)

    def are_in(self, address: str) -> bool:
        """Whether an address is of one of them; one may also stand inside it."""
        start = address.find("//")
        if start < 0:
            return False
        if address.find("//", start + 1) < 0:
            # Most addresses have no label that any of the hosts begins with, and need not be searched.
            host = address[start + 2 :].partition("/")[0]
            if self._labels.isdisjoint(host.lower().split(".")):
                return False
        return self._any.search(address) is not None


class Removal(NamedTuple):
    """A compiled removal row."""

    id: str
    reason: str
    tags: frozenset[str]
    roles: frozenset[str]
    hosts: Hosts | None
    """What the address of a script or frame holds."""
    sizes: frozenset[tuple[str, str]]
    """Widths and heights."""
    fields: frozenset[str]
    """Types of the input field that makes a small box a form."""
    scope: str
    sure: bool
    firm: bool
    """Whether it holds also where the judge is certain of what it names."""


class Removals:
    """All removal rows, found by tag, role or name in constant time."""

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self.rows: dict[str, Removal] = {}
        self.by_tag: dict[str, Removal] = {}
        self.by_role: dict[str, Removal] = {}
        self.by_name: dict[tuple[str, ...], Removal] = {}
        self.by_attribute: dict[str, dict[str, Removal]] = {}
        """By name and value; the empty value matches any."""
        for raw in rows:
            row = Removal(
                _required(raw, "id"),
                _required(raw, "reason"),
                frozenset(raw.get("tags", ())),
                frozenset(raw.get("roles", ())),
                Hosts(raw["hosts"]) if raw.get("hosts") else None,
                frozenset((w, h) for w, _, h in (size.partition("x") for size in raw.get("sizes", ()))),
                frozenset(raw.get("fields", ())),
                raw.get("scope", "subtree"),
                bool(raw.get("sure", False)),
                bool(raw.get("firm", False)),
            )
            attributes = [tuple(given.partition("=")[::2]) for given in raw.get("attributes", ())]
            names = [parts for name in raw.get("names", ()) for parts in split_names(name)]
            if not (row.tags or row.roles or attributes or row.hosts or row.sizes or row.fields or names):
                raise RuleError(
                    f"removals.toml: row {row.id!r} matches nothing;"
                    " give it tags, roles, names, attributes, hosts, sizes or fields"
                )
            if row.id in self.rows:
                raise RuleError(f"removals.toml: two rows have the id {row.id!r}; rename one")
            self.rows[row.id] = row
            self.by_tag.update(dict.fromkeys(row.tags, row))
            self.by_role.update(dict.fromkeys(row.roles, row))
            for name, value in attributes:
                self.by_attribute.setdefault(name, {})[value] = row
            for parts in names:
                self.by_name[parts] = row
                self.by_name[("".join(parts),)] = row
        self.listed = list(self.rows.values())
        self.numbers = {row.id: number for number, row in enumerate(self.listed)}
        self.by_size_or_source = [(n, row) for n, row in enumerate(self.listed) if row.hosts or row.sizes or row.fields]
        """Those that look at more than tags, roles, names and attributes, with their numbers."""
        self.beginnings: dict[str, int] = {}
        """By the first part of names how many parts the longest of them has."""
        for parts in self.by_name:
            self.beginnings[parts[0]] = max(len(parts), self.beginnings.get(parts[0], 0))

    @cached_property
    def compiled(self) -> tuple[core.Lookup, core.Lookup, core.Lookup, bytes]:
        """The rows for the compiled core: by tag, by name (and how names begin), and of which kind each is."""
        return (
            core.Lookup({tag: self.numbers[row.id] for tag, row in self.by_tag.items()}),
            core.Lookup({" ".join(parts): self.numbers[row.id] for parts, row in self.by_name.items()}),
            core.Lookup(self.beginnings),
            bytes(row.sure + 2 * (row.scope == "glyph") for row in self.listed),
        )


def _required(raw: Mapping[str, Any], key: str) -> str:
    value = raw.get(key)
    if not isinstance(value, str) or not value:
        raise RuleError(f"a row lacks {key!r}: {dict(raw)!r}; every row needs an id and a reason")
    return value


@cache
def removals() -> Removals:
    return Removals(load("removals.toml")["row"])


@cache
def content_names() -> Mapping[str, tuple[int, str]]:
    """Class words that mean content: name to (rank, row id), the lower the rank the better."""
    table: dict[str, tuple[int, str]] = {}
    for rank, row in enumerate(load("patterns.toml")["row"]):
        for name in row["names"]:
            table.setdefault(name, (rank, _required(row, "id")))
    return table
