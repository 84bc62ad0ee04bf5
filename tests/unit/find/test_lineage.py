"""What elements say of themselves."""

from __future__ import annotations

import pytest

from duramen.find.lineage import hidden_nodes, stated_bits
from duramen.flatten import parse_tree


@pytest.mark.parametrize(
    ("attributes", "is_hidden"),
    [
        ("hidden", True),
        ("hidden=until-found", True),
        ("aria-hidden=true", True),
        ("aria-hidden=false", False),
        ("aria-hidden", False),
        ("style='display:none'", True),
        ("style='color: red; DISPLAY : None'", True),
        ("style='visibility: hidden'", True),
        ("style='display: block'", False),
        ("style='overflow: hidden'", False),
        ("style='float: none'", False),
        ("class=hidden", False),
    ],
)
def test_what_says_that_it_is_not_shown(attributes: str, is_hidden: bool) -> None:
    tree = parse_tree(f"<p {attributes}>Oak</p><p>Elm</p>")
    assert hidden_nodes(tree) == ({tree.tag.index("p")} if is_hidden else set())


def test_roles_and_hidden_elements_have_bits() -> None:
    tree = parse_tree("<b role=Main>a</b><i role=button>b</i><s role=main>c</s>")
    main, hidden = tree.tag.index("b"), tree.tag.index("s")
    assert stated_bits(tree, {"main": 4, "search": 8}, {hidden}, 1) == {main: 4, hidden: 5}
