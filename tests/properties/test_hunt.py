"""A short hunt for pages whose time grows faster than their size; ``python -m benchmarks.hunt`` goes on."""

from __future__ import annotations

import os
import time
from types import SimpleNamespace

import pytest
from benchmarks import hunt

import duramen

SLOWER = float(os.environ.get("DURAMEN_SLOWER", "1"))


@pytest.mark.parametrize("start", range(0, 120, 20))
def test_random_shapes(start: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hunt, "LONGEST", 2 * hunt.LONGEST * SLOWER)
    shapes = {number: hunt.shape(number) for number in range(start, start + 20)}
    assert {number: (wrong, one) for number, one in shapes.items() if (wrong := hunt.slow(one))} == {}


def test_shapes_are_the_same_for_ever_and_differ() -> None:
    pages = [hunt.shape(number).page(2_000) for number in range(200)]
    assert pages == [hunt.shape(number).page(2_000) for number in range(200)]
    assert len(set(pages)) > 190 and all(2_000 <= len(page) < 8_000 for page in pages)


@pytest.mark.parametrize(("power", "found"), [(1, False), (2, True)])
def test_what_grows_faster_is_found(power: int, found: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 0.0

    def extract(html: str, *_: object) -> object:
        nonlocal clock
        clock += 0.04 * (len(html) / 60_000) ** power
        return SimpleNamespace(text="", markdown="")

    monkeypatch.setattr(duramen, "extract", extract)
    monkeypatch.setattr(time, "thread_time", lambda: clock)
    assert bool(hunt.slow(hunt.shape(1))) is found
    assert hunt.main(["--count", "2"]) is int(found)
