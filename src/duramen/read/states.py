"""Rules that hold while a reader points at something, or after a click: evidence that a part can be opened."""

from __future__ import annotations

import re
from typing import NamedTuple

from duramen.lazy_pattern import lazy_pattern
from duramen.read.properties import longhands
from duramen.read.style_selectors import alternatives
from duramen.read.style_sheets import Sheet
from duramen.read.style_values import number

PSEUDO_ELEMENT = lazy_pattern(r"::|:(?:before|after|first-line|first-letter)\b", re.I)
_STATE = lazy_pattern(
    r":not\(\s*:(?:hover|focus|focus-within|focus-visible|active|checked|target)\s*\)"
    r"|:(?:hover|focus-within|focus-visible|focus|active|checked|target)\b|\[open[^\]]*\]|:not\(\s*\[open\]\s*\)|:open\b",
    re.I,
)
_STATEFUL = (
    ("open", ":is(details, dialog, select)"), ("checked", ":is(input, option)"), ("target", "[id]"),
    ("focus-within", ""), ("focus", ":is(a, area, button, input, select, textarea, summary, iframe, video, audio, "
     "[tabindex], [contenteditable])"),
)  # fmt: skip
"""By a state, which elements can be in it."""


class StateRule(NamedTuple):
    """A rule that holds while a reader points at something, or after a click."""

    selector: str
    """Without the state."""
    names: frozenset[str]
    is_own: bool
    """Whether the state is that of the element that it concerns."""


def state_rules(sheet: Sheet) -> list[StateRule]:
    """The rules that hold only in a state which a reader brings about."""
    found = []
    for rule in sheet.rules:
        if not _STATE.search(rule.selector):
            continue
        pairs = [pair for n, v, _ in rule.declarations for pair in longhands(n, v)]
        for one in alternatives(rule.selector):
            if _STATE.search(one) and not PSEUDO_ELEMENT.search(one):
                is_undone = ":not(" in one
                names = frozenset(name for name, value in pairs if is_undone or not _hides(name, value))
                bare = re.sub(r"(^|[\s>+~(,])(?=$|[\s>+~),])", lambda m: m[1], _STATE.sub(_in_state, one))
                bare = re.sub(r"(^|[>+~])\s*(?=$|[>+~])", r"\1*", bare).strip() or "*"
                subject = re.split(r"[\s>+~]", one)[-1]
                found.append(StateRule(bare, names, _STATE.search(subject) is not None))
    return found


def _in_state(found: re.Match[str]) -> str:
    """A selector for what may ever be in a state."""
    return next((selector for state, selector in _STATEFUL if state in found[0]), "")


def _hides(name: str, value: str) -> bool:
    """Whether a declaration by itself leaves nothing to see."""
    return (
        value in ("none", "hidden", "collapse")
        if name in ("display", "visibility")
        else (name == "opacity" and (number(value) or 0.0) < 0.06)
    )
