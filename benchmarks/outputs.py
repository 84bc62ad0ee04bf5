"""Compare the output of two versions on every annotated page, byte for byte.

    python -m benchmarks.outputs record before     # keeps what the installed version makes of all pages
    python -m benchmarks.outputs record after
    python -m benchmarks.outputs compare before after --show 5

A change that must not alter output is proven by this; for one that must, it lists the pages and shows the differences.
"""

from __future__ import annotations

import argparse
import difflib
import gzip
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.corpora import MissingCorpora, shared_folder  # noqa: E402

SHARED = shared_folder()
KEPT = Path(os.environ.get("DURAMEN_OUTPUTS") or ROOT / "build" / "outputs")
FIELDS = (
    "html",
    "text",
    "markdown",
    "metadata",
    "page_type",
    "tier",
    "quality",
    "document_type",
    "encoding",
    "framework",
)


def pages() -> Iterator[tuple[str, Path, str | None]]:
    """Name, file and address of every page of every corpus. Raises :class:`MissingCorpora`."""
    truths = sorted((SHARED / "corpora").glob("*/truth.jsonl"))
    if not truths:
        raise MissingCorpora(SHARED / "corpora")
    for truth in truths:
        with truth.open(encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                path = truth.parent / "html" / f"{record['id']}.html.gz"
                if path.exists():
                    yield f"{truth.parent.name}/{record['id']}", path, record.get("url")


def output(page: tuple[str, Path, str | None]) -> tuple[str, dict[str, Any]]:
    """What the installed version makes of a page."""
    import duramen

    name, path, url = page
    data = duramen.extract(gzip.decompress(path.read_bytes()), url=url).to_dict()
    return name, {field: data[field] for field in FIELDS}


def record(name: str, processes: int, every: int) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    chosen = list(pages())[::every]
    with Pool(processes) as pool, gzip.open(KEPT / f"{name}.jsonl.gz", "wt", encoding="utf-8", compresslevel=1) as out:
        for page, data in pool.imap(output, chosen, chunksize=8):
            out.write(json.dumps([page, data], ensure_ascii=False, sort_keys=True) + "\n")
    print(f"outputs: {len(chosen)} pages in {KEPT / name}.jsonl.gz")


def load(name: str) -> dict[str, dict[str, Any]]:
    with gzip.open(KEPT / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return dict(map(json.loads, lines))


def compare(before: str, after: str, show: int, only: str | None) -> int:
    old, new = load(before), load(after)
    changed: defaultdict[str, list[str]] = defaultdict(list)
    shared = [page for page in old if page in new]
    for page in shared:
        for field in FIELDS:
            if old[page][field] != new[page][field] and only in (None, field):
                changed[field].append(page)
    print(
        f"outputs: {len(shared)} pages in both; changed:", {f: len(changed[f]) for f in FIELDS if changed[f]} or "none"
    )
    for field in FIELDS:
        for page in changed[field][:show]:
            print(f"\n--- {field} of {page}")
            lines = difflib.unified_diff(
                _lines(old[page][field]), _lines(new[page][field]), before, after, n=0, lineterm=""
            )
            for line in list(lines)[2:14]:
                print(line[:300])
    return 1 if changed else 0


def _lines(value: Any) -> list[str]:
    if not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True).split("\n")
    return value.replace("><", ">\n<").split("\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="run all pages and keep the output under a name")
    recording.add_argument("name")
    recording.add_argument("--processes", type=int, default=2)
    recording.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth page")
    comparing = commands.add_parser("compare", help="list the pages whose output differs; exit 1 if there are any")
    comparing.add_argument("before")
    comparing.add_argument("after")
    comparing.add_argument("--show", type=int, default=3, help="differences to show for each field (default: 3)")
    comparing.add_argument("--only", choices=FIELDS, help="compare this field alone")
    args = parser.parse_args()
    if args.command == "record":
        record(args.name, args.processes, args.every)
        return 0
    return compare(args.before, args.after, args.show, args.only)


if __name__ == "__main__":
    raise SystemExit(main())
