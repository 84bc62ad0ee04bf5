"""Which HTML a page says it is written in: the seven-row table of the selector specification, §1.1."""

from __future__ import annotations

from duramen.dom import Doctype, Document, Element
from duramen.model import DocumentType

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


def document_type(document: Document, html: str) -> DocumentType:
    """Name a page's type by its doctype, else by how its ``<meta>`` tells the encoding, else quirks.

    >>> from duramen.dom import parse
    >>> document_type(parse("<!DOCTYPE html><p>"), "").name
    'HTML5'
    """
    for node in document.children:
        if isinstance(node, Doctype):
            if (node.name or "").lower() != "html":
                break
            public = " ".join((node.public_id or "").lower().split())
            if not public:
                return DocumentType("HTML5", "doctype", False)
            for part, name in _PUBLIC_IDS:
                if part in public:
                    return DocumentType(name, "doctype", True)
            return DocumentType("quirks", "doctype", True)
        if isinstance(node, Element):
            break
    return _by_meta(document)


def _by_meta(document: Document) -> DocumentType:
    root = document.root
    seen = 0
    for node in root.descendants if root is not None else ():
        if not isinstance(node, Element):
            continue
        seen += 1
        if seen > _HEAD_ELEMENTS:
            break
        if node.tag != "meta":
            continue
        if node.attr("charset"):
            return DocumentType("HTML5", "meta charset", False)
        if (node.attr("http-equiv") or "").strip().lower() == "content-type":
            return DocumentType("HTML4/XHTML", "meta http-equiv", True)
    return DocumentType("quirks", "no doctype", True)
