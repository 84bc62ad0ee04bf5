"""The head of an archived HTTP response, read as browsers read it: lines may end in a line feed alone."""

from __future__ import annotations

import re
from typing import NamedTuple

MOST_BYTES = 1 << 18
"""A head that is longer is not one."""
_STATUS_LINE = re.compile(rb"[\r\n]{0,4}[A-Za-z]++(?:/[\d.]*+)?(?:[ \t]++(\d{3}))?(?![^ \t\r\n])[^\r\n]*+\r?\n")
_END = re.compile(rb"\n\r?\n")
_FOLD = re.compile(rb"\r?\n[ \t]+")


class HttpHead(NamedTuple):
    """``fields`` has the values of each name in lower case, in order; ``size`` is the number of bytes of the head."""

    status: int | None
    fields: dict[str, list[str]]
    size: int

    def first(self, name: str) -> str | None:
        return next(iter(self.fields.get(name, ())), None)

    def joined(self, name: str) -> str:
        return ", ".join(self.fields.get(name, ()))


def parse_head(block: bytes) -> HttpHead | None:
    """The head that a block begins with; ``None`` if it does not begin with a status line.

    >>> head = parse_head(b"HTTP/2 200\\r\\nContent-Type: text/html\\r\\n\\r\\n<p>Oaks")
    >>> head.status, head.first("content-type"), head.size
    (200, 'text/html', 39)
    """
    line = _STATUS_LINE.match(block)
    while line and (line[1] or b"").startswith(b"1") and (interim := _END.search(block, line.end() - 1, MOST_BYTES)):
        # An interim response, such as 100 Continue: the final one follows.
        after = _STATUS_LINE.match(block, interim.end())
        if after is None:
            break
        line = after
    if line is None:
        return None
    end = _END.search(block, line.end() - 1, MOST_BYTES)
    whole = block[line.end() : end.start() if end else MOST_BYTES]
    fields: dict[str, list[str]] = {}
    for field in _FOLD.sub(b" ", whole).split(b"\n"):
        name, colon, value = field.partition(b":")
        if colon:
            # Bytes beyond ASCII are Latin-1 in header fields, so no byte is an error.
            fields.setdefault(name.strip().decode("latin-1").lower(), []).append(value.strip().decode("latin-1"))
    return HttpHead(int(line[1]) if line[1] else None, fields, end.end() if end else min(len(block), MOST_BYTES))
