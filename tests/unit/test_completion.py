"""Shell completion, in the real shells."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from duramen.cli import COMMANDS, main
from duramen.cli.completion import SHELLS

ASK_BASH = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
function=$(complete -p duramen | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
$function duramen "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def script(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    shell: str = request.param
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    assert main(["completion", shell]) == 0
    path = tmp_path / f"duramen.{shell}"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    return path


@pytest.mark.parametrize("script", SHELLS, indirect=True)
def test_scripts_are_understood_and_know_every_command(script: Path) -> None:
    subprocess.run([script.suffix[1:], "-n", str(script)], check=True)
    text = script.read_text(encoding="utf-8")
    assert [name for name in COMMANDS if name not in text] == []
    assert "--content-right" in text and "--selector-cache" in text


@pytest.mark.parametrize("script", ["bash"], indirect=True)
@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (["duramen", "ev"], {"eval"}),
        (["duramen", "extract", "--mo"], {"--mode"}),
        (["duramen", "extract", "--mode", ""], {"precision", "balanced", "recall"}),
        (["duramen", "rules", "c"], {"check"}),
        (["duramen", "completion", ""], set(SHELLS)),
        (["duramen", "eval", "cor"], {"corpus"}),
    ],
)
def test_bash_completes(script: Path, line: list[str], answer: set[str], tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    asked = ["bash", "-c", ASK_BASH, "ask", str(script), *line]
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == answer


@pytest.mark.parametrize("script", ["fish"], indirect=True)
def test_fish_completes(script: Path) -> None:
    asked = f"source {script}; complete -C 'duramen ev'; complete -C 'duramen extract --mode '"
    done = subprocess.run(["fish", "--no-config", "-c", asked], capture_output=True, text=True, check=True)
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["eval", "precision", "balanced", "recall"]


def test_an_unknown_shell_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["completion", "tcl"])
    assert stop.value.code == 2
    assert "'tcl' is unknown; available: bash, zsh, fish" in capsys.readouterr().err
