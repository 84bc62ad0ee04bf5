"""The content as TEI P5, by the schema TEI Lite: what corpora of texts are made of.

A heading begins a ``div`` that ends where another of its level begins; blocks without a form of their own are
paragraphs. Each open element allows less than the one around it (:class:`_Room`), and what is not allowed is written as
its text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import NamedTuple

from duramen.lazy_pattern import lazy_pattern
from duramen.model import Metadata
from duramen.parts.outline import LEVELS, line_of
from duramen.parts.tei_header import WHEN, pointer, tei_header, xml_text, xml_value
from duramen.render.content import Content
from duramen.render.grid import is_layout, number
from duramen.render.raw_html import language_of
from duramen.tree import BLOCK_TAGS

__all__ = ["render_tei"]

_SOME_BLOCK = lazy_pattern("<(?:p|list|table|q|div)[ >/]")
_NAME = lazy_pattern(r"[A-Za-z_][\w.-]*\Z")
_HIGHLIGHTED = {
    "b": "bold", "strong": "bold", "em": "italic", "i": "italic", "u": "underline", "mark": "mark", "small": "small",
    "sub": "sub", "sup": "sup", "kbd": "keyboard", "samp": "sample", "var": "variable", "rt": "ruby",
}  # fmt: skip
_PHRASES = {"s": "del", "del": "del", "ins": "add", "q": "q", "cite": "title"}
_TERMS = {"abbr": "abbr", "dfn": "term"}
_SKIPPED = frozenset({"rp", "wbr", "colgroup", "col"})


class _Room(IntEnum):
    """What an open element may hold."""

    FLOW = 0
    """Blocks, but no text: a ``div``."""
    MIXED = 1
    """Blocks and text: an ``item``."""
    LINE = 2
    """Text, and lists, quotations and tables: a ``p``."""
    PHRASE = 3
    """Text only, marked up or not: a ``term``."""


class _Open(NamedTuple):
    """An element that is open."""

    end: int
    """The place of its end tag; of a paragraph that the page has no element for, of the element around it."""
    written: str
    """What is written there."""
    room: _Room
    is_ours: bool = False
    """Whether the page has no element for it."""


def render_tei(html: str, metadata: Metadata, url: str | None) -> str:
    """Write sanitized HTML as a TEI document."""
    body = _Writer(Content(html, b"")).write()
    if not _SOME_BLOCK.search(body):
        # A body of nothing but figures and rules is not valid.
        body += "<p/>"
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0">\n'
        f"{tei_header(metadata, url)}\n<text>\n<body>\n{body}\n</body>\n</text>\n</TEI>\n"
    )


class _Writer:
    """One loop over the flat content, with a stack of what is open."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.out: list[str] = []
        self.stack: list[_Open] = []
        self.divisions: list[int] = []
        """The levels of the headings whose ``div`` is open."""
        self.names: set[str] = set()
        self.figure_end = 0

    @property
    def room(self) -> _Room:
        return self.stack[-1].room if self.stack else _Room.FLOW

    def write(self) -> str:
        content, out, names = self.content, self.out, self.content.names
        at = 0
        while at < len(names):
            name = names[at]
            while self.stack and at >= self.stack[-1].end:
                out.append(self.stack.pop().written)
            if not name:
                self.text(content.values[at])
            elif name[0] == "/":
                if name[1:] in BLOCK_TAGS:
                    self.end_paragraph()
            elif name in _SKIPPED:
                at = content.ends[at]
            elif handler := _HANDLERS.get(name):
                at = handler(self, at) or at
            elif name in BLOCK_TAGS:
                self.block(at)
            at += 1
        out += [one.written for one in reversed(self.stack)]
        out += ["\n</div>"] * len(self.divisions)
        return "".join(out).strip()

    def text(self, text: str) -> None:
        if self.room is _Room.FLOW:
            if not text.strip():
                return
            self.begin_paragraph()
        self.out.append(xml_text(text))

    def begin_paragraph(self) -> None:
        self.out.append("\n<p>")
        end = self.stack[-1].end if self.stack else len(self.content.names)
        self.stack.append(_Open(end, "</p>", _Room.LINE, is_ours=True))

    def end_paragraph(self) -> None:
        if self.stack and self.stack[-1].is_ours:
            self.out.append(self.stack.pop().written)

    def enter(self, at: int, tag: str, room: _Room, attributes: str = "") -> None:
        """Begin an element that ends where that of the page ends."""
        if self.content.ends[at] <= at + 1:
            self.out.append(f"<{tag}{attributes}/>")
        else:
            self.out.append(f"<{tag}{attributes}>")
            room = _Room.PHRASE if self.room is _Room.PHRASE else room
            self.stack.append(_Open(self.content.ends[at], f"</{tag}>", room))

    def inline(self, at: int, tag: str, attributes: str = "", room: _Room = _Room.LINE) -> None:
        if self.room is _Room.FLOW:
            self.begin_paragraph()
        self.enter(at, tag, room, attributes)

    def block(self, at: int) -> None:
        """A block without a form of its own only ends a line."""
        self.end_paragraph()
        if self.room >= _Room.LINE and self.out[-1][-1:] not in (">", " "):
            self.out.append("<lb/>")

    def may_hold(self, least: _Room = _Room.LINE) -> bool:
        """Whether a block may begin here, after the paragraph that is ours."""
        self.end_paragraph()
        return self.room <= least

    def paragraph(self, at: int, attributes: str = "") -> None:
        if self.may_hold(_Room.MIXED):
            self.out.append("\n")
            self.enter(at, "p", _Room.LINE, attributes)
        else:
            self.block(at)

    def heading(self, at: int) -> None:
        self.end_paragraph()
        level = LEVELS[self.content.names[at]]
        if self.stack:
            self.paragraph(at, ' rend="head"')
            return
        while self.divisions and self.divisions[-1] >= level:
            self.divisions.pop()
            self.out.append("\n</div>")
        self.divisions.append(level)
        self.out.append("\n<div>\n")
        self.enter(at, "head", _Room.LINE)

    def list_(self, at: int) -> None:
        content = self.content
        if not self.may_hold() or not _is_made_of(content, at, ("li",)):
            self.block(at)
            return
        kind = "numbered" if content.names[at] == "ol" else "bulleted"
        self.out.append("\n")
        self.enter(at, "list", _Room.FLOW, f' rend="{kind}"')

    def item(self, at: int) -> None:
        self.end_paragraph()
        if not self.in_list():
            self.paragraph(at)
            return
        name = self.content.attribute(at, "id") or ""
        stated = ""
        if _NAME.match(name) and name not in self.names:
            self.names.add(name)
            stated = f' xml:id="{name}"'
        self.out.append("\n")
        self.enter(at, "item", _Room.MIXED, stated)

    def in_list(self) -> bool:
        return bool(self.stack) and self.stack[-1].written == "</list>"

    def descriptions(self, at: int) -> int | None:
        """Terms and descriptions by turns, as the schema has them."""
        content = self.content
        parts = list(content.children(at))
        if not self.may_hold() or not _is_made_of(content, at, ("dt", "dd")):
            self.block(at)
            return None
        label: list[str] = []
        items: list[str] = []
        out = ['\n<list type="gloss">']

        def finish() -> None:
            if label or items:
                out.append(f"\n<label>{xml_text('; '.join(label))}</label>\n<item>{''.join(items)}</item>")
            label.clear()
            items.clear()

        for i in parts:
            if content.names[i] == "dt":
                if items:
                    finish()
                label.append(line_of(content, i))
            else:
                items.append(f"<p>{xml_text(line_of(content, i))}</p>")
        finish()
        self.out += [*out, "\n</list>"]
        return content.ends[at]

    def quotation(self, at: int) -> None:
        if not self.may_hold():
            self.block(at)
            return
        kind = self.content.attribute(at, "data-callout")
        self.out.append("\n")
        self.enter(at, "q", _Room.MIXED, f' rend="{xml_value("-".join(kind.split()))}"' if kind else "")

    def code_block(self, at: int) -> int:
        content = self.content
        inner = next((i for i in range(at + 1, content.ends[at]) if content.names[i] == "code"), at)
        language = language_of(content, inner)
        stated = f' lang="{xml_value(language)}"' if language else ""
        written = f'<code rend="block"{stated}>{xml_text(content.code(at))}</code>'
        self.end_paragraph()
        self.out.append(f"\n<p>{written}</p>" if self.room <= _Room.MIXED else written)
        return content.ends[at]

    def code(self, at: int) -> int:
        if self.room is _Room.FLOW:
            self.begin_paragraph()
        self.out.append(f"<code>{xml_text(self.content.text(at))}</code>")
        return self.content.ends[at]

    def table(self, at: int) -> int | None:
        content = self.content
        if not self.may_hold() or is_layout(content, at) or not content.holds(at, ("td", "th")):
            self.block(at)
            return None
        self.out.append("\n")
        self.enter(at, "table", _Room.FLOW)
        caption = next((i for i in content.children(at) if content.names[i] == "caption"), None)
        if caption is not None and (text := line_of(content, caption)):
            self.out.append(f"\n<head>{xml_text(text)}</head>")
        return None

    def in_table(self, written: str) -> bool:
        self.end_paragraph()
        return bool(self.stack) and self.stack[-1].written == written

    def caption(self, at: int) -> int | None:
        """Written with its table."""
        if self.in_table("</table>"):
            return self.content.ends[at]
        self.block(at)
        return None

    def row(self, at: int) -> None:
        cells = [i for i in self.content.children(at) if self.content.names[i] in ("td", "th")]
        if not self.in_table("</table>"):
            self.block(at)
        elif cells:
            is_label = all(self.content.names[i] == "th" for i in cells)
            self.out.append("\n")
            self.enter(at, "row", _Room.FLOW, ' role="label"' if is_label else "")

    def cell(self, at: int) -> None:
        if not self.in_table("</row>"):
            self.block(at)
            return
        stated = ' role="label"' if self.content.names[at] == "th" else ""
        for name, span in (("cols", "colspan"), ("rows", "rowspan")):
            if (count := number(self.content.attribute(at, span))) > 1:
                stated += f' {name}="{count}"'
        self.enter(at, "cell", _Room.MIXED, stated)

    def figure(self, at: int) -> None:
        if not self.may_hold() or self.figure_end > at or not self.content.holds(at, ("img",)):
            self.block(at)
            return
        self.figure_end = self.content.ends[at]
        self.out.append("\n")
        self.enter(at, "figure", _Room.FLOW)

    def figure_caption(self, at: int) -> None:
        self.end_paragraph()
        if self.stack and self.stack[-1].written == "</figure>":
            self.enter(at, "head", _Room.LINE)
        else:
            self.block(at)

    def image(self, at: int) -> None:
        content = self.content
        alt = content.attribute(at, "alt")
        description = f"<figDesc>{xml_text(alt)}</figDesc>" if alt else ""
        stated = pointer("url", content.attribute(at, "src") or "")
        if not stated:
            return
        image = f"<graphic{stated}/>{description}"
        if self.room is _Room.FLOW and self.stack and self.stack[-1].written == "</figure>":
            self.out.append(image)
            return
        self.out.append(f"<figure>{image}</figure>")

    def link(self, at: int) -> None:
        target = self.content.attribute(at, "href")
        if target:
            self.inline(at, "ref", pointer("target", target))

    def span(self, at: int) -> int | None:
        if self.content.attribute(at, "data-math") is None:
            return None
        if self.room is _Room.FLOW:
            self.begin_paragraph()
        self.out.append(f'<formula notation="tex">{xml_text(self.content.text(at))}</formula>')
        return self.content.ends[at]

    def time(self, at: int) -> None:
        when = self.content.attribute(at, "datetime") or ""
        stated = f' when="{when}"' if WHEN.match(when) else ""
        self.inline(at, "date", stated, _Room.PHRASE)

    def rule(self, at: int) -> None:
        self.end_paragraph()
        self.out.append('\n<milestone unit="section" rend="rule"/>')

    def line_break(self, at: int) -> None:
        if self.room is not _Room.FLOW:
            self.out.append("<lb/>")

    def phrase(self, at: int) -> None:
        name = self.content.names[at]
        if name in _HIGHLIGHTED:
            self.inline(at, "hi", f' rend="{_HIGHLIGHTED[name]}"')
        elif name in _TERMS:
            self.inline(at, _TERMS[name], "", _Room.PHRASE)
        else:
            self.inline(at, _PHRASES[name])


def _is_made_of(content: Content, at: int, tags: tuple[str, ...]) -> bool:
    """Whether an element holds elements of these tags, and nothing beside them."""
    i, end = at + 1, content.ends[at]
    if i >= end:
        return False
    while i < end:
        if content.names[i]:
            if content.names[i] not in tags:
                return False
            i = content.ends[i]
        elif content.values[i].strip():
            return False
        i += 1
    return True


_HANDLERS: Mapping[str, Callable[[_Writer, int], int | None]] = {
    **dict.fromkeys(LEVELS, _Writer.heading),
    **dict.fromkeys((*_HIGHLIGHTED, *_PHRASES, *_TERMS), _Writer.phrase),
    **dict.fromkeys(("ul", "ol"), _Writer.list_),
    **dict.fromkeys(("td", "th"), _Writer.cell),
    "a": _Writer.link,
    "blockquote": _Writer.quotation,
    "br": _Writer.line_break,
    "caption": _Writer.caption,
    "code": _Writer.code,
    "dl": _Writer.descriptions,
    "figcaption": _Writer.figure_caption,
    "figure": _Writer.figure,
    "hr": _Writer.rule,
    "img": _Writer.image,
    "li": _Writer.item,
    "p": _Writer.paragraph,
    "pre": _Writer.code_block,
    "span": _Writer.span,
    "table": _Writer.table,
    "time": _Writer.time,
    "tr": _Writer.row,
}
