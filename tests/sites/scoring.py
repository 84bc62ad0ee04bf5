"""How well an extraction meets a page's truth."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from duramen import dom, extract
from duramen.result import Result

from .truth import Truth

HERE = Path(__file__).parent
_TYPED = str.maketrans("‘’“”", "''\"\"")
_WORD = re.compile(r"\w+")
_PICTURES = re.compile(r'<img[^>]*\bsrc="([^"]*)"')


@dataclass(frozen=True, eq=False)
class Page:
    """A page and its truth."""

    path: Path
    truth: Truth

    @property
    def id(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def html(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def url(self) -> str:
        return f"https://archive.example.org/{self.path.stem}"


def pages() -> Iterator[Page]:
    """All pages, those of real generators first."""
    for folder in ("pages", "written"):
        for path in sorted((HERE / folder).glob("*/*.html")):
            yield Page(path, Truth(**json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))))


@dataclass(frozen=True)
class Score:
    f1: float
    missing: list[str]
    """Required snippets that are not there."""
    present: list[str]
    """Forbidden ones that are."""
    code: list[str]
    """Code blocks that are not there byte for byte."""
    links: list[list[str]]
    cells: list[str]
    images: list[str]


def score(result: Result, truth: Truth) -> Score:
    root = dom.fragment(result.html)
    text = _folded(result.text)
    blocks = Counter(pre.text for pre in root.iter_elements("pre"))
    links = Counter((_folded(a.text), a.attr("href") or "") for a in root.iter_elements("a"))
    cells = Counter(_folded(cell.text) for cell in root.iter_elements(("td", "th")))
    return Score(
        word_f1(result.text, truth.text),
        [snippet for snippet in truth.required if _folded(snippet) not in text],
        [said for said in truth.forbidden if said.lower() in f"{result.title or ''}\n{result.text}".lower()],
        sorted((Counter(code for _, code in truth.code) - blocks).elements()),
        [list(link) for link in (Counter((_folded(t), h) for t, h in truth.links) - links).elements()],
        sorted((Counter(map(_folded, truth.cells)) - cells).elements()),
        sorted((Counter(truth.images) - Counter(_PICTURES.findall(result.html))).elements()),
    )


def extracted(page: Page) -> Result:
    return extract(page.html, page.url)


def word_f1(got: str, want: str) -> float:
    """Agreement of two texts as bags of words."""
    a, b = (Counter(_WORD.findall(text.lower())) for text in (got, want))
    shared = sum((a & b).values())
    return 2 * shared / max(1, sum(a.values()) + sum(b.values()))


def _folded(text: str) -> str:
    """White space folded, and typographic quotes, which some generators set, as they were typed."""
    return " ".join(text.translate(_TYPED).split())
