"""The supervisor's side of a worker: starts the process, watches its progress, kills it when it exceeds a limit."""

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

from duramen.batch.job import Job
from duramen.batch.progress_slots import Activity, ProgressSlots
from duramen.batch.tasks import WorkerDeath, memory_message
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
    """One worker process. ``task`` is the last one sent to it."""

    def __init__(self, job: Job, output: IO[bytes]) -> None:
        check_system()
        self.job = job
        self.ready = False
        self.task: Any = None
        self.killed: WorkerDeath | None = None
        self.killed_on = 0
        self.slots = ProgressSlots.create()
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _START, *map(str, (theirs.fileno(), self.slots.fd, os.getpid(), job.memory))],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=(theirs.fileno(), self.slots.fd),
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **_ONE_THREAD},
                # Ctrl-C on the terminal is for the supervisor, which lets the workers finish their pages.
                start_new_session=True,
            )
        self.connection = Connection(ours.detach())

    def send(self, message: Any) -> None:
        """Send a message; if the worker has just died, the next :meth:`receive` finds out."""
        try:
            self.connection.send(message)
        except (BrokenPipeError, ConnectionResetError):
            return

    def receive(self) -> tuple[str, Any] | None:
        """The worker's next message; ``None`` if it has died."""
        try:
            message: tuple[str, Any] = self.connection.recv()
        except (EOFError, OSError):
            return None
        return message

    def watch(self) -> None:
        """Kill the worker if its page exceeds the deadline or the memory limit."""
        if self.killed is not None:
            return
        activity = self.slots.read()
        if activity.seconds > self.job.deadline and self.slots.read().turn == activity.turn:
            self._kill(activity, WorkerDeath("timeout", activity.stage, f"took longer than {self.job.deadline:g} s"))
        elif activity.seconds > 0 and self._memory() > self.job.memory:
            self._kill(activity, WorkerDeath("memory", activity.stage, memory_message(self.job.memory)))

    def _memory(self) -> int:
        try:
            return int(Path(_MEMORY.format(self.process.pid)).read_bytes().split()[1]) * mmap.PAGESIZE
        except (OSError, IndexError):
            return 0

    def _kill(self, activity: Activity, death: WorkerDeath) -> None:
        self.killed, self.killed_on = death, activity.turn
        self.process.kill()

    def end(self) -> tuple[Activity, WorkerDeath | None]:
        """Wait for the process: its last activity, and how it died; ``None`` if its page was done before the kill."""
        code = self.process.wait()
        activity = self.slots.read()
        if self.killed is None:
            return activity, WorkerDeath("crash", activity.stage, f"the worker {_manner(code)}")
        return activity, self.killed if activity.turn == self.killed_on else None

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.connection.close()
        self.slots.close()


_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""The workers run in parallel already; numerical libraries must not start threads in each of them."""


def _manner(code: int) -> str:
    if code >= 0:
        return f"exited with code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = "unknown"
    hint = ", perhaps because the system ran out of memory" if -code == signal.SIGKILL else ""
    return f"was killed by signal {-code} ({name}){hint}"
