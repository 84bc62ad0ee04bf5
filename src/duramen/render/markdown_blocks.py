"""The blocks of Markdown that need no more than themselves: paragraphs, headings, code, quotations, details."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from duramen.lazy_pattern import lazy_pattern
from duramen.options import Output
from duramen.render.content import Content
from duramen.render.escape import SPECIAL
from duramen.render.formulas import tex_of
from duramen.render.inline import HARD_BREAK, Leave, Line
from duramen.render.markdown_lines import MarkdownLines
from duramen.render.raw_html import html_code, html_inside, language_of

__all__ = ["MAX_LEVELS", "BlockWriter", "Handlers"]

Handlers = Mapping[str, Callable[[Any, int], Leave | None]]
"""By tag what begins an element, given its place. It returns what ends the element, or None to pass over it."""

MAX_LEVELS = 18
"""Levels of nesting written (a list takes two, a quotation one); what lies deeper is written at the deepest level.
Renderers drop content below about twenty levels."""

_CALLOUTS = frozenset(("note", "tip", "important", "warning", "caution"))
_CLOSING_HASHES = lazy_pattern(r"(?:^|(?<= ))#+$")
_ESCAPED = r"\\\g<0>"
# Python-Markdown knows no fences inside other blocks: it reads the code as text there, in which a line like these ends
# the paragraph and with it what the backticks protect, or is a block of HTML.
_ENDS_PARAGRAPH = lazy_pattern(r"(?:\A|\n)[ \t]*(?:\n|\Z|[-=#>/!?*+~:|.%(\[<\d])")
_FIRST_IS_EMPTY = lazy_pattern(r"[ \t]*\n")
_MARKUP = lazy_pattern(r"<[A-Za-z!/?]|\][(\[:]|\[\[|\[=|:[A-Za-z]|///|\{[^{}\n]*[A-Za-z]{3}=[^=\s]")


class BlockWriter:
    """The content, the lines written so far, and the line being read."""

    def __init__(self, html: str, in_flow: Handlers, in_line: Handlers, output: Output) -> None:
        self.output = output
        self.content = Content(html, SPECIAL)
        self.lines = MarkdownLines()
        self.line = Line(html, self.content, output)
        self.handlers = self.in_flow = in_flow
        self.in_line = in_line
        """The handlers in headings and table cells, where no block can begin."""
        self.levels = 0
        self.summaries: set[int] = set()
        """Summaries written already with the ``details`` they belong to."""
        self._headings: list[tuple[int, int]] = []
        """The level of each heading that the next one may be under, and the level it was written with."""

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
        tex, form = tex_of(self.content.text(at))
        formulas = self.output.formulas
        if tex and form == "delimited" and formulas != "backticks":
            in_brackets = formulas == "brackets" and r"\]" not in tex
            self.lines.block("formula", [rf"\[{tex}\]" if in_brackets else f"$${tex}$$"])
        elif tex:
            self.fence("latex" if form == "code" else "math", tex)
        return None

    def begin_line(self, line_break: str) -> None:
        self.flush()
        self.handlers, self.line.line_break = self.in_line, line_break

    def end_line(self) -> str:
        text = self.line.take()
        self.handlers, self.line.line_break = self.in_flow, HARD_BREAK
        return text

    def heading(self, at: int) -> Leave:
        self.begin_line(" ")
        level = int(self.content.names[at][1])
        marks = "#" * (self.stepped(level) if self.output.step_headings else level)

        def leave() -> None:
            if text := self.end_line():
                # Hashes at the end would close the heading.
                text = _CLOSING_HASHES.sub(_ESCAPED, text) if text[-1] == "#" else text
                # For showdown the heading's name would begin at the last brace, even one in code.
                text = f"{text[:-1]}&#125;" if text[-1] == "}" else text
                self.lines.heading(f"{marks} {text}", at)

        return leave

    def stepped(self, level: int) -> int:
        """One level below the heading that this one is under; the first level is the title's."""
        opened = self._headings
        while opened and opened[-1][0] >= level:
            opened.pop()
        written = 1 if level == 1 else opened[-1][1] + 1 if opened else 2
        opened.append((level, written))
        return written

    def rule(self, at: int) -> None:
        self.flush()
        # At the beginning `---` would open front matter, in a list `- ---` would be a rule without an item.
        plain = self.lines.lines and self.lines.first is None
        self.lines.block("rule", ["---" if plain else "___"])

    def preformatted(self, at: int) -> None:
        self.flush()
        content = self.content
        text = content.code(at)
        if not text.strip():
            return
        code = next((i for i in range(at + 1, content.ends[at]) if content.names[i] == "code"), at)
        self.fence(language_of(content, code), text)

    def fence(self, language: str, text: str) -> None:
        text = text.removesuffix("\n")
        if _MARKUP.search(text) and self._is_misread(text):
            self.html([html_code(language, text)])
            return
        # In showdown, only the closing fence of code that begins an item would be one.
        tick = "~" if self.lines.begins_item() else "`"
        runs = re.findall(f"{tick}{{3,}}", text)
        ticks = tick * max(3, 1 + max(map(len, runs), default=0))
        self.lines.block("code", [ticks + language, *text.split("\n"), ticks])

    def _is_misread(self, code: str) -> bool:
        """Whether some renderer does not take a fence for one here."""
        lines = self.lines
        if not (lines.prefix or lines.first):
            # Behind a list that ends with code, pymdownx reads no fence whose first line is empty, and none at all if
            # the code begins the item.
            last = next((line for line in reversed(lines.lines) if line.strip()), "")
            return last.lstrip().startswith("~~~") or _FIRST_IS_EMPTY.match(code) is not None
        return bool(self.line.in_html or lines.begins_item() or _ENDS_PARAGRAPH.search(code))

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
        self.line.in_html += 1

        def leave() -> None:
            self.flush()
            self.line.in_html -= 1
            self.html(["</details>"])

        return leave

    def html(self, lines: list[str]) -> None:
        self.lines.block("html", lines)
        # Only an empty line ends HTML, also in an item that has no other.
        self.lines.blanks += 1

    def summary(self, at: int) -> Leave | None:
        self.flush()
        return None if at in self.summaries else self.flush
