"""Embedded players and posts: a link to the page they come from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs, unquote, urlsplit

from duramen.dom import Element, Text
from duramen.lazy_pattern import lazy_pattern
from duramen.refine.elements.links import absolute
from duramen.refine.elements.survey import Survey, replace, setting, squeezed, tokens
from duramen.refine.elements.vocabulary import any_of, ordered, pairs, pattern, words

EMBEDS = words("embed-tags") | {"iframe", "video", "audio", "object", "embed"}
_SCRIPTS = ordered("embed-scripts")
_BY_PATH = tuple((lazy_pattern(at), page) for at, page in pairs("embed-path"))
_BY_QUERY = tuple((*at.split(), page) for at, page in pairs("embed-query"))
_BY_ATTRIBUTE = {(tag := at.split())[0]: (tag[1], page) for at, page in pairs("embed-attribute")}
_POSTS = {(name := at.split())[0]: (name[1], page) for at, page in pairs("embed-post")}
_WITH_TEXT = words("embed-post-text")
_SETTINGS = {(name := at.split())[0]: (name[1], page) for at, page in pairs("embed-settings")}
_MOST_TEXT = 40
"""Characters from which an element that embeds a post holds the post itself."""
_IDENT = lazy_pattern(r"[\w-]{6,}")
_NOT_CONTENT = pattern("embed-not-content")
_NO_TITLE = lazy_pattern(rf"{any_of('embed-sites')}?\s*{any_of('embed-kinds')}?", re.IGNORECASE)
_ADVERTISEMENT = lazy_pattern(rf"\b{any_of('embed-advertisement')}\b", re.IGNORECASE)
_FRAMES = frozenset(("iframe", "amp-iframe", "object", "embed", "script"))
"""What may show anything: without a title it is content only where the page it shows is known."""
_DOCUMENT = lazy_pattern(rf"\.{any_of('embed-documents')}(?:[?#]|$)", re.IGNORECASE)
_SOURCES = ordered("embed-sources")
_TITLES = ordered("embed-titles")


def standardize_embeds(root: Element, survey: Survey, base_url: str | None) -> None:
    """Replace every embedded thing by a link; advertisements and nameless frames go."""
    seen: set[str] = set()
    if not survey.tags.isdisjoint(EMBEDS):
        for element in list(root.iter_elements(EMBEDS)):
            if element.parent is None:
                continue
            if (element.attr("type") or "").startswith("image/"):
                _draw(element, survey)
            else:
                _rewrite(element, base_url, seen)
    if "script" in survey.tags:
        for script in list(root.iter_elements("script")):
            if is_embedding(script.attr("src") or ""):
                _rewrite(script, base_url, seen)
    for element in survey.roles["embed"]:
        if element.parent is not None:
            _rewrite_marked(element, base_url, seen)


def is_embedding(address: str) -> bool:
    """Whether a script puts something in its place that is content."""
    return any(part in address for part in _SCRIPTS)


def page_of(url: str) -> str | None:
    """The page that an embedded player or post belongs to."""
    address = re.sub(r"^https?://(?:www\.)?", "", url)
    for path, page in _BY_PATH:
        match = path.match(address)
        if match:
            return page.format(*match.groups())
    for place, parameter, page in _BY_QUERY:
        if place in address[:200]:
            try:
                value = parse_qs(urlsplit(url).query).get(parameter)
            except ValueError:
                return None
            if value and (page != "{0}" or value[0].startswith(("http://", "https://"))):
                return page.format(value[0])
    return None


def is_shown(tag: str, attrs: Mapping[str, str], inside: Sequence[str], base_url: str | None) -> bool:
    """Whether a link takes the place of an embedded thing; ``inside`` are the addresses of the sources in it."""
    return _shown_at(tag, attrs, inside, base_url)[0] is not None


def _draw(element: Element, survey: Survey) -> None:
    """Make an image of an object that is one."""
    attrs = {"src": element.attr("data") or element.attr("src") or ""}
    title = _title({name: element.attr(name) or "" for name in element.attrs})
    replace(element, Element("img", attrs | ({"alt": title} if title else {})))
    survey.tags.add("img")


def _rewrite(element: Element, base_url: str | None, seen: set[str]) -> None:
    if "-" in element.tag and len(squeezed(element.text)) >= _MOST_TEXT:
        element.unwrap()
        return
    attrs = {name: element.attr(name) or "" for name in element.attrs}
    inside = [value for source in element.iter_elements(("source", "embed")) if (value := source.attr("src"))]
    _put(element, *_shown_at(element.tag, attrs, inside, base_url), seen)


def _shown_at(
    tag: str, attrs: Mapping[str, str], inside: Sequence[str], base_url: str | None
) -> tuple[str | None, str | None]:
    """Where an embedded thing can be seen, and its title; ``inside`` are the addresses of the sources in it."""
    named = _BY_ATTRIBUTE.get(tag)
    title = _title(attrs)
    if named:
        value = attrs.get(named[0], "").strip()
        return (named[1].format(value) if re.fullmatch(r"[\w-]+", value) else None), title
    source = _source(attrs, inside, base_url)
    if (
        source is None
        or (tag == "video" and _is_backdrop(attrs))
        or (_NOT_CONTENT.search(source) and page_of(source) is None)
        or _ADVERTISEMENT.search(title or "")
    ):
        return None, None
    page = page_of(source)
    if page is None and tag in _FRAMES and title is None and not _DOCUMENT.search(source):
        return None, None
    return page or source, title


def _is_backdrop(attrs: Mapping[str, str]) -> bool:
    """A clip that runs by itself, without sound or controls, is decoration."""
    return "controls" not in attrs and "autoplay" in attrs and not {"muted", "loop"}.isdisjoint(attrs)


def _put(element: Element, url: str | None, title: str | None, seen: set[str]) -> None:
    if url is None or url in seen or not url.startswith(("http://", "https://")):
        if element.tag == "object" and url is None:
            element.unwrap()
        else:
            element.extract()
        return
    seen.add(url)
    replace(element, Element("div", None, [Element("a", {"href": url, "data-embed": ""}, [Text(title or url)])]))


def _source(attrs: Mapping[str, str], inside: Sequence[str], base_url: str | None) -> str | None:
    for name in _SOURCES:
        value = attrs.get(name)
        if value and not value.startswith(("data:", "blob:", "about:", "javascript:")):
            url = absolute(value, base_url)
            if url:
                return url
    return next((url for value in inside if (url := absolute(value, base_url))), None)


def _title(attrs: Mapping[str, str]) -> str | None:
    for name in _TITLES:
        value = squeezed(attrs.get(name, ""))
        if value and not _NO_TITLE.fullmatch(value):
            return value[:300]
    return None


def _rewrite_marked(element: Element, base_url: str | None, seen: set[str]) -> None:
    url = _marked_at(element, base_url)
    if url:
        _put(element, url, None, seen)


def _marked_at(element: Element, base_url: str | None) -> str | None:
    """Where posts named by an attribute, and bare addresses that a script would have turned into a player, are seen."""
    text = element.text.strip()
    for name in tokens(element):
        if name in _SETTINGS and not text:
            key, page = _SETTINGS[name]
            value = setting(element, key)
            return page.format(value) if value else None
        if name in _POSTS:
            attribute, page = _POSTS[name]
            value = (element.attr(attribute) or "").strip()
            if page != "{0}":
                return page.format(value) if _IDENT.fullmatch(value) else None
            url = absolute(value, base_url)
            if url is None or (name in _WITH_TEXT and len(squeezed(text)) >= _MOST_TEXT):
                return None
            return page_of(url) or url
    if re.fullmatch(r"https?://\S+", text) and next(element.iter_elements("a"), None) is None:
        return page_of(unquote(text)) or text
    return None
