"""Where metadata may stand: what is looked for in classes and links, by the compiled core as by Python."""

from __future__ import annotations

import random

import pytest

from duramen.dom import parse
from duramen.flatten import _flatten, flatten
from duramen.native import core
from duramen.read.metadata_nodes import (
    BYLINE_STEMS,
    DATE_STEMS,
    MetadataNodes,
    _classes_holding,
    _noted,
    _spoken,
    elements_holding,
    parted,
)
from duramen.read.titles import _texts_of_size

VALUES = (
    "Author", "by-line", "by", "post_DATE", "metaData", "İnfo", "ſtime", "créé", "a&amp;b", "&amp;date", "ti&shy;me",
    "Taxi", "&quot;tag&quot;", "&lt;", "\u00a0", "木", "Dat", "e", "license", "canonical", "TAG", "ag", "t",
    "HTTPS://CreativeCommons.ORG/licenses/by/4.0/", "https://creativecommons.or&#103;/licenses/by/4.0/",
)  # fmt: skip


@pytest.mark.skipif(core is None, reason="the compiled core was not built here")
@pytest.mark.parametrize("seed", range(60))
def test_the_core_finds_the_same(seed: int) -> None:
    chosen = random.Random(seed)

    def value() -> str:
        return chosen.choice(("", " ")).join(chosen.choices(VALUES, k=chosen.randint(0, 4)))

    tags = chosen.choices(("a", "link", "b"), k=30)
    html = "".join(f'<{tag} class="{value()}" rel="{value()}" href="{value()}">{value()}' for tag in tags)
    quick, slow = flatten(parse(html)), _flatten(parse(html), 10_000)
    for parts in (("tag", "licen"), ("creativecommons.org/",), ("a&b", "é"), ("ag", "time"), DATE_STEMS, BYLINE_STEMS):
        for name in ("rel", "href", "class", "none"):
            assert elements_holding(quick, name, parts) == elements_holding(slow, name, parts)
        for others in (("b",), BYLINE_STEMS):
            assert _classes_holding(quick, parts, others) == _classes_holding(slow, parts, others)
    for least, most in ((0, 9), (1, 1), (2, 300), (5, 4)):
        assert _texts_of_size(quick, least, most) == _texts_of_size(slow, least, most)
    one, other = MetadataNodes(quick), MetadataNodes(slow)
    assert (one.links, one.rels) == (other.links, other.rels)
    assert (one.dated(), one.bylines()) == (other.dated(), other.bylines())
    assert one.commons() == other.commons()
    assert _spoken(quick, 0, len(quick)) == _spoken(slow, 0, len(slow))


@pytest.mark.skipif(core is None, reason="the compiled core was not built here")
@pytest.mark.parametrize("seed", range(60))
def test_the_core_finds_the_same_places(seed: int) -> None:
    chosen = random.Random(seed)
    tags = (
        "div",
        "div",
        "p",
        "h1",
        "time",
        "address",
        "article",
        "main",
        "footer",
        "aside",
        "nav",
        "svg",
        "title",
        "b",
    )
    names = (
        "main",
        "content",
        "sidebar",
        "relatedPosts",
        "side-bar x",
        "moreİ",
        "nav\xa0x",
        "",
        "primary",
        "Café-Menu",
    )
    html = "".join(
        f'<{tag} class="{chosen.choice(names)}" id="{chosen.choice(names)}">{"Oaks. " * chosen.randrange(3)}'
        f"{chosen.choice(('', '', '</div>', '</article>', '</aside>'))}"
        for tag in chosen.choices(tags, k=60)
    )
    quick, slow = flatten(parse(html)), _flatten(parse(html), 10_000)
    one, other = MetadataNodes(quick), MetadataNodes(slow)
    assert _noted(quick) == _noted(slow) and one.title == other.title
    told = []
    for title in (-1, *chosen.choices(range(len(quick)), k=4), -1):
        one.title_at = other.title_at = title
        for i in chosen.choices(range(len(quick)), k=30):
            told.append(one.is_aside(i))
            assert told[-1] == other.is_aside(i), (title, i)
            assert one.landmark_rank(i) == other.landmark_rank(i)
    assert False in told


@pytest.mark.skipif(core is None, reason="the compiled core was not built here")
def test_places_that_the_core_cannot_tell() -> None:
    tree = flatten(parse("<p class=x>y</p><b>Oaks and beeches</b>"))
    for node, title in ((-1, -1), (len(tree), -1), (0, len(tree))):
        with pytest.raises(IndexError):
            tree.core.aside(node, title, bool)
    for node in (-1, len(tree)):
        with pytest.raises(IndexError):
            tree.core.inside(node)
        with pytest.raises(IndexError):
            tree.core.spoken(min(node, 0), max(node, 0) + 1 + len(tree))
    with pytest.raises(ZeroDivisionError):
        tree.core.aside(tree.tag.index("p"), -1, lambda name: 1 // 0)
    assert tree.core.aside(tree.tag.index("p"), -1, bool) is True


@pytest.mark.parametrize(
    "name", ["card sidebar", "mySideBar", "side-bar", "a review-card_x", "Comments", "nav2 relatedPosts"]
)
def test_names_of_asides(name: str) -> None:
    tree = flatten(parse(f"<p>{'Oaks. ' * 9}</p><div class='{name}'><b>Ann</b></div><div id='{name}'><b>Ben</b></div>"))
    assert [MetadataNodes(tree).is_aside(i) for i, tag in enumerate(tree.tag) if tag == "b"] == [True, True]


@pytest.mark.parametrize("name", ["side_bar", "beside", "moreover", "review card", "commenter", "navy"])
def test_names_that_are_like_those_of_asides(name: str) -> None:
    tree = flatten(parse(f"<p>{'Oaks. ' * 9}</p><div class='{name}'><b>Ann</b></div>"))
    assert not MetadataNodes(tree).is_aside(tree.tag.index("b"))


def test_what_stands_aside_is_told_by_the_outermost_word_of_the_page_and_by_the_title() -> None:
    tree = flatten(
        parse(
            f"<p>{'Oaks. ' * 40}</p><footer><article><b>in a footer</b></article></footer>"
            "<article><footer><b>of an article</b></footer><nav><b>aside</b></nav></article>"
            "<aside><h1>Title</h1><b>by the title</b></aside>"
            f"<div class=sidebar><p>{'Beeches. ' * 60}</p><b>most</b></div>"
        )
    )
    nodes = MetadataNodes(tree)
    bold = [i for i, tag in enumerate(tree.tag) if tag == "b"]
    assert [nodes.is_aside(i) for i in bold] == [True, False, True, True, False]
    nodes.title_at = tree.tag.index("h1")
    assert [nodes.is_aside(i) for i in reversed(bold)] == [False, False, True, False, True]


@pytest.mark.skipif(core is None, reason="the compiled core was not built here")
def test_parts_that_the_core_cannot_take() -> None:
    tree = flatten(parse("<p class=x>"))
    for parts in (["x"], tuple("x" * 33), (1,)):
        with pytest.raises(TypeError):
            tree.core.holding("class", parts)
        with pytest.raises(TypeError):
            tree.core.classes_holding(parts, ("y",))
    with pytest.raises(ValueError, match="empty"):
        tree.core.classes_holding(("x", ""), ("y",))


def test_links_by_their_words() -> None:
    nodes = MetadataNodes(
        flatten(
            parse(
                "<link rel='shortcut CANONICAL' href=/a><link rel=stylesheet href=/b>"
                "<a rel='nofollow tag' href=/c>c</a>"
                "<a rel=staging href=/d>d</a><a href=HTTP://creativecommons.org/licenses/by/4.0/>CC</a>"
                "<a href=https://example.org/?creativecommons.org/licenses/>no</a>"
            )
        )
    )
    assert nodes.links == [("canonical", "/a")]
    assert {word: len(found) for word, found in nodes.rels.items()} == {"tag": 1}
    assert nodes.tree.tag[nodes.rels["tag"][0]] == "a"
    assert [nodes.tree.text_in(i) for i in nodes.commons()] == ["CC"]


def test_names_are_read_up_to_a_limit() -> None:
    assert parted("x" * 900 + "byLine") == "x" * 500
    assert parted("entryMeta HTMLBody by-line") == "entry-meta htmlbody by-line"
    tree = flatten(parse(f"<p class='{'x ' * 300}byline'>Ann</p><p class='pageByline'>Ann</p>"))
    assert [tree.cls[i] for i in MetadataNodes(tree).bylines()] == ["pageByline"]
