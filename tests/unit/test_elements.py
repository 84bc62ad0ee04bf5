"""What a selector finds has the numbers of the flattened page."""

from __future__ import annotations

from duramen.dom import parse
from duramen.flatten import flatten

PAGE = """<!doctype html><body><div class="Trunk oak"><h1 id=Top>Oaks</h1><p data-rings=9>Heartwood</p></div>
<svg viewBox="0 0 1 1"><g class=bark id=ring><linearGradient/></g></svg>"""


def test_an_element_in_a_drawing_is_not_taken_for_another_of_its_tag() -> None:
    tree = flatten(parse("<p>a<p class=x>b<svg><foreignObject><p>c</p></foreignObject></svg>"))
    assert tree.select("p:not(.x)") == [tree.tag.index("p"), tree.tag.index("svg")]


def test_selectors_find_what_they_found() -> None:
    tree = flatten(parse(PAGE))
    assert tree.select("div.oak > p") == [tree.tag.index("p")]
    assert tree.select(".bark") == tree.select("svg") == [tree.tag.index("svg")]
    assert tree.select(".trunk") == []
    assert tree.select("[data-rings]") == [tree.tag.index("p")]
    assert tree.select(":root") == [0]


def test_selectors_that_the_core_does_not_read_are_asked_of_the_document() -> None:
    tree = flatten(parse(PAGE))
    assert tree.select("p:nth-child(2)") == [tree.tag.index("p")]
    assert tree.select("p, h1", tree.tag.index("p")) == [tree.tag.index("p")]


def test_what_stands_behind_a_cut_is_not_taken_for_what_is_like_it() -> None:
    html = "<p class=oak>1</p><div><h1>2</h1></div><p class=oak>3</p>"
    tree = flatten(parse(html), max_nodes=5)
    assert tree.cut
    assert tree.select("div + p") == []
    assert tree.select("body > p:first-child") == tree.tagged({"p"})
