"""The browser's way out: to public addresses only, one host a connection, so many bytes and no more."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from loopback import Asked, Loopback, Reply

from duramen.browser.proxy import FilteringProxy
from duramen.fetch.address import Connector


def through(request: bytes, allow_private: bool = True, limit: int = 1_000_000) -> tuple[bytes, FilteringProxy]:
    """What a browser would get back, until the connection ends."""

    async def run() -> tuple[bytes, FilteringProxy]:
        with ThreadPoolExecutor(1) as executor:
            async with FilteringProxy(Connector(allow_private, executor), limit) as proxy:
                host, port = proxy.address.removeprefix("http://").split(":")
                reader, writer = await asyncio.open_connection(host, int(port))
                writer.write(request)
                try:
                    async with asyncio.timeout(5):
                        return await reader.read(), proxy
                finally:
                    writer.close()

    return asyncio.run(run())


def test_plain_requests(server: Loopback) -> None:
    server.routes["/a"] = lambda asked: Reply(f"{asked.target} {asked.headers}", headers={"Keep-Alive": "timeout=5"})
    fields = (
        b"Host: evil.example\r\nProxy-Connection: keep-alive\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-A: b\r\n"
    )
    answer, proxy = through(b"GET %s HTTP/1.1\r\n%s\r\n" % (server.url("/a?b").encode(), fields))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200") and b"Connection: close" in head and b"Keep-Alive" not in head
    assert body.startswith(b"/a?b ")
    asked: Asked = server.asked[0]
    assert asked.headers == {"host": f"127.0.0.1:{server.port}", "x-a": "b", "connection": "close"}
    assert (proxy.opened, proxy.refused) == (1, [])


def test_bodies_are_passed_on(server: Loopback) -> None:
    server.routes["/a"] = Reply("got it")
    request = b"POST %s HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc" % server.url("/a").encode()
    assert through(request)[0].endswith(b"got it")
    assert server.asked[0].method == "POST" and server.asked[0].body == b"abc"


def test_tunnels(server: Loopback) -> None:
    server.routes["/"] = Reply("inside")
    request = b"CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nConnection: close\r\n\r\n" % server.port
    answer, proxy = through(request)
    assert answer.startswith(b"HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200") and answer.endswith(b"inside")
    assert proxy.opened == 1


@pytest.mark.parametrize("form", ["127.0.0.1:{}", "localhost:{}", "127.1:{}", "[::ffff:127.0.0.1]:{}", "2130706433:{}"])
@pytest.mark.parametrize("method", ["CONNECT", "GET"])
def test_private_addresses(server: Loopback, form: str, method: str) -> None:
    target = form.format(server.port)
    line = f"CONNECT {target}" if method == "CONNECT" else f"GET http://{target}/"
    answer, proxy = through(f"{line} HTTP/1.1\r\n\r\n".encode(), allow_private=False)
    assert answer.startswith(b"HTTP/1.1 502")
    assert proxy.opened == 0 and len(proxy.refused) == 1 and server.connections == 0


@pytest.mark.parametrize(
    "request_line",
    [
        b"GET / HTTP/1.1",
        b"GET ftp://127.0.0.1/ HTTP/1.1",
        b"GET https://127.0.0.1/ HTTP/1.1",
        b"CONNECT 127.0.0.1:22 HTTP/1.1",
        b"CONNECT user@127.0.0.1:443 HTTP/1.1",
        b"CONNECT /etc/passwd HTTP/1.1",
        b"nonsense",
        b"",
    ],
)
def test_not_for_pages(request_line: bytes) -> None:
    answer, proxy = through(request_line + b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 502") and proxy.opened == 0


def test_head_without_end() -> None:
    assert through(b"GET http://127.0.0.1/ HTTP/1.1\r\n" + b"X: y\r\n" * 20_000)[0] == b""


def test_no_change_of_protocol(server: Loopback) -> None:
    async def upgrade(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\nraw")

    server.routes["/"] = upgrade
    assert through(b"GET %s HTTP/1.1\r\n\r\n" % server.url().encode())[0] == b""


def test_so_many_bytes_and_no_more(server: Loopback) -> None:
    server.routes["/"] = Reply(b"x" * 3_000_000)
    answer, _ = through(b"GET %s HTTP/1.1\r\n\r\n" % server.url().encode(), limit=100_000)
    assert 50_000 < len(answer) < 300_000


def test_closing_ends_what_is_under_way(server: Loopback) -> None:
    server.routes["/"] = Reply("late", delay=30)

    async def run() -> bytes:
        with ThreadPoolExecutor(1) as executor:
            async with FilteringProxy(Connector(True, executor), 1000) as proxy:
                host, port = proxy.address.removeprefix("http://").split(":")
                reader, writer = await asyncio.open_connection(host, int(port))
                writer.write(b"GET %s HTTP/1.1\r\n\r\n" % server.url().encode())
                await asyncio.sleep(0.2)
            answer = await asyncio.wait_for(reader.read(), 5)
            writer.close()
            return answer

    assert asyncio.run(run()) == b""
