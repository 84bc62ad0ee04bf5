"""What is not content, by the rows of ``removals.toml``: found once for the page, applied to whatever wins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

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


FILTERED = "filter-list"
"""The rule id of what a filter list hides."""


def mark_removals(tree: Tree, hidden: Mapping[int, str] = MappingProxyType({})) -> tuple[Mark, ...]:
    """Topmost nodes that a removal row matches, in document order, with those put back for holding most of the text.

    ``hidden`` are the nodes that filter lists name, each with its reason.
    """
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
        if i in hidden and tag not in _NEVER and (row is None or not row.sure):
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


def _selected(tree: Tree) -> dict[int, str]:
    """What rows find by more than an element's own names: a selector, what it loads, its size."""
    found: dict[int, str] = {}
    names = set().union(*tree.attrs)
    for row in removals().rows.values():
        nodes: list[int] = _select(tree, row.selector) if row.selector else []
        if not row.attributes.isdisjoint(names):
            nodes += [i for i, attrs in enumerate(tree.attrs) if attrs and not row.attributes.isdisjoint(attrs)]
        if row.hosts is not None:
            nodes += _loaders(tree, row.hosts)
        if row.sizes:
            nodes += _boxes(tree, row.sizes)
        for node in nodes:
            found.setdefault(node, row.id)
    return found


_LITTLE = 15
"""A wrapper with more words than this holds more than an advertisement and its label."""
_WRAPPERS = frozenset({"div", "aside", "section", "center", "span", "p", "li", "figure", "ins"})
_PLAYERS = re.compile(r"youtube|vimeo|dailymotion|player|video|maps|spotify|soundcloud", re.I)
_MEDIA = frozenset({"img", "picture", "video", "audio", "iframe", "table", "svg", "canvas", "form", "object", "embed"})
_PIXELS = re.compile(r"(?<![\w-])(width|height)\s*:\s*(\d+)px", re.I)


def _loaders(tree: Tree, hosts: re.Pattern[str]) -> Iterator[int]:
    """Frames that load from these hosts, and the nearest wrappers of their scripts that hold little else."""
    for i in _select(tree, "script[src], iframe[src]"):
        if not hosts.search(tree.attr(i, "src")):
            continue
        is_frame, above = tree.tag[i] == "iframe", tree.parent[i]
        if is_frame:
            yield i
        if above > tree.body and tree.tag[above] in _WRAPPERS and tree.words_in(above) <= _LITTLE:
            inside = tree.tag[above + 1 : tree.end[above]]
            if is_frame or _MEDIA.isdisjoint(inside):
                yield above


def _boxes(tree: Tree, sizes: frozenset[tuple[str, str]]) -> Iterator[int]:
    """Frames of these sizes that are no players, and boxes of these sizes with nothing to see in them."""
    for i in _select(tree, ":is(iframe, div, ins, aside)[style*='height'], iframe[width]"):
        style = dict(_PIXELS.findall(tree.attr(i, "style")))
        size = (tree.attr(i, "width") or style.get("width"), tree.attr(i, "height") or style.get("height"))
        if size not in sizes:
            continue
        if tree.tag[i] == "iframe":
            if not _PLAYERS.search(f"{tree.attr(i, 'src')} {tree.attr(i, 'data-src')}"):
                yield i
        elif tree.words_in(i) <= _LITTLE and _MEDIA.isdisjoint(tree.tag[i + 1 : tree.end[i]]):
            yield i


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
