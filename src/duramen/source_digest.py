"""A name for one state of the compiled core's sources, for the build (native_build.py) and the check on import."""

from __future__ import annotations

import hashlib
from pathlib import Path


def source_digest(sources: Path) -> str:
    state = hashlib.sha256()
    for path in sorted(sources.iterdir()):
        if path.suffix in (".c", ".h"):
            state.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return state.hexdigest()[:16]
