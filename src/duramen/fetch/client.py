"""The HTTP client: robots.txt, rate limits, redirects, retries and the cache, within limits."""

from __future__ import annotations

import asyncio
import random
import ssl
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from http.cookies import CookieError, SimpleCookie

import httpcore2

from duramen.errors import (
    Blocked,
    ConnectionFailed,
    FetchError,
    HostUnreachable,
    HttpStatus,
    TooLarge,
    TooManyRedirects,
)
from duramen.fetch import robots
from duramen.fetch.address import Connector
from duramen.fetch.cache import Entry, PageCache
from duramen.fetch.content import ACCEPT, charset, check_body, check_type, kind_of, media_type, refresh_target
from duramen.fetch.credentials import Credentials
from duramen.fetch.politeness import Deadline, RequestScheduler
from duramen.fetch.tunnel import Proxy
from duramen.fetch.unpack import ACCEPT_ENCODING, Body
from duramen.fetch.url import Url, parse_url
from duramen.model import Fetched
from duramen.options import FetchOptions

BACK_OFF = 0.5
"""Seconds before the first retry, doubled for each further one."""
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_FOR_THE_MOMENT = frozenset({408, 425, 429, 500, 502, 503, 504})
_BLOCKING = frozenset({403, 407, 429, 451})
_CHALLENGES = ("cf-mitigated", "x-datadome", "x-amzn-waf-action")
"""Header fields that firewalls set on their bot challenges."""
_IDLE = 15.0
"""Seconds until an idle connection is closed."""


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """One HTTP response."""

    status: int
    headers: Mapping[str, str]
    cookies: tuple[str, ...] = ()
    body: bytes = b""
    version: str = ""


@dataclass(slots=True)
class _FetchState:
    """The state of fetching one page."""

    deadline: Deadline
    any_type: bool = False
    """Whether the response may be anything, such as a compressed sitemap."""
    steps: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    cookies: dict[str, dict[str, str]] = field(default_factory=dict)
    """By host: some sites redirect until their cookie comes back. Cookies are dropped after the page."""


class Client:
    """Owns the connections, the cache and the robots.txt rules."""

    def __init__(self, options: FetchOptions, executor: ThreadPoolExecutor) -> None:
        self.options = options
        self._executor = executor
        proxy = Proxy.parse(options.proxy) if options.proxy else None
        self.connector = Connector(options.allow_private, executor, proxy)
        self.credentials = Credentials(options)
        self.scheduler = RequestScheduler(options.concurrency, options.delay, options.max_wait)
        self.robots = robots.Robots(options.user_agent, self._request_robots)
        self._cache = PageCache(options.cache) if options.cache is not None else None
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=httpcore2.default_ssl_context(),
            http2=True,
            max_connections=options.concurrency * 4,
            max_keepalive_connections=options.concurrency,
            keepalive_expiry=_IDLE,
            network_backend=self.connector,
        )

    async def aclose(self) -> None:
        await self._pool.aclose()

    async def fetch(
        self, address: str, deadline: Deadline, *, ignore_robots: bool = False, any_type: bool = False
    ) -> Fetched:
        """Fetch a page, following redirects; with ``any_type``, also what is not a page."""
        state = _FetchState(deadline, any_type)
        url = parse_url(address)
        for _ in range(self.options.max_redirects + 1):
            delay = 0.0
            if self.options.robots and not ignore_robots:
                delay = await self.robots.check(url, deadline)
            answer, from_cache = await self._request(url, state, delay)
            onward = _redirect_target(url, answer)
            target = parse_url(onward, url) if onward is not None else None
            if target is None or (target.href == url.href and answer.status == 200):
                return self._fetched(url, answer, state, from_cache)
            state.passed.append(url.href)
            state.steps.append(f"redirected ({answer.status}) to {target.href}")
            if target.href in state.passed and not answer.cookies:
                raise TooManyRedirects(address, "redirect loop", "open it in a browser to see why")
            url = target
        raise TooManyRedirects(
            address,
            f"more than {self.options.max_redirects} redirects",
            "raise the limit, max_redirects, or use the final URL",
        )

    def _fetched(self, url: Url, answer: HttpResponse, state: _FetchState, from_cache: bool) -> Fetched:
        if answer.status >= 300:
            raise _refusal(url, answer)
        if not state.any_type:
            check_body(url.href, answer.body)
        kind = answer.headers.get("content-type", "no content type")
        origin = answer.version or "from the cache"
        state.steps.append(f"fetched {url.href}: {answer.status}, {kind}, {len(answer.body):,} bytes, {origin}")
        headers = dict(answer.headers)
        if answer.cookies:
            headers["set-cookie"] = "\n".join(answer.cookies)
        return Fetched(
            url.href,
            answer.status,
            headers,
            media_type(answer.headers),
            charset(answer.headers),
            answer.body,
            tuple(state.steps),
            tuple(state.passed),
            from_cache,
        )

    async def _request(self, url: Url, state: _FetchState, delay: float) -> tuple[HttpResponse, bool]:
        """The response for one URL, from the cache if it is fresh; retries temporary failures."""
        key = f"{self.options.user_agent} {self.options.allow_private:d} {url.href}"
        # What a site shows to one user is not kept for others.
        is_private = bool(self.credentials.fields(url))
        entry = None if is_private else await self._stored(key)
        if entry is not None and entry.is_fresh(time.time()):
            state.steps.append("still fresh in the cache")
            return HttpResponse(entry.status, entry.headers, (), entry.body), True
        fields = self._fields(url, state) | (entry.conditions() if entry else {})
        for attempt in range(self.options.retries + 1):
            spaced = not state.passed and not attempt
            last = attempt == self.options.retries
            try:
                async with self.scheduler.turn(url.host, state.deadline, spaced=spaced, delay=delay):
                    answer = await self._once(url, fields, any_type=state.any_type)
                    if answer.status in (429, 503):
                        self.scheduler.delay_host(url.host, _retry_after(answer.headers) or 0.0)
            except ConnectionFailed as error:
                pause, why = _back_off(attempt), error.what
                if last or pause > state.deadline.left:
                    raise
            else:
                asked, why = _retry_after(answer.headers), f"status {answer.status}"
                pause = _back_off(attempt) if asked is None else asked
                patience = min(state.deadline.left, self.options.max_wait or state.deadline.left)
                if answer.status not in _FOR_THE_MOMENT or last or pause > patience:
                    break
            state.steps.append(f"{why}: retried after {pause:.1f} s")
            await asyncio.sleep(pause)
        self._take_cookies(url, answer, state)
        if self._cache is None or is_private:
            return answer, False
        loop = asyncio.get_running_loop()
        if answer.status == 304 and entry is not None:
            state.steps.append("not changed since it was cached")
            entry = await loop.run_in_executor(self._executor, self._cache.refresh, key, entry, answer.headers)
            return HttpResponse(entry.status, entry.headers, (), entry.body, answer.version), True
        await loop.run_in_executor(self._executor, self._cache.put, key, answer.status, answer.headers, answer.body)
        return answer, False

    async def _stored(self, key: str) -> Entry | None:
        if self._cache is None:
            return None
        return await asyncio.get_running_loop().run_in_executor(self._executor, self._cache.get, key)

    def _fields(self, url: Url, state: _FetchState) -> dict[str, str]:
        fields = {"accept": ACCEPT, **{name.lower(): value for name, value in self.options.headers.items()}}
        fields |= self.credentials.fields(url)
        if cookies := state.cookies.get(url.host):
            sent = "; ".join(f"{name}={value}" for name, value in cookies.items())
            fields["cookie"] = f"{fields['cookie']}; {sent}" if "cookie" in fields else sent
        return fields

    @staticmethod
    def _take_cookies(url: Url, answer: HttpResponse, state: _FetchState) -> None:
        for line in answer.cookies[:50]:
            try:
                found = SimpleCookie(line[:4096])
            except CookieError:
                continue
            state.cookies.setdefault(url.host, {}).update({name: morsel.coded_value for name, morsel in found.items()})

    async def _request_robots(self, url: Url, deadline: Deadline) -> robots.RobotsResponse:
        async with self.scheduler.slot(deadline), asyncio.timeout(robots.SECONDS):
            for _ in range(robots.MAX_REDIRECTS + 1):
                answer = await self._once(url, {"accept": "text/plain, */*;q=0.5"}, cut_at=robots.MAX_BYTES)
                location = _location(answer)
                if answer.status not in _REDIRECTS or location is None:
                    return robots.RobotsResponse(answer.status, answer.body)
                url = parse_url(location, url)
        return robots.RobotsResponse(404)

    async def _once(
        self, url: Url, fields: Mapping[str, str], cut_at: int | None = None, any_type: bool = False
    ) -> HttpResponse:
        """Send one request. The body is read only for a page, or, up to a limit, for robots.txt."""
        fields = {
            "host": url.authority,
            "user-agent": self.options.user_agent,
            "accept-encoding": ACCEPT_ENCODING,
            **fields,
        }
        target = httpcore2.URL(
            scheme=url.scheme.encode(), host=url.host.encode(), port=url.port, target=url.target.encode()
        )
        sent = [(name.encode(), value.encode("latin-1", "replace")) for name, value in fields.items()]
        try:
            async with self._pool.stream("GET", target, headers=sent) as response:
                return await self._read(url, response, cut_at, any_type)
        except FetchError as error:
            # The connector only knows the host.
            raise type(error)(url.href, *error.args[1:]) from None
        except (httpcore2.ConnectError, httpcore2.ConnectTimeout, ssl.SSLError) as error:
            raise HostUnreachable(url.href, f"no connection ({_short(error)})", "check the URL, or try later") from None
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException, OSError) as error:
            raise ConnectionFailed(
                url.href, f"the response was cut off ({_short(error)})", "try later; the server may be broken"
            ) from None

    async def _read(self, url: Url, response: httpcore2.Response, cut_at: int | None, any_type: bool) -> HttpResponse:
        headers: dict[str, str] = {}
        cookies: list[str] = []
        for raw_name, raw_value in response.headers:
            name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
            if name == "set-cookie":
                cookies.append(value)
            else:
                headers[name] = f"{headers[name]}, {value}" if name in headers else value
        version = response.extensions.get("http_version", b"").decode("latin-1")
        body = b""
        if 200 <= response.status < 300:
            if cut_at is None:
                if not any_type:
                    check_type(url.href, headers)
                length = headers.get("content-length", "")
                if length.isdigit() and int(length[:15]) > self.options.max_bytes:
                    raise TooLarge(
                        url.href, f"the page has {int(length[:15]):,} bytes", "raise the limit: max_bytes, --max-bytes"
                    )
            taken = Body(url.href, headers.get("content-encoding", ""), cut_at or self.options.max_bytes, bool(cut_at))
            async for piece in response.aiter_stream():
                taken.feed(piece)
                if taken.is_full:
                    break
            if not taken.is_complete:
                raise ConnectionFailed(
                    url.href, "the compressed page is cut off", "try later; the server may be broken"
                )
            body = taken.content()
        return HttpResponse(response.status, headers, tuple(cookies), body, version)


def _location(answer: HttpResponse) -> str | None:
    """The target of a redirect; servers write it in UTF-8, although the standard says otherwise."""
    value = answer.headers.get("location")
    try:
        return value.encode("latin-1").decode("utf-8") if value else value
    except UnicodeError:
        return value


def _redirect_target(url: Url, answer: HttpResponse) -> str | None:
    """The target of an HTTP redirect, or of a page that only redirects."""
    if answer.status in _REDIRECTS:
        return _location(answer)
    if answer.status != 200 or kind_of(url.href, answer.headers, answer.body) != "page":
        return None
    return refresh_target(answer.body)


def _back_off(attempt: int) -> float:
    return float(BACK_OFF * 2**attempt * random.uniform(0.8, 1.2))


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds, from either format of the header."""
    value = headers.get("retry-after", "").strip()
    if value.isdigit():
        return float(value[:9])
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _refusal(url: Url, answer: HttpResponse) -> HttpStatus:
    status, wait = answer.status, _retry_after(answer.headers)
    what = f"the server returned status {status}"
    later = f"try again in {wait:.0f} s" if wait else "try later"
    if status == 401:
        advice = "if you have a login for it, set it: auth, cookies, --netrc, --cookies"
        return Blocked(url.href, f"{what} (it asks for a login)", advice, status, wait)
    if status in _BLOCKING or any(name in answer.headers for name in _CHALLENGES):
        advice = later if status == 429 else "open it in a browser, save it, and extract the file"
        return Blocked(url.href, f"{what} (it blocks automated access)", advice, status, wait)
    if status in (404, 410):
        return HttpStatus(url.href, f"{what}: page not found", "check the URL", status, wait)
    advice = later if status >= 500 or status in _FOR_THE_MOMENT else "check the URL"
    return HttpStatus(url.href, what, advice, status, wait)


def _short(error: BaseException) -> str:
    return (str(error).split("\n")[0] or type(error).__name__)[:200]
