"""File locks that the system releases when the process ends, even if it is killed. Windows has no such locks."""

from __future__ import annotations

import logging
from functools import cache
from types import ModuleType
from typing import IO

log = logging.getLogger("duramen")


def lock(file: int | IO[str], wait: bool = False) -> bool:
    """Lock an open file for this process. Returns whether the lock is held; ``True`` on systems without locks."""
    fcntl = _fcntl()
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def has_locks() -> bool:
    return _fcntl() is not None


@cache
def _fcntl() -> ModuleType | None:
    try:
        import fcntl
    except ImportError:
        log.warning("this system has no file locks: make sure that no two runs write to one output folder")
        return None
    return fcntl
