"""``duramen cache``: what the selector cache has learned about sites."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from duramen.cli.flags import cache_path
from duramen.errors import OptionError
from duramen.explain import printable
from duramen.selector_cache import SelectorCache, site_of


def add_command(command: argparse.ArgumentParser) -> None:
    command.description = "Show or clear what duramen extract --selector-cache has learned about sites."
    command.epilog = (
        "History: + the selector was the best choice, - another choice was better, . it was not on the page."
        " Exit code: 0 success, 1 the cache has no entries, 2 wrong usage."
    )
    command.add_argument("action", choices=("list", "show", "clear"))
    command.add_argument(
        "site",
        nargs="?",
        metavar="SITE",
        help="a host name or URL; required by show; clear without it removes all sites",
    )
    command.add_argument(
        "--file", metavar="FILE", default="default", help="the cache file; default: the one in your cache folder"
    )
    command.add_argument("-j", "--json", action="store_true", help="for programs")


def run_command(args: argparse.Namespace, usage: argparse.ArgumentParser) -> int:
    """Print or remove entries of the cache."""
    path = cache_path(args.file)
    if args.action == "show" and not args.site:
        usage.error("show needs a site: duramen cache show example.org")
    if not Path(path).is_file():
        raise OptionError(
            f"there is no selector cache {path} yet; duramen extract --selector-cache {args.file} creates it"
        )
    site = site_of(args.site if "//" in args.site else f"//{args.site}") if args.site else None
    with SelectorCache(path) as cache:
        if args.action == "clear":
            lines = [f"{cache.clear(site)} selectors removed"]
        elif args.action == "list":
            lines = list_sites(cache, args.json)
        else:
            lines = show_site(cache, site or "", args.json)
    sys.stdout.writelines(f"{printable(line)}\n" for line in lines)
    return 0 if lines else 1


def list_sites(cache: SelectorCache, as_json: bool) -> list[str]:
    sites = cache.sites()
    if as_json:
        names = ("site", "selectors", "retired", "last_served")
        return [json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) for row in sites]
    return [
        f"{site}  {count} selectors, {retired} retired, last used {day(last)}" for site, count, retired, last in sites
    ]


def show_site(cache: SelectorCache, site: str, as_json: bool) -> list[str]:
    now = cache.clock()
    lines: list[str] = []
    for entry in cache.entries(site):
        state = entry.state(now, cache.max_age)
        if as_json:
            lines.append(json.dumps(asdict(entry) | {"state": state, "rate": entry.rate}, ensure_ascii=False))
            continue
        lines += [
            entry.selector,
            f"  {state}; served on {entry.served} of {entry.pages} pages, {100 * entry.rate:.0f} % of the recent ones"
            " that have it",
            f"  history {entry.history}  expected F1 {entry.score:.2f}",
            f"  learned {day(entry.learned)} from {entry.tier} ({entry.rule_id}), last served {day(entry.last_served)}",
        ]
    return lines


def day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
