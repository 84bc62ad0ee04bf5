"""Connection limits for our servers: uvicorn has none for clients that send slowly or not at all.

A connection that is still sending its request only costs a file descriptor, so slow clients could use up all
descriptors. Here request heads and bodies have a time limit, responses must be read at a minimum rate, and connections
are counted, in total and per client. A new connection over the limit replaces the one that has been sending for
longest: a client that sends its request at once is served even while slow clients hold all connections. If all have
sent their requests and wait for a response, the new connection gets 503.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import math
import signal
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from duramen.option_checks import check_fields
from duramen.options import MOST_BYTES, MOST_SECONDS
from duramen.service.cancelled import STOPPING, CancelledRequests
from duramen.service.problems import MEDIA_TYPE, RETRY_AFTER, Problem
from duramen.service.strict_http import StrictConnection

LINGER_SECONDS = 2.0
"""How long a refused client may take to read the response."""
LEAST_RATE = 5_000
"""Bytes per second that a client must read of its response."""
CHECK_SECONDS = 0.1
REPORT_SECONDS = 60.0
TOO_MANY = Problem(503, "too-many-connections", "The server has too many connections; try again in a moment.")
BAD_REQUEST = Problem(400, "bad-request", "The request is not valid HTTP/1.1.")
_log = logging.getLogger("uvicorn.error")


RANGES = {
    "head_seconds": (0.001, MOST_SECONDS),
    "body_seconds": (0.001, MOST_SECONDS),
    "connections": (1, 100_000),
    "per_client": (1, 100_000),
    "unread_bytes": (1, 1_000 * MOST_BYTES),
    "grace_seconds": (0, MOST_SECONDS),
}
"""The numbers that :class:`ConnectionLimits` accepts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """How long clients may take, and how many connections they may hold."""

    head_seconds: float = 10.0
    """For the head of a request, from its first byte, or from the start of the connection."""
    body_seconds: float = 20.0
    """For the body of a request. A client that reads its response more slowly than :data:`LEAST_RATE` for this time is
    disconnected."""
    connections: int = 400
    per_client: int = 200
    """By IP address; IPv6 addresses of one /64 network count as one client. An MCP client holds two or three."""
    unread_bytes: int = 256_000_000
    """Of responses that wait for their clients to read them, in total; beyond it the client that has been reading for
    longest is disconnected."""
    grace_seconds: float = 10.0
    """At shutdown, for requests in progress."""

    def __post_init__(self) -> None:
        check_fields(self, RANGES)

    @property
    def files(self) -> int:
        """Open files that the server may need: refused connections linger, and requests open files themselves."""
        return 2 * self.connections + 400


class CountedTransport:
    """A transport that counts the bytes that its client has taken."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._written = 0

    def write(self, data: bytes) -> None:
        self._written += len(data)
        self._transport.write(data)

    @property
    def taken(self) -> int:
        return self._written - self._transport.get_write_buffer_size()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class LimitedProtocol(H11Protocol):
    """HTTP/1.1 on one connection, within limits. :class:`LimitedServer` calls ``check`` regularly."""

    limits: ConnectionLimits
    refusals: Counter[str]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn = StrictConnection()
        self.refused = False
        self.stage: Any = h11.IDLE
        """The client's state in h11: IDLE before and while it sends a head, then SEND_BODY, then DONE."""
        self.since = self.loop.time()
        """When the stage began, or the first byte of the head arrived."""
        self.has_begun = False
        self.reading_since: float | None = None
        """When the client first had a part of a response to read, if it has not yet read all of it."""
        self._window = (0.0, 0)
        """When the client's rate of reading was last checked, and what it had taken by then."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        # By default systems accept megabytes for a client that reads nothing: its rate could not be measured.
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, 65_536)
        self.counted = CountedTransport(transport)
        super().connection_made(cast(asyncio.Transport, self.counted))
        self.origin = client_network(self.client[0]) if self.client else ""
        self._make_room(lambda other: other.origin == self.origin, self.limits.per_client)
        self._make_room(lambda other: True, self.limits.connections)

    def _make_room(self, counts: Callable[[LimitedProtocol], bool], most: int) -> None:
        """Refuse one connection if too many are counted: the slowest sender, or else this one."""
        held = [other for other in self._others() if counts(other)]
        if len(held) >= most:
            sending = (other for other in held if other.is_sending)
            min(sending, key=lambda other: (other.stage is h11.SEND_BODY, other.since), default=self).refuse(TOO_MANY)

    def _others(self) -> Iterator[LimitedProtocol]:
        for connection in self.connections:
            if isinstance(connection, LimitedProtocol) and connection is not self and not connection.refused:
                yield connection

    @property
    def is_sending(self) -> bool:
        """Whether the server waits for the client to send a request, or the rest of one."""
        if self.transport.is_closing() or self.unread:
            return False
        return self.stage is h11.IDLE or (self.stage is h11.SEND_BODY and not self.cycle.response_started)

    @property
    def unread(self) -> int:
        """Bytes of responses that the client has not read."""
        return self.transport.get_write_buffer_size()

    def data_received(self, data: bytes) -> None:
        if self.refused:
            return
        if not self.has_begun:
            self.has_begun, self.since = True, self.loop.time()
        super().data_received(data)
        self._follow()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._follow()

    def _follow(self) -> None:
        """Update the client's state."""
        if self.conn.their_state is not self.stage:
            self.stage, self.since, self.has_begun = self.conn.their_state, self.loop.time(), False

    def send_400_response(self, msg: str) -> None:
        # Also for garbage behind a request that is being answered, where h11 would raise an error.
        self.refuse(BAD_REQUEST)

    def _unsupported_upgrade_warning(self) -> None:
        """Clients may ask for WebSockets as often as they like; the log is not for that."""

    def check(self, now: float) -> None:
        """Close the connection if its client takes too long."""
        waited = now - self.since
        if self.refused:
            if waited > LINGER_SECONDS:
                self.transport.abort()
        elif self.unread:
            if self.stage is h11.IDLE:
                self.since = now  # its next request may wait until it has read this response
            self._check_reading(now)
        else:
            self.reading_since = None
            self._check_sending(now, waited)

    def _check_sending(self, now: float, waited: float) -> None:
        if self.stage is h11.IDLE and waited > self.limits.head_seconds:
            self.refuse(_too_slow("head", self.limits.head_seconds), quietly=not self.has_begun)
        elif self.stage is h11.SEND_BODY and self.flow.read_paused:
            self.since = now  # the server has paused reading
        elif self.stage is h11.SEND_BODY and waited > self.limits.body_seconds:
            self.refuse(_too_slow("body", self.limits.body_seconds))

    def _check_reading(self, now: float) -> None:
        """Disconnect a client that hardly reads its response: the connection would stay open forever."""
        if self.reading_since is None:
            self.reading_since = now
            self._window = (now, self.counted.taken)
        began, taken = self._window
        if now - began > self.limits.body_seconds:
            if self.counted.taken - taken < LEAST_RATE * (now - began):
                self.refusals["slow-reader"] += 1
                self.transport.abort()
            self._window = (now, self.counted.taken)

    def refuse(self, problem: Problem, quietly: bool = False) -> None:
        """Respond with a problem, unless a response has begun, and close. ``quietly``: close without a response."""
        if self.refused or self.transport.is_closing():
            return
        self.refused, self.since = True, self.loop.time()
        self._unset_keepalive_if_required()
        self.refusals[problem.name] += 1
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering:
            # The app sees a disconnected client.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        lingering = sum(isinstance(c, LimitedProtocol) and c.refused for c in self.connections)
        if self.unread or (answering and self.cycle.response_started) or lingering > self.limits.connections:
            self.transport.abort()
        elif quietly or (self.cycle is not None and self.stage is h11.SEND_BODY and not answering):
            self.transport.close()
        else:
            self.flow.resume_reading()
            self.transport.write(_raw_response(problem))
            # What the client still sends is read and ignored for a moment: closing at once would reset the
            # connection, and the client might never see the response.
            if self.transport.can_write_eof():
                self.transport.write_eof()

    def shutdown(self) -> None:
        if self.stage is h11.IDLE and self.has_begun:
            self.refuse(STOPPING)
        elif self._sends_events():
            # Nothing is in progress there: it waits for events until the client leaves.
            self.transport.write(self.conn.send(h11.EndOfMessage()) or b"")
            self.transport.close()
        elif not self.refused:
            super().shutdown()

    def _sends_events(self) -> bool:
        """Whether the response is an endless stream, as clients of the MCP server open it."""
        cycle = self.cycle
        if cycle is None or cycle.response_complete or not cycle.response_started or self.transport.is_closing():
            return False
        return cycle.scope["method"] == "GET"


def client_network(host: str) -> str:
    """The address under which a client's connections are counted.

    >>> client_network("192.0.2.7"), client_network("2001:db8::7:1"), client_network("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return str(ipaddress.ip_network((address, 64), strict=False))
        return str(address.ipv4_mapped)
    return str(address)


def _too_slow(what: str, seconds: float) -> Problem:
    return Problem(408, "slow-request", f"The {what} of the request took longer than {seconds:g} s.")


def _raw_response(problem: Problem) -> bytes:
    body = json.dumps(problem.to_dict()).encode()
    head = [
        f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}",
        f"content-type: {MEDIA_TYPE}",
        f"content-length: {len(body)}",
        "connection: close",
    ]
    if problem.status == HTTPStatus.SERVICE_UNAVAILABLE:
        head.append(f"retry-after: {RETRY_AFTER}")
    return "\r\n".join([*head, "", ""]).encode() + body


class LimitedServer(uvicorn.Server):
    """uvicorn with limits on connections. At shutdown requests get the grace time, then 503."""

    def __init__(self, app: ASGIApp, host: str, port: int, limits: ConnectionLimits) -> None:
        self.limits = limits
        self.refusals: Counter[str] = Counter()
        self._checking: asyncio.Task[None] | None = None
        config = uvicorn.Config(
            CancelledRequests(app),
            host=host,
            port=port,
            http=type("Protocol", (LimitedProtocol,), {"limits": limits, "refusals": self.refusals}),
            ws="none",
            log_level="warning",
            server_header=False,
            # Longer than clients keep idle connections (5 s is usual): they would send requests just as it closes.
            timeout_keep_alive=math.ceil(limits.head_seconds),
            timeout_graceful_shutdown=limits.grace_seconds,  # type: ignore[arg-type] # floats work too
        )
        super().__init__(config)

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        with self._signals_by_thread():
            super().run(sockets)

    @contextmanager
    def _signals_by_thread(self) -> Iterator[None]:
        """Block the signals that stop the server, and wait for them in a thread.

        Ctrl-C and service managers signal a whole group of processes. Processes that extract pages inherit the
        blocked signals, so they finish what they work on.
        """
        if not hasattr(signal, "pthread_sigmask"):  # Windows
            yield
            return
        stopping = {signal.SIGINT, signal.SIGTERM}

        def wait() -> None:
            while True:
                self.handle_exit(signal.sigwait(stopping), None)

        before = signal.pthread_sigmask(signal.SIG_BLOCK, stopping)
        threading.Thread(target=wait, daemon=True).start()
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._checking = asyncio.create_task(self._check())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        if self._checking is not None:
            self._checking.cancel()
        self._report()

    async def _check(self) -> None:
        """Close slow connections, and log refused ones at intervals."""
        loop = asyncio.get_running_loop()
        reported = loop.time()
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            connections = [one for one in self.server_state.connections if isinstance(one, LimitedProtocol)]
            for connection in connections:
                connection.check(loop.time())
            self._free_unread(connections)
            if loop.time() - reported > REPORT_SECONDS:
                reported = loop.time()
                self._report()

    def _free_unread(self, connections: list[LimitedProtocol]) -> None:
        """Disconnect the slowest readers while too much waits for clients to read it."""
        excess = sum(connection.unread for connection in connections) - self.limits.unread_bytes
        reading = [connection for connection in connections if connection.reading_since is not None]
        for connection in sorted(reading, key=lambda one: one.reading_since or 0.0):
            if excess <= 0:
                break
            excess -= connection.unread
            self.refusals["slow-reader"] += 1
            connection.transport.abort()

    def _report(self) -> None:
        if self.refusals:
            counts = ", ".join(f"{count} {name}" for name, count in sorted(self.refusals.items()))
            _log.warning("refused connections: %s", counts)
            self.refusals.clear()


def reserve_files(count: int) -> int:
    """Raise the limit on open files to ``count``. Returns the limit in force; ``count`` if it is unknown."""
    try:
        import resource
    except ImportError:  # Windows
        return count
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= count:
        return count
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return soft
