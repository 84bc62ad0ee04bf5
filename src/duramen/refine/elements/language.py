"""Which language a code block is in: the name its highlighter left on it or around it."""

from __future__ import annotations

import re

from duramen.dom import Element
from duramen.lazy_pattern import lazy_pattern
from duramen.refine.elements.survey import near
from duramen.refine.elements.vocabulary import any_of, ordered, pairs, words

NO_LANGUAGE = words("language-none")
LANGUAGES = words("language")
_SCOPES = dict(pairs("language-scopes"))
_PREFIXED = lazy_pattern(rf"{any_of('language-prefixes')}[-:](.+)")
_BRUSH = lazy_pattern(r"\b(?:brush|lang)\s*:\s*[\"']?([\w#+.-]+)", re.IGNORECASE)
_VALID = lazy_pattern(r"[a-z0-9][a-z0-9+#._-]{0,29}")
_LANGUAGE_ATTRIBUTES = ordered("language-attributes")
_MARKED = words("language-beside")
_NOT_AFTER_HIGHLIGHT = words("language-not")


def language_of(block: Element, frames: list[Element]) -> str | None:
    """The language named on the block, its ``<code>``, its frames, or up to three elements around these."""
    inner = next(block.iter_elements("code"), None) if block.tag != "code" else None
    for element in (inner, block, *frames):
        if element is not None:
            stated = _stated(element, trusted=True)
            if stated is not None:
                return stated or None
    outermost = frames[-1] if frames else block
    for element in near(outermost, 3):
        stated = _stated(element, trusted=False)
        if stated is not None:
            return stated or None
    return None


def _stated(element: Element, trusted: bool) -> str | None:
    """The language that attributes name; empty when they state that there is none, None when they name none."""
    named = named_language(element, trusted)
    return "" if named in NO_LANGUAGE else named


def named_language(element: Element, trusted: bool) -> str | None:
    """The language that attributes name; away from the code itself only known names count (``lang-en`` is none)."""
    cls = element.attr("class")
    names = cls.lower().split() if cls else []
    for name in names:
        prefixed = _PREFIXED.fullmatch(name)
        if prefixed:
            language = _cleaned(prefixed[1])
            if language and (language in LANGUAGES or language in NO_LANGUAGE or (trusted and _trusts(name, language))):
                return language
    for attribute in _LANGUAGE_ATTRIBUTES:
        value = element.attr(attribute)
        if value:
            brush = _BRUSH.search(value)
            language = _cleaned(brush[1] if brush else value)
            if language and (language in LANGUAGES or language in NO_LANGUAGE or (trusted and attribute != "lang")):
                return language
    brush = _BRUSH.search(cls) if cls and ":" in cls else None
    if brush:
        return _cleaned(brush[1])
    if not _MARKED.isdisjoint(names):
        return next((name for name in names if name in LANGUAGES), None)
    return None


def _trusts(name: str, language: str) -> bool:
    """``highlight-`` alone also begins names that are no language."""
    return (
        not name.startswith("highlight-")
        or name.startswith(("highlight-source-", "highlight-text-"))
        or (len(language) < 12 and language not in _NOT_AFTER_HIGHLIGHT)
    )


def _cleaned(name: str) -> str | None:
    name = name.strip().strip(";").lower()
    name = _SCOPES.get(name, name).split("{")[0].split(":")[0]
    return name if _VALID.fullmatch(name) else None


def known_language(name: str) -> str | None:
    cleaned = _cleaned(name)
    return cleaned if cleaned in LANGUAGES else None
