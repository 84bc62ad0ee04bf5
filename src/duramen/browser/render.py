"""One browser, a fresh context for each page, and a snapshot of what a reader would see in the end."""

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

from duramen.browser.gate import Gate
from duramen.browser.installed import Installed, find_browser
from duramen.browser.verdicts import NoBrowser, RenderFailed
from duramen.browser.visit import Visit
from duramen.fetch.address import Connector
from duramen.fetch.url import Url
from duramen.model import Fetched
from duramen.options import FetchOptions

MOST_AT_ONCE = 4
"""Pages open at the same time; each takes about a hundred megabytes."""
PAGES_EACH = 200
"""After so many pages the browser is started anew, since browsers grow."""
SETTLED = 0.7
"""The part of a page's time after which it is taken as it is; the rest is for the snapshot."""
TRAFFIC = 4
"""The most bytes that all requests of a page may bring, in pages of the largest allowed size."""
MOST_TOLD = 5
"""Addresses that a page was kept from and that the trace names."""
_LAUNCH = 30.0
_CLOSE = 10.0

# No name is looked up by the browser itself, and nothing but TCP through the gate leaves it.
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
class Started:
    """A browser, or what is to become one, and the pages it has."""

    launch: asyncio.Task[Engine]
    pages: int = 0
    """All it was ever given."""
    open: int = 0
    has_failed: bool = False
    """It did not open or close a page as it should."""

    @property
    def is_lost(self) -> bool:
        if self.has_failed or not self.launch.done():
            return self.has_failed
        if self.launch.cancelled() or self.launch.exception() is not None:
            return True
        return not self.launch.result().is_connected()

    @property
    def is_spent(self) -> bool:
        """Whether the next page is to get another."""
        return self.is_lost or self.pages >= PAGES_EACH

    async def engine(self) -> Engine:
        """Wait for it; a page that runs out of time meanwhile leaves it to the next."""
        try:
            return await asyncio.shield(self.launch)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and not task.cancelling():
                raise RenderFailed("the browser was closed while it was started") from None
            raise


class Renderer:
    """Owns the browser: started with the first page, closed in every case."""

    def __init__(self, options: FetchOptions, connector: Connector) -> None:
        self._options, self._connector = options, connector
        self._slots = asyncio.Semaphore(min(options.concurrency, MOST_AT_ONCE))
        self._driver: Playwright | None = None
        self._started: Started | None = None
        self._all: set[Started] = set()
        """With those that are spent, but still have pages open."""
        self._user_agent = ""
        self._caveat = ""
        self.name = ""

    async def render(
        self, fetched: Fetched, fragment: str, seconds: float, may_visit: Callable[[Url], Awaitable[None]]
    ) -> Fetched:
        """The page after its scripts have run. Raises ``RenderFailed`` or ``NoBrowser``, and in time."""
        loop = asyncio.get_running_loop()
        async with self._slots:
            began = loop.time()
            try:
                async with asyncio.timeout(seconds), self._taken() as started:
                    try:
                        engine = await started.engine()
                        left = began + seconds - loop.time()
                        return await self._visit(started, engine, fetched, fragment, left, may_visit)
                    except (NoBrowser, RenderFailed, TimeoutError):
                        raise
                    except BrowserTimeout:
                        raise TimeoutError from None
                    except Exception as error:  # the driver is another program, and has its own ways to fail
                        reason = (str(error).strip() or type(error).__name__).split("\n")[0][:200]
                        reason = f"the browser crashed ({reason})" if started.is_lost else reason
                        raise RenderFailed(reason) from None
            except TimeoutError:
                raise RenderFailed(f"the page did not come to an end within {seconds:.0f} s") from None

    @asynccontextmanager
    async def _taken(self) -> AsyncIterator[Started]:
        """A browser for one page. One that is spent is closed with the last page it has, while the next takes over."""
        before = self._started
        if before is None or before.is_spent:
            started = self._started = Started(asyncio.create_task(self._launch()))
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
        started: Started,
        engine: Engine,
        fetched: Fetched,
        fragment: str,
        seconds: float,
        may_visit: Callable[[Url], Awaitable[None]],
    ) -> Fetched:
        began = asyncio.get_running_loop().time()
        context: BrowserContext | None = None
        async with Gate(self._connector, TRAFFIC * self._options.max_bytes) as gate:
            try:
                context = await self._context(started, engine, gate)
                check = self._connector.check_host
                visit = Visit(context, fetched, fragment, self._options.max_bytes, check, may_visit)
                seen = await visit.run(began + seconds * SETTLED)
            finally:
                if context is not None:
                    await asyncio.shield(_close(started, context))
            took = asyncio.get_running_loop().time() - began
            steps = [f"rendered by {self.name} in {took:.1f} s, {gate.opened} connections", *visit.steps]
            refused = dict.fromkeys(gate.refused, "by the gate") | visit.kept_from
            steps += [f"the page was kept from {target} ({why})" for target, why in list(refused.items())[:MOST_TOLD]]
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

    async def _context(self, started: Started, engine: Engine, gate: Gate) -> BrowserContext:
        proxy: Any = {"server": gate.address}
        if engine.browser_type.name == "chromium":
            proxy["bypass"] = "<-loopback>"
        try:
            return await engine.new_context(
                proxy=proxy,
                service_workers="block",
                accept_downloads=False,
                user_agent=self._user_agent,
                viewport={"width": 1280, "height": 1600},
            )
        except Exception:
            # Browser or driver is dead; the next page gets new ones.
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
            # It may be the driver that is broken; the next page gets another.
            self._driver = None
            await _stop(driver)
            if "unknown command" in str(error):
                raise NoBrowser(
                    f"{found.path} and this Playwright do not understand each other; take a newer browser, or"
                    f" Playwright's own: playwright install {found.engine}"
                ) from None
            raise
        # A site may know whom it talks to, and its scripts which browser they run in.
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
        """Close browser and driver; both are started again if another page comes."""
        self._started = None
        for started in list(self._all):
            await self._quit(started)
        driver, self._driver = self._driver, None
        await _stop(driver)

    async def _quit(self, started: Started) -> None:
        """Close a browser, or what was to become one."""
        self._all.discard(started)
        started.launch.cancel()
        with suppress(Exception, asyncio.CancelledError):
            engine = await started.launch
            await asyncio.wait_for(engine.close(), _CLOSE)


async def _close(started: Started, context: BrowserContext) -> None:
    """Close a context; a browser that cannot even do that gets no further page."""
    try:
        await asyncio.wait_for(context.close(), _CLOSE)
    except Exception:
        started.has_failed = True


async def _stop(driver: Playwright | None) -> None:
    if driver is not None:
        with suppress(Exception):
            await asyncio.wait_for(driver.stop(), _CLOSE)
