"""What the judge is given beside the page's blocks: learned word lists, and what the page says about itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, get_args

from duramen.model import PageType
from duramen.native import core

KINDS: tuple[PageType, ...] = get_args(PageType)
"""In the order of the model's numbers."""


class Lexicon(NamedTuple):
    """Learned log-odds of being content: a Lookup for class tokens, and one for words of short texts."""

    tokens: core.Lookup = core.Lookup({})
    words: core.Lookup = core.Lookup({})


class Hints(NamedTuple):
    """What the page says about itself that bears on its blocks."""

    title: str = ""
    description: str = ""
    bodies: tuple[str, ...] = ()
    url: str = ""
    types: frozenset[str] = frozenset()
    """``og:type`` and the JSON-LD types, lower-case."""
    framework: str = ""
    language: str = ""
    votes: Mapping[str, tuple[int, ...]] = MappingProxyType({})
    """Per tier, the nodes it proposed."""
    ballots: Mapping[str, Sequence[bool]] = MappingProxyType({})
    """Per classical algorithm, the blocks it would keep."""


VOTES = ("semantic", "pattern", "density")
BALLOTS = ("boilerpipe",)
CONTAINERS = ("mce", "readability", "stopwords")
"""Tiers vote for nodes; of the classical algorithms one votes block by block, the others for a container."""
