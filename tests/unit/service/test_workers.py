"""Work in processes of their own: bounded, stopped, survived."""

from __future__ import annotations

import os
import time

import pytest

anyio = pytest.importorskip("anyio", reason="needs the extra serve: pip install 'duramen[serve]'")

from duramen.service.workers import LoadLimiter, OverloadedError, TooSlowError, WorkerLostError, Workers  # noqa: E402


def test_work_that_takes_too_long_is_stopped() -> None:
    async def main() -> None:
        workers = Workers(1, seconds=15)
        pid = await workers.run(os.getpid)
        assert pid != os.getpid()
        workers.seconds = 0.5
        started = time.monotonic()
        with pytest.raises(TooSlowError):
            await workers.run(time.sleep, 30)
        assert time.monotonic() - started < 10
        workers.seconds = 15
        assert await workers.run(os.getpid) != pid, "the one that hung is gone"

    anyio.run(main)


def test_cancelled_work_frees_its_place() -> None:
    async def main() -> None:
        workers = Workers(1, seconds=20)
        await workers.run(os.getpid)
        with anyio.move_on_after(0.3):
            await workers.run(time.sleep, 15)
        started = time.monotonic()
        await workers.run(os.getpid)
        assert time.monotonic() - started < 10

    anyio.run(main)


def test_worker_that_dies_takes_only_its_page() -> None:
    async def main() -> None:
        workers = Workers(1, seconds=20)
        with pytest.raises(WorkerLostError):
            await workers.run(os._exit, 3)
        assert await workers.run(abs, -1) == 1

    anyio.run(main)


def test_gate_counts_requests_and_bytes() -> None:
    gate = LoadLimiter(requests=1, size=100)
    with gate.enter(), pytest.raises(OverloadedError), gate.enter():
        pass
    assert gate.inside == 0
    with gate.hold() as count:
        count(60)
        with gate.hold() as other, pytest.raises(OverloadedError):
            other(60)
        assert gate.held == 60
    assert gate.held == 0
