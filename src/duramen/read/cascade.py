"""The cascade (https://www.w3.org/TR/css-cascade-5/): which declarations of a page's own sheets apply to its elements.

Sheets at other addresses are not known. First the rules are matched that may hide something; all others only if there
are any, and only for the elements that these concern.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from duramen.lazy_pattern import lazy_pattern
from duramen.native import core
from duramen.read.colours import BLACK, CLEAR, NEAR, WHITE, Colour, colours_in, distance
from duramen.read.conditions import Containers, Screen, is_met
from duramen.read.page_sheets import shadows, sheets_of
from duramen.read.properties import WANTED, group_of, is_suspicious, longhands, may_cut_off, presentational
from duramen.read.states import PSEUDO_ELEMENT, StateRule, state_rules
from duramen.read.style_selectors import alternatives, is_known_selector, specificity
from duramen.read.style_sheets import Condition, Rule, declarations_in, lowered
from duramen.read.style_values import is_pending
from duramen.selectors import SelectorSyntaxError, steps_of
from duramen.tree import Tree

_MOST_NESTED = 4
"""Variables of one value."""
_MOST_SHADOWS = 100
_MOST_WORK = 60_000_000
"""Nodes that are looked at, one for every selector that is looked for on the page."""
_MOST_SELECTORS = 20_000
_COST = 30
"""What an element that is found costs, in nodes that are looked at."""
_MOST_PAIRS = 300_000
"""Declarations that meet an element."""
_MOST_DECLARATIONS = 10_000
"""Of one rule, for their order."""
_VARIABLE = lazy_pattern(r"var\(\s*(--[^\s,()]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
_OUTWARD = lazy_pattern(r":host(?:\((.*)\))?|[^()]*::slotted\((.*)\)", re.S)
"""A selector of a shadow tree for the element that has it, or for what is shown in its slots."""
_OLD_IS = lazy_pattern(r":(?:-webkit-any|matches)\(", re.I)
_NAME = lazy_pattern(r"([.#])((?:[\w-]|[^\x00-\x7f])+)")

Key = tuple[int, int, int, tuple[int, int, int], int]
"""What decides between declarations: importance, style attribute, layer, specificity, order."""
Declared = dict[str, tuple[Key, str]]
_Match = tuple[str, tuple[int, int, int], list[int]]
"""A selector, how specific it is, and what it finds."""


class Cascade:
    """The declarations of a page, by element."""

    def __init__(self, tree: Tree, without_scripts: Iterable[str] = ()) -> None:
        self.tree = tree
        self.limits: list[str] = []
        self._without_scripts = tuple(f".{name}" for name in without_scripts)
        self._shadows = shadows(tree)[:_MOST_SHADOWS]
        self.sheet, self.is_whole = sheets_of(tree)
        self._styles = {i: tuple(declarations_in(style, WANTED)) for i, style in tree.valued("style") if style}
        self._attributes = presentational(tree)
        self._found: dict[str, list[int]] = {}
        self._work = self._pairs = 0
        self._names: set[str] | None = None
        self._unreadable: dict[tuple[str, str], bool] = {}
        self._ranks = _layer_ranks(self.sheet.layers)
        self._groups: set[str] = set()
        self._suspects = self._concerned = bytearray()
        self._begin()

    @property
    def is_suspicious(self) -> bool:
        """Whether anything may be hidden at all."""
        return bool(self._groups)

    @property
    def depends_on_width(self) -> bool:
        return any("width" in c.text for rule in self.sheet.rules for c in rule.conditions)

    # What may hide something.

    def _begin(self) -> None:
        self._backgrounds = self._colours("background-color", "background-image") | (
            {WHITE} if self.is_whole else set()
        )
        moving = {
            name
            for name, frames in self.sheet.keyframes.items()
            for _, step in frames.steps
            for n, v, _ in step
            if is_suspicious(n, v)
        }
        suspects: list[int] = []
        for i, declarations in (*self._styles.items(), *self._attributes.items()):
            groups = self._suspected(declarations, moving)
            if groups:
                self._groups |= groups
                suspects.append(i)
        for rule in self.sheet.rules:
            if groups := self._suspected(rule.declarations, moving):
                for one in self._selectors(rule):
                    is_new = one not in self._found
                    if found := self._concerned_by(rule, one):
                        self._groups |= groups
                        suspects += found if is_new else ()
        if self._groups:
            self._suspects = self._around(suspects)

    def _suspected(self, declarations: Sequence[tuple[str, str, bool]], moving: set[str]) -> set[str]:
        if may_cut_off(declarations):
            return {"other"}
        return {
            group
            for name, value, _ in declarations
            if (is_suspicious(name, value) and self._may_be_unreadable(name, value))
            or ("animation" in name and any(word in value for word in moving))
            for group in (("other", "colour") if name == "z-index" else (group_of(name).replace("both", "other"),))
        }

    def _colours(self, *names: str) -> set[Colour]:
        """The colours that some properties have anywhere on the page."""
        given = (*self._styles.values(), *self._attributes.values(), *(rule.declarations for rule in self.sheet.rules))
        pairs = {pair[:2] for declarations in given for pair in declarations if pair[0].startswith(("back", "all"))}
        return {
            one for name, value in pairs for each in self._possible(value) for longhand, text in longhands(name, each)
            if longhand in names for one in colours_in(text)
        }  # fmt: skip

    @cached_property
    def _variables(self) -> dict[str, set[str]]:
        """The values that a variable has anywhere on the page."""
        found = {name: {lowered(one.initial)} for name, one in self.sheet.registered.items() if one.initial is not None}
        for declarations in (*(rule.declarations for rule in self.sheet.rules), *self._styles.values()):
            for name, value, _ in declarations:
                if name.startswith("--"):
                    found.setdefault(name, set()).add(lowered(value))
        return found

    def _possible(self, value: str) -> Iterator[str]:
        """The values that a declaration may have, by the values of its variables."""
        values = [value]
        for _ in range(_MOST_NESTED + 1):
            varied: list[str] = []
            for text in values:
                found = _VARIABLE.search(text)
                if found is None:
                    yield text
                    continue
                known = (*sorted(self._variables.get(found[1], ()))[:8], *((found[2],) if found[2] else ()))
                varied += [f"{text[: found.start()]}{one.strip()}{text[found.end() :]}" for one in known]
            values = varied

    def _may_be_unreadable(self, name: str, value: str) -> bool:
        """Whether letters of a colour may be on one that is like it; ``True`` for what is no colour."""
        if group_of(name) != "colour":
            return True
        known = self._unreadable.get((name, value))
        if known is None:
            known = self._unreadable[name, value] = any(
                is_pending(each) or any(self._is_near(name, one) for one in self._painted(name, each))
                for each in self._possible(value)
            )
        return known

    @staticmethod
    def _painted(name: str, value: str) -> Iterator[Colour]:
        for longhand, text in longhands(name, value):
            if longhand in ("color", "-webkit-text-fill-color", "background-color", "background-image"):
                yield from colours_in(text) or (
                    (BLACK,) if text == "currentcolor" else (CLEAR,) * (longhand == "color")
                )

    def _is_near(self, name: str, one: Colour) -> bool:
        if name.startswith("back"):  # behind letters whose colour nobody has set
            return one.alpha > 0 and distance(one, BLACK) < NEAR
        return one.alpha < 0.5 or any(distance(one, back) < NEAR or back.alpha < 1 for back in self._backgrounds)

    def _around(self, nodes: Iterable[int]) -> bytearray:
        """Marks nodes, all that is in them and all that is around them."""
        tree = self.tree
        marked = bytearray(len(tree))
        done = 0
        for i in sorted(set(nodes)):
            if tree.end[i] > done:
                start = max(i, done)
                marked[start : tree.end[i]] = b"\1" * (tree.end[i] - start)
                done = tree.end[i]
            above = tree.parent[i]
            while above >= 0 and not marked[above]:
                marked[above] = 1
                above = tree.parent[above]
        return marked

    # Rules and elements.

    def _selectors(self, rule: Rule) -> Iterator[str]:
        if not is_known_selector(rule.selector):
            return
        for one in alternatives(rule.selector):
            is_outward = rule.shadow >= 0 and _OUTWARD.fullmatch(one) is not None
            if (PSEUDO_ELEMENT.search(one) and not is_outward) or any(name in one for name in self._without_scripts):
                continue
            yield one

    def _concerned_by(self, rule: Rule, selector: str) -> list[int]:
        """What a selector of a rule finds on the rule's side of the shadow trees."""
        outward = _OUTWARD.fullmatch(selector) if rule.shadow >= 0 else None
        found = self._select((outward[1] or outward[2] or "*") if outward else selector)
        end = self.tree.end
        if rule.within >= 0:
            found = [i for i in found if rule.within <= i < end[rule.within]]
        if not self._shadows:
            return found
        if outward:
            host = self.tree.parent[rule.shadow]
            outside = [host] if outward[2] is None else list(self.tree.children(host))
            return [i for i in found if i in outside and i != rule.shadow]
        if rule.shadow >= 0:
            return [i for i in found if rule.shadow < i < end[rule.shadow]]
        return [i for i in found if not any(shadow < i < end[shadow] for shadow in self._shadows)]

    def _select(self, selector: str) -> list[int]:
        known = self._found.get(selector)
        if known is None:
            known = self._found[selector] = self._looked_for(selector)
        return known

    def _looked_for(self, selector: str) -> list[int]:
        tree = self.tree
        if self._names is None:
            self._names = {f".{word}" for value in tree.classes() for word in value.split()}
            self._names |= {f"#{ident}" for _, ident in tree.valued("id")}
            if tree.core.parsing()[1]:
                self._names |= {name.lower() for name in self._names}
        if "(" not in selector and "\\" not in selector and "[" not in selector:
            for sign, name in _NAME.findall(selector):
                whole = sign + name
                if whole not in self._names and whole.lower() not in self._names:
                    return []
        if self._work > _MOST_WORK or len(self._found) > _MOST_SELECTORS:
            if not self.limits:
                self.limits.append("style sheets were read in part: they have too many selectors")
            return []
        try:
            found = tree.core.select(core.Selector(steps_of(_OLD_IS.sub(":is(", selector))), 0)
        except SelectorSyntaxError:
            found = []
        self._work += len(tree) + _COST * len(found)
        return found

    def widen(self) -> None:
        """All suspicious elements count again."""
        self._concerned = self._suspects

    def narrow(self, nodes: Iterable[int]) -> None:
        """From now on only some elements count, what is in them and what is around them."""
        self._concerned = self._around(nodes)

    def declared(self, screen: Screen) -> dict[int, Declared]:
        """The declarations that apply on a screen: by element, the one that wins for each property."""
        won: dict[int, Declared] = {}
        concerned = self._concerned
        self._pairs = 0
        holds: dict[Condition, bool] = {}
        written: set[tuple[str, str, bool, int, int]] = set()
        # From the last rule on: one that says the same of the same property has won by then.
        for order, rule, declarations, matches in self._matches:
            if not self._holds(rule, screen, holds):
                continue
            rank = self._ranks.get(rule.layer or (), len(self._ranks))
            for one, weight, found in matches:
                nodes = [i for i in found if concerned[i]]
                if rule.shadow >= 0 and _OUTWARD.fullmatch(one):
                    rank = -1  # the page's own rules come after those of a shadow tree
                for k, (name, value, important) in reversed(tuple(enumerate(declarations))):
                    mark = (one, name, important, rank, rule.shadow)
                    if nodes and mark not in written:
                        written.add(mark)
                        key = (important, 0, -rank if important else rank, weight, order * _MOST_DECLARATIONS + k)
                        self._put(won, nodes, name, value, key)
        last = len(self.sheet.rules) * _MOST_DECLARATIONS
        for level, given in ((-1, self._attributes), (0, self._styles)):
            for i, own in given.items():
                if concerned[i]:
                    for k, (name, value, important) in enumerate(self._wanted(own)):
                        self._put(won, (i,), name, value, (important or level, level + 1, 0, (0, 0, 0), last + k))
        return won

    @cached_property
    def _matches(self) -> list[tuple[int, Rule, list[tuple[str, str, bool]], list[_Match]]]:
        """The rules that concern suspicious elements, the last first."""
        found = []
        suspects = self._suspects
        written: set[tuple[object, ...]] = set()
        for order, rule in reversed(tuple(enumerate(self.sheet.rules))):
            declarations = self._wanted(rule.declarations)
            matches: list[_Match] = []
            for one in self._selectors(rule) if declarations else ():
                mark = (one, rule.declarations, rule.conditions, rule.layer, rule.shadow)
                if mark not in written:
                    written.add(mark)
                    nodes = [i for i in self._concerned_by(rule, one) if suspects[i]]
                    if nodes:
                        matches.append((one, specificity(one), nodes))
            if matches:
                found.append((order, rule, declarations, matches))
        return found

    def _holds(self, rule: Rule, screen: Screen, known: dict[Condition, bool]) -> bool:
        for condition in rule.conditions:
            if condition not in known:
                known[condition] = is_met(condition, screen, self._containers)
        return all(known[condition] for condition in rule.conditions)

    @cached_property
    def _containers(self) -> Containers:
        given = (*(rule.declarations for rule in self.sheet.rules), *self._styles.values())
        found = {
            pair for declarations in given for n, v, _ in declarations if n.startswith("container")
            for pair in longhands(n, v)
        }  # fmt: skip
        names = {word for name, value in found if name == "container-name" for word in value.split()}
        return Containers(any(name == "container-type" for name, _ in found), frozenset(names), self._variables)

    def _wanted(self, declarations: Sequence[tuple[str, str, bool]]) -> list[tuple[str, str, bool]]:
        return [
            (longhand, text, important)
            for name, value, important in declarations
            if name.startswith("--") or group_of(name) in self._groups or group_of(name) == "both"
            for longhand, text in longhands(name, value)
        ]

    def _put(self, won: dict[int, Declared], nodes: Sequence[int], name: str, value: str, key: Key) -> None:
        self._pairs += len(nodes)
        if self._pairs > _MOST_PAIRS:
            if not self.limits:
                self.limits.append("style sheets were read in part: they have too many declarations")
            return
        for i in nodes:
            own = won.setdefault(i, {})
            before = own.get(name)
            if before is None or before[0] <= key:
                own[name] = (key, value)

    def states(self) -> list[StateRule]:
        """The rules that hold only in a state which a reader brings about."""
        return state_rules(self.sheet)

    def concerns(self, rule: StateRule) -> list[int]:
        """The elements that a rule concerns in its state."""
        return self._select(rule.selector)


def _layer_ranks(layers: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], int]:
    """By layer, its place in the cascade: a layer's own rules come after those of the layers in it."""
    first: dict[tuple[str, ...], int] = {}
    for layer in layers:
        for k in range(1, len(layer) + 1):
            first.setdefault(layer[:k], len(first))
    ordered = sorted(first, key=lambda layer: (*(first[layer[:k]] for k in range(1, len(layer) + 1)), len(first)))
    return {layer: k for k, layer in enumerate(ordered)}
