"""Choosing blocks by expected F1, and what settles probabilities: copies, tables, lists, headings."""

from __future__ import annotations

import random
from array import array
from itertools import combinations
from typing import Any, get_args

import pytest

from duramen.find.evidence import table
from duramen.find.hints import KINDS, Hints, Lexicon
from duramen.find.judge import (
    Model,
    best_choice,
    copies_in,
    hints_of,
    judge_blocks,
    share_alike,
    share_copies,
    shipped_model,
)
from duramen.find.odds import expected_f1, expected_words
from duramen.find.structures import settle_structures
from duramen.model import Candidate, PageType
from duramen.options import Mode, Options
from duramen.page import Page
from duramen.read.reader import read_page

MODES: tuple[Mode, ...] = get_args(Mode)
SENTENCE = "Oak heartwood is hard, dark and durable, and for centuries shipwrights chose it for keels and ribs."


def read(body: str, head: str = "<title>Oaks</title>") -> Page:
    return read_page(f"<!doctype html><html><head>{head}</head><body>{body}</body></html>", None, Options())


def settled(
    body: str, probabilities: list[float] | float, head: str = "<title>Oaks</title>"
) -> tuple[list[str], array[float]]:
    page = read(body, head)
    n = len(page.blocks)
    given = array("d", [probabilities] * n if isinstance(probabilities, float) else probabilities)
    assert len(given) == n, page.blocks.text
    before = given.tolist()
    after = array("d", settle_structures(given, page))
    assert given.tolist() == before, "what was given is not edited"
    return page.blocks.text, after


# Expected F1


@pytest.mark.parametrize(
    ("probabilities", "words", "kept", "score"),
    [
        ([1.0, 0.0], [10, 10], [0], 1.0),
        ([1.0, 0.0], [10, 10], [1], 0.0),
        ([1.0, 0.0], [10, 10], [0, 1], 2 / 3),
        ([1.0, 1.0], [10, 10], [0], 2 / 3),
        ([0.5], [10], [0], 2 / 3),
        ([0.9, 0.2], [10, 3], [], 0.0),
        ([], [], [], 0.0),
        ([0.0], [0], [], 0.0),
    ],
)
def test_expected_f1(probabilities: list[float], words: list[int], kept: list[int], score: float) -> None:
    assert expected_f1(probabilities, words, kept, expected_words(probabilities, words)) == pytest.approx(score)


@pytest.mark.parametrize("seed", range(40))
def test_best_choice_is_best_of_all_subsets(seed: int) -> None:
    rng = random.Random(seed)
    n, digits = rng.randrange(1, 10), rng.randrange(1, 4)
    probabilities = [round(rng.random(), digits) for _ in range(n)]
    words = [rng.randrange(60) for _ in range(n)]
    kept, score = best_choice(probabilities, words, "balanced")
    every = [list(subset) for size in range(n + 1) for subset in combinations(range(n), size)]
    best = max(expected_f1(probabilities, words, subset, expected_words(probabilities, words)) for subset in every)
    assert score == pytest.approx(best)
    assert expected_f1(probabilities, words, kept, expected_words(probabilities, words)) == pytest.approx(best)


@pytest.mark.parametrize("seed", range(40))
def test_modes_nest(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randrange(80)
    probabilities, words = [rng.random() for _ in range(n)], [rng.randrange(60) for _ in range(n)]
    precision, balanced, recall = (set(best_choice(probabilities, words, mode)[0]) for mode in MODES)
    assert precision <= balanced <= recall
    assert len({best_choice(probabilities, words, mode)[1] for mode in MODES}) == 1
    assert bool(precision) == bool(balanced), "precision is not silence"


def test_precision_keeps_what_is_certain() -> None:
    assert best_choice([0.9, 0.9, 0.1], [50, 50, 5], "precision")[0] == [0, 1]


def test_best_choice_of_nothing() -> None:
    assert best_choice([], [], "balanced") == ([], 0.0)
    assert best_choice([0.0, 0.0], [5, 5], "recall")[1] == 0.0


def test_blocks_of_the_same_probability_are_kept_together() -> None:
    assert best_choice([0.9, 0.6, 0.6, 0.6, 0.01], [30, 5, 50, 1, 30], "balanced")[0] == [0, 1, 2, 3]


# Records


def shared_alike(probabilities: list[float], page: Page, forum: float = 0.0) -> list[float]:
    after = array("d", probabilities)
    share_alike(after, page, [forum if kind == "forum" else 0.0 for kind in KINDS])
    return after.tolist()


def records(count: int, text: str = "Red oak") -> str:
    cards = [f'<div class="card"><h3>{text}</h3><p class="price">12 dollars</p></div>' for _ in range(count)]
    return "".join(cards)


def test_fields_of_records_are_brought_together() -> None:
    given = [0.9, 0.1, 0.9, 0.2, 0.3, 0.3]
    assert shared_alike(given, read(records(3))) == pytest.approx([0.8, 0.15, 0.8, 0.2, 0.5, 0.25])


def test_long_fields_weigh_more() -> None:
    page = read(f"<p>Oak</p><p>Elm</p><p>{'Ash trees are tall. ' * 2}</p>")
    mean = (1.5 * 0.0 + 1.5 * 0.0 + 8.5 * 0.8) / 11.5
    assert shared_alike([0.0, 0.0, 0.8], page) == pytest.approx([mean / 2, mean / 2, 0.8 + (mean - 0.8) / 2])


@pytest.mark.parametrize(
    "body",
    [
        records(2),
        records(3, "Red oak " * 30).replace('<p class="price">12 dollars</p>', ""),
        records(3).replace('"card"', '"teaser"', 2).replace('"price"', '"date"', 1),
        f"<main>{records(2)}</main><aside>{records(2)}</aside>",
    ],
    ids=["two are no run", "posts are judged alone", "other classes", "other places"],
)
def test_what_is_not_made_alike_stays_apart(body: str) -> None:
    page = read(body)
    given = [0.9 if b % 3 else 0.1 for b in range(len(page.blocks))]
    assert shared_alike(given, page) == given


def test_posts_of_a_forum_stay_apart() -> None:
    given = [0.9, 0.1, 0.9, 0.2, 0.3, 0.3]
    assert shared_alike(given, read(records(3)), forum=1.0) == given


def test_only_probabilities_of_these_blocks_are_shared() -> None:
    with pytest.raises(ValueError, match="not the probabilities of these blocks"):
        shared_alike([0.5], read(records(3)))


def test_records_are_a_reason() -> None:
    body = f"<main><h1>Oaks of the county</h1><p>{SENTENCE}</p>{records(6)}</main>"
    page = read(body.replace("Red oak", "Red oak, tall and old, by the mill", 1))
    judged = judge_blocks(page, hints_of(page, [], None), shipped_model())
    assert any(reason.id == "alike" for reasons in judged.reasons() for reason in reasons)


# Copies


def settled_copies(probabilities: list[float], page: Page) -> list[float]:
    before = list(probabilities)
    evidence = table(page.tree, page.blocks, Hints(), Lexicon())
    after = share_copies(probabilities, page.blocks.words, copies_in(page, evidence))
    assert probabilities == before, "what was given is not edited"
    return after


def test_a_text_shown_twice_is_kept_once() -> None:
    page = read(f"<div><p>{SENTENCE}</p></div><section><p>{SENTENCE}</p></section><p>Something else is said here.</p>")
    after = settled_copies([0.7, 0.6, 0.5], page)
    assert after == pytest.approx([0.99, 0.6, 0.5]) or after == pytest.approx([0.99, 0.3, 0.5])


def test_copies_pass_their_probabilities_to_the_likeliest() -> None:
    text = f"<p>{SENTENCE} {SENTENCE}</p>"
    page = read(f"<div>{text}</div><section>{text}</section><main>{text}</main>")
    after = settled_copies([0.2, 0.5, 0.1], page)
    assert after == pytest.approx([0.0, 0.8, 0.0])
    unsure = settled_copies([0.8, 0.7, 0.0], page)
    assert unsure == pytest.approx([0.99, 0.5, 0.0])


def test_repetition_in_one_container_is_the_authors_own() -> None:
    text = f"<p>{SENTENCE} {SENTENCE}</p>"
    page = read(f"<div>{text}{text}</div>")
    probabilities = [0.7, 0.6]
    assert settled_copies(probabilities, page) == [0.7, 0.6]


def test_short_texts_and_lone_short_copies_are_left_alone() -> None:
    page = read("<div><p>Read more now</p></div><section><p>Read more now</p></section>")
    assert settled_copies([0.7, 0.6], page) == [0.7, 0.6]
    lone = read("<div><p>Only four words here</p></div><h2>Between</h2><section><p>Only four words here</p></section>")
    assert settled_copies([0.7, 0.2, 0.6], lone) == [
        0.7,
        0.2,
        0.6,
    ]


# Tables, lists, headings

FILLER = f"<p>{SENTENCE * 6}</p>"


def test_a_table_is_kept_or_dropped_whole() -> None:
    rows = "".join(f"<tr><td>cell {n}<td>{n}</tr>" for n in range(4))
    texts, after = settled(f"{FILLER}<table>{rows}</table>", [0.9, 0.9, 0.1, 0.8, 0.2, 0.9, 0.1, 0.9, 0.1])
    cells = {round(probability, 9) for probability in after[1:]}
    assert len(cells) == 1 and 0.1 < cells.pop() < 0.9
    assert after[0] == 0.9 and texts[1] == "cell 0"


def test_a_list_is_kept_or_dropped_whole() -> None:
    _, after = settled(f"{FILLER}<ul><li>one two<li>three four<li>five six</ul>", [0.9, 0.9, 0.6, 0.3])
    assert after.tolist() == pytest.approx([0.9, 0.6, 0.6, 0.6])


def test_lists_of_posts_are_decided_item_by_item() -> None:
    items = "".join(f"<li><p>{SENTENCE * 3}</p></li>" for _ in range(3))
    probabilities = [0.9, 0.9, 0.1, 0.5]
    assert settled(f"{FILLER * 4}<ul>{items}</ul>", [0.9] * 3 + probabilities)[1].tolist() == [0.9] * 3 + probabilities


def test_layout_that_holds_most_of_the_page_is_not_one_table() -> None:
    probabilities = [0.9, 0.1, 0.8, 0.2]
    assert settled("<table><tr><td>a b<td>c d<tr><td>e f<td>g h</table>", probabilities)[1].tolist() == probabilities


def test_a_heading_follows_what_it_heads() -> None:
    _, after = settled(f"<div><h2>Oaks</h2><p>{SENTENCE}</p></div>", [0.1, 0.8])
    assert after.tolist() == pytest.approx([0.72, 0.8])


def test_a_heading_is_not_lowered_by_what_follows() -> None:
    assert settled(f"<div><h2>Oaks</h2><p>{SENTENCE}</p></div>", [0.9, 0.1])[1].tolist() == [0.9, 0.1]


def test_stacked_headings_follow_each_other() -> None:
    _, after = settled(f"<h2>Oaks</h2><h3>Old oaks</h3><p>{SENTENCE}</p>", [0.1, 0.1, 1.0])
    assert after.tolist() == pytest.approx([0.81, 0.9, 1.0])


@pytest.mark.parametrize(
    "body",
    [
        f"<h2><a href=/>A linked heading</a></h2><p>{SENTENCE}</p>",
        f"<div><h2>Elsewhere</h2></div><p>{SENTENCE}</p>",
        f"<h1>The title</h1><p>{SENTENCE}</p>",
    ],
)
def test_other_headings_stay_as_they_were(body: str) -> None:
    assert settled(body, [0.1, 0.8])[1].tolist() == [0.1, 0.8]


@pytest.mark.parametrize("seed", range(20))
def test_settled_probabilities_are_probabilities(seed: int) -> None:
    rng = random.Random(seed)
    parts = [
        "<h2>Head</h2>",
        f"<p>{SENTENCE}</p>",
        "<ul><li>one<li>two<li>three</ul>",
        "<table><tr><td>a<td>b<tr><td>c<td>d</table>",
        "<div><h3>Inner</h3>text</div>",
    ]
    page = read("".join(rng.choices(parts, k=25)))
    probabilities = [rng.random() for _ in page.blocks.text]
    for after in (settle_structures(array("d", probabilities), page), settled_copies(probabilities, page)):
        assert len(after) == len(probabilities) and min(after) >= 0 and max(after) <= 1


# The whole judge


def test_kinds_are_the_page_types() -> None:
    assert get_args(PageType) == KINDS


def test_shipped_model_fits_the_evidence(article_html: str) -> None:
    page = read_page(article_html, "https://timber.example/2026/03/a", Options())
    judgement = judge_blocks(page, hints_of(page, (), None), shipped_model())
    assert len(judgement.probabilities) == len(page.blocks) and judgement.judge == "learned"
    assert all(0 <= p <= 1 for p in judgement.probabilities)
    assert judgement.kind.type == "article" and 0 < judgement.kind.confidence <= 1
    likely = [b for b, p in enumerate(judgement.probabilities) if p > 0.5]
    assert 0 <= judgement.predict(likely) <= 1
    assert judgement.predict(likely) > judgement.predict([b for b in range(len(page.blocks)) if b not in likely])


def test_a_page_without_text_has_no_probabilities() -> None:
    page = read("")
    judgement = judge_blocks(page, Hints(), shipped_model())
    assert judgement.probabilities == [] and judgement.predict([]) == 0.0


def test_what_stands_outside_the_best_container_is_judged_more_strictly(article_html: str) -> None:
    page = read_page(article_html, "https://timber.example/2026/03/a", Options())
    found = judge_blocks(page, hints_of(page, (), None), shipped_model()).reasons()
    strict = [next((reason.weight for reason in reasons if reason.id == "strict"), 0.0) for reasons in found]
    prose = [b for b, text in enumerate(page.blocks.text) if len(text) > 200 and ". " in text]
    assert min(strict) < -0.5 and len(prose) >= 3
    assert all(0.5 * min(strict) < strict[b] < 0 for b in prose)


def test_model_is_loaded_once_and_small(root: Any) -> None:
    assert shipped_model() is shipped_model() and isinstance(shipped_model(), Model)
    assert (root / "src/duramen/data/model/judge.safetensors").stat().st_size < 2_000_000


def test_hints_carry_types_and_the_first_vote_of_each_tier() -> None:
    head = (
        '<meta property="og:type" content="Article"><script type="application/ld+json">'
        '[{"@type": ["NewsArticle", "Thing"]}, {"@type": "Person"}]</script>'
    )
    page = read(f"<main><p>{SENTENCE}</p></main>", head)
    votes = [Candidate("semantic", "a", "", (4,)), Candidate("semantic", "b", "", (5,)), Candidate("pattern", "c", "")]
    hints = hints_of(page, votes, 7)
    assert hints.types == {"article", "newsarticle", "thing", "person"}
    assert hints.votes == {"semantic": (4,), "density": (7,)}
    assert all(len(ballot) == len(page.blocks) for ballot in hints.ballots.values())


# Content begins at its title

TITLED = "<title>Why keels were made of oak</title>"
STORY = f"<h1>Why keels were made of oak</h1><p>{SENTENCE}</p><p>{SENTENCE}</p><p>{SENTENCE}</p><p>{SENTENCE}</p>"


def test_what_stands_before_the_title_loses_its_probability() -> None:
    _, after = settled(f"<p>{SENTENCE} And more</p>{STORY}", [0.8, 0.3, 0.9, 0.9, 0.9, 0.9], TITLED)
    assert after.tolist() == pytest.approx([0.16, 0.3, 0.9, 0.9, 0.9, 0.9])


@pytest.mark.parametrize(
    ("body", "probabilities", "why"),
    [
        (f"{STORY}<h1>Why keels were made of oak</h1>", [0.3, 0.9, 0.9, 0.9, 0.9, 0.3], "said twice"),
        (
            f"<p>{SENTENCE}</p><h1>Why keels were made of oak</h1><p>Read it.</p>",
            [0.8, 0.3, 0.9],
            "hardly anything below",
        ),
        (f"<p>{SENTENCE}</p>{STORY.replace('h1', 'h3')}", [0.8, 0.9, 0.9, 0.9, 0.9, 0.9], "no main heading"),
        (f"<p>{SENTENCE * 20}</p>{STORY}", [0.8, 0.3, 0.2, 0.2, 0.2, 0.2], "most is above"),
    ],
)
def test_a_title_is_no_beginning_when(body: str, probabilities: list[float], why: str) -> None:
    assert settled(body, probabilities, TITLED)[1].tolist() == pytest.approx(probabilities), why


# Code and embedded posts


def test_doubtful_code_goes_with_the_text_around_it() -> None:
    body = f"<p>{SENTENCE}</p><pre>saw(beam)</pre><p>{SENTENCE} Then</p>"
    assert settled(body, [0.9, 0.4, 0.8])[1].tolist() == pytest.approx([0.9, 0.8, 0.8])
    assert settled(body, [0.9, 0.1, 0.8])[1].tolist() == pytest.approx([0.9, 0.1, 0.8])
    assert settled(body, [0.9, 0.4, 0.1])[1].tolist() == pytest.approx([0.9, 0.4, 0.1])


def test_an_embedded_post_keeps_the_line_with_its_link() -> None:
    body = "<blockquote class='twitter-tweet x'><p>The mill burns</p>By <a href=/1>Mia, 1 March</a></blockquote>"
    assert settled(body, [0.8, 0.3])[1].tolist() == [0.8, 0.8]
    assert settled(body.replace("twitter-tweet", "quote"), [0.8, 0.3])[1].tolist() == [0.8, 0.3]


def test_nested_contents_are_kept_or_dropped_whole() -> None:
    body = (
        "<ul><li><a href=#a>Woods</a><ul><li><a href=#b>Oak</a></li><li><a href=#c>Ash</a></li></ul></li>"
        f"<li><a href=#d>Tools</a></li></ul><p>{SENTENCE}</p>"
    )
    after = settled(body, [0.4, 0.6, 0.3, 0.7, 0.9])[1].tolist()
    assert after == pytest.approx([0.5, 0.5, 0.5, 0.5, 0.9])
    prose = body.replace("<a href=#b>Oak</a>", "Oak, which is hard and dark and good for keels")
    assert settled(prose, [0.4, 0.6, 0.3, 0.7, 0.9])[1].tolist() != pytest.approx([0.5, 0.5, 0.5, 0.5, 0.9])


@pytest.mark.parametrize(
    "notes",
    [
        "<aside role=doc-footnote id=n1><p>{}</p></aside>",
        "<div class='page-footnotes'><ol><li id=n1>{}</li></ol></div>",
        "<dl class='footnote brackets'><dt id=n1>1</dt><dd>{}</dd></dl>",
    ],
)
def test_a_footnote_is_as_likely_as_what_refers_to_it(notes: str) -> None:
    told = f"<p>{SENTENCE} <a href=#n1>1</a></p><p>{SENTENCE} Unlike beech.</p><hr>{notes.format('A note on beech.')}"
    probabilities = [0.9, 0.9, *[0.1] * (2 if "<dt" in notes else 1)]
    texts, after = settled(told, probabilities)
    assert texts[-1] == "A note on beech." and after[-1] > 0.7
    _, alone = settled(told.replace("href=#n1", "href=#n2"), probabilities)
    assert alone[-1] == 0.1, "nothing refers to it"


def test_a_date_below_the_title_is_metadata() -> None:
    head = "<title>Oaks and their rings</title>"
    body = f"<h1>Oaks and their rings</h1><time datetime=2026-03-14>March 14, 2026</time><p>{SENTENCE}</p>"
    assert settled(body, [0.9, 0.8, 0.9], head)[1][1] < 0.2
    told = f"<h1>Oaks and their rings</h1><p>On <time>March 14</time> the keel was laid.</p><p>{SENTENCE}</p>"
    assert settled(told, [0.9, 0.8, 0.9], head)[1][1] == 0.8, "a date in a sentence"
    later = f"<h1>Oaks and their rings</h1>{f'<p>{SENTENCE}</p>' * 3}<time>March 14, 2026</time>"
    assert settled(later, [0.9] * 4 + [0.8], head)[1][-1] == 0.8


def test_a_list_of_links_to_tags_is_metadata() -> None:
    filed = "<ul><li><a href=/tags/slates/>Slates</a><li><a href=/tags/winter/>Winter</a></ul>"
    assert max(settled(f"<p>{SENTENCE}</p>{filed}", 0.8)[1][1:]) < 0.2
    for other in (filed.replace("/tags/winter/", "/winter/"), filed.replace("Winter<", "Winter</a> came late.<a><")):
        assert min(settled(f"<p>{SENTENCE}</p>{other}", 0.8)[1][1:]) == pytest.approx(0.8)
