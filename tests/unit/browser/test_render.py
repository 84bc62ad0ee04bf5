"""A real browser against pages that exist only after their scripts have run."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from loopback import PARAGRAPH, Asked, Loopback, Reply, article

from duramen import FetchOptions, Options, Result, Session
from duramen.browser import render, visit
from duramen.errors import MissingExtra, OptionError

pytestmark = pytest.mark.browser

TEXT = "".join(f"<p>{PARAGRAPH} Paragraph {n}.</p>" for n in range(1, 6))
SHELL = (
    "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Heartwood</title></head><body>"
    "<div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript>{more}"
    "<script>{script}</script>"
)


def shell(script: str, more: str = "") -> str:
    return SHELL.format(script=script, more=more)


def js(text: str) -> str:
    return json.dumps(text)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visit, "QUIET", 0.3)
    monkeypatch.setattr(visit, "RESPONSE_SECONDS", 2.0)


@pytest.fixture(scope="module")
def sessions(chromium: str) -> Iterator[Callable[..., Session]]:
    """Sessions by their options, one browser each, shared by the tests of this module."""
    made: dict[str, Session] = {}

    def session(**options: Any) -> Session:
        key = repr(options)
        if key not in made:
            settings = {"allow_private": True, "delay": 0, "browser": chromium, "timeout": 20, **options}
            made[key] = Session(fetch=FetchOptions(**settings))
        return made[key]

    yield session
    for each in made.values():
        each.close()


@pytest.fixture
def extract(sessions: Callable[..., Session], server: Loopback) -> Callable[..., Result]:
    """The result of a page that the server has at ``/``."""

    def run(html: str | None = None, path: str = "/", **options: Any) -> Result:
        if html is not None:
            server.page("/", html)
        return sessions(**options).extract(server.url(path))

    return run


def step_of(result: Result, start: str) -> str:
    return next((step for step in result.trace.steps if step.startswith(start)), "")


def hurry(monkeypatch: pytest.MonkeyPatch, most: float) -> None:
    """Give the browser less time than the page has."""
    real = render.Renderer.render

    async def hurried(self: render.Renderer, fetched: Any, fragment: str, seconds: float, *more: Any) -> Any:
        return await real(self, fetched, fragment, most, *more)

    monkeypatch.setattr(render.Renderer, "render", hurried)


class TestWhen:
    def test_static_pages_open_no_browser(self, extract: Callable[..., Result], server: Loopback) -> None:
        result = extract(article())
        assert result.quality.verdict == "good" and not step_of(result, "rendered")

    def test_pages_that_need_it(self, extract: Callable[..., Result], server: Loopback) -> None:
        result = extract(
            shell(f"setTimeout(() => {{ root.innerHTML = {js(f'<main><h1>Oaks</h1>{TEXT}</main>')} }}, 300)")
        )
        assert "Paragraph 5." in result.text and result.quality.verdict == "good"
        assert step_of(result, "rendered by Chromium")
        assert server.paths() == ["/"], "the page itself is not asked for twice"

    def test_frames_without_content(self, extract: Callable[..., Result]) -> None:
        frame = "<header><a href=/>Home</a><a href=/b>Blog</a></header><div id=root></div><footer>Acme</footer>"
        result = extract(f"<title>x</title>{frame}<script>root.innerHTML = {js(f'<main>{TEXT}</main>')}</script>")
        assert "Paragraph 5." in result.text and step_of(result, "rendered")

    def test_never(self, extract: Callable[..., Result]) -> None:
        result = extract(shell(f"root.innerHTML = {js(TEXT)}"), render="never")
        assert any(reason.startswith("needs_javascript") for reason in result.quality.reasons)
        assert not step_of(result, "rendered") and "Paragraph" not in result.text

    def test_always(self, extract: Callable[..., Result]) -> None:
        result = extract(
            article(more="<script>document.querySelector('h1').after('Added by script, just now.')</script>"),
            render="always",
        )
        assert "Added by script" in result.text

    def test_text_has_no_scripts(self, extract: Callable[..., Result], server: Loopback) -> None:
        for kind in ("text/plain", "text/markdown"):
            server.page("/text", f"# Oaks\n\n{PARAGRAPH}\n", kind)
            result = extract(path="/text", render="always")
            assert (
                "Heartwood" in result.text and not step_of(result, "rendered") and not step_of(result, "not rendered")
            )

    def test_scripts_that_only_take_away(self, extract: Callable[..., Result]) -> None:
        result = extract(article(more="<script>document.body.innerHTML = '<p>Subscribe'</script>"), render="always")
        assert "paragraph 4" in result.text and "as sent" in step_of(result, "rendered")


class TestData:
    def test_late_answers_are_waited_for(self, extract: Callable[..., Result], server: Loopback) -> None:
        server.routes["/data"] = Reply(json.dumps(TEXT), headers={"Content-Type": "application/json"}, delay=1.2)
        result = extract(
            shell("fetch('/data').then(r => r.json()).then(t => { root.innerHTML = '<main>' + t + '</main>' })")
        )
        assert "Paragraph 5." in result.text

    def test_cookies_of_the_page_are_sent(self, extract: Callable[..., Result], server: Loopback) -> None:
        def secret(asked: Asked) -> Reply:
            return Reply(
                TEXT if "key=oak" in asked.headers.get("cookie", "") else "<p>No", headers={"Content-Type": "text/html"}
            )

        server.routes["/data"] = secret
        script = "fetch('/data').then(r => r.text()).then(t => { root.innerHTML = '<main>' + t + '</main>' })"
        server.page("/with-cookie", shell(script), **{"Set-Cookie": "key=oak; Path=/"})
        assert "Paragraph 5." in extract(path="/with-cookie").text

    def test_what_is_not_needed_is_not_loaded(self, extract: Callable[..., Result], server: Loopback) -> None:
        media = (
            "<img src=/i.png><img srcset='/j.png 2x'><video src=/v.mp4 autoplay></video><audio src=/a.mp3 autoplay>"
            "</audio><style>@font-face { font-family: f; src: url(/f.woff2) }"
            " main { font-family: f; background: url(/b.png) }</style>"
            "<link rel=icon href=/favicon.ico><link rel=manifest href=/m.json>"
        )
        server.page("/s.js", "window.loaded = 1", "text/javascript")
        script = (
            f"root.innerHTML = {js(f'<main><h1>Oaks</h1>{TEXT}</main>')};"
            "new Image().src = '/k.png'; navigator.sendBeacon('/beacon')"
        )
        result = extract(shell(script, media + "<script src=/s.js></script>"))
        assert "Paragraph 5." in result.text
        assert set(server.paths()) == {"/", "/s.js"}

    def test_fragments_that_are_routes(self, extract: Callable[..., Result], server: Loopback) -> None:
        script = f"root.innerHTML = location.hash === '#/oaks' ? {js(f'<main>{TEXT}</main>')} : 'Nothing here'"
        result = extract(shell(script), path="/#/oaks")
        assert "Paragraph 5." in result.text and server.paths() == ["/"]

    def test_encoding_of_the_page(self, sessions: Callable[..., Session], server: Loopback) -> None:
        script = "root.innerHTML = '<main><p>Größe</p>' + " + js(TEXT) + " + '</main>'"
        html = SHELL.replace("<meta charset=utf-8>", "").format(script=script, more="")
        server.page("/", html.encode("latin-1"), "text/html; charset=iso-8859-1")
        assert "Größe" in sessions(render="always").extract(server.url()).text


class TestShadow:
    def test_open_and_closed_roots_and_slots(self, extract: Callable[..., Result]) -> None:
        script = f"""
        customElements.define('x-page', class extends HTMLElement {{ connectedCallback() {{
          this.attachShadow({{mode: 'open'}}).innerHTML =
            '<main><h1>Oaks</h1><slot name=lead></slot><x-body></x-body><slot></slot></main>';
        }} }});
        customElements.define('x-body', class extends HTMLElement {{ connectedCallback() {{
          this.attachShadow({{mode: 'closed'}}).innerHTML = {js(TEXT)};
        }} }});
        const page = document.createElement('x-page');
        page.innerHTML = {js(f"<p>Last of all. {PARAGRAPH}</p><p slot=lead>First of all. {PARAGRAPH}</p>")};
        root.append(page);"""
        text = extract(shell(script)).text
        places = [text.find(words) for words in ("First of all.", "Paragraph 1.", "Paragraph 5.", "Last of all.")]
        assert -1 not in places and places == sorted(places)
        assert text.count("First of all.") == 1

    def test_declarative_roots(self, extract: Callable[..., Result]) -> None:
        inner = f"<template shadowrootmode=open><main>{TEXT}</main></template>"
        html = f"<!DOCTYPE html><title>Oaks</title><body><article-x>{inner}</article-x>"
        assert "Paragraph 5." in extract(html, render="always").text


class TestFolded:
    @pytest.mark.parametrize("label", ["Read more", "Weiterlesen …", "LIRE LA SUITE", "続きを読む", "Show&nbsp;more »"])
    def test_read_more(self, extract: Callable[..., Result], label: str) -> None:
        more = f"<p>{PARAGRAPH} Behind the button.</p>"
        script = (
            f"root.innerHTML = {js(f'<main><h1>Oaks</h1>{TEXT}<div id=rest></div><button>{label}</button></main>')};"
            f"document.querySelector('button').onclick = () => setTimeout(() => {{ rest.innerHTML = {js(more)} }}, 200)"
        )
        result = extract(shell(script))
        assert "Behind the button." in result.text and step_of(result, "opened 1 folded")

    def test_clicks_are_bounded_and_stay_on_the_page(self, extract: Callable[..., Result], server: Loopback) -> None:
        page = (
            f"<main>{TEXT}<a href=/elsewhere>Read more</a><form action=/sent><button>Read more</button></form>"
            '<div id=b><button onclick="b.append(b.lastChild.cloneNode(true))">Show more</button></div>'
            "<button onclick=\"location.href='/gone'\">Show all</button></main>"
        )
        server.page("/", shell(f"root.innerHTML = {js(page)}"))
        result = extract()
        assert "Paragraph 5." in result.text
        assert server.paths() == ["/"]
        assert result.url == server.url()

    def test_consent_is_answered(self, extract: Callable[..., Result]) -> None:
        banner = (
            "<div role=dialog style='position:fixed;inset:0'>We and our partners use cookies to personalise ads."
            "<button id=yes>Accept all</button><button id=no>Reject all</button></div>"
        )
        script = (
            f"root.innerHTML = {js(banner)};"
            f"no.onclick = () => {{ root.innerHTML = {js(f'<main><h1>Oaks</h1><p>Refused.</p>{TEXT}</main>')} }};"
            f"yes.onclick = () => {{ root.innerHTML = {js(f'<main><h1>Oaks</h1><p>Agreed.</p>{TEXT}</main>')} }};"
        )
        result = extract(shell(script))
        assert "Paragraph 5." in result.text and "Agreed." not in result.text
        assert step_of(result, "answered a request for consent") == "answered a request for consent: reject all"

    def test_built_when_it_is_seen(self, extract: Callable[..., Result]) -> None:
        script = (
            f"root.innerHTML = {js(f'<main>{TEXT}<div style=height:5000px></div><div id=late></div></main>')};"
            "new IntersectionObserver(found => { if (found[0].isIntersecting) late.innerHTML = "
            f"{js(f'<p>{PARAGRAPH} Snapshot at last.</p>')} }}).observe(late)"
        )
        assert "Snapshot at last." in extract(shell(script)).text


class TestEvidence:
    """The browser waits for what is due, and no longer."""

    MAIN = f"<main><h1>Oaks</h1>{TEXT}</main>"
    FRAME = "<nav>" + "".join(f"<a href=/{n}>A link of the frame {n}</a> " for n in range(60)) + "</nav>"

    @pytest.mark.parametrize("frame", ["", FRAME])
    def test_content_after_a_timer(self, extract: Callable[..., Result], frame: str) -> None:
        script = f"setTimeout(() => {{ root.innerHTML = {js(self.MAIN)} }}, 1500)"
        assert "Paragraph 5." in extract(shell(script, frame), render="always").text

    @pytest.mark.parametrize("frame", ["", FRAME])
    @pytest.mark.parametrize("seconds", [4, 8])
    def test_content_after_a_slow_response(
        self, extract: Callable[..., Result], server: Loopback, seconds: int, frame: str
    ) -> None:
        server.routes["/api"] = Reply(self.MAIN, delay=seconds)
        script = "fetch('/api').then(r => r.text()).then(t => { root.innerHTML = t })"
        assert "Paragraph 5." in extract(shell(script, frame), render="always").text

    def test_timers_without_end_do_not_hold_it(self, extract: Callable[..., Result]) -> None:
        script = f"root.innerHTML = {js(self.MAIN)}; (function tick() {{ setTimeout(tick, 400) }})()"
        began = time.monotonic()
        result = extract(shell(script), render="always")
        assert "Paragraph 5." in result.text and step_of(result, "at rest")
        assert time.monotonic() - began < 10

    def test_timers_that_timers_set_fill_a_frame(self, extract: Callable[..., Result]) -> None:
        script = (
            "addEventListener('load', () => setTimeout(() => setTimeout(() => {"
            f" root.innerHTML = {js(self.MAIN)} }}, 900), 600))"
        )
        assert "Paragraph 5." in extract(shell(script), render="always").text

    @staticmethod
    def feed(total: int, button: bool, kept: int = 10**6) -> str:
        """A list of which ten items are loaded at a time, by scrolling or by a button; only the last ``kept`` stay."""
        add = (
            f"let n = 0; const list = document.querySelector('ul');"
            f"const add = () => {{ for (let k = 0; k < 10 && n < {total}; k++, n++) {{"
            f" const li = document.createElement('li'); li.style.height = '200px';"
            f" li.textContent = 'Item ' + n + ': {PARAGRAPH}';"
            f" list.append(li); }} while (list.children.length > {kept}) list.firstChild.remove(); }};"
            "let busy = false; const later = () => { if (busy) return; busy = true;"
            " setTimeout(() => { busy = false; add() }, 300) };"
        )
        if button:
            script = f"{add} add(); document.querySelector('button').onclick = later"
            return f"<ul></ul><button>Load more</button><script>{script}</script>"
        return (
            f"<ul></ul><div id=end>.</div><script>{add} add(); addEventListener('scroll', () => {{"
            " if (end.getBoundingClientRect().top < 2 * innerHeight) later() })</script>"
        )

    @pytest.mark.parametrize("button", [False, True])
    def test_a_list_is_loaded_to_its_end(self, extract: Callable[..., Result], button: bool) -> None:
        result = extract(shell("", self.feed(60, button)), render="always", scroll=60)
        assert "Item 59:" in result.text
        assert step_of(result, "loaded more")
        assert not [reason for reason in result.quality.reasons if reason.startswith("truncated")]

    @pytest.mark.parametrize("button", [False, True])
    def test_a_list_without_end_is_cut_and_reported(self, extract: Callable[..., Result], button: bool) -> None:
        result = extract(shell("", self.feed(10**6, button)), render="always", scroll=4)
        (reason,) = [reason for reason in result.quality.reasons if reason.startswith("truncated")]
        loaded, least = map(int, re.findall(r"\d+", reason))
        assert 20 <= loaded < least <= 200 and reason == f"truncated: {loaded} of at least {least} items were loaded"
        assert result.quality.verdict == "partial"

    ITEMS = "".join(f"<li>Item {n}: {PARAGRAPH}</li>" for n in range(10))
    ADD = (
        "let n = 10, busy = false; const add = () => { if (busy || n >= 60) return; busy = true;"
        f" setTimeout(() => {{ for (let k = 0; k < 10; k++, n++) list.insertAdjacentHTML('beforeend',"
        f" `<li>Item ${{n}}: {PARAGRAPH}</li>`); busy = false; }}, 100) }};"
    )

    @pytest.mark.parametrize(
        ("page", "more"),
        [
            ("<ul id=list style='font-size:4px'>{}</ul>", "addEventListener('scroll', add)"),
            ("<div id=box style='height:300px;overflow:auto'><ul id=list>{}</ul></div>", "box.onscroll = add"),
            ("<div id=box style='overflow:auto'><ul id=list style='font-size:4px'>{}</ul></div>", "box.onscroll = add"),
            ("<ul id=list>{}</ul><button id=b>Mehr anzeigen</button>", "b.onclick = add"),
        ],
        ids=["a page that fits", "a box", "a box that fits", "a button that also unfolds texts"],
    )
    def test_lists_that_are_scrolled_otherwise(self, extract: Callable[..., Result], page: str, more: str) -> None:
        result = extract(shell(f"{self.ADD} {more}", page.format(self.ITEMS)), render="always")
        assert "Item 59:" in result.text
        assert not [reason for reason in result.quality.reasons if reason.startswith("truncated")]

    def test_what_a_list_says_that_it_has(self, extract: Callable[..., Result]) -> None:
        page = f"<p>Showing 10 of 60 results</p><ul>{self.ITEMS}</ul>"
        result = extract(shell("", page), render="always")
        assert "truncated: 10 of at least 60 items were loaded" in result.quality.reasons
        for other in (page.replace("10 of", "11 of"), page + "<a rel=next href=/2>Next</a>"):
            reasons = extract(shell("", other), render="always").quality.reasons
            assert not [reason for reason in reasons if reason.startswith("truncated")]

    def test_items_that_are_filled_later_are_counted_once(self, extract: Callable[..., Result]) -> None:
        page = "".join("<section style='min-height:900px'>…</section>" for _ in range(8))
        script = (
            "const seen = new IntersectionObserver(all => all.forEach(e => { if (e.isIntersecting)"
            f" e.target.innerHTML = {js(f'<p>{PARAGRAPH} ')} + [...document.body.children].indexOf(e.target) }}));"
            "document.querySelectorAll('section').forEach(one => seen.observe(one))"
        )
        result = extract(shell(script, page), render="always")
        assert not [reason for reason in result.quality.reasons if reason.startswith("truncated")]

    def test_a_button_that_loads_nothing_is_told(self, extract: Callable[..., Result]) -> None:
        result = extract(shell("", f"<ul>{self.ITEMS}</ul><button>Load more</button>"), render="always")
        assert any("load more: loaded nothing more" in reason for reason in result.quality.reasons)

    def test_items_that_a_list_drops_are_counted(self, extract: Callable[..., Result]) -> None:
        result = extract(shell("", self.feed(60, True, kept=20)), render="always", scroll=60)
        assert "truncated: 20 of at least 60 items were loaded" in result.quality.reasons

    def test_lazy_images(self, extract: Callable[..., Result], server: Loopback) -> None:
        images = "".join(f"<p>{PARAGRAPH} {n}.</p><img data-lazy=/{n}.jpg alt='Beam {n}' height=900>" for n in range(4))
        script = (
            f"root.innerHTML = {js(f'<main><h1>Oaks</h1>{images}</main>')};"
            "const seen = new IntersectionObserver(all => all.forEach(e => { if (!e.isIntersecting) return;"
            " const full = new Image(); full.onload = () => { e.target.src = full.src };"
            " full.onerror = () => e.target.remove();"
            " full.src = e.target.dataset.lazy; }));"
            "document.querySelectorAll('img').forEach(i => seen.observe(i))"
        )
        result = extract(shell(script), render="always")
        assert [f"{server.url(f'/{n}.jpg')}" in result.html for n in range(4)] == [True] * 4
        assert not [path for path in server.paths() if path.endswith(".jpg")], "they are not downloaded"

    def test_element_that_is_waited_for(self, extract: Callable[..., Result]) -> None:
        late = js(f"<p id=late>{PARAGRAPH} Late.</p>")
        script = (
            f"root.innerHTML = {js(self.MAIN)}; let n = 0; const id = setInterval(() => {{ if (++n < 40) return;"
            f" clearInterval(id); root.firstChild.insertAdjacentHTML('beforeend', {late}) }}, 100)"
        )
        assert "Late." not in extract(shell(script), render="always").text
        assert "Late." in extract(shell(script), render="always", wait_for="#late").text
        missing = extract(shell(""), render="always", wait_for="#never", timeout=15)
        assert "truncated: no element matched #never in time" in missing.quality.reasons

    def test_verdict_says_that_a_browser_was_used(self, extract: Callable[..., Result]) -> None:
        result = extract(shell(f"root.innerHTML = {js(self.MAIN)}"))
        (reason,) = [reason for reason in result.quality.reasons if reason.startswith("rendered:")]
        assert re.match(r"rendered: Chromium [\d.]+( \(without its sandbox\))? in \d+\.\d s", reason)
        assert result.quality.verdict == "good"
        link = f"root.innerHTML = {js(self.MAIN)} + '<button>Read more</button>'; const button = root.lastChild"
        more = f"button.onclick = () => button.outerHTML = {js(f'<p>{PARAGRAPH}</p>')}"
        opened = extract(shell(f"{link}; {more}"), render="always")
        assert any(re.fullmatch(r"rendered: Chromium .+; opened 1 folded parts: .+", r) for r in opened.quality.reasons)


class TestNeverIdle:
    def test_one_that_asks_for_ever(self, extract: Callable[..., Result], server: Loopback) -> None:
        server.routes["/poll"] = Reply("{}", delay=0.2)
        script = f"root.innerHTML = {js(f'<main><h1>Oaks</h1>{TEXT}</main>')}; setInterval(() => fetch('/poll'), 50)"
        result = extract(shell(script))
        assert "Paragraph 5." in result.text and step_of(result, "at rest")

    def test_one_whose_answer_never_ends(self, extract: Callable[..., Result], server: Loopback) -> None:
        server.routes["/stream"] = Reply("", delay=60)
        script = f"root.innerHTML = {js(f'<main><h1>Oaks</h1>{TEXT}</main>')}; fetch('/stream')"
        result = extract(shell(script))
        assert "Paragraph 5." in result.text and step_of(result, "at rest")

    def test_one_that_grows_for_ever(self, extract: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(visit, "MOST_REST", 2.0)
        script = (
            f"root.innerHTML = {js(f'<main><h1>Oaks</h1>{TEXT}</main>')};"
            "let n = 0; setInterval(() => root.append('tick ' + n++ + ' '), 20)"
        )
        result = extract(shell(script))
        assert "Paragraph 5." in result.text and step_of(result, "not at rest")

    def test_dialogs(self, extract: Callable[..., Result]) -> None:
        script = (
            "alert('one'); confirm('two'); prompt('three'); window.onbeforeunload = () => 'four';"
            "print(); open('/popup');"
            f"root.innerHTML = {js(f'<main><h1>Oaks</h1>{TEXT}</main>')}"
        )
        assert "Paragraph 5." in extract(shell(script)).text

    def test_windows_are_not_opened(
        self, extract: Callable[..., Result], server: Loopback, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Nor is anything left hanging that they had asked for."""
        server.page("/window", article("A window"))
        opened = "open('/window'); open('about:blank'); open('/window', 'x', 'popup')"
        link = (
            "document.body.appendChild(Object.assign(document.createElement('a'), {href: '/window', target: '_blank'}))"
        )
        result = extract(
            shell(f"{opened}; {link}.click(); root.innerHTML = {js(f'<main>{TEXT}</main>')}"), render="always"
        )
        assert "Paragraph 5." in result.text and server.paths() == ["/"]
        gc.collect()
        assert "pending" not in caplog.text

    def test_a_script_that_never_ends(self, extract: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
        """The page as sent is the result, and says why it is no better; the next page is rendered as ever."""
        other = shell(f"root.innerHTML = {js(f'<main>{TEXT}</main>')}")
        extract(other, render="always")
        with monkeypatch.context() as patch:
            hurry(patch, 2.0)
            result = extract(shell("while (true) {}", f"<main><p>{PARAGRAPH}</p></main>"), render="always")
        assert "Heartwood is the dead centre" in result.text
        reasons = [reason for reason in result.quality.reasons if reason.startswith("render_failed")]
        assert reasons == ["render_failed: the page did not finish within 2 s"]
        assert "Paragraph 5." in extract(other, render="always").text

    def test_going_on_to_another_page(self, extract: Callable[..., Result], server: Loopback) -> None:
        server.page("/there", article("The other page"))
        result = extract(shell("location.replace('/there')"))
        assert result.url == server.url("/there") and result.title == "The other page"

    def test_going_on_for_ever(self, extract: Callable[..., Result], server: Loopback) -> None:
        onward = "setTimeout(() => { location.href = '/?' + (+location.search.slice(1) + 1) }, 50)"
        result = extract(shell(onward, f"<main><p>{PARAGRAPH}</p></main>"), render="always")
        assert "Heartwood" in result.text
        assert len(server.paths()) <= 1 + visit.MOST_NAVIGATIONS

    def test_robots_hold_for_the_browser_too(self, extract: Callable[..., Result], server: Loopback) -> None:
        server.routes["/robots.txt"] = Reply("User-agent: *\nDisallow: /closed")
        server.page("/closed", article("Closed"))
        result = extract(shell("location.replace('/closed')", f"<main><p>{PARAGRAPH}</p></main>"), render="always")
        assert "/closed" not in server.paths() and "Closed" not in (result.title or "")
        assert "robots.txt does not allow" in step_of(result, "blocked")


class TestFirefox:
    def extract(self, firefox: str, server: Loopback, html: str, **options: Any) -> Result:
        server.page("/", html)
        settings: dict[str, Any] = {"allow_private": True, "delay": 0, "browser": firefox, "timeout": 60, **options}
        try:
            with Session(fetch=FetchOptions(**settings, render="always")) as session:
                return session.extract(server.url())
        except OptionError as error:
            if "are incompatible" in str(error):
                pytest.skip(str(error))
            raise

    def test_a_page_built_by_scripts(self, firefox: str, server: Loopback) -> None:
        server.page("/parts", "Fetched by a script.", "text/plain")
        script = (
            f"const inner = root.attachShadow({{mode: 'closed'}}); alert('Hello');"
            f"fetch('/parts').then((answer) => answer.text()).then((text) => {{"
            f"inner.innerHTML = {js(f'<main>{TEXT}<p>')} + text + navigator.userAgent + '</p></main>' }});"
            "new Image().src = '/image.png'; open('/window')"
        )
        result = self.extract(firefox, server, shell(script))
        assert "Paragraph 5." in result.text and "Fetched by a script." in result.text and "Duramen/" in result.text
        assert step_of(result, "rendered by Firefox") and server.paths() == ["/", "/parts"]

    def test_one_that_is_too_old(self, server: Loopback, monkeypatch: pytest.MonkeyPatch, chromium: str) -> None:
        async def stranger(*_: Any) -> Any:
            raise Exception("Browser.new_page: Protocol error (emulation.setSomething): unknown command")

        monkeypatch.setattr(render.Renderer, "_start", stranger)
        server.page("/", article())
        with (
            Session(fetch=FetchOptions(allow_private=True, render="always", browser=chromium)) as session,
            pytest.raises(OptionError, match="are incompatible; use a newer browser"),
        ):
            session.extract(server.url())


class TestFailures:
    def test_a_crash_gives_a_result(self, chromium: str, server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
        """The browser is killed while it shows the page; the session goes on with a new one."""
        server.page("/", shell("", f"<main><p>{PARAGRAPH}</p></main>"))
        real = visit.Visit.run

        async def killed(self: visit.Visit, end: float) -> visit.Snapshot:
            for pid in children(os.getpid()):
                if "chrom" in name_of(pid):
                    os.kill(pid, signal.SIGKILL)
            return await real(self, end)

        with Session(fetch=FetchOptions(allow_private=True, delay=0, browser=chromium, render="always")) as session:
            monkeypatch.setattr(visit.Visit, "run", killed)
            result = session.extract(server.url())
            assert "Heartwood" in result.text
            assert any(reason.startswith("render_failed") for reason in result.quality.reasons)
            assert result.quality.verdict != "good"
            monkeypatch.setattr(visit.Visit, "run", real)
            assert step_of(session.extract(server.url()), "rendered by")

    def test_a_driver_that_dies(self, chromium: str, server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
        server.page("/", shell("", f"<main><p>{PARAGRAPH}</p></main>"))
        before = children(os.getpid())
        with Session(fetch=FetchOptions(allow_private=True, delay=0, browser=chromium, render="always")) as session:
            assert step_of(session.extract(server.url()), "rendered by")
            for pid in children(os.getpid()) - before:
                if "node" in name_of(pid) or "MainThread" in name_of(pid):
                    os.kill(pid, signal.SIGKILL)
            results = [session.extract(server.url()) for _ in range(3)]
            assert all("Heartwood" in result.text for result in results)
            assert step_of(results[-1], "rendered by")

    def test_a_browser_that_runs_out_of_time(
        self, chromium: str, server: Loopback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Told in our words, not in the driver's."""
        monkeypatch.setattr(render, "SETTLED", -10.0)
        monkeypatch.setattr(visit.Visit, "_left", staticmethod(lambda end: 0.00001))
        server.page("/", shell("", f"<main><p>{PARAGRAPH}</p></main>"))
        with Session(fetch=FetchOptions(allow_private=True, browser=chromium, render="always")) as session:
            reasons = session.extract(server.url()).quality.reasons
        assert any("render_failed: the page did not finish within" in reason for reason in reasons)

    def test_where_there_can_be_no_sandbox(
        self, chromium: str, server: Loopback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
        server.page("/", shell(f"root.innerHTML = {js(f'<main>{TEXT}</main>')}"))
        with Session(fetch=FetchOptions(allow_private=True, browser=chromium)) as session:
            assert "Paragraph 5." in session.extract(server.url()).text

    def test_time_that_is_too_short_for_a_browser(
        self, chromium: str, server: Loopback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The browser that was being started is there for the next page."""
        hurry(monkeypatch, 0.1)
        server.page("/", shell(f"root.innerHTML = {js(f'<main>{TEXT}</main>')}", f"<p>{PARAGRAPH}</p>"))
        options = FetchOptions(allow_private=True, delay=0, browser=chromium, render="always")
        with Session(fetch=options) as session:
            assert any("render_failed" in reason for reason in session.extract(server.url()).quality.reasons)
            renderer = session._session._renderer
            assert renderer is not None and renderer._started is not None
            deadline = time.monotonic() + 30
            while time.monotonic() < deadline and not renderer._started.launch.done():
                time.sleep(0.1)
            assert renderer._started.launch.result().is_connected()

    def test_no_browser(self, server: Loopback) -> None:
        server.page("/", shell("root.innerHTML = '...'"))
        options: dict[str, Any] = {"allow_private": True, "browser": "/no/such/browser"}
        with Session(fetch=FetchOptions(**options)) as session:
            assert "does not exist; use chromium" in step_of(session.extract(server.url()), "not rendered")
        with (
            Session(fetch=FetchOptions(**options, render="always")) as session,
            pytest.raises(OptionError, match="does not exist"),
        ):
            session.extract(server.url())

    def test_no_playwright(self, server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(__import__("sys").modules, "duramen.browser.render", None)
        with pytest.raises(MissingExtra, match=r"pip install 'duramen\[render\]'"):
            Session(fetch=FetchOptions(render="always"))
        server.page("/", shell("root.innerHTML = '...'"))
        with Session(fetch=FetchOptions(allow_private=True)) as session:
            assert "duramen[render]" in step_of(session.extract(server.url()), "not rendered")


def children(pid: int) -> set[int]:
    """All processes below one."""
    found: set[int] = set()
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    level = {pid}
    while level:
        level = {child for child, parent in parents.items() if parent in level}
        found |= level
    return found


def files_open() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def name_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text()
    except OSError:
        return ""


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc to count what is left")
def test_nothing_is_left(chromium: str, server: Loopback) -> None:
    """Many pages, some of them bad, some stopped half-way: no process, no open file, no profile folder."""
    server.page("/good", shell(f"root.innerHTML = {js(f'<main>{TEXT}</main>')}"))
    server.page("/bad", shell("while (true) {}"))
    processes, files = children(os.getpid()), files_open()
    options = FetchOptions(allow_private=True, delay=0, browser=chromium, render="always", timeout=3, concurrency=4)
    with Session(fetch=options) as session:
        results = list(session.extract_many([server.url("/good")] * 6 + [server.url("/bad")] * 2))
        assert len(results) == 8
        for _ in session.extract_many([server.url("/good")] * 4):
            break
        assert children(os.getpid()) - processes
    deadline = time.monotonic() + 10
    while children(os.getpid()) - processes and time.monotonic() < deadline:
        time.sleep(0.1)
    assert children(os.getpid()) - processes == set()
    assert files_open() <= files


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Grows with every browser that is started."""
    found: list[str] = []
    real = render.Renderer._start

    async def counted(self: render.Renderer, driver: Any, browser: Any) -> Any:
        found.append(browser.path)
        return await real(self, driver, browser)

    monkeypatch.setattr(render.Renderer, "_start", counted)
    return found


def test_a_worn_browser_is_replaced_under_load(
    chromium: str, server: Loopback, monkeypatch: pytest.MonkeyPatch, launched: list[str]
) -> None:
    """Also when there is never a moment without an open page; and no page suffers from it."""
    monkeypatch.setattr(render, "PAGES_EACH", 3)
    server.page("/", shell(f"root.innerHTML = {js(f'<main>{TEXT}</main>')}"))
    before = children(os.getpid())
    options = FetchOptions(allow_private=True, delay=0, browser=chromium, render="always", concurrency=3)
    with Session(fetch=options) as session:
        results = [result for _, result in session.extract_many([server.url(f"/?{n}") for n in range(8)])]
    assert [isinstance(result, Result) and "Paragraph 5." in result.text for result in results] == [True] * 8
    assert not any("render_failed" in str(getattr(result, "quality", "")) for result in results)
    assert len(launched) == 3
    assert not [pid for pid in children(os.getpid()) - before if "chrom" in name_of(pid)]


def test_a_context_that_does_not_close_harms_no_other_page(
    chromium: str, server: Loopback, monkeypatch: pytest.MonkeyPatch, launched: list[str]
) -> None:
    """Closing fails now and then on a busy machine: the browser gets no new page, but those it has are shown."""
    server.page("/", shell(f"setTimeout(() => {{ root.innerHTML = {js(f'<main>{TEXT}</main>')} }}, 300)"))
    real = render._close
    closed: list[render.RunningBrowser] = []

    async def refuses(started: render.RunningBrowser, context: Any) -> None:
        await real(started, context)
        started.has_failed = started.has_failed or not closed
        closed.append(started)

    monkeypatch.setattr(render, "_close", refuses)
    options = FetchOptions(allow_private=True, delay=0, browser=chromium, render="always", concurrency=3)
    with Session(fetch=options) as session:
        results = [result for _, result in session.extract_many([server.url(f"/?{n}") for n in range(6)])]
    assert [isinstance(result, Result) and "Paragraph 5." in result.text for result in results] == [True] * 6
    assert len(launched) == 2


def test_a_browser_closed_while_it_starts_is_a_verdict(
    chromium: str, server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever waits for it is told, and not cancelled."""
    server.page("/", shell("", f"<main><p>{PARAGRAPH}</p></main>"))
    real = render.Renderer._start

    async def closed(self: render.Renderer, driver: Any, browser: Any) -> Any:
        monkeypatch.setattr(render.Renderer, "_start", real)
        asyncio.get_running_loop().call_soon(self._started.launch.cancel)  # type: ignore[union-attr]
        return await real(self, driver, browser)

    monkeypatch.setattr(render.Renderer, "_start", closed)
    options = FetchOptions(allow_private=True, delay=0, browser=chromium, render="always")
    with Session(fetch=options) as session:
        result = session.extract(server.url())
        assert any("closed while it was starting" in reason for reason in result.quality.reasons)
        assert step_of(session.extract(server.url()), "rendered by")


def test_hidden_text_of_a_rendered_page(chromium: str, server: Loopback) -> None:
    """The browser decides, with the styles that scripts have set; without ``visible_only`` the page is as it was."""
    style = ".faint { color: #fefefe } .later { display: none } .opened + .panel { display: none }"
    made = (
        "const box = document.createElement('p'); box.id = 'made'; box.textContent = 'SECRET one, made by the script.';"
        "box.attributeStyleMap.set('opacity', 0); document.querySelector('main').append(box);"
        "document.querySelector('.later').style.display = 'block';"
    )
    body = (
        f"<main>{TEXT}<p class=faint>SECRET two, in the colour of the page.</p>"
        "<p class=later>Shown by the script, with enough words to be a paragraph that is kept for sure.</p>"
        "<p data-duramen-hidden=display>Shown although the page has marked it as the browser would.</p>"
        "<button aria-expanded=false aria-controls=more>More</button><div id=more hidden><p>Shown by a click.</p></div>"
        "<noscript><img src=a.png>SECRET three, without scripts.</noscript></main>"
    )
    page = f"document.body.innerHTML = {js(body)}; {made}"
    server.page("/", f"<title>Wood</title><style>{style}</style><body><div id=root></div><script>{page}</script>")
    fetch = FetchOptions(allow_private=True, delay=0, browser=chromium, timeout=20, render="always")
    with Session(Options(visible_only=True), fetch) as session:
        seen = session.extract(server.url("/"))
    with Session(Options(), fetch) as session:
        everything = session.extract(server.url("/"))
    assert "SECRET" not in seen.text
    for words in ("Shown by the script", "Shown by a click", "Shown although"):
        assert words in seen.text
    assert {removal.rule_id for removal in seen.trace.hidden} >= {"hidden-opacity", "hidden-colour"}
    assert "SECRET two" in everything.text and not everything.trace.hidden
