"""What is released: sdist and wheel are built and checked as scripts/packaging does, and the wheel is used offline."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.timeout(900)  # the core is compiled


def packaging() -> ModuleType:
    loader = SourceFileLoader("packaging_script", str(ROOT / "scripts" / "packaging"))
    spec = importlib.util.spec_from_loader("packaging_script", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    write, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = write
    return module


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    pytest.importorskip("hatchling", reason="needs hatchling to build offline: pip install 'duramen[test]'")
    if shutil.which("cc") is None:
        pytest.skip("needs a C compiler")
    made: Mapping[str, Path] = packaging().build(tmp_path_factory.mktemp("packaging"))
    return made


def test_what_is_built_is_whole_and_nothing_more(built: Mapping[str, Path]) -> None:
    packaging().check_contents(built)


def test_the_wheel_works_and_warns_of_nothing(built: Mapping[str, Path], tmp_path: Path) -> None:
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", str(tmp_path)]
    subprocess.run([*install, str(built["wheel"])], check=True, capture_output=True)
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-W", "error", "-c", packaging().SMOKE, str(ROOT / "examples" / "article.html")]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-1000:]
    where = [sys.executable, "-c", "import duramen; print(duramen.__file__)"]
    assert subprocess.run(where, cwd=tmp_path, env=env, capture_output=True, text=True).stdout.startswith(str(tmp_path))
    # With what pip compiles; shtab, the only dependency, takes 0.2 MB more.
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) < 9_500_000


@pytest.mark.parametrize("path", ["", "/nonexistent"])
def test_the_build_asks_for_a_compiler_only_where_there_is_none(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sys.path.insert(0, str(ROOT))
    try:
        import hatch_build
        import native_build
    finally:
        sys.path.remove(str(ROOT))
    if path:
        monkeypatch.setenv("PATH", path)
        monkeypatch.delenv("CC", raising=False)
        monkeypatch.setattr(sysconfig, "get_config_var", lambda name: "gcc")
    hook = hatch_build.NativeBuildHook.__new__(hatch_build.NativeBuildHook)
    monkeypatch.setattr(hatch_build.NativeBuildHook, "target_name", "wheel")
    assert hook.dependencies() == ([] if native_build.machine_compiler() else [native_build.ZIG])
    assert bool(hook.dependencies()) is bool(path)
    assert native_build.compiler()[1:] == (["-m", "ziglang", "cc"] if path else native_build.machine_compiler()[1:])


def test_every_extra_is_one_word_and_tried_or_too_large(root: Path) -> None:
    import tomllib

    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = set(project["optional-dependencies"])
    assert all(extra.isalpha() for extra in extras)
    large = {"test", "train", "docs", "peers", "cluster", "ray", "spark", "integrations"}
    assert extras - set(packaging().EXTRAS) - large == set(), "add it to EXTRAS in scripts/packaging"
