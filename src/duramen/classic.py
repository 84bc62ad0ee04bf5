"""``HtmlTextExtractor``: the text of a whole page without boilerplate; it does not look for the main content.

An older and simpler API than :func:`duramen.extract`, with fixed steps: read the title, drop boilerplate, turn
separators into line breaks, drop tags, collapse white space, filter navigation lines. Each step is a function here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from duramen.errors import InputError
from duramen.flatten import parse_tree
from duramen.lazy_pattern import lazy_pattern
from duramen.tables import row_words
from duramen.tree import BLOCK_TAGS, Tree

MAX_NODES = 5_000_000
"""Maximum of nodes, about 3 GB of memory; no real page comes near it."""

DROP_TAGS = frozenset("head title script style iframe canvas svg noscript template form dialog".split())
NAVIGATION_TAGS = frozenset("header footer nav aside".split())
SPACE_TAGS = frozenset("meta link base input".split())
BREAK_TAGS = frozenset(("br", "hr"))

NEVER_BY_NAME = frozenset("html body main article thead tbody tr th td".split())
"""Never removed by class or id: they contain the content, or (in tables) ``header`` means a header cell."""

RESCUE_CHARS = 500
"""On shorter pages, an element that contains most of the page may still be boilerplate."""

_WORD = lazy_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SPACES = lazy_pattern(r"[^\S\n]+")
_AROUND_BREAK = lazy_pattern(r" ?\n ?")
_MANY_BREAKS = lazy_pattern(r"\n{3,}")


@dataclass(frozen=True, slots=True)
class TextExtractionResult:
    """A page's title and text."""

    title: str = ""
    text: str = ""


@cache
def _vocabulary() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The rows of ``data/classic.toml``: names of boilerplate, words before them that describe a layout, and labels."""
    keywords, layout, labels = (row_words("classic.toml", row) for row in ("boilerplate", "layout", "label"))
    return frozenset(keywords), frozenset(layout), frozenset(map(str.casefold, labels))


class HtmlTextExtractor:
    """Title and cleaned text of a page.

    >>> page = "<title>Oak &amp; ash</title><nav>Home</nav><h1>Oak</h1><p>A hard wood.<br>It lasts.</p>"
    >>> HtmlTextExtractor().extract(page)
    TextExtractionResult(title='Oak & ash', text='Oak\\n\\nA hard wood.\\nIt lasts.')
    """

    def extract(self, html: str | bytes) -> TextExtractionResult:
        """Extract a page; bytes are decoded as UTF-8, and invalid ones are dropped. Never raises for any page."""
        if isinstance(html, (bytes, bytearray, memoryview)):
            html = bytes(html).decode("utf-8", errors="ignore")
        if not isinstance(html, str):
            raise InputError(
                f"extract() needs the page's HTML as str or bytes, not {type(html).__name__};"
                " read a file with Path(name).read_bytes()"
            )
        if not html.strip():
            return TextExtractionResult()
        tree = parse_tree(html, MAX_NODES)
        raw = "".join(_pieces(tree))
        return TextExtractionResult(_title(tree), _filter_lines(_normalize(raw)))


def _title(tree: Tree) -> str:
    """Step 1: the first ``<title>`` outside SVG."""
    i, count = 0, len(tree)
    while i < count:
        if tree.tag[i] == "title":
            return " ".join("".join(tree.text[i : tree.end[i]]).split())
        i = tree.end[i] if tree.tag[i] == "svg" else i + 1
    return ""


def _around_main(tree: Tree) -> set[int]:
    """The ancestors of all ``<main>`` elements."""
    around: set[int] = set()
    for i, tag in enumerate(tree.tag):
        if tag == "main":
            for above in tree.ancestors(i):
                if above in around:
                    break
                around.add(above)
    return around


def _pieces(tree: Tree) -> Iterator[str]:
    """Steps 2 to 5: the text without boilerplate, with line breaks at the boundaries of blocks."""
    around_main = _around_main(tree)
    closing: list[int] = []
    i, count = 0, len(tree)
    while i < count:
        while closing and closing[-1] <= i:
            closing.pop()
            yield "\n"
        if tree.gap[i]:
            yield " "
        tag = tree.tag[i]
        if not tag:
            yield tree.text[i]
        elif tag in SPACE_TAGS:
            yield " "
        elif tag in BREAK_TAGS:
            yield "\n"
        elif _is_boilerplate(tree, i, around_main):
            # A removed block still separates the text before it from the text after it.
            yield "\n" if tag in BLOCK_TAGS else " "
            i = tree.end[i]
            continue
        elif tag in BLOCK_TAGS:
            yield "\n"
            closing.append(tree.end[i])
        i += 1


def _is_boilerplate(tree: Tree, i: int, around_main: set[int]) -> bool:
    """Step 2: whether an element is boilerplate, by tag or by a word in its class or id; never most of the page."""
    tag = tree.tag[i]
    if tag in DROP_TAGS or tag in NAVIGATION_TAGS:
        return not _holds_the_page(tree, i)
    if tag in NEVER_BY_NAME or i in around_main:
        return False
    return _has_keyword(tree.cls[i], tree.ident[i]) and not _holds_the_page(tree, i)


def _has_keyword(cls: str, ident: str) -> bool:
    """Whether a class or id contains a keyword as a whole word: ``site-header`` and ``mainNav``, but not ``canvas``."""
    keywords, layout, _ = _vocabulary()
    for name in (*cls.split(), *ident.split()):
        before = ""
        for word in map(str.lower, _WORD.findall(name)):
            if word in keywords and before not in layout:
                return True
            before = word
    return False


def _holds_the_page(tree: Tree, i: int) -> bool:
    """Whether the element contains more than half of the page's text, mostly outside links."""
    chars = tree.chars_in(i)
    return chars >= RESCUE_CHARS and chars * 2 > tree.chars_in(tree.body) and tree.link_density(i) < 0.5


def _normalize(text: str) -> str:
    """Step 6 (the parser has resolved the entities): line ends, no-break spaces, runs of spaces and of line breaks."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _SPACES.sub(" ", text)
    text = _AROUND_BREAK.sub("\n", text)
    return _MANY_BREAKS.sub("\n\n", text).strip()


def _filter_lines(text: str) -> str:
    """Step 7: drop lines without letters or digits and lines of the denylist; keep blank lines between paragraphs."""
    kept: list[str] = []
    blank = False
    for line in text.split("\n"):
        line = line.strip()
        if not line:
            blank = True
        elif _should_keep_line(line):
            if blank and kept:
                kept.append("")
            kept.append(line)
            blank = False
    return "\n".join(kept)


def _should_keep_line(line: str) -> bool:
    return line.casefold() not in _vocabulary()[2] and any(map(str.isalnum, line))
