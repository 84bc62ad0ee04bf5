"""Who may talk to a server on this machine."""

from __future__ import annotations

import json
from typing import Any

import pytest

anyio = pytest.importorskip("anyio", reason="needs the extra serve: pip install 'duramen[serve]'")
pytest.importorskip("starlette", reason="needs the extra serve: pip install 'duramen[serve]'")

from duramen.service.guard import Guard, canonical_origin  # noqa: E402

TRICKS = [
    "127.0.0.1:8321.evil.example",
    "127.0.0.1:8321:80",
    "127.0.0.1:x",
    "127.0.0.1:99999",
    "127.0.0.1:",
    "127.0.0.1@evil.example",
    "evil.example@127.0.0.1",
    "user:secret@127.0.0.1",
    "127.0.0.1\\@evil.example",
    "evil.example\\.127.0.0.1",
    "127.0.0.1\\",
    "127.0.0.1/",
    "127.0.0.1#evil.example",
    "127.0.0.1?evil.example",
    "127.0.0.1, evil.example",
    "127.0.0.1 evil.example",
    "127.0.0.1%00.evil.example",
    "127.0.0.1%2eevil.example",
    "127.0.0.1.",
    "localhost.",
    ".localhost",
    "localhost..",
    "::1",
    "[::1",
    "[::1].evil.example",
    "[::1]evil.example",
    "[::1%25lo]",
    "[127.0.0.1].evil.example",
    "loc\xe4lhost",
    "\t127.0.0.1\x0b",
]
"""What may look like a local name to one parser and like another one to the next."""


def status(path: str = "/extract", token: str | None = None, origins: tuple[str, ...] = (), **headers: Any) -> int:
    return respond("GET", path, token, origins, **headers)[0]


def respond(
    method: str,
    path: str = "/extract",
    token: str | None = None,
    origins: tuple[str, ...] = (),
    twice: str = "",
    **headers: Any,
) -> tuple[int, dict[str, str]]:
    """Status and headers that a guarded app answers a request with; 200 if the request gets through."""
    sent: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    given = {"host": "127.0.0.1:8321"} | {name.replace("_", "-"): value for name, value in headers.items()}
    sent_headers = [(n.encode(), v.encode("latin-1")) for n, v in given.items() for _ in range(1 + (n == twice))]
    scope = {"type": "http", "method": method, "path": path, "headers": sent_headers}
    anyio.run(Guard(app, token, origins, {"/"}), scope, receive, send)
    answered = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
    if answered.get("content-type") == "application/problem+json":
        assert json.loads(sent[1]["body"])["status"] == sent[0]["status"]
    return int(sent[0]["status"]), answered


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost:8321", "[::1]:8321", "[::1]", "[0:0:0:0:0:0:0:1]", "LOCALHOST", "127.0.0.2:1"],
)
def test_loopback_names_are_answered(host: str) -> None:
    assert status(host=host) == 200


@pytest.mark.parametrize(
    "host",
    [*TRICKS, "evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "", "[", "0.0.0.0", "[::]"],
)
def test_other_names_are_not(host: str) -> None:
    assert status(host=host) == 421


@pytest.mark.parametrize("host", TRICKS)
def test_a_host_that_is_no_name_is_refused_with_a_token_too(host: str) -> None:
    token = "0123456789abcdef"
    assert status(token=token, authorization=f"Bearer {token}", host=host) == 421


def test_headers_that_are_sent_twice_are_refused() -> None:
    assert status(origin="http://127.0.0.1:8321") == 200
    assert status(origin="http://127.0.0.1:8321", twice="host") == 421
    assert status(origin="http://127.0.0.1:8321", twice="origin") == 403


@pytest.mark.parametrize("origin", ["http://127.0.0.1:8321", "http://localhost:3000", "http://[::1]:9"])
def test_local_pages_may_ask(origin: str) -> None:
    assert status(origin=origin) == 200


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://localhost.evil.example",
        "file://",
        "file://localhost",
        "http://[",
        "",
        "127.0.0.1",
        "//127.0.0.1",
        "http:127.0.0.1",
        "http://127.0.0.1 http://evil.example",
        *(f"http://{trick}" for trick in TRICKS),
    ],
)
def test_foreign_pages_may_not(origin: str) -> None:
    assert status(origin=origin) == 403


FRIEND = "https://friend.example"
TOKEN = "0123456789abcdef"


def test_pages_of_an_allowed_origin_may_read_the_answer() -> None:
    code, headers = respond("GET", origins=(FRIEND,), origin=FRIEND)
    assert (code, headers["access-control-allow-origin"]) == (200, FRIEND)
    assert "Origin" in headers["vary"]
    assert "Duramen-Verdict" in headers["access-control-expose-headers"]
    assert "access-control-allow-credentials" not in headers


@pytest.mark.parametrize(
    "origin", ["http://friend.example", "https://friend.example.evil.example", "https://FRIEND.example"]
)
def test_no_other_origin_gets_in_with_it(origin: str) -> None:
    code, headers = respond("GET", origins=(FRIEND,), origin=origin)
    assert code == 403
    assert not any(name.startswith("access-control") for name in headers)


def test_local_pages_of_other_ports_may_not_read_the_answer() -> None:
    code, headers = respond("GET", origin="http://localhost:3000")
    assert code == 200
    assert not any(name.startswith("access-control") for name in headers)


@pytest.mark.parametrize("token", [None, TOKEN])
def test_preflight_requests_are_answered(token: str | None) -> None:
    asked = {
        "access_control_request_method": "POST",
        "access_control_request_headers": "authorization,content-type",
        "access_control_request_private_network": "true",
    }
    code, headers = respond("OPTIONS", token=token, origins=(FRIEND,), origin=FRIEND, **asked)
    assert (code, headers["access-control-allow-origin"]) == (200, FRIEND)
    assert "authorization" in headers["access-control-allow-headers"]
    assert {"GET", "POST", "DELETE"} <= set(headers["access-control-allow-methods"].split(", "))
    assert headers["access-control-allow-private-network"] == "true"
    assert respond("OPTIONS", token=token, origins=(FRIEND,), origin="https://evil.example", **asked)[0] == 403
    wrong_host = respond("OPTIONS", origins=(FRIEND,), origin=FRIEND, host="rebound.example", **asked)
    assert wrong_host[0] == 421


def test_an_allowed_origin_still_needs_the_token_and_may_read_that() -> None:
    code, headers = respond("GET", token=TOKEN, origins=(FRIEND,), origin=FRIEND)
    assert (code, headers["access-control-allow-origin"]) == (401, FRIEND)
    code, _ = respond("GET", token=TOKEN, origins=(FRIEND,), origin=FRIEND, authorization=f"Bearer {TOKEN}")
    assert code == 200


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("https://friend.example", "https://friend.example"),
        ("https://friend.example:443", "https://friend.example"),
        ("http://Friend.example:8080/", "http://friend.example:8080"),
        ("http://[::1]:3000", "http://[::1]:3000"),
        ("chrome-extension://abcdef", "chrome-extension://abcdef"),
        *(
            (text, None)
            for text in ("*", "null", "friend.example", "https://", "https://a@b", "https://a/b", "https://a b")
        ),
    ],
)
def test_origins_as_browsers_send_them(text: str, wanted: str | None) -> None:
    assert canonical_origin(text) == wanted


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
