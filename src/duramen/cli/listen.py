"""Flags for address, access and limits of a server, shared by all commands that serve."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from socket import AF_INET, AF_INET6, create_server, socket
from typing import TYPE_CHECKING

from duramen.cli.log import Log
from duramen.option_checks import check_number

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from duramen.service.connections import ConnectionLimits

TOKEN_VARIABLE = "DURAMEN_TOKEN"
SHORTEST_TOKEN = 16


def add_listen_options(command: argparse.ArgumentParser, port: int) -> None:
    group = command.add_argument_group("address and access")
    group.add_argument("--host", default="127.0.0.1", help="address; default: 127.0.0.1, this machine only")
    group.add_argument("--port", type=int, default=port, help=f"default: {port}; 0 chooses a free one")
    group.add_argument(
        "--token-file", metavar="FILE", help=f"file with the token that clients must send; or set {TOKEN_VARIABLE}"
    )
    group.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        metavar="URL",
        help="allow pages of this origin to use the server, such as https://app.example; repeatable",
    )
    _add_client_limits(command.add_argument_group("limits on clients"))


def _add_client_limits(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--head-seconds",
        type=float,
        default=10.0,
        metavar="N",
        help="time for a client to send the head of a request; default: 10",
    )
    group.add_argument(
        "--body-seconds",
        type=float,
        default=20.0,
        metavar="N",
        help="time for a client to send the body of a request; default: 20",
    )
    group.add_argument("--max-connections", type=int, default=400, metavar="N", help="open at once; default: 400")
    group.add_argument(
        "--max-connections-per-client",
        type=int,
        default=200,
        metavar="N",
        help="open at once from one IP address; default: 200",
    )
    group.add_argument(
        "--grace-seconds",
        type=float,
        default=10.0,
        metavar="N",
        help="time for requests to finish when the server is stopped, then they get 503; default: 10",
    )


def token_from(args: argparse.Namespace, usage: argparse.ArgumentParser) -> str | None:
    """The token, from a file or the environment: other users of the machine could read it on the command line."""
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
        usage.error(f"a token needs at least {SHORTEST_TOKEN} ASCII characters; create one: openssl rand -hex 24")
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


def origins_from(args: argparse.Namespace, usage: argparse.ArgumentParser) -> tuple[str, ...]:
    """The origins of --allow-origin, which must be as browsers send them."""
    from duramen.service.guard import canonical_origin

    for given in args.allow_origin:
        wanted = canonical_origin(given)
        if wanted != given:
            usage.error(f"--allow-origin: {given!r} is not an origin; write {wanted or 'https://app.example'}")
    return tuple(args.allow_origin)


def limits_from(args: argparse.Namespace) -> ConnectionLimits:
    """The connection limits for the command line's arguments."""
    from duramen.service.connections import RANGES, ConnectionLimits

    check_flags(
        args,
        RANGES,
        head_seconds="head_seconds",
        body_seconds="body_seconds",
        max_connections="connections",
        max_connections_per_client="per_client",
        grace_seconds="grace_seconds",
    )
    return ConnectionLimits(
        head_seconds=args.head_seconds,
        body_seconds=args.body_seconds,
        connections=args.max_connections,
        per_client=args.max_connections_per_client,
        grace_seconds=args.grace_seconds,
    )


def check_flags(args: argparse.Namespace, ranges: Mapping[str, tuple[float, float]], **fields: str) -> None:
    """Check the numbers of flags, given with the field that each sets, and report them under their flags' names."""
    for name, field in fields.items():
        value = getattr(args, name)
        if value is not None:
            check_number(f"--{name.replace('_', '-')}", value, *ranges[field], whole=isinstance(value, int))


def serve(app: ASGIApp, host: str, port: int, path: str, limits: ConnectionLimits) -> int:
    """Serve an app until the user stops it, and print the address to standard error."""
    from duramen.service.connections import LimitedServer, reserve_files

    class Server(LimitedServer):
        async def startup(self, sockets: list[socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                at = self.servers[0].sockets[0].getsockname()[1]
                shown = f"[{host}]" if ":" in host else host
                Log().info(f"listening on http://{shown}:{at}{path}")

    try:
        create_server((host, port), family=AF_INET6 if ":" in host else AF_INET).close()
    except OSError as error:
        Log().error(f"cannot listen on {host}, port {port} ({error.strerror}); choose another --port or --host")
        return 1
    allowed = reserve_files(limits.files)
    if allowed < limits.files:
        Log().note(
            f"this system allows {allowed} open files, and {limits.connections} connections may need {limits.files};"
            " raise the limit (ulimit -n), or lower --max-connections"
        )
    server = Server(app, host, port, limits)
    server.run()
    return 0 if server.started else 1
