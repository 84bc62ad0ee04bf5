"""JSON as it is found in pages: repaired where it is broken in ways that leave no doubt."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any

from duramen.lazy_pattern import lazy_pattern

__all__ = ["DECODER", "Mendable", "is_too_dense", "parse_json_block"]

MAX_VALUES = 500
MAX_BLOCK_CHARS = 2_000_000
MAX_MENDED_DEPTH = 500
_CONTAINER_BYTES, _VALUE_BYTES = 200, 64
"""What a small object or list takes in memory, and any other small value."""
_WRAPPERS = lazy_pattern(r"^(?:\s|/\*|\*/|//|<!--|<!\[CDATA\[)+", re.I)
_WRAPPER_ENDS = lazy_pattern(r"(?:\s|\*/|/\*|//|>--|>\]\]|;)++")
"""Read from the end: looking for the beginning of the last wrapper would try at every letter."""
_WRAPPED = 2_000
"""Characters at either end of a block that may be a wrapper."""
_ESCAPE = lazy_pattern(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.S
)
"""A pair that makes one character, half of such a pair, or any other."""
_TOKEN = lazy_pattern(r'"|//[^\n]*|/\*|[{}\[\],:]|[^\s"{}\[\],:/]+|/|\s+')
_STRING_END = lazy_pattern(r'(?:[^"\\]|\\.)*+"', re.S)
# A quote ends a string for certain only where JSON may go on after it.
_SURE_END = lazy_pattern(r'"(?=\s*(?:[}\]:]|,\s*(?:["{\[}\]\d-]|true|false|null|//|/\*)|$))')
_BAD_ESCAPE = lazy_pattern(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
_LITERALS = {"true", "false", "null"}
_NUMBER = lazy_pattern(r"-?\d{1,300}(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$")


class Mendable:
    """How much broken JSON of a page may still be repaired; the rest is given up, since repairing is slow."""

    def __init__(self, characters: int = 120_000) -> None:
        self.characters = characters


class _Decoder(json.JSONDecoder):
    """JSON whose strings may leave as UTF-8: an escaped half of a pair is no character, its replacement is one."""

    def raw_decode(self, s: str, idx: int = 0) -> tuple[Any, int]:
        value, end = super().raw_decode(s, idx)
        if s.find(r"\ud", idx, end) >= 0 or s.find(r"\uD", idx, end) >= 0:
            value, _ = super().raw_decode(_ESCAPE.sub(_whole, s[idx:end]))
        return value, end


def _whole(escape: re.Match[str]) -> str:
    return r"\ufffd" if escape[1] else escape[0]


DECODER = _Decoder(strict=False)


def is_too_dense(text: str) -> bool:
    """Whether JSON holds so many small values that they would take many times its size in memory.

    >>> is_too_dense('{"a":"b"},' * 100), is_too_dense('{"a":"b"},' * 100_000)
    (False, True)
    """
    if len(text) < 100_000:
        return False
    containers = text.count("{") + text.count("[")
    return _CONTAINER_BYTES * containers + _VALUE_BYTES * text.count(",") > 8 * len(text) + 12_000_000


def parse_json_block(raw: str, mendable: Mendable | None = None) -> tuple[list[Any], str | None]:
    """All JSON values of a script block, repaired where needed, and what was wrong if nothing helped.

    >>> parse_json_block('<!-- {"a": [1, 2,], /* why */ "b": "c"}; -->')
    ([{'a': [1, 2], 'b': 'c'}], None)
    """
    if len(raw) > MAX_BLOCK_CHARS:
        return [], f"longer than {MAX_BLOCK_CHARS} characters"
    if is_too_dense(raw):
        return [], "too many values"
    try:
        return [DECODER.decode(raw)], None
    except RecursionError:
        return [], "nested too deeply"
    except ValueError:
        pass
    text = (_WRAPPERS.sub("", raw[:_WRAPPED], count=1) + raw[_WRAPPED:]).rstrip()
    if ending := _WRAPPER_ENDS.match(text[: -_WRAPPED - 1 : -1]):
        text = text[: -ending.end()]
    if not text:
        return [], None
    values, rest = _decode_several(text)
    if not rest:
        return values, None
    values = _containers(values)
    mendable = mendable or Mendable()
    attempts = [text] if len(text) <= mendable.characters else []
    mendable.characters -= len(text) if attempts else 0
    if attempts and text.count("&quot;") > text.count('"'):
        attempts.insert(0, html.unescape(text))
    for attempt in attempts:
        for inner_quotes in (False, True):
            for repaired in _repaired(attempt, inner_quotes):
                again, rest = _decode_several(repaired)
                again = _containers(again)
                if not rest and again:
                    return again, None
                if len(again) > len(values):
                    values = again
    return values, "not valid JSON" if not values else "valid JSON only at its beginning"


def _containers(values: list[Any]) -> list[Any]:
    return [value for value in values if isinstance(value, (dict, list))]


def _decode_several(text: str) -> tuple[list[Any], str]:
    """The values that stand one after the other, and the rest that is no JSON."""
    values: list[Any] = []
    at, length = 0, len(text)
    while True:
        while at < length and text[at] in " \t\r\n,;\ufeff\xa0":
            at += 1
        if at >= length or len(values) > MAX_VALUES:
            return values, ""
        try:
            value, at = DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return values, text[at : at + 80]
        values.append(value)


def _repaired(text: str, inner_quotes: bool) -> Iterator[str]:
    """JSON without comments and needless commas, strings escaped and brackets closed."""
    out: list[str] = []
    closers: list[str] = []
    at, length = 0, len(text)
    after_comma = False
    while at < length:
        match = _TOKEN.match(text, at)
        if not match:
            break
        token = match.group()
        at = match.end()
        if token[0].isspace() or token.startswith("//") or token == "/":
            continue
        if token == "/*":
            end = text.find("*/", at)
            at = end + 2 if end >= 0 else length
            continue
        if token == ",":
            after_comma = True
            continue
        if token in ("}", "]"):
            after_comma = False
            if not closers:
                continue
            if token not in closers:
                continue
            while (closer := closers.pop()) != token:
                out.append(closer)
            out.append(token)
            continue
        if after_comma:
            after_comma = False
            if out and out[-1][-1] not in "{[,:":
                out.append(",")
        elif out and token != ":" and out[-1] not in ("{", "[", ":", ",") and closers:
            # A comma was forgotten between two values.
            out.append(",")
        if token == '"':
            end_match = _SURE_END.search(text, at) if inner_quotes else _STRING_END.match(text, at)
            end = end_match.end() if end_match else length + 1
            body = text[at : end - 1]
            at = min(end, length)
            if inner_quotes:
                body = re.sub(r'(?<!\\)"', r"\"", body)
            out.append('"' + _BAD_ESCAPE.sub(_mend_escape, body.rstrip("\\") if end > length else body) + '"')
        elif token in "{[":
            out.append(token)
            closers.append("}" if token == "{" else "]")
            if len(closers) > MAX_MENDED_DEPTH:
                return
        elif token == ":" or token in _LITERALS or _NUMBER.match(token):
            out.append(token)
        elif token in ("undefined", "NaN", "Infinity", "-Infinity", "None"):
            out.append("null")
        else:
            out.append(json.dumps(token.strip("'")))
    if not out:
        return
    closing = "".join(reversed(closers))
    joined = "".join(out)
    yield joined + closing
    if closers:
        yield joined + ":null" + closing
        yield joined + "null" + closing


def _mend_escape(match: re.Match[str]) -> str:
    return "" if match.string[match.end() : match.end() + 1] == "'" else r"\\"
