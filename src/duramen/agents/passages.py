"""Search in a document: the passage around each hit, with the header of its table or the fence of its code."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from duramen.agents.sections import FENCE, HEADING, Section, section_at

LONGEST = 800
"""Characters of a passage."""
CODE_LINES = 4
"""Lines of code shown before and after a hit."""
MOST_HITS = 20_000
MOST_WORDS = 20

_GAP = r"(?:[\s*_`~\\>|\[!]|\](?:\([^()\s]{0,2000}+\))?+)++"
"""What Markdown may write between two words: spaces, emphasis, the border of a cell, the target of a link."""
_WRITTEN = {"<": r"(?:<|&lt;|\\<)", ">": r"(?:>|&gt;|\\>)", "&": r"(?:&amp;|&)"}
_BLOCK = re.compile(r"\S[^\n]*+(?:\n(?!\s*\n)[^\n]++)*+")
_ROW = re.compile(r"[ >]*+\|")
_RULE = re.compile(r"[ >]*+\|[ :|]*+-[ :|-]*+")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a list, a row of a table or a block of code."""

    start: int
    end: int
    before: str = ""
    """What has to be above a part of it: the header of the table, or the fence of the code."""
    table: int | None = None
    """Where the table begins that it is a row of."""
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document that matches a query."""

    start: int
    end: int
    section: Section | None
    text: str


@dataclass(frozen=True, slots=True)
class Search:
    """The passages of a document that match a query, in order."""

    passages: tuple[Passage, ...]
    total: int
    """How many there are, of which these are the first, or those where the words are closest together."""
    is_literal: bool
    """Whether they contain the query as it is; otherwise, most of its words."""


def find_passages(markdown: str, sections: Sequence[Section], query: str, most: int) -> Search:
    """Passages around the query; if the text does not contain it, around most of its words."""
    blocks = list(blocks_of(markdown))
    words = list(dict.fromkeys(re.findall(r"\w+", query.casefold())))[:MOST_WORDS]
    pieces = query.split()
    hits = [match.span() for match in islice(_literal(pieces).finditer(markdown), MOST_HITS)] if pieces else []
    is_literal = bool(hits)
    if not hits and words:
        hits = _spans_with_most_words(markdown, blocks, words)
    shown = found = _around(markdown, blocks, hits)
    if len(found) > most and not is_literal:
        shown = _around(markdown, blocks, sorted(sorted(hits, key=lambda hit: hit[1] - hit[0])[:most]))
    passages = (Passage(start, end, section_at(sections, start), text) for start, end, text in shown[:most])
    return Search(tuple(passages), len(found), is_literal)


def blocks_of(markdown: str) -> Iterator[Block]:
    """The blocks of a document: a block of code is one, and a table is one per row."""
    place = 0
    for opening, stop in _code(markdown):
        yield from _prose(markdown, place, opening)
        fence = markdown[opening : markdown.find("\n", opening) + 1]
        yield Block(opening, stop, fence, is_code=True)
        place = stop
    yield from _prose(markdown, place, len(markdown))


def _code(markdown: str) -> Iterator[tuple[int, int]]:
    """Where fenced code begins and ends."""
    fence, opened, place = "", 0, 0
    for line in markdown.splitlines(keepends=True):
        mark = FENCE.match(line)
        if mark and not fence:
            fence, opened = mark[1], place
        elif mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
            yield opened, place + len(line)
            fence = ""
        place += len(line)
    if fence:
        yield opened, place


def _prose(markdown: str, start: int, end: int) -> Iterator[Block]:
    for match in _BLOCK.finditer(markdown, start, end):
        first, stop = match.span()
        lines = markdown[first:stop].splitlines(keepends=True)
        if len(lines) < 2 or not (_ROW.match(lines[0]) and _RULE.fullmatch(lines[1].rstrip("\n"))):
            yield Block(first, stop)
            continue
        header = lines[0] + lines[1]
        yield Block(first, first + len(header), table=first)
        place = first + len(header)
        for line in lines[2:]:
            yield Block(place, place + len(line), header, first)
            place += len(line)


def _literal(pieces: Sequence[str]) -> re.Pattern[str]:
    """The words of a query, however Markdown writes them and what is between them."""
    return re.compile(_GAP.join(map(_as_written, pieces)), re.I)


def _as_written(word: str) -> str:
    return "".join(
        _WRITTEN.get(c) or (c if c.isalnum() else rf"\\?{re.escape(c)}" if c.isascii() else re.escape(c)) for c in word
    )


def _spans_with_most_words(markdown: str, blocks: Sequence[Block], words: Sequence[str]) -> list[tuple[int, int]]:
    """In each block that has most of the words, the shortest span with all that it has."""
    # A short word must be a whole word.
    patterns = [rf"\b{re.escape(word)}\b" if len(word) <= 3 and word.isascii() else re.escape(word) for word in words]
    hits: list[tuple[int, int, int]] = []
    for number, pattern in enumerate(patterns):
        hits += [(*match.span(), number) for match in islice(re.finditer(pattern, markdown, re.I), MOST_HITS)]
    hits.sort()
    inside: dict[int, list[tuple[int, int, int]]] = {}
    starts = [block.start for block in blocks]
    for hit in hits:
        inside.setdefault(bisect_right(starts, hit[0]) - 1, []).append(hit)
    best = max((len({word for _, _, word in found}) for found in inside.values()), default=0)
    return [_shortest(found, best) for found in inside.values() if len({word for _, _, word in found}) == best]


def _shortest(hits: Sequence[tuple[int, int, int]], wanted: int) -> tuple[int, int]:
    """The shortest span that contains this many different words."""
    counts: dict[int, int] = {}
    first, shortest = 0, (hits[0][0], hits[-1][1])
    for _, end, word in hits:
        counts[word] = counts.get(word, 0) + 1
        while len(counts) == wanted:
            start, _, leaving = hits[first]
            if end - start < shortest[1] - shortest[0]:
                shortest = start, end
            counts[leaving] -= 1
            if not counts[leaving]:
                del counts[leaving]
            first += 1
    return shortest


def _around(markdown: str, blocks: Sequence[Block], hits: Sequence[tuple[int, int]]) -> list[tuple[int, int, str]]:
    """Offsets and text of the passages around hits. Hits near each other share one, and so do rows of a table."""
    starts = [block.start for block in blocks]
    found: list[tuple[int, int, str]] = []
    last: Block | None = None
    for start, end in hits:
        if found and end <= found[-1][1]:
            continue
        number = max(0, bisect_right(starts, start) - 1)
        block = blocks[number]
        if number + 1 < len(blocks) and HEADING.fullmatch(markdown, block.start, block.end):
            # A heading says where, not what: show what follows it.
            block = replace(block, end=min(blocks[number + 1].end, block.end + LONGEST // 2))
        first, stop = _window(markdown, block, start, end)
        if block is last:
            first = max(first, found[-1][1])
        text = _shown(markdown, block, first, stop)
        if last is not None and block.table is not None and block.table == last.table:
            begin, _, above = found[-1]
            if block.before and len(above) + len(text) <= LONGEST:
                row = text.removeprefix(block.before)
                found[-1] = (begin, stop, f"{above}\n{row}")
                last = block
                continue
        found.append((first, stop, text))
        last = block
    return found


def _window(markdown: str, block: Block, start: int, end: int) -> tuple[int, int]:
    """The part of a block around a hit: all of it, or some lines of code, or as much as a passage may have."""
    first, stop = block.start, max(block.end, end)
    if block.is_code:
        opening = block.start + len(block.before)
        first = max(opening, _lines_from(markdown, start, -CODE_LINES - 1))
        stop = min(stop, _lines_from(markdown, end, CODE_LINES + 1))
    if stop - first <= LONGEST:
        return first, stop
    room = max(0, LONGEST - (end - start)) // 2
    first, stop = max(first, start - room), min(stop, max(end + room, start + LONGEST // 2))
    if first > block.start and (space := markdown.find(" ", first, start)) > 0:
        first = space + 1
    if stop < block.end and (space := markdown.rfind(" ", end, stop)) > 0:
        stop = space
    return first, min(stop, start + 2 * LONGEST)


def _lines_from(markdown: str, place: int, lines: int) -> int:
    """Where the line begins that is this many lines below, or above, the one at an offset."""
    for _ in range(abs(lines)):
        if lines < 0:
            place = markdown.rfind("\n", 0, place)
            if place < 0:
                return 0
        else:
            place = markdown.find("\n", place) + 1
            if place <= 0:
                return len(markdown)
    return place + 1 if lines < 0 else place


def _shown(markdown: str, block: Block, first: int, stop: int) -> str:
    """A part of a block, marked where it is cut, below what it needs above it."""
    text = markdown[first:stop].strip("\n")
    if not block.is_code:
        is_cut = stop < len(markdown[: block.end].rstrip())
        return f"{block.before}{'… ' if first > block.start else ''}{text}{' …' if is_cut else ''}"
    fence = FENCE.match(block.before)
    closing = fence[0] if fence else ""
    lines = text.splitlines()
    if lines and stop >= block.end and lines[-1].strip(" >") == closing.strip(" >"):
        lines.pop()
    above = ["…"] if first > block.start + len(block.before) else []
    below = ["…"] if stop < block.end - len(closing) - 1 else []
    return "\n".join([block.before.rstrip("\n"), *above, *lines, *below, closing])
