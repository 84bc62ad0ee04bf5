"""Which generator or forum software made the page, recognised by evidence, and the title that its own heading gives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Set
from dataclasses import replace
from functools import cache
from math import fsum
from typing import NamedTuple

from duramen.framework_rows import ENOUGH, MARK, rows
from duramen.model import Framework, Metadata
from duramen.native import core
from duramen.page import is_permalink
from duramen.tree import Tree

_LONGEST_TITLE = 300
_LONGEST_SRC = 500

Votes = tuple[tuple[str, str, float], ...]
"""Framework, evidence as written, weight."""


class _Marks(NamedTuple):
    """Which evidence speaks for which frameworks, by where it is looked up."""

    names: dict[str, Votes]
    """By a class, id or tag, as it is written, or by "/file" or "/folder/file" of a script."""
    files: set[str]
    """The names of these scripts, without folders."""
    metas: dict[str, list[tuple[str, Votes]]]
    """By the tag's name: the beginning of its value."""
    roots: list[tuple[str, str, str | None, Votes]]
    """Element, attribute, value."""


@cache
def _marks() -> _Marks:
    marks = _Marks(defaultdict(tuple), set(), defaultdict(list), [])
    for row in rows().values():
        for mark, weight in row.evidence.items():
            votes = ((row.id, mark, weight),)
            match = MARK.fullmatch(mark)
            assert match is not None
            if match["kind"] or match["tag"]:
                marks.names[mark] += votes
            elif match["file"]:
                marks.names[f"/{match['file']}"] += votes
                marks.files.add(match["file"].rpartition("/")[2])
            elif match["place"] == "meta":
                marks.metas[match["key"]].append(((match["value"] or "").lower(), votes))
            else:
                marks.roots.append((match["place"], match["key"], match["value"], votes))
    return marks


def detect_framework(tree: Tree, meta: Mapping[str, tuple[str, ...]]) -> Framework | None:
    """The framework with the most evidence, if there is enough. All evidence is looked up, none searched for."""
    found: dict[str, dict[str, float]] = {}
    for framework, mark, weight in _votes(tree, meta):
        found.setdefault(framework, {})[mark] = weight
    if not found:
        return None
    # The order in which evidence is found differs from process to process; their sum must not.
    weights = {framework: total for framework, own in found.items() if (total := fsum(own.values())) >= ENOUGH}
    if not weights:
        return None
    beaten = frozenset().union(*(rows()[framework].outranks for framework in weights))
    best = max(weights, key=lambda framework: (framework not in beaten, weights[framework], framework))
    return Framework(best, rows()[best].name, min(1.0, weights[best] / 2), tuple(sorted(found[best])))


def _votes(tree: Tree, meta: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str, float]]:
    marks = _marks()
    found = [vote for name in _names(tree) for vote in marks.names[name]]
    for name, starts in marks.metas.items():
        for value in meta.get(name, ()):
            lowered = value.lower()
            found += [vote for start, votes in starts if lowered.startswith(start) for vote in votes]
    attributes = {"html": tree.attrs[0], "body": tree.attrs[tree.body]} if tree.tag else {}
    for place, key, stated, votes in marks.roots if attributes else ():
        own = attributes[place].get(key)
        if own is not None and (stated is None or own == stated):
            found += votes
    return found


def _names(tree: Tree) -> Set[str]:
    """Which of the classes, ids, tags and scripts that are evidence the page has."""
    marks = _marks()
    lowered, names = _lowered()
    found = {name for key in tree.core.named(names) for name in lowered[key]}
    for _, src in tree.stated("script", ("src",)):
        folder, _, file = src[:_LONGEST_SRC].partition("?")[0].partition("#")[0].rpartition("/")
        if file in marks.files:
            found.update(marks.names.keys() & {f"/{file}", f"/{folder.rpartition('/')[2]}/{file}"})
    return found


@cache
def _lowered() -> tuple[dict[str, list[str]], core.Lookup]:
    """The names of all evidence by how the compiled core finds them, in lower case; and these."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name in _marks().names:
        found[name.lower()].append(name)
    return found, core.Lookup(dict.fromkeys(found, 0.0))


def framework_title(tree: Tree, framework: Framework | None) -> tuple[str, str] | None:
    """The page's title by the framework's own heading, and the selector that found it."""
    row = rows()[framework.id] if framework is not None else None
    for selector in row.title if row is not None else ():
        found = [i for i in tree.select(selector) if tree.chars_in(i)]
        if row is not None and len(found) == 1:
            title = _text_without(tree, found[0], row.remove)
            if 0 < len(title) <= _LONGEST_TITLE:
                return title, selector
    return None


def with_title(tree: Tree, framework: Framework | None, metadata: Metadata) -> Metadata:
    """Metadata with the title that the framework's own heading gives."""
    found = framework_title(tree, framework)
    if found is None:
        return metadata
    return replace(metadata, title=found[0], sources={**metadata.sources, "title": f"framework {found[1]}"})


def _text_without(tree: Tree, node: int, remove: tuple[str, ...]) -> str:
    """A heading's text without the permalinks in it."""
    if not any(tree.tag[node + 1 : tree.end[node]]):
        return tree.text_in(node)
    gone = {j for selector in remove for j in tree.select(selector, node) if j != node}
    gone.update(j for j in range(node, tree.end[node]) if tree.tag[j] == "a" and is_permalink(tree, j))
    if not gone:
        return tree.text_in(node)
    parts: list[str] = []
    k = node
    while k < tree.end[node]:
        if k in gone:
            k = tree.end[k]
        else:
            parts.append(tree.text[k])
            k += 1
    return " ".join("".join(parts).split())
