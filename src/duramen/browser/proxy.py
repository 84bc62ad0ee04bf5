"""The browser's only connection to the network: a local proxy that connects only to checked addresses.

A browser resolves names itself, and a name may change between our check and its lookup (DNS rebinding). So the browser
has no network access of its own: this proxy resolves, checks and connects in one step.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

import httpcore2

from duramen.errors import BadUrl, FetchError, PrivateAddress
from duramen.fetch.address import Connector
from duramen.fetch.url import Url, parse_url

_HEAD = 65_536
"""Maximum size of the head of a request or response."""
_PIECE = 65_536
_SECONDS = 10.0
"""Time limit for a head to arrive, and for a connection to open."""
_HOP_BY_HOP = (b"connection", b"proxy-connection", b"proxy-authorization", b"keep-alive", b"te", b"trailer", b"upgrade")


class FilteringProxy:
    """``async with FilteringProxy(connector, limit) as proxy``; ``proxy.address`` is for the browser's settings."""

    def __init__(self, connector: Connector, limit: int) -> None:
        self._connector = connector
        self._left = limit
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.opened = 0
        """Number of connections opened."""
        self.refused: list[str] = []
        """Refused URLs: private, or not URLs of pages."""

    @property
    def address(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> FilteringProxy:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=_HEAD)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._serve(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, httpcore2.NetworkError):
            pass  # the browser sees a closed connection, as with any broken server
        except asyncio.CancelledError:
            pass  # the proxy closes, and nothing awaits this task
        finally:
            self._tasks.discard(task)
            writer.close()
            with suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(_SECONDS):
            head = await reader.readuntil(b"\r\n\r\n")
        line, *fields = head[:-4].split(b"\r\n")
        method, _, rest = line.partition(b" ")
        target = rest.rpartition(b" ")[0].decode("latin-1")
        is_tunnel = method == b"CONNECT"
        try:
            url = parse_url(f"https://{target}/" if is_tunnel else target)
            if not is_tunnel and url.scheme != "http":
                raise BadUrl(url.href, "only http requests are forwarded", "this is a bug of the browser")
            async with asyncio.timeout(_SECONDS):
                stream = await self._connector.connect_tcp(url.host, url.port)
        except (FetchError, httpcore2.ConnectError, httpcore2.ConnectTimeout, TimeoutError) as error:
            if isinstance(error, (BadUrl, PrivateAddress)):
                self.refused.append(target)
            writer.write(b"HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            return
        self.opened += 1
        try:
            if is_tunnel:
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await writer.drain()
            else:
                await stream.write(_forwarded(method, url, fields))
            await self._join(reader, writer, stream, is_tunnel)
        finally:
            await stream.aclose()

    async def _join(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        stream: httpcore2.AsyncNetworkStream,
        is_tunnel: bool,
    ) -> None:
        async def out() -> None:
            while data := await reader.read(_PIECE):
                await stream.write(data)

        async def back() -> None:
            if not is_tunnel:
                await self._answer_head(writer, stream)
            while self._left > 0 and (data := await stream.read(_PIECE)):
                self._left -= len(data)
                writer.write(data)
                await writer.drain()

        sending = asyncio.create_task(out())
        try:
            await back()
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def _answer_head(self, writer: asyncio.StreamWriter, stream: httpcore2.AsyncNetworkStream) -> None:
        """Forward a response's head with ``Connection: close``: the next request may go to another host."""
        head = b""
        while b"\r\n\r\n" not in head and len(head) <= _HEAD:
            data = await stream.read(_PIECE)
            if not data:
                break
            head += data
        self._left -= len(head)
        line, _, rest = head.partition(b"\r\n")
        fields, end, body = rest.partition(b"\r\n\r\n")
        if not end or line.startswith((b"HTTP/1.1 101", b"HTTP/1.0 101")):
            raise httpcore2.ReadError("not a response that can be forwarded")
        writer.write(b"\r\n".join([line, *_end_to_end(fields.split(b"\r\n")), b"Connection: close", b"", body]))
        await writer.drain()


def _forwarded(method: bytes, url: Url, fields: list[bytes]) -> bytes:
    kept = [field for field in _end_to_end(fields) if not field.lower().startswith(b"host:")]
    first = b"%s %s HTTP/1.1" % (method, url.target.encode())
    return b"\r\n".join([first, b"Host: " + url.authority.encode(), *kept, b"Connection: close", b"", b""])


def _end_to_end(fields: list[bytes]) -> list[bytes]:
    return [field for field in fields if field and field.partition(b":")[0].strip().lower() not in _HOP_BY_HOP]
