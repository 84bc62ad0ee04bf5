"""Content in the state that client-side frameworks leave in a page."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from duramen.lazy_pattern import lazy_pattern
from duramen.read.bodies import longest, text_of
from duramen.read.loose_json import DECODER, Mendable, is_too_dense, parse_json_block
from duramen.read.metadata_rows import any_of
from duramen.tables import load
from duramen.tree import Tree

__all__ = ["hydration_bodies", "looks_like_prose"]

MAX_STATE_CHARS = 16_000_000
MAX_STATE_NODES = 400_000
MIN_STATE_BODY = 400
MAX_ASSIGNED = 50
MAX_FAILED = 300
"""Values in a script that are no JSON: an attempt at one may read, and count the lines of, all of the script."""
_CAPITALS = lazy_pattern(r"[A-Z_]{8,}+")
_STATE_ASSIGNED = lazy_pattern(r"window\.[\w$.]{1,60}\s*=\s*(?:\{|\[|JSON\.parse)")
_ASSIGNMENT = lazy_pattern(
    r"(?:window|self|globalThis|var|let|const)(?:\s+|\s*\.\s*|\[[\"'])([\w$]{1,60})(?:[\"']\])?\s*=\s*"
    r"(?:JSON\.parse\(\s*(?:decodeURIComponent\(\s*)?)?(?=[{\[\"'])"
)
_FLIGHT = lazy_pattern(r"__next_f\.push\(\[1,\s*(\"(?:[^\"\\]|\\.)*+\")\s*\]\)", re.S)
_FLIGHT_TEXT = lazy_pattern(rb"(?:^|\n)?[0-9a-f]{1,6}:T([0-9a-f]{1,6}),")
_KEYED_STRING = lazy_pattern(r":\s{0,4}(\"(?:[^\"\\]|\\.){400,}+\")", re.S)
_KEY_BEFORE = lazy_pattern(r"([\w$@-]{1,60})[\"']?\s{0,4}$")
_SENTENCE = lazy_pattern(r"[.!?…][\"'”’)]?(?:\s|<|$)|[。！？]|</(?:p|li|h\d|blockquote)>")


class _Rows:
    """The rows of ``data/hydration.toml``."""

    def __init__(self) -> None:
        tables = load("hydration.toml")
        state, keys = ({name: row["words"].split() for name, row in tables[key].items()} for key in ("state", "keys"))
        self.names, self.attributes, self.text_keys = state["names"], state["attributes"], keys["text"]
        self.capitals = re.compile(any_of(state["capitals"]))
        self.body_key = re.compile(any_of(keys["body"]), re.I)
        # A "description" holds a "script".
        self.other_key = re.compile(rf"(?<!de)(?:{any_of(keys['other'])})", re.I)
        self.block_key = re.compile(any_of(keys["blocks"]), re.I)


@cache
def _rows() -> _Rows:
    return _Rows()


def hydration_bodies(tree: Tree) -> tuple[tuple[str, str], ...]:
    """Long prose or HTML in the state that client-side frameworks leave in a page, longest first."""
    found: list[tuple[str, str]] = []
    budget, mendable = MAX_STATE_CHARS, Mendable()
    flight: list[str] = []
    for i in tree.tagged(frozenset({"script"})):
        text = tree.only_text(i)
        kind = tree.attr(i, "type").lower()
        if len(text) > budget or "ld+json" in kind:
            continue
        if "__next_f" in text[:200]:
            # The stream comes in pieces, however short.
            budget -= len(text)
            flight.extend(_FLIGHT.findall(text))
            continue
        if len(text) < MIN_STATE_BODY:
            continue
        name = tree.ident[i] or tree.attr(i, "data-component-name") or kind or "script"
        if "json" in kind or kind == "fastboot/shoebox":
            budget -= len(text)
            _from_json(f"hydration:{name[:40]}", text, mendable, found)
        elif _has_state(text[:20_000]) or _has_state(text[-2000:]):
            budget -= len(text)
            _from_script(text, found)
    for name in _rows().attributes:
        for _, text in tree.valued(name)[:20]:
            if MIN_STATE_BODY <= len(text) <= budget and text.lstrip()[:1] in ("{", "["):
                budget -= len(text)
                _from_json(f"hydration:{name}", text, mendable, found)
    if flight:
        _from_flight(flight, found)
    return longest(found)


def _has_state(script: str) -> bool:
    """Whether a script seems to hold the state of a client-side framework."""
    if "window." in script and _STATE_ASSIGNED.search(script) is not None:
        return True
    return "__" in script and (
        any(name in script for name in _rows().names) or any(map(_names_state, _CAPITALS.findall(script)))
    )


def _names_state(capitals: str) -> bool:
    """Whether ``__INITIAL_STATE__`` or the like is in a run of capitals and underscores."""
    _, _, name = capitals.partition("__")
    word = _rows().capitals.search(name)
    return word is not None and "__" in name[word.end() :]


def _from_json(source: str, text: str, mendable: Mendable, found: list[tuple[str, str]]) -> None:
    values, _ = parse_json_block(text, mendable)
    for value in values[:10]:
        _walk_state(source, value, found)


def _from_script(text: str, found: list[tuple[str, str]]) -> None:
    """Assigned JSON is walked; from anything else the long strings that stand after a key are taken."""
    if is_too_dense(text):
        return
    end = parsed = failed = 0
    for match in _ASSIGNMENT.finditer(text):
        at = match.end()
        if at < end or text[at] == "'":
            continue
        if parsed >= MAX_ASSIGNED or failed >= MAX_FAILED:
            break
        try:
            value, end = DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            failed += 1
            continue
        parsed += 1
        _walk_state(f"hydration:{match.group(1)}", value, found)
    if not end:
        _keyed_strings("hydration:script", text, found)


def _keyed_strings(source: str, text: str, found: list[tuple[str, str]]) -> None:
    for match in _KEYED_STRING.finditer(text):
        # Looking for the key first would cost a trial at every letter.
        key = _KEY_BEFORE.search(text[max(0, match.start() - 70) : match.start()])
        try:
            value = DECODER.decode(match.group(1))
        except ValueError:
            continue
        if key and isinstance(value, str):
            _consider(source, key.group(1), value, found)


def _from_flight(chunks: list[str], found: list[tuple[str, str]]) -> None:
    """React's server component stream: rows of JSON, and texts announced by their length in bytes."""
    parts: list[str] = []
    for chunk in chunks[:5000]:
        try:
            part = DECODER.decode(chunk)
        except ValueError:
            continue
        if isinstance(part, str):
            parts.append(part)
    stream = "".join(parts)
    _keyed_strings("hydration:__next_f", stream, found)
    data = stream.encode("utf-8", "replace")
    # Texts lie one after the other; lengths that say otherwise are made up.
    left = 2 * len(data)
    for match in _FLIGHT_TEXT.finditer(data):
        size = int(match.group(1), 16)
        left -= min(size, len(data) - match.end())
        if left < 0:
            break
        _consider("hydration:__next_f", "text", data[match.end() : match.end() + size].decode("utf-8", "ignore"), found)


def _walk_state(source: str, value: Any, found: list[tuple[str, str]]) -> None:
    """Visit a value without recursion; text in strings of JSON is visited too."""
    if isinstance(value, list) and value and isinstance(value[0], (list, dict)) and _is_flat(value):
        for part in value[:MAX_STATE_NODES]:
            if isinstance(part, dict):
                for key, at in part.items():
                    if type(at) is int and 0 <= at < len(value) and isinstance(value[at], str):
                        _consider(source, key, value[at], found)
        return
    stack: list[tuple[str, Any, int]] = [("", value, 0)]
    visited = nested = 0
    while stack and visited < MAX_STATE_NODES:
        key, part, depth = stack.pop()
        visited += 1
        if isinstance(part, str):
            if len(part) < MIN_STATE_BODY:
                continue
            if part[0] in "{[" and nested < 200 and depth < 60:
                nested += 1
                try:
                    inner = DECODER.decode(part)
                except (ValueError, RecursionError):
                    inner = None
                if isinstance(inner, (dict, list)):
                    stack.append((key, inner, depth + 1))
                    continue
            _consider(source, key, part, found)
        elif isinstance(part, dict):
            if depth < 200:
                stack.extend((name, inner, depth + 1) for name, inner in part.items() if _worth(name, inner))
        elif isinstance(part, list) and depth < 200:
            if len(part) >= 3 and _rows().block_key.search(key):
                _consider(source, key, _blocks_text(part), found)
            stack.extend((key, inner, depth + 1) for inner in part if _worth(key, inner))


def _worth(name: str, value: Any) -> bool:
    if isinstance(value, str):
        return len(value) >= MIN_STATE_BODY
    return isinstance(value, (dict, list)) and bool(value) and not _rows().other_key.search(name)


def _is_flat(value: list[Any]) -> bool:
    """Nuxt 3 writes all values into one array; objects hold positions in it."""
    sample = [part for part in value[:50] if isinstance(part, dict)]
    numbers = sum(type(v) is int for part in sample for v in part.values())
    return bool(sample) and numbers > 0.8 * sum(map(len, sample))


def _blocks_text(blocks: list[Any]) -> str:
    """The text of content kept as a list of blocks, a paragraph each."""
    lines: list[str] = []
    for block in blocks[:2000]:
        words: list[str] = []
        stack: list[tuple[Any, int]] = [(block, 0)]
        visited = 0
        while stack and visited < 500:
            part, depth = stack.pop()
            visited += 1
            if isinstance(part, str):
                if depth or " " in part:
                    words.append(part)
            elif isinstance(part, list) and depth < 8:
                stack.extend((inner, depth + 1) for inner in reversed(part) if isinstance(inner, (dict, list)))
            elif isinstance(part, dict) and depth < 8:
                for name in reversed(_rows().text_keys):
                    inner = part.get(name)
                    if isinstance(inner, (str, dict, list)):
                        stack.append((inner, depth + 1))
        lines.append(" ".join(words))
    return "\n\n".join(filter(None, lines))


def _consider(source: str, key: str, text: str, found: list[tuple[str, str]]) -> None:
    if len(text) < MIN_STATE_BODY or _rows().other_key.search(key):
        return
    if not _rows().body_key.search(key) and len(text) < 1000:
        return
    if looks_like_prose(text):
        found.append((f"{source}.{key[:40]}" if key else source, text_of(text)))
        if len(found) > 400:
            found[:] = sorted(found, key=lambda pair: -len(pair[1]))[:100]


def looks_like_prose(text: str) -> bool:
    """Whether a long string is sentences (perhaps with mark-up), not code, data or a list of names."""
    sample = text[:4000]
    plain = re.sub(r"<[^<>]*>|&[a-z#0-9]{1,8};", " ", sample)
    squeezed = "".join(plain.split())
    if len(squeezed) < MIN_STATE_BODY // 2:
        return False
    letters = sum(map(str.isalpha, squeezed))
    if letters < 0.8 * len(squeezed) or plain.count("{") + plain.count(";") * 0.2 > len(squeezed) / 100 + 1:
        return False
    words = plain.split()
    if squeezed.isascii() and len(squeezed) > 14 * len(words):
        return False
    return len(_SENTENCE.findall(sample)) >= max(2, len(sample) // 1200)
