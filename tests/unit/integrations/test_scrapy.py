"""The Scrapy adapter in a real crawl of a server on this machine, in a process of its own: a reactor runs once."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest
from loopback import Loopback

pytest.importorskip("scrapy", reason="needs Scrapy: pip install 'duramen[scrapy]'")

from scrapy.http import HtmlResponse
from scrapy.settings import Settings

from duramen.errors import OptionError
from duramen.integrations.scrapy import DuramenPipeline, extract_response

SPIDER = """
import dataclasses, sys
import scrapy
from scrapy.crawler import CrawlerProcess
from duramen.integrations.scrapy import extract_response

@dataclasses.dataclass
class Page:
    url: str
    html: str
    title: str | None = None
    text: str | None = None

class Logs(scrapy.Spider):
    name = "logs"
    start_urls = [sys.argv[1] + path for path in ("/beams", "/nothing")]

    def parse(self, response):
        yield {"url": response.url, "html": response.body, "seen": extract_response(response).title}
        yield Page(response.url, response.text)
        yield {"url": response.url, "other": 1}

process = CrawlerProcess({
    "ITEM_PIPELINES": {"duramen.integrations.scrapy.DuramenPipeline": 300},
    "DURAMEN_CONTENT": ["text", "html"],
    "DURAMEN_OPTIONS": {"output": {"links": False}},
    "FEEDS": {sys.argv[2]: {"format": "jsonlines"}},
    "TELNETCONSOLE_ENABLED": False,
    "LOG_LEVEL": "ERROR",
})
process.crawl(Logs)
process.start()
"""


def test_pipeline_in_a_crawl(server: Loopback, article_html: str, tmp_path: Path) -> None:
    server.page("/beams", article_html.encode(), "text/html; charset=utf-8")
    server.page("/nothing", b"<html><body></body></html>", "text/html")
    (tmp_path / "crawl.py").write_text(SPIDER, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(tmp_path / "crawl.py"), server.url(""), str(tmp_path / "items.jsonl")],
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert (done.returncode, done.stderr) == (0, "")
    items = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text(encoding="utf-8").splitlines()]
    pages = [item for item in items if "other" not in item]
    # The empty page was dropped; items without HTML passed.
    assert len(items) - len(pages) == 2
    loose = next(item for item in pages if "seen" in item)
    declared = next(item for item in pages if "seen" not in item)
    assert len(pages) == 2
    assert loose["seen"] == loose["title"] == declared["title"] == "Why old beams outlast new ones"
    assert (loose["verdict"], loose["authors"]) == ("good", ["Ines Halvorsen"])
    assert loose["html"].lstrip().startswith("<p>When the roof") and "<a " not in loose["html"]
    assert set(declared) == {"url", "html", "title", "text"}


def test_a_response_is_read_with_the_servers_encoding() -> None:
    body = "<title>Bäume</title><p>Die Äste der Eiche.</p>".encode("iso-8859-15")
    response = HtmlResponse("https://a.example/", body=body, headers={"Content-Type": "text/html; charset=iso-8859-15"})
    result = extract_response(response)
    assert (result.title, result.encoding.source, result.url) == ("Bäume", "header", "https://a.example/")


def test_settings() -> None:
    @dataclass
    class Crawler:
        settings: Settings

    made = DuramenPipeline.from_crawler(
        Crawler(Settings({"DURAMEN_SOURCE": "page", "DURAMEN_OPTIONS": {"mode": "recall"}, "DURAMEN_DROP": []}))
    )
    assert (made.source, made.content, made.drop) == ("page", ["markdown"], frozenset())
    assert made.options is not None and made.options.mode == "recall"
    for wrong in ({"DURAMEN_DROP": ["bad"]}, {"DURAMEN_CONTENT": "pdf"}, {"DURAMEN_OPTIONS": {"mood": "recall"}}):
        with pytest.raises(OptionError):
            DuramenPipeline.from_crawler(SimpleNamespace(settings=Settings(wrong)))
