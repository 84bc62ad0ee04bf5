"""The removal rows that elements fall under, by the compiled core and by Python."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from duramen.flatten import parse_tree
from duramen.native import core
from duramen.refine.prune import mark_removals
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
    found = mark_removals(tree)
    assert found == mark_removals(replace(tree, core=None))
    assert len(found) > 40


ROWS = removals()
STATED = (
    "role=navigation", "role=DIALOG", "role=main", f"role={'x' * 70}", "data-ad", "data-testid=ad-unit",
    "data-testid=x", "aria-label=Advertisement", "aria-label='A & B'", "class=sidebar", "class='cookie x'",
    "id=toc", "class='anchor'", "style='width:300px; height:250px'", "style='HEIGHT:90px'", "type=email",
    "class=headerlink", "src=https://cdn.taboola.com/x.js", "src=//a.example/?u=//b.taboola.com/",
    "src=https://TABOOLA.com", "src=taboola.com", "src='https://x.é.taboola.com/'",
    f"src=https://{'a' * 70}.example/", "src=https://media.example/", "src=//",
)  # fmt: skip
TAGS = ("div", "nav", "aside", "script", "iframe", "form", "input", "h1", "main", "a", "footer", "section", "amp-ad")


@pytest.mark.parametrize("seed", range(60))
def test_same_marks(seed: int) -> None:
    rng = random.Random(seed)
    html = "<body>"
    for _ in range(rng.randrange(80)):
        tag, given = rng.choice(TAGS), " ".join(rng.sample(STATED, rng.randrange(3)))
        html += f"<{tag} {given}>" + rng.choice(["", "#", "¶ §", "heartwood " * rng.randrange(9)])
        html += rng.choice(["", f"</{tag}>"]) if tag not in ("script", "iframe") else f"</{tag}>"
    tree = parse_tree(html)
    assert tree.core is not None
    pure = replace(tree, core=None)
    assert mark_removals(tree) == mark_removals(pure)
    hidden = {i: "a list" for i in rng.sample(range(len(tree)), len(tree) // 4) if tree.tag[i]}
    assert mark_removals(tree, hidden) == mark_removals(pure, hidden)


def test_what_is_no_node_or_row_is_refused() -> None:
    tree = parse_tree("<body><p>x")
    rows = ROWS.compiled
    for seen in ({-1: 0}, {len(tree): 0}, {1: -1}, {1: len(ROWS.rows)}):
        with pytest.raises(ValueError, match="no such"):
            tree.core.removable(rows, frozenset(), seen, {}, {}, 1.0, 4)
        with pytest.raises(ValueError, match="no such"):
            tree.core.removable(rows, frozenset(), {}, seen, {}, 1.0, 4)
    with pytest.raises(TypeError):
        tree.core.removable(rows, frozenset(), {}, {}, {"x": ""}, 1.0, 4)
    with pytest.raises(TypeError):
        tree.core.loading(3)
