"""The ingredients and the steps of a recipe."""

from __future__ import annotations

from collections.abc import Sequence

from duramen.page import Page
from duramen.parts.records.body import Bodies
from duramen.parts.records.fields import HEADINGS, Fields, Region
from duramen.parts.records.values import Ingredient, Record, Step

__all__ = ["steps_of"]

_SHAPE, _MARKED = 0.7, 0.85
_LONGEST_LABEL = 40
_SHORTEST_STEP = 20
_MOST_LINES = 100
_PART = "h3"
"""The highest heading that may be of a part of a list whose own label is no heading."""
_ITEMS = frozenset({"li"})
_PARAGRAPHS = frozenset({"p"})


def steps_of(page: Page, fields: Fields, bodies: Bodies) -> list[Record]:
    """The ingredients and steps of a page that has both; else nothing."""
    ingredients, listed = _lines(page, fields, "ingredients")
    steps, marked = _lines(page, fields, "steps")
    if not ingredients:
        ingredients = _labelled(page, fields, "ingredients", "steps")
    if not steps:
        steps = _labelled(page, fields, "steps", "ingredients")
    steps = [i for i in steps if i not in set(ingredients)]
    if not ingredients or not steps:
        return []
    made: list[Record] = []
    for i in ingredients:
        html = _html(page, bodies, i)
        if html:
            sources = {"html": "microdata" if listed else "page"}
            confidence = _MARKED if listed else _SHAPE
            made.append(Ingredient(html=html, position=len(made), confidence=confidence, sources=sources))
    number = 0
    for i in steps:
        html = _html(page, bodies, i)
        if html:
            number += 1
            sources = {"html": "microdata" if marked else "page"}
            confidence = _MARKED if marked else _SHAPE
            made.append(Step(html=html, position=len(made), confidence=confidence, sources=sources, number=number))
    return made


def _html(page: Page, bodies: Bodies, i: int) -> str:
    return bodies.written(range(*page.range_of(i))).strip()


def _lines(page: Page, fields: Fields, row: str) -> tuple[list[int], bool]:
    """The elements that are a line of a list each, and whether microdata names them."""
    tree = page.tree
    whole = Region(tree.body, tree.end[tree.body])
    marked = sorted(i for i in fields.marked(row, whole) if tree.chars_in(i))
    for holders, is_marked in ((marked, True), (list(fields.named(row, whole)), False)):
        lines = _inside(page, holders, _ITEMS)
        if len(lines) > 1:
            return lines, is_marked
        if is_marked and len(holders) > 1:
            return holders, True
        lines = _inside(page, holders, _PARAGRAPHS)
        if len(lines) > 1:
            return lines, is_marked
    return [], False


def _labelled(page: Page, fields: Fields, row: str, other: str) -> list[int]:
    """The lines below a block that is a label of this row: items of a list, else paragraphs, up to what is none."""
    tree, blocks = page.tree, page.blocks
    label, end = fields.rows.labels[row], fields.rows.labels[other]
    for b, text in enumerate(blocks.text):
        if len(text) > _LONGEST_LABEL or not label.fullmatch(text):
            continue
        items: list[int] = []
        paragraphs: list[int] = []
        for below in range(b + 1, min(b + 1 + _MOST_LINES, len(blocks))):
            owner = blocks.owner[below]
            item = next((i for i in (owner, *tree.ancestors(owner)) if tree.tag[i] in _ITEMS), None)
            line = blocks.text[below]
            is_heading = tree.tag[owner] in HEADINGS
            if end.fullmatch(line) or (is_heading and (items or paragraphs) and not _is_part(page, b, below)):
                break
            if item is not None and item not in items:
                items.append(item)
            elif item is None and items and not is_heading:
                break
            elif item is None and not is_heading and len(line) >= _SHORTEST_STEP:
                paragraphs.append(owner)
        if len(found := items or paragraphs) > 1:
            return found
    return []


def _is_part(page: Page, label: int, heading: int) -> bool:
    """Whether a heading is of a part of the lines, such as what a dough needs: it is lower, and heads a list."""
    tree, owner = page.tree, page.blocks.owner
    above, tag = tree.tag[owner[label]], tree.tag[owner[heading]]
    is_lower = tag > above if above in HEADINGS else tag >= _PART
    return is_lower and heading + 1 < len(owner) and tree.tag[owner[heading + 1]] in _ITEMS


def _inside(page: Page, holders: Sequence[int], tags: frozenset[str]) -> list[int]:
    """The elements of some tags in the holders, or that are holders: none inside another."""
    tree = page.tree
    found: list[int] = []
    every = tree.tagged(tags)
    ranges = [(i, tree.end[i]) for i in holders]
    for i in every:
        if any(start <= i < stop for start, stop in ranges) and (not found or i >= tree.end[found[-1]]):
            found.append(i)
    return [i for i in found if tree.chars_in(i) > 2]
