"""Every golden case comes out as it was blessed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import golden
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


@pytest.mark.parametrize("firm", [True, False])
def test_bless_keeps_what_was_written_by_hand(
    firm: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(case_folders()[0], folder)
    monkeypatch.setattr(golden, "case_folders", lambda: [folder])
    monkeypatch.setattr(golden, "_is_new", lambda case, name: not firm)
    if firm:
        (folder / "case.toml").write_text("firm = true\n" + (folder / "case.toml").read_text("utf-8"), "utf-8")
    path = next(folder.glob("expected.*"))
    assert main(["copy"]) == 0  # what is expected comes out: there is nothing to lose
    path.write_text("what should come out\n", encoding="utf-8")
    assert main(["copy"]) == 1
    assert "was written by hand" in capsys.readouterr().out
    assert path.read_text(encoding="utf-8") == "what should come out\n"
    assert main(["--by-hand", "copy"]) == 0
    assert path.read_text(encoding="utf-8") != "what should come out\n"


def test_a_new_file_is_known_by_git(tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(case_folders()[0], folder)
    name = next(folder.glob("expected.*")).name
    assert not golden._is_new(read_case(folder), name)  # no repository: nothing is known
    for words in (["init", "--quiet"], ["add", "case.toml"]):
        subprocess.run(["git", "-C", str(folder), *words], check=True)
    assert golden._is_new(read_case(folder), name)
    subprocess.run(["git", "-C", str(folder), "add", name], check=True)
    assert not golden._is_new(read_case(folder), name)


def test_a_name_that_is_no_case_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no-such-case"]) == 2
    assert "no such case: no-such-case" in capsys.readouterr().out
    assert main([]) == 2
