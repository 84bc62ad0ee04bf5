"""Code in a line of Markdown."""

from __future__ import annotations

from itertools import groupby

from duramen.lazy_pattern import lazy_pattern
from duramen.render.emphasis import Code
from duramen.render.escape import IN_HTML_CODE

__all__ = ["PAIRED", "has_dollar_in_code", "html_code_span", "with_code"]

_TICKS = lazy_pattern(r"`+")
PAIRED = "~=^+!$"
"""Signs that some renderers look for in pairs before they look for code."""


def with_code(parts: list[str], signs: set[str]) -> str:
    """Join the pieces of a line, before which there may be some paired signs.

    Pieces of code that touch become one: two code spans that touch would not be two.
    """
    joined: list[str] = []
    for is_code, pieces in groupby(parts, lambda part: type(part) is Code):
        text = "".join(pieces)
        if is_code and joined and joined[-1].endswith("\\"):
            # Showdown takes no "`" for code behind a backslash, not even behind one that is escaped.
            before = joined[-1].rstrip("\\")
            joined[-1] = before + "&#92;" * ((len(joined[-1]) - len(before) + 1) // 2)
        if not is_code:
            signs.update(sign for sign in PAIRED if sign in text)
            joined.append(text)
        elif ("<" in text or "](" in text) and any(sign in text for sign in signs):
            joined.append(html_code_span(text))
        else:
            joined.append(_code_span(text))
    return "".join(joined)


def html_code_span(code: str) -> str:
    return f"<code>{code.translate(IN_HTML_CODE)}</code>"


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


def has_dollar_in_code(html: str) -> bool:
    pieces = (piece.partition(f"</{tag}")[0] for tag in ("code", "samp") for piece in html.split(f"<{tag}")[1:])
    return any("$" in piece for piece in pieces)
