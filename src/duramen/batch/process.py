"""A worker as its supervisor sees it: started, watched by the board, killed when it takes too long or too much."""

from __future__ import annotations

import logging
import mmap
import os
import signal
import socket
import subprocess
import sys
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any

from duramen.batch.board import Board, Sight
from duramen.batch.job import Job
from duramen.batch.tasks import Fate, memory_message
from duramen.errors import BatchError

_START = "from duramen.batch.worker import main; main()"
_MEMORY = "/proc/{}/statm"
log = logging.getLogger("duramen")


@cache
def check_system() -> None:
    """Raise where workers cannot run; warn where their memory cannot be watched."""
    if os.name != "posix":
        raise BatchError("workers need Linux or macOS, since they inherit open files; on Windows use WSL")
    if not Path(_MEMORY.format("self")).exists():
        log.warning("this system does not show how much memory a process uses: the memory limit is not enforced")


class WorkerProcess:
    """One worker process. ``task`` is what it was last given."""

    def __init__(self, job: Job, output: IO[bytes]) -> None:
        check_system()
        self.job = job
        self.ready = False
        self.task: Any = None
        self.killed: Fate | None = None
        self.killed_on = 0
        self.board = Board.create()
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _START, *map(str, (theirs.fileno(), self.board.fd, os.getpid(), job.memory))],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=(theirs.fileno(), self.board.fd),
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **_ONE_THREAD},
                # Ctrl-C on the terminal is for the supervisor, which lets the workers finish their pages.
                start_new_session=True,
            )
        self.connection = Connection(ours.detach())

    def send(self, message: Any) -> None:
        """Give it work; a worker that has just died is noticed when it is asked what it did."""
        try:
            self.connection.send(message)
        except (BrokenPipeError, ConnectionResetError):
            return

    def receive(self) -> tuple[str, Any] | None:
        """Its next message; ``None`` when it has died."""
        try:
            message: tuple[str, Any] = self.connection.recv()
        except (EOFError, OSError):
            return None
        return message

    def watch(self) -> None:
        """Kill it if its page takes too long or too much."""
        if self.killed is not None:
            return
        sight = self.board.look()
        if sight.seconds > self.job.deadline and self.board.look().turn == sight.turn:
            self._kill(sight, Fate("timeout", sight.stage, f"took longer than {self.job.deadline:g} s"))
        elif sight.seconds > 0 and self._memory() > self.job.memory:
            self._kill(sight, Fate("memory", sight.stage, memory_message(self.job.memory)))

    def _memory(self) -> int:
        try:
            return int(Path(_MEMORY.format(self.process.pid)).read_bytes().split()[1]) * mmap.PAGESIZE
        except (OSError, IndexError):
            return 0

    def _kill(self, sight: Sight, fate: Fate) -> None:
        self.killed, self.killed_on = fate, sight.turn
        self.process.kill()

    def end(self) -> tuple[Sight, Fate | None]:
        """After its death: what it was on, and what that did to it; nothing, if it had just gone on."""
        code = self.process.wait()
        sight = self.board.look()
        if self.killed is None:
            return sight, Fate("crash", sight.stage, f"the worker {_manner(code)}")
        return sight, self.killed if sight.turn == self.killed_on else None

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.connection.close()
        self.board.close()


_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""The workers are the parallelism; numerical libraries must not start threads of their own in each."""


def _manner(code: int) -> str:
    if code >= 0:
        return f"exited with code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = "unknown"
    hint = ", perhaps since the system ran out of memory" if -code == signal.SIGKILL else ""
    return f"was killed by signal {-code} ({name}){hint}"
