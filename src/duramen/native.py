"""The compiled core, which is part of every installation: without it, or with one of other sources, nothing works."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

__all__ = ["core"]


def _load() -> ModuleType:
    try:
        found = import_module("duramen._native")
    except ImportError as error:
        raise ImportError(
            "Duramen's compiled core is missing or was built for another Python. Install Duramen again with this one:"
            " pip install --force-reinstall . (in a checkout: python native_build.py)"
        ) from error
    # Only a checkout has the sources beside the package.
    sources = Path(__file__).parents[1] / "native"
    if sources.is_dir():
        from duramen.source_digest import source_digest

        if source_digest(sources) != found.SOURCES:
            raise ImportError(
                "Duramen's compiled core was built from other sources than those in src/native."
                " Build it again: python native_build.py"
            )
    return found


if TYPE_CHECKING:
    from duramen import _native as core
else:
    core = _load()
