"""The compiled core, where it was built: ``core`` is None without it, or with ``DURAMEN_PURE=1`` in the environment.

It holds twins of functions that walk every node, block or tree (``src/native``). Each twin is called in one place, the
function it stands for, which goes on in Python where there is none; both give the same result.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any


def _load() -> Any:
    try:
        return None if os.environ.get("DURAMEN_PURE") else import_module("duramen._native")
    except ImportError:
        return None


core: Any = _load()
