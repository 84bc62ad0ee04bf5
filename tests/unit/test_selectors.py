"""What selectors find, and what is said of a faulty one."""

from __future__ import annotations

import random
import time

import pytest

from duramen.flatten import parse_tree
from duramen.selectors import SelectorSyntaxError, read_selector
from duramen.tree import Tree

DOCTYPE = "<!doctype html>"


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
        ("template > section", ["section"]),
        ("section > p", ["p.inside"]),
        ("template:has(p)", ["template"]),
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
        ("li:not(.last):is(ul > *)", ["li"]),
        (":root", ["html"]),
        ("html:root > body", ["body.post"]),
        (":scope", ["html"]),
        ("#trunk > :nth-child(2)", ["p.lead"]),
        ("#trunk > :nth-child(even)", ["p.lead", "p"]),
        ("#trunk > :nth-child(2n+1)", ["h1.title", "p", "ul"]),
        ("#trunk > :nth-child( ODD )", ["h1.title", "p", "ul"]),
        ("#trunk > :nth-child(-n + 2)", ["h1.title", "p.lead"]),
        ("#trunk > :nth-child(n+4)", ["p", "ul"]),
        ("#trunk > :nth-child(0)", []),
        ("#trunk > :nth-last-child(2)", ["p"]),
        ("#trunk > :nth-child(2 of p)", ["p"]),
        ("#trunk > :nth-child(1 of :not(h1, .wood))", ["p"]),
        ("#trunk > :nth-last-child(1 of .wood)", ["p.lead"]),
        ("p:nth-of-type(2)", ["p"]),
        ("#trunk > :nth-of-type(1)", ["h1.title", "p.lead", "ul"]),
        ("p:nth-last-of-type(3)", ["p.lead"]),
        ("#trunk > :first-of-type", ["h1.title", "p.lead", "ul"]),
        ("#trunk > :last-of-type", ["h1.title", "p", "ul"]),
        ("#trunk > :only-of-type", ["h1.title", "ul"]),
        ("p:empty", ["p#only"]),
        ("div:has(:empty)", ["div#crown"]),
        ("div:has(ul:has(a))", ["div#trunk"]),
        ("body > div:has(> p):not(:has(h1))", ["div#crown"]),
        ("ul :link", ["a", "a.headerlink"]),
        ("a:any-link:not(.headerlink)", ["a"]),
        ("p:lang(en)", ["p.lead", "p", "p", "p.inside", "p#only"]),
        ("p:lang(en-gb)", ["p"]),
        ("p:lang(fr, 'en-GB')", ["p"]),
        ("p:dir(rtl)", []),
        ("#crown:dir(ltr)", ["div#crown"]),
        ("a:hover, a:visited, a:target", []),
        ("a:not(:focus)", ["a", "a.headerlink"]),
        ("p:is()", []),
        ("p:is(:unknown, .lead)", ["p.lead"]),
        ("p:is(.lead, )", ["p.lead"]),
        ("p:matches(.lead)", ["p.lead"]),
        (r"#\74 runk", ["div#trunk"]),
        (r"p.l\65 ad", ["p.lead"]),
        (r"[title='x\2d y']", ["p.lead"]),
        ("*|h1, |ul", ["h1.title", "ul"]),
        ("p.lead/* bark */ , /* and */ h1", ["h1.title", "p.lead"]),
        ("p\n>\ta, h1\f+ p", ["p.lead"]),
    ],
)
def test_each_part_of_a_selector(selector: str, expected: list[str]) -> None:
    assert names(parse_tree(PAGE), selector) == expected


def names(tree: Tree, selector: str, within: int = 0) -> list[str]:
    return [tree.path(i).rpartition(" > ")[2] for i in tree.select(selector, within)]


FORM = f"""{DOCTYPE}<form><input id=a type=CHECKBOX checked><input id=b type=radio><input id=c required readonly>
<select id=d disabled><option id=e selected><option id=f></select><textarea id=g></textarea>
<fieldset id=h disabled></fieldset>
<div id=i contenteditable></div><details id=j open></details><details id=k></details></form>"""


@pytest.mark.parametrize(
    ("selector", "idents"),
    [
        (":checked", "a e"),
        (":disabled", "d h"),
        (":enabled", "a b c e f g"),
        (":required", "c"),
        ("form > :optional", "a b d g"),
        (":read-write", "a b g i"),
        ("form > :read-only:not(details)", "c d h"),
        ("details:open", "j"),
    ],
)
def test_forms(selector: str, idents: str) -> None:
    tree = parse_tree(FORM)
    assert [tree.ident[i] for i in tree.select(selector)] == idents.split()


@pytest.mark.parametrize(
    ("selector", "fault"),
    [
        ("", "expected a selector at character 1"),
        (" ", "expected a selector at character 2"),
        (",", "expected a selector at character 1"),
        ("a,", "expected a selector at character 3"),
        ("a,,b", "expected a selector at character 3"),
        (".a..b", "expected a name at character 4"),
        ("> a", "expected a selector at character 1"),
        ("a >", "expected a selector at character 4"),
        ("a > > b", "expected a selector at character 5"),
        ("*p", "expected a combinator, a comma or the end at character 2"),
        ("p::before", "a pseudo-element is no element at character 3"),
        ("p:before", "unknown pseudo-class at character 3"),
        ("p:contains(x)", "unknown pseudo-class at character 3"),
        ("p:", "unknown pseudo-class at character 3"),
        ("p:not()", "expected a selector at character 7"),
        ("p:not(:unknown)", "unknown pseudo-class at character 8"),
        ("p:has()", "expected a selector at character 7"),
        ("p:is(", "expected ) at character 6"),
        ("p:not(a", "expected ) at character 8"),
        ("p)", "expected no parenthesis at character 2"),
        ("[a", "expected ], = or one of ~= |= ^= $= *= at character 3"),
        ("[a!=b]", "expected ], = or one of ~= |= ^= $= *= at character 3"),
        ("[a=", "expected a name at character 4"),
        ("[a=b", "expected ] at character 5"),
        ("[a=b c]", "expected ] at character 6"),
        ("[=b]", "expected a name at character 2"),
        ("[a='b]", "expected a closing quote at character 7"),
        ("p:nth-child()", "expected a number, odd, even, or a formula such as 2n+1 at character 13"),
        ("p:nth-child(2n+)", "expected a number at character 16"),
        ("p:nth-of-type(2 of p)", "expected ) at character 17"),
        ("svg|a", "expected a combinator, a comma or the end at character 4"),
        ("été.", "expected a name at character 5"),
        (".1a", "expected a name at character 2"),
        ("-", "expected a name at character 1"),
        ("p\0", "a selector cannot hold a null character"),
        ("\ud800", "half of a surrogate pair is no character"),
        (":not(" * 17 + "p" + ")" * 17, "too many parentheses inside each other at character 86"),
        ("p:has(" + "a " * 33 + ")", "too many parts inside :has() at character 71"),
    ],
)
def test_what_is_wrong_is_said_and_where(selector: str, fault: str) -> None:
    with pytest.raises(SelectorSyntaxError) as error:
        read_selector(selector)
    assert str(error.value) == fault and isinstance(error.value, ValueError)


def test_long_and_nested_selectors_are_read() -> None:
    tree = parse_tree(PAGE)
    assert tree.select("a" * 50_000) == []
    assert names(tree, ":is(" * 16 + "h1" + ")" * 16) == ["h1.title"]
    assert names(tree, "h1" + ":not(:has(" * 8 + "h2" + "))" * 8) == ["h1.title"]
    assert names(tree, "h1" + ":not(h2)" * 5_000) == ["h1.title"]
    assert names(tree, ", ".join(f"#x{i}" for i in range(5_000)) + ", h1") == ["h1.title"]


def test_elements_of_a_drawing_count_as_the_drawing() -> None:
    tree = parse_tree(
        f"{DOCTYPE}<p class=oak>a</p><svg class=icon viewBox='0 0 1 1'><g class='oak x' id=Ring><path d=x /><path />"
        "</g><linearGradient /></svg><i class=icon></i><a><svg><use href=#share /></svg></a><p>b"
    )
    first, second = tree.tagged({"svg"})
    for selector in ("path", "svg g", "[d]", ".oak.x", "#Ring > path + path", "g:has(> path)", "linearGradient",
                     "lineargradient", "[viewBox]", "svg.icon:has(g)", "g:nth-child(1) path:last-child",
                     "[class^=oak][class$=x]", "path:only-child ~ *, path:nth-of-type(2)"):  # fmt: skip
        assert tree.select(selector) == [first], selector
    assert tree.select("a:has(use[href='#share'])") == tree.tagged({"a"})
    assert tree.select(".oak") == [tree.tag.index("p"), first]
    assert tree.select("svg:empty") == [] and tree.select("i:empty") == tree.tagged({"i"})
    assert tree.select("svg, i") == [first, tree.tag.index("i"), second]
    assert tree.select("use", within=tree.tag.index("p")) == [] and tree.select("use", tree.tag.index("a")) == [second]
    assert tree.select("p:not(:has(x))") == tree.tagged({"p"}) and tree.select("path > *") == []


def test_an_element_in_a_drawing_is_not_taken_for_another_of_its_tag() -> None:
    tree = parse_tree("<p>a<p class=x>b<svg><foreignObject><p>c</p></foreignObject></svg>")
    assert tree.select("p:not(.x)") == [tree.tag.index("p"), tree.tag.index("svg")]


def test_the_case_of_classes_and_ids_does_not_count_in_quirks_mode() -> None:
    for doctype, found in (("", 2), (DOCTYPE, 0)):
        tree = parse_tree(f"{doctype}<p class=Oak>a<p class='elm' id=Top>b")
        assert len(tree.select(".oak, #top")) == found and tree.select(".elm") == [tree.cls.index("elm")]


def test_a_page_that_was_cut() -> None:
    tree = parse_tree("<p class=oak>1</p><div><h1>2</h1></div><p class=oak>3</p>", max_nodes=5)
    assert tree.cut
    assert tree.select("div + p") == [] and tree.select("body > p:first-child") == tree.tagged({"p"})


def test_places_outside_the_page() -> None:
    tree = parse_tree("<p>Oak")
    for within in (-1, tree.tag.index(""), len(tree), 10**9):
        assert tree.select("*", within) == []


def random_page(rng: random.Random) -> str:
    out = [DOCTYPE]
    for _ in range(rng.randrange(3, 60)):
        tag = rng.choice(("div", "p", "span", "section", "ul", "li", "svg", "g", "table", "td"))
        name = rng.choice((f"<{tag}>", f"<{tag} class=a>", f"<{tag} class='a b' id=i title=x>"))
        out.append(rng.choice((f"</{tag}>", name, name, name + "Oak")))
    return "".join(out)


COMPOUNDS = (
    "*",
    "p",
    "div",
    ".a",
    ".b",
    "#i",
    "[title]",
    "li",
    "g",
    ":first-child",
    ":nth-of-type(2n)",
    "span:not(.b)",
)


@pytest.mark.parametrize("seed", range(40))
def test_selectors_agree_with_each_other(seed: int) -> None:
    """What one part of a selector says must follow from what others say."""
    rng = random.Random(seed)
    tree = parse_tree(random_page(rng).replace("<svg", "<b").replace("<g", "<i") if seed % 2 else random_page(rng))

    def select(selector: str) -> set[int]:
        return set(tree.select(selector))

    one, two = rng.sample(COMPOUNDS, 2)
    everything = select("*")
    assert select(f"{one}, {two}") == select(f":is({one}, {two})") == select(one) | select(two)
    assert select(f"{one} > {two}") == select(f"{two}:is({one} > *)")
    assert select(f":has(> {one})") >= select(f":has(> {one}:is({two}))")
    assert select(":nth-child(n)") == select(":nth-last-of-type(n)") == everything
    if tree.tagged({"svg"}):
        return  # Where the elements of a drawing count as the drawing, sets are not enough.
    assert select(f"{one}:is({two})") == select(one) & select(two)
    assert select(f"{one}:not({two})") == select(one) - select(two)
    parent, found = tree.parent, select(one)
    assert select(f":has(> {one})") == {parent[i] for i in found if i}
    assert select(f":has({one})") == {above for i in found for above in tree.ancestors(i)}
    assert select(f"{one} *") == {i for i in everything if not found.isdisjoint(tree.ancestors(i))}
    assert select(f"{one} > *") == {i for i in everything if parent[i] in found}
    siblings = {i: [j for j in tree.children(parent[i]) if tree.tag[j]] if i else [0] for i in everything}
    before = {i: siblings[i][: siblings[i].index(i)] for i in everything}
    assert select(f"{one} + *") == {i for i in everything if before[i] and before[i][-1] in found}
    assert select(f"{one} ~ *") == {i for i in everything if not found.isdisjoint(before[i])}
    assert select(f":has(+ {one})") == {before[i][-1] for i in found if before[i]}
    place = {i: 1 + len(before[i]) for i in everything}
    a, b = rng.randrange(-3, 4), rng.randrange(-3, 5)
    wanted = {a * n + b for n in range(200)}
    assert select(f":nth-child({a}n{b:+})") == {i for i in everything if place[i] in wanted}
    of_type = {i: 1 + sum(tree.tag[j] == tree.tag[i] for j in before[i]) for i in everything}
    assert select(f":nth-of-type({a}n{b:+})") == {i for i in everything if of_type[i] in wanted}
    among = {i: 1 + sum(j in found for j in before[i]) for i in found}
    assert select(f":nth-child({a}n{b:+} of {one})") == {i for i in found if among[i] in wanted}


HOSTILE = (
    "div " * 200 + "p",
    "div > " * 200 + "p",
    "p ~ " * 200 + "p",
    "p + " * 200 + "p",
    "div:has(p) " * 12 + "p",
    "body:has(.last) p, p:nth-of-type(2), *:not(:has(:not(b))), :nth-last-of-type(3n+1):nth-child(2 of p)",
    ":not(div div div, p ~ p ~ p) " * 50 + "*",
    ":has(" * 16 + "p" + ")" * 16,
    "[title*='" + "a" * 500 + "b']",
)


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 400 + "<p>" * 100_000,
        "<div>" * 100_000 + "<p>",
        f"<p title='{'a' * 1_000_000}'>",
        "<svg>" + "<g class=a><p title=b>" * 30_000,
        "".join(f"<x{i}>" for i in range(50_000)),
    ],
    ids=range(5),
)
def test_time_grows_with_the_page_and_the_selector_alone(page: str) -> None:
    tree = parse_tree(DOCTYPE + page)
    for selector in HOSTILE:
        read_selector(selector)
        started = time.process_time()
        tree.select(selector)
        assert time.process_time() - started < 2
