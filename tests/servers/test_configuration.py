"""The configurations in README and docs are what clients read, and start the server that is there."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from socket import create_server

import pytest

from duramen.cli import COMMANDS, main


@pytest.mark.parametrize(("page", "count"), [("README.md", 1), ("docs/agents.md", 3)])
def test_clients_are_configured(page: str, count: int, root: Path) -> None:
    text = (root / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```(json|toml)\n(.*?)^```$", text, re.M | re.S)
    tables = [json.loads(text) if kind == "json" else tomllib.loads(text) for kind, text in blocks]
    servers = [next(iter(table.values()))["duramen"] for table in tables]
    assert len(servers) == count
    assert all((server["command"], server["args"]) == ("duramen", ["mcp"]) for server in servers)
    assert "mcp" in COMMANDS


@pytest.mark.parametrize("command", ["mcp --http", "serve"])
def test_server_for_others_needs_a_token(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DURAMEN_TOKEN", raising=False)
    with pytest.raises(SystemExit) as stop:
        main([*command.split(), "--host", "0.0.0.0"])
    assert stop.value.code == 2
    assert "set a token" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["mcp --http", "serve"])
def test_a_port_that_is_taken(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main([*command.split(), "--port", str(port)]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"duramen: error: cannot listen on 127.0.0.1, port {port} (")
    assert said.endswith("); choose another --port or --host\n")


@pytest.mark.parametrize("token", ["short", "with a space in it 0123456789", "größer-als-sechzehn-zeichen"])
def test_weak_tokens_are_refused(token: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "token"
    file.write_text(token, encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["serve", "--token-file", str(file)])
    assert "at least 16 ASCII characters" in capsys.readouterr().err


def test_missing_token_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--token-file", str(tmp_path / "none")])
    assert "--token-file" in capsys.readouterr().err


@pytest.mark.parametrize(("command", "module"), [("mcp", "duramen.agents.server"), ("serve", "duramen.service.app")])
def test_missing_packages_are_named(
    command: str, module: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert main([command]) == 1
    assert f"pip install 'duramen[{command}]'" in capsys.readouterr().err
