"""Where a server listens and who may ask it: the same flags for every command that serves."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.log import Log

if TYPE_CHECKING:
    from starlette.types import ASGIApp

TOKEN_VARIABLE = "DURAMEN_TOKEN"
SHORTEST_TOKEN = 16


def add_listen_options(command: argparse.ArgumentParser, port: int) -> None:
    group = command.add_argument_group("where it listens")
    group.add_argument("--host", default="127.0.0.1", help="default: 127.0.0.1, this machine only")
    group.add_argument("--port", type=int, default=port, help=f"default: {port}; 0 takes a free one")
    group.add_argument(
        "--token-file", metavar="FILE", help=f"who asks must know what is in it; or set {TOKEN_VARIABLE}"
    )
    group.add_argument(
        "--allow-origin", action="append", default=[], metavar="URL", help="pages of this origin may ask, too"
    )


def token_from(args: argparse.Namespace, usage: argparse.ArgumentParser) -> str | None:
    """The token, from a file or the environment: on the command line every user of the machine would see it."""
    if args.token_file is None:
        token = os.environ.get(TOKEN_VARIABLE, "").strip()
    else:
        try:
            token = Path(args.token_file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            usage.error(f"--token-file: {error}")
    if args.token_file is None and not token:
        return None
    if len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        usage.error(f"a token has at least {SHORTEST_TOKEN} plain characters; make one: openssl rand -hex 24")
    return token


def checked_host(args: argparse.Namespace, token: str | None, usage: argparse.ArgumentParser) -> str:
    from duramen.service.guard import is_loopback

    host: str = args.host
    if token is None and not is_loopback(host):
        usage.error(
            f"on {host} others could use this server; set a token (--token-file, {TOKEN_VARIABLE}), or leave out --host"
        )
    if not 0 <= args.port < 65_536:
        usage.error("--port must be between 0 and 65535")
    return host


def serve(app: ASGIApp, host: str, port: int, path: str) -> int:
    """Serve an app until the user stops it. Says where on standard error."""
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
            await super().startup()
            if self.started:
                at = self.servers[0].sockets[0].getsockname()[1]
                shown = f"[{host}]" if ":" in host else host
                Log().info(f"listening on http://{shown}:{at}{path}")

    config = uvicorn.Config(
        app, host=host, port=port, log_level="warning", server_header=False, timeout_graceful_shutdown=5, ws="none"
    )
    server = Server(config)
    server.run()
    return 0 if server.started else 1
