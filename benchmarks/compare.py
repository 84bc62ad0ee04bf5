"""Compares Duramen with every other installed extractor.

    python -m benchmarks.compare                          all pages of the corpora
    python -m benchmarks.compare --sample 60              an even sample of each
    python -m benchmarks.compare --node FOLDER            where npm installed @mozilla/readability, defuddle, linkedom
    python -m benchmarks.compare --systems 'duramen;jusText'     only these; earlier measurements of others are kept
    python -m benchmarks.compare --systems goose3 --beside trafilatura   measured on another day than the others
    python -m benchmarks.compare --plot-only              only redraw the plot, from earlier measurements
    python -m benchmarks.compare --half test              on pages nobody trained on, to benchmarks/comparison-test.json

Measures word F1 by corpus and page type, CPU milliseconds per page, and the peak memory of a process that does nothing
else. Every extractor gets the raw bytes of the same pages, each in its own process; Duramen uses the model of the
page's fold, which has never seen its site. Results are written to benchmarks/comparison.json, one extractor at a time.
The speed of a machine varies: with ``--beside``, an extractor that is already in the file is measured again, and the
CPU times of the new ones are scaled to its row. The plot is drawn from that file to docs/comparison.svg, and
``scripts/docs write`` writes its figures into README and documentation.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.corpora import shared_folder  # noqa: E402
from benchmarks.gate import CORPORA  # noqa: E402
from benchmarks.peers import PEERS, SHIPPED  # noqa: E402
from benchmarks.scorer import Tally  # noqa: E402
from benchmarks.train.dataset import Source, sources  # noqa: E402

MEASURED = ROOT / "benchmarks" / "comparison.json"
PLOT = ROOT / "docs" / "comparison.svg"
ON_NODE = ("Readability", "Defuddle")
KINDS = ("article", "documentation", "service", "forum", "product", "listing", "collection")


def sampled(pages: Sequence[Source], count: int | None) -> list[Source]:
    """An even sample of pages."""
    if not count or count >= len(pages):
        return list(pages)
    return [pages[k * len(pages) // count] for k in range(count)]


def command(name: str, python: str, node: Path | None) -> list[str] | None:
    if name not in ON_NODE:
        return [python, str(ROOT / "benchmarks" / "peers.py"), name]
    found = shutil.which("node")
    return [found, str(ROOT / "benchmarks" / "peers.mjs"), name] if found and node else None


def answers(
    run: Sequence[str], pages: Sequence[Source], node: Path | None, half: str = "dev"
) -> list[dict[str, Any]] | str:
    """The version, one answer per page, then the memory; or an error message."""
    folds = [page.fold if half == "dev" else SHIPPED for page in pages]
    jobs = "".join(
        json.dumps({"path": str(page.path), "url": page.url, "fold": fold}) + "\n"
        for page, fold in zip(pages, folds, strict=True)
    )
    done = subprocess.run(
        run, input=jobs, capture_output=True, text=True, env={**os.environ, "PEERS_NODE": str(node or "")}
    )
    lines = [json.loads(line) for line in done.stdout.split("\n") if line.startswith("{")]
    if done.returncode or len(lines) != len(pages) + 2:
        said = [line for line in done.stderr.strip().splitlines() if "Error" in line]
        return said[-1].strip()[:150] if said else f"ended with {done.returncode}"
    return lines


def measure(
    shared: Path, name: str, run: Sequence[str], count: int | None, node: Path | None, half: str = "dev"
) -> dict[str, Any]:
    """The row of an extractor; its corpora have the same names for both halves."""
    row: dict[str, Any] = {"name": name, "corpora": {}}
    memory = 0
    for corpus in CORPORA:
        pages = sampled(list(sources(shared, corpus.replace("dev", half))), count)
        answer_lines = answers(run, pages, node, half)
        if isinstance(answer_lines, str):
            return {"name": name, "missing": answer_lines}
        tally = Tally()
        for page, answer in zip(pages, answer_lines[1:-1], strict=True):
            tally.fails += "error" in answer
            tally.add(dict(page.record), answer["text"], None, answer["cpu"])
        row["corpora"][corpus] = tally.summary()
        row["version"] = answer_lines[0]["version"]
        memory = max(memory, answer_lines[-1]["memory"])
    row["memory"] = memory
    return row


def scale_of(before: Mapping[str, Any], again: Mapping[str, Any]) -> float:
    """The ratio of CPU times between the earlier and the new measurement of one extractor."""
    return float(before["corpora"]["wcxb-dev"]["ms"] / again["corpora"]["wcxb-dev"]["ms"])


def scaled(row: dict[str, Any], scale: float, beside: str) -> dict[str, Any]:
    """A row with scaled CPU times, and the scale."""
    if "corpora" not in row:
        return row
    corpora = {name: {**summary, "ms": summary["ms"] * scale} for name, summary in row["corpora"].items()}
    return {**row, "corpora": corpora, "scaled": {"by": scale, "beside": beside}}


def figures(row: Mapping[str, Any]) -> list[str]:
    """The cells of a row, after its name."""
    wcxb, snippets, reader = (row["corpora"][corpus] for corpus in CORPORA)
    quality = [wcxb["F1"], *(wcxb["kinds"].get(kind) for kind in KINDS), snippets["snippetF1"], reader["F1"]]
    failed = sum(summary["fail"] for summary in row["corpora"].values())
    return [
        *("-" if value is None else f"{value:.3f}" for value in quality),
        f"{wcxb['ms']:.1f}",
        f"{row['memory'] / 1e6:.0f}",
        str(failed),
    ]


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    heads = ["", "wcxb F1", *(kind[:9] for kind in KINDS), "snippets", "reader", "ms", "MB", "failed"]
    body = [
        [f"{row['name']} {row['version']}", *figures(row)]
        for row in sorted((r for r in rows if "corpora" in r), key=lambda r: -r["corpora"]["wcxb-dev"]["F1"])
    ]
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *body]
    text = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    missing = [f"{row['name']}: not measured: {row['missing']}" for row in rows if "missing" in row]
    return "\n".join([text, *([""] if missing else []), *missing])


WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 760, 440, 70, 30, 130, 60


def plot(measured: Mapping[str, Any]) -> str:
    """Quality against speed: word F1 on wcxb-dev, and CPU milliseconds per page on a logarithmic scale."""
    points: list[tuple[str, float, float]] = [
        (row["name"], row["corpora"]["wcxb-dev"]["ms"], row["corpora"]["wcxb-dev"]["F1"])
        for row in measured["rows"]
        if "corpora" in row
    ]
    slowest: int = math.ceil(math.log10(max(ms for _, ms, _ in points)))
    quickest: int = math.floor(math.log10(min(ms for _, ms, _ in points)))
    low = math.floor(min(f1 for _, _, f1 in points) * 20) / 20
    high = math.ceil(max(f1 for _, _, f1 in points) * 20) / 20

    def x(ms: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(ms) - quickest) / max(1, slowest - quickest)

    def y(f1: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (f1 - low) / max(0.05, high - low)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'font-family="system-ui, sans-serif" font-size="12">',
        "<title>Quality against speed of main-content extractors</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for power in range(quickest, slowest + 1):
        at = x(10.0**power)
        out.append(f'<path d="M{at:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#dddddd"/>')
        out.append(f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{10.0**power:g} ms</text>')
    for step in range(round(low * 20), round(high * 20) + 1):
        at = y(step / 20)
        out.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{step / 20:.2f}</text>')
    taken: list[float] = []
    for name, ms, f1 in sorted(points, key=lambda point: -point[2]):
        colour = "#b3541e" if name.startswith("duramen") else "#555555"
        label = y(f1) + 4
        while any(abs(label - other) < 13 for other in taken):
            label += 13
        taken.append(label)
        out.append(f'<circle cx="{x(ms):.1f}" cy="{y(f1):.1f}" r="5" fill="{colour}"/>')
        out.append(f'<text x="{x(ms) + 9:.1f}" y="{label:.1f}" fill="{colour}">{escape(name)}</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    out += [
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 16}" text-anchor="middle">CPU time a page</text>',
        f'<text x="18" y="{middle}" text-anchor="middle" transform="rotate(-90 18 {middle})">word F1</text>',
        "</svg>",
    ]
    return "\n".join(out) + "\n"


def keep(path: Path, row: Mapping[str, Any], sample: int | None) -> None:
    """Replace the row of an extractor in the file; rows of another sample are removed."""
    about = {"python": platform.python_version(), "sample": sample}
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    rows = before["rows"] if before.get("sample", ...) == sample else []
    names = [other["name"] for other in rows]
    at = names.index(row["name"]) if row["name"] in names else len(rows)
    written = {**about, "rows": [*rows[:at], row, *rows[at + 1 :]]}
    path.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=shared_folder())
    parser.add_argument("--sample", type=int, help="number of pages of each corpus; default: all")
    parser.add_argument("--systems", help="names, separated by semicolons")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has the other extractors")
    parser.add_argument("--node", type=Path, help="the folder with node_modules")
    parser.add_argument("--half", choices=("dev", "test"), default="dev", help="test: pages that nobody trained on")
    parser.add_argument("--output", type=Path, help="default: benchmarks/comparison.json, or comparison-test.json")
    parser.add_argument("--plot", type=Path, help="default: docs/comparison.svg, for the half dev only")
    parser.add_argument("--plot-only", action="store_true")
    parser.add_argument("--beside", help="scale CPU times to this extractor's row in the file")
    args = parser.parse_args(arguments)
    args.output = args.output or (MEASURED if args.half == "dev" else MEASURED.with_stem("comparison-test"))
    args.plot = args.plot or (PLOT if args.half == "dev" else None)
    if not args.plot_only:
        scale = 1.0
        if args.beside:
            rows = json.loads(args.output.read_text(encoding="utf-8"))["rows"]
            before = next(row for row in rows if row["name"] == args.beside)
            run = command(args.beside, args.python, args.node)
            scale = scale_of(before, measure(args.shared, args.beside, run or [], args.sample, args.node, args.half))
        chosen = args.systems.split(";") if args.systems else (*PEERS, *ON_NODE)
        for name in chosen:
            run = command(name, sys.executable if name.startswith("duramen") else args.python, args.node)
            print(f"{name} …", file=sys.stderr, flush=True)
            row = (
                measure(args.shared, name, run, args.sample, args.node, args.half)
                if run
                else {"name": name, "missing": "needs node, and --node with the folder of node_modules"}
            )
            keep(args.output, scaled(row, scale, args.beside) if args.beside else row, args.sample)
    measured = json.loads(args.output.read_text(encoding="utf-8"))
    print(table(measured["rows"]))
    if args.plot:
        args.plot.write_text(plot(measured), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
