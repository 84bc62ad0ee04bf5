"""The browser's only way out: a proxy on this machine that opens connections as the client does, to checked addresses.

A browser resolves names by itself, and between a check of ours and its own look-up a name may change. So it gets no
network of its own: all it does goes through here, and is looked up, checked and connected in one step.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

import httpcore2

from duramen.errors import BadUrl, FetchError, PrivateAddress
from duramen.fetch.address import Connector
from duramen.fetch.url import Url, parse_url

_HEAD = 65_536
"""The most that the head of a request or an answer may have."""
_PIECE = 65_536
_SECONDS = 10.0
"""For a head to arrive, and for a connection to be made."""
_HOP_BY_HOP = (b"connection", b"proxy-connection", b"proxy-authorization", b"keep-alive", b"te", b"trailer", b"upgrade")


class Gate:
    """Used as ``async with Gate(connector, limit) as gate``; ``gate.address`` is what the browser is told."""

    def __init__(self, connector: Connector, limit: int) -> None:
        self._connector = connector
        self._left = limit
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.opened = 0
        """Connections made."""
        self.refused: list[str] = []
        """Addresses that were asked for in vain, because they are private or no addresses of pages."""

    @property
    def address(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Gate:
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
            pass  # the gate closes, and nobody waits for this task
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
                raise BadUrl(url.href, "only http comes this way", "this is a fault of the browser")
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
        """Pass an answer's head on, saying that the connection ends with it: the next request may go elsewhere."""
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
            raise httpcore2.ReadError("no answer that could be passed on")
        writer.write(b"\r\n".join([line, *_end_to_end(fields.split(b"\r\n")), b"Connection: close", b"", body]))
        await writer.drain()


def _forwarded(method: bytes, url: Url, fields: list[bytes]) -> bytes:
    kept = [field for field in _end_to_end(fields) if not field.lower().startswith(b"host:")]
    first = b"%s %s HTTP/1.1" % (method, url.target.encode())
    return b"\r\n".join([first, b"Host: " + url.authority.encode(), *kept, b"Connection: close", b"", b""])


def _end_to_end(fields: list[bytes]) -> list[bytes]:
    return [field for field in fields if field and field.partition(b":")[0].strip().lower() not in _HOP_BY_HOP]
