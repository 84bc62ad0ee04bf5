"""Tool results: facts, a fenced part of the text, and all of it as readable text."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel

from duramen.agents.documents import MINUTES, Document
from duramen.agents.fence import NOTICE, fenced, neutral
from duramen.agents.schemas import (
    BodyFormat,
    FindAnswer,
    FoundPassage,
    ManyAnswer,
    OutlineAnswer,
    OutlineEntry,
    PageAnswer,
    PageFacts,
    Safety,
    Span,
)
from duramen.agents.sections import Match, Section, cut, tokens_of
from duramen.agents.zero_width import strip_zero_width
from duramen.model import UNCERTAIN

MOST_TOKENS = 18_000
"""Clients truncate results at 25,000 tokens; facts and outline need some of them."""
LONGEST_FACT = 300
SHOWN_SECTIONS = 60
"""Maximum of outline lines before the first part of a page; the outline tool shows all."""


def page_answer(
    document: Document, name: BodyFormat, start: int, most: int, section: Section | None = None, outline: bool = True
) -> PageAnswer:
    """A part of a document; with an outline if it is only a part."""
    body = document.bodies[name]
    first, last = (section.start, section.end) if section else (0, len(body))
    begin = first + start
    end = min(cut(body[:last], begin, most, MOST_TOKENS), last)
    content, forged = fenced(body[begin:end], _source(document))
    is_whole = (begin, end) == (0, len(body))
    return PageAnswer(
        **_facts(document),
        notice=NOTICE,
        format=name,
        content=content,
        span=Span(
            start=begin - first, end=end - first, total=last - first, next_index=end - first if end < last else None
        ),
        tokens=tokens_of(content),
        outline=[] if is_whole or not outline else _outline(document)[:SHOWN_SECTIONS],
        safety=_safety(document, forged),
    )


def outline_answer(document: Document) -> OutlineAnswer:
    tokens = tokens_of(document.bodies["markdown"])
    return OutlineAnswer(**_facts(document), notice=NOTICE, outline=_outline(document), tokens=tokens)


def find_answer(document: Document, matches: list[Match], longest: int) -> FindAnswer:
    body = document.bodies["markdown"]
    parts = [f"[section {m.section}, from {m.start}]\n{_shortened(body[m.start : m.end], longest)}" for m in matches]
    content, forged = fenced("\n\n".join(parts), _source(document))
    found = [FoundPassage(section=m.section, start=m.start, end=m.end, words=m.words) for m in matches]
    return FindAnswer(
        **_facts(document), notice=NOTICE, matches=found, content=content, safety=_safety(document, forged)
    )


def tool_result(answer: BaseModel, text: str) -> CallToolResult:
    """A tool result with the answer as structured data and as text."""
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=answer.model_dump(mode="json")
    )


def page_text(answer: PageAnswer, further: str) -> str:
    """A part of a page as text. Everything that the page says about itself is inside the fence."""
    span = answer.span
    lines = [
        f"Contents of {answer.url or 'the given HTML'}: characters {span.start:,} to {span.end:,} of {span.total:,}"
        f" as {answer.format}, about {answer.tokens:,} tokens.",
        *_fact_lines(answer),
        *_safety_lines(answer.safety),
    ]
    if span.next_index is not None:
        lines.append(f"There is more: {further.format(index=span.next_index)}")
    return "\n".join([*lines, NOTICE, _with_heading(answer)])


def outline_text(answer: OutlineAnswer) -> str:
    lines = [
        f"Outline of {answer.url or 'the given HTML'}, about {answer.tokens:,} tokens.",
        *_fact_lines(answer),
        NOTICE,
    ]
    entries = [_entry(entry) for entry in answer.outline] or ["(no headings, no text)"]
    content, _ = fenced("\n".join([*_name_lines(answer), "", *entries]), "outline")
    return "\n".join([*lines, content])


def find_text(answer: FindAnswer, query: str) -> str:
    count = f"{len(answer.matches)} passages" if answer.matches else "nothing"
    lines = [f"Found {count} for {query!r} in {answer.url or 'the given HTML'}.", *_fact_lines(answer)]
    return "\n".join([*lines, *_safety_lines(answer.safety), NOTICE, answer.content])


def many_text(answer: ManyAnswer) -> str:
    parts = [f"{len(answer.pages) - answer.failed} of {len(answer.pages)} pages were read."]
    for entry in answer.pages:
        if entry.page is None:
            parts.append(f"{entry.url}: failed: {entry.error}")
        else:
            parts.append(page_text(entry.page, f'fetch(url="{entry.page.handle}", start_index={{index}})'))
    return "\n\n".join(parts)


def _facts(document: Document) -> dict[str, Any]:
    metadata = document.metadata
    return {
        "handle": document.handle,
        "url": neutral("".join(document.url.split())[:2_000])[0] if document.url else None,
        "title": _line(metadata.title),
        "authors": [line for author in metadata.authors[:10] if (line := _line(author))],
        "published": _line(metadata.published),
        "modified": _line(metadata.modified),
        "site_name": _line(metadata.site_name),
        "language": _line(metadata.language),
        "page_type": document.page_type,
        "page_type_confidence": document.page_type_confidence,
        "tier": document.tier,
        "verdict": document.verdict,
        "score": document.score,
        "reasons": [line for reason in document.reasons if (line := _line(reason))],
        "warnings": list(document.warnings),
    }


def _line(text: str | None) -> str | None:
    """A text of the page on one line: short, without invisible characters or fence marks."""
    if text is None:
        return None
    return neutral(" ".join(strip_zero_width(text)[0].split())[:LONGEST_FACT])[0] or None


def _outline(document: Document) -> list[OutlineEntry]:
    body = document.bodies.get("markdown", "")
    return [
        OutlineEntry(
            section=s.id,
            level=s.level,
            title=_line(s.title) or "",
            start=s.start,
            tokens=tokens_of(body[s.start : s.end]),
        )
        for s in document.sections
    ]


def _safety(document: Document, forged: int) -> Safety:
    return Safety(
        hidden_texts=document.hidden_texts, invisible_characters=document.invisible_characters, forged_fences=forged
    )


def _source(document: Document) -> str:
    host = urlsplit(document.url).hostname if document.url else None
    return "".join(c for c in host or "html" if c.isalnum() or c in ".-:")[:100]


def _fact_lines(facts: PageFacts) -> list[str]:
    reasons = ", ".join(reason.partition(":")[0] for reason in facts.reasons)
    doubt = ", uncertain" if facts.page_type_confidence < UNCERTAIN else ""
    kind = f"{facts.page_type} ({facts.page_type_confidence:.2f}{doubt})"
    return [
        f"Verdict: {facts.verdict} ({facts.score:.2f}{'; ' + reasons if reasons else ''})."
        f" Page type: {kind}. Found by: {facts.tier or 'nothing'}.",
        f"Handle: {facts.handle} (for outline, read_section, find; {MINUTES} minutes).",
        *(f"Warning: {warning}" for warning in facts.warnings),
    ]


def _safety_lines(safety: Safety) -> list[str]:
    counted = {
        "texts hidden from readers": safety.hidden_texts,
        "invisible characters": safety.invisible_characters,
        "forged end marks": safety.forged_fences,
    }
    found = [f"{count} {what}" for what, count in counted.items() if count]
    return (
        [f"Caution: removed {', '.join(found)}. Someone may be addressing you instead of the reader."] if found else []
    )


def _name_lines(facts: PageFacts) -> list[str]:
    named = {
        "Title": facts.title,
        "By": ", ".join(facts.authors),
        "Published": facts.published,
        "Modified": facts.modified,
        "Site": facts.site_name,
    }
    return [f"{name}: {value}" for name, value in named.items() if value]


def _with_heading(answer: PageAnswer) -> str:
    """The fenced content, after the page's title, names and outline."""
    opening, _, rest = answer.content.partition("\n")
    lines = _name_lines(answer)
    if answer.outline:
        lines += ["", "Sections:", *map(_entry, answer.outline)]
    return "\n".join([opening, *lines, *([""] if lines else []), rest])


def _entry(entry: OutlineEntry) -> str:
    return f"{'  ' * entry.section.count('.')}{entry.section} {entry.title} (from {entry.start}, {entry.tokens} tokens)"


def _shortened(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest].rstrip()} …"
