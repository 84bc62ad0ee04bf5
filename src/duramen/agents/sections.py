"""A document's outline and sections, as offsets in its Markdown, and where a part of it ends."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from duramen.parts.tokens import tokens_of

HEADING = re.compile(r"(#{1,6}) (.+)")
FENCE = re.compile(r"[ >]*(`{3,}|~{3,})")
_DECORATION = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|[*_`\\]+")
_CLOSING = frozenset("}])")
_READ_OF_TITLE = 2_000
LONGEST_TITLE = 160
MOST_SECTIONS = 20_000


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and everything under it, including subheadings."""

    id: str
    """By position: ``2.1`` is the first section in the second. ``0`` is the text before the first heading."""
    level: int
    title: str
    start: int
    end: int


def sections_of(markdown: str) -> tuple[Section, ...]:
    """The outline of a document, in order."""
    found = _headings(markdown)
    numbers: list[int] = []
    levels: list[int] = []
    ids: list[str] = []
    for _, level, _ in found:
        last = 0
        while levels and levels[-1] >= level:
            levels.pop()
            last = numbers.pop()
        levels.append(level)
        numbers.append(last + 1)
        ids.append(".".join(map(str, numbers)))
    total = len(markdown)
    sections: list[Section] = []
    opening = found[0][0] if found else total
    if markdown[:opening].strip():
        sections.append(Section("0", 1, "(beginning)", 0, opening))
    # The end of each section is where the next of its own level or above begins; found from the back.
    following: dict[int, int] = {}
    ends = [total] * len(found)
    for k in range(len(found) - 1, -1, -1):
        start, level, _ = found[k]
        ends[k] = min((place for rank, place in following.items() if rank <= level), default=total)
        following[level] = start
        following = {rank: place for rank, place in following.items() if rank <= level}
    for (start, level, title), name, end in zip(found, ids, ends, strict=True):
        sections.append(Section(name, level, title, start, end))
    return tuple(sections[:MOST_SECTIONS])


def _headings(markdown: str) -> list[tuple[int, int, str]]:
    """Offset, level and text of the headings; lines of code are not headings."""
    found: list[tuple[int, int, str]] = []
    fence = ""
    place = 0
    for line in markdown.splitlines(keepends=True):
        mark = FENCE.match(line)
        if mark:
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence) and not line[mark.end() :].strip():
                fence = ""
        elif not fence and (heading := HEADING.match(line.rstrip("\n"))):
            title = heading[2].rstrip("#").rstrip() or heading[2]
            words = _DECORATION.sub(lambda m: m[1] or "", title[:_READ_OF_TITLE])
            found.append((place, len(heading[1]), " ".join(words.split())[:LONGEST_TITLE]))
        place += len(line)
    return found


def named(sections: tuple[Section, ...], name: str) -> Section | None:
    """The section with this id, this title, or the only one whose title contains these words."""
    wanted = " ".join(name.casefold().split())
    for section in sections:
        if section.id == wanted or section.title.casefold() == wanted:
            return section
    near = [section for section in sections if wanted and wanted in section.title.casefold()]
    return near[0] if len(near) == 1 else None


def section_at(sections: Sequence[Section], place: int) -> Section | None:
    """The innermost section around an offset: the last that begins before it."""
    before = bisect_right(sections, place, key=lambda section: section.start)
    return sections[before - 1] if before else None


def cut(text: str, start: int, most: int, most_tokens: int) -> int:
    """Where a part that begins at ``start`` ends: within both limits, after a paragraph, or else before a line
    that is indented least, if there is one near."""
    end = min(len(text), start + most)
    part = text[start:end]
    tokens = tokens_of(part)
    if tokens > most_tokens:
        end = start + max(1, len(part) * most_tokens // tokens)
    if end >= len(text):
        return len(text)
    near = start + (end - start) * 3 // 4
    place = text.rfind("\n\n", near, end)
    if place > start:
        return place + 2
    if (place := _line_break(text, near, end)) > start:
        return place
    place = text.rfind(" ", near, end)
    return place + 1 if place > start else end


def _line_break(text: str, start: int, end: int) -> int:
    """Where the last line with the least indentation begins: in code, data and lists, where a new part begins."""
    best, least = -1, end - start
    for found in re.finditer(r"\n(?=( *+)(.?))", text[start:end]):
        depth = len(found[1]) + (found[2] in _CLOSING)
        if depth <= least:
            best, least = start + found.end(), depth
    return best
