"""Which lines of Markdown belong together: noted while they are written, so that it need not be guessed afterwards."""

from __future__ import annotations

from typing import NamedTuple

from duramen.render.content import Content
from duramen.render.markdown_lines import Box, MarkdownLines

__all__ = ["MarkedLines", "Unit"]


class Unit(NamedTuple):
    """A block of Markdown with the line ends after it. All of them, joined, are the document."""

    kind: str
    """``paragraph``, ``heading``, ``code``, ``table``, ``item``, ``formula``, ``html``, ``rule`` or ``callout``."""
    text: str
    level: int = 0
    """Of a heading, 1 to 6."""
    title: str = ""
    """The plain text of a heading."""


class MarkedLines(MarkdownLines):
    """Lines of Markdown that know where each block begins."""

    def __init__(self) -> None:
        super().__init__()
        self._marks: dict[int, tuple[str, int]] = {}
        """The kind of the block that begins at a line, and of a heading the place of its element."""
        self._boxes: list[bool] = []
        """The open boxes: whether each is a list item."""
        self._items = 0

    def _mark(self, line: int, kind: str, at: int = -1) -> None:
        if not self._items:
            self._marks[line] = kind, at

    def begin(self, kind: str) -> None:
        super().begin(kind)
        self._mark(len(self.lines), kind)

    def heading(self, line: str, at: int) -> None:
        super().heading(line, at)
        self._mark(len(self.lines) - 1, "heading", at)

    def paragraph(self, text: str) -> None:
        super().paragraph(text)
        self._mark(len(self.lines) - 1 - text.count("\n"), "paragraph")

    def enter(self, marker: str, indent: str) -> Box:
        box = super().enter(marker, indent)
        is_item = marker != "> "
        if is_item:
            self._mark(len(self.lines), "item")
        self._boxes.append(is_item)
        self._items += is_item
        return box

    def leave(self, box: Box) -> bool:
        self._items -= self._boxes.pop()
        return super().leave(box)

    def units(self, content: Content) -> list[Unit]:
        """The blocks that were written, in order."""
        if not self.lines:
            return []
        lines = [f"{line}\n" for line in self.lines[:-1]] + self.lines[-1:]
        starts = sorted({0, *(line for line in self._marks if line < len(lines))})
        found: list[Unit] = []
        for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
            kind, at = self._marks.get(start, ("paragraph", -1))
            text = "".join(lines[start:stop])
            if kind == "html" and text.lstrip("> ").startswith("<table"):
                kind = "table"
            if at < 0:
                found.append(Unit(kind, text))
            else:
                title = " ".join(content.text(at).split())
                found.append(Unit(kind, text, int(content.names[at][1]), title))
        return found
