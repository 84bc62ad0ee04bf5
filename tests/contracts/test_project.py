"""The frame: what CI runs is what the README says, and nothing in it belongs to one machine."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = [
    "scripts/check",
    "scripts/test",
    "scripts/gate",
    "scripts/bless",
    "scripts/docs",
    "scripts/security",
    ".ci/run",
]


needs_bash = pytest.mark.skipif(os.name == "nt", reason="Windows does not run bash scripts by themselves")


@needs_bash
@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_are_runnable_bash(name: str) -> None:
    path = ROOT / name
    assert os.access(path, os.X_OK)
    assert path.read_text(encoding="utf-8").startswith("#!/usr/bin/env bash\n")
    subprocess.run(["bash", "-n", str(path)], check=True)


def test_ci_runs_the_readmes_test_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(r"^scripts/test$", readme, re.M)
    commands = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert "scripts/test" in commands


def test_test_command_runs_everything() -> None:
    script = (ROOT / "scripts" / "test").read_text(encoding="utf-8")
    steps = ["\nscripts/check", "\npython -m pytest --quiet", " scripts/gate"]
    places = [script.rindex(step) for step in steps]
    assert places == sorted(places)


@needs_bash
def test_gate_fails_where_the_corpora_are_absent_unless_they_are_optional(tmp_path: Path) -> None:
    env = {**os.environ, "DURAMEN_SHARED": str(tmp_path), "DURAMEN_CORPORA": ""}
    done = subprocess.run([str(ROOT / "scripts" / "gate")], env=env, capture_output=True, text=True)
    assert done.returncode == 1 and "get them with: python -m benchmarks.corpora fetch" in done.stdout
    env["DURAMEN_CORPORA"] = "optional"
    done = subprocess.run([str(ROOT / "scripts" / "gate")], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("gate: SKIPPED, no quality floor was checked")


@pytest.mark.parametrize("name", [*SCRIPTS, "pyproject.toml", "README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"])
def test_nothing_belongs_to_one_machine(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert not re.search(r"(?<![\w.])/(?:work|root|home|opt|tmp)/|index-url|find-links", text)
