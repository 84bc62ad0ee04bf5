"""The run over many pages, in short: all kinds of pages once, and nothing left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.leaks import Held

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/smaps_rollup").exists(), reason="needs /proc to count what is left"
)


def test_what_is_left_over_is_named() -> None:
    before = Held(files=10, threads=2, processes=1, temporary=0)
    assert Held(files=9, threads=2, processes=1, temporary=0).left_over(before) == {}
    assert Held(files=12, threads=2, processes=2, temporary=0).left_over(before) == {"files": 2, "processes": 1}


@pytest.mark.browser
@pytest.mark.timeout(300)
def test_short_run(root: Path, chromium: str) -> None:
    command = [sys.executable, "-m", "benchmarks.leaks", "--static", "40", "--rendered", "10", "--browser", chromium]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=280, env=dict(os.environ))
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["left"] == {} and done.stderr == ""
    assert sum(told["pages"].values()) == 50
    assert (told["pages"]["HttpStatus"], told["pages"]["UnsupportedContent"]) == (3, 2)
    assert told["pages"]["good"] > 30
