"""The Markdown in pieces for retrieval.

Blocks are packed into chunks in order. A code block, a table, a list item or a formula is never cut: one that is longer
than a chunk is a chunk alone. A paragraph is cut only if it is longer than a chunk, after a sentence. A heading goes
with what it heads, and what is left of a section is not mixed with the next one. A record, such as a post, is cut only
if it is longer than a chunk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from operator import index
from typing import Literal, NamedTuple

from duramen.errors import OptionError
from duramen.lazy_pattern import lazy_pattern
from duramen.parts.outline import Headings
from duramen.parts.tokens import tokens_of
from duramen.render.markdown_units import Unit

__all__ = ["Chunk", "ChunkKind", "chunks_of", "record_numbers"]

ChunkKind = Literal["text", "code", "table", "list"]
_KINDS: dict[str, ChunkKind] = {"code": "code", "table": "table", "item": "list"}
_SENTENCE = lazy_pattern(r"[.!?…][\"'”’»)\]*_]*\s+|[。！？][」』”’]*|\n")
_SPACE = lazy_pattern(r"\s+")
_NOT_IN_ANCHORS = lazy_pattern(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of the Markdown. The pieces without their overlaps, joined, are the whole."""

    id: str
    """The same for the same address and text, wherever in the page the text is."""
    text: str
    """``result.markdown[chunk.start:chunk.end]``."""
    start: int
    end: int
    overlap: int
    """How many characters at the beginning repeat the end of the chunk before."""
    tokens: int
    kind: ChunkKind
    """What most of it is."""
    headings: tuple[str, ...]
    """The headings that all of it is under, outermost first."""
    anchors: tuple[str, ...]
    """Of the headings in it, or else of the last one before it: the anchors that GitHub gives headings."""


class _Piece(NamedTuple):
    """What a chunk is made of: a block, or a sentence of a paragraph that is too long."""

    kind: str
    start: int
    end: int
    tokens: int
    level: int
    """Of a heading, else 0."""
    path: tuple[str, ...]
    anchor: str
    record: int
    """The number of the record that it is part of, or -1."""


def chunks_of(
    markdown: str,
    units: Sequence[Unit],
    max_tokens: int,
    overlap: int,
    tokenizer: Callable[[str], int] | None,
    url: str,
    records: Sequence[int],
) -> tuple[Chunk, ...]:
    """Cut Markdown that was written in these units; ``records`` has for each the number of its record, or -1."""
    if isinstance(max_tokens, bool) or not isinstance(max_tokens, int) or max_tokens < 1:
        raise OptionError(f"max_tokens must be a number of at least 1, not {max_tokens!r}")
    if isinstance(overlap, bool) or not isinstance(overlap, int) or not 0 <= overlap < max_tokens:
        raise OptionError(f"overlap must be a number from 0 to less than max_tokens ({max_tokens}), not {overlap!r}")
    count = _checked(tokenizer) if tokenizer else tokens_of
    cutter = _Cutter(markdown, max_tokens - overlap, count)
    pieces = list(cutter.pieces(units, records))
    made: list[Chunk] = []
    seen: dict[str, int] = {}
    before = 0
    for first, stop in _packed(pieces, max_tokens - overlap):
        part, start, end = pieces[first:stop], pieces[first].start, pieces[stop - 1].end
        lead = _overlap(markdown, pieces[before:first], start, overlap, count)
        before = first
        text, own = markdown[lead:end], markdown[start:end]
        times = seen[own] = seen.get(own, 0) + 1
        name = sha256(f"{url}\0{own}\0{times}".encode("utf-8", "replace")).hexdigest()[:16]
        made.append(
            Chunk(name, text, lead, end, start - lead, count(text), _kind(part), _shared_path(part), _anchors(part))
        )
    return tuple(made)


def _checked(tokenizer: Callable[[str], int]) -> Callable[[str], int]:
    """The tokenizer; one that returns the tokens, and not how many they are, is a mistake that is easily made."""

    def count(text: str) -> int:
        tokens = tokenizer(text)
        try:
            number = index(tokens)
        except TypeError:
            number = -1
        if number < 0:
            raise OptionError(f"tokenizer must return how many tokens a text has, not {tokens!r:.80}")
        return number

    return count


def record_numbers(units: Sequence[Unit], markdown: str, records: Sequence[str]) -> list[int]:
    """For each unit the number of the record whose Markdown it is part of, or -1; records are in document order."""
    numbers = [-1] * len(units)
    starts = [0]
    for unit in units:
        starts.append(starts[-1] + len(unit.text))
    behind = at = 0
    for number, text in enumerate(records):
        begin = markdown.find(text.strip(), behind) if text.strip() else -1
        if begin < 0:
            continue
        behind = begin + len(text.strip())
        while at < len(units) and starts[at + 1] <= begin:
            at += 1
        while at < len(units) and starts[at] < behind:
            numbers[at] = number
            at += 1
    return numbers


class _Cutter:
    """Makes pieces of units, none larger than a chunk where it may be cut."""

    def __init__(self, markdown: str, most: int, count: Callable[[str], int]) -> None:
        self.markdown, self.most, self.count = markdown, most, count
        self.headings = Headings()
        self.anchor = ""
        self.taken: dict[str, int] = {}

    def pieces(self, units: Sequence[Unit], records: Sequence[int]) -> Iterator[_Piece]:
        place = waiting = 0
        for unit, number in zip(units, records, strict=True):
            end = place + len(unit.text)
            if unit.level:
                self.headings.begin(unit.level, unit.title)
                self.anchor = self._anchor(unit.title)
            tokens = self.count(unit.text)
            about = (unit.level, self.headings.path, self.anchor, number)
            # What a heading needs is missing for the paragraph below it.
            room = max(self.most - waiting, self.most // 2, 1)
            if unit.kind == "paragraph" and tokens > room:
                for start, stop in _cuts(unit.text, room, self.count):
                    size = self.count(unit.text[start:stop])
                    yield _Piece("paragraph", place + start, place + stop, size, *about)
            else:
                yield _Piece(unit.kind, place, end, tokens, *about)
            waiting = waiting + tokens if unit.kind in ("heading", "callout") else 0
            place = end

    def _anchor(self, title: str) -> str:
        plain = _NOT_IN_ANCHORS.sub("", title.strip().lower()).replace(" ", "-")
        times = self.taken[plain] = self.taken.get(plain, -1) + 1
        return f"{plain}-{times}" if times else plain


def _cuts(text: str, most: int, count: Callable[[str], int]) -> Iterator[tuple[int, int]]:
    """A paragraph in parts of at most so many tokens: sentences, else words, else as many characters."""
    start, stop, size = 0, 0, 0
    for part_start, part_stop in _parts(text, most, count):
        tokens = count(text[part_start:part_stop])
        # Nor are they a chunk, where a word is cut.
        if stop > start and size + tokens > most and not text[part_start:part_stop].isspace():
            yield start, stop
            start, size = part_start, 0
        stop, size = part_stop, size + tokens
    if stop > start:
        yield start, stop


def _parts(text: str, most: int, count: Callable[[str], int]) -> Iterator[tuple[int, int]]:
    for start, stop in _split(text, 0, len(text), _SENTENCE):
        if count(text[start:stop]) <= most:
            yield start, stop
            continue
        for first, last in _split(text, start, stop, _SPACE):
            tokens = count(text[first:last])
            # A word that is longer than a chunk is cut evenly.
            step = -(-(last - first) // -(-tokens // most)) if tokens > most else last - first
            yield from ((at, min(at + step, last)) for at in range(first, last, step))


def _split(text: str, start: int, stop: int, behind: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    # Line ends at the end are no part of their own.
    last = start + len(text[start:stop].rstrip())
    for found in behind.finditer(text, start, stop):
        if found.end() >= last:
            break
        if found.end() > start:
            yield start, found.end()
            start = found.end()
    if start < stop:
        yield start, stop


def _packed(pieces: Sequence[_Piece], most: int) -> Iterator[tuple[int, int]]:
    """The ranges of pieces that are chunks."""
    first = size = 0
    for start, stop in _groups(pieces, most):
        tokens = sum(piece.tokens for piece in pieces[start:stop])
        if start > first and (size + tokens > most or _begins_anew(pieces, first, start, size, most)):
            yield first, start
            first, size = start, 0
        size += tokens
    if first < len(pieces):
        yield first, len(pieces)


def _begins_anew(pieces: Sequence[_Piece], first: int, at: int, size: int, most: int) -> bool:
    """Whether a section begins that is not mixed with what is before it."""
    level = pieces[at].level
    if not level:
        return False
    goes_on = bool(pieces[first].path) and not pieces[first].level
    highest = min((piece.level for piece in pieces[first:at] if piece.level), default=7)
    return goes_on or (level <= highest and 2 * size >= most)


def _groups(pieces: Sequence[_Piece], most: int) -> Iterator[tuple[int, int]]:
    """The ranges of pieces that go into one chunk: a heading and what it heads, and a record that is short enough."""
    start = 0
    while start < len(pieces):
        stop = start + 1
        size = pieces[start].tokens
        while stop < len(pieces) and _goes_with_next(pieces[stop - 1]) and 2 * size < most:
            # What is too long by itself is so with its heading too.
            if size + (more := pieces[stop].tokens) > most >= more:
                break
            size += more
            stop += 1
        if (record := pieces[stop - 1].record) >= 0:
            end = stop
            while end < len(pieces) and pieces[end].record == record:
                size += pieces[end].tokens
                end += 1
            stop = end if size <= most else stop
        yield start, stop
        start = stop


def _goes_with_next(piece: _Piece) -> bool:
    return piece.kind in ("heading", "callout")


def _overlap(markdown: str, before: Sequence[_Piece], end: int, most: int, count: Callable[[str], int]) -> int:
    """Where the text begins that a chunk repeats: at a block or sentence of the chunk before."""
    start = end
    for piece in reversed(before) if most else ():
        if count(markdown[piece.start : end]) <= most:
            start = piece.start
            continue
        if piece.kind == "paragraph":
            sentences = _split(markdown, piece.start, piece.end, _SENTENCE)
            fitting = (at for at, _ in sentences if at < start and count(markdown[at:end]) <= most)
            start = next(fitting, start)
        break
    return start


def _kind(part: Sequence[_Piece]) -> ChunkKind:
    sizes: dict[ChunkKind, int] = {"text": 0, "code": 0, "table": 0, "list": 0}
    for piece in part:
        sizes[_KINDS.get(piece.kind, "text")] += piece.tokens
    return max(sizes, key=sizes.__getitem__)


def _shared_path(part: Sequence[_Piece]) -> tuple[str, ...]:
    shared = part[0].path
    for piece in part[1:]:
        same = 0
        for one, other in zip(shared, piece.path, strict=False):
            if one != other:
                break
            same += 1
        shared = shared[:same]
    return shared


def _anchors(part: Sequence[_Piece]) -> tuple[str, ...]:
    inside = tuple(piece.anchor for piece in part if piece.level)
    return inside or ((part[0].anchor,) if part[0].anchor else ())
