"""Texts in attributes, which no reader sees unless a picture fails to load: left out with ``Options.visible_only``."""

from __future__ import annotations

from collections.abc import Iterator

from duramen.dom import Element
from duramen.lazy_pattern import lazy_pattern
from duramen.model import Removal
from duramen.page import letters
from duramen.refine.elements.vocabulary import ordered

_TEXTS = ("title", "alt", "aria-label", "aria-description", "alttext", "label", "summary", "data-caption", "data-title")
_FORMULAS = ("alttext", *ordered("math-attributes"))
_IMAGE = "image"
"""Takes the place of an alternative text until it is known which images stay: one without is an ornament."""
_WORDS = lazy_pattern(r"\\[A-Za-z]+|([^\W\d_]{3,})")
_MOST_WORDS = 2
"""In the TeX of a picture of a formula."""
_MOST_REPORTED = 1_000


def drop_attribute_texts(root: Element) -> list[Removal]:
    """Take out texts in attributes; those of formulas stay if the formula shows their words."""
    found: list[Removal] = []
    for element in (root, *root.iter_elements()):
        for name, value in _unseen(element):
            if name == "alt":
                element.attrs["alt"] = _IMAGE
            else:
                del element.attrs[name]
            if letters(value) and letters(value) != letters(element.text) and len(found) < _MOST_REPORTED:
                reason = f"a text in the attribute {name}"
                found.append(
                    Removal("hidden", "attribute-text", reason, element.tag, " ".join(value[:500].split())[:80])
                )
    return found


def _unseen(element: Element) -> Iterator[tuple[str, str]]:
    attrs = element.attrs
    for name in (*_TEXTS, *_FORMULAS[1:]):
        value = attrs.get(name)
        if not value or not value.strip():
            continue
        words = [letters(word) for word in _WORDS.findall(value) if word]
        if name in _FORMULAS:
            shown = letters(element.text)
            if all(word in shown for word in words):
                continue
        elif name == "alt" and (not words or ("\\" in value and len(words) <= _MOST_WORDS)):
            # An emoji, or a formula.
            continue
        yield name, value


def drop_stand_ins(root: Element) -> None:
    """Take out what took the place of alternative texts."""
    for image in root.iter_elements("img"):
        if image.attr("alt") == _IMAGE:
            del image.attrs["alt"]
