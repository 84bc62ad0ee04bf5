"""What the text of each block says by itself: marks, capitals, dates, copies, and the words it shares with the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duramen.blocks import Blocks
from duramen.find.hints import Hints, Lexicon
from duramen.find.page_marks import DATE, MONEY
from duramen.function_words import listed_words, measure
from duramen.native import core
from duramen.tree import Tree

WORDING = (
    "punctuation", "sentence_end", "digits", "upper", "capital", "date", "money", "copyright", "separators",
    "question", "copies", "title_cover", "description_cover", "body_cover", "word_mean", "word_low", "word_high",
    "function_words",
)  # fmt: skip

HEAD = 200
"""Characters of a block that its wording is read from."""

_SHORT = 8
"""Words of a block that is not: a price or a date there is a label's, not one in a sentence."""

_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d")
_UPPER = re.compile("[A-Z\u00c0-\u00de\u0391-\u03a9\u0410-\u042f]")
_ENDINGS = frozenset(".!?。！？؟।…")
_CLOSING = "\"'”’)]»"
_PUNCTUATION = re.compile(r"[.,;:!?。，、；：！？،؛؟।]")
_SEPARATOR = re.compile(r"[|»›·•→←]")


class Wording(NamedTuple):
    rows: NDArray[np.float32]
    """The features of :data:`WORDING`, (features, blocks)."""
    title_at: int
    """The block that repeats the title best, -1 for none."""
    questions: int
    """Blocks that end in a question mark."""
    prices: int
    dates: int
    """Short blocks with a sum of money, and with a date."""


def read_wording(tree: Tree, blocks: Blocks, hints: Hints, lexicon: Lexicon) -> Wording:
    told = hints.title.lower(), hints.description[:300].lower(), "\n".join(hints.bodies).lower()[:200_000]
    if tree.core is None:
        return _read_wording(tree, blocks, hints.language, lexicon.words, told)
    found = np.empty((len(WORDING), len(blocks)), dtype=np.float32)
    counter = _listed(hints.language), measure(hints.language)
    return Wording(found, *tree.core.shape(found, *told, lexicon.word_lookup, *counter))


@cache
def _listed(language: str) -> Any:
    """The function words of a language for the core; None where words are not what is counted."""
    words = listed_words(language)
    return core.Lookup(dict.fromkeys(words, 1.0)) if words is not None else None


def _read_wording(
    tree: Tree,
    blocks: Blocks,
    language: str,
    odds: Mapping[str, float],
    told: tuple[str, str, str],
) -> Wording:
    title_words, description_words, body_words = (set(_WORD.findall(text)) for text in told)
    body_text = told[2]
    function_words = measure(language)
    seen = Counter(blocks.text)
    best_title, best_title_at = 0.3, -1
    rows: list[tuple[float, ...]] = []
    for b, text in enumerate(blocks.text):
        head = text[:HEAD]
        size = len(head)
        lower = head.lower()
        found = _WORD.findall(lower)
        count = len(found) or 1
        title = description = body = mean = low = high = 0.0
        if title_words:
            hits = len([w for w in found if w in title_words])
            if hits:
                title = hits / count * min(1.0, count / len(title_words))
                if title > best_title and (best_title_at < 0 or tree.tag[blocks.owner[b]] == "h1"):
                    best_title, best_title_at = title, b
        if count > 3:
            if description_words:
                description = len([w for w in found if w in description_words]) / count
            if body_words:
                body = 1.0 if lower[:60] in body_text else len([w for w in found if w in body_words]) / count / 2
        known = [odds[w] for w in found[:25] if w in odds]
        if known:
            mean, low, high = sum(known) / len(known), min(known), max(known)
        punctuation, digits, upper, separators = _character_counts(head)
        has_date = (digits or "ago" in lower) and DATE.search(head) is not None
        has_money = digits and MONEY.search(head) is not None
        hits_in, size_in = function_words(head)
        rows.append((
            punctuation / count,
            text.rstrip(_CLOSING)[-1:] in _ENDINGS,
            digits / size,
            upper / size,
            head[0].isupper(),
            has_date,
            has_money,
            "©" in head or "copyright" in lower,
            separators,
            "?" in head,
            min(seen[text], 9),
            title, description, body, mean, low, high,
            hits_in / size_in if size_in else 0.0,
        ))  # fmt: skip
    table = np.array(rows, dtype=np.float32).T
    questions = sum(text.endswith("?") for text in blocks.text)
    short = [b for b, words in enumerate(blocks.words) if words < _SHORT]
    prices, dates = (int(np.count_nonzero(table[WORDING.index(name), short])) for name in ("money", "date"))
    return Wording(table, best_title_at, questions, prices, dates)


_CLASSES = bytes(
    1 if chr(c) in ".,;:!?" else 2 if chr(c).isdigit() else 3 if chr(c).isupper() else 4 if chr(c) == "|" else 0
    for c in range(128)
) + bytes(128)


def _character_counts(text: str) -> tuple[int, int, int, int]:
    """How many punctuation marks, digits, capitals and separators a text has."""
    if text.isascii():
        classes = text.encode("ascii").translate(_CLASSES)
        return classes.count(1), classes.count(2), classes.count(3), classes.count(4)
    return (
        len(_PUNCTUATION.findall(text)),
        len(_DIGITS.findall(text)),
        len(_UPPER.findall(text)),
        len(_SEPARATOR.findall(text)),
    )
