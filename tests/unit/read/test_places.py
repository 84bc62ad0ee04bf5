"""Where metadata may stand: what is looked for in classes and links, by the compiled core as by Python."""

from __future__ import annotations

import pytest

from duramen.dom import parse
from duramen.flatten import flatten
from duramen.native import core
from duramen.read.places import (
    Places,
    parted,
)

VALUES = (
    "Author", "by-line", "by", "post_DATE", "metaData", "İnfo", "ſtime", "créé", "a&amp;b", "&amp;date", "ti&shy;me",
    "Taxi", "&quot;tag&quot;", "&lt;", "\u00a0", "木", "Dat", "e", "license", "canonical", "TAG", "ag", "t",
    "HTTPS://CreativeCommons.ORG/licenses/by/4.0/", "https://creativecommons.or&#103;/licenses/by/4.0/",
)  # fmt: skip


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
    assert [Places(tree).is_aside(i) for i, tag in enumerate(tree.tag) if tag == "b"] == [True, True]


@pytest.mark.parametrize("name", ["side_bar", "beside", "moreover", "review card", "commenter", "navy"])
def test_names_that_are_like_those_of_asides(name: str) -> None:
    tree = flatten(parse(f"<p>{'Oaks. ' * 9}</p><div class='{name}'><b>Ann</b></div>"))
    assert not Places(tree).is_aside(tree.tag.index("b"))


def test_what_stands_aside_is_told_by_the_outermost_word_of_the_page_and_by_the_title() -> None:
    tree = flatten(
        parse(
            f"<p>{'Oaks. ' * 40}</p><footer><article><b>in a footer</b></article></footer>"
            "<article><footer><b>of an article</b></footer><nav><b>aside</b></nav></article>"
            "<aside><h1>Title</h1><b>by the title</b></aside>"
            f"<div class=sidebar><p>{'Beeches. ' * 60}</p><b>most</b></div>"
        )
    )
    places = Places(tree)
    bold = [i for i, tag in enumerate(tree.tag) if tag == "b"]
    assert [places.is_aside(i) for i in bold] == [True, False, True, True, False]
    places.title_at = tree.tag.index("h1")
    assert [places.is_aside(i) for i in reversed(bold)] == [False, False, True, False, True]


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
    places = Places(
        flatten(
            parse(
                "<link rel='shortcut CANONICAL' href=/a><link rel=stylesheet href=/b>"
                "<a rel='nofollow tag' href=/c>c</a>"
                "<a rel=staging href=/d>d</a><a href=HTTP://creativecommons.org/licenses/by/4.0/>CC</a>"
                "<a href=https://example.org/?creativecommons.org/licenses/>no</a>"
            )
        )
    )
    assert places.links == [("canonical", "/a")]
    assert {word: len(found) for word, found in places.rels.items()} == {"tag": 1}
    assert places.tree.tag[places.rels["tag"][0]] == "a"
    assert [places.tree.text_in(i) for i in places.commons()] == ["CC"]


def test_names_are_read_up_to_a_limit() -> None:
    assert parted("x" * 900 + "byLine") == "x" * 500
    assert parted("entryMeta HTMLBody by-line") == "entry-meta htmlbody by-line"
    tree = flatten(parse(f"<p class='{'x ' * 300}byline'>Ann</p><p class='pageByline'>Ann</p>"))
    assert [tree.cls[i] for i in Places(tree).bylines()] == ["pageByline"]
