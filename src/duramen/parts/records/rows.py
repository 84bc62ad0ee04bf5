"""The rows of ``data/records.toml``, compiled for look-up."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, cached_property, lru_cache
from typing import Any

from duramen.tables import load, split_names

__all__ = ["RecordRows", "record_rows"]


@cache
def record_rows() -> RecordRows:
    return RecordRows(load("records.toml"))


class RecordRows:
    """All rows, ready for use."""

    def __init__(self, tables: Mapping[str, Mapping[str, Any]]) -> None:
        self._tables = tables
        self._words = {name: frozenset(row.get("words", "").split()) for name, row in tables.items()}
        self.without = {name: frozenset(row.get("without", "").split()) for name, row in tables.items()}
        self.props = {name: tuple(row.get("props", "").split()) for name, row in tables.items()}
        self.attributes = {name: tuple(row.get("attributes", "").split()) for name, row in tables.items()}
        self.dating = self._words["published"] | self.without["published"]
        self.changed = frozenset(tables["published"]["changed"].split())
        self.names = lru_cache(maxsize=20_000)(self._names)

    def _names(self, classes: str) -> frozenset[str]:
        """The rows that a value of ``class`` or ``id`` names."""
        found: set[str] = set()
        every = split_names(classes)
        for parts in every:
            given = frozenset(parts)
            # ``price price--old`` is a kind of price, as ``price--old`` says.
            kind = given.union(*(other for other in every if other[: len(parts)] == parts))
            found.update(
                name
                for name, words in self._words.items()
                if not words.isdisjoint(given) and self.without[name].isdisjoint(kind)
            )
        return frozenset(found)

    @cached_property
    def currencies(self) -> Mapping[str, str]:
        lines = self._tables["currencies"]["pairs"].strip().split("\n")
        return dict(line.split(" -> ") for line in lines)

    @cached_property
    def price(self) -> re.Pattern[str]:
        """An amount with a currency before or after it."""
        signs = "|".join(re.escape(sign) for sign in sorted(self.currencies, key=len, reverse=True))
        amount = r"\d{1,3}(?:[ .,’'\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d{1,7}(?:[.,]\d{1,2})?(?!\d)"
        return re.compile(rf"(?<![\w$])({signs})\s?({amount})|(?<![\d.,])({amount})\s?({signs})(?!\w)")

    @cached_property
    def around_author(self) -> re.Pattern[str]:
        """What is around the author's name in a byline."""
        before, after = (_either(self._tables["author"][key]) for key in ("before", "after"))
        return re.compile(rf"^(?:{before})\b[:\s]*|(?<!\s)\s*+(?:\b(?:{after})\b)?\s*+:?\s*+$", re.I)

    @cached_property
    def member_address(self) -> re.Pattern[str]:
        """Addresses where a forum presents a member."""
        folders, pages = (_either(self._tables["member"][key]) for key in ("folders", "pages"))
        return re.compile(rf"/(?:{folders})/|[?&;]u=\d|{pages}", re.I)

    @cached_property
    def stars(self) -> re.Pattern[str]:
        """A rating of at most five."""
        number = r"\d(?:[.,]\d{1,2})?"
        return re.compile(rf"{self.rated.pattern}|^\s*((?=[0-5]){number})\s*(?:{self._unit})?\s*$", re.I)

    @cached_property
    def rated(self) -> re.Pattern[str]:
        """A rating that says that it is one, whatever names it."""
        of = _either(self._tables["rating"]["of"])
        stars = rf"(?<![\d.,])([0-5](?:[.,]\d{{1,2}})?)\s*(?:{self._unit})?\s*(?:/|\b(?:{of})\b)\s*5\b"
        return re.compile(rf"{stars}|^\s*([0-5][.,]\d{{1,2}})\s*(?:{self._unit})\b", re.I)

    @property
    def _unit(self) -> str:
        return _either(self._tables["rating"]["unit"])

    @cached_property
    def labels(self) -> Mapping[str, re.Pattern[str]]:
        """A label, alone or with its value behind it, by row."""
        found = {name: row["labels"] for name, row in self._tables.items() if "labels" in row}
        return {
            name: re.compile(rf"\W*(?:{_either(labels)})\s*(?:[:#：][:#：\s]*(.*)|)", re.I | re.S)
            for name, labels in found.items()
        }

    @cached_property
    def asked(self) -> re.Pattern[str]:
        return _phrases(self._tables["asked"]["phrases"])

    @cached_property
    def buy(self) -> re.Pattern[str]:
        return _stated(self._tables["buy"])

    @cached_property
    def available(self) -> re.Pattern[str]:
        return _stated(self._tables["available"])

    @cached_property
    def unavailable(self) -> re.Pattern[str]:
        return _stated(self._tables["unavailable"])

    @cached_property
    def states(self) -> Mapping[str, bool]:
        """What microdata says of a product, and whether it can be had."""
        rows = (("available", True), ("unavailable", False))
        return {state: can for name, can in rows for state in self._tables[name]["states"].split()}

    @cached_property
    def shop_of(self) -> re.Pattern[str]:
        """A link to all that a brand makes."""
        shops = "|".join(
            re.escape(phrase.strip()).replace(re.escape("{}"), "([^|]+?)")
            for phrase in self._tables["brand"]["shops"].split(";")
        )
        return re.compile(shops, re.I)

    @cached_property
    def no_brands(self) -> frozenset[str]:
        return frozenset(phrase.strip() for phrase in self._tables["brand"]["never"].split(";"))


def _stated(row: Mapping[str, Any]) -> re.Pattern[str]:
    """A text that states something: behind a label, or a count, or nothing."""
    alone = rf"|(?:{_either(row['alone'])})\W*" if "alone" in row else ""
    before = r"(?:[^\W\d][\w ]{1,20}:\s*)?(?:(?:[^\W\d]+\s){0,2}\d+\+?\s(?:[^\W\d]+\s)?)?"
    return re.compile(rf"\W*{before}(?:(?:{_either(row['phrases'])})(?!\w).*{alone})", re.I | re.S)


def _phrases(phrases: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_either(phrases)})\b", re.I)


def _either(phrases: str) -> str:
    return "|".join(re.escape(" ".join(phrase.split())) for phrase in phrases.split(";"))
