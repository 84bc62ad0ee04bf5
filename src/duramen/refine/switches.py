"""Buttons that unfold a text: the question of an accordion goes where its answer goes.

The text of buttons is no part of the page's blocks, since nearly all of it is interface. A button in a heading, or one
that names what it unfolds, is the heading of that text.
"""

from __future__ import annotations

from collections.abc import Sequence

from duramen.blocks import Blocks
from duramen.refine.elements.vocabulary import words
from duramen.refine.kept_text import KeptText
from duramen.tree import Attributes, Tree

_BUTTONS = frozenset({"button"})
_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6", "dt", "summary"})
_INLINE = _HEADINGS | {"p", "span", "a", "strong", "b", "em", "label"}
_TOGGLES = words("switch-toggle")
_KEPT = 0.5
"""The share of a folded text that has to be kept."""
_LEAST, _MOST = 3, 40
"""Words of a label outside a heading: shorter ones are \"Show more\"."""
_STEPS = 3
_LABEL = 400
"""Nodes and characters of a label at most."""


def find_switches(tree: Tree, blocks: Blocks, kept: Sequence[int]) -> dict[int, str]:
    """The buttons that head a text of which most is kept, and the tag that each is written as."""
    buttons = tree.tagged(_BUTTONS) if kept else []
    if not buttons:
        return {}
    text: KeptText | None = None
    idents: dict[str, int] | None = None
    found: dict[int, str] = {}
    for i in buttons:
        size = _words_of(tree, i)
        if not 1 <= size <= _MOST:
            continue
        heading = _heading_of(tree, i)
        if heading < 0 and size < _LEAST:
            continue
        attrs = tree.attrs[i]
        if attrs.get("type", "").lower() == "submit" or (heading < 0 and not _is_toggle(attrs)):
            continue
        panel = -1
        if target := attrs.get("aria-controls"):
            if idents is None:
                idents = {ident: node for node, ident in tree.valued("id")}
            panel = idents.get(target, -1)
        if panel < 0 or tree.contains(panel, i):
            panel = _following(tree, i if heading < 0 else heading)
        if panel <= 0:
            continue
        text = text or KeptText(tree, blocks, kept)
        if text.chars_in(panel) >= max(1, _KEPT * tree.chars_in(panel)):
            found[i] = "span" if heading >= 0 or tree.tag[tree.parent[i]] in _INLINE else "div"
    return found


def _words_of(tree: Tree, i: int) -> int:
    """How many words a label has; none if it is too long for one."""
    end = tree.end[i]
    return len("".join(tree.text[i:end])[:_LABEL].split()) if end - i <= _LABEL else 0


def _heading_of(tree: Tree, i: int) -> int:
    """The heading that a button is in, if there is nothing else in it; else -1."""
    above = tree.parent[i]
    for _ in range(_STEPS):
        if above <= 0:
            return -1
        if tree.tag[above] in _HEADINGS:
            return above if not tree.chars_in(above) else -1
        above = tree.parent[above]
    return -1


def _is_toggle(attrs: Attributes) -> bool:
    return bool(
        attrs.get("aria-controls")
        or attrs.get("aria-expanded")
        or not _TOGGLES.isdisjoint(attrs.get("class", "").lower().split())
    )


def _following(tree: Tree, i: int) -> int:
    """The element that follows, also behind what holds nothing but the button; -1 without one."""
    for _ in range(_STEPS):
        above, after = tree.parent[i], tree.end[i]
        while after < tree.end[above] and not tree.tag[after]:
            if tree.chars_in(after):
                return -1
            after += 1
        if after < tree.end[above]:
            return after
        if above <= 0 or tree.chars_in(above):
            break
        i = above
    return -1
