"""What a notebook shows of a result, and results that are copied or sent to another process."""

from __future__ import annotations

import copy
import json
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from duramen import Options, Output, Result, extract
from duramen.dom import fragment
from duramen.errors import InputError
from duramen.refine.sanitize import sanitize


def test_a_notebook_shows_what_is_known_above_the_content(article_html: str) -> None:
    result = extract(article_html, "https://timber.example/beams?a=1&b=2")
    shown = result._repr_html_()
    head, _, body = shown.partition("<hr>")
    assert head.startswith("<h1>Why old beams outlast new ones</h1>")
    for fact in ("good, expected F1 0.9", "article", "Ines Halvorsen", "2026-03-14", "The Timber Review"):
        assert fact in head
    assert 'href="https://timber.example/beams?a=1&amp;b=2"' in head
    assert body == result.html


@pytest.mark.parametrize("url", ["javascript:alert(1)", 'https://a.example/"><script>alert(1)</script>', None])
def test_what_a_notebook_shows_is_sanitized(url: str | None) -> None:
    page = "<title><script>alert(1)</script> &amp; <img src=x onerror=alert(1)></title><p onclick=alert(1)>Oaks.</p>"
    shown = extract(page, url)._repr_html_()
    assert "<script" not in shown and "<img" not in shown and "onclick" not in shown
    assert 'href="javascript:' not in shown
    assert shown == sanitize(fragment(shown), Output())


def test_a_notebook_says_that_nothing_was_found() -> None:
    shown = extract("", options=Options(output=Output(links=False)))._repr_html_()
    assert "empty" in shown and "Nothing was found on this page." in shown


def _assert_alike(one: Result, other: Result) -> None:
    assert other == one
    assert (other.html, other.text, other.markdown) == (one.html, one.text, one.markdown)
    assert other.to_json() == one.to_json()
    # The trace still explains: it reads the page again, which it remembers.
    assert other.trace.blocks and other.trace.blocks == one.trace.blocks
    assert other.trace.removals == one.trace.removals


@pytest.mark.parametrize("given", ["bytes", "utf-16", "str"])
def test_a_result_can_be_pickled_and_copied(given: str, article_html: str) -> None:
    page: bytes | str = article_html
    if given != "str":
        page = article_html.encode("utf-8" if given == "bytes" else given)
    result = extract(page, "https://timber.example/beams")
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        _assert_alike(result, pickle.loads(pickle.dumps(result, protocol)))
    _assert_alike(result, copy.deepcopy(result))
    _assert_alike(result, copy.copy(result))


def test_pages_can_be_extracted_in_other_processes(article_html: str) -> None:
    pages: list[bytes | str] = [article_html.encode(), article_html]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for page, result in zip(pages, pool.map(extract, pages), strict=True):
            _assert_alike(extract(page), result)


def test_a_result_is_shown_in_one_short_line(article_html: str) -> None:
    shown = repr(extract(article_html, "https://timber.example/beams"))
    assert shown.startswith("<Result 'Why old beams outlast new ones': article, good (0.9")
    assert shown.endswith("words, https://timber.example/beams>") and len(shown) < 130
    assert repr(extract("")) == "<Result without a title: article, empty (0.00), no words>"
    long = repr(extract(f"<title>{'Oaks &#10; beams ' * 100}</title><p>Oaks.", "https://e.org/" + "x" * 5000))
    assert len(long) < 220 and "\n" not in long


def test_results_are_compared_by_value_and_can_be_hashed(article_html: str) -> None:
    one, same, other = extract(article_html), extract(article_html), extract(article_html, "https://timber.example/")
    assert one == same and hash(one) == hash(same) and hash(one.metadata) == hash(same.metadata)
    assert one != other and {one, same, other} == {one, other}


def test_threads_get_the_same_results(article_html: str, docs_html: str) -> None:
    pages: list[bytes | str] = [article_html, docs_html.encode()] * 4
    with ThreadPoolExecutor(4) as pool:
        for page, result in zip(pages, pool.map(extract, pages), strict=True):
            _assert_alike(extract(page), result)
        shared = extract(article_html)
        forms = set(pool.map(lambda _: (shared.text, shared.markdown, len(shared.trace.blocks)), range(16)))
    assert len(forms) == 1


FIGURE = "<figure><img src=/oak.jpg width=600 height=400><figcaption>An oak in winter</figcaption></figure>"


@pytest.mark.parametrize("output", [Output(), Output(captions=True, front_matter=True, links=False)])
def test_plain_data_becomes_the_same_result(article_html: str, output: Output) -> None:
    page = article_html.replace("<p>", f"{FIGURE}<p>", 1)
    for html in (page, "", "<p>Oaks."):
        result = extract(html, "https://timber.example/beams", Options(output=output, visible_only=True))
        again = Result.from_dict(json.loads(result.to_json(trace=True)))
        _assert_same_values(result, again)
        _assert_same_values(result, pickle.loads(pickle.dumps(again)))
        short = json.loads(result.to_json())
        assert Result.from_dict(short).to_dict() == short
        assert Result.from_dict(short).trace.blocks == ()


def test_plain_data_with_records_has_the_same_records() -> None:
    thread = Path(__file__).parents[1] / "sites" / "written" / "phpbb" / "guide.html"
    result = extract(thread.read_bytes(), "https://timber.example/1")
    data = json.loads(result.to_json(records=True))
    again = Result.from_dict(data)
    assert result.records and again.records == result.records
    assert again.to_dict(records=True) == data and again.chunks() == result.chunks()
    with pytest.raises(InputError, match="not the data of a result"):
        Result.from_dict(data | {"records": [{"kind": "oak"}]})


def _assert_same_values(one: Result, other: Result) -> None:
    assert other == one and other.to_dict(trace=True) == one.to_dict(trace=True)
    assert other.trace.blocks == one.trace.blocks and other.trace.removals == one.trace.removals
    assert other.chunks() == one.chunks() and other.links == one.links


@pytest.mark.parametrize("data", [{}, {"html": "<p>Oaks."}, {"limits": [], "warnings": []}, {"trace": 3}, []])
def test_other_data_is_refused(data: object) -> None:
    with pytest.raises(InputError, match=r"not the data of a result.*Result\.to_dict"):
        Result.from_dict(data)  # type: ignore[arg-type]


def test_the_name_of_a_player_is_not_said_on_the_page() -> None:
    words = "<p>Oaks live for centuries, and their heartwood is hard, dark and durable."
    player = '<iframe src="https://www.youtube.com/embed/abc123def45" title="Oaks at night"></iframe>'
    result = extract(f"<article>{words}{player}{words[:-1]}!<video src=/a.mp4></video>{words}", url="https://e.org/")
    assert "youtube" not in result.text
    assert "night" not in result.text
    assert "a.mp4" not in result.text
    assert "[Oaks at night](https://www.youtube.com/watch?v=abc123def45)" in result.markdown
    assert "<https://e.org/a.mp4>" in result.markdown
    picture = '<p><a href="/oaks"><img src="data:image/gif;base64,R0lGODlhAQABAA==" alt="Oaks in winter light"></a>'
    result = extract(f"<article>{words}{picture}{words[:-1]}!", url="https://e.org/")
    assert "winter" not in result.text
    assert "[Oaks in winter light](https://e.org/oaks)" in result.markdown
