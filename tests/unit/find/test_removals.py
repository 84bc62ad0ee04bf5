"""Removal rows: each is needed, none takes most of the page, permalinks go only as glyphs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from duramen.find import removals as removal_rows
from duramen.find.removals import Mark, mark_removals, removal_of, selected_nodes
from duramen.flatten import parse_tree
from duramen.model import Removal
from duramen.selectors import SelectorSyntaxError
from duramen.tables import Removals, load, removals
from duramen.tree import Tree

PROSE = "<p>Oak heartwood is hard, dark and durable, and for centuries shipwrights chose it for keels and ribs.</p>" * 4
ROWS: list[dict[str, Any]] = load("removals.toml")["row"]


def read(body: str) -> Tree:
    return parse_tree(f"<!doctype html><html><head></head><body>{body}</body></html>")


def marks(body: str) -> tuple[Mark, ...]:
    return mark_removals(read(body))


def ids(body: str) -> list[str]:
    return [mark.rule_id for mark in marks(body) if not mark.rescued]


def cases() -> Iterator[tuple[str, str]]:
    """A small element for every way in which any row matches."""
    for row in ROWS:
        for tag in row.get("tags", ()):
            yield row["id"], f"<{tag}>x</{tag}>"
        for role in row.get("roles", ()):
            yield row["id"], f"<div role={role}>x</div>"
        for name in row.get("names", ()):
            yield row["id"], f"<div class='{name}'>x</div>"
            yield row["id"], f"<div id='the_{name.replace('-', '_')}'>x</div>"
        for attribute in row.get("attributes", ()):
            yield row["id"], f"<div {attribute}>x</div>"
        for host in row.get("hosts", ()):
            yield row["id"], f"<div><script src='https://cdn.{host}/x.js'></script>x</div>"
        for field in row.get("fields", ()):
            yield row["id"], f"<div>Letters<form><input type={field}></form></div>"
        for size in row.get("sizes", ()):
            width, _, height = size.partition("x")
            yield row["id"], f"<iframe width={width} height={height}></iframe>"
            yield row["id"], f"<div style='width: {width}px; height:{height}px'>x</div>"


CASES = list(cases())


@pytest.mark.parametrize(("row", "element"), CASES, ids=[f"{row}-{n}" for n, (row, _) in enumerate(CASES)])
def test_every_way_of_every_row_finds_its_element(row: str, element: str) -> None:
    assert ids(PROSE + element) == [row], element


@pytest.mark.parametrize("row", [row["id"] for row in ROWS])
def test_without_a_row_its_elements_stay(row: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rest = Removals([raw for raw in ROWS if raw["id"] != row])
    own = [element for of, element in CASES if of == row]
    body = PROSE + "".join(own)
    before = {mark.node for mark in marks(body) if mark.rule_id == row}
    monkeypatch.setattr(removal_rows, "removals", lambda: rest)
    after = {mark.node for mark in marks(body)}
    assert before - after, "some element is found by no other row"


@pytest.mark.parametrize(
    "element",
    [
        "<div class=header>x</div>",
        "<canvas class=canvas></canvas>",
        "<div class='shared market'>x</div>",
        "<div class=read-adapter>x</div>",
        "<div class=w-node-ad34f>x</div>",
        "<div role=main>x</div>",
        "<div>x</div>",
        "<header><h1>x</h1></header>",
        "<div data-adapter=1>x</div>",
        "<iframe width=560 height=315></iframe>",
        "<iframe width=300 height=250 src=https://www.youtube.com/embed/x></iframe>",
        "<div style='width:300px'>x</div>",
        "<div style='max-width:300px;max-height:250px'>x</div>",
        "<div style='width:300px;height:250px'><img src=oak.jpg></div>",
        f"<div style='width:300px;height:250px'>{PROSE[:103]}</div>",
        f"<div>{PROSE[:103]}<script src=https://cdn.taboola.com/x.js></script></div>",
        "<div><img src=oak.jpg><script src=https://cdn.taboola.com/x.js></script></div>",
        "<div>x<script src=https://nottaboola.com/x.js></script></div>",
        "<div>x<script src=https://example.org/?taboola.com></script></div>",
        "<div class=cookery>x</div>",
        "<div class=keynote-adbeam>x</div>",
    ],
)
def test_look_alikes_stay(element: str) -> None:
    assert ids(PROSE + element) == []


@pytest.mark.parametrize("tag", ["main", "article", "h1"])
def test_names_never_remove_what_holds_content(tag: str) -> None:
    assert ids(f"{PROSE}<{tag} class='sidebar newsletter'>x</{tag}>") == []


def test_names_on_html_and_body_mean_nothing() -> None:
    assert mark_removals(parse_tree(f"<html class=cookie><body class='has sidebar modal'>{PROSE}")) == ()


def test_what_holds_most_of_the_text_is_put_back() -> None:
    found = marks(f"<div class=sidebar>{PROSE}<div class=ad>Buy</div></div><p>Short.</p>")
    assert [(mark.rule_id, mark.rescued) for mark in found] == [("sidebar", True), ("advertisement", False)]


def test_exactly_half_may_go() -> None:
    assert ids("<aside><p>one two</p></aside><p>one two</p>") == ["aside-element"]
    assert ids("<aside><p>one two three</p></aside><p>one two</p>") == []


def test_only_the_topmost_node_is_marked() -> None:
    found = marks(f"{PROSE}<nav><div class=ad>x</div><ul class=breadcrumbs><li>y</ul></nav><footer>z</footer>")
    assert [mark.rule_id for mark in found] == ["nav-element", "footer-element"]


@pytest.mark.parametrize(
    ("link", "gone"),
    [
        ("<a class=headerlink href=#x>¶</a>", True),
        ("<a class=hash-link href=#x>#</a>", True),
        ("<a class=hash-link href=#x></a>", True),
        ("<a class=header-anchor href=#x>The heading itself</a>", False),
        ("<a class=anchor-link href=#x>Link</a>", True),
        ("<a class=anchor-link href=#x>Links</a>", False),
    ],
)
def test_permalinks_go_only_as_glyphs(link: str, gone: bool) -> None:
    assert ids(f"{PROSE}<h2>Heading {link}</h2>") == (["permalink"] if gone else [])


def test_roles_in_capitals() -> None:
    assert ids(f"{PROSE}<div role=NAVIGATION>x</div>") == ["nav-element"]


def test_sure_rows_say_so() -> None:
    sure = {row["id"] for row in ROWS if row.get("sure")}
    found = marks(PROSE + "".join(element for _, element in CASES))
    assert {mark.rule_id for mark in found if mark.sure} == sure
    assert all(mark.reason for mark in found)


def test_selected_nodes_leaves_bad_selectors_out() -> None:
    tree = read("<p class=a>x</p><p class=b>y</p>")
    assert len(selected_nodes(tree, (".a", "p[", ".b", ".a"))) == 2
    with pytest.raises(SelectorSyntaxError):
        tree.select("p[")


def test_a_mark_as_a_line_of_the_trace() -> None:
    tree = read(f"{PROSE}<div class=wrap><aside id=more>{'word ' * 40}</aside></div>")
    (mark,) = mark_removals(tree)
    line = removal_of(tree, mark, "prune")
    start = ("word " * 40)[:80]
    place = "body > div.wrap > aside#more"
    assert line == Removal("prune", "aside-element", "complementary content", place, start, False, mark.node)


@pytest.mark.parametrize(
    "element",
    [
        '<div id="onetrust-banner-sdk">x</div>',
        '<div id="CybotCookiebotDialog">x</div>',
        '<div id="didomi-host">x</div>',
        '<div class="qc-cmp2-container">x</div>',
        '<div id="usercentrics-root">x</div>',
        '<div id="sp_message_container_612345">x</div>',
        '<div id="truste-consent-track">x</div>',
        '<div class="osano-cm-window">x</div>',
        '<div class="cky-consent-container">x</div>',
        '<div id="cmplz-cookiebanner-container">x</div>',
        '<div class="klaro">x</div>',
        '<div id="iubenda-cs-banner">x</div>',
        '<div id="BorlabsCookieBox">x</div>',
        '<div class="fc-consent-root">x</div>',
        '<div id="tarteaucitronRoot">x</div>',
        '<div id="axeptio_overlay">x</div>',
        '<div class="cookiebanner">x</div>',
        '<div id="cookieNotice">x</div>',
        '<div class="eu-cookie-compliance-banner">x</div>',
    ],
)
def test_dialogs_of_consent_platforms(element: str) -> None:
    assert ids(PROSE + element) == ["consent"]


def test_a_frame_of_an_advertising_network_goes_with_its_wrapper() -> None:
    found = marks(f"{PROSE}<div><span>Advertisement</span><iframe src=//tpc.googlesyndication.com/x></iframe></div>")
    assert [(mark.rule_id, mark.sure) for mark in found] == [("ad-script", True)]
    inside = f"<div>{PROSE}<iframe src=//tpc.googlesyndication.com/x></iframe></div>"
    tree = read(PROSE + inside)
    assert [tree.tag[mark.node] for mark in mark_removals(tree)] == ["iframe"]


def test_what_filter_lists_hide_is_marked() -> None:
    tree = read(f"{PROSE}<div><p>x</p></div><main><p>y</p></main><nav>z</nav><aside>w</aside>")
    numbers = {tree.tag[i]: i for i in range(len(tree))}
    hidden = {numbers[tag]: f"list: ##{tag}" for tag in ("div", "main", "nav")}
    found = mark_removals(tree, hidden)
    assert [(mark.rule_id, mark.reason) for mark in found] == [
        ("filter-list", "list: ##div"),
        ("filter-list", "list: ##nav"),
        ("aside-element", "complementary content"),
    ]


@pytest.mark.parametrize(
    ("box", "gone"),
    [
        (
            "<div><h3>Letters</h3><p>Each Friday.</p><form><input TYPE=Email><button>Join</button></form></div>",
            ["div"],
        ),
        ("<form><input type=email><textarea></textarea></form><p>Write to us.</p>", []),
        (f"<section>{PROSE}<form><input type=email></form></section>", ["form"]),
        ("<div><p>A letter every Friday.</p><form><input type=text></form></div>", []),
        ("<div>" * 400 + "<input type=email>" + "</div>" * 400, ["div"]),
        ("<div>" + "<input type=email>" * 400 + "</div>", []),
    ],
)
def test_a_small_box_around_a_field_for_an_address(box: str, gone: list[str]) -> None:
    tree = read(PROSE + box)
    found = [mark for mark in mark_removals(tree) if mark.rule_id == "signup"]
    assert [tree.tag[mark.node] for mark in found] == gone
    assert all(mark.firm for mark in found)


def test_what_is_no_node_or_row_is_refused() -> None:
    tree = parse_tree("<body><p>x")
    rows = removals().compiled
    for seen in ({-1: 0}, {len(tree): 0}, {1: -1}, {1: len(removals().rows)}):
        for k in range(4):
            found = [seen if j == k else {} for j in range(4)]
            with pytest.raises((IndexError, ValueError), match="no such"):
                tree.core.removable(rows, frozenset(), (found[0], found[1], found[2], found[3]), 1.0, 4)
    with pytest.raises(TypeError):
        tree.core.removable(rows, frozenset(), ({}, {}, {}, {"x": 0}), 1.0, 4)  # type: ignore[dict-item]


SCRIPT = "<script src='https://cdn.doubleclick.net/x.js'></script>"


@pytest.mark.parametrize("tag", ["div", "section", "center", "span", "p", "li", "figure", "ins"])
def test_the_wrapper_of_a_script_goes(tag: str) -> None:
    assert len(marks(f"{PROSE}<{tag}>{SCRIPT} x</{tag}>")) == 1


@pytest.mark.parametrize("tag", ["table", "main", "article", "blockquote", "h2", "td"])
def test_other_elements_around_a_script_stay(tag: str) -> None:
    assert not marks(f"{PROSE}<{tag}>{SCRIPT} x</{tag}>")


@pytest.mark.parametrize(("words", "gone"), [(15, 1), (16, 0)])
def test_a_wrapper_with_words_of_its_own_stays(words: int, gone: int) -> None:
    assert len(marks(f"{PROSE}<div>{SCRIPT}{'oak ' * words}</div>")) == gone


MEDIA = ("img", "picture", "video", "audio", "table", "svg", "canvas", "form", "object", "embed", "iframe")


@pytest.mark.parametrize("tag", MEDIA)
def test_a_wrapper_with_something_to_see_stays(tag: str) -> None:
    for box in (f"<div>{SCRIPT}", "<div style='width:300px; height:250px'>"):
        body = f"{PROSE}{box}<{tag}></{tag}></div>"
        assert "div" not in [read(body).tag[mark.node] for mark in marks(body)]


@pytest.mark.parametrize("tag", ["iframe", "div", "ins"])
@pytest.mark.parametrize("style", ["width:300px;height:250px", "HEIGHT : 250PX; width: 300px"])
def test_boxes_of_the_size_of_advertisements_go(tag: str, style: str) -> None:
    assert ids(f"{PROSE}<{tag} style='{style.replace('HEIGHT', 'height')}'></{tag}>") == ["ad-frame"]


@pytest.mark.parametrize(
    "box",
    [
        "<p style='width:300px;height:250px'></p>",
        "<div style='width:301px;height:250px'></div>",
        "<div style='max-width:300px;height:250px'></div>",
        f"<div style='width:300px;height:250px'>{'oak ' * 16}</div>",
        "<iframe width=300 height=250 src='https://player.example/1'></iframe>",
        "<iframe width=300 height=250 data-src='https://youtube.example/1'></iframe>",
    ],
)
def test_other_boxes_and_players_stay(box: str) -> None:
    assert not marks(PROSE + box)


FIELD = "<form><input type=email><button>Go</button></form>"


@pytest.mark.parametrize("tag", ["textarea", "select", "table", "h1", "article", "main"])
def test_a_box_that_asks_for_more_is_no_invitation(tag: str) -> None:
    (mark,) = marks(f"{PROSE}<div><p>Letters</p>{FIELD}<{tag}>x</{tag}></div>")
    assert read(f"{PROSE}<div><p>Letters</p>{FIELD}<{tag}>x</{tag}></div>").tag[mark.node] == "form"


@pytest.mark.parametrize(("words", "tag"), [(60, "div"), (61, "form")])
def test_an_invitation_has_few_words(words: int, tag: str) -> None:
    body = f"{PROSE}<div><p>{'oak ' * words}</p>{FIELD}</div>"
    assert read(body).tag[marks(body)[0].node] == tag


@pytest.mark.parametrize(("around", "left"), [(6, 0), (7, 0), (8, 1)])
def test_the_box_is_looked_for_a_few_elements_up(around: int, left: int) -> None:
    body = f"{PROSE}{'<div>' * around}{FIELD}{'</div>' * around}"
    tree, (mark,) = read(body), marks(body)
    assert sum(tree.tag[i] == "div" for i in tree.ancestors(mark.node)) == left


def test_each_field_has_a_box_of_its_own() -> None:
    assert len(marks(f"{PROSE}<div>{FIELD}</div><p>{'oak ' * 70}</p><div>{FIELD}{FIELD}</div>")) == 2
