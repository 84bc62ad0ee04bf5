"""Standard error: messages, warnings and progress."""

from __future__ import annotations

import sys
import time

from duramen.cli.sources import Source
from duramen.explain import printable
from duramen.result import Result

PROGRESS_SECONDS = 0.1


class Log:
    """Standard error: messages and, on a terminal, one line that tells how far a run over many pages is."""

    def __init__(self, total: int = 1, quiet: bool = False) -> None:
        self.total, self.quiet = total, quiet
        self.done = self.failed = self.doubtful = 0
        self.told: set[str] = set()
        self.began = time.monotonic()
        self.shown = 0.0
        self.live = not quiet and total > 1 and sys.stderr.isatty()

    def info(self, message: str) -> None:
        self._say(message)

    def error(self, message: str) -> None:
        self.failed += 1
        self._say(f"error: {message}")

    def note(self, message: str) -> None:
        self._say(message)

    def judge(self, source: Source, result: Result) -> None:
        """Warn of a result that is worth little, and once of what is wrong outside the pages; no run fails for that."""
        for warning in result.trace.warnings if not self.quiet else ():
            if warning not in self.told:
                self.told.add(warning)
                self._say(f"warning: {warning}")
        if result.quality.verdict not in ("poor", "empty"):
            return
        self.doubtful += 1
        if not self.quiet:
            reasons = f" ({', '.join(result.quality.reasons)})" if result.quality.reasons else ""
            self._say(f"warning: {source.name}: the result is {result.quality.verdict}{reasons}")

    def step(self) -> None:
        self.done += 1
        if self.live and time.monotonic() - self.shown >= PROGRESS_SECONDS:
            self.shown = time.monotonic()
            print(f"\r\x1b[K{self._summary()}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.total > 1 and not self.quiet:
            self._say(self._summary())

    def _summary(self) -> str:
        rate = self.done / max(time.monotonic() - self.began, 1e-6)
        return f"{self.done}/{self.total} pages, {rate:.1f}/s, {self.failed} failed, {self.doubtful} poor or empty"

    def _say(self, message: str) -> None:
        clear = "\r\x1b[K" if self.live else ""
        print(f"{clear}duramen: {printable(message)}", file=sys.stderr)
