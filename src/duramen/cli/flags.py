"""The engine's options as flags, the same for every command that extracts."""

from __future__ import annotations

import argparse
from typing import get_args

from duramen.options import Mode, Options, Output, Strategy


def add_options(command: argparse.ArgumentParser, url: bool = True) -> None:
    if url:
        command.add_argument("--url", help="the page's address, for its links and its rules")
    command.add_argument("--encoding", metavar="NAME", help="the bytes' encoding, if you know it better than the page")
    command.add_argument("--mode", choices=get_args(Mode), default="balanced", help="default: balanced")
    command.add_argument("--strategy", choices=get_args(Strategy), default="auto", help="default: auto")
    command.add_argument("--comments", action="store_true", help="keep readers' comments")
    command.add_argument("--keep-classes", action="store_true", help="keep class and id in HTML")
    command.add_argument("--nofollow", action="store_true", help='add rel="nofollow" to links in HTML')
    command.add_argument("--no-links", action="store_true", help="write links as plain text")
    command.add_argument("--no-images", action="store_true", help="leave images out")
    command.add_argument("--front-matter", action="store_true", help="begin Markdown with the metadata as YAML")


def options_from(args: argparse.Namespace) -> Options:
    """The engine's options out of the command line's."""
    output = Output(
        keep_classes=args.keep_classes,
        nofollow=args.nofollow,
        links=not args.no_links,
        images=not args.no_images,
        front_matter=args.front_matter,
    )
    return Options(
        mode=args.mode,
        strategy=args.strategy,
        include_comments=args.comments,
        encoding=args.encoding,
        output=output,
    )
