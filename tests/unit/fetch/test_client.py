"""The client against a real server on this machine, well-behaved and not."""

from __future__ import annotations

import asyncio
import gzip
import ssl
import sys
import time
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path
from typing import Any

import brotli
import pytest
import trustme
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived
from loopback import Answer, Asked, Loopback, Reply, article

from duramen import AsyncSession, FetchOptions, Session, __version__
from duramen.errors import (
    BadUrl,
    Blocked,
    ConnectionFailed,
    FetchError,
    HostUnreachable,
    HttpStatus,
    RobotsDenied,
    Timeout,
    TooLarge,
    TooManyRedirects,
    TooSoon,
    UnsupportedContent,
)
from duramen.fetch import client, robots
from duramen.model import Fetched

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    import backports.zstd as zstd

HTML = {"Content-Type": "text/html; charset=utf-8"}
PAGE = article()


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "BACK_OFF", 0.01)


def fetch(url: str, ignore_robots: bool = False, **options: Any) -> Fetched:
    settings = {"allow_private": True, "delay": 0, "timeout": 10, "render": "never", **options}
    with Session(fetch=FetchOptions(**settings)) as session:
        return session.fetch(url, ignore_robots=ignore_robots)


def test_a_page(server: Loopback) -> None:
    server.page("/", PAGE)
    fetched = fetch(server.url("/#top"))
    assert (fetched.url, fetched.status, fetched.body) == (server.url("/"), 200, PAGE.encode())
    assert (fetched.content_type, fetched.charset, fetched.redirects) == ("text/html", "utf-8", ())
    asked = server.asked[-1].headers
    assert asked["host"] == f"127.0.0.1:{server.port}" and asked["user-agent"] == f"Duramen/{__version__}"
    assert asked["accept"].startswith("text/markdown, text/html") and "zstd" in asked["accept-encoding"]


@pytest.mark.parametrize(
    ("coding", "pack"),
    [("gzip", gzip.compress), ("br", lambda data: brotli.compress(data, quality=3)), ("zstd", zstd.compress)],
)
def test_packed(server: Loopback, coding: str, pack: Any) -> None:
    server.routes["/"] = Reply(pack(PAGE.encode()), headers={**HTML, "Content-Encoding": coding})
    assert fetch(server.url()).body == PAGE.encode()
    server.routes["/"] = Reply(pack(bytes(30_000_000)), headers={**HTML, "Content-Encoding": coding})
    with pytest.raises(TooLarge):
        fetch(server.url())


class TestRedirects:
    def test_step_by_step(self, server: Loopback) -> None:
        for n, status in enumerate((301, 302, 303, 307, 308)):
            server.routes[f"/{n}"] = Reply(status=status, headers={"Location": f"/{n + 1}"})
        server.page("/5", PAGE)
        fetched = fetch(server.url("/0"))
        assert fetched.url == server.url("/5")
        assert fetched.redirects == tuple(server.url(f"/{n}") for n in range(5))
        assert fetched.steps[0] == f"redirected (301) to {server.url('/1')}"

    def test_without_end(self, server: Loopback) -> None:
        def onward(asked: Asked) -> Reply:
            return Reply(status=302, headers={"Location": f"/?{len(server.asked)}"})

        server.routes["/"] = onward
        with pytest.raises(TooManyRedirects, match="more than 3 redirects"):
            fetch(server.url(), max_redirects=3)
        assert len(server.paths()) == 4

    def test_in_a_circle(self, server: Loopback) -> None:
        server.routes["/a"] = Reply(status=302, headers={"Location": "/b"})
        server.routes["/b"] = Reply(status=302, headers={"Location": "/a"})
        with pytest.raises(TooManyRedirects, match="redirect loop"):
            fetch(server.url("/a"))
        assert server.paths() == ["/a", "/b"]

    def test_written_in_utf8(self, server: Loopback) -> None:
        server.routes["/"] = Reply(status=302, headers={"Location": "/höhe".encode().decode("latin-1")})
        server.page("/h%C3%B6he", PAGE)
        assert fetch(server.url()).url == server.url("/h%C3%B6he")

    def test_until_the_cookie_comes_back(self, server: Loopback) -> None:
        def wants_cookie(asked: Asked) -> Reply:
            if "seen=yes" in asked.headers.get("cookie", ""):
                return Reply(PAGE, headers=HTML)
            return Reply(status=302, headers={"Location": "/", "Set-Cookie": "seen=yes; Path=/; HttpOnly"})

        server.routes["/"] = wants_cookie
        assert fetch(server.url()).status == 200

    def test_cookies_stay_with_their_host(self, server: Loopback) -> None:
        to = server.url("/b", host="localhost")
        server.routes["/a"] = Reply(status=302, headers={"Location": to, "Set-Cookie": "secret=1"})
        server.page("/b", PAGE)
        fetch(server.url("/a"))
        assert "cookie" not in server.asked[-1].headers

    @pytest.mark.parametrize(
        "target", ["file:///etc/passwd", "gopher://127.0.0.1/", "http://user:pw@127.0.0.1/", "http://["]
    )
    def test_to_what_is_no_page(self, server: Loopback, target: str) -> None:
        server.routes["/"] = Reply(status=302, headers={"Location": target})
        with pytest.raises(BadUrl):
            fetch(server.url())

    def test_signposts(self, server: Loopback) -> None:
        server.page("/", '<title>Moved</title><meta http-equiv=refresh content="0; url=en/latest/">')
        server.page("/en/latest/", PAGE)
        assert fetch(server.url()).url == server.url("/en/latest/")
        server.page("/loop", '<meta http-equiv=refresh content="0; url=/loop"><p>Wait.')
        assert fetch(server.url("/loop")).url == server.url("/loop")


class TestStatus:
    @pytest.mark.parametrize(
        ("status", "kind", "advice"),
        [
            (404, HttpStatus, "check"),
            (410, HttpStatus, "check"),
            (403, Blocked, "save it"),
            (451, Blocked, "save it"),
            (401, Blocked, "--netrc"),
        ],
    )
    def test_final(self, server: Loopback, status: int, kind: type[HttpStatus], advice: str) -> None:
        server.routes["/"] = Reply("sorry", status)
        with pytest.raises(HttpStatus) as caught:
            fetch(server.url())
        assert type(caught.value) is kind
        assert caught.value.status == status and advice in caught.value.advice and caught.value.url == server.url()
        assert server.paths() == ["/"]

    def test_firewall(self, server: Loopback) -> None:
        server.routes["/"] = Reply("", 503, {"cf-mitigated": "challenge"})
        with pytest.raises(Blocked):
            fetch(server.url(), retries=0)

    @pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
    def test_tried_again(self, server: Loopback, status: int) -> None:
        answers = [Reply("", status, {"Retry-After": "0"}), Reply("", status), Reply(PAGE, headers=HTML)]
        server.routes["/"] = lambda asked: answers.pop(0)
        fetched = fetch(server.url())
        assert fetched.body == PAGE.encode()
        assert [step.startswith(f"status {status}: retried") for step in fetched.steps] == [True, True, False]

    def test_not_for_ever(self, server: Loopback) -> None:
        server.routes["/"] = Reply("", 503)
        with pytest.raises(HttpStatus, match="503"):
            fetch(server.url(), retries=2)
        assert len(server.paths()) == 3

    @pytest.mark.parametrize("form", ["seconds", "date"])
    def test_retry_after_is_obeyed(self, server: Loopback, form: str) -> None:
        after = "1" if form == "seconds" else formatdate(time.time() + 2, usegmt=True)
        answers = [Reply("", 429, {"Retry-After": after}), Reply(PAGE, headers=HTML)]
        server.routes["/"] = lambda asked: answers.pop(0)
        began = time.monotonic()
        fetch(server.url())
        assert time.monotonic() - began >= 0.9

    def test_a_refused_host_is_refused_as_long_as_it_asked(self, server: Loopback) -> None:
        """Whoever does not wait for a host's turn is told the whole time, on the next page too."""
        server.routes["/"] = Reply("", 429, {"Retry-After": "3000"})
        server.page("/other", PAGE)
        with Session(fetch=FetchOptions(allow_private=True, delay=0, max_wait=5)) as session:
            with pytest.raises(Blocked, match="try again in 3000 s"):
                session.fetch(server.url())
            with pytest.raises(TooSoon, match=r"try again in (?:2\d{3}|3000) s") as caught:
                session.fetch(server.url("/other"))
        assert caught.value.retry_after > 2000 and "/other" not in server.paths()

    def test_retry_after_the_deadline_is_told_at_once(self, server: Loopback) -> None:
        server.routes["/"] = Reply("", 429, {"Retry-After": "3600"})
        began = time.monotonic()
        with pytest.raises(Blocked, match="try again in 3600 s") as caught:
            fetch(server.url())
        assert time.monotonic() - began < 8 and caught.value.retry_after == 3600


async def drop_at_once(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


async def drop_in_the_middle(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n<p>Only so")
    await writer.drain()


async def broken_chunk(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>Only\r\nzz")


async def half_gzip(writer: asyncio.StreamWriter) -> None:
    body = gzip.compress(PAGE.encode())[:-30]
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + body)


async def no_http(writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 mail.example ESMTP ready\r\n")


async def endless_head(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    for n in range(20_000):
        writer.write(b"X-%d: %s\r\n" % (n, b"a" * 100))
        await writer.drain()


async def endless_body(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        writer.write(b"<p>" + b"and on " * 10_000)
        await writer.drain()


async def drip(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        writer.write(b"<p>")
        await writer.drain()
        await asyncio.sleep(0.05)


async def silence(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(30)


class TestBadServers:
    @pytest.mark.parametrize("rude", [drop_at_once, drop_in_the_middle, broken_chunk, half_gzip, no_http, endless_head])
    def test_broken_answers(self, server: Loopback, rude: Answer) -> None:
        server.routes["/"] = rude
        with pytest.raises(ConnectionFailed) as caught:
            fetch(server.url(), retries=1)
        assert type(caught.value) is ConnectionFailed and caught.value.url == server.url()
        assert len(server.paths()) == 2

    def test_one_that_gets_better(self, server: Loopback) -> None:
        answers: list[Any] = [drop_in_the_middle, Reply(PAGE, headers=HTML)]
        server.routes["/"] = lambda asked: answers.pop(0)
        assert fetch(server.url()).body == PAGE.encode()

    def test_more_than_announced_is_left(self, server: Loopback) -> None:
        server.routes["/"] = Reply(b"<p>Just this</p>" + b"x" * 100, headers={**HTML, "Content-Length": "16"})
        assert fetch(server.url()).body == b"<p>Just this</p>"

    def test_endless(self, server: Loopback) -> None:
        server.routes["/"] = endless_body
        with pytest.raises(TooLarge, match="max_bytes"):
            fetch(server.url(), max_bytes=1_000_000)

    def test_too_long_by_its_own_word(self, server: Loopback) -> None:
        server.routes["/"] = Reply(b"", headers={**HTML, "Content-Length": "99999999999"})
        with pytest.raises(TooLarge, match="99,999,999,999 bytes"):
            fetch(server.url())

    @pytest.mark.parametrize("rude", [drip, silence])
    def test_slow(self, server: Loopback, rude: Answer) -> None:
        server.routes["/"] = rude
        began = time.monotonic()
        with pytest.raises(Timeout, match=r"not done within 0\.4 s; raise the limit: timeout, --timeout") as caught:
            fetch(server.url(), timeout=0.4)
        assert time.monotonic() - began < 8 and caught.value.url == server.url()

    def test_many_that_are_given_up(self, server: Loopback) -> None:
        """Requests that ran out of time leave no connection behind that others would wait for."""
        server.routes["/slow"] = drip
        server.page("/", PAGE)

        async def run() -> int:
            settings = FetchOptions(allow_private=True, delay=0, timeout=0.3, concurrency=2, robots=False)
            async with AsyncSession(fetch=settings) as session:
                for _ in range(12):
                    with pytest.raises(Timeout):
                        await session.fetch(server.url("/slow"))
            async with AsyncSession(fetch=FetchOptions(allow_private=True, delay=0, concurrency=2)) as session:
                tasks = [asyncio.create_task(session.fetch(server.url("/slow"))) for _ in range(12)]
                await asyncio.sleep(0.3)
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                return (await session.fetch(server.url("/"))).status

        assert asyncio.run(run()) == 200

    def test_one_deadline_for_all_redirects(self, server: Loopback) -> None:
        for n in range(10):
            server.routes[f"/{n}"] = Reply(status=302, headers={"Location": f"/{n + 1}"}, delay=0.2)
        with pytest.raises(Timeout):
            fetch(server.url("/0"), timeout=0.7)
        assert 1 <= len(server.paths()) <= 5

    def test_nobody_there(self, server: Loopback) -> None:
        url = server.url()
        server._loop.call_soon_threadsafe(server._server.close)
        time.sleep(0.1)
        with pytest.raises(HostUnreachable, match="no connection"):
            fetch(url, retries=1)


class TestContent:
    @pytest.mark.parametrize(
        ("content_type", "body", "what"),
        [
            ("image/png", b"\x89PNG\r\n\x1a\n", "an image"),
            ("text/html", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "an image"),
            ("application/octet-stream", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "an image"),
            ("video/mp4", b"", "video/mp4"),
            ("text/event-stream", b"data: 1", "text/event-stream"),
            ("application/vnd.ms-excel", b"", "application/vnd.ms-excel"),
            ("", b"PK\3\4" + bytes(50), "a ZIP archive"),
            ("application/octet-stream", bytes(range(256)) * 8, "binary data"),
        ],
    )
    def test_refused(self, server: Loopback, content_type: str, body: bytes, what: str) -> None:
        server.page("/", body, content_type)
        with pytest.raises(UnsupportedContent) as caught:
            fetch(server.url())
        assert what in caught.value.what and "only pages, text" in caught.value.advice

    def test_refused_before_it_is_downloaded(self, server: Loopback) -> None:
        server.routes["/"] = Reply(b"", headers={"Content-Type": "video/mp4", "Content-Length": "2000000"})
        with pytest.raises(UnsupportedContent):
            fetch(server.url(), timeout=5)

    @pytest.mark.parametrize("content_type", ["TEXT/HTML;charset=x", "application/xhtml+xml", "", "text/plain"])
    def test_taken(self, server: Loopback, content_type: str) -> None:
        server.page("/", PAGE, content_type)
        assert fetch(server.url()).body == PAGE.encode()


class TestRobots:
    @pytest.mark.parametrize("status", [200, 400, 401, 403, 404, 410, 429])
    def test_none(self, server: Loopback, status: int) -> None:
        server.routes["/robots.txt"] = Reply("" if status == 200 else "User-agent: *\nDisallow: /", status)
        server.page("/", PAGE)
        assert fetch(server.url()).status == 200

    @pytest.mark.parametrize("answer", [Reply("", 500), Reply("", 503), drop_at_once, no_http])
    def test_unreadable(self, server: Loopback, answer: Answer) -> None:
        server.routes["/robots.txt"] = answer
        server.page("/", PAGE)
        with pytest.raises(RobotsDenied, match=r"its robots\.txt cannot be read \(.*--ignore-robots"):
            fetch(server.url())
        assert server.paths() == []
        assert fetch(server.url(), ignore_robots=True).status == 200
        assert fetch(server.url(), robots=False).status == 200

    def test_slow(self, server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(robots, "SECONDS", 0.3)
        server.routes["/robots.txt"] = silence
        with pytest.raises(RobotsDenied, match="no response within"):
            fetch(server.url())

    def test_denied(self, server: Loopback) -> None:
        server.routes["/robots.txt"] = Reply("User-agent: *\nAllow: /\n\nUser-agent: duramen\nDisallow: /private\n")
        server.page("/private/a", PAGE)
        server.page("/public", PAGE)
        with pytest.raises(RobotsDenied, match=r"does not allow Duramen to read it"):
            fetch(server.url("/private/a"))
        assert server.paths() == []
        assert fetch(server.url("/public")).status == 200
        assert fetch(server.url("/private/a"), user_agent="Other/2").status == 200
        assert fetch(server.url("/private/a"), ignore_robots=True).status == 200

    @pytest.mark.parametrize(
        ("rules", "path", "allowed"),
        [
            ("User-agent: *\nDisallow: /*.php$", "/a.php", False),
            ("User-agent: *\nDisallow: /*.php$", "/a.php?x", True),
            ("User-agent: *\nDisallow: /\nAllow: /open", "/open/x", True),
            ("User-agent: *\nDisallow: /a\nAllow: /a/b/c\nDisallow: /a/b/c/d", "/a/b/c/d", False),
            ("\ufeffUser-agent: *\r\nDisallow: /x # a remark", "/x", False),
            ("USER-AGENT: Duramen\nDISALLOW: /x", "/x", False),
            ("User-agent: Duramenbot\nDisallow: /", "/x", True),
            ("User-agent: a\nUser-agent: duramen\nDisallow: /x", "/x", False),
            ("Disallow: /x", "/x", True),
            ("<html>no rules</html>", "/x", True),
            ("User-agent: *\nDisallow: /%7Ejoe/", "/~joe/a", False),
        ],
    )
    def test_rules(self, server: Loopback, rules: str, path: str, allowed: bool) -> None:
        server.routes["/robots.txt"] = Reply(rules)
        server.page(path.partition("?")[0], PAGE)
        if allowed:
            assert fetch(server.url(path)).status == 200
        else:
            with pytest.raises(RobotsDenied):
                fetch(server.url(path))

    def test_redirects(self, server: Loopback) -> None:
        server.routes["/robots.txt"] = Reply(status=301, headers={"Location": "/r1"})
        for n in range(1, 5):
            server.routes[f"/r{n}"] = Reply(status=302, headers={"Location": f"/r{n + 1}"})
        server.routes["/r5"] = Reply("User-agent: *\nDisallow: /")
        with pytest.raises(RobotsDenied):
            fetch(server.url())
        server.routes["/r5"] = Reply(status=302, headers={"Location": "/r6"})
        server.page("/", PAGE)
        assert fetch(server.url()).status == 200

    def test_only_the_beginning_is_read(self, server: Loopback) -> None:
        filler = "# filler\n" * (robots.MAX_BYTES // 9 + 1)
        server.page("/a", PAGE)
        server.routes["/robots.txt"] = Reply(f"User-agent: *\nDisallow: /b\n{filler}Disallow: /a\n")
        assert fetch(server.url("/a")).status == 200
        with pytest.raises(RobotsDenied):
            fetch(server.url("/b"))

    def test_asked_once_for_each_origin(self, server: Loopback) -> None:
        server.page("/a", PAGE)
        server.page("/b", PAGE)
        with Session(fetch=FetchOptions(allow_private=True, delay=0)) as session:
            for path in ("/a", "/b", "/a"):
                session.fetch(server.url(path))
        assert [asked.path for asked in server.asked].count("/robots.txt") == 1

    def test_redirects_are_checked_too(self, server: Loopback) -> None:
        server.routes["/robots.txt"] = Reply("User-agent: *\nDisallow: /closed")
        server.routes["/open"] = Reply(status=302, headers={"Location": "/closed"})
        with pytest.raises(RobotsDenied):
            fetch(server.url("/open"))
        assert server.paths() == ["/open"]


class TestCache:
    def test_asked_whether_it_changed(self, server: Loopback, tmp_path: Path) -> None:
        def versioned(asked: Asked) -> Reply:
            if asked.headers.get("if-none-match") == '"v1"':
                return Reply(status=304, headers={"ETag": '"v1"'})
            return Reply(PAGE, headers={**HTML, "ETag": '"v1"'})

        server.routes["/"] = versioned
        first, second = (fetch(server.url(), cache=tmp_path) for _ in range(2))
        assert (first.from_cache, second.from_cache) == (False, True)
        assert second.body == first.body and second.content_type == "text/html" and second.status == 200
        assert "not changed since it was cached" in second.steps

    def test_by_date(self, server: Loopback, tmp_path: Path) -> None:
        date = formatdate(1_700_000_000, usegmt=True)
        server.page("/", PAGE, **{"Last-Modified": date})
        fetch(server.url(), cache=tmp_path)
        server.page("/", "<p>new", **{"Last-Modified": formatdate(usegmt=True)})
        assert fetch(server.url(), cache=tmp_path).body == b"<p>new"
        assert server.asked[-1].headers["if-modified-since"] == date

    def test_fresh_ones_are_not_asked_for(self, server: Loopback, tmp_path: Path) -> None:
        server.page("/", PAGE, **{"Cache-Control": "public, max-age=600"})
        fetch(server.url(), cache=tmp_path)
        assert fetch(server.url(), cache=tmp_path).from_cache
        assert server.paths() == ["/"]

    @pytest.mark.parametrize("rule", ["no-store", "no-cache, max-age=600"])
    def test_as_the_server_wishes(self, server: Loopback, tmp_path: Path, rule: str) -> None:
        server.page("/", PAGE, **{"Cache-Control": rule})
        fetch(server.url(), cache=tmp_path)
        assert not fetch(server.url(), cache=tmp_path).from_cache

    def test_private_pages_are_not_told_to_others(self, server: Loopback, tmp_path: Path) -> None:
        server.page("/", PAGE, **{"Cache-Control": "max-age=600"})
        fetch(server.url(), cache=tmp_path)
        with pytest.raises(FetchError, match="private network"):
            fetch(server.url(), cache=tmp_path, allow_private=False, robots=False)


@pytest.fixture
def certificate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ssl.SSLContext]:
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost", "127.0.0.1").configure_cert(context)
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    yield context


def test_tls(certificate: ssl.SSLContext) -> None:
    with Loopback(tls=certificate) as server:
        server.page("/", PAGE)
        assert fetch(server.url("/", host="localhost")).status == 200
        assert fetch(server.url("/")).status == 200


async def _speak_http2(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    connection = H2Connection(H2Configuration(client_side=False))
    connection.initiate_connection()
    while data := await reader.read(65_536):
        for event in connection.receive_data(data):
            if isinstance(event, RequestReceived) and event.stream_id:
                fields = dict(event.headers or ())
                status = "404" if fields[b":path"] == b"/robots.txt" else "200"
                connection.send_headers(event.stream_id, [(":status", status), ("content-type", "text/html")])
                connection.send_data(event.stream_id, PAGE.encode(), end_stream=True)
        writer.write(connection.data_to_send())
        await writer.drain()
    writer.close()


def test_http2(certificate: ssl.SSLContext) -> None:
    async def run() -> Fetched:
        certificate.set_alpn_protocols(["h2", "http/1.1"])
        server = await asyncio.start_server(_speak_http2, "127.0.0.1", 0, ssl=certificate)
        url = f"https://localhost:{server.sockets[0].getsockname()[1]}/"
        async with server, AsyncSession(fetch=FetchOptions(allow_private=True)) as session:
            return await session.fetch(url)

    fetched = asyncio.run(run())
    assert fetched.body == PAGE.encode() and fetched.steps[-1].endswith("HTTP/2")


def test_certificates_are_checked(certificate: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with Loopback(tls=certificate) as server, pytest.raises(HostUnreachable, match=r"(?i)certificate"):
        fetch(server.url(), retries=0)
