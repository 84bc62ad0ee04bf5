"""The structured-data tier: content that the page carries as data.

Where the text also stands in the page, its nodes are the content, so that links survive; else the data itself is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from duramen.dom import SelectorSyntaxError, escape
from duramen.model import Candidate
from duramen.native import core
from duramen.page import Page

_TAG = re.compile(r"<(?:p|div|br|h[1-6]|ul|ol|li|a|strong|em|figure|blockquote)\b", re.I)
_MIN_BODY = 300
_PROBE = 40
"""Characters of a block that must be found in the data for the block to count as the data's."""


_MOST_STEPS = 200_000
"""Elements times steps of an XPath to any depth, each of which may look at all of them: half a second."""
_NEAR = 4_000
"""Characters after the place of one block among which the next is looked for first."""
_LONG = 2_500
"""Characters in which Python looks for a probe in linear time; in fewer, it may compare all of it at every place."""
_MOST_COMPARED = 100_000_000
"""Characters compared, at worst, to find the page's blocks in its data: a fifth of a second."""
_STEP = r"(?:[\w*-]+|\*)?(?:[.#][\w-]+|\[@?[\w-]+(?:[*^$~|]?=(?:'[^']*'|\"[^\"]*\"|[\w-]+))?\]|\[\d+\])*"
_PLAIN_SELECTOR = re.compile(rf"(?:{_STEP}(?:\s*[>,]\s*|\s+)){{0,12}}{_STEP}|(?://?{_STEP}){{1,20}}")
"""Names, classes, ids, attributes and numbers: the page itself wrote these, and may not ask for more work than that."""


def find_embedded(page: Page) -> Iterator[Candidate]:
    """Bodies from JSON-LD and hydration data, located in the page or as a fragment; then ``speakable``."""
    for source, body in page.structured.bodies[:3]:
        if len(body) < _MIN_BODY:
            continue
        nodes = _locate(page, body)
        if nodes:
            yield Candidate("structured", f"data-{source}", f"{source} found in the page", nodes, confidence=0.8)
        else:
            yield Candidate(
                "structured",
                f"data-{source}",
                f"{source}, not in the page's own text",
                fragment=as_html(body),
                confidence=0.6,
            )
    steps = _MOST_STEPS // max(1, len(page.tree))
    for selector in page.structured.speakable[:10]:
        if not _PLAIN_SELECTOR.fullmatch(selector):
            continue
        steps -= selector.count("//")
        if steps < 0:
            break
        try:
            found = page.tree.xpath(selector) if selector.startswith("/") else page.tree.select(selector)
        except SelectorSyntaxError:
            continue
        nodes = tuple(i for i in found if page.tree.chars_in(i))
        if nodes:
            yield Candidate("structured", "data-speakable", f"speakable {selector}", nodes[:50], confidence=0.3)


def hydrated_candidates(bodies: Sequence[tuple[str, str]]) -> Iterator[Candidate]:
    """What a script would show: the longest prose in the page's hydration data."""
    for source, body in bodies[:1]:
        if len(body) >= _MIN_BODY:
            yield Candidate(
                "structured", f"data-{source}", f"{source}, hydration data", fragment=as_html(body), confidence=0.4
            )


def _locate(page: Page, body: str) -> tuple[int, ...]:
    """The smallest element whose blocks make up the data's text, if at least half of it stands in the page."""
    folded = _squash(re.sub(r"<[^>]{0,500}>", " ", body) if _TAG.search(body) else body)
    blocks, tree = page.blocks, page.tree
    size, folded = len(folded), folded.ljust(_LONG)
    matched: list[int] = []
    at, left = 0, _MOST_COMPARED
    for b in _likely(folded, blocks.text):
        probe = _squash(blocks.text[b][:_PROBE])
        found = folded.find(probe, at, at + _NEAR)
        if found < 0:
            left -= _NEAR * _PROBE // 4 + len(folded)
            if left < 0:
                break
            found = folded.find(probe)
        if found >= 0:
            matched.append(b)
            at = found
    if not matched or sum(len(blocks.text[b]) for b in matched) < 0.5 * size:
        return ()
    first, last = blocks.first[matched[0]], blocks.last[matched[-1]]
    node = blocks.owner[matched[0]]
    while node > 0 and not (tree.contains(node, first) and tree.contains(node, last)):
        node = tree.parent[node]
    return (node,)


def _likely(folded: str, texts: list[str]) -> Sequence[int]:
    """The texts, long enough for a probe, that may stand in the data; the compiled core can tell most that do not."""
    if core is not None:
        return core.standing(folded, texts, _PROBE)  # type: ignore[no-any-return]
    return [b for b, text in enumerate(texts) if len(text) >= _PROBE]


def _squash(text: str) -> str:
    return "".join(text.split()).lower()


def as_html(body: str) -> str:
    """Data as a fragment: HTML as it is (the sanitizer runs later), plain text as escaped paragraphs."""
    if _TAG.search(body):
        return body
    return "".join(f"<p>{escape(part)}</p>" for part in re.split(r"\n\s*\n|\r\n|\n", body) if part.strip())
