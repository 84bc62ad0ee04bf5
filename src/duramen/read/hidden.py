"""Text that a reader cannot see, taken out before anything else looks at the page (``Options.visible_only``).

An agent would read it and a person would not, which makes it the place for words that are meant for the agent alone.
What a click or the page's script shows (tabs, ``details``, parts that fade in) is not hidden in this sense: it stays
where the page has evidence of it (:mod:`duramen.read.openable`), and the trace says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import NamedTuple

from duramen.flatten import without
from duramen.lazy_pattern import lazy_pattern
from duramen.model import Removal
from duramen.page import letters
from duramen.read.cascade import Cascade
from duramen.read.computed import Why
from duramen.read.conditions import SCREENS
from duramen.read.openable import MARK, Openable, names_without_scripts
from duramen.read.page_sheets import is_shadow, shadows
from duramen.read.visibility import Viewer
from duramen.tree import Tree

STEP = "hidden"
_MOST = 0.5
"""A page that hides more than this share of its text may wait for its script."""
_FEW, _FEWER = 400, 100
"""Characters outside links that such a page shows at most: with a script, and without any."""
_MOST_ROUNDS = 5
_WAITING = frozenset({"display", "visibility", "opacity", "extent", "noscript"})
"""How pages hide what their script shows."""
_TITLES = frozenset({"h1", "h2"})
_NEVER_SHOWN = frozenset({"script", "style", "head", "html", "title"})
_MOST_REPORTED = 1_000
_MARKS = {
    "display": "not displayed", "visibility": "visibility: hidden", "opacity": "opacity: 0", "clip": "clipped away",
    "mask": "masked away", "extent": "no room to be seen in", "size": "letters without size",
    "transform": "turned or shrunk to nothing", "behind": "behind a background",
    "place": "outside the page", "indent": "outside the page", "colour": "letters in the colour behind them",
}  # fmt: skip
_MATH = frozenset({"annotation", "annotation-xml"})
_TEX_WORD = lazy_pattern(r"\\[A-Za-z]+|([A-Za-z]{3,})")


class Hidden(NamedTuple):
    """A page without what its readers do not see."""

    tree: Tree
    removals: tuple[Removal, ...]
    """What went, and what stayed because it will be shown."""
    limits: tuple[str, ...]
    """What of the page's sheets was not read."""


def take_out_hidden(tree: Tree) -> Hidden:
    """The page without what hides its text, and what went and what stayed."""
    cascade = Cascade(tree, names_without_scripts())
    openable = Openable(tree, cascade)
    found = list(_unseen(tree, cascade, openable))
    hidden = _chars_of(tree, found)
    for _ in range(_MOST_ROUNDS):  # what waits may be in another that does
        waiting = {why.node: why.rule for _, _, why in found if why.rule in _WAITING}
        if not waiting or not _is_waiting(tree, hidden, openable):
            break
        openable.shown.update(waiting)
        openable.excused.update(waiting)
        found = list(_unseen(tree, cascade, openable))
        hidden = _chars_of(tree, found)
    gone, removals = _removed(tree, found, hidden)
    removals += _kept(tree, openable)
    return Hidden(without(tree, gone) if gone else tree, tuple(removals[:_MOST_REPORTED]), tuple(cascade.limits))


def _unseen(tree: Tree, cascade: Cascade, openable: Openable) -> Iterator[tuple[int, int, Why]]:
    """The ranges of nodes that no reader sees, on any screen."""
    ranges = list(_by_style(tree, cascade, openable))
    ranges += [
        (i, tree.end[i], why) for i, why in (*_by_tag(tree), *_by_browser(tree)) if not openable(i, why.rule, {})
    ]
    ranges += _in_hidden_slots(tree, ranges)
    yield from sorted(ranges, key=itemgetter(0, 1))


def _by_style(tree: Tree, cascade: Cascade, openable: Openable) -> Iterator[tuple[int, int, Why]]:
    if not cascade.is_suspicious:
        return
    screens = SCREENS if cascade.depends_on_width else SCREENS[:1]
    first: list[tuple[int, int, Why]] = []
    everywhere = b""
    cascade.widen()
    for screen in screens:
        viewer = Viewer(tree, cascade.sheet, screen, is_whole=cascade.is_whole, excuse=openable)
        found = list(viewer.hidden(cascade.declared(screen)))
        flags = bytearray(len(tree))
        for start, stop, _ in found:
            flags[start:stop] = b"\1" * (stop - start)
        first = first or found
        everywhere = bytes(a & b for a, b in zip(everywhere, flags, strict=True)) if everywhere else bytes(flags)
        if 1 not in everywhere:
            return
        cascade.narrow(why.node for _, _, why in found)
    for start, stop, why in first:
        at = start
        while (at := everywhere.find(1, at, stop)) >= 0:
            end = everywhere.find(0, at, stop)
            end = stop if end < 0 else end
            yield at, end, why
            at = end


def _by_tag(tree: Tree) -> Iterator[tuple[int, Why]]:
    """Elements that browsers do not show, whatever the sheets say."""
    for i in tree.tagged(frozenset({"template", "noscript"})):
        if tree.tag[i] == "noscript":
            yield i, Why(i, "noscript", "shown only without scripts")
        elif not is_shadow(tree, i):
            yield i, Why(i, "template", "a template")
        else:
            slots = _slots(tree, i)
            filled = {slot for slot, nodes in slots.items() if any(tree.tag[j] or tree.text[j].strip() for j in nodes)}
            inside = {j for nodes in slots.values() for j in nodes}
            for j in tree.children(tree.parent[i]):
                if j != i and j not in inside:
                    yield j, Why(j, "template", "replaced by a shadow tree")
            for slot in filled:
                yield from ((j, Why(j, "template", "replaced by what is in the slot")) for j in tree.children(slot))
    for i in tree.tagged(_MATH):
        formula = next((above for above in tree.ancestors(i) if tree.tag[above] == "math"), -1)
        if formula >= 0 and not says_the_same(tree.text_in(i), _formula_text(tree, formula)):
            yield i, Why(i, "annotation", "an annotation of a formula that says something else")


def _slots(tree: Tree, shadow: int) -> dict[int, list[int]]:
    """The slots of a shadow tree, each with what of the page is shown in it."""
    names: dict[str, int] = {}
    for slot in range(shadow, tree.end[shadow]):
        if tree.tag[slot] == "slot":
            names.setdefault(tree.attr(slot, "name"), slot)
    found: dict[int, list[int]] = {slot: [] for slot in names.values()}
    for j in tree.children(tree.parent[shadow]):
        slot = names.get(tree.attr(j, "slot") if tree.tag[j] else "", -1)
        if j != shadow and slot >= 0:
            found[slot].append(j)
    return found


def _in_hidden_slots(tree: Tree, ranges: Iterable[tuple[int, int, Why]]) -> Iterator[tuple[int, int, Why]]:
    """What is shown in slots that are not seen themselves."""
    slots = {slot: nodes for shadow in shadows(tree) for slot, nodes in _slots(tree, shadow).items() if nodes}
    for start, stop, why in ranges if slots else ():
        for slot in range(start, stop):
            yield from ((j, tree.end[j], Why(j, why.rule, why.reason)) for j in slots.get(slot, ()))


def _by_browser(tree: Tree) -> Iterator[tuple[int, Why]]:
    """What the browser that rendered the page has marked (``browser/unseen.js``)."""
    for i, how in tree.valued(MARK):
        yield i, Why(i, how if how in _MARKS else "display", _MARKS.get(how, _MARKS["display"]))


def _formula_text(tree: Tree, formula: int) -> str:
    texts, at = [], formula + 1
    while at < tree.end[formula]:
        if tree.tag[at] in _MATH:
            at = tree.end[at]
            continue
        texts.append(tree.text[at])
        at += 1
    return "".join(texts)


def says_the_same(latex: str, shown: str) -> bool:
    """Whether the words in the TeX of a formula are in what the formula shows.

    >>> says_the_same(r"\\frac{speed}{2}", "speed2"), says_the_same("ignore all of it", "x")
    (True, False)
    """
    seen = letters(shown)
    return all(
        not word or letters(word) in seen for word in _TEX_WORD.findall(re.sub(r"\\(?:begin|end)\{\w+\*?\}", "", latex))
    )


# What it comes to.


def _chars_of(tree: Tree, found: Iterable[tuple[int, int, Why]]) -> list[int]:
    """Running totals of the characters that are not seen."""
    flags = bytearray(len(tree))
    for start, stop, _ in found:
        flags[start:stop] = b"\1" * (stop - start)
    chars = tree.chars
    sizes = (chars[i + 1] - chars[i] if flag else 0 for i, flag in enumerate(flags))
    return list(accumulate(sizes, initial=0))


def _is_waiting(tree: Tree, hidden: Sequence[int], openable: Openable) -> bool:
    """Whether a page shows next to nothing: nobody would read it if its script did not show the rest."""
    total = tree.chars[-1]
    if hidden[-1] <= _MOST * total:
        return False
    flags = [after > before for before, after in pairwise(hidden)]
    links = tree.links
    linked = sum(links[i + 1] - links[i] for i, flag in enumerate(flags) if not flag)
    shown = total - hidden[-1] - linked
    return shown <= (_FEW if openable.has_script else _FEWER) and shown < hidden[-1]


def _removed(
    tree: Tree, found: Sequence[tuple[int, int, Why]], hidden: Sequence[int]
) -> tuple[list[int], list[Removal]]:
    """The nodes to take out, each with all that is in it, and one line for each element that hides them."""
    gone: list[int] = []
    removals: dict[int, Removal] = {}
    end = 0
    title = letters(next((tree.text_in(i) or tree.only_text(i) for i in tree.tagged(frozenset({"title"}))), ""))

    def is_hidden(i: int) -> bool:
        """Whether an element shows nothing."""
        size = tree.chars_in(i)
        return size > 0 and hidden[tree.end[i]] - hidden[i] == size

    for start, stop, why in found:
        at = max(start, end)
        if why.node >= start and tree.tag[why.node] and is_hidden(why.node) and tree.tag[why.node] not in _NEVER_SHOWN:
            at = why.node if why.node >= end else at
        while at < stop:
            if tree.tag[at] in _NEVER_SHOWN and tree.tag[at] != "html":
                at = tree.end[at]
                continue
            if not tree.chars_in(at):
                at += 1
                continue
            if tree.tag[at] and not (is_hidden(at) and tree.end[at] <= max(stop, tree.end[why.node])):
                at += 1
                continue
            if at == 0 or tree.tag[at] in ("html", "body"):
                at += 1
                continue
            if tree.tag[at] in _TITLES and title and letters(tree.text_in(at)) in title:
                at = tree.end[at]
                continue
            gone.append(at)
            if why.node not in removals:
                removals[why.node] = Removal(
                    STEP, f"hidden-{why.rule}", why.reason, _place(tree, why.node), _lead(tree, at)
                )
            at = end = tree.end[at]
    return gone, list(removals.values())


def _kept(tree: Tree, openable: Openable) -> list[Removal]:
    """What is hidden for now."""
    return [
        Removal(
            STEP, f"hidden-{kind}", "hidden until a click or a script shows it", _place(tree, i), _lead(tree, i), True
        )
        for i, kind in openable.excused.items()
        if tree.tag[i] not in _NEVER_SHOWN and tree.chars_in(i)
    ]


def _lead(tree: Tree, i: int) -> str:
    return tree.lead(i, 80)


def _place(tree: Tree, i: int) -> str:
    """An element's tag with its id or first class."""
    if ident := tree.ident[i]:
        return f"{tree.tag[i]}#{ident[:40]}"
    first = tree.cls[i].partition(" ")[0][:40]
    return f"{tree.tag[i]}.{first}" if first else tree.tag[i]
