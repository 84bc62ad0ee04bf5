"""Whether a page shows a value at all: evidence for who is to blame when the value was not read."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from duramen.tree import Tree

_WORD = re.compile(r"\w+")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_NUMBER = re.compile(r"\d+")
_LONGEST = 400
"""Characters of the texts and attributes that may be or hold a date."""
_DATED = ("datetime", "content", "title", "data-date", "data-time", "data-timestamp", "data-published")
"""Attributes in which pages write dates."""


@dataclass(frozen=True, eq=False)
class ShownPage:
    """The texts and dates of a page, whatever a reader makes of them."""

    tree: Tree
    url: str | None = None

    @cached_property
    def text(self) -> str:
        """The text that is shown, and the title."""
        tree = self.tree
        titles = [tree.text[j] for i in tree.tagged({"title"}) for j in range(i + 1, tree.end[i])]
        return "\n".join([*(tree.text[i] for i in tree.speaking(0, len(tree))), *titles])

    @cached_property
    def data(self) -> str:
        """The text that is not shown, as in scripts, and what ``<meta>`` state."""
        tree = self.tree
        silent = [tree.text[i] for i in range(len(tree)) if tree.text[i] and tree.chars[i + 1] == tree.chars[i]]
        return "\n".join([*silent, *(tree.attr(i, "content") for i in tree.tagged({"meta"}))])

    @cached_property
    def _letters(self) -> str:
        return squeezed(self.text)

    def has_text(self, value: str) -> bool:
        """Whether a title or a name is shown, letter by letter, with any white space and punctuation in it."""
        letters = squeezed(value)
        return bool(letters) and letters in self._letters

    def has_day(self, day: str) -> bool:
        """Whether a short text, an attribute or the address holds the numbers of a day: its year and its day of month.

        The month may be a word of any language, and so it is not looked for.
        """
        wanted = date.fromisoformat(day[:10])
        year, number = wanted.year, wanted.day
        return any(
            number in numbers and (year in numbers or (len(numbers) <= 5 and year % 100 in numbers))
            for numbers in self._numbers
        )

    @cached_property
    def _numbers(self) -> list[frozenset[int]]:
        """The numbers of each piece of the page that may hold a date."""
        tree = self.tree
        pieces = [self.url or ""]
        for text in filter(_NUMBER.search, tree.text):
            pieces += _short_pieces(text)
        chars, end = list(tree.chars), list(tree.end)
        for i, tag in enumerate(tree.tag):
            if tag and end[i] > i + 2 and 5 < chars[end[i]] - chars[i] <= 60:
                pieces.append(tree.text_in(i))
        for name in _DATED:
            pieces += [value for _, value in tree.valued(name) if len(value) <= _LONGEST]
        found = {frozenset(_numbers_in(piece)) for piece in pieces}
        return [numbers for numbers in found if len(numbers) > 1]


def _short_pieces(text: str) -> list[str]:
    """A text in pieces in which the numbers of one date are together; data in scripts is long."""
    return re.split(r"[\n{}\[\];\"]|(?<=\D)\. ", text[:500_000]) if len(text) > _LONGEST else [text]


def _numbers_in(piece: str) -> list[int]:
    """The numbers of a text; eight digits in a row may be a date."""
    numbers = []
    for match in _NUMBER.finditer(piece):
        digits = match[0]
        numbers.append(int(digits[:12]))
        if len(digits) >= 8 and digits[:2] in ("19", "20"):
            numbers += [int(digits[:4]), int(digits[6:8])]
    return numbers


def plain(text: str) -> str:
    """A text without accents, in lower case."""
    if not text.isascii():
        text = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    return text.casefold()


def squeezed(text: str) -> str:
    """
    >>> squeezed("Café — « Ümlaut »")
    'cafeumlaut'
    """
    return "".join(_WORD.findall(plain(text))).replace("_", "")
