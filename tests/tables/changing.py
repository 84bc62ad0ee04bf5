"""How a table is changed for a test, and which places of the tables there are to change."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import CodeType, ModuleType
from typing import Any

import pytest

from duramen import tables, toml_copies
from duramen.dom import named_characters
from duramen.find.judge_model import shipped_model
from duramen.refine.elements import vocabulary

Change = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A change of one entry, and an output that has to change with it."""

    file: str
    place: str
    """The keys that lead to the entry's list, text or number; a row is named by its label."""
    change: Change
    output: Callable[[], object]

    def __str__(self) -> str:
        return f"{self.file} {self.place}"


parsed = cache(tomllib.loads)
"""Parsing takes most of the time that reading a table takes, and most tables stay as they are."""


def table(file: str) -> dict[str, Any]:
    """A table as it is shipped."""
    return parsed((tables.DATA / file).read_text("utf-8"))


def label(row: Mapping[str, Any]) -> str:
    """What a row of a list is called: its id, or what it is about."""
    if "id" in row:
        return str(row["id"])
    if "on" in row:
        return f"{'|'.join(row['on'])}[{row['name']}]"
    return str(row["name"] if "name" in row else row["tags"][0])


def places(file: str) -> dict[str, Any]:
    """Everything in a file that is an entry or has entries, by the keys that lead to it."""
    return dict(_places(table(file), ""))


def _places(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        value = {label(row): row for row in value}
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _places(part, f"{place} / {key}" if place else key)
    else:
        yield place, value


def _put(value: Any, keys: Sequence[str], change: Change) -> Any:
    """A table in which what the keys lead to is changed."""
    if not keys:
        return change(value)
    if isinstance(value, list):
        return [_put(row, keys[1:], change) if label(row) == keys[0] else row for row in value]
    changed = {**value, keys[0]: _put(value[keys[0]], keys[1:], change)}
    return {key: part for key, part in changed.items() if part is not NOTHING}


NOTHING = object()
"""What a change returns to take a key out."""


def without(entry: object) -> Change:
    """Take an entry out of a list, or out of a text of words, of phrases or of pairs."""

    def change(entries: Any) -> Any:
        if isinstance(entries, list):
            assert entry in entries, f"there is no {entry!r}"
            return [other for other in entries if other != entry]
        separator = "\n" if " -> " in entries else ";" if ";" in entries else None
        found = [" ".join(part.split()) for part in entries.split(separator)]
        assert entry in found, f"there is no {entry!r}"
        left = (separator or " ").join(part for part in found if part and part != entry)
        return left or ("no-such-entry -> x" if separator == "\n" else "no-such-entry")

    return change


def swapped(entry: object) -> Change:
    """Put an entry that nothing has in another's place: for lists that may not be empty."""
    return lambda entries: ["no-such-entry" if other == entry else other for other in entries]


def to(value: object) -> Change:
    """Another value in place of the shipped one."""

    def change(shipped: Any) -> Any:
        assert shipped != value, f"it is {value!r} as shipped"
        return value

    return change


@contextmanager
def changed(file: str, place: str, change: Change) -> Iterator[None]:
    """Everything reads the table with one change, as if it had been shipped so."""
    text = (tables.DATA / file).read_text("utf-8")
    other = _put(parsed(text), place.split(" / "), change)
    assert other != parsed(text)

    def loads(given: str) -> dict[str, Any]:
        return other if given == text else parsed(given)

    again = text in _read_on_import()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tomllib, "loads", loads)
        patch.setattr(toml_copies, "_copies", dict)  # none: every text is parsed
        with read_anew(run_again=again):
            yield


_NO_TABLES = (shipped_model, named_characters, tables.split_names, tables.plain_name)
"""What these remember has no table in it, and is costly to work out again."""


def _modules() -> list[ModuleType]:
    return [module for name, module in list(sys.modules.items()) if name.startswith("duramen.")]


@contextmanager
def read_anew(*, run_again: bool = True) -> Iterator[None]:
    """Nothing remembers a table: what was kept of them is forgotten, and modules that read one on import run again.

    They run again in place, so that modules that imported their functions see the change. If a module should take
    a value of theirs instead, its cases fail, because nothing changes.
    """
    modules = _modules()
    before = {module: dict(vars(module)) for module in modules if run_again and _reads_tables(module)}
    _forget(modules)
    try:
        for module in before:
            exec(_code(module), vars(module))
        yield
    finally:
        for module, names in before.items():
            vars(module).clear()
            vars(module).update(names)
        _forget(_modules())


@cache
def _read_on_import() -> frozenset[str]:
    """The texts of the tables that modules read when they are imported, and not when they first need them."""
    texts: list[str] = []

    def loads(text: str) -> dict[str, Any]:
        texts.append(text)
        return parsed(text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tomllib, "loads", loads)
        patch.setattr(toml_copies, "_copies", dict)  # none: every text is parsed
        with read_anew(run_again=True):
            return frozenset(texts)


@cache
def _reads_tables(module: ModuleType) -> bool:
    if module is tables:
        return False
    own = vars(module).values()
    return any(
        value in (tables.load, tables.row_words) or getattr(value, "__module__", "") == vocabulary.__name__
        for value in own
    )


@cache
def _code(module: ModuleType) -> CodeType:
    loader: Any = module.__loader__
    code: CodeType = loader.get_code(module.__name__)
    return code


def _forget(modules: list[ModuleType]) -> None:
    for module in modules:
        for remember in _remembering(module):
            remember.cache_clear()


@cache
def _remembering(module: ModuleType) -> list[Any]:
    """The functions of a module, its own or imported, that remember their results."""
    return [value for value in vars(module).values() if hasattr(value, "cache_clear") and value not in _NO_TABLES]
