"""Which HTML a page says it is written in: the seven-row table of the selector specification, §1.1."""

from __future__ import annotations

import re

from duramen.model import DocumentType, PageText
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
_BEGINNING = 1_000
_META = frozenset({"meta"})

# White space, comments, and what parsers take for comments: nothing else may stand before a doctype.
_BEFORE = re.compile(
    r"(?:[\t\n\f\r ]++|<!--(?:-?>|.*?--!?>)|<(?:\?|!(?!--|doctype)|/(?![a-z]))[^>]*+>)*+", re.I | re.A | re.S
)
_DOCTYPE = re.compile(
    r"""<!doctype[\t\n\f\r ]*+([^\t\n\f\r >]*+)(?:[\t\n\f\r ]++public[\t\n\f\r ]*+(?:"([^">]*+)|'([^'>]*+)))?+""",
    re.I | re.A,
)


def document_type(tree: Tree, html: PageText) -> DocumentType:
    """Name a page's type by its doctype, else by how its ``<meta>`` tells the encoding, else quirks.

    >>> from duramen.dom import parse
    >>> from duramen.flatten import flatten
    >>> page = "<!DOCTYPE html><p>"
    >>> document_type(flatten(parse(page)), page).name
    'HTML5'
    """
    doctype = _doctype(html)
    if doctype is None or doctype[1].lower() != "html":
        return _by_meta(tree)
    public = " ".join((doctype[2] or doctype[3] or "").lower().split())
    if not public:
        return DocumentType("HTML5", "doctype", False)
    for part, name in _PUBLIC_IDS:
        if part in public:
            return DocumentType(name, "doctype", True)
    return DocumentType("quirks", "doctype", True)


def _doctype(html: PageText) -> re.Match[str] | None:
    if not isinstance(html, str):
        # Where it is not in the beginning, or ends with it, the whole has to be looked through.
        head = html.data[:_BEGINNING].decode(errors="ignore")
        found = _first_doctype(head)
        if found is not None and found.end() < len(head):
            return found
    return _first_doctype(str(html))


def _first_doctype(html: str) -> re.Match[str] | None:
    before = _BEFORE.match(html)
    return _DOCTYPE.match(html, before.end() if before else 0)


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
