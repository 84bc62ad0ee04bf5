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
_SEARCHED = 6
"""Letters by which phrases are searched for; there may be any white space between their words."""
_LONGEST_NAME = 500
"""Characters of a class or id value that are read."""


@cache
def metadata_rows() -> MetadataRows:
    return MetadataRows(load("metadata.toml"))


def _letters(names: str) -> str:
    return names.lower().replace("-", "").replace("_", "")


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
        self.meta_names = {field: frozenset(names) for field, names in self.meta.items()}
        self._names = names = {name: row["words"].split() for name, row in tables["names"].items()}
        self.main_ids = frozenset(names["main"])
        self.class_words = _lookup(names["byline"], names["date"], names["aside"], names["poster"])
        self.id_words = _lookup(names["aside"], names["main"])
        self.is_byline = lru_cache(maxsize=1024)(self._is_byline)
        self._byline, self._person_class = tables["names"]["byline"], tables["names"]["person"]
        self._aside = tables["names"]["aside"]
        self._parts_of_content = tuple(map(_letters, self._aside["without"].split()))
        self.person, self.label = tables["person"], tables["label"]
        self.licences = tuple(tables["link"]["licence"]["words"].split())
        self.people = frozenset(tables["link"]["people"]["words"].split())
        self.home = frozenset(tables["link"]["home"]["words"].split())
        self.languages = dict(pair.split("=") for pair in tables["language"]["name"]["words"].split())
        self.month_first = frozenset(tables["language"]["month_first"]["words"].split())
        self.updated, self.published, self.other = (
            core.Phrases(phrases_of(self.label[name])) for name in ("updated", "published", "other")
        )
        self.generic_titles = frozenset(phrases_of(tables["title"]["generic"]))
        self.sections = frozenset(phrases_of(tables["title"]["section"]))
        self.not_updated = core.Phrases(phrases_of(self.label["updated"], "without"))

    def _is_byline(self, name: str) -> bool:
        """Whether a class that has a word of bylines has none that speaks against it."""
        return self._no_byline.search(separated(name)) is None

    def is_content(self, name: str) -> bool:
        """Whether a class that has a word of asides has it only in the name of a part of the content."""
        if not any(map(_letters(name).__contains__, self._parts_of_content)):
            return False
        name = separated(name)
        rest = self._no_aside.sub(" ", name)
        return len(rest) < len(name) and self._aside_word.search(rest) is None

    @cached_property
    def _no_aside(self) -> re.Pattern[str]:
        return re.compile(rf"(?<![^\s_-])(?:{any_of(self._aside['without'].split())})(?![^\s_-])")

    @cached_property
    def _aside_word(self) -> re.Pattern[str]:
        return re.compile(rf"(?<![^\s_-])(?:{any_of(self._names['aside'])})(?![^\s_-])")

    @cached_property
    def _no_byline(self) -> re.Pattern[str]:
        anywhere, at_end = (any_of(self._byline[key].split()) for key in ("without", "without_at_end"))
        # "vcard" is the class of a name, "author-card" of all about its bearer.
        return re.compile(rf"{anywhere}|(?<![a-z])(?:{at_end})(?:$|[\s_-])")

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
        return re.compile(rf"(?<![a-z])(?:{any_of(phrases_of(row))})|\b(?:{any_of(row['words'].split())})\b", re.I)

    @cached_property
    def written_by(self) -> re.Pattern[str]:
        return re.compile(any_of(phrases_of(self.label["written_by"])), re.I)

    @cached_property
    def by_label(self) -> re.Pattern[str]:
        """A text that is no more than the label of the author's name."""
        return re.compile(rf"(?:(?:{self._before_by('before_alone')})\s+)?(?:{self._by})\s?:?", re.I)

    @cached_property
    def by_someone(self) -> re.Pattern[str]:
        """How a text begins that names the author."""
        return re.compile(rf"(?:(?:{self._before_by('before_name')})\s+)?(?:{self._by})(?::\s*|\s+)\S", re.I)

    @cached_property
    def by_before_name(self) -> re.Pattern[str]:
        """The word before an author's name, within a line."""
        return re.compile(rf"(?<![^\W\d_])(?:{self._by})(?::\s*|\s+)(?=\S)", re.I)

    @cached_property
    def date_word_at_end(self) -> re.Pattern[str]:
        """The word before a date that was cut off."""
        return re.compile(rf"[\s,]+(?:{any_of(self.person['date']['words'].split())})$", re.I)

    @property
    def _by(self) -> str:
        return any_of(self.label["by"]["words"].split())

    def _before_by(self, also: str) -> str:
        row = self.label["by"]
        return any_of([*phrases_of(row, "before"), *phrases_of(row, also)])

    @cached_property
    def by_beginnings(self) -> frozenset[str]:
        """The first words of both."""
        row = self.label["by"]
        before = [phrase for key in ("before", "before_name", "before_alone") for phrase in phrases_of(row, key)]
        return frozenset([*row["words"].split(), *(phrase.split()[0] for phrase in before)])

    @cached_property
    def written_anywhere(self) -> tuple[tuple[str, ...], frozenset[str]]:
        """How texts begin that name the author wherever they are, longest first, and the letters they are found by."""
        phrases = sorted(phrases_of(self.label["written_by"]), key=len, reverse=True)
        written = tuple([some for phrase in phrases for some in dict.fromkeys((phrase.capitalize(), phrase.title()))])
        return written, frozenset([some[:_SEARCHED] for some in written])
