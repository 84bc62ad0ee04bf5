"""Reads TOML; of the shipped files it reads copies, since to parse them all takes longer than to extract many pages.

The build (native_build.py) writes the copies; people edit only the TOML files. A copy belongs to a text, not to a name,
so it is never out of date: an edited file is another text, which has no copy and is parsed.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

COPIES = Path(__file__).with_name("_toml_copies.txt")
"""A line for each text: its key, a space, and what it says as JSON."""


def read_toml(text: str) -> dict[str, Any]:
    """What a TOML text says; raises tomllib.TOMLDecodeError, a ValueError."""
    copy = _copies().get(_key(text))
    if copy is not None:
        try:
            found: dict[str, Any] = json.loads(copy)
            return found
        except ValueError:
            pass  # Damaged; the text itself is there.
    import tomllib

    return tomllib.loads(text)


def write_copies(folder: Path, target: Path) -> None:
    """Copy what all TOML files below a folder say."""
    import tomllib

    texts = (path.read_text("utf-8") for path in sorted(folder.rglob("*.toml")))
    lines = [f"{_key(text).decode()} {json.dumps(tomllib.loads(text), separators=(',', ':'))}\n" for text in texts]
    target.write_text("".join(lines), "ascii", newline="\n")


@cache
def _copies() -> dict[bytes, bytes]:
    try:
        lines = COPIES.read_bytes().split(b"\n")
    except OSError:
        return {}
    return {key: copy for key, _, copy in (line.partition(b" ") for line in lines)}


def _key(text: str) -> bytes:
    data = text.encode()
    return b"%08x-%x" % (crc32(data), len(data))
