"""What a fragment holds, found in one walk, so that only the steps it needs are run; and what those steps share."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache

from duramen.dom import Element, Node, Text
from duramen.lazy_pattern import lazy_pattern
from duramen.native import core
from duramen.refine.elements.vocabulary import pairs, words
from duramen.tables import load

INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
"""Characters that take no room; a text of only these and white space is blank."""

_SHOWN = lazy_pattern(rf"[^\s{INVISIBLE}]")

_MOST_SETTINGS = 50_000

_ROLES = ("aside", "control", "permalink", "mermaid", "math", "footnotes", "callout", "embed", "sidenote")
"""What class words make of their element, by the rows ``role-…`` of ``elements.toml``."""


_ATTRIBUTES = ("role", "style", "title", "align", "data-align", "data-math")
"""Attributes by which elements are found."""


def tokens(element: Element) -> list[str]:
    """The class tokens, lower-cased."""
    value = element.attr("class")
    return value.lower().split() if value else []


def blank(text: str) -> bool:
    """Whether a text shows nothing."""
    return _SHOWN.search(text) is None


def squeezed(text: str) -> str:
    """A text with white space folded."""
    return " ".join(text.split())


def lead(element: Element, count: int) -> str:
    """The beginning of an element's text, white space folded; longer than ``count`` when there is more."""
    parts: list[str] = []
    size = 0
    for part in filter(None, map(str.strip, element.strings)):
        parts.append(part)
        size += len(part)
        if size > count:
            break
    return squeezed(" ".join(parts))


def setting(element: Element, key: str) -> str:
    """A text in the settings that a script would have read from an element, written as JSON (Substack)."""
    written = element.attr("data-attrs")
    if not written or len(written) > _MOST_SETTINGS:
        return ""
    try:
        found = json.loads(written)
    except (ValueError, RecursionError):
        return ""
    value = found.get(key) if isinstance(found, dict) else None
    return value.strip() if isinstance(value, str) else ""


def replace(element: Node, *nodes: Node) -> None:
    """Put nodes in an element's place; nothing happens when it has no parent."""
    if element.parent is not None:
        element.replace_with(*nodes)


def element_parent(node: Node) -> Element | None:
    """The element that a node is in."""
    parent = node.parent
    return parent if isinstance(parent, Element) else None


def near(element: Element, steps: int) -> Iterator[Element]:
    """The nearest ancestors, nearest first."""
    parent = element_parent(element)
    while parent is not None and steps:
        yield parent
        steps -= 1
        parent = element_parent(parent)


def outermost(root: Element, tags: str | tuple[str, ...]) -> Iterator[Element]:
    """The elements of some tags that are in no other of them; each may be taken out when it is yielded."""
    inside = 0
    for element in list(root.iter_elements(tags)):
        if inside:
            inside -= 1
        else:
            inside = sum(1 for _ in element.iter_elements(tags))
            yield element


def element_sibling(node: Node, *, before: bool) -> Element | None:
    """The next or previous element, only blank text and comments between."""
    other = node.previous_sibling if before else node.next_sibling
    for _ in range(4):
        if isinstance(other, Element):
            return other
        if other is None or (isinstance(other, Text) and not blank(other.data)):
            return None
        other = other.previous_sibling if before else other.next_sibling
    return None


def is_small(element: Element, count: int) -> bool:
    """Whether an element has at most so many children (counting all of them costs their number)."""
    node: Node | None = first_child(element)
    for _ in range(count):
        if node is None:
            return True
        node = node.next_sibling
    return node is None


def first_child(element: Element) -> Node | None:
    try:
        return element[0]
    except IndexError:
        return None


class Survey:
    """The tags of a fragment, and its elements by the roles of their class words and by attributes; comments are taken
    out."""

    __slots__ = ("attributes", "roles", "tags")

    def __init__(self, root: Element) -> None:
        numbers, words = _role_bits()
        self.tags: set[str]
        self.roles: dict[str, list[Element]] = {role: [] for role in numbers}
        self.tags, named, found = core.survey(root, words, _ATTRIBUTES)
        self.attributes: dict[str, list[Element]] = dict(zip(_ATTRIBUTES, found, strict=True))
        for element, bits in named:
            for role, bit in numbers.items():
                if bits & bit:
                    self.roles[role].append(element)


@cache
def _role_bits() -> tuple[dict[str, int], core.Lookup]:
    """A bit for each role, and the bits of each class word for the compiled survey."""
    units = load("units.toml")
    named = {role: words(f"role-{role}") for role in _ROLES}
    named |= {"editor": units["listings"]["classes"], "caption": units["captions"]["classes"]}
    named["embed"] |= {name.split()[0] for row in ("embed-post", "embed-settings") for name, _ in pairs(row)}
    bits = {role: 1 << number for number, role in enumerate(named)}
    of_word: dict[str, int] = {}
    for role, role_words in named.items():
        of_word |= {word: of_word.get(word, 0) | bits[role] for word in role_words}
    return bits, core.Lookup({word: float(value) for word, value in of_word.items()})
