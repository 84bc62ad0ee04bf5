"""Where Readability and the stopwords would look: the container that each chooses, before it cleans, as a vote."""

from __future__ import annotations

from collections.abc import Set
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.blocks import Blocks
from duramen.find.classical.readability import (
    BASE,
    DIVISIONS,
    MAYBE,
    NEGATIVE,
    NEVER_UNLIKELY,
    PARAGRAPHS,
    POSITIVE,
    UNLIKELY,
    UNLIKELY_ROLES,
)
from duramen.find.classical.readability import container as readable
from duramen.find.classical.stopwords import NAUGHTY, NAUGHTY_TAGS, NEVER_NAUGHTY, SCORED
from duramen.find.classical.stopwords import container as wordy
from duramen.native import core
from duramen.tree import Tree


def containers(tree: Tree, blocks: Blocks, shares: NDArray[np.float32]) -> tuple[int, int]:
    """Readability's container and that of the stopwords, -1 for none; ``shares`` is of function words, a block."""
    if tree.core is not None:
        names, tags, roles = _rows()
        return tree.core.containers(names, tags, BASE, roles, shares)  # type: ignore[no-any-return]
    return readable(tree, blocks), wordy(tree, blocks, shares.tolist())


@cache
def _rows() -> tuple[Any, dict[str, int], Any]:
    """The algorithms' sets for the compiled core: bits by name, by tag and by role."""
    names = (UNLIKELY, MAYBE, POSITIVE, NEGATIVE, NAUGHTY)
    tags = (
        PARAGRAPHS, NEVER_UNLIKELY, NAUGHTY_TAGS, NEVER_NAUGHTY,
        SCORED, DIVISIONS, frozenset({"p"}),
    )  # fmt: skip
    # Parts of a name are parted by spaces there.
    words = {word.replace("-", " "): bits for word, bits in _bits(*names).items()}
    return core.Lookup(words), _bits(*tags), core.Lookup(_bits(UNLIKELY_ROLES))


def _bits(*sets: Set[str]) -> dict[str, int]:
    return {word: sum((word in words) << bit for bit, words in enumerate(sets)) for word in set().union(*sets)}
