"""Why pages of a category that misses its target fail: the truth, the page, or us, by evidence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from duramen.cli import main
from duramen.corpus import Corpus
from duramen.evaluation.causes import Miss, misses_of
from duramen.evaluation.figures import figures_of
from duramen.evaluation.run import Plan, evaluate
from duramen.evaluation.shown import ShownPage
from duramen.flatten import parse_tree

TEXT = " ".join(f"Ring {k} of this oak is wide, since that summer was wet and long." for k in range(14))
PAGE = (
    "<html lang=en><title>Oaks and rings</title><main><h1>Oaks and rings</h1>"
    f"<p class=byline>By Ada Lovelace</p><p class=date>May 3, 2019</p><p>{TEXT}</p></main>"
)
RIGHT = {"title": "Oaks and rings", "author": "Ada Lovelace", "date": "2019-05-03", "text": TEXT}


def misses(folder: Path, html: str = PAGE, wanted: list[str] | None = None, **truth: Any) -> list[Miss]:
    (folder / "html").mkdir()
    (folder / "html" / "1.html").write_text(html, encoding="utf-8")
    record = {"id": "1", "url": "https://www.bbc.co.uk/news/oaks", "kind": "article", **RIGHT, **truth}
    record["with"] = wanted or []
    (folder / "truth.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    corpus = Corpus(folder)
    scores = list(evaluate(corpus, Plan(workers=1)))
    return list(misses_of(corpus, scores, figures_of({}, scores).categories, 0.8))


def test_a_right_page_has_no_miss(tmp_path: Path) -> None:
    assert misses(tmp_path) == []


@pytest.mark.parametrize(
    ("truth", "field", "blame"),
    [
        ({"title": "A storm in the mountains"}, "title", "truth"),
        ({"title": "Ring 7 of this oak is wide"}, "title", "us"),
        ({"author": "Mary Shelley"}, "author", "truth"),
        ({"author": "By Mary Shelley and This Oak"}, "author", "us"),
        ({"date": "2011-11-23"}, "date", "truth"),
        ({"text": "Nothing of all this can be read on the page, whatever one does with it. " * 9}, "content", "truth"),
    ],
)
def test_what_the_page_does_not_have_is_the_truths(
    truth: dict[str, Any], field: str, blame: str, tmp_path: Path
) -> None:
    [miss] = misses(tmp_path, **truth)
    assert (miss.field, miss.blame, miss.category, miss.id) == (field, blame, "major-news", "1")
    if field != "content":
        assert (miss.want, miss.got) == (truth[field], RIGHT[field])


def test_a_day_that_is_shown_elsewhere_is_ours(tmp_path: Path) -> None:
    [miss] = misses(
        tmp_path, PAGE.replace("</main>", "<p>The old one fell on 23 November 2011.</p></main>"), date="2011-11-23"
    )
    assert (miss.blame, miss.got) == ("us", "2019-05-03")


def test_content_in_scripts_is_the_pages(tmp_path: Path) -> None:
    html = f"<title>Oaks and rings</title><h1>Oaks and rings</h1><p>Loading</p><script>app('{TEXT}')</script>"
    found = misses(tmp_path, html, author="", date="")
    assert [(miss.field, miss.blame) for miss in found] == [("content", "page")]


def test_content_that_is_there_and_not_kept_is_ours(tmp_path: Path) -> None:
    links = " ".join(f"<li><a href=/{k}>Offer number {k} of the shop</a>" for k in range(60))
    html = PAGE.replace("</main>", f"</main><footer class=footer><ul>{links}</ul></footer>")
    [miss] = misses(tmp_path, html, text=" ".join(f"Offer number {k} of the shop" for k in range(60)))
    assert (miss.field, miss.blame) == ("content", "us") and "recall 0.0" in miss.why


def test_snippets_that_are_nowhere_are_the_truths(tmp_path: Path) -> None:
    [miss] = misses(tmp_path, text="", wanted=["no such sentence"])
    assert (miss.field, miss.blame) == ("content", "truth")


def test_categories_that_meet_their_target_are_not_explained(tmp_path: Path) -> None:
    assert misses(tmp_path, category="documentation", title="A storm in the mountains") == []


def test_the_report_lists_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    misses(tmp_path, author="<b>Mary</b> Shelley")
    out = tmp_path / "out"
    assert main(["eval", str(tmp_path), "--workers", "1", "--quiet", "--output", str(out)]) == 0
    text = capsys.readouterr().out
    assert "major news: 1 fields of 1 pages are wrong; truth 1, page 0, us 0" in text
    assert "author: truth, neither the page's text nor its data have this author" in text
    assert json.loads((out / "report.json").read_text(encoding="utf-8"))["misses"][0]["got"] == "Ada Lovelace"
    html = (out / "report.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;Mary&lt;/b&gt; Shelley" in html and "<b>Mary" not in html


@pytest.mark.parametrize(
    ("html", "day", "has"),
    [
        ("<p>3 May 2019</p>", "2019-05-03", True),
        ("<p>3 <b>May</b> <i>2019</i></p>", "2019-05-03", True),
        ("<time datetime=2019-05-03>x</time>", "2019-05-03", True),
        ("<p>03.05.19</p>", "2019-05-03", True),
        ("<script>{'date': '20190503'}</script>", "2019-05-03", True),
        ("<p>4 May 2019</p>", "2019-05-03", False),
        (f"<p>May 2019</p><p>3 oaks</p><p>{TEXT}</p>", "2019-05-03", False),
    ],
)
def test_days_are_found_by_their_numbers(html: str, day: str, has: bool) -> None:
    assert ShownPage(parse_tree(html)).has_day(day) is has
