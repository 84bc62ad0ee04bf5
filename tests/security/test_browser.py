"""Every attack in a real Chromium: sanitized, nothing runs and nothing is fetched but images; raw, they do run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

import pytest

from duramen.dom import fragment
from duramen.options import Output
from duramen.refine.sanitize import sanitize

from .renderers import FROM_NPM, FROM_PYPI, from_npm
from .test_markdown_renderers import OWN as TEXTS
from .test_xss_vectors import later, page, rendered
from .vectors import OWN, SHARED, SOURCES, Vector, published

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Request, Route

pytestmark = pytest.mark.browser

HOME = "http://duramen.test/"
BATCH = 160
ARGUMENTS = (
    "--no-sandbox --headless --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
)

# Runs in every frame before anything else: whatever an attack can do is turned into a message with the frame's name.
WATCH = """
(() => {
  const where = () => { let w = window; try { while (!w.name && w !== w.parent) w = w.parent; return w.name; }
                        catch { return '?'; } };
  const tell = what => { console.debug('duramen-hit ' + where() + ' ' + what); return true; };
  const names = ['alert', 'prompt', 'confirm', 'print', 'open', 'msgbox'];
  if (window !== window.top) names.push('eval');  // Playwright itself needs it in the page of the test.
  for (const name of names)
    Object.defineProperty(window, name, {value: () => tell(name), configurable: false, writable: false});
})();
"""

# Touches everything the way a reader could, and more. Following an allowed link is not an attack.
POKE = """
doc => {
  const events = 'mouseover mouseenter mousemove mousedown mouseup mouseout pointerenter pointerover pointerdown'
    + ' keydown keypress keyup focus focusin blur input change submit toggle beforetoggle animationstart animationend'
    + ' transitionend dragstart wheel contextmenu copy paste scroll start finish bounce begin slotchange click';
  doc.addEventListener('click', event => {
    const link = event.target.closest && event.target.closest('a[href]');
    if (link && /^(https?|mailto):/.test(link.href)) event.preventDefault();
  }, true);
  for (const element of doc.querySelectorAll('*')) {
    for (const name of events.split(' ')) element.dispatchEvent(new Event(name, {bubbles: true, cancelable: true}));
    try { element.focus(); element.click(); } catch {}
  }
}
"""

FRAMES = """
async ([documents, sandbox, poke]) => {
  poke = Function('return (' + poke + ')')();
  const frames = documents.map(([name, html]) => {
    const frame = document.createElement('iframe');
    frame.name = name;
    if (sandbox) frame.setAttribute('sandbox', sandbox);
    frame.srcdoc = html;
    document.body.append(frame);
    return [frame, new Promise(done => { frame.onload = done; setTimeout(done, 3000); })];
  });
  const images = [];
  for (const [frame, loaded] of frames) {
    await loaded;
    const doc = frame.contentDocument;
    if (!doc) continue;
    images.push(...[...doc.images].map(image => image.src));
    poke(doc);
  }
  await new Promise(done => setTimeout(done, 300));
  return images;
}
"""

INNER = """
async ([documents, poke]) => {
  poke = Function('return (' + poke + ')')();
  const images = [];
  for (const [name, html] of documents) {
    const place = document.body.appendChild(document.createElement('div'));
    place.innerHTML = html;
    images.push(...[...place.querySelectorAll('img')].map(image => image.src));
  }
  poke(document);
  await new Promise(done => setTimeout(done, 300));
  return images;
}
"""

WRITTEN = """
([documents]) => {
  document.open();
  document.write('<!doctype html><body>' + documents.map(([name, html]) => html).join('<hr>'));
  document.close();
  return [...document.images].map(image => image.src);
}
"""


@dataclass
class Seen:
    """What happened in the browser."""

    hits: set[str] = field(default_factory=set)
    requests: list[tuple[str, str]] = field(default_factory=list)
    images: set[str] = field(default_factory=set)


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the Python package playwright")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=ARGUMENTS.split())
        yield browser
        browser.close()


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def context(browser: Browser, seen: Seen) -> Iterator[BrowserContext]:
    """A browser without a network: every request is written down, only the empty page of the test is answered."""
    context = browser.new_context()

    def answer(route: Route, request: Request) -> None:
        if request.url == HOME and request.is_navigation_request():
            route.fulfill(body="<!doctype html><title>t</title><body>", content_type="text/html; charset=utf-8")
            return
        seen.requests.append((request.resource_type, request.url))
        route.abort()

    context.add_init_script(WATCH)
    context.route("**/*", answer)
    yield context
    context.close()


def fresh(context: BrowserContext, seen: Seen) -> Page:
    page = context.new_page()
    page.on("console", lambda message: _note(seen, message.text))
    # Nobody answers a dialog: a page that opened one would be seen here and by the test's time limit.
    page.on("dialog", lambda dialog: seen.hits.add(f"? dialog {dialog.type}"))
    page.on("popup", lambda popup: seen.hits.add(f"? popup {popup.url}"))
    page.goto(HOME)
    return page


def _note(seen: Seen, text: str) -> None:
    if text.startswith("duramen-hit "):
        seen.hits.add(text.removeprefix("duramen-hit "))


def vectors() -> list[Vector]:
    shared = [vector for source in SOURCES for vector in published(source)] if SHARED.is_dir() else []
    return [*shared, *OWN]


def batches(documents: Iterable[str]) -> Iterator[list[tuple[str, str]]]:
    """Each different document once, with a name for its frame."""
    named = [(f"v{n}", document) for n, document in enumerate(dict.fromkeys(documents))]
    for start in range(0, len(named), BATCH):
        yield named[start : start + BATCH]


def load(context: BrowserContext, seen: Seen, documents: Iterable[str], alone: bool = True) -> None:
    """Each result as a page of its own, as a part of a page, and all written into one page."""
    for batch in batches(documents):
        if alone:
            page = fresh(context, seen)
            seen.images.update(page.evaluate(FRAMES, [batch, "", POKE]))
            page.close()
        page = fresh(context, seen)
        seen.images.update(page.evaluate(INNER, [batch, POKE]))
        seen.images.update(page.evaluate(WRITTEN, [batch]))
        page.wait_for_timeout(200)
        assert page.url == HOME
        page.close()


def nothing_happened(seen: Seen) -> None:
    assert not seen.hits
    # An image is the one thing a result may fetch, and only from <img src>.
    unasked = [each for each in seen.requests if each[0] != "image" or each[1] not in seen.images]
    assert not unasked
    assert all(url.startswith(("http://", "https://")) for url in seen.images), seen.images


def test_raw_vectors_do_run(context: BrowserContext, seen: Seen) -> None:
    """The control: the same browser, the same touches, without the sanitizer."""
    for batch in batches([vector.html for vector in vectors()]):
        page = fresh(context, seen)
        page.evaluate(FRAMES, [batch, "allow-scripts allow-same-origin allow-forms allow-popups", POKE])
        page.close()
    ran = {hit.split()[0] for hit in seen.hits} - {"?"}
    assert len(ran) >= 50, sorted(seen.hits)
    assert [each for each in seen.requests if each[0] != "image"]


def test_sanitized_html_does_nothing(context: BrowserContext, seen: Seen) -> None:
    outputs = (Output(), Output(keep_classes=True, nofollow=True))
    load(context, seen, [sanitize(fragment(vector.html), output) for output in outputs for vector in vectors()])
    nothing_happened(seen)


def test_markdown_does_nothing(context: BrowserContext, seen: Seen) -> None:
    render_markdown = later("duramen.render.markdown", "render_markdown")
    results = [render_markdown(sanitize(fragment(vector.html), Output())) for vector in vectors()]
    load(context, seen, [rendered(result) for result in results])
    nothing_happened(seen)


TEXT_PLACES = (
    '<h2>{}</h2><p>{} http://a.example/{} <code>{}</code> <a href="https://e.com/" title="{}">{}</a></p>'
    "<ul><li>{}<pre>a\n\n{}</pre></li></ul><table><tr><th>{}</th></tr><tr><td>{}</td></tr></table>"
    '<p>x<sup data-footnote-ref="1"><a href="#fn-1">1</a></sup> <span data-math="inline">{}</span></p>'
    '<section data-footnotes><ol><li id="fn-1">{}</li></ol></section>'
)


def test_text_does_nothing_in_any_renderer(context: BrowserContext, seen: Seen) -> None:
    render_markdown = later("duramen.render.markdown", "render_markdown")
    markdown = [render_markdown(TEXT_PLACES.replace("{}", escape(attack))) for attack in TEXTS]
    renderers = [FROM_PYPI.get(name) or from_npm(name) for name in (*FROM_PYPI, *FROM_NPM)]
    for number, render in enumerate(filter(None, renderers)):
        # One document: what is left open in one attack may let the next one out. A tenth of them for each renderer:
        # what each makes of all is examined in test_markdown_renderers.py.
        load(context, seen, ["<hr>".join(map(render, markdown[number % 10 :: 10]))], alone=False)
    nothing_happened(seen)


def test_whole_pages_do_nothing(context: BrowserContext, seen: Seen) -> None:
    extract = later("duramen.pipeline", "extract")
    results = [extract(page(vector), url=HOME) for vector in OWN]
    # Frames are slow, and the tests above have been through them.
    load(context, seen, [part for it in results for part in (it.html, rendered(it.markdown))], alone=False)
    nothing_happened(seen)
