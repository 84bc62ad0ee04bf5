"""The framework tier: known generators and forum software, recognised by evidence, with selectors that are exact.

A framework is a file of ``data/frameworks``; the README there explains its rows.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from math import fsum
from typing import Any, get_args

from duramen.errors import RuleError
from duramen.model import Candidate, Framework, Metadata, PageType
from duramen.native import core
from duramen.page import Page, is_permalink
from duramen.tables import load
from duramen.tree import Tree

_ENOUGH = 1.0
"""Evidence must add up to this much; only a generator's own meta tag may be enough alone."""
_LONGEST_TITLE = 300
_LONGEST_SRC = 500
_MARK = re.compile(
    r"(?P<kind>[.#])(?P<name>[\w:-]+)|(?P<tag>[a-z]+(?:-[a-z]+)+)"
    r"|script\[src=(?P<file>[\w./-]+)\]"
    r"|(?P<place>meta|html|body)\[(?P<key>[\w:.-]+)(?:(?P<sign>\^?=)(?P<value>[^\]]+))?\]"
)
_KEYS = frozenset("id name seen kind whole many outranks evidence content parts title remove keep".split())

Votes = tuple[tuple[str, str, float], ...]
"""Framework, mark as written, weight."""


@dataclass(frozen=True, slots=True)
class Row:
    """What is known of one framework."""

    id: str
    name: str
    kind: PageType | None
    """The page type whose limits its content is validated by; the judged one if None."""
    whole: bool
    """All of the content element is content, but for what ``remove`` names: removal rows do not apply to it."""
    many: bool
    """The content stands in several elements, such as a thread's posts."""
    outranks: frozenset[str]
    evidence: Mapping[str, float]
    content: tuple[str, ...]
    parts: tuple[str, ...]
    """Where no single element holds the content: selectors of which all finds together are."""
    title: tuple[str, ...]
    remove: tuple[str, ...]
    keep: tuple[str, ...]


@cache
def rows() -> Mapping[str, Row]:
    """The frameworks by id."""
    folder = resources.files("duramen") / "data" / "frameworks"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return {(row := read_row(load(f"frameworks/{name}"), name)).id: row for name in names}


def read_row(raw: Mapping[str, Any], source: str) -> Row:
    """A framework's file as a row; what is wrong with it is told with what to write instead."""
    unknown = sorted(raw.keys() - _KEYS)
    if unknown:
        raise RuleError(f"{source}: unknown key {unknown[0]!r}; there are {', '.join(sorted(_KEYS))}")
    if source != f"{raw.get('id')}.toml":
        raise RuleError(f"{source}: the id is {raw.get('id')!r}; write the file's own name")
    for key in ("name", "seen", "evidence", "content"):
        if not raw.get(key):
            raise RuleError(f"{source}: {key!r} is missing; a framework needs a name, versions, evidence and content")
    if raw.get("kind") not in (None, *get_args(PageType)):
        raise RuleError(f"{source}: {raw['kind']!r} is no page type; write one of {', '.join(get_args(PageType))}")
    for mark, weight in raw["evidence"].items():
        match = _MARK.fullmatch(mark)
        if match is None:
            raise RuleError(
                f"{source}: evidence {mark!r} is not .class, #id, tag-name, script[src=file],"
                " meta[…], html[…] or body[…]"
            )
        if weight >= _ENOUGH and match["place"] != "meta":
            raise RuleError(f"{source}: {mark!r} alone would be enough; only a meta tag may be, give it less than 1")
    lists = (tuple(raw.get(key, ())) for key in ("content", "parts", "title", "remove", "keep"))
    flags = (bool(raw.get("whole")), bool(raw.get("many")), frozenset(raw.get("outranks", ())))
    return Row(raw["id"], raw["name"], raw.get("kind"), *flags, raw["evidence"], *lists)


@dataclass(slots=True)
class _Marks:
    """Which mark speaks for which frameworks, by where it is looked up."""

    names: dict[str, Votes] = field(default_factory=lambda: defaultdict(tuple))
    """By a class, id or tag, as it is written, or by "/file" or "/folder/file" of a script."""
    metas: dict[str, list[tuple[str, Votes]]] = field(default_factory=lambda: defaultdict(list))
    """By the tag's name: the beginning of its value."""
    roots: list[tuple[str, str, str | None, Votes]] = field(default_factory=list)
    """Element, attribute, value."""


@cache
def _marks() -> _Marks:
    marks = _Marks()
    for row in rows().values():
        for mark, weight in row.evidence.items():
            votes = ((row.id, mark, weight),)
            match = _MARK.fullmatch(mark)
            assert match is not None
            if match["kind"] or match["tag"]:
                marks.names[mark] += votes
            elif match["file"]:
                marks.names[f"/{match['file']}"] += votes
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
    # The order in which marks are found differs from process to process; their sum must not.
    weights = {framework: total for framework, own in found.items() if (total := fsum(own.values())) >= _ENOUGH}
    if not weights:
        return None
    beaten = frozenset().union(*(rows()[framework].outranks for framework in weights))
    best = max(weights, key=lambda framework: (framework not in beaten, weights[framework], framework))
    return Framework(best, rows()[best].name, min(1.0, weights[best] / 2), tuple(sorted(found[best])))


def _votes(tree: Tree, meta: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str, float]]:
    marks = _marks()
    found = [vote for name in _named(tree) for vote in marks.names[name]]
    for name, starts in marks.metas.items():
        for value in meta.get(name, ()):
            lowered = value.lower()
            found += [vote for start, votes in starts if lowered.startswith(start) for vote in votes]
    attributes = {"html": tree.attrs[0], "body": tree.attrs[tree.body]} if tree.tag else {}
    for place, key, stated, votes in marks.roots if attributes else ():
        said = attributes[place].get(key)
        if said is not None and (stated is None or said == stated):
            found += votes
    return found


def _named(tree: Tree) -> Set[str]:
    """Which of the classes, ids, tags and scripts that are marks the page has."""
    if tree.core is not None:
        return tree.core.named(_lookup())  # type: ignore[no-any-return]
    classes = (f".{word}" for word in " ".join(tree.classes()).split(" "))
    files = (name for _, src in tree.stated("script", ("src",)) for name in _file_names(src))
    return _marks().names.keys() & {*classes, *(f"#{ident}" for ident in tree.ident), *tree.tag, *files}


@cache
def _lookup() -> Any:
    """The names of marks, for the compiled core."""
    return core.Lookup(dict.fromkeys(_marks().names, 0.0))


def _file_names(src: str) -> tuple[str, str]:
    """A script's file, alone and with its folder."""
    folder, _, name = src[:_LONGEST_SRC].partition("?")[0].partition("#")[0].rpartition("/")
    return f"/{name}", f"/{folder.rpartition('/')[2]}/{name}"


def find_framework(page: Page) -> Iterator[Candidate]:
    """What the first content selector of the recognised framework finds, if it is the only such element; else parts."""
    if page.framework is None:
        return
    row = rows()[page.framework.id]
    for selector in (*row.content, *row.parts):
        nodes = _outermost(page.tree, [i for i in page.tree.select(selector) if page.tree.chars_in(i)])
        if nodes and (row.many or len(nodes) == 1 or selector in row.parts):
            evidence = f"{row.name} by {', '.join(page.framework.evidence)}; {selector}"
            confidence = page.framework.confidence
            yield Candidate("framework", f"framework-{row.id}", evidence, tuple(nodes), confidence=confidence)
            return


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
    gone = [j for selector in remove for j in tree.select(selector, node) if j != node]
    gone += [j for j in range(node, tree.end[node]) if tree.tag[j] == "a" and is_permalink(tree, j)]
    if not gone:
        return tree.text_in(node)
    inside = {k for j in _outermost(tree, sorted(gone)) for k in range(j, tree.end[j])}
    return " ".join("".join(tree.text[k] for k in range(node, tree.end[node]) if k not in inside).split())


def row_of(page: Page, candidate: Candidate) -> Row | None:
    """The row that a candidate came from."""
    return rows()[page.framework.id] if candidate.tier == "framework" and page.framework is not None else None


def _outermost(tree: Tree, nodes: list[int]) -> list[int]:
    kept: list[int] = []
    for node in nodes:
        if not kept or node >= tree.end[kept[-1]]:
            kept.append(node)
    return kept
