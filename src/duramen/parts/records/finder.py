"""Which records a page has, by its type."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from duramen.framework_rows import rows
from duramen.model import PageType
from duramen.options import Output
from duramen.page import Page
from duramen.parts.records.agreement import checked
from duramen.parts.records.body import Bodies
from duramen.parts.records.fields import Fields
from duramen.parts.records.items import items_of
from duramen.parts.records.products import products_of
from duramen.parts.records.questions import questions_of
from duramen.parts.records.steps import steps_of
from duramen.parts.records.threads import comments_of, posts_of
from duramen.parts.records.values import Record

__all__ = ["find_records"]


def find_records(page: Page, kept: Collection[int], kind: PageType, output: Output) -> tuple[Record, ...]:
    """The records of a page of this type, of which these blocks are content."""
    fields, bodies = Fields(page), Bodies(page, kept, output)
    if page.framework:
        for selector in rows()[page.framework.id].remove:
            bodies.gone.update(page.tree.select(selector))
        if rows()[page.framework.id].kind == "forum":
            # What the software is for is surer than the type that was judged.
            kind = "forum"
    records: list[Record] = []
    if kind == "forum":
        records += posts_of(page, fields, bodies)
    elif kind in ("listing", "collection"):
        records += items_of(page, fields, bodies)
    elif kind == "product":
        records += products_of(page, fields, bodies)
    if kind != "forum":
        records += questions_of(page, fields, bodies)
    if kind in ("article", "documentation"):
        records += steps_of(page, fields, bodies)
        records += comments_of(page, fields, bodies)
    records = checked(records, page.structured.json_ld)
    return tuple(replace(record, position=position) for position, record in enumerate(records))
