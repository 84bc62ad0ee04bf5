"""The versions of engine, rules and model that produced a row, so that stored results can be distinguished."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from duramen.options import Options


@cache
def versions(options: Options) -> dict[str, str]:
    """``engine`` is the release; ``rules`` and ``model`` are digests of the data it uses."""
    data = Path(str(files("duramen"))) / "data"
    model = hashlib.sha256((data / "model" / "judge.safetensors").read_bytes()).hexdigest()[:12]
    rules = hashlib.sha256()
    for place in (data, *map(Path, options.rules), *map(Path, options.filter_lists)):
        for name, content in _rows(place):
            rules.update(name.encode() + b"\0" + content)
    return {"engine": version("duramen"), "rules": rules.hexdigest()[:12], "model": model}


def _rows(place: Path) -> Iterator[tuple[str, bytes]]:
    """Names and contents of a folder of rules, or of one list; a name that is not a file has no content."""
    if place.is_dir():
        for path in sorted(place.rglob("*.toml")):
            yield path.relative_to(place).as_posix(), path.read_bytes()
    else:
        yield place.name, place.read_bytes() if place.is_file() else b""
