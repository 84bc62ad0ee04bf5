"""The README is true: its Python and console examples run."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpcore2
import pytest
import trustme
from loopback import Loopback

from duramen.cli import main

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "src/duramen/data/model/README.md",
    "docs/batch.md",
]
PAGES += sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md"))
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return [code for name, code in BLOCK.findall(text) if name == language]


@pytest.fixture(autouse=True)
def in_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture
def timber(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The site of the examples, on this machine."""
    authority = trustme.CA()
    certificate = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("timber.example").configure_cert(certificate)
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    connect, look_up = httpcore2.AnyIOBackend.connect_tcp, socket.getaddrinfo

    def resolve(host: str, *rest: Any, **more: Any) -> Any:
        return look_up("93.184.215.14" if host == "timber.example" else host, *rest, **more)

    with Loopback(tls=certificate) as server:
        article = (ROOT / "examples" / "article.html").read_bytes()
        server.page("/2026/03/why-old-beams-outlast-new-ones", article, "text/html")

        async def redirect(self: httpcore2.AnyIOBackend, host: str, port: int, *rest: Any) -> Any:
            assert (host, port) == ("93.184.215.14", 443)
            return await connect(self, "127.0.0.1", server.port, *rest)

        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        monkeypatch.setattr(httpcore2.AnyIOBackend, "connect_tcp", redirect)
        yield


@pytest.mark.usefixtures("timber")
@pytest.mark.parametrize("page", PAGES)
def test_python_examples(page: str) -> None:
    code = "\n".join(blocks(page, "python"))
    examples = doctest.DocTestParser().get_doctest(code, {}, page, page, 0)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(examples, out=report.append)
    assert not report, "".join(report)


def test_readme_has_examples() -> None:
    assert len(blocks("README.md", "python")) >= 4
    assert len(blocks("README.md", "console")) >= 1


@pytest.mark.parametrize("page", PAGES)
def test_console_examples(page: str) -> None:
    checker = doctest.OutputChecker()
    for block in blocks(page, "console"):
        for command, expected in re.findall(r"^\$ duramen (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
            written = io.StringIO()
            with contextlib.redirect_stdout(written):
                assert main(shlex.split(command)) == 0
            assert checker.check_output(expected, written.getvalue(), FLAGS), written.getvalue()


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert [name for name in LINK.findall(text) if not (ROOT / page).parent.joinpath(name).exists()] == []


def test_set_up_command_is_one_command_on_shipped_files() -> None:
    first = blocks("README.md", "sh")[0].strip()
    assert "\n" not in first
    assert (ROOT / first.split()[-1]).is_file()


def test_named_scripts_exist() -> None:
    text = "\n".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES)
    named = set(re.findall(r"(?<![\w/])scripts/\w+", text))
    assert named and all(os.access(ROOT / name, os.X_OK) for name in named), named
