"""A line of Markdown: text that stays text, and the inline elements around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import unescape
from itertools import groupby

from duramen.lazy_pattern import lazy_pattern
from duramen.render.content import Content
from duramen.render.emphasis import Code, Delimiter, settle
from duramen.render.escape import (
    ESCAPES,
    IN_HTML_CODE,
    destination,
    ends_in_address,
    escaped,
    may_hold_address,
    protected,
)

__all__ = ["HARD_BREAK", "INLINE", "Leave", "Line", "nothing", "tex_of"]

Leave = Callable[[], None]
"""What to do at an element's end."""
Attributes = Mapping[str, str]

HARD_BREAK = "\\\n"

_DELIMITED = {
    **dict.fromkeys(("strong", "b"), "strong"),
    **dict.fromkeys(("em", "i", "dfn", "var"), "em"),
    **dict.fromkeys(("del", "s"), "del"),
}
_MARKED = {
    "sub": ("<sub>", "</sub>"),
    "sup": ("<sup>", "</sup>"),
    "u": ("<u>", "</u>"),
    "ins": ("<ins>", "</ins>"),
    "mark": ("<mark>", "</mark>"),
    "kbd": ("<kbd>", "</kbd>"),
    "q": ('"', '"'),
    "rt": ("\\(", ")"),
}
_CHECKS = {"☐": "[ ]", "☑": "[x]", "☒": "[x]"}

_TICKS = lazy_pattern(r"`+")
_NOTE = lazy_pattern(r"[\w-]{1,80}\Z")
_DOLLAR_IN_CODE = lazy_pattern(r"<code[^>]{0,99}>[^<]*\$")

_AUTOLINK = lazy_pattern(r"https?://[A-Za-z0-9./:?=#@,;+!~_-]+\Z")

_TEX_COMMENT = lazy_pattern(r"(?<!\\)%[^\n]*(?:\n|\Z)")
_TEX_TAG = lazy_pattern(r"<(?=\S)")


class _Reference(str):
    """A footnote reference; a bracket right behind it would make it a link."""

    __slots__ = ()


class _Mark:
    """An open inline element. It is written when text follows, so that white space stays outside."""

    __slots__ = ("address", "at", "closing", "delimiter", "kind", "opening")

    def __init__(self, kind: str, opening: str = "", closing: str = "", address: str = "") -> None:
        self.kind = kind
        self.opening = opening
        self.closing = closing
        self.address = address
        self.at = -1
        self.delimiter: Delimiter | None = None


class Line:
    """Inline content being read: pieces of Markdown, and the elements open around the next one."""

    def __init__(self, html: str, content: Content) -> None:
        self.parts: list[str] = []
        self.space = False
        """White space is due before the next piece."""
        self.broken = False
        """A line break is due before the next piece."""
        self.line_break = HARD_BREAK
        self.in_item = False
        """Whether this may be the beginning of a list item, where tasks have their box."""
        self._content = content
        self._marks: list[_Mark] = []
        self._active: set[str] = set()
        self._opened = 0
        """How many of the marks are written in this line."""
        self._delimiters: list[Delimiter] = []
        self._code = 0
        """Code elements around."""
        self._codes = 0
        """Code elements so far."""
        self._last_code = 0
        # A price could open a formula only where mathematics, or dollars in code, are around.
        every_dollar = "$" in html and ("data-math" in html or _DOLLAR_IN_CODE.search(html) is not None)
        self._in_address = False
        """Whether the last piece ends in a bare address, which reaches to the next white space."""
        self._outside, self._in_link = ESCAPES[False, every_dollar], ESCAPES[True, every_dollar]
        self._escapes = self._outside

    def text(self, data: str, is_special: int) -> None:
        """Add text whose white space is folded; it holds more than white space."""
        if data[0] == " ":
            self.space = True
            data = data[1:]
        ends_in_space = data[-1] == " "
        if ends_in_space:
            data = data[:-1]
        if self._code:
            self._add_code(data)
            self.space = ends_in_space
            return
        parts = self.parts
        if self.in_item and not parts and data[0] in _CHECKS and data[1:2] == " ":
            self.put(_CHECKS[data[0]])
            data = data[2:]
            self.space = True
        if self.broken or self._opened != len(self._marks):
            self._open()
        elif self.space:
            self._in_address = False
            if parts:
                parts.append(" ")
        text = escaped(self._escapes, data, self._in_address) if is_special else data
        if parts and text[0] in "([:" and type(parts[-1]) is _Reference:
            text = "\\" + text
        parts.append(text)
        self.space = ends_in_space
        if self._in_address or may_hold_address(data):
            self._in_address = ends_in_address(data, self._in_address)

    def _add_code(self, text: str) -> None:
        parts = self.parts
        last = parts[-1] if parts and not self.broken and self._opened == len(self._marks) else ""
        if type(last) is Code and self.space and self._last_code == self._codes:
            parts.append(Code(f" {text}"))
        else:
            self._open()
            # An address would take the opening backtick for its own.
            parts.append(f"<code>{text.translate(IN_HTML_CODE)}</code>" if self._in_address else Code(text))
        self._last_code = self._codes

    def put(self, piece: str) -> None:
        """Add finished Markdown."""
        self._open()
        self.parts.append(piece)

    def is_plain(self) -> bool:
        """Whether no inline element is open, and this is not the beginning of a list item."""
        return not (self._marks or self._code or self.in_item)

    def plain(self, text: str) -> str:
        """Text as it is written where no inline element is open."""
        return escaped(self._outside, text)

    def take(self) -> str:
        """The line, its marks closed; they open again with the next. Empty when there was nothing."""
        self.space = self.broken = self._in_address = False
        parts = self.parts
        if not parts:
            return ""
        self.in_item = False
        while self._opened:
            self._opened -= 1
            self._close(self._marks[self._opened])
        if self._delimiters:
            settle(parts, self._delimiters)
            self._delimiters = []
        self.parts = []
        return _with_code(parts) if self._codes else "".join(parts)

    def _open(self) -> None:
        """Write the white space and the opening marks that are due."""
        parts = self.parts
        if self.broken or self.space:
            self._in_address = False
            if parts:
                parts.append(self.line_break if self.broken else " ")
        self.space = self.broken = False
        if self._opened == len(self._marks):
            return
        for mark in self._marks[self._opened :]:
            if mark.kind == "link":
                self._shield()
            mark.at = len(parts)
            if mark.opening:
                parts.append(mark.opening)
            else:
                mark.delimiter = Delimiter(mark.kind, mark.at)
                self._delimiters.append(mark.delimiter)
                parts.append("~" if mark.kind == "del" else "*")
        self._opened = len(self._marks)

    def _shield(self) -> None:
        """Keep ``!`` and ``^`` before a bracket from becoming part of it."""
        if self.parts and type(last := self.parts[-1]) is not Code and last[-1] in "!^":
            self.parts[-1] = last[:-1] + protected(last[-1], self._in_address)

    def _push(self, mark: _Mark) -> Leave:
        self._marks.append(mark)
        self._active.add(mark.kind)
        return self._pop

    def _pop(self) -> None:
        if self._opened == len(self._marks):
            self._close(self._marks[-1])
            self._opened -= 1
        self._active.discard(self._marks.pop().kind)

    def _close(self, mark: _Mark) -> None:
        parts = self.parts
        if mark.delimiter:
            mark.delimiter.end = len(parts)
            parts.append("~" if mark.kind == "del" else "*")
            mark.delimiter = None
        elif (
            mark.address
            and len(parts) == mark.at + 2
            and parts[-1][:4] == "http"
            and type(parts[-1]) is str
            and unescape(parts[-1].replace("\\", "")) == mark.address
            and _AUTOLINK.match(mark.address)
        ):
            parts[mark.at :] = [f"<{mark.address}>"]
        else:
            parts.append(mark.closing)

    def bold(self) -> Leave:
        """Emphasize strongly until the returned function is called."""
        return nothing if "strong" in self._active else self._push(_Mark("strong"))

    def delimited(self, at: int) -> Leave:
        kind = _DELIMITED[self._content.names[at]]
        return nothing if self._code or kind in self._active else self._push(_Mark(kind))

    def marked(self, at: int) -> Leave | None:
        tag = self._content.names[at]
        if tag == "sup" and _NOTE.match(name := self._content.attribute(at, "data-footnote-ref") or ""):
            self._open()
            self._shield()
            self.parts.append(_Reference(f"[^{name}]"))
            return None
        if self._code or tag in self._active:
            return nothing
        opening, closing = _MARKED[tag]
        return self._push(_Mark(tag, opening, closing))

    def code(self, at: int) -> Leave:
        self._code += 1
        if self._code == 1:
            self._codes += 1
        return self._leave_code

    def _leave_code(self) -> None:
        self._code -= 1

    def link(self, at: int) -> Leave | None:
        content = self._content
        attributes: Attributes = content.values[at]
        href = attributes.get("href", "").strip()
        if not href or "link" in self._active:
            return nothing
        closing = f"]({destination(href)}{self._title(attributes) if 'title' in attributes else ''})"
        if content.ends[at] == at + 2 and not content.names[at + 1] and not self._code and self.parts:
            # Most links hold one text: they are written at once.
            self._plain_link(at + 1, href, closing)
            return None
        self._push(_Mark("link", "[", closing, href))
        self._escapes = self._in_link
        return self._leave_link

    def _plain_link(self, at: int, href: str, closing: str) -> None:
        data: str = self._content.values[at]
        if data[:1] == " ":
            self.space = True
        if text := data.strip(" "):
            self._open()
            self._shield()
            if text == href and _AUTOLINK.match(href):
                self.parts.append(f"<{href}>")
            else:
                self.parts.append(f"[{escaped(self._in_link, text) if self._content.ends[at] else text}{closing}")
            self.space = data[-1] == " "

    def _leave_link(self) -> None:
        self._pop()
        self._escapes = self._outside

    def image(self, at: int) -> None:
        attributes: Attributes = self._content.values[at]
        source = attributes.get("src", "").strip()
        if source:
            self.put(f"![{self._attribute(attributes.get('alt'))}]({destination(source)}{self._title(attributes)})")

    def span(self, at: int) -> Leave | None:
        if self._content.attribute(at, "data-math") is None:
            return nothing
        tex, plain = tex_of(self._content.text(at))
        if plain:
            self.put(f"${tex}$")
        elif tex:
            self._codes += 1
            self._add_code(tex)
        return None

    def _title(self, attributes: Attributes) -> str:
        title = self._attribute(attributes.get("title")).replace('"', '\\"')
        return f' "{title}"' if title else ""

    def _attribute(self, value: str | None) -> str:
        text = " ".join(value.split()) if value else ""
        return escaped(self._in_link, text) if text else ""


INLINE: dict[str, Callable[[Line, int], Leave | None]] = {
    **dict.fromkeys(_DELIMITED, Line.delimited),
    **dict.fromkeys(_MARKED, Line.marked),
    "a": Line.link,
    "code": Line.code,
    "img": Line.image,
    "samp": Line.code,
    "span": Line.span,
}


def tex_of(text: str) -> tuple[str, bool]:
    """A formula on one line, and whether it can be written between dollars.

    It holds nothing that a renderer without mathematics would take for a tag or a link.
    """
    tex = " ".join(_TEX_COMMENT.sub("\n", text).split())
    tex = _TEX_TAG.sub("< ", tex).replace("](", "] (")
    slashes = len(tex) - len(tex.rstrip("\\"))
    return tex, bool(tex) and "`" not in tex and "$" not in tex and slashes % 2 == 0


def nothing() -> None:
    """Leave an element that needs no closing."""


def _with_code(parts: list[str]) -> str:
    """Join the pieces of a line. Pieces of code that touch become one: two code spans that touch would not be two."""
    joined: list[str] = []
    for is_code, pieces in groupby(parts, lambda part: type(part) is Code):
        text = "".join(pieces)
        joined.append(_code_span(text) if is_code else text)
    return "".join(joined)


def _code_span(code: str) -> str:
    if "`" not in code:
        return f"`{code}`"
    runs = {len(run) for run in _TICKS.findall(code)}
    length = 1
    while length in runs:
        length += 1
    ticks = "`" * length
    pad = " " if code[0] == "`" or code[-1] == "`" else ""
    return f"{ticks}{pad}{code}{pad}{ticks}"
