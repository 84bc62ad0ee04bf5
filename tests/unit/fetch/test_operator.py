"""What the operator may configure: header fields, cookies, passwords and proxies, each sent only where it belongs."""

from __future__ import annotations

import base64
import json
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from loopback import Asked, Loopback, Reply, article

from duramen import FetchOptions, Session
from duramen.errors import HostUnreachable, OptionError, PrivateAddress
from duramen.model import Fetched


def fetch(url: str, **options: Any) -> Fetched:
    settings = {"allow_private": True, "delay": 0, "timeout": 10, "render": "never", "retries": 0, **options}
    with Session(fetch=FetchOptions(**settings)) as session:
        return session.fetch(url)


def sent(server: Loopback) -> dict[str, str]:
    return server.asked[-1].headers


def test_header_fields(server: Loopback) -> None:
    server.page("/", article())
    fetch(server.url(), headers={"Accept-Language": "de", "X-Team": "wood"})
    assert (sent(server)["accept-language"], sent(server)["x-team"]) == ("de", "wood")


@pytest.mark.parametrize("name", ["Authorization", "cookie", "Host", "User-Agent", "bad name", "a:b", ""])
def test_header_fields_that_have_an_option_or_no_use(name: str) -> None:
    with pytest.raises(OptionError, match="headers"):
        FetchOptions(headers={name: "x"})
    with pytest.raises(OptionError, match="headers"):
        FetchOptions(headers={"X-A": "x\r\nCookie: y"})


def test_cookies_by_host_go_nowhere_else(server: Loopback) -> None:
    with Loopback() as other:
        other.page("/", article())
        server.routes["/"] = Reply(status=302, headers={"Location": f"http://localhost:{other.port}/"})
        fetch(server.url(), cookies={"127.0.0.1": {"session": "secret"}}, auth={"127.0.0.1": ("me", "word")})
        assert sent(server)["cookie"] == "session=secret"
        assert sent(server)["authorization"] == "Basic " + base64.b64encode(b"me:word").decode()
        assert "cookie" not in sent(other) and "authorization" not in sent(other)


def test_cookie_file(server: Loopback, tmp_path: Path) -> None:
    lines = ["# Netscape HTTP Cookie File", "127.0.0.1\tFALSE\t/in\tFALSE\t4102444800\ta\t1",
             "127.0.0.1\tFALSE\t/\tTRUE\t4102444800\tb\t2", "127.0.0.1\tFALSE\t/\tFALSE\t1000\told\t3",
             "127.0.0.1\tFALSE\t/in\tFALSE\t0\tsession\t5",
             ".example.org\tTRUE\t/\tFALSE\t4102444800\tc\t4"]  # fmt: skip
    file = tmp_path / "cookies.txt"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for path in ("/in", "/inside", "/"):
        server.page(path, article())
        fetch(server.url(path), cookies=file)
        assert sent(server).get("cookie") == ("a=1; session=5" if path == "/in" else None)
    with pytest.raises(OptionError, match="Netscape cookie file"):
        Session(fetch=FetchOptions(cookies=tmp_path / "none"))


def test_passwords_from_a_netrc_file(server: Loopback, tmp_path: Path) -> None:
    file = tmp_path / "netrc"
    file.write_text("machine 127.0.0.1 login me password word\ndefault login all password all\n", encoding="utf-8")
    server.page("/", article())
    fetch(server.url(), auth=file)
    assert sent(server)["authorization"] == "Basic " + base64.b64encode(b"me:word").decode()
    fetch(f"http://localhost:{server.port}/", auth=file)
    assert "authorization" not in sent(server)


def test_what_one_user_sees_is_not_cached(server: Loopback, tmp_path: Path) -> None:
    server.routes["/"] = Reply(article(), headers={"Content-Type": "text/html", "Cache-Control": "max-age=600"})
    for _ in range(2):
        fetch(server.url(), cache=tmp_path, cookies={"127.0.0.1": {"a": "1"}})
    assert server.paths() == ["/", "/"]
    assert not fetch(server.url(), cache=tmp_path).from_cache


def test_secrets_are_not_shown() -> None:
    options = FetchOptions(
        cookies={"a.example": {"s": "hush"}}, auth={"a.example": ("me", "hush")}, proxy="http://me:hush@p.example:1"
    )
    assert "hush" not in repr(options)
    with pytest.raises(OptionError) as caught:
        fetch("https://a.example/", proxy="ftp://me:hush@p.example")
    assert "hush" not in str(caught.value)


class FakeProxy(socketserver.ThreadingTCPServer):
    """A proxy for HTTP CONNECT and SOCKS5 that notes where it was asked to connect to."""

    allow_reuse_address = daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Relay)
        self.targets: list[str] = []
        self.logins: list[str] = []


class Relay(socketserver.StreamRequestHandler):
    server: FakeProxy

    def handle(self) -> None:
        first = self.rfile.read(1)
        host, port = self.socks() if first == b"\5" else self.http(first)
        self.server.targets.append(f"{host}:{port}")
        with socket.create_connection((host, port), 5) as onward:
            self.wfile.write(b"\5\0\0\1" + bytes(6) if first == b"\5" else b"HTTP/1.1 200 OK\r\n\r\n")
            back = threading.Thread(target=self.copy, args=(onward,), daemon=True)
            back.start()
            while data := self.request.recv(65_536):
                onward.sendall(data)

    def copy(self, onward: socket.socket) -> None:
        try:
            while data := onward.recv(65_536):
                self.request.sendall(data)
            self.request.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def http(self, first: bytes) -> tuple[str, int]:
        line = (first + self.rfile.readline()).decode()
        while (field := self.rfile.readline()) not in (b"\r\n", b""):
            if field.lower().startswith(b"proxy-authorization"):
                self.server.logins.append(base64.b64decode(field.split()[-1]).decode())
        host, _, port = line.split()[1].rpartition(":")
        return host.strip("[]"), int(port)

    def socks(self) -> tuple[str, int]:
        methods = self.rfile.read(self.rfile.read(1)[0])
        self.wfile.write(b"\5\2" if 2 in methods else b"\5\0")
        if 2 in methods:
            self.rfile.read(1)
            user = self.rfile.read(self.rfile.read(1)[0])
            self.server.logins.append((user + b":" + self.rfile.read(self.rfile.read(1)[0])).decode())
            self.wfile.write(b"\1\0")
        assert self.rfile.read(4) == b"\5\1\0\1", "an address, not a name"
        return socket.inet_ntoa(self.rfile.read(4)), int.from_bytes(self.rfile.read(2), "big")


@pytest.fixture
def proxy() -> Iterator[FakeProxy]:
    with FakeProxy() as opened:
        thread = threading.Thread(target=opened.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield opened
        opened.shutdown()


@pytest.mark.parametrize("scheme", ["http", "socks5"])
class TestProxy:
    def test_pages_come_through_it(self, server: Loopback, proxy: FakeProxy, scheme: str) -> None:
        server.page("/", article())
        url = f"{scheme}://me:w%20rd@127.0.0.1:{proxy.server_address[1]}"
        assert fetch(f"http://localhost:{server.port}/", proxy=url).status == 200
        assert set(proxy.targets) == {f"127.0.0.1:{server.port}"} and set(proxy.logins) == {"me:w rd"}

    def test_private_addresses_stay_closed(self, server: Loopback, proxy: FakeProxy, scheme: str) -> None:
        url = f"{scheme}://127.0.0.1:{proxy.server_address[1]}"
        for target in (server.url(), f"http://localhost:{server.port}/", "http://169.254.169.254/"):
            with pytest.raises(PrivateAddress):
                fetch(target, proxy=url, allow_private=False)
        assert proxy.targets == []

    def test_proxy_that_is_not_there(self, server: Loopback, scheme: str) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
        with pytest.raises(HostUnreachable, match=f"the proxy 127.0.0.1:{port} does not answer"):
            fetch(server.url(), proxy=f"{scheme}://127.0.0.1:{port}")

    @pytest.mark.browser
    def test_browser_uses_it(self, server: Loopback, proxy: FakeProxy, scheme: str, chromium: str) -> None:
        server.page("/", "<div id=root></div><script src=/app.js></script>")
        server.page("/app.js", f"root.innerHTML = {json.dumps(article())}", "text/javascript")
        url = f"{scheme}://127.0.0.1:{proxy.server_address[1]}"
        options = FetchOptions(allow_private=True, delay=0, render="always", browser=chromium, proxy=url)
        with Session(fetch=options) as session:
            assert "Heartwood" in session.extract(server.url()).text
        assert len(proxy.targets) >= 2, "the page, and the browser's script"


@pytest.mark.browser
def test_browser_has_the_login(server: Loopback, chromium: str, tmp_path: Path) -> None:
    """Its cookies for the page itself, and its storage and the operator's header fields for what scripts request."""
    cookie = {"name": "login", "value": "yes", "domain": "127.0.0.1", "path": "/", "expires": -1, "httpOnly": False,
              "secure": False, "sameSite": "Lax"}  # fmt: skip
    stored = {"origin": server.url(""), "localStorage": [{"name": "token", "value": "t1"}]}
    state = tmp_path / "state.json"
    state.write_text(json.dumps({"cookies": [cookie], "origins": [stored]}), encoding="utf-8")

    def members_only(page: str) -> Callable[[Asked], Reply]:
        def answer(asked: Asked) -> Reply:
            is_member = "login=yes" in asked.headers.get("cookie", "")
            return Reply(page if is_member else "", 200 if is_member else 403, {"Content-Type": "text/html"})

        return answer

    script = "fetch('/api?' + localStorage.token).then(r => r.text()).then(t => { root.innerHTML = t })"
    server.routes["/"] = members_only(f"<div id=root></div><script>{script}</script>")
    server.routes["/api"] = members_only(article())
    options = FetchOptions(
        allow_private=True, delay=0, render="always", browser=chromium, browser_state=state, retries=0,
        headers={"X-Team": "wood"}, auth={"127.0.0.1": ("me", "word")},
    )  # fmt: skip
    with Session(fetch=options) as session:
        assert "Heartwood" in session.extract(server.url()).text
    api = next(asked for asked in server.asked if "/api" in asked.path)
    assert (
        api.target == "/api?t1"
        and api.headers["x-team"] == "wood"
        and api.headers["authorization"].startswith("Basic ")
    )
