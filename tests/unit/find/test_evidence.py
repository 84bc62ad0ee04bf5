"""What the columns of the evidence say about small pages, and what the core refuses."""

from __future__ import annotations

import json
import random
from array import array
from collections.abc import Callable
from itertools import product
from math import expm1, log1p
from typing import Any

import pytest

from duramen.find.evidence import (
    _SUMMED,
    CONTENT,
    CONTEXT,
    LEVELS,
    MEASURES,
    NAMES,
    PAGE,
    SECOND,
    WORDING,
    Evidence,
    column,
    columns,
    second_table,
    table,
    trust_row,
)
from duramen.find.hints import KINDS, Hints, Lexicon
from duramen.find.judge import both_passes, hints_of, shipped_model
from duramen.find.page_marks import body_marks, feature_names, page_features, spoken_marks
from duramen.native import core
from duramen.options import Options
from duramen.page import Page
from duramen.read.reader import read_page

SENTENCE = "Oak heartwood is hard, dark and durable, and for centuries shipwrights chose it for keels."


def read(body: str, head: str = "") -> Page:
    return read_page(f"<!doctype html><html><head>{head}</head><body>{body}</body></html>", None, Options())


def evidence_of(page: Page, hints: Hints | None = None, lexicon: Lexicon | None = None) -> Evidence:
    return table(page.tree, page.blocks, hints or Hints(), lexicon or Lexicon())


def values(body: str, *names: str, hints: Hints | None = None, lexicon: Lexicon | None = None) -> list[Any]:
    """Each column's entries, rounded; of a single one they alone."""
    rows = evidence_of(read(body), hints, lexicon).table
    found = [[round(value, 4) for value in column(rows, NAMES, name)] for name in names]
    return found if len(names) > 1 else found[0]


# The text itself


@pytest.mark.parametrize(
    ("text", "date", "money", "copyright"),
    [
        ("Built in 1999", 1, 0, 0),
        ("Built in 2026.", 1, 0, 0),
        ("Room 19999", 0, 0, 0),
        ("Room 1899", 0, 0, 0),
        ("Room 2512", 0, 0, 0),
        ("Room 1099", 0, 0, 0),
        ("Room 3099", 0, 0, 0),
        ("Room 1999x", 0, 0, 0),
        ("Room 19x9", 0, 0, 0),
        ("1999", 1, 0, 0),
        ("12/345", 0, 0, 0),
        ("123/4", 0, 0, 0),
        ("1-2", 0, 0, 0),
        ("At 7:30 sharp", 1, 0, 0),
        ("On 3/12 or 12.5", 1, 0, 0),
        ("Version 1.234", 0, 0, 0),
        ("x7:30", 0, 0, 0),
        ("Posted ago", 1, 0, 0),
        ("Posted Ago", 0, 0, 0),
        ("Chicago", 0, 0, 0),
        ("2年", 1, 0, 0),
        ("年轻人", 0, 0, 0),
        ("WAGONR+, 年轻人", 0, 0, 0),
        ("٣:٤", 1, 0, 0),
        ("$5", 0, 1, 0),
        ("€ 5", 0, 1, 0),
        ("₹", 0, 0, 0),
        ("USD 5", 0, 1, 0),
        ("usd 5", 0, 0, 0),
        ("5 USDT", 0, 0, 0),
        ("5 GBP", 0, 1, 0),
        ("© Oak", 0, 0, 1),
        ("COPYRIGHT Oak", 0, 0, 1),
        ("noncopyrighted", 0, 0, 1),
        ("copy right", 0, 0, 0),
    ],
)
def test_dates_prices_and_notices(text: str, date: int, money: int, copyright: int) -> None:
    assert values(f"<p>{text}</p>", "date", "money", "copyright") == [[date], [money], [copyright]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("End.", {"sentence_end": 1, "punctuation": 1, "capital": 1, "upper": 0.25}),
        ("He said “End.”", {"sentence_end": 1, "capital": 1, "punctuation": round(1 / 3, 4)}),
        ("end", {"sentence_end": 0, "capital": 0, "punctuation": 0}),
        ("木。", {"sentence_end": 1, "punctuation": 1}),
        ("really? yes", {"question": 1, "sentence_end": 0}),
        ("a | b › c", {"separators": 2}),
        ("a1b2", {"digits": 0.5}),
        ("٣٣", {"digits": 1.0}),
        ("ЁЛКА", {"upper": 0.75, "capital": 1}),
        ("Ångström", {"upper": 0.125, "capital": 1}),
        ("ΑΣ", {"upper": 1.0}),
        ("three words here", {"words": 3, "chars_per_word": round(17 / 3, 4)}),
    ],
)
def test_signs_of_a_text(text: str, expected: dict[str, float]) -> None:
    found = values(f"<p>{text}</p>", *expected, "index")
    assert dict(zip(expected, (entries[0] for entries in found), strict=False)) == expected


def test_only_the_beginning_of_a_text_is_read() -> None:
    text = "a " * 100 + "1999?"
    assert values(f"<p>{text}</p>", "date", "question", "digits") == [[0], [0], [0]]
    assert values(f"<p>{text}</p>", "sentence_end") == [1], "but its end is"


def test_words_are_looked_up_in_the_lexicon() -> None:
    lexicon = Lexicon(words=core.Lookup({"oak": 1.0, "share": -2.0, "i": 0.5, "σ": 4.0, "ς": 3.0}))
    found = values(
        "<p>Oak, share OAK</p><p>nothing</p><p>İ</p><p>Α Σ</p><p>ΑΣ</p>", "word_mean", "word_low", "word_high",
        lexicon=lexicon,
    )  # fmt: skip
    assert found == [[0.0, 0, 0.5, 4.0, 0], [-2.0, 0, 0.5, 4.0, 0], [1.0, 0, 0.5, 4.0, 0]]


def test_no_more_than_25_words_have_odds() -> None:
    lexicon = Lexicon(words=core.Lookup({"oak": 1.0, "end": -1.0}))
    assert values(f"<p>{'oak ' * 25}end</p><p>{'oak ' * 24}end</p>", "word_low", lexicon=lexicon) == [1.0, -1.0]


def test_what_a_block_shares_with_title_description_and_data() -> None:
    hints = Hints(title="Old oaks", description="All about oaks", bodies=("Oaks grow slowly, said the forester.",))
    body = "<p>Home</p><p>Old oaks</p><p>Oaks grow slowly, said</p><h1>Old OAKS</h1><p>He said that slowly</p>"
    title, description, data, after = values(
        body, "title_cover", "description_cover", "body_cover", "after_title", hints=hints
    )
    assert title == [0, 1, 0.25, 1, 0]
    assert description == [0, 0, 0.25, 0, 0], "only of more than three words"
    assert data == [0, 0, 1, 0, 0.25], "all of its beginning, or half the share of its words"
    assert after == [-1, 0, 1, 2, 3], "a heading is only preferred if it repeats more"


@pytest.mark.parametrize("letters", ["ab", "aбΣ心"])
def test_blocks_are_searched_in_long_data_together(letters: str) -> None:
    rng = random.Random(7)
    words = ["".join(rng.choices(letters, k=rng.randrange(1, 4))) for _ in range(12)]
    body = " ".join(rng.choices(words, k=60_000))[:150_000]
    texts = [body[(at := rng.randrange(len(body) - 90)) : at + rng.randrange(8, 90)] for _ in range(150)]
    texts += [" ".join(rng.choices(words, k=rng.randrange(4, 40))) for _ in range(150)]
    data = json.dumps({"@type": "Article", "articleBody": body})
    page = read("".join(f"<p>{text}</p>" for text in texts), f"<script type=application/ld+json>{data}</script>")
    covers = column(evidence_of(page, hints_of(page, (), None)).table, NAMES, "body_cover").tolist()
    found = [text.lower()[:60] in body.lower() and len(text.split()) > 3 for text in page.blocks.text]
    assert [cover == 1 for cover in covers] == found and 100 <= sum(found) < 300


@pytest.mark.parametrize(
    ("language", "text", "share"),
    [
        ("en", "the centre of a tree", 0.6),
        ("en", "Of, the", 0.5),
        ("", "the centre of a tree", 0.0),
        ("zh", "心材是树的中心", round(2 / 3.5, 4)),
        ("fr", "l'arbre et la forêt", 0.6),
    ],
)
def test_function_words(language: str, text: str, share: float) -> None:
    assert values(f"<p>{text}</p>", "function_words", hints=Hints(language=language)) == [share]


def test_copies() -> None:
    body = "".join(f"<p>{text}</p>" for text in ("one two three four", "other", "one two three four", "x", "x"))
    assert values(body, "copies", "copy_number") == [[2, 1, 2, 2, 2], [0, 0, 1, 0, 1]]
    assert values(body, "copied_run") == [0.5, 0.4, 0.4, 0.4, 0.25]


# What is around it


def test_headings_above() -> None:
    lexicon = Lexicon(words=core.Lookup({"rings": 0.5}))
    body = "<p>a</p><h2>Rings</h2><p>b</p><p>c</p><h3>d</h3>"
    assert values(body, "heading_words", "heading_age", "heading_level", lexicon=lexicon) == [
        [0, 0.5, 0.5, 0.5, 0],
        [99, 0, 1, 2, 0],
        [0, 2, 2, 2, 3],
    ]


@pytest.mark.parametrize(
    ("markup", "groups"),
    [
        ("<nav>{}</nav>", {"nav"}),
        ("<div role=Navigation>{}</div>", {"nav"}),
        ("<footer><ul><li>{}</ul></footer>", {"footer", "ul", "li"}),
        ("<div role=listitem>{}</div>", {"li"}),
        ("<div hidden>{}</div>", {"#hidden"}),
        ("<div aria-hidden=true>{}</div>", {"#hidden"}),
        ("<div aria-hidden=false>{}</div>", set()),
        ("<div style='color: red; DISPLAY : none'>{}</div>", {"#hidden"}),
        ("<div style='visibility:hidden'>{}</div>", {"#hidden"}),
        ("<div style='display: block'>{}</div>", set()),
        ("<div role=search>{}</div>", set()),
        ("<details><summary>x</summary>{}</details>", {"details"}),
    ],
)
def test_groups_of_ancestors(markup: str, groups: set[str]) -> None:
    names = [name for name in MEASURES if name.startswith("in_")]
    found = values(markup.format(f"<p>{SENTENCE}</p>"), *names)
    assert {name.removeprefix("in_") for name, entries in zip(names, found, strict=True) if entries[-1]} == groups


def test_owner_and_names() -> None:
    lexicon = Lexicon(tokens=core.Lookup({"story": 2.0, "side": -1.0, "bar": -3.0, "lead": 0.5}))
    body = "<div class='story sideBar'><p id=lead>a</p><x-y>b</x-y></div>"
    found = values(
        body, "owner", "depth", "tokens_0", "tokens_1", "tokens_2", "tokens_low", "tokens_high", lexicon=lexicon
    )
    outer = round(-2 / 3**0.5, 4)
    assert found == [[1, 0], [3, 3], [0.5, 0], [outer, outer], [0, 0], [outer, outer], [0.5, 0]]
    assert values(body, "tokens_sum", lexicon=lexicon) == [round(outer + 0.5, 4), outer]


def test_the_words_inside_names() -> None:
    assert core.name_words("articleBody post-content css-1q2w3e HTMLParser x") == [
        "article", "body", "post", "content", "css", "html", "parser",
    ]  # fmt: skip
    page = read("<div class=Lead id=a1 role=main data-testid=storyBody title=x><p>x</p></div>")
    label = page.tree.core.label(page.tree.tag.index("div"))
    assert core.name_words(label) == ["lead", "main", "story", "body"]
    with pytest.raises(IndexError):
        page.tree.core.label(len(page.tree))


def test_templates() -> None:
    card = "<div class=card><p>one two</p></div>"
    found = values(f"<main>{card * 3}<div class=ad><p>x</p></div></main>", "siblings_0", "siblings_1", "siblings_most")
    one, three = round(log1p(1), 4), round(log1p(3), 4)
    assert found == [[one] * 4, [three] * 3 + [one], [three] * 3 + [one]]
    size, words, share = values(f"<main>{card * 3}<p>x y z</p></main>", "group_size", "group_words", "group_share")
    assert size == [three] * 3 + [one] and share == [0.6667] * 3 + [0.3333]
    assert words == [round(log1p(2), 4)] * 3 + [round(log1p(3), 4)]


def test_position_and_containers() -> None:
    body = "<main><div><p>one two three</p><p>four</p></div><p><a href=/>five six</a></p></main>"
    assert values(body, "index", "words_before", "index_from_end") == [
        [0, 0.3333, 0.6667],
        [0, 0.5, 0.6667],
        [round(log1p(2), 4), round(log1p(1), 4), 0],
    ]
    share, links, blocks, place = values(body, "share_1", "links_1", "blocks_1", "place_1")
    assert share == [round(19 / 28, 4)] * 2 + [1] and links == [0, 0, round(9 / 28, 4)]
    assert blocks == [round(log1p(2), 4)] * 2 + [round(log1p(3), 4)] and place == [0, 0.5, 0.6667]


def test_neighbours() -> None:
    body = "<p>one two</p><p><a href=/>three</a></p><h2>four five six</h2>"
    two, one, three = (round(log1p(n), 4) for n in (2, 1, 3))
    assert values(body, "words-1", "words+1") == [[0, two, one], [one, three, 0]]
    assert values(body, "links-1", "owner+1") == [[0, 0, 1], [1, 7, 0]]
    assert values(body, "window_links_5") == [0.3333] * 3


def test_votes_and_page() -> None:
    page = read(f"<main><p>{SENTENCE}</p></main><p>x</p>")
    main = page.tree.tag.index("main")
    hints = Hints(votes={"semantic": (main,)}, ballots={"boilerpipe": [False, True]}, types=frozenset({"newsarticle"}))
    found = {name: column(evidence_of(page, hints).table, NAMES, name).tolist() for name in NAMES[len(MEASURES) :]}
    assert found["vote_semantic"] == [1, 0] and found["vote_boilerpipe"] == [0, 1] and found["vote_pattern"] == [0, 0]
    assert found["vote_mce"] == [1, 0]
    assert found["type_article"] == [1, 1] and found["page_p"] == pytest.approx([log1p(2)] * 2)


def test_a_page_of_one_block() -> None:
    found = evidence_of(read("<p>x</p>"))
    assert found.blocks == 1 and len(found.table) == 4 * len(NAMES)


def test_every_page_has_the_features_that_have_names() -> None:
    assert tuple(evidence_of(read("<p>x</p>")).page) == feature_names()
    assert set(PAGE) <= set(feature_names())


# The second pass, and sums over the page


def places(n: int, starts: list[int], stops: list[int], group: list[int], heading: list[int]) -> bytearray:
    return bytearray(array("i", [*starts * LEVELS, *stops * LEVELS, *group, *heading]).tobytes())


def given_evidence(words: list[float], where: bytearray) -> Evidence:
    n = len(words)
    rows = bytearray(4 * len(NAMES) * n)
    column(rows, NAMES, "words")[:] = array("f", words)
    column(rows, NAMES, "owner")[:] = array("f", [1.0] * n)
    return Evidence(n, rows, where, dict.fromkeys(feature_names(), 0.0))


def test_each_block_is_seen_beside_its_surroundings() -> None:
    where = places(4, [0, 0, 2, 2], [2, 2, 4, 4], [0, 1, 0, 1], [-1, 0, 0, 2])
    evidence = given_evidence([9.5, 9.5, 19.5, 0.5], where)
    kinds = [0.1 * k for k in range(len(KINDS))]
    rows = second_table(evidence, array("d", [1.0, 0.5, 0.25, 0.0]), kinds)
    found = {n: [round(v, 4) for v in column(rows, columns()["second"], n)] for n in (*SECOND, *CONTEXT)}
    assert found["words"] == [9.5, 9.5, 19.5, 0.5]
    assert found["probability-1"] == [0, 1, 0.5, 0.25] and found["probability+3"] == [0, 0, 0, 0]
    assert found["near_probability_5"][1] == round(20 / 41, 4) and found["near_likely_5"][1] == 0.25
    assert found["inside_probability_0"] == [0.75, 0.75, round(5 / 21, 4), round(5 / 21, 4)]
    assert found["inside_share_0"] == [0.75, 0.75, 0.25, 0.25] and found["inside_likely_0"] == [0.5, 0.5, 0, 0]
    assert found["inside_f1_0"][:1] == found["best_f1"][:1] == [0.75]
    assert found["in_best"] == [1, 1, 0, 0] and found["best_distance"] == [0, 0, 1, 2]
    assert found["group_probability"] == [0.5, round(5 / 11, 4), 0.5, round(5 / 11, 4)]
    assert found["headed_probability"] == [round(10 / 30, 4), 0, 0, 0] and found["heading_probability"] == [
        0.5,
        1,
        1,
        0.25,
    ]
    assert found["page_probability"] == [round(20 / 41, 4)] * 4 and found["page_likely"] == [0.25] * 4
    assert found["page_f1"] == [0.75] * 4 and found["page_doubt"] == [round(6.25 / 20, 4)] * 4
    assert [found[f"kind_{kind}"][0] for kind in KINDS] == [round(0.1 * k, 4) for k in range(len(KINDS))]


def test_content_summed_up() -> None:
    evidence = given_evidence([9.5, 9.5, 19.5, 0.5], places(4, [0] * 4, [4] * 4, [0] * 4, [-1] * 4))
    column(evidence.table, NAMES, "owner")[:] = array("f", [1, 2, 2, 7])
    column(evidence.table, NAMES, "link_density")[:] = array("f", [0, 1, 0, 0])
    sums = dict(
        zip(CONTENT, core.content_sums(evidence.table, array("d", [1.0, 0.5, 0.25, 0.0]), *_SUMMED), strict=True)
    )
    assert sums["content_f1"] == pytest.approx(0.75) and sums["content_share"] == pytest.approx(20 / 41)
    assert sums["content_blocks"] == 0.25 and sums["content_words"] == pytest.approx(log1p(20))
    assert sums["mean_link_density"] == pytest.approx(0.25)
    assert (sums["owned_p"], sums["owned_li"], sums["owned_heading"]) == pytest.approx((0.5, 0.5, 0.0))


def test_what_is_kept_summed_up() -> None:
    evidence = given_evidence([9.5, 9.5, 19.5, 0.5], places(4, [0] * 4, [4] * 4, [0] * 4, [-1] * 4))
    given = array("d", [1.0, 0.5, 0.25, 0.0])
    row = dict(zip(columns()["trust"], trust_row(evidence, given, [0.0] * len(KINDS), [0, 2]), strict=True))
    own = [row[name] for name in ("f1", "precision", "recall", "kept_share", "kept_words", "kept_blocks", "sure")]
    assert own == pytest.approx([0.6, 0.5, 0.75, 30 / 41, log1p(30), 2, 21 / 41])
    nothing = dict(zip(columns()["trust"], trust_row(evidence, given, [0.0] * len(KINDS), []), strict=True))
    assert (nothing["f1"], nothing["kept_words"]) == (0.0, 0.0)


def test_numbers_that_are_no_blocks_are_refused() -> None:
    good = [[0, 0], [2, 2], [0, 1], [-1, 0]]
    for k, wrong in ((0, -1), (0, 2), (1, 3), (2, -1), (2, 2), (3, -2), (3, 2)):
        given = [list(numbers) for numbers in good]
        given[k][1] = wrong
        evidence = given_evidence([1.0, 1.0], places(2, *given))
        with pytest.raises(ValueError, match="place"):
            second_table(evidence, array("d", [0.5, 0.5]), [0.0] * len(KINDS))
    evidence = given_evidence([1.0, 1.0], places(2, *good))
    second_table(evidence, array("d", [0.5, 0.5]), [0.0] * len(KINDS))
    for probabilities in ([], [0.5] * 3):
        with pytest.raises(ValueError, match="evidence"):
            core.content_sums(evidence.table, array("d", probabilities), *_SUMMED)
    for asked in (((500,), 0, ()), ((0,), 500, ()), ((0,), 0, ((0, 300),)), ((0,), 0, ((0,),))):
        with pytest.raises((ValueError, TypeError)):
            core.content_sums(evidence.table, array("d", [0.5, 0.5]), *asked)


def test_names_and_measures_have_to_agree() -> None:
    tree = read("<p>x</p>").tree
    word: Callable[..., object] = tree.core.wording
    measure: Callable[..., object] = tree.core.measure_blocks
    rows, where, lookup = bytearray(4 * len(NAMES)), bytearray(4 * (2 * LEVELS + 2)), core.Lookup({})
    wording = (rows, 4, len(WORDING), "", "", "", lookup, (), lookup, "x", None, lambda text: (0.0, 0.0))
    word(*wording)
    measures = [rows, len(MEASURES), where, len(WORDING), 4, -1, lookup, {}, 19, {}, {}]
    measure(*measures)
    with pytest.raises(ValueError, match="rows of wording"):
        word(*wording[:2], len(WORDING) + 1, *wording[3:])
    with pytest.raises(ValueError, match="rows of wording"):
        word(bytearray(8), *wording[1:])
    for k, wrong in ((0, bytearray(8)), (1, len(MEASURES) + 1), (2, bytearray(8)), (4, 3), (8, 20)):
        with pytest.raises(ValueError, match="the core measures"):
            measure(*measures[:k], wrong, *measures[k + 1 :])
    with pytest.raises(ValueError, match="too many characters"):
        word(*wording[:7], ("".join(map(chr, range(300, 700))),), *wording[8:])
    with pytest.raises(TypeError):
        word(*wording[:7], (1,), *wording[8:])
    with pytest.raises(ValueError, match="term is too long"):
        word(*wording[:8], core.Lookup({"x" * 20: 1}), *wording[9:])


def test_names_of_the_page_speak_for_its_type() -> None:
    page = read_page("<html class=b><body class='shop x'><p class='Card shop'>x", None, Options())
    lookup = core.Lookup({"card": 1, "body:shop": 2, "shop": 3, "url:product": 4, "none": 5, "wrong": 99})
    weights = array("f", [1, 0, 10, 0, 100, 0, 0, 7, 0, 1000, 5, 5])
    found = array("f", [0.0, 0.0])
    page.tree.core.type_prior(lookup, weights, True, [*body_marks(page.tree), "url:product", "wrong"], found)
    assert found.tolist() == [111, 1007]


def test_no_two_names_are_taken_for_one() -> None:
    short = ["".join(letters) for size in (1, 2, 3) for letters in product("abcdefghijklmnop", repeat=size)]
    names = [*short, *(f"{name}-{name}" for name in short), *(f"{name}article{name}" for name in short)]
    tree, lookup = read("<p>x</p>").tree, core.Lookup({name: k for k, name in enumerate(names)})
    weights, found = array("f", range(len(names))), array("f", [0.0])
    for k, name in enumerate(names):
        tree.core.type_prior(lookup, weights, False, [name], found)
        assert found[0] == k, name


def test_short_texts_and_the_title_speak_for_the_type_of_the_page() -> None:
    page = read_page(
        "<body><a href=/cart>Add 12 to Cart</a><p>Oaks live for centuries, and longer.<p>Ok!", None, Options()
    )
    said = spoken_marks(page.tree, "Oak 3")
    assert sorted(said) == [
        "says:add 0 to cart", "says:ok!", "title:3", "title:oak", "word:add", "word:cart", "word:ok", "word:to",
    ]  # fmt: skip
    weights = array("f", [1.0] * len(KINDS) + [2.0] * len(KINDS))
    model = shipped_model()._replace(spoken=core.Lookup({"word:cart": 1}), spoken_weights=weights)
    prior = model.type_prior(page.tree, Hints(title="Oak 3"))
    assert prior.tolist()[len(KINDS) :] == [3.0] * len(KINDS)


def test_both_passes_are_the_models(article_html: str) -> None:
    page = read_page(article_html, None, Options())
    model, hints = shipped_model(), hints_of(page, (), None)
    evidence = table(page.tree, page.blocks, hints, model.lexicon)
    found = both_passes(evidence, model.type_prior(page.tree, hints), model)
    assert sum(found.kinds) == pytest.approx(1.0) and max(found.kinds) == found.kinds[KINDS.index("article")]
    first = column(found.second, columns()["second"], "probability")
    assert first.tolist() == pytest.approx(
        model.first.probabilities(evidence.table, evidence.blocks).tolist(), abs=1e-6
    )
    assert len(found.probabilities) == len(page.blocks)


def test_what_is_counted_of_a_page() -> None:
    long = "The oak by the mill has stood there for four hundred years and nobody remembers who planted or saved it."
    items = "<ul><li>Elm</li><li>Ash</li></ul>"
    body = f"<main><h1>Oaks</h1><h2>Old ones</h2><p>{long}</p><p>Ten words<a href=/1>, all</a></p>{items}</main>"
    tree = read(body).tree
    words = [1, 2, 22, 4, 1, 1]
    hints = Hints(
        url="https://www.mill.example/2026/old-oak-trees?page=2",
        title="Three old oaks",
        description="What they saw",
        bodies=("123456", "123"),
    )
    features = page_features(tree, words, hints, 3, 2, 1)
    counted = {
        name: round(expm1(features[f"page_{name}"]))
        for name in (
            "blocks",
            "words",
            "prose_words",
            "long_blocks",
            "h2",
            "p",
            "li",
            "money",
            "questions",
            "date_blocks",
        )
    }
    assert counted == {
        "blocks": 6, "words": 31, "prose_words": 22, "long_blocks": 1, "h2": 1, "p": 2, "li": 2, "money": 2,
        "questions": 3, "date_blocks": 1,
    }  # fmt: skip
    assert features["page_prose"] == 22 / 31 and features["page_mean_words"] == 31 / 6
    assert features["page_links"] == tree.links[-1] / tree.chars[-1] > 0
    assert (features["page_h1"], features["page_main"]) == (1, 1)
    assert (features["title_words"], features["description_words"]) == (3, 3)
    assert round(expm1(features["bodies"])) == 9
    address = {name: features[f"url_{name}"] for name in ("depth", "last_length", "last_hyphens", "digits", "home")}
    assert address == {"depth": 2, "last_length": 13, "last_hyphens": 2, "digits": 4, "home": 0}


@pytest.mark.parametrize(
    "tag",
    [
        *(
            "h1",
            "h2",
            "h3",
            "p",
            "li",
            "img",
            "article",
            "section",
            "pre",
            "code",
            "table",
            "tr",
            "time",
            "form",
            "button",
        ),
        *("main", "blockquote"),
    ],
)
def test_elements_that_are_counted(tag: str) -> None:
    def count(body: str) -> float:
        return page_features(read(body).tree, [1], Hints(), 0, 0, 0)[f"page_{tag}"]

    inside = f"<table><{tag}></{tag}></table>" if tag == "tr" else f"<{tag}></{tag}>"
    assert count("") == 0 < count(inside) < count(inside * 2)


def test_a_page_without_an_address_is_the_beginning_of_a_site() -> None:
    for url in ("", "https://mill.example/", "https://[mill"):
        assert page_features(read("<p>x</p>").tree, [1], Hints(url=url), 0, 0, 0)["url_home"] == 1
    features = page_features(read("").tree, [], Hints(), 0, 0, 0)
    assert features["page_prose"] == features["page_mean_words"] == features["page_links"] == 0
