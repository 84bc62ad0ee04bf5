"""The picture or player at the head of a page, which often stands outside of the element that holds the text.

A page says which picture is its own, for those who link to it. Shown shortly before the text, it is content; so is the
nearest player there.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from itertools import islice
from urllib.parse import urlsplit

from duramen.lazy_pattern import lazy_pattern
from duramen.page import Page
from duramen.refine.captions import plays
from duramen.refine.elements.embeds import EMBEDS
from duramen.refine.elements.images import ORNAMENTS, shown_as
from duramen.refine.elements.links import absolute

_MEDIA = frozenset({"img"}) | EMBEDS
_NEAR = 400
"""Characters that may be between it and the text: the title, who wrote it and when."""
_PROSE = 60
"""Characters of the first block that is more than a heading or a byline."""
_SEARCHED = 30
"""Pictures and players before the text among which it is looked for."""
_FORM = r"[-_](?:\d{2,4}x\d{2,4}|\d{3,4}w?|scaled|large|medium|small)"
_NAME = lazy_pattern(rf"(.*?)(?:{_FORM})?(?:\.\w{{3,4}})?", re.IGNORECASE)
"""The name of a picture's file, without the form of it that is shown."""
_LONGEST = 300
_WITHIN = 3
"""So many elements above a picture may be the link that it is in."""
_TELLING = 6
"""Letters of a file's name that says which picture it is."""


def find_lead(page: Page, kept: Sequence[int], gone: Collection[int]) -> int | None:
    """The picture or player at the head of the page: before the kept text, and not again in it."""
    if not kept:
        return None
    tree, blocks = page.tree, page.blocks
    first, last = blocks.first[next((b for b in kept if blocks.chars[b] >= _PROSE), kept[0])], blocks.last[kept[-1]]
    media = tree.tagged(_MEDIA)
    before = bisect_left(media, first)
    own = _name(page.metadata.image or "")
    for i in reversed(media[max(0, before - _SEARCHED) : before]):
        if tree.chars[first] - tree.chars[i] > _NEAR:
            break
        if tree.contains(i, first) or i in gone or any(above in gone for above in tree.ancestors(i)):
            continue
        if tree.tag[i] in EMBEDS:
            what = (tree.attr(i, "src") or "") if plays(page, i) else None
        else:
            what = own if own and _shows(page, i) == own and not _is_mark(page, i) else None
        if what is not None:
            among = media[before : bisect_left(media, last)]
            return None if what and any(_has(page, j, what) for j in among) else i
    return None


def _has(page: Page, i: int, what: str) -> bool:
    """Whether an attribute of an element holds an address."""
    return any(what in value or what in value.lower() for value in page.tree.attrs[i].values())


def _is_mark(page: Page, i: int) -> bool:
    """Whether a picture only shows whose site or text it is: a link to the site, a portrait."""
    tree = page.tree
    portrait = (tree.attr(i, "alt") or "").strip() in page.metadata.authors
    links = (tree.attr(above, "href") for above in islice(tree.ancestors(i), _WITHIN) if tree.tag[above] == "a")
    homes = (urlsplit(absolute(href or "", page.base_url) or "").path in ("", "/") for href in links)
    return portrait or not ORNAMENTS.isdisjoint(tree.cls[i].lower().split()) or any(homes)


def _shows(page: Page, i: int) -> str:
    """Which picture an element shows."""
    shown = shown_as(page.tree.attrs[i], "", page.base_url, keep=True)[0]
    return _name(shown["src"]) if shown else ""


def _name(address: str) -> str:
    """What tells a picture from others in its address: the name of its file, where that says something."""
    path = urlsplit(address).path
    found = _NAME.fullmatch(path.rpartition("/")[2][-_LONGEST:])
    return found[1].lower() if found and len(found[1]) >= _TELLING else path
