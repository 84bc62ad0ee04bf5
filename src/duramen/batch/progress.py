"""The progress of a run: one line that is rewritten on a terminal, separate lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, TextIO

from duramen.batch.checkpoint import Report
from duramen.batch.shards import Shard

if TYPE_CHECKING:
    from duramen.batch.supervisor import Supervisor

LIVE_SECONDS = 0.2
PLAIN_SECONDS = 10.0


class Progress:
    """Receives every poll of the supervisor and every finished shard, and prints a line now and then."""

    def __init__(self, quiet: bool = False, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.quiet = quiet
        self.live = not quiet and self.stream.isatty()
        self.pages = 0
        """Rows and failures of this run."""
        self._verdicts: dict[str, int] = {}
        self._codes: dict[str, int] = {}
        self._weights: dict[str, int] = {}
        self._left = self._weight = self._shown = 0.0
        self._began = time.monotonic()
        self._phase = ""

    def begin(self, shards: list[Shard], done: set[str]) -> None:
        self._weights = {shard.part: max(1, shard.weight) for shard in shards}
        self._weight = self._left = float(sum(w for part, w in self._weights.items() if part not in done))
        if done and not self.quiet:
            self.print_line(f"resuming: {len(done)} of {len(shards)} shards are already done")

    def survey(self, shards: int) -> None:
        self._phase = "survey: "
        self._restart()
        if not self.quiet:
            self.print_line(f"surveying {shards} shards for blocks that repeat on the pages of a host")

    def extraction(self) -> None:
        self._phase = ""
        self._restart()

    def _restart(self) -> None:
        self._left, self._began, self._verdicts, self._codes, self.pages = self._weight, time.monotonic(), {}, {}, 0

    def update(self, supervisor: Supervisor) -> None:
        """Count pages and print progress; called many times a second."""
        now = time.monotonic()
        if now - self._shown < (LIVE_SECONDS if self.live else PLAIN_SECONDS):
            return
        first, self._shown = self._shown == 0.0, now
        self._count(supervisor)
        if not self.quiet and (self.live or not first):
            self._show(self._share_done(supervisor))

    def _count(self, supervisor: Supervisor) -> None:
        self._verdicts, self._codes = supervisor.pool.tallies()
        self.pages = sum(self._verdicts.values()) + sum(self._codes.values())

    def done(self, report: Report) -> None:
        self._left -= self._weights.get(report.part, 0)

    def _share_done(self, supervisor: Supervisor) -> float:
        """The share of the work that is done, between 0 and 1, including the finished parts of shards in progress."""
        left = self._left
        for worker in supervisor.pool.workers:
            shard: Shard | None = worker.task.shard if worker.task is not None else None
            if shard is not None and not shard.names and shard.kind != "parquet":
                left -= min(max(worker.slots.read().place - shard.begin, 0), shard.weight)
        return 1 - left / self._weight if self._weight else 1.0

    def _show(self, share: float) -> None:
        seconds = max(time.monotonic() - self._began, 1e-6)
        line = f"{self._phase}{self.pages:,} pages, {self.pages / seconds:,.1f}/s, {100 * share:.1f} %"
        if share > 0.01:
            line += f", {duration(seconds / share - seconds)} left"
        counts = {name: n for name, n in (self._verdicts | self._codes).items() if n}
        line += "".join(f", {n:,} {name}" for name, n in counts.items())
        if self.live:
            print(f"\r\x1b[K{line}", end="", file=self.stream, flush=True)
        else:
            self.print_line(line)

    def close(self, supervisor: Supervisor) -> None:
        self._count(supervisor)
        if not self.quiet:
            self._show(1.0)
        if self.live:
            print(file=self.stream)

    def print_line(self, line: str) -> None:
        print(f"duramen: {line}", file=self.stream, flush=True)


def duration(seconds: float) -> str:
    """
    >>> duration(75), duration(7300), duration(3 * 86400)
    ('1 min 15 s', '2 h 1 min', '3 d 0 h')
    """
    whole = int(seconds)
    for size, name, less, smaller in ((86400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s")):
        if whole >= size:
            return f"{whole // size} {name} {whole % size // less} {smaller}"
    return f"{whole} s"
