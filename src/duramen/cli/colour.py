"""Colour on terminals, unless NO_COLOR is set (https://no-color.org) or the terminal has none."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import IO

_CODES = {"bold": "1", "red": "31", "green": "32", "yellow": "33", "dim": "2"}


def has_colour(stream: IO[str]) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, style: str, stream: IO[str]) -> str:
    """A text in a style, if the stream shows it."""
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if has_colour(stream) else text


def paint_explanation(lines: Iterable[str], stream: IO[str]) -> Iterator[str]:
    """The lines of ``duramen explain``: headings in bold; what won, lost or failed in its colour."""
    for line in lines:
        if re.fullmatch(r"\w[\w ]*", line):
            yield paint(line, "bold", stream)
        elif re.match(r"  .*: won$|  kept ", line):
            yield paint(line, "green", stream)
        elif re.match(r" +FAIL ", line):
            yield paint(line, "red", stream)
        elif re.match(r"  .*: lost: |  drop ", line):
            yield paint(line, "dim", stream)
        else:
            yield line
