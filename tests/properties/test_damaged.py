"""A short run of the fuzzer over our own pages, and the same pages from many threads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from benchmarks import fuzz, guided

import duramen

PAGES = fuzz.own_pages()
CRASHERS = sorted((Path(__file__).parent / "crashers").glob("*.html"))
"""Inputs that once failed."""


@pytest.mark.parametrize("start", range(0, 300, 20))
def test_damaged_pages(start: int) -> None:
    told = {number: fuzz.tried(PAGES, number) for number in range(start, start + 20)}
    assert {number: wrong for number, wrong in told.items() if wrong} == {}


def test_inputs_are_the_same_for_ever_and_differ() -> None:
    inputs = [fuzz.damaged(PAGES, number) for number in range(50)]
    assert inputs == [fuzz.damaged(PAGES, number) for number in range(50)]
    assert len(set(inputs)) > 45


def test_a_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(duramen, "extract", broken)
    assert fuzz.tried(PAGES, 1) == "ValueError: broken"


def dying(data: bytes, number: int, thorough: bool) -> str:
    """Stands for a fault in C: the process is gone, or never comes back."""
    if number == 3:
        os._exit(1)
    if number == 5:
        time.sleep(100)
    return "wrong" if number == 6 else ""


def test_an_input_that_ends_the_process_is_told_and_the_run_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fuzz, "fault", dying)
    monkeypatch.setattr(fuzz, "PATIENCE", 0.5)
    state, crashers = tmp_path / "state.json", tmp_path / "crashers"
    options = ["--own", "--state", str(state), "--crashers", str(crashers), "--workers", "2"]
    assert fuzz.main([*options, "--count", "5"]) == 1
    assert json.loads(state.read_text()) == {"seed": 0, "next": 5, "failed": {"3": "the process died"}}
    assert fuzz.main([*options, "--count", "8"]) == 1
    assert json.loads(state.read_text())["failed"] == {
        "3": "the process died", "5": "no answer in time", "6": "wrong",
    }  # fmt: skip
    assert sorted(path.name for path in crashers.iterdir()) == ["3.html", "5.html", "6.html"]
    assert (crashers / "5.html").read_bytes() == fuzz.damaged(PAGES, 5)
    assert "4: " not in capsys.readouterr().out
    with pytest.raises(SystemExit, match="--seed 0"):
        fuzz.main([*options, "--seed", "1"])


@pytest.mark.parametrize("path", CRASHERS, ids=lambda path: path.name)
def test_what_failed_once(path: Path) -> None:
    assert fuzz.fault(path.read_bytes(), int(path.stem)) == ""


@pytest.mark.parametrize("name", guided.TARGETS)
def test_where_guided_runs_begin(name: str) -> None:
    begun = list(guided.seeds(name))
    assert len(begun) > 3
    for data in begun:
        guided.TARGETS[name](data)


def test_a_guided_run_keeps_one_of_each_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(data: bytes) -> None:
        data.decode()
        if data == b"b":
            raise KeyError("b")

    monkeypatch.setitem(guided.TARGETS, "decode", broken)
    watched = guided.Watched("decode", tmp_path)
    for data in (b"a", b"b", b"b", b"\xff", b"\xfe"):
        watched(data)
    assert sorted(path.read_bytes() for path in tmp_path.iterdir()) == [b"b", b"\xff"]
    assert "KeyError at test_damaged.py" in capsys.readouterr().out


DIGEST = """
import hashlib, sys
from benchmarks import fuzz
import duramen
pages = [path.read_bytes() for path in fuzz.own_pages()][int(sys.argv[1])::4]
for page in pages:
    result = duramen.extract(page, "https://example.org/a")
    print(hashlib.sha256((result.to_json(trace=True) + result.html + result.markdown).encode()).hexdigest())
"""


@pytest.mark.parametrize("part", range(4))
def test_processes_give_the_same_bytes(part: int) -> None:
    """The order of sets of names differs from process to process."""
    made = [
        subprocess.run(
            [sys.executable, "-c", DIGEST, str(part)],
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, timeout=110, check=True,
        ).stdout.split()
        for seed in ("1", "2")
    ]  # fmt: skip
    assert len(made[0]) > 5 and made[0] == made[1]


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
