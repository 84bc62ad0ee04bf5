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
        self.names = lru_cache(maxsize=20_000)(self._names)

    def _names(self, classes: str) -> frozenset[str]:
        """The rows that a value of ``class`` or ``id`` names."""
        found: set[str] = set()
        for parts in split_names(classes):
            given = frozenset(parts)
            found.update(
                name
                for name, words in self._words.items()
                if not words.isdisjoint(given) and self.without[name].isdisjoint(given)
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
    def available(self) -> re.Pattern[str]:
        return _phrases(self._tables["available"]["phrases"])

    @cached_property
    def unavailable(self) -> re.Pattern[str]:
        return _phrases(self._tables["unavailable"]["phrases"])


def _phrases(phrases: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_either(phrases)})\b", re.I)


def _either(phrases: str) -> str:
    return "|".join(re.escape(" ".join(phrase.split())) for phrase in phrases.split(";"))
