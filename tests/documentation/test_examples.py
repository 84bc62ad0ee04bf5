"""README and documentation are true: their examples run, their commands parse, their links and names lead somewhere."""

from __future__ import annotations

import doctest
import importlib.util
import json
import os
import re
import shlex
import socket
import ssl
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import httpcore2
import pytest
import trustme
from loopback import Loopback

from duramen.cli import build_parser
from duramen.rule_files import read_rule

from .examples import PAGES, ROOT, Block, blocks_of, run

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
LANGUAGES = {"python", "console", "sh", "json", "toml", "sql", "", "text", "{toctree}", "{eval-rst}"}
"""The first seven are tried below; text and drawings cannot be; the last two are read by Sphinx."""
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")
TEST = re.compile(r"`(tests/[\w/]+\.py)?(?:::(\w+))?`")


@cache
def blocks(language: str) -> list[Block]:
    return [block for page in PAGES for block in blocks_of(page) if block.language == language]


def pages_with(language: str) -> list[str]:
    return sorted({block.page for block in blocks(language)})


def place(block: Block) -> str:
    return f"{block.page}:{block.line}"


def skip_where_it_cannot_run(block: Block) -> None:
    missing = [name for name in re.findall(r"[\w.]+", block.said("needs")) if not importlib.util.find_spec(name)]
    if missing:
        pytest.skip(f"{place(block)} needs {', '.join(missing)}, which is not installed")
    if block.said("not run"):
        pytest.skip(f"{place(block)} is not run: {block.said('not run')}")


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
@pytest.mark.parametrize("page", pages_with("python"))
def test_python(page: str) -> None:
    """The blocks of a page are one session: a later one may use what an earlier one made."""
    names: dict[str, Any] = {}
    for block in blocks_of(page):
        if block.language != "python":
            continue
        skip_where_it_cannot_run(block)
        assert ">>> " in block.text, f"{place(block)}: write it with >>> and what it answers"
        examples = doctest.DocTestParser().get_doctest(block.text, names, place(block), block.page, block.line)
        report: list[str] = []
        doctest.DocTestRunner(optionflags=FLAGS).run(examples, out=report.append, clear_globs=False)
        assert not report, "".join(report)
        names = examples.globs


@pytest.mark.parametrize("block", [block for block in blocks("console") if not block.generated], ids=place)
def test_console(block: Block) -> None:
    skip_where_it_cannot_run(block)
    assert block.commands(), f"{place(block)}: a command begins with $"
    for command, expected in block.commands():
        said = run(command)
        assert doctest.OutputChecker().check_output(expected, said, FLAGS), said


@pytest.mark.parametrize("block", blocks("sh"), ids=place)
def test_shell_commands_are_understood(block: Block) -> None:
    """What asks networks, servers and clusters is not run; but each call of duramen is one that its parser takes."""
    text = re.sub(r"\$\((?:[^()])*\)", "X", block.text.replace("\\\n", " "))
    for line in text.splitlines():
        words = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
        words.whitespace_split = True
        command: list[str] = []
        for word in [*words, ";"]:
            if not set(word) <= set("|&;<>"):
                command.append(word)
                continue
            if command and Path(command[0]).name == "duramen":
                build_parser(command[1:]).parse_args(command[1:])
            command = []


@pytest.mark.parametrize("page", PAGES)
def test_named_scripts_modules_and_extras_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    scripts = set(re.findall(r"(?<![\w/])scripts/\w+", text))
    assert all(os.access(ROOT / name, os.X_OK) for name in scripts), scripts
    modules = set(re.findall(r"python -m ((?:benchmarks|tests)\.[\w.]+)", text))
    files = {f"{name.replace('.', '/')}.py" for name in modules} | set(re.findall(r"python (benchmarks/\w+\.py)", text))
    assert [name for name in files if not (ROOT / name).is_file()] == []
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = {
        name for listed in re.findall(r"install[^`\n]*'(?:duramen|\.)\[([\w,]+)\]'", text) for name in listed.split(",")
    }
    assert named <= set(extras)


@pytest.mark.parametrize("block", [*blocks("json"), *blocks("toml")], ids=place)
def test_data_can_be_read(block: Block) -> None:
    table = json.loads(block.text) if block.language == "json" else tomllib.loads(block.text)
    assert table
    if "domains" in table:
        assert read_rule(block.text, place(block)).cases


@pytest.mark.parametrize("block", blocks("sql"), ids=place)
def test_queries(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb", reason="needs duckdb")
    run(f"duramen batch examples --output {tmp_path}/out --workers 1 --quiet")
    monkeypatch.chdir(tmp_path)
    if "commoncrawl" not in block.text:
        assert duckdb.sql(block.text).fetchall()
        return
    # The index of a crawl, in small.
    names = "url warc_filename warc_record_offset warc_record_length content_languages fetch_time url_host_tld"
    values = "'https://a.at/', 'a.warc.gz', 0, 10, 'deu', now(), 'at', 'text/html'"
    columns = ", ".join([*names.split(), "content_mime_detected"])
    duckdb.sql(f"copy (select * from (values ({values})) t({columns})) to 'index.parquet'")
    duckdb.sql(re.sub(r"s3://[^']+", "index.parquet", block.text))
    assert duckdb.sql("select url from 'selected.parquet'").fetchall() == [("https://a.at/",)]


@pytest.mark.parametrize("page", PAGES)
def test_every_block_is_of_a_language_that_is_tried(page: str) -> None:
    assert {block.language for block in blocks_of(page)} <= LANGUAGES


def test_examples_are_found() -> None:
    found = Counter(block.language for page in PAGES for block in blocks_of(page))
    assert found["python"] >= 15 and found["console"] >= 5 and found["sh"] >= 8
    assert {block.language for block in blocks_of("README.md")} >= {"python", "console", "sh"}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert [name for name in LINK.findall(text) if not (ROOT / page).parent.joinpath(name).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_named_tests_exist(page: str) -> None:
    """``tests/a/test_b.py::test_c``, and after it ``::test_d`` of the same file."""
    path, missing = "", []
    for file, name in TEST.findall((ROOT / page).read_text(encoding="utf-8")):
        path = file or path
        if not path or not (ROOT / path).is_file() or f"def {name}" not in (ROOT / path).read_text(encoding="utf-8"):
            missing += [f"{path}::{name}"] if file or name else []
    assert missing == []


def test_set_up_command_is_one_command_on_shipped_files() -> None:
    first = next(block for block in blocks("sh") if block.page == "README.md").text.strip()
    assert "\n" not in first
    assert (ROOT / first.split()[-1]).is_file()
