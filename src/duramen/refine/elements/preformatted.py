"""Text set by hand: a ``<pre>`` of standards, manual pages and mail archives is no code, and its links stay.

Other elements may keep their white space by style; they are code, or lines.
"""

from __future__ import annotations

import re

from duramen.dom import Element, Text
from duramen.lazy_pattern import lazy_pattern
from duramen.refine.elements.language import language_of
from duramen.refine.elements.survey import Survey, near, tokens
from duramen.refine.elements.vocabulary import words

_KEPT_SPACE = lazy_pattern(r"\bwhite-space(?:-collapse)?\s*:\s*(?:pre|break-spaces|preserve)", re.IGNORECASE)
_MONOSPACED = lazy_pattern(r"\bfont(?:-family)?\s*:[^;]*(?:mono|courier|consolas|menlo)", re.IGNORECASE)
_CODE = words("language-beside")
_HOLDERS = frozenset("div p section blockquote td li".split())
INSIDE = frozenset("a b br em font i small span strong sub sup u".split())
_CODE_SIGNS = lazy_pattern(r"[{};=<>|$\\]")
_LETTERS_PER_SIGN = 25
"""Code has one of these signs for every few letters; standards quote some code, and have one for fifty at most."""


def is_set_text(block: Element) -> bool:
    """Whether a ``<pre>`` holds links and reads like text."""
    if next((link for link in block.iter_elements("a") if link.attr("href")), None) is None:
        return False
    if any(element.tag not in INSIDE for element in block.iter_elements()):
        return False
    text = block.text
    if _LETTERS_PER_SIGN * len(_CODE_SIGNS.findall(text)) > sum(map(str.isalpha, text)):
        return False
    return language_of(block, list(near(block, 3))) is None


def keep_links(block: Element) -> None:
    """Leave the text and the links in it, line by line as it was."""
    for element in list(block.iter_elements()):
        if element.tag == "br":
            element.replace_with(Text("\n"))
        elif element.tag != "a" or not element.attr("href"):
            element.unwrap()
    block.tag = "pre"


def keep_styled_lines(survey: Survey) -> None:
    """Respect ``white-space: pre`` in a style: several lines are code where they are set so, else they are broken."""
    for element in survey.attributes["style"]:
        style = element.attr("style") or ""
        if element.tag not in _HOLDERS or not _KEPT_SPACE.search(style) or element.parent is None:
            continue
        if "\n" not in element.text.strip() or any(inner.tag not in INSIDE for inner in element.iter_elements()):
            continue
        if element.tag in ("div", "p") and (_MONOSPACED.search(style) or not _CODE.isdisjoint(tokens(element))):
            element.tag = "pre"
            survey.tags.add("pre")
        else:
            _break_lines(element)


def _break_lines(element: Element) -> None:
    for node in list(element.descendants):
        if isinstance(node, Text) and "\n" in node.data:
            lines = node.data.split("\n")
            parts: list[Element | Text] = [Text(lines[0])]
            for line in lines[1:]:
                parts += [Element("br"), Text(line)]
            node.replace_with(*parts)
