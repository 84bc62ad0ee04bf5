"""What holds on every page of the annotated corpora, whatever is chosen as its content.

Every eighth page is looked at; all of them with ``DURAMEN_EXPLORE=1``. A new kind of fault is found by reading what the
failing test prints: the page, and what differs there.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

import duramen
from duramen.dom import Element, fragment
from duramen.page import letters
from duramen.read.decode import decode

from .documents import RICH, describe, shown, spoken, visible

pytestmark = pytest.mark.shared

CORPORA = ("wcxb-dev", "snippets-dev", "reader-dev", "chinese-dev", "postlight-dev", "dates-dev")
STEP = 1 if os.environ.get("DURAMEN_EXPLORE") else 8
PARTS = 8
INVARIANTS = (
    "the words of HTML and Markdown agree",
    "the words of HTML and text agree",
    "Markdown keeps links",
    "Markdown keeps images",
    "Markdown keeps headings",
    "Markdown keeps code",
    "Markdown keeps cells",
    "Markdown keeps lists",
    "the words are the page's",
    "the words are in the page's order",
    "code is the page's",
    "references and notes belong together",
    "a picture keeps its caption",
    "no heading ends the content",
)


EXCEPTIONS = {
    ("the words of HTML and Markdown agree", "wcxb-dev/0493"): "a ticked box is [x], which this renderer does not know",
    ("the words of HTML and Markdown agree", "wcxb-dev/2905"): "a table that is written as HTML holds no notes",
    ("Markdown keeps links", "wcxb-dev/2905"): "a table that is written as HTML holds no notes",
    ("the words of HTML and Markdown agree", "wcxb-dev/4130"): "a table's caption below it is written above it",
    ("a picture keeps its caption", "wcxb-dev/0041"): "without what only screen readers say",
    ("a picture keeps its caption", "wcxb-dev/4043"): "without the control that unfolds it",
    ("a picture keeps its caption", "reader-dev/nytimes-1"): "without what only screen readers say",
    ("the words are the page's", "wcxb-dev/0116"): "without the mark of a note",
    ("the words are the page's", "wcxb-dev/0438"): "without a card that opens over the text",
    ("the words are the page's", "wcxb-dev/0509"): "with the name of an emoji",
    ("the words are the page's", "wcxb-dev/1069"): "with the name of an emoji",
    ("the words are the page's", "wcxb-dev/1126"): "with the name of an emoji",
    ("the words are the page's", "wcxb-dev/1591"): "with the name of an emoji",
    ("the words are the page's", "wcxb-dev/0535"): "without a date in the middle of a line",
    ("the words are the page's", "wcxb-dev/0562"): "without the controls in the middle of a line",
    ("the words are the page's", "wcxb-dev/0614"): "without the control that unfolds the text",
    ("the words are the page's", "wcxb-dev/2888"): "without the control that unfolds the text",
    ("the words are the page's", "wcxb-dev/3026"): "without a button in the middle of a line",
}
"""What is meant to be otherwise, or cannot be compared like this, and why."""


class Fault(NamedTuple):
    invariant: str
    page: str
    difference: str


def faults_of(task: tuple[Path, str, str | None]) -> list[Fault]:
    """Where a page breaks an invariant."""
    path, name, url = task
    page = gzip.decompress(path.read_bytes())
    result = duramen.extract(page, url=url)
    checks = (*_compare_forms(result), *_compare_page(result, decode(page)[0]))
    return [
        Fault(invariant, name, difference) for invariant, difference in checks if (invariant, name) not in EXCEPTIONS
    ]


def _compare_forms(result: duramen.Result) -> Iterator[tuple[str, str]]:
    """HTML, text and Markdown of one result."""
    root = fragment(result.html)
    written, back = describe(result.html), describe(RICH.render(result.markdown))
    words = spoken("".join(shown(root)))
    read = spoken(" ".join(back.words))
    if words != read:
        yield INVARIANTS[0], _difference(words, read)
    bare = fragment(result.html)
    for element in list(bare.iter_elements(("figcaption", "p", "a"))):
        # Text has neither the captions that were kept for their picture's sake nor what names a player.
        if element.attr("data-embed") is not None or (element.tag != "a" and letters(element.text) in result.captions):
            element.extract()
    said = spoken(result.text)
    if not (_is_part(said, words) and _is_part(spoken("".join(shown(bare))), said)):
        yield INVARIANTS[1], _difference(words, said)

    # Code holds no links, notes are numbered anew, and the renderer writes addresses in letters of its own.
    code = {link for block in root.iter_elements("pre") for link in block.iter_elements("a")}
    found = [link for link in root.iter_elements("a") if link not in code and "href" in link.attrs]
    shown_links = [link for link in found if visible(link) or any(link.iter_elements("img"))]
    own_links = [visible(link) for link in shown_links if not (link.attr("href") or "").startswith("#fn")]
    links = [text for url, text in back.links if not url.startswith("#fn")]
    if own_links != links:
        yield INVARIANTS[2], _difference(own_links, links)
    if written.images != back.images:
        yield INVARIANTS[3], _difference(written.images, back.images)
    # A cell holds neither headings nor lists, and has no notation for one over several columns.
    simple = [table for table in root.iter_elements("table") if _is_simple(table)]
    if len(simple) == sum(1 for _ in root.iter_elements("table")):
        if written.headings != back.headings:
            yield INVARIANTS[4], _difference(written.headings, back.headings)
        if written.rows != back.rows:
            yield INVARIANTS[6], _difference(written.rows, back.rows)
        if not any(root.iter_elements(("dl", "section"))) and written.items != back.items:
            yield INVARIANTS[7], _difference(written.items, back.items)
    if written.code != back.code:
        yield INVARIANTS[5], _difference(written.code, back.code)

    references = {
        f"fn-{e.attr('data-footnote-ref')}" for e in root.iter_elements("sup") if "data-footnote-ref" in e.attrs
    }
    notes = {e.attr("id") for e in root.iter_elements("li") if (e.attr("id") or "").startswith("fn-")}
    if references != notes:
        yield INVARIANTS[11], f"{sorted(references)[:9]} {sorted(map(str, notes))[:9]}"
    if re.search(r"</h[1-6]>(?:\s|</(?:article|section|div)>)*\Z", result.html):
        yield INVARIANTS[13], result.html[-120:]


def _is_simple(table: Element) -> bool:
    if any(table.iter_elements(("table", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "dl", "blockquote"))):
        return False
    if any("colspan" in cell.attrs or "rowspan" in cell.attrs for cell in table.iter_elements(("td", "th"))):
        return False
    return all(sum(1 for _ in row.iter_elements(("td", "th"))) > 1 for row in table.iter_elements("tr"))


def _compare_page(result: duramen.Result, source: str) -> Iterator[tuple[str, str]]:
    """The result and the page it was made from."""
    root, page = fragment(result.html), fragment(source)
    for element in list(page.iter_elements(("script", "style"))):
        element.extract()
    if result.tier != "structured":
        yield from _compare_words(root, _letters("".join(shown(page))))
    sources = ["".join(e.text.split()) for e in page.iter_elements(("pre", "listing", "xmp", "code", "table"))]
    for _, code in describe(result.html).code:
        text = "".join(code.split())
        # Line numbers and labels are left out.
        if not any(text in source for source in sources) and not any(_is_part(text, source) for source in sources):
            yield INVARIANTS[10], repr(code[:200])
    pictures = {_file(image) for image in root.iter_elements("img")}
    said = _letters("".join(shown(root)))
    for figure in page.iter_elements("figure"):
        captions = [_letters(visible(caption)) for caption in figure.iter_elements("figcaption")]
        shows_one = not pictures.isdisjoint({_file(image) for image in figure.iter_elements("img")} - {""})
        if len(captions) == 1 and shows_one and captions[0] not in said:
            yield INVARIANTS[12], captions[0][:120]


def _compare_words(root: Element, page: str) -> Iterator[tuple[str, str]]:
    """Each paragraph is a piece of the page, behind the one before it; notes are moved to the end."""
    notes = {e for section in root.iter_elements("section") for e in section.iter_elements()}
    at = 0
    for element in root.iter_elements(("p", "li", "h2", "h3", "h4", "td", "th", "dt", "dd")):
        # Formulas and references are written anew; what holds other blocks is looked at block by block.
        if element in notes or any(element.iter_elements(("p", "li", "td", "dt", "ul", "sup", "sub", "span", "br"))):
            continue
        if any("data-embed" in link.attrs for link in element.iter_elements("a")):
            continue
        text = _letters(visible(element))
        found = page.find(text, at)
        if found < 0 and len(text) > 30:
            yield INVARIANTS[9 if text in page else 8], visible(element)[:200]
            return
        at = max(at, found)


def _file(image: Element) -> str:
    return (image.attr("src") or "").split("?")[0].rsplit("/", 1)[-1]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _is_part(some: Iterable[str], whole: Iterable[str]) -> bool:
    """Whether some are all among the others, in their order."""
    rest = iter(whole)
    return all(one in rest for one in some)


def _difference(one: Sequence[object], other: Sequence[object]) -> str:
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"{one[max(0, at - 4) : at + 5]} <> {other[max(0, at - 4) : at + 5]}"


def tasks(shared: Path, part: int) -> Iterator[tuple[Path, str, str | None]]:
    for corpus in CORPORA:
        folder = shared / "corpora" / corpus
        for line in (folder / "truth.jsonl").read_bytes().splitlines():
            record = json.loads(line)
            number = zlib.crc32(f"{corpus}/{record['id']}".encode())
            if number % STEP == 0 and number // STEP % PARTS == part:
                yield folder / "html" / f"{record['id']}.html.gz", f"{corpus}/{record['id']}", record.get("url")


@pytest.mark.timeout(0)
@pytest.mark.parametrize("part", range(PARTS))
def test_every_page(part: int, shared: Path) -> None:
    pages = list(tasks(shared, part))
    assert len(pages) > 10
    faults = [fault for page in pages for fault in faults_of(page)]
    assert not faults, "\n".join(f"{fault.invariant}, {fault.page}: {fault.difference}" for fault in faults)
