"""Who may use the real servers: names, origins, and pages of allowed origins in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from duramen.cli import main

from .process import TOKEN, running
from .site import SHORT, open_site
from .test_slow_clients import answer, connect

if TYPE_CHECKING:
    from playwright.sync_api import Browser

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


@pytest.fixture(scope="module")
def open_mcp() -> Iterator[str]:
    """``duramen mcp --http`` without a token."""
    with running("mcp", "--http") as (address, _):
        yield address


def raw(address: str, target: str, *headers: str, version: str = "1.1") -> int:
    head = "\r\n".join([f"GET {target} HTTP/{version}", *headers, "Connection: close", "", ""])
    with connect(address, head.encode("latin-1")) as connection:
        return answer(connection)[0]


@pytest.mark.parametrize(
    ("target", "headers", "version"),
    [
        ("{path}", ["Host: 127.0.0.1:{port}.evil.example"], "1.1"),
        ("{path}", ["Host: user@127.0.0.1:{port}"], "1.1"),
        ("{path}", ["Host: 127.0.0.1:{port}\\@evil.example"], "1.1"),
        ("{path}", ["Host: evil.example", "Host: 127.0.0.1:{port}"], "1.1"),
        ("{path}", ["Host: 127.0.0.1:{port}", "Host: evil.example"], "1.1"),
        ("{path}", ["Host: 127.0.0.1.:{port}"], "1.1"),
        ("{path}", ["Host: [::1]:{port}.evil.example"], "1.1"),
        ("{path}", ["Host:"], "1.1"),
        ("{path}", [], "1.1"),
        ("{path}", [], "1.0"),
        ("http://evil.example{path}", ["Host: 127.0.0.1:{port}"], "1.1"),
        ("http://evil.example{path}", ["Host: evil.example"], "1.1"),
        ("//evil.example{path}", ["Host: 127.0.0.1:{port}"], "1.1"),
        ("{path}", ["Host: 127.0.0.1:{port}", "Origin: http://127.0.0.1:{port}.evil.example"], "1.1"),
        ("{path}", ["Host: 127.0.0.1:{port}", "Origin: http://127.0.0.1:{port}@evil.example"], "1.1"),
        ("{path}", ["Host: 127.0.0.1:{port}", "Origin: http://evil.example\\@127.0.0.1:{port}"], "1.1"),
        ("{path}", ["Host: 127.0.0.1:{port}", "Origin: http://127.0.0.1:{port}", "Origin: http://evil.example"], "1.1"),
    ],
)
@pytest.mark.parametrize("server", ["serve", "mcp"])
def test_tricks_with_names_do_not_get_in(
    service: str, open_mcp: str, server: str, target: str, headers: list[str], version: str
) -> None:
    address, path = (service, "/health") if server == "serve" else (open_mcp, "/mcp")
    values = {"path": path, "port": address.rpartition(":")[2]}
    status = raw(address, target.format(**values), *(line.format(**values) for line in headers), version=version)
    assert status in (400, 403, 404, 421)
    # The control: the same request with the right name gets in.
    assert raw(address, path, f"Host: 127.0.0.1:{values['port']}") in (200, 400, 405, 406)


@pytest.mark.parametrize("origin", ["*", "null", "friend.example", "https://friend.example/", "https://a.example/b"])
@pytest.mark.parametrize("command", ["serve", "mcp --http"])
def test_only_origins_can_be_allowed(command: str, origin: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*command.split(), "--allow-origin", origin])
    assert stop.value.code == 2
    assert "is not an origin; write https://" in capsys.readouterr().err


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the Python package playwright")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


SEND = """
async ([url, method, headers, body]) => {
  try {
    const response = await fetch(url, { method, headers, body });
    return [response.status, response.headers.get('duramen-verdict'), await response.text()];
  } catch (error) {
    return [0, null, String(error)];
  }
}
"""


@pytest.mark.browser
@pytest.mark.parametrize("token", [None, TOKEN], ids=["without a token", "with a token"])
def test_pages_of_an_allowed_origin_use_the_servers_in_a_browser(browser: Browser, token: str | None) -> None:
    signed = {"Authorization": f"Bearer {token}"} if token else {}
    with open_site() as friend, open_site() as stranger:
        # The stranger's host name is another one, too: a local page would be let in, though it could read nothing.
        foreign = stranger.url("").replace("127.0.0.1", "stranger.localhost")
        allowed = ("--allow-origin", friend.url("").rstrip("/"))
        with (
            running("serve", *allowed, token=token) as (service, _),
            running("mcp", "--http", *allowed, token=token) as (
                agents,
                _,
            ),
        ):

            def send(page: Any, path: str, headers: dict[str, str], body: str | None, at: str = service) -> list[Any]:
                found: list[Any] = page.evaluate(SEND, [f"{at}{path}", "POST" if body else "GET", headers, body])
                return found

            page = browser.new_page()
            page.goto(friend.url("/short"))
            html = {"Content-Type": "text/html", "Accept": "text/markdown"}
            status, verdict, text = send(page, "/extract", html | signed, SHORT)
            assert (status, verdict) == (200, "good") and text.startswith("The joiner")
            assert send(page, "/health", {}, None)[0] == 200
            # Errors can be read, too.
            assert send(page, "/extract?mode=fast", html | signed, SHORT)[0] == 422
            assert send(page, "/extract", html, SHORT)[0] == (401 if token else 200)
            rpc = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
            status, _, text = send(page, "/mcp", rpc | signed, json.dumps(INITIALIZE), agents)
            assert status == 200 and "serverInfo" in text
            page.goto(f"{foreign}/short")
            for path, headers, body, at in (
                ("/extract", html | signed, SHORT, service),
                ("/extract", {"Content-Type": "text/plain"}, SHORT, service),
                ("/health", {}, None, service),
                ("/mcp", rpc | signed, json.dumps(INITIALIZE), agents),
            ):
                status, _, text = send(page, path, headers, body, at)
                assert status == 0 and "Failed to fetch" in text
            page.close()
            # And no work was done for it.
            headers = {"Origin": foreign, **signed}
            assert httpx2.post(f"{service}/extract", content=SHORT, headers=headers).status_code == 403
