"""Text set by hand: a ``<pre>`` of standards, manual pages and mail archives is no code, and its links stay."""

from __future__ import annotations

from duramen.dom import Element, Text
from duramen.lazy_pattern import lazy_pattern
from duramen.refine.elements.language import language_of
from duramen.refine.elements.survey import near

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
