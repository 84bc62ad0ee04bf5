"""Renders pages: one browser, a new context per page, and a snapshot of the final document."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

from playwright.async_api import Browser as Engine
from playwright.async_api import BrowserContext, Playwright, async_playwright
from playwright.async_api import Error as BrowserError
from playwright.async_api import TimeoutError as BrowserTimeout

from duramen.browser.installed import Installed, find_browser
from duramen.browser.proxy import FilteringProxy
from duramen.browser.verdicts import NoBrowser, RenderFailed
from duramen.browser.visit import Visit
from duramen.fetch.address import Connector
from duramen.fetch.credentials import Credentials
from duramen.fetch.url import Url
from duramen.model import Fetched
from duramen.options import FetchOptions

MOST_AT_ONCE = 4
"""Pages open at the same time; each needs about a hundred megabytes."""
PAGES_EACH = 200
"""The browser is restarted after this many pages, because its memory grows."""
SETTLED = 0.7
"""The share of a page's time for loading; the rest is for the snapshot."""
TRAFFIC = 4
"""Traffic limit of a page, in multiples of ``max_bytes``."""
MAX_BLOCKED_SHOWN = 5
"""Maximum of blocked URLs listed in the trace."""
_LAUNCH = 30.0
_CLOSE = 10.0

# The browser itself resolves no names, and all its traffic is TCP through the proxy.
_CHROMIUM = """
--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1
--force-webrtc-ip-handling-policy=disable_non_proxied_udp
--webrtc-ip-handling-policy=disable_non_proxied_udp
--disable-quic
--disable-background-networking
--disable-domain-reliability
--disable-sync
--no-pings
--mute-audio
""".strip().splitlines()
_FIREFOX = {
    "media.peerconnection.enabled": False,
    "network.dns.disablePrefetch": True,
    "network.http.http3.enable": False,
    "network.proxy.allow_hijacking_localhost": True,
    "network.trr.mode": 5,
}


@dataclass(eq=False, slots=True)
class RunningBrowser:
    """A browser that runs or is starting, and its pages."""

    launch: asyncio.Task[Engine]
    pages: int = 0
    """Number of pages opened so far."""
    open: int = 0
    has_failed: bool = False
    """Whether it failed to open or close a page."""

    @property
    def is_lost(self) -> bool:
        if self.has_failed or not self.launch.done():
            return self.has_failed
        if self.launch.cancelled() or self.launch.exception() is not None:
            return True
        return not self.launch.result().is_connected()

    @property
    def needs_replacement(self) -> bool:
        """Whether the next page needs a new browser."""
        return self.is_lost or self.pages >= PAGES_EACH

    async def engine(self) -> Engine:
        """Wait until it has started; if this page times out, the start continues for the next."""
        try:
            return await asyncio.shield(self.launch)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and not task.cancelling():
                raise RenderFailed("the browser was closed while it was starting") from None
            raise


class Renderer:
    """Owns the browser: starts it with the first page, and always closes it."""

    def __init__(self, options: FetchOptions, connector: Connector, credentials: Credentials) -> None:
        self._options, self._connector, self._credentials = options, connector, credentials
        self._slots = asyncio.Semaphore(min(options.concurrency, MOST_AT_ONCE))
        self._driver: Playwright | None = None
        self._started: RunningBrowser | None = None
        self._all: set[RunningBrowser] = set()
        """Including those to be replaced that still have open pages."""
        self._user_agent = ""
        self._caveat = ""
        self.name = ""

    async def render(
        self,
        fetched: Fetched,
        fragment: str,
        seconds: float,
        may_visit: Callable[[Url], Awaitable[None]],
        mark_hidden: bool = False,
    ) -> Fetched:
        """The page after its scripts have run. Raises ``RenderFailed`` or ``NoBrowser``, within the deadline.

        With ``mark_hidden``, what readers do not see has an attribute that says so.
        """
        loop = asyncio.get_running_loop()
        async with self._slots:
            began = loop.time()
            try:
                async with asyncio.timeout(seconds), self._acquire() as started:
                    try:
                        engine = await started.engine()
                        left = began + seconds - loop.time()
                        return await self._visit(started, engine, fetched, fragment, left, may_visit, mark_hidden)
                    except (NoBrowser, RenderFailed, TimeoutError):
                        raise
                    except BrowserTimeout:
                        raise TimeoutError from None
                    except Exception as error:  # the driver is another program, with errors of its own
                        reason = (str(error).strip() or type(error).__name__).split("\n")[0][:200]
                        reason = f"the browser crashed ({reason})" if started.is_lost else reason
                        raise RenderFailed(reason) from None
            except TimeoutError:
                raise RenderFailed(f"the page did not finish within {seconds:.0f} s") from None

    @asynccontextmanager
    async def _acquire(self) -> AsyncIterator[RunningBrowser]:
        """A browser for one page. A browser to be replaced is closed with its last page."""
        before = self._started
        if before is None or before.needs_replacement:
            started = self._started = RunningBrowser(asyncio.create_task(self._launch()))
            self._all.add(started)
        else:
            started = before
        started.pages += 1
        started.open += 1
        try:
            if before is not None and before is not started and not before.open:
                await self._quit(before)
            yield started
        finally:
            started.open -= 1
            if not started.open and (started is not self._started or started.has_failed):
                if started is self._started:
                    self._started = None
                await asyncio.shield(self._quit(started))

    async def _visit(
        self,
        started: RunningBrowser,
        engine: Engine,
        fetched: Fetched,
        fragment: str,
        seconds: float,
        may_visit: Callable[[Url], Awaitable[None]],
        mark_hidden: bool,
    ) -> Fetched:
        began = asyncio.get_running_loop().time()
        context: BrowserContext | None = None
        async with FilteringProxy(self._connector, TRAFFIC * self._options.max_bytes) as proxy:
            try:
                context = await self._context(started, engine, proxy)
                check = self._connector.check_host
                options = self._options
                known = (options.max_bytes, check, may_visit, self._credentials.fields, options, mark_hidden)
                visit = Visit(context, fetched, fragment, *known)
                seen = await visit.run(began + seconds * SETTLED)
            finally:
                if context is not None:
                    await asyncio.shield(_close(started, context))
            took = asyncio.get_running_loop().time() - began
            if visit.shortfall:
                visit.steps.append(f"incomplete: {visit.shortfall}")
            steps = [f"rendered by {self.name} in {took:.1f} s, {proxy.opened} connections", *visit.steps]
            refused = dict.fromkeys(proxy.refused, "by the address check") | visit.blocked
            steps += [f"blocked {target} ({why})" for target, why in list(refused.items())[:MAX_BLOCKED_SHOWN]]
            return replace(
                fetched,
                url=seen.url,
                headers={"content-type": "text/html; charset=utf-8"},
                content_type="text/html",
                charset="utf-8",
                body=seen.html.encode("utf-8", "replace"),
                steps=(*fetched.steps, *steps),
                rendered=True,
            )

    async def _context(self, started: RunningBrowser, engine: Engine, proxy: FilteringProxy) -> BrowserContext:
        settings: Any = {"server": proxy.address}
        if engine.browser_type.name == "chromium":
            settings["bypass"] = "<-loopback>"
        try:
            return await engine.new_context(
                proxy=settings,
                service_workers="block",
                accept_downloads=False,
                user_agent=self._user_agent,
                viewport={"width": 1280, "height": 1600},
                extra_http_headers=dict(self._options.headers),
                storage_state=str(self._options.browser_state) if self._options.browser_state else None,
            )
        except Exception:
            # The browser or driver died; the next page gets new ones.
            started.has_failed = True
            if started is self._started:
                driver, self._driver = self._driver, None
                await _stop(driver)
            raise

    async def _launch(self) -> Engine:
        driver = self._driver = self._driver or await async_playwright().start()
        try:
            found = find_browser(self._options.browser, lambda engine: str(getattr(driver, engine).executable_path))
            engine = await self._start(driver, found)
            page = await engine.new_page()
            own: str = await page.evaluate("navigator.userAgent")
            await page.close()
        except Exception as error:
            # The driver may be broken; the next page gets a new one.
            self._driver = None
            await _stop(driver)
            if "unknown command" in str(error):
                raise NoBrowser(
                    f"{found.path} and this Playwright are incompatible; use a newer browser, or"
                    f" Playwright's own: playwright install {found.engine}"
                ) from None
            raise
        # The site sees our name, and its scripts see which browser they run in.
        self._user_agent = f"{own.replace('Headless', '')} {self._options.user_agent}"
        self.name = f"{found.engine.capitalize()} {engine.version}{self._caveat}"
        return engine

    async def _start(self, driver: Playwright, found: Installed) -> Engine:
        settings: dict[str, Any] = {"executable_path": found.path, "channel": found.channel, "timeout": _LAUNCH * 1000}
        if found.engine == "firefox":
            settings["firefox_user_prefs"] = _FIREFOX
        if found.engine != "chromium":
            return await getattr(driver, found.engine).launch(**settings)  # type: ignore[no-any-return]
        settings["args"] = _CHROMIUM
        # The sandbox needs rights that root and many containers do not have.
        if hasattr(os, "geteuid") and os.geteuid() != 0:
            with suppress(BrowserError):
                return await driver.chromium.launch(**settings, chromium_sandbox=True)
        self._caveat = " (without its sandbox)"
        return await driver.chromium.launch(**settings, chromium_sandbox=False)

    async def aclose(self) -> None:
        """Close browser and driver; the next page starts both again."""
        self._started = None
        for started in list(self._all):
            await self._quit(started)
        driver, self._driver = self._driver, None
        await _stop(driver)

    async def _quit(self, started: RunningBrowser) -> None:
        """Close a browser that runs or is starting."""
        self._all.discard(started)
        started.launch.cancel()
        with suppress(Exception, asyncio.CancelledError):
            engine = await started.launch
            await asyncio.wait_for(engine.close(), _CLOSE)


async def _close(started: RunningBrowser, context: BrowserContext) -> None:
    """Close a context; a browser that fails to do so gets no further page."""
    try:
        await asyncio.wait_for(context.close(), _CLOSE)
    except Exception:
        started.has_failed = True


async def _stop(driver: Playwright | None) -> None:
    if driver is not None:
        with suppress(Exception):
            await asyncio.wait_for(driver.stop(), _CLOSE)
