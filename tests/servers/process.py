"""The real commands as processes of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

TOKEN = "a-token-of-the-tests-0123456789"


def memory_of(pid: int) -> int:
    """Bytes of memory that a process and its children hold."""
    total = 0
    for line in subprocess.run(
        ["ps", "-eo", "pid,ppid,rss"], capture_output=True, text=True, check=True
    ).stdout.splitlines()[1:]:
        own, parent, size = map(int, line.split())
        total += size * 1024 if pid in (own, parent) else 0
    return total


@contextmanager
def running(*arguments: str, token: str | None = None) -> Iterator[tuple[str, int]]:
    """A server: its address and its process id. It must end by itself when asked to."""
    env = {**os.environ, "PYTHONUNBUFFERED": "1"} | ({"DURAMEN_TOKEN": token} if token else {})
    with listening([sys.executable, "-m", "duramen", *arguments, "--port", "0"], env) as found:
        yield found


@contextmanager
def listening(command: list[str], env: dict[str, str]) -> Iterator[tuple[str, int]]:
    """Any program that says where it listens."""
    # A session of its own: its process id is also the id of its process group.
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=env, start_new_session=True
    )
    assert process.stderr is not None
    try:
        said = ""
        for line in process.stderr:
            said += line
            found = re.search(r"listening on (http://[^/\s]+)", line)
            if found:
                break
        else:
            raise AssertionError(f"the server did not start: {said}")
        yield found[1], process.pid
    finally:
        process.terminate()
        rest = process.stderr.read()
        process.stderr.close()
        assert process.wait(20) in (0, -15, 130), rest
        assert "Traceback" not in rest, rest
