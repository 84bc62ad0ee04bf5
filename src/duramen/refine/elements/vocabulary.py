"""The words that the hard elements go by: the rows of ``elements.toml``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from duramen.errors import RuleError
from duramen.lazy_pattern import lazy_pattern
from duramen.tables import load


@cache
def _rows() -> Mapping[str, Mapping[str, Any]]:
    return {row["id"]: row for row in load("elements.toml")["row"]}


def ordered(row_id: str) -> tuple[str, ...]:
    """The words or phrases of a row, in its order."""
    row = _rows().get(row_id)
    if row is None:
        raise RuleError(f"elements.toml: there is no row {row_id!r}")
    if "phrases" in row:
        return tuple(" ".join(phrase.split()) for phrase in row["phrases"].split(";"))
    return tuple(row["words"].split())


def words(row_id: str) -> frozenset[str]:
    """The words or phrases of a row."""
    return frozenset(ordered(row_id))


def pairs(row_id: str) -> tuple[tuple[str, str], ...]:
    """What is left and right of the arrow in each line of a row."""
    lines = _rows()[row_id]["pairs"].strip().split("\n")
    return tuple((left, right) for left, _, right in (line.partition(" -> ") for line in lines))


def pattern(row_id: str, flags: int = 0) -> re.Pattern[str]:
    """The regular expressions of a row as one: any of them."""
    return lazy_pattern("|".join(f"(?:{part})" for part in ordered(row_id)), flags)


def any_of(row_id: str) -> str:
    """The words of a row as a part of a regular expression; the words are regular expressions themselves."""
    return f"(?:{'|'.join(ordered(row_id))})"
