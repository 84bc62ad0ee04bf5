"""The style sheets that a page holds itself, and the shadow trees that have sheets of their own."""

from __future__ import annotations

from duramen.read.properties import WANTED
from duramen.read.style_sheets import Sheet, SheetReader, data_sheet
from duramen.tree import Tree

_WITHOUT_SHEETS = frozenset({"template", "noscript"})
"""The sheets in these apply to nothing outside them, and not at all with scripts."""


def sheets_of(tree: Tree) -> tuple[Sheet, bool]:
    """The page's own sheets, and whether it has no others."""
    reader = SheetReader(WANTED)
    is_whole = True
    for i in tree.tagged(frozenset({"style", "link"})):
        attrs = tree.attrs[i]
        media = attrs.get("media", "")
        holder = next((above for above in tree.ancestors(i) if tree.tag[above] in _WITHOUT_SHEETS), -1)
        if "disabled" in attrs or (holder >= 0 and not is_shadow(tree, holder)):
            continue
        if tree.tag[i] == "style":
            if attrs.get("type", "").strip().lower() in ("", "text/css"):
                reader.read("".join(tree.text[i : tree.end[i]]), media, holder, tree.parent[i])
        elif "stylesheet" in attrs.get("rel", "").lower().split() and "alternate" not in attrs.get("rel", "").lower():
            css = data_sheet(attrs.get("href", ""))
            if css is not None:
                reader.read(css, media, holder, tree.parent[i])
            elif media.strip().lower() != "print":
                is_whole = False
    sheet = reader.sheet()
    return sheet, is_whole and sheet.is_whole


def shadows(tree: Tree) -> list[int]:
    """The templates that are shadow trees."""
    return [i for i, _ in tree.valued("shadowrootmode") if is_shadow(tree, i)]


def is_shadow(tree: Tree, i: int) -> bool:
    return tree.tag[i] == "template" and tree.attr(i, "shadowrootmode").lower() in ("open", "closed")
