"""The compiled core answers a selector as the HTML parser's own document does, or leaves it to it."""

from __future__ import annotations

import random
import time

import pytest
from duramen.elements import _read

from duramen.dom import SelectorSyntaxError, parse
from duramen.flatten import flatten
from duramen.native import core
from duramen.tree import Tree

pytestmark = pytest.mark.skipif(core is None, reason="the compiled core was not built here")

TAGS = ("div", "p", "span", "section", "a", "ul", "li", "x-y")
ODD_TAGS = ("template", "svg", "g", "math", "mi", "noscript", "table", "td", "pre")
CLASSES = ("a", "b", "c-d", "Ab", "aB")
IDS = ("i", "j", "I", "k-l")
VALUES = ("x", "X", "x-y", "x y", "", "y", "xx", "&amp;", "é", "  x ")
NAMES = ("title", "type", "rel", "data-x", "lang", "viewBox")
DOCTYPE = "<!doctype html>"


def random_page(rng: random.Random, odd: bool) -> str:
    out = [DOCTYPE] if rng.random() < 0.7 else []
    for _ in range(rng.randrange(3, 40)):
        tag = rng.choice(ODD_TAGS if odd and rng.random() < 0.2 else TAGS)
        if rng.random() < 0.3:
            out.append(f"</{tag}>")
            continue
        attributes = ""
        if rng.random() < 0.5:
            words = rng.choice((" ", "  ", "\n")).join(rng.choices(CLASSES, k=rng.randrange(1, 3)))
            attributes += f' class="{words}"'
        if rng.random() < 0.2:
            attributes += f" id={rng.choice(IDS)}"
        if rng.random() < 0.4:
            attributes += f' {rng.choice(NAMES)}="{rng.choice(VALUES)}"'
        out.append(f"<{tag}{attributes}>{rng.choice(('', 'Oak', ' ', '<!-- bark -->'))}")
    return "".join(out)


def random_attribute(rng: random.Random) -> str:
    name = rng.choice((*NAMES, "class", "id"))
    if rng.random() < 0.3:
        return f"[{name}]"
    value = rng.choice((*VALUES, *CLASSES, "a b")).replace("&amp;", "&")
    written = value if value.replace("-", "").isalpha() and value.isascii() and rng.random() < 0.5 else f'"{value}"'
    return f"[{name}{rng.choice(('', '~', '|', '^', '$', '*'))}={written}{rng.choice(('', '', ' i', ' s'))}]"


def random_compound(rng: random.Random, depth: int) -> str:
    parts = [rng.choice((*TAGS, *TAGS, *ODD_TAGS, "*", "html", "body"))] if rng.random() < 0.6 else []
    for _ in range(rng.randrange(0 if parts else 1, 3)):
        kind = rng.random()
        if kind < 0.45:
            parts.append(f".{rng.choice(CLASSES)}")
        elif kind < 0.55:
            parts.append(f"#{rng.choice(IDS)}")
        elif kind < 0.75:
            parts.append(random_attribute(rng))
        elif kind < 0.85 or depth > 1:
            parts.append(rng.choice((":first-child", ":last-child", ":only-child")))
        elif kind < 0.92:
            inner = random_selector(rng, depth + 1)
            parts.append(f":has({rng.choice(('', '> ', '+ ', '~ '))}{inner})")
        else:
            parts.append(f":{rng.choice(('not', 'is', 'where'))}({random_selector(rng, depth + 1)})")
    return "".join(parts)


def random_selector(rng: random.Random, depth: int = 0) -> str:
    alternatives = []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        written = random_compound(rng, depth)
        for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
            written += rng.choice((" ", " ", " > ", ">", " + ", " ~ ")) + random_compound(rng, depth)
        alternatives.append(written)
    return ", ".join(alternatives)


def answered(tree: Tree, selector: str, within: int = 0) -> list[int] | None:
    """What the core says, which must be what the document says; None where it says nothing."""
    read = _read(selector)
    try:
        asked = tree.elements.asked(selector, within)
    except SelectorSyntaxError:
        assert read is None, selector
        return None
    found: list[int] | None = None if read is None else tree.core.select(read, within)
    assert found is None or found == asked, (selector, within)
    assert tree.select(selector, within) == asked
    return found


@pytest.mark.parametrize("seed", range(60))
def test_random_selectors_on_random_pages(seed: int) -> None:
    rng = random.Random(seed)
    tree = flatten(parse(random_page(rng, seed % 3 == 0)))
    assert tree.core is not None
    answers = [
        answered(tree, random_selector(rng), rng.choice((0, 0, rng.randrange(len(tree))))) is not None
        for _ in range(60)
    ]
    assert sum(answers) >= (5 if seed % 3 == 0 else 20)


PAGE = f"""{DOCTYPE}<html lang=EN><body class="post  single"><div id=trunk class="Oak wood"><h1 class=title>Oaks</h1>
<p class="lead wood" title="x-y">One</p>text<p type=TEXT data-note="a &amp; b">Two</p><!-- bark --><p lang=en-GB>c</p>
<ul><li><a href=/a rel="Nofollow  next">a</a><li class=last><a class=headerlink href="#x">b</a></ul></div>
<template><section><p class=inside>x</p></section></template><div id=crown><p id=only></div>"""


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("p", ["p.lead", "p", "p", "p.inside", "p#only"]),
        ("P.wood", ["p.lead"]),
        (".wood", ["div#trunk", "p.lead"]),
        (".Oak.wood", ["div#trunk"]),
        ("#trunk > p", ["p.lead", "p", "p"]),
        ("#trunk p + p", ["p", "p"]),
        ("h1 + p ~ p", ["p", "p"]),
        ("div a", ["a", "a.headerlink"]),
        ("html body.single ul > li > a", ["a", "a.headerlink"]),
        ("h1, #crown, h1.title", ["h1.title", "div#crown"]),
        ("*#only", ["p#only"]),
        ("[class]", ["body.post", "div#trunk", "h1.title", "p.lead", "li.last", "a.headerlink", "p.inside"]),
        ("[class='post single']", []),
        ("[class='post  single']", ["body.post"]),
        ("[class~=single]", ["body.post"]),
        ("[title=x-y]", ["p.lead"]),
        ("[title|=x]", ["p.lead"]),
        ("[title^='x-']", ["p.lead"]),
        ("[title$=y]", ["p.lead"]),
        ("[title*='-']", ["p.lead"]),
        ("[title*='']", []),
        ("[title=X-Y]", []),
        ("[title=X-Y i]", ["p.lead"]),
        ("[ title = 'x-y' s ]", ["p.lead"]),
        ("[type=text]", ["p"]),
        ("[type=text s]", []),
        ("[data-note='a & b']", ["p"]),
        ("[lang|=en]", ["html", "p"]),
        ("[rel~=nofollow]", ["a"]),
        ("[REL~=next]", ["a"]),
        ("template p", ["p.inside"]),
        ("template > section", []),
        ("section > p", ["p.inside"]),
        ("template:has(p)", []),
        ("section:has(p)", ["section"]),
        ("p:first-child", ["p.inside", "p#only"]),
        ("p:last-child", ["p.inside", "p#only"]),
        ("li:first-child", ["li"]),
        ("li:only-child, p:only-child", ["p.inside", "p#only"]),
        ("html:only-child", ["html"]),
        ("li:has(> a.headerlink)", ["li.last"]),
        ("div:has(> ul > li)", ["div#trunk"]),
        ("div:has(a)", ["div#trunk"]),
        ("div:has(div a)", []),
        ("p:has(+ ul)", ["p"]),
        ("h1:has(~ ul)", ["h1.title"]),
        ("div:has(h2, #only)", ["div#crown"]),
        ("a:not(:has(> span)):not(.headerlink)", ["a"]),
        ("#trunk > :not(p, ul)", ["h1.title"]),
        (":is(h1, ul) + p", ["p.lead"]),
        ("p:where(.lead, #only)", ["p.lead", "p#only"]),
        ("li:not(ul li)", []),
    ],
)
def test_each_part_of_a_selector(selector: str, expected: list[str]) -> None:
    tree = flatten(parse(PAGE))
    found = answered(tree, selector)
    assert found is not None
    assert [tree.path(i).rpartition(" > ")[2] for i in found] == expected


@pytest.mark.parametrize(
    "selector",
    [
        "", " ", ",", "a,", "a,,b", ".a..b", "> a", "a >", "a > > b", "*p", "a b,", "p::before", "p:before",
        "p:nth-child(2)", "p:not()", "p:has()", "p:is(", "p)", "[a", "[a=", "[a=b", "[=b]", "[a=b c]", "[a!=b]",
        "[a='b]", "[a='\\'']", r".a\:b", "été", "*|p", "svg|a", ".1a", "#1", "-", "p /* oak */", "p\0", "\ud800",
        "p:has(a:has(b))", "p:hover", "a" * 5001, ":is(:is(:is(:is(p))))", "p:has(a)" * 17,
    ],
)  # fmt: skip
def test_what_is_left_to_the_document(selector: str) -> None:
    assert _read(selector) is None


def test_names_inside_drawings_are_left_to_the_document() -> None:
    tree = flatten(
        parse(f"{DOCTYPE}<p class=oak>a</p><svg class=icon><g class=oak><path d=x /></g></svg><i class=icon></i>")
    )
    assert answered(tree, "p.oak") == [tree.tag.index("p")]
    assert answered(tree, "svg.icon, i") == [tree.tag.index("svg"), tree.tag.index("i")]
    for selector in (".oak", "path", "svg g", "[d]", "*", "svg:has(path)", "svg > *", ":not(p)"):
        assert answered(tree, selector) is None
    for selector in ("[class^=OA]", "[class=oak]", "[class]", "[class*='']", "[class*='oak g']"):
        assert answered(tree, selector) is None
    assert answered(tree, "[class^=ic]") == [tree.tag.index("svg"), tree.tag.index("i")]
    assert answered(tree, "div path, .elm") == []


def test_the_case_of_classes_is_left_to_the_document_where_it_matters() -> None:
    for doctype in ("", DOCTYPE):
        tree = flatten(parse(f"{doctype}<p class=Oak>a<p class='elm' id=Top>b"))
        assert answered(tree, ".elm") == [tree.cls.index("elm")]
        assert answered(tree, ".oak") is None
        assert answered(tree, "#top") is None
        assert len(tree.select(".oak, #top")) == (0 if doctype else 2)


def test_the_case_of_values_counts_outside_html() -> None:
    tree = flatten(parse(f"{DOCTYPE}<p type=A><svg type=A></svg><b type=a>"))
    assert answered(tree, "p[type=a], b[type=a]") == [tree.tag.index("p"), tree.tag.index("b")]
    assert answered(tree, "svg[type=a]") is None


def test_a_page_that_was_cut_is_left_to_the_document() -> None:
    tree = flatten(parse(DOCTYPE + "<div><p>a</p></div>" * 50), 60)
    assert tree.cut
    assert answered(tree, "div > p") is None
    assert len(tree.select("div > p")) > 10


def test_places_outside_the_page() -> None:
    tree = flatten(parse("<p>Oak"))
    text = tree.tag.index("")
    for within in (-1, text, len(tree), 10**9):
        assert tree.select("*", within) == []


HOSTILE = (
    "div " * 200 + "p",
    "div > " * 200 + "p",
    "p ~ " * 200 + "p",
    "p + " * 200 + "p",
    "div:has(p) " * 12 + "p",
    ":not(div div div, p ~ p ~ p) " * 50 + "*",
    "[title*='" + "a" * 500 + "b']",
)


@pytest.mark.parametrize(
    "page", ["<div>" * 400 + "<p>" * 100_000, "<div>" * 100_000 + "<p>", f"<p title='{'a' * 1_000_000}'>"]
)
def test_time_grows_with_the_page_and_the_selector_alone(page: str) -> None:
    tree = flatten(parse(DOCTYPE + page))
    for selector in HOSTILE:
        read = _read(selector)
        assert read is not None
        started = time.process_time()
        assert tree.core.select(read, 0) is not None
        assert time.process_time() - started < 2
