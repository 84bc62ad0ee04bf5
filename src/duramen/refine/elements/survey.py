"""One walk that says what a fragment holds, so that only the repairs it needs are run."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from duramen.dom import Element, Node, Text
from duramen.tables import load

INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
"""Characters that take no room; a text of only these and white space is blank."""

_SHOWN = re.compile(rf"[^\s{INVISIBLE}]")

_UNITS = load("units.toml")

ROLES: dict[str, str] = {
    # Text for screen readers.
    **dict.fromkeys(
        "sr-only visually-hidden visuallyhidden screen-reader-text nx-sr-only assistive-text".split(), "aside"
    ),
    # Buttons of wikis and generated references, standing inside headings and definitions.
    **dict.fromkeys("mw-editsection viewcode-link mw-cite-backlink mw-jump-link".split(), "control"),
    # Anchors that point at their own heading.
    **dict.fromkeys(
        "headerlink hash-link header-anchor anchor sl-anchor-link subheading-anchor anchorjs-link heading-anchor"
        " anchor-link permalink direct-link header-link anchor-heading toc-anchor headinglink heading-link"
        " section-link".split(),
        "permalink",
    ),
    **dict.fromkeys(_UNITS["listings"]["classes"], "editor"),
    "mermaid": "mermaid",
    # Rendered formulas.
    **dict.fromkeys(
        "katex katex-display mwe-math-element mathjax mathjax_display mathjax_preview mathjax_svg mathjax_chtml"
        " arithmatex math latex tex mwe-math-fallback-image-inline mwe-math-fallback-image-display".split(),
        "math",
    ),
    # Lists of notes.
    **dict.fromkeys(
        "footnotes footnote references footnote-list footnotes-list wp-block-footnotes reflist endnotes"
        " footnote-definition".split(),
        "footnotes",
    ),
    # Boxes that stand out from the running text.
    **dict.fromkeys(
        "admonition theme-admonition markdown-alert callout alert custom-block custom-container hint-container"
        " starlight-aside nextra-callout hint book-hint notices notecard bd-callout admonitionblock note tip warning"
        " important caution danger info warn attention error".split(),
        "callout",
    ),
    **dict.fromkeys(_UNITS["captions"]["classes"], "caption"),
    # Embedded posts.
    **dict.fromkeys(
        "instagram-media tiktok-embed wp-block-embed__wrapper youtube-player fb-post fb-video".split(), "embed"
    ),
}
"""What a class token says about its element."""


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
    """The beginning of an element's text, white space folded; longer than asked for when there is more."""
    parts: list[str] = []
    size = 0
    for part in element.stripped_strings:
        parts.append(part)
        size += len(part)
        if size > count:
            break
    return squeezed(" ".join(parts))


def replace(element: Node, *nodes: Node) -> None:
    """Put nodes in an element's place; nothing happens when it stands nowhere."""
    if element.parent is not None:
        element.replace_with(*nodes)


def element_parent(node: Node) -> Element | None:
    """The element a node stands in."""
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
    """The elements of some tags that stand in none of them; each may be taken out when it is given."""
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
    """The elements of a fragment by what they may be, in document order; comments are taken out on the way."""

    __slots__ = ("roles", "tags")

    def __init__(self, root: Element, *, commented: bool = True) -> None:
        """Look at all elements; ``commented`` is False when there are certainly no comments."""
        if commented:
            for node in [node for node in root.descendants if not isinstance(node, (Element, Text))]:
                node.extract()
        self.tags: set[str] = set()
        self.roles: defaultdict[str, list[Element]] = defaultdict(list)
        known: dict[str, tuple[str, ...]] = {}
        seen, roles = self.tags.add, self.roles
        for element in root.iter_elements():
            seen(element.tag)
            if cls := element.attr("class"):
                found = known.get(cls)
                if found is None:
                    found = known[cls] = _roles(cls)
                for role in found:
                    roles[role].append(element)


def _roles(cls: str) -> tuple[str, ...]:
    names = cls.lower().split()
    if ROLES.keys().isdisjoint(names):
        return ()
    return tuple({ROLES[token]: None for token in names if token in ROLES})
