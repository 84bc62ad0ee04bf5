"""Columns for what a page is made of: lists of objects, nested in Arrow and in JSON. The user names those to write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from duramen.errors import OptionError

Kinds = Mapping[str, str | Mapping[str, str]]

_HEADINGS = {"headings": "strings"}
PARTS: dict[str, Kinds] = {
    "records": {
        "kind": "string",
        "position": "integer",
        "confidence": "float",
        "text": "string",
        "markdown": "string",
        "author": "string",
        "published": "string",
        "depth": "integer",
        "parent": "integer",
        "score": "integer",
        "accepted": "boolean",
        "permalink": "string",
        "title": "string",
        "url": "string",
        "image": "string",
        "summary": "string",
        "price": "string",
        "currency": "string",
        "rating": "float",
        "name": "string",
        "brand": "string",
        "available": "boolean",
        "sku": "string",
        "gtin": "string",
        "specifications": {"name": "string", "value": "string"},
        "description": "string",
        "question": "string",
        "answers": "strings",
        "number": "integer",
    },
    "links": {"url": "string", "text": "string", "title": "string", "count": "integer", **_HEADINGS},
    "images": {
        "url": "string",
        "alt": "string",
        "caption": "string",
        "title": "string",
        "width": "integer",
        "height": "integer",
        **_HEADINGS,
    },
    "tables": {"rows": "lists", "header_rows": "integer", "caption": "string", **_HEADINGS},
    "chunks": {
        "id": "string",
        "text": "string",
        "start": "integer",
        "end": "integer",
        "tokens": "integer",
        "kind": "string",
        "anchors": "strings",
        **_HEADINGS,
    },
}
"""The fields of each part, with their types; a mapping is a list of objects, ``lists`` a list of lists of strings."""


def check_parts(names: tuple[str, ...]) -> None:
    if unknown := [name for name in names if name not in PARTS]:
        raise OptionError(f"parts must name some of {', '.join(PARTS)}, not {unknown[0]!r}")


def parts_of(result: Any, names: tuple[str, ...]) -> dict[str, list[dict[str, Any]]]:
    """These parts of a result, as plain data."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name in names:
        values = result.chunks() if name == "chunks" else getattr(result, name)
        found[name] = [_plain(value, PARTS[name]) for value in values]
    return found


def _plain(value: Any, kinds: Kinds) -> dict[str, Any]:
    """A part as an object with all fields of its column: records of different kinds share one."""
    own = {field.name for field in fields(value)} | ({"kind", "text", "markdown"} if "confidence" in kinds else set())
    row = {name: _listed(getattr(value, name)) if name in own else None for name in kinds}
    if specifications := row.get("specifications"):
        row["specifications"] = [{"name": name, "value": stated} for name, stated in specifications]
    return row


def _listed(value: Any) -> Any:
    """Tuples as lists: of values, or of lists of values, such as the rows of a table."""
    if not isinstance(value, tuple):
        return value
    return [list(one) if isinstance(one, tuple) else one for one in value]
