"""Lists of URLs, fetched from a real server on this machine."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from archives import page

from duramen.batch.job import Job
from duramen.batch.run import run_batch
from duramen.options import FetchOptions

pytest.importorskip("httpcore2", reason="needs the extra 'fetch'")


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        found = self.path.strip("/").isdigit() and int(self.path.strip("/")) < 5
        body = page(int(self.path.strip("/"))) if found else b"<p>nothing here</p>"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_pages_are_fetched_and_what_cannot_be_had_is_a_failure(site: str, tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{unused.getsockname()[1]}/"
    urls = [f"{site}/{n}" for n in range(5)] + [f"{site}/gone", nobody, "mailto:oak@example.org"]
    (tmp_path / "urls.txt").write_text("\n".join(urls))
    fetch = FetchOptions(allow_private=True, delay=0, retries=0, render="never")
    job = Job(output=str(tmp_path / "out"), format="jsonl", fetch=fetch)
    summary = run_batch([str(tmp_path / "urls.txt")], job, workers=1)
    assert summary.adds_up and summary.total.read == 8
    rows = [json.loads(line) for line in (tmp_path / "out" / "pages" / "part-00000.jsonl").read_text().splitlines()]
    assert sorted(row["url"] for row in rows) == sorted(urls[:5])
    assert all("tells of oaks" in row["text"] for row in rows)
    failures = [json.loads(x) for x in (tmp_path / "out" / "failures" / "part-00000.jsonl").read_text().splitlines()]
    assert {f["url"]: (f["code"], f["stage"], f["message"].partition(":")[0]) for f in failures} == {
        f"{site}/gone": ("fetch", "read", "HttpStatus"),
        nobody: ("fetch", "read", "HostUnreachable"),
        "mailto:oak@example.org": ("unreadable", "read", "not an http or https URL"),
    }


def test_private_addresses_stay_closed(site: str, tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text(f"{site}/1\n")
    summary = run_batch([str(tmp_path / "urls.txt")], Job(output=str(tmp_path / "out"), format="jsonl"), workers=1)
    assert summary.total.rows == 0 and summary.total.codes == {"fetch": 1}
    assert "PrivateAddress" in (tmp_path / "out" / "failures" / "part-00000.jsonl").read_text()
