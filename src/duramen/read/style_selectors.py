"""Selectors as style sheets write them: lists, nested ones, which are valid, and how specific they are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from duramen.lazy_pattern import lazy_pattern

LONGEST_SELECTOR = 2_000
_LONGEST_WEIGHED = 500
"""Characters of a selector by which its weight is measured."""
_AMPERSAND = lazy_pattern(r"""("(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|\\.|\[[^\]]*+\])|&""", re.S)
_SPECIFIC = lazy_pattern(
    r"""(:(?:is|not|has|matches|-webkit-any|where|nth-child|nth-last-child)\()|(\))|(\#)|(\.|\[(?:"[^"]*+"|'[^']*+'|[^\]"'])*+\]|:[\w-]+(?:\([^()]*\))?)"""
    r"""|((?<![\w.\#:\[-])[a-z][\w-]*)|(,)""",
    re.I | re.S,
)
_PSEUDO = lazy_pattern(r"""(?<!\\)(::?)([\w-]*)""")
_STRINGS = lazy_pattern(r""""[^"]*"?|'[^']*'?|\\.|\[[^\]]*+\]?""", re.S)
_PSEUDO_CLASSES = frozenset(
    "active active-view-transition active-view-transition-type any-link after autofill before buffering checked current"
    " default defined dir disabled empty enabled first-child first-letter first-line first-of-type focus focus-visible"
    " focus-within fullscreen future has has-slotted host host-context hover in-range indeterminate interest-source"
    " interest-target invalid is lang last-child last-of-type link local-link matches modal muted not nth-child"
    " nth-last-child nth-last-of-type nth-of-type only-child only-of-type open optional out-of-range past paused"
    " picture-in-picture placeholder-shown playing popover-open read-only read-write required root scope seeking"
    " stalled state target target-current target-within user-invalid user-valid valid visited volume-locked where"
    " xr-overlay".split()
)
"""Of browsers (https://www.w3.org/TR/selectors-4/); a selector with any other is not valid."""


def nested(parent: str, selector: str) -> str:
    """A selector inside a rule, as one that needs none around it; empty if it would grow too long."""
    is_scope = parent.startswith(":where(")
    around = parent if is_scope else f":is({parent})"
    parts = []
    for one in alternatives(selector):
        uses = len(_AMPERSAND.findall(one)) if "&" in one else 0
        if len(one) + uses * len(around) > LONGEST_SELECTOR:
            return ""
        if is_scope:
            one = one.replace(":scope", "&")
        if "&" in one:
            parts.append(_AMPERSAND.sub(lambda found: found[1] or around, one))
        else:
            parts.append(f"{around} {one}")
    return ", ".join(parts)


def alternatives(selector: str) -> Iterable[str]:
    """The parts of a selector that commas separate."""
    if "," not in selector:
        return (selector.strip(),)
    if "(" not in selector and "[" not in selector and "\\" not in selector and '"' not in selector:
        return tuple(one.strip() for one in selector.split(","))
    found, start, depth = [], 0, 0
    for sign in re.finditer(r""""(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?|\\.|[(),\[\]]""", selector, re.S):
        if sign[0] in ("(", "["):
            depth += 1
        elif sign[0] in (")", "]"):
            depth -= depth > 0
        elif sign[0] == "," and not depth:
            found.append(selector[start : sign.start()].strip())
            start = sign.end()
    return (*found, selector[start:].strip())


def is_known_selector(selector: str) -> bool:
    """Whether browsers know the pseudo-classes of a selector; unknown ones in brackets do no harm.

    >>> is_known_selector("a:hover"), is_known_selector("a:hoover"), is_known_selector("a::")
    (True, False, False)
    """
    text = _STRINGS.sub("", selector)
    if ";" in text or "}" in text:
        return False
    depth, at = 0, 0
    for found in _PSEUDO.finditer(text):
        before = text[at : found.start()]
        depth += before.count("(") - before.count(")")
        at = found.start()
        name = found[2].lower()
        if depth <= 0 and (not name or (found[1] == ":" and name not in _PSEUDO_CLASSES and name[0] != "-")):
            return False
    return True


@lru_cache(maxsize=16_384)
def specificity(selector: str) -> tuple[int, int, int]:
    """How specific a selector is: ids, classes and the like, tags.

    >>> specificity("main > p.note:not(#top)"), specificity(":where(#a) b")
    ((1, 1, 2), (0, 0, 1))
    """
    stack: list[tuple[str, list[list[int]]]] = [("", [[0, 0, 0]])]
    for found in _SPECIFIC.finditer(selector[:_LONGEST_WEIGHED]):
        opened, closed, ident, other, tag, comma = found.groups()
        counts = stack[-1][1][-1]
        if opened:
            name = opened[1:-1].lower()
            if name.startswith("nth"):
                counts[1] += 1
            stack.append((name, [[0, 0, 0]]))
        elif closed and len(stack) > 1:
            name, inside = stack.pop()
            if name != "where" and not (name.startswith("nth") and " of " not in selector):
                stack[-1][1][-1][:] = [a + b for a, b in zip(stack[-1][1][-1], max(inside), strict=True)]
        elif comma and len(stack) > 1:
            stack[-1][1].append([0, 0, 0])
        elif ident or other or tag:
            counts[0 if ident else 1 if other else 2] += 1
    ids, classes, tags = stack[0][1][-1]
    return ids, classes, tags
