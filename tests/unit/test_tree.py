"""The flattened page: ranges, running totals, what is not shown, limits, and look-ups."""

from __future__ import annotations

import random

import pytest

from duramen.flatten import parse_tree
from duramen.selectors import SelectorSyntaxError
from duramen.tree import BLOCK_TAGS, Tree, count_words, folded


def tree_of(html: str, max_nodes: int = 1_000_000) -> Tree:
    return parse_tree(html, max_nodes)


def at(tree: Tree, tag: str, nth: int = 0) -> int:
    return [i for i, name in enumerate(tree.tag) if name == tag][nth]


def texts(tree: Tree) -> list[str]:
    return [text for text in tree.text if text]


def random_page(seed: int) -> str:
    """A soup of nested elements, in no sensible order."""
    rng = random.Random(seed)
    out: list[str] = []
    for _ in range(rng.randrange(5, 120)):
        tag = rng.choice("div p a b ul li span table tr td script svg noscript template pre button h2 br".split())
        out.append(rng.choice([f"<{tag}>", f"</{tag}>", f"<{tag} class='x y'>", "word ", "two words", " ", "\n"]))
    return "".join(out)


@pytest.mark.parametrize("seed", range(60))
def test_ranges_parents_and_totals_agree(seed: int) -> None:
    tree = tree_of(random_page(seed))
    n = len(tree)
    lists = (tree.parent, tree.end, tree.depth, tree.attrs, tree.cls, tree.ident, tree.text, tree.gap)
    assert {len(entries) for entries in lists} == {n}
    assert {len(total) for total in (tree.chars, tree.links, tree.words)} == {n + 1}
    assert tree.parent[0] == -1 and tree.end[0] == n and tree.depth[0] == 0
    for i in range(n):
        assert i < tree.end[i] <= n
        assert tree.chars[i] <= tree.chars[i + 1] and tree.links[i] <= tree.links[i + 1]
        assert tree.links_in(i) <= tree.chars_in(i)
        if i:
            above = tree.parent[i]
            assert above < i and tree.end[i] <= tree.end[above]
            assert tree.depth[i] == tree.depth[above] + 1
            assert tree.tag[above], "text has no children"
        assert list(tree.children(i)) == [j for j in range(n) if tree.parent[j] == i]
        assert tree.chars_in(i) == sum(tree.chars[j + 1] - tree.chars[j] for j in range(i, tree.end[i]))
        assert list(tree.ancestors(i)) == [j for j in range(i - 1, -1, -1) if tree.contains(j, i)]


def test_totals_count_folded_characters_words_and_links() -> None:
    tree = tree_of("<body><p>  Oak   and <a href=/>old elm</a>\n</p>")
    p, a = at(tree, "p"), at(tree, "a")
    # Each word counts with the space after it.
    assert tree.chars_in(p) == len("Oak and old elm ") and tree.words_in(p) == 4
    assert tree.links_in(p) == tree.links_in(a) == tree.chars_in(a) == len("old elm ")
    assert tree.link_density(a) == 1.0 and tree.link_density(p) == 8 / 16
    assert tree.link_density(at(tree, "head")) == 0.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("   ", 0),
        ("one", 1),
        ("one  two\nthree", 3),
        ("Größe zählt", 2),
        ("心材是树的中心", 4),
        ("เรือ", 3),
        ("서울은 크다", 2),
        ("a心材", 2),
    ],
)
def test_count_words(text: str, words: int) -> None:
    assert count_words(text) == words


def test_blank_text_is_a_gap_not_a_node() -> None:
    tree = tree_of("<body><p><b>one</b> <i>two</i><u>three</u></p>")
    assert texts(tree) == ["one", "two", "three"]
    assert [tree.gap[at(tree, tag)] for tag in ("b", "i", "u")] == [False, True, False]
    assert tree.text_in(at(tree, "p")) == "one twothree"


def test_blank_text_in_code_is_a_node() -> None:
    tree = tree_of("<body><pre><b>one</b>\n  <i>two</i></pre>")
    assert texts(tree) == ["one", "\n  ", "two"]
    assert tree.words_in(at(tree, "pre")) == 2


def test_template_content_belongs_to_the_template() -> None:
    tree = tree_of("<body><div><template><p>inside</p></template></div><p>after</p>")
    template, inside = at(tree, "template"), at(tree, "p")
    assert tree.parent[inside] == template and tree.contains(template, inside)
    assert tree.text_in(template) == "inside" and not tree.contains(at(tree, "div"), at(tree, "p", 1))


def test_declarative_shadow_root_stays_in_place() -> None:
    tree = tree_of("<body><x-card><template shadowrootmode=open><p>shadow words</p></template></x-card>")
    assert tree.text_in(at(tree, "x-card")) == "shadow words"
    assert tree.attr(at(tree, "template"), "shadowrootmode") == "open"


def test_noscript_is_parsed_as_markup() -> None:
    tree = tree_of("<body><noscript><p>Shown <a href=/x>without</a> scripts</p></noscript>")
    assert tree.parent[at(tree, "p")] == at(tree, "noscript")
    assert tree.words_in(at(tree, "noscript")) == 3 and tree.links_in(at(tree, "noscript")) == len("without ")


def test_svg_is_one_node_and_its_drawing_none() -> None:
    tree = tree_of("<body><p>before <svg class=icon><title>Icon</title><g><text>drawn</text></g></svg> after</p>")
    assert [tag for tag in tree.tag if tag] == ["html", "head", "body", "p", "svg"]
    assert tree.text_in(at(tree, "p")) == "before after"


@pytest.mark.parametrize("tag", ["script", "style", "button", "select", "textarea", "iframe", "canvas"])
def test_silent_text_weighs_nothing_but_is_kept(tag: str) -> None:
    inner = "<option>hidden words" if tag == "select" else "hidden words"
    tree = tree_of(f"<body><p>shown</p><{tag}>{inner}</{tag}>")
    assert tree.words[-1] == 1 and tree.chars[-1] == len("shown ")
    assert "hidden words" in texts(tree)
    assert tree.text_in(0) == "shown"


def test_title_is_not_shown_text() -> None:
    tree = tree_of("<title>Oaks</title><p>Body")
    assert tree.text_in(0) == "Body"


def test_limit_on_nodes_cuts_in_document_order() -> None:
    html = "<body>" + "<p>word</p>" * 50
    whole, cut = tree_of(html), tree_of(html, 20)
    assert not whole.cut and cut.cut
    assert len(cut) == 20 and list(cut.tag) == whole.tag[:20] and cut.end[0] == 20
    assert max(cut.end) == 20
    assert not tree_of(html, len(whole)).cut


def test_empty_input_has_a_body_all_the_same() -> None:
    tree = tree_of("")
    assert list(tree.tag) == ["html", "head", "body"] and tree.body == 2 and tree.text_in(0) == ""


def test_attributes_by_name() -> None:
    tree = tree_of('<body><p ID=one CLASS="a  b\tc" data-x rel="x y" title="&lt;b>">x')
    p = at(tree, "p")
    assert (tree.ident[p], tree.cls[p]) == ("one", "a b c")
    assert tree.attr(p, "class") == "a b c" and tree.attr(p, "data-x") == "" and tree.attr(p, "absent") == ""
    assert tree.attr(p, "title") == "<b>" and "data-x" in tree.attrs[p]


def test_text_in_parts_blocks_but_not_inline_elements() -> None:
    tree = tree_of("<body><div><p>one</p><p>t<b>w</b>o</p>three<br>four</div>")
    assert tree.text_in(at(tree, "div")) == "one two three four"


def test_path_is_short_and_names_the_nearest() -> None:
    tree = tree_of("<body><div id=outer><section class='a b'><ul><li><a href=/>x")
    link = at(tree, "a")
    assert tree.path(link) == "ul > li > a"
    assert tree.path(link + 1) == tree.path(link), "a text's place is its element's"
    assert tree.path(at(tree, "section")) == "body > div#outer > section.a"
    long = tree_of(f"<body><p id={'x' * 500}>x")
    assert len(long.path(at(long, "p"))) < 80


def test_select_in_document_order_with_the_root_itself() -> None:
    tree = tree_of("<body><div class=x><p class=x>one</p></div><p class=x>two</p>")
    div, first, second = at(tree, "div"), at(tree, "p"), at(tree, "p", 1)
    assert tree.select(".x") == [div, first, second]
    assert tree.select(".x", within=div) == [div, first]
    assert tree.select("html") == [0]
    assert tree.select(".none") == [] and tree.select(".x", within=first + 1) == []
    with pytest.raises(SelectorSyntaxError):
        tree.select("p[")


def test_select_leaves_out_nodes_beyond_the_limit() -> None:
    tree = tree_of("<body>" + "<p>word</p>" * 50, 20)
    found = tree.select("p")
    assert found and max(found) < 20


@pytest.mark.parametrize("tag", ["div", "span", "b", "blockquote"])
def test_hundred_thousand_levels(tag: str) -> None:
    """The parser, as browsers do, puts what is deeper than some hundred levels side by side: nothing is lost."""
    tree = tree_of(f"<{tag}>" * 100_000 + "bottom")
    assert not tree.cut and tree.words[-1] == 1 and tree.end[0] == len(tree)
    assert tree.tag.count(tag) == 100_000 and max(tree.depth) >= 500
    assert tree.text_in(0) == "bottom" and len(tree.path(len(tree) - 1)) < 100


def test_block_tags_hold_no_inline_element() -> None:
    assert not BLOCK_TAGS & {"a", "b", "i", "em", "strong", "span", "code", "img", "br", "sub", "sup", "small"}


def test_selectors_work_on_pages_of_any_size() -> None:
    large = parse_tree("<body>" + "<div><p>x</p></div>" * 20_000 + "<div><script src=ad></script></div>")
    assert len(large.select("div:has(> script[src])")) == 1
    assert len(large.select("div:has(> script), div p")) == 20_001


@pytest.mark.parametrize("size", [49_998, 49_999, 50_000, 50_001, 50_002, 120_000])
@pytest.mark.parametrize("unit", ["a b ", "ab", " ", "a\n\n", "\u2003a", "a" * 49_999 + " "])
def test_long_text_is_folded_as_short_text_is(unit: str, size: int) -> None:
    text = (unit * (size // len(unit) + 1))[:size]
    for given in (text, f" {text}", f"x{text}x"):
        assert folded(given) == " ".join(given.split())


QUERIED = """<title>Oak</title><main id=a class="post x"><h2 class=x>One</h2><a href="#one" title=T>Two</a>
<a href="HTTP://x.example/">Three</a><a>Four</a><p id=b class="post x"> </p>
<script>five</script></main><i id=a>Six</i>"""


def test_queries() -> None:
    tree = parse_tree(QUERIED)
    main, h2 = tree.tagged({"main", "none"})[0], tree.tagged({"h2"})[0]
    links = tree.tagged({"a"})
    assert tree.tagged(set()) == [] and len(links) == 3
    assert tree.classed({"post x"}) == [main, *tree.tagged({"p"})] and tree.classed({"x"}) == [h2]
    assert tree.identified("a") == main and tree.identified("c") == tree.identified("") == -1
    assert tree.core.beginning("href", "#", "http:") == links[:2] and tree.core.beginning("none", "#") == []
    for wrong in ((), (3,), ("href", 3)):
        with pytest.raises(TypeError):
            tree.core.beginning(*wrong)
    assert tree.stated("a", ("href", "title")) == [
        (links[0], "#one", "T"),
        (links[1], "HTTP://x.example/", None),
    ]
    assert tree.classes() == ["post x", "x"]
    assert tree.tag_counts()["a"] == 3 and "" not in tree.tag_counts()
    assert [tree.text[i] for i in tree.speaking(main, tree.end[main])] == ["One", "Two", "Three", "Four"]
    assert tree.speaking(main, main) == tree.speaking(len(tree), len(tree)) == []
    for first, stop in ((-1, 1), (0, len(tree) + 1)):
        with pytest.raises(IndexError):
            tree.speaking(first, stop)
    assert tree.text_in(main) == "One Two ThreeFour" and tree.lead(main, 7) == "One Two"
