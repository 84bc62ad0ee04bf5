"""Function words: how much of a text they are, which separates prose from labels in any script, and its language.

A menu entry has no "the", no の and no particle; a sentence is full of them. What is counted depends on the script
(``data/stopwords.toml`` has the rows):

==================  ==================================================================================
most languages      words looked up in the list of function words; elided pieces (``l'``) are words
Chinese, Japanese   function characters (的, 了; particles and endings in kana), two characters a word
Thai                common function syllables (ที่, และ), four characters a word
Korean              words that end in a particle or a verb ending (은, 를, 다)
Arabic, Hebrew      listed words, and words that begin with a conjunction or preposition before the article
==================  ==================================================================================

These are measures, not segmenters: none of them finds word boundaries in Chinese or Thai, and none needs a dictionary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from operator import itemgetter
from typing import Any

from duramen.lazy_pattern import lazy_pattern
from duramen.tables import load

_BEGINNING = 240
"""Characters of a text that its share is measured on, about 40 words: the share hardly changes after that."""
_DOUBT = 0.06
"""Prose has a share of 0.2 and more in its own language: with less than this a declared language is doubted."""
_SAMPLE = 3000
"""Characters that a language is detected on."""
_CLEAR = ((3, 0.08, 1.2), (8, 0.02, 2.0))
"""What settles a language: so many function words, as a share of all words, and times those of the second language.

Lists of products and links have few, but if the page is long enough they still say which language it is.
"""
_WORD = lazy_pattern(r"[^\W\d_]+")


_SCRIPTS = (
    ("ja", lazy_pattern("[\u3041-\u3096\u30a1-\u30fa]"), 0.05),
    ("zh", lazy_pattern("[\u3400-\u4dbf\u4e00-\u9fff]"), 0.3),
    ("ko", lazy_pattern("[\uac00-\ud7a3]"), 0.3),
    ("th", lazy_pattern("[\u0e01-\u0e3a\u0e40-\u0e4e]"), 0.3),
    ("hi", lazy_pattern("[\u0904-\u0939\u0958-\u0961]"), 0.3),
)
"""Scripts of one language, with the share of a text's letters that is enough; kana before the Han they mix with."""

Measure = Callable[[str], tuple[float, float]]
"""Function words and all words of a text."""


@cache
def _table() -> Mapping[str, Mapping[str, Any]]:
    return load("stopwords.toml")


def languages() -> tuple[str, ...]:
    """The codes that have stopword evidence."""
    return tuple(_table()["words"])


def code_of(tag: str | None) -> str:
    """The code of a language tag as this module writes it: ``pt-BR`` is ``pt``, ``nb`` and ``nob`` are ``no``.

    >>> code_of("pt-BR"), code_of("nob"), code_of("tlh"), code_of(None)
    ('pt', 'no', '', '')
    """
    if not tag:
        return ""
    table = _table()
    code = tag.replace("_", "-").partition("-")[0].lower()
    code = table["codes"].get(code, code)
    return code if code in table["words"] else ""


def detect(text: str, declared: str | None) -> str:
    """The language of a text: the declared one unless the text has hardly a function word of it, else the detected one.

    Empty when there is no evidence for the language. Templates often say ``lang="en"`` whatever the page is written in.

    >>> detect("Das Kernholz ist der innere Teil des Stammes und härter als das Holz darum.", "en")
    'de'
    """
    code = code_of(declared)
    text = text[:_SAMPLE]
    # A few words of Latin script are too little for the detector; a few characters of another script may be plenty.
    if code and ((len(text) < 60 and text.isascii()) or function_share(text, code) >= _DOUBT):
        return code
    return code_of(detect_language(text)) or code


def detect_language(text: str) -> str:
    """The ISO 639-1 code of a text's language; empty when no language has clearly the most function words.

    >>> detect_language("El compte de la ciutat ja porta una setmana amb més de mil seguidors.")
    'ca'
    """
    text = text[:_SAMPLE]
    letters = len(text) - len(_WORD.sub("", text))
    if not letters:
        return ""
    for code, script, share in () if text.isascii() else _SCRIPTS:
        if len(script.findall(text)) >= share * letters:
            return code
    words = Counter(_WORD.findall(text.lower()))
    found: Counter[str] = Counter()
    known = _languages_by_word()
    for word, count in words.items():
        for code in known.get(word, ()):
            found[code] += count
    (best, most), (_, second) = (*found.most_common(2), ("", 0), ("", 0))[:2]
    total = words.total()
    is_clear = any(most >= least and most >= share * total and most >= lead * second for least, share, lead in _CLEAR)
    return best if is_clear else ""


@cache
def _languages_by_word() -> Mapping[str, tuple[str, ...]]:
    """The languages that each listed function word belongs to."""
    table = _table()
    found: dict[str, tuple[str, ...]] = {}
    for code, words in (*table["words"].items(), *table["others"].items()):
        for word in words.split():
            found[word] = (*found.get(word, ()), code)
    return found


def function_share(text: str, language: str) -> float:
    """The share of function words (or of what takes their place in the script) at the beginning of a text, 0 to 1.

    0 where the language is unknown.

    >>> function_share("the centre of a tree", "en"), function_share("Sports Weather Contact", "en")
    (0.6, 0.0)
    """
    hits, size = measure(language)(text[:_BEGINNING])
    return min(1.0, hits / size) if size else 0.0


def function_words(text: str, language: str) -> int:
    """How many function words a whole text has.

    >>> function_words("心材是树的中心", "zh")
    2
    """
    return int(measure(language)(text)[0])


@cache
def measure(language: str) -> Measure:
    """The counter of a language; bind it once where many texts are counted."""
    table = _table()
    words: str | None = table["words"].get(language) or table["others"].get(language)
    if words is None:
        return lambda text: (0, 0)
    row: Mapping[str, Any] = table["measure"].get(language, {})
    match row.get("by"):
        case "characters":
            return _by_characters(words.split(), row["size"])
        case "syllables":
            return _by_syllables(words.split(), row["size"])
        case "endings":
            return _by_endings(words.split())
        case "prefixes":
            return _by_words(words.split(), tuple(row["clitics"]))
        case "elisions":
            return _by_elided_words(words.split())
        case _:
            return _by_words(words.split(), ())


def listed_words(language: str) -> frozenset[str] | None:
    """The function words of a language where looking words up is all there is to counting, else None."""
    table = _table()
    words: str | None = table["words"].get(language)
    return frozenset(words.split()) if words is not None and not table["measure"].get(language) else None


def _by_words(words: Iterable[str], clitics: tuple[str, ...]) -> Measure:
    known = frozenset(words).__contains__

    def count(text: str) -> tuple[float, float]:
        found = text.lower().split()
        return sum(map(known, found)), len(found)

    def count_clitics(text: str) -> tuple[float, float]:
        found = text.split()
        return sum(known(word) or word.startswith(clitics) for word in found), len(found)

    return count_clitics if clitics else count


def _by_elided_words(words: Iterable[str]) -> Measure:
    known = frozenset(words).__contains__

    def count(text: str) -> tuple[float, float]:
        found = text.lower().replace("'", " ").replace("’", " ").split()
        return sum(map(known, found)), len(found)

    return count


def _by_characters(characters: Iterable[str], size: int) -> Measure:
    known = frozenset(characters).__contains__

    def count(text: str) -> tuple[float, float]:
        return sum(map(known, text)), len(text) / size

    return count


def _by_syllables(syllables: Iterable[str], size: int) -> Measure:
    listed = tuple(syllables)

    def count(text: str) -> tuple[float, float]:
        return sum(map(text.count, listed)), len(text) / size

    return count


def _by_endings(endings: Iterable[str]) -> Measure:
    known = frozenset(endings).__contains__
    last = itemgetter(-1)

    def count(text: str) -> tuple[float, float]:
        # Only a sentence's end is between an ending and the space: one replacement is cheaper than many strips.
        found = text.replace(". ", " ").replace(", ", " ").rstrip(".!?").split()
        return sum(map(known, map(last, found))), len(found)

    return count
