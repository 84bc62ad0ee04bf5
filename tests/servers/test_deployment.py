"""The files in deploy/ pass the linters of their formats, and what they start works."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("ruamel.yaml", reason="needs ruamel.yaml, which check-jsonschema brings")

from .deployment import DEPLOY, ROOT, build_commands, check_server, copied_sources, dockerfile, server_commands

PROGRAMS = Path(sys.executable).parent


def lint(*command: str) -> str:
    program = shutil.which(command[0], path=f"{PROGRAMS}:/usr/bin:/bin")
    if program is None:
        pytest.skip(f"needs {command[0]}")
    done = subprocess.run([program, *command[1:]], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_dockerfile() -> None:
    assert lint("hadolint", "--failure-threshold", "style", str(DEPLOY / "Dockerfile")) == ""


def test_images_do_not_run_as_root() -> None:
    stages = {text.split()[2]: text for text in dockerfile().split("FROM ")[1:] if " AS " in text.splitlines()[0]}
    assert {"plain", "browser"} <= stages.keys()
    for name in ("plain", "browser"):
        assert stages[name].rstrip().splitlines()[-1] == "USER 10001"
    assert list(stages)[-1] == "plain", "the default has no browser"
    assert "chromium" in stages["browser"] and "chromium" not in stages["plain"] + stages["base"]


def test_compose_file() -> None:
    lint("check-jsonschema", "--builtin-schema", "vendor.compose-spec", str(DEPLOY / "compose.yaml"))


def test_systemd_unit(tmp_path: Path) -> None:
    unit = tmp_path / "duramen.service"
    text = (DEPLOY / "duramen.service").read_text(encoding="utf-8")
    unit.write_text(text.replace("/opt/duramen/bin/duramen", str(PROGRAMS / "duramen")), encoding="utf-8")
    assert lint("systemd-analyze", "verify", str(unit)) == ""
    lint("systemd-analyze", "security", "--offline=yes", "--threshold=20", str(unit))


def test_the_build_gets_what_it_needs(tmp_path: Path) -> None:
    copied_sources(tmp_path / "src")
    for name in ("pyproject.toml", "native_build.py", "src/native/html.c", "src/duramen/data/policy.toml"):
        assert (tmp_path / "src" / name).is_file()
    assert not list((tmp_path / "src").rglob("_native*.so"))
    assert len(build_commands()) == 2
    assert (ROOT / "scripts" / "deployment").exists()


@pytest.mark.parametrize("name", server_commands())
def test_servers_start_respond_and_stop(name: str, tmp_path: Path) -> None:
    check_server(server_commands()[name], PROGRAMS, tmp_path)
