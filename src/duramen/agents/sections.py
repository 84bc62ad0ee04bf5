"""A document's outline, sections and search results, as offsets in its Markdown."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEADING = re.compile(r"(#{1,6}) (.+)")
_FENCE = re.compile(r"[ >]*(`{3,}|~{3,})")
_DECORATION = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|[*_`\\]+")
_READ_OF_TITLE = 2_000
LONGEST_TITLE = 160
MOST_SECTIONS = 400


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and everything under it, including subheadings."""

    id: str
    """By position: ``2.1`` is the first section in the second. ``0`` is the text before the first heading."""
    level: int
    title: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Match:
    """A passage that matches a query."""

    start: int
    end: int
    section: str
    words: int
    """How many words of the query it contains."""


def tokens_of(text: str) -> int:
    """An estimate of the number of tokens: one per four characters of English, or one and a half of others."""
    plain = len(text.encode("ascii", "ignore"))
    return -(-plain // 4) + -(-2 * (len(text) - plain) // 3)


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
        mark = _FENCE.match(line)
        if mark:
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence) and not line[mark.end() :].strip():
                fence = ""
        elif not fence and (heading := _HEADING.match(line.rstrip("\n"))):
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


def passages_with(markdown: str, sections: tuple[Section, ...], query: str, most: int) -> list[Match]:
    """Passages that contain the query literally; if there are none, those with most of its words."""
    paragraphs = [(m.start(), m.end()) for m in re.finditer(r"\S[^\n]*(?:\n(?!\s*\n)[^\n]*)*", markdown)]
    wanted = " ".join(query.casefold().split())
    words = list(dict.fromkeys(re.findall(r"\w+", wanted)))[:20]
    exact: list[tuple[int, int, int]] = []
    loose: list[tuple[int, int, int]] = []
    for start, end in paragraphs:
        text = " ".join(markdown[start:end].casefold().split())
        if wanted in text:
            exact.append((len(words), start, end))
        else:
            # A short word must match a whole word.
            alone = set(re.findall(r"\w+", text))
            hits = sum(word in (text if len(word) > 3 or not word.isascii() else alone) for word in words)
            if hits:
                loose.append((hits, start, end))
    best = max((hits for hits, _, _ in loose), default=0)
    chosen = exact or [one for one in loose if one[0] == best]
    return [Match(start, end, _section_at(sections, start), hits) for hits, start, end in chosen[:most]]


def _section_at(sections: tuple[Section, ...], place: int) -> str:
    """The innermost section around an offset."""
    return next((s.id for s in reversed(sections) if s.start <= place < s.end), "0")


def cut(text: str, start: int, most: int, most_tokens: int) -> int:
    """Where a part that begins at ``start`` ends: within both limits, after a paragraph if one ends near."""
    end = min(len(text), start + most)
    part = text[start:end]
    tokens = tokens_of(part)
    if tokens > most_tokens:
        end = start + max(1, len(part) * most_tokens // tokens)
    if end >= len(text):
        return len(text)
    near = start + (end - start) * 3 // 4
    for mark in ("\n\n", "\n", " "):
        place = text.rfind(mark, near, end)
        if place > start:
            return place + len(mark)
    return end
