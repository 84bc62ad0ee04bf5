"""The HTML parser: what the standard demands and html5lib-tests do not check, and what it does with hostile pages.

See also tests/contracts/test_html5lib.py.
"""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Callable

import pytest
from benchmarks.chromium_trees import random_signs, random_tags
from benchmarks.tree_dump import COMMENT, ELEMENT, INSTRUCTION, dump

from duramen.dom import named_characters
from duramen.flatten import parse_tree
from duramen.native import core
from duramen.tree import Tree

OTHERS = {COMMENT: "<comment>", INSTRUCTION: "<instruction>"}


def outline(html: str, context: str = "") -> str:
    """The tree on one line: ``p(b(x) y)``; attributes are left out."""
    out = ""
    before = 0
    nodes = core.parsed_nodes(html, named_characters(), *([context] if context else []))
    for depth, kind, _, name, data in nodes:
        out += "(" if depth > before else ")" * (before - depth) + " "
        is_doctype = isinstance(data, tuple)
        out += name if kind == ELEMENT else "<doctype>" if is_doctype else OTHERS.get(kind, str(data))
        before = depth
    return (out + ")" * before).strip()


def body(html: str) -> str:
    whole = outline(f"<!doctype html>{html}")
    return whole[whole.index("body") + 5 : -2]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<b><p>x</b>y</p>", "b p(b(x) y)"),
        ("<a>1<a>2", "a(1) a(2)"),
        ("<b><i><p>x</b>y</i>z", "b(i) i p(i(b(x) y) z)"),
        ("<table>a<tr>b<td>c</table>d", "a b table(tbody(tr(td(c)))) d"),
        ("<li>a<li>b<ul><li>c</ul>d", "li(a) li(b ul(li(c)) d)"),
        ("<dl><dt>a<dd>b<dt>c", "dl(dt(a) dd(b) dt(c))"),
        ("<p><table><td>x", "p table(tbody(tr(td(x))))"),
        ("<form><form><table><form></table>", "form(table)"),
        ("<svg><p>x", "svg p(x)"),
        (
            "<svg><foreignObject><p>x</p></foreignObject><title><b>y</b></title></svg>z",
            "svg(foreignObject(p(x)) title(b(y))) z",
        ),
        ("<select><option>a<optgroup><option>b<hr>c", "select(option(a) optgroup(option(b)) hr c)"),
        ("<select><select>x", "select x"),
        ("<p><template><td>x</template><td>y", "p(template(td(x)) y)"),
        ("<ruby>a<rb>b<rtc>c<rt>d", "ruby(a rb(b) rtc(c rt(d)))"),
        ("<object><b></object>x", "object(b) x"),
        ("<b a=1><b a=1><b a=1><b a=1><p>x", "b(b(b(b(p(x)))))"),
        ("<u><div></u><source>", "u div(u source)"),
        ("<table><colgroup><col></col> <col></table>", "table(colgroup(col   col))"),
        ("a</>b", "ab"),
        ("<table>a</> </table>", "a  table"),
        ("<div>x<plaintext>y</div>&amp;</plaintext>", "div(x plaintext(y</div>&amp;</plaintext>))"),
        ("a\0b<svg>\0<title>\0</title></svg>", "ab svg(\ufffd title)"),
        ("<p title='a\0'>\0", "p"),
        ("<table>\0 \0</table>", "table( )"),
        ("<xmp>a\0</xmp>", "xmp(a\ufffd)"),
        ("<svg><![CDATA[a<b\0]]></svg>", "svg(a<b\ufffd)"),
        ("<svg><template><td>x</template></svg>y", "svg(template(td(x))) y"),
        ("<image><keygen>x", "img keygen x"),
        ("<div><u></div></body> x", "div(u)   u(x)"),
    ],
)
def test_bodies(html: str, expected: str) -> None:
    assert body(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", "html(head body)"),
        ("<frameset><frame><noframes>x</noframes></frameset>", "html(head frameset(frame noframes(x)))"),
        ("<p> <frameset>x", "html(head frameset)"),
        ("<p>x<frameset>", "html(head body(p(x)))"),
        ("<p><input type=hidden><frameset>", "html(head frameset)"),
        (
            "<!--a--><html><!--b--></body><!--c--></html><!--d-->",
            "<comment> html(<comment> head body <comment>) <comment>",
        ),
        ("<noscript> <link>x</noscript>y", "html(head(noscript(  link)) body(x y))"),
        ("<head></head><meta><p>x", "html(head(meta) body(p(x)))"),
        ("a<p><table>b", "html(head body(a p(b table)))"),
        ("<?oak leaf?>", "<instruction> html(head body)"),
        (
            '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN"><p><table>',
            "<doctype> html(head body(p(table)))",
        ),
        (
            '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><p><table>',
            "<doctype> html(head body(p table))",
        ),
        ('<!doctype html public "-//oak//"><p><table>', "<doctype> html(head body(p table))"),
    ],
)
def test_documents(html: str, expected: str) -> None:
    assert outline(html) == expected


@pytest.mark.parametrize(
    ("html", "context", "expected"),
    [
        ("a<b>c<td>d", "div", "a b(c d)"),
        ("<td>x<tr>y", "tr", "td(x) y"),
        ("<td>x", "table", "tbody(tr(td(x)))"),
        ("<b>&amp;", "textarea", "<b>&"),
        ("<b>&amp;", "style", "<b>&amp;"),
        ("</plaintext>", "plaintext", "</plaintext>"),
        ("<p>x<path/>", "svg path", "p(x path)"),
        ("<g/><![CDATA[x]]>", "svg g", "g x"),
        ("<p>", "math mi", "p"),
        ("<td>x", "template", "td(x)"),
        ("<form>x", "form", "x"),
        ("<input>x", "select", "x"),
        ("", "html", "head body"),
    ],
)
def test_fragments(html: str, context: str, expected: str) -> None:
    assert outline(html, context) == expected


def test_a_hidden_input_stays_in_its_table() -> None:
    # The library that was asked before missed it between quotes, on pages with characters beyond Latin-1.
    for before in ("", "\u3000"):
        page = f"{before}<table><input type='hid&#100;en'><input type=hidden><input>"
        assert outline(page).endswith("input table(input input)))")


def test_attributes() -> None:
    line = dump("<p A=1 a=2 b='&lt;&quot;\xa0' =c /d &=& e=f/>").split("\n")[3:]
    assert [each.strip("| ") for each in line] == ["<p>", '&="&"', '=c=""', 'a="1"', 'b="<"\xa0"', 'd=""', 'e="f/"']
    many = " ".join(f"a{n % 150}={n}" for n in range(300))
    assert len(str(core.parsed_nodes(f"<a {many}>", named_characters())[3][4]).split()) == 150
    merged = core.parsed_nodes("<html a=1><body b=2><html a=3 c=4><body b=5 d=6>", named_characters())
    assert merged[0][4] == ' a="1" c="4"' and merged[2][4] == ' b="2" d="6"'


def test_only_the_first_doctype_counts() -> None:
    page = "<!doctype html><p><!doctype svg public 'x'>"
    assert dump(page).startswith("| <!DOCTYPE html>\n")
    assert parse_tree(page).core.parsing() == (0, False, ("html", None, None))


def test_what_is_no_character() -> None:
    assert list(parse_tree("<p>a\ud800b\ud83c\udf33").text)[-1] == "a\ufffdb\U0001f333"
    assert list(parse_tree("<pre>a\r\nb\rc").text)[-1] == "a\nb\nc"
    with pytest.raises(TypeError, match="str or Utf8"):
        parse_tree(b"<p>")  # type: ignore[arg-type]


def columns(tree: Tree) -> list[object]:
    each = (tree.parent, tree.end, tree.depth, tree.tag, tree.cls, tree.ident, tree.text, tree.chars, tree.links)
    return [*map(list, each), *map(list, (tree.words, tree.gap, tree.attrs)), tree.body, tree.cut]


def test_a_page_flattened() -> None:
    tree = parse_tree("<body class=' a  b '>x <a href=/o>Oak leaf</a><svg><g id=h>y</g></svg><pre> \n</pre><p>\n</p>é")
    assert list(tree.tag) == ["html", "head", "body", "", "a", "", "svg", "pre", "", "p", ""]
    assert list(tree.parent) == [-1, 0, 0, 2, 2, 4, 2, 2, 7, 2, 2]
    assert list(tree.end) == [11, 2, 11, 4, 6, 6, 7, 9, 9, 10, 11]
    assert list(tree.text)[3:9] == ["x ", "", "Oak leaf", "", "", " \n"] and tree.text[10] == "é"
    assert list(tree.gap) == [False] * 7 + [True] + [False] * 2 + [True]
    assert (tree.chars[-1], tree.links[-1], tree.words[-1]) == (13, 9, 4)
    assert tree.cls[2] == "a b" and tree.attrs[4] == {"href": "/o"} and tree.body == 2 and tree.deepest() == 4 - 1


@pytest.mark.parametrize("nodes", [1, 2, 5, 17])
def test_node_limit(nodes: int) -> None:
    page = "<p>a <b>b</b> c<script>d</script>" * 5
    whole, part = parse_tree(page), parse_tree(page, nodes)
    assert part.cut and len(part) == nodes and list(part.tag) == list(whole.tag)[:nodes]
    assert list(part.end) == [min(end, nodes) for end in list(whole.end)[:nodes]]


@pytest.mark.parametrize("make", [random_tags, random_signs])
def test_any_page(make: Callable[[random.Random], str]) -> None:
    for number in range(1_500):
        html = make(random.Random(number))
        tree = parse_tree(html)
        assert tree.tag[0] == "html" and tree.end[0] == len(tree)
        assert all(tree.parent[i] < i < tree.end[i] <= tree.end[tree.parent[i]] for i in range(1, len(tree)))
        same = core.utf8(html.encode())
        assert same is not None and columns(parse_tree(same)) == columns(tree)


# ---- hostile pages ----


def limits_of(html: str) -> tuple[Tree, list[str]]:
    limits: list[str] = []
    return parse_tree(html, limits=limits), limits


@pytest.mark.parametrize("unit", ["<div>", "<b>", "<b><ul>", "<table><tr><td>", "<a><div>", "<p><template>"])
def test_trees_are_not_deep(unit: str) -> None:
    tree = parse_tree(unit * 3_000 + "x")
    assert 500 < tree.deepest() <= 520
    assert tree.text[-1] == "x"


def test_formatting_that_is_never_closed_is_not_repeated_without_end() -> None:
    fonts = "".join(f"<font size={n}>" for n in range(100))
    tree, limits = limits_of(f"<p>{fonts}" + "<p>oak</p>" * 2_000)
    assert len(tree) < 50_000 and sum(text == "oak" for text in tree.text) == 2_000
    assert [limit for limit in limits if "never closed" in limit] == limits != []
    few, none = limits_of("<p><font size=1><b>" + "<p>oak</p>" * 2_000)
    assert none == [] and few.tag_counts()["font"] == 2_001


def test_attributes_of_the_root_are_not_merged_without_end() -> None:
    tree, limits = limits_of("<p>oak" + "".join(f"<html a{n}={n}><body b{n}={n}>" for n in range(20_000)))
    assert limits and "<html>" in limits[0]
    assert tree.attrs[0]["a0"] == "0" and len(tree.attrs[0]) < 10_000 and tree.text[-1] == "oak"
    assert limits_of("<p>oak" + "<body b=1>" * 20_000)[1] == []


@pytest.mark.parametrize(
    "page",
    [
        "<b a=1 b=2><b b=2 a=1>" * 40_000,
        "<a " + " ".join(f"a{n}" for n in range(200_000)) + ">",
        "".join(f"<i {' '.join(f'a{(n + k) % 60}' for k in range(60))}>" for n in range(4_000)),
        "<table><td><object></table>" * 40_000,
        "<table>" + "</>x\0" * 200_000,
        "<select><option>" * 60_000,
    ],
    ids=["alike", "attributes", "permuted", "markers", "pieces", "options"],
)
def test_hostile_pages_take_no_time(page: str) -> None:
    started = time.thread_time()
    parse_tree(page)
    assert time.thread_time() - started < 1.5


def test_other_threads_run_while_a_page_is_parsed() -> None:
    page = core.utf8(b"<p>Oak is hard.</p>" * 400_000)
    assert page is not None
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=tick)
    interval = sys.getswitchinterval()
    thread.start()
    try:
        # So that the other thread runs only where the lock is given up.
        sys.setswitchinterval(100)
        for _ in range(10):
            before = ticks
            parse_tree(page, 1_000)
            if ticks > before + 5:
                break
        assert ticks > before + 5
    finally:
        sys.setswitchinterval(interval)
        done.set()
        thread.join()
