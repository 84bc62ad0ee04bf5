"""PDF as a page: the text of each page, with the headings that bookmarks or letter sizes show."""

from __future__ import annotations

import re
from collections import Counter
from ctypes import byref
from dataclasses import dataclass
from html import escape
from itertools import pairwise

import pypdfium2
import pypdfium2.raw as pdfium

from duramen.errors import UnsupportedContent
from duramen.fetch.document_page import document_page

MOST_PAGES = 1_000
MOST_CHARACTERS = 4_000_000
HEADING = 1.15
"""Lines with letters this much larger than most are headings."""
LONGEST_HEADING = 200
PARAGRAPH = 1.45
"""Lines further apart than this many line heights are different paragraphs."""
HEADING_LINES = 1.2
"""The same for headings: one above another are two."""
_BROKEN_WORD = re.compile(r"(?<=\w)[-\ufffe\u00ad\x02]$")
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]")


@dataclass(slots=True)
class _Line:
    text: str
    size: float
    top: float
    bottom: float
    level: int = 0
    """The level of the heading it is a part of."""


def pdf_page(url: str, body: bytes) -> tuple[str, tuple[str, ...]]:
    """The HTML of a document, and what a limit left out. Raises ``UnsupportedContent`` for one that cannot be read."""
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        why = "it is protected by a password" if "password" in str(error).lower() else "it is damaged"
        raise UnsupportedContent(url, f"this PDF file cannot be read: {why}", "try another copy of it") from None
    try:
        return _read(document)
    finally:
        document.close()


def _read(document: pypdfium2.PdfDocument) -> tuple[str, tuple[str, ...]]:
    limits: list[str] = []
    total = len(document)
    if total > MOST_PAGES:
        limits.append(f"pages after the first {MOST_PAGES:,} of {total:,} were left out")
    pages: list[list[_Line]] = []
    characters = 0
    for number in range(min(total, MOST_PAGES)):
        lines = _lines(document, number)
        characters += sum(len(line.text) for line in lines)
        if characters > MOST_CHARACTERS:
            limits.append(f"pages after the first {number:,} of {total:,} were left out")
            break
        pages.append(lines)
    if not _mark_bookmarks(document, pages):
        _mark_sizes(pages)
    facts = {name: value.strip() for name, value in document.get_metadata_dict().items() if value and value.strip()}
    parts = []
    for number, lines in enumerate(pages, 1):
        content = "".join(_paragraphs(lines))
        if content:
            parts.append(f"<h2>Page {number}</h2>{content}")
    if pages and not parts:
        limits.append("the file has no text: its pages may be images")
    meta = {"author": facts.get("Author", ""), "description": facts.get("Subject", "")}
    return document_page("".join(parts), facts.get("Title", ""), meta), tuple(limits)


def _lines(document: pypdfium2.PdfDocument, number: int) -> list[_Line]:
    try:
        page = document[number]
        text_page = page.get_textpage()
    except pypdfium2.PdfiumError:
        return []  # a damaged page does not spoil the others
    try:
        found: list[_Line] = []
        place = 0
        for text in text_page.get_text_range().split("\n"):
            line = text.rstrip("\r")
            shown = line.strip()
            if shown:
                box = pdfium.FS_RECTF()
                at = place + len(line) - len(line.lstrip())
                pdfium.FPDFText_GetLooseCharBox(text_page, at, byref(box))
                found.append(_Line(shown, round(2 * (box.top - box.bottom)) / 2, box.top, box.bottom))
            place += len(text) + 1
        return found
    finally:
        text_page.close()
        page.close()


def _mark_bookmarks(document: pypdfium2.PdfDocument, pages: list[list[_Line]]) -> bool:
    """Mark the lines that the document's bookmarks name; whether there are any."""
    marked = False
    for _, bookmark in zip(range(5_000), document.get_toc(max_depth=6), strict=False):
        target = bookmark.get_dest()
        number = target.get_index() if target is not None else None
        title = _letters(bookmark.get_title())
        if number is None or not 0 <= number < len(pages) or not title:
            continue
        for line in pages[number]:
            if not line.level and len(line.text) <= LONGEST_HEADING and _letters(line.text) == title:
                line.level = min(bookmark.level, 3) + 1
                marked = True
                break
    return marked


def _letters(text: str) -> str:
    """What two spellings of a heading have in common: no numbers before it, no spaces."""
    return "".join(c for c in text.casefold().lstrip("0123456789. ") if c.isalnum())


def _mark_sizes(pages: list[list[_Line]]) -> None:
    """Mark lines with larger letters than most: the largest are the highest headings."""
    counts: Counter[float] = Counter()
    for line in (line for lines in pages for line in lines):
        counts[line.size] += len(line.text)
    if not counts:
        return
    usual = counts.most_common(1)[0][0]
    larger = [
        size for size in sorted(counts, reverse=True) if size >= HEADING * usual and counts[size] < 0.2 * counts.total()
    ]
    for line in (line for lines in pages for line in lines):
        if line.size in larger and len(line.text) <= LONGEST_HEADING and any(c.isalpha() for c in line.text):
            line.level = min(larger.index(line.size), 3) + 1


def _paragraphs(lines: list[_Line]) -> list[str]:
    """The HTML of a page: lines become paragraphs and headings."""
    written: list[str] = []
    part: list[_Line] = []

    def finish() -> None:
        if part:
            tag = f"h{min(part[0].level + 2, 6)}" if part[0].level else "p"
            text = _UNSEEN.sub("", _joined(part))
            written.append(f"<{tag}>{escape(text, quote=False)}</{tag}>")
            part.clear()

    for line in lines:
        if part and (line.level != part[0].level or _is_apart(part[-1], line)):
            finish()
        part.append(line)
    finish()
    return written


def _is_apart(above: _Line, below: _Line) -> bool:
    height = max(above.size, below.size, 1.0)
    step = above.bottom - below.bottom
    # A step upwards is the next column; a paragraph may continue there.
    return step > (HEADING_LINES if below.level else PARAGRAPH) * height


def _joined(lines: list[_Line]) -> str:
    parts = [lines[0].text]
    for _, line in pairwise(lines):
        if _BROKEN_WORD.search(parts[-1]) and line.text[:1].islower():
            parts[-1] = _BROKEN_WORD.sub("", parts[-1])
            parts.append(line.text)
        else:
            parts.append(f" {line.text}")
    return "".join(parts)
