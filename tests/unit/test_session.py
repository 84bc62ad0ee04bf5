"""Sessions: one address or many, one deadline each, good manners, and nothing left behind."""

from __future__ import annotations

import asyncio
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from inspect import iscoroutinefunction, signature
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import pytest
from loopback import PARAGRAPH, Asked, Loopback, Reply, article

import duramen
from duramen import AsyncSession, FetchError, FetchOptions, InputError, OptionError, Options, Result, Session
from duramen.cli import main
from duramen.errors import (
    Blocked,
    ConnectionFailed,
    HttpStatus,
    MissingExtra,
    PrivateAddress,
    Timeout,
)
from duramen.fetch import politeness


def options(**values: Any) -> FetchOptions:
    return FetchOptions(**{"allow_private": True, "delay": 0, "render": "never", **values})


@pytest.fixture
def session() -> Iterator[Session]:
    with Session(fetch=options()) as session:
        yield session


class TestOne:
    def test_result_of_a_page(self, server: Loopback, session: Session) -> None:
        server.routes["/old"] = Reply(status=301, headers={"Location": "/new"})
        server.page("/new", article("Oaks", more="<a href=x>relative</a>"))
        result = session.extract(server.url("/old"))
        assert (result.title, result.url) == ("Oaks", server.url("/new"))
        assert result.trace.steps[0] == f"redirected (301) to {server.url('/new')}"
        assert result.trace.steps[1].startswith(f"fetched {server.url('/new')}: 200, text/html; charset=utf-8, ")

    def test_options_of_the_engine(self, server: Loopback) -> None:
        server.page("/", article())
        with Session(Options(strategy="density"), options()) as session:
            assert "blocks judged by density" in session.extract(server.url()).trace.steps

    @pytest.mark.parametrize(
        ("header", "encoding", "declared", "name", "source"),
        [
            ("text/html; charset=windows-1251", "windows-1251", "", "windows-1251", "header"),
            ('text/html; Charset="Shift_JIS"', "shift_jis", "", "shift_jis", "header"),
            ("text/html; charset=koi8-r", "koi8-r", "<meta charset=utf-8>", "koi8-r", "header"),
            ("text/html", "gbk", "<meta charset=gbk>", "gbk", "declared"),
            ("text/html; charset=iso-8859-1", "utf-8-sig", "", "utf-8", "bom"),
        ],
    )
    def test_charsets(
        self, server: Loopback, session: Session, header: str, encoding: str, declared: str, name: str, source: str
    ) -> None:
        words = {"shift_jis": "木の芯は硬い。", "gbk": "心材是树的中心。"}.get(encoding, "Ядро дерева твёрдое. ")
        html = f"<html><head>{declared}<title>x</title></head><main>" + f"<p>{words * 30}</p>" * 5 + "</main>"
        server.page("/", html.encode(encoding), header)
        result = session.extract(server.url())
        assert words.strip() in result.text
        assert (result.encoding.name, result.encoding.source) == (name, source)

    def test_markdown_where_it_is_offered(self, server: Loopback, session: Session) -> None:
        def choose(asked: Asked) -> Reply:
            if "text/markdown" in asked.headers["accept"]:
                text = f"---\ntitle: Oaks\n---\n\n## Wood\n\n{PARAGRAPH}\n\n```py\nx = 1 < 2\n```\n\n{PARAGRAPH}\n"
                return Reply(text, headers={"Content-Type": "text/markdown; charset=utf-8"})
            return Reply(article(), headers={"Content-Type": "text/html"})

        server.routes["/"] = choose
        result = session.extract(server.url())
        assert result.title == "Oaks" and "this is Markdown" in result.trace.steps
        assert "## Wood" in result.markdown and "```py\nx = 1 < 2\n```" in result.markdown
        assert result.quality.verdict == "good"

    def test_markdown_that_is_none(self, server: Loopback, session: Session) -> None:
        server.page("/", article("Oaks"), "text/markdown")
        result = session.extract(server.url())
        assert result.title == "Oaks" and "the site offers the page as Markdown" not in result.trace.steps

    def test_plain_text(self, server: Loopback, session: Session) -> None:
        server.page("/", f"{PARAGRAPH}\n\n{PARAGRAPH}\n", "text/plain")
        result = session.extract(server.url())
        assert result.text == f"{PARAGRAPH}\n\n{PARAGRAPH}" and result.quality.verdict == "good"


class TestMisuse:
    def test_not_an_address(self, session: Session) -> None:
        with pytest.raises(InputError, match="url must be a str, not int"):
            session.extract(5)  # type: ignore[arg-type]

    def test_options_of_the_session_in_a_call(self, session: Session) -> None:
        for option, advice in (
            ({"mode": "recall"}, r"write Session\(options=Options\(mode='recall'\)\)\.extract\(url\)"),
            ({"delay": 5}, r"write Session\(fetch=FetchOptions\(delay=5\)\)"),
            ({"ignore_robot": True}, "did you mean 'ignore_robots'"),
        ):
            with pytest.raises(OptionError, match=advice):
                session.extract("https://example.org/", **option)

    def test_one_address_in_the_place_of_several(self, session: Session) -> None:
        with pytest.raises(InputError, match=r"write extract_many\(\[url\]\)"):
            next(session.extract_many("https://example.org/"))

    def test_wrong_options(self) -> None:
        with pytest.raises(OptionError, match=r"fetch must be duramen\.FetchOptions, not Options"):
            Session(fetch=Options())  # type: ignore[arg-type]
        with pytest.raises(OptionError, match=r"options must be duramen\.Options"):
            Session(FetchOptions())  # type: ignore[arg-type]
        with pytest.raises(OptionError, match="did you mean 'timeout'"):
            FetchOptions(timeuot=3)  # type: ignore[call-arg]
        with pytest.raises(OptionError, match="timeout must be a number"):
            FetchOptions(timeout=0)
        with pytest.raises(OptionError, match="user_agent must begin with a name"):
            FetchOptions(user_agent="Bot\r\nX-Evil: 1")

    def test_cache_that_cannot_be(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")
        with pytest.raises(OptionError, match="name a folder you may write to"):
            Session(fetch=options(cache=tmp_path / "file"))

    def test_closed(self, session: Session) -> None:
        session.close()
        session.close()
        with pytest.raises(InputError, match="closed"):
            session.extract("https://wood.example/")

    def test_missing_extra(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(__import__("sys").modules, "duramen.fetch.client", None)
        with pytest.raises(MissingExtra, match=r"pip install 'duramen\[fetch\]'"):
            Session()

    @pytest.mark.parametrize(
        "error",
        [
            Timeout("https://a/", "late", "wait"),
            Blocked("https://a/", "no", "go", 429, 3.0),
            HttpStatus("https://a/", "no", "go", 404),
            MissingExtra("fetch", "fetching"),
        ],
    )
    def test_errors_travel_between_processes(self, error: Exception) -> None:
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), str(copy), vars(copy)) == (type(error), str(error), vars(error))


class TestMany:
    def test_results_and_errors(self, server: Loopback, session: Session) -> None:
        for n in range(20):
            server.page(f"/{n}", article(f"Page {n}"))
        urls = [server.url(f"/{n}") for n in range(22)] + ["ftp://x/", "http://no-such-host.invalid/"]
        found = dict(session.extract_many(urls))
        assert set(found) == set(urls)
        assert all(isinstance(found[server.url(f"/{n}")], Result) for n in range(20))
        wrong = {type(found[url]).__name__ for url in urls[20:]}
        assert wrong == {"HttpStatus", "BadUrl", "HostUnreachable"}

    def test_one_host_is_asked_one_after_the_other(self, server: Loopback) -> None:
        for n in range(4):
            server.routes[f"/{n}"] = Reply(article(), headers={"Content-Type": "text/html"}, delay=0.05)
        began = time.monotonic()
        with Session(fetch=options(delay=0.2)) as session:
            assert len(list(session.extract_many(server.url(f"/{n}") for n in range(4)))) == 4
        assert server.most_at_once == 1 and time.monotonic() - began >= 3 * 0.25

    def test_hosts_side_by_side(self) -> None:
        """Of four hosts two are asked at once, though the first addresses are all of one host."""
        servers = [Loopback(f"127.0.0.{n}") for n in range(1, 5)]
        starts: list[float] = []

        def slow(asked: Asked) -> Reply:
            starts.append(time.monotonic())
            return Reply(article(), headers={"Content-Type": "text/html"}, delay=0.3)

        urls = []
        for each in servers:
            each.__enter__()
            each.routes |= {f"/{n}": slow for n in range(3)}
            urls += [each.url(f"/{n}") for n in range(3)]
        began = time.monotonic()
        with Session(fetch=options(concurrency=2)) as session:
            assert len(list(session.extract_many(urls))) == 12
        took = time.monotonic() - began
        for each in servers:
            assert each.most_at_once == 1
            each.__exit__(None, None, None)
        starts.sort()
        assert took >= 12 * 0.3 / 2
        assert sum(later - start < 0.3 for start, later in pairwise(starts)) >= 3

    def test_waiting_for_a_turn_does_not_count(self, server: Loopback) -> None:
        for n in range(5):
            server.routes[f"/{n}"] = Reply(article(), headers={"Content-Type": "text/html"}, delay=0.5)
        with Session(fetch=options(timeout=2.0)) as session:
            results = [result for _, result in session.extract_many([server.url(f"/{n}") for n in range(5)])]
        assert all(isinstance(result, Result) for result in results)

    def test_crawl_delay(self, server: Loopback) -> None:
        server.routes["/robots.txt"] = Reply("User-agent: *\nCrawl-delay: 0.4\n")
        server.page("/", article())
        with Session(fetch=options()) as session:
            began = time.monotonic()
            for _ in range(2):
                session.fetch(server.url())
            assert time.monotonic() - began >= 0.4

    @pytest.mark.parametrize("status", [429, 503])
    def test_a_host_that_wants_to_be_left_alone(self, server: Loopback, status: int) -> None:
        """One page is told to come back later: the others of that host wait as well."""
        times: list[float] = []

        def busy(_: Asked) -> Reply:
            times.append(time.monotonic())
            return Reply("", status, {"Retry-After": "1"}) if len(times) == 1 else Reply(article())

        server.routes |= {f"/{n}": busy for n in range(3)}
        with Session(fetch=options(retries=0)) as session:
            found = [result for _, result in session.extract_many([server.url(f"/{n}") for n in range(3)])]
        assert sum(isinstance(each, Result) for each in found) == 2
        assert times[1] - times[0] >= 0.9 and times[2] - times[1] < 0.9

    def test_endless_addresses_are_taken_as_needed(self, server: Loopback) -> None:
        server.page("/", article())
        taken: list[int] = []

        def addresses() -> Iterator[str]:
            for n in count():
                assert threading.current_thread() is threading.main_thread()
                taken.append(n)
                yield server.url(f"/?{n}")

        with Session(fetch=options(concurrency=2)) as session:
            found = session.extract_many(addresses())
            for _ in range(5):
                assert isinstance(next(found)[1], Result)
            found.close()  # type: ignore[attr-defined]
            assert len(taken) < 40
            asked = len(server.paths())
            time.sleep(0.3)
            assert len(server.paths()) <= asked + 2

    def test_hosts_are_forgotten(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(politeness, "_MOST_HOSTS", 5)

        async def run() -> int:
            scheduler = politeness.RequestScheduler(2, 0.0)
            async with politeness.Deadline("x", 5) as deadline:
                for n in range(50):
                    async with scheduler.turn(f"host{n}", deadline, spaced=True):
                        pass
            return len(scheduler._hosts)

        assert asyncio.run(run()) <= 5


class TestAsync:
    def test_the_same(self, server: Loopback) -> None:
        server.page("/", article("Oaks"))

        async def run() -> None:
            async with AsyncSession(fetch=options()) as session:
                assert (await session.extract(server.url())).title == "Oaks"
                assert (await session.fetch(server.url())).status == 200
                found = [pair async for pair in session.extract_many([server.url(), server.url("/no")])]
                assert {type(result).__name__ for _, result in found} == {"Result", "HttpStatus"}
            await session.aclose()
            with pytest.raises(InputError, match="closed"):
                await session.fetch(server.url())

        asyncio.run(run())

    @pytest.mark.parametrize("name", ["fetch", "extract", "read", "extract_many"])
    def test_twins(self, name: str) -> None:
        one, other = getattr(Session, name), getattr(AsyncSession, name)
        assert signature(one).parameters == signature(other).parameters and one.__doc__ == other.__doc__
        assert iscoroutinefunction(other) != iscoroutinefunction(one) or name == "extract_many"

    def test_can_be_cancelled(self, server: Loopback) -> None:
        server.routes["/"] = Reply(article(), delay=30)

        async def run() -> None:
            async with AsyncSession(fetch=options()) as session:
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(0.3):
                        await session.extract(server.url())
                server.page("/", article("Oaks"))
                assert (await session.extract(server.url())).title == "Oaks"

        asyncio.run(run())

    def test_session_inside_a_running_loop(self, server: Loopback) -> None:
        server.page("/", article("Oaks"))

        async def run() -> str | None:
            with Session(fetch=options()) as session:
                return session.extract(server.url()).title

        assert asyncio.run(run()) == "Oaks"


class TestPages:
    def pages(self, server: Loopback, links: dict[int, str], template: str = "/oaks/{}") -> None:
        for n in range(1, 5):
            text = "".join(f"<p>{PARAGRAPH} Part {n}, paragraph {i}.</p>" for i in range(4))
            path = "/oaks" if n == 1 else template.format(n)
            server.page(path, f"<title>Oaks</title><main><h1>Oaks</h1>{text}</main>{links.get(n, '')}")

    def joined(self, server: Loopback, most: int = 9, path: str = "/oaks") -> Result:
        with Session(fetch=options(join_pages=most)) as session:
            return session.extract(server.url(path))

    def test_joined(self, server: Loopback) -> None:
        self.pages(server, {n: f"<link rel=next href='/oaks/{n + 1}'>" for n in (1, 2, 3)})
        result = self.joined(server)
        places = [result.text.find(f"Part {n}, paragraph 3.") for n in (1, 2, 3, 4)]
        assert -1 not in places and places == sorted(places)
        assert "joined 4 pages of one article" in result.trace.steps
        assert result.url == server.url("/oaks") and result.quality.verdict == "good"

    def test_only_on_request_and_bounded(self, server: Loopback) -> None:
        self.pages(server, {n: f"<a rel=next href='/oaks/{n + 1}'>on</a>" for n in (1, 2, 3)})
        assert "Part 2" not in self.joined(server, most=0).text
        text = self.joined(server, most=2).text
        assert "Part 3" in text and "Part 4" not in text

    def test_circles_end(self, server: Loopback) -> None:
        self.pages(server, {1: "<a rel=next href='?page=2'>on</a>", 2: "<a rel=next href='/oaks'>on</a>"})
        server.page("/oaks", article("Oaks", more="<a rel=next href='?page=2'>2</a>"))
        assert len(self.joined(server).trace.steps) < 30
        assert len(server.paths()) == 2

    def test_a_page_that_is_missing(self, server: Loopback) -> None:
        self.pages(server, {4: "<a rel=next href='/oaks/5'>5</a>", 1: "<a rel=next href='/oaks/2'>2</a>"})
        del server.routes["/oaks/2"]
        result = self.joined(server)
        assert result.quality.verdict == "partial"
        assert any("a further page could not be read" in reason for reason in result.quality.reasons)


def files_open() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc to count open files")
def test_nothing_is_left_after_a_thousand_pages(server: Loopback, tmp_path: Path) -> None:
    good = Reply("<title>x</title><p>Short.", headers={"Content-Type": "text/html", "ETag": '"1"'})

    async def rude(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 50\r\n\r\n<p>")

    server.routes |= {"/good": good, "/rude": rude, "/slow": Reply(delay=5), "/pdf": Reply(b"%PDF-1.7")}
    server.routes["/moved"] = Reply(status=302, headers={"Location": "/good"})
    kinds = ["good"] * 40 + ["rude", "pdf", "moved", "gone", "good", "moved", "pdf", "good", "good", "good"]
    threads, files = threading.active_count(), files_open()

    async def run() -> list[str]:
        names = []
        settings = options(cache=tmp_path, retries=0)
        async with AsyncSession(Options(strategy="density"), settings) as session:
            urls = (server.url(f"/{kinds[n % len(kinds)]}?{n}") for n in range(1000))
            async for _, result in session.extract_many(urls):
                names.append(type(result).__name__)
        async with AsyncSession(fetch=options(timeout=0.2)) as session:
            with pytest.raises(Timeout):
                await session.fetch(server.url("/slow"))
        return names

    names = asyncio.run(run())
    assert len(names) == 1000
    assert {name: names.count(name) for name in set(names)} == {
        "Result": 920,
        "ConnectionFailed": 20,
        "UnsupportedContent": 40,
        "HttpStatus": 20,
    }
    deadline = time.monotonic() + 5
    while (threading.active_count() > threads or files_open() > files) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert threading.active_count() <= threads
    assert files_open() <= files


FORGOTTEN = """
import sys
from duramen import FetchOptions, Session
session = Session(fetch=FetchOptions(allow_private=True, delay=0, render="never"))
print(session.extract(sys.argv[1]).title)
"""


def test_a_forgotten_session_does_not_keep_the_program_from_ending(server: Loopback) -> None:
    server.page("/", article("Oaks"))
    command = [sys.executable, "-W", "error", "-c", FORGOTTEN, server.url()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert (done.stdout, done.stderr, done.returncode) == ("Oaks\n", "", 0)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C as Python understands it, whatever a library that was tested before has made of it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_interrupting_stops_the_work(server: Loopback) -> None:
    server.routes["/"] = Reply(article(), delay=30)
    with Session(fetch=options()) as session:
        threading.Timer(0.3, signal.pthread_kill, [threading.main_thread().ident, signal.SIGINT]).start()
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            session.extract(server.url())
        assert time.monotonic() - began < 5
        server.page("/", article("Oaks"))
        assert session.extract(server.url()).title == "Oaks"


class TestCommandLine:
    def test_extract(self, server: Loopback, capsys: pytest.CaptureFixture[str]) -> None:
        server.page("/", article("Oaks"))
        assert main(["extract", server.url(), "--allow-private", "--render", "never"]) == 0
        assert "paragraph 4 of Oaks" in capsys.readouterr().out

    def test_explain(self, server: Loopback, capsys: pytest.CaptureFixture[str]) -> None:
        server.page("/", article("Oaks"))
        assert main(["explain", server.url(), "--allow-private"]) == 0
        assert f"  fetched {server.url()}: 200" in capsys.readouterr().out

    @pytest.mark.parametrize("command", ["extract", "explain"])
    def test_errors_are_one_line(self, command: str, server: Loopback, capsys: pytest.CaptureFixture[str]) -> None:
        assert main([command, server.url()]) == 1
        err = capsys.readouterr().err
        assert err == (
            f"duramen: error: {server.url()}: 127.0.0.1 belongs to a private network; if you may access it, allow it:"
            " allow_private=True, --allow-private\n"
        )
        assert server.connections == 0

    def test_robots_and_timeouts(self, server: Loopback, capsys: pytest.CaptureFixture[str]) -> None:
        server.routes["/robots.txt"] = Reply("User-agent: *\nDisallow: /")
        server.page("/", article("Oaks"))
        assert main(["extract", server.url(), "--allow-private"]) == 1
        assert "--ignore-robots" in capsys.readouterr().err
        assert main(["extract", server.url(), "--allow-private", "--ignore-robots"]) == 0
        server.routes["/"] = Reply(delay=5)
        assert main(["extract", server.url(), "--allow-private", "--ignore-robots", "--timeout", "0.3"]) == 1
        assert "not done within 0.3 s" in capsys.readouterr().err

    def test_several_addresses(self, server: Loopback, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        server.page("/a", article("A"))
        server.page("/b", article("B"))
        urls = [server.url("/a"), server.url("/no"), server.url("/b")]
        assert main(["extract", *urls, "--allow-private", "--output", str(tmp_path / "out"), "--quiet"]) == 1
        names = sorted(path.name for path in (tmp_path / "out").iterdir())
        assert names == [f"127.0.0.1-{server.port}-{name}.md" for name in ("a", "b")]
        assert "status 404" in capsys.readouterr().err

    def test_wrong_usage(self, server: Loopback, capsys: pytest.CaptureFixture[str]) -> None:
        for wrong in (["--timeout", "-1"], ["--url", "https://wood.example/"], ["--render", "maybe"]):
            with pytest.raises(SystemExit) as stop:
                main(["extract", server.url(), *wrong])
            assert stop.value.code == 2
        assert server.connections == 0


def test_errors_are_exported() -> None:
    assert issubclass(PrivateAddress, duramen.FetchError) and issubclass(ConnectionFailed, FetchError)
