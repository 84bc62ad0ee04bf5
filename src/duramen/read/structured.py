"""Data a page carries beside its text: JSON-LD, microdata, RDFa and ``<meta>``.

One broken block never costs the others, and everything is bounded: bytes, blocks, depth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from duramen.model import StructuredData
from duramen.read.bodies import bodies_in, speakable_in
from duramen.read.loose_json import Mendable, parse_json_block
from duramen.tree import Tree

__all__ = ["read_structured"]

MAX_BLOCKS = 500
MAX_TOTAL_CHARS = 8_000_000
MAX_OBJECTS = 5_000
MAX_META_VALUES = 50
MAX_META_NAMES = 500
MAX_META_CHARS = 20_000
MAX_PROBLEMS = 20
_META = ("content", "property", "name", "itemprop", "http-equiv")


def read_structured(tree: Tree, base_url: str | None) -> StructuredData:
    """Read everything but the framework state, which ``hydration.py`` reads when asked."""
    problems: list[str] = []
    blocks: list[str] = []
    total = left_out = 0
    for i, kind in tree.stated("script", ("type",)):
        if "ld+json" in kind.lower():
            text = tree.only_text(i)
            if not text.strip():
                continue
            if len(blocks) >= MAX_BLOCKS or total + len(text) > MAX_TOTAL_CHARS:
                left_out += 1
                continue
            total += len(text)
            blocks.append(text)
    if left_out:
        problems.append(f"json-ld: {left_out} blocks left out, over the limit")
    objects: list[Mapping[str, Any]] = []
    mendable = Mendable()
    for number, block in enumerate(blocks, 1):
        values, problem = parse_json_block(block, mendable)
        if problem:
            problems.append(f"json-ld block {number}: {problem}")
        _flatten(values, objects)
    return StructuredData(
        json_ld=tuple(objects),
        microdata=_microdata(tree, base_url, problems),
        rdfa=_rdfa(tree, base_url, problems),
        meta=MappingProxyType(_read_meta(tree)),
        bodies=bodies_in(objects),
        speakable=speakable_in(objects),
        problems=tuple(problems[:MAX_PROBLEMS]),
    )


def _microdata(tree: Tree, base_url: str | None, problems: list[str]) -> tuple[Mapping[str, Any], ...]:
    if not tree.valued("itemscope"):
        return ()
    from duramen.read.microdata import read_microdata

    return read_microdata(tree, base_url, problems)


def _rdfa(tree: Tree, base_url: str | None, problems: list[str]) -> tuple[Mapping[str, Any], ...]:
    if not tree.valued("typeof"):
        return ()
    from duramen.read.rdfa import read_rdfa

    return read_rdfa(tree, base_url, problems)


def _read_meta(tree: Tree) -> dict[str, tuple[str, ...]]:
    """What ``<meta>`` say, by name."""
    meta: dict[str, tuple[str, ...]] = {}
    for i, content, *names in tree.stated("meta", _META):
        stated, named, marked, header = names
        content = content.strip()[:MAX_META_CHARS]
        if not content:
            continue
        keys: Iterable[str]
        if stated and named:
            keys = dict.fromkeys([*stated.lower().split()[:4], *named.lower().split()[:4]])
        else:
            # In the body an ``itemprop`` belongs to some item, perhaps a reader's review.
            words = (stated or named or (i < tree.body and marked) or header or "").lower().split()
            keys = words if len(words) < 2 else dict.fromkeys(words[:4])
        for key in keys:
            values = meta.get(key, ())
            if not values and len(meta) >= MAX_META_NAMES:
                break
            if len(values) < MAX_META_VALUES:
                meta[key] = (*values, content) if values else (content,)
    return meta


def _flatten(values: list[Any], objects: list[Mapping[str, Any]]) -> None:
    """Add the objects of a block in order, those of arrays and ``@graph`` too."""
    stack: list[Any] = list(reversed(values))
    while stack and len(objects) < MAX_OBJECTS:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(reversed(value[:MAX_OBJECTS]))
        elif isinstance(value, dict):
            graph = value.get("@graph")
            if isinstance(graph, (list, dict)):
                stack.append(graph)
                if not value.keys() - {"@graph", "@context", "@id"}:
                    continue
                value = {name: part for name, part in value.items() if name != "@graph"}
            if value:
                objects.append(value)
