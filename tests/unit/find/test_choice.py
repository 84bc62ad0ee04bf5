"""The choice between candidates: what a failed check costs."""

from __future__ import annotations

import json

import pytest

import duramen
from duramen.find.choice import FAILED, choose
from duramen.find.judge import Judgement
from duramen.find.removals import Mark
from duramen.model import Candidate, PageKind
from duramen.options import Options
from duramen.page import Page
from duramen.read.reader import read_page

GUIDES = {
    "Install the firing server": "Download the server, set the data directory, open the port in the firewall and check"
    " that the status page answers.",
    "Connect a kiln controller": "Wire the controller to the serial port, name it in the configuration file, and watch"
    " the first temperature readings arrive.",
    "Write a firing schedule": "A schedule is a list of ramps and holds. This guide builds one for earthenware and"
    " explains what each of its numbers does.",
    "Record and compare firings": "Every firing is stored with its readings. Learn how to tag them, how to plot two of"
    " them together, and how to export the data.",
    "Send alerts to your phone": "When a thermocouple fails or a hold takes too long, the server can call a web hook."
    " Set up one and test it without heat.",
    "Run several kilns at once": "Share one power limit between kilns, so that the breaker never trips, and let the"
    " server decide which one may heat next.",
}


def test_documentation_whose_cards_are_whole_links_is_kept() -> None:
    cards = "".join(
        f'<a class="card" href="/docs/{n}"><h3>{title}</h3><p>{text}</p></a>'
        for n, (title, text) in enumerate(GUIDES.items())
    )
    result = duramen.extract(
        f"""<!DOCTYPE html><html lang="en"><head><title>Guides - Kiln documentation</title></head><body>
        <header><a href="/">Kiln</a><nav><ul><li><a href="/docs">Docs</a><li><a href="/api">API</a></ul></nav></header>
        <div class="layout"><nav class="sidebar"><ul><li><a href="/a">Introduction</a><li><a href="/b">Installation</a>
        </ul></nav><main class="docs-content markdown-body"><h1>Guides</h1><div class="content">
        <p>Pick the guide that is closest to what you want to build, and come back for the others.</p></div>
        <div class="grid">{cards}</div></main></div><footer><p>© Kiln</p></footer></body></html>""",
        url="https://kiln.example/docs/guides",
    )
    assert result.page_type == "documentation"
    assert all(title in result.text and text in result.text for title, text in GUIDES.items())


LINKS = "".join(f'<li><a href="/{n}">A linked sentence about keels and ribs of oak, number {n}.</a>' for n in range(9))
PROSE = "<p>Oak heartwood is hard, dark and durable, and shipwrights chose it for keels, ribs and pegs.</p>" * 4


@pytest.fixture
def page() -> Page:
    return read_page(
        f"<title>Oaks</title><body><ul>{LINKS}</ul><div class=small>{PROSE}</div><footer>Imprint</footer>",
        None,
        Options(),
    )


@pytest.mark.parametrize(("probability", "winner"), [(0.9, "scoring"), (0.4, "semantic")])
def test_a_failed_check_costs_no_more_than_it_may(page: Page, probability: float, winner: str) -> None:
    """Without the links the candidate is valid, but expects much less, or only a little less."""
    probabilities = [probability] * 9 + [0.4] * 4 + [0.0]
    judgement = Judgement(probabilities, PageKind("article", 0.9), "learned", lambda _: 0.0)
    small = next(i for i, name in enumerate(page.tree.cls) if name == "small")
    choice = choose(page, (), (Candidate("semantic", "small", "", nodes=(small,)),), judgement, "balanced")
    scores = {attempt.candidate.tier: attempt.score for attempt in choice.attempts}
    assert (scores["scoring"] - scores["semantic"] > FAILED) == (winner == "scoring")
    assert choice.tier == winner
    assert any(not check.passed for check in choice.attempts[1].checks)


def test_a_failed_framework_is_not_trusted(page: Page) -> None:
    judgement = Judgement([0.1] * 9 + [0.9] * 4 + [0.0], PageKind("article", 0.9), "learned", lambda _: 0.0)
    links = page.tree.tagged({"ul"})
    choice = choose(page, (), (Candidate("site_rule", "links", "", nodes=tuple(links)),), judgement, "balanced")
    assert choice.tier == "scoring"


@pytest.mark.parametrize(("words", "tier"), [(86, False), (140, True)])
def test_data_has_to_be_much_richer_than_the_text_that_a_page_shows(words: int, tier: bool) -> None:
    data = json.dumps({"@type": "Article", "headline": "Oak", "articleBody": "Heartwood lasts. " * (words // 2)})
    shown = "The carpenters of the valley cut every beam by hand in winter, when boards warp less and roads freeze. "
    html = f"<title>Oak</title><script type=application/ld+json>{data}</script><article><h1>Oak</h1><p>{shown * 3}"
    assert (duramen.extract(html).tier == "structured") is tier


def chosen(page: Page, probabilities: list[float], *rows: str) -> list[str]:
    """What is kept where removal rows are sure of elements of these classes."""
    marks = [Mark(page.tree.cls.index(name), "row", "", sure=True) for name in rows]
    judgement = Judgement(probabilities, PageKind("article", 0.9), "learned", lambda _: 0.0)
    choice = choose(page, marks, (), judgement, "balanced")
    return [page.blocks.text[b] for b in choice.kept]


@pytest.mark.parametrize(
    ("probability", "size", "stays"),
    [(0.9, 1, True), (0.55, 1, False), (0.55, 4, True)],
    ids=["the judge is certain", "the judge is not", "much of what may be expected is in it"],
)
def test_a_sure_row_gives_way_to_a_certain_judge(probability: float, size: int, stays: bool) -> None:
    aside = "<p>Elm is soft, and nobody builds a ship or a mill of it.</p>" * size
    page = read_page(f"<title>Oaks</title><body><div>{PROSE}</div><div class=more>{aside}</div>", None, Options())
    kept = chosen(page, [0.9] * 4 + [probability] * size, "more")
    assert any(text.startswith("Elm") for text in kept) is stays


@pytest.mark.parametrize(("words", "tier"), [(60, "structured"), (100, "scoring")])
def test_a_page_with_eighty_words_of_its_own_needs_no_hydration(words: int, tier: str) -> None:
    state = json.dumps({"props": {"article": {"body": "<p>Heartwood lasts for centuries.</p>" * 60}}})
    shown = " ".join(["oak"] * (words - 1) + ["tree."])
    page = read_page(
        f'<title>Oak</title><body><p>{shown}</p><script id="__NEXT_DATA__" type="application/json">{state}</script>',
        None,
        Options(),
    )
    judgement = Judgement([0.9] * len(page.blocks), PageKind("article", 0.9), "learned", lambda _: 0.9)
    assert choose(page, (), (), judgement, "balanced").tier == tier


def test_the_lead_of_a_framework_is_below_the_title() -> None:
    lead = "The oak of the mill is four hundred years old, and nobody who lives there remembers who planted it, or why."
    above = lead.replace("oak", "elm")
    body = f"<p>{above}</p><h1>Old oaks of the mill</h1><p>{lead}</p><div class=entry-content>{PROSE}</div>"
    head = '<meta name="generator" content="WordPress 6.5"><title>Old oaks of the mill</title>'
    page = read_page(f"<html><head>{head}</head><body>{body}</body></html>", None, Options())
    judgement = Judgement([0.9] * len(page.blocks), PageKind("article", 0.9), "learned", lambda _: 0.9)
    content = page.tree.cls.index("entry-content")
    choice = choose(page, (), (Candidate("framework", "wordpress", "", nodes=(content,)),), judgement, "balanced")
    texts = [page.blocks.text[b] for b in choice.kept]
    assert choice.tier == "framework" and lead in texts and above not in texts
