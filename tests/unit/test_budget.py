"""A page gets the time it is given: by size beforehand, by the clock for the rest; and the result says what was cut."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable

import pytest

import duramen
from duramen.budget import Budget
from duramen.options import Limits, Options

S = "Oak heartwood is hard, dark and durable, and for centuries shipwrights chose it for keels and ribs. "
SLOWER = float(os.environ.get("DURAMEN_SLOWER", "1"))


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """The first page of a process also pays for reading the model and the tables."""
    duramen.extract(f"<p>{S}</p>")


def body(unit: str, size: int = 5_000_000) -> str:
    return "<title>Oaks</title><body>" + unit * (size // len(unit))


DATA = f'<script type="application/ld+json">{json.dumps({"@type": "Article", "articleBody": "a" * 500_000})}</script>'
PAGES: dict[str, Callable[[], str]] = {
    "paragraphs": lambda: body(f"<p>{S}</p>"),
    "short paragraphs": lambda: body("<p>oak is hard</p>"),
    "links": lambda: body(f'<p><a href="/x">{S}</a> {S}</p>'),
    "pictures": lambda: body(f'<p>{S}<img src="a.png" alt=x></p>'),
    "rows": lambda: body("<table><tr><td>oak wood<td>three four</table>"),
    "depth": lambda: body("<div>oak beams are hard "),
    "misnested": lambda: body("<a><b><i><p>oak ", 3_000_000),
    "code": lambda: body('<pre><span class="k">let</span> oak = 1;\n</pre>'),
    "formulas": lambda: body("<p>Oak <math><mfrac><mi>x</mi><mn>2</mn></mfrac></math> is</p>"),
    "notes": lambda: body('<p>Oak is hard<sup><a href="#fn1">1</a></sup> and dark</p>'),
    "one text": lambda: body(S),
    "data": lambda: DATA + body("<p>" + "a" * 39 + "b</p>"),
}


@pytest.mark.parametrize("name", PAGES)
def test_the_time_holds_and_the_result_says_so(name: str) -> None:
    page, seconds = PAGES[name](), 0.3
    started = time.thread_time()
    result = duramen.extract(page, "https://example.org/", Options(limits=Limits(seconds=seconds)))
    # Half as long again for one stage that began in time, and what cannot be cut short.
    assert time.thread_time() - started < SLOWER * (1.5 * seconds + 0.3)
    assert result.trace.limits and result.quality.verdict != "good"
    assert any(reason.startswith("truncated") for reason in result.quality.reasons)
    assert "oak" in result.text.lower() or "aaa" in result.text


def test_the_size_that_is_read_follows_from_the_budget() -> None:
    small, usual = Budget(Limits(seconds=0.5)), Budget(Limits())
    assert (small.characters, small.nodes) == (2_000_000, 25_000)
    assert (usual.characters, usual.nodes) == (Limits().max_bytes, Limits().max_nodes)
    assert Budget(Limits(seconds=1e-9)).nodes == 1


def test_without_time_headings_and_paragraphs_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    # How soon real time is up depends on the machine.
    monkeypatch.setattr(Budget, "covers", lambda budget, draft: False)
    page = (
        "<title>Oaks</title><body><article><h1>Oaks</h1><h2>The &lt;tree&gt;</h2>"
        + "".join(f"<p>{S} This is the tree of the year {year}.<a href=/x>More</a></p>" for year in range(1700, 2000))
        + "</article>"
    )
    result = duramen.extract(page, "https://example.org/")
    assert "<h2>The &lt;tree&gt;</h2>" in result.html and "<p>Oak heartwood" in result.html
    assert "<a " not in result.html and result.quality.verdict == "partial"
    assert any("no time left" in limit for limit in result.trace.limits)


def test_other_threads_do_not_use_up_the_budget() -> None:
    budget = Budget(Limits(seconds=1))
    time.sleep(0.05)
    assert budget.spent() < 0.04 and not budget.is_half_spent()


@pytest.mark.parametrize(
    "selector", ["body:has(.z) p", "p:not(:has(.z)) ~ p", "//p[following::z]", "//p[count(.//p)>1]"]
)
def test_a_page_cannot_order_costly_work(selector: str) -> None:
    data = {"@type": "Article", "speakable": {"cssSelector": [selector] * 10, "xpath": [selector]}}
    page = f'<script type="application/ld+json">{json.dumps(data)}</script>' + body(f"<p>{S}</p>", 2_000_000)
    result = duramen.extract(page)
    assert not [a for a in result.trace.attempts if a.candidate.rule_id == "data-speakable"]


def test_more_tags_than_any_page_has_are_cut_off_before_they_are_parsed() -> None:
    budget = Budget(Limits())
    assert budget.tags_in(1_000_000) == 2 * budget.nodes_in(1_000_000) == 110_000
    result = duramen.extract(f"<p>{S}</p>" + "<i></i>" * 140_000)
    assert result.trace.limits[0].startswith("input cut off after 109,0")
    assert result.quality.verdict != "good" and "Oak heartwood" in result.text
