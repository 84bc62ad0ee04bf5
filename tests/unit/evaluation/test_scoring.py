"""Scores of pages: by hand on small ones, and against the scorer beside the corpora on real ones."""

from __future__ import annotations

import importlib.util
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from duramen import Result, extract
from duramen.corpus import Corpus, Truth
from duramen.evaluation.categories import categories, category, category_of
from duramen.evaluation.figures import figures_of
from duramen.evaluation.scoring import PageScore, overlap, plain_text, score_page, structure

PAGE = (
    "<html lang=en><title>Oaks</title><meta name=author content='Ines Halvorsen'>"
    "<meta property=article:published_time content=2026-03-14T23:30:00-05:00>"
    "<main><h1>Oaks</h1><p>Oaks live for centuries, and their <a href=/heart>heartwood</a> is hard and dark.</p></main>"
)


def result() -> Result:
    made = extract(PAGE, "https://a.example/oaks")
    assert made.text == "Oaks live for centuries, and their heartwood is hard and dark."
    return made


def test_words_are_compared_as_multisets() -> None:
    truth = Truth("1", text="oaks live for CENTURIES and their heartwood is hard and dark forever and ever")
    score = score_page(truth, result())
    assert (score.precision, score.recall) == (1.0, 11 / 14)
    assert score.score == pytest.approx(2 * 11 / 14 / (1 + 11 / 14))
    assert overlap(Counter(), Counter("ab")) == (0.0, 0.0)
    assert overlap(Counter("ab"), Counter()) == (0.0, 1.0)
    assert overlap(Counter(), Counter()) == (1.0, 1.0)


def test_snippets_alone_make_a_score() -> None:
    truth = Truth("1", wanted=("Oaks live", "oaks live", "gone"), unwanted=("cookies", "dark"))
    score = score_page(truth, result())
    assert score.snippets == (1, 2, 1, 1)
    assert score.score == 2 / 5
    assert (score.missing, score.rubbish) == (("oaks live", "gone"), ("dark",))
    # Where the text was written down, case says nothing.
    assert score_page(Truth("1", text="x", wanted=("oaks live",)), result()).snippets == (1, 0, 0, 0)


def test_structure_and_text_of_reference_html() -> None:
    html = (
        "<div><h2>A b</h2><a href=/x>Heart wood</a><a>no link</a><pre>x = 1</pre><table><td>7</table>s<b>plit</b></div>"
    )
    found = structure(html)
    assert {part: dict(count) for part, count in found.items()} == {
        "links": {"heartwood": 1},
        "heads": {"ab": 1},
        "code": {"x=1": 1},
        "cells": {"7": 1},
    }
    assert plain_text("s<b>plit</b><!-- gone -->").split() == ["s", "plit"]
    score = score_page(Truth("1", html="<p>Oaks <a href=/heart>heartwood</a> <a href=/no>bark</a></p>"), result())
    assert score.parts == {"links": 0.5}


def test_metadata_is_right_wrong_or_not_judged() -> None:
    truth = Truth("1", title="Oaks", author="By Ines Halvorsen", date="2026-03-15")
    score = score_page(truth, result())
    assert (score.title, score.author, score.date, score.score) == (True, True, True, None)
    score = score_page(Truth("1", title="Bark", author="Mira Oduya", date="2026-03-12"), result())
    assert (score.title, score.author, score.date) == (False, False, False)
    score = score_page(Truth("1", text="x"), result())
    assert (score.title, score.author, score.date) == (None, None, None)
    failed = score_page(Truth("1", text="x", title="Oaks", date="2026-03-15"), None, "timeout: too long")
    assert (failed.score, failed.title, failed.date, failed.failure) == (0.0, False, False, "timeout: too long")


def test_categories_fit_by_rows() -> None:
    fits = {
        ("https://www.theguardian.com/books/x", "article"): "major-news",
        ("https://www.theguardian.com/books", "listing"): "aggregator",
        ("https://news.ycombinator.com/item", "forum"): "aggregator",
        ("https://www.kxan.com/news/x", "article"): "regional-news",
        ("https://www.badische-zeitung.de/x", "article"): "regional-news",
        ("https://oaks.example/blog/rings", "article"): "blog",
        ("https://oaks.example/rings", "article"): "article",
        ("https://kff.example/newsletter", "article"): "article",
        ("https://docs.example/x", "documentation"): "documentation",
        ("http://[broken", "article"): "other",
        ("https://oaks.example/rings", "recipe"): "other",
    }
    assert {page: category_of(Truth("1", *page)) for page in fits} == fits
    assert category_of(Truth("1", None, "article", category="of-mine")) == "of-mine"
    assert category("of-mine").asks == ("title", "content")


def test_category_rows_ask_what_was_promised() -> None:
    asked = {row.id: (row.target, row.asks) for row in categories() if row.target}
    title_content = ("title", "content")
    assert asked == {
        "aggregator": (0.8, title_content),
        "aggregator-site": (0.8, title_content),
        "major-news": (0.95, ("title", "content", "author", "date")),
        "blog": (0.9, title_content),
        "regional-news": (0.9, title_content),
    }
    assert all(row.reason for row in categories())


def test_success_needs_all_that_is_asked_and_known() -> None:
    def page(id: str, **facts: Any) -> PageScore:
        return PageScore(id, None, "article", "major-news", **facts)

    scores = [
        page("1", score=0.9, precision=0.9, recall=0.9, title=True, author=True, date=True, verdict="good"),
        page("2", score=0.9, precision=0.9, recall=0.9, title=True, author=False, date=True, verdict="good"),
        page("3", score=0.79, precision=0.9, recall=0.7, title=True, verdict="partial"),
        page("4", score=0.8, precision=0.8, recall=0.8, verdict="good"),
    ]
    figures = figures_of({}, scores, 0.8, 2)
    (news,) = figures.categories
    assert (news.pages, news.success, news.target) == (4, 0.5, 0.95)
    assert news.right == {"title": 1.0, "content": 0.75, "author": 0.5, "date": 1.0}
    assert [one.id for one in figures.worst] == ["3", "4"]
    assert dict(figures.curve)[0.8] == 0.75 and dict(figures.curve)[0.9] == 0.5
    assert {group.id: group.pages for group in figures.verdicts} == {"good": 3, "partial": 1, "poor": 0, "empty": 0}


def test_scores_survive_json() -> None:
    score = score_page(Truth("1", text="Oaks live long", wanted=("Oaks",), title="Oaks"), result())
    assert PageScore.from_dict(asdict(score)) == score


@pytest.mark.shared
@pytest.mark.parametrize("name", ["wcxb-dev", "snippets-dev", "reader-dev"])
def test_figures_are_those_of_the_scorer_beside_the_corpora(shared: Path, name: str) -> None:
    spec = importlib.util.spec_from_file_location("shared_bench", shared / "eval" / "bench.py")
    assert spec is not None and spec.loader is not None
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    corpus = Corpus(shared / "corpora" / name)
    tally, scores = bench.Tally(), []
    for truth in list(corpus)[:: max(1, len(corpus) // 40)]:
        made = extract(corpus.page(truth.id, 16_000_000), truth.url)
        record = {"id": truth.id, "kind": truth.kind, "text": truth.text, "html_truth": truth.html}
        tally.add(record | {"with": truth.wanted, "without": truth.unwanted}, made.text, made.html, 0.0)
        scores.append(score_page(truth, made))
    theirs = tally.summary()
    figures = figures_of({}, scores)
    assert figures.overall == pytest.approx(
        {k: v for k, v in theirs.items() if k not in ("pages", "ms", "fail", "kinds")}
    )
    if theirs["kinds"]:
        assert {g.id: g.score for g in figures.kinds if g.id in theirs["kinds"]} == pytest.approx(theirs["kinds"])
    ours = {score.id: score.score for score in scores}
    assert ours == pytest.approx({id: score for score, id, _, _ in tally.pages})
