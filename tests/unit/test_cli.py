"""The command line, run in this process; one test runs the real thing."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import duramen
from duramen import cli, pipeline
from duramen.cli import log, main, sources
from duramen.cli.flags import options_from
from duramen.errors import OptionError
from duramen.native import core
from duramen.options import Output

PARAGRAPH = (
    "Heartwood is the dead centre of a trunk, and the part a carpenter wants. It is dark, hard and full of resin,"
    " so that neither beetle nor fungus finds much to eat in it, even after a hundred wet winters on a hillside."
)
PAGE = (
    "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Grain – {name}</title></head><body>"
    "<nav><a href=/a>News</a> <a href=/b>Markets</a></nav><main><article><h1>Grain – {name}</h1>"
    + f"<p>{PARAGRAPH}</p>" * 3
    + '<p>The town of {name} has <a href="/mill">a mill</a>.</p></article></main></body></html>'
)


def page(name: str) -> str:
    return PAGE.replace("{name}", name)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of four pages, among other things."""
    for name in ("b.html", "a.htm", "sub/c.xhtml", "sub/D.HTML"):
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page(path.stem), encoding="utf-8")
    (tmp_path / "site" / "notes.txt").write_text("not a page")
    return tmp_path / "site"


@pytest.fixture
def one(tmp_path: Path) -> Path:
    path = tmp_path / "one.html"
    path.write_text(page("Ålesund"), encoding="utf-8")
    return path


def give_stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def usage_error(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    return capsys.readouterr().err


class TestOneSource:
    def test_markdown_on_standard_output(self, one: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["extract", str(one)]) == 0
        out, err = capsys.readouterr()
        assert PARAGRAPH in out and "Markets" not in out
        assert out.endswith("\n") and not out.endswith("\n\n")
        assert err == ""

    @pytest.mark.parametrize(
        ("form", "expected"),
        [
            ("markdown", "[a mill](https://wood.example/mill)"),
            ("html", '<a href="https://wood.example/mill">a mill</a>'),
            ("text", "The town of Ålesund has a mill."),
        ],
    )
    def test_formats(self, form: str, expected: str, one: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["extract", str(one), "--format", form, "--url", "https://wood.example/p"]) == 0
        assert expected in capsys.readouterr().out

    def test_json(self, one: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["extract", str(one), "--format", "json"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert data["source"] == str(one)
        assert data["title"] == "Grain – Ålesund"
        assert {"html", "text", "markdown", "metadata", "quality", "tier"} <= data.keys()

    def test_standard_input(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        give_stdin(monkeypatch, page("here").encode())
        assert main(["extract", "-"]) == 0
        assert PARAGRAPH in capsys.readouterr().out

    def test_encoding(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "old.html"
        path.write_bytes(page("Łódź").replace("<meta charset=utf-8>", "").replace("–", "-").encode("iso-8859-2"))
        assert main(["extract", str(path), "--encoding", "iso-8859-2"]) == 0
        assert "The town of Łódź" in capsys.readouterr().out

    def test_output_file(self, one: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        target = tmp_path / "new" / "folder" / "result.md"
        assert main(["extract", str(one), "--output", str(target)]) == 0
        assert PARAGRAPH in target.read_text(encoding="utf-8")
        assert capsys.readouterr().out == ""

    @pytest.mark.parametrize("exists", [True, False])
    def test_output_folder(self, exists: bool, one: Path, tmp_path: Path) -> None:
        if exists:
            (tmp_path / "out").mkdir()
        assert main(["extract", str(one), "--output", f"{tmp_path}/out/"]) == 0
        assert [path.name for path in (tmp_path / "out").iterdir()] == ["one.md"]

    def test_input_is_never_overwritten(self, one: Path, capsys: pytest.CaptureFixture[str]) -> None:
        before = one.read_bytes()
        assert main(["extract", str(one), "--format", "html", "--output", str(one)]) == 1
        assert "this is the input page" in capsys.readouterr().err
        assert main(["extract", str(one), "--format", "html", "--output", str(one.parent)]) == 0
        assert one.read_bytes() == before
        assert (one.parent / "one-2.html").exists()

    def test_page_options_reach_the_engine(self, one: Path, capsys: pytest.CaptureFixture[str]) -> None:
        base = ["extract", str(one), "--url", "https://wood.example/p"]
        main([*base, "--format", "html", "--nofollow"])
        assert "nofollow" in capsys.readouterr().out
        main([*base, "--no-links"])
        assert "a mill" in (plain := capsys.readouterr().out) and "](" not in plain
        main([*base, "--front-matter"])
        assert capsys.readouterr().out.startswith("---\n")

    def test_every_option_has_its_place(self) -> None:
        arguments = "extract x --mode recall --strategy density --comments --encoding gbk --keep-classes --nofollow"
        given = [*arguments.split(), *"--no-links --no-images --front-matter --title-heading --captions".split()]
        given.append("--post-headings")
        given += "--strip-tracking --step-headings --reference-links --tables lists --formulas brackets".split()
        options = options_from(cli.build_parser(given).parse_args(given))
        assert (options.mode, options.strategy, options.include_comments, options.encoding) == (
            "recall", "density", True, "gbk",
        )  # fmt: skip
        output = options.output
        assert output == Output(
            keep_classes=True, nofollow=True, links=False, images=False,
            front_matter=True, title_heading=True, post_headings=True, captions=True, strip_tracking=True,
            step_headings=True, reference_links=True, tables="lists", formulas="brackets",
        )  # fmt: skip


class TestManySources:
    def test_folder_to_folder(self, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        out = tmp_path / "out"
        assert main(["extract", str(folder), "--output", str(out)]) == 0
        written = sorted(path.relative_to(out).as_posix() for path in out.rglob("*.*"))
        assert written == ["a.md", "b.md", "sub/D.md", "sub/c.md"]
        assert "The town of D" in (out / "sub" / "D.md").read_text(encoding="utf-8")
        err = capsys.readouterr().err
        assert err.startswith("duramen: 4/4 pages") and "0 failed" in err and err.count("\n") == 1

    def test_separators_on_standard_output(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["extract", str(folder), "--quiet"]) == 0
        out, err = capsys.readouterr()
        heads = [line for line in out.splitlines() if line.startswith("<!-- ")]
        assert heads == [f"<!-- {folder}/{name} -->" for name in ("a.htm", "b.html", "sub/D.HTML", "sub/c.xhtml")]
        assert err == ""
        assert main(["extract", str(folder), "--format", "text"]) == 0
        assert f"==> {folder}/a.htm <==\n" in capsys.readouterr().out

    def test_separator_stays_a_comment(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for name in ("x--><script>alert(1)<!--.html", "y.html"):
            (tmp_path / name.replace("/", "")).write_text(page("x"))
        assert main(["extract", str(tmp_path), "--format", "html"]) == 0
        assert "<script" not in capsys.readouterr().out

    def test_json_lines(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["extract", str(folder), "--format", "json"]) == 0
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [Path(row["source"]).name for row in rows] == ["a.htm", "b.html", "D.HTML", "c.xhtml"]

    def test_equal_names_are_kept_apart(self, tmp_path: Path) -> None:
        for name in ("x/p.html", "x/p.htm", "x/P.xhtml", "y/p.html"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(page(name.replace("/", "-")))
        out = tmp_path / "out"
        assert main(["extract", str(tmp_path / "x"), str(tmp_path / "y"), "--output", str(out)]) == 0
        written = sorted(path.relative_to(out).as_posix() for path in out.rglob("*.md"))
        assert written == ["x/P.md", "x/p-2.md", "x/p-3.md", "y/p.md"]
        pages = {(out / name).read_text().rpartition("town of ")[2].split()[0] for name in written}
        assert len(pages) == 4

    def test_same_folder_in_and_out(self, folder: Path) -> None:
        before = {path: path.read_bytes() for path in folder.rglob("*.*")}
        assert main(["extract", str(folder), "--output", str(folder), "--format", "html"]) == 0
        assert {path: path.read_bytes() for path in before} == before
        assert (folder / "b-2.html").exists() and (folder / "a.html").exists()

    def test_output_inside_the_folder_is_not_read_again(self, folder: Path) -> None:
        arguments = ["extract", str(folder), "--output", str(folder / "out"), "--format", "html"]
        assert main(arguments) == 0
        first = sorted((folder / "out").rglob("*.html"))
        assert main(arguments) == 0
        assert sorted((folder / "out").rglob("*.html")) == first

    def test_a_bad_source_does_not_stop_the_run(
        self, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (folder / "broken.html").symlink_to(tmp_path / "nowhere")
        assert main(["extract", str(folder), str(tmp_path / "missing.html"), "--output", str(tmp_path / "out")]) == 1
        err = capsys.readouterr().err
        assert "error: " + str(folder / "broken.html") + ": No such file" in err
        assert "error: " + str(tmp_path / "missing.html") + ": No such file" in err
        assert "6/6 pages" in err and "2 failed" in err
        assert len(list((tmp_path / "out").rglob("*.md"))) == 4

    def test_an_unwritable_target_does_not_stop_the_run(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "out" / "a.md").mkdir(parents=True)
        assert main(["extract", str(folder), "--output", str(tmp_path / "out")]) == 1
        assert (tmp_path / "out" / "b.md").is_file()

    def test_a_fault_of_ours_does_not_stop_the_run(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        real: Callable[..., Any] = pipeline.extract

        def faulty(html: bytes, *rest: object) -> object:
            if b"town of b" in html:
                raise ZeroDivisionError("oh")
            return real(html, *rest)

        monkeypatch.setattr(sources, "extract", faulty)
        assert main(["extract", str(folder)]) == 1
        out, err = capsys.readouterr()
        assert "b.html: ZeroDivisionError: oh; please report this page" in err
        assert "The town of c" in out

    def test_folder_without_pages(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["extract", str(tmp_path)]) == 1
        assert "no file in it ends in .html, .htm, .xhtml" in capsys.readouterr().err

    def test_progress_only_on_a_terminal(
        self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(log, "PROGRESS_SECONDS", 0)
        assert main(["extract", str(folder), "--output", str(tmp_path / "out")]) == 0
        assert "\r" not in capsys.readouterr().err
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        assert main(["extract", str(folder), "--output", str(tmp_path / "out")]) == 0
        err = capsys.readouterr().err
        assert "\r\x1b[K2/4 pages" in err and err.endswith("\n")
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        assert main(["extract", str(folder), "--output", str(tmp_path / "out"), "--quiet"]) == 0
        assert capsys.readouterr().err == ""


class TestVerdictsAndErrors:
    @pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n\0\0\0", b"<html><body></body></html>"])
    def test_empty_pages_are_a_warning(self, data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "empty.html"
        path.write_bytes(data)
        assert main(["extract", str(path)]) == 0
        out, err = capsys.readouterr()
        assert err.startswith(f"duramen: warning: {path}: the result is ") and out.strip() == ""
        assert main(["extract", str(path), "--quiet"]) == 0
        assert capsys.readouterr().err == ""

    def test_missing_file(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["extract", "no/such.html", "--quiet"]) == 1
        assert capsys.readouterr().err == "duramen: error: no/such.html: No such file or directory\n"

    @pytest.mark.parametrize(
        ("name", "advice"),
        [
            ("timber.example/beams", "; if it is a URL, write https://timber.example/beams\n"),
            ("beams.html", "beams.html: No such file or directory\n"),
            ("", "is empty; name a file, a folder, a URL, or - for standard input\n"),
        ],
    )
    def test_name_that_is_no_file(self, name: str, advice: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["extract", name, "--quiet"]) == 1
        assert capsys.readouterr().err.endswith(advice)

    @pytest.mark.parametrize(
        ("arguments", "advice"),
        [
            ([], "name a command, such as: duramen extract page.html"),
            (["extract"], "SOURCE"),
            (
                ["extract", "x", "--format", "pdf"],
                "'pdf' is unknown; available: markdown, html, text, json, jsonl, xml",
            ),
            (["extract", "x", "--format", "makdown"], "'makdown' is unknown; did you mean markdown?"),
            (["extrct", "x"], "duramen: error: 'extrct' is unknown; did you mean extract?"),
            (["x.html"], "'x.html' is unknown; available: extract, explain, links"),
            (["."], ". is not a command; write: duramen extract ."),
            (["https://wood.example/"], "write: duramen extract https://wood.example/"),
            (
                ["extract", "x", "--formt", "text"],
                "duramen extract: error: unknown: --formt text; did you mean --format?",
            ),
            (["rules", "check", "--jsn"], "did you mean --json?"),
            (["extract", "x", "y", "--url", "https://a.example"], "--url names one page"),
            (["extract", "x", "--mode", "fast"], "'fast' is unknown; available: precision, balanced, recall"),
            (["explain", "."], "is a folder"),
            (["extract", "x", "--scroll", "far"], "argument --scroll: 'far' is not a whole number"),
            (["extract", "x", "--delay", "1s"], "argument --delay: '1s' is not a number"),
        ],
    )
    def test_wrong_usage(self, arguments: list[str], advice: str, capsys: pytest.CaptureFixture[str]) -> None:
        said = usage_error(arguments, capsys)
        assert advice in said and said.count("\n") == 1 and "--help)" in said

    def test_many_sources_into_one_file(self, folder: Path, one: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert "need a folder" in usage_error(["extract", str(folder), "--output", str(one)], capsys)

    def test_option_errors_are_wrong_usage(
        self, one: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def refuse(*_: object) -> None:
            raise OptionError("encoding is unknown")

        monkeypatch.setattr(sources, "extract", refuse)
        assert "encoding is unknown" in usage_error(["extract", str(one)], capsys)
        assert "encoding is unknown" in usage_error(["explain", str(one)], capsys)

    def test_interrupt(self, one: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        def interrupt(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(sources, "extract", interrupt)
        assert main(["extract", str(one)]) == 130
        assert "interrupted" in capsys.readouterr().err

    def test_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            main(["--version"])
        written = capsys.readouterr().out
        assert re.fullmatch(rf"duramen 0\.\S+ \(core {core.SOURCES[:12]}, \w+ 3\.\S+, .+\)\n", written)

    @pytest.mark.parametrize(
        ("name", "advice"),
        [
            ("ftp://wood.example/oaks.html", "ftp: is not supported, only http: and https: are; download the page"),
            ("s3://wood/oaks.html", "s3: is not supported"),
            ("file:///tmp/oaks.html", "name the file by its path, without file://"),
            ("pages/*.html", "no file matches this pattern"),
        ],
    )
    def test_sources_that_are_refused(self, name: str, advice: str, capsys: pytest.CaptureFixture[str]) -> None:
        for command in ("extract", "explain"):
            assert main([command, name]) == 1
            assert capsys.readouterr().err.startswith(f"duramen: error: {name}: {advice}")

    def test_name_that_is_not_utf8(self, one: Path, tmp_path: Path) -> None:
        name = os.fsdecode(b"caf\xe9.html")
        try:
            (tmp_path / name).write_bytes(one.read_bytes())
        except OSError:
            pytest.skip("needs a file system that allows any name")
        output = tmp_path / "out.json"
        assert main(["extract", str(tmp_path / name), "-f", "json", "-o", str(output)]) == 0
        assert json.loads(output.read_bytes())["source"].endswith(name)

    def test_strict(self, one: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        empty = tmp_path / "empty.html"
        empty.write_bytes(b"")
        assert main(["extract", str(one), "--strict"]) == 0
        assert main(["extract", str(one), str(empty), "--strict", "-q"]) == 3
        assert main(["extract", str(one), str(empty)]) == 0
        assert main(["extract", str(empty), str(tmp_path / "none.html"), "--strict"]) == 1
        assert "none.html: No such file or directory" in capsys.readouterr().err

    def test_short_flags(self, one: Path, tmp_path: Path) -> None:
        out = tmp_path / "out.txt"
        arguments = ["-f", "text", "-o", str(out), "-m", "recall", "-u", "https://wood.example/", "-q"]
        assert main(["extract", str(one), *arguments]) == 0
        assert PARAGRAPH in out.read_text(encoding="utf-8")

    def test_patterns(self, folder: Path, tmp_path: Path) -> None:
        assert main(["extract", f"{folder}/**/*.[hH]*", "--output", str(tmp_path / "out")]) == 0
        assert {path.name.lower() for path in (tmp_path / "out").iterdir()} == {"a.md", "b.md", "d.md"}
        (folder / "[x].html").write_text(page("brackets"), encoding="utf-8")
        assert main(["extract", f"{folder}/[x].html", "-o", f"{tmp_path}/one.md"]) == 0
        assert (tmp_path / "one.md").is_file()


class TestColour:
    def run(self, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
        for stream in (sys.stdout, sys.stderr):
            monkeypatch.setattr(stream, "isatty", lambda: True)
        main(arguments)
        return "".join(capsys.readouterr())

    def test_on_terminals(self, one: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setenv("TERM", "xterm")
        assert "\x1b[31merror: \x1b[0m" in self.run(["extract", "none.html"], monkeypatch, capsys)
        explained = self.run(["explain", str(one)], monkeypatch, capsys)
        assert "\x1b[1mcandidates\x1b[0m" in explained and re.search(r"\x1b\[32m  .*: won\x1b\[0m", explained)
        # What was asked for is never coloured: it may be piped into a pager.
        assert "\x1b" not in self.run(["extract", str(one)], monkeypatch, capsys)

    @pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
    def test_not_where_it_is_unwanted(
        self, name: str, value: str, one: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv(name, value)
        for arguments in (["extract", "none.html"], ["explain", str(one)]):
            assert "\x1b" not in self.run(arguments, monkeypatch, capsys)

    def test_not_in_files(self, one: Path, capsys: pytest.CaptureFixture[str]) -> None:
        main(["explain", str(one)])
        assert "\x1b" not in capsys.readouterr().out


class TestExplain:
    def test_readable(self, one: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain", str(one)]) == 0
        out = capsys.readouterr().out
        kind = duramen.extract(one.read_bytes()).page_type
        for line in ("document type  ", "encoding       utf-8", "framework      none seen", f"page type      {kind}"):
            assert f"\n{line}" in f"\n{out}"
        for section in ("steps", "candidates", "blocks", "removed", "put back", "quality", "limits"):
            assert f"\n\n{section}\n  " in out
        assert ": won" in out and "pass  " in out and "(limit " in out
        assert re.search(r'\n  kept [01]\.\d\d  .*"Heartwood is the dead.*\n    for:     .*\(\+\d\.\d\)', out)
        assert re.search(r"\n  drop 0\.\d\d  .*nav.*\n(    for: .*\n)?    against: .*\(-\d\.\d\)", out)

    def test_json(self, one: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain", str(one), "--json"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert any(attempt["outcome"] == "won" for attempt in data["trace"]["attempts"])
        assert any(block["kept"] and block["speaks_for"] for block in data["trace"]["blocks"])

    def test_standard_input(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        give_stdin(monkeypatch, b"")
        assert main(["explain", "-"]) == 0
        assert "\nquality\n  empty" in capsys.readouterr().out

    def test_missing_file(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain", "no/such.html"]) == 1
        assert "no/such.html: No such file" in capsys.readouterr().err

    def test_pages_cannot_steer_the_terminal(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "esc.html"
        path.write_text(page("\x1b]0;owned\x07"))
        assert main(["explain", str(path)]) == 0
        out = capsys.readouterr().out
        assert "\x1b" not in out and "\x07" not in out


class TestRealProcess:
    def run(self, *arguments: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
        env = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
        command = [sys.executable, "-m", "duramen", *arguments]
        return subprocess.run(command, capture_output=True, env=env, timeout=60, check=False, **more)

    def test_standard_output_is_utf8_everywhere(self, one: Path) -> None:
        done = self.run("extract", str(one))
        assert done.returncode == 0, done.stderr
        assert "Ålesund" in done.stdout.decode("utf-8")

    def test_standard_input_is_bytes(self) -> None:
        done = self.run("extract", "-", "--format", "text", input=page("Ålesund").encode())
        assert "The town of Ålesund" in done.stdout.decode("utf-8")

    def test_reader_that_leaves(self, folder: Path) -> None:
        for i in range(40):
            (folder / f"more{i}.html").write_text(page("x") + "<p>" + PARAGRAPH * 200)
        command = f"{sys.executable} -m duramen extract {folder} | head -c 10; echo ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=True)
        assert done.stdout.endswith("141\n")
        assert "Traceback" not in done.stderr and "BrokenPipe" not in done.stderr

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
    @pytest.mark.parametrize(
        ("redirected", "code", "said"),
        [
            ("> /dev/full", 1, "duramen: error: No space left on device\n"),
            (">&-", 0, ""),
            ("- <&-", 0, "duramen: warning: -: the result is empty"),
        ],
    )
    def test_standard_streams_that_are_full_or_closed(self, one: Path, redirected: str, code: int, said: str) -> None:
        command = f"{sys.executable} -m duramen extract {'' if redirected.startswith('-') else one} {redirected}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr[: len(said)]) == (code, said)
        assert "Traceback" not in done.stderr and "report" not in done.stderr
