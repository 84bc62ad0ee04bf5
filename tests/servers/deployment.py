"""The files in deploy/: what they run, and a run of it in a clean virtual environment.

scripts/deployment      builds the environment as the Dockerfile does, from the files that its build gets, and starts
                        every server that the Dockerfile, the compose file and the systemd unit start
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ruamel.yaml import YAML

from .process import TOKEN, listening

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
ENVIRONMENT = "/opt/duramen"


def dockerfile() -> str:
    return re.sub(r"\\\n\s*", " ", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"))


def build_commands() -> list[str]:
    """The shell commands that make the environment, of all stages."""
    return [command for command in re.findall(r"^RUN (.+)$", dockerfile(), re.M) if ENVIRONMENT in command]


def server_commands() -> dict[str, list[str]]:
    """Every server that is started, by where it is written."""
    image = re.findall(r"^CMD (\[.+\])$", dockerfile(), re.M)
    found = {f"Dockerfile {number}": json.loads(command) for number, command in enumerate(image)}
    composed = YAML(typ="safe").load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    found |= {f"compose {name}": service["command"] for name, service in composed["services"].items()}
    unit = (DEPLOY / "duramen.service").read_text(encoding="utf-8")
    [command] = re.findall(r"^ExecStart=(.+)$", unit, re.M)
    return found | {"systemd": shlex.split(command)}


def health_command() -> list[str]:
    [command] = re.findall(r"^HEALTHCHECK .*CMD (\[.+\])$", dockerfile(), re.M)
    made: list[str] = json.loads(command)
    return made


def check_server(command: list[str], programs: Path, folder: Path) -> None:
    """Start a server as a file in deploy/ does, but on a free local port; ask for its health; stop it."""
    (folder / "token").write_text(TOKEN, encoding="utf-8")
    places = {
        f"{ENVIRONMENT}/bin/duramen": str(programs / "duramen"),
        "/run/secrets/token": str(folder / "token"),
        "${CREDENTIALS_DIRECTORY}/token": str(folder / "token"),
        "0.0.0.0": "127.0.0.1",
    }
    words = [places.get(word, word) for word in command]
    words[words.index("--port") + 1] = "0"
    words[0] = str(programs / "duramen")
    with_token = {} if "--token-file" in words else {"DURAMEN_TOKEN": TOKEN}
    plain = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    if programs == Path(sys.executable).parent:
        plain = dict(os.environ)
    with listening(words, {**plain, "PYTHONUNBUFFERED": "1", **with_token}) as (address, _):
        port = address.rpartition(":")[2]
        health = [word.replace("8321", port) for word in health_command()]
        done = subprocess.run([str(programs / "python"), *health[1:]], capture_output=True, text=True, timeout=60)
        # The MCP server has no page for it, so its container has no health check.
        assert (done.returncode == 0) == ("serve" in words), done.stderr


def copied_sources(folder: Path) -> None:
    """The files that the image's build gets."""
    patterns = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").split()
    kept = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    left_out = [pattern.removeprefix("**/") for pattern in patterns if pattern[0] not in "!" and pattern != "*"]
    folder.mkdir()
    for name in kept:
        source = ROOT / name
        if source.is_dir():

            def ignored(place: str, names: list[str]) -> Iterator[str]:
                for each in names:
                    path = (Path(place) / each).relative_to(ROOT).as_posix()
                    if any(fnmatch.fnmatch(path, one) or fnmatch.fnmatch(each, one) for one in left_out):
                        yield each

            shutil.copytree(source, folder / name, ignore=lambda *found: set(ignored(*found)))
        else:
            shutil.copy(source, folder / name)


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="duramen-deployment-") as made:
        folder = Path(made)
        copied_sources(folder / "src")
        for command in build_commands():
            command = command.replace(ENVIRONMENT, str(folder / "environment")).replace('"/src[', f'"{folder}/src[')
            print(f"deployment: {command}", flush=True)
            subprocess.run(command, shell=True, check=True, cwd=folder)
        for name, words in server_commands().items():
            check_server(words, folder / "environment" / "bin", folder)
            print(f"deployment: {name} starts, responds and stops", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
