"""An S3 server and a web server on this machine, with archives in them."""

from __future__ import annotations

import contextlib
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any


@contextlib.contextmanager
def s3_server() -> Iterator[tuple[str, Any]]:
    """The address of the server, and a client of it."""
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        given = {"aws_access_key_id": "test", "aws_secret_access_key": "test", "region_name": "eu-north-1"}
        yield f"{host}:{port}", boto3.client("s3", endpoint_url=f"http://{host}:{port}", **given)
    finally:
        server.stop()


@contextlib.contextmanager
def web_server(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The address of a server of a folder's files that answers ranges, and the requests it got."""
    requests: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def do_HEAD(self) -> None:
            self.answer(False)

        def do_GET(self) -> None:
            self.answer(True)

        def answer(self, body: bool) -> None:
            path = folder / self.path.lstrip("/")
            asked = self.headers.get("Range")
            requests.append(f"{self.command} {self.path} {asked or ''}".strip())
            if not path.is_file():
                self.send_error(404)
                return
            data, code = path.read_bytes(), 200
            if asked:
                begin, _, end = asked.removeprefix("bytes=").partition("-")
                first, last = int(begin), min(int(end or len(data) - 1), len(data) - 1)
                code, total = 206, len(data)
                data = data[first : last + 1]
            self.send_response(code)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Accept-Ranges", "bytes")
            if code == 206:
                self.send_header("Content-Range", f"bytes {first}-{last}/{total}")
            self.end_headers()
            if body:
                self.wfile.write(data)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", requests
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
