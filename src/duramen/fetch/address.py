"""Checks that IP addresses are public, and opens all connections, so that none can skip the check."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable
from concurrent.futures import Executor
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

import httpcore2

from duramen.errors import HostUnreachable, PrivateAddress
from duramen.fetch.tunnel import Proxy, open_tunnel

# Networks that some versions of the standard library treat as global, or that embed another address.
_NOT_PUBLIC = tuple(
    ip_network(text)
    for text in """
    0.0.0.0/8 100.64.0.0/10 192.0.0.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.175.48.0/24 198.18.0.0/15
    224.0.0.0/4 240.0.0.0/4
    2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20
    """.split()
)
_UNICAST = IPv6Network("2000::/3")
"""The only IPv6 range allocated for the public internet."""
_NAT64 = IPv6Network("64:ff9b::/96")
"""NAT64: the last four bytes are an IPv4 address."""
_PER_ADDRESS = 5.0
"""Seconds after which the next address of a host is tried."""


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address can only belong to a machine on the public internet.

    >>> [is_public(ip_address(text)) for text in ("8.8.8.8", "10.0.0.1", "2606:4700::1", "::1", "64:ff9b::a00:1")]
    [True, False, True, False, False]
    """
    if isinstance(address, IPv6Address):
        if address.scope_id is not None:
            return False
        meant = address.ipv4_mapped or (IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else None)
        if meant is None and address not in _UNICAST:
            return False
        address = meant or address
    return address.is_global and not any(
        address in network for network in _NOT_PUBLIC if network.version == address.version
    )


class Connector(httpcore2.AsyncNetworkBackend):
    """Opens all connections: resolves a name once, checks all its addresses, and connects to one of these."""

    def __init__(self, allow_private: bool, executor: Executor, proxy: Proxy | None = None) -> None:
        self.allow_private = allow_private
        self._proxy = proxy
        self._executor = executor
        self._tcp = httpcore2.AnyIOBackend()

    def check_host(self, host: str) -> None:
        """Raise if a host is private by its name, without a DNS lookup."""
        if self.allow_private:
            return
        try:
            is_private = not is_public(ip_address(host))
        except ValueError:
            is_private = f".{host.rstrip('.')}".endswith(".localhost")  # this machine by definition (RFC 6761)
        if is_private:
            raise _private(host)

    async def resolve(self, host: str, port: int) -> list[str]:
        """The addresses of a host; raises if any of them is private."""
        self.check_host(host)
        loop = asyncio.get_running_loop()
        try:
            answers = await loop.run_in_executor(self._executor, _look_up, host, port)
        except (OSError, UnicodeError) as error:
            why = getattr(error, "strerror", None) or "not a host name"
            raise HostUnreachable(host, f"the host name cannot be resolved ({why})", "check the URL") from None
        found = list(dict.fromkeys(str(answer[4][0]) for answer in answers))
        for text in found:
            if not self.allow_private and not is_public(ip_address(text)):
                raise _private(host, "" if host == text else f" is {text}, which")
        return found

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        failure: Exception | None = None
        for address in await self.resolve(host, port):
            try:
                return await self._connect(address, port)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure or httpcore2.ConnectError(f"{host} has no address")

    async def _connect(self, address: str, port: int) -> httpcore2.AsyncNetworkStream:
        """A connection to a checked address, through the operator's proxy if there is one."""
        if self._proxy is None:
            return await self._tcp.connect_tcp(address, port, _PER_ADDRESS)
        try:
            stream = await self._tcp.connect_tcp(self._proxy.host, self._proxy.port, _PER_ADDRESS)
        except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
            raise httpcore2.ConnectError(f"the proxy {self._proxy.host}:{self._proxy.port} does not answer") from None
        try:
            await open_tunnel(stream, self._proxy, address, port)
        except BaseException:
            await stream.aclose()
            raise
        return stream

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        raise PrivateAddress(path, "Unix sockets are not supported", "use a host name")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def _private(host: str, shown: str = "") -> PrivateAddress:
    return PrivateAddress(
        host,
        f"{host}{shown} belongs to a private network",
        "if you may access it, allow it: allow_private=True, --allow-private",
    )


def _look_up(
    host: str, port: int
) -> list[tuple[socket.AddressFamily, socket.SocketKind, int, str, tuple[str | int | bytes, ...]]]:
    return list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
