"""Writes measured figures into tables between two comments in README and documentation.

    <!-- begin overview -->
    <!-- end overview -->

``scripts/docs write`` writes them from benchmarks/comparison.json (``python -m benchmarks.compare``), and a test fails
if a page differs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from benchmarks.compare import KINDS, MEASURED

Measured = Mapping[str, Any]
_MARKS = re.compile(r"(<!-- begin ([\w-]+) -->\n).*?(<!-- end \2 -->)", re.S)
_NAMES = {"duramen": "Duramen"}
_TEXT_ONLY = "duramen, text only"


def _systems(measured: Measured) -> list[Mapping[str, Any]]:
    """The measured systems, Duramen first, then by quality."""
    rows = [row for row in measured["rows"] if "corpora" in row and row["name"] != _TEXT_ONLY]
    return sorted(rows, key=lambda row: (row["name"] != "duramen", -row["corpora"]["wcxb-dev"]["F1"]))


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


_FOREMOST = ("duramen", "trafilatura", "Resiliparse", "readability-lxml")


def foremost(measured: Measured) -> str:
    """The best-known extractors."""
    return peers(measured, _FOREMOST)


def peers(measured: Measured, names: Collection[str] | None = None) -> str:
    """Quality by corpus and page type, and cost: a column for each extractor, the best of a row in bold."""
    systems = [row for row in _systems(measured) if names is None or row["name"] in names]

    def line(
        label: str, value: Callable[[Mapping[str, Any]], float], form: str, best: Callable[..., float]
    ) -> list[str]:
        values = [value(row) for row in systems]
        top = format(best(values), form)
        return [label, *(f"**{said}**" if said == top else said for said in (format(v, form) for v in values))]

    heads = ["", *(f"{_NAMES.get(row['name'], row['name'])} {row['version']}" for row in systems)]
    rows = [
        line("WCXB development split, word F1", lambda row: row["corpora"]["wcxb-dev"]["F1"], ".3f", max),
        *(
            line(f"… {kind}", lambda row, kind=kind: row["corpora"]["wcxb-dev"]["kinds"][kind], ".3f", max)  # type: ignore[misc]
            for kind in KINDS
        ),
        line("news and blogs, snippet F1", lambda row: row["corpora"]["snippets-dev"]["snippetF1"], ".3f", max),
        line("reader-view pages, word F1", lambda row: row["corpora"]["reader-dev"]["F1"], ".3f", max),
        line("CPU milliseconds a WCXB page", lambda row: row["corpora"]["wcxb-dev"]["ms"], ".1f", min),
        line("peak memory, MB", lambda row: row["memory"] / 1e6, ".0f", min),
    ]
    return _table(heads, rows)


Column = tuple[str, Callable[[Mapping[str, Any]], float], str, Callable[..., float]]
"""A heading, the figure of an extractor, how it is written, and which is the best."""


def _by_extractor(measured: Measured, columns: list[Column]) -> str:
    """A row for each extractor, the best of a column in bold: as many rows as there are, and few columns."""
    systems = _systems(measured)
    best = [format(choose([value(row) for row in systems]), form) for _, value, form, choose in columns]
    rows = [
        [
            f"{_NAMES.get(row['name'], row['name'])} {row['version']}",
            *(
                f"**{said}**" if (said := format(value(row), form)) == top else said
                for (_, value, form, _), top in zip(columns, best, strict=True)
            ),
        ]
        for row in systems
    ]
    return _table(["", *(head for head, *_ in columns)], rows)


def overview(measured: Measured) -> str:
    """Quality by corpus, and cost, of every extractor."""
    return _by_extractor(
        measured,
        [
            ("WCXB, word F1", lambda row: row["corpora"]["wcxb-dev"]["F1"], ".3f", max),
            ("news, snippet F1", lambda row: row["corpora"]["snippets-dev"]["snippetF1"], ".3f", max),
            ("reader view, word F1", lambda row: row["corpora"]["reader-dev"]["F1"], ".3f", max),
            ("CPU ms a page", lambda row: row["corpora"]["wcxb-dev"]["ms"], ".1f", min),
            ("memory, MB", lambda row: row["memory"] / 1e6, ".0f", min),
        ],
    )


_SHORT = {"documentation": "docs", "collection": "collect."}


def types(measured: Measured) -> str:
    """Word F1 by page type, of every extractor."""

    def column(kind: str) -> Column:
        return _SHORT.get(kind, kind), lambda row: row["corpora"]["wcxb-dev"]["kinds"][kind], ".3f", max

    return _by_extractor(measured, [column(kind) for kind in KINDS])


TABLES: dict[str, Callable[[Measured], str]] = {"foremost": foremost, "overview": overview, "types": types}


def written_into(text: str, measured: Measured | None = None) -> str:
    """A page with every table between its marks updated."""

    def replaced(found: re.Match[str]) -> str:
        if found[2] not in TABLES:
            raise ValueError(f"unknown table {found[2]!r}; available: {', '.join(TABLES)}")
        data = measured or json.loads(MEASURED.read_text(encoding="utf-8"))
        return f"{found[1]}{TABLES[found[2]](data)}{found[3]}"

    return _MARKS.sub(replaced, text)
