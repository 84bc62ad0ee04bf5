"""What a site rule says about a page's title, authors and date: it goes before all that the page says itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from duramen.model import Metadata, SiteRule
from duramen.read.dates import parse_date
from duramen.read.names import names_in
from duramen.selectors import SelectorSyntaxError
from duramen.tree import Tree

MAX_CHARS = 500
LONGEST_TITLE = 300
"""A longer text is that of the title's container."""


def by_rule(tree: Tree, rule: SiteRule, metadata: Metadata) -> Metadata:
    """The metadata with what the rule's selectors find."""
    found: dict[str, Any] = {}
    for name, selectors in rule.metadata.items():
        for value in (value for selector in selectors for value in _values(tree, selector)):
            if name == "title":
                if len(value) <= LONGEST_TITLE:
                    found.setdefault("title", value)
            elif name == "author":
                found["authors"] = tuple(dict.fromkeys((*found.get("authors", ()), *names_in(value))))
            elif date := parse_date(value):
                found.setdefault("published", date)
    found = {name: value for name, value in found.items() if value}
    sources = {**metadata.sources, **dict.fromkeys(found, f"site rule:{rule.id}")}
    return replace(metadata, **found, sources=sources)


def _values(tree: Tree, selector: str) -> Iterator[str]:
    """What elements say: a machine-readable attribute where they have one, else their text."""
    try:
        nodes = tree.select(selector)
    except SelectorSyntaxError:
        return
    for i in nodes[:20]:
        value = tree.attr(i, "content") or tree.attr(i, "datetime") or tree.text_in(i)
        value = " ".join(value.split())[:MAX_CHARS]
        if value:
            yield value
