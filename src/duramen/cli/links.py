"""``duramen links``: the links of a page, or what its site lists: feeds and sitemaps."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from duramen.cli.flags import add_fetch_options, fetch_options_from
from duramen.cli.log import Log
from duramen.errors import FetchError, MissingExtra
from duramen.session import Session

SOURCES = ("content", "navigation", "feeds", "sitemap")


def add_command(command: argparse.ArgumentParser) -> None:
    command.description = "Print links, one per line: the URL, a tab, and its label or date."
    command.add_argument(
        "url", metavar="URL", help="a page; for a sitemap, any page of the site, or the sitemap itself"
    )
    command.add_argument(
        "--from",
        dest="source",
        choices=SOURCES,
        default="content",
        help="the page's content (default), the links around it, the items of its feeds, or the site's sitemaps",
    )
    command.add_argument("--limit", type=int, default=50_000, metavar="N", help="URLs to print at most; default: 50000")
    add_fetch_options(command)


def run_command(args: argparse.Namespace, usage: argparse.ArgumentParser) -> int:
    """Print the links."""
    if args.limit < 1:
        usage.error("--limit must be at least 1")
    log = Log()
    try:
        with Session(fetch=fetch_options_from(args)) as session:
            for number, (url, label) in enumerate(_found(session, args, log)):
                if number >= args.limit:
                    break
                sys.stdout.write(f"{url}\t{label}\n" if label else f"{url}\n")
    except (FetchError, MissingExtra) as error:
        log.error(str(error))
        return 1
    sys.stdout.flush()
    return 0


def _found(session: Session, args: argparse.Namespace, log: Log) -> Iterator[tuple[str, str]]:
    if args.source == "sitemap":
        sitemap = session.sitemap(args.url, urls=args.limit)
        for limit in sitemap.limits:
            log.note(limit)
        yield from ((entry.url, entry.modified) for entry in sitemap.entries)
    elif args.source == "feeds":
        yield from ((item.url, item.title) for feed in session.feeds(args.url) for item in feed.items if item.url)
    else:
        links = session.links(args.url, navigation=args.source == "navigation")
        yield from ((link.url, link.text) for link in links)
