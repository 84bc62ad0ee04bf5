"""The page's elements that contain blocks, as rows of a tree: a chain of only children is one row."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import Any

from duramen.page import Page

_LONGEST_LABEL = 90


def structure(page: Page, kept: Sequence[bool], chosen: Collection[int]) -> list[dict[str, Any]]:
    """Rows in document order, each with its depth. A row is an element (with the range of its blocks) or a block.

    ``kept`` has a flag for each shown block; ``chosen`` are the nodes of the winning candidate.
    """
    tree, owner = page.tree, page.blocks.owner
    most = len(kept)
    total = list(accumulate(kept, initial=0))
    rows: list[dict[str, Any]] = []
    # Open elements, as (end, row, first block, block after the last).
    stack: list[tuple[int, dict[str, Any], int, int]] = []
    b = 0
    for i, tag in enumerate(tree.tag):
        while stack and stack[-1][0] <= i:
            stack.pop()
        if not tag:
            if b < most and page.blocks.first[b] == i:
                rows.append({"depth": len(stack), "block": b})
                b += 1
            continue
        start, stop = page.range_of(i)
        stop = min(stop, most)
        is_own = stop - start == 1 and owner[start] == i
        # A link in a list item, and other elements inside a block, are part of the block's row.
        is_within = all(owner[k] < i for k in range(start, stop))
        if start >= stop or (i not in chosen and (is_own or is_within)):
            continue
        name = _name(page, i)
        if stack and stack[-1][2:] == (start, stop) and i not in chosen and not stack[-1][1]["chosen"]:
            row = stack[-1][1]
            if len(row["label"]) < _LONGEST_LABEL:
                row["label"] += f" › {name}"
            stack[-1] = (min(stack[-1][0], tree.end[i]), row, start, stop)
            continue
        inside = total[stop] - total[start]
        state = "dropped" if not inside else "kept" if inside == stop - start else "mixed"
        row = {"depth": len(stack), "label": name, "state": state, "blocks": (start, stop), "chosen": i in chosen}
        rows.append(row)
        stack.append((tree.end[i], row, start, stop))
    return rows


def _name(page: Page, i: int) -> str:
    """An element as a CSS selector: its id, or else its first class."""
    tree = page.tree
    if tree.ident[i]:
        return f"{tree.tag[i]}#{tree.ident[i][:40]}"
    first = tree.cls[i].partition(" ")[0][:40]
    return f"{tree.tag[i]}.{first}" if first else tree.tag[i]
