"""The steps that a CSS selector is made of, as the compiled core takes them."""

from __future__ import annotations

from enum import IntEnum, auto
from typing import NamedTuple


class Act(IntEnum):
    """What a step does; ``selector.h`` has the same names in the same order.

    Sets are on a stack. ``EVERY`` puts all elements on it; most steps keep some of the topmost set, or go from them to
    others; ``UNION``, ``BOTH`` and ``EXCEPT`` make one set of the topmost two.
    """

    EVERY = 0
    NOTHING = auto()
    HAS_TAG = auto()
    HAS_CLASS = auto()
    HAS_IDENT = auto()
    HAS_ATTRIBUTE = auto()
    IS_ROOT = auto()
    IS_SCOPE = auto()
    IS_EMPTY = auto()
    IS_NTH = auto()
    INHERITS = auto()
    BELOW = auto()
    CHILDREN = auto()
    NEXT = auto()
    LATER = auto()
    AROUND = auto()
    PARENTS = auto()
    BEFORE = auto()
    EARLIER = auto()
    UNION = auto()
    BOTH = auto()
    EXCEPT = auto()


ANY_CASE, NEEDED, FROM_END, OF_TYPE, AMONG = (1 << bit for bit in range(5))
"""Flags of a step: the case of the value does not count; a page without the name has nothing that is looked for;
``IS_NTH`` counts from the end, among elements of the same tag, or among those of the topmost set, which goes."""


class Step(NamedTuple):
    """A step, as the core reads it."""

    act: Act
    name: str = ""
    value: str = ""
    how: int = 0
    """Of an attribute's value: the sign before its ``=``, ``=`` without one, 0 where any value will do."""
    flags: int = 0
    a: int = 0
    """Of ``IS_NTH``: the places that are a multiple of ``a`` beyond ``b``."""
    b: int = 0
