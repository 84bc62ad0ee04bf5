"""Which elements may hold metadata, and whether they are the page's own."""

from __future__ import annotations

import pytest

from duramen.flatten import parse_tree
from duramen.read.metadata_nodes import MetadataNodes
from duramen.read.metadata_rows import metadata_rows, separated


@pytest.mark.parametrize(
    "name", ["card sidebar", "mySideBar", "side-bar", "a review-card_x", "Comments", "nav2 relatedPosts"]
)
def test_names_of_asides(name: str) -> None:
    tree = parse_tree(f"<p>{'Oaks. ' * 9}</p><div class='{name}'><b>Ann</b></div><div id='{name}'><b>Ben</b></div>")
    assert [MetadataNodes(tree).is_aside(i) for i, tag in enumerate(tree.tag) if tag == "b"] == [True, True]


@pytest.mark.parametrize("name", ["side_bar", "beside", "moreover", "review card", "commenter", "navy"])
def test_names_that_are_like_those_of_asides(name: str) -> None:
    tree = parse_tree(f"<p>{'Oaks. ' * 9}</p><div class='{name}'><b>Ann</b></div>")
    assert not MetadataNodes(tree).is_aside(tree.tag.index("b"))


def test_what_is_aside_depends_on_the_outermost_name_and_on_the_title() -> None:
    tree = parse_tree(
        f"<p>{'Oaks. ' * 40}</p><footer><article><b>in a footer</b></article></footer>"
        "<article><footer><b>of an article</b></footer><nav><b>aside</b></nav></article>"
        "<aside><h1>Title</h1><b>by the title</b></aside>"
        f"<div class=sidebar><p>{'Beeches. ' * 60}</p><b>most</b></div>"
    )
    nodes = MetadataNodes(tree)
    bold = [i for i, tag in enumerate(tree.tag) if tag == "b"]
    assert [nodes.is_aside(i) for i in bold] == [True, False, True, True, False]
    nodes.title_at = tree.tag.index("h1")
    assert [nodes.is_aside(i) for i in reversed(bold)] == [False, False, True, False, True]


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("byline", (True, True, False)),
        ("Post-Author", (True, False, False)),
        ("by-line", (True, False, False)),
        ("entryByLine", (True, False, False)),
        ("postedBy", (True, True, False)),
        ("by_line", (False, False, False)),
        ("by line", (False, False, False)),
        ("authored", (False, False, False)),
        ("author-bio", (False, False, False)),
        ("author-biology", (True, False, False)),
        ("author-photo", (False, False, False)),
        ("post_DATE", (False, True, False)),
        ("update", (False, False, False)),
        ("entry--meta", (False, True, False)),
        ("publié", (False, True, False)),
        ("a&amp;b date", (False, True, False)),
        ("relatedAuthor", (False, False, True)),
        ("x" * 495 + "-date", (False, True, False)),
        ("x" * 496 + "-date", (False, False, False)),
        ("é" * 495 + "-date", (False, True, False)),
    ],
)
def test_what_a_class_names(name: str, kinds: tuple[bool, bool, bool]) -> None:
    tree = parse_tree(f"<p>{'Oaks. ' * 9}</p><b class='{name}'>Ann</b>")
    nodes, at = MetadataNodes(tree), tree.tag.index("b")
    assert (at in nodes.bylines(), at in nodes.dated(), nodes.is_aside(at)) == kinds


def test_queries_of_the_core_refuse_what_they_cannot_read() -> None:
    tree = parse_tree("<p class=x>")
    words = metadata_rows().class_words
    for attribute, kinds in (("style", 3), ("class", -1), ("id", 40)):
        with pytest.raises(ValueError, match="class or id"):
            tree.core.with_words(attribute, words, kinds)
    with pytest.raises(TypeError):
        tree.core.with_words("class", {"date": 1}, 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        tree.core.texts_holding(b"x")  # type: ignore[arg-type]
    assert tree.core.with_words("class", words, 0) == ()


def test_texts_that_hold_a_part() -> None:
    tree = parse_tree("<p>Oaks &amp; beeches</p><b title='Oaks'>oaks</b><script>Oaks</script><i>Eichen, Öl</i>")
    assert [tree.text[i] for i in tree.core.texts_holding("Oaks")] == ["Oaks & beeches"], "a script is not shown"
    assert [tree.text[i] for i in tree.core.texts_holding("s & b")] == ["Oaks & beeches"]
    assert [tree.text[i] for i in tree.core.texts_holding("Öl")] == ["Eichen, Öl"]
    assert [tree.text[i] for i in tree.core.texts_holding("Öl", "none", "Oak")] == ["Oaks & beeches", "Eichen, Öl"]
    assert tree.core.texts_holding("Oakss", "Öl, ", "") == tree.core.texts_holding() == []
    with pytest.raises(ValueError, match="too many"):
        tree.core.texts_holding(*"x" * 65)


def test_texts_that_begin_with_a_part() -> None:
    tree = parse_tree("<p>Oaks and elms</p><p>\n\u2003Oaks</p><b> </b><i>Old Oaks</i><u>Öl</u><script>Oaks</script>")
    assert [tree.text[i].strip() for i in tree.core.texts_beginning("Oaks", "Öl")] == ["Oaks and elms", "Oaks", "Öl"]
    assert tree.core.texts_beginning("Oaks and elms grow", "") == tree.core.texts_beginning() == []


def test_ranks_of_landmarks() -> None:
    tree = parse_tree(
        "<b>0</b><main><b>1</b><article><b>2</b></article></main><div id=content><b>1</b></div>"
        "<section id=primary><b>1</b><main><b>1</b></main></section><div id=contents><b>0</b></div>"
        "<div id=main-content><b>1</b></div>"
    )
    nodes = MetadataNodes(tree)
    bold = [i for i, tag in enumerate(tree.tag) if tag == "b"]
    assert [str(nodes.landmark_rank(i)) for i in bold] == [tree.text_in(i) for i in bold]
    assert nodes.landmark_rank(tree.tag.index("article")) == 2


def test_links_by_their_words() -> None:
    nodes = MetadataNodes(
        parse_tree(
            "<link rel='shortcut CANONICAL' href=/a><link rel=stylesheet href=/b>"
            "<a rel='nofollow tag' href=/c>c</a>"
            "<a rel=staging href=/d>d</a><a href=HTTP://creativecommons.org/licenses/by/4.0/>CC</a>"
            "<a href=https://example.org/?creativecommons.org/licenses/>no</a>"
        )
    )
    assert nodes.links == [("canonical", "/a")]
    assert {word: len(found) for word, found in nodes.rels.items()} == {"tag": 1}
    assert nodes.tree.tag[nodes.rels["tag"][0]] == "a"
    assert [nodes.tree.text_in(i) for i in nodes.licences()] == ["CC"]


def test_names_are_read_up_to_a_limit() -> None:
    assert separated("x" * 900 + "byLine") == "x" * 500
    assert separated("entryMeta HTMLBody by-line") == "entry-meta htmlbody by-line"
    tree = parse_tree(f"<p class='{'x ' * 300}byline'>Ann</p><p class='pageByline'>Ann</p>")
    assert [tree.cls[i] for i in MetadataNodes(tree).bylines()] == ["pageByline"]
