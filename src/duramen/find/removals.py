"""What is not content, by the rows of ``removals.toml``: found once for the page, applied to whatever wins."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from duramen.lazy_pattern import lazy_pattern
from duramen.model import Removal
from duramen.selectors import SelectorSyntaxError
from duramen.tables import Hosts, Removals, removals, row_words
from duramen.tree import Tree

_NEVER = frozenset({"html", "body", "main", "article", "h1"})
"""Elements that no name may remove: themes put words such as "sidebar" on them."""
_MOST = 0.5
"""A row may not remove what holds more than this share of the page's text."""
_GLYPH = 4
"""A permalink longer than this is the heading itself."""


class Mark(NamedTuple):
    """A node that a row would remove."""

    node: int
    rule_id: str
    reason: str
    sure: bool
    firm: bool = False
    rescued: bool = False


FILTERED = "filter-list"
"""The rule id of what a filter list hides."""


def mark_removals(tree: Tree, hidden: Mapping[int, str] = MappingProxyType({})) -> tuple[Mark, ...]:
    """Topmost nodes that a removal row matches, in document order, with those put back for holding most of the text.

    ``hidden`` are the nodes that filter lists name, each with its reason.
    """
    table = removals()
    limit = _MOST * max(1, tree.chars[-1])
    forms, others = _by_size_or_source(tree, table)
    seen = forms, _by_role(tree, table), others | _by_attribute(tree, table), dict.fromkeys(hidden, 0)
    found = tree.core.removable(table.compiled, _NEVER, seen, limit, _GLYPH)
    listed = table.listed
    marks: list[Mark] = []
    for i, number, rescued in found:
        if number < len(listed):
            row = listed[number]
            marks.append(Mark(i, row.id, row.reason, row.sure, row.firm, rescued))
        else:
            marks.append(Mark(i, FILTERED, hidden[i], True, True, rescued))
    return tuple(marks)


def _by_role(tree: Tree, table: Removals) -> dict[int, int]:
    """The elements whose role a row names."""
    roles = ((i, table.by_role.get(value.lower())) for i, value in tree.valued("role"))
    return {i: table.numbers[row.id] for i, row in roles if row is not None}


def _by_attribute(tree: Tree, table: Removals) -> dict[int, int]:
    """The elements with an attribute that a row names, of several attributes the first that the rows name."""
    found: dict[int, int] = {}
    for name, rows in table.by_attribute.items():
        for i, value in tree.valued(name):
            if row := rows.get(value) or rows.get(""):
                found.setdefault(i, table.numbers[row.id])
    return found


def _by_size_or_source(tree: Tree, table: Removals) -> tuple[dict[int, int], dict[int, int]]:
    """The elements that ask for an address, and those that a row names for what they load or for their size."""
    forms: dict[int, int] = {}
    seen: dict[int, int] = {}
    for number, row in table.by_size_or_source:
        if row.hosts is not None:
            for i in _loaders(tree, row.hosts):
                seen.setdefault(i, number)
        if row.sizes:
            for i in _boxes(tree, row.sizes):
                seen.setdefault(i, number)
        if row.fields:
            forms |= dict.fromkeys(_forms(tree, row.fields), number)
    return forms, seen


_LITTLE = 15
"""A wrapper with more words than this holds more than an advertisement and its label."""
_WRAPPERS = frozenset({"div", "section", "center", "span", "p", "li", "figure", "ins"})
_BOXES = frozenset({"iframe", "div", "ins"})
_PLAYERS = lazy_pattern("|".join(row_words("finding.toml", "player")), re.I)
_MEDIA = frozenset({"img", "picture", "video", "audio", "iframe", "table", "svg", "canvas", "form", "object", "embed"})
_PIXELS = lazy_pattern(r"(?<![\w-])(width|height)\s*:\s*(\d+)px", re.I)


def _loaders(tree: Tree, hosts: Hosts) -> Iterator[int]:
    """Frames that load from these hosts, and the nearest wrappers of their scripts that hold little else."""
    seen: set[int] = set()
    sources = *tree.stated("script", ("src",)), *tree.stated("iframe", ("src",))
    for i, source in sources:
        if not hosts.are_in(source[:200]):
            continue
        is_frame, above = tree.tag[i] == "iframe", tree.parent[i]
        if is_frame:
            yield i
        if above > tree.body and tree.tag[above] in _WRAPPERS and tree.words_in(above) <= _LITTLE:
            if not is_frame:
                if above in seen:
                    continue
                seen.add(above)
                if not _MEDIA.isdisjoint(tree.tag[above + 1 : tree.end[above]]):
                    continue
            yield above


def _boxes(tree: Tree, sizes: frozenset[tuple[str, str]]) -> Iterator[int]:
    """Frames of these sizes that are no players, and boxes of these sizes with nothing to see in them."""
    boxes = {i for i, style in tree.valued("style") if "height" in style and tree.tag[i] in _BOXES}
    boxes.update(i for i, _ in tree.stated("iframe", ("width",)))
    for i in boxes:
        attrs = tree.attrs[i]
        style = dict(_PIXELS.findall(attrs.get("style", "")))
        size = (attrs.get("width") or style.get("width"), attrs.get("height") or style.get("height"))
        if size not in sizes:
            continue
        if tree.tag[i] == "iframe":
            if not _PLAYERS.search(f"{attrs.get('src', '')} {attrs.get('data-src', '')}"):
                yield i
        elif tree.words_in(i) <= _LITTLE and _MEDIA.isdisjoint(tree.tag[i + 1 : tree.end[i]]):
            yield i


_INVITATION = 60
"""Words up to which a box with a field in it is an invitation; with more it may be content."""
_PARTS = 300
_STEPS = 8
"""Bounds of the search: nodes of a box, and boxes around a field."""
_ASKING = frozenset({"textarea", "select", "table", "h1", "article", "main"})
"""Elements that a box which only asks for an address does not hold."""


def _forms(tree: Tree, types: frozenset[str]) -> Iterator[int]:
    """The largest small box around each field of these types that holds one field, a button and few words."""
    done = 0
    for i, kind in tree.stated("input", ("type",)):
        if i < done or kind.lower() not in types:
            continue
        box = -1
        above = tree.parent[i]
        for _ in range(_STEPS):
            is_small = tree.end[above] - above <= _PARTS and tree.words_in(above) <= _INVITATION
            if above <= tree.body or not is_small or not _ASKING.isdisjoint(tree.tag[above : tree.end[above]]):
                break
            box = above
            above = tree.parent[above]
        if box > 0:
            done = tree.end[box]
            yield box


def selected_nodes(tree: Tree, selectors: Collection[str]) -> set[int]:
    """All elements that any of a rule's selectors match."""
    if len(selectors) > 1:
        try:
            return set(tree.select(", ".join(selectors)))
        except SelectorSyntaxError:
            pass  # One of them is faulty; the others count.
    return {node for selector in selectors for node in tree.selected(selector)}


def removal_of(tree: Tree, mark: Mark, step: str) -> Removal:
    """A mark as a line of the trace."""
    place, words = tree.path(mark.node), tree.lead(mark.node, 80)
    return Removal(step, mark.rule_id, mark.reason, place, words, mark.rescued, mark.node)
