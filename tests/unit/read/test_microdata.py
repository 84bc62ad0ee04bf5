"""Microdata by the HTML standard: which values an item has, and what they say; and pages that repeat it without end."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import pytest

from duramen.flatten import parse_tree
from duramen.read.element_values import MAX_ITEMS
from duramen.read.microdata import read_microdata
from duramen.read.vocabulary import types_of

BASE = "https://example.org/trees/"


def read(html: str, base: str | None = BASE) -> tuple[tuple[Mapping[str, Any], ...], list[str]]:
    problems: list[str] = []
    return read_microdata(parse_tree(html), base, problems), problems


def properties_of(inside: str, base: str | None = BASE) -> dict[str, Any]:
    (item,), problems = read(f"<div itemscope>{inside}</div>", base)
    assert problems == []
    return dict(item)


def test_items_become_plain_data() -> None:
    html = """
    <div itemscope itemtype="https://schema.org/Article">
      <h1 itemprop="headline">Oak</h1>
      <div itemprop="author" itemscope itemtype="https://schema.org/Person"><b itemprop="name">Ada</b></div>
      <a itemprop="url" href="/oak">x</a><i itemprop="keywords">a</i><i itemprop="keywords">b</i>
    </div>"""
    ((item,), _) = read(html)
    assert types_of(item) == ("article",)
    assert item["headline"] == "Oak"
    assert item["author"] == {"@type": "https://schema.org/Person", "name": "Ada"}
    assert item["url"] == "https://example.org/oak"
    assert item["keywords"] == ["a", "b"]
    assert list(item) == ["@type", "headline", "author", "url", "keywords"]
    assert read(html, "not a url")[0][0]["headline"] == "Oak"


@pytest.mark.parametrize(
    ("element", "value"),
    [
        ("<p itemprop=x>an <b>old</b> <i>oak</i><!-- tall --></p>", "an old oak"),
        ("<p itemprop=x>an <b>old </b>\n\n<i>oak</i></p>", "an old  oak"),
        ("<p itemprop=x>a<script>b</script><template>c</template><svg><text>d</text></svg></p>", "abc"),
        ("<p itemprop=x content=machine>reader</p>", "machine"),
        ("<p itemprop=x content=''>reader</p>", "reader"),
        ("<a itemprop=x href=oaks content=machine>Oaks</a>", "https://example.org/trees/oaks"),
        ("<p itemprop=x></p>", ""),
        ("<meta itemprop=x content=' a '>", " a "),
        ("<meta itemprop=x>", ""),
        ("<data itemprop=x value=3>three</data>", "3"),
        ("<data itemprop=x>three</data>", ""),
        ("<meter itemprop=x value=3>three</meter>", "3"),
        ("<time itemprop=x datetime=2020-01-01>New Year</time>", "2020-01-01"),
        ("<time itemprop=x>New Year</time>", "New Year"),
        ("<a itemprop=x href=oaks>Oaks</a>", "https://example.org/trees/oaks"),
        ("<a itemprop=x href='  ../é x?y=\"1 2\"#z '>Oaks</a>", "https://example.org/%C3%A9%20x?y=%221%202%22#z"),
        ("<a itemprop=x>Oaks</a>", ""),
        ("<a itemprop=x href=mailto:ann@example.org>Ann</a>", "mailto:ann@example.org"),
        ("<a itemprop=x href='http://[broken/'>Ann</a>", "http://[broken/"),
        ("<area itemprop=x href=//cdn.example/a>", "https://cdn.example/a"),
        ("<link itemprop=x href=https://schema.org/InStock>", "https://schema.org/InStock"),
        *[
            (f"<{tag} itemprop=x src=a>text", "https://example.org/trees/a")
            for tag in ("audio", "embed", "iframe", "img", "source", "track", "video")
        ],
        ("<object itemprop=x data=a>text</object>", "https://example.org/trees/a"),
    ],
)
def test_value_by_element(element: str, value: str) -> None:
    assert properties_of(element)["x"] == value


@pytest.mark.parametrize(
    ("base", "value"),
    [
        (None, "oaks"),
        ("", "oaks"),
        ("hard::oaks.html", "oaks"),
        ("file:///trees/index.html", "oaks"),
    ],
)
def test_addresses_stay_relative_to_what_is_no_address(base: str | None, value: str) -> None:
    assert properties_of("<a itemprop=x href=oaks>", base)["x"] == value


def test_one_element_may_have_several_names() -> None:
    assert properties_of("<b itemprop='a b\ta'>1</b><b itemprop='b'>2</b><b itemprop=' '>3</b>") == {
        "a": "1",
        "b": ["1", "2"],
    }


def test_types_and_identity() -> None:
    ((one, two), _) = read("<p itemscope itemtype=' a\nb ' itemid=urn:1><p itemscope itemtype>")
    assert one == {"@type": ["a", "b"], "@id": "urn:1"} and two == {}


def test_properties_belong_to_the_item_around_them() -> None:
    ((outer, inner), _) = read(
        "<div itemscope itemtype=outer><b itemprop=a>1</b><p><i itemprop=inner itemscope itemtype=in><b itemprop=b>2"
        "</b></i></p><section itemscope itemtype=apart><b itemprop=c>3</b></section><template>"
        "<b itemprop=d>4</template><b itemprop=e>5</b></div><b itemprop=f>6</b>"
    )
    assert outer == {"@type": "outer", "a": "1", "inner": {"@type": "in", "b": "2"}, "e": "5"}
    assert inner == {"@type": "apart", "c": "3"}
    assert read("<p itemprop=x itemscope>nobody's")[0] == ()


def test_items_may_refer_to_elements_elsewhere() -> None:
    html = (
        "<b id=before itemprop=name>Oak</b><p id=by><i itemprop=author>Ann</i></p>"
        "<div itemscope itemref='by on before by nowhere'><b itemprop=name>Quercus</b></div>"
        "<div id=on><b itemprop=at>May</b><div itemprop=in itemscope><b itemprop=place>Wood</b></div></div>"
    )
    assert read(html)[0] == ({"name": ["Oak", "Quercus"], "author": "Ann", "at": "May", "in": {"place": "Wood"}},)


def test_what_is_referred_to_may_refer_on() -> None:
    html = (
        "<div itemscope itemref=a></div><div id=a itemprop=one itemscope itemref=b></div><b id=b itemprop=two>2</b>"
        "<div itemscope itemref=a></div>"
    )
    assert read(html) == (({"one": {"two": "2"}}, {"one": {"two": "2"}}), [])


@pytest.mark.parametrize(
    ("html", "item"),
    [
        ("<div itemscope id=a itemref=a><b itemprop=name>Oak</b></div>", {"name": "Oak"}),
        ("<p id=a><i itemprop=by>Ann</i><b itemscope itemref=a><i itemprop=x>1</i></b></p>", {"by": "Ann", "x": "1"}),
        (
            "<div itemscope itemref=a></div><div id=a itemprop=one itemscope itemref=b></div>"
            "<div id=b itemprop=two itemscope itemref=a></div>",
            {"one": {"two": {}}},
        ),
        ("<div itemscope itemref=a></div><div id=a><i itemprop=i itemscope itemref=a></i></div>", {"i": {}}),
    ],
    ids=["to itself", "to what it stands in", "to each other", "to what it stands in, as a property"],
)
def test_no_item_stands_in_itself(html: str, item: dict[str, Any]) -> None:
    assert read(html) == ((item,), [])


def chain(levels: int) -> str:
    """Two items that each refer to the next two."""
    items = (
        f"<div id={name}{k} itemscope itemprop=about itemref='a{k + 1} b{k + 1}'></div>"
        for k in range(levels)
        for name in "ab"
    )
    return "<div itemscope itemtype=https://schema.org/Article itemref='a0 b0'></div>" + "".join(items)


def test_what_stands_apart_and_tells_nothing_of_the_page_is_left_out() -> None:
    crumb = "<ol itemscope itemtype=https://schema.org/BreadcrumbList><li itemprop=itemListElement>Trees</ol>"
    assert read(crumb) == ((), [])
    (article,), _ = read(f"{crumb}<div itemscope itemtype=http://schema.org/Article><b itemprop=name>Oaks</b></div>")
    assert article["name"] == "Oaks"
    ((page,), _) = read(f"<div itemscope itemtype=https://schema.org/WebPage><ol itemprop=breadcrumb{crumb[3:]}</div>")
    assert page["breadcrumb"] == {"@type": "https://schema.org/BreadcrumbList", "itemListElement": "Trees"}


ARTICLE = "<div itemscope itemtype=https://schema.org/Article"


@pytest.mark.parametrize(
    "html",
    [
        chain(40),
        f"{ARTICLE}><b itemprop='{' '.join(f'n{k}' for k in range(60))}'>Oak</b></div>",
        f"{ARTICLE}>" + "<div itemprop=name>" * 300 + "word " * 2000,
        "<div id=all>" + "<b itemprop=name>Oak</b>" * 2000 + f"</div>{f'{ARTICLE} itemref=all></div>' * 500}",
        "<div id=a itemprop=x itemscope>"
        + "<b itemprop=y>1</b>" * 9000
        + f"</div>{f'{ARTICLE} itemref=a></div>' * 500}",
    ],
    ids=["two to two", "many names", "around a text", "many to all", "many to one with many"],
)
def test_what_would_fill_the_memory_is_left_out_and_told(html: str) -> None:
    assert read(html) == ((), ["microdata: left out, since it repeats itself too often"])


def test_addresses_do_not_multiply_a_long_base() -> None:
    page = "<div itemscope>" + "".join(f"<a itemprop=n{k} href=x>" for k in range(5000))
    assert read(page, BASE + "x" * 1900 + "/")[1] == ["microdata: left out, since it repeats itself too often"]


def ring(size: int) -> str:
    """Items that each refer to all of them."""
    every = " ".join(f"i{k}" for k in range(size))
    items = (f"<p id=i{k} itemscope itemprop=x itemref='{every}'></p>" for k in range(size))
    return "<div itemscope itemref=i0></div>" + "".join(items)


@pytest.mark.parametrize(
    "html",
    [
        ring(300),
        "<div itemscope itemprop=a>" * 5000,
        "<div itemscope>" * 5000,
        "<div itemscope id=a itemref=a><i itemprop=x>1</i></div>" * 5000,
        "<div itemscope>" + "<div itemscope itemprop=a>" * 5000,
        "<div itemscope>" + "<i itemprop=a>" * 50_000,
        "<template itemscope>" * 5000 + "<i itemprop=a>",
    ],
    ids=range(7),
)
def test_hostile_pages_take_no_time(html: str) -> None:
    tree = parse_tree(html)
    started = time.process_time()
    items = read_microdata(tree, BASE, [])
    assert time.process_time() - started < 2
    assert len(items) <= MAX_ITEMS


def test_items_over_the_limit_are_told() -> None:
    items, problems = read("<p itemscope>" * (MAX_ITEMS + 1))
    assert len(items) == MAX_ITEMS and problems == ["microdata: items left out, over the limit"]
