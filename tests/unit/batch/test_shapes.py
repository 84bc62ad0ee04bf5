"""Filters, duplicates, partitions and file sizes: every page is a row, a failure or counted as dropped."""

from __future__ import annotations

import json
import os
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from archives import page, write_warc
from test_faults import files, rows, start

from duramen.batch.filters import filters_of, reason_to_drop
from duramen.batch.job import Job
from duramen.batch.run import run_batch
from duramen.errors import OptionError

pytest.importorskip("fastwarc", reason="needs the extra 'batch'")
pytest.importorskip("pyarrow", reason="needs the extra 'batch'")
pq = pytest.importorskip("pyarrow.parquet")


def job(out: Path, **values: Any) -> Job:
    return Job(output=str(out), **({"extractor": "faulty:faulty"} | values))


ROW = {"language": "pt-BR", "length": 100, "quality": 0.5, "verdict": "partial", "published": "2026-03-01T00:00:00Z"}
ROW |= {"fetched": "2026-03-02T00:00:00.25Z"}


@pytest.mark.parametrize(
    ("keep", "drop", "reason"),
    [
        ((), (), ""),
        (("language=en,pt", "length>=100", "quality<=0.5", "verdict=good,partial"), ("verdict=poor",), ""),
        (("language=en,de",), (), "not language=en,de"),
        (("language=p",), (), "not language=p"),
        (("length>=101", "language=en"), (), "not length>=101"),
        ((), ("verdict=partial,poor",), "verdict=partial,poor"),
        ((), ("published<=2026-02-28",), ""),
        (("published>=2026-03-02",), (), "not published>=2026-03-02"),
        (("page_type=article",), (), "not page_type=article"),
        ((), ("page_type=article",), ""),
        ((), (" length >= 50 ",), "length >= 50"),
        (("fetched>=2026-03-02",), (), ""),
        (("fetched<=2026-03-02",), (), "not fetched<=2026-03-02"),
    ],
)
def test_rules(keep: tuple[str, ...], drop: tuple[str, ...], reason: str) -> None:
    assert reason_to_drop(ROW, filters_of(keep, drop)) == reason


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("language", "is not a rule; write COLUMN=VALUE"),
        ("colour=red", "there is no such column to compare; name one of id, url"),
        ("authors=Ines", "there is no such column to compare"),
        ("verdict=excellent", "verdict is one of good, partial, poor, empty, not 'excellent'"),
        ("page_type=artcle", "page_type is one of article, documentation, .*, not 'artcle'"),
        ("quality>=high", "'high' is not a number"),
        ("quality>=nan", "'nan' is not a number"),
        ("published>=soon", "'soon' is not a date"),
        ("title>=5", "only numbers and dates"),
    ],
)
def test_wrong_rules_are_answered(rule: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Job(output="out", keep=(rule,))


WORDS = (
    "oak elm ash fir yew box bay fig nut hop rye oat tea gum tar sap bud leaf root bark cone seed pith knot fir".split()
)


def essay(number: int, other: int = 0) -> bytes:
    """A text of its own for every number; ``other`` changes a word in thirty."""
    words = [f"{WORDS[(i * 7 + number * 3) % 25]}{number}x{i % 60}" for i in range(300)]
    words = [f"changed{other}" if other and i % 100 == 0 else word for i, word in enumerate(words)]
    return f"<html><body><main><p>{' '.join(words)}</p></main></body></html>".encode()


def pages() -> list[bytes]:
    """30 texts; 6 of them exactly and 4 nearly once more; a page that fails."""
    texts = [essay(n) for n in range(30)]
    texts += [essay(n) for n in range(0, 12, 2)] + [essay(n, other=9) for n in range(1, 9, 2)]
    return [*texts, essay(50).replace(b"<main>", b"<main>RAISE ")]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_warc(tmp_path_factory.mktemp("in") / "a.warc.gz", pages())


def check(summary: Any, out: Path, written: str = "pages") -> None:
    """Pages in = rows + failures + dropped, in the summary and in the files."""
    total = summary.total
    assert summary.complete and summary.adds_up and total.read == 41
    assert len(rows(out, written, "id")) == total.rows == sum(total.verdicts.values())
    assert len(rows(out, "failures", "id")) == total.failures == 1
    dropped = rows(out, "dropped", "id", "dropped_for")
    assert Counter(row["dropped_for"] for row in dropped) == total.filtered
    everything = [row["id"] for what in (written, "failures", "dropped") for row in rows(out, what, "id")]
    assert sorted(everything) == [f"<urn:uuid:{n:08}>" for n in range(41)]
    assert not (out / "run" / "staged").exists()


@pytest.mark.parametrize("format", ["parquet", "jsonl", "folder"])
def test_duplicates_are_dropped_and_written_elsewhere(format: str, archive: Path, tmp_path: Path) -> None:
    wanted = job(tmp_path / "out", format=format, drop_duplicates="near", dropped=True)
    summary = run_batch([str(archive)], wanted, workers=2, shard_size=3000)
    check(summary, tmp_path / "out", "index" if format == "folder" else "pages")
    assert summary.total.filtered == {"exact duplicate": 6, "near duplicate": 4}
    found = {row["id"]: row["duplicate_of"] for row in rows(tmp_path / "out", "dropped", "id", "duplicate_of")}
    assert found["<urn:uuid:00000031>"] == "<urn:uuid:00000002>" and len(found) == 10
    if format == "folder":
        assert len([p for p in (tmp_path / "out" / "pages").rglob("*") if p.is_file()]) == 30


def test_exact_duplicates_alone(archive: Path, tmp_path: Path) -> None:
    wanted = job(tmp_path / "out", drop_duplicates="exact", dropped=True)
    summary = run_batch([str(archive)], wanted, workers=1, shard_size=3000)
    check(summary, tmp_path / "out")
    assert summary.total.filtered == {"exact duplicate": 6}


def test_filters_before_duplicates_partitions_and_sizes(archive: Path, tmp_path: Path) -> None:
    """A page that is filtered is nobody's original. The same bytes for any number of workers."""
    choices: dict[str, Any] = {
        "drop": ("id=<urn:uuid:00000000>",),
        "drop_duplicates": "near",
        "dropped": True,
        "partition": ("crawl", "host:2"),
        "file_size": 8000,
    }
    summary = run_batch([str(archive)], job(tmp_path / "one", **choices), workers=1, shard_size=3000)
    check(summary, tmp_path / "one")
    assert summary.total.filtered == {"id=<urn:uuid:00000000>": 1, "exact duplicate": 5, "near duplicate": 4}
    run_batch([str(archive)], job(tmp_path / "two", **choices), workers=2, shard_size=3000)
    assert files(tmp_path / "one") == files(tmp_path / "two")
    places = {
        path.parent.relative_to(tmp_path / "one").as_posix() for path in (tmp_path / "one").rglob("pages/**/*.parquet")
    }
    assert places <= {f"pages/crawl=unknown/host_bucket=000{n}" for n in range(2)}


def test_files_have_the_wanted_size(archive: Path, tmp_path: Path) -> None:
    sizes = {}
    for wanted in (10_000, 40_000, 10_000_000):
        out = tmp_path / str(wanted)
        summary = run_batch([str(archive)], job(out, file_size=wanted, content=("html",)), workers=1, shard_size=3000)
        assert summary.total.rows == 40 and [row["id"] for row in rows(out, "pages", "id")] == [
            f"<urn:uuid:{n:08}>" for n in range(40)
        ]
        sizes[wanted] = [path.stat().st_size for path in (out / "pages").iterdir()]
    assert summary.shards > 3 and len(sizes[10_000_000]) == 1
    assert len(sizes[10_000]) > len(sizes[40_000]) > 1
    assert max(sizes[40_000]) < 60_000


def test_partitioned_pages_are_read_by_what_people_use(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    tags = ["en", "en-GB", "de", None, "Klingon!"]
    with source.open("w") as file:
        for n in range(20):
            lang = f' lang="{tags[n % 5]}"' if tags[n % 5] else ""
            html = (
                f"<!doctype html><html{lang}><title>Oak {n}</title><main>" + "<p>Oaks live for centuries here.</p>" * 20
            )
            file.write(json.dumps({"html": html, "url": f"https://a.example/{n}"}) + "\n")
    out = tmp_path / "out"
    run_batch([str(source)], Job(output=str(out), partition=("language",)), workers=1, shard_size=4000)
    duckdb, polars, pandas = (pytest.importorskip(name) for name in ("duckdb", "polars", "pandas"))
    by_duckdb = dict(duckdb.sql(f"select lang, count(*) from '{out}/pages/**/*.parquet' group by lang").fetchall())
    assert sum(by_duckdb.values()) == 20 and by_duckdb["de"] == 4 and by_duckdb["en"] >= 8
    frame = polars.read_parquet(f"{out}/pages/**/*.parquet", hive_partitioning=True)
    assert dict(frame.group_by("lang").len().iter_rows()) == by_duckdb
    assert pandas.read_parquet(out / "pages").groupby("lang", observed=True).size().to_dict() == by_duckdb


def test_killed_while_assembling_it_goes_on_to_the_same_bytes(archive: Path, tmp_path: Path) -> None:
    more = ("--drop-duplicates", "near", "--dropped", "--file-size", "2k")
    whole = start(archive, tmp_path / "whole", *more)
    whole.communicate()
    out = tmp_path / "out"
    killed = 0
    for what in ("run/done", "run/assembled", "run/assembled"):
        run = start(archive, out, *more)
        seen = len(list((out / what).glob("*"))) if (out / what).exists() else 0
        while run.poll() is None and len(list((out / what).glob("*"))) <= seen:
            time.sleep(0.002)
        killed += run.poll() is None
        run.kill()
        run.communicate()
    assert killed >= 2
    run = start(archive, out, *more)
    assert "41 pages in = 30 rows + 1 failures + 10 dropped" in run.communicate()[1].decode()
    assert files(out) == files(tmp_path / "whole")


def test_a_stopped_run_counts_what_is_in_journals(tmp_path: Path) -> None:
    archive = write_warc(tmp_path / "a.warc.gz", [page(n, "DAWDLE") for n in range(2000)])
    run = start(archive, tmp_path / "out", "--shard-size", "1G")
    journal = tmp_path / "out" / "run" / "journal" / "part-00000"
    while not journal.exists() or journal.stat().st_size < 20_000:
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    output, messages = run.communicate()
    assert run.returncode == 130
    summary = json.loads(output)
    assert 10 < summary["rows"] == summary["read"] < 2000 and not summary["complete"] and summary["adds_up"]
    assert f"{summary['rows']:,} pages in" in messages.decode() and os.path.exists(journal)  # noqa: PTH110
