"""Links: absolute and harmless addresses, permalinks out of headings."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

from duramen.dom import Element, Text
from duramen.lazy_pattern import lazy_pattern
from duramen.refine.elements.survey import INVISIBLE, Survey, blank, squeezed, tokens
from duramen.refine.elements.vocabulary import any_of, words
from duramen.safe_values import policy

HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))

_NOT_IN_URLS = lazy_pattern(r"[\x00-\x1f\x7f]")
_PLAIN = lazy_pattern(r"https?://[!-~]+")
_PLAIN_PATH = lazy_pattern(r"/(?!/)[!-\[\]-~]*")
_PLAIN_FRAGMENT = lazy_pattern(r"#[!-~]+")
_PLAIN_NAME = lazy_pattern(r"[\w-]+(?:[./][\w-]+)*/?(?:#[\w-]+)?", re.ASCII)
"""Addresses that need no repair."""
_ORIGIN = lazy_pattern(r"https?://[\w.-]+(?::\d+)?(?=[/?#]|$)")
_SCHEME = lazy_pattern(r"([A-Za-z][A-Za-z0-9+.-]*):")
_GLYPHS = INVISIBLE + " \t\n\r\xa0¶#§🔗⚓∞\uf0c1\ufe0f\ue157"
"""All that the text of a permalink is made of, in the generators seen."""

_PERMALINK_WORDS = lazy_pattern(rf"{any_of('permalink-words')}\b", re.IGNORECASE)
_AROUND_HEADINGS = words("permalink-around")
_TRACKING = lazy_pattern(any_of("link-tracking"), re.IGNORECASE)


def absolute(url: str, base_url: str | None) -> str | None:
    """An http, https or mailto address, relative only when no base is known; None when there is no safe one."""
    first = url[:1]
    if first == "h" and _PLAIN.fullmatch(url):
        return url
    if base_url is not None and (origin := origin_of(base_url)):
        if first == "/":
            if _PLAIN_PATH.fullmatch(url) and "/." not in url:
                return origin + url
        elif first == "#":
            if _PLAIN_FRAGMENT.fullmatch(url):
                return _without_fragment(base_url) + url
        elif _PLAIN_NAME.fullmatch(url):
            return _beside(base_url) + url
    if len(url) > 4 * policy()["limits"]["url"]:
        return None  # the sanitizer would refuse it, and until then every copy would be three times as long
    url = _NOT_IN_URLS.sub("", url).strip().replace(" ", "%20")
    if not url:
        return None
    scheme = _SCHEME.match(url)
    if scheme:
        name = scheme[1].lower()
        if name == "mailto":
            return url if len(url) > len("mailto:") else None
        return (
            url
            if name in ("http", "https") and len(url) > scheme.end() + 2 and url[scheme.end() :][:2] == "//"
            else None
        )
    if base_url is None:
        return "https:" + url if url.startswith("//") else None if url.startswith("#") else url
    if url[0] == "/" and url[1:2] != "/" and "/." not in url and "\\" not in url and (origin := origin_of(base_url)):
        return origin + url
    try:
        joined = urljoin(base_url, url)
    except ValueError:
        return None
    if joined.startswith(("http://", "https://")):
        return joined
    return None if _SCHEME.match(joined) or url.startswith("#") else joined


@lru_cache(maxsize=16)
def origin_of(base_url: str) -> str:
    """Scheme and host of a page, to which an address that begins with a slash is appended; empty if it has none."""
    found = _ORIGIN.match(base_url)
    try:
        return found[0] if found and urlsplit(base_url) else ""
    except ValueError:
        return ""


@lru_cache(maxsize=16)
def _without_fragment(base_url: str) -> str:
    return urljoin(base_url, "#x").removesuffix("#x")


@lru_cache(maxsize=16)
def _beside(base_url: str) -> str:
    """To what a relative address is appended."""
    return urljoin(base_url, "x").removesuffix("x")


def local_target(href: str, base_url: str | None) -> str | None:
    """The id an in-page link points to."""
    href = href.strip()
    if not href.startswith("#"):
        if base_url is None or "#" not in href:
            return None
        page = base_url.partition("#")[0]
        if not href.startswith(page + "#"):
            return None
        href = href[len(page) :]
    return href[1:] or None


def remove_permalinks(root: Element, survey: Survey) -> None:
    """Drop anchors that only point at their own heading; those that hold its text are unwrapped."""
    for anchor in survey.roles["permalink"]:
        if anchor.tag in ("a", "span", "button", "small") and anchor.parent is not None and _only_points(anchor):
            anchor.extract()
    for heading in list(root.iter_elements(HEADINGS)):
        for anchor in list(heading.iter_elements("a")):
            if _only_points(anchor):
                anchor.extract()
            elif (anchor.attr("href") or "#").startswith("#") or not _AROUND_HEADINGS.isdisjoint(tokens(anchor)):
                anchor.unwrap()


def _only_points(anchor: Element) -> bool:
    return points_only(anchor.text) and next(anchor.iter_elements("img"), None) is None


def points_only(text: str) -> bool:
    """Whether the text of an anchor means no more than that it is one."""
    text = text.strip(_GLYPHS)
    return not text or (len(text) < 200 and _PERMALINK_WORDS.match(text) is not None)


def standardize_links(root: Element, base_url: str | None, *, keep: bool, strip: bool = False) -> None:
    """Make every link absolute; those that lead nowhere safe are unwrapped, footnote references left alone.

    With ``strip`` they lose the parameters that only follow the reader.
    """
    for anchor in list(root.iter_elements("a")):
        parent = anchor.parent
        if isinstance(parent, Element) and parent.tag == "sup" and parent.attr("data-footnote-ref"):
            continue
        href = anchor.attr("href")
        url = absolute(href, base_url) if href and keep else None
        if url is None:
            anchor.unwrap()
            continue
        if strip and "?" in url:
            url = _without_tracking(url)
        if url != href:
            anchor.attrs["href"] = url
        following = anchor.next_sibling
        if isinstance(following, Element) and following.tag == "a":
            _part(anchor, following)


def _without_tracking(url: str) -> str:
    address, mark, fragment = url.partition("#")
    path, _, query = address.partition("?")
    kept = [part for part in query.split("&") if not _TRACKING.fullmatch(part.partition("=")[0])]
    return f"{path}{'?' if kept else ''}{'&'.join(kept)}{mark}{fragment}"


def _part(anchor: Element, following: Element) -> None:
    """Two links without a space between them are shown apart by style, unless they are one link in two pieces."""
    one_link = absolute(following.attr("href") or "", anchor.attr("href")) == anchor.attr("href")
    if not one_link and anchor.text[-1:].isalnum() and following.text[:1].isalnum() and not anchor.closest("pre"):
        following.insert_before(Text(" "))


def drop_echoing_titles(root: Element) -> None:
    """Take off titles that only repeat the link's text."""
    for anchor in root.iter_elements("a"):
        title = anchor.attr("title")
        if title is not None and (title == (text := anchor.text) or blank(title) or squeezed(title) == squeezed(text)):
            del anchor.attrs["title"]
