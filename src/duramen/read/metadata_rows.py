"""The rows of ``data/metadata.toml``, compiled for look-up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property, lru_cache
from typing import Any

from duramen.lazy_pattern import lazy_pattern
from duramen.native import core
from duramen.tables import load

__all__ = ["MetadataRows", "any_of", "metadata_rows", "phrases_of", "separated"]

_CAMEL = lazy_pattern(r"(?<=[a-z])(?=[A-Z])")
_LONGEST_NAME = 500
"""Characters of a class or id value that are read."""


@cache
def metadata_rows() -> MetadataRows:
    return MetadataRows(load("metadata.toml"))


def separated(name: str) -> str:
    """A class or id value in lower case, with a hyphen where a capital letter begins a new word.

    >>> separated("postAuthor byline")
    'post-author byline'
    """
    name = name[:_LONGEST_NAME]
    return name if name.islower() else _CAMEL.sub("-", name).lower()


def phrases_of(row: Mapping[str, str], key: str = "phrases") -> tuple[str, ...]:
    """The phrases of a row, which are separated by semicolons."""
    return tuple([phrase for part in row.get(key, "").split(";") if (phrase := " ".join(part.split()))])


def any_of(words: Iterable[str]) -> str:
    """A pattern that matches any of some words."""
    return "|".join(map(re.escape, words))


def _lookup(*rows: list[str]) -> core.Lookup:
    """A bit for each row that a word is in, for the compiled core."""
    every = {word for words in rows for word in words}
    return core.Lookup({word: float(sum(1 << k for k, row in enumerate(rows) if word in row)) for word in every})


class MetadataRows:
    """All rows, ready for use; what is costly to compile is compiled when it is first needed."""

    def __init__(self, tables: Mapping[str, Mapping[str, Any]]) -> None:
        self.meta = {field: tuple(row["words"].split()) for field, row in tables["meta"].items()}
        self._names = names = {name: row["words"].split() for name, row in tables["names"].items()}
        self.main_ids = frozenset(names["main"])
        self.class_words = _lookup(names["byline"], names["date"], names["aside"])
        self.id_words = _lookup(names["aside"], names["main"])
        self.is_byline = lru_cache(maxsize=1024)(self._is_byline)
        self._byline, self._person_class = tables["names"]["byline"], tables["names"]["person"]
        self.person, self.label = tables["person"], tables["label"]
        self.licences = tuple(tables["link"]["licence"]["words"].split())
        self.people = frozenset(tables["link"]["people"]["words"].split())
        self.updated, self.published = phrases_of(self.label["updated"]), phrases_of(self.label["published"])
        self.generic_titles = frozenset(phrases_of(tables["title"]["generic"]))
        self.other = phrases_of(self.label["other"])

    def _is_byline(self, name: str) -> bool:
        """Whether a class that has a word of bylines has none that speaks against it."""
        return self._no_byline.search(separated(name)) is None

    @cached_property
    def _no_byline(self) -> re.Pattern[str]:
        anywhere, at_end = (any_of(self._byline[key].split()) for key in ("without", "without_at_end"))
        return re.compile(rf"{anywhere}|(?:{at_end})(?:$|[\s_-])")

    @cached_property
    def dateline(self) -> re.Pattern[str]:
        """Classes of elements that hold a date and nothing else."""
        return re.compile(rf"(?<![^\s_-])(?:{any_of(self._names['dateline'])})(?![^\s_-])")

    @cached_property
    def person_name(self) -> re.Pattern[str]:
        """Classes of the part of a byline that is the name."""
        row = self._person_class
        words, parts, alone = (any_of(row[key].split()) for key in ("words", "parts", "alone"))
        return re.compile(rf"(?:{words})[\s_-]{{1,2}}(?:full-?)?(?:{parts})(?![^\s_-])|(?<!\S)(?:{alone})(?!\S)")

    @cached_property
    def people_address(self) -> re.Pattern[str]:
        """Addresses where sites present a person."""
        return re.compile(rf"/(?:{any_of(sorted(self.people))})[/?=]|/@\w|[?&]author=", re.I)

    @cached_property
    def date_label(self) -> re.Pattern[str]:
        row = self.label["date"]
        return re.compile(rf"{any_of(phrases_of(row))}|\b(?:{any_of(row['words'].split())})\b", re.I)

    @cached_property
    def written_by(self) -> re.Pattern[str]:
        return re.compile(any_of(phrases_of(self.label["written_by"])), re.I)

    @cached_property
    def by_label(self) -> re.Pattern[str]:
        """A text that is no more than the label of the author's name."""
        row = self.label["by"]
        before, words = any_of(f"{row['before']} {row['before_alone']}".split()), any_of(row["words"].split())
        return re.compile(rf"(?:(?:{before})\s+)?(?:{words})\s?:?", re.I)

    @cached_property
    def by_someone(self) -> re.Pattern[str]:
        """How a text begins that names the author."""
        row = self.label["by"]
        before = any_of(f"{row['before']} {row['before_name']}".split())
        return re.compile(rf"(?:(?:{before})\s+)?by:?\s+\S", re.I)

    @cached_property
    def by_beginnings(self) -> frozenset[str]:
        """The first words of both."""
        row = self.label["by"]
        return frozenset(word for key in row.keys() - {"reason"} for word in row[key].split())
