"""The compiled part of Readability and of the stopwords: the element that each chooses, before it is cleaned.

The choices are votes for the judge; the strategies clean them.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence, Set
from functools import cache
from typing import NamedTuple, TypeAlias

from duramen.find.classical.measures import COMMAS
from duramen.native import core
from duramen.tree import Tree

UNLIKELY = frozenset(
    (
        "ad ads adbox advert advertisement agegate banner breadcrumb breadcrumbs combx comment comments community"
        " cookie cookies disqus extra foot footer gdpr header legends menu nav navbar navigation newsletter pager"
        " pagination popup related remark replies rss shoutbox sidebar skyscraper social sponsor sponsored subscribe"
        " supplemental widget yom"
    ).split()
)
"""Readability: names of elements that are not looked at, unless another of their names is in ``MAYBE``."""
MAYBE = frozenset("article body column content main shadow and maincontent articlebody bodytext mathjax".split())
POSITIVE = frozenset(
    (
        "article articlebody articletext blog body bodytext content contents entry hentry main maincontent page"
        " pagination post postbody postcontent story storybody text"
    ).split()
)
"""Readability: names for which an element gets 25 points; those in ``NEGATIVE`` take 25 points away."""
NEGATIVE = frozenset(
    (
        "ad banner combx comment comments com contact foot footer footnote gdpr hid hidden masthead media meta outbrain"
        " promo promos related scroll share shopping shoutbox sidebar skyscraper sponsor sponsored taboola tags tool"
        " widget widgets"
    ).split()
)
NAUGHTY = frozenset(
    "author breadcrumb breadcrumbs caption combx comment comments contact cookie cookies foot footer footnote menu"
    " menucontainer meta nav navbar navigation newsletter popup related replies retweet scroll share share-tools"
    " sharing shoutbox side sidebar social socialnetworking sponsor sponsored subscribe tags timestamp"
    " utility-bar".split()
)
"""Stopwords: names of elements that are not looked at."""
SHARE = frozenset("share sharedaddy sharing".split())
"""Readability: names of buttons that are cleaned away."""
UNLIKELY_ROLES = frozenset({"menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog"})
NEVER_UNLIKELY = frozenset({"html", "body", "a", "article", "main", "table", "tbody", "tr", "td", "pre", "code"})
PARAGRAPHS = frozenset({"p", "div", "td", "pre", "section", "h2", "h3", "h4", "h5", "h6"})
DIVISIONS = frozenset({"div", "section"})
"""Loose text in one of these, beside other blocks, is a paragraph of its own; text that fills it makes it one."""
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
BASE = {"div": 5, "article": 5, "main": 5, "section": 5, "pre": 3, "td": 3, "blockquote": 3}
BASE |= dict.fromkeys(("address", "ol", "ul", "dl", "dd", "dt", "li", "form"), -3)
BASE |= dict.fromkeys((*HEADINGS, "th"), -5)
NAUGHTY_TAGS = frozenset({"nav", "footer", "aside", "form", "menu"})
NEVER_NAUGHTY = frozenset({"html", "body", "main", "article"})
SCORED = frozenset({"p", "pre", "td", "blockquote", "div", "article", "section", "main"})

Shares: TypeAlias = "bytes | memoryview[float] | array[float]"
"""Of function words, a block, in single precision; quoted, since only Python 3.14 can subscript ``memoryview``."""


class Scored(NamedTuple):
    """What an algorithm made of a page before it cleans."""

    top: int
    """The element it chooses, -1 for none."""
    shown: list[bool]
    """By block, whether the algorithm looked at it."""
    scores: dict[int, float]
    names: bytes
    """A byte a node, for :func:`weight` and :func:`is_share`."""

    def weight(self, i: int) -> int:
        """25 points for or against a class, 25 for or against an id."""
        return 25 * ((self.names[i] & 7) - 2)

    def is_share(self, i: int) -> bool:
        return bool(self.names[i] & 8)


def containers(tree: Tree, shares: Shares) -> tuple[int, int]:
    """Readability's container and that of the stopwords, -1 for none; ``shares`` is of function words, a block.

    Readability's is that of its first, strictest reading.
    """
    return tree.core.containers(_tables(), shares)


def readability_scores(tree: Tree, blocks: int, *, strip: bool, weigh: bool) -> Scored:
    """With ``strip`` elements of unlikely names are not looked at; with ``weigh`` names count."""
    return _scored(tree, bytes(4 * blocks), 0, strip, weigh)


def stopword_scores(tree: Tree, words: Sequence[int], found: Sequence[int]) -> Scored:
    """Given the words and the function words of each block."""
    # Half a word more: what is left of a share in single precision is rounded down to the number again.
    return _scored(tree, array("f", [(n + 0.5) / max(1, size) for n, size in zip(found, words, strict=True)]), 1)


def _scored(tree: Tree, shares: Shares, which: int, strip: bool = True, weigh: bool = True) -> Scored:
    top, shown, scores, names = tree.core.containers(_tables(), shares, which, strip, weigh)
    return Scored(top, [bool(show) for show in shown], scores, names)


@cache
def _tables() -> tuple[core.Lookup, dict[str, int], dict[str, int], core.Lookup, str]:
    """The algorithms' sets for the compiled core: bits by name, by tag and by role."""
    names = (UNLIKELY, MAYBE, POSITIVE, NEGATIVE, NAUGHTY, SHARE)
    tags = (
        PARAGRAPHS, NEVER_UNLIKELY, NAUGHTY_TAGS, NEVER_NAUGHTY,
        SCORED, DIVISIONS, frozenset({"p"}),
    )  # fmt: skip
    # Parts of a name are parted by spaces there.
    words = {word.replace("-", " "): bits for word, bits in _bits(*names).items()}
    return core.Lookup(words), _bits(*tags), BASE, core.Lookup(_bits(UNLIKELY_ROLES)), COMMAS


def _bits(*sets: Set[str]) -> dict[str, int]:
    return {word: sum((word in words) << bit for bit, words in enumerate(sets)) for word in set().union(*sets)}
