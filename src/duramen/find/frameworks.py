"""The framework tier: known generators, recognised by evidence, with selectors that are exact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from duramen.model import Candidate, Framework
from duramen.page import Page
from duramen.tables import load
from duramen.tree import Tree

_ENOUGH = 1.0
"""Evidence must add up to this much; single class names weigh less."""


@dataclass(frozen=True, slots=True)
class Row:
    id: str
    name: str
    kind: str
    evidence: Mapping[str, float]
    content: tuple[str, ...]
    remove: tuple[str, ...]
    keep: tuple[str, ...]


@cache
def rows() -> Mapping[str, Row]:
    """The rows of ``frameworks.toml`` by id."""

    def row(raw: Mapping[str, Any]) -> Row:
        lists = (tuple(raw.get(key, ())) for key in ("content", "remove", "keep"))
        return Row(raw["id"], raw["name"], raw["kind"], raw["evidence"], *lists)

    return {raw["id"]: row(raw) for raw in load("frameworks.toml")["framework"]}


@cache
def _marks() -> Mapping[str, tuple[tuple[str, float], ...]]:
    """Which evidence speaks for which frameworks."""
    table: dict[str, list[tuple[str, float]]] = {}
    for row in rows().values():
        for mark, weight in row.evidence.items():
            table.setdefault(mark, []).append((row.id, weight))
    return {mark: tuple(found) for mark, found in table.items()}


def detect_framework(tree: Tree, generators: tuple[str, ...]) -> Framework | None:
    """The framework with the most evidence, if there is enough."""
    marks = _marks()
    found: dict[str, dict[str, float]] = {}

    def note(mark: str) -> None:
        for framework, weight in marks[mark]:
            found.setdefault(framework, {})[mark] = weight

    for mark in marks:
        if mark.startswith("generator:") and any(g.lower().startswith(mark[10:]) for g in generators):
            note(mark)
    for word in {word for names in set(tree.cls) for word in names.split()}:
        if f"class:{word}" in marks:
            note(f"class:{word}")
    for ident in tree.ident:
        if ident and f"id:{ident}" in marks:
            note(f"id:{ident}")
    if not found:
        return None
    best = max(found, key=lambda f: (sum(found[f].values()), f))
    weight = sum(found[best].values())
    if weight < _ENOUGH:
        return None
    return Framework(best, rows()[best].name, min(1.0, weight / 2), tuple(sorted(found[best])))


def find_framework(page: Page) -> Iterator[Candidate]:
    """The first content selector of the recognised framework that finds text."""
    if page.framework is None:
        return
    row = rows()[page.framework.id]
    for selector in row.content:
        nodes = [i for i in page.tree.select(selector) if page.tree.chars_in(i)]
        if nodes:
            evidence = f"{row.name} by {', '.join(page.framework.evidence)}; {selector}"
            yield Candidate(
                "framework", f"framework-{row.id}", evidence, (nodes[0],), confidence=page.framework.confidence
            )
            return
