"""What is not content, by the rows of ``removals.toml``: found once for the page, applied to whatever wins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from duramen.dom import SelectorSyntaxError, Tree
from duramen.model import Removal
from duramen.tables import removals

_NEVER = frozenset({"html", "body", "main", "article", "h1"})
"""Elements that no name may remove: themes put words such as "sidebar" on them."""
_MOST = 0.5
"""A row may not remove what holds more than this share of the page's text."""
_GLYPH = 4
"""A permalink longer than this is the heading itself."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A node that a row would remove."""

    node: int
    rule_id: str
    reason: str
    sure: bool
    rescued: bool = False


def mark_removals(tree: Tree) -> tuple[Mark, ...]:
    """Topmost nodes that a removal row matches, in document order, with those put back for holding most of the text."""
    table = removals()
    selected = _selected(tree)
    marks: list[Mark] = []
    limit = _MOST * max(1, tree.chars[-1])
    skip_to = 0
    for i, tag in enumerate(tree.tag):
        if not tag or i < skip_to or i <= tree.body:
            continue
        row = table.by_tag.get(tag)
        attrs = tree.attrs[i]
        if attrs:
            role = attrs.get("role")
            row = row or (table.by_role.get(str(role).lower()) if role else None)
            if tag not in _NEVER and (tree.cls[i] or tree.ident[i]):
                named = table.by_names(f"{tree.cls[i]} {tree.ident[i]}")
                # A sure name says more than a tag or a role.
                row = named if named is not None and (row is None or named.sure) else row
        if row is None and i in selected:
            row = table.rows[selected[i]]
        if row is None or (row.scope == "glyph" and len(tree.text_in(i)) > _GLYPH):
            continue
        if tree.chars_in(i) > limit:
            marks.append(Mark(i, row.id, row.reason, row.sure, rescued=True))
            continue
        marks.append(Mark(i, row.id, row.reason, row.sure))
        skip_to = tree.end[i]
    return tuple(marks)


def _selected(tree: Tree) -> dict[int, str]:
    found: dict[int, str] = {}
    for row in removals().rows.values():
        if row.selector:
            for node in _select(tree, row.selector):
                found.setdefault(node, row.id)
    return found


def _select(tree: Tree, selector: str) -> list[int]:
    try:
        return tree.select(selector)
    except SelectorSyntaxError:
        return []


def selected_nodes(tree: Tree, selectors: Iterable[str]) -> set[int]:
    """All elements that any of a rule's selectors match."""
    return {node for selector in selectors for node in _select(tree, selector)}


def removal_of(tree: Tree, mark: Mark, step: str) -> Removal:
    """A mark as a line of the trace."""
    place, words = tree.path(mark.node), tree.text_in(mark.node)[:80]
    return Removal(step, mark.rule_id, mark.reason, place, words, mark.rescued, mark.node)
