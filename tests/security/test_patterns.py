"""No regular expression takes more than linear time, whatever text it is given.

Each is fed with what its own repeats take, followed by something that nothing takes, in the ways in which the code
calls it.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

import duramen
from duramen.lazy_pattern import LazyPattern

from .pumps import Pump, pumps

SOURCE = Path(duramen.__file__).parent
LONG = 24_000
"""Characters of the longest string; where they are compared with each other, that takes a second."""
MOST = 0.1
"""Seconds of CPU time."""
WAYS = {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
GIVEN_SHORT_TEXTS = {
    "agents.sections._DECORATION": 2_000,
    "parts.records.rows.record_rows.available": 60,
    "parts.records.rows.record_rows.buy": 60,
    "parts.records.rows.record_rows.labels": 160,
    "parts.records.rows.record_rows.price": 160,
    "parts.records.rows.record_rows.rated": 80,
    "parts.records.rows.record_rows.stars": 80,
    "parts.records.rows.record_rows.unavailable": 60,
    "read.metadata_rows.metadata_rows.date_word_at_end": 120,
    "read.style_selectors._SPECIFIC": 500,
    "read.hydration._KEY_BEFORE": 70,
    "read.names._DATA_CUT": 400,
    "read.names._words": 400,
    "read.properties._SUSPECT": 300,
    "read.titles._SEPARATOR": 500,
    "refine.elements.images._DESCRIPTOR": 40,
}
"""Patterns that compare letters with each other, and the most characters that the code gives them."""


@cache
def named_patterns() -> dict[str, re.Pattern[Any]]:
    """The patterns that modules hold, alone or in a table."""
    found: dict[str, re.Pattern[Any]] = {}
    for info in pkgutil.walk_packages([str(SOURCE)], "duramen."):
        if info.name.endswith(("__main__", "_native")):
            continue
        try:
            module = importlib.import_module(info.name)
        except ImportError:
            continue  # it needs an extra that is not installed
        source = Path(module.__file__ or "").read_text(encoding="utf-8")
        own = re.findall(r"^(?:def )?(\w+)(?:\(\) -> .*:|(?::.*)? = )", source, re.M)
        for name in own:
            home = f"{info.name.removeprefix('duramen.')}.{name}"
            value = getattr(module, name, None)
            for k, pattern in enumerate(held(value)):
                found[f"{home}{f' {k}' if k else ''}"] = pattern
            if callable(value) and hasattr(value, "cache_info") and not signature(value).parameters:
                # What an object makes when it is first used is not among its attributes before.
                one = value()
                made = [attr for attr, kind in vars(type(one)).items() if isinstance(kind, cached_property)]
                for attr in made:
                    for k, pattern in enumerate(held(getattr(one, attr))):
                        found[f"{home}.{attr}{f' {k}' if k else ''}"] = pattern
    return found


def held(value: object) -> Iterator[re.Pattern[Any]]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, LazyPattern):
            yield re.compile(*one.made_of)
        elif isinstance(one, re.Pattern):
            yield one
        elif isinstance(one, (tuple, list, dict)) and len(one) < 300:
            waiting += one.values() if isinstance(one, dict) else one
        elif hasattr(one, "cache_info") and not signature(one).parameters:  # type: ignore[arg-type]
            waiting.append(one())  # type: ignore[operator]
        elif type(one).__module__.startswith("duramen.") and hasattr(one, "__dict__"):
            waiting.append(vars(one))


@cache
def calls() -> dict[str, set[str]]:
    """How names are called that may be those of patterns, by module and name."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in SOURCE.rglob("*.py"):
        own = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
        home = {alias.name: (node.module or "").removeprefix("duramen.") for node in imports for alias in node.names}
        for node in nodes:
            if isinstance(node, ast.Attribute) and node.attr in WAYS and isinstance(node.value, ast.Name):
                found[f"{home.get(node.value.id, own)}.{node.value.id}"].add(node.attr)
    return found


def inline_patterns() -> Iterator[tuple[str, re.Pattern[Any], str]]:
    """Those of ``re.sub("…", …)`` and the like."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WAYS:
                held_by, given = node.func.value, node.args[0] if node.args else None
                if isinstance(held_by, ast.Name) and held_by.id == "re" and isinstance(given, ast.Constant):
                    yield f"{path.stem}:{node.lineno}", re.compile(given.value), node.func.attr


def called(pattern: re.Pattern[Any], way: str) -> Callable[[Any], object]:
    if way in ("match", "fullmatch", "search"):
        return getattr(pattern, way)  # type: ignore[no-any-return]
    return lambda text: sum(1 for _ in pattern.finditer(text))


def slow(pattern: re.Pattern[Any], way: str, pump: Pump, long: int = LONG) -> str:
    """What takes too long; empty when nothing does. Strings grow slowly, since some take twice as long a letter."""
    call = called(pattern, way)
    for before, after in ((pump.before, "\x01"), ("", "\x01"), (pump.before, "")):
        size = 30.0
        while size <= long:
            text: Any = before + pump.unit * int(size / len(pump.unit)) + after
            if isinstance(pattern.pattern, bytes):
                text = text.encode("latin-1", "replace")
            if spent(call, text) > MOST and spent(call, text) > MOST:
                return f"{way}: {before!r} + {pump.unit!r} * {int(size / len(pump.unit))} + {after!r}"
            size *= 1.2 if size < 200 else 2
    return ""


def spent(call: Callable[[Any], object], text: Any) -> float:
    started = time.thread_time()
    call(text)
    return time.thread_time() - started


@pytest.mark.parametrize("name", sorted(named_patterns()))
def test_a_pattern_reads_a_text_once(name: str) -> None:
    pattern = named_patterns()[name]
    ways = calls().get(name.partition(" ")[0]) or {"search"}
    long = GIVEN_SHORT_TEXTS.get(name.partition(" ")[0], LONG)
    assert [found for way in ways for pump in pumps(pattern) if (found := slow(pattern, way, pump, long))] == []


def test_a_pattern_in_a_call_reads_a_text_once() -> None:
    found = list(inline_patterns())
    assert len(found) > 20
    assert {at: told for at, p, way in found for pump in pumps(p) if (told := slow(p, way, pump))} == {}


@pytest.mark.parametrize(
    ("pattern", "way"),
    [
        (r"(?:\s|;)+$", "search"),
        (r"\{\s*(.*)\}", "fullmatch"),
        (r"a(?:\[[\w-]+\]|\[\d+\])*", "fullmatch"),
        (r"(\d+)w", "search"),
        (rb"__[A-Z_]*(?:STATE|DATA|PROPS)[A-Z_]*__", "search"),
        (r"(?:a|b|ab)*c", "match"),
    ],
)
def test_what_takes_longer_is_found(pattern: str | bytes, way: str) -> None:
    compiled = re.compile(pattern, re.S)
    assert any(slow(compiled, way, pump) for pump in pumps(compiled))


def test_known_exceptions_are_patterns() -> None:
    assert named_patterns().keys() >= GIVEN_SHORT_TEXTS.keys()
