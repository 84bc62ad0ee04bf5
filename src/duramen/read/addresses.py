"""What a page's relative addresses are relative to."""

from __future__ import annotations

from duramen.tree import Tree
from duramen.urls import joined

__all__ = ["base_url"]

_BASE = frozenset({"base"})
_LONGEST = 2_000


def base_url(tree: Tree, url: str | None) -> str | None:
    """The first address that a ``<base>`` states, itself relative to the page's; else the page's.

    One that is longer than any real one would be repeated in every link.
    """
    stated = next((tree.attrs[i]["href"] for i in tree.tagged(_BASE) if "href" in tree.attrs[i]), None)
    found = joined(stated, url or "") if stated is not None else ""
    return found if 0 < len(found) <= _LONGEST else url or None
