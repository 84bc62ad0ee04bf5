"""A short run of the fuzzer over our own pages, and the same pages from many threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from benchmarks import fuzz

import duramen

PAGES = fuzz.own_pages()
CRASHERS = sorted((Path(__file__).parent / "crashers").glob("*.html"))
"""Inputs that once failed."""


@pytest.mark.parametrize("start", range(0, 300, 20))
def test_damaged_pages(start: int) -> None:
    told = dict(fuzz.tried((PAGES, number)) for number in range(start, start + 20))
    assert {number: wrong for number, wrong in told.items() if wrong} == {}


def test_inputs_are_the_same_for_ever_and_differ() -> None:
    inputs = [fuzz.damaged(PAGES, number) for number in range(50)]
    assert inputs == [fuzz.damaged(PAGES, number) for number in range(50)]
    assert len(set(inputs)) > 45


def test_a_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(duramen, "extract", broken)
    assert fuzz.tried((PAGES, 1)) == (1, "ValueError: broken")


@pytest.mark.parametrize("path", CRASHERS, ids=lambda path: path.name)
def test_what_failed_once(path: Path) -> None:
    assert fuzz.fault(path.read_bytes(), int(path.stem)) == ""


def test_threads_give_the_same_bytes() -> None:
    pages = [path.read_bytes() for path in PAGES] + [fuzz.damaged(PAGES, number) for number in range(1000, 1030)]

    def made(data: bytes) -> str:
        result = duramen.extract(data, "https://example.org/a")
        return result.to_json(trace=True) + result.html + result.text + result.markdown

    alone = [made(page) for page in pages]
    with ThreadPoolExecutor(8) as pool:
        # Every thread sees every page, each beginning elsewhere.
        orders = [pages[k * 7 :] + pages[: k * 7] for k in range(8)]
        for k, together in enumerate(pool.map(lambda order: [made(page) for page in order], orders)):
            assert together == alone[k * 7 :] + alone[: k * 7]
