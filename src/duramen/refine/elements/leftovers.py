"""What a page shows by mistake or in between: shortcodes that nothing has replaced, quotation marks twice, pointers to
other articles, and headings with nothing under them."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from duramen.dom import Element, Node, Text
from duramen.lazy_pattern import lazy_pattern
from duramen.refine.elements.links import HEADINGS, absolute
from duramen.refine.elements.survey import element_parent, element_sibling, is_small, squeezed
from duramen.refine.elements.vocabulary import words
from duramen.rule_files import host_in

_SHORTCODE = lazy_pattern(r"\[/?[a-z][a-z0-9_-]{1,60}+(?:\s[^\[\]]{0,2000}+)?+\](?!\()")
_PARTS = lazy_pattern(r"\[(/?)([a-z][a-z0-9_-]*)(\s[^\]]*)?\]")
_CLOSING = lazy_pattern(r"\[/([a-z][a-z0-9_-]*)\]")
_ATTRIBUTE = lazy_pattern(r"\s[\w-]+\s?=\s?[\"'\u201c\u201d\u2018\u2019\u2033\w]")
_NAMES = words("shortcode")
_PREFIXES = tuple(words("shortcode-prefixes"))
_VERBATIM = ("pre", "code", "kbd", "samp", "textarea")


def remove_shortcodes(root: Element) -> None:
    """Take out the names in brackets that a publishing system should have replaced; notes and code stay."""
    text = root.text
    if "[" not in text:
        return
    closed = _NAMES.intersection(_CLOSING.findall(text))
    if not any(_is_shortcode(found[0], closed) for found in _SHORTCODE.finditer(text)):
        return
    for node in list(root.descendants):
        if isinstance(node, Text) and "[" in node.data:
            parent = element_parent(node)
            if parent is not None and not any(parent.closest(tag) for tag in _VERBATIM):
                node.data = _SHORTCODE.sub(lambda found: "" if _is_shortcode(found[0], closed) else found[0], node.data)


def _is_shortcode(written: str, closed: frozenset[str]) -> bool:
    """Whether a text in brackets is one; ``closed`` are the names of which the page has the closing part."""
    parts = _PARTS.fullmatch(written)
    if parts is None:
        return False
    name = parts[2]
    if name in _NAMES:
        return bool(name in closed or (parts[3] and _ATTRIBUTE.match(parts[3])))
    return name.startswith(_PREFIXES)


_SET_APART = ("a", "span", "time", "strong", "b", "em", "i", "small", "cite", "abbr")


def part_words(root: Element) -> None:
    """Put a space between elements that only a style sheet sets apart: "…PeterMay 5" is a name and a date.

    It shows where a word ends in a small letter and the next element begins with a capital, or where two links meet.
    """
    for element in list(root.iter_elements(_SET_APART)):
        following = element.next_sibling
        if not isinstance(following, Element) or following.tag not in _SET_APART:
            continue
        before, after = element.text[-2:], following.text[:2]
        if len(before) < 2 or len(after) < 2 or not (before + after).replace(".", "a").isalnum():
            continue
        meets_link = element.tag == following.tag == "a"
        is_parted = meets_link or (before[1].islower() and after[0].isupper())
        if is_parted and not any(following.closest(tag) for tag in _VERBATIM):
            element.insert_after(Text(" "))


def part_attributions(root: Element) -> None:
    """Give who is quoted, where a quotation begins with it, a line of its own: only a style sheet parts it."""
    for cite in list(root.iter_elements("cite")):
        following, parent = cite.next_sibling, element_parent(cite)
        is_first = parent is not None and not parent.text[: len(cite.text) + 40].strip().partition(cite.text.strip())[0]
        if is_first and isinstance(following, Text) and following.data[:1].isalnum() and cite.closest("blockquote"):
            line = Element("p")
            cite.insert_before(line)
            line.append(cite)


_MARKS = frozenset("\"'\u00ab\u00bb\u2018\u2019\u201a\u201c\u201d\u201e\u2039\u203a\u300c\u300e\uff02")


def remove_doubled_marks(root: Element) -> None:
    """Unwrap a ``<q>`` whose quotation marks are written out, in it or around it: it would be given a second pair."""
    for quotation in list(root.iter_elements("q")):
        before = quotation.previous_sibling
        edges = quotation.text.strip()[:1] + (before.data.rstrip()[-1:] if isinstance(before, Text) else "")
        if not _MARKS.isdisjoint(edges):
            quotation.unwrap()


_CONTAINERS = ("article", "section", "div")
_MOST_DROPPED = 2
"""Headings at the end that are dropped; more of them in a row are a list of names."""
_MOST_TITLE = 8


def remove_last_headings(root: Element) -> None:
    """Let no heading end the content: what it announced was left out."""
    headings: list[Element] = []
    rest: Element | None = None
    stack: list[Node] = list(root.children)
    while stack and rest is None:
        block = stack.pop()
        if not isinstance(block, Element):
            continue
        if block.tag in HEADINGS:
            headings.append(block)
        elif block.tag in _CONTAINERS and block.attr("data-footnotes") is None:
            stack += block.children
        else:
            rest = block
    for heading in headings:
        if rest is not None and len(headings) <= _MOST_DROPPED and _is_title(heading):
            _extract_with_container(heading)
        else:
            heading.tag = "p"


def _is_title(heading: Element) -> bool:
    """Whether a heading is the name of something, not a sentence set in large letters."""
    text = heading.text.strip()
    return len(text.split()) <= _MOST_TITLE and text[-1:] not in ".!\u2026\u3002"


def _extract_with_container(element: Element) -> None:
    parent = element_parent(element)
    element.extract()
    while parent is not None and parent.tag in _CONTAINERS and not parent.children and parent.parent is not None:
        empty, parent = parent, element_parent(parent)
        empty.extract()


_LABEL = lazy_pattern(r"[^\d\W][^:\uff1a]{1,40}[:\uff1a]")
_MOST_LABEL = 5
_LEAST_TITLE = 20
_PROSE = 80
"""Characters of the paragraphs around a pointer."""
_NOT_POINTING = words("pointer-not")
_FILE = lazy_pattern(r"\.(?!html?$|php$|aspx?$|jsp$)[a-z][a-z0-9]{1,4}$", re.I)


def remove_pointers(root: Element, base_url: str | None) -> None:
    """Take out a paragraph that only names another article of the site, alone between paragraphs of text.

    It is a label with a colon ("Read also:", in whichever language), which the link may hold, and one link that is the
    rest of it. Sources, downloads and links to other sites stay, and so does everything in lists.
    """
    host = host_in(base_url)
    if not host:
        return
    for link in list(root.iter_elements("a")):
        if len(link.text) < _LEAST_TITLE:
            continue
        block = link.closest("p")
        if block is not None and is_small(block, 6) and _points_elsewhere(link, block, base_url, host):
            block.extract()


def _points_elsewhere(link: Element, block: Element, base_url: str | None, host: str) -> bool:
    title = squeezed(link.text)
    if len(title) < _LEAST_TITLE:
        return False
    text = squeezed(block.text)
    if len(text) > 250 or not text.endswith(title):
        return False
    label = text[: -len(title)].strip()
    if not label:
        # The label may be in the link, too.
        inside = _LABEL.match(title)
        if inside is None or len(title) - inside.end() <= _LEAST_TITLE:
            return False
        label = inside[0]
    if not _LABEL.fullmatch(label) or len(label.split()) > _MOST_LABEL:
        return False
    if not _NOT_POINTING.isdisjoint(re.findall(r"\w+", label.lower())):
        return False
    if next(block.iter_elements(("img", "code")), None) is not None:
        return False
    address = absolute(link.attr("href") or "", base_url)
    if not address or not _is_article(address, base_url or "", host):
        return False
    return all(_is_prose(element_sibling(block, before=before)) for before in (True, False))


def _is_article(address: str, base_url: str, host: str) -> bool:
    if host_in(address).removeprefix("www.") != host.removeprefix("www."):
        return False
    parts, own = urlsplit(address), urlsplit(base_url)
    return parts.path not in (own.path, "", "/") and not _FILE.search(parts.path)


def _is_prose(block: Element | None) -> bool:
    if block is None or block.tag != "p":
        return False
    linked = sum(len(link.text) for link in block.iter_elements("a"))
    return len(squeezed(block.text)) - linked >= _PROSE
