"""Duramen finds the main content of a web page.

Public names only; each is imported when first used, so that ``import duramen`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from duramen.classic import HtmlTextExtractor, TextExtractionResult
    from duramen.errors import DuramenError, FetchError, InputError, MissingExtra, OptionError, RuleError
    from duramen.options import FetchOptions, Limits, Options, Output
    from duramen.pipeline import extract
    from duramen.result import Result
    from duramen.session import AsyncSession, Session

    __version__: str

__all__ = [
    "AsyncSession",
    "DuramenError",
    "FetchError",
    "FetchOptions",
    "HtmlTextExtractor",
    "InputError",
    "Limits",
    "MissingExtra",
    "OptionError",
    "Options",
    "Output",
    "Result",
    "RuleError",
    "Session",
    "TextExtractionResult",
    "__version__",
    "extract",
]

_HOMES = {
    "AsyncSession": "session",
    "DuramenError": "errors",
    "FetchError": "errors",
    "FetchOptions": "options",
    "HtmlTextExtractor": "classic",
    "InputError": "errors",
    "Limits": "options",
    "MissingExtra": "errors",
    "OptionError": "errors",
    "Options": "options",
    "Output": "options",
    "Result": "result",
    "RuleError": "errors",
    "Session": "session",
    "TextExtractionResult": "classic",
    "extract": "pipeline",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("duramen")
    elif name in _HOMES:
        value = getattr(import_module(f"duramen.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module 'duramen' has no attribute {name!r}; it has {', '.join(__all__)}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
