"""Shared memory in which a worker publishes its progress, so that its supervisor can watch it without messages."""

from __future__ import annotations

import mmap
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from duramen.batch.records import CODES, STAGES, VERDICTS

_TURN, _SINCE, _STAGE, _SHARD, _ITEM, _PLACE, _SKIPPED, _FILTERED = range(8)
_VERDICT = 8
_CODE = _VERDICT + len(VERDICTS)
_SLOTS = _CODE + len(CODES)
_SIZE = 8 * _SLOTS


@dataclass(frozen=True, slots=True)
class Activity:
    """What a worker was doing at one moment."""

    turn: int
    """Increases with each item and stage: equal turns are the same work, still in progress."""
    seconds: float
    """Time spent on the item so far; 0 while the worker waits or writes."""
    stage: str
    shard: int
    item: int
    place: int


class ProgressSlots:
    """Slots of eight bytes, each written atomically by the worker and read by its supervisor."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._memory = mmap.mmap(fd, _SIZE)
        self._slots = memoryview(self._memory).cast("Q")

    @classmethod
    def create(cls) -> ProgressSlots:
        fd, name = tempfile.mkstemp(prefix="duramen-progress-")
        Path(name).unlink()
        os.ftruncate(fd, _SIZE)
        return cls(fd)

    def begin(self, stage: int, shard: int, item: int, place: int = 0) -> None:
        """Record that the worker starts a stage of an item; the first stage starts the item's clock."""
        slots = self._slots
        slots[_STAGE], slots[_SHARD], slots[_ITEM], slots[_PLACE] = stage, shard, item, place
        if stage == 0:
            slots[_SINCE] = time.monotonic_ns()
        slots[_TURN] += 1

    def rest(self, stage: int = 0) -> None:
        """Stop the clock: the worker waits, or writes a part."""
        self._slots[_SINCE] = 0
        self._slots[_STAGE] = stage
        self._slots[_TURN] += 1

    def count(self, label: str, is_row: bool) -> None:
        """Count an item under its verdict or failure code; ``filtered``, or as skipped."""
        if is_row and label in VERDICTS:
            self._slots[_VERDICT + VERDICTS.index(label)] += 1
        elif label in CODES:
            self._slots[_CODE + CODES.index(label)] += 1
        else:
            self._slots[_FILTERED if label == "filtered" else _SKIPPED] += 1

    def read(self) -> Activity:
        slots = self._slots
        since = slots[_SINCE]
        seconds = (time.monotonic_ns() - since) / 1e9 if since else 0.0
        return Activity(slots[_TURN], seconds, STAGES[slots[_STAGE]], slots[_SHARD], slots[_ITEM], slots[_PLACE])

    def tallies(self) -> tuple[dict[str, int], dict[str, int]]:
        """Verdicts, and failure codes with the number of filtered pages, so far."""
        slots = self._slots
        return (
            {name: slots[_VERDICT + i] for i, name in enumerate(VERDICTS)},
            {name: slots[_CODE + i] for i, name in enumerate(CODES)} | {"filtered": slots[_FILTERED]},
        )

    def close(self) -> None:
        self._slots.release()
        self._memory.close()
        os.close(self.fd)
