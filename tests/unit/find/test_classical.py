"""The four classical algorithms: each finds the article, each in its own way."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable

import pytest

from duramen.find.classical import STRATEGIES, boilerpipe, mce
from duramen.find.classical.boilerpipe import content_blocks, dense_blocks, text_densities
from duramen.find.classical.containers import containers, readability_scores
from duramen.find.classical.measures import commas
from duramen.find.classical.readability import readability
from duramen.find.classical.stopwords import stopwords
from duramen.find.lineage import hidden_nodes
from duramen.function_words import function_share
from duramen.options import Options
from duramen.page import Page
from duramen.read.reader import read_page

Strategy = Callable[[Page], list[bool]]

SENTENCE = {
    "en": "The heartwood of an oak, which is the centre of the tree, is harder than the wood that grows around it. ",
    "de": "Das Kernholz der Eiche, das in der Mitte des Stammes liegt, ist härter als das Holz, das um es wächst. ",
    "ru": "Ядро дуба, которое находится в центре ствола, твёрже, чем та древесина, что растёт вокруг него. ",
    "ar": "خشب القلب في شجرة البلوط، وهو الجزء الذي في مركز الساق، أكثر صلابة من الخشب الذي ينمو حوله. ",
    "zh": "橡树的心材是在树干中心的部分，它的颜色比外面的边材深，而且质地也更坚硬，所以可以用很多年。",
    "ja": "オークの心材は木の中心にある部分で、外側の辺材よりも色が濃く、とても硬いので、長い間使うことができます。",
    "ko": "참나무의 심재는 나무의 중심에 있는 부분으로, 바깥의 변재보다 색이 진하고 단단하며 오래 쓸 수 있다. ",
    "th": "แก่นไม้ของต้นโอ๊กเป็นส่วนที่อยู่ตรงกลางของลำต้น และมีสีเข้มกว่ากระพี้ที่อยู่โดยรอบ ซึ่งทำให้ใช้งานได้นาน ",
}
MENU = "<ul class=menu>" + "".join(f"<li><a href=/{n}>Item {n}</a></li>" for n in range(12)) + "</ul>"
TEASERS = "<div class=sidebar>" + "<div><a href=/t>Another story to read</a></div>" * 8 + "</div>"


def read(body: str, head: str = "") -> Page:
    return read_page(f"<html><head>{head}</head><body>{body}</body></html>", "https://example.org/", Options())


def article(language: str, tag: str = "p") -> str:
    paragraphs = "".join(f"<{tag}>{SENTENCE[language] * 3}</{tag}>" for _ in range(6))
    return (
        f"<div id=header>{MENU}</div><div class=post>{paragraphs}</div>{TEASERS}<div class=footer>© 2024 Oaks Ltd</div>"
    )


def paragraphs(count: int) -> str:
    return f"<p>{SENTENCE['en'] * 3}</p>" * count


def kept_text(strategy: Strategy, page: Page) -> list[str]:
    return [text for text, keep in zip(page.blocks.text, strategy(page), strict=True) if keep]


@pytest.mark.parametrize("language", SENTENCE)
@pytest.mark.parametrize("name", STRATEGIES)
def test_finds_the_article(name: str, language: str) -> None:
    kept = kept_text(STRATEGIES[name], read(article(language)))
    assert kept == [(SENTENCE[language] * 3).strip()] * 6


@pytest.mark.parametrize("name", STRATEGIES)
def test_finds_paragraphs_made_of_div(name: str) -> None:
    kept = kept_text(STRATEGIES[name], read(article("en", "div")))
    assert kept == [(SENTENCE["en"] * 3).strip()] * 6


@pytest.mark.parametrize("name", sorted(set(STRATEGIES) - {"mce"}))
def test_finds_paragraphs_parted_by_line_breaks(name: str) -> None:
    text = "<br><br>".join([SENTENCE["en"] * 3] * 6)
    kept = " ".join(
        kept_text(STRATEGIES[name], read(f"<div>{MENU}</div><div class=post><h2>Oaks</h2>{text}</div>{TEASERS}"))
    )
    assert kept.count("heartwood") == 18
    assert "Another story" not in kept


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize(
    "html", ["", " ", "<p>", "plain", "<div><div><div>", "<table><tr><td>x", "<ul><li><a href=/>x</a>"]
)
def test_says_something_of_every_block(name: str, html: str) -> None:
    page = read_page(html, None, Options())
    assert len(STRATEGIES[name](page)) == len(page.blocks)


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 20_000 + "deep, deep text",
        "<div class=comment><p>a, b</p>" * 5_000,
        "<p>One sentence, and another one that follows it.</p>" * 5_000,
        "<ul><li>x<table><tr><td>y, z</td></tr></table>" * 3_000,
    ],
    ids=["deep", "nested", "wide", "mixed"],
)
def test_hostile_pages_take_no_longer_than_their_size(name: str, html: str) -> None:
    page = read_page(html, None, Options())
    start = time.process_time()
    STRATEGIES[name](page)
    assert time.process_time() - start < 3


class TestReadability:
    def test_takes_the_parts_of_a_divided_article(self) -> None:
        part = f"<div class=part><p>{SENTENCE['en'] * 3}</p><p>{SENTENCE['en'] * 3}</p></div>"
        assert len(kept_text(readability, read(f"{MENU}<div id=story>{part * 4}</div>"))) == 8

    @pytest.mark.parametrize(
        ("beside", "joins"),
        [
            (f"<p>{SENTENCE['en']}</p>", True),
            ("<p>A short sentence without a link.</p>", True),
            ("<p>no sentence</p>", False),
            ("<p><a href=/x>A short sentence that is a link.</a></p>", False),
            (f"<p><a href=/x>{SENTENCE['en']}</a></p>", False),
        ],
    )
    def test_siblings(self, beside: str, joins: bool) -> None:
        kept = kept_text(readability, read(f"<div>{beside}<div class=post>{paragraphs(6)}</div></div>"))
        assert len(kept) == 6 + joins

    @pytest.mark.parametrize(
        ("inside", "stays"),
        [
            ("<div class=promo>Buy it now, it is cheap</div>", False),
            ("<div class=promotion-of-health>It is about health</div>", True),
            ("<div><a href=/1>More about oaks</a> <a href=/2>and elms</a></div>", False),
            ("<aside>Beside the point</aside>", False),
            ("<ul><li>acorns</li><li>leaves</li></ul>", True),
            ("<form><input><input><p>Your address</p></form>", False),
            ("<table><tr><th>Age</th></tr><tr><td><a href=/1>300 years</a></td></tr></table>", True),
            ("<table><tr><td><a href=/1>a link for layout</a></td></tr></table>", False),
            ("<div><img><img><img><span>three pictures</span></div>", False),
            ("<div class=share-buttons>Tell your friends</div>", False),
            ("<h2 class=widget-title>Read on</h2>", False),
            ("<div hidden>Not to be seen at all</div>", False),
            # A part that is named as content may have more links than one that is not, and a list may, too.
            (f"<div>Read <a href=/1>{'of elms ' * 6}</a>{'and of oaks ' * 6}</div>", False),
            (f"<div class=entry>Read <a href=/1>{'of elms ' * 6}</a>{'and of oaks ' * 6}</div>", True),
            (f"<div class=entry>Read <a href=/1>{'of elms ' * 12}</a>{'and of oaks ' * 3}</div>", False),
            (f"<ul><li>Read <a href=/1>{'of elms ' * 6}</a>{'and of oaks ' * 6}</li></ul>", True),
            (f"<ul><li>Read <a href=/1>{'of elms ' * 12}</a>{'and of oaks ' * 3}</li></ul>", False),
            # Many commas are prose whatever else there is, and so is what a cell or a figure holds.
            ("<div class=plain>" + "<a href=/1>an oak</a>, " * 10 + "</div>", True),
            ("<div class=plain>" + "<a href=/1>an oak</a>, " * 9 + "</div>", False),
            ("<figure><div><a href=/1>An oak in autumn</a></div></figure>", True),
            ("<div><iframe src=/1></iframe><p>A film of a tree</p></div>", False),
            (f"<div><iframe src=/1></iframe><p>{'A film of a tree ' * 6}</p></div>", True),
            (f"<div><iframe src=/1></iframe><iframe src=/2></iframe><p>{'A film of a tree ' * 6}</p></div>", False),
            (f"<div><input>{'<p>A field among paragraphs</p>' * 3}</div>", True),
            (f"<div><input><input>{'<p>A field among paragraphs</p>' * 3}</div>", False),
            (f"<div><img><img>{'<p>A picture for each of these</p>'}</div>", True),
            (f"<div><img><img><img>{'<p>A picture for each of these</p>'}</div>", False),
            # A table of ten rows is data, a smaller one without headings is layout, and so is one around another.
            ("<table>" + "<tr><td><a href=/1>300 years</a></td></tr>" * 10 + "</table>", True),
            ("<table>" + "<tr><td><a href=/1>300 years</a></td></tr>" * 9 + "</table>", False),
            (
                "<table><tr><th>Age</th></tr><tr><td><a href=/1>300 y</a><table><tr><td></td></tr></table></td></tr>"
                "</table>",
                False,
            ),
        ],
    )
    def test_cleaning(self, inside: str, stays: bool) -> None:
        page = read(f"<div class=post>{paragraphs(4)}{inside}{paragraphs(4)}</div>")
        assert (len(kept_text(readability, page)) > 8) is stays

    @pytest.mark.parametrize(("name", "stays"), [("h1", False), ("h2", False), ("h3", True)])
    def test_the_title_is_not_said_again(self, name: str, stays: bool) -> None:
        inside = f"<{name}>Old Oaks!</{name}>"
        page = read(f"<div class=post>{paragraphs(4)}{inside}{paragraphs(4)}</div>", "<title>Old oaks</title>")
        assert ("Old Oaks!" in kept_text(readability, page)) is stays
        other = read(f"<div class=post>{paragraphs(4)}{inside}{paragraphs(4)}</div>", "<title>Young oaks</title>")
        assert "Old Oaks!" in kept_text(readability, other)

    @pytest.mark.parametrize(("name", "count"), [("part", 13), ("other", 12)])
    def test_a_sibling_of_the_same_class_needs_less(self, name: str, count: int) -> None:
        beside = f"<div class={name}>{paragraphs(1)}</div>"
        page = read(f"<div><div class=part>{paragraphs(12)}</div>{beside}</div>")
        assert len(kept_text(readability, page)) == count

    def test_unlikely_names_are_forgiven_when_nothing_else_is_there(self) -> None:
        assert len(kept_text(readability, read(f"<div class=sidebar>{paragraphs(4)}</div>"))) == 4

    def test_names_match_whole(self) -> None:
        page = read(f"<div class=commentary>{paragraphs(6)}</div><div class=comments>{paragraphs(12)}</div>")
        assert readability(page) == [True] * 6 + [False] * 12


class TestStopwords:
    def test_prefers_function_words_to_mere_length(self) -> None:
        names = "<p>" + "Quercus robur, Quercus petraea, Fagus sylvatica, Acer campestre, " * 12 + "</p>"
        page = read(f"<div>{names * 3}</div><div>{paragraphs(3)}</div>", "<title>Oaks</title>")
        assert stopwords(page) == [False] * 3 + [True] * 3

    def test_paragraphs_of_links_do_not_count(self) -> None:
        links = f"<p><a href=/1>{SENTENCE['en']}</a> <a href=/2>{SENTENCE['en']}</a></p>" * 9
        page = read(f"<div>{links}</div><div>{paragraphs(3)}</div>")
        assert stopwords(page) == [False] * 9 + [True] * 3

    def test_the_end_of_the_page_counts_less(self) -> None:
        page = read(f"<div>{paragraphs(9)}</div><div>{paragraphs(9)}</div>")
        assert stopwords(page) == [True] * 9 + [False] * 9

    @pytest.mark.parametrize(
        ("inside", "stays"),
        [
            ("<div><span>Oak</span><p>Oak</p></div>", False),
            ("<div>Oak</div>", True),
            ("<p>Oak</p>", True),
            *((f"<{name}>Oak</{name}>", True) for name in ("h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote")),
            ("<section>Oak</section>", False),
            ("<ul><li>Oak</li></ul>", True),
            ("<ul><li><a href=/1>Oak</a></li><li><a href=/1>Elm</a></li></ul>", False),
            (f"<section><p>{SENTENCE['en']}</p></section>", True),
        ],
    )
    def test_cleaning(self, inside: str, stays: bool) -> None:
        page = read(f"<div>{paragraphs(3)}{inside}{paragraphs(3)}</div>")
        assert (len(kept_text(stopwords, page)) > 6) is stays

    @pytest.mark.parametrize(
        ("earlier", "stays"),
        [
            (f"<p>{SENTENCE['en'] * 2}</p>", True),
            ("<p>The oak of the mill</p>", False),
            (f"<div>{SENTENCE['en'] * 2}</div>", False),
            (f"<p><a href=/1>{SENTENCE['en'] * 2}</a></p>", False),
        ],
    )
    def test_paragraphs_before_the_best_element(self, earlier: str, stays: bool) -> None:
        page = read(f"<div>{earlier}<div class=best>{paragraphs(9)}</div></div>")
        assert stopwords(page) == [stays] + [True] * 9


class TestBoilerpipe:
    @pytest.mark.parametrize(
        ("blocks", "content"),
        [
            # The word counts of neighbours; "a" before a count makes the block a link.
            (["20"], [True]),
            (["16"], [False]),
            (["16", "16"], [True, True]),
            (["5", "3", "3"], [False, True, False]),
            (["a20", "30"], [False, False]),
            (["a20", "30", "18"], [False, True, True]),
            (["a20", "41"], [False, True]),
        ],
    )
    def test_decision_tree(self, blocks: list[str], content: list[bool]) -> None:
        page = read("".join(_words(size) for size in blocks))
        assert content_blocks(page) == content

    @pytest.mark.parametrize(
        ("blocks", "dense"),
        [
            (["20"], [False]),
            (["20", "1"], [True, True]),
            (["3", "3"], [False, False]),
            (["a20", "9", "12"], [False, True, False]),
        ],
    )
    def test_density_tree(self, blocks: list[str], dense: list[bool]) -> None:
        page = read("".join(_words(size) for size in blocks))
        assert dense_blocks(page) == dense

    def test_text_density_is_words_a_line(self) -> None:
        short, long = text_densities(read(f"<p>three short words</p><p>{'word ' * 160}</p>"))
        assert (short, long) == (3, 16)

    def test_a_heading_behind_a_menu_goes_with_what_it_heads(self) -> None:
        page = read(f"<p>{'word ' * 60}</p>{MENU}<h2>Oaks</h2><p>{'word ' * 17}</p>{MENU}<h2>Elms</h2>{MENU}")
        assert kept_text(boilerpipe, page) == [("word " * 60).strip()]
        whole = read(f"{MENU}<h2>Oaks</h2><p>{'word ' * 17}</p>{MENU}<h2>Elms</h2>{MENU}")
        assert kept_text(boilerpipe, whole) == ["Oaks", ("word " * 17).strip()]

    @pytest.mark.parametrize(("size", "stays"), [(60, True), (45, False)])
    def test_another_large_run_at_the_same_level_is_content(self, size: int, stays: bool) -> None:
        text = f"<p>{'word ' * 200}</p>"
        page = read(f"{text}{MENU}<p>{'oak ' * size}</p><p>{'elm ' * size}</p>{MENU}")
        assert (len(kept_text(boilerpipe, page)) == 3) is stays
        deeper = read(f"{text}{MENU}<div><p>{'oak ' * size}</p><p>{'elm ' * size}</p></div>{MENU}")
        assert len(kept_text(boilerpipe, deeper)) == 1

    def test_one_block_between_runs_at_one_level_does_not_part_them(self) -> None:
        link = "<p><a href=/1>Read on</a></p>"
        runs = f"<p>{'oak ' * 60}</p>{{}}<p>{'elm ' * 60}</p>"
        assert len(kept_text(boilerpipe, read(runs.format(link)))) == 2
        assert len(kept_text(boilerpipe, read(runs.format(link * 2)))) == 1

    def test_what_is_between_the_title_and_the_largest_run_is_content(self) -> None:
        lead = f"{{}}<div><p>{'oak ' * 30}</p></div>{MENU}<p>{'elm ' * 200}</p>"
        title = "<title>Oaks and elms</title>"
        assert len(kept_text(boilerpipe, read(lead.format("<h1>Oaks and elms</h1>"), title))) == 3
        assert len(kept_text(boilerpipe, read(lead.format("<p>Ashes and elms</p>"), title))) == 1

    def test_list_items_elsewhere_do_not_stay(self) -> None:
        page = read(f"<p>{'word ' * 60}</p>{MENU}<ul><li>one</li><li>two</li></ul>")
        assert kept_text(boilerpipe, page) == [("word " * 60).strip()]

    def test_headings_go_with_what_they_head(self) -> None:
        text = "word " * 60
        page = read(f"{MENU}<div><h2>Oaks</h2><p>{text}</p><p>{text}</p><h2>More</h2></div>")
        assert kept_text(boilerpipe, page) == ["Oaks", text.strip(), text.strip()]

    def test_list_items_at_the_end_stay(self) -> None:
        page = read(f"<p>{'word ' * 60}</p><ul><li>one</li><li>two</li><li><a href=/>three</a></li></ul>")
        assert boilerpipe(page) == [True, True, True, False]


def _words(size: str) -> str:
    if size.startswith("a"):
        return f"<p><a href=/>{'word ' * int(size[1:])}</a></p>"
    return f"<p>{'word ' * int(size)}</p>"


class TestMce:
    def test_inline_elements_are_no_children(self) -> None:
        page = read(f"<div><p>{'<b>a</b> <i>b</i> ' * 30}</p></div><div>{'<p>a paragraph with text</p>' * 5}</div>")
        assert mce(page) == [False] + [True] * 5

    def test_takes_all_that_is_inside(self) -> None:
        page = read(
            f"<div>{MENU}</div><div><h1>Oaks</h1>{'<p>a paragraph with more text</p>' * 20}<div>{TEASERS}</div></div>"
        )
        assert mce(page) == [False] * 12 + [True] * 29

    def test_a_page_without_elements_is_kept(self) -> None:
        assert mce(read("only text")) == [True]


@pytest.mark.parametrize(("text", "count"), [("a, b, c", 2), ("一，二、三", 2), ("أ، ب", 1), ("none.", 0)])
def test_commas_of_any_script(text: str, count: int) -> None:
    page = read(text)
    tree = page.tree
    assert commas(tree, page.blocks) == [count] and tree.core.counted([0], text[0], 1) == [1]


def test_readability_reads_again_less_strictly_where_it_found_little() -> None:
    short = f"<div class=post><p>{SENTENCE['en']}</p></div><div class=comments>{paragraphs(2)}</div>"
    assert readability(read(short)) == [True] * 3
    long = f"<div class=post>{paragraphs(2)}</div><div class=comments>{paragraphs(4)}</div>"
    assert readability(read(long)) == [True] * 2 + [False] * 4


@pytest.mark.parametrize("name", ["nav", "footer", "aside", "form", "menu"])
def test_what_is_beside_the_point_by_its_element_is_not_looked_at_by_the_stopwords(name: str) -> None:
    page = read(f"<{name}>{paragraphs(4)}</{name}>" + f"<div>{paragraphs(3)}</div>" * 2)
    assert stopwords(page) == [False] * 4 + [True] * 3 + [False] * 3


@pytest.mark.parametrize("role", ["menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog"])
def test_readability_does_not_look_at_roles_of_an_interface(role: str) -> None:
    apart = f"<div{{}}>{paragraphs(5)}</div><div>{paragraphs(2)}</div>"
    assert readability(read(apart.format(f" role={role}"))) == [False] * 5 + [True] * 2
    assert readability(read(apart.format(" role=note")))[:5] == [True] * 5


@pytest.mark.parametrize("name", ["article", "main", "table", "pre"])
def test_what_is_content_by_its_element_is_looked_at_whatever_its_name(name: str) -> None:
    inside = f"<tr><td>{paragraphs(5)}</td></tr>" if name == "table" else paragraphs(5)
    scored = [
        readability_scores(page.tree, page.blocks, strip=True, weigh=False).shown[0]
        for page in (
            read(f"<{tag} class=sidebar>{inside}</{tag}>") for tag in (name, "div" if name != "table" else "ul")
        )
    ]
    assert scored == [True, False]


@pytest.mark.parametrize(
    ("tag", "points"),
    [
        *(("article", 5), ("main", 5), ("section", 5), ("div", 5), ("blockquote", 3)),
        *(("address", -3), ("ol", -3), ("form", -3), ("span", 0)),
    ],
)
def test_elements_begin_with_points_for_what_they_are(tag: str, points: int) -> None:
    def score(name: str) -> float:
        page = read(f"<section><{name}>{paragraphs(3)}</{name}></section>")
        scored = readability_scores(page.tree, page.blocks, strip=False, weigh=False)
        return scored.scores[page.tree.tagged({name})[-1]]

    assert score(tag) - score("center") == points


@pytest.mark.parametrize(
    ("names", "weight"),
    [
        ("class=ad", -25),
        ("class=top-ad", -25),
        ("class=topAd2", -25),
        ("class=header", 0),
        ("class='post ad'", 0),
        ("class=entry id=mainContent", 50),
        ("class=comments id=sidebar", -50),
        ("", 0),
    ],
)
def test_names_weigh_at_token_boundaries(names: str, weight: int) -> None:
    page = read(f"<div {names}>{paragraphs(1)}</div>")
    scored = readability_scores(page.tree, page.blocks, strip=False, weigh=True)
    assert scored.weight(page.tree.tagged({"div"})[0]) == weight


def test_names_are_stripped_and_weighed_only_if_wanted() -> None:
    page = read(f"<div class=comments>{paragraphs(3)}</div><p>End of page</p>")
    div = page.tree.tagged({"div"})[0]
    assert readability_scores(page.tree, page.blocks, strip=True, weigh=True).shown == [False] * 3 + [True]
    weighed = readability_scores(page.tree, page.blocks, strip=False, weigh=True)
    plain = readability_scores(page.tree, page.blocks, strip=False, weigh=False)
    assert weighed.shown == plain.shown == [True] * 4
    assert weighed.scores[div] == plain.scores[div] - 25


def chosen(page: Page) -> list[str]:
    """The containers that two algorithms vote for, as their class or tag."""
    shares = array("f", [function_share(text, "en") for text in page.blocks.text])
    return [
        page.tree.cls[node] or page.tree.tag[node] if node >= 0 else ""
        for node in containers(page.tree, shares, hidden_nodes(page.tree))
    ]


def test_containers_are_voted_for() -> None:
    assert chosen(read(article("en"))) == ["post", "post"]
    apart = f"<div class=one>{paragraphs(2)}</div><div class=comments>{paragraphs(5)}</div>{MENU}"
    # To the stopwords a name that covers most of the page cannot mean what it says.
    assert chosen(read(apart)) == ["one", "comments"]
    for name, wordy in (("utility-bar", "one"), ("utilityBar", "one"), ("utility", "utility")):
        assert chosen(read(f"<div class={name}>{paragraphs(4)}</div><div class=one>{paragraphs(5)}</div>"))[1] == wordy
    hidden = f"<div class=one>{paragraphs(2)}</div><div class=two style='DISPLAY : none'>{paragraphs(5)}</div>"
    assert chosen(read(hidden)) == ["one", "two"]
    menu = f"<div class=two role=Navigation>{paragraphs(5)}</div><div class=one>{paragraphs(2)}</div>"
    assert chosen(read(menu)) == ["one", "two"]


def test_nothing_to_vote_for() -> None:
    assert chosen(read("<h1>Oaks</h1>")) == ["body", ""]
