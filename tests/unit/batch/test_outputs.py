"""What a run writes can be read by what people use, and a disk that is full loses nothing."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from archives import page, write_warc

from duramen.batch.job import Job
from duramen.batch.journal import ROW, Journal
from duramen.batch.run import run_batch
from duramen.batch.schema import FAILURE_COLUMNS, columns_of
from duramen.batch.sinks.folder import file_name
from duramen.batch.storage import Folder, scratch_folder
from duramen.errors import BatchError, OptionError

pytest.importorskip("fastwarc", reason="needs the extra 'batch'")
pa = pytest.importorskip("pyarrow", reason="needs the extra 'batch'")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bodies = [page(n, "RAISE" if n == 3 else "") for n in range(10)]
    return write_warc(tmp_path_factory.mktemp("in") / "a.warc.gz", bodies)


@pytest.fixture(scope="module")
def parquet(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("parquet") / "out"
    job = Job(output=str(out), content=("text", "markdown", "html"), extractor="faulty:faulty")
    assert run_batch([str(archive)], job, workers=2, shard_size=1500).adds_up
    return out


def test_parquet_has_typed_columns_and_zstd(parquet: Path) -> None:
    import pyarrow.parquet as pq

    files = sorted((parquet / "pages").glob("*.parquet"))
    assert len(files) > 1
    schema = pq.read_schema(files[0])
    assert schema.names == list(columns_of(("text", "markdown", "html")))
    assert schema.field("authors").type == pa.list_(pa.string()) and schema.field("offset").type == pa.int64()
    metadata = pq.ParquetFile(files[0]).metadata
    assert metadata.row_group(0).column(2).compression == "ZSTD"
    row = pq.read_table(files[0]).to_pylist()[0]
    assert row["id"] == "<urn:uuid:00000000>" and row["url"] == "https://oaks0.example/0"
    assert row["verdict"] == "good" and row["engine"] and len(row["model"]) == len(row["rules"]) == 12
    assert "Line 0 of page 0" in row["text"] and row["source"].endswith("a.warc.gz")


def test_duckdb_reads_it(parquet: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="needs duckdb")
    query = f"select count(*), count(distinct id), min(verdict) from '{parquet}/pages/*.parquet'"
    assert duckdb.sql(query).fetchall() == [(9, 9, "good")]
    assert duckdb.sql(f"select code, id from '{parquet}/failures/*.parquet'").fetchall() == [
        ("error", "<urn:uuid:00000003>")
    ]


def test_polars_reads_it(parquet: Path) -> None:
    polars = pytest.importorskip("polars", reason="needs polars")
    frame = polars.read_parquet(f"{parquet}/pages/*.parquet")
    assert frame.height == 9 and frame["text"].null_count() == 0
    assert polars.read_parquet(f"{parquet}/failures/*.parquet")["code"].to_list() == ["error"]


def test_pandas_reads_it(parquet: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    frame = pandas.read_parquet(parquet / "pages")
    assert len(frame) == 9 and list(frame["verdict"].unique()) == ["good"]


@pytest.mark.parametrize("compress", [False, True])
def test_jsonl(compress: bool, archive: Path, tmp_path: Path) -> None:
    job = Job(output=str(tmp_path / "out"), format="jsonl", compress=compress, extractor="faulty:faulty")
    run_batch([str(archive)], job, workers=1)
    (path,) = (tmp_path / "out" / "pages").iterdir()
    data = path.read_bytes()
    if compress:
        assert path.name == "part-00000.jsonl.zst"
        data = pytest.importorskip("backports.zstd").decompress(data)
    lines = [json.loads(line) for line in data.splitlines()]
    assert len(lines) == 9 and list(lines[0]) == list(columns_of(("text",)))
    (failures,) = (tmp_path / "out" / "failures").iterdir()
    assert failures.stat().st_size > 0 and list(FAILURE_COLUMNS)[:5] == ["id", "url", "code", "stage", "message"]


def test_folder_of_markdown(tmp_path: Path) -> None:
    pages = tmp_path / "in"
    (pages / "deep").mkdir(parents=True)
    for name in ("oaks.html", "oaks.htm", "deep/elms.html"):
        (pages / name).write_bytes(page(1, name))
    job = Job(output=str(tmp_path / "out"), format="folder", content=("markdown",), extractor="faulty:quick")
    assert run_batch([str(pages)], job, workers=1).total.rows == 3
    written = {
        p.relative_to(tmp_path / "out").as_posix() for p in (tmp_path / "out" / "pages").rglob("*") if p.is_file()
    }
    assert written == {"pages/oaks.md", "pages/oaks.htm.md", "pages/deep/elms.md"}
    assert "deep/elms.html" in (tmp_path / "out" / "pages" / "deep" / "elms.md").read_text()
    index = [json.loads(line) for line in (tmp_path / "out" / "index" / "part-00000.jsonl").read_text().splitlines()]
    assert {row["id"]: row["file"] for row in index}["oaks.htm"] == "pages/oaks.htm.md"
    assert "markdown" not in index[0] and index[0]["verdict"] == "good"


def test_a_folder_has_a_file_for_every_page(tmp_path: Path) -> None:
    for name in ("one/site", "two/site"):
        (tmp_path / name).mkdir(parents=True)
        for page_name in ("oaks.html", "a b.html", "a-b.html"):
            (tmp_path / name / page_name).write_bytes(page(1, f"{name} {page_name}"))
    rows = [json.dumps({"id": 1, "html": f"<p>{word}"}) for word in ("elm", "ash")]
    for name in ("one", "two"):
        (tmp_path / name / "rows.jsonl").write_text("\n".join(rows))
    inputs = [f"{tmp_path}/{folder}/{name}" for name in ("site", "rows.jsonl") for folder in ("one", "two")]
    shapes: list[dict[str, Any]] = [{}, {"drop_duplicates": "exact", "columns": ("title",)}]
    for shape in shapes:
        out = tmp_path / f"out{len(shape)}"
        job = Job(output=str(out), format="folder", content=("text",), extractor="faulty:quick", **shape)
        run_batch(inputs, job, workers=1)
        index = [
            json.loads(line) for part in sorted((out / "index").iterdir()) for line in part.read_text().splitlines()
        ]
        assert len(index) == (8 if shape else 10)
        assert len({row["file"] for row in index}) == len(index) == sum(p.is_file() for p in (out / "pages").rglob("*"))
        assert "pages/one/site/oaks.txt" in {row["file"] for row in index}


@pytest.mark.parametrize(
    ("id_", "url"),
    [
        ("../../etc/passwd.html", None),
        ("/etc/passwd", None),
        ("x", "https://a.example/../../../etc/passwd"),
        ("..", "http://../"),
    ],
)
def test_no_page_writes_outside_its_folder(id_: str, url: str | None) -> None:
    name = file_name(id_, url, f"{id_} 0")
    assert not name.startswith("/") and ".." not in name.split("/")


def test_the_summary_says_that_it_adds_up(parquet: Path) -> None:
    summary = json.loads((parquet / "summary.json").read_text())
    assert summary["read"] == 10 == summary["rows"] + summary["failures"]
    assert summary["adds_up"] is True and summary["complete"] is True
    assert summary["codes"] == {"error": 1} and summary["verdicts"] == {"good": 9}


def test_outputs_beyond_the_local_disk(archive: Path, tmp_path: Path) -> None:
    """``file://`` goes the way of ``s3://`` and its like: through pyarrow's file systems."""
    out = tmp_path / "out"
    job = Job(output=f"file://{out}", extractor="faulty:faulty")
    summary = run_batch([f"file://{archive}"], job, workers=1, shard_size=1500)
    assert summary.total.rows == 9 and summary.total.failures == 1 and summary.complete
    assert len(list((out / "pages").iterdir())) == summary.shards > 1
    assert not (out / "run" / "journal").exists()
    again = run_batch([f"file://{archive}"], job, workers=1, shard_size=1500)
    assert again == replace(summary, seconds=round(summary.seconds, 2))


def test_a_killed_owner_leaves_its_scratch_folder_to_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    script = (
        f"import tempfile, os, signal; tempfile.tempdir = {str(tmp_path)!r}\n"
        "from duramen.batch.storage import scratch_folder\n"
        "with scratch_folder() as folder: print(folder, flush=True); input()"
    )
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(
        [sys.executable, "-c", script], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        theirs = Path(other.stdout.readline().strip())
        with scratch_folder() as ours:
            assert theirs.exists() and Path(ours).exists(), "its owner is at work"
        assert not Path(ours).exists()
        other.kill()
        other.wait()
    assert theirs.exists()
    with scratch_folder():
        assert not theirs.exists()


def run_on(out: Path, archive: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "duramen", "batch", str(archive), "--output", str(out), "--workers", "1"]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command += ["--to", "jsonl", "--extractor", "faulty:faulty", *more]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_a_full_disk_stops_the_run_and_loses_nothing(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = shutil.which("mount")
    if os.geteuid() != 0 or mount is None:
        pytest.skip("needs root to mount a small disk; the journal's own test fakes one")
    mounted = subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=300k", "duramen", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a small disk cannot be mounted here; the journal's own test fakes one")
    try:
        archive = write_warc(tmp_path / "a.warc.gz", [page(n, "oak " * 900) for n in range(40)])
        done = run_on(disk / "out", archive, "--shard-size", "600")
        assert done.returncode == 1
        assert "No space left on device" in done.stderr and "run the same command to resume" in done.stderr
        assert "Traceback" not in done.stderr
        marks = list((disk / "out" / "run" / "done").iterdir())
        assert 0 < len(marks) < 40
        subprocess.run([mount, "-o", "remount,size=4m", str(disk)], check=True)
        done = run_on(disk / "out", archive, "--shard-size", "600")
        assert done.returncode == 0 and "40 pages in = 40 rows + 0 failures" in done.stderr
        whole = run_on(tmp_path / "whole", archive, "--shard-size", "600")
        assert whole.returncode == 0
        for path in (tmp_path / "whole" / "pages").iterdir():
            assert (disk / "out" / "pages" / path.name).read_bytes() == path.read_bytes()
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_journal_on_a_full_disk_keeps_what_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(tmp_path / "journal")
    journal.append(ROW, 7, b"one")
    whole, pwrite = os.pwrite, os.pwrite

    def full(fd: int, data: bytes, offset: int) -> int:
        whole(fd, data[:10], offset)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(OSError, match="No space left"):
        journal.append(ROW, 8, b"two")
    monkeypatch.setattr(os, "pwrite", pwrite)
    journal.append(ROW, 9, b"three")
    assert [frame.payload for frame in journal.frames()] == [b"one", b"three"]
    journal.close()


def test_a_journal_forgets_what_was_cut_off(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    for n in range(3):
        journal.append(ROW, n, b"x" * 100)
    journal.close()
    data = (tmp_path / "journal").read_bytes()
    for cut in (1, 60, 119, 121):
        (tmp_path / "journal").write_bytes(data[:-cut])
        journal = Journal(tmp_path / "journal")
        assert journal.count == (2 if cut < 124 else 1)
        journal.append(ROW, 9, b"again")
        assert [f.offset for f in journal.frames()] == [0, 1, 9]
        journal.close()
    # A power failure may leave the length right and the content wrong.
    (tmp_path / "journal").write_bytes(data[:-50] + bytes(50))
    journal = Journal(tmp_path / "journal")
    assert journal.count == 2
    journal.close()


def test_what_killed_writers_left_is_cleared(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    job = Job(output=str(out), format="jsonl", extractor="faulty:faulty")
    run_batch([str(archive)], job, workers=1)
    left = [out / "run" / "unfinished" / "pages-part-00000.jsonl.host.1", out / "run" / "journal" / "part-00000"]
    for path in left:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"half of it")
    assert run_batch([str(archive)], job, workers=1).complete
    assert [path for path in left if path.exists()] == []


def test_an_unwritable_output_is_told_before_any_work(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    job = Job(output=str(tmp_path / "file" / "out"), extractor="faulty:quick")
    with pytest.raises(BatchError, match=r"Not a directory; choose another --output"):
        run_batch([str(archive)], job, workers=1)


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path))
    folder.write("pages/a", b"old")
    with pytest.raises(RuntimeError), folder.create("pages/a") as file:
        file.write(b"new, but")
        raise RuntimeError
    assert folder.read("pages/a") == b"old" and folder.names("pages", "") == ["a"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"content": ("txt",)}, "content must name some of 'text', 'markdown', 'html'"),
        ({"format": "folder", "content": ("text", "html")}, "a folder has one file per page"),
        ({"deadline": 0}, "deadline must be a number from 0.01"),
        ({"memory": 10}, "memory must be a whole number from 50,000,000"),
    ],
)
def test_wrong_choices_are_answered(values: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Job(output="out", **values)
