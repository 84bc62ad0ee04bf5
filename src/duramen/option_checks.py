"""Whether the values of options are what they must be."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING

from duramen.errors import OptionError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def check_word(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in allowed:
        raise OptionError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {shown(value)}")


def check_number(name: str, value: object, least: float, most: float, *, whole: bool = True) -> None:
    """Raise an :class:`OptionError` unless a value is a number in a range; ``whole``: an integer."""
    kinds = (int,) if whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value <= most:
        kind = "a whole number" if whole else "a number"
        raise OptionError(f"{name} must be {kind} from {least:,} to {most:,}, not {shown(value)}")


def check_fields(options: DataclassInstance, ranges: Mapping[str, tuple[float, float]]) -> None:
    """Check the fields of options by name; times may have fractions, and what is None by default may be None."""
    may_be_none = {f.name for f in fields(options) if f.default is None}
    for name, (least, most) in ranges.items():
        value = getattr(options, name)
        if value is not None or name not in may_be_none:
            whole = not name.endswith(("seconds", "timeout", "delay", "wait"))
            check_number(f"{type(options).__name__}.{name}", value, least, most, whole=whole)


def check_switches(options: DataclassInstance) -> None:
    """Check that the fields of options that are True or False by default are one of these."""
    for each in fields(options):
        value = getattr(options, each.name)
        if isinstance(each.default, bool) and not isinstance(value, bool):
            raise OptionError(f"{type(options).__name__}.{each.name} must be True or False, not {shown(value)}")


def check_kinds(options: DataclassInstance, kinds: Mapping[str, tuple[str, tuple[type, ...]]]) -> None:
    """Check fields that may be None, by name: what they must be, in words and as types."""
    for name, (words, types) in kinds.items():
        value = getattr(options, name)
        if value is not None and (not isinstance(value, types) or not str(value) or "\0" in str(value)):
            raise OptionError(f"{type(options).__name__}.{name} must be {words}, not {shown(value)}")


def shown(value: object) -> str:
    try:
        shown = repr(value)
    except ValueError:  # Python does not write integers of thousands of digits
        return "a larger one"
    return shown if len(shown) <= 60 else f"{shown[:60]}…"


def check_hosts(name: str, given: object) -> None:
    """Check what is sent to some hosts: texts without control characters, in a mapping for each host or in a pair."""
    for host, values in given.items() if isinstance(given, Mapping) else ():
        pairs: Iterable[object] = values.items() if isinstance(values, Mapping) else [values]
        texts = [host, *(text for pair in pairs for text in (pair if isinstance(pair, (tuple, list)) else (None,)))]
        if not host or not all(isinstance(text, str) and text.isprintable() for text in texts):
            raise OptionError(
                f"{name}: what is sent to the host {shown(host)} must be texts without control characters"
            )


def as_paths(name: str, value: object) -> tuple[str, ...]:
    """Paths as a tuple of strings, which can be compared and pickled."""
    single = isinstance(value, (str, os.PathLike))
    parts = (value,) if single else tuple(value) if isinstance(value, (list, tuple)) else (None,)
    if not all(isinstance(part, (str, os.PathLike)) and str(part) and "\0" not in str(part) for part in parts):
        raise OptionError(f"{name} must be paths, not {shown(value)}; write {name}=('path/to/it',)")
    return tuple(map(str, parts))
