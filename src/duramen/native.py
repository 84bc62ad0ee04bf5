"""The compiled core, where it was built: ``core`` is None without it, or with ``DURAMEN_PURE=1`` in the environment.

It holds twins of functions that walk every node, block or tree (``src/native``). Each twin is called in one place, the
function it stands for, which goes on in Python where there is none; both give the same result.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

VERSION = 12
"""Raised with every change to what the core is given or returns: one that was built from other sources is not used."""


def _load() -> Any:
    if os.environ.get("DURAMEN_PURE"):
        return None
    try:
        found = import_module("duramen._native")
    except ImportError:
        return None
    return found if getattr(found, "VERSION", None) == VERSION else None


core: Any = _load()
