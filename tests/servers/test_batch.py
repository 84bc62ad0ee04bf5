"""POST /extract with a URL, and POST /batch: a line for each page, in bounds, and nothing for clients that are gone."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

import httpx2
import jsonschema
import pytest

import duramen
from duramen.options import Options

from .process import memory_of, running
from .site import LONG, SHORT, Site, page, paragraphs
from .test_service import problem
from .test_slow_clients import connect


def lines(service: str, pages: list[dict[str, Any]], **options: Any) -> list[dict[str, Any]]:
    response = httpx2.post(f"{service}/batch", json={"pages": pages, "options": options}, timeout=120)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/x-ndjson")
    found = [json.loads(line) for line in response.text.splitlines()]
    schemas = httpx2.get(f"{service}/openapi.json").json()["components"]
    for line in found:
        jsonschema.Draft202012Validator({"$ref": "#/components/schemas/BatchLine", "components": schemas}).validate(
            line
        )
    return found


def test_a_url_in_json(service: str, site: Site) -> None:
    def post(**body: Any) -> httpx2.Response:
        return httpx2.post(f"{service}/extract", json=body, timeout=60)

    result = post(url=site.url("/short"), options={"links": False, "trace": True}).json()
    assert (result["title"], result["url"]) == ("A flat board", site.url("/short"))
    assert any("fetched" in step for step in result["trace"]["steps"])
    response = post(url=site.url("/short"), options={"format": "markdown"})
    assert response.headers["content-type"].startswith("text/markdown") and response.text.startswith("The joiner")
    by_density = duramen.extract(LONG, options=Options(strategy="density")).to_dict()
    assert post(html=LONG, options={"strategy": "density"}).json() == json.loads(json.dumps(by_density))
    assert post(html=LONG, strategy="auto").json() != by_density
    wrong: dict[str, dict[str, Any]] = {
        "html": {},
        "options": {"html": SHORT, "options": 5},
        "mode": {"html": SHORT, "options": {"mode": "fast"}},
        "url": {"html": SHORT, "options": {"url": "https://a.example/"}},
        "render": {"url": site.url("/short"), "options": {"render": "sometimes"}},
        "proxy": {"url": site.url("/short"), "options": {"proxy": "http://evil.example"}},
    }
    for name, body in wrong.items():
        assert [error["name"] for error in problem(post(**body), 422)["errors"]] == [name]


def test_format_chooses_what_accept_would(service: str, site: Site) -> None:
    for form, kind in {"json": "application/json", "markdown": "text/markdown", "text": "text/plain"}.items():
        for asked in ({"url": site.url("/short"), "format": form}, {"url": site.url("/short"), "format": form}):
            response = httpx2.get(f"{service}/extract", params=asked, headers={"Accept": "text/html"}, timeout=60)
            assert response.headers["content-type"].startswith(kind)


HOSTS = count(10)
"""The last part of an address for each site: the service leaves one alone that has asked it to come back later."""


@contextmanager
def answering(status: int, **headers: str) -> Iterator[str]:
    """A site that answers every page with a status."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(404 if self.path == "/robots.txt" else status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    host = f"127.0.0.{next(HOSTS)}"
    server = ThreadingHTTPServer((host, 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://{host}:{server.server_port}/page"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("status", "headers", "wanted", "name"),
    [
        (404, {}, {"status": 404, "retry_after": None}, "http-status"),
        (429, {"Retry_After": "120"}, {"status": 429, "retry_after": 120.0}, "blocked"),
        (503, {"Retry_After": "90"}, {"status": 503, "retry_after": 90.0}, "http-status"),
    ],
)
def test_what_the_site_answered_is_reported_as_fields(
    service: str, status: int, headers: dict[str, str], wanted: dict[str, Any], name: str
) -> None:
    with answering(status, **headers) as url, answering(status, **headers) as other:
        response = httpx2.get(f"{service}/extract", params={"url": url}, timeout=60)
        data = problem(response, 424)
        assert data["upstream"] == {"url": url, **wanted}
        assert data["type"] == f"urn:duramen:problem:{name}"
        assert response.headers.get("retry-after") == headers.get("Retry_After")
        [line, _] = lines(service, [{"url": other}])
        assert line["problem"]["upstream"] == {"url": other, **wanted}


def test_every_page_of_a_batch_gets_a_line(service: str, site: Site) -> None:
    pages = [
        {"url": site.url("/short")},
        {"html": LONG, "url": "https://boards.example/long"},
        # By another name: a 429 in a test before makes the service leave the first one alone for a while.
        {"url": site.url("/nowhere").replace("127.0.0.1", "localhost")},
        {"url": site.url("/closed/page")},
        {"html": SHORT},
    ]
    found = lines(service, pages, mode="recall", format="markdown")
    assert found[-1] == {"summary": {"pages": 5, "failed": 2}}
    by_index = {line["index"]: line for line in found[:-1]}
    assert sorted(by_index) == [0, 1, 2, 3, 4]
    assert [by_index[n]["url"] for n in range(5)] == [page.get("url") for page in pages]
    assert by_index[0]["result"]["title"] == by_index[4]["result"]["title"] == "A flat board"
    assert by_index[1]["result"]["markdown"] and not {"html", "text"} & set(by_index[1]["result"])
    assert by_index[2]["problem"]["upstream"]["status"] == 404
    assert by_index[3]["problem"]["type"] == "urn:duramen:problem:robots-denied"
    assert 'route="/batch",status="200"' in httpx2.get(f"{service}/metrics").text


def test_lines_come_as_pages_are_done(service: str, site: Site) -> None:
    pages = [{"url": f"{site.url('/slow')}?{time.time_ns()}"}, {"html": SHORT}]
    with httpx2.stream("POST", f"{service}/batch", json={"pages": pages}, timeout=60) as response:
        reading = response.iter_lines()
        assert json.loads(next(reading))["index"] == 1
        site.release.set()
        try:
            assert json.loads(next(reading))["index"] == 0
        finally:
            site.release.clear()
        assert "summary" in json.loads(next(reading))


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({}, ["pages"]),
        ({"pages": []}, ["pages"]),
        ({"pages": [{"html": "<p>"}] * 1_001}, ["pages"]),
        ({"pages": [5, {}, {"url": "file:///etc/passwd"}]}, ["pages[0]", "pages[1].html", "pages[2].url"]),
        ({"pages": [{"html": "<p>", "mode": "recall"}]}, ["pages[0].mode"]),
        ({"pages": [{"html": "<p>"}], "options": []}, ["options"]),
        ({"pages": [{"html": "<p>"}], "options": {"url": "https://a.example"}}, ["options.url"]),
        ({"pages": [{"html": "<p>"}], "more": 1}, ["more"]),
    ],
)
def test_wrong_batches_are_refused(service: str, body: dict[str, Any], names: list[str]) -> None:
    data = problem(httpx2.post(f"{service}/batch", json=body), 422)
    assert [error["name"] for error in data["errors"]] == names


def test_clients_that_ask_for_json_get_lines_of_it(service: str) -> None:
    body = {"pages": [{"html": SHORT}]}
    answer = httpx2.post(f"{service}/batch", json=body, headers={"Accept": "application/json"})
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/x-ndjson"
    assert [set(json.loads(line)) for line in answer.text.splitlines()] == [{"index", "url", "result"}, {"summary"}]


def test_other_refusals(service: str) -> None:
    problem(httpx2.post(f"{service}/batch", content=b"<p>", headers={"Content-Type": "text/html"}), 415)
    body = {"pages": [{"html": SHORT}]}
    problem(httpx2.post(f"{service}/batch", json=body, headers={"Accept": "image/png"}), 406)
    problem(httpx2.get(f"{service}/batch"), 405)


def start_batch(address: str, pages: list[dict[str, Any]], buffer: int = 0) -> Any:
    body = json.dumps({"pages": pages}).encode()
    head = f"POST /batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return connect(address, head.encode() + b"\r\n\r\n" + body, buffer=buffer)


def verdicts(address: str) -> int:
    text = httpx2.get(f"{address}/metrics").text
    return sum(int(float(line.split()[-1])) for line in text.splitlines() if line.startswith("duramen_verdicts_total"))


def in_progress(address: str) -> int:
    return int(httpx2.get(f"{address}/health").json()["requests_in_progress"])


def test_a_client_that_reads_slowly_slows_its_batch_down_and_one_that_leaves_ends_it() -> None:
    big = page("Big", paragraphs(300))
    with running("serve", "--workers", "2") as (address, pid):
        assert httpx2.post(f"{address}/batch", json={"pages": [{"html": big}] * 8}, timeout=60).status_code == 200
        before, memory = verdicts(address), memory_of(pid)
        client = start_batch(address, [{"html": big}] * 90, buffer=4096)
        assert client.recv(12) == b"HTTP/1.1 200"
        done = -1
        while (now := verdicts(address)) != done:
            done = now
            time.sleep(2)
        # Nothing more is extracted: what is done waits for the client.
        assert 0 < done - before < 60
        assert in_progress(address) == 1
        assert memory_of(pid) - memory < 150_000_000
        client.close()
        while in_progress(address):
            time.sleep(0.05)
        assert verdicts(address) - before < 80
        assert "duramen_bytes_held 0.0" in httpx2.get(f"{address}/metrics").text
        assert httpx2.post(f"{address}/extract", content=SHORT, headers={"Content-Type": "text/html"}).is_success


def test_a_batch_counts_as_one_request() -> None:
    with running("serve", "--max-requests", "1", "--workers", "1") as (address, _):
        client = start_batch(address, [{"html": page("Big", paragraphs(300))}] * 60, buffer=4096)
        while not in_progress(address):
            time.sleep(0.02)
        refused = httpx2.post(f"{address}/batch", json={"pages": [{"html": SHORT}]})
        assert problem(refused, 503)["type"] == "urn:duramen:problem:overloaded"
        client.close()
