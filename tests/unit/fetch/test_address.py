"""Only public addresses pass, and a connection is made to the very address that was checked."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from typing import Any

import httpcore2
import pytest

from duramen.errors import HostUnreachable, PrivateAddress
from duramen.fetch.address import Connector, is_public

PUBLIC = """
8.8.8.8 1.1.1.1 93.184.215.14 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 198.17.0.1 198.20.0.1 223.255.255.254
2606:4700:4700::1111 2001:4860:4860::8888 2a00:1450:4001:81b::200e 64:ff9b::808:808 ::ffff:8.8.8.8
"""
PRIVATE = """
0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1
172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1
224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254
::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b::a00:1 64:ff9b:1::1 64:ff9b:1::7f00:1 100::1 2001::1
2001:0:7f00:1::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 2002:a00:1::1 2002:808:808::1 3fff::1 5f00::1 fc00::1
fd00:ec2::254 fe80::1 fe80::1%1 fec0::1 ff02::1 ff0e::1 4000::1 ::8.8.8.8
"""


@pytest.mark.parametrize("text", PUBLIC.split())
def test_public(text: str) -> None:
    assert is_public(ip_address(text))


@pytest.mark.parametrize("text", PRIVATE.split())
def test_private(text: str) -> None:
    assert not is_public(ip_address(text))


class Network:
    """Names and their addresses, one list for each look-up; and who was connected to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **names: list[list[str]]) -> None:
        self.names, self.looked_up, self.connected = names, list[str](), list[str]()
        self.dead: set[str] = set()
        monkeypatch.setattr(socket, "getaddrinfo", self.look_up)
        monkeypatch.setattr(httpcore2.AnyIOBackend, "connect_tcp", self.connect)

    def look_up(self, host: str, port: int, **_: Any) -> list[tuple[Any, ...]]:
        answers = self.names[host][min(self.looked_up.count(host), len(self.names[host]) - 1)]
        self.looked_up.append(host)
        return [(socket.AF_INET6 if ":" in each else socket.AF_INET, 1, 6, "", (each, port)) for each in answers]

    async def connect(self, host: str, port: int, *_: Any) -> object:
        self.connected.append(host)
        if host in self.dead:
            raise httpcore2.ConnectError("dead")
        return object()

    def open(self, host: str, allow_private: bool = False) -> object:
        with ThreadPoolExecutor(1) as executor:
            return asyncio.run(Connector(allow_private, executor).connect_tcp(host, 80))


def test_one_private_address_among_public_ones_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network(monkeypatch, wood=[["8.8.8.8", "10.0.0.7"]])
    with pytest.raises(PrivateAddress, match=r"wood is 10\.0\.0\.7, which belongs to a private .*--allow-private"):
        network.open("wood")
    assert network.connected == []


def test_a_name_that_changes_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network(monkeypatch, wood=[["8.8.8.8"], ["127.0.0.1"]])
    network.open("wood")
    assert (network.looked_up, network.connected) == (["wood"], ["8.8.8.8"])
    with pytest.raises(PrivateAddress):
        network.open("wood")
    assert network.connected == ["8.8.8.8"]


def test_the_next_address_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network(monkeypatch, wood=[["2606:4700::1", "8.8.8.8", "1.1.1.1"]])
    network.dead = {"2606:4700::1"}
    network.open("wood")
    assert network.connected == ["2606:4700::1", "8.8.8.8"]
    network.dead |= {"8.8.8.8", "1.1.1.1"}
    with pytest.raises(httpcore2.ConnectError):
        network.open("wood")


def test_private_ones_can_be_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network(monkeypatch, wood=[["192.168.1.1"]])
    network.open("wood", allow_private=True)
    assert network.connected == ["192.168.1.1"]


def test_no_such_name() -> None:
    with ThreadPoolExecutor(1) as executor, pytest.raises(HostUnreachable, match=r"cannot be resolved \([A-Z]"):
        asyncio.run(Connector(False, executor).connect_tcp("no-such-host.invalid", 80))


def test_sockets_of_this_machine_are_closed() -> None:
    with ThreadPoolExecutor(1) as executor, pytest.raises(PrivateAddress):
        asyncio.run(Connector(True, executor).connect_unix_socket("/run/docker.sock"))
