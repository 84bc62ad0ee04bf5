"""What a selector cannot find on a page is not looked for; what it may find is found."""

from __future__ import annotations

import pytest

from duramen.dom import parse
from duramen.elements import _alternatives
from duramen.flatten import flatten
from duramen.native import core

PAGE = """<!doctype html><body><div class="Trunk oak"><h1 id=Top>Oaks</h1><p data-rings=9>Heartwood</p></div>
<svg viewBox="0 0 1 1"><g class=bark id=ring><linearGradient/></g></svg>"""


@pytest.mark.parametrize(
    ("selector", "named"),
    [
        ("p", [("p", ("p",))]),
        ("H1.Title , #top>*", [("H1.Title", ("h1", ".title")), ("#top>*", ("#top",))]),
        ("a[href^='x, .y'].z ~ b", [("a[href^='x, .y'].z ~ b", ("a", "[href", ".z", "b"))]),
        ('[a][b=c], -x-y "', None),
        ("p:has(a)", None),
        ("a,", None),
        ("a,,b", None),
        (".a..b", None),
        ("> a", None),
        ("a >", None),
        (r".a\:b", None),
        ("été", None),
        ("[a='\\]']", None),
        ("", None),
    ],
)
def test_the_names_in_a_selector(selector: str, named: list[tuple[str, tuple[str, ...]]] | None) -> None:
    assert _alternatives(selector) == (None if named is None else tuple(named))


@pytest.mark.skipif(core is None, reason="without the compiled core every selector is asked")
def test_alternatives_that_the_page_has_no_names_for_are_left_out() -> None:
    elements = flatten(parse(PAGE)).elements
    assert elements.possible(".trunk, .elm, p.none, div > #top") == ".trunk, div > #top"
    assert elements.possible("[data-rings], [data-age]") == "[data-rings]"
    assert elements.possible(".elm, #bottom") == ""
    assert elements.possible("p:not(.elm), .elm") == "p:not(.elm), .elm"
    # Names inside drawings count, although a drawing is one node.
    assert elements.possible("g.bark, #ring, lineargradient, [viewbox]") == "g.bark, #ring, lineargradient, [viewbox]"


def test_an_element_in_a_drawing_is_not_taken_for_another_of_its_tag() -> None:
    tree = flatten(parse("<p>a<p class=x>b<svg><foreignObject><p>c</p></foreignObject></svg>"))
    assert tree.select("p:not(.x)") == [tree.tag.index("p"), tree.tag.index("svg")]


def test_selectors_find_what_they_found() -> None:
    tree = flatten(parse(PAGE))
    assert tree.select("div.oak > p") == [tree.tag.index("p")]
    assert tree.select(".bark") == tree.select("svg") == [tree.tag.index("svg")]
    assert tree.select(".trunk") == []
    assert tree.may_have("[data-rings]") and tree.may_have(":root")
    assert tree.may_have("[data-age]") == (core is None)
