"""Clients that send slowly, or hold connections: they are refused in time, and others are served meanwhile."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import quote, urlsplit

import httpx2
import pytest

from duramen.cli import build_parser
from duramen.service.connections import ConnectionLimits, LimitedProtocol, LimitedServer

from .process import TOKEN, running
from .site import SHORT, Site, page, paragraphs

HEAD = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n"
HTML = {"Content-Type": "text/html; charset=utf-8"}


def connect(address: str, sent: bytes = b"", source: str = "127.0.0.1", buffer: int = 0) -> socket.socket:
    connection = socket.socket()
    if buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.settimeout(20)
    parts = urlsplit(address)
    try:
        connection.bind((source, 0))
        connection.connect((parts.hostname, parts.port))
        connection.sendall(sent)
    except OSError:
        connection.close()
        raise
    return connection


@contextmanager
def many(address: str, count: int, sent: bytes, source: str = "127.0.0.1") -> Iterator[list[socket.socket]]:
    with ExitStack() as stack:
        yield [stack.enter_context(connect(address, sent, source)) for _ in range(count)]


def answer(connection: socket.socket, data: bytes = b"") -> tuple[int, dict[str, str], bytes]:
    """All that comes until the server closes: status, headers and body; status 0 for nothing at all."""
    try:
        while piece := connection.recv(65_536):
            data += piece
    except ConnectionResetError:
        pass
    return parsed(data)


def parsed(data: bytes) -> tuple[int, dict[str, str], bytes]:
    if not data:
        return 0, {}, b""
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:])
    return int(lines[0].split()[1]), headers, body


def drip(connection: socket.socket, data: bytes) -> None:
    """A byte every 0.2 s, until the server has had enough."""
    for byte in data:
        try:
            connection.sendall(bytes([byte]))
        except OSError:
            return
        time.sleep(0.2)


def dripped(address: str, at_once: bytes, slowly: bytes = b"x" * 100) -> tuple[int, dict[str, str], bytes, float]:
    """The answer to a client that sends the rest of its request slowly, and how long it took."""
    with connect(address, at_once) as connection:
        began = time.monotonic()
        sending = threading.Thread(target=drip, args=(connection, slowly))
        sending.start()
        status, headers, body = answer(connection)
        seconds = time.monotonic() - began
        sending.join()
        return status, headers, body, seconds


def is_served(address: str) -> bool:
    return httpx2.get(f"{address}/health", timeout=5).status_code == 200


def closed(connections: list[socket.socket]) -> list[socket.socket]:
    """Those to which the server has sent something."""
    found = []
    for connection in connections:
        connection.setblocking(False)
        try:
            connection.recv(1, socket.MSG_PEEK)
            found.append(connection)
        except BlockingIOError:
            pass
        finally:
            connection.settimeout(20)
    return found


def test_half_sent_heads_do_not_take_all_places() -> None:
    with running("serve", "--max-connections", "50", "--head-seconds", "60") as (address, _):
        with many(address, 60, HEAD) as connections:
            # The longest wait makes room for the newest, each time.
            for _ in range(5):
                assert is_served(address)
            refused = closed(connections)
            # A busy machine may read the heads in another order than they were sent; the newest have waited least.
            assert 10 <= len(refused) <= 16 and set(refused).isdisjoint(connections[-10:])
            for connection in refused:
                status, headers, body = answer(connection)
                assert (status, headers["connection"], headers["content-type"]) == (
                    503,
                    "close",
                    "application/problem+json",
                )
                assert int(headers["retry-after"]) >= 1
                assert json.loads(body)["type"] == "urn:duramen:problem:too-many-connections"
            # The others may still complete their requests.
            connections[-1].sendall(b"Connection: close\r\n\r\n")
            assert answer(connections[-1])[0] == 200
        assert is_served(address)


def test_more_connections_than_open_files_are_survived() -> None:
    """With the limits as they are by default."""
    with running("serve") as (address, _):
        for _ in range(5):
            with many(address, ConnectionLimits().connections + 10, HEAD):
                assert is_served(address)
                result = httpx2.post(f"{address}/extract", content=SHORT, headers=HTML, timeout=60)
                assert result.json()["title"] == "A flat board"


@pytest.fixture(scope="module")
def impatient() -> Iterator[str]:
    with running("serve", "--head-seconds", "1", "--body-seconds", "1", "--max-requests", "4") as (address, _):
        yield address


POST = b"POST /extract HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/html\r\n"


@pytest.mark.parametrize(
    ("at_once", "what"),
    [
        (HEAD, "head"),
        (b"", "head"),
        (POST + b"Content-Length: 1000\r\n\r\n", "body"),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n100\r\n", "body"),
    ],
    ids=["head", "first byte", "body", "chunk"],
)
def test_slow_requests_are_ended_while_others_are_served(impatient: str, at_once: bytes, what: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        slow = [pool.submit(dripped, impatient, at_once) for _ in range(8)]
        while not all(client.done() for client in slow):
            # Slow bodies are more than --max-requests: they do not count before they have arrived.
            assert httpx2.post(f"{impatient}/extract", content=SHORT, headers=HTML, timeout=30).status_code == 200
        for client in slow:
            status, headers, body, seconds = client.result()
            assert (status, headers["connection"]) == (408, "close")
            assert f"The {what} of the request took longer than 1 s." in body.decode()
            assert 0.8 < seconds < 10


def test_a_slow_second_request_is_ended(impatient: str) -> None:
    with connect(impatient, HEAD + b"\r\n") as connection:
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200")
        connection.sendall(HEAD)
        assert answer(connection)[0] == 408


def test_a_client_that_sends_nothing_is_disconnected(impatient: str) -> None:
    began = time.monotonic()
    with connect(impatient) as connection:
        assert answer(connection)[0] == 0
    assert time.monotonic() - began < 10


def test_a_body_that_nobody_waits_for_is_not_read_for_ever(impatient: str) -> None:
    head = b"POST /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n"
    status, _, _, seconds = dripped(impatient, head)
    assert status == 404 and seconds < 10


def long_request(words: int = 12_000) -> bytes:
    body = page("Long", paragraphs(words)).encode()
    return POST + b"Content-Length: %d\r\n\r\n" % len(body) + body


def read_slowly(connection: socket.socket, size: int, pause: float, most: float) -> tuple[bytes, float]:
    """What a client gets that reads ``size`` bytes and pauses, again and again, for at most ``most`` seconds."""
    data, began = b"", time.monotonic()
    try:
        while time.monotonic() - began < most and (piece := connection.recv(size)):
            data += piece
            time.sleep(pause)
    except ConnectionResetError:
        pass
    return data, time.monotonic() - began


@pytest.mark.parametrize("head_seconds", ["1", "60"])
@pytest.mark.parametrize("size", [0, 100], ids=["nothing", "drops"])
def test_a_client_that_hardly_reads_its_answer_is_disconnected(size: int, head_seconds: str) -> None:
    with running("serve", "--body-seconds", "1", "--head-seconds", head_seconds) as (address, _):
        with connect(address, long_request(), buffer=4096) as connection:
            assert connection.recv(12) == b"HTTP/1.1 200"
            if size:
                # Never without progress, but at 500 bytes a second.
                read_slowly(connection, size, 0.2, most=4)
            else:
                time.sleep(4)
            status, _, rest = answer(connection, b"HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n")
            assert status == 200 and len(rest) < 7_000_000
        assert is_served(address)


def test_a_client_that_reads_steadily_gets_all_of_its_answer() -> None:
    """However long it takes: neither the time for bodies nor the one for the next head ends it."""
    with running("serve", "--head-seconds", "1", "--body-seconds", "1") as (address, _):
        with connect(address, long_request(), buffer=32_768) as connection:
            data, seconds = read_slowly(connection, 100_000, 0.05, most=60)
        _, headers, body = parsed(data)
        assert seconds > 4 and len(body) == int(headers["content-length"])


def test_answers_that_nobody_reads_do_not_fill_the_memory() -> None:
    """Beyond the limit for all clients, the one that has been reading for longest is disconnected."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        length = b"20000000"
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
        await send({"type": "http.response.body", "body": b"x" * int(length)})

    async def main() -> list[int]:
        server = LimitedServer(app, "127.0.0.1", 0, ConnectionLimits(unread_bytes=50_000_000, grace_seconds=0.1))
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        clients = []
        for _ in range(4):
            client = connect(f"http://127.0.0.1:{port}", HEAD + b"\r\n", buffer=4096)
            clients.append(client)
            await asyncio.sleep(0.5)
        held: list[int] = []
        for _ in range(600):  # a busy machine may take long
            held = [one.unread for one in server.server_state.connections if isinstance(one, LimitedProtocol)]
            if server.refusals["slow-reader"] == 2 and len(held) == 2 and all(held):
                break
            await asyncio.sleep(0.1)
        for client in clients:
            client.close()
        server.should_exit = True
        await serving
        return held

    held = asyncio.run(main())
    assert len(held) == 2 and sum(held) <= 50_000_000


def test_garbage_behind_an_answer_is_no_fault_of_the_server(impatient: str) -> None:
    """The answer is there before the body; its end is not valid. No traceback (see ``running``)."""
    request = b"POST /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n"
    with connect(impatient, request) as connection:
        begin = connection.recv(65_536)
        assert begin.startswith(b"HTTP/1.1 404")
        connection.sendall(b"no chunk\r\n")
        assert answer(connection, begin)[0] == 404
    with connect(impatient, POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\nno chunk\r\n") as connection:
        status, headers, body = answer(connection)
        assert (status, headers["content-type"]) == (400, "application/problem+json")
        assert json.loads(body)["type"] == "urn:duramen:problem:bad-request"


def test_requests_sent_all_at_once_are_answered_one_by_one(impatient: str) -> None:
    with connect(impatient, (HEAD + b"\r\n") * 1_000 + HEAD + b"Connection: close\r\n\r\n") as connection:
        _, _, rest = answer(connection)
    assert rest.count(b"HTTP/1.1 200") == 1_000


def test_requests_that_wait_for_their_answers_keep_their_places(site: Site) -> None:
    arguments = ("--max-connections-per-client", "3", "--max-connections", "10", "--allow-private")
    with running("serve", *arguments) as (address, _):
        paths = [f"/extract?url={quote(site.url('/slow'))}%3F{time.time_ns()}-{n}" for n in range(3)]
        heads = [f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n" for path in paths]
        waiting = [connect(address, head.encode()) for head in heads]
        with connect(address, HEAD + b"Connection: close\r\n\r\n", "127.0.0.2") as other:
            assert answer(other)[0] == 200
        began = time.monotonic()
        with connect(address, HEAD + b"\r\n") as excess:
            assert answer(excess)[0] == 503
        assert time.monotonic() - began < 3
        site.release.set()
        try:
            assert [answer(connection)[0] for connection in waiting] == [200] * 3
        finally:
            site.release.clear()
            for connection in waiting:
                connection.close()
        assert is_served(address)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_requests_finish_when_the_server_is_stopped(site: Site, number: int) -> None:
    with running("serve", "--allow-private", "--grace-seconds", "15") as (address, pid):
        path = f"/extract?url={quote(site.url('/slow'))}%3F{time.time_ns()}"
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        with connect(address, request) as waiting, connect(address, HEAD) as half_sent, connect(address) as silent:
            while httpx2.get(f"{address}/health").json()["requests_in_progress"] < 1:
                time.sleep(0.02)
            os.kill(pid, number)
            assert answer(half_sent)[0] == 503
            assert answer(silent)[0] == 0
            with pytest.raises(OSError):
                connect(address)
            site.release.set()
            try:
                assert answer(waiting)[0] == 200
            finally:
                site.release.clear()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_to_the_whole_group_do_not_stop_the_workers(number: int) -> None:
    """As Ctrl-C on a terminal and service managers send them."""
    body = page("Long", paragraphs(3_000))
    arguments = ("--workers", "2", "--grace-seconds", "60", "--seconds", "60")
    with running("serve", *arguments) as (address, pid), ThreadPoolExecutor(2) as pool:
        # One worker has been started with the server, the second one starts with the second request.
        asked = [
            pool.submit(httpx2.post, f"{address}/extract", content=body, headers=HTML, timeout=90) for _ in range(2)
        ]
        while sum(a.done() for a in asked) + httpx2.get(f"{address}/health").json()["requests_in_progress"] < 2:
            time.sleep(0.01)
        os.killpg(pid, number)
        assert [request.result().status_code for request in asked] == [200, 200]


def test_requests_get_503_when_the_grace_time_is_over(site: Site) -> None:
    with running("serve", "--allow-private", "--grace-seconds", "1") as (address, pid):
        path = f"/extract?url={quote(site.url('/slow'))}%3F{time.time_ns()}"
        requests = [
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode(),
            POST + b"Content-Length: 1000\r\n\r\n<p>",
        ]
        with connect(address, requests[0]) as waiting, connect(address, requests[1]) as sending:
            while httpx2.get(f"{address}/health").json()["requests_in_progress"] < 1:
                time.sleep(0.02)
            os.kill(pid, signal.SIGTERM)
            for connection in (waiting, sending):
                status, headers, body = answer(connection)
                assert (status, headers["content-type"]) == (503, "application/problem+json")
                assert json.loads(body)["type"] == "urn:duramen:problem:shutting-down"


def test_the_server_for_agents_has_the_same_limits() -> None:
    arguments = ("--head-seconds", "1", "--body-seconds", "1", "--max-connections", "20", "--grace-seconds", "1")
    with running("mcp", "--http", *arguments, token=TOKEN) as (address, pid):
        head = f"POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKEN}\r\nAccept: */*\r\n"
        assert dripped(address, head.encode())[0] == 408
        head += "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
        assert dripped(address, head.encode())[0] == 408
        with many(address, 30, HEAD) as connections:
            assert httpx2.get(f"{address}/mcp", timeout=5).status_code == 401
            assert len(closed(connections)) >= 10
        with connect(address, head.encode()) as sending:
            time.sleep(0.2)
            os.kill(pid, signal.SIGTERM)
            assert answer(sending)[0] in (408, 503)


def rpc(method: str, number: int | None = None, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params} | ({} if number is None else {"id": number})


@pytest.mark.parametrize("finishes", [True, False])
def test_calls_of_agents_finish_when_the_server_is_stopped(site: Site, finishes: bool) -> None:
    """A call and an open stream: the call has the grace time, and the stream, which never ends, holds nothing up."""
    headers = {
        "Accept": "application/json, text/event-stream",
        "Authorization": f"Bearer {TOKEN}",
        "Mcp-Protocol-Version": "2025-06-18",
    }
    grace = "30" if finishes else "1"
    with (
        running("mcp", "--http", "--allow-private", "--grace-seconds", grace, token=TOKEN) as (address, pid),
        httpx2.Client(headers=headers, timeout=60) as http,
        ThreadPoolExecutor(2) as pool,
    ):
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        started = http.post(f"{address}/mcp", json=rpc("initialize", 1, **about))
        http.headers["Mcp-Session-Id"] = started.headers["mcp-session-id"]
        http.post(f"{address}/mcp", json=rpc("notifications/initialized"))
        stream = pool.submit(http.get, f"{address}/mcp")
        asked = site.asked["/slow"]
        call = rpc("tools/call", 2, name="fetch", arguments={"url": site.url("/slow")})
        calling = pool.submit(http.post, f"{address}/mcp", json=call)
        while site.asked["/slow"] == asked:
            time.sleep(0.02)
        began = time.monotonic()
        os.kill(pid, signal.SIGTERM)
        assert stream.result().status_code == 200
        assert time.monotonic() - began < 15
        if finishes:
            site.release.set()
        try:
            response = calling.result()
        finally:
            site.release.clear()
        # The headers were sent when the call began: without a result the stream just ends.
        assert response.status_code == 200
        assert ("untrusted-web-content" in response.text) is finishes


@pytest.mark.parametrize("command", ["serve", "mcp"])
def test_help_tells_the_limits(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = build_parser([command])
    with pytest.raises(SystemExit):
        parser.parse_args([command, "--help"])
    shown = re.sub(r"\s+", " ", capsys.readouterr().out)
    assert "--head-seconds N time for a client to send the head of a request; default: 10" in shown
    args, limits = parser.parse_args([command]), ConnectionLimits()
    assert (args.head_seconds, args.body_seconds, args.grace_seconds) == (
        limits.head_seconds,
        limits.body_seconds,
        limits.grace_seconds,
    )
    assert (args.max_connections, args.max_connections_per_client) == (limits.connections, limits.per_client)


@pytest.mark.parametrize("flag", ["--head-seconds", "--body-seconds", "--max-connections"])
def test_wrong_limits_are_usage_errors(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    from duramen.cli import main

    with pytest.raises(SystemExit) as stop:
        main(["serve", flag, "0"])
    assert stop.value.code == 2
    assert f"{flag} must be a" in capsys.readouterr().err


def test_idle_connections_outlive_those_of_usual_clients() -> None:
    """A server that closes one as soon as its client stops to use it resets some requests."""
    server = LimitedServer(lambda *_: None, "127.0.0.1", 0, ConnectionLimits())  # type: ignore[arg-type]
    assert server.config.timeout_keep_alive > 5


def test_fifty_mcp_clients_of_one_machine_find_room() -> None:
    """Each holds a stream of events, and connections for its calls."""
    assert ConnectionLimits().per_client >= 50 * 3
