"""The HTTP service, as it runs: answers, limits, errors."""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import jsonschema
import pytest

from .process import TOKEN, memory_of, running
from .site import LONG, SHORT, Site, page, paragraphs

HTML = {"Content-Type": "text/html; charset=utf-8"}


def post(service: str, content: str | bytes, path: str = "/extract", **headers: str) -> httpx2.Response:
    return httpx2.post(f"{service}{path}", content=content, headers=HTML | headers, timeout=60)


def problem(response: httpx2.Response, status: int) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    data: dict[str, Any] = response.json()
    schema = {"required": ["type", "title", "status", "detail"], "properties": {"status": {"const": status}}}
    jsonschema.validate(data, schema)
    return data


def test_html_in_json_out(service: str) -> None:
    result = post(service, SHORT, "/extract?url=https://boards.example/&mode=recall").json()
    assert result["title"] == "A flat board"
    assert result["url"] == "https://boards.example/"
    assert result["quality"]["verdict"] == "good"
    assert "trace" not in result


def test_json_in(service: str) -> None:
    body = {
        "html": '<main><p>A <a href="/x">link</a> in enough words to be read.</p></main>',
        "links": False,
        "trace": True,
        "records": True,
    }
    result = httpx2.post(f"{service}/extract", json=body).json()
    assert result["records"] == []
    assert "<a" not in result["html"]
    assert result["trace"]["attempts"]


def test_records_in_json(service: str, root: Path) -> None:
    thread = (root / "tests/sites/written/phpbb/guide.html").read_bytes()
    result = post(service, thread, "/extract?records=true").json()
    assert [record["author"] for record in result["records"]][:2] == ["warden1", "warden2"]
    assert {record["kind"] for record in result["records"]} == {"post"}
    assert "records" not in post(service, thread, "/extract").json()


@pytest.mark.parametrize(
    ("accept", "kind", "begins"),
    [
        ("text/markdown", "text/markdown", "The joiner"),
        ("text/plain", "text/plain", "The joiner"),
        ("text/html", "text/html", "<"),
        ("text/html;q=0.2, text/markdown;q=0.9", "text/markdown", "The joiner"),
        ("*/*", "application/json", "{"),
    ],
)
def test_accept_chooses_the_form(service: str, accept: str, kind: str, begins: str) -> None:
    response = post(service, SHORT, Accept=accept)
    assert response.headers["content-type"].startswith(kind)
    assert response.text.startswith(begins)
    if kind != "application/json":
        assert response.headers["duramen-verdict"] == "good"
        assert "sandbox" in response.headers["content-security-policy"]


def test_charset_of_the_header_counts(service: str) -> None:
    body = page("Löcher", paragraphs(2)).replace('<meta charset="utf-8">', "").encode("latin-1")
    response = httpx2.post(f"{service}/extract", content=body, headers={"Content-Type": "text/html; charset=latin-1"})
    assert response.json()["title"] == "Löcher"


def test_url_is_fetched_by_the_rules_of_the_session(service: str, site: Site) -> None:
    response = httpx2.get(f"{service}/extract", params={"url": site.url("/short")}, headers={"Accept": "text/markdown"})
    assert response.text.startswith("The joiner")
    told = httpx2.get(f"{service}/extract", params={"url": site.url("/short"), "trace": "true"}).json()["trace"]
    assert told["blocks"]
    assert any("fetched" in step for step in told["steps"])
    assert (
        "robots.txt"
        in problem(httpx2.get(f"{service}/extract", params={"url": site.url("/closed/page")}), 403)["detail"]
    )
    assert problem(httpx2.get(f"{service}/extract", params={"url": site.url("/nowhere")}), 424)["type"].endswith(
        "http-status"
    )
    bad = problem(httpx2.get(f"{service}/extract", params={"url": "http://no-such-port.example:99999/"}), 422)
    assert bad["type"].endswith("bad-url")


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("", "url"),
        ("?url=", "url"),
        ("?url=file:///etc/passwd", "url"),
        ("?url=https://a.example&mode=fast", "mode"),
        ("?url=https://a.example&comments=yes", "comments"),
        ("?url=https://a.example&url=https://b.example", "url"),
        ("?url=https://a.example&proxy=http://evil.example", "proxy"),
        ("?url=" + "a" * 2_001, "url"),
    ],
)
def test_wrong_parameters_are_named(service: str, query: str, name: str) -> None:
    data = problem(httpx2.get(f"{service}/extract{query}"), 422)
    assert [error["name"] for error in data["errors"]] == [name]


def test_misspelt_parameter_is_answered_with_the_right_one(service: str) -> None:
    data = problem(httpx2.get(f"{service}/extract?url=https://a.example&comment=true"), 422)
    assert "did you mean comments?" in data["errors"][0]["detail"]


@pytest.mark.parametrize("body", [b"[]", b"{", b"null", b'{"html": 5}', b"[" * 100_000, b"\xff\xfe"])
def test_wrong_json(service: str, body: bytes) -> None:
    problem(httpx2.post(f"{service}/extract", content=body, headers={"Content-Type": "application/json"}), 422)


def test_other_refusals(service: str) -> None:
    problem(post(service, SHORT, Accept="image/png"), 406)
    problem(httpx2.post(f"{service}/extract", content=b"x", headers={"Content-Type": "image/png"}), 415)
    problem(httpx2.get(f"{service}/nowhere"), 404)
    problem(post(service, b""), 422)
    refused = httpx2.delete(f"{service}/extract")
    problem(refused, 405)
    assert "POST" in refused.headers["allow"]


def test_foreign_pages_are_refused(service: str) -> None:
    problem(post(service, SHORT, Origin="https://evil.example"), 403)
    problem(post(service, SHORT, Origin="null"), 403)
    problem(httpx2.get(f"{service}/extract?url=https://a.example", headers={"Sec-Fetch-Site": "cross-site"}), 403)
    # A name that was made to lead here is not one of ours.
    problem(post(service, SHORT, Host="rebound.evil.example"), 421)
    assert post(service, SHORT, Origin=service).status_code == 200


def test_health_metrics_and_document(service: str) -> None:
    post(service, SHORT)
    assert httpx2.get(f"{service}/health").json()["status"] == "ok"
    metrics = httpx2.get(f"{service}/metrics").text
    assert 'duramen_requests_total{method="POST",route="/extract",status="200"}' in metrics
    assert 'duramen_verdicts_total{verdict="good"}' in metrics
    described = httpx2.get(f"{service}/openapi.json").json()
    assert described["openapi"].startswith("3.1")
    schema = described["components"]["schemas"]["Result"]
    jsonschema.Draft202012Validator(schema).validate(post(service, LONG).json())


def test_token_guards_all_but_the_page_itself() -> None:
    with running("serve", token=TOKEN) as (address, _):
        problem(post(address, SHORT), 401)
        problem(post(address, SHORT, Authorization="Bearer wrong"), 401)
        assert httpx2.get(f"{address}/metrics").status_code == 401
        assert post(address, SHORT, Authorization=f"Bearer {TOKEN}").status_code == 200
        assert httpx2.get(f"{address}/").status_code == 200
        assert (
            "securitySchemes"
            in httpx2.get(f"{address}/openapi.json", headers={"Authorization": f"Bearer {TOKEN}"}).json()["components"]
        )
        # Without --allow-private nothing on this machine is read.
        asked = httpx2.get(
            f"{address}/extract", params={"url": f"{address}/"}, headers={"Authorization": f"Bearer {TOKEN}"}
        )
        assert problem(asked, 403)["type"].endswith("private-address")


def test_limits_on_size_and_time(site: Site) -> None:
    arguments = ("--max-body", "100000", "--seconds", "3", "--allow-private", "--workers", "1")
    with running("serve", *arguments) as (address, _):
        assert "100,000" in problem(post(address, "x" * 100_001), 413)["detail"]

        def pieces() -> Any:
            yield from (b"x" * 10_000 for _ in range(11))

        # A body that does not say how long it is.
        problem(httpx2.post(f"{address}/extract", content=pieces(), headers=HTML), 413)
        started = time.monotonic()
        slow = httpx2.get(f"{address}/extract", params={"url": site.url("/slow")}, timeout=30)
        problem(slow, 504)
        assert time.monotonic() - started < 15
        assert post(address, SHORT).status_code == 200


def test_overload_is_refused_politely(site: Site) -> None:
    with running("serve", "--max-requests", "2", "--seconds", "20", "--allow-private") as (address, _):
        before = site.asked["/slow"]
        waiting = [
            threading.Thread(
                target=lambda: httpx2.get(
                    f"{address}/extract", params={"url": f"{site.url('/slow')}?{time.time_ns()}"}, timeout=60
                )
            )
            for _ in range(2)
        ]
        for thread in waiting:
            thread.start()
        while httpx2.get(f"{address}/health").json()["requests_in_progress"] < 2:
            time.sleep(0.02)
        refused = post(address, SHORT)
        problem(refused, 503)
        assert int(refused.headers["retry-after"]) >= 1
        site.release.set()
        for thread in waiting:
            thread.join()
        site.release.clear()
        assert site.asked["/slow"] > before
        assert post(address, SHORT).status_code == 200


def test_fifty_clients_at_once_within_bounded_memory() -> None:
    with running("serve", "--max-requests", "64") as (address, pid):
        assert post(address, LONG).status_code == 200
        before = memory_of(pid)

        def client(number: int) -> set[int]:
            with httpx2.Client(timeout=120) as http:
                body = page(f"Load {number}", paragraphs(150, number * 1_000))
                return {http.post(f"{address}/extract", content=body, headers=HTML).status_code for _ in range(2)}

        with ThreadPoolExecutor(50) as pool:
            statuses = set().union(*pool.map(client, range(50)))
        assert statuses == {200}
        grown = memory_of(pid) - before
        assert grown < 600_000_000, f"{grown:,} bytes"
        metrics = httpx2.get(f"{address}/metrics").text
        assert "duramen_bytes_held 0.0" in metrics


def test_inspection_tells_every_block(service: str) -> None:
    data = post(service, LONG, "/inspect").json()
    blocks = data["blocks"]
    assert {block["kept"] for block in blocks} == {True, False}
    assert all(0 <= block["probability"] <= 1 for block in blocks)
    assert any(block["speaks_for"] for block in blocks)
    rows = data["structure"]
    assert [row["block"] for row in rows if "block" in row] == list(range(len(blocks)))
    assert any(row.get("chosen") for row in rows)
    for number in range(len(blocks)):
        assert f'class="b{number} ' in data["rendering"]
    removal = next(r for r in data["result"]["trace"]["removals"] if r["blocks"])
    start, _ = removal["blocks"][0]
    assert not blocks[start]["kept"]
    assert json.dumps(data)


def test_all_options_of_the_engine_and_records(service: str) -> None:
    html = (
        '<title>Oaks</title><main><h1>Oaks</h1><p class="lead">Oaks live for centuries, and their heartwood is hard.'
        ' <a href="https://wood.example/">More</a></p><p style="display:none">A hidden line about oaks.</p></main>'
    )
    names = ("front_matter", "title_heading", "keep_classes", "nofollow", "visible_only", "captions", "records")
    result = httpx2.post(f"{service}/extract", json={"html": html, "options": dict.fromkeys(names, True)}).json()
    assert result["markdown"].startswith("---\n") and "# Oaks" in result["markdown"]
    assert 'class="lead"' in result["html"] and "nofollow" in result["html"] and "hidden line" not in result["text"]
    assert result["records"] == []
    sent = {"content": "<p>B\xe4ume".encode("latin-1"), "headers": {"Content-Type": "text/html"}}
    assert httpx2.post(f"{service}/extract?encoding=latin-1", **sent).json()["text"] == "B\xe4ume"  # type: ignore[arg-type]
    wrong = httpx2.post(f"{service}/extract?encoding=nonsense", **sent)  # type: ignore[arg-type]
    assert wrong.status_code == 422
    assert wrong.json()["errors"] == [
        {"name": "encoding", "detail": "is unknown; leave it out for detection, or use utf-8"}
    ]
