"""The elements around a block, each with selectors that find it: what a site rule can name there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from duramen.find.remembered import own_names, stable_selector
from duramen.page import Page
from duramen.tree import Tree

_MOST_INSIDE = 8
_MOST_WIDER = 3
_SHOWN = 60


def elements_of(page: Page, block: int) -> list[dict[str, Any]]:
    """The elements inside a block, the one that shows it, and its ancestors, from the inside out.

    Each has its ``label``, the beginning of its text, its ``role`` (``inside``, ``own`` or ``around``), whether it
    shows other blocks, too (``more``), and its ``selectors``, each with the number of elements and the ranges of blocks
    that it finds.
    """
    tree, blocks = page.tree, page.blocks
    if not 0 <= block < len(blocks):
        return []
    owner = blocks.owner[block]
    inside = [i for i in range(blocks.first[block], blocks.last[block] + 1) if tree.tag[i] and tree.chars_in(i)]
    # An inline element may begin before the block's first text.
    inside += [i for i in tree.ancestors(blocks.first[block]) if i > owner and i not in inside]
    found = [(i, "inside") for i in sorted(inside)[:_MOST_INSIDE]]
    found += [(owner, "own")] if tree.tag[owner] not in ("body", "html") else []
    found += [(i, "around") for i in tree.ancestors(owner) if tree.tag[i] not in ("body", "html")]
    return [
        {
            "label": _label(tree, i),
            "text": tree.text_in(i)[:_SHOWN],
            "role": role,
            "more": len(range(*page.range_of(i))) > 1,
            "selectors": selectors,
        }
        for i, role in found
        if (selectors := list(_selectors(page, i)))
    ]


def _label(tree: Tree, i: int) -> str:
    names = [f"#{tree.ident[i]}"] if tree.ident[i] else []
    return "".join([tree.tag[i], *names, *(f".{word}" for word in tree.cls[i].split()[:3])])[:_SHOWN]


def _selectors(page: Page, i: int) -> Iterator[dict[str, Any]]:
    """The selector that finds this element alone, then wider ones; without stable names, one that may not last."""
    tree = page.tree
    alone = stable_selector(tree, i)
    names = [alone] if alone else []
    wider = [name for name in own_names(tree, i) if name not in names and len(tree.select(name)) > 1]
    names += wider[:_MOST_WIDER]
    is_stable = bool(names)
    for name in names or _unstable(tree, i):
        nodes = tree.select(name)
        if i in nodes:
            ranges = [page.range_of(node) for node in nodes[:100]]
            blocks = [(start, stop) for start, stop in ranges if start < stop]
            yield {"selector": name, "count": len(nodes), "blocks": blocks, "stable": is_stable}


def _unstable(tree: Tree, i: int) -> Iterator[str]:
    """A class or id that a next build of the site may change; or the path from the nearest named ancestor."""
    tag = tree.tag[i]
    for mark, name in ((".", word) for word in tree.cls[i].split()[:1]):
        if re.fullmatch(r"[A-Za-z_][\w-]*", name):
            yield f"{tag}{mark}{name}"
            return
    plain, exact = tag, _by_place(tree, i)
    for ancestor in tree.ancestors(i):
        selector = "body" if tree.tag[ancestor] == "body" else stable_selector(tree, ancestor)
        if selector:
            plain, exact = f"{selector} > {plain}", f"{selector} > {exact}"
            yield from dict.fromkeys([plain] if tree.selected(plain) == [i] else [exact, plain])
            return
        plain, exact = f"{tree.tag[ancestor]} > {plain}", f"{_by_place(tree, ancestor)} > {exact}"
    yield tag


def _by_place(tree: Tree, i: int) -> str:
    """The element's tag, with its place if its parent has several of them."""
    alike = [child for child in tree.children(tree.parent[i]) if tree.tag[child] == tree.tag[i]]
    return tree.tag[i] if len(alike) < 2 else f"{tree.tag[i]}:nth-of-type({alike.index(i) + 1})"
