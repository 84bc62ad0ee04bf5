"""Formulas as Markdown."""

from __future__ import annotations

from typing import Literal

from duramen.lazy_pattern import lazy_pattern
from duramen.options import Formulas

__all__ = ["TexForm", "tex_between", "tex_of"]

TexForm = Literal["delimited", "math", "code"]
"""Between delimiters, as a block of mathematics, or only as code, because it holds more than mathematics."""

_TEX_COMMENT = lazy_pattern(r"(?<!\\)%[^\n]*(?:\n|\Z)")
_TEX_TAG = lazy_pattern(r"<(?=\S)")
_TEX_LINK = lazy_pattern(r"\](?= ?\()")
_TEX_PAIR = lazy_pattern(r"\[(?=\[)|\{(?=\{)|!(?=\[)")
"""The first of two signs that begin something together."""
# Commands with which a formula adds links, images, attributes or styles to a page; and what a renderer that knows no
# formulas, but attributes, directives or bare addresses, would read.
_TEX_MARKUP = lazy_pattern(
    r"\\(?:href|url|html[A-Za-z]*|class|cssId|style|data|includegraphics|require)(?![A-Za-z])"
    r"|\{(?:[^{}]*[^\\{}A-Za-z])?[A-Za-z]{3,}=|:[A-Za-z][\w-]*[\[{]|\] ?\(<?[A-Za-z]*(?:\\?:|&#?\w)|://|[Ww]{3}\."
)


def tex_of(text: str) -> tuple[str, TexForm]:
    """A formula on one line, and how it can be written.

    Between delimiters it holds nothing that a renderer without mathematics would take for a tag or a link.
    """
    tex = " ".join(_TEX_COMMENT.sub("\n", text).split())
    if _TEX_MARKUP.search(tex):
        return tex, "code"
    tex = _TEX_PAIR.sub(r"\g<0> ", _TEX_LINK.sub("]{}", _TEX_TAG.sub("< ", tex)))
    slashes = len(tex) - len(tex.rstrip("\\"))
    return tex, "math" if "`" in tex or "$" in tex or slashes % 2 else "delimited"


def tex_between(tex: str, formulas: Formulas) -> str:
    """A formula of a line between its delimiters."""
    if formulas == "backticks":
        return f"$`{tex}`$"
    return rf"\({tex}\)" if formulas == "brackets" and r"\)" not in tex else f"${tex}$"
