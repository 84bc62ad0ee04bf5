"""What is known of generators and forum software: the files of ``data/frameworks``, whose README explains the keys."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, get_args

from duramen.errors import RuleError
from duramen.lazy_pattern import lazy_pattern
from duramen.model import PageType
from duramen.tables import DATA, load

ENOUGH = 1.0
"""Evidence must add up to this much; only a generator's own meta tag may be enough alone."""
MARK = lazy_pattern(
    r"(?P<kind>[.#])(?P<name>[\w:-]+)|(?P<tag>[a-z]+(?:-[a-z]+)+)"
    r"|script\[src=(?P<file>[\w./-]+)\]"
    r"|(?P<place>meta|html|body)\[(?P<key>[\w:.-]+)(?:(?P<sign>\^?=)(?P<value>[^\]]+))?\]"
)
"""Evidence, as it is written."""
_KEYS = frozenset("id name seen kind whole many outranks evidence content parts title remove keep records".split())
_RECORDS = frozenset("post author published body score accepted permalink".split())


class Row(NamedTuple):
    """What is known of one framework."""

    id: str
    name: str
    kind: PageType | None
    """The page type whose limits its content is validated by; the judged one if None."""
    whole: bool
    """All of the content element is content, but for what ``remove`` names: removal rows do not apply to it."""
    many: bool
    """The content is in several elements, such as a thread's posts."""
    outranks: frozenset[str]
    evidence: Mapping[str, float]
    content: tuple[str, ...]
    parts: tuple[str, ...]
    """Where no single element holds the content: selectors of which all finds together are."""
    title: tuple[str, ...]
    remove: tuple[str, ...]
    keep: tuple[str, ...]
    records: Mapping[str, tuple[str, ...]]
    """Selectors of posts, and inside them of their fields, best first; ``@name`` is an attribute of the post."""


@cache
def rows() -> Mapping[str, Row]:
    """The frameworks by id."""
    names = sorted(path.name for path in (DATA / "frameworks").glob("*.toml"))
    return {(row := read_row(load(f"frameworks/{name}"), name)).id: row for name in names}


def read_row(raw: Mapping[str, Any], source: str) -> Row:
    """A framework's file as a row; an error says what is wrong and what to write instead."""
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
        match = MARK.fullmatch(mark)
        if match is None:
            raise RuleError(
                f"{source}: evidence {mark!r} is not .class, #id, tag-name, script[src=file],"
                " meta[…], html[…] or body[…]"
            )
        if weight >= ENOUGH and match["place"] != "meta":
            raise RuleError(f"{source}: {mark!r} alone would be enough; only a meta tag may be, give it less than 1")
    if unknown := sorted(raw.get("records", {}).keys() - _RECORDS):
        raise RuleError(f"{source}: unknown field {unknown[0]!r} of records; there are {', '.join(sorted(_RECORDS))}")
    records = {name: tuple(selectors) for name, selectors in raw.get("records", {}).items()}
    content, parts, title, remove, keep = (
        tuple(raw.get(key, ())) for key in ("content", "parts", "title", "remove", "keep")
    )
    flags = (bool(raw.get("whole")), bool(raw.get("many")), frozenset(raw.get("outranks", ())))
    return Row(
        raw["id"], raw["name"], raw.get("kind"), *flags, raw["evidence"], content, parts, title, remove, keep, records
    )
