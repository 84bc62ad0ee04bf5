"""Who may talk to a server on this machine."""

from __future__ import annotations

import json
from typing import Any

import pytest

anyio = pytest.importorskip("anyio", reason="needs the extra serve: pip install 'duramen[serve]'")
pytest.importorskip("starlette", reason="needs the extra serve: pip install 'duramen[serve]'")

from duramen.service.guard import Guard  # noqa: E402


def status(path: str = "/extract", token: str | None = None, origins: tuple[str, ...] = (), **headers: str) -> int:
    """The status a guarded app answers a request with; 200 if the request gets through."""
    sent: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    given = {"host": "127.0.0.1:8321"} | {name.replace("_", "-"): value for name, value in headers.items()}
    scope = {"type": "http", "path": path, "headers": [(n.encode(), v.encode("latin-1")) for n, v in given.items()]}
    anyio.run(Guard(app, token, origins, {"/"}), scope, receive, send)
    if len(sent) > 1:
        assert json.loads(sent[1]["body"])["status"] == sent[0]["status"]
    return int(sent[0]["status"])


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:8321", "[::1]:8321", "LOCALHOST"])
def test_loopback_names_are_answered(host: str) -> None:
    assert status(host=host) == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "", "[", "127.0.0.1@evil.example"]
)
def test_other_names_are_not(host: str) -> None:
    assert status(host=host) == 421


@pytest.mark.parametrize("origin", ["http://127.0.0.1:8321", "http://localhost:3000", "http://[::1]:9"])
def test_local_pages_may_ask(origin: str) -> None:
    assert status(origin=origin) == 200


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost.evil.example", "file://", "http://["]
)
def test_foreign_pages_may_not(origin: str) -> None:
    assert status(origin=origin) == 403


def test_origin_can_be_allowed() -> None:
    assert status(origin="https://friend.example", origins=("https://friend.example",)) == 200


def test_requests_that_a_foreign_page_makes_without_origin_are_refused() -> None:
    assert status(sec_fetch_site="cross-site", sec_fetch_mode="no-cors") == 403
    assert status(sec_fetch_site="cross-site", sec_fetch_mode="navigate") == 403
    assert status("/", sec_fetch_site="cross-site", sec_fetch_mode="navigate") == 200, "a link may open the page"
    assert status(sec_fetch_site="same-origin") == 200


def test_token_opens_the_door_for_any_name() -> None:
    token = "0123456789abcdef"
    assert status(token=token) == 401
    assert status(token=token, authorization=f"Bearer {token}", host="reader.example") == 200
    assert status(token=token, authorization=f"bearer  {token} ") == 200
    for wrong in (f"Basic {token}", "Bearer", "Bearer ", f"Bearer {token}x", "Bearer \xe9"):
        assert status(token=token, authorization=wrong) == 401
    assert status("/", token=token) == 200
    for origin, wanted in {
        "https://reader.example": 200,
        "https://evil.example": 403,
        "http://127.0.0.1": 403,
        "http://[": 403,
    }.items():
        signed = status(token=token, authorization=f"Bearer {token}", host="reader.example", origin=origin)
        assert signed == wanted, origin
