"""Quality floors: fails if a change lowers a figure.

    python benchmarks/gate.py             check the floors; exit 1 if one is missed
    python benchmarks/gate.py --update    raise the floors to the measured values; to lower them, add --allow-lower
    python benchmarks/gate.py --reliability    also print the reliability of predicted F1, as in the model card

Every page is judged by the model of its fold, which has never seen its domain. The floors are for one state of the
corpora, identified by a digest. Without the corpora the gate fails with the command that gets them; with
``DURAMEN_CORPORA=optional``, as in ``scripts/test``, it says that it was skipped, and passes.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from multiprocessing import Pool
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.corpora import MissingCorpora, corpus_folder, shared_folder  # noqa: E402
from benchmarks.scorer import Tally  # noqa: E402
from benchmarks.train.dataset import Source, sources  # noqa: E402
from duramen.find.judge import Model  # noqa: E402
from duramen.options import Options  # noqa: E402
from duramen.pipeline import run  # noqa: E402

FLOORS = ROOT / "benchmarks" / "floors.json"
CORPORA = ("wcxb-dev", "snippets-dev", "reader-dev")
SLACK = 0.001
"""Tolerance for rounding and tie-breaking on other machines."""


@cache
def fold_model(fold: int) -> Model:
    return Model.load(ROOT / "benchmarks" / "train" / "folds" / f"fold{fold}.safetensors")


def extract_unseen(source: Source) -> tuple[dict[str, Any], str, str, str, float, float]:
    """A page's record, text, HTML, page type, predicted F1 and CPU seconds, by a model that has not seen its domain."""
    raw = gzip.decompress(source.path.read_bytes())
    model = fold_model(source.fold)
    started = time.process_time()
    result = run(raw, source.url, Options(), model)
    text, html = result.text, result.html
    return dict(source.record), text, html, result.page_type, result.quality.score, time.process_time() - started


BANDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)


def reliability(pairs: Sequence[tuple[float, float]]) -> Iterator[str]:
    """A Markdown table of predicted and reached F1, by bands of the prediction."""
    yield "| predicted F1 | pages | mean prediction | mean F1 reached | below 0.7 |"
    yield "| --- | --- | --- | --- | --- |"
    for low, high in pairwise(BANDS):
        mine = [(g, r) for g, r in pairs if low <= g and (g < high or high == BANDS[-1])]
        if mine:
            guess, reached = (sum(side) / len(mine) for side in zip(*mine, strict=True))
            below = sum(r < 0.7 for _, r in mine) / len(mine)
            yield f"| {low:.2f} to {high:.2f} | {len(mine)} | {guess:.3f} | {reached:.3f} | {100 * below:.0f} % |"


def measure(
    shared: Path, corpus: str, worst: int = 0, limit: int | None = None, show_reliability: bool = False
) -> dict[str, float]:
    tally = Tally()
    pages = list(sources(shared, corpus))[:limit]
    right: list[bool] = []
    pairs: list[tuple[float, float]] = []
    with Pool(2) as pool:
        for record, text, html, kind, guess, cpu in pool.imap(extract_unseen, pages, chunksize=8):
            tally.add(record, text, html, cpu)
            if record.get("text"):
                reached = tally.pages[-1][0] or 0.0
                right.append(kind == record["kind"])
                pairs.append((guess, reached))
    figures: dict[str, float] = {}
    for name, value in tally.summary().items():
        if name == "kinds":
            figures |= {f"F1 {kind}": score for kind, score in value.items() if len(value) > 1}
        elif name not in ("pages", "ms", "fail"):
            figures[name] = value
        elif name == "ms":
            print(f"{corpus}: {value:.1f} ms per page")
    if right:
        low = [g for g, reached in pairs if reached < 0.7]
        high = [g for g, reached in pairs if reached >= 0.7]
        wins = sum((a < b) + 0.5 * (a == b) for a in low for b in high)
        figures["page type accuracy"] = sum(right) / len(right)
        figures["predicted F1 within"] = 1 - sum(abs(g - reached) for g, reached in pairs) / len(pairs)
        figures["AUC below 0.7"] = wins / max(1, len(low) * len(high))
    if show_reliability and right:
        print("\n".join(reliability(pairs)))
    scored = [page for page in tally.pages if page[0] is not None]
    for score, key, page_type, url in sorted(scored, key=lambda page: page[0] or 0.0)[:worst]:
        print(f"  {score:.3f}  {key}  {page_type}  {url}")
    return figures


def digest(shared: Path) -> str:
    """Of all annotations, whatever their order."""
    total = hashlib.sha256()
    for corpus in CORPORA:
        records = sorted((source.record for source in sources(shared, corpus)), key=lambda record: str(record["id"]))
        total.update(json.dumps(records, sort_keys=True).encode())
    return total.hexdigest()


def missing_corpora(shared: Path, wanted: Sequence[str]) -> str | None:
    """Why the floors cannot be checked, if they cannot."""
    try:
        for corpus in wanted:
            corpus_folder(shared, corpus)
    except MissingCorpora as error:
        return str(error)
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=shared_folder())
    parser.add_argument("--update", action="store_true", help="write the measured values as the new floors")
    parser.add_argument("--allow-lower", action="store_true", help="with --update: floors may go down")
    parser.add_argument("--worst", type=int, default=0, help="list the N worst pages of each corpus")
    parser.add_argument("--reliability", action="store_true", help="print the reliability of predicted F1")
    parser.add_argument("--corpora", default=",".join(CORPORA))
    parser.add_argument("--limit", type=int)
    args = parser.parse_args(arguments)
    wanted = args.corpora.split(",")
    if problem := missing_corpora(args.shared, wanted):
        optional = os.environ.get("DURAMEN_CORPORA") == "optional"
        print(f"gate: {'SKIPPED, no quality floor was checked' if optional else 'cannot check'}: {problem}")
        return 0 if optional else 1
    measured = {corpus: measure(args.shared, corpus, args.worst, args.limit, args.reliability) for corpus in wanted}
    stored: dict[str, Any] = {"digest": "", "floors": {}}
    if FLOORS.exists():
        stored = json.loads(FLOORS.read_text(encoding="utf-8"))
    if stored["digest"] not in ("", digest(args.shared)):
        print("the corpora differ from those of the floors: check the figures, then run with --update")
        return 1
    missed = 0
    for corpus, figures in measured.items():
        for name, value in figures.items():
            floor = stored["floors"].get(corpus, {}).get(name)
            is_low = floor is not None and value < floor - SLACK
            missed += is_low
            print(f"{corpus:13s} {name:22s} {value:.4f}  floor {floor or '-'}{'  MISSED' if is_low else ''}")
    if args.update:
        if missed and not args.allow_lower:
            print("floors not written: some would go down; add --allow-lower to confirm")
            return 1
        floors = {corpus: {name: round(v, 4) for name, v in figures.items()} for corpus, figures in measured.items()}
        FLOORS.write_text(
            json.dumps({"digest": digest(args.shared), "floors": floors}, indent=1) + "\n", encoding="utf-8"
        )
        print("floors written")
        return 0
    # pytest-like closing line, read by continuous integration
    total = sum(map(len, measured.values()))
    print(f"floors: {total - missed} passed, {missed} failed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
