"""Measures success by site category on the annotated corpora, and writes it into docs/evaluation.md.

    python -m benchmarks.success             evaluate, and write the tables between the marks in the page
    python -m benchmarks.success --limit 50  only the first pages of each corpus, to standard output

The same as ``duramen eval --extractor benchmarks.unseen:extract`` on each corpus, and then all of them together.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence

from benchmarks.corpora import corpus_folder, shared_folder
from benchmarks.gate import CORPORA, ROOT
from duramen.corpus import Corpus
from duramen.evaluation.figures import Figures, figures_of
from duramen.evaluation.report import category_rows, group_rows, markdown_table
from duramen.evaluation.run import Plan, evaluate
from duramen.evaluation.scoring import PageScore

PAGE = ROOT / "docs" / "evaluation.md"
MARKED = re.compile(r"(<!-- figures: .*? -->\n).*?(<!-- end of figures -->)", re.S)
UNSEEN = "benchmarks.unseen:extract"


def tables(together: Figures, by_corpus: Sequence[Figures]) -> Iterator[str]:
    yield f"All {together.pages:,} pages together; {together.failures:,} failed.\n"
    yield from markdown_table(category_rows(together))
    for figures in by_corpus:
        listed = ", ".join(f"{name} {value:.3f}" for name, value in figures.overall.items())
        yield f"\n`{figures.made['corpus']}`, {figures.pages:,} pages: {listed}.\n"
        yield from markdown_table(category_rows(figures))
        if len(figures.kinds) > 1:
            yield ""
            yield from markdown_table(group_rows("page type", figures.kinds))
    yield "\nHow true the verdicts are, on all pages:\n"
    yield from markdown_table(group_rows("verdict", together.verdicts))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--workers", type=int)
    args = parser.parse_args()
    shared = shared_folder()
    plan = Plan(extractor=UNSEEN, limit=args.limit, workers=args.workers)
    everything: list[PageScore] = []
    by_corpus = []
    for name in CORPORA:
        corpus = Corpus(corpus_folder(shared, name))
        scores = list(evaluate(corpus, plan))
        by_corpus.append(figures_of(plan.identity(corpus), scores))
        everything += scores
    text = "\n".join(tables(figures_of({}, everything), by_corpus))
    if args.limit:
        print(text)
        return 0
    PAGE.write_text(
        MARKED.sub(lambda m: f"{m[1]}\n{text}\n\n{m[2]}", PAGE.read_text(encoding="utf-8")), encoding="utf-8"
    )
    print(f"{PAGE.relative_to(ROOT)} has the figures of {len(everything):,} pages")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
