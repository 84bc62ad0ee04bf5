"""Where pictures stay."""

from __future__ import annotations

import pytest

from duramen.blocks import segment
from duramen.flatten import parse_tree
from duramen.refine.kept_text import KeptText

PAGE = "<div><p>Oak is hard.</p>{}</div><p>Share this page with all of your friends.</p><img id=late>"


@pytest.mark.parametrize(
    ("inside", "stays"),
    [
        ("<img>", True),
        ("<span><b><img></b></span>", True),
        ("<p>Elm is soft, and this says more than what is kept.</p><img>", False),
        ("<p>Elm.</p><span><img></span>", False),
        ("<p>Elm.</p><img>", False),
    ],
)
def test_a_picture_stays_with_the_text_around_it(inside: str, stays: bool) -> None:
    tree = parse_tree(PAGE.format(inside))
    text = KeptText(tree, segment(tree), [0])
    picture, late = tree.tagged({"img"})
    assert (text.is_around(picture), text.is_around(late)) == (stays, False)


def test_the_nearest_element_with_kept_text() -> None:
    tree = parse_tree(PAGE.format("<span><b><img></b></span>"))
    text = KeptText(tree, segment(tree), [0])
    assert [tree.tag[text.around(i)] for i in tree.tagged({"img", "b"})] == ["div", "div", "body"]
    assert text.chars_in(tree.tag.index("div")) == len("Oak is hard.") + 1
