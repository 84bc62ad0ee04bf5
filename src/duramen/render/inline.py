"""A line of Markdown: text that stays text, and the inline elements around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import unescape
from string import ascii_letters, digits

from duramen.lazy_pattern import lazy_pattern
from duramen.options import Output
from duramen.render.code_spans import PAIRED, has_dollar_in_code, html_code_span, with_code
from duramen.render.content import Content
from duramen.render.emphasis import Code, Delimiter, settle
from duramen.render.escape import (
    ESCAPES,
    destination,
    ends_in_address,
    escaped,
    protected,
)
from duramen.render.formulas import tex_between, tex_of

__all__ = ["CELL_BREAK", "HARD_BREAK", "INLINE", "Leave", "Line", "nothing"]

Leave = Callable[[], None]
"""What to do at an element's end."""
Attributes = Mapping[str, str]

HARD_BREAK = "\\\n"
CELL_BREAK = "<br>"

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

_IN_NAMES = f"{ascii_letters}{digits}-_"
_MOST_PIECES = 80
"""Of a directive's name."""
_MENTION = lazy_pattern(r"(?<![^\s\ufeff])@")
_NOTE = lazy_pattern(r"[\w-]{1,80}\Z")

_AUTOLINK = lazy_pattern(r"https?://[A-Za-z0-9./:?=#@,;+!~_-]+\Z")


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

    def __init__(self, html: str, content: Content, output: Output) -> None:
        self.parts: list[str] = []
        self.space = False
        """White space is due before the next piece."""
        self.broken = False
        """A line break is due before the next piece."""
        self.line_break = HARD_BREAK
        self.in_item = False
        """Whether this may be the beginning of a list item, where tasks have their box."""
        self.in_html = 0
        """Elements around that are written as HTML: some renderers read no Markdown in them."""
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
        self._holds_code = False
        """Whether a piece is code that is not yet between backticks."""
        self._last_code = 0
        # A price could open a formula only where mathematics, or dollars in code, are around.
        every_dollar = "$" in html and ("data-math" in html or has_dollar_in_code(html))
        self._in_address = False
        """Whether the last piece ends in a bare address, which reaches to the next white space."""
        self.references: dict[str, int] = {}
        """What the addresses that are written at the end say, and their numbers."""
        self._by_reference = output.reference_links
        self._formulas = output.formulas
        # Beside references any text in brackets could be a link.
        self._alone, self._in_link = ESCAPES[self._by_reference, every_dollar], ESCAPES[True, every_dollar]
        self._escapes = self._outside = self._alone

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
        if is_special and "$" in data and "link" in self._active:
            self._keep_brackets()
        if parts:
            last = parts[-1]
            if type(last) is _Reference:
                # One colon behind an escaped one could begin a directive.
                colons = len(text) - len(text.lstrip(":"))
                text = "\\:" * colons + text[colons:] if colons else f"\\{text}" if text[0] in "([" else text
            elif last[-1:] == ":" and type(last) is str and not self._in_address and text[0].isalpha():
                # A directive begins with a colon before a name.
                parts[-1] = f"{last[:-1]}\\:"
        parts.append(text)
        self.space = ends_in_space
        self._in_address = not ends_in_space and ends_in_address(data, self._in_address)

    def _keep_brackets(self) -> None:
        """Escape all brackets of the line's text from here on: one could end a link that is none.

        To a renderer it may begin in a formula, or have lost its own end between two dollars, tildes or the like.
        """
        self._outside = self._in_link
        if "link" not in self._active:
            self._escapes = self._in_link

    def free_brackets(self) -> None:
        """No formula is open any more: a line, or the last cell of a table, is done."""
        self._outside = self._alone
        if "link" not in self._active:
            self._escapes = self._alone

    def _add_code(self, text: str) -> None:
        parts = self.parts
        last = parts[-1] if parts and not self.broken and self._opened == len(self._marks) else ""
        # In a link, marked does not see where code with a backtick ends.
        is_html = (self.in_html and "<" in text) or ("`" in text and "link" in self._active)
        if type(last) is Code and self.space and self._last_code == self._codes and not is_html:
            parts.append(Code(f" {text}"))
        else:
            self._open()
            if parts and type(parts[-1]) is str and parts[-1].endswith("\\`"):
                # To some renderers it would be a part of the code's first backticks.
                parts[-1] = parts[-1][:-2] + protected("`", True)
            # An address would take the opening backtick for its own.
            parts.append(html_code_span(text) if is_html or self._in_address else Code(text))
        self._last_code = self._codes
        self._holds_code = True

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
        if self._outside is not self._alone and self.line_break != CELL_BREAK:
            self.free_brackets()
        if not self._holds_code:
            return "".join(parts)
        self._holds_code = False
        # A row that is no table to a renderer is one line of text to it.
        return with_code(parts, set(PAIRED if self.line_break == CELL_BREAK else ""))

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
        """Keep what is before a bracket from becoming part of it: ``!`` or a directive's name."""
        parts = self.parts
        if not parts or parts[-1] == " ":
            return
        if type(last := parts[-1]) is not Code and last[-1] == "!":
            parts[-1] = last[:-1] + protected("!", self._in_address)
        for at in range(len(parts) - 1, max(len(parts) - _MOST_PIECES, 0) - 1, -1):
            before = parts[at].rstrip(_IN_NAMES) if type(parts[at]) is str else parts[at]
            if before[-1:] == ":" and type(parts[at]) is str:
                parts[at] = before[:-1] + protected(":", self._in_address) + parts[at][len(before) :]
            if before:
                break

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
            and self._may_be_bare(mark.address)
        ):
            parts[mark.at :] = [f"<{mark.address}>"]
        else:
            parts.append(self._end_of_link(mark.closing) if mark.address else mark.closing)

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
        if "~" in href or "^" in href or "==" in href:
            self._keep_brackets()
        target = f"{destination(href)}{self._title(attributes) if 'title' in attributes else ''}"
        is_text = content.ends[at] == at + 2 and not content.names[at + 1]
        if is_text and not self._code and not self._begins_task(content.values[at + 1]):
            # Most links hold one text: they are written at once.
            self._plain_link(at + 1, href, target)
            return None
        self._push(_Mark("link", "[", target, href))
        self._escapes = self._in_link
        return self._leave_link

    def _begins_task(self, text: str) -> bool:
        return self.in_item and not self.parts and text.strip()[:1] in _CHECKS

    def _may_be_bare(self, address: str) -> bool:
        # In HTML, <https://a/b=c> would be an element with attributes.
        return not self.in_html and _AUTOLINK.match(address) is not None

    def _end_of_link(self, target: str) -> str:
        if self._by_reference:
            return f"][{self.references.setdefault(target, len(self.references) + 1)}]"
        return f"]({target})"

    def _plain_link(self, at: int, href: str, target: str) -> None:
        data: str = self._content.values[at]
        if data[:1] == " ":
            self.space = True
        if text := data.strip(" "):
            self._open()
            self._shield()
            if text == href and self._may_be_bare(href):
                self.parts.append(f"<{href}>")
            else:
                said = escaped(self._in_link, text) if self._content.ends[at] else text
                if "$" in text:
                    self._keep_brackets()
                self.parts.append(f"[{said}{self._end_of_link(target)}")
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
        tex, form = tex_of(self._content.text(at))
        if not tex:
            return None
        if form == "delimited":
            if "[" in tex:
                self._keep_brackets()
            self.put(tex_between(tex, self._formulas))
        else:
            self._codes += 1
            self._add_code(tex)
        return None

    def _title(self, attributes: Attributes) -> str:
        title = self._attribute(attributes.get("title")).replace('"', "&quot;")
        return f' "{title}"' if title else ""

    def _attribute(self, value: str | None) -> str:
        text = " ".join(value.split()) if value else ""
        # Some renderers write the attribute without escaping it, and then let ">" end the tag.
        if "$" in text:
            self._keep_brackets()
        text = escaped(self._in_link, text).replace(">", "&gt;") if text else ""
        # Nor does everybody know a backslash there.
        text = text.replace("\\[", "&#91;").replace("\\]", "&#93;")
        # Others put a link to whom is mentioned into it.
        return _MENTION.sub("&#64;", text) if "@" in text else text


INLINE: dict[str, Callable[[Line, int], Leave | None]] = {
    **dict.fromkeys(_DELIMITED, Line.delimited),
    **dict.fromkeys(_MARKED, Line.marked),
    "a": Line.link,
    "code": Line.code,
    "img": Line.image,
    "samp": Line.code,
    "span": Line.span,
}


def nothing() -> None:
    """Leave an element that needs no closing."""
