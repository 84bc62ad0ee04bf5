"""The inspector in a browser, for its tests: opened, and given a page."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

ARGUMENTS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking".split()
WATCH = """
(() => {
  const tell = (what) => () => { console.error('duramen-hit ' + what); return true; };
  for (const name of ['alert', 'prompt', 'confirm', 'print', 'open'])
    Object.defineProperty(window, name, { value: tell(name), configurable: false, writable: false });
})();
"""


@dataclass
class Seen:
    """What a browser complained of, and where it went."""

    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


def opened(context: BrowserContext, service: str, seen: Seen) -> Page:
    context.add_init_script(WATCH)
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.on("console", lambda message: seen.errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: seen.errors.append(str(error)))
    page.on("request", lambda request: seen.requests.append(request.url))
    page.on(
        "requestfailed", lambda request: seen.requests.remove(request.url) if request.url in seen.requests else None
    )
    page.goto(service)
    return page


def show_example(page: Page) -> None:
    page.click("#example")
    page.wait_for_selector(".row.text.kept")


def paste(page: Page, html: str) -> None:
    if page.locator("#paste").is_hidden():
        page.click("#paste-open")
    page.fill("#html", html)
    with page.expect_response(re.compile("/inspect")) as answer:
        page.click("#paste-read")
    assert answer.value.ok, answer.value.text()
    page.wait_for_selector("#panes:not([hidden])")
    page.wait_for_selector("#status:not(.busy)")
