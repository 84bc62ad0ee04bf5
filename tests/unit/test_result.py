"""What a notebook shows of a result."""

from __future__ import annotations

import pytest

from duramen import Options, Output, extract
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
