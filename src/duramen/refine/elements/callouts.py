"""Callouts: the boxes of documentation generators as marked block quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from duramen.dom import Element, Node, Text
from duramen.lazy_pattern import lazy_pattern
from duramen.refine.elements.survey import Survey, blank, first_child, lead, squeezed, tokens
from duramen.refine.elements.vocabulary import ordered, pairs, pattern, words

TYPES = ("note", "tip", "important", "warning", "caution")
_KINDS = {word: kind for kind in TYPES for word in words(f"callout-{kind}")}
"""What generators call their boxes, and which of the five that is."""
_PREFIXES = ordered("callout-prefixes")
_COLOURS = pairs("callout-colours")
_COLOURED = words("callout-coloured")
_SURE = words("callout-sure")
_TEASERS = words("callout-teaser")
_MESSAGES = words("callout-message")
_TABLES = words("callout-table")
_TITLES = pattern("callout-title")
_DECORATION = pattern("callout-icon")
_WORDS = words("callout-words")
_AROUND_WORDS = "".join((" :!.", "\ufe0f", "ℹ", "⚠", "💡", "🔥", "🚨", "📝", "❗"))
_BOXES = frozenset(("div", "aside", "section", "blockquote", "details", "p"))
_RAW = lazy_pattern(r"\s*\[!(note|tip|important|warning|caution)\][+-]?[^\S\n]*", re.IGNORECASE)
_SEARCHED = 24
"""Descendants among which a callout's title is looked for."""


def standardize_callouts(root: Element, survey: Survey) -> None:
    """Rewrite every callout as ``<blockquote data-callout>``; its title stays when it is more than the type."""
    for box in survey.roles["callout"]:
        if box.parent is None or box.tag not in _BOXES or box is root:
            continue
        kind = _kind(box)
        if kind is not None:
            _rewrite(box, kind)
    if "blockquote" in survey.tags:
        for quote in list(root.iter_elements("blockquote")):
            _settle(quote)


def _settle(quote: Element) -> None:
    """Read a mark that is not one of ours, or drop it."""
    marked = quote.attr("data-callout")
    if marked is not None and marked not in TYPES:
        kind = _KINDS.get(marked.lower())
        if kind:
            quote.attrs["data-callout"] = kind
        else:
            del quote.attrs["data-callout"]


def read_raw_callouts(root: Element) -> None:
    """Read the ``[!NOTE]`` of quotations that the page's own renderer left as it was; for canonical blocks only."""
    for quote in list(root.iter_elements("blockquote")):
        first = next((child for child in quote.children if isinstance(child, Element)), None)
        text = first[0] if first is not None and first.tag == "p" and len(first) else None
        raw = _RAW.match(text.data) if isinstance(text, Text) and "data-callout" not in quote.attrs else None
        if raw is None or first is None or not isinstance(text, Text):
            continue
        if blank(first.text[raw.end() :]) and next(first.iter_elements("img"), None) is None:
            if not any(isinstance(child, Element) for child in quote.children if child is not first):
                continue
            first.extract()
        else:
            text.data = text.data[raw.end() :].lstrip()
            following = text.next_sibling
            if not text.data and isinstance(following, Element) and following.tag == "br":
                following.extract()
        quote.attrs["data-callout"] = raw[1].lower()


def _kind(box: Element) -> str | None:
    """The type of a callout; None when the element is none."""
    if box.tag == "blockquote" and box.attr("data-callout") in TYPES:
        return None
    names = tokens(box)
    is_sure = not _SURE.isdisjoint(names)
    kind = _KINDS.get((box.attr("data-callout") or box.attr("data-type") or "").lower()) if is_sure else None
    kind = kind or next(_named_kinds(names), None)
    if kind is None and not _COLOURED.isdisjoint(names):
        cls = " ".join(names)
        kind = next((kind for colour, kind in _COLOURS if colour in cls), "note")
    if is_sure and (kind or "details" not in names):
        return kind or ("note" if (_SURE - _TEASERS) & set(names) else None)
    if kind is None:
        return None
    if not _MESSAGES.isdisjoint(names):
        return kind if not any("dismiss" in name for name in names) and _reads_as_content(box) else None
    return kind if len(names) <= 2 and _begins_with_word(box) else None


def _named_kinds(names: list[str]) -> Iterator[str]:
    for name in names:
        for prefix in _PREFIXES:
            if name.startswith(prefix) and name[len(prefix) :] in _KINDS:
                yield _KINDS[name[len(prefix) :]]
    for name in names:
        if name in _KINDS:
            yield _KINDS[name]


def _reads_as_content(box: Element) -> bool:
    """Alerts are also used for messages of the site; those can be closed or hold a form."""
    return next(box.iter_elements(("form", "input")), None) is None and len(lead(box, 20)) >= 20


def _begins_with_word(box: Element) -> bool:
    """Whether a box that is only called ``note`` also begins with that word."""
    for element in islice(box.iter_elements(), 4):
        text = lead(element, 40)
        if text:
            if _is_word(text):
                return True
            if element.tag not in ("p", "div"):
                return False
    return False


def _is_word(text: str) -> bool:
    """Whether a text is no more than the name of a type."""
    return text.strip(_AROUND_WORDS).casefold() in _WORDS


def _has_name(element: Element, names: re.Pattern[str]) -> bool:
    return any(names.fullmatch(name) for name in tokens(element))


def _rewrite(box: Element, kind: str) -> None:
    _open_table(box)
    title = _take_title(box)
    for icon in list(islice(box.iter_elements(("span", "i", "div", "label")), _SEARCHED)):
        if _has_name(icon, _DECORATION) and len(lead(icon, 20)) < 20:
            icon.extract()
    # In place: an element made anew would copy all that is in the box, and boxes may nest.
    box.tag = "blockquote"
    for name in [name for name in box.attrs if name not in ("class", "id")]:
        del box.attrs[name]
    box.attrs["data-callout"] = kind
    if title:
        heading = Element("p", None, [Element("strong", None, title)])
        first = first_child(box)
        if first is None:
            box.append(heading)
        else:
            first.insert_before(heading)


def _open_table(box: Element) -> None:
    """AsciiDoc lays a callout out as a table of an icon and the text."""
    if _TABLES.isdisjoint(tokens(box)):
        return
    for cell in box.iter_elements("td"):
        if "content" in tokens(cell):
            children = list(cell.children)
            box.clear()
            box.extend(children)
            return


def _take_title(box: Element) -> list[Node]:
    """Remove the title of a callout and return its content, unless that is only the type."""
    title: Element | None = None
    for element in islice(box.iter_elements(), _SEARCHED):
        if (element.tag == "summary" and box.tag == "details") or _has_name(element, _TITLES):
            title = element
            break
    if title is None:
        _drop_leading_word(box)
        return []
    for icon in list(title.iter_elements(("svg", "button", "i", "img"))):
        icon.extract()
    for icon in list(title.iter_elements("span")):
        if _has_name(icon, _DECORATION):
            icon.extract()
    text = squeezed(title.text)
    title.extract()
    if not text or _is_word(text):
        return []
    blocks = any(
        isinstance(c, Element) and c.tag in ("p", "div", "h1", "h2", "h3", "h4", "h5", "h6") for c in title.children
    )
    return [Text(text)] if blocks or next(title.iter_elements(), None) is None else list(title.children)


def _drop_leading_word(box: Element) -> None:
    """A callout may begin with ``<p>Note</p>`` or ``<strong>Note:</strong>`` in place of a title."""
    first = next((c for c in box.children if not (isinstance(c, Text) and blank(c.data))), None)
    for _ in range(3):
        if not isinstance(first, Element):
            return
        if _is_word(lead(first, 40)):
            first.extract()
            return
        if first.tag not in ("p", "div"):
            return
        first = next((c for c in first.children if not (isinstance(c, Text) and blank(c.data))), None)
