"""``duramen batch``: extract crawls into tables, on this machine or a cluster."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from duramen.batch.input_files import KINDS
from duramen.batch.job import DUPLICATES, FORMATS, Job
from duramen.batch.part_columns import PARTS
from duramen.batch.progress import Progress
from duramen.batch.run import run_batch
from duramen.batch.schema import CONTENT
from duramen.batch.shards import Reading
from duramen.batch.summary import Summary
from duramen.cli.flags import add_fetch_options, add_options, fetch_options_from, options_from
from duramen.cli.log import Log
from duramen.errors import BatchError, FetchError, MissingExtra, OptionError

_SIZES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}


def add_command(command: argparse.ArgumentParser) -> None:
    command.description = "Extract millions of pages. After an interruption, run the same command again to resume."
    command.epilog = (
        "Exit code: 0 complete (failed pages are rows in failures/), 1 the run failed, 2 wrong usage,"
        " 130 interrupted. A summary is printed to standard output as JSON."
    )
    command.add_argument("inputs", nargs="*", metavar="INPUT", help="WARC, WACZ, folder, JSONL, Parquet, CDX, URL list")
    command.add_argument(
        "-o", "--output", required=True, metavar="FOLDER", help="a new folder, or the folder of a run to resume"
    )
    command.add_argument("--from", dest="kind", choices=KINDS, help="the kind of the inputs; default: from their names")
    command.add_argument(
        "--from-sitemap",
        metavar="URL",
        help="the pages in a site's sitemaps; the list is kept beside the output, so that a resumed run has the same",
    )
    command.add_argument("--to", choices=FORMATS, default="parquet", help="default: parquet")
    command.add_argument(
        "--content", default="text", metavar="NAMES", help=f"comma-separated, from {','.join(CONTENT)}; default: text"
    )
    command.add_argument(
        "--columns", default="", metavar="NAMES", help="comma-separated columns besides the content; default: all"
    )
    command.add_argument(
        "--parts",
        default="",
        metavar="NAMES",
        help=f"add nested columns, comma-separated, from {','.join(PARTS)}; default: none",
    )
    command.add_argument(
        "--carry",
        default="all",
        metavar="NAMES",
        help="columns of JSONL or Parquet inputs to carry through, comma-separated, all or none; default: all",
    )
    command.add_argument("--compress", action="store_true", help="compress JSONL with zstd")
    command.add_argument("-w", "--workers", type=int, metavar="N", help="worker processes; default: one per core")
    command.add_argument("--engine", choices=("local", "ray", "spark"), default="local", help="default: local")
    command.add_argument(
        "--engine-option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="setting of the engine, repeatable: address=HOST:6379, runtime_env=JSON, master=URL, spark.NAME=VALUE",
    )
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
    add_shape_options(command)
    command.add_argument("--duplicates", action="store_true", help="list exact and near duplicates in a table")
    command.add_argument(
        "--boilerplate", action="store_true", help="first find blocks that repeat on each host's pages"
    )
    command.add_argument(
        "--extractor", default="", metavar="MODULE:FUNCTION", help="function to call instead of the engine"
    )
    command.add_argument(
        "--retry-failures",
        default="",
        metavar="CODES",
        help="process pages that failed once more: all, or comma-separated codes such as timeout,fetch",
    )
    command.add_argument("--restart", action="store_true", help="remove the output of an earlier run and start over")
    command.add_argument("-q", "--quiet", action="store_true", help="no progress; errors are still printed")
    add_options(command, url=False)
    add_fetch_options(command)


def add_shape_options(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("what is written")
    rule = "COLUMN=VALUE,VALUE, COLUMN>=NUMBER or COLUMN<=NUMBER; repeatable"
    group.add_argument(
        "--keep", action="append", default=[], metavar="RULE", help=f"drop rows that do not meet the rule: {rule}"
    )
    group.add_argument("--drop", action="append", default=[], metavar="RULE", help="drop rows that meet the rule")
    group.add_argument(
        "--drop-duplicates", choices=DUPLICATES, default="", help="drop pages with the text of an earlier page"
    )
    group.add_argument("--dropped", action="store_true", help="write dropped rows, with the reason, to dropped/")
    group.add_argument(
        "--partition", default="", metavar="NAMES", help="folders of pages: language, crawl, host:N; comma-separated"
    )
    group.add_argument(
        "--file-size", type=size, default=0, metavar="SIZE", help="bytes of a file of pages; default: a file per shard"
    )


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
    if bool(args.inputs) == bool(args.from_sitemap):
        usage.error("name inputs, or a site with --from-sitemap")
    try:
        with _stdout_for_summary():
            summary = run_batch(
                [listed_pages(args)] if args.from_sitemap else args.inputs,
                job_from(args),
                kind=args.kind,
                shard_size=args.shard_size,
                workers=args.workers,
                engine=args.engine,
                engine_options=dict(engine_option(text) for text in args.engine_option),
                restart=args.restart,
                retry=names_in(args.retry_failures),
                progress=Progress(args.quiet),
            )
    except (BatchError, FetchError, MissingExtra, OSError) as error:
        Log().error(f"{error}")
        if not isinstance(error, MissingExtra):
            Log().note("finished pages are kept; fix the cause and run the same command to resume")
        return 1
    print(json.dumps(summary.to_dict(), indent=2))
    print_outcome(summary, args)
    return 130 if summary.stopped else 0


@contextmanager
def _stdout_for_summary() -> Iterator[None]:
    """Send what Ray, Spark and their processes print to standard error: standard output has the summary alone."""
    sys.stdout.flush()
    try:
        saved = os.dup(1)
    except OSError:  # no standard output
        yield
        return
    try:
        os.dup2(2, 1)
        yield
    finally:
        sys.stdout.flush()
        os.dup2(saved, 1)
        os.close(saved)


def engine_option(text: str) -> tuple[str, str]:
    """
    >>> engine_option("address=10.0.0.1:6379")
    ('address', '10.0.0.1:6379')
    """
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise OptionError(f"--engine-option {text!r}: write NAME=VALUE")
    return name.strip(), value


def names_in(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def listed_pages(args: argparse.Namespace) -> str:
    """The file with the URLs of a site's sitemaps; it is written once, and with --restart again."""
    path = Path(f"{args.output.rstrip('/')}.urls")
    if "://" in args.output:
        raise BatchError("--from-sitemap keeps the list of pages beside the output, which has to be a local folder")
    if path.exists() and not args.restart:
        return str(path)
    from duramen.session import Session

    with Session(fetch=fetch_options_from(args)) as session:
        sitemap = session.sitemap(args.from_sitemap)
    for limit in sitemap.limits:
        Log().note(limit)
    if not sitemap.entries:
        raise BatchError(f"{args.from_sitemap}: no sitemap lists pages; duramen links shows what the site has")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{entry.url}\n" for entry in sitemap.entries), encoding="utf-8")
    return str(path)


def print_outcome(summary: Summary, args: argparse.Namespace) -> None:
    """Print the counts, and how to resume a stopped run."""
    total = summary.total
    if not args.quiet:
        equation = f"{total.read:,} pages in = {total.rows:,} rows + {total.failures:,} failures"
        if dropped := sum(total.filtered.values()):
            equation += f" + {dropped:,} dropped"
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
        content=names_in(args.content),
        columns=names_in(args.columns),
        parts=names_in(args.parts),
        carry={"all": None, "none": ()}.get(args.carry, names_in(args.carry)),
        keep=tuple(args.keep),
        drop=tuple(args.drop),
        drop_duplicates=args.drop_duplicates,
        dropped=args.dropped,
        partition=names_in(args.partition),
        file_size=args.file_size,
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
