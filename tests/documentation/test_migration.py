"""The tables for those who come from another extractor: both sides of every row run, and give the same."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from loopback import Loopback
from sites.scoring import word_f1

import duramen

from .examples import ROOT, run

ALIKE = 0.8
"""Words of two main texts that must agree: tables and captions are taken differently."""
ROW = re.compile(r"^\| `([^`]+)` \| `([^`]+)` \|", re.M)
HTML = (ROOT / "examples" / "article.html").read_text(encoding="utf-8")
ADDRESS = "https://timber.example/2026/03/why-old-beams-outlast-new-ones"


def rows(page: str, heading: str = "") -> list[tuple[str, str]]:
    """The pairs of code in a page's tables, below one heading or all."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    parts = re.split(r"^## (.*)\n", text, flags=re.M)
    chosen = dict(zip(parts[1::2], parts[2::2], strict=True))[heading] if heading else text
    return ROW.findall(chosen)


def peer(module: str) -> Any:
    """Another extractor; the test is skipped where it is not installed."""
    return pytest.importorskip(module, reason=f"needs {module}: docs/performance.md tells how")


def plain(value: object) -> object:
    """What is compared: of markup its text, of JSON its title, of sequences their items."""
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, str) and value.startswith("{"):
        return json.loads(value)["title"]
    if isinstance(value, str):
        return re.sub(r"<[^>]*>|!?\[|\]\([^)]*\)", " ", value).strip()
    return list(value) if isinstance(value, (list, tuple)) else value


def assert_alike(theirs: object, ours: object) -> None:
    theirs, ours = plain(theirs), plain(ours)
    assert theirs and ours
    if isinstance(theirs, str) and isinstance(ours, str) and len(theirs) > 300:
        assert word_f1(ours, theirs) >= ALIKE
    else:
        assert ours == theirs


@pytest.fixture(scope="module")
def names() -> Iterator[dict[str, Any]]:
    """What the code in the tables may use."""
    fetching = duramen.FetchOptions(allow_private=True, delay=0, render="never")
    with Loopback() as server, duramen.Session(fetch=fetching) as session:
        server.page("/page", HTML.encode(), "text/html; charset=utf-8")
        yield {
            "duramen": duramen,
            **{name: getattr(duramen, name) for name in ("HtmlTextExtractor", "Options", "Output")},
            "html": HTML,
            "url": f"http://127.0.0.1:{server.port}/page",
            "session": session,
        }


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("theirs", "ours"), rows("from-trafilatura.md", "Calls") + rows("from-trafilatura.md", "Metadata")
)
def test_trafilatura(theirs: str, ours: str, names: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    names = names | {"trafilatura": peer("trafilatura")}
    settings = importlib.import_module("trafilatura.settings")
    monkeypatch.setitem(settings.DEFAULT_CONFIG["DEFAULT"], "SSRF_PROTECTION", "off")  # the page is on this machine
    assert_alike(eval(theirs, names), eval(ours, names))


@pytest.mark.parametrize(("theirs", "ours"), rows("from-trafilatura.md", "Commands"))
def test_trafilatura_commands(theirs: str, ours: str) -> None:
    peer("trafilatura")
    theirs = re.sub(r"^trafilatura", '"$DURAMEN_PYTHON" -W ignore -m trafilatura.cli', theirs)
    assert_alike(run(theirs), run(ours))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("theirs", "ours"), rows("from-readability.md", "readability-lxml"))
def test_readability_lxml(theirs: str, ours: str, names: dict[str, Any]) -> None:
    names = names | {"Document": peer("readability").Document}
    assert_alike(eval(theirs, names), eval(ours, names))


READABILITY = """
const { JSDOM } = require('jsdom'), { Readability } = require('@mozilla/readability');
const { document } = new JSDOM(require('fs').readFileSync(0, 'utf8'), { url: process.argv[1] }).window;
console.log(JSON.stringify(new Readability(document).parse()));
"""


@pytest.fixture(scope="module")
def readability_js() -> dict[str, str]:
    """What Mozilla's Readability makes of the example page."""
    folder, node = os.environ.get("PEERS_NODE"), shutil.which("node")
    if not folder or not node:
        pytest.skip("needs node, and PEERS_NODE: a folder where npm installed @mozilla/readability and jsdom")
    done = subprocess.run(
        [node, "-e", READABILITY, ADDRESS], input=HTML, cwd=folder, capture_output=True, text=True, check=True
    )
    parsed: dict[str, str] = json.loads(done.stdout)
    return parsed


@pytest.mark.parametrize(("field", "ours"), rows("from-readability.md", "Mozilla's Readability"))
def test_readability_js(field: str, ours: str, readability_js: dict[str, str], names: dict[str, Any]) -> None:
    assert_alike(readability_js[field], eval(ours, names))


@pytest.fixture(scope="module")
def article() -> Any:
    made = peer("newspaper").Article(ADDRESS, fetch_images=False)
    made.download(input_html=HTML)
    made.parse()
    return made


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("theirs", "ours"), rows("from-newspaper.md"))
def test_newspaper(theirs: str, ours: str, article: Any, names: dict[str, Any]) -> None:
    result = duramen.extract(HTML, url=ADDRESS)
    names = names | {"newspaper": importlib.import_module("newspaper"), "article": article, "result": result}
    assert_alike(eval(theirs, names), eval(ours, names))


@pytest.mark.parametrize(("page", "least"), [("trafilatura", 25), ("readability", 12), ("newspaper", 10)])
def test_rows_are_found(page: str, least: int) -> None:
    assert len(rows(f"from-{page}.md")) >= least


def test_difference_is_noticed() -> None:
    with pytest.raises(AssertionError):
        assert_alike("oak " * 200, "elm " * 200)
    with pytest.raises(AssertionError):
        assert_alike("", "")
