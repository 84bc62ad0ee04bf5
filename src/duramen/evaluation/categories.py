"""Site categories, read from rows: which pages belong to each, what is required, and the target success rate."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

from duramen.corpus import Truth
from duramen.errors import RuleError
from duramen.tables import load

FIELDS = ("title", "content", "author", "date")
OTHER = "other"


@dataclass(frozen=True, slots=True)
class Category:
    """A row of ``site_categories.toml``."""

    id: str
    counts_as: str
    name: str
    reason: str
    asks: tuple[str, ...]
    """What has to be right for a page to count as a success."""
    target: float | None = None
    """The target share of successful pages."""
    kinds: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()
    pattern: re.Pattern[str] | None = None
    """Matched against host and path."""


@cache
def categories() -> tuple[Category, ...]:
    """All rows, in the order in which they are matched."""
    made = []
    rows = {row["id"]: row for row in load("site_categories.toml")["category"]}
    for id, row in rows.items():
        counted = rows[row.get("counts_as", id)]
        if not set(counted["asks"]) <= set(FIELDS):
            raise RuleError(f"site_categories.toml, {row['id']}: asks must be some of {', '.join(FIELDS)}")
        made.append(
            Category(
                id=id,
                counts_as=counted["id"],
                name=counted["name"],
                reason=row["reason"],
                asks=tuple(counted["asks"]),
                target=counted.get("target"),
                kinds=frozenset(row.get("kinds", ())),
                domains=frozenset(" ".join(row.get("domains", ())).split()),
                pattern=re.compile(row["pattern"]) if "pattern" in row else None,
            )
        )
    return tuple(made)


def category(id: str) -> Category:
    """The row of a category; a category defined by a corpus requires title and content."""
    rows = {row.id: row for row in categories()}
    return rows.get(id) or Category(id, id, id.replace("-", " "), "defined by the corpus", ("title", "content"))


def category_of(truth: Truth) -> str:
    """The category that the corpus defines, or that of the first row that matches.

    >>> category_of(Truth("1", "https://www.bbc.co.uk/news/x", "article"))
    'major-news'
    >>> category_of(Truth("2", "https://oaks.wordpress.com/2026/rings", "article"))
    'blog'
    """
    if truth.category:
        return truth.category
    try:
        parts = urlsplit(truth.url or "")
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return OTHER
    for row in categories():
        if row.kinds and truth.kind and truth.kind not in row.kinds:
            continue
        if _is_below(host, row.domains) or (row.pattern is not None and row.pattern.search(host + parts.path.lower())):
            return row.counts_as
        if not row.domains and row.pattern is None:
            return row.counts_as
    return OTHER


def _is_below(host: str, domains: frozenset[str]) -> bool:
    labels = host.split(".")
    return any(".".join(labels[i:]) in domains for i in range(len(labels)))
