"""Data a page carries beside its text: JSON-LD, microdata, RDFa and ``<meta>``.

One broken block never costs the others, and everything is bounded: bytes, blocks, depth.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from duramen.model import StructuredData
from duramen.read.bodies import bodies_in, speakable_in
from duramen.read.hydration import hydration_bodies
from duramen.read.loose_json import MAX_MENDED_CHARS, parse_json_block
from duramen.read.microdata import read_microdata
from duramen.read.rdfa import read_rdfa
from duramen.tree import Tree

__all__ = ["hydration_bodies", "read_structured"]

MAX_BLOCKS = 500
MAX_TOTAL_CHARS = 8_000_000
MAX_OBJECTS = 5_000
MAX_META_VALUES = 50
MAX_META_NAMES = 500
MAX_META_CHARS = 20_000
MAX_PROBLEMS = 20
_META = frozenset({"meta"})


def read_structured(tree: Tree, base_url: str | None) -> StructuredData:
    """Read everything but the framework state, which :func:`hydration_bodies` reads when asked."""
    problems: list[str] = []
    meta: dict[str, list[str]] = {}
    blocks: list[str] = []
    total = left_out = 0
    for i in tree.tagged(_META):
        _collect_meta(tree, i, meta)
    for i, kind in tree.valued("type"):
        if tree.tag[i] == "script" and "ld+json" in kind.lower():
            text = "".join(tree.text[i + 1 : tree.end[i]])
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
    mendable = MAX_MENDED_CHARS
    for number, block in enumerate(blocks, 1):
        values, problem = parse_json_block(block, mendable)
        if problem:
            problems.append(f"json-ld block {number}: {problem}")
            mendable -= len(block)
        _flatten(values, objects)
    return StructuredData(
        json_ld=tuple(objects),
        microdata=read_microdata(tree, base_url, problems),
        rdfa=read_rdfa(tree, base_url, problems),
        meta=MappingProxyType({name: tuple(values) for name, values in meta.items()}),
        bodies=bodies_in(objects),
        speakable=speakable_in(objects),
        problems=tuple(problems[:MAX_PROBLEMS]),
    )


def _collect_meta(tree: Tree, i: int, meta: dict[str, list[str]]) -> None:
    attrs = tree.attrs[i]
    content = attrs.get("content", "").strip()
    if not content:
        return
    names = [attrs.get("property"), attrs.get("name")]
    if not any(names) and i < tree.body:
        # In the body an ``itemprop`` belongs to some item, perhaps a reader's review.
        names.append(attrs.get("itemprop"))
    if not any(names):
        names.append(attrs.get("http-equiv"))
    seen: set[str] = set()
    for name in names:
        for key in (name or "").lower().split()[:4]:
            if key in seen:
                continue
            seen.add(key)
            values = meta.get(key)
            if values is None:
                if len(meta) >= MAX_META_NAMES:
                    return
                values = meta[key] = []
            if len(values) < MAX_META_VALUES:
                values.append(content[:MAX_META_CHARS])


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
