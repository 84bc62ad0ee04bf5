"""Which engine, rules and model made a row, so that stored results can be told apart."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable


@cache
def versions() -> dict[str, str]:
    """``engine`` is the release; ``rules`` and ``model`` are digests of the data that is shipped with it."""
    data = files("duramen") / "data"
    model = hashlib.sha256((data / "model" / "judge.npz").read_bytes()).hexdigest()[:12]
    rules = hashlib.sha256()
    for name, file in sorted(_rows(data)):
        rules.update(name.encode() + b"\0" + file.read_bytes())
    return {"engine": version("duramen"), "rules": rules.hexdigest()[:12], "model": model}


def _rows(folder: Traversable) -> list[tuple[str, Traversable]]:
    found, waiting = [], [("", folder)]
    while waiting:
        prefix, here = waiting.pop()
        for entry in here.iterdir():
            if entry.is_dir():
                waiting.append((f"{prefix}{entry.name}/", entry))
            elif entry.name.endswith(".toml"):
                found.append((f"{prefix}{entry.name}", entry))
    return found
