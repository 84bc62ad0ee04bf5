"""Objects of JSON-LD, microdata and RDFa: how they are come by, what they are, how they refer to each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

__all__ = ["link_objects", "parsed_items", "types_of"]


def types_of(item: Mapping[str, Any]) -> tuple[str, ...]:
    """The lower-case type names of an object, without their vocabulary."""
    value = item.get("@type", item.get("type"))
    if isinstance(value, str) and value.isalpha():
        return (value.lower(),)
    values = value if isinstance(value, list) else [value]
    return tuple(
        re.split(r"[/#:]", v.strip().rstrip("/"))[-1].lower() for v in values[:10] if isinstance(v, str) and v.strip()
    )


def link_objects(objects: tuple[Mapping[str, Any], ...]) -> dict[str, Mapping[str, Any]]:
    """Objects by their ``@id``, for the references between them."""
    return {name: item for item in objects if isinstance(name := item.get("@id"), str) and len(item) > 1}


def parsed_items(
    name: str, parse: Callable[..., Iterable[Any]], base_url: str | None, problems: list[str]
) -> Iterable[Any]:
    """The items that the HTML library reads from attributes; none, and a problem told, where it cannot."""
    try:
        return parse(base_url) if base_url else parse()
    except ValueError:
        try:
            return parse()
        except (ValueError, RecursionError):
            problems.append(f"{name}: unreadable")
    except RecursionError:
        problems.append(f"{name}: nested too deeply")
    return ()
