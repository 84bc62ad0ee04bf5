"""docs/security.md: every guarantee names the tests for it, and they exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+)\n\n(\*\*Guarantee\.\*\*(?:.|\n)*?)(?=\n## |\Z)", PAGE, re.M))


def named_tests(section: str) -> list[tuple[str, str]]:
    """Files and functions behind "Tested by"; "::test_name" alone is in the file named before it."""
    _, _, listed = section.partition("**Tested by**")
    found, file = [], ""
    for name in re.findall(r"`((?:tests/[\w/]+\.py)?(?:::\w+)?)`", listed):
        path, _, function = name.partition("::")
        file = path or file
        found.append((file, function))
    return found


def test_every_guarantee_is_found() -> None:
    assert len(SECTIONS) == PAGE.count("**Guarantee.**") >= 5


@pytest.mark.parametrize("title", SECTIONS)
def test_a_guarantee_names_its_limits_and_tests_that_exist(title: str) -> None:
    section = SECTIONS[title]
    assert "**Out of scope.**" in section
    guarantee = section.partition("**Out of scope.**")[0]
    sentences = re.findall(r"[.:] ", re.sub(r"\s+", " ", guarantee))
    names = named_tests(section)
    assert len(names) >= min(3, len(sentences)), "a guarantee without a test"
    for file, function in names:
        path = ROOT / file
        assert path.is_file(), file
        defined = {
            node.name for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)
        }
        if function:
            assert function in defined, f"{file}::{function}"
        else:
            assert any(name.startswith("test_") for name in defined), file


def test_the_policy_is_complete() -> None:
    policy = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    for title in ("Reporting a vulnerability", "Supported versions", "Threat model", "How it is tested"):
        assert re.search(rf"^## {title}$", policy, re.M)
    for link, anchor in re.findall(r"\]\((docs/\w+\.md)#([\w-]+)\)", policy):
        titles = re.findall(r"^## (.+)$", (ROOT / link).read_text(encoding="utf-8"), re.M)
        assert anchor in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
    assert "SECURITY.md" in PAGE and "scripts/security" in PAGE


def test_ci_runs_the_security_job() -> None:
    assert "scripts/security" in (ROOT / ".ci" / "run").read_text(encoding="utf-8").split()
