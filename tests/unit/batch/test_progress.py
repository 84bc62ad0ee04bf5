"""Progress: one line that is rewritten on a terminal, separate lines elsewhere, nothing when quiet."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from archives import page, write_warc

from duramen.batch.checkpoint import Report
from duramen.batch.progress import Progress
from duramen.batch.shards import Shard


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def supervisor(good: int, failed: int) -> Any:
    pool = SimpleNamespace(tallies=lambda: ({"good": good, "poor": 0}, {"timeout": failed}), workers=[])
    return SimpleNamespace(pool=pool)


SHARDS = [Shard("warc", "a", number=n, begin=100 * n, end=100 * n + 100) for n in range(4)]


def told(stream: io.StringIO, quiet: bool = False) -> str:
    progress = Progress(quiet, stream)
    progress.begin(SHARDS, {"part-00000"})
    progress.done(Report("part-00001"))
    progress.update(supervisor(10, 2))
    progress.done(Report("part-00002"))
    progress.close(supervisor(20, 2))
    assert progress.pages == 22
    return stream.getvalue()


def test_a_terminal_has_one_line_that_changes() -> None:
    text = told(Terminal())
    assert "12 pages" in text and "33.3 %" in text and "10 good" in text and "2 timeout" in text and " left" in text
    assert text.count("\r\x1b[K") == 2 and text.endswith("\n")
    assert "22 pages" in text and "0 poor" not in text


def test_a_file_has_plain_lines() -> None:
    text = told(io.StringIO())
    assert "\r" not in text and "\x1b" not in text
    lines = text.splitlines()
    assert lines[0] == "duramen: resuming: 1 of 4 shards are already done"
    assert lines[-1].startswith("duramen: 22 pages, ") and "20 good, 2 timeout" in lines[-1]


def test_files_that_are_written_last_are_not_counted_as_pages() -> None:
    stream = io.StringIO()
    progress = Progress(stream=stream)
    progress.begin(SHARDS, set())
    for shard in SHARDS:
        progress.reported(Report(shard.part, 5, 5, verdicts={"good": 5}))
    progress.end()
    progress.assembly(SHARDS[:2])
    progress.reported(Report("part-00000", 15, 15, verdicts={"good": 15}))
    progress.end()
    assert progress.pages == 20
    assert "100.0 %" in stream.getvalue() and stream.getvalue().splitlines()[-1].startswith(
        "duramen: writing: 20 pages, "
    )
    assert "50.0 %" in stream.getvalue().splitlines()[-1]


def test_quiet_says_nothing() -> None:
    assert told(Terminal(), quiet=True) == ""


def test_a_run_on_a_real_terminal(tmp_path: Path) -> None:
    pytest.importorskip("fastwarc", reason="needs the extra 'batch'")
    archive = write_warc(tmp_path / "a.warc.gz", [page(n, "DAWDLE") for n in range(40)])
    command = [
        sys.executable,
        "-m",
        "duramen",
        "batch",
        str(archive),
        "--output",
        str(tmp_path / "out"),
        "--to",
        "jsonl",
    ]
    ours, theirs = pty.openpty()
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    run = subprocess.Popen(
        [*command, "--workers", "1", "--extractor", "faulty:faulty"], env=env, stdout=subprocess.PIPE, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            shown += os.read(ours, 4096)
        except OSError:
            break
    out = run.communicate()[0]
    os.close(ours)
    assert run.returncode == 0
    assert b"\r\x1b[K" in shown and b"40 pages in = 40 rows + 0 failures" in shown
    assert b'"adds_up": true' in out
