"""What a site lists of itself, found politely and within bounds."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback, Reply, article

from duramen import FetchOptions, Session
from duramen.cli import main
from duramen.errors import PrivateAddress, TooSoon
from duramen.fetch.links import feed_links

RSS = (
    "<rss><channel><title>News</title><item><title>One</title><link>/1</link></item>"
    "<item><title>Two</title><link>/2</link></item></channel></rss>"
)


def urlset(*urls: str) -> str:
    return f"<urlset>{''.join(f'<url><loc>{url}</loc><lastmod>2026-01-01</lastmod></url>' for url in urls)}</urlset>"


def index(*urls: str) -> str:
    return f"<sitemapindex>{''.join(f'<sitemap><loc>{url}</loc></sitemap>' for url in urls)}</sitemapindex>"


@pytest.fixture
def session() -> Iterator[Session]:
    with Session(fetch=FetchOptions(allow_private=True, delay=0, render="never", timeout=10)) as opened:
        yield opened


class TestFeeds:
    def test_named_by_the_page(self, server: Loopback, session: Session) -> None:
        head = (
            '<link rel=alternate type="application/rss+xml" href=/news.xml><link rel=alternate type=text/html href=/de>'
        )
        server.page("/", article().replace("</head>", f"{head}</head>"))
        server.page("/news.xml", RSS, "application/rss+xml")
        (feed,) = session.feeds(server.url())
        assert (feed.title, feed.url) == ("News", server.url("/news.xml"))
        assert [(item.title, item.url) for item in feed.items] == [("One", server.url("/1")), ("Two", server.url("/2"))]

    def test_the_page_itself(self, server: Loopback, session: Session) -> None:
        server.page("/feed", RSS, "text/html")
        assert [len(feed.items) for feed in session.feeds(server.url("/feed"))] == [2]

    def test_at_a_usual_place(self, server: Loopback, session: Session) -> None:
        server.page("/", article())
        server.page("/rss.xml", RSS, "text/xml")
        assert [feed.url for feed in session.feeds(server.url())] == [server.url("/rss.xml")]

    def test_none(self, server: Loopback, session: Session) -> None:
        server.page("/", article())
        assert session.feeds(server.url()) == ()
        assert len(server.paths()) == 6, "the page and five usual places"

    def test_those_in_private_networks_are_not_read(self, server: Loopback) -> None:
        html = '<link rel=alternate type="application/rss+xml" href="http://169.254.169.254/feed">'
        assert feed_links(html, "https://a.example/") == ("http://169.254.169.254/feed",)
        server.page("/", article())
        with Session() as careful, pytest.raises(PrivateAddress):
            careful.feeds(server.url())
        assert server.paths() == []


class TestSitemaps:
    def test_those_that_robots_txt_names(self, server: Loopback, session: Session) -> None:
        server.page("/robots.txt", f"User-agent: *\nSitemap: {server.url('/a.xml')}\nSitemap: http://b.example/x.xml\n")
        server.page(
            "/a.xml", index(server.url("/b.xml.gz"), server.url("/c.txt"), server.url("/a.xml"), "http://b.example/")
        )
        packed = gzip.compress(urlset(server.url("/1"), server.url("/2"), "http://b.example/3").encode())
        server.routes["/b.xml.gz"] = Reply(packed, headers={"Content-Type": "application/x-gzip"})
        server.page("/c.txt", f"{server.url('/2')}\n{server.url('/4')}\n", "text/plain")
        found = session.sitemap(server.url("/any/page"))
        assert [(entry.url, entry.modified) for entry in found.entries] == [
            (server.url("/1"), "2026-01-01"), (server.url("/2"), "2026-01-01"), (server.url("/4"), ""),
        ]  # fmt: skip
        assert found.files == tuple(map(server.url, ("/a.xml", "/b.xml.gz", "/c.txt")))
        assert found.limits == ()

    def test_bounds(self, server: Loopback, session: Session) -> None:
        server.page("/sitemap.xml", index(*(server.url(f"/{n}.xml") for n in range(20))), "text/xml")
        for n in range(20):
            server.page(f"/{n}.xml", urlset(*(server.url(f"/{n}/{k}") for k in range(10))), "text/xml")
        found = session.sitemap(server.url(), files=3)
        assert (len(found.entries), len(found.files)) == (20, 3)
        assert "18 further sitemaps were not read" in found.limits[0]
        assert len(session.sitemap(server.url(), urls=15).entries) == 15

    def test_none_and_broken(self, server: Loopback, session: Session) -> None:
        assert session.sitemap(server.url()).entries == ()
        server.page("/sitemap.xml", "<!DOCTYPE a [<!ENTITY x 'y'>]><urlset>&x;</urlset>", "text/xml")
        assert "declares entities" in session.sitemap(server.url()).limits[0]
        server.page("/sitemap.xml", article())
        assert "cannot be read" in session.sitemap(server.url()).limits[0]
        server.page("/sitemap.xml", "<catalog/>", "text/xml")
        assert "no sitemap" in session.sitemap(server.url()).limits[0]
        bomb = gzip.compress(bytes(50_000_000))
        server.routes["/sitemap.xml"] = Reply(bomb, headers={"Content-Type": "application/gzip"})
        assert "more than 200 times its size" in session.sitemap(server.url()).limits[0]


class TestLinks:
    def page(self, server: Loopback) -> None:
        text = (
            "<p>Read more about <a href='/beech#part'>beeches</a> here, or <a href='mailto:a@b.example'>write</a>.</p>"
        )
        html = article().replace("</article>", f"{text}</article>")
        server.page("/", html.replace("<body>", "<body><nav><a href=/shop>Shop</a> <a href=/>Home</a></nav>"))

    def test_content_and_navigation(self, server: Loopback, session: Session) -> None:
        self.page(server)
        links = {(link.url, link.text) for link in session.links(server.url())}
        assert (server.url("/beech#part"), "beeches") in links
        assert not {url for url, _ in links if "shop" in url or "mailto" in url}
        around = {link.url for link in session.links(server.url(), navigation=True)}
        assert server.url("/shop") in around and server.url("/beech") not in around and server.url("/") not in around

    def test_command(self, server: Loopback, capsys: pytest.CaptureFixture[str]) -> None:
        self.page(server)
        server.page("/sitemap.xml", urlset(server.url("/1"), server.url("/2")), "text/xml")
        server.page("/feed", RSS, "text/xml")

        def run(*arguments: str) -> list[str]:
            assert main(["links", server.url(), "--allow-private", *arguments]) == 0
            return capsys.readouterr().out.splitlines()

        assert f"{server.url('/beech#part')}\tbeeches" in run()
        assert f"{server.url('/shop')}\tShop" in run("--from", "navigation")
        assert run("--from", "feeds") == [f"{server.url('/1')}\tOne", f"{server.url('/2')}\tTwo"]
        assert run("--from", "sitemap", "--limit", "1") == [f"{server.url('/1')}\t2026-01-01"]
        assert main(["links", server.url("/gone"), "--allow-private"]) == 1
        assert "404" in capsys.readouterr().err


def test_a_site_whose_turn_is_far_away_is_no_site_without_pages(server: Loopback) -> None:
    server.page("/sitemap.xml", urlset(server.url("/1")), "text/xml")
    server.page("/", article("Home"))
    with Session(fetch=FetchOptions(allow_private=True, delay=3600, max_wait=5)) as session:
        session.fetch(server.url())
        with pytest.raises(TooSoon, match=r"try again in \d+ s"):
            session.sitemap(server.url())


def test_batch_from_a_sitemap(server: Loopback, tmp_path: Path, capsys: pytest.CaptureFixture[Any]) -> None:
    pytest.importorskip("pyarrow")
    server.page("/sitemap.xml", urlset(server.url("/1"), server.url("/2")), "text/xml")
    server.page("/1", article("One"))
    server.page("/2", article("Two"))
    output = tmp_path / "out"
    command = ["batch", "--from-sitemap", server.url(), "--output", str(output), "--to", "jsonl", "--allow-private"]
    assert main([*command, "--workers", "1", "--quiet"]) == 0
    assert '"rows": 2' in capsys.readouterr().out
    listed = (tmp_path / "out.urls").read_text(encoding="utf-8")
    assert listed == f"{server.url('/1')}\n{server.url('/2')}\n"
    asked = server.paths().count("/sitemap.xml")
    assert main([*command, "--workers", "1", "--quiet"]) == 0
    assert server.paths().count("/sitemap.xml") == asked, "a resumed run has the list"
    with pytest.raises(SystemExit):
        main([*command, "also.warc"])
