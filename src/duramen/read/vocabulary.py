"""Objects of JSON-LD, microdata and RDFa: how they are come by, what they are, how they refer to each other."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate
from typing import Any

from duramen.tree import Tree

__all__ = ["is_affordable", "link_objects", "parsed_items", "types_of"]

MAX_NAMES = 50
"""Names that an attribute may give one element: each is compared with all before it."""
_TIMES = 8
_AT_LEAST = 100_000
"""Values may repeat the page's text, and items refer to its elements, so many times over, or so often."""


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


def is_affordable(tree: Tree, attribute: str) -> bool:
    """Whether the HTML library can read the values that an attribute names without far more work than the page is.

    It copies the text of each named element, however they are nested, and everything that ``itemref`` refers to: two
    items that each refer to the next two, twenty times over, would be a million.
    """
    named = tree.valued(attribute)
    if tree.cut:
        # What was cut off is still there for the library.
        return False
    if any(len(names) > MAX_NAMES and len(names.split()) > MAX_NAMES for _, names in named):
        return False
    if len(named) > _TIMES:
        sizes = list(accumulate(map(len, tree.text), initial=0))
        copied = sum(sizes[tree.end[i]] - sizes[i] for i, _ in named)
        if copied > _TIMES * sizes[-1] + _AT_LEAST:
            return False
    referring = tree.valued("itemref")
    if not referring:
        return True
    places: dict[str, int] = {}
    for i, name in tree.valued("id"):
        places.setdefault(name, i)
    numbers = [i for i, _ in referring]
    reached = 0
    for _, names in referring:
        for at in (places[name] for name in names.split() if name in places):
            reached += tree.end[at] - at
            if bisect_left(numbers, at) < bisect_left(numbers, tree.end[at]):
                # What is referred to refers on.
                return False
    return reached <= _TIMES * len(tree) + _AT_LEAST


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
