"""Which HTML a page says it is written in: the seven-row table of the selector specification, §1.1."""

from __future__ import annotations

from duramen.model import DocumentType
from duramen.tree import Tree

__all__ = ["document_type"]

# (part of the public identifier, name, legacy); the first that fits counts.
_PUBLIC_IDS = (
    ("dtd html 4.01 transitional", "HTML 4.01 Transitional"),
    ("dtd html 4.01 frameset", "HTML 4.01 Transitional"),
    ("dtd html 4.01", "HTML 4.01 Strict"),
    ("dtd xhtml", "XHTML 1.0"),
    ("dtd html 4.0 transitional", "HTML 4.01 Transitional"),
    ("dtd html 4.0 frameset", "HTML 4.01 Transitional"),
    ("dtd html 4.0", "HTML 4.01 Strict"),
)
_HEAD_ELEMENTS = 200
_META = frozenset({"meta"})


def document_type(tree: Tree) -> DocumentType:
    """Name a page's type by its doctype, else by how its ``<meta>`` gives the encoding, else quirks.

    >>> from duramen.flatten import parse_tree
    >>> document_type(parse_tree("<!DOCTYPE html><p>")).name
    'HTML5'
    """
    name, public, _ = tree.core.parsing()[2]
    if name != "html":
        return _by_meta(tree)
    public = " ".join((public or "").lower().split())
    if not public:
        return DocumentType("HTML5", "doctype", False)
    for part, called in _PUBLIC_IDS:
        if part in public:
            return DocumentType(called, "doctype", True)
    return DocumentType("quirks", "doctype", True)


def _by_meta(tree: Tree) -> DocumentType:
    for i in tree.tagged(_META):
        if i > _HEAD_ELEMENTS and sum(map(bool, tree.tag[1 : i + 1])) > _HEAD_ELEMENTS:
            break
        attributes = tree.attrs[i]
        if attributes.get("charset"):
            return DocumentType("HTML5", "meta charset", False)
        if attributes.get("http-equiv", "").strip().lower() == "content-type":
            return DocumentType("HTML4/XHTML", "meta http-equiv", True)
    return DocumentType("quirks", "no doctype", True)
