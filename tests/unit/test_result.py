"""What a notebook shows of a result, and results that are copied or sent to another process."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from duramen import Options, Output, Result, extract
from duramen.dom import fragment
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
