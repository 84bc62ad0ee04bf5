"""The tests that find most mistakes in a minute or two, on every system: python -m tests.fast (or scripts/test --fast).

Left out are the tests of browsers, servers, batch runs, packaging and the documentation's site, and those that look for
attacks and slowness; scripts/test and CI run them all.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
UNITS = ("find", "parts", "read", "refine", "render")
FOLDERS = ("tests/cases", "tests/contracts", *(f"tests/unit/{name}" for name in UNITS))
SLOW = (
    "tests/contracts/test_packaging.py",
    "tests/unit/parts/test_tei.py",  # reads the schema of TEI, which takes a minute
    "tests/unit/test_leaks.py",
    "tests/unit/test_session.py",
)


def selection() -> list[str]:
    """The arguments of pytest."""
    files = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests" / "unit").glob("test_*.py"))
    return [*FOLDERS, *(name for name in files if name not in SLOW), *(f"--ignore={name}" for name in SLOW)]


def main(arguments: Sequence[str]) -> int:
    # What is marked "shared" reads thousands of pages.
    return int(pytest.main(["--quiet", "--numprocesses=2", "-m", "not shared", *selection(), *arguments]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
