"""Elements and texts that may be edited: what is read, written and moved, and what outlives what."""

from __future__ import annotations

import gc
import random
import re
from typing import Any

import pytest

from duramen.dom import Comment, Element, Node, Text, fragment, named_characters
from duramen.native import core


def tags(nodes: Any) -> list[str]:
    return [node.tag if isinstance(node, Element) else type(node).__name__ for node in nodes]


@pytest.mark.parametrize(
    "html",
    [
        "",
        "Oaks &amp; beeches, 1 &lt; 2 &gt; 0&nbsp;kg \"quoted\" 'so'",
        '<p class="a  b" id="c" hidden="">one <b>two</b><!--three--><br>four</p>five',
        '<a href="/?a=1&amp;b=&quot;2&quot;&nbsp;&lt;&gt;">x</a>',
        "<pre>\n\ntwo lines</pre><textarea>\n\ntwo</textarea><pre>none</pre>",
        "<script>a < b && c</script><style>p > q { }</style><iframe><b></iframe><xmp><i></xmp><noembed>&</noembed>",
        "<noscript><p>parsed</p></noscript><template><td>in a template</td></template>",
        '<svg viewBox="0 0 1 1"><linearGradient id="g"></linearGradient><title>t</title></svg>',
        "<svg><foreignObject><p>x</p></foreignObject></svg><math><mi>x</mi></math>",
        "<x-card><slot></slot></x-card><ruby>a<rt>b</rt></ruby>",
        "<table><tbody><tr><td>1</td></tr></tbody></table><ul><li>a</li></ul><hr><img>",
        "<p>é 心 😀</p>",
    ],
)
def test_what_is_written_parses_back(html: str) -> None:
    root = fragment(html)
    assert root.inner_html == html
    assert root.html == f"<div>{html}</div>" and root.parent is None
    # The same when every attribute and text was read, so that it is written from Python's objects.
    for node in root.descendants:
        assert node.attrs is not None if isinstance(node, Element) else node.data  # type: ignore[attr-defined]
    assert root.inner_html == html


def test_texts_side_by_side_are_one() -> None:
    root = fragment("<table>a<tr>b<td>c</table>")
    assert [node.data for node in root.descendants if isinstance(node, Text)] == ["ab", "c"]
    assert root.inner_html == "ab<table><tbody><tr><td>c</td></tr></tbody></table>"


def test_what_a_node_says_of_itself() -> None:
    root = fragment(
        "<p ID=a CLASS='x  y' title='&lt;1&gt;'>one<b>two</b><!--c--></p>three<svg><linearGradient /></svg>"
    )
    p = root[0]
    assert isinstance(p, Element)
    assert (p.tag, p.namespace, p.attr("class"), p.attr("title"), p.attr("none")) == ("p", "html", "x  y", "<1>", None)
    assert p.attrs == {"id": "a", "class": "x  y", "title": "<1>"} and p.attrs is p.attrs
    assert p.attr("title") == "<1>" and p.attr("none") is None
    assert [e.namespace for e in root.iter_elements(("b", "svg", "linearGradient"))] == ["html", "svg", "svg"]
    assert (repr(p), repr(p[0]), repr(p[2])) == ("Element('p')", "Text('one')", "Comment('c')")
    assert (p.text, root.text, p[2].text, p[0].text) == ("onetwo", "onetwothree", "", "one")
    assert len(root) == 3 and bool(fragment("")) and root[-1].html == "<svg><linearGradient></linearGradient></svg>"
    with pytest.raises(IndexError):
        root[3]


def test_walking() -> None:
    root = fragment("<div><p>a<i>b</i></p> <!--c--></div><p> d\n</p>")
    assert tags(root.descendants) == ["div", "p", "Text", "i", "Text", "Text", "Comment", "p", "Text"]
    assert tags(root.iter_elements()) == ["div", "p", "i", "p"]
    assert tags(root.iter_elements("p")) == ["p", "p"] and tags(root.iter_elements({"i", "x-y", "div"})) == ["div", "i"]
    assert tags(root.iter_elements(include_self=True))[:2] == ["div", "div"] and tags(root.iter_elements(())) == []
    assert list(root.strings) == ["a", "b", " ", " d\n"]
    inner = next(root.iter_elements("i"))
    assert tags(inner.ancestors) == ["p", "div", "div"]
    assert inner.closest("p") is inner.parent and inner.closest(("i", "div")) is inner and inner.closest("ul") is None
    assert inner.previous_sibling is inner.parent[0] and inner.next_sibling is None  # type: ignore[index]
    assert tags(root) == tags(root.children) == ["div", "p"] and root[0].children[1].children == ()
    assert next(fragment("<x-a>1<x-b>2").iter_elements("x-b")).text == "2"


def test_an_unknown_tag_is_found_by_name_wherever_it_comes_from() -> None:
    root = fragment("<x-a></x-a>")
    root.append(Element("x-a"))
    root.append(Element("X-A"))
    assert len(list(root.iter_elements("x-a"))) == 3


def test_making_elements() -> None:
    made = Element("P", {"id": "a", "title": 'x"<', "hidden": None}, [Text("1 < 2"), Element("br")])
    assert made.html == '<p id="a" title="x&quot;&lt;" hidden="">1 &lt; 2<br></p>'
    made.tag = "section"
    made.attrs["id"] = "b"
    del made.attrs["title"]
    assert made.html == '<section id="b" hidden="">1 &lt; 2<br></section>'
    assert Element("script", None, [Text("a<b")]).html == "<script>a<b</script>"
    assert Element("pre", None, [Text("\nx")]).html == "<pre>\n\nx</pre>"
    assert Element("br", None, [Text("lost")]).html == "<br>"


@pytest.mark.parametrize("tag", ["", "a b", "a/b", "a>", "<a", "a=", 'a"', "a'", "a\n", "a\x7f"])
def test_names_that_would_not_be_tags(tag: str) -> None:
    with pytest.raises(ValueError, match="not a tag name"):
        Element(tag)
    element = Element("p")
    with pytest.raises(ValueError, match="not a tag name"):
        element.tag = tag
    assert element.tag == "p"


def test_misuse_is_reported() -> None:
    root = fragment("<p>a</p>")
    loose = Text("x")
    for call in (loose.unwrap, lambda: loose.insert_before(Text("y")), lambda: loose.replace_with(Text("y"))):
        with pytest.raises(ValueError, match="no parent"):
            call()
    for child in (root, root[0]):
        with pytest.raises(ValueError, match="into itself"):
            root[0].append(child)  # type: ignore[attr-defined]
    wrong: list[Any] = ["text", None, 1]
    for child in wrong:
        with pytest.raises(TypeError, match="must be a node"):
            root.append(child)
        with pytest.raises(TypeError):
            root.extend([Text("b"), child])
        with pytest.raises(TypeError):
            Text(child) if child != "text" else Element(5)  # type: ignore[arg-type]
    assert root.inner_html == "<p>a</p>", "nothing moved"
    for kind in (Node, Comment):
        with pytest.raises(TypeError):
            kind()
    bad = Element("p", {"id": 5})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="must be a str"):
        bad.html  # noqa: B018


def test_moving() -> None:
    root = fragment("<a>1</a><b>2</b><i>3</i>")
    a, b, i = root.children
    b.replace_with(i, a)
    assert root.inner_html == "<i>3</i><a>1</a>" and b.parent is None and b.html == "<b>2</b>"
    i.insert_before(b)
    i.insert_before(i)
    assert root.inner_html == "<b>2</b><i>3</i><a>1</a>"
    b.insert_after(a, i)
    assert root.inner_html == "<b>2</b><a>1</a><i>3</i>"
    a.replace_with(a, b)
    assert root.inner_html == "<a>1</a><b>2</b><i>3</i>"
    assert b.extract() is b and b.extract() is b and root.inner_html == "<a>1</a><i>3</i>"
    assert isinstance(a, Element) and isinstance(i, Element)
    i.extend([*a.children, b])
    assert root.inner_html == "<a></a><i>31<b>2</b></i>"
    assert i.unwrap() is i and len(i) == 0 and root.inner_html == "<a></a>31<b>2</b>"
    root[0].insert_before(i)
    root[-1].insert_before(Text("x"))
    root.append(Text("y"))
    assert root.inner_html == "<i></i><a></a>31x<b>2</b>y"
    for each, text in ((i, "<"), (a, "&")):
        each.clear()
        each.append(Text(text))
    assert root.inner_html == "<i>&lt;</i><a>&amp;</a>31x<b>2</b>y"
    root.clear()
    assert root.inner_html == "" and a.parent is None and a.html == "<a>&amp;</a>"


def test_editing_while_walking() -> None:
    root = fragment("<a><u>1</u></a><b>2</b><i>3</i>")
    assert tags(e.unwrap() for e in root.iter_elements()) == ["a", "u", "b", "i"] and root.inner_html == "123"
    root = fragment("<p>1</p><p>2</p><p>3</p>")
    for child in root.children:
        child.extract()
    assert root.inner_html == ""
    root = fragment("<p><b>1</b></p><p>2</p>")
    seen = []
    for element in root.iter_elements():
        seen.append(element.tag)
        element.extract()
    assert seen == ["p", "b"], "what is next leaves with the element that was taken out, and the walk ends there"


def test_a_child_outlives_its_parent() -> None:
    walk = fragment("<p>a<b>c</b></p>").iter_elements("b")
    b = next(walk)
    assert b.parent is not None and b.parent.html == "<p>a<b>c</b></p>", "the walk holds the tree"
    del walk
    assert b.parent is None and b.previous_sibling is None and b.html == "<b>c</b>"
    children = fragment("<p class=x>a</p><p>b</p>").children
    assert [child.parent for child in children] == [None, None] and children[0].next_sibling is None
    assert children[0].html == '<p class="x">a</p>'


@pytest.mark.parametrize("made_by", ["the parser", "hand"])
def test_deep_trees_are_freed_and_written_without_recursion(made_by: str) -> None:
    root = Element("div")
    if made_by == "hand":
        inner = root
        for _ in range(200_000):
            child = Element("b")
            inner.append(child)
            inner = child
        inner.append(Text("x"))
        assert root.html.count("<b>") == 200_000 and sum(1 for _ in inner.ancestors) == 200_000
    else:
        root = fragment("<b>" * 100_000 + "x")
    assert root.text == "x" and sum(1 for _ in root.descendants) > 100_000
    last = next(iter(reversed(list(root.descendants))))
    del root
    assert last.text == "x"


def test_half_of_a_surrogate_pair_is_kept() -> None:
    text = Text("a\ud800b")
    assert text.html == "a\ud800b" and Element("p", {"title": "\udfff"}).html == '<p title="\udfff"></p>'
    assert fragment("a\ud800b").text == "a\ufffdb", "the parser reads characters only"


class Model:
    """A node as lists of children: what the compiled one must agree with after every edit."""

    def __init__(self, tag: str = "", text: str = "") -> None:
        self.tag, self.text = tag, text
        self.parent: Model | None = None
        self.children: list[Model] = []

    def html(self) -> str:
        return f"<{self.tag}>{''.join(c.html() for c in self.children)}</{self.tag}>" if self.tag else self.text

    def take_out(self) -> None:
        if self.parent is not None:
            self.parent.children.remove(self)
            self.parent = None

    def put(self, above: Model, at: int) -> None:
        above.children.insert(at, self)
        self.parent = above

    def holds(self, other: Model | None) -> bool:
        while other is not None:
            if other is self:
                return True
            other = other.parent
        return False


def edit(rng: random.Random, pairs: list[tuple[Any, Model]]) -> None:
    (one, model), (other, twin) = rng.choice(pairs), rng.choice(pairs)
    above = model.parent
    match rng.randrange(8):
        case 0:
            one.extract()
            model.take_out()
        case 1 if above is not None:
            one.unwrap()
            at = above.children.index(model)
            model.take_out()
            for k, child in enumerate(list(model.children)):
                child.take_out()
                child.put(above, at + k)
        case 2 if model.tag and not twin.holds(model):
            one.append(other)
            twin.take_out()
            twin.put(model, len(model.children))
        case 3 if above is not None and model is not twin and not twin.holds(above):
            one.insert_before(other)
            twin.take_out()
            twin.put(above, above.children.index(model))
        case 4 if above is not None and model is not twin and not twin.holds(above):
            one.insert_after(other)
            twin.take_out()
            twin.put(above, above.children.index(model) + 1)
        case 5 if above is not None and model is not twin and not twin.holds(above):
            one.replace_with(other)
            twin.take_out()
            at = above.children.index(model)
            model.take_out()
            twin.put(above, at)
        case 6 if model.tag:
            one.clear()
            for child in list(model.children):
                child.take_out()
        case 7 if model.tag:
            model.tag = rng.choice(("b", "i", "x-y"))
            one.tag = model.tag


@pytest.mark.parametrize("seed", range(20))
def test_any_edits_give_what_they_would_in_lists(seed: int) -> None:
    rng = random.Random(seed)
    pairs: list[tuple[Any, Model]] = []
    for k in range(12):
        tag = rng.choice(("b", "p", "x-y", ""))
        pairs.append((Element(tag), Model(tag)) if tag else (Text(str(k)), Model(text=str(k))))
    for _ in range(150):
        edit(rng, pairs)
        for node, model in pairs:
            above = next((n for n, m in pairs if m is model.parent), None)
            assert node.html == model.html() and node.parent is above and len(node) == len(model.children)
        if rng.random() < 0.02:
            pairs.remove(rng.choice([p for p in pairs if p[1].parent is None and not p[1].children] or [pairs[0]]))
            # What is gone from the list, but is in a tree, stays there.
            known = {id(m) for _, m in pairs}
            if any(id(m.parent) not in known for _, m in pairs if m.parent) or any(
                id(c) not in known for _, m in pairs for c in m.children
            ):
                break
            tag = rng.choice(("b", "x-y"))
            pairs.append((Element(tag), Model(tag)))
    del pairs
    gc.collect()


@pytest.mark.parametrize("name", ["=", "a=", 'a"b', "a b", 'x=y"z', "", 'a="b', '"'])
def test_attributes_with_names_that_no_parser_reads_are_passed_over(name: str) -> None:
    root = Element("div", None, [Element("p", {name: "x", "id": "y"}, [Text("Oak")])])
    names, values, _ = core.flat_content(root, named_characters(), ("pre",), b"")
    assert names == ["p", "", "/p"] and values[1] == "Oak"
    assert core.plain_text(root, core.Lookup({}), named_characters()) == "Oak"


# The core reads eight bytes at a time where a text is plain: what is not plain may be at any place of them.


@pytest.mark.parametrize(
    "odd", ["  ", "   ", "\n", " \t ", "\xa0", "\u200b", " \u200b ", "\xad", "é", "\u2003 ", "\x1c"]
)
@pytest.mark.parametrize("before", range(18))
def test_white_space_is_folded_at_any_place(odd: str, before: int) -> None:
    for plain in ("Oaks and elms grow here", " a b c d e f g h i j k "):
        text = plain[:before] + odd + plain[before:]
        root = Element("p", None, [Text(text)])
        seen = re.sub(r"\s+", " ", re.sub("[\u200b\xad]", "", text))
        assert core.flat_content(root, named_characters(), ("pre",), b"")[1] == [seen]


@pytest.mark.parametrize(
    "odd", ["\x00", "\x07", "\x0b", "\x1f", "\x7f", "\x85", "\u202e", "\U000e0041", "é", "\t", "~"]
)
@pytest.mark.parametrize("before", range(18))
def test_hidden_characters_are_found_at_any_place(odd: str, before: int) -> None:
    plain = "Oaks and elms grow here"
    kept = " " if odd in "\x0b\x1f\x85" else odd if odd in "é\t~" else ""
    seen, removed = core.visible(plain[:before] + odd + plain[before:])
    assert seen == plain[:before] + kept + plain[before:]
    assert removed == (not kept)


def test_the_next_element_is_one_whose_children_are_not_as_its_tag_asks() -> None:
    text, block, never = 1, 8, 32
    rules = {"p": (block, text, block), "div": (block, never, 0), "hr": (block, 0, 0)}
    tags = core.Lookup({tag: float(kind | has << 6 | lacks << 12) for tag, (kind, has, lacks) in rules.items()})
    root = fragment("<p>text</p><p> </p><div>text<p>text<b></b></p></div><hr><x-y>text</x-y>")
    elements = list(root.iter_elements())
    found: list[tuple[str, int]] = []
    at, kinds = core.next_unsettled(elements, len(elements), tags)
    while at >= 0:
        found.append((elements[at].tag, kinds))
        at, kinds = core.next_unsettled(elements, at, tags)
    assert found == [("x-y", text), ("b", 0), ("div", text | block), ("p", 0)]
    with pytest.raises(TypeError):
        core.next_unsettled([Text("text")], 1, tags)  # type: ignore[list-item]


def test_a_survey_reads_attributes_from_the_page_and_from_python() -> None:
    root = fragment('<p class="x" role="a">1</p><p role="b" class="y">2</p><!-- 3 --><b class="x y">4</b><i>5</i>')
    first, second, third, fourth = root.iter_elements()
    assert second.attrs and third.attrs
    fourth.attrs["role"] = "c"
    tags, named, found = core.survey(root, core.Lookup({"x": 1.0, "y": 2.0}), ("role", "title"))
    assert tags == {"p", "b", "i"}
    assert named == [(first, 1), (second, 2), (third, 3)]
    assert found == ([first, second, fourth], [])
    assert "3" not in root.html
