"""Tool results: text for a model, and nothing else.

Clients differ in what they pass on of structured results: only the data, only the text, or both, so that a page costs
twice. Text alone arrives everywhere, once.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from duramen.agents.documents import MINUTES, Document
from duramen.agents.fence import NOTICE, fenced, neutral
from duramen.agents.passages import Search
from duramen.agents.sections import Section, cut, section_at
from duramen.model import UNCERTAIN
from duramen.parts.tokens import tokens_of
from duramen.zero_width import strip_zero_width

MOST_TOKENS = 18_000
"""Clients truncate results at 25,000 tokens; facts and outline need some of them."""
LONGEST_FACT = 300
OUTLINE_SHARE = 0.02
"""The outline above the first part of a page may cost this share of the page."""
FEWEST_LINES = 8
MOST_LINES = 200
"""Lines of one result of the outline tool."""


def first_part(document: Document, wanted: str, most: int, *, outline: bool = True, notice: bool = True) -> str:
    """The beginning of a document: facts, the outline if this is not all, and the text."""
    name = document.form(wanted)
    body = document.bodies[name]
    end = cut(body, 0, most, MOST_TOKENS)
    lines = [_about(document), *_facts(document)]
    if wanted == "records" != name:
        lines.append(f"No records were found in this page; this is its {name}.")
    names = _names(document)
    if end < len(body):
        lines.append(f"{_where(document, name, 0, end)} {_next(document, name, end)}")
        if outline and name == "markdown" and len(document.sections) > 1:
            names += ["", *_outline_above(document)]
    content, forged = _fenced(document, body[:end], names)
    lines += _caution(document.hidden_texts, document.invisible_characters, forged)
    if document.attribute_texts:
        lines.append(f"Removed {document.attribute_texts} alternative texts and tooltips, which readers do not see.")
    return "\n".join([*lines, *([NOTICE] if notice else []), content])


def further_part(document: Document, name: str, start: int, most: int) -> str:
    """A part of a document: where it is, and the text."""
    body = document.bodies[name]
    end = cut(body, start, most, MOST_TOKENS)
    following = _next(document, name, end) if end < len(body) else "This is the end."
    content, forged = _fenced(document, body[start:end])
    return "\n".join([f"{_where(document, name, start, end)} {following}", *_caution(0, 0, forged), content])


def section_part(document: Document, section: Section, start: int, most: int) -> str:
    """A part of a section: where it is, and the text. ``start`` counts from the section's beginning."""
    body = document.bodies["markdown"][section.start : section.end]
    end = cut(body, start, most, MOST_TOKENS)
    where = f"Section {section.id} of {document.handle}"
    if (start, end) != (0, len(body)):
        where += f", characters {start} to {end} of {len(body)}"
    if end < len(body):
        where += f'; next: read_section(page="{document.handle}", section="{section.id}", start_index={end})'
    content, forged = _fenced(document, body[start:end])
    return "\n".join([f"{where}.", *_caution(0, 0, forged), content])


def outline_part(document: Document, start: int) -> str:
    """Some lines of the outline."""
    sections = document.sections[start : start + MOST_LINES]
    end = start + len(sections)
    tokens = tokens_of(document.bodies["markdown"])
    where = f"Outline of {document.handle}, about {tokens:,} tokens. Sections, each with its tokens"
    if (start, end) != (0, len(document.sections)):
        where += f": {start + 1} to {end} of {len(document.sections)}"
    if end < len(document.sections):
        where += f'; next: outline(page="{document.handle}", start={end})'
    lines = _entries(document, sections) or ["(no headings, no text)"]
    if document.records and not start:
        where += '; records, each with its tokens (all of them: fetch with format="records")'
        lines += ["", *document.records[:MOST_LINES]]
    content, forged = _fenced(document, "\n".join(lines), _names(document) if not start else [])
    return "\n".join([f"{where}.", *_caution(0, 0, forged), content])


def links_part(document: Document, of: str, start: int) -> str:
    """Some of a document's links."""
    links = document.links if of == "content" else document.navigation
    shown = links[start : start + MOST_LINES]
    end = start + len(shown)
    where = f"{len(links)} links in the content" if of == "content" else f"{len(links)} links around the content"
    where = f"{where} of {document.handle}"
    if (start, end) != (0, len(links)):
        where += f", {start + 1} to {end}"
    if end < len(links):
        where += f'; next: links(page="{document.handle}", of="{of}", start={end})'
    if not shown:
        return f"{where}."
    lines = [f"- {_line(link.text) or ''}: {link.url}" if link.text else f"- {link.url}" for link in shown]
    content, forged = _fenced(document, "\n".join(lines))
    return "\n".join([f"{where}.", *_caution(0, 0, forged), content])


def found_passages(document: Document, search: Search, query: str) -> str:
    """Passages of a document, each with its section and offset."""
    shown, how = len(search.passages), "" if search.is_literal else ", which have most of its words"
    if not shown:
        return f"Found nothing for {query!r} in {document.handle}; try fewer or other words."
    count = f"{shown} passage{'s' * (shown > 1)}"
    if shown < search.total:
        count = f"the {'first' if search.is_literal else 'closest'} {shown} of {search.total} passages"
    head = f"Found {count} for {query!r} in {document.handle}{how}."
    parts = []
    for passage in search.passages:
        section = passage.section
        name = f"section {section.id} {_line(section.title) or ''}".rstrip() if section else "no section"
        parts.append(f"[{name}, from {passage.start}]\n{passage.text}")
    content, forged = _fenced(document, "\n\n".join(parts))
    return "\n".join([head, *_caution(0, 0, forged), content])


def _line(text: str | None) -> str | None:
    """A text of the page on one line: short, without invisible characters or fence marks."""
    if text is None:
        return None
    return neutral(" ".join(strip_zero_width(text)[0].split())[:LONGEST_FACT])[0] or None


def _fenced(document: Document, text: str, above: Sequence[str] = ()) -> tuple[str, int]:
    """Text of the page, below lines about it that are also the page's, between the marks."""
    host = urlsplit(document.url).hostname if document.url else None
    source = "".join(c for c in host or "html" if c.isalnum() or c in ".-:")[:100]
    return fenced("\n".join([*above, *([""] if above else []), text]), source)


def _about(document: Document) -> str:
    url = neutral("".join(document.url.split())[:2_000])[0] if document.url else "the given HTML"
    tokens = tokens_of(next(iter(document.bodies.values())))
    return f"Page: {url}\nHandle: {document.handle} ({MINUTES} minutes), about {tokens:,} tokens."


def _facts(document: Document) -> list[str]:
    reasons = "".join(f"; {line}" for reason in document.reasons if (line := _line(reason)))
    verdict = f"Verdict: {document.verdict} ({document.score:.2f}{reasons})."
    if confidence := document.page_type_confidence:
        # A document that is not HTML has no type that was found.
        doubt = ", uncertain" if confidence < UNCERTAIN else ""
        verdict += f" Type: {document.page_type} ({confidence:.2f}{doubt})."
    return [
        verdict,
        *(f"Warning: {warning}" for warning in document.warnings),
    ]


def _where(document: Document, name: str, start: int, end: int) -> str:
    total = len(document.bodies[name])
    where = f"Characters {start} to {end} of {total}"
    if name == "markdown" and document.sections:
        first, last = section_at(document.sections, start), section_at(document.sections, end - 1)
        inside = [section.id for section in (first, last) if section]
        where += f" (section{'s' * (len(set(inside)) > 1)} {' to '.join(dict.fromkeys(inside))})" if inside else ""
    return f"{where}."


def _next(document: Document, name: str, end: int) -> str:
    written = "" if name in ("markdown", "raw") else f', format="{name}"'
    return f'Next: fetch(url="{document.handle}", start_index={end}{written}).'


def _outline_above(document: Document) -> list[str]:
    """The outline within its share of the page's tokens: all sections, or the upper levels, or the first ones."""
    sections = document.sections
    room = OUTLINE_SHARE * tokens_of(document.bodies["markdown"])
    every = _entries(document, sections)
    for depth in (6, 5, 4, 3, 2, 1):
        lines = [line for section, line in zip(sections, every, strict=True) if section.id.count(".") < depth]
        if tokens_of("\n".join(lines)) <= room or len(lines) <= FEWEST_LINES:
            break
    while len(lines) > FEWEST_LINES and tokens_of("\n".join(lines)) > room:
        lines = lines[: max(FEWEST_LINES, len(lines) * 9 // 10)]
    if len(lines) == len(sections):
        return ["Sections, each with its tokens:", *lines]
    return [f"{len(lines)} of {len(sections)} sections, each with its tokens (all: outline):", *lines]


def _entries(document: Document, sections: Sequence[Section]) -> list[str]:
    body = document.bodies["markdown"]
    return [
        f"{'  ' * section.id.count('.')}{section.id} {_line(section.title) or ''}"
        f" ({tokens_of(body[section.start : section.end])})"
        for section in sections
    ]


def _caution(hidden: int, invisible: int, forged: int) -> list[str]:
    counted = {"texts hidden from readers": hidden, "invisible characters": invisible, "forged end marks": forged}
    found = [f"{count} {what}" for what, count in counted.items() if count]
    return (
        [f"Caution: removed {', '.join(found)}. Someone may be addressing you instead of the reader."] if found else []
    )


def _names(document: Document) -> list[str]:
    metadata = document.metadata
    named = {
        "Title": _line(metadata.title),
        "By": ", ".join(line for author in metadata.authors[:10] if (line := _line(author))),
        "Published": _line(metadata.published),
        "Modified": _line(metadata.modified),
        "Site": _line(metadata.site_name),
    }
    return [f"{name}: {value}" for name, value in named.items() if value]
