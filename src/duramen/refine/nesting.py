"""Writing HTML that parses back into the same tree: the nesting rules of the parser, obeyed while writing.

A paragraph around a block becomes a division, a link in a link is left out, stray text in a table gets a cell, and so
on: whatever tree is written, a parser has nothing to repair in the result.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

__all__ = [
    "BOUNDS_ITEM",
    "BOUNDS_P",
    "CLOSES_P",
    "DELICATE",
    "MISSING",
    "TABLE_PARTS",
    "Writer",
    "escape_text",
    "forms",
]

# What parsing does to a tree is not policy but the HTML standard; each set follows a rule of its tree construction.
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_VOID = frozenset({"br", "col", "hr", "img", "wbr"})
CLOSES_P = frozenset(
    {
        *_HEADINGS,
        *("address", "article", "blockquote", "dd", "details", "div", "dl", "dt", "figcaption", "figure", "hr", "li"),
        *("ol", "p", "pre", "section", "summary", "table", "ul"),
    }
)
BOUNDS_P = frozenset({"caption", "table", "td", "th"})
BOUNDS_ITEM = (CLOSES_P | BOUNDS_P | frozenset({"tbody", "tfoot", "thead", "tr"})) - {"address", "div", "p"}
_KEPT_EMPTY = frozenset({"colgroup", "td", "th", "tr"})
_GROUPS = ("thead", "tbody", "tfoot")
TABLE_PARTS: dict[str, frozenset[str]] = {
    "table": frozenset({"caption", "colgroup", *_GROUPS}),
    "colgroup": frozenset({"col"}),
    "tr": frozenset({"td", "th"}),
    **dict.fromkeys(_GROUPS, frozenset({"tr"})),
}
_ONLY_IN_TABLE = frozenset().union(*TABLE_PARTS.values())
_FLOW = ""
MISSING: dict[str, dict[str, tuple[str, ...]]] = {
    "table": {
        "tr": ("tbody",),
        "td": ("tbody", "tr"),
        "th": ("tbody", "tr"),
        "col": ("colgroup",),
        _FLOW: ("tbody", "tr", "td"),
    },
    "colgroup": {},
    "tr": {_FLOW: ("td",)},
    **{group: {"td": ("tr",), "th": ("tr",), _FLOW: ("tr", "td")} for group in _GROUPS},
}
_STRAY_BLOCKS = frozenset({"caption", "td", "th", "tr"})

# What holds inside an open element, as bits. A list item, an entry, a heading and a link end the one they stand in.
_ITEM, _ENTRY, _HEADING, _LINK, _IMPLIED, _TABLE, _PRE = (1 << bit for bit in range(7))
_AROUND = _ITEM | _ENTRY | _HEADING | _LINK


def _inside(tag: str) -> tuple[int, int]:
    """Which bits an element hands on from outside, and which it adds."""
    keeps = _HEADING | _LINK if tag in BOUNDS_ITEM else _AROUND
    adds = {"li": _ITEM, "dd": _ENTRY, "dt": _ENTRY, "a": _LINK, "pre": _PRE}.get(tag, 0)
    return keeps, adds | (_HEADING if tag in _HEADINGS else 0) | (_TABLE if tag in TABLE_PARTS else 0)


DELICATE = _TABLE | _PRE
"""The bits of elements whose text must go through :meth:`Writer.text`."""


def escape_text(text: str) -> str:
    """Text as the parser's own serializer writes it."""
    return text.replace("&", "&amp;").replace("\xa0", "&nbsp;").replace("<", "&lt;").replace(">", "&gt;")


@dataclass(frozen=True, slots=True)
class _Form:
    """How a tag is written and what it means for what stands inside."""

    start: str
    end: str
    keeps: int
    adds: int


@cache
def _form(tag: str) -> _Form:
    return _Form(f"<{tag}", f"</{tag}>", *_inside(tag))


def forms(tags: Iterable[str]) -> dict[str, tuple[int, int, int]]:
    """What the compiled twin of :class:`Writer` has to know of tags: traits in the bits of ``writer.c``, and the bits
    that they hand on and add."""
    sets = (_VOID, CLOSES_P, BOUNDS_P, _KEPT_EMPTY, _ONLY_IN_TABLE, _STRAY_BLOCKS, _HEADINGS)
    return {tag: (sum(1 << bit for bit, names in enumerate(sets) if tag in names), *_inside(tag)) for tag in tags}


class Writer:
    """Writes elements and texts in such places that parsing gives back the same tree.

    An open element is a tuple: tag, attributes as written, place in ``parts``, bits, place of the paragraph around.
    """

    __slots__ = ("depth", "opened", "parts")

    def __init__(self, depth: int) -> None:
        self.parts: list[str] = []
        self.opened: list[tuple[str, str, int, int, int]] = [("", "", -1, 0, 0)]
        self.depth = depth

    def text(self, text: str) -> None:
        tag, _, at, bits, _ = self.opened[-1]
        if bits & _TABLE:
            if text.isspace() or self.settle(_FLOW) is None:
                return
        elif bits & _PRE and tag == "pre" and at == len(self.parts) - 1 and text[0] == "\n":
            # The parser skips one line break after this tag.
            self.parts.append("\n")
        self.parts.append(escape_text(text))

    def open(self, tag: str, rest: str) -> None:
        """Open an element; one that may not stand here is replaced or left out."""
        if tag in _ONLY_IN_TABLE or self.opened[-1][3] & (_TABLE | _IMPLIED):
            settled = self.settle(tag)
            if settled is None:
                return
            if settled != tag:
                tag, rest = settled, ""
        if len(self.opened) > self.depth and tag not in _ONLY_IN_TABLE and tag not in _VOID:
            return
        parent, _, _, bits, paragraph = self.opened[-1]
        if bits & _AROUND:
            if (tag == "li" and bits & _ITEM) or (tag in ("dd", "dt") and bits & _ENTRY):
                # Its attributes are those of another tag.
                tag, rest = "div", ""
            elif (tag == "a" and bits & _LINK) or (tag in _HEADINGS and bits & _HEADING):
                return
        if tag in CLOSES_P:
            if paragraph and self.opened[paragraph][0] == "p":
                self._widen(paragraph)
        elif tag in ("rt", "rp") and parent != "ruby":
            return
        if tag in _VOID:
            self.parts.append(f"<{tag}{rest}>")
        else:
            self._push(tag, rest, 0)

    def settle(self, tag: str) -> str | None:
        """Make room for an element where a table is open; None when there is no place for it."""
        flow = tag not in _ONLY_IN_TABLE
        while True:
            parent, _, _, bits, _ = self.opened[-1]
            parts = TABLE_PARTS.get(parent)
            if not bits & _IMPLIED or (flow if parts is None else tag in parts):
                break
            self.close()
        if parts is None:
            return tag if flow else "div" if tag in _STRAY_BLOCKS else None
        if tag not in parts:
            missing = MISSING[parent].get(_FLOW if flow else tag)
            if missing is None:
                return None
            for each in missing:
                self._push(each, "", _IMPLIED)
        return tag

    def close(self) -> None:
        tag, _, at, _, _ = self.opened.pop()
        if at == len(self.parts) - 1 and tag not in _KEPT_EMPTY:
            self.parts.pop()
        else:
            self.parts.append(_form(tag).end)

    def _push(self, tag: str, rest: str, implied: int) -> None:
        _, _, _, bits, paragraph = self.opened[-1]
        form = _form(tag)
        if tag == "p":
            paragraph = len(self.opened)
        elif tag in BOUNDS_P:
            paragraph = 0
        self.opened.append((tag, rest, len(self.parts), bits & form.keeps | form.adds | implied, paragraph))
        self.parts.append(f"{form.start}{rest}>")

    def _widen(self, place: int) -> None:
        """A paragraph turns out to hold a block: it has been a division all along."""
        _, rest, at, bits, _ = self.opened[place]
        self.opened[place] = ("div", rest, at, bits, 0)
        self.parts[at] = f"<div{rest}>"
