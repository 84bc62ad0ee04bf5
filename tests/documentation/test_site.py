"""Our own medicine: the documentation as Sphinx builds it, read by Duramen, beside the Markdown it was made from."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from sites.scoring import score
from sites.truth import Truth

import duramen
from duramen import batch, errors

from .examples import ROOT

DOCS = ROOT / "docs"
WRITTEN = sorted(path.stem for path in DOCS.glob("*.md") if path.stem != "api")
"""All pages but the one that is made from docstrings."""
NAVIGATION = [
    "Contents",
    "Table of Contents",
    "Back to top",
    "Toggle",
    "Expand",
    "Hide navigation",
    "Made with",
    "Next",
    "Previous",
]
SAME = 0.985
"""Words that must agree; Sphinx numbers nothing and adds nothing, but headings and captions may be repeated."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation, built as ``scripts/docs`` does."""
    for module in ("sphinx", "furo", "myst_parser"):
        pytest.importorskip(module, reason="needs Sphinx: pip install 'duramen[docs]'")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--builder", "html", "--fail-on-warning", "--keep-going", "--quiet"]
    done = subprocess.run([*command, str(DOCS), str(folder)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return folder


def tokens_of(source: str) -> Iterator[Token]:
    """The page's Markdown, token by token, without what only Sphinx reads."""
    source = re.sub(r"^```\{[\w-]+\}\n.*?^```$", "", source, flags=re.M | re.S)
    for token in MarkdownIt("commonmark").enable("table").parse(source):
        yield from token.children or [token]


def truth_of(name: str) -> Truth:
    """What a page must hold, by its source alone."""
    elsewhere = runpy.run_path(str(DOCS / "conf.py"))["ELSEWHERE"]
    source = (ROOT / elsewhere.get(name, f"docs/{name}.md")).read_text(encoding="utf-8")
    code: list[list[str]] = []
    texts: list[str] = []
    images: list[str] = []
    for token in tokens_of(source):
        if token.type == "fence":
            code.append([token.info, token.content.rstrip("\n")])
        if token.type == "image":
            images.append(str(token.attrs["src"]))
        elif token.type in ("fence", "text", "code_inline", "code_block"):
            texts.append(token.content)
        elif token.type in ("softbreak", "paragraph_close", "td_close", "th_close", "heading_close", "inline"):
            texts.append("\n")
    title, _, body = "".join(f"{text} " if text != "\n" else "\n" for text in texts).strip().partition("\n")
    cells = re.findall(r"^\| ([^|`*\[\]\\]+?) \|", re.sub(r"^```.*?^```$", "", source, flags=re.M | re.S), re.M)
    required = [
        line.strip()[:60].strip() for line in re.findall(r"^[A-Z][^`*\[\]|<>_\\\n]{40,}$", _prose(source), re.M)
    ]
    return Truth(
        "sphinx", title.strip(), body, required, NAVIGATION, code, [], [c for c in cells if c != "---"], images
    )


def _prose(source: str) -> str:
    return re.sub(r"^```.*?^```$", "", source, flags=re.M | re.S)


@pytest.mark.parametrize("name", WRITTEN)
def test_page_comes_out_as_it_was_written(name: str, site: Path) -> None:
    html = (site / f"{name}.html").read_text(encoding="utf-8")
    result = duramen.extract(html, f"https://duramen.example/{name}.html")
    truth = truth_of(name)
    got = score(result, truth)
    assert result.framework is not None and (result.framework.id, result.tier) == ("sphinx", "framework")
    assert (result.page_type, result.quality.verdict) == ("documentation", "good")
    assert result.title == truth.title
    assert got.f1 >= SAME
    assert (got.missing, got.code, got.cells) == ([], [], [])
    assert len(re.findall("<img ", result.html)) == len(truth.images)
    lines = {line.strip() for line in result.text.splitlines()}
    assert not lines & set(NAVIGATION)


def test_reference_has_every_public_name(site: Path) -> None:
    inventory = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    documented = {line.split()[0] for line in zlib.decompress(inventory).decode().splitlines()}
    public = {f"duramen.{name}" for name in duramen.__all__ if name != "__version__"}
    public |= {f"duramen.batch.{name}" for name in batch.__all__}
    public |= {
        f"duramen.errors.{name}"
        for name, cls in vars(errors).items()
        if isinstance(cls, type) and issubclass(cls, Exception) and name not in duramen.__all__
    }
    assert public - documented == set()


def test_reference_comes_out_with_its_docstrings(site: Path) -> None:
    result = duramen.extract((site / "api.html").read_text(encoding="utf-8"))
    for name in (*duramen.__all__, *batch.__all__):
        assert name in result.text
    assert "Keep readers’ comments below an article." in result.text.replace("'", "’")


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    for path in site.glob("*.html"):
        loaded = re.findall(
            r"<(?:script|img|link|iframe)[^>]*\b(?:src|href)=\"(https?://[^\"]+)", path.read_text("utf-8")
        )
        assert loaded == [], path.name
