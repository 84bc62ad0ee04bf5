"""Visits one page: waits until it is idle, answers consent dialogs, expands folded parts, takes a snapshot."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from playwright.async_api import BrowserContext, Dialog, Frame, Page, Request, Route, WebSocketRoute
from playwright.async_api import Error as BrowserError
from playwright.async_api import TimeoutError as BrowserTimeout

from duramen.browser.verdicts import RenderFailed
from duramen.errors import FetchError, PrivateAddress
from duramen.fetch.url import Url, parse_url, same_site
from duramen.model import Fetched
from duramen.options import FetchOptions
from duramen.tables import load

QUIET = 0.5
"""Seconds without a change of the text after which a page is idle."""
POLL = 0.1
RESPONSE_SECONDS = 3.0
"""Seconds to wait for a response from another site; a page's own site has ``MOST_REST``."""
OVERDUE = 2.0
"""Seconds that a busy machine may be late with a timer."""
TIMER_SECONDS = 2.5
"""How far ahead a timer may be that the page set while it loaded, to wait for it."""
THIN = 600
"""Characters of text below which a page is a frame without content: all its responses and timers are awaited."""
MOST_REST = 10.0
"""Seconds after which a page that has content is captured, although it changes or waits for more."""
POLLED = 2
"""How often the same URL is requested before its responses are a signal of life, and no content."""
MOST_CLICKS = 20
MOST_ROUNDS = 5
"""How often to look for folded parts, because an expanded part may contain more."""
MOST_NAVIGATIONS = 3
MOST_NODES = 100_000
"""Elements and texts that are looked at for what readers do not see."""
_PIXEL = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b")
"""A transparent image, in place of every image: scripts that wait for one go on, and none is shown as missing."""
_NOT_LOADED = frozenset({"media", "font", "texttrack", "manifest", "ping", "cspviolationreport", "websocket"})
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
        credentials: Callable[[Url], Mapping[str, str]],
        options: FetchOptions,
        mark_hidden: bool = False,
    ) -> None:
        self._mark_hidden = mark_hidden
        self._credentials = credentials
        self._wait_for, self._screens = options.wait_for, options.scroll
        self._check_host = check_host
        self._context, self._fetched, self._limit, self._may_visit = context, fetched, limit, may_visit
        self._start = f"{fetched.url}#{fragment}" if fragment else fetched.url
        self._site = parse_url(fetched.url)
        self._page: Page | None = None
        self._pending: dict[Request, float] = {}
        self._requested: Counter[str] = Counter()
        self._answered = 0.0
        """When the last of them was answered."""
        self._navigations = 0
        self._stays = False
        """Whether the page may no longer navigate."""
        self.blocked: dict[str, str] = {}
        """URLs that the page was not allowed to request, and why."""
        self.steps: list[str] = []
        self.shortfall = ""
        """What the page has and the snapshot has not."""

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
        rest = await self._rest(end)
        await self._wait_for_element(end)
        self._stays = True
        await self._consent(end)
        await self._scroll(end)
        await self._expand(end)
        self.steps.append("at rest" if rest else "not at rest when time was up")
        if self._mark_hidden:
            marked: int = await page.evaluate(_script("unseen.js"), MOST_NODES)
            self.steps.append(f"{marked} parts are hidden from readers")
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
        """Wait until the text stays the same and nothing is due that may bring more; or until ``end``."""
        assert self._page is not None
        loop = asyncio.get_running_loop()
        began = since = loop.time()
        size = -1
        while (now := loop.time()) < end:
            try:
                state = await asyncio.wait_for(self._page.evaluate(_script("measure.js")), self._left(end))
            except BrowserError:
                if self._page.is_closed():
                    raise
                size, state = (
                    -1,
                    {"size": -1, "busy": True, "loading": True, "timers": [], "chained": []},
                )  # it is navigating to another page
            except TimeoutError:
                return False
            if state["size"] != size or size < 0:
                size, since = state["size"], now
            waits = self._is_waiting(now, state, end)
            if not waits and now - max(since, self._answered) >= QUIET:
                return True
            if now - began >= MOST_REST and state["size"] >= THIN:
                return now - since >= QUIET
            await asyncio.sleep(POLL)
        return False

    def _is_waiting(self, now: float, state: dict[str, Any], end: float) -> bool:
        """Whether a response or a timer is due that may bring text.

        A page without content waits for all of them, and for what it does when it is loaded.
        """
        is_bare = state["size"] < THIN or state["busy"]
        ahead = end - now if is_bare else TIMER_SECONDS
        timers = state["timers"] + state["chained"] * is_bare
        if (is_bare and state["loading"]) or any(-OVERDUE <= seconds <= ahead for seconds in timers):
            return True
        return any(
            self._requested[request.url] <= POLLED and (is_bare or now - began < self._patience(request))
            for request, began in self._pending.items()
        )

    def _patience(self, request: Request) -> float:
        try:
            return MOST_REST if same_site(parse_url(request.url), self._site) else RESPONSE_SECONDS
        except FetchError:
            return 0.0

    async def _wait_for_element(self, end: float) -> None:
        """Wait for the element that the caller named."""
        if self._wait_for is None:
            return
        assert self._page is not None
        try:
            await self._page.wait_for_selector(self._wait_for, state="attached", timeout=self._left(end) * 1000)
            await self._rest(min(end, asyncio.get_running_loop().time() + RESPONSE_SECONDS))
            self.steps.append(f"waited for {self._wait_for}")
        except BrowserTimeout:
            self.shortfall = f"no element matched {self._wait_for} in time"

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

    async def _click(self, what: str, in_consent: bool, most: int, end: float, again: bool = False) -> list[str]:
        assert self._page is not None
        if most <= 0 or self._left(end) <= POLL:
            return []
        with suppress(TimeoutError):
            arguments = [_labels(what), in_consent, most, again, _labels("expand") if again else []]
            clicked: list[str] = await asyncio.wait_for(
                self._page.evaluate(_script("click.js"), arguments), self._left(end)
            )
            return clicked
        return []

    async def _scroll(self, end: float) -> None:
        """Scroll to the bottom, so that lazy content loads, and load more of a list; both within a bound."""
        loads, goes_on = 0, False
        state: dict[str, Any] = {}
        with suppress(TimeoutError):
            for screen in range(self._screens):
                state = await self._scroll_on(end)
                goes_on = state["below"]
                if goes_on:
                    await asyncio.sleep(POLL)
                    continue
                if screen or state["items"]:
                    await self._rest(min(end, asyncio.get_running_loop().time() + MOST_REST))
                before, state = state, await self._scroll_on(end)
                goes_on = _is_more(before, state)
                if not goes_on and (clicked := await self._click("more", False, 1, end, again=True)):
                    await self._rest(min(end, asyncio.get_running_loop().time() + MOST_REST))
                    before, state = state, await self._scroll_on(end)
                    goes_on = _is_more(before, state)
                    if not goes_on:
                        self.steps.append(f"{clicked[0]}: loaded nothing more")
                if not goes_on:
                    break
                loads += 1
        if not state:
            return
        least = max(state["seen"], state["stated"], state["items"] + (goes_on and loads > 0))
        if loads:
            self.steps.append(f"loaded more {loads} times by scrolling or clicking: {state['items']} items")
        if least > state["items"] >= 5:
            self.shortfall = self.shortfall or f"{state['items']} of at least {least} items were loaded"
        elif goes_on:
            self.steps.append(f"there is more below the first {self._screens} screens")

    async def _scroll_on(self, end: float) -> dict[str, Any]:
        """Scroll by one screen."""
        assert self._page is not None
        if self._left(end) <= POLL:
            raise TimeoutError
        found: dict[str, Any] = await asyncio.wait_for(
            self._page.evaluate(_script("scroll.js"), [_labels("of")]), self._left(end)
        )
        return found

    @staticmethod
    def _left(end: float) -> float:
        return max(0.05, end - asyncio.get_running_loop().time())

    def _began(self, request: Request) -> None:
        if request.resource_type in _BRINGS_TEXT:
            self._requested[request.url] += 1
            self._pending[request] = asyncio.get_running_loop().time()

    def _ended(self, request: Request) -> None:
        if self._pending.pop(request, None) is not None:
            self._answered = asyncio.get_running_loop().time()

    async def _route(self, route: Route) -> None:
        with suppress(BrowserError):
            if await self._is_wanted(route.request):
                if self._is_start(route.request):
                    await route.fulfill(status=200, headers=self._headers(), body=self._fetched.body)
                elif route.request.resource_type == "image":
                    await route.fulfill(status=200, content_type="image/gif", body=_PIXEL)
                else:
                    await route.continue_(headers=await self._with_credentials(route.request))
            elif self._is_page(route.request):
                # The page stays; an aborted navigation would replace it with the browser's error page.
                await route.fulfill(status=204)
            else:
                await route.abort()

    async def _with_credentials(self, request: Request) -> dict[str, str] | None:
        """The header fields of a request with the operator's for its host; ``None`` if there are none."""
        added = self._credentials(parse_url(request.url))
        if not added:
            return None
        fields = await request.all_headers()
        if "cookie" in added and "cookie" in fields:
            own = {pair.partition("=")[0].strip() for pair in fields["cookie"].split(";")}
            rest = [pair for pair in added["cookie"].split("; ") if pair.partition("=")[0] not in own]
            added = {**added, "cookie": "; ".join([fields["cookie"], *rest])}
        return {**fields, **added}

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


def _is_more(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether a list or a page has grown."""
    return bool(after["below"]) or after["height"] > before["height"] or after["seen"] > before["seen"]


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
