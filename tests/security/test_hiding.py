"""Hundreds of ways to hide a text and to show one: what is hidden does not arrive, what can be seen or opened does."""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import resources

import pytest

from duramen import Options, extract
from duramen.agents.documents import Document, document_of

from . import hiding
from .hiding import OPENED, WORDS, Way
from .more_hiding import MORE_HIDDEN, MORE_SHOWN, NEEDS_LAYOUT
from .newer_hiding import NEWER_HIDDEN, NEWER_SHOWN

LATER_HIDDEN, LATER_SHOWN = [*MORE_HIDDEN, *NEWER_HIDDEN], [*MORE_SHOWN, *NEWER_SHOWN]
HIDDEN = [*hiding.HIDDEN, *LATER_HIDDEN]
SHOWN = [*hiding.SHOWN, *LATER_SHOWN]

VISIBLE = Options(visible_only=True)
SLOWER = float(os.environ.get("DURAMEN_SLOWER", "1"))
OPENED_BY_SCRIPT = frozenset({"framer", "transition", "narrow screens", "another sheet may say the background"})
"""What a browser shows to be hidden: it has all sheets, the scripts have run, and its window is wide."""
COVERED = frozenset(way.name for way in NEEDS_LAYOUT if "<col " in way.body or "mask-position" in way.body)
"""What is not looked at in a rendered page either."""


def in_browser(ways: list[Way], more: list[Way]) -> list[Way]:
    """All of the first set, and a fifth of the later ones unless there is time for all."""
    return [*ways, *(more if os.environ.get("DURAMEN_EXPLORE") else more[::5])]


# Both pictures are compared in the browser, so that no other decoder is needed: how many points differ clearly.
COMPARE = """async ([one, two]) => {
  const points = async (data) => {
    const image = new Image();
    image.src = 'data:image/png;base64,' + data;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), {width: image.width, height: image.height});
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height).data;
  };
  const [a, b] = [await points(one), await points(two)];
  let count = 0;
  for (let k = 0; k < a.length; k += 4)
    if (Math.max(Math.abs(a[k] - b[k]), Math.abs(a[k+1] - b[k+1]), Math.abs(a[k+2] - b[k+2])) > 28) count += 1;
  return count;
}"""
ENOUGH = 60
"""Points that differ where a line of text is seen."""


def read(html: str) -> tuple[str, Document]:
    document = document_of(extract(html, "https://a.example/wood", VISIBLE))
    return "\n".join((*document.bodies.values(), str(document.metadata))), document


def wrong(ways: list[Way], *, shown: bool, html: Callable[[Way], str] = lambda way: way.page) -> list[str]:
    return [way.name for way in ways if ("SECRET" in read(html(way))[0]) is not shown]


def test_there_are_many_ways() -> None:
    assert len(HIDDEN) >= 980 and len(SHOWN) >= 590 and len(OPENED) >= 30
    assert len({way.page for way in (*HIDDEN, *SHOWN, *OPENED)}) == len((*HIDDEN, *SHOWN, *OPENED))


def test_what_is_hidden_does_not_arrive() -> None:
    assert wrong(HIDDEN, shown=False) == []


def test_what_is_hidden_arrives_if_all_is_wanted() -> None:
    """The control: without the option most of it is there."""
    found = [way for way in HIDDEN if "SECRET" in extract(way.page, "https://a.example/wood").html]
    assert len(found) > 0.5 * len(HIDDEN)


@pytest.mark.parametrize("kind", ["style", "sheet"])
def test_what_is_removed_is_counted(kind: str) -> None:
    for way in HIDDEN:
        if way.name.startswith(kind):
            document = read(way.page)[1]
            assert document.hidden_texts >= 1, way.name


def test_what_is_seen_arrives() -> None:
    assert wrong(SHOWN, shown=True) == []


def test_what_needs_a_layout_arrives() -> None:
    """The limits of what styles alone say, so that the page on security can name them: what no longer arrives moves."""
    assert wrong(NEEDS_LAYOUT, shown=True) == []


def test_what_can_be_opened_arrives() -> None:
    assert wrong(OPENED, shown=True) == []


def test_texts_in_attributes_are_counted() -> None:
    # Of elements that are content; forms and maps are none.
    ways = [way for way in HIDDEN if " title=" in way.body or " alt=" in way.body]
    found = [read(way.page)[1] for way in ways if "<input" not in way.body and "<area" not in way.body]
    assert len(found) >= 8 and all(document.attribute_texts + document.hidden_texts >= 1 for document in found)


def test_hiding_most_of_a_page_does_not_help() -> None:
    seen = "<p>Heartwood is what remains when the tree has stopped using it, and lasts for centuries in a roof.</p>" * 5
    hidden = f'<div style="display:none">{f"<p>{WORDS}</p>" * 50}</div>'
    for script in ("", "<script src=a.js></script>"):
        text, document = read(f"<title>Wood</title>{script}<main>{seen}{hidden}</main>")
        assert "SECRET" not in text and "Heartwood" in text
        assert document.hidden_texts == 1


@pytest.mark.parametrize(
    "body",
    [
        "<style>" + "".join(f".a:not(.b{i}){{display:none}}" for i in range(20_000))
        + "</style>" + "<p class=a>x</p>" * 5_000,
        "<style>" + "".join(f".c{i} > .a{{display:none;color:#fff}}" for i in range(100_000))
        + "</style><p class=a>x",
        "<style>" + ".a{&{" * 30_000 + "</style><p class=a>x",
        "<style>" + ".a{& & & {" * 3_000 + "display:none</style><p class=a>x",
        "<style>" + "*{opacity:0}" * 50_000 + "</style>" + "<p>x</p>" * 10_000,
        "<style>" + ":is(" * 20_000 + "</style><p>x",
        "<style>" + "@import 'data:text/css," * 5_000 + "</style><p>x",
        "<style>p{width:calc(" + "(" * 50_000 + "</style><p>x",
        "<style>p{color:" + "color-mix(in srgb, red, " * 10_000 + "</style><p>x",
        "<style>@media " + "(not " * 20_000 + "{p{display:none}}</style><p>x",
        "<style>:root{" + "".join(f"--a{i}:var(--a{i + 1}) var(--a{i + 1});" for i in range(5_000))
        + "}p{color:var(--a0)}</style><p>x",
        "<style>p{d" + "\\" * 100_000 + "</style><p>x",
        "<div style='--a:b;opacity:.99'>" * 5_000 + "<p style='opacity:var(--b)'>x",
    ],
)  # fmt: skip
def test_sheets_made_to_be_slow(body: str) -> None:
    started = time.process_time()
    assert extract(f"<p>Something that everybody sees.</p>{body}", None, VISIBLE) is not None
    assert time.process_time() - started < 8.0 * SLOWER


@pytest.fixture(scope="module")
def picture(chromium: str) -> Iterator[Callable[[str, str], int]]:
    """How many points of the pictures of two pages differ."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.route("**/*", lambda route: route.abort())
        other = browser.new_page()

        def shot(html: str) -> str:
            page.set_content(html.replace("</head>", "<style>:root { font-family: monospace }</style></head>"))
            page.wait_for_timeout(15)
            return base64.b64encode(page.screenshot()).decode()

        yield lambda one, two: other.evaluate(COMPARE, [shot(one), shot(two)])
        browser.close()


def masked(page: str) -> str:
    for words in (WORDS, "SECRET words for the machine alone"):
        page = page.replace(words, "".join(c if c in " .," else "#" for c in words))
    return page


@pytest.mark.browser
@pytest.mark.timeout(600)
def test_the_browser_agrees(picture: Callable[[str, str], int]) -> None:
    """The truth of the table: the picture of a page with a hidden text does not depend on its letters."""
    hidden = [way for way in in_browser(hiding.HIDDEN, LATER_HIDDEN) if "a.example/1.gif" not in way.body]
    shown = in_browser(hiding.SHOWN, LATER_SHOWN)
    assert [way.name for way in (*hidden, *NEEDS_LAYOUT) if picture(way.page, masked(way.page)) > ENOUGH] == []
    assert [way.name for way in shown if picture(way.page, masked(way.page)) <= ENOUGH] == []


@pytest.mark.browser
@pytest.mark.timeout(600)
def test_in_a_rendered_page(chromium: str) -> None:
    """The browser marks what readers do not see before the page is written out."""
    # A thread of its own: other tests may have left an event loop in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(_check_rendered, chromium).result()


def _check_rendered(chromium: str) -> None:
    from playwright.sync_api import sync_playwright

    scripts = resources.files("duramen.browser")
    look, snapshot = ((scripts / name).read_text("utf-8") for name in ("unseen.js", "snapshot.js"))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1600})
        page.route("**/*", lambda route: route.abort())

        def rendered(way: Way) -> str:
            page.set_content(way.page)
            page.wait_for_timeout(60)  # for animations of a millisecond
            page.evaluate(look, 100_000)
            return str(page.evaluate(snapshot, 10_000_000)["html"])

        assert wrong(in_browser(hiding.HIDDEN, LATER_HIDDEN), shown=False, html=rendered) == []
        assert wrong(in_browser(hiding.SHOWN, LATER_SHOWN), shown=True, html=rendered) == []
        assert set(wrong(NEEDS_LAYOUT, shown=False, html=rendered)) == COVERED
        assert set(wrong(OPENED, shown=True, html=rendered)) <= OPENED_BY_SCRIPT
        browser.close()
