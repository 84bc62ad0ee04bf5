"""Golden cases: small pages of our own, with the output a person has looked at and found right.

A case is a folder: ``input.html`` (bytes, as they come), ``case.toml`` (why it is here, and how it is called) and one
or more of ``expected.md``, ``expected.html``, ``expected.txt`` and ``expected.json``, which ``scripts/bless`` writes.
"""

from __future__ import annotations

import difflib
import json
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duramen
from duramen.options import Options

FOLDER = Path(__file__).parent
KEYS = frozenset({"why", "url", "outputs", "fields", "options", "firm"})
FORMS = ("md", "html", "txt", "json")
BY_HAND = "--by-hand"


@dataclass(frozen=True)
class Case:
    """One page and what is expected of it."""

    folder: Path
    why: str
    url: str | None
    outputs: tuple[str, ...]
    fields: tuple[str, ...]
    """What ``expected.json`` holds: names of metadata, ``verdict`` or ``reasons`` (their codes)."""
    options: Options
    firm: bool = False
    """A person wrote what is expected by hand: ``scripts/bless`` changes it only with ``--by-hand``."""

    def made(self) -> dict[str, str]:
        """What the engine makes of it now, by the name of the expected file."""
        result = duramen.extract((self.folder / "input.html").read_bytes(), self.url, self.options)
        text = {"md": result.markdown, "html": result.html, "txt": result.text}
        made = {f"expected.{form}": text[form].rstrip("\n") + "\n" for form in self.outputs if form != "json"}
        if "json" in self.outputs:
            facts = {name: _fact(result, name) for name in self.fields}
            made["expected.json"] = json.dumps(facts, indent=1, ensure_ascii=False) + "\n"
        return made

    def expected(self) -> dict[str, str]:
        return {path.name: path.read_text(encoding="utf-8") for path in sorted(self.folder.glob("expected.*"))}


def _fact(result: duramen.Result, name: str) -> Any:
    if name == "verdict":
        return result.quality.verdict
    if name == "reasons":
        return [reason.partition(":")[0] for reason in result.quality.reasons]
    if name == "limits":
        return list(result.trace.limits)
    value = getattr(result.metadata, name)
    return list(value) if isinstance(value, tuple) else value


def read_case(folder: Path) -> Case:
    data: Mapping[str, Any] = tomllib.loads((folder / "case.toml").read_text(encoding="utf-8"))
    if unknown := data.keys() - KEYS:
        raise ValueError(
            f"{folder.name}/case.toml: unknown {', '.join(sorted(unknown))}; known: {', '.join(sorted(KEYS))}"
        )
    outputs, fields = tuple(data.get("outputs", ("md",))), tuple(data.get("fields", ()))
    if not data.get("why") or not set(outputs) <= set(FORMS) or ("json" in outputs) != bool(fields):
        raise ValueError(f"{folder.name}/case.toml: say why, name outputs of {', '.join(FORMS)}, and fields for json")
    return Case(
        folder,
        data["why"],
        data.get("url"),
        outputs,
        fields,
        Options.from_mapping(data.get("options", {})),
        data.get("firm", False),
    )


def case_folders() -> list[Path]:
    return sorted(path.parent for path in FOLDER.glob("*/input.html"))


def written_by_hand(case: Case) -> list[str]:
    """Files that blessing would overwrite although a person wrote them: those of a firm case, and new ones."""
    made = case.made()
    return [
        name for name, text in case.expected().items() if made.get(name) != text and (case.firm or _is_new(case, name))
    ]


def _is_new(case: Case, name: str) -> bool:
    """Whether git does not know the file yet: then a person has just written it."""
    command = ["git", "-C", str(case.folder), "ls-files", "--error-unmatch", name]
    try:
        return subprocess.run(command, capture_output=True).returncode == 1
    except OSError:  # no git here
        return False


def bless(case: Case) -> str:
    """Write what is made now as what is expected; gives back how it differs from what was."""
    before, after = case.expected(), case.made()
    changes: list[str] = []
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name, ""), after.get(name)
        if new is None:
            (case.folder / name).unlink()
        elif new != old:
            (case.folder / name).write_text(new, encoding="utf-8")
        label = f"{case.folder.name}/{name}"
        changes += difflib.unified_diff(old.splitlines(), (new or "").splitlines(), label, label, lineterm="")
    return "\n".join(changes)


def main(words: Sequence[str]) -> int:
    known = {folder.name: folder for folder in case_folders()}
    by_hand = BY_HAND in words
    names = [word for word in words if word != BY_HAND]
    if names == ["--all"]:
        names = list(known)
    if not names or (unknown := [name for name in names if name not in known]):
        print(f"usage: scripts/bless [{BY_HAND}] NAME... | --all")
        print(f"no such case: {', '.join(unknown)}" if names else f"cases: {', '.join(known)}")
        return 2
    refused = 0
    for name in names:
        case = read_case(known[name])
        if not by_hand and (lost := written_by_hand(case)):
            print(
                f"{name}: {', '.join(lost)} was written by hand and differs from the output; fix the cause, or, if the"
            )
            print(f"output is right after all: scripts/bless {BY_HAND} {name}")
            refused += 1
            continue
        print(bless(case) or f"{name}: as it was")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
