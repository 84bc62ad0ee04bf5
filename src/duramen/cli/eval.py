"""``duramen eval``: measure the quality of extraction on annotated pages."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from duramen.cli.flags import add_options, options_from
from duramen.cli.log import Log
from duramen.corpus import Corpus
from duramen.errors import BatchError
from duramen.evaluation.causes import Miss, misses_of
from duramen.evaluation.figures import CONTENT_RIGHT, Figures, figures_of
from duramen.evaluation.page import html_report
from duramen.evaluation.report import INSPECTOR, as_data, text_report
from duramen.evaluation.run import Journal, Plan, evaluate
from duramen.evaluation.scoring import PageScore


def add_command(command: argparse.ArgumentParser) -> None:
    command.description = "Score the pages of a corpus: success by site category and page type, worst pages first."
    command.epilog = (
        "A corpus is a folder with truth.jsonl and html/ID.html.gz. With --output, a stopped evaluation is"
        " resumed. Exit code: 0 evaluated, 1 the evaluation failed, 2 wrong usage, 130 interrupted."
    )
    command.add_argument("corpus", metavar="CORPUS", help="a folder with truth.jsonl and html/")
    command.add_argument(
        "--output", metavar="FOLDER", help="folder for report.html, report.json, report.txt and pages.jsonl"
    )
    command.add_argument("-j", "--json", action="store_true", help="print JSON instead of text")
    command.add_argument("--worst", type=int, default=20, metavar="N", help="pages to list; default: 20")
    command.add_argument(
        "--content-right",
        type=float,
        default=CONTENT_RIGHT,
        metavar="SCORE",
        help=f"content counts as right from this score on; default: {CONTENT_RIGHT}",
    )
    command.add_argument("--limit", type=int, metavar="N", help="only the first N pages")
    command.add_argument("-w", "--workers", type=int, metavar="N", help="worker processes; default: one per core")
    command.add_argument(
        "--deadline", type=float, default=60.0, metavar="SECONDS", help="time limit of a page; default: 60"
    )
    command.add_argument(
        "--extractor", default="", metavar="MODULE:FUNCTION", help="function to call instead of the engine"
    )
    command.add_argument(
        "--inspector", default=INSPECTOR, metavar="URL", help=f"target of the report's links; default: {INSPECTOR}"
    )
    command.add_argument("--restart", action="store_true", help="ignore the scores of a stopped evaluation in --output")
    command.add_argument("-q", "--quiet", action="store_true", help="no progress; errors are still printed")
    add_options(command, url=False, selectors=False)


def run_command(args: argparse.Namespace, usage: argparse.ArgumentParser) -> int:
    """Evaluate, and print the report."""
    if not 0 < args.content_right <= 1 or args.worst < 0:
        usage.error("--content-right must be above 0 and at most 1, --worst at least 0")
    if not args.inspector.startswith(("http://", "https://")):
        usage.error("--inspector must be the address of duramen serve: http://HOST:PORT")
    corpus = Corpus(args.corpus)
    plan = Plan(
        options=options_from(args),
        extractor=args.extractor,
        limit=args.limit,
        workers=args.workers,
        deadline=args.deadline,
    )
    try:
        scores = scored(corpus, plan, args)
        figures = figures_of(plan.identity(corpus), scores, args.content_right, args.worst)
        misses = misses_of(corpus, scores, figures.categories, args.content_right)
        if args.output:
            write(figures, misses, args)
    except (OSError, BatchError) as error:
        Log().error(str(error))
        return 1
    sys.stdout.write(as_json(figures, misses) if args.json else as_text(figures, misses, args))
    return 0


def scored(corpus: Corpus, plan: Plan, args: argparse.Namespace) -> list[PageScore]:
    """Every score, with progress on standard error."""
    pages = min(len(corpus), plan.limit or len(corpus))
    journal = Journal(Path(args.output), plan.identity(corpus), pages, args.restart) if args.output else None
    log = Log(pages, args.quiet)
    if journal is not None and journal.scores and not args.quiet:
        log.note(f"resuming: {len(journal.scores)} of {pages} pages are already scored; --restart starts over")
    scores = []
    for score in evaluate(corpus, plan, journal):
        scores.append(score)
        if score.failure:
            log.error(f"{score.id}: {score.failure}")
        log.doubtful += score.verdict in ("poor", "empty")
        log.step()
    log.close()
    return scores


def write(figures: Figures, misses: Sequence[Miss], args: argparse.Namespace) -> None:
    """All three forms of the report."""
    folder = Path(args.output)
    corpus = shlex.quote(args.corpus)
    (folder / "report.html").write_text(html_report(figures, corpus, args.inspector, misses), encoding="utf-8")
    (folder / "report.json").write_text(as_json(figures, misses), encoding="utf-8")
    (folder / "report.txt").write_text(as_text(figures, misses, args), encoding="utf-8")


def as_json(figures: Figures, misses: Sequence[Miss]) -> str:
    return (
        json.dumps(as_data(figures) | {"misses": [asdict(miss) for miss in misses]}, ensure_ascii=False, indent=2)
        + "\n"
    )


def as_text(figures: Figures, misses: Sequence[Miss], args: argparse.Namespace) -> str:
    lines = text_report(figures, shlex.quote(args.corpus), args.inspector, misses)
    return "".join(f"{line}\n" for line in lines)
