"""The progress of a run: one line that is rewritten on a terminal, separate lines elsewhere."""

from __future__ import annotations

import os
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
        self._before: tuple[dict[str, int], dict[str, int]] = ({}, {})

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

    def assembly(self, files: list[Shard]) -> None:
        """The pages are counted; their files, which have names of parts, too, are written now."""
        self._phase = "writing: "
        self._weights = {file.part: 1 for file in files}
        self._weight = float(len(files))
        self._restart()
        if not self.quiet:
            self.print_line(f"writing {len(files):,} files from what is staged")

    def _restart(self) -> None:
        self._left, self._began, self._shown = self._weight, time.monotonic(), 0.0

    def update(self, supervisor: Supervisor) -> None:
        """Count pages and print progress; called many times a second."""
        if self._is_due():
            self._count(supervisor)
            self._show(self._share_done(supervisor))

    def _is_due(self) -> bool:
        now = time.monotonic()
        if now - self._shown < (LIVE_SECONDS if self.live else PLAIN_SECONDS):
            return False
        first, self._shown = self._shown == 0.0, now
        return self.live or not first

    def _count(self, supervisor: Supervisor) -> None:
        if not self._phase:
            verdicts, codes = supervisor.pool.tallies()
            self._verdicts, self._codes = _sum(self._before[0], verdicts), _sum(self._before[1], codes)
            self.pages = sum(self._verdicts.values()) + sum(self._codes.values())

    def done(self, report: Report) -> None:
        self._left -= self._weights.get(report.part, 0)

    def reported(self, report: Report) -> None:
        """Count a shard that a cluster has finished."""
        self.done(report)
        if not self._phase:
            filtered = sum(report.filtered.values())
            self._verdicts = _sum(self._verdicts, report.verdicts)
            self._codes = _sum(self._codes, report.codes | ({"filtered": filtered} if filtered else {}))
            self.pages += report.read

    def tick(self) -> None:
        """Print progress if it is due; called by engines that count by :meth:`reported`."""
        if self._is_due():
            self._show(1 - self._left / self._weight if self._weight else 1.0)

    def end(self) -> None:
        """Print the last line of an engine that counts by :meth:`reported`."""
        self._show(1 - self._left / self._weight if self._weight else 1.0)
        if self.live:
            print(file=self.stream)

    def _share_done(self, supervisor: Supervisor) -> float:
        """The share of the work that is done, between 0 and 1, including the finished parts of shards in progress."""
        left = self._left
        for worker in supervisor.pool.workers:
            shard: Shard | None = worker.task.shard if worker.task is not None else None
            if shard is not None and shard.kind in ("warc", "jsonl") and not shard.only:
                left -= min(max(worker.slots.read().place - shard.begin, 0), shard.weight)
        return 1 - left / self._weight if self._weight else 1.0

    def _show(self, share: float) -> None:
        if self.quiet:
            return
        seconds = max(time.monotonic() - self._began, 1e-6)
        line = f"{self._phase}{self.pages:,} pages, {self.pages / seconds:,.1f}/s, {100 * share:.1f} %"
        if share > 0.01:
            line += f", {duration(seconds / share - seconds)} left"
        counts = {name: n for name, n in (self._verdicts | self._codes).items() if n}
        line += "".join(f", {n:,} {name}" for name, n in counts.items())
        if self.live:
            print(f"\r\x1b[K{line[: self._width() - 1]}", end="", file=self.stream, flush=True)
        else:
            self.print_line(line)

    def _width(self) -> int:
        """The columns of the terminal: a longer line would wrap, and could not be rewritten."""
        try:
            return os.get_terminal_size(self.stream.fileno()).columns or 80
        except (OSError, ValueError):
            return 80

    def close(self, supervisor: Supervisor) -> None:
        self._count(supervisor)
        # A retry is counted on top.
        self._before = self._verdicts, self._codes
        self._show(self._share_done(supervisor))
        if self.live:
            print(file=self.stream)

    def print_line(self, line: str) -> None:
        print(f"duramen: {line}", file=self.stream, flush=True)


def _sum(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in one | other}


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
