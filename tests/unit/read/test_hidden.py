"""Text that readers cannot see is left out on request, and only that."""

from __future__ import annotations

import time

import pytest

from duramen import Options, extract
from duramen.flatten import parse_tree, without
from duramen.read.hidden import take_out_hidden

SEEN = (
    "<p>Heartwood is what remains when the tree has stopped using it, and it lasts for centuries in a dry roof.</p>"
    "<p>Sapwood carries the water, and it is what the beetles come for once the tree has been felled and sawn.</p>"
)
VISIBLE = Options(visible_only=True)


def text(body: str, head: str = "") -> str:
    return extract(f"<title>Wood</title>{head}<body><main>{SEEN}{body}{SEEN}</main></body>", None, VISIBLE).text


@pytest.mark.parametrize(
    "secret",
    [
        '<p style="display:none">SECRET words for the machine alone to read.</p>',
        '<p style="DISPLAY : NONE !important">SECRET words for the machine alone to read.</p>',
        '<div style="visibility: hidden"><p>SECRET words for the machine alone to read.</p></div>',
        "<p hidden>SECRET words for the machine alone to read.</p>",
        '<p style="font-size:0">SECRET words for the machine alone to read.</p>',
        '<p style="font-size: 1px">SECRET words for the machine alone to read.</p>',
        '<p style="opacity:0">SECRET words for the machine alone to read.</p>',
        '<p style="color: transparent">SECRET words for the machine alone to read.</p>',
        '<p style="color:#fff; background-color: white">SECRET words for the machine alone to read.</p>',
        '<p style="position:absolute; left:-9999px">SECRET words for the machine alone to read.</p>',
        '<p style="text-indent:-10000px">SECRET words for the machine alone to read.</p>',
        '<p style="clip-path: inset(50%)">SECRET words for the machine alone to read.</p>',
        '<p style="height:0; overflow:hidden">SECRET words for the machine alone to read.</p>',
        '<p>Words that all may see,<span style="display:none"> SECRET</span> and some more of them.</p>',
        '<div class="off"><p>SECRET words for the machine alone to read.</p></div>',
        '<p id="gone" class="x">SECRET words for the machine alone to read.</p>',
    ],
)
def test_hidden_text_is_left_out(secret: str) -> None:
    found = text(secret, "<style>/* a { } */ .off, #gone { color: red; display: none }</style>")
    assert "SECRET" not in found
    assert "Heartwood is what remains" in found
    assert secret.startswith("<p>Words") is ("Words that all may see, and some more" in found)


@pytest.mark.parametrize(
    "shown",
    [
        '<div role="tabpanel" hidden><p>PANEL that a click shows, with enough words to count as a paragraph.</p></div>',
        '<div hidden="until-found"><p>PANEL that a search shows, with enough words to count as a paragraph.</p></div>',
        '<details><summary>More</summary><p>PANEL that a click shows, with enough words to count.</p></details>',
        '<script src=a.js></script><p style="opacity:0; transform:scale(.9)">PANEL that fades in, with more words.</p>',
        '<p class="wide">PANEL that wide screens show, with enough words to count as a paragraph of its own.</p>',
        '<p class="tab open">PANEL that is open, with enough words to count as a paragraph of its own here.</p>',
        '<p class="off" style="display:block">PANEL that is shown after all, with enough words to be a paragraph.</p>',
        '<p style="color:#000; background:#fff">PANEL in black on white, with enough words to be a paragraph.</p>',
        '<p style="font-size:10px; left:-5px">PANEL in small letters, with enough words to be a paragraph here.</p>',
    ],
)  # fmt: skip
def test_what_can_be_seen_stays(shown: str) -> None:
    sheet = (
        "<style>.off, .tab { display: none } .tab.open { display: block } .wide { display: none }"
        " @media (min-width: 800px) { .wide { display: block } }</style>"
    )
    assert "PANEL" in text(shown, sheet)


def test_page_that_hides_everything_keeps_it_and_tells() -> None:
    result = extract(f'<body style="display:none"><main>{SEEN}</main></body>', None, VISIBLE)
    assert "Heartwood" in result.text
    removal = next(r for r in result.trace.removals if r.step == "hidden")
    assert (removal.rescued, removal.rule_id, removal.place) == (True, "hidden-display", "body")


def test_without_the_option_nothing_changes() -> None:
    body = f'<main>{SEEN}<p style="display:none">Words that nobody sees but which are part of this page.</p></main>'
    assert not [r for r in extract(body).trace.removals if r.step == "hidden"]


def test_invisible_characters_are_told_in_the_trace() -> None:
    hidden = "<p>Some tag\U000e0041\U000e0042 characters and a \u202eturn\u202c of letters.</p>"
    result = extract(f"<main>{SEEN}{hidden}</main>", None, VISIBLE)
    removal = next(r for r in result.trace.removals if r.rule_id == "invisible-characters")
    assert removal.reason.startswith("4 ")


@pytest.mark.parametrize(
    "body",
    [
        "<div style='display:none'>" * 20_000 + "text",
        "<p style='display:none'>a</p><p>b</p>" * 20_000,
        "<style>" + ".a{display:none}" * 20_000 + "</style>" + "<p class=a>x</p>" * 5_000,
        "<style>" + "@media{" * 20_000 + "</style><p>x</p>",
        "<style>" + "/*" * 50_000 + "none</style><p>x</p>",
        "<p style='" + "color:;" * 50_000 + "'>x</p>",
    ],
)
def test_hostile_shapes_take_little_time(body: str) -> None:
    started = time.process_time()
    extract(f"<p>Something to see.</p>{body}", None, VISIBLE)
    visible = time.process_time() - started
    started = time.process_time()
    extract(f"<p>Something to see.</p>{body}")
    assert visible < 3 * (time.process_time() - started) + 2.0


DRAWN = (
    "<!doctype html><body class=a><p id=x>Hello <b class=q>wor</b>ld <svg id=one><g class=k></g></svg></p> "
    "<div>x <p>two</p><svg id=two><path class=z><circle/></path></svg><pre> a <i> </i> b</pre></div><p>end"
)
COLUMNS = "parent end depth tag attrs cls ident text chars links words gap".split()


def test_a_page_without_nothing_is_the_same() -> None:
    tree = parse_tree(DRAWN)
    same = without(tree, [])
    assert [list(getattr(same, name)) for name in COLUMNS] == [list(getattr(tree, name)) for name in COLUMNS]
    assert same.body == tree.body and same.core.parsing() == tree.core.parsing()


@pytest.mark.parametrize(
    ("selector", "text", "found"),
    [
        ("b", "Hello ld x two a b end", {"g": 1, "circle": 1, ".q": 0, "#x": 1}),
        ("div", "Hello world end", {"g": 1, "circle": 0, "pre": 0, "p": 2}),
        ("div, div p", "Hello world end", {"div": 0, "p": 2}),
        ("#one", "Hello world x two a b end", {"g": 0, "circle": 1, ".z": 1}),
        ("i", "Hello world x two a b end", {"i": 0, "pre": 1}),
        ("body", "", {"p": 0, "head": 1}),
    ],
)
def test_a_page_without_some_elements(selector: str, text: str, found: dict[str, int]) -> None:
    tree = parse_tree(DRAWN)
    less = without(tree, tree.select(selector))
    assert less.text_in(0) == text
    assert {name: len(less.select(name)) for name in found} == found
    plain = parse_tree(DRAWN)
    assert [list(getattr(tree, name)) for name in COLUMNS] == [list(getattr(plain, name)) for name in COLUMNS]
    for i in range(1, len(less)):
        assert less.contains(less.parent[i], i) and less.depth[i] == less.depth[less.parent[i]] + 1


def test_what_is_no_element_cannot_be_left_out() -> None:
    tree = parse_tree(DRAWN)
    for node in (0, -1, len(tree)):
        with pytest.raises(IndexError):
            without(tree, [node])
    with pytest.raises(TypeError):
        without(tree, ["b"])  # type: ignore[list-item]


def test_space_inside_hidden_elements_separates_nothing() -> None:
    tree = parse_tree("<p>heart<span hidden> <b>x</b></span>wood <i hidden>x</i> lasts</p>")
    assert take_out_hidden(tree)[0].text_in(0) == "heartwood lasts"


def test_a_heading_for_screen_readers_stays_if_it_says_the_title() -> None:
    hidden = 'style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"'
    title = f"<h1 {hidden}>Wood</h1>"
    other = f"<h2 {hidden}>Orders for the machine</h2><p {hidden}>More orders for it.</p>"
    tree = take_out_hidden(parse_tree(f"<title>Wood</title><main>{title}{other}{SEEN}</main>")).tree
    assert "Wood" in tree.text_in(next(iter(tree.tagged(frozenset({"main"})))))
    assert "rders" not in tree.text_in(0)
