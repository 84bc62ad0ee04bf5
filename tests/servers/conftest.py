"""Servers for the tests: started once, stopped at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from .inspecting import ARGUMENTS, Seen, opened
from .process import TOKEN, running
from .site import Site, open_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

for extra in ("mcp", "starlette", "uvicorn", "prometheus_client", "httpcore2"):
    pytest.importorskip(extra, reason="needs the extras mcp and serve: pip install 'duramen[mcp,serve]'")


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    with open_site() as opened:
        yield opened


@pytest.fixture(scope="session")
def service() -> Iterator[str]:
    """``duramen serve``: its address."""
    with running("serve", "--allow-private") as (address, _):
        yield address


@pytest.fixture(scope="session")
def mcp_address() -> Iterator[str]:
    """``duramen mcp --http`` with a token: the address of its endpoint."""
    with running("mcp", "--http", "--allow-private", token=TOKEN) as (address, _):
        yield f"{address}/mcp"


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the Python package playwright")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def page(browser: Browser, service: str, seen: Seen) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1600, "height": 1000}, color_scheme="light")
    page = opened(context, service, seen)
    yield page
    context.close()
    elsewhere = [url for url in seen.requests if not url.startswith((service, "data:", "about:", "blob:"))]
    assert not elsewhere, "nothing is loaded from elsewhere"
