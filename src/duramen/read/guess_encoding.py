"""The likeliest encoding of bytes that declare none, or a wrong one.

The right encoding is the one by which the bytes read as a language: their letters belong to its alphabet, and its
function words are among them. A damaged byte costs a little, so that it cannot decide alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple
from unicodedata import normalize

from duramen.encodings import decode_by
from duramen.function_words import measure
from duramen.lazy_pattern import lazy_pattern
from duramen.tables import load

__all__ = ["Guess", "guess_encoding"]

_SAMPLE = 6_000
"""Bytes of text that are judged."""
_SEARCHED = 131_072
"""Bytes in which they are looked for, from the first that is not ASCII."""
_LEAD_IN = 2_000
_MARKUP = lazy_pattern(rb"(?i)<(script|style)\b.*?(?:</\1\s*>|$)|<[^<>]*>?", re.DOTALL)
_HIGH = lazy_pattern(rb"[\x80-\xff]")
_AROUND = lazy_pattern(
    rb"(?:(?<![A-Za-z'-])[A-Za-z'-]*+[\x80-\xff][^ \t\n\r]*(?:[ \t\n\r]+[A-Za-z',.-]+){0,4}[ \t\n\r]*)"
)
"""Words with foreign letters, and some of the words behind them."""
_ESCAPES = ((lazy_pattern(rb"\x1b\$[@B]|\x1b\(J"), "iso-2022-jp"), (lazy_pattern(rb"\x1b\$\)C"), "iso-2022-kr"))
_NEUTRAL = frozenset("\u00a0–—‘’“”„«»‹›…·•©®™°§€\u3000、。，．：；！？（）「」『』《》【】　")
"""Characters that say nothing about the language."""
_WRONG = lazy_pattern("[\ufffd\x80-\x9f\ue000-\uf8ff]")
_MIXED_CASE = lazy_pattern("[a-zß-öø-ÿа-яёα-ω][À-ÖØ-ÞА-ЯЁΑ-Ω]")
"""A capital letter inside a word."""
_WEIGHTS = (1.0, 1.5)
"""What the share of letters that belong to the language counts, and what the share of function words does."""
_WHOLE_SCRIPT = (0.3, 3.0)
"""The same where the language's letters fill most of the table, so that nearly any bytes are letters."""
_MOST_LETTERS, _FREQUENT = 25, 150
"""A script has at least so many letters; a list of frequent characters has more than any script."""
_DAMAGE = 4.0
"""What a share of bytes without meaning costs, or of letters that are capitals inside a word."""
_FEW, _MOST_FOREIGN = 60, 0.6
"""In words of a language in Latin letters, fewer than this share of many letters are beyond a to z."""
_PLAIN_LETTERS = bytes(range(65, 91)) + bytes(range(97, 123))
_BETTER = 0.05
"""By so much a later encoding of the list must be better than one before it."""


class Guess(NamedTuple):
    name: str
    score: float
    """About 1 and more for a text that reads well."""
    language: str


def guess_encoding(data: bytes) -> Guess:
    """The encoding by which some bytes of a page read best; windows-1252 when none does.

    >>> guess_encoding("<p>Ядро дерева твёрже, чем его заболонь, и оно темнее.</p>".encode("koi8-r")).name
    'koi8-r'
    """
    for pattern, name in _ESCAPES:
        if pattern.search(data):
            return Guess(name, 1.0, "")
    sample = _sample_of(data)
    plain = len(sample) - len(sample.translate(None, _PLAIN_LETTERS))
    best = Guess("windows-1252", 0.0, "")
    for name, languages in _table()["encodings"].items():
        text = decode_by(sample, name)
        foreign = {c: n for c, n in Counter(text.lower()).items() if c > "\x7f" and c not in _NEUTRAL}
        wrong = len(_WRONG.findall(text)) + len(_MIXED_CASE.findall(text))
        many = sum(foreign.values())
        damage = _DAMAGE * wrong / max(1, many)
        for language in languages:
            if many > max(_FEW, _MOST_FOREIGN * (many + plain)) and len(_letters_of(language)) < _MOST_LETTERS:
                continue
            score = _reads_as(text, foreign, language) - damage
            if score > best.score + _BETTER:
                best = Guess(name, score, language)
    return best


def _sample_of(data: bytes) -> bytes:
    """The text around foreign letters: markup and long runs of ASCII say nothing."""
    first = _HIGH.search(data)
    start = max(0, first.start() - _LEAD_IN) if first else 0
    text = _MARKUP.sub(b" ", data[start : start + _SEARCHED])
    parts: list[bytes] = []
    size = 0
    for match in _AROUND.finditer(text):
        parts.append(match[0])
        size += len(match[0])
        if size >= _SAMPLE:
            break
    return b" ".join(parts)[:_SAMPLE]


def _reads_as(text: str, foreign: Mapping[str, int], language: str) -> float:
    """How much of the foreign letters belong to a language, and how much of the words are its function words."""
    known = _letters_of(language)
    fits = sum(n for c, n in foreign.items() if c in known) / sum(foreign.values()) if foreign else 0.0
    # Some encodings write the tone of a letter after it, in which no list has its words.
    hits, size = measure(language.partition("-")[0])(normalize("NFC", text))
    fit, words = _WHOLE_SCRIPT if _MOST_LETTERS <= len(known) < _FREQUENT else _WEIGHTS
    return fit * fits + words * min(1.0, hits / size if size else 0.0)


@cache
def _letters_of(language: str) -> frozenset[str]:
    table = _table()
    return frozenset(table["frequent"].get(language) or table["letters"][language]) - {"\n"}


@cache
def _table() -> Mapping[str, Mapping[str, Any]]:
    return load("encodings.toml")
