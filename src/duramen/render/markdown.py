"""GitHub-flavoured Markdown of sanitized canonical HTML, and the YAML front matter before it.

Two promises shape this module. What is text on the page stays text: whatever a CommonMark renderer would read as markup
is escaped, so that no tag, attribute or address appears that the sanitized HTML did not have. And code is kept to the
byte. Where Markdown has no notation (``<sub>``, ``<kbd>``, ``<details>``, tables with lists in their cells) the bare
HTML elements are written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from unicodedata import category

from duramen.dom import BLOCK_TAGS, Element, Node, Text, escape, fragment
from duramen.model import Metadata
from duramen.render.text import INVISIBLE, code_text, has_invisible

__all__ = ["front_matter", "render_markdown"]

MAX_LEVELS = 18
"""Levels of nesting written (a list takes two, a quotation one); what lies deeper is written at the deepest level.
Renderers drop content below about twenty levels."""
MAX_SPAN = 100
"""Columns or rows a table cell is taken to span at most."""

_Leave = Callable[[], None]

_HARD_BREAK = "\\\n"
_CELL_BREAK = "<br>"
_DELIMITED = {
    "strong": "strong",
    "b": "strong",
    "em": "em",
    "i": "em",
    "dfn": "em",
    "var": "em",
    "del": "del",
    "s": "del",
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
_CALLOUTS = frozenset(("note", "tip", "important", "warning", "caution"))
_SKIPPED = frozenset(("rp", "script", "style", "template", "colgroup", "col", "wbr"))
_CHECKS = {"☐": "[ ]", "☑": "[x]", "☒": "[x]"}
_SECOND_CELL = "td ~ td, td ~ th, th ~ td, th ~ th"
_NOT_IN_CELLS = "table, ul, ol, dl, pre, blockquote, hr, details"

# Why these and no others: `_` between letters, `[1]` with nothing behind it, `< ` and `&` in an address mean nothing to
# CommonMark. A node's end is treated as the worst neighbour, since what follows is not known yet.
_BRACKET = r"\[(?!(?![!^ ]|[xX]\])[^\[\]]{1,80}\](?![(\[:]|\Z))"
_PLAIN = r"[`*~]|\\(?=[!-/:-@\[-`{-~]|\Z)|_(?![^\W_])|(?<![^\W_])_|<(?!\s)|&(?=#?[A-Za-z0-9]*(?:;|\Z))|\^(?=\[)"
_SPECIAL = re.compile(r"[\\`*_~\[\]<&$^]")
_PRICE = r"|\$(?!\d)"
_DOLLAR = r"|\$"
_ESCAPES = {
    (links, dollars): re.compile(_PLAIN + ("|" + (r"[\[\]]" if links else _BRACKET)) + (_DOLLAR if dollars else _PRICE))
    for links in (False, True)
    for dollars in (False, True)
}
_LINE_START = re.compile(r"(?:#{1,6}|[-+:])(?= |$)|>|=+ *$|[-:|][-:| ]*$|(\d{1,9})[.)](?= |$)")
_LINE_START_CHARS = frozenset("#-+:>=|0123456789")
_CLOSING_HASHES = re.compile(r"(?:^|(?<= ))#+$")
_TICKS = re.compile(r"`+")
_LANGUAGE = re.compile(r"(?:^|\s)language-([\w+#.-]+)(?=\s|$)")
_NOTE_ID = re.compile(r"[\w-]{1,80}\Z")
_ADDRESS_ONLY = re.compile(r"[^\s]+(?:\s+[\"'(].*)?\Z", re.S)
"""A footnote of this form would be a link definition to a renderer without footnotes."""
_DOLLARS_IN_CODE = re.compile(r"data-math|<code[^>]*>[^<]*\$")

_URL_SPECIAL = re.compile(r"[\s<>\\`()\"$&]")
_URL_PARENS = re.compile(r"[()]")
_URL_ENTITY = re.compile(r"&(?=#?[A-Za-z0-9]+;)")
_URL_ENCODED = {ord(c): f"%{ord(c):02X}" for c in ' <>\\`"\t\n\r\f\v'}
_AUTOLINK = re.compile(r"https?://[A-Za-z0-9./:?=#@,;+!~_-]+\Z")

_TEX_COMMENT = re.compile(r"(?<!\\)%[^\n]*(?:\n|\Z)")
_TEX_TAG = re.compile(r"<(?=\S)")

_HTML_TAGS = re.compile(
    r"p|h[1-6r]|[uo]l|li|d[ltd]|blockquote|pre|fig(?:ure|caption)|table|caption|t(?:head|body|foot|[rhd])"
    r"|details|summary|div|section|article|address|a|img|b|br|i|em|strong|u|s|del|ins|mark|small|su[bp]|q"
    r"|cite|abbr|dfn|kbd|samp|var|code|time|ruby|r[tp]|bd[io]"
)
_HTML_ATTRIBUTES = ("href", "src", "alt", "title", "colspan", "rowspan", "start", "reversed", "dir")
_HTML_VOID = frozenset(("br", "hr", "img"))

_YAML_UNPRINTABLE = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_YAML_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)?)?\Z")
_SURROGATES = re.compile(r"[\ud800-\udfff]")


def render_markdown(html: str, front_matter: str = "") -> str:
    """Write sanitized HTML as GitHub-flavoured Markdown, after the front matter if there is any.

    >>> print(render_markdown("<p>Call <code>a|b</code>, <b>not</b> 2*3.</p><ol><li>One<ul><li>Two</ul></ol>"))
    Call `a|b`, **not** 2\\*3.
    <BLANKLINE>
    1. One
       - Two
    """
    text = _Writer(html).write(fragment(html))
    return f"{front_matter.rstrip()}\n\n{text}" if front_matter else text


def front_matter(metadata: Metadata, url: str | None) -> str:
    """The metadata that is there as a YAML block, or nothing.

    >>> print(front_matter(Metadata(title='A "b": c', published="2026-01-02", tags=("x", "y")), None), end="")
    ---
    title: "A \\"b\\": c"
    published: 2026-01-02
    tags:
      - "x"
      - "y"
    ---
    """
    canonical = metadata.canonical_url
    fields: tuple[tuple[str, str | tuple[str, ...] | None], ...] = (
        ("title", metadata.title),
        ("authors", metadata.authors),
        ("published", metadata.published),
        ("modified", metadata.modified),
        ("description", metadata.description),
        ("site_name", metadata.site_name),
        ("language", metadata.language),
        ("url", url),
        ("canonical_url", canonical if canonical != url else None),
        ("image", metadata.image),
        ("section", metadata.section),
        ("tags", metadata.tags),
        ("licence", metadata.licence),
    )
    lines: list[str] = []
    for name, value in fields:
        if not value:
            continue
        if isinstance(value, tuple):
            lines.append(f"{name}:")
            lines.extend(f"  - {_yaml(item)}" for item in value)
        elif name in ("published", "modified") and _is_time(value):
            lines.append(f"{name}: {value}")
        else:
            lines.append(f"{name}: {_yaml(value)}")
    return "\n".join(("---", *lines, "---", "")) if lines else ""


def _yaml(value: str) -> str:
    quoted = json.dumps(_SURROGATES.sub("\ufffd", value), ensure_ascii=False)
    return _YAML_UNPRINTABLE.sub(lambda m: f"\\u{ord(m[0]):04x}", quoted)


def _is_time(value: str) -> bool:
    if not _YAML_TIME.match(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


class _Code(str):
    """A piece of a line that is code: neither escaped nor yet between backticks."""

    __slots__ = ()


class _Reference(str):
    """A footnote reference; a bracket right behind it would make it a link."""

    __slots__ = ()


@dataclass(slots=True)
class _Delimiter:
    """A pair of emphasis markers, whose form depends on neighbours that come later."""

    kind: str
    start: int
    end: int = -1
    char: str = ""
    """``*``, ``_`` or ``~``; empty when written as HTML."""


@dataclass(slots=True)
class _Mark:
    """An open inline element. It is written when text follows, so that white space stays outside."""

    kind: str
    opening: str = ""
    closing: str = ""
    address: str = ""
    at: int = -1
    delimiter: _Delimiter | None = None


@dataclass(slots=True)
class _List:
    """An open list; without a bullet it lies too deep and its items are plain blocks."""

    kind: str
    bullet: str
    number: int = 1
    step: int = 1
    item: _Box | None = None
    described: bool = False


@dataclass(slots=True)
class _Box:
    """What to restore when a quotation or list item ends."""

    first: str | None
    prefix: str
    blanks: int
    note: bool


@dataclass(slots=True)
class _Grid:
    """A table being read."""

    rows: list[list[str]] = field(default_factory=list)
    header: bool = False
    """Whether the first row names the columns."""
    row: list[str] = field(default_factory=list)
    spans: dict[int, int] = field(default_factory=dict)
    """Columns taken by a cell from above, with the rows still to go."""
    blanks: int = 0
    cells: int = 0


class _Writer:
    """One pass over the tree with a stack of its own, since depth is the page's choice.

    Lines are written once, with the whole prefix of the quotations and lists around them.
    """

    def __init__(self, html: str) -> None:
        self.out: list[str] = []
        self.prefix = ""
        self.first: str | None = None
        """The prefix of the next line only, when a list item has just begun."""
        self.blank: str | None = None
        """The empty line owed before the next block."""
        self.blanks = 0
        self.previous = ""
        """The kind of the block before, in the same container."""
        self.glue = False
        """Whether a paragraph follows without an empty line."""
        self.note = False
        """Whether the next line is the first of a footnote."""
        self.levels = 0
        self.lists: list[_List] = []
        self.grid: _Grid | None = None

        self.parts: list[str] = []
        self.marks: list[_Mark] = []
        self.active: set[str] = set()
        self.opened = 0
        self.delimiters: list[_Delimiter] = []
        self.space = False
        self.broken = False
        self.line_break = _HARD_BREAK
        self.in_line = False
        """Whether blocks cannot begin here: in headings and table cells they only part words or lines."""
        self.code = 0
        self.code_of_last = 0
        self.codes = 0
        self.invisible = has_invisible(html)
        self.every_dollar = "$" in html and _DOLLARS_IN_CODE.search(html) is not None
        self.escapes = _ESCAPES[False, self.every_dollar]

    # The walk

    def write(self, root: Element) -> str:
        stack: list[tuple[Iterator[Node], _Leave | None]] = [(iter(root.children), None)]
        while stack:
            nodes, leave = stack[-1]
            for node in nodes:
                if type(node) is Text:
                    if (data := node.data).isspace():
                        self.space = True
                    else:
                        self.text(data)
                    continue
                if not isinstance(node, Element):
                    continue
                tag = node.tag
                if tag in BLOCK_TAGS:
                    handler = None if self.in_line else _BLOCKS.get(tag)
                    if handler:
                        done = handler(self, node)
                        if done is None:
                            continue
                    else:
                        self.block()
                        done = self.block
                    stack.append((iter(node.children), done))
                    break
                if tag in _SKIPPED:
                    continue
                if inline := _INLINE.get(tag):
                    done = inline(self, node)
                    if done is None:
                        continue
                    stack.append((iter(node.children), done))
                else:
                    stack.append((iter(node.children), None))
                break
            else:
                stack.pop()
                if leave:
                    leave()
        self.flush()
        return "\n".join(self.out)

    # Lines and blocks

    def emit(self, line: str) -> None:
        if self.first is not None:
            self.out.append(self.first + line)
            self.first = None
        else:
            self.out.append(self.prefix + line if line else self.prefix.rstrip())

    def begin(self, kind: str) -> None:
        """Write what is owed before a block."""
        if self.note:
            self.note = False
            if kind != "p":
                # Never a link definition, and the block begins on a line of its own.
                self.emit("&nbsp; &nbsp;")
                self.blank = self.prefix.rstrip()
        if self.blank is not None:
            if not (self.glue and kind == "p"):
                self.out.append(self.blank)
                self.blanks += 1
            self.blank = None
        self.glue = False
        self.previous = kind

    def end(self) -> None:
        self.blank = self.prefix.rstrip()

    def block(self) -> None:
        """A block begins or ends here."""
        if self.in_line:
            self.broken = True
        elif self.parts:
            self.flush()
        else:
            self.space = self.broken = False

    def flush(self) -> None:
        """Write the paragraph read so far."""
        text = self.line()
        if not text:
            return
        lines = text.split("\n")
        if self.note and _ADDRESS_ONLY.match(lines[0]):
            lines[0] = f"{lines[0][:-1]} &nbsp;\\" if len(lines) > 1 else f"{lines[0]} &nbsp;"
        self.begin("p")
        for line in lines:
            self.emit(_at_line_start(line) if line and line[0] in _LINE_START_CHARS else line)
        self.end()

    def enter_box(self, marker: str, indent: str) -> _Box:
        box = _Box(self.first, self.prefix, self.blanks, self.note)
        self.first = (self.prefix if self.first is None else self.first) + marker
        self.prefix += indent
        self.previous = ""
        return box

    def leave_box(self, box: _Box) -> bool:
        """Whether anything was written in it."""
        written = self.first is None
        self.first = None if written else box.first
        self.prefix = box.prefix
        return written

    # Inline content

    def text(self, data: str) -> None:
        if self.invisible:
            data = INVISIBLE.sub("", data)
        words = data.split()
        if not words:
            if data:
                self.space = True
            return
        text = " ".join(words)
        parts = self.parts
        if data[0].isspace():
            self.space = True
        if self.code:
            last = parts[-1] if parts else None
            if type(last) is _Code and not self.broken and self.opened == len(self.marks):
                if not self.space:
                    parts[-1] = _Code(last + text)
                    self.code_of_last = self.codes
                    self.space = data[-1].isspace()
                    return
                if self.code_of_last == self.codes:
                    parts[-1] = _Code(f"{last} {text}")
                    self.space = data[-1].isspace()
                    return
            self.open()
            parts.append(_Code(text))
            self.code_of_last = self.codes
        else:
            if not parts and self.first is not None and text[0] in _CHECKS and text[1:2] == " ":
                self.open()
                parts.append(_CHECKS[text[0]])
                text = text[1:]
            else:
                self.open()
            if _SPECIAL.search(text):
                text = self.escapes.sub(r"\\\g<0>", text)
            if parts and text[0] in "([:" and type(parts[-1]) is _Reference:
                text = "\\" + text
            parts.append(text)
        self.space = data[-1].isspace()

    def open(self) -> None:
        """Write the white space and the opening marks owed before inline content."""
        parts = self.parts
        if parts:
            if self.broken:
                parts.append(self.line_break)
            elif self.space:
                parts.append(" ")
        self.space = self.broken = False
        if self.opened == len(self.marks):
            return
        for mark in self.marks[self.opened :]:
            if mark.kind == "link":
                self.shield()
            mark.at = len(parts)
            if mark.opening:
                parts.append(mark.opening)
            else:
                mark.delimiter = _Delimiter(mark.kind, mark.at)
                self.delimiters.append(mark.delimiter)
                parts.append("~" if mark.kind == "del" else "*")
        self.opened = len(self.marks)

    def shield(self) -> None:
        """Keep ``!`` and ``^`` before a bracket from becoming part of it."""
        if self.parts and type(last := self.parts[-1]) is not _Code and last[-1] in "!^":
            self.parts[-1] = f"{last[:-1]}\\{last[-1]}"

    def put(self, piece: str) -> None:
        self.open()
        self.parts.append(piece)

    def push(self, mark: _Mark) -> _Leave:
        self.marks.append(mark)
        self.active.add(mark.kind)
        return self.pop

    def pop(self) -> None:
        if self.opened == len(self.marks):
            self.close(self.marks[-1])
            self.opened -= 1
        self.active.discard(self.marks.pop().kind)

    def close(self, mark: _Mark) -> None:
        parts = self.parts
        if mark.delimiter:
            mark.delimiter.end = len(parts)
            parts.append("~" if mark.kind == "del" else "*")
            mark.delimiter = None
        elif (
            mark.address
            and len(parts) == mark.at + 2
            and type(parts[-1]) is str
            and parts[-1].replace("\\", "") == mark.address
            and _AUTOLINK.match(mark.address)
        ):
            parts[mark.at :] = [f"<{mark.address}>"]
        else:
            parts.append(mark.closing)

    def line(self) -> str:
        """The inline content read so far, its marks closed; they open again with the next."""
        self.space = self.broken = False
        parts = self.parts
        if not parts:
            return ""
        while self.opened:
            self.opened -= 1
            self.close(self.marks[self.opened])
        if self.delimiters:
            _settle(parts, self.delimiters)
            self.delimiters = []
        if self.codes:
            parts = [_code_span(part) if type(part) is _Code else part for part in parts]
        self.parts = []
        return "".join(parts)

    # Inline elements

    def delimited(self, element: Element) -> _Leave:
        kind = _DELIMITED[element.tag]
        return _nothing if self.code or kind in self.active else self.push(_Mark(kind))

    def marked(self, element: Element) -> _Leave | None:
        tag = element.tag
        if tag == "sup" and _NOTE_ID.match(name := element.attr("data-footnote-ref") or ""):
            self.open()
            self.shield()
            self.parts.append(_Reference(f"[^{name}]"))
            return None
        if self.code or tag in self.active:
            return _nothing
        opening, closing = _MARKED[tag]
        return self.push(_Mark(tag, opening, closing))

    def inline_code(self, element: Element) -> _Leave:
        self.code += 1
        if self.code == 1:
            self.codes += 1

        def leave() -> None:
            self.code -= 1

        return leave

    def link(self, element: Element) -> _Leave:
        href = (element.attr("href") or "").strip()
        if not href or "link" in self.active:
            return _nothing
        closing = f"]({_address(href)}{self.title(element)})"
        self.escapes = _ESCAPES[True, self.every_dollar]
        self.push(_Mark("link", "[", closing, href))

        def leave() -> None:
            self.pop()
            self.escapes = _ESCAPES[False, self.every_dollar]

        return leave

    def title(self, element: Element) -> str:
        title = " ".join((element.attr("title") or "").split())
        return f' "{self.quoted(title).replace(chr(34), chr(92) + chr(34))}"' if title else ""

    def quoted(self, text: str) -> str:
        return _ESCAPES[True, self.every_dollar].sub(r"\\\g<0>", text)

    def image(self, element: Element) -> None:
        source = (element.attr("src") or "").strip()
        if source:
            alt = " ".join((element.attr("alt") or "").split())
            self.put(f"![{self.quoted(alt)}]({_address(source)}{self.title(element)})")

    def br(self, element: Element) -> None:
        if self.broken and self.parts and not self.in_line:
            self.flush()
        elif self.parts:
            self.broken = True

    def checkbox(self, element: Element) -> None:
        if element.attr("type") == "checkbox" and self.first is not None and not self.parts:
            self.put("[ ]" if element.attr("checked") is None else "[x]")
            self.space = True

    def span(self, element: Element) -> _Leave | None:
        kind = element.attr("data-math")
        if kind is None:
            return _nothing
        tex = " ".join(_TEX_COMMENT.sub("\n", element.text).split())
        if not tex:
            return None
        # What a renderer without mathematics would take for a tag or a link.
        tex = _TEX_TAG.sub("< ", tex).replace("](", "] (")
        odd = "`" in tex or "$" in tex or (len(tex) - len(tex.rstrip("\\"))) % 2 == 1
        if kind == "display" and not self.in_line:
            self.flush()
            if odd:
                self.fence("math", tex)
            else:
                self.begin("math")
                self.emit(f"$${tex}$$")
                self.end()
        elif odd:
            self.codes += 1
            self.put(_Code(tex))
        else:
            self.put(f"${tex}$")
        return None

    # Blocks

    def heading(self, element: Element) -> _Leave:
        self.flush()
        self.in_line, self.line_break = True, " "
        marks = "#" * int(element.tag[1]) + " "

        def leave() -> None:
            text = self.line()
            self.in_line, self.line_break = False, _HARD_BREAK
            if text:
                self.begin("heading")
                self.emit(marks + _CLOSING_HASHES.sub(r"\\\g<0>", text))
                self.end()

        return leave

    def rule(self, element: Element) -> None:
        self.flush()
        # At the beginning `---` would open front matter, in a list `- ---` would be a rule without an item.
        plain = bool(self.out) and self.first is None
        self.begin("rule")
        self.emit("---" if plain else "___")
        self.end()

    def preformatted(self, element: Element) -> None:
        self.flush()
        text = code_text(element)
        if not text.strip():
            return
        code = element.select_one("code")
        language = _LANGUAGE.search((code or element).attr("class") or "")
        self.fence(language[1] if language else "", text.removesuffix("\n"))

    def fence(self, language: str, text: str) -> None:
        ticks = "`" * max(3, 1 + max(map(len, _TICKS.findall(text)), default=0))
        self.begin("code")
        self.emit(ticks + language)
        prefix = self.prefix
        blank = prefix.rstrip()
        self.out.extend(prefix + line if line else blank for line in text.split("\n"))
        self.emit(ticks)
        self.end()

    def quotation(self, element: Element) -> _Leave | None:
        self.flush()
        if self.levels + 1 > MAX_LEVELS:
            return self.flush
        self.levels += 1
        box = self.enter_box("> ", "> ")
        if (kind := (element.attr("data-callout") or "").lower()) in _CALLOUTS:
            self.begin("callout")
            self.emit(f"[!{kind.upper()}]")
            self.end()
            self.glue = True

        def leave() -> None:
            self.flush()
            self.levels -= 1
            self.glue = False
            if self.leave_box(box):
                self.end()
                self.previous = "quotation"

        return leave

    def details(self, element: Element) -> _Leave:
        self.flush()
        self.begin("html")
        self.emit("<details>")
        summary = _summary(element)
        if summary:
            self.emit(f"<summary>{_html_inside(summary)}</summary>")
        self.end()

        def leave() -> None:
            self.flush()
            self.begin("html")
            self.emit("</details>")
            self.end()
            self.blanks += 1

        return leave

    def summary(self, element: Element) -> _Leave | None:
        self.flush()
        parent = element.parent
        if isinstance(parent, Element) and parent.tag == "details" and _summary(parent) == element:
            return None
        return self.flush

    # Lists

    def list_(self, element: Element) -> _Leave:
        self.flush()
        kind = element.tag
        start, step = 1, 1
        if kind == "ol":
            start = _number(element.attr("start"), 1)
            parent = element.parent
            if isinstance(parent, Element) and parent.tag == "section" and parent.attr("data-footnotes") is not None:
                kind = "notes"
            elif element.attr("reversed") is not None:
                step = -1
                if element.attr("start") is None:
                    start = sum(1 for c in element.children if isinstance(c, Element) and c.tag == "li")
        bullet = ""
        if self.levels + 2 <= MAX_LEVELS:
            bullet = "." if kind == "ol" else "-"
            if self.previous == kind + bullet:
                # Two lists with one bullet would become one list.
                bullet = ")" if kind == "ol" else "*"
        opened = _List(kind, bullet, start, step)
        self.lists.append(opened)
        if bullet:
            self.levels += 2
            if (
                self.previous == "p"
                and self.prefix[-1:] == " "
                and self.prefix[-2:] != "> "
                and (kind == "ul" or (kind == "ol" and start == 1))
                and not _begins_empty(element)
            ):
                self.blank = None

        def leave() -> None:
            self.flush()
            if opened.item:
                self.leave_item(opened)
            self.lists.pop()
            if bullet:
                self.levels -= 2
                self.end()
                self.previous = kind + bullet

        return leave

    def item(self, element: Element) -> _Leave:
        self.flush()
        if not self.lists or not (opened := self.lists[-1]).bullet:
            return self.flush
        if opened.item:
            self.leave_item(opened)
        self.enter_item(opened, (element.attr("id") or "").removeprefix("fn-"))

        def leave() -> None:
            self.flush()
            self.leave_item(opened)

        return leave

    def enter_item(self, opened: _List, name: str = "") -> None:
        if self.blank is not None:
            self.out.append(self.blank)
            self.blanks += 1
            self.blank = None
        if opened.kind == "ol":
            marker = f"{min(max(opened.number, 0), 999_999_999)}{opened.bullet} "
            indent = " " * len(marker)
        elif opened.kind == "notes":
            marker = f"[^{name if _NOTE_ID.match(name) else opened.number}]: "
            indent = "    "
        else:
            marker, indent = f"{opened.bullet} ", "  "
        opened.number += opened.step
        opened.item = self.enter_box(marker, indent)
        opened.described = False
        self.note = opened.kind == "notes"

    def leave_item(self, opened: _List) -> None:
        box, opened.item = opened.item, None
        if box is None:
            return
        if self.first is not None:
            self.out.append(self.first.rstrip())
            self.first = None
        self.note = False
        self.leave_box(box)
        self.previous = "item"
        # An item with an empty line in it stands apart from the next.
        self.blank = self.prefix.rstrip() if self.blanks > box.blanks or opened.kind == "notes" else None

    def term(self, element: Element) -> _Leave:
        opened = self.described_item(element)
        if opened is None:
            return self.block
        return self.push(_Mark("strong")) if "strong" not in self.active else _nothing

    def description(self, element: Element) -> _Leave:
        opened = self.described_item(element)
        if opened is not None:
            if self.parts and not opened.described:
                if self.parts[-1][-1] not in ":?!":
                    self.parts.append(":")
                self.space = True
                self.broken = False
            else:
                self.flush()
            opened.described = True
        return self.flush

    def described_item(self, element: Element) -> _List | None:
        """The open item of a description list, a new one when a term follows a description."""
        if not self.lists or (opened := self.lists[-1]).kind != "dl" or not opened.bullet:
            self.flush()
            return None
        is_term = element.tag == "dt"
        if opened.item and is_term and opened.described:
            self.flush()
            self.leave_item(opened)
        if not opened.item:
            self.flush()
            self.enter_item(opened)
        elif is_term and self.parts:
            self.broken = True
        return opened

    # Tables

    def table(self, element: Element) -> _Leave | None:
        self.flush()
        if element.select_one(_NOT_IN_CELLS) is not None:
            if (
                element.select_one("table") is not None
                or element.select_one("td ~ td, td ~ th, th ~ td, th ~ th") is None
            ):
                return self.flush
            self.begin("html")
            for line in _html(element):
                self.emit(line)
            self.end()
            self.blanks += 1
            return None
        self.grid = _Grid()

        def leave() -> None:
            grid, self.grid = self.grid, None
            self.flush()
            if grid and grid.rows:
                self.write_grid(grid)

        return leave

    def write_grid(self, grid: _Grid) -> None:
        rows = grid.rows
        width = max(map(len, rows))
        if width == 0 or not any(map(any, rows)):
            return
        head = rows.pop(0) if grid.header else []
        self.begin("table")
        self.emit(_row(head + [""] * (width - len(head))))
        self.emit(_row(["---"] * width))
        for row in rows:
            self.emit(_row(row))
        self.end()

    def row(self, element: Element) -> _Leave:
        self.flush()
        grid = self.grid
        if grid is None:
            return self.flush
        grid.row = []

        def leave() -> None:
            self.fill(grid)
            if not grid.rows:
                grid.header = _is_header(element)
            grid.rows.append(grid.row)

        return leave

    def fill(self, grid: _Grid) -> None:
        """Leave room for the cells that reach down into this row."""
        while rows := grid.spans.get(column := len(grid.row)):
            if rows > 1:
                grid.spans[column] = rows - 1
            else:
                del grid.spans[column]
            grid.row.append("")
            grid.blanks += 1

    def cell(self, element: Element) -> _Leave:
        grid = self.grid
        if grid is None:
            self.flush()
            return self.flush
        self.line()
        self.in_line, self.line_break = True, _CELL_BREAK
        self.fill(grid)

        def leave() -> None:
            text = self.line()
            self.in_line, self.line_break = False, _HARD_BREAK
            grid.cells += 1
            column = len(grid.row)
            grid.row.append(text.replace("|", "\\|"))
            # A page can ask for more empty cells than it has content.
            if grid.blanks > 8 * grid.cells + 1000:
                return
            width = min(_number(element.attr("colspan"), 1) or 1, MAX_SPAN)
            height = min(_number(element.attr("rowspan"), 1) or 1, MAX_SPAN)
            grid.row.extend([""] * (width - 1))
            grid.blanks += width - 1
            if height > 1:
                grid.spans.update((column + i, height - 1) for i in range(width))

        return leave


_Handler = Callable[[_Writer, Element], _Leave | None]

_BLOCKS: dict[str, _Handler] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _Writer.heading),
    "blockquote": _Writer.quotation,
    "dd": _Writer.description,
    "details": _Writer.details,
    "dl": _Writer.list_,
    "dt": _Writer.term,
    "hr": _Writer.rule,
    "li": _Writer.item,
    "ol": _Writer.list_,
    "pre": _Writer.preformatted,
    "summary": _Writer.summary,
    "table": _Writer.table,
    "td": _Writer.cell,
    "th": _Writer.cell,
    "tr": _Writer.row,
    "ul": _Writer.list_,
}
_INLINE: dict[str, _Handler] = {
    **dict.fromkeys(_DELIMITED, _Writer.delimited),
    **dict.fromkeys(_MARKED, _Writer.marked),
    "a": _Writer.link,
    "br": _Writer.br,
    "code": _Writer.inline_code,
    "img": _Writer.image,
    "input": _Writer.checkbox,
    "samp": _Writer.inline_code,
    "span": _Writer.span,
}


def _nothing() -> None:
    """Leave an element that needs no closing."""


def _number(value: str | None, default: int) -> int:
    """A count as an attribute gives it; absent, negative or senseless values give the default."""
    if value is None or not value.isdecimal() or len(value) > 9:
        return default
    return int(value)


def _at_line_start(line: str) -> str:
    """A paragraph's line that does not begin another block."""
    match = _LINE_START.match(line)
    if not match:
        return line
    at = match.end(1) if match[1] else 0
    return f"{line[:at]}\\{line[at:]}"


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


def _address(url: str) -> str:
    """An address as a link destination: encoded or escaped where Markdown would end or change it."""
    if not _URL_SPECIAL.search(url):
        return url
    url = _URL_ENTITY.sub("&amp;", url.translate(_URL_ENCODED))
    url = "".join(url.split())
    url = url.replace("$", "\\$")
    if "(" in url or ")" in url:
        depth = deepest = 0
        for char in _URL_PARENS.findall(url):
            depth += 1 if char == "(" else -1
            deepest = max(deepest, depth)
            if depth < 0:
                break
        if depth or deepest > 3:
            url = _URL_PARENS.sub(r"\\\g<0>", url)
    return url


def _is_space(char: str) -> bool:
    return char.isspace()


def _is_mark(char: str) -> bool:
    """Punctuation by the older, narrower definition, which all renderers share."""
    return category(char)[0] == "P" or char in "$+<=>^`|~"


def _is_word(char: str) -> bool:
    """Neither space nor punctuation by any definition."""
    return char.isalnum() or category(char)[0] not in "PSZ"


def _edge(part: str, index: int) -> str:
    return "`" if type(part) is _Code else part[index]


def _settle(parts: list[str], delimiters: list[_Delimiter]) -> None:
    """Write each pair of emphasis markers in a form that renderers read as such, else as HTML."""
    at: dict[int, _Delimiter] = {}
    for delimiter in delimiters:
        at[delimiter.start] = at[delimiter.end] = delimiter
    last = len(parts) - 1
    for delimiter in delimiters:
        start, end = delimiter.start, delimiter.end
        before = _edge(parts[start - 1], -1) if start else " "
        after = _edge(parts[end + 1], 0) if end < last else " "
        opens = _is_word(_edge(parts[start + 1], 0)) or _is_space(before) or _is_mark(before)
        closes = _is_word(_edge(parts[end - 1], -1)) or _is_space(after) or _is_mark(after)
        char = ""
        if opens and closes:
            char = _delimiter_char(delimiter, at, before, after)
        delimiter.char = char
        if char:
            parts[start] = parts[end] = char if delimiter.kind == "em" else char * 2
        else:
            parts[start], parts[end] = f"<{delimiter.kind}>", f"</{delimiter.kind}>"


def _delimiter_char(delimiter: _Delimiter, at: dict[int, _Delimiter], before: str, after: str) -> str:
    start, end = delimiter.start, delimiter.end
    if delimiter.kind == "del":
        return "" if before == "~" or after == "~" else "~"
    char = "*"
    for index, neighbour in ((start - 1, before), (end + 1, after)):
        other = at.get(index)
        if other is None:
            if neighbour in "*_" and index < start:
                return ""
        elif other.char in ("*", "_"):
            if (index == other.start) == (index < start):
                # The parent's marker: another character keeps the two runs apart.
                char = "_" if other.char == "*" else "*"
            elif index < start:
                return ""
    if char == "_" and (_is_word(before) or _is_word(after)):
        return ""
    return char


def _begins_empty(element: Element) -> bool:
    """Whether a list's first item has nothing to show; after a line of text it would underline a heading."""
    first = next((c for c in element.children if isinstance(c, Element)), None)
    return first is None or (not first.text.strip() and first.select_one("img") is None)


def _summary(element: Element) -> Element | None:
    return next((c for c in element.children if isinstance(c, Element) and c.tag == "summary"), None)


def _is_header(row: Element) -> bool:
    """Whether a table's first row names its columns, rather than itself by a ``th`` before its values."""
    parent = row.parent
    if isinstance(parent, Element) and parent.tag == "thead":
        return True
    cells = [c for c in row.children if isinstance(c, Element)]
    return any(c.tag == "th" for c in cells) and all(c.tag == "th" or not c.text.strip() for c in cells)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _html_inside(element: Element) -> str:
    return " ".join(_html(element, outer=False))


def _html(element: Element, outer: bool = True) -> list[str]:
    """HTML that holds no empty line, since that would end a block of HTML in Markdown; a line a table row."""
    out: list[str] = []
    lines: list[str] = []
    stack: list[tuple[Iterator[Node], str]] = []
    kept = 0

    def start(node: Element) -> None:
        nonlocal kept
        tag = node.tag
        closing = ""
        if outer or node is not element:
            if tag == "tr" and out:
                lines.append("".join(out))
                out.clear()
            if _HTML_TAGS.fullmatch(tag):
                out.append(f"<{tag}{_html_attributes(node)}>")
                closing = "" if tag in _HTML_VOID else f"</{tag}>"
        if tag == "pre":
            kept += 1
            if code_text(node)[:1] == "\n":
                out.append("&#10;")
        stack.append((iter(node.children), closing))

    start(element)
    while stack:
        nodes, closing = stack[-1]
        for node in nodes:
            if isinstance(node, Text):
                data = escape(node.data, quote=False)
                if kept:
                    out.append(data.replace("\r", "&#13;").replace("\n", "&#10;"))
                elif data:
                    lead, trail = " " * data[0].isspace(), " " * data[-1].isspace()
                    folded = " ".join(data.split())
                    out.append(f"{lead}{folded}{trail}" if folded else " ")
            elif isinstance(node, Element):
                start(node)
                break
        else:
            stack.pop()
            out.append(closing)
            if closing == "</pre>":
                kept -= 1
    lines.append("".join(out))
    return [line for line in map(str.strip, lines) if line]


def _html_attributes(element: Element) -> str:
    pairs = [(name, " ".join(value.split())) for name in _HTML_ATTRIBUTES if (value := element.attr(name)) is not None]
    if element.tag == "code" and (language := _LANGUAGE.search(element.attr("class") or "")):
        pairs.append(("class", f"language-{language[1]}"))
    return "".join(f' {name}="{escape(value)}"' for name, value in pairs)
