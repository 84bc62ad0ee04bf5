"""Dataclasses from the plain data that ``dataclasses.asdict`` and JSON make of them."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

_T = TypeVar("_T")


def rebuild(cls: type[_T], data: Mapping[str, Any]) -> _T:
    """An object of a dataclass; keys that it has no field for are ignored.

    Raises a :class:`KeyError` with the name of a field that has no default and is not in the data.

    >>> from duramen.model import PageKind
    >>> rebuild(PageKind, {"type": "article", "confidence": 0.9, "evidence": ["a byline"], "uncertain": False})
    PageKind(type='article', confidence=0.9, evidence=('a byline',))
    """
    hints = get_type_hints(cls)
    values: dict[str, Any] = {}
    for one in fields(cls):  # type: ignore[arg-type]
        if one.name in data:
            values[one.name] = _value(hints[one.name], data[one.name])
        elif one.default is MISSING and one.default_factory is MISSING:
            raise KeyError(one.name)
    return cls(**values)


def _value(kind: Any, value: Any) -> Any:
    """A value of a field as its type says; the types of results are few."""
    if get_origin(kind) in (Union, types.UnionType) and value is not None:
        kind = next(one for one in get_args(kind) if one is not type(None))
    if is_dataclass(kind):
        return rebuild(cast(type[Any], kind), value)
    if get_origin(kind) is tuple:
        inner: Any = get_args(kind)[0]
        if is_dataclass(inner):
            return tuple(rebuild(cast(type[Any], inner), one) for one in value)
        return tuple(tuple(one) if isinstance(one, list) else one for one in value)
    return value
