"""Every module can be imported on a system that lacks what only Unix has; what needs it says so when it is used."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

UNIX_ONLY = ("fcntl", "resource", "grp", "pwd", "termios", "pty")

BLOCK = f"""
import builtins

real = builtins.__import__

def blocked(name, globals=None, locals=None, fromlist=(), level=0):
    # Only for our own modules: libraries for this system may use what it has.
    if name in {UNIX_ONLY} and (globals or {{}}).get("__name__", "").partition(".")[0] == "duramen":
        raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
    return real(name, globals, locals, fromlist, level)

builtins.__import__ = blocked
"""
"""Also a ``sitecustomize.py``, which every process imports when it starts."""

IMPORT_ALL = f"""{BLOCK}
import pkgutil
import duramen
from duramen.errors import MissingExtra

count = 0
for module in pkgutil.walk_packages(duramen.__path__, "duramen."):
    if module.name == "duramen.__main__":
        continue
    try:
        __import__(module.name)
        count += 1
    except MissingExtra:
        pass  # a library that is not installed here
print(count)
"""


def test_every_module_can_be_imported_without_unix(root: Path) -> None:
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", IMPORT_ALL], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    modules = [path for path in (root / "src" / "duramen").rglob("*.py") if path.name != "__main__.py"]
    # The adapters of libraries that are not installed here may be missing.
    assert int(done.stdout.split()[-1]) >= len(modules) - 8


MAIN_PATHS = """
import json, sys
from pathlib import Path
import duramen
from duramen.cli import main

page, out = Path(sys.argv[1]), Path(sys.argv[2])
result = duramen.extract(page.read_bytes(), "https://timber.example/")
assert result.quality.verdict == "good" and result.trace.blocks and result.chunks()
assert duramen.Result.from_dict(json.loads(result.to_json(trace=True))) == result

assert main(["extract", str(page), "-o", str(out / "article.md")]) == 0
assert main(["explain", str(page)]) == 0
assert main(["rules", "list"]) == 0
learned = ["--selector-cache", str(out / "selectors.sqlite"), "-u", "https://timber.example/"]
assert main(["extract", str(page), *learned]) == 0
rows = [json.dumps({"html": page.read_text("utf-8"), "url": f"https://timber.example/{n}"}) for n in range(3)]
(out / "pages.jsonl").write_text("\\n".join(rows), "utf-8")
if __name__ == "__main__":
    assert main(["batch", str(out / "pages.jsonl"), "-o", str(out / "out"), "-w", "1", "-q"]) == 0
    from duramen.service.app import create_app
    import duramen.agents.server
    create_app()
    print("all paths")
"""


@pytest.mark.skipif(os.name == "nt", reason="batch runs need a system with Unix's processes")
def test_the_main_paths_work_without_unix(root: Path, tmp_path: Path) -> None:
    """In this process and in those that it starts."""
    for name in ("pyarrow", "starlette", "mcp", "fastwarc"):
        pytest.importorskip(name)
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(BLOCK, encoding="utf-8")
    (tmp_path / "paths.py").write_text(MAIN_PATHS, encoding="utf-8")
    path = os.pathsep.join(filter(None, [str(tmp_path / "site"), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, str(tmp_path / "paths.py"), str(root / "examples" / "article.html"), str(tmp_path)]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.endswith("all paths\n"), done.stderr[-3000:]
    assert "this system has no file locks" in done.stderr


@pytest.fixture
def without_unix(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    from duramen.batch import locks, process

    for name in UNIX_ONLY:
        monkeypatch.setitem(sys.modules, name, None)
    locks._fcntl.cache_clear()
    process.check_system.cache_clear()
    yield
    locks._fcntl.cache_clear()
    process.check_system.cache_clear()


@pytest.mark.usefixtures("without_unix")
def test_missing_locks_are_reported_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    from duramen.batch.journal import ROW, Journal
    from duramen.batch.storage import scratch_folder

    logging.getLogger("duramen").disabled = False
    for name in ("one", "two"):
        journal = Journal(tmp_path / name)
        journal.append(ROW, 0, b"{}")
        journal.close()
    # Nothing shows which scratch folders are in use: none is cleared away.
    with scratch_folder() as first, scratch_folder() as second:
        assert Path(first).is_dir() and Path(second).is_dir()
    assert [record.message for record in caplog.records] == [
        "this system has no file locks: make sure that no two runs write to one output folder"
    ]


@pytest.mark.usefixtures("without_unix")
def test_a_memory_limit_that_cannot_be_enforced_is_reported(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    from duramen.batch import process, worker

    logging.getLogger("duramen").disabled = False
    worker._limit_memory(1_000_000_000)
    monkeypatch.setattr(process, "_MEMORY", str(tmp_path / "no-proc-{}"))
    process.check_system()
    assert "the memory limit is not enforced" in caplog.text


@pytest.mark.usefixtures("without_unix")
def test_workers_on_windows_are_an_error_that_names_a_way(monkeypatch: pytest.MonkeyPatch) -> None:
    from duramen.batch import process
    from duramen.errors import BatchError

    monkeypatch.setattr("os.name", "nt")
    with pytest.raises(BatchError, match="on Windows use WSL"):
        process.check_system()


@pytest.mark.usefixtures("without_unix")
def test_a_server_starts_without_limits_on_open_files() -> None:
    from duramen.service.connections import reserve_files

    assert reserve_files(1_000_000) == 1_000_000
