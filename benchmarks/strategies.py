"""Every strategy's score on the annotated corpora, side by side.

usage: python -m benchmarks.strategies [--shared FOLDER] [--limit N] [--strategies readability,mce]

One table: word F1 on wcxb-dev, overall and by page type, snippet F1 on snippets-dev, word F1 on reader-dev, and the
mean CPU time of a page of wcxb-dev.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, get_args

import duramen
from benchmarks.corpora import corpus_folder, shared_folder
from benchmarks.scorer import Tally
from duramen.find.classical import STRATEGIES
from duramen.options import Options, Strategy
from duramen.read.decode import decode
from duramen.read.reader import read_page

CORPORA = ("wcxb-dev", "snippets-dev", "reader-dev")
KINDS = ("article", "documentation", "service", "forum", "product", "listing", "collection")

Summary = dict[str, Any]


def extractor(strategy: str) -> Callable[[bytes, str | None], str]:
    """Raw page and address to text, by one strategy."""
    if strategy in get_args(Strategy):
        options = Options(strategy=strategy)  # type: ignore[arg-type]
        return lambda raw, url: duramen.extract(raw, url, options).text
    keep = STRATEGIES[strategy]

    def joined(raw: bytes, url: str | None) -> str:
        page = read_page(decode(raw)[0], url, Options())
        return "\n".join(text for text, kept in zip(page.blocks.text, keep(page), strict=True) if kept)

    return joined


def measure(corpus: Path, strategies: Sequence[str], limit: int | None) -> dict[str, Summary]:
    """Every strategy over one corpus, page by page, so that their times can be compared."""
    tallies = {name: Tally() for name in strategies}
    extractors = {name: extractor(name) for name in strategies}
    with (corpus / "truth.jsonl").open(encoding="utf-8") as file:
        lines = list(file)
    step = max(1, len(lines) // limit) if limit else 1
    for line in lines[::step][:limit]:
        record = json.loads(line)
        raw = gzip.decompress((corpus / "html" / f"{record['id']}.html.gz").read_bytes())
        for name, extract in extractors.items():
            start = time.process_time()
            text = extract(raw, record.get("url"))
            tallies[name].add(record, text, None, time.process_time() - start)
    return {name: tally.summary() for name, tally in tallies.items()}


def table(results: dict[str, dict[str, Summary]], strategies: Sequence[str]) -> str:
    heads = ["strategy", "wcxb", *(kind[:7] for kind in KINDS), "snippets", "reader", "ms"]
    rows = [heads]
    for name in strategies:
        wcxb, snippets, reader = (results.get(corpus, {}).get(name, {}) for corpus in CORPORA)
        cells = [wcxb.get("F1"), *(wcxb.get("kinds", {}).get(kind) for kind in KINDS)]
        cells += [snippets.get("snippetF1"), reader.get("F1")]
        spent = wcxb.get("ms")
        rows.append(
            [name, *("-" if c is None else f"{c:.3f}" for c in cells), "-" if spent is None else f"{spent:.1f}"]
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    )


def main(arguments: Sequence[str] | None = None) -> None:
    known = ("auto", "density", *STRATEGIES)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=shared_folder())
    parser.add_argument("--limit", type=int, help="number of pages of each corpus, sampled evenly")
    parser.add_argument("--strategies", default=",".join(known), help="strategies to measure, separated by commas")
    chosen = parser.parse_args(arguments)
    strategies: list[str] = chosen.strategies.split(",")
    if unknown := [name for name in strategies if name not in known]:
        parser.error(f"unknown strategy {', '.join(unknown)}; known: {', '.join(known)}")
    folders = {name: corpus_folder(chosen.shared, name) for name in CORPORA}
    print(table({name: measure(path, strategies, chosen.limit) for name, path in folders.items()}, strategies))


if __name__ == "__main__":
    main()
