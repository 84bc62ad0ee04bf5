"""The structured-data tier: content that the page carries as data.

Where the text is also in the page, its nodes are the content, so that links survive; else the data itself is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from duramen.dom import escape
from duramen.lazy_pattern import lazy_pattern
from duramen.model import Candidate
from duramen.native import core
from duramen.page import Page
from duramen.selectors import SelectorSyntaxError

_TAG = lazy_pattern(r"<(?:p|div|br|h[1-6]|ul|ol|li|a|strong|em|figure|blockquote)\b", re.I)
_MIN_BODY = 300
_PROBE = 32
"""Letters of a block that must be found in the data for the block to count as the data's."""
_LONGEST_SELECTOR = 400
_STEP = r"[\w*-]*+(?:[.#][\w-]++|\[@?[\w-]++(?:[*^$~|]?=(?:'[^']*+'|\"[^\"]*+\"|[\w-]++))?\])*+"
_PLAIN_SELECTOR = lazy_pattern(rf"(?:{_STEP}(?:\s*+[>,]\s*+|\s++)){{0,12}}+{_STEP}|(?://?+{_STEP}){{1,20}}+")
"""Names, classes, ids, attributes and numbers: the page itself wrote these, and may not ask for more work than that."""


def find_embedded(page: Page) -> Iterator[Candidate]:
    """Bodies from JSON-LD and hydration data, located in the page or as a fragment; then ``speakable``."""
    bodies = [(source, body) for source, body in page.structured.bodies[:3] if len(body) >= _MIN_BODY]
    starts = [_start(text) for text in page.blocks.text] if bodies else []
    # Looked for together: one pass over each body, however many texts there are.
    phrases = core.Phrases([start for start in starts if start])
    for source, body in bodies:
        nodes = _locate(page, body, starts, phrases)
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
    for selector in page.structured.speakable[:10]:
        if len(selector) > _LONGEST_SELECTOR or not _PLAIN_SELECTOR.fullmatch(selector):
            continue
        try:
            found = page.tree.select(_as_css(selector) if selector.startswith("/") else selector)
        except SelectorSyntaxError:
            continue
        nodes = tuple(i for i in found if page.tree.chars_in(i))
        if nodes:
            yield Candidate("structured", "data-speakable", f"speakable {selector}", nodes[:50], confidence=0.3)


_INSIDE = r"(?:'[^']*+'|\"[^\"]*+\"|[^\]'\"])*+"
_PREDICATE = lazy_pattern(rf"\[({_INSIDE})\]")
_XPATH_STEP = lazy_pattern(rf"(//?)([^/\[]*+)((?:\[{_INSIDE}\])*+)")
"""A step of an XPath: its slashes, its name and its predicates, which may hold quoted texts."""


def _as_css(path: str) -> str:
    """An XPath of names, attributes and numbers as a CSS selector; what holds more becomes no selector at all.

    >>> _as_css("/html/body//div[@id='a'][2]/p")
    ":root:is(html) > body :nth-child(2 of div[id='a']) > p"
    """
    css = ""
    for sign, name, predicates in _XPATH_STEP.findall(path):
        step = name or "("
        for one in _PREDICATE.findall(predicates):
            step = (
                f":nth-child({one} of {step})"
                if one.isdigit()
                else f"{step}[{one[1:]}]"
                if one.startswith("@")
                else f"{step}:has(> {one})"
            )
        css += (f" > {step}" if sign == "/" else f" {step}") if css else f":root:is({step})" if sign == "/" else step
    return css


def hydrated_candidates(bodies: Sequence[tuple[str, str]]) -> Iterator[Candidate]:
    """What a script would show: the longest prose in the page's hydration data."""
    for source, body in bodies[:1]:
        if len(body) >= _MIN_BODY:
            yield Candidate(
                "structured", f"data-{source}", f"{source}, hydration data", fragment=as_html(body), confidence=0.4
            )


def _locate(page: Page, body: str, starts: Sequence[str], phrases: core.Phrases) -> tuple[int, ...]:
    """The smallest element whose blocks make up the data's text, if at least half of it is in the page."""
    folded = _squash(re.sub(r"<[^>]{0,500}>", " ", body) if _TAG.search(body) else body)
    blocks, tree = page.blocks, page.tree
    standing = set(phrases.within(folded))
    matched = [b for b, start in enumerate(starts) if start in standing]
    if not matched or sum(len(blocks.text[b]) for b in matched) < 0.5 * len(folded):
        return ()
    first, last = blocks.first[matched[0]], blocks.last[matched[-1]]
    node = blocks.owner[matched[0]]
    while node > 0 and not (tree.contains(node, first) and tree.contains(node, last)):
        node = tree.parent[node]
    return (node,)


def _start(text: str) -> str:
    """The letters that a text is looked for by; nothing if it is too short."""
    start = _squash(text[: 2 * _PROBE])[:_PROBE] if len(text) >= _PROBE else ""
    return start if len(start) == _PROBE else ""


def _squash(text: str) -> str:
    """Lower case and without white space, letter by letter: neighbours do not matter."""
    return "".join(text.replace("\u0130", "i").replace("\u03a3", "\u03c3").split()).lower()


def as_html(body: str) -> str:
    """Data as a fragment: HTML as it is (the sanitizer runs later), plain text as escaped paragraphs."""
    if _TAG.search(body):
        return body
    return "".join(f"<p>{escape(part)}</p>" for part in re.split(r"\n\s*\n|\r\n|\n", body) if part.strip())
