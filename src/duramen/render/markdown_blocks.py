"""The blocks of Markdown that need no more than themselves: paragraphs, headings, code, quotations, details."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from duramen.lazy_pattern import lazy_pattern
from duramen.render.content import Content
from duramen.render.escape import SPECIAL
from duramen.render.inline import HARD_BREAK, Leave, Line, tex_of
from duramen.render.markdown_lines import MarkdownLines
from duramen.render.raw_html import html_inside, language_of

__all__ = ["MAX_LEVELS", "BlockWriter", "Handlers"]

Handlers = Mapping[str, Callable[[Any, int], Leave | None]]
"""By tag what begins an element, given its place. It returns what ends the element, or None to pass over it."""

MAX_LEVELS = 18
"""Levels of nesting written (a list takes two, a quotation one); what lies deeper is written at the deepest level.
Renderers drop content below about twenty levels."""

_CALLOUTS = frozenset(("note", "tip", "important", "warning", "caution"))
_CLOSING_HASHES = lazy_pattern(r"(?:^|(?<= ))#+$")
_ESCAPED = r"\\\g<0>"
_TICKS = lazy_pattern(r"`{3,}")


class BlockWriter:
    """The content, the lines written so far, and the line being read."""

    def __init__(self, html: str, in_flow: Handlers, in_line: Handlers) -> None:
        self.content = Content(html, SPECIAL)
        self.lines = MarkdownLines()
        self.line = Line(html, self.content)
        self.handlers = self.in_flow = in_flow
        self.in_line = in_line
        """The handlers in headings and table cells, where no block can begin."""
        self.levels = 0
        self.summaries: set[int] = set()
        """Summaries written already with the ``details`` they belong to."""

    def flush(self) -> None:
        """Write the paragraph read so far."""
        line = self.line
        if line.parts:
            self.lines.paragraph(line.take())
        else:
            line.space = line.broken = False

    def block(self, at: int) -> Leave:
        """A block without a form of its own."""
        self.flush()
        return self.flush

    def paragraph(self, at: int) -> Leave | None:
        self.flush()
        content = self.content
        if content.ends[at] != at + 2 or content.names[at + 1] or not self.line.is_plain():
            return self.flush
        # Most paragraphs hold one text: they are written at once.
        if text := content.values[at + 1].strip(" "):
            self.lines.paragraph(self.line.plain(text) if content.ends[at + 1] else text)
        return None

    def block_in_line(self, at: int) -> Leave:
        """A block where none can begin, in a heading or a table cell: it only parts words or lines."""
        self.break_line()
        return self.break_line

    def break_line(self) -> None:
        self.line.broken = True

    def rule_in_line(self, at: int) -> None:
        self.line.broken = True

    def skip(self, at: int) -> None:
        """An element that is not written."""

    def br(self, at: int) -> None:
        if self.line.broken:
            self.flush()
        else:
            self.br_in_line(at)

    def br_in_line(self, at: int) -> None:
        if self.line.parts:
            self.line.broken = True

    def span(self, at: int) -> Leave | None:
        """A formula as a block, if it is one."""
        if self.content.attribute(at, "data-math") != "display":
            return self.line.span(at)
        self.flush()
        tex, plain = tex_of(self.content.text(at))
        if plain:
            self.lines.block("formula", [f"$${tex}$$"])
        elif tex:
            self.fence("math", tex)
        return None

    def begin_line(self, line_break: str) -> None:
        self.flush()
        self.handlers, self.line.line_break = self.in_line, line_break

    def end_line(self) -> str:
        self.handlers, self.line.line_break = self.in_flow, HARD_BREAK
        return self.line.take()

    def heading(self, at: int) -> Leave:
        self.begin_line(" ")
        marks = "#" * int(self.content.names[at][1])

        def leave() -> None:
            if text := self.end_line():
                # Hashes at the end would close the heading.
                text = _CLOSING_HASHES.sub(_ESCAPED, text) if text[-1] == "#" else text
                self.lines.block("heading", [f"{marks} {text}"])

        return leave

    def rule(self, at: int) -> None:
        self.flush()
        # At the beginning `---` would open front matter, in a list `- ---` would be a rule without an item.
        plain = self.lines.lines and self.lines.first is None
        self.lines.block("rule", ["---" if plain else "___"])

    def preformatted(self, at: int) -> None:
        self.flush()
        content = self.content
        text = content.code(at)
        if text.strip():
            code = next((i for i in range(at + 1, content.ends[at]) if content.names[i] == "code"), at)
            self.fence(language_of(content, code), text.removesuffix("\n"))

    def fence(self, language: str, text: str) -> None:
        ticks = "`" * max(3, 1 + max(map(len, _TICKS.findall(text)), default=0))
        self.lines.block("code", [ticks + language, *text.split("\n"), ticks])

    def quotation(self, at: int) -> Leave:
        self.flush()
        if self.levels + 1 > MAX_LEVELS:
            return self.flush
        self.levels += 1
        lines = self.lines
        box = lines.enter("> ", "> ")
        if (kind := (self.content.attribute(at, "data-callout") or "").lower()) in _CALLOUTS:
            lines.block("callout", [f"[!{kind.upper()}]"])
            lines.glue = True

        def leave() -> None:
            self.flush()
            self.levels -= 1
            lines.glue = False
            if lines.leave(box):
                lines.end()
                lines.previous = "quotation"

        return leave

    def details(self, at: int) -> Leave:
        self.flush()
        lines = ["<details>"]
        content = self.content
        summary = next((i for i in content.children(at) if content.names[i] == "summary"), None)
        if summary is not None:
            self.summaries.add(summary)
            lines.append(f"<summary>{html_inside(content, summary)}</summary>")
        self.html(lines)

        def leave() -> None:
            self.flush()
            self.html(["</details>"])

        return leave

    def html(self, lines: list[str]) -> None:
        self.lines.block("html", lines)
        # Only an empty line ends HTML, also in an item that has no other.
        self.lines.blanks += 1

    def summary(self, at: int) -> Leave | None:
        self.flush()
        return None if at in self.summaries else self.flush
