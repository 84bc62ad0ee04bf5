"""robots.txt, RFC 9309: fetched once per origin, cached for a while."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from protego import Protego

from duramen.errors import FetchError, HostUnreachable, PrivateAddress, RobotsDenied
from duramen.fetch.politeness import Deadline
from duramen.fetch.url import Url, parse_url, same_site

MAX_BYTES = 512_000
"""Maximum size that is read; RFC 9309 requires at least 500 KiB."""
MAX_REDIRECTS = 5
SECONDS = 10.0
"""Maximum time for robots.txt, as part of a page's time."""
REMEMBERED = 3600.0
REMEMBERED_FAILURE = 60.0
MOST_CRAWL_DELAY = 30.0
_MOST_ORIGINS = 10_000

_OVERRIDE = "respect it, or, if you may read the page, override it: ignore_robots=True, --ignore-robots"


@dataclass(frozen=True, slots=True)
class RobotsResponse:
    """The response to the request for robots.txt, after redirects."""

    status: int
    body: bytes = b""


@dataclass(slots=True)
class _Rules:
    until: float = 0.0
    parsed: Protego | None = None
    """``None`` if everything is allowed."""
    failure: str = ""
    """Why everything is disallowed."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Robots:
    """The rules of each site for our user agent."""

    def __init__(self, user_agent: str, request: Callable[[Url, Deadline], Awaitable[RobotsResponse]]) -> None:
        found = re.match(r"[A-Za-z_-]+", user_agent)
        self.name = found.group() if found else "*"
        self._request = request
        self._origins: dict[str, _Rules] = {}

    async def check(self, url: Url, deadline: Deadline) -> float:
        """Raise if the page is disallowed; otherwise return the site's crawl delay in seconds."""
        rules = await self._rules(url, deadline)
        if rules.failure:
            raise RobotsDenied(url.href, f"its robots.txt cannot be read ({rules.failure})", f"try later, {_OVERRIDE}")
        if rules.parsed is None:
            return 0.0
        if not rules.parsed.can_fetch(url.href, self.name):
            raise RobotsDenied(url.href, f"its robots.txt does not allow {self.name} to read it", _OVERRIDE)
        return min(rules.parsed.crawl_delay(self.name) or 0.0, MOST_CRAWL_DELAY)

    async def sitemaps(self, url: Url, deadline: Deadline) -> tuple[str, ...]:
        """The sitemaps that a site's robots.txt names, on its own site only."""
        rules = await self._rules(url, deadline)
        found: dict[str, None] = {}
        for address in rules.parsed.sitemaps if rules.parsed is not None else ():
            with suppress(FetchError):
                target = parse_url(address.strip(), url)
                if same_site(target, url):
                    found[target.href] = None
        return tuple(found)

    async def _rules(self, url: Url, deadline: Deadline) -> _Rules:
        now = asyncio.get_running_loop().time()
        if len(self._origins) >= _MOST_ORIGINS:
            self._origins = {origin: it for origin, it in self._origins.items() if it.until > now or it.lock.locked()}
        rules = self._origins.setdefault(url.origin, _Rules())
        async with rules.lock:
            if rules.until <= asyncio.get_running_loop().time():
                await self._load(rules, url, deadline)
        return rules

    async def _load(self, rules: _Rules, url: Url, deadline: Deadline) -> None:
        rules.parsed, rules.failure = None, ""
        try:
            answer = await self._request(parse_url("/robots.txt", url), deadline)
            if answer.status >= 500:
                rules.failure = f"status {answer.status}"
            elif answer.status < 300:
                rules.parsed = Protego.parse(answer.body.decode("utf-8-sig", "replace"))
        except TimeoutError:
            rules.failure = f"no response within {SECONDS:g} s"
        except (PrivateAddress, HostUnreachable) as error:
            # The page itself cannot be fetched either, and the error says why.
            raise type(error)(url.href, error.what, error.advice) from None
        except FetchError as error:
            rules.failure = error.what
        remembered = REMEMBERED_FAILURE if rules.failure else REMEMBERED
        rules.until = asyncio.get_running_loop().time() + remembered
