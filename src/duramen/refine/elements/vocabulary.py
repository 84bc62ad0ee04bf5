"""The words that the hard elements go by: the rows of ``elements.toml``."""

from __future__ import annotations

import re

from duramen.lazy_pattern import lazy_pattern
from duramen.tables import row_words, rows_by_id


def ordered(row_id: str) -> tuple[str, ...]:
    """The words or phrases of a row, in its order."""
    return row_words("elements.toml", row_id)


def words(row_id: str) -> frozenset[str]:
    """The words or phrases of a row."""
    return frozenset(ordered(row_id))


def pairs(row_id: str) -> tuple[tuple[str, str], ...]:
    """What is left and right of the arrow in each line of a row."""
    lines = rows_by_id("elements.toml")[row_id]["pairs"].strip().split("\n")
    return tuple((left, right) for left, _, right in (line.partition(" -> ") for line in lines))


def pattern(row_id: str, flags: int = 0) -> re.Pattern[str]:
    """The regular expressions of a row as one: any of them."""
    return lazy_pattern("|".join(f"(?:{part})" for part in ordered(row_id)), flags)


def any_of(row_id: str) -> str:
    """The words of a row as a part of a regular expression; the words are regular expressions themselves."""
    return f"(?:{'|'.join(ordered(row_id))})"
