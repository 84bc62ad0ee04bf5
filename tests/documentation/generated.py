"""Writes the parts of README and documentation that come from a run or from a measurement: ``scripts/docs write``.

Two kinds: the answers of ``console`` blocks under ``<!-- generated -->``, and what stands between
``<!-- begin NAME -->`` and ``<!-- end NAME -->``, which :mod:`benchmarks.figures` has tables for.
"""

from __future__ import annotations

import sys

from benchmarks.figures import written_into

from .examples import PAGES, ROOT, blocks_of, run


def as_generated(page: str) -> str:
    """The page as it should be."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for block in blocks_of(page):
        if block.generated:
            made = "".join(f"$ {command}\n{run(command)}" for command, _ in block.commands())
            text = text.replace(block.text, made)
    return written_into(text)


def main() -> int:
    for page in PAGES:
        made = as_generated(page)
        if made != (ROOT / page).read_text(encoding="utf-8"):
            (ROOT / page).write_text(made, encoding="utf-8")
            print(f"{page}: written anew")
    return 0


if __name__ == "__main__":
    sys.exit(main())
