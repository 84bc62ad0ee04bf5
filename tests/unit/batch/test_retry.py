"""Failed pages are tried again and join the output; a finished run that is started again changes nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from archives import page, write_warc
from test_changed_inputs import everything
from test_faults import rows, start

from duramen.batch.checkpoint import Report
from duramen.batch.job import Job
from duramen.batch.run import run_batch
from duramen.batch.summary import Summary
from duramen.errors import OptionError

pytest.importorskip("fastwarc", reason="needs the extra 'batch'")
pytest.importorskip("pyarrow", reason="needs the extra 'batch'")

WORDS = {3: "FLAKY", 8: "RAISE", 9: "FLAKY", 15: "LOOP"}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return write_warc(tmp_path / "a.warc.gz", [page(n, WORDS.get(n, "")) for n in range(20)])


def job(out: Path, **values: Any) -> Job:
    given: dict[str, Any] = {"extractor": "faulty:flaky", "format": "jsonl", "deadline": 4.0} | values
    return Job(output=str(out), **given)


def run(archive: Path, out: Path, retry: tuple[str, ...] = (), **values: Any) -> Any:
    return run_batch([str(archive)], job(out, **values), workers=1, shard_size=1500, retry=retry)


def failures(out: Path) -> list[tuple[str, str]]:
    return sorted((row["id"][-3:-1], row["code"]) for row in rows(out, "failures", "id", "code"))


def test_retried_pages_join_the_output(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    monkeypatch.setenv("DURAMEN_TEST_FLAKY", "1")
    assert run(archive, out).total.codes == {"error": 3, "timeout": 1}
    assert failures(out) == [("03", "error"), ("08", "error"), ("09", "error"), ("15", "timeout")]
    monkeypatch.setenv("DURAMEN_TEST_FLAKY", "")
    # Only timeouts: the page still takes too long.
    summary = run(archive, out, ("timeout",))
    assert summary.adds_up and summary.complete and summary.total.codes == {"error": 3, "timeout": 1}
    assert (summary.total.read, summary.total.rows) == (20, 16)
    summary = run(archive, out, ("all",))
    assert summary.adds_up and (summary.total.read, summary.total.rows) == (20, 18)
    assert summary.total.codes == {"error": 1, "timeout": 1}
    assert failures(out) == [("08", "error"), ("15", "timeout")]
    found = [row["id"] for row in rows(out, "pages", "id")]
    assert sorted(found) == [f"<urn:uuid:{n:08}>" for n in range(20) if n not in (8, 15)]
    assert json.loads((out / "summary.json").read_text())["rows"] == 18
    # Started again without retrying, the finished run changes nothing.
    before = everything(out)
    again = run(archive, out)
    assert again.total == summary.total and everything(out) == before
    with pytest.raises(OptionError, match=r"retry must name some of all, error, timeout"):
        run(archive, out, ("unlucky",))


def test_retried_pages_are_compared_with_the_others(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The flaky pages have the text of pages that were fine.
    bodies = [page(n, "" if n < 10 else "FLAKY") for n in range(12)] + [
        page(2),
        page(10).replace(b"page 10", b"page 2"),
    ]
    archive = write_warc(tmp_path / "b.warc.gz", bodies)
    monkeypatch.setenv("DURAMEN_TEST_FLAKY", "1")
    out = tmp_path / "out"
    choices: dict[str, Any] = {"drop_duplicates": "exact", "dropped": True, "format": "parquet"}
    first = run(archive, out, **choices)
    assert first.total.codes == {"error": 2} and first.adds_up
    monkeypatch.setenv("DURAMEN_TEST_FLAKY", "")
    summary = run(archive, out, ("error",), **choices)
    assert summary.adds_up and summary.complete and summary.total.failures == 0
    assert summary.total.rows == first.total.rows + 2 == len(rows(out, "pages", "id"))
    assert summary.total.read == 14 == len(rows(out, "pages", "id")) + len(rows(out, "dropped", "id"))


def test_shards_without_failures_do_not_keep_others_from_a_retry(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DURAMEN_TEST_FLAKY", "1")
    out = tmp_path / "out"
    assert run(archive, out, compress=True).total.failures == 4
    monkeypatch.setenv("DURAMEN_TEST_FLAKY", "")
    assert run(archive, out, ("error",), compress=True).total.codes == {"error": 1, "timeout": 1}


def test_a_retry_that_was_killed_is_finished(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DURAMEN_TEST_FLAKY", "1")
    out = tmp_path / "out"
    archive = write_warc(tmp_path / "c.warc.gz", [page(n, "FLAKY" if n % 3 == 0 else "") for n in range(30)])
    options = ("--extractor", "faulty:flaky")
    process = start(archive, out, *options)
    assert "30 pages in = 20 rows + 10 failures" in process.communicate()[1].decode()
    monkeypatch.setenv("DURAMEN_TEST_FLAKY", "slow")
    marks = out / "run" / "done"
    before = len(list(marks.iterdir()))
    process = start(archive, out, *options, "--retry-failures", "all")
    while process.poll() is None and len(list(marks.iterdir())) == before:
        pass
    process.kill()
    process.communicate()
    assert not (out / "summary.json").exists()
    process = start(archive, out, *options)
    assert "30 pages in = 30 rows + 0 failures" in process.communicate()[1].decode()
    assert len({row["id"] for row in rows(out, "pages", "id")}) == 30 and failures(out) == []


@pytest.mark.parametrize("more", [(), ("--duplicates",), ("--drop-duplicates", "near", "--boilerplate")])
def test_a_finished_command_changes_nothing(more: tuple[str, ...], archive: Path, tmp_path: Path) -> None:
    process = start(archive, tmp_path / "out", "--deadline", "4", *more)
    first, _ = process.communicate()
    assert process.returncode == 0
    before = everything(tmp_path / "out")
    process = start(archive, tmp_path / "out", "--deadline", "4", *more)
    second, _ = process.communicate()
    assert process.returncode == 0 and json.loads(first) == json.loads(second)
    assert everything(tmp_path / "out") == before


def test_a_summary_read_again_is_the_same() -> None:
    versions = {"engine": "0.1", "rules": "none", "model": "1"}
    for hundredths in range(1, 400):
        summary = Summary(Report(), 1, 1, hundredths / 100 + 0.0049, 997, False, versions)
        assert Summary.from_dict(summary.to_dict()).to_dict() == summary.to_dict()
