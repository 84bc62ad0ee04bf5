"""Evidence that a hidden part of a page is shown by a click or by the page's script."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property

from duramen.lazy_pattern import lazy_pattern
from duramen.read.cascade import Cascade
from duramen.tables import load, split_names
from duramen.tree import Tree

_REVERSIBLE: dict[str, frozenset[str]] = {
    "display": frozenset({"display", "content-visibility"}),
    "visibility": frozenset({"visibility"}),
    "opacity": frozenset({"opacity", "filter"}),
    "extent": frozenset("height max-height width max-width overflow-x overflow-y".split()),
    "place": frozenset("left right top bottom margin-left margin-top transform translate position".split()),
    "transform": frozenset({"transform", "scale", "rotate"}),
    "clip": frozenset({"clip", "clip-path", "position"}),
}
"""Ways to hide that scripts and clicks undo, and the properties by which they do."""
_MOVING = ("transform", "translate", "scale", "animation-name", "transition")
_GROWING = ("height", "grid-template-rows", "all")
"""What accordions change little by little."""
_CONTROLS = frozenset({"button", "summary", "label"})
_CONTROL_ROLES = frozenset({"button", "tab", "switch"})
_IDENT = lazy_pattern(r"[^\s#.,;:\"'()\[\]]+")
_JSON = lazy_pattern(r"json|template|math|text/(?:html|plain|x-)", 2)
MARK = "data-duramen-hidden"
"""The attribute by which a browser marks what it does not show; it has run the page's scripts, which are gone."""
_NEAR = 6
"""Elements inside a neighbour that are looked at for a control."""


@cache
def _words(ident: str) -> frozenset[str]:
    row = next(row for row in load("hiding.toml")["openable"] if row["id"] == ident)
    return frozenset(row["words"].split())


def names_without_scripts() -> frozenset[str]:
    """Names on the root element that a page's script takes away."""
    return _words("without-scripts")


class Openable:
    """Which hidden elements of a page can be opened."""

    def __init__(self, tree: Tree, cascade: Cascade | None) -> None:
        self.tree, self.cascade = tree, cascade
        self.shown: set[int] = set()
        """Elements that are taken as shown in any case."""
        self.excused: dict[int, str] = {}
        """Elements that will be shown, and how they are hidden."""

    def __call__(self, i: int, kind: str, style: dict[str, str]) -> bool:
        """Whether an element that is hidden in some way will be shown."""
        if i in self.shown:
            return True
        if kind in _REVERSIBLE and self.is_opened(i, kind, style):
            self.excused.setdefault(i, kind)
            return True
        return False

    def is_opened(self, i: int, kind: str, style: dict[str, str]) -> bool:
        """Whether there is evidence of what shows an element."""
        tree = self.tree
        if kind == "opacity" and self.has_script and any(style.get(name, "none") != "none" for name in _MOVING):
            return True
        if kind == "transform":
            return self._by_state(i, kind) or any(self._by_state(above, kind) for above in self._above(i, 3))
        if kind in ("place", "clip"):
            return self._by_state(i, kind) or (
                kind == "place" and (self._takes_turns(i, alone=True) or self._by_reference(i))
            )
        if tree.attr(i, "role") == "tabpanel" or tree.attr(i, "hidden").lower() == "until-found":
            return True
        if any(name in tree.attrs[i] for name in _words("reveal-attributes")):
            return True
        if self._by_state(i, kind) or self._by_reference(i) or self._is_streamed(i):
            return True
        if not self.has_script:
            return False
        if kind in ("opacity", "visibility") and not self._names(i).isdisjoint(_words("reveal-names")):
            return True
        if kind == "extent" and any(name in style.get("transition", "") for name in _GROWING):
            return True
        return self._beside_control(i) or self._takes_turns(i, alone=kind == "extent")

    @cached_property
    def has_script(self) -> bool:
        """Whether the page has a script that could show anything."""
        scripts = self.tree.tagged(frozenset({"script"}))
        if any(not _JSON.search(self.tree.attr(i, "type")) for i in scripts):
            return True
        return bool(self.tree.valued("onclick") or self.tree.valued(MARK))

    def _above(self, i: int, most: int) -> Iterator[int]:
        for _, above in zip(range(most), self.tree.ancestors(i), strict=False):
            yield above

    def _names(self, i: int) -> frozenset[str]:
        given = f"{self.tree.cls[i]} {self.tree.ident[i]}"
        return frozenset(part for word in split_names(given) for part in word)

    # By a rule of the sheet.

    @cached_property
    def _states(self) -> list[tuple[frozenset[str], bool, frozenset[int]]]:
        if self.cascade is None:
            return []
        return [
            (rule.names, rule.is_own, frozenset(self.cascade.concerns(rule)))
            for rule in self.cascade.states()
            if any(not rule.names.isdisjoint(names) for names in _REVERSIBLE.values())
        ]

    def _by_state(self, i: int, kind: str) -> bool:
        """Whether a rule for what is pointed at, ticked or opened concerns the element.

        One cannot point at an element that is not there, and only its link or a key leads to one by focus.
        """
        return any(
            i in nodes
            and not names.isdisjoint(_REVERSIBLE[kind])
            and not (is_own and kind not in ("opacity", "transform"))
            for names, is_own, nodes in self._states
        )

    # By a control.

    @cached_property
    def _referred(self) -> dict[str, int]:
        """The ids that controls refer to, each with a control."""
        tree = self.tree
        found: dict[str, int] = {}
        for name in sorted(_words("control-attributes")):
            for i, value in tree.valued(name):
                if (name == "href" and not value.startswith("#")) or (
                    not tree.core.shown(i, tree.end[i]).strip() and tree.tag[i] not in _CONTROLS
                ):
                    continue
                for ident in _IDENT.findall(value[:300]):
                    found.setdefault(ident, i)
        return found

    def _by_reference(self, i: int) -> bool:
        ident = self.tree.ident[i]
        control = self._referred.get(ident) if ident else None
        if control is None or self.tree.contains(i, control):
            return False
        return self.has_script or self.tree.tag[control] != "a" or self._is_target(i)

    def _is_target(self, i: int) -> bool:
        return any(i in nodes and is_own for _, is_own, nodes in self._states)

    def _is_streamed(self, i: int) -> bool:
        """Whether the page's script moves an element to where a template keeps its place, as React streams pages."""
        kind, colon, number = self.tree.ident[i].partition(":")
        if not colon or kind not in _words("streamed"):
            return False
        return any(f"{other}:{number}" in self._templates for other in _words("streamed"))

    @cached_property
    def _templates(self) -> frozenset[str]:
        return frozenset(self.tree.ident[i] for i in self.tree.tagged(frozenset({"template"})))

    def _beside_control(self, i: int) -> bool:
        """Whether a control is next to an element, or next to one that holds nothing else."""
        tree = self.tree
        has_name = not self._names(i).isdisjoint(_words("openable-names"))
        for at in (i, tree.parent[i]):
            if at <= 0:
                return False
            if at != i and tree.chars_in(at) != tree.chars_in(i) and not has_name:
                return False
            siblings = [j for j in tree.children(tree.parent[at]) if tree.tag[j]]
            k = siblings.index(at)
            for j in (*siblings[max(k - 1, 0) : k], *siblings[k + 1 : k + 2]):
                if self._is_control(j, by_name=has_name):
                    return True
        return False

    def _is_control(self, i: int, *, by_name: bool) -> bool:
        tree = self.tree
        if MARK in tree.attrs[i]:  # nobody can click on it either
            return False
        inside = [j for j in range(i, min(tree.end[i], i + _NEAR)) if tree.tag[j]]
        for j in inside:
            attrs = tree.attrs[j]
            if (
                tree.tag[j] in _CONTROLS
                or attrs.get("role") in _CONTROL_ROLES
                or not _words("control-marks").isdisjoint(attrs)
            ):
                return True
            if tree.tag[j] == "a" and attrs.get("href", "#").startswith(("#", "javascript:")) and by_name:
                return True
        return (
            by_name and not self._names(i).isdisjoint(_words("openable-names")) and bool(tree.chars_in(i) or inside[1:])
        )

    def _takes_turns(self, i: int, *, alone: bool = False) -> bool:
        """Whether an element is one of several that are shown in turn, or what holds them."""
        tree = self.tree
        if alone:
            return any(not self._names(at).isdisjoint(_words("slides")) for at in (i, *self._above(i, 4)))
        if self._names(i).isdisjoint(_words("slides")):
            return False
        words = set(tree.cls[i].split())
        others = (j for j in tree.children(tree.parent[i]) if j != i and tree.tag[j] == tree.tag[i])
        return any(words & set(tree.cls[j].split()) for j in others)
