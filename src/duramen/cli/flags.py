"""The engine's options as command-line flags, shared by all commands that extract."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from duramen.errors import OptionError
from duramen.options import FetchOptions, Formulas, Mode, Options, Output, Rendering, Strategy, Tables

if TYPE_CHECKING:
    from duramen.selector_cache import SelectorCache


_MODES = "precision: drop doubtful blocks; recall: keep them; balanced: keep the likely ones; default: balanced"
_STRATEGIES = (
    "auto: all methods, weighed by a learned judge; or one published algorithm alone, to compare: density (text and"
    " links per element), readability (as in Firefox's reader view), stopwords (as in Goose and Newspaper), boilerpipe"
    " (words and links of neighbouring blocks), mce (the element with the most children that hold text); default: auto"
)


def add_options(command: argparse.ArgumentParser, url: bool = True, selectors: bool = True) -> None:
    if url:
        command.add_argument("-u", "--url", help="the page's URL; resolves links and selects site rules")
    command.add_argument("--encoding", metavar="NAME", help="character encoding; default: detected")
    command.add_argument("-m", "--mode", choices=get_args(Mode), default="balanced", help=_MODES)
    command.add_argument("--strategy", choices=get_args(Strategy), default="auto", help=_STRATEGIES)
    command.add_argument("--comments", action="store_true", help="keep readers' comments")
    _add_output(command)
    command.add_argument(
        "--rules",
        metavar="FOLDER",
        action="append",
        default=[],
        help="folder of site rules, with precedence over the shipped ones",
    )
    command.add_argument(
        "--filter-list",
        metavar="FILE",
        action="append",
        default=[],
        help="remove elements hidden by a list in EasyList syntax; debian: the packaged EasyList",
    )
    if selectors:
        command.add_argument(
            "--selector-cache",
            metavar="FILE",
            help="learn which selectors work for a site; write 'default' for the file in your cache folder",
        )


def _add_output(command: argparse.ArgumentParser) -> None:
    """How the content is written."""
    command.add_argument("--keep-classes", action="store_true", help="keep class and id in HTML")
    command.add_argument("--nofollow", action="store_true", help='add rel="nofollow" to links in HTML')
    command.add_argument("--no-links", action="store_true", help="write links as plain text")
    command.add_argument("--no-images", action="store_true", help="leave images out")
    command.add_argument("--front-matter", action="store_true", help="begin Markdown with the metadata as YAML")
    command.add_argument("--title-heading", action="store_true", help="begin Markdown with the title as a heading")
    command.add_argument(
        "--post-headings", action="store_true", help="write a forum's Markdown as posts below their authors and dates"
    )
    command.add_argument("--captions", action="store_true", help="keep captions of images in text")
    command.add_argument("--strip-tracking", action="store_true", help="take utm_source and the like off links")
    command.add_argument("--step-headings", action="store_true", help="write Markdown's heading levels without jumps")
    command.add_argument("--reference-links", action="store_true", help="write Markdown's links as [text][1]")
    command.add_argument(
        "--tables",
        choices=get_args(Tables),
        default="html",
        help="Markdown of tables with lists in them; default: html",
    )
    command.add_argument(
        "--formulas", choices=get_args(Formulas), default="dollars", help="Markdown of formulas; default: dollars"
    )


def options_from(args: argparse.Namespace) -> Options:
    """The engine's options for the command line's arguments."""
    output = Output(
        keep_classes=args.keep_classes,
        nofollow=args.nofollow,
        links=not args.no_links,
        images=not args.no_images,
        front_matter=args.front_matter,
        title_heading=args.title_heading,
        post_headings=args.post_headings,
        captions=args.captions,
        strip_tracking=args.strip_tracking,
        step_headings=args.step_headings,
        reference_links=args.reference_links,
        tables=args.tables,
        formulas=args.formulas,
    )
    return Options(
        mode=args.mode,
        strategy=args.strategy,
        include_comments=args.comments,
        encoding=args.encoding,
        rules=tuple(args.rules),
        filter_lists=tuple(args.filter_list),
        output=output,
    )


@contextmanager
def selectors_from(args: argparse.Namespace) -> Iterator[SelectorCache | None]:
    """The selector cache named on the command line, if any."""
    if not args.selector_cache:
        yield None
        return
    from duramen.selector_cache import SelectorCache

    with SelectorCache(cache_path(args.selector_cache)) as cache:
        yield cache


def cache_path(name: str) -> Path:
    from duramen.selector_cache import default_path

    return default_path() if name == "default" else Path(name)


def add_fetch_options(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("pages from the network")
    group.add_argument("--timeout", type=float, metavar="SECONDS", help="total time limit of one page; default: 30")
    group.add_argument("--max-bytes", type=int, metavar="N", help="maximum size of a page; default: 16000000")
    group.add_argument(
        "--user-agent", metavar="NAME", help="User-Agent header; its first word is matched against robots.txt"
    )
    group.add_argument(
        "--render", choices=get_args(Rendering), help="render pages in a browser; default: auto, only when needed"
    )
    group.add_argument("--browser", metavar="NAME", help="chromium, firefox, webkit, or the path of a browser")
    group.add_argument("--delay", type=float, metavar="SECONDS", help="time between two pages of one host; default: 1")
    group.add_argument(
        "--header", action="append", default=[], metavar="FIELD", help="'Name: value' for every request; repeatable"
    )
    group.add_argument("--cookies", metavar="FILE", help="Netscape cookie file; each cookie goes to its host only")
    group.add_argument("--netrc", metavar="FILE", help="user names and passwords by host, for basic authentication")
    group.add_argument("--proxy", metavar="URL", help="http://… or socks5://…; addresses are still checked")
    group.add_argument(
        "--browser-state", metavar="FILE", help="a login for the browser, saved with Playwright's storage_state"
    )
    group.add_argument("--wait-for", metavar="SELECTOR", help="wait in the browser until an element matches")
    group.add_argument(
        "--scroll",
        type=int,
        metavar="N",
        help="screens to scroll through in the browser, and lists to continue; default: 12",
    )
    group.add_argument("--join-pages", type=int, metavar="N", help="append up to N further pages of an article")
    group.add_argument("--cache", metavar="FOLDER", help="cache pages here, and download only changed ones again")
    group.add_argument("--ignore-robots", action="store_true", help="fetch pages that robots.txt disallows")
    group.add_argument(
        "--allow-private", action="store_true", help="fetch pages from private networks and this machine"
    )


def fetch_options_from(args: argparse.Namespace) -> FetchOptions:
    """The fetch options for the command line's arguments; flags that are not set keep their defaults."""
    names = """timeout max_bytes user_agent render browser wait_for scroll join_pages cache allow_private delay cookies
    browser_state proxy""".split()
    given = {name: value for name in names if (value := getattr(args, name)) is not None}
    headers = dict(_header(line) for line in args.header)
    return FetchOptions(robots=not args.ignore_robots, headers=headers, auth=args.netrc, **given)


def _header(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon:
        raise OptionError(f"--header {line!r} has no colon; write it as 'Accept-Language: de'")
    return name.strip(), value.strip()
