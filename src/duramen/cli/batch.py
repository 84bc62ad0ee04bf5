"""``duramen batch``: extract crawls into tables, on this machine or a cluster."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys

from duramen.batch.job import FORMATS, Job
from duramen.batch.progress import Progress
from duramen.batch.records import CONTENT
from duramen.batch.run import Summary, run_batch
from duramen.batch.shards import Reading
from duramen.batch.sources import KINDS
from duramen.cli.flags import add_fetch_options, add_options, fetch_options_from, options_from
from duramen.cli.log import Log
from duramen.errors import BatchError, MissingExtra

_SIZES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}


def add_command(command: argparse.ArgumentParser) -> None:
    command.description = "Extract millions of pages. After an interruption, run the same command again to resume."
    command.epilog = (
        "Exit code: 0 complete (failed pages are rows in failures/), 1 the run failed, 2 wrong usage,"
        " 130 interrupted. A summary is printed to standard output as JSON."
    )
    command.add_argument("inputs", nargs="+", metavar="INPUT", help="WARC, WACZ, folder, JSONL, Parquet, CDX, URL list")
    command.add_argument(
        "--output", required=True, metavar="FOLDER", help="a new folder, or the folder of a run to resume"
    )
    command.add_argument("--from", dest="kind", choices=KINDS, help="the kind of the inputs; default: from their names")
    command.add_argument("--to", choices=FORMATS, default="parquet", help="default: parquet")
    command.add_argument(
        "--content", default="text", metavar="NAMES", help=f"comma-separated, from {','.join(CONTENT)}; default: text"
    )
    command.add_argument("--compress", action="store_true", help="compress JSONL with zstd")
    command.add_argument("--workers", type=int, metavar="N", help="worker processes; default: one per core")
    command.add_argument("--engine", choices=("local", "ray", "spark"), default="local", help="default: local")
    command.add_argument(
        "--deadline", type=float, default=60.0, metavar="SECONDS", help="time limit of a page; default: 60"
    )
    command.add_argument(
        "--memory", type=size, default=2 * 10**9, metavar="SIZE", help="memory limit of a worker; default: 2G"
    )
    command.add_argument("--shard-size", type=size, metavar="SIZE", help="input bytes per shard; default: 8M to 128M")
    command.add_argument(
        "--html-column", default="html", metavar="NAME", help="column of JSONL or Parquet; default: html"
    )
    command.add_argument("--url-column", default="url", metavar="NAME", help="default: url")
    command.add_argument(
        "--id-column", default="id", metavar="NAME", help="default: id, or else the position in the file"
    )
    command.add_argument("--archives", default="", metavar="FOLDER", help="folder or URL of the files in a CDX list")
    command.add_argument("--duplicates", action="store_true", help="mark exact and near duplicates")
    command.add_argument(
        "--boilerplate", action="store_true", help="first find blocks that repeat on each host's pages"
    )
    command.add_argument(
        "--extractor", default="", metavar="MODULE:FUNCTION", help="function to call instead of the engine"
    )
    command.add_argument("--restart", action="store_true", help="remove the output of an earlier run and start over")
    command.add_argument("--quiet", action="store_true", help="no progress; errors are still printed")
    add_options(command, url=False)
    add_fetch_options(command)


def size(text: str) -> int:
    """
    >>> size("64M")
    64000000
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmg]?)b?", text.strip().lower())
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size; write 500M or 2G")
    return int(float(match[1]) * _SIZES[match[2]])


def run_command(args: argparse.Namespace, usage: argparse.ArgumentParser) -> int:
    """Run the batch, and print its summary."""
    try:
        summary = run_batch(
            args.inputs,
            job_from(args),
            kind=args.kind,
            shard_size=args.shard_size,
            workers=args.workers,
            engine=args.engine,
            restart=args.restart,
            progress=Progress(args.quiet),
        )
    except (BatchError, MissingExtra, OSError) as error:
        Log().error(f"{error}")
        if not isinstance(error, MissingExtra):
            Log().note("finished pages are kept; fix the cause and run the same command to resume")
        return 1
    print(json.dumps(summary.to_dict(), indent=2))
    print_outcome(summary, args)
    return 130 if summary.stopped else 0


def print_outcome(summary: Summary, args: argparse.Namespace) -> None:
    """Print the counts, and how to resume a stopped run."""
    total = summary.total
    if not args.quiet:
        equation = f"{total.read:,} pages in = {total.rows:,} rows + {total.failures:,} failures"
        Log().note(f"{equation}, in {summary.done} of {summary.shards} shards")
    if summary.stopped:
        words = [word for word in sys.argv[1:] if word != "--restart"]
        Log().note(f"stopped; finished pages are kept. To resume: duramen {shlex.join(words)}")


def job_from(args: argparse.Namespace) -> Job:
    """The job for the command line's arguments."""
    options = options_from(args)
    fetch = fetch_options_from(args)
    return Job(
        output=args.output,
        format=args.to,
        content=tuple(name.strip() for name in args.content.split(",")),
        compress=args.compress,
        options=options,
        reading=Reading(
            html_column=args.html_column,
            url_column=args.url_column,
            id_column=args.id_column,
            archives=args.archives,
            max_bytes=options.limits.max_bytes,
        ),
        fetch=fetch,
        extractor=args.extractor,
        deadline=args.deadline,
        memory=args.memory,
        duplicates=args.duplicates,
        boilerplate=args.boilerplate,
    )
