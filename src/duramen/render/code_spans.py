"""Code in a line of Markdown."""

from __future__ import annotations

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
    code = ""
    has_markup = any(_is_markup(part) for part in parts if type(part) is Code)
    for part in (*parts, ""):
        if type(part) is Code:
            code += part
            continue
        if code:
            _end_without_backslash(joined)
            is_misread = _is_markup(code) and any(sign in code for sign in signs)
            joined.append(html_code_span(code) if is_misread else _code_span(code))
            code = ""
        if has_markup:
            signs.update(sign for sign in PAIRED if sign in part)
        if part:
            joined.append(part)
    return "".join(joined)


def _is_markup(code: str) -> bool:
    return "<" in code or "](" in code


def _end_without_backslash(joined: list[str]) -> None:
    """Write a backslash before code as a reference: showdown takes no "`" for code there, even if it is escaped."""
    if joined and joined[-1].endswith("\\"):
        before = joined[-1].rstrip("\\")
        joined[-1] = before + "&#92;" * ((len(joined[-1]) - len(before) + 1) // 2)


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
    for tag in ("code", "samp"):
        at = 0
        while (at := html.find(f"<{tag}", at)) >= 0:
            start, at = at, html.find(f"</{tag}", at)
            if html.find("$", start, at) >= 0:
                return True
    return False
