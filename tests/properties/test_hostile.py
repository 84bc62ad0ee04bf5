"""Pages made to hurt: a result with a verdict, in bounded time, without recursion; time grows with the size only."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

import duramen
from duramen import Result

P = "<p>Oak heartwood is hard, dark and durable, and shipwrights chose it for keels.</p>"
SECONDS = 10 * float(os.environ.get("DURAMEN_SLOWER", "1"))
"""CPU time that a hostile page may take; ``DURAMEN_SLOWER=3`` allows a slow machine three times as much."""


def timed(page: str | bytes) -> tuple[Result, float]:
    """Extract and render everything."""
    started = time.process_time()
    result = duramen.extract(page, "https://example.org/a")
    assert result.text is not None and result.markdown is not None
    return result, time.process_time() - started


def survives(page: str | bytes, times: int = 1) -> Result:
    result, seconds = timed(page)
    assert result.quality.verdict in ("good", "partial", "poor", "empty")
    assert seconds < times * SECONDS, f"{seconds:.1f} s"
    return result


@pytest.mark.parametrize(
    "opening",
    [
        "<div>",
        "<span>",
        "<b>",
        "<ul><li>",
        "<blockquote>",
        "<table><tr><td>",
        "<font size=1>",
        "<section><p>",
        "<a href=/x>",
        "<details><summary>",
        "<dl><dt>x<dd>",
        "<template>",
        "<svg><g>",
        "<math><mrow>",
        "<form><fieldset>",
        "<sup>",
        "<pre>",
        "<x-y>",
    ],
)
def test_hundred_thousand_levels(opening: str) -> None:
    levels = 100_000 if opening != "<template>" else 3_000
    result = survives(opening * (levels // opening.count("<")) + "the bottom of the page")
    assert "Error" not in "".join(result.quality.reasons)


def test_text_at_every_level() -> None:
    assert survives("<div>some words here " * 10_000).text.count("some words here") > 5_000


MANY: dict[str, Callable[[], str | bytes]] = {
    "attributes": lambda: "<p " + " ".join(f"a{n}=1" for n in range(300_000)) + f">{P}",
    "same attribute": lambda: "<p " + "a=1 " * 300_000 + f">{P}",
    "links": lambda: "<p>" + "<a href=/x>link text</a> " * 60_000,
    "one text": lambda: "<p>" + "word " * 2_000_000,
    "one word": lambda: "<p>" + "w" * 10_000_000,
    "data blocks": lambda: '<script type="application/ld+json">{"@type":"Thing"}</script>' * 30_000 + P * 5,
    "long class": lambda: f'<div class="{"a" * 1_000_000}">{P * 5}</div>',
    "many classes": lambda: f'<div class="{"ab " * 350_000}">{P * 5}</div>',
    "different classes": lambda: "".join(f"<div class=c{n}>Words {n} in here</div>" for n in range(20_000)),
    "rows": lambda: "<table>" + "<tr><td>a</td><td>b</td></tr>" * 30_000 + "</table>",
    "wide row": lambda: "<table><tr>" + "<td>a</td>" * 50_000 + "</table>",
    "spans": lambda: (
        f"{P}<table><tr><td colspan=999999 rowspan=999999>a</td></tr>" + "<tr><td>b" * 500 + f"</table>{P}"
    ),
    "comments": lambda: "<!-- x -->" * 300_000 + P * 3,
    "breaks": lambda: "text<br>" * 60_000,
    "less-than signs": lambda: "<" * 1_000_000,
    "ampersands": lambda: "&" * 1_000_000,
    "misnested": lambda: "<p><table><td><b><i><a>" * 10_000,
    "pictures": lambda: P + "<img src=a.png>" * 40_000 + P,
    "highlighted code": lambda: "<pre><code>" + "<span>a</span>\n" * 40_000 + "</code></pre>",
    "headings": lambda: "<h2>Heading</h2><p>Words in here" * 15_000,
    "copies": lambda: P * 15_000,
    "navigation": lambda: "<nav><p>abc def</nav>" * 20_000,
    "noscripts": lambda: "<noscript><p>abc def</noscript>" * 20_000,
    "open quotes": lambda: '<a href="' * 100_000,
    "open comment": lambda: "<!--" * 500_000,
    "open script": lambda: P + "<script>" * 300_000,
    "backslashes in data": lambda: f'<script type="application/ld+json">{{"a":"{chr(92) * 1_000_001}</script>{P}',
    "brackets in data": lambda: f'<script type="application/ld+json">{"[" * 200_000}</script>{P}',
    "open state": lambda: f"<script>window.__STATE__ = {'{' * 300_000}</script>{P}",
    "one line of text": lambda: "a.b,c-d;" * 200_000,
    "nulls": lambda: b"\0" * 3_000_000,
    "high bytes": lambda: bytes(range(128, 256)) * 10_000,
    "footnotes": lambda: "".join(f"<p>x<sup><a href=#n{n} id=r{n}>{n}</a></sup></p>" for n in range(8_000)),
}


@pytest.mark.parametrize("name", MANY)
def test_very_much_of_one_thing(name: str) -> None:
    survives(MANY[name]())


@pytest.mark.parametrize("kind", ["plain", "html", "tags"])
def test_fifty_megabytes(kind: str) -> None:
    if kind == "plain":
        page = b"plain words here and there\n" * 1_850_000
    elif kind == "html":
        page = (b"<p>" + b"word " * 2000 + b"</p>\n") * 5_000
    else:
        page = b"<i></i>" * 7_150_000
    result = survives(page, times=2)
    if kind != "tags":
        assert len(result.text) > 15_000_000 and result.trace.limits[0].startswith("input cut off after 16,000,000")
    else:
        assert any(limit.startswith("nodes after the first") for limit in result.trace.limits)


PAGE = f"<html><head><meta charset={{}}><title>Größe</title></head><body>{P * 3}<p>Größe, Maß und Übermaß.</p></html>"


@pytest.mark.parametrize("said", ["utf-8", "iso-8859-1", "utf-16", "shift_jis", "x-nonsense", "utf-7", "", "big5"])
@pytest.mark.parametrize("written", ["utf-8", "cp1252", "utf-16", "utf-16-be", "utf-32", "utf-8-sig"])
def test_misdeclared_encodings(written: str, said: str) -> None:
    data = PAGE.format(said).encode(written)
    for part in (data, data[:-1], data[:301], data[:302], data[1:]):
        survives(part)


def test_text_cut_inside_a_character() -> None:
    data = (P + "<p>心材是树的中心，颜色较深。</p>" * 20).encode()
    for cut in range(1, 8):
        assert "心材是树的中心" in survives(data[:-cut]).text


SHAPES: dict[str, tuple[Callable[[int], str], int]] = {
    "paragraphs": (lambda n: P * n, 4_000),
    "deep": (lambda n: "<div>some words " * n, 6_000),
    "rows": (lambda n: "<table>" + "<tr><td>a</td><td>b</td></tr>" * n + "</table>", 3_000),
    "links": (lambda n: "<ul>" + "<li><a href=/x>link text</a>" * n + "</ul>", 5_000),
    "classes": (lambda n: "".join(f"<div class=c{k}><p>Words {k} in here</div>" for k in range(n)), 3_000),
    "text": (lambda n: "<p>" + "word " * n, 300_000),
    "attributes": (lambda n: "<p " + " ".join(f"a{k}=1" for k in range(n)) + f">{P}", 60_000),
    "headings": (lambda n: "".join(f"<h2>Heading {k}</h2><p>Words number {k}" for k in range(n)), 3_000),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_page_takes_about_twice_the_time(shape: str) -> None:
    make, n = SHAPES[shape]
    once, twice = make(n), make(2 * n)
    timed(once)  # Tables and caches are filled.
    first = min(timed(once)[1] for _ in range(2))
    second = min(timed(twice)[1] for _ in range(2))
    assert second <= 3 * max(first, 0.2), f"{first:.2f} s, then {second:.2f} s"
