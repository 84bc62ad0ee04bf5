"""A run whose input has changed is not resumed: it would mix two inputs and call the result complete."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from archives import page, write_warc
from test_faults import files, job, rows, start

from duramen.batch.inputs import INPUTS
from duramen.batch.job import Job
from duramen.batch.plan import prepare
from duramen.batch.run import run_batch
from duramen.batch.shards import Reading
from duramen.batch.storage import Folder
from duramen.errors import BatchError

pytest.importorskip("fastwarc", reason="needs the extra 'batch'")
pyarrow = pytest.importorskip("pyarrow", reason="needs the extra 'batch'")


def stopped_run(archive: Path, out: Path) -> None:
    """A run that is interrupted when some of its shards are done."""
    run = start(archive, out)
    while not list(out.glob("run/done/*.json")):
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    run.communicate()
    assert run.returncode == 130
    assert 0 < len(rows(out, "pages", "id")) < 80


def everything(out: Path) -> dict[str, tuple[bytes, int]]:
    """All files in a folder, with the times of their last change."""
    return {str(p): (p.read_bytes(), p.stat().st_mtime_ns) for p in out.rglob("*") if p.is_file()}


def test_a_replaced_input_is_an_error_and_nothing_is_written(tmp_path: Path) -> None:
    archive = write_warc(tmp_path / "a.warc.gz", [page(n, "DAWDLE") for n in range(80)])
    stopped_run(archive, tmp_path / "out")
    first = archive.read_bytes()
    before = everything(tmp_path / "out")
    write_warc(archive, [page(n + 500, "DAWDLE other") for n in range(80)])

    run = start(archive, tmp_path / "out")
    output, messages = (stream.decode() for stream in run.communicate())
    assert run.returncode == 1 and output == ""
    assert f"the input has changed since the run in {tmp_path / 'out'} began: {archive} had" in messages
    assert "Put the old input back to resume, start over with --restart, or choose another --output" in messages
    assert everything(tmp_path / "out") == before

    # The same content again, with another time: the result is the one of a run that was never stopped.
    archive.write_bytes(first)
    os.utime(archive, (1, 1))
    run = start(archive, tmp_path / "out")
    assert "80 pages in = 80 rows + 0 failures" in run.communicate()[1].decode()
    run_batch([str(archive)], job(tmp_path / "whole", deadline=60.0), workers=2, shard_size=2000)
    assert files(tmp_path / "out") == files(tmp_path / "whole")


def test_a_replaced_input_can_begin_anew(tmp_path: Path) -> None:
    archive = write_warc(tmp_path / "a.warc.gz", [page(n) for n in range(4)])
    run_batch([str(archive)], job(tmp_path / "out"), workers=1)
    write_warc(archive, [page(n) for n in range(7)])
    with pytest.raises(BatchError, match="the input has changed"):
        run_batch([str(archive)], job(tmp_path / "out"), workers=1)
    assert run_batch([str(archive)], job(tmp_path / "out"), workers=1, restart=True).total.rows == 7
    # What the new run recorded is what it read.
    assert run_batch([str(archive)], job(tmp_path / "out"), workers=1).total.rows == 7


def warc(folder: Path) -> Path:
    return write_warc(folder / "a.warc.gz", [page(n) for n in range(3)])


def lines(folder: Path) -> Path:
    (folder / "a.jsonl").write_text("".join(json.dumps({"html": page(n).decode()}) + "\n" for n in range(3)))
    return folder / "a.jsonl"


def table(folder: Path) -> Path:
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"html": [page(n).decode() for n in range(3)]}), folder / "a.parquet")
    return folder / "a.parquet"


def addresses(folder: Path) -> Path:
    (folder / "a.txt").write_text("https://a.example/\nhttps://b.example/\n")
    return folder / "a.txt"


def pages(folder: Path) -> Path:
    (folder / "in" / "below").mkdir(parents=True)
    for name in ("one", "two", "below/three"):
        (folder / "in" / f"{name}.html").write_bytes(page(len(name)))
    return folder / "in"


def archives(folder: Path) -> Path:
    (folder / "in").mkdir()
    for name in ("one", "two"):
        write_warc(folder / "in" / f"{name}.warc.gz", [page(1)])
    return folder / "in"


def offsets(folder: Path) -> Path:
    size = warc(folder).stat().st_size
    (folder / "a.offsets").write_text(f"a.warc.gz 0 {size}\n")
    return folder / "a.offsets"


def plan(source: Path | str, out: Path, wanted: Job | None = None) -> None:
    prepare(Folder(str(out)), [str(source)], wanted or job(out), None, None, False)


def with_other_bytes(path: Path) -> None:
    """As many bytes, and the same times."""
    status, data = path.stat(), bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


@pytest.mark.parametrize("make", [warc, lines, table, addresses, offsets])
def test_files_are_compared_by_size_and_content(make: Callable[[Path], Path], tmp_path: Path) -> None:
    source, out = make(tmp_path), tmp_path / "out"
    plan(source, out)
    plan(source, out)
    source.touch()
    plan(source, out)
    with_other_bytes(source)
    with pytest.raises(BatchError, match=rf"{source.name} has other content"):
        plan(source, out)
    make(tmp_path)
    plan(source, out)
    with source.open("ab") as file:
        file.write(b"\n")
    with pytest.raises(BatchError, match=rf"{source.name} had [\d,]+ bytes and has [\d,]+\."):
        plan(source, out)
    source.unlink()
    with pytest.raises((BatchError, OSError), match=f"{source.name}: there is no such file"):
        plan(source, out)


def long_lines(path: Path, count: int) -> bytearray:
    data = bytearray((json.dumps({"html": "oak " * 500}).encode() + b"\n") * count)
    path.write_bytes(data)
    return data


@pytest.mark.parametrize("at", [0, 1_000_001, 2_999_999, -1])
def test_one_byte_of_a_large_file_is_noticed(at: int, tmp_path: Path) -> None:
    """Anywhere, and if the time of the last change is set back."""
    source, out = tmp_path / "a.jsonl", tmp_path / "out"
    data, status = long_lines(source, 2000), source.stat()
    plan(source, out)
    data[at] ^= 1
    source.write_bytes(data)
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(BatchError, match="has other content"):
        plan(source, out)
    data[at] ^= 1
    source.write_bytes(data)
    plan(source, out)


def test_too_large_inputs_are_compared_by_samples_and_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duramen.batch.inputs._MOST_READ", 1_000_000)
    source, out = tmp_path / "a.jsonl", tmp_path / "out"
    data, status = long_lines(source, 2000), source.stat()
    plan(source, out)
    # Between the samples only the time shows the change.
    data[70_000] ^= 1
    source.write_bytes(data)
    with pytest.raises(BatchError, match=r"a\.jsonl was written again"):
        plan(source, out)
    data[70_000] ^= 1
    source.write_bytes(data)
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))
    plan(source, out)
    data[-1] ^= 1
    source.write_bytes(data)
    with pytest.raises(BatchError, match="has other content"):
        plan(source, out)


def test_unchanged_files_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, out = warc(tmp_path), tmp_path / "out"
    plan(source, out)
    with monkeypatch.context() as patch:
        patch.setattr("duramen.batch.inputs.open_input", None)
        plan(source, out)
    with_other_bytes(source)
    with pytest.raises(BatchError, match="has other content"):
        plan(source, out)


def test_pages_of_a_folder_are_compared(tmp_path: Path) -> None:
    source, out = pages(tmp_path), tmp_path / "out"
    plan(source, out)
    one = source / "below" / "three.html"
    one.touch()
    plan(source, out)
    kept = one.read_bytes()
    with_other_bytes(one)
    with pytest.raises(BatchError, match=r"below/three\.html has other content"):
        plan(source, out)
    one.write_bytes(kept.replace(b"oaks", b"elms"))
    with pytest.raises(BatchError, match=r"below/three\.html has other content"):
        plan(source, out)
    one.unlink()
    with pytest.raises(BatchError, match=r"below/three\.html is missing"):
        plan(source, out)
    one.write_bytes(kept)
    for name in "abcde":
        (source / f"{name}.html").write_bytes(kept)
    with pytest.raises(BatchError, match=r"a\.html is new; .*b\.html is new; .*c\.html is new; and 2 more\."):
        plan(source, out)


def test_an_archive_that_joins_its_folder_is_noticed(tmp_path: Path) -> None:
    source, out = archives(tmp_path), tmp_path / "out"
    plan(source, out)
    plan(source, out)
    write_warc(source / "three.warc.gz", [page(3)])
    with pytest.raises(BatchError, match=r"three\.warc\.gz is new"):
        plan(source, out)


def test_archives_of_a_list_are_compared(tmp_path: Path) -> None:
    source, out = offsets(tmp_path), tmp_path / "out"
    plan(source, out)
    with_other_bytes(tmp_path / "a.warc.gz")
    with pytest.raises(BatchError, match=r"a\.warc\.gz has other content"):
        plan(source, out)


def test_archives_of_a_list_may_be_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "archives").mkdir()
    source, out = offsets(tmp_path), tmp_path / "out"
    archive = (tmp_path / "a.warc.gz").rename(tmp_path / "archives" / "a.warc.gz")
    wanted = job(out, reading=Reading(archives=str(archive.parent)))
    plan(source, out, wanted)
    with_other_bytes(archive)
    with pytest.raises(BatchError, match=r"archives/a\.warc\.gz has other content"):
        plan(source, out, wanted)


def test_what_a_run_writes_into_its_input_is_no_input(tmp_path: Path) -> None:
    source = pages(tmp_path)
    wanted = job(source / "out", format="folder", content=("html",))
    assert run_batch([str(source)], wanted, workers=1).complete
    assert list(source.rglob("out/**/*.html"))
    assert run_batch([str(source)], wanted, workers=1).complete


def test_remote_files_are_compared(tmp_path: Path) -> None:
    source, out = warc(tmp_path), tmp_path / "out"
    plan(f"file://{source}", out)
    source.touch()
    plan(f"file://{source}", out)
    with_other_bytes(source)
    source.touch()
    with pytest.raises(BatchError, match=r"a\.warc\.gz has other content"):
        plan(f"file://{source}", out)


def test_a_remote_file_that_was_written_again_is_another(tmp_path: Path) -> None:
    """Its middle is not compared, so its time has to be the same."""
    source, out = tmp_path / "a.jsonl", tmp_path / "out"
    data = long_lines(source, 200)
    os.utime(source, (1, 1))
    plan(f"file://{source}", out)
    data[len(data) // 2] ^= 1
    source.write_bytes(data)
    with pytest.raises(BatchError, match=r"a\.jsonl was written again"):
        plan(f"file://{source}", out)


def test_remote_files_without_times_are_compared(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory, data = fsspec.filesystem("memory"), warc(tmp_path).read_bytes()
    memory.pipe("/crawl/a.warc.gz", data)
    plan("memory://crawl/a.warc.gz", tmp_path / "out")
    plan("memory://crawl/a.warc.gz", tmp_path / "out")
    memory.pipe("/crawl/a.warc.gz", data[:-1] + b"x")
    with pytest.raises(BatchError, match=r"a\.warc\.gz has other content"):
        plan("memory://crawl/a.warc.gz", tmp_path / "out")


def test_runs_that_recorded_no_inputs_begin_anew(tmp_path: Path) -> None:
    source, out = warc(tmp_path), tmp_path / "out"
    plan(source, out)
    (out / INPUTS).unlink()
    with pytest.raises(BatchError, match="did not record the state of its inputs; start over with --restart"):
        plan(source, out)
