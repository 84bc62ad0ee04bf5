"""The examples of README and documentation: fenced blocks, in order.

Every ``python`` and ``console`` block runs. A block that cannot run everywhere says so in the line above it:

    <!-- needs: scrapy -->                  runs where these modules can be imported
    <!-- not run: asks the network -->      never runs; the reason is shown in the report
    <!-- generated -->                      what follows the command is exact, and written by ``scripts/docs write``
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"),
    *(f"src/duramen/data/{name}/README.md" for name in ("model", "frameworks")),
    *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")),
]
_BLOCK = re.compile(
    r"^(?:<!-- (?P<mark>.*?) -->\n)?^(?P<fence>```+)(?P<language>[\w{}-]*).*?\n(?P<text>.*?)^(?P=fence)$", re.M | re.S
)
_COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*\n)((?:(?!\$ ).*\n)*)", re.M)
_SHELL = 'set -o pipefail; duramen() { "$DURAMEN_PYTHON" -m duramen "$@"; }; '


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str
    line: int
    language: str
    text: str
    mark: str
    """What the comment above it says."""

    def said(self, name: str) -> str:
        """What the mark says after this name."""
        return self.mark.removeprefix(f"{name}:").strip() if self.mark.startswith(f"{name}:") else ""

    @property
    def generated(self) -> bool:
        return self.mark == "generated"

    def commands(self) -> list[tuple[str, str]]:
        """Commands of a console, each with what it is shown to say."""
        return [(command.strip(), said) for command, said in _COMMAND.findall(self.text)]


def blocks_of(page: str) -> Iterator[Block]:
    """All blocks of a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        line = text.count("\n", 0, found.start("fence")) + 1
        yield Block(page, line, found["language"], found["text"], found["mark"] or "")


def run(command: str) -> str:
    """What a command says on standard output, in the repository; it has to succeed."""
    environment = {**os.environ, "DURAMEN_PYTHON": sys.executable, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        ["bash", "-c", _SHELL + command], cwd=ROOT, env=environment, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, f"{command}: ended with {done.returncode}: {done.stderr[-400:]}"
    return done.stdout
