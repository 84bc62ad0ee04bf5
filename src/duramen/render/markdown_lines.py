"""Lines of Markdown inside quotations and lists."""

from __future__ import annotations

import re
from typing import NamedTuple

from duramen.lazy_pattern import lazy_pattern

__all__ = ["Box", "MarkdownLines"]

_LINE_START = lazy_pattern(
    r"(?:#{1,6}|[-+:])(?= |$)|>|=+ *$|[-:|][-:| ]*$|(\d{1,9})[.)](?= |$)"
    # Extensions: directives, metadata, blocks, callouts, comments and labels.
    r"|\+\+\+|///|!!!|\?\?\?|\.\. |%|\(.*\)= *$"
)
_LINE_START_CHARS = frozenset("#-+:>=|0123456789/!?.%(")
_ADDRESS_ONLY = lazy_pattern(r"\S++(?:\s++=\S++)?(?:\s++[\"'(].*+)?\Z", re.S)
"""A footnote of this form would be a link definition to a renderer without footnotes."""


class Box(NamedTuple):
    """What to restore when a quotation or list item ends."""

    first: str | None
    prefix: str
    blanks: int


class MarkdownLines:
    """The lines written so far. Each is written once, with the markers of the boxes around it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.prefix = ""
        self.first: str | None = None
        """The prefix of the next line only, when a list item or quotation has just begun."""
        self.due: str | None = None
        """The empty line before the next block."""
        self.blanks = 0
        """Empty lines written."""
        self.previous = ""
        """The kind of the block before, in the same box."""
        self.glue = False
        """Whether a paragraph follows without an empty line."""
        self.in_note = False
        """Whether the next line is the first of a footnote."""

    def begins_item(self) -> bool:
        """Whether the next line is the first of a list item."""
        return (self.first or "").strip("> ") != "" and not self.in_note

    def add(self, line: str) -> None:
        if self.first is not None:
            self.lines.append(self.first + line)
            self.first = None
        else:
            self.lines.append(self.prefix + line if line else self.prefix.rstrip())

    def write_due(self) -> None:
        """Write the empty line that is due."""
        if self.due is not None:
            self.lines.append(self.due)
            self.blanks += 1
            self.due = None

    def begin(self, kind: str) -> None:
        """A block of this kind begins."""
        if self.in_note and kind != "paragraph":
            # Never a link definition, and the block begins on a line of its own.
            self.add("&nbsp; &nbsp;")
            self.end()
        self.in_note = False
        if self.glue and kind == "paragraph":
            self.due = None
        self.write_due()
        self.glue = False
        self.previous = kind

    def end(self) -> None:
        """A block ended: an empty line parts it from the next."""
        self.due = self.prefix.rstrip()

    def block(self, kind: str, lines: list[str]) -> None:
        self.begin(kind)
        for line in lines:
            self.add(line)
        self.end()

    def heading(self, line: str, at: int) -> None:
        """The line of a heading, whose element is at this place of the content."""
        self.block("heading", [line])

    def paragraph(self, text: str) -> None:
        if "\n" in text or self.in_note or self.glue:
            self._long_paragraph(text.split("\n"))
            return
        if self.due is not None:
            self.lines.append(self.due)
            self.blanks += 1
        self.previous = "paragraph"
        prefix = self.prefix if self.first is None else self.first
        self.first = None
        self.lines.append(prefix + (_not_a_block(text) if text[0] in _LINE_START_CHARS else text))
        self.due = self.prefix.rstrip()

    def _long_paragraph(self, lines: list[str]) -> None:
        if self.in_note and _may_define(lines[0]):
            lines[0] = f"{lines[0][:-1]} &nbsp;\\" if len(lines) > 1 else f"{lines[0]} &nbsp;"
        self.begin("paragraph")
        for line in lines:
            self.add(_not_a_block(line) if line[0] in _LINE_START_CHARS else line)
        self.end()

    def enter(self, marker: str, indent: str) -> Box:
        """Begin a box: its first line begins with the marker, the others are indented."""
        box = Box(self.first, self.prefix, self.blanks)
        self.first = (self.prefix if self.first is None else self.first) + marker
        self.prefix += indent
        self.previous = ""
        return box

    def leave(self, box: Box) -> bool:
        """End a box; whether anything was written in it."""
        written = self.first is None
        if not written:
            self.first = box.first
        self.prefix = box.prefix
        return written


def _may_define(line: str) -> bool:
    """Whether a renderer without footnotes may read a line as an address, maybe with a title right behind it."""
    if line[-1] in "\"'|)>" and (line[0] == "<" or not set("\"'(|").isdisjoint(line.split(None, 1)[0])):
        return True
    # To showdown, code between tags is one word.
    return "<code>" in line or _ADDRESS_ONLY.match(line) is not None


def _not_a_block(line: str) -> str:
    """A paragraph's line that does not begin another block."""
    if line[:2] == "::":
        # A colon behind an escaped one could begin a directive.
        rest = line.lstrip(":")
        return ":" + "\\:" * (len(line) - len(rest) - 1) + rest
    match = _LINE_START.match(line)
    if not match:
        return line
    at = match.end(1) if match[1] else 0
    return f"{line[:at]}\\{line[at:]}"
