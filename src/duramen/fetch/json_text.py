"""JSON for people: indented, short lists on one line, every number and key as it is written."""

from __future__ import annotations

import json
import re

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[-+.\w]++|[{}\[\],:]')
_WIDTH = 100
"""A list or an object that fits into a line of this length stays on it."""


MOST = 4_000_000
"""Longer JSON stays as it was sent: nobody reads it."""


def pretty_json(text: str) -> str | None:
    """The text indented by structure; ``None`` if it is not JSON, or too long.

    >>> print(pretty_json('{"a":[1.50,2],"b":{"c":[]}}'))
    {"a": [1.50, 2], "b": {"c": []}}
    """
    if len(text) > MOST:
        return None
    try:
        json.loads(text, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return None
    tokens = [_readable(token) for token in _TOKEN.findall(text)]
    flat = _flat_lengths(tokens)
    parts: list[str] = []
    closings: list[bool] = []
    for place, token in enumerate(tokens):
        on_one_line = bool(closings) and closings[-1]
        if token in ("{", "["):
            parts.append(token)
            closings.append(on_one_line or flat[place] <= _WIDTH)
            if not closings[-1]:
                parts.append(_new_line(closings))
        elif token in ("}", "]"):
            if not closings.pop():
                parts.append(_new_line(closings))
            parts.append(token)
        elif token == ",":
            parts.append(", " if on_one_line else f",{_new_line(closings)}")
        else:
            parts.append(": " if token == ":" else token)
    return "".join(parts)


def _new_line(open_containers: list[bool]) -> str:
    return "\n" + "  " * len(open_containers)


def _flat_lengths(tokens: list[str]) -> list[int]:
    """For each opening bracket, the length of what it contains on one line."""
    lengths = [0] * len(tokens)
    total, opened = 0, []
    for place, token in enumerate(tokens):
        if token in ("{", "["):
            opened.append((place, total))
        total += len(token) + (token in (",", ":"))
        if token in ("}", "]"):
            start, before = opened.pop()
            lengths[start] = total - before
    return lengths


def _readable(token: str) -> str:
    """A string with its letters instead of their escapes."""
    if "\\u" not in token:
        return token
    try:
        return json.dumps(json.loads(token), ensure_ascii=False).encode("utf-8").decode("utf-8")
    except (ValueError, UnicodeError):
        return token
