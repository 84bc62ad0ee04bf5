"""What a process pays: for the import, and for pages in memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from duramen.tables import DATA
from duramen.toml_copies import write_copies

HERE = Path(__file__).parent
SLOWER = float(os.environ.get("DURAMEN_SLOWER", "1"))

needs_proc = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")

IMPORTING = """
import json, sys, time
before = set(sys.modules)
started = time.process_time()
import duramen
spent = time.process_time() - started
print(json.dumps([spent, sorted({name.partition(".")[0] for name in set(sys.modules) - before})]))
"""


def told(code: str, *arguments: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=110, check=True
    )
    return json.loads(done.stdout)


def test_importing_is_cheap() -> None:
    runs = [told(IMPORTING) for _ in range(3)]
    assert min(spent for spent, _ in runs) < 0.150 * SLOWER
    heavy = {"numpy", "turbohtml", "httpcore2", "asyncio", "sqlite3", "playwright", "lxml"}
    assert heavy.isdisjoint(runs[0][1])


FIRST = """
import json, re, sys
from pathlib import Path
compiled = []
compile = re._compiler.compile
def counted(pattern, flags=0):
    frame = sys._getframe(1)
    while frame.f_globals["__name__"] in ("re", "duramen.lazy_pattern"):
        frame = frame.f_back
    if frame.f_globals["__name__"].startswith("duramen"):
        # Not a pattern of the standard library.
        compiled.append(str(pattern))
    return compile(pattern, flags)
re._compiler.compile = counted
from duramen import toml_copies
toml_copies.COPIES = Path(sys.argv[2])
from duramen import extract
at_import = list(compiled)
result = extract(Path(sys.argv[1]).read_bytes(), "https://timber.example/a")
assert result.html
print(json.dumps([at_import, len(compiled), sorted(sys.modules)]))
"""


def test_a_first_extraction_prepares_only_what_it_needs(root: Path, tmp_path: Path) -> None:
    """What a fresh process pays for its first page, counted rather than timed: it is the same on every machine."""
    copies = tmp_path / "copies.txt"
    write_copies(DATA, copies)
    at_import, compiled, modules = told(FIRST, str(root / "examples" / "article.html"), str(copies))
    assert at_import == [], "use lazy_pattern"
    assert 10 < compiled < 70
    rarely_needed = {
        "tomllib",
        "hashlib",
        "difflib",
        "email",
        "duramen.filter_list",
        "duramen.read.hydration",
        "duramen.render.markdown",
        "duramen.render.text",
        "duramen.session",
        "duramen.explain",
        "duramen.batch",
        "duramen.fetch",
    }
    assert rarely_needed.isdisjoint(modules)
    assert len([name for name in modules if name.startswith("duramen")]) <= 120
    assert len(modules) < 230


PEAK = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import duramen
from shapes import page
def peak():
    # Not ru_maxrss, which begins with that of the process that started this one.
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) * 1024
for name in ("pictures", "links", "rows"):
    # What is loaded and compiled once, when a page first needs it, is not a page's cost.
    warm = duramen.extract(page(name, 3000), "https://a.example/")
    warm.text, warm.markdown
data = page(sys.argv[2], int(sys.argv[3])).encode()
before = peak()
result = duramen.extract(data, "https://a.example/")
result.text, result.markdown
print(json.dumps([peak() - before, len(data)]))
"""


def assert_memory_follows(name: str, size: int) -> None:
    grown, given = told(PEAK, str(HERE), name, str(size))
    assert grown <= 12 * given + 20_000_000, f"{grown / 1e6:.0f} MB for {given / 1e6:.1f} MB"


@needs_proc
@pytest.mark.parametrize("size", [1_000_000, 4_000_000])
@pytest.mark.parametrize(
    "name",
    [
        "same attribute",
        "nested divs",
        "chinese",
        "json-ld list",
        "empty elements",
        "long class",
        "nested formulas around words",
        "state of small values",
        "json-ld of small values",
        "spaces in an address",
    ],
)
def test_memory_follows_the_size_of_the_page(name: str, size: int) -> None:
    assert_memory_follows(name, size)


@needs_proc
@pytest.mark.parametrize(
    "name",
    [
        "links",
        "rows",
        "attributes",
        "numbered paragraphs",
        "short paragraphs",
        "fonts in paragraphs",
        "pictures",
        "quote blocks",
        "nested tables",
        "nested callouts",
        "backticks in code",
        "words between stops",
        "ampersands",
        "stars",
    ],
)
def test_memory_of_pages_that_are_mostly_marks(name: str) -> None:
    """Each element is some bytes of the page, and a row of numbers; a reference may be five times its character."""
    assert_memory_follows(name, 1_000_000)


STAYING = """
import gc, json, sys
from pathlib import Path
import duramen
from benchmarks import fuzz
def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
pages = [path.read_bytes() for path in fuzz.own_pages()]
names = 0
def several(count):
    global names
    for n in range(count):
        names += 1
        # Names that no page had before: what is remembered by name would grow.
        result = duramen.extract(pages[n % len(pages)] + f"<x-{names} class=c{names} a{names}=1>b{names}".encode())
        result.text, result.markdown
    gc.collect()
several(400)
before = resident()
several(int(sys.argv[1]))
print(json.dumps(resident() - before))
"""


@needs_proc
def test_memory_stays_flat_over_many_pages() -> None:
    assert told(STAYING, os.environ.get("DURAMEN_PAGES", "1500")) < 3_000_000
