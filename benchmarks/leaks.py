"""Reads many good and bad pages in one session, then checks for open resources and growing memory.

    python -m benchmarks.leaks                                  a thousand pages, 300 of them in a browser
    python -m benchmarks.leaks --static 60 --rendered 0         a short one

Counts open files, threads, processes and files in the temporary folder before and after, and prints the memory of this
process and of its browser on the way. Fails when anything is left, or when memory grows without end.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from duramen import FetchOptions, Result, Session

MOST_GROWTH = 50_000_000
"""Maximum growth of memory, in bytes, after the first fifth of the pages: ten times the measured value."""
PARAGRAPHS = "".join(
    f"<p>Ring {n} of the stump is as wide as a thumb: a wet summer, and a neighbour that fell and let in the light.</p>"
    for n in range(12)
)
ARTICLE = f"<!DOCTYPE html><title>Rings</title><main><h1>Rings</h1>{PARAGRAPHS}</main>"


def shell(script: str) -> str:
    return (
        f"<!DOCTYPE html><title>Rings</title><div id=root></div><script>const text = {PARAGRAPHS!r};{script}</script>"
    )


SHOW = "root.innerHTML = '<main>' + text + '</main>';"
PAGES = {
    "/good": ARTICLE,
    "/built": shell(f"setTimeout(() => {{ {SHOW} }}, 50)"),
    "/closed": shell("root.attachShadow({mode: 'closed'}).innerHTML = '<main>' + text + '</main>'"),
    "/dialogs": shell(f"alert('Hello'); confirm('Sure?'); {SHOW}"),
    "/popups": shell(f"open('/good'); open('about:blank'); {SHOW}"),
    "/never-idle": shell(f"{SHOW} setInterval(() => fetch('/good?' + Math.random()), 100)"),
    "/workers": shell(
        "new Worker(URL.createObjectURL(new Blob(['setInterval(() => 0, 100)'])));"
        f"for (let n = 0; n < 5; n += 1) new WebSocket('ws://' + location.host); {SHOW}"
    ),
}
STATIC = ("/good",) * 15 + ("/moved", "/gone", "/pdf", "/short", "/good?again")
RENDERED = ("/built",) * 4 + ("/closed", "/dialogs", "/popups", "/never-idle", "/workers", "/gone")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        status, kind, body = 200, "text/html", PAGES.get(path, "").encode()
        if path == "/pdf":
            kind, body = "application/pdf", b"%PDF-1.7"
        elif path == "/moved":
            status = 302
        elif path == "/short":
            body = b"<p>too"
        elif path not in PAGES:
            status = 404
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) + 1000 * (path == "/short")))
        if status == 302:
            self.send_header("Location", "/good")
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = path == "/short"

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Ignore errors of disconnected browsers."""


def serve(connection: Connection) -> None:
    server = Server(("127.0.0.1", 0), Handler)
    connection.send(server.server_port)
    server.serve_forever()


@contextmanager
def site() -> Iterator[str]:
    """A site in its own process, whose files and threads are not counted."""
    context = get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=serve, args=(there,), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{here.recv()}"
    finally:
        process.terminate()
        process.join()


@dataclass(frozen=True, slots=True)
class Held:
    """The resources of this process."""

    files: int
    threads: int
    processes: int
    temporary: int

    def left_over(self, before: Held) -> dict[str, int]:
        now, then = asdict(self), asdict(before)
        return {name: now[name] - then[name] for name in now if now[name] > then[name]}


def held(folder: Path) -> Held:
    gc.collect()
    files = sum(1 for _ in Path("/proc/self/fd").iterdir())
    return Held(files, threading.active_count(), len(children()), sum(1 for _ in folder.rglob("*")))


def children() -> list[int]:
    """All descendants of this process."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state != "Z":
                parents[int(entry.name)] = int(parent)
    found: list[int] = []
    level = {os.getpid()}
    while level:
        level = {child for child, parent in parents.items() if parent in level}
        found.extend(level)
    return found


def memory(pid: int | str = "self") -> int:
    """Private memory of a process in bytes."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


def run(session: Session, urls: list[str], kinds: dict[str, int], report: int) -> list[int]:
    """Read all pages; yields the memory of this process at intervals."""
    measured = []
    began = time.monotonic()
    for number, (_, result) in enumerate(session.extract_many(urls), 1):
        if not isinstance(result, Result):
            name = type(result).__name__
        else:
            name = ", ".join([result.quality.verdict, *result.quality.reasons])
        kinds[name] = kinds.get(name, 0) + 1
        if number % report == 0 or number == len(urls):
            gc.collect()
            measured.append(memory())
            browser = sum(map(memory, children()))
            took = time.monotonic() - began
            print(f"{number:6,} pages {took:6.0f} s: {measured[-1] / 1e6:6.0f} MB, others {browser / 1e6:6.0f} MB")
    return measured


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="What a session leaves behind after many pages.")
    parser.add_argument("--static", type=int, default=700, metavar="N")
    parser.add_argument("--rendered", type=int, default=300, metavar="N")
    parser.add_argument("--browser", metavar="NAME")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as name, site() as address:
        os.environ["TMPDIR"] = name  # where the browser keeps its profiles
        tempfile.tempdir = None
        folder = Path(name)
        with Session(fetch=FetchOptions(allow_private=True, delay=0, render="never")) as session:
            session.extract(f"{address}/good")  # what is loaded once stays
        before, kinds = held(folder), dict[str, int]()
        growth = 0
        fast = FetchOptions(allow_private=True, delay=0, retries=0, timeout=20, render="never")
        runs = (
            (replace(fast, cache=folder / "cache"), args.static, STATIC),
            (replace(fast, render="always", browser=args.browser), args.rendered, RENDERED),
        )
        for options, count, paths in runs:
            if count:
                print(f"{count:,} pages, render={options.render}")
                with Session(fetch=options) as session:
                    urls = [f"{address}{paths[n % len(paths)]}?{n}" for n in range(count)]
                    measured = run(session, urls, kinds, max(1, count // 10))
                growth = max(growth, measured[-1] - measured[len(measured) // 5])
        shutil.rmtree(folder / "cache", ignore_errors=True)
        end = time.monotonic() + 15
        while (left := held(folder).left_over(before)) and time.monotonic() < end:
            time.sleep(0.2)
    print(json.dumps({"pages": kinds, "before": asdict(before), "left": left, "growth": growth}))
    return 1 if left or growth > MOST_GROWTH else 0


if __name__ == "__main__":
    sys.exit(main())
