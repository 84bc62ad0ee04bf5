"""Whatever a page does to its worker costs that page and nothing else."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from archives import page, write_warc

from duramen.batch.job import Job
from duramen.batch.run import run_batch
from duramen.batch.sinks import read_table
from duramen.batch.storage import Folder
from duramen.batch.summary import Summary
from duramen.errors import BatchError

pytest.importorskip("fastwarc", reason="needs the extra 'batch'")

FAULTS = {
    "SEGFAULT": ("crash", "the worker was killed by signal 11 (SIGSEGV)"),
    "EXIT": ("crash", "the worker exited with code 3"),
    "LOOP": ("timeout", "took longer than 4 s"),
    "GROW": ("memory", "needed more than 0.3 GB of memory"),
    "HUGE": ("memory", "needed more than 0.3 GB of memory"),
    "RAISE": ("error", "ValueError: as ordered"),
}


def job(output: Path, **values: Any) -> Job:
    given: dict[str, Any] = {"format": "jsonl", "extractor": "faulty:faulty", "deadline": 20.0} | values
    return Job(output=str(output), **given)


def rows(output: Path, what: str, *columns: str) -> list[dict[str, Any]]:
    folder = Folder(str(output))
    found = sorted(path.relative_to(output).as_posix() for path in (output / what).rglob("*") if path.is_file())
    return [row for name in found for row in read_table(folder, name, columns or None)]


def files(output: Path) -> dict[str, bytes]:
    """Everything a run wrote for its user."""
    kept = (p for p in output.rglob("*") if p.is_file() and p.relative_to(output).parts[0] != "run")
    return {p.relative_to(output).as_posix(): p.read_bytes() for p in kept if p.name != "summary.json"}


def check(summary: Summary, pages: int, output: Path) -> None:
    assert summary.complete and summary.adds_up
    assert summary.total.read == pages
    assert len(rows(output, "pages", "id")) == summary.total.rows
    assert len(rows(output, "failures", "id")) == summary.total.failures


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_page_costs_itself(fault: str, tmp_path: Path) -> None:
    bodies = [page(n, fault if n in (3, 7) else "") for n in range(12)]
    archive = write_warc(tmp_path / "a.warc.gz", bodies)
    out = tmp_path / "out"
    deadline = 4.0 if fault == "LOOP" else 60.0
    summary = run_batch([str(archive)], job(out, deadline=deadline, memory=300_000_000), workers=1)
    check(summary, 12, out)
    failures = rows(out, "failures", "id", "url", "code", "stage", "message")
    assert [(f["id"], f["url"]) for f in failures] == [
        ("<urn:uuid:00000003>", "https://oaks0.example/3"),
        ("<urn:uuid:00000007>", "https://oaks1.example/7"),
    ]
    assert {(f["code"], f["stage"], f["message"]) for f in failures} == {
        (FAULTS[fault][0], "extract", FAULTS[fault][1])
    }


def test_bad_pages_in_a_row_and_at_both_ends(tmp_path: Path) -> None:
    bodies = [page(n, "EXIT" if n in (0, 1, 4, 5, 9) else "") for n in range(10)]
    archive = write_warc(tmp_path / "a.warc.gz", bodies)
    summary = run_batch([str(archive)], job(tmp_path / "out"), workers=1)
    check(summary, 10, tmp_path / "out")
    assert summary.total.codes == {"crash": 5}


def test_a_page_that_killed_its_worker_once_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DURAMEN_TEST_CRASHED", str(tmp_path / "crashed"))
    archive = write_warc(tmp_path / "a.warc.gz", [page(n, "ONCE" if n == 2 else "") for n in range(5)])
    summary = run_batch([str(archive)], job(tmp_path / "out", extractor="faulty:crash_once"), workers=1)
    check(summary, 5, tmp_path / "out")
    assert (tmp_path / "crashed").exists() and summary.total.failures == 0


def test_a_file_that_cannot_even_be_read_costs_itself(tmp_path: Path) -> None:
    pages = tmp_path / "in"
    pages.mkdir()
    for n in (0, 2, 3):
        (pages / f"{n}.html").write_bytes(page(n))
    os.mkfifo(pages / "1.html")
    summary = run_batch([str(pages)], job(tmp_path / "out", deadline=4.0), workers=1)
    check(summary, 4, tmp_path / "out")
    (failure,) = rows(tmp_path / "out", "failures", "code", "stage", "source")
    assert failure == {"code": "timeout", "stage": "read", "source": "in"}


@pytest.mark.parametrize("item", [0, 3, 9])
def test_a_record_that_kills_its_reader_costs_itself(item: int, tmp_path: Path) -> None:
    archive = write_warc(tmp_path / "a.warc", [page(n) for n in range(10)], bytes)
    out = tmp_path / "out"
    poison = out / "run" / "journal" / "poison.jsonl"
    poison.parent.mkdir(parents=True)
    # As a supervisor would have noted it down.
    fate = {"survey": False, "shard": 0, "item": item, "code": "timeout", "stage": "read", "message": "took too long"}
    poison.write_text(json.dumps(fate) + "\n")
    summary = run_batch([str(archive)], job(out), workers=1)
    assert summary.adds_up and summary.total.codes == {"timeout": 1}
    # Between two pages stands a request, which may be what cannot be read: then no page is lost.
    assert summary.total.rows in (9, 10)
    found = [row["id"] for row in rows(out, "pages", "id")]
    assert found == sorted(set(found)) and len(found) == summary.total.rows


def test_a_part_that_cannot_be_written_is_no_page_s_fault(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "a.warc.gz", [page(n) for n in range(3)])
    job = Job(output=str(tmp_path / "out"), extractor="faulty:odd_values")
    with pytest.raises(BatchError, match="part-00000 cannot be written"):
        run_batch([str(path)], job, workers=1)
    assert not (tmp_path / "out/run/journal/poison.jsonl").exists()


def test_workers_are_replaced_and_nothing_changes(tmp_path: Path) -> None:
    archive = write_warc(tmp_path / "a.warc.gz", [page(n) for n in range(30)])
    run_batch([str(archive)], job(tmp_path / "one"), workers=1)
    run_batch([str(archive)], job(tmp_path / "two", recycle=7), workers=2, shard_size=1000)
    ids = [[row["id"] for row in rows(tmp_path / out, "pages", "id")] for out in ("one", "two")]
    assert ids[0] == ids[1] and len(ids[0]) == 30


def test_an_extractor_that_is_not_there_stops_the_run_at_once(tmp_path: Path) -> None:
    archive = write_warc(tmp_path / "a.warc.gz", [page(0)])
    with pytest.raises(BatchError, match=r"extractor 'nowhere:at_all' cannot be loaded"):
        run_batch([str(archive)], job(tmp_path / "out", extractor="nowhere:at_all"), workers=1)


def start(archive: Path, out: Path, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "duramen", "batch", str(archive), "--output", str(out), "--to", "jsonl"]
    command += ["--workers", "2", "--shard-size", "2k", "--extractor", "faulty:faulty", *more]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finished(out: Path) -> tuple[int, int]:
    """How far a run has come: its finished shards, and the bytes in its journals."""
    marks = len(list((out / "run" / "done").glob("*.json")))
    sizes = []
    for path in (out / "run" / "journal").glob("part-*"):
        with contextlib.suppress(FileNotFoundError):
            sizes.append(path.stat().st_size)
    return marks, sum(sizes)


KILLS = int(os.environ.get("DURAMEN_KILLS", "4"))


def test_killed_at_any_moment_it_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    words = {5: "DAWDLE EXIT", 17: "RAISE"}
    bodies = [page(n, words.get(n, "DAWDLE")) for n in range(150)]
    archive = write_warc(tmp_path / "a.warc.gz", bodies)
    undisturbed = start(archive, tmp_path / "whole")
    undisturbed.communicate()
    assert undisturbed.returncode == 0
    out = tmp_path / "out"
    for moment in range(KILLS):
        run = start(archive, out)
        before = finished(out)
        # Every third time before there is any work, otherwise well into the pages.
        while moment % 3 and run.poll() is None and finished(out) == before:
            time.sleep(0.005)
        time.sleep(0.4 * ((moment * 0.618) % 1))
        run.kill()
        run.communicate()
    assert finished(out)[0] > 0, "it was killed too early to prove anything"
    run = start(archive, out)
    told = run.communicate()[1].decode()
    assert run.returncode == 0, told
    assert "150 pages in = 148 rows + 2 failures" in told
    assert files(out) == files(tmp_path / "whole")
    assert list((out / "run" / "journal").glob("part-*")) == []


def test_no_worker_outlives_its_supervisor(tmp_path: Path) -> None:
    archive = write_warc(tmp_path / "a.warc.gz", [page(n, "LOOP") for n in range(4)])
    run = start(archive, tmp_path / "out")
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
    if not children.exists():
        pytest.skip("needs /proc")
    while not (pids := children.read_text().split()):
        time.sleep(0.05)
    time.sleep(0.5)
    run.kill()
    run.communicate()
    # One that was still starting notices it when it is up.
    limit = time.monotonic() + 30
    while any(is_alive(pid) for pid in pids) and time.monotonic() < limit:
        time.sleep(0.05)
    assert [pid for pid in pids if is_alive(pid)] == []


def is_alive(pid: str) -> bool:
    try:
        return Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_interrupted_it_stops_cleanly_and_says_how_to_go_on(tmp_path: Path) -> None:
    archive = write_warc(tmp_path / "a.warc.gz", [page(n, "DAWDLE") for n in range(200)])
    out = tmp_path / "out"
    run = start(archive, out)
    while not list(out.glob("run/done/*.json")):
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    told = run.communicate()[1].decode()
    assert run.returncode == 130
    assert "stopped; finished pages are kept. To resume: duramen batch" in told
    before = len(rows(out, "pages", "id"))
    assert 0 < before < 200
    run = start(archive, out)
    assert "200 pages in = 200 rows + 0 failures" in run.communicate()[1].decode()


def test_two_runs_do_not_write_to_one_folder(tmp_path: Path) -> None:
    archive = write_warc(tmp_path / "a.warc.gz", [page(n, "DAWDLE") for n in range(3000)])
    first = start(archive, tmp_path / "out")
    while not (tmp_path / "out" / "run" / "plan.jsonl").exists():
        time.sleep(0.02)
    second = start(archive, tmp_path / "out")
    told = second.communicate()[1].decode()
    assert second.returncode == 1 and "another run is writing to this folder" in told
    first.send_signal(signal.SIGTERM)
    first.communicate()
    assert first.returncode == 130


def test_another_job_is_not_mixed_into_a_run(tmp_path: Path) -> None:
    archive = write_warc(tmp_path / "a.warc.gz", [page(0)])
    run_batch([str(archive)], job(tmp_path / "out"), workers=1)
    with pytest.raises(BatchError, match=r"differs in content; use the same options"):
        run_batch([str(archive)], job(tmp_path / "out", content=("html",)), workers=1)
    summary = run_batch([str(archive)], job(tmp_path / "out", content=("html",)), workers=1, restart=True)
    check(summary, 1, tmp_path / "out")


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    archive = write_warc(tmp_path / "a.warc.gz", [page(0)])
    with pytest.raises(BatchError, match=r"the folder is not empty"):
        run_batch([str(archive)], job(tmp_path), workers=1)
