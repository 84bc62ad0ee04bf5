"""Every golden case comes out as it was blessed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from golden import bless, case_folders, main, read_case


@pytest.mark.parametrize("folder", case_folders(), ids=lambda folder: folder.name)
def test_case(folder: Path) -> None:
    case = read_case(folder)
    expected = case.expected()
    assert expected, f"nothing is expected yet: look at the output, then run scripts/bless {folder.name}"
    assert case.made() == expected, f"{case.why}; if the new output is right, run scripts/bless {folder.name}"


def test_every_folder_is_a_case() -> None:
    folders = {path for path in Path(__file__).parent.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(case_folders())


def test_bless_writes_what_is_made_and_says_what_changed(tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(case_folders()[0], folder)
    case = read_case(folder)
    name = next(iter(case.expected()))
    right = (folder / name).read_text(encoding="utf-8")
    (folder / name).write_text("something else\n", encoding="utf-8")
    assert case.made() != case.expected()
    changes = bless(case)
    assert "-something else" in changes and (folder / name).read_text(encoding="utf-8") == right
    assert bless(case) == ""


def test_a_name_that_is_no_case_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no-such-case"]) == 2
    assert "no such case: no-such-case" in capsys.readouterr().out
    assert main([]) == 2
