"""What the compiled core tells of a page's own statements, beside what Python tells of the same page."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from duramen.find import patterns
from duramen.flatten import parse_tree
from duramen.native import core
from duramen.tree import Tree

pytestmark = pytest.mark.skipif(core is None, reason="the compiled core is not built here")


def twins(html: str) -> tuple[Tree, Tree]:
    """The page, and the same without what the core tells of it."""
    tree = parse_tree(html)
    assert tree.core is not None
    return tree, replace(tree, core=None)


@pytest.mark.parametrize("seed", range(40))
def test_the_heaviest_elements_of_a_name(seed: int) -> None:
    rng = random.Random(seed)
    names = ("post-content", "entry-content x", "Post_Content", "sidebar", "article-body__a1B2c3", "main")
    html = "".join(
        f"<{tag} {rng.choice(('class', 'id'))}='{rng.choice(names)}'>{'text ' * rng.randrange(4)}"
        f"{rng.choice(('', '<a href=x>linked text</a>', '</div>', '</p>'))}"
        for tag in rng.choices(("div", "p", "section"), k=40)
    )
    tree, pure = twins(html)
    assert sorted(patterns._heaviest(tree)) == sorted(patterns._heaviest(pure))
