"""``duramen mcp``: the engine as tools for AI agents."""

from __future__ import annotations

import argparse

from duramen.cli.flags import add_fetch_options, fetch_options_from
from duramen.cli.listen import add_listen_options, checked_host, limits_from, origins_from, serve, token_from
from duramen.cli.log import Log
from duramen.errors import MissingExtra


def add_command(command: argparse.ArgumentParser) -> None:
    command.description = (
        "Serve the Model Context Protocol on standard input and output, or with --http over streamable HTTP at /mcp."
    )
    command.add_argument("--http", action="store_true", help="serve HTTP instead of standard input and output")
    add_listen_options(command, port=8322)
    add_fetch_options(command)


def run_command(args: argparse.Namespace, usage: argparse.ArgumentParser) -> int:
    """Serve until the client disconnects or the user stops it."""
    try:
        from duramen.agents.server import create_server
        from duramen.agents.web import web_app
    except ImportError:
        Log().error(str(MissingExtra("mcp", "the server for agents")))
        return 1
    server = create_server(fetch_options_from(args))
    if not args.http:
        server.run("stdio")
        return 0
    token = token_from(args, usage)
    host = checked_host(args, token, usage)
    return serve(web_app(server, token, origins_from(args, usage)), host, args.port, "/mcp", limits_from(args))
