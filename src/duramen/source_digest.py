"""A name for one state of the compiled core's sources, for the build (native_build.py) and the check on import."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32


def source_digest(sources: Path) -> str:
    # Not hashlib, which takes longer to import than all sources take to read.
    state = length = 0
    for path in sorted(sources.iterdir()):
        if path.suffix in (".c", ".h"):
            data = path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n") + b"\0"
            state, length = crc32(data, state), length + len(data)
    return f"{state:08x}-{length:x}"
