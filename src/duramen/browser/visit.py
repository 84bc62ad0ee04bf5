"""Visits one page: waits until it is idle, answers consent dialogs, expands folded parts, takes a snapshot."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from playwright.async_api import BrowserContext, Dialog, Frame, Page, Request, Route, WebSocketRoute
from playwright.async_api import Error as BrowserError

from duramen.browser.verdicts import RenderFailed
from duramen.errors import FetchError, PrivateAddress
from duramen.fetch.url import Url, parse_url, same_site
from duramen.model import Fetched
from duramen.tables import load

QUIET = 0.5
"""Seconds without a change of the text after which a page is idle."""
POLL = 0.1
RESPONSE_SECONDS = 3.0
"""Seconds to wait for a response that may bring text; longer ones are endless streams."""
MOST_REST = 10.0
"""Seconds after which a page that never becomes idle is captured anyway."""
MOST_CLICKS = 20
MOST_ROUNDS = 5
"""How often to look for folded parts, because an expanded part may contain more."""
MOST_SCREENS = 12
"""Screens to scroll through, so that lazy content loads."""
MOST_NAVIGATIONS = 3

_SCROLL = """([n]) => {
  scrollTo(0, n * innerHeight);
  return (n + 1) * innerHeight < document.documentElement.scrollHeight;
}"""
"""Returns whether there is more below."""
_NOT_LOADED = frozenset({"image", "media", "font", "texttrack", "manifest", "ping", "cspviolationreport", "websocket"})
_BRINGS_TEXT = frozenset({"document", "script", "xhr", "fetch"})
_NOT_PASSED_ON = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"})


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The document as it was in the browser."""

    html: str
    url: str


@cache
def _script(name: str) -> str:
    return (resources.files("duramen.browser") / name).read_text("utf-8")


@cache
def _labels(what: str) -> list[str]:
    rows = [row for row in load("clicks.toml")["row"] if row["what"] == what]
    return sorted({phrase.strip() for row in rows for phrase in row["phrases"].split(";") if phrase.strip()})


class Visit:
    """A page in its own context."""

    def __init__(
        self,
        context: BrowserContext,
        fetched: Fetched,
        fragment: str,
        limit: int,
        check_host: Callable[[str], None],
        may_visit: Callable[[Url], Awaitable[None]],
    ) -> None:
        self._check_host = check_host
        self._context, self._fetched, self._limit, self._may_visit = context, fetched, limit, may_visit
        self._start = f"{fetched.url}#{fragment}" if fragment else fetched.url
        self._site = parse_url(fetched.url)
        self._page: Page | None = None
        self._pending: dict[Request, float] = {}
        self._answered = 0.0
        """When the last of them was answered."""
        self._navigations = 0
        self._stays = False
        """Whether the page may no longer navigate."""
        self.blocked: dict[str, str] = {}
        """URLs that the page was not allowed to request, and why."""
        self.steps: list[str] = []

    async def run(self, end: float) -> Snapshot:
        """Run all steps; waiting ends by ``end``."""
        context = self._context
        await context.add_init_script(_script("watch.js"))
        await context.route("**/*", self._route)
        await context.route_web_socket("**", _refuse_socket)
        page = self._page = await context.new_page()
        context.on("page", _close)
        page.on("dialog", _dismiss)
        page.on("request", self._began)
        page.on("requestfinished", self._ended)
        page.on("requestfailed", self._ended)
        await page.goto(self._start, wait_until="commit", timeout=self._left(end) * 1000)
        rest = await self._rest(min(end, asyncio.get_running_loop().time() + MOST_REST))
        self._stays = True
        await self._consent(end)
        await self._scroll(end)
        await self._expand(end)
        self.steps.append("at rest" if rest else "not at rest when time was up")
        seen: dict[str, Any] = await page.evaluate(_script("snapshot.js"), self._limit)
        if seen["cut"]:
            self.steps.append(f"the document was cut off after {self._limit:,} characters")
        return Snapshot(seen["html"], self._final_url(seen["url"]))

    def _final_url(self, url: str) -> str:
        """The page's final URL, which its scripts may have changed."""
        try:
            return parse_url(url).href
        except FetchError:
            raise RenderFailed("the page navigated to another that cannot be reached") from None

    async def _rest(self, end: float) -> bool:
        """Wait until the text stays the same and no request that may bring more is open; or until ``end``."""
        assert self._page is not None
        loop = asyncio.get_running_loop()
        size, since = -1, loop.time()
        while (now := loop.time()) < end:
            try:
                measured = await asyncio.wait_for(self._page.evaluate(_script("measure.js")), self._left(end))
            except BrowserError:
                if self._page.is_closed():
                    raise
                measured = -1  # it is navigating to another page
            except TimeoutError:
                return False
            if measured != size or measured < 0:
                size, since = measured, now
            waits = any(began > now - RESPONSE_SECONDS for began in self._pending.values())
            quiet = 0.0 if waits else now - max(since, self._answered)
            if quiet >= QUIET or now - since >= RESPONSE_SECONDS:
                return True
            await asyncio.sleep(POLL)
        return False

    async def _consent(self, end: float) -> None:
        for what in ("refuse", "agree"):
            if clicked := await self._click(what, True, 1, end):
                self.steps.append(f"answered a request for consent: {clicked[0]}")
                await self._rest(min(end, asyncio.get_running_loop().time() + RESPONSE_SECONDS))
                return

    async def _expand(self, end: float) -> None:
        opened: list[str] = []
        for _ in range(MOST_ROUNDS):
            clicked = await self._click("expand", False, MOST_CLICKS - len(opened), end)
            opened += clicked
            if clicked:
                await self._rest(min(end, asyncio.get_running_loop().time() + RESPONSE_SECONDS))
            if not clicked or len(opened) >= MOST_CLICKS:
                break
        if opened:
            self.steps.append(f"opened {len(opened)} folded parts: {', '.join(dict.fromkeys(opened))}")

    async def _click(self, what: str, in_consent: bool, most: int, end: float) -> list[str]:
        assert self._page is not None
        if most <= 0 or self._left(end) <= POLL:
            return []
        with suppress(TimeoutError):
            arguments = [_labels(what), in_consent, most]
            clicked: list[str] = await asyncio.wait_for(
                self._page.evaluate(_script("click.js"), arguments), self._left(end)
            )
            return clicked
        return []

    async def _scroll(self, end: float) -> None:
        assert self._page is not None
        with suppress(TimeoutError):
            for screen in range(1, MOST_SCREENS + 1):
                if self._left(end) <= POLL:
                    return
                if not await asyncio.wait_for(self._page.evaluate(_SCROLL, [screen]), self._left(end)):
                    break
                await asyncio.sleep(POLL)
            if screen == 1:
                return
        await self._rest(min(end, asyncio.get_running_loop().time() + RESPONSE_SECONDS))

    @staticmethod
    def _left(end: float) -> float:
        return max(0.05, end - asyncio.get_running_loop().time())

    def _began(self, request: Request) -> None:
        if request.resource_type in _BRINGS_TEXT:
            self._pending[request] = asyncio.get_running_loop().time()

    def _ended(self, request: Request) -> None:
        if self._pending.pop(request, None) is not None:
            self._answered = asyncio.get_running_loop().time()

    async def _route(self, route: Route) -> None:
        with suppress(BrowserError):
            if await self._is_wanted(route.request):
                if self._is_start(route.request):
                    await route.fulfill(status=200, headers=self._headers(), body=self._fetched.body)
                else:
                    await route.continue_()
            elif self._is_page(route.request):
                # The page stays; an aborted navigation would replace it with the browser's error page.
                await route.fulfill(status=204)
            else:
                await route.abort()

    async def _is_wanted(self, request: Request) -> bool:
        if request.resource_type in _NOT_LOADED:
            return False
        try:
            url = parse_url(request.url)
            # The proxy checks it too, but some browsers bypass a proxy for addresses of this machine.
            self._check_host(url.host)
            if not request.is_navigation_request():
                return True
            if not self._is_page(request):
                return self._is_inside(request) and same_site(url, self._site)
            if self._is_start(request):
                return True
            self._navigations += 1
            if self._stays or self._navigations > MOST_NAVIGATIONS:
                return False
            await self._may_visit(url)
        except (FetchError, BrowserError) as error:
            if request.is_navigation_request() or isinstance(error, PrivateAddress):
                self.blocked.setdefault(request.url, str(error))
            return False
        self.steps.append(f"the page navigated to {url.href}")
        return True

    def _is_page(self, request: Request) -> bool:
        frame = _frame_of(request)
        return self._page is not None and request.is_navigation_request() and frame == self._page.main_frame

    def _is_inside(self, request: Request) -> bool:
        """Whether a frame of this page sent the request, not a window that it opened."""
        frame = _frame_of(request)
        return frame is not None and frame.page == self._page

    def _is_start(self, request: Request) -> bool:
        """Whether this is the page that was fetched already; it is not requested twice."""
        is_first = not self._navigations and request.method == "GET" and self._is_page(request)
        return is_first and request.url.partition("#")[0] == self._fetched.url

    def _headers(self) -> dict[str, str]:
        return {name: value for name, value in self._fetched.headers.items() if name not in _NOT_PASSED_ON}


def _frame_of(request: Request) -> Frame | None:
    """The frame of a request; ``None`` while a new window is about to open."""
    try:
        return request.frame
    except BrowserError:
        return None


async def _close(page: Page) -> None:
    with suppress(BrowserError):
        await page.close()


async def _dismiss(dialog: Dialog) -> None:
    with suppress(BrowserError):
        await dialog.dismiss()


async def _refuse_socket(socket: WebSocketRoute) -> None:
    with suppress(BrowserError):
        await socket.close()
