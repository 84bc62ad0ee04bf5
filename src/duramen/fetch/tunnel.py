"""Connections through the operator's proxy, to an address that was checked before.

The proxy gets the address, not the name: it cannot be led to another one, and the rule for private networks holds.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from ipaddress import IPv4Address, ip_address
from urllib.parse import unquote, urlsplit

import httpcore2

from duramen.errors import OptionError

SCHEMES = {"http": 8080, "socks5": 1080, "socks5h": 1080}
_SECONDS = 10.0
_HEAD = 16_384
_REFUSED = {
    2: "it is not allowed",
    3: "network unreachable",
    4: "host unreachable",
    5: "connection refused",
    6: "too slow",
}


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy that the operator chose; it may be in a private network."""

    scheme: str
    host: str
    port: int
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)

    @classmethod
    def parse(cls, url: str) -> Proxy:
        """
        >>> Proxy.parse("socks5://proxy.example")
        Proxy(scheme='socks5', host='proxy.example', port=1080)
        """
        parts = urlsplit(url if "://" in url else f"http://{url}")
        try:
            port = parts.port
        except ValueError:
            port = 0
        if parts.scheme not in SCHEMES or not parts.hostname or port == 0:
            # The URL may contain a password, which does not belong into a message.
            raise OptionError("proxy must be like http://host:8080 or socks5://user:password@host:1080")
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        return cls(parts.scheme, parts.hostname, port or SCHEMES[parts.scheme], user, password)


async def open_tunnel(stream: httpcore2.AsyncNetworkStream, proxy: Proxy, address: str, port: int) -> None:
    """Ask the proxy at the other end of a stream to connect it to an address."""
    if proxy.scheme == "http":
        await _http(stream, proxy, address, port)
    else:
        await _socks(stream, proxy, address, port)


async def _http(stream: httpcore2.AsyncNetworkStream, proxy: Proxy, address: str, port: int) -> None:
    target = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
    lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}"]
    if proxy.user:
        token = base64.b64encode(f"{proxy.user}:{proxy.password}".encode()).decode()
        lines.append(f"Proxy-Authorization: Basic {token}")
    await stream.write("\r\n".join([*lines, "", ""]).encode(), _SECONDS)
    head = b""
    # Byte by byte at the end of the head: what follows it belongs to the tunnel.
    while not head.endswith(b"\r\n\r\n"):
        piece = await stream.read(1, _SECONDS)
        if not piece or len(head) > _HEAD:
            raise httpcore2.ConnectError("the proxy closed the connection")
        head += piece
    status = head.split(b"\r\n", 1)[0].split(b" ", 2)
    if len(status) < 2 or not status[1].startswith(b"2"):
        raise httpcore2.ConnectError(f"the proxy answered {b' '.join(status[1:]).decode('latin-1')[:60]!r}")


async def _socks(stream: httpcore2.AsyncNetworkStream, proxy: Proxy, address: str, port: int) -> None:
    """RFC 1928, with the user name and password of RFC 1929."""
    await stream.write(b"\5\2\0\2" if proxy.user else b"\5\1\0", _SECONDS)
    version, method = await _exactly(stream, 2)
    if version != 5 or method not in (0, 2):
        raise httpcore2.ConnectError("the proxy does not accept this way to log in")
    if method == 2:
        user, password = proxy.user.encode()[:255], proxy.password.encode()[:255]
        await stream.write(b"\1" + bytes([len(user)]) + user + bytes([len(password)]) + password, _SECONDS)
        if (await _exactly(stream, 2))[1] != 0:
            raise httpcore2.ConnectError("the proxy refused the user name or password")
    target = ip_address(address)
    kind = b"\1" if isinstance(target, IPv4Address) else b"\4"
    await stream.write(b"\5\1\0" + kind + target.packed + port.to_bytes(2, "big"), _SECONDS)
    _, reply, _, bound = await _exactly(stream, 4)
    if reply != 0:
        raise httpcore2.ConnectError(f"the proxy did not connect: {_REFUSED.get(reply, f'code {reply}')}")
    length = {1: 4, 4: 16}.get(bound) or (await _exactly(stream, 1))[0]
    await _exactly(stream, length + 2)


async def _exactly(stream: httpcore2.AsyncNetworkStream, count: int) -> bytes:
    data = b""
    while len(data) < count:
        piece = await stream.read(count - len(data), _SECONDS)
        if not piece:
            raise httpcore2.ConnectError("the proxy closed the connection")
        data += piece
    return data
