"""``duramen serve``: the HTTP service and the inspector."""

from __future__ import annotations

import argparse

from duramen.cli.flags import add_fetch_options, fetch_options_from
from duramen.cli.listen import (
    add_listen_options,
    check_flags,
    checked_host,
    limits_from,
    origins_from,
    serve,
    token_from,
)
from duramen.cli.log import Log
from duramen.corpus import Corpus
from duramen.errors import MissingExtra


def add_command(command: argparse.ArgumentParser) -> None:
    command.description = "Serve HTTP: POST /extract, GET /extract?url=…, and the inspector at /."
    add_listen_options(command, port=8321)
    command.add_argument("--workers", type=int, metavar="N", help="worker processes; default: up to 4")
    command.add_argument(
        "--seconds", type=float, default=30.0, metavar="N", help="time limit of one request; default: 30"
    )
    command.add_argument(
        "--max-body",
        type=int,
        default=8_000_000,
        metavar="BYTES",
        help="maximum size of a request body; default: 8000000",
    )
    command.add_argument("--max-requests", type=int, default=64, metavar="N", help="concurrent requests; default: 64")
    command.add_argument(
        "--corpus", metavar="FOLDER", help="annotated pages for the inspector, as linked by duramen eval"
    )
    command.add_argument(
        "--workbench",
        metavar="FOLDER",
        help="the inspector may save site rules and cases here, and uses the rules; default: it saves nothing",
    )
    add_fetch_options(command)


def run_command(args: argparse.Namespace, usage: argparse.ArgumentParser) -> int:
    """Serve until the user stops it."""
    try:
        from duramen.service.app import RANGES, ServiceOptions, create_app
    except ImportError:
        Log().error(str(MissingExtra("serve", "the HTTP service")))
        return 1
    token = token_from(args, usage)
    host = checked_host(args, token, usage)
    limits = limits_from(args)
    check_flags(args, RANGES, workers="workers", seconds="seconds", max_body="max_bytes", max_requests="requests")
    options = ServiceOptions(
        token=token,
        origins=origins_from(args, usage),
        max_bytes=args.max_body,
        seconds=args.seconds,
        workers=args.workers,
        requests=args.max_requests,
        fetch=fetch_options_from(args),
        corpus=Corpus(args.corpus) if args.corpus else None,
        workbench=args.workbench,
    )
    return serve(create_app(options), host, args.port, "/", limits)
