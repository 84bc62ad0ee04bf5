"""The board: a little shared memory in which a worker shows what it is on, so that watching it costs no messages."""

from __future__ import annotations

import mmap
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from duramen.batch.records import CODES, STAGES, VERDICTS

_TURN, _SINCE, _STAGE, _SHARD, _ITEM, _PLACE, _SKIPPED = range(7)
_VERDICT = 8
_CODE = _VERDICT + len(VERDICTS)
_SLOTS = _CODE + len(CODES)
_SIZE = 8 * _SLOTS


@dataclass(frozen=True, slots=True)
class Sight:
    """What a worker was on at one moment."""

    turn: int
    """Counts up with each item and stage: equal turns are the same work, still going on."""
    seconds: float
    """For how long; 0 when the worker waits or writes."""
    stage: str
    shard: int
    item: int
    place: int


class Board:
    """Slots of eight bytes, each written at one stroke by the worker and read by its supervisor."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._memory = mmap.mmap(fd, _SIZE)
        self._slots = memoryview(self._memory).cast("Q")

    @classmethod
    def create(cls) -> Board:
        fd, name = tempfile.mkstemp(prefix="duramen-board-")
        Path(name).unlink()
        os.ftruncate(fd, _SIZE)
        return cls(fd)

    def begin(self, stage: int, shard: int, item: int, place: int = 0) -> None:
        """The worker turns to an item's stage; its clock starts with the first."""
        slots = self._slots
        slots[_STAGE], slots[_SHARD], slots[_ITEM], slots[_PLACE] = stage, shard, item, place
        if stage == 0:
            slots[_SINCE] = time.monotonic_ns()
        slots[_TURN] += 1

    def rest(self, stage: int = 0) -> None:
        """No deadline runs: the worker waits, or writes a part."""
        self._slots[_SINCE] = 0
        self._slots[_STAGE] = stage
        self._slots[_TURN] += 1

    def count(self, label: str, is_row: bool) -> None:
        """One more item of this verdict, or of this failure code; anything else was skipped."""
        if is_row and label in VERDICTS:
            self._slots[_VERDICT + VERDICTS.index(label)] += 1
        elif label in CODES:
            self._slots[_CODE + CODES.index(label)] += 1
        else:
            self._slots[_SKIPPED] += 1

    def look(self) -> Sight:
        slots = self._slots
        since = slots[_SINCE]
        seconds = (time.monotonic_ns() - since) / 1e9 if since else 0.0
        return Sight(slots[_TURN], seconds, STAGES[slots[_STAGE]], slots[_SHARD], slots[_ITEM], slots[_PLACE])

    def tallies(self) -> tuple[dict[str, int], dict[str, int]]:
        """Verdicts and failure codes so far."""
        slots = self._slots
        return (
            {name: slots[_VERDICT + i] for i, name in enumerate(VERDICTS)},
            {name: slots[_CODE + i] for i, name in enumerate(CODES)},
        )

    def close(self) -> None:
        self._slots.release()
        self._memory.close()
        os.close(self.fd)
