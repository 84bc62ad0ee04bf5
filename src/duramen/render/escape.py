"""Text that stays text: what a renderer of Markdown could read as markup is escaped."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

from duramen.lazy_pattern import lazy_pattern

__all__ = [
    "ESCAPES",
    "IN_HTML_CODE",
    "SPECIAL",
    "destination",
    "ends_in_address",
    "escaped",
    "may_hold_address",
    "protected",
]

# Why these and no others: `_` between letters, `[1]` with nothing behind it, `< ` and `&` in an address mean nothing to
# CommonMark. Extensions read `{` (attributes, templates), `:name` (directives, emoji; inside a word only with `[`, `{`
# or `:` behind it, since in "Leser:innen" it is an empty element at worst), `^x^` (raised text), `==x==`, `[[x]]` and
# `[TOC]`. A
# node's end is treated as the worst neighbour, since what follows is not known yet. Each alternative begins with a
# character of its own, so that the search passes over all others quickly.
SPECIAL = b"\\`*_~[]<&$^{:="
_ALWAYS = (
    r"`|\*|~|\{|\\(?=[!-/:-@\[-`{-~]|\Z)|_(?:(?![^\W_])|(?<![^\W_]_))|<(?!\s)|&(?=#?[A-Za-z0-9]*(?:;|\Z))"
    r"|:(?=[A-Za-z])(?:(?<![\w:].)|(?=[\w+-]{1,80}[\[{:]))|\^(?=\[|[^\s^]*+(?:\^|\Z))|=(?==)"
)
_BRACKETS = {False: r"\[(?!(?![!^= ]|[xX]\]|TOC\])[^\[\]]{1,80}\](?![(\[:{]|\Z))", True: r"\[|\]"}
_DOLLARS = {False: r"\$(?!\d)", True: r"\$"}
ESCAPES = {
    (in_link, every_dollar): lazy_pattern(f"{_ALWAYS}|{_BRACKETS[in_link]}|{_DOLLARS[every_dollar]}")
    for in_link in (False, True)
    for every_dollar in (False, True)
}
_IN_LINK = (ESCAPES[True, False], ESCAPES[True, True])
# `<`, `&` and `{` become references (templates and other preprocessors know no backslash), all others get a backslash.
# Renderers that make links of bare addresses take a backslash in one for a part of it, and then read what it should
# protect: there, what could begin a link or code is a reference, too.
_BACKSLASHED = {char: f"\\{char}" for char in "\\`*_~[]$^!:="} | {"<": "&lt;", "&": "&amp;", "{": "&#123;"}
_REFERENCES = _BACKSLASHED | {char: f"&#{ord(char)};" for char in "`[]^!:"}
IN_HTML_CODE = {ord(char): f"&#{ord(char)};" for char in "\\`*_~[]$^!<>&|{:=+"}
"""Between tags of HTML all but these are only characters."""
_LONG = 20_000
_URL_SPECIAL = lazy_pattern(r"[\s\[\]<>\\`()\"$&{}]")
_URL_PARENS = lazy_pattern(r"[()]")
_URL_ENTITY = lazy_pattern(r"&(?=#?[A-Za-z0-9]+;)")
_URL_INDEX = lazy_pattern(r"(?<!!)\[\w*\](?![(\[:])")
_URL_SPACE = lazy_pattern(r"\s")
# As a browser reads an address: line breaks and tabs are not part of it, other white space is encoded.
_URL_ENCODED: dict[int, str | None] = {ord(c): f"%{ord(c):02X}" for c in ' <>\\`"{}'} | dict.fromkeys(
    map(ord, "\t\r\n")
)


def escaped(pattern: re.Pattern[str], text: str, in_address: bool = False) -> str:
    """Text whose matches are only characters, to any renderer; it may begin inside an address."""
    # In the text of a link, marked takes !\[ for the beginning of an image.
    like_image = "![" in text and pattern in _IN_LINK
    is_plain = not (like_image or in_address or may_hold_address(text))
    replaced = _backslashed if is_plain else _careful(text, in_address, like_image)
    if len(text) < _LONG:
        return pattern.sub(replaced, text)
    # Each piece is an object until they are joined.
    joined: list[str] = []
    pieces: list[str] = []
    done = 0
    for match in pattern.finditer(text):
        pieces += (text[done : match.start()], replaced(match))
        done = match.end()
        if len(pieces) >= _LONG:
            joined.append("".join(pieces))
            pieces.clear()
    return "".join((*joined, *pieces, text[done:]))


def _backslashed(match: re.Match[str]) -> str:
    return _BACKSLASHED[match[0]]


def _careful(text: str, in_address: bool, like_image: bool) -> Callable[[re.Match[str]], str]:
    """What protects one match in a text after another, some of which may be in addresses."""
    at = 0

    def replaced(match: re.Match[str]) -> str:
        nonlocal at, in_address
        in_address = ends_in_address(text[at : match.start()], in_address)
        at = match.start()
        return protected(match[0], in_address or like_image)

    return replaced


def protected(char: str, in_address: bool) -> str:
    """One character that is only a character, behind text that may be an address."""
    return (_REFERENCES if in_address else _BACKSLASHED)[char]


def may_hold_address(text: str) -> bool:
    # Most texts have no "w" before a dot, and are not copied into lower case.
    return "://" in text or (("w." in text or "W." in text) and "www." in text.lower())


def ends_in_address(text: str, in_address: bool) -> bool:
    """Whether a bare address reaches to the end of a text, maybe one that was open before."""
    at = text.rfind(" ") + 1
    return (in_address and not at) or may_hold_address(text[at:])


def destination(url: str) -> str:
    """An address as a link destination: encoded or escaped where Markdown would end or change it."""
    if not _URL_SPECIAL.search(url):
        return url
    url = _URL_SPACE.sub(lambda found: quote(found[0]), url.translate(_URL_ENCODED))
    url = _URL_ENTITY.sub("&amp;", url).replace("$", "\\$")
    if "[" in url or "]" in url:
        url = _in_no_link(url)
    depth = deepest = 0
    for char in _URL_PARENS.findall(url):
        depth += 1 if char == "(" else -1
        deepest = max(deepest, depth)
        if depth < 0:
            break
    return _URL_PARENS.sub(r"\\\g<0>", url) if depth or deepest > 3 else url


def _in_no_link(url: str) -> str:
    """An address whose brackets no renderer takes for those of a link: as they are only in ``a[]=1``."""
    if "[" in (rest := _URL_INDEX.sub("", url)) or "]" in rest:
        return url.replace("[", "%5B").replace("]", "%5D")
    return url
