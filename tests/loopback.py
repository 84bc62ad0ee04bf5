"""A web server on this machine that can also behave badly."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it came."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


@dataclass(frozen=True, slots=True)
class Reply:
    """A well-behaved answer."""

    body: bytes | str = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0


Rude = Callable[[asyncio.StreamWriter], Awaitable[None]]
"""Writes whatever it likes; the connection is closed afterwards."""
Answer = Reply | Rude | Callable[[Asked], "Reply | Rude"]


class Loopback:
    """Used as ``with Loopback() as server``; answers are put into ``server.routes`` by path."""

    def __init__(self, host: str = "127.0.0.1", tls: ssl.SSLContext | None = None) -> None:
        self.routes: dict[str, Answer] = {"/robots.txt": Reply(status=404)}
        self.asked: list[Asked] = []
        self.connections = 0
        self.most_at_once = 0
        self._busy = 0
        self._host, self._tls = host, tls
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="loopback", daemon=True)
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    def url(self, path: str = "/", host: str | None = None) -> str:
        return f"{'https' if self._tls else 'http'}://{host or self._host}:{self.port}{path}"

    def paths(self) -> list[str]:
        """What was asked for, robots.txt left out."""
        return [asked.path for asked in self.asked if asked.path != "/robots.txt"]

    def page(self, path: str, html: str | bytes, content_type: str = "text/html; charset=utf-8", **more: str) -> None:
        self.routes[path] = Reply(html, headers={"Content-Type": content_type, **more})

    def __enter__(self) -> Loopback:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _start(self) -> None:
        self._server = await asyncio.start_server(self._accept, self._host, 0, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _stop(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        try:
            while await self._serve(reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()
            with suppress(OSError, asyncio.CancelledError, ssl.SSLError):
                await writer.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        line, *fields = head.strip().split("\r\n")
        method, target, _ = line.split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (each.partition(":") for each in fields)}
        asked = Asked(method, target, headers, await reader.readexactly(int(headers.get("content-length", 0))))
        self.asked.append(asked)
        answer = self.routes.get(asked.path, Reply("not here", 404))
        if callable(answer) and not asyncio.iscoroutinefunction(answer):
            answer = answer(asked)  # type: ignore[arg-type, assignment]
        self._busy += asked.path != "/robots.txt"
        self.most_at_once = max(self.most_at_once, self._busy)
        try:
            if not isinstance(answer, Reply):
                await answer(writer)  # type: ignore[misc, arg-type]
                await writer.drain()
                return False
            await asyncio.sleep(answer.delay)
        finally:
            self._busy -= asked.path != "/robots.txt"
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        told = {"Content-Length": str(len(body)), **answer.headers}
        lines = [f"HTTP/1.1 {answer.status} Whatever", *(f"{name}: {value}" for name, value in told.items())]
        writer.write("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)
        await writer.drain()
        return headers.get("connection") != "close"


PARAGRAPH = (
    "Heartwood is the dead centre of a trunk, and the part a carpenter wants. It is dark, hard and full of resin,"
    " so that neither beetle nor fungus finds much to eat in it, even after a hundred wet winters on a hillside."
)


def article(title: str = "Heartwood", paragraphs: int = 4, more: str = "") -> str:
    """A page of our own that has some content."""
    text = "".join(f"<p>{PARAGRAPH} This is paragraph {n} of {title}.</p>" for n in range(1, paragraphs + 1))
    return (
        f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{title}</title></head><body>"
        f"<nav><a href=/a>News</a> <a href=/b>Markets</a></nav><main><article><h1>{title}</h1>{text}</article></main>"
        f"{more}<footer>All rights reserved</footer></body></html>"
    )
