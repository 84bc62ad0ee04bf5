"""What is not content, by the rows of ``removals.toml``: found once for the page, applied to whatever wins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from duramen.dom import SelectorSyntaxError, Tree
from duramen.model import Removal
from duramen.tables import Removal as Row
from duramen.tables import Removals, removals

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


FILTERED = "filter-list"
"""The rule id of what a filter list hides."""


def mark_removals(tree: Tree, hidden: Mapping[int, str] = MappingProxyType({})) -> tuple[Mark, ...]:
    """Topmost nodes that a removal row matches, in document order, with those put back for holding most of the text.

    ``hidden`` are the nodes that filter lists name, each with its reason.
    """
    found = _rows_of(tree)
    marks: list[Mark] = []
    limit = _MOST * max(1, tree.chars[-1])
    skip_to = tree.body + 1
    for i in sorted(found.keys() | hidden.keys()):
        if i < skip_to:
            continue
        row = found.get(i)
        if i in hidden and tree.tag[i] not in _NEVER and (row is None or not row.sure):
            mark = Mark(i, FILTERED, hidden[i], True)
        elif row is None or (row.scope == "glyph" and len(tree.text_in(i)) > _GLYPH):
            continue
        else:
            mark = Mark(i, row.id, row.reason, row.sure)
        if tree.chars_in(i) > limit:
            marks.append(replace(mark, rescued=True))
            continue
        marks.append(mark)
        skip_to = tree.end[i]
    return tuple(marks)


def _rows_of(tree: Tree) -> dict[int, Row]:
    """The row that each element falls under, by its tag, role, names or a selector."""
    table = removals()
    found = {i: table.by_tag[tag] for i, tag in enumerate(tree.tag) if tag in table.by_tag}
    for i, role in tree.valued("role"):
        if role.lower() in table.by_role:
            found.setdefault(i, table.by_role[role.lower()])
    for i, row in _named(tree, table):
        # A sure name says more than a tag or a role.
        if tree.tag[i] not in _NEVER and (row.sure or i not in found):
            found[i] = row
    for i, rule_id in _selected(tree).items():
        found.setdefault(i, table.rows[rule_id])
    return found


def _named(tree: Tree, table: Removals) -> Iterator[tuple[int, Row]]:
    if tree.core is not None:
        rows = list(table.rows.values())
        for i, number in tree.core.matching_names(*table.lookups, table.longest):
            yield i, rows[number]
        return
    for i, names in enumerate(zip(tree.cls, tree.ident, strict=True)):
        if names != ("", ""):
            row = table.by_names(" ".join(names))
            if row is not None:
                yield i, row


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
    return Removal(step, mark.rule_id, mark.reason, tree.path(mark.node), tree.text_in(mark.node)[:80], mark.rescued)
