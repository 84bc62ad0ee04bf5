"""The form of emphasis markers, which depends on what is on both sides of them."""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import category

__all__ = ["Code", "Delimiter", "settle"]


class Code(str):
    """A piece of a line that is code: neither escaped nor yet between backticks."""

    __slots__ = ()


@dataclass(slots=True)
class Delimiter:
    """A pair of emphasis markers: the places in a line's pieces where they stand."""

    kind: str
    """``strong``, ``em`` or ``del``, also the HTML element."""
    start: int
    end: int = -1
    char: str = ""
    """``*``, ``_`` or ``~``; empty when written as HTML."""


def settle(parts: list[str], delimiters: list[Delimiter]) -> None:
    """Write each pair of markers in a form that renderers read as such, else as HTML.

    CommonMark lets a marker open or close only beside certain characters, and takes neighbouring markers for one. The
    pairs come in the order of their openings, so that a parent's form is known before its children's.

    >>> parts = ["*", "Note:", "*", "text"]
    >>> settle(parts, [Delimiter("strong", 0, 2)])
    >>> "".join(parts)
    '<strong>Note:</strong>text'
    """
    at: dict[int, Delimiter] = {}
    for delimiter in delimiters:
        at[delimiter.start] = at[delimiter.end] = delimiter
    last = len(parts) - 1
    for delimiter in delimiters:
        start, end = delimiter.start, delimiter.end
        before = _edge(parts[start - 1], -1) if start else " "
        after = _edge(parts[end + 1], 0) if end < last else " "
        opens = before.isspace() or _is_word(_edge(parts[start + 1], 0)) or _is_punctuation(before)
        closes = after.isspace() or _is_word(_edge(parts[end - 1], -1)) or _is_punctuation(after)
        char = ""
        if before == after == " ":
            char = "~" if delimiter.kind == "del" else "*"
        elif opens and closes:
            char = _char(delimiter, at, before, after)
        delimiter.char = char
        if char:
            parts[start] = parts[end] = char if delimiter.kind == "em" else char * 2
        else:
            parts[start], parts[end] = f"<{delimiter.kind}>", f"</{delimiter.kind}>"


def _char(delimiter: Delimiter, at: dict[int, Delimiter], before: str, after: str) -> str:
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
                # The parent's marker: another character keeps the two apart.
                char = "_" if other.char == "*" else "*"
            elif index < start:
                return ""
    if char == "_" and (_is_word(before) or _is_word(after)):
        return ""
    return char


def _edge(part: str, index: int) -> str:
    return "`" if type(part) is Code else part[index]


def _is_punctuation(char: str) -> bool:
    """By the older, narrower definition, which all renderers share."""
    return category(char)[0] == "P" or char in "$+<=>^`|~"


def _is_word(char: str) -> bool:
    """Neither space nor punctuation by any definition."""
    return char.isalnum() or category(char)[0] not in "PSZ"
