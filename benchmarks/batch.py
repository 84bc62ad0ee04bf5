"""Throughput of batch runs compared with others on the same archive, and memory over many pages.

    pip install '.[batch]' 'datatrove[io,processing]' resiliparse     # datatrove brings its own trafilatura
    python benchmarks/batch.py warc pages.warc.gz          all pages of the corpora as one WARC
    python benchmarks/batch.py compare pages.warc.gz       pages per second and core, overhead, scaling; in one run
    python benchmarks/batch.py soak pages.warc.gz --pages 100000    memory over this many pages: the archive, repeated;
                                                                    without one, generated pages
    python benchmarks/batch.py knowledge                   the effect of --boilerplate, on the sites of tests/sites

Contenders run one after the other, each in its own process tree. CPU seconds are those of the whole tree, which a busy
machine distorts less than wall-clock time; ``pages/s/core`` is pages divided by CPU seconds.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.corpora import corpus_folder, shared_folder  # noqa: E402

SHARED = shared_folder()
CORPORA = ("wcxb-dev", "snippets-dev", "reader-dev")
CONTENDERS = {
    "resiliparse": "FastWARC + Resiliparse main content, a plain loop",
    "datatrove": "datatrove with its Trafilatura extractor, 1 worker",
    "extract": "FastWARC + duramen.extract, a plain loop, text only",
    "serial": "Duramen, a plain loop: no supervisor, nothing written",
    "batch-1": "duramen batch, 1 worker, Parquet",
    "batch-2": "duramen batch, 2 workers, Parquet",
}


def corpus_pages() -> Iterator[tuple[str, bytes]]:
    for corpus in CORPORA:
        folder = corpus_folder(SHARED, corpus)
        # Not splitlines(), which also splits at separators inside the texts.
        for line in (folder / "truth.jsonl").read_text(encoding="utf-8").strip("\n").split("\n"):
            row = json.loads(line)
            path = folder / "html" / f"{row['id']}.html.gz"
            if path.exists():
                yield row.get("url") or f"https://pages.example/{row['id']}", gzip.decompress(path.read_bytes())


def write_warc(path: Path, pages: Iterator[tuple[str, bytes]], most: int | None) -> int:
    """Response records, one gzip member each, as crawlers write them."""
    count = 0
    with path.open("wb") as file:
        for url, body in pages:
            if most is not None and count >= most:
                break
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{count:012}>\r\n"
                f"WARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
            )
            file.write(gzip.compress(head.encode() + http + b"\r\n\r\n", 6, mtime=0))
            count += 1
    return count


def run_resiliparse(archive: Path, out: Path) -> int:
    from fastwarc.warc import ArchiveIterator, WarcRecordType
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    count = 0
    for record in ArchiveIterator(str(archive), record_types=WarcRecordType.response, parse_http=True):
        body = record.reader.read()
        extract_plain_text(HTMLTree.parse_from_bytes(body, detect_encoding(body) or "utf-8"), main_content=True)
        count += 1
    return count


def run_datatrove(archive: Path, out: Path) -> int:
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.extractors import Trafilatura
    from datatrove.pipeline.readers import WarcReader
    from datatrove.pipeline.writers import ParquetWriter

    reader = WarcReader(str(archive.parent), glob_pattern=archive.name)
    steps = [reader, Trafilatura(timeout=10), ParquetWriter(str(out / "pages"))]
    LocalPipelineExecutor(steps, tasks=1, workers=1, logging_dir=str(out / "logs")).run()
    return 0


def run_extract(archive: Path, out: Path) -> int:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    from duramen import extract

    count = 0
    for record in ArchiveIterator(str(archive), record_types=WarcRecordType.response, parse_http=True):
        _ = extract(record.reader.read(), record.headers.get("WARC-Target-URI")).text
        count += 1
    return count


def run_serial(archive: Path, out: Path) -> int:
    from duramen.batch.extractor import Extractor
    from duramen.batch.input_files import expand
    from duramen.batch.job import Job
    from duramen.batch.records import Record
    from duramen.batch.shards import Reading
    from duramen.batch.sources import plan_shards, read_shard

    extractor = Extractor(Job(output=str(out)))
    count = 0
    for shard in plan_shards(list(expand(str(archive), None))):
        for item in read_shard(shard, Reading()):
            if isinstance(item, Record):
                extractor.row(item)
                count += 1
    return count


def run_batch(archive: Path, out: Path, workers: int) -> int:
    from duramen.batch import Job
    from duramen.batch import run_batch as run

    # Several workers get small shards, so that one is not left alone with the last for long.
    size = None if workers == 1 else 2_000_000
    summary = run([str(archive)], Job(output=str(out / "run")), workers=workers, shard_size=size)
    assert summary.adds_up and summary.complete
    return summary.total.read


@dataclass(frozen=True)
class Measure:
    cpu: float
    wall: float


def measure(name: str, archive: Path) -> Measure | None:
    """Run one contender in its own process tree; ``None`` if it is not installed."""
    with tempfile.TemporaryDirectory() as out:
        started = time.perf_counter()
        command = [sys.executable, __file__, "--run", name, str(archive), "--out", out]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        assert process.stderr is not None
        message = process.stderr.read()
        process.stderr.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            print(f"{name:12} did not run: {message.decode(errors='replace').strip().splitlines()[-1]}")
            return None
        return Measure(usage.ru_utime + usage.ru_stime, time.perf_counter() - started)


def compare(archive: Path, names: list[str]) -> None:
    pages = sum(1 for _ in _records(archive))
    print(f"{pages:,} pages, {archive.stat().st_size / 1e6:.0f} MB packed; load {os.getloadavg()[0]:.1f}")
    found: dict[str, Measure] = {}
    for name in names:
        made = measure(name, archive)
        if made is not None:
            found[name] = made
            rate = f"{pages / made.cpu:8.1f} pages/s/core {pages / made.wall:8.1f} pages/s"
            print(f"{name:12} {rate}  {made.cpu:7.1f} s CPU {made.wall:7.1f} s   {CONTENDERS[name]}", flush=True)
    for other in ("extract", "resiliparse"):
        if {other, "batch-1"} <= set(found):
            print(f"batch-1 takes {found['batch-1'].cpu / found[other].cpu:.2f} times the CPU of {other}")
    if {"serial", "batch-1"} <= set(found):
        more = found["batch-1"].cpu / found["serial"].cpu - 1
        print(f"overhead of supervisor, journal and Parquet, starting included: {more:+.1%} CPU")
    if {"batch-1", "batch-2"} <= set(found):
        one, two = found["batch-1"], found["batch-2"]
        print(f"1 to 2 workers: {one.wall / two.wall:.2f} by the clock, {2 * one.cpu / two.cpu:.2f} by CPU time")


def _records(archive: Path) -> Iterator[object]:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    yield from ArchiveIterator(str(archive), record_types=WarcRecordType.response, parse_http=False)


def soak(pages: int, workers: int, archive: Path | None) -> None:
    """Feed many pages to one run, and watch the memory of its processes. Workers are not recycled."""
    with tempfile.TemporaryDirectory() as folder:
        inputs, total = _repeated(archive, pages, Path(folder)) if archive else _generated(pages, Path(folder))
        code = (
            "import sys; from duramen.batch import Job, run_batch;"
            "job = Job(output=sys.argv[2], recycle=10**9);"
            "s = run_batch([sys.argv[1]], job, workers=int(sys.argv[3]));"
            "print(s.total.read, 'read', s.total.rows, 'rows', s.total.failures, 'failures', s.adds_up)"
        )
        run = subprocess.Popen(
            [sys.executable, "-c", code, str(inputs), f"{folder}/out", str(workers)], stdout=subprocess.PIPE, text=True
        )
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
        print(f"{total:,} pages\nseconds, pages done, MB of the supervisor, MB of each worker")
        started = time.monotonic()
        while run.poll() is None:
            held = [_rss(pid) for pid in (str(run.pid), *children.read_text().split())]
            done = _rows_done(Path(folder, "out"))
            print(
                f"{time.monotonic() - started:8.0f} {done:8} {held[0]:6.0f} "
                + " ".join(f"{mb:6.0f}" for mb in held[1:]),
                flush=True,
            )
            time.sleep(min(30.0, max(1.0, pages / 2000)))
        print(run.communicate()[0].strip())


def _generated(pages: int, folder: Path) -> tuple[Path, int]:
    """An archive of generated pages, all different."""
    article = (ROOT / "examples" / "article.html").read_bytes()
    archive = folder / "soak.warc.gz"
    texts = ((f"https://host{n % 97}.example/{n}", article.replace(b"beams", b"beams %d" % n)) for n in range(pages))
    return archive, write_warc(archive, texts, None)


def _repeated(archive: Path, pages: int, folder: Path) -> tuple[Path, int]:
    """A folder with enough copies of the archive for this many pages."""
    own = sum(1 for _ in _records(archive))
    (folder / "in").mkdir()
    times = -(-pages // own)
    for n in range(times):
        (folder / "in" / f"{n:05}.warc.gz").symlink_to(archive.resolve())
    return folder / "in", own * times


def _rows_done(out: Path) -> int:
    import pyarrow.parquet as pq

    parts = out.glob("pages/part-*.parquet")
    return sum(pq.ParquetFile(part).metadata.num_rows for part in parts)


def knowledge() -> None:
    """Word F1 on the sites of the tests, each as one host, with and without the survey of repeated blocks."""
    sys.path.insert(0, str(ROOT))
    from duramen.batch import Job
    from duramen.batch import run_batch as run
    from duramen.batch.sinks import read_table
    from duramen.batch.storage import Folder
    from duramen.options import Options, Strategy

    # Imported by name: the tests are not a dependency of the benchmarks.
    sites = importlib.import_module("tests.sites.scoring")
    strategies: tuple[Strategy, ...] = ("auto", "density", "boilerpipe")
    with tempfile.TemporaryDirectory() as folder:
        source, truth = Path(folder, "in.jsonl"), {}
        with source.open("w", encoding="utf-8") as file:
            for page in sites.pages():
                url = f"https://{page.path.parent.name}.example/{page.path.stem}"
                truth[url] = page.truth.text
                file.write(json.dumps({"html": page.html, "url": url}) + "\n")
        for strategy in strategies:
            for repeated in (False, True):
                out = f"{folder}/{strategy}-{repeated}"
                job = Job(output=out, format="jsonl", boilerplate=repeated, options=Options(strategy=strategy))
                assert run([str(source)], job).complete
                parts = (f"pages/{name}" for name in Folder(out).names("pages", ""))
                scores = [
                    sites.word_f1(row["text"], truth[row["url"]])
                    for part in parts
                    for row in read_table(Folder(out), part, ("url", "text"))
                ]
                how = "with" if repeated else "without"
                print(f"{strategy:12} {how:7} --boilerplate: {sum(scores) / len(scores):.4f} of {len(scores)} pages")


def _rss(pid: str) -> float:
    try:
        return int(Path("/proc", pid, "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, IndexError):
        return 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("warc", "compare", "soak", "knowledge"))
    parser.add_argument("archive", nargs="?", type=Path)
    parser.add_argument("--pages", type=int)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=tuple(CONTENDERS), default=list(CONTENDERS))
    parser.add_argument("--run", nargs=2, metavar=("NAME", "WARC"), help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.run:
        name, archive = args.run[0], Path(args.run[1])
        if name.startswith("batch-"):
            run_batch(archive, args.out, int(name[6:]))
        else:
            loops = {"resiliparse": run_resiliparse, "datatrove": run_datatrove, "extract": run_extract}
            (loops | {"serial": run_serial})[name](archive, args.out)
    elif args.what == "soak":
        soak(args.pages or 100_000, args.workers, args.archive)
    elif args.what == "knowledge":
        knowledge()
    elif args.archive is None:
        parser.error("name the archive")
    elif args.what == "warc":
        print(f"{write_warc(args.archive, corpus_pages(), args.pages):,} pages in {args.archive}")
    else:
        compare(args.archive, args.only)


if __name__ == "__main__":
    main()
