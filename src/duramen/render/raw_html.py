"""HTML inside Markdown, where Markdown has no notation: bare canonical elements, and never an empty line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from duramen.dom import Element, Node, Text, escape
from duramen.render.text import LANGUAGE, code_text

__all__ = ["html_inside", "html_lines"]

_TAGS = re.compile(
    r"p|h[1-6r]|[uo]l|li|d[ltd]|blockquote|pre|fig(?:ure|caption)|table|caption|t(?:head|body|foot|[rhd])"
    r"|details|summary|div|section|article|address|a|img|b|br|i|em|strong|u|s|del|ins|mark|small|su[bp]|q"
    r"|cite|abbr|dfn|kbd|samp|var|code|time|ruby|r[tp]|bd[io]"
)
_ATTRIBUTES = ("href", "src", "alt", "title", "colspan", "rowspan", "start", "reversed", "dir")
_VOID = frozenset(("br", "hr", "img"))


def html_lines(element: Element) -> list[str]:
    """An element as lines of HTML, one for each table row.

    An empty line would end the block of HTML, and what follows would be read as Markdown: white space is folded, and
    written as a reference where it matters.
    """
    return _Writer(element).write()


def html_inside(element: Element) -> str:
    """An element's content on one line."""
    return " ".join(_Writer(element, outer=False).write())


class _Writer:
    def __init__(self, root: Element, outer: bool = True) -> None:
        self.root = root
        self.outer = outer
        self.lines: list[str] = []
        self.out: list[str] = []
        self.verbatim = 0

    def write(self) -> list[str]:
        stack = [self.start(self.root)]
        while stack:
            nodes, closing = stack[-1]
            for node in nodes:
                if isinstance(node, Text):
                    self.text(escape(node.data, quote=False))
                elif isinstance(node, Element):
                    stack.append(self.start(node))
                    break
            else:
                stack.pop()
                self.out.append(closing)
                if closing == "</pre>":
                    self.verbatim -= 1
        self.end_line()
        return self.lines

    def start(self, element: Element) -> tuple[Iterator[Node], str]:
        tag = element.tag
        closing = ""
        if self.outer or element != self.root:
            if tag == "tr":
                self.end_line()
            if _TAGS.fullmatch(tag):
                self.out.append(f"<{tag}{_attributes(element)}>")
                closing = "" if tag in _VOID else f"</{tag}>"
        if closing == "</pre>":
            self.verbatim += 1
            # The parser drops a line end right after the tag.
            if code_text(element)[:1] == "\n":
                self.out.append("&#10;")
        return iter(element.children), closing

    def text(self, text: str) -> None:
        if self.verbatim:
            self.out.append(text.replace("\r", "&#13;").replace("\n", "&#10;"))
        elif text:
            folded = " ".join(text.split())
            lead = " " if text[0].isspace() else ""
            trail = " " if folded and text[-1].isspace() else ""
            self.out.append(f"{lead}{folded}{trail}")

    def end_line(self) -> None:
        if line := "".join(self.out).strip():
            self.lines.append(line)
        self.out.clear()


def _attributes(element: Element) -> str:
    pairs = [(name, " ".join(value.split())) for name in _ATTRIBUTES if (value := element.attr(name)) is not None]
    if element.tag == "code" and (language := LANGUAGE.search(element.attr("class") or "")):
        pairs.append(("class", f"language-{language[1]}"))
    return "".join(f' {name}="{escape(value)}"' for name, value in pairs)
