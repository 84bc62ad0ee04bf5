"""Measures the effect of framework and site rules: pages they win, and the scores of these with and without them.

    python benchmarks/rules.py                 by corpus and by rule; exit 1 if a corpus would be better without rules
    python benchmarks/rules.py --pages         also every page on which a rule makes a difference

A score is word F1, or the share of snippets that are right where a corpus has nothing else. Every page is judged with
the model of its fold, which has never seen its domain.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.corpora import shared_folder  # noqa: E402
from benchmarks.gate import CORPORA, fold_model  # noqa: E402
from benchmarks.scorer import Tally  # noqa: E402
from benchmarks.train.dataset import Source, sources  # noqa: E402
from duramen import pipeline  # noqa: E402
from duramen.find import finder  # noqa: E402
from duramen.find.frameworks import find_framework  # noqa: E402
from duramen.find.site_rules import find_site_rule  # noqa: E402
from duramen.options import Options  # noqa: E402

SAME = 0.0005
"""Tolerance of a mean: a word or two."""


@dataclass(frozen=True)
class Won:
    """A page that a rule won, or that a rule affects."""

    page: str
    rule: str
    score: float
    without: float


@contextmanager
def _without_rules() -> Iterator[None]:
    left: tuple[Callable[..., object], ...] = (find_site_rule, find_framework)
    with patch.object(finder, "TIERS", tuple(tier for tier in finder.TIERS if tier not in left)):
        yield


def compare(source: Source) -> tuple[float, Won | None]:
    """A page's score, and, if a rule won, its score without rules."""
    result = pipeline.run(gzip.decompress(source.path.read_bytes()), source.url, Options(), fold_model(source.fold))
    score = _score(source, result.text, result.html)
    if result.tier not in ("framework", "site_rule"):
        return score, None
    with _without_rules():
        other = pipeline.run(gzip.decompress(source.path.read_bytes()), source.url, Options(), fold_model(source.fold))
    won = next(a.candidate.rule_id for a in result.trace.attempts if a.outcome == "won")
    return score, Won(source.record["id"], won, score, _score(source, other.text, other.html))


def _score(source: Source, text: str, html: str) -> float:
    tally = Tally()
    tally.add(dict(source.record), text, html, 0.0)
    reached = tally.pages[0][0]
    return 1.0 if reached is None else float(reached)  # a page of which the annotators said nothing


def tell(corpus: str, scores: Sequence[float], wins: Sequence[Won], *, pages: bool) -> bool:
    """Print the effect of rules on a corpus; returns whether it is no worse with them."""
    total, gain = len(scores), sum(w.score - w.without for w in wins)
    mean = sum(scores) / total
    print(f"{corpus}: {len(wins)} of {total} pages won by a rule ({len(wins) / total:.1%})")
    print(f"  all pages         {mean:.4f}, without rules {mean - gain / total:.4f}")
    if not wins:
        return True
    own = sum(w.score for w in wins) / len(wins)
    print(f"  pages won         {own:.4f}, without rules {own - gain / len(wins):.4f}")
    by_rule: defaultdict[str, list[Won]] = defaultdict(list)
    for won in wins:
        by_rule[won.rule].append(won)
    for rule, mine in sorted(by_rule.items(), key=lambda item: -len(item[1])):
        n, mean, without = len(mine), sum(w.score for w in mine) / len(mine), sum(w.without for w in mine) / len(mine)
        better, worse = sum(w.score > w.without for w in mine), sum(w.score < w.without for w in mine)
        low = "  LOWER" if mean < without - SAME else ""
        print(f"  {rule:26s} {n:4} pages  {mean:.4f}, without {without:.4f}; better {better}, worse {worse}{low}")
        for won in sorted(mine, key=lambda w: w.score - w.without) if pages else ():
            if won.score != won.without:
                print(f"      {won.score - won.without:+.4f} to {won.score:.4f}  {won.page}")
    return gain / total >= -SAME


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=shared_folder())
    parser.add_argument("--corpora", default=",".join(CORPORA))
    parser.add_argument("--pages", action="store_true", help="list the pages on which a rule makes a difference")
    args = parser.parse_args(arguments)
    good = True
    with Pool(2) as pool:
        for corpus in args.corpora.split(","):
            tasks = list(sources(args.shared, corpus))
            found = pool.map(compare, tasks, chunksize=8)
            wins = [won for _, won in found if won is not None]
            good &= tell(corpus, [score for score, _ in found], wins, pages=args.pages)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
