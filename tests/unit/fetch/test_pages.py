"""Which link leads to an article's next page, and how pages become one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from loopback import PARAGRAPH

from duramen import extract
from duramen.fetch.pages import join_results, next_page
from duramen.result import Result

HERE = "https://wood.example"


@pytest.mark.parametrize(
    ("here", "html", "there"),
    [
        ("/oaks", "<link rel=next href=/oaks/2>", "/oaks/2"),
        ("/oaks", "<a rel='next nofollow' href='?page=2'>On</a>", "/oaks?page=2"),
        ("/oaks/", "<a rel=next href=page/2/>On</a>", "/oaks/page/2/"),
        ("/oaks.html", "<a href=oaks-2.html>2</a>", "/oaks-2.html"),
        ("/oaks,1.html", "<a href='oaks,2.html'>2</a>", "/oaks,2.html"),
        ("/oaks-page1.html", "<a href=oaks-page2.html>2</a>", "/oaks-page2.html"),
        ("/oaks?id=7&page=2", "<a href='?id=7&page=3'>3</a>", "/oaks?id=7&page=3"),
        ("/oaks", "<a href=/oaks/2>2</a>", "/oaks/2"),
        ("/oaks", "<a href=/oaks/2>»</a>", "/oaks/2"),
        ("/oaks", "<div class=Pagination><a href=/oaks/2>Next</a></div>", "/oaks/2"),
        ("/oaks", "<a href=https://www.wood.example/oaks/2 rel=next>2</a>", "https://www.wood.example/oaks/2"),
        ("/oaks", "<base href=/trees/><a rel=next href=../oaks?p=2>2</a>", "/oaks?p=2"),
        # The next post, another site, another number, not a page at all:
        ("/oaks", "<link rel=next href=/beeches>", None),
        ("/oaks", "<link rel=next href=/beeches/2>", None),
        ("/oaks", "<link rel=next href=https://evil.example/oaks/2>", None),
        ("/oaks", "<a href=/oaks/3>3</a>", None),
        ("/oaks", "<a href=/oaks/2>The second oak</a>", None),
        ("/oaks?page=3", "<a rel=next href='?page=2'>2</a>", None),
        ("/chapter/7", "<link rel=next href=/chapter/8>", None),
        ("/item-41", "<a rel=next href=/item-42>on</a>", None),
        ("/oaks", "<a rel=next href='javascript:go(2)'>2</a><a rel=next>2</a>", None),
        ("/2026/11", "<a rel=next href=/2026/12>12</a>", None),
    ],
)
def test_next_page(here: str, html: str, there: str | None) -> None:
    wanted = there if there is None or there.startswith("http") else HERE + there
    assert next_page(html, HERE + here) == wanted


def test_pages_seen_are_not_taken_again() -> None:
    html = "<a rel=next href=/oaks/2>2</a>"
    assert next_page(html, f"{HERE}/oaks", {f"{HERE}/oaks", f"{HERE}/oaks/2"}) is None


def test_numbered_pages_go_on_from_an_unnumbered_one() -> None:
    html = "<a rel=next href=/oaks/3>3</a>"
    assert next_page(html, f"{HERE}/oaks/2", {f"{HERE}/oaks", f"{HERE}/oaks/2"}) == f"{HERE}/oaks/3"


def page(html: str) -> Result:
    text = "".join(f"<p>{PARAGRAPH} {n}</p>" for n in range(3))
    return replace(extract(f"<title>Oaks</title><main>{text}</main>", url=f"{HERE}/oaks"), html=html)


def test_repeated_frames_are_left_out() -> None:
    results = [
        page("<p>Standfirst.</p><p>One.</p><p>About the author.</p>"),
        page("<p>Standfirst.</p><p>Two.</p><p>Standfirst.</p><p>Three.</p><p>About the author.</p>"),
    ]
    joined = join_results(results)
    assert joined.html == (
        "<p>Standfirst.</p><p>One.</p><p>About the author.</p><p>Two.</p><p>Standfirst.</p><p>Three.</p>"
    )


def test_footnotes_are_counted_on() -> None:
    note = (
        '<p>Oak.<sup data-footnote-ref="1"><a href="#fn-1">1</a></sup> {}</p>'
        '<section data-footnotes><ol><li id="fn-1"><p>Note {}.</p></li></ol></section>'
    )
    joined = join_results([page(note.format(n, n)) for n in ("one", "two", "three")])
    for n in (1, 2, 3):
        assert joined.html.count(f'data-footnote-ref="{n}"') == joined.html.count(f'id="fn-{n}"') == 1
        assert f'<a href="#fn-{n}">{n}</a>' in joined.html


def test_the_verdict_is_the_worst() -> None:
    good, poor = page("<p>One.</p>"), page("<p>Two.</p>")
    poor = replace(poor, quality=replace(poor.quality, verdict="poor", reasons=("paywall: yes", "thin: 2 words")))
    joined = join_results([good, poor])
    assert joined.quality.verdict == "poor" and joined.quality.reasons == ("paywall: yes",)


def test_what_is_joined_is_sanitized() -> None:
    joined = join_results([page("<p>One.</p>"), page("<p onclick=x>Two.<script>alert(1)</script></p>")])
    assert joined.html == "<p>One.</p><p>Two.</p>"
