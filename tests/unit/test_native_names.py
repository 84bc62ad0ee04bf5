"""The removal rows that names fall under, by the compiled core and by Python."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from duramen.flatten import parse_tree
from duramen.native import core
from duramen.refine.prune import _named
from duramen.tables import removals

pytestmark = pytest.mark.skipif(core is None, reason="the compiled core was not built here")

SIGNS = ("-", "_", "--", "__", " ", " ", "", "", ":", "\u00a0", "\u2003", "é", "7", "12", "3x", "X", "🌳")


def random_name(rng: random.Random) -> str:
    names = sorted(removals().by_name)
    out = []
    for _ in range(rng.randrange(1, 9)):
        parts = [part for name in rng.choices(names, k=rng.randrange(1, 3)) for part in name]
        out += [rng.choice((part, part, part.upper(), part.title())) + rng.choice(SIGNS) for part in parts]
    return "".join(out)


@pytest.mark.parametrize("seed", range(30))
def test_same_rows(seed: int) -> None:
    rng = random.Random(seed)
    names = [random_name(rng) for _ in range(60)] + [
        "x" * 597 + "-ad",
        "é" * 597 + "-ad",
        "x" * 596 + "-ad",
        "aB" * 700,
    ]
    tree = parse_tree("<body>" + "".join(f'<p class="{name}" id="{random_name(rng)}">x</p>' for name in names))
    assert tree.core is not None
    found = list(_named(tree, removals()))
    assert found == list(_named(replace(tree, core=None), removals()))
    assert len(found) > 40
