"""Standard error: messages, warnings and progress."""

from __future__ import annotations

import sys
import time

from duramen.cli.colour import paint
from duramen.cli.sources import Source
from duramen.explain import printable
from duramen.result import Result

PROGRESS_SECONDS = 0.1


class Log:
    """Prints messages to standard error and, on a terminal, one line with the progress of a run over many pages."""

    def __init__(self, total: int = 1, quiet: bool = False) -> None:
        self.total, self.quiet = total, quiet
        self.done = self.failed = self.doubtful = 0
        self.warned: set[str] = set()
        self.began = time.monotonic()
        self.shown = 0.0
        self.live = not quiet and total > 1 and sys.stderr.isatty()

    def info(self, message: str) -> None:
        self._print(message)

    def error(self, message: str) -> None:
        self.failed += 1
        self._print(message, "error: ", "red")

    def note(self, message: str) -> None:
        self._print(message)

    def warn_about(self, source: Source, result: Result) -> None:
        """Warn about a poor result, and once about each problem outside the pages, such as a broken rule file."""
        for warning in result.trace.warnings if not self.quiet else ():
            if warning not in self.warned:
                self.warned.add(warning)
                self._print(warning, "warning: ", "yellow")
        if result.quality.verdict not in ("poor", "empty"):
            return
        self.doubtful += 1
        if not self.quiet:
            reasons = f" ({', '.join(result.quality.reasons)})" if result.quality.reasons else ""
            message = f"{source.name}: the result is {result.quality.verdict}{reasons}"
            self._print(message, "warning: ", "yellow")

    def step(self) -> None:
        self.done += 1
        if self.live and time.monotonic() - self.shown >= PROGRESS_SECONDS:
            self.shown = time.monotonic()
            print(f"\r\x1b[K{self._summary()}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.total > 1 and not self.quiet:
            self._print(self._summary())

    def _summary(self) -> str:
        rate = self.done / max(time.monotonic() - self.began, 1e-6)
        return f"{self.done}/{self.total} pages, {rate:.1f}/s, {self.failed} failed, {self.doubtful} poor or empty"

    def _print(self, message: str, kind: str = "", style: str = "bold") -> None:
        clear = "\r\x1b[K" if self.live else ""
        label = paint(kind, style, sys.stderr) if kind else ""
        print(f"{clear}duramen: {label}{printable(message)}", file=sys.stderr)
