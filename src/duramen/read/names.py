"""The names of people in author fields and bylines, without what is around them."""

from __future__ import annotations

import re
from functools import cache

from duramen.lazy_pattern import lazy_pattern
from duramen.read.calendar_words import is_weekday
from duramen.read.dates import has_digit
from duramen.read.metadata_rows import any_of, metadata_rows, phrases_of

__all__ = ["is_account", "is_capitalized", "is_east_asian", "names_in"]

MAX_TEXT = 400

_DATA_CUT = lazy_pattern(r"(?:(?<!\s)\s+)?(?:[|•·»<>\[\]()\n]|\s[-–—]+\s).*", re.S)
_DATA_LABEL = lazy_pattern(r"[a-z]+:\s+(?=\S)")
"""What a field of another system was called, within the value."""
_MARK = lazy_pattern(r"(?<!\s)\s*[|·•]\s*")
_INITIAL = lazy_pattern(r"\b\w{1,2}\.$")
_EAST_ASIAN = lazy_pattern("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_EDGES = " \t\n,;:-–—|·•\"'“”„/*"
_PLAIN_NAME = lazy_pattern(r"[A-Z][a-z]+(?: [A-Z]\.?)?(?: [A-Z][a-z]+){1,2}")


class _Words:
    """The words around names, from the rows of ``data/metadata.toml``, as patterns and sets."""

    def __init__(self) -> None:
        rows = metadata_rows().person
        words = {name: row["words"].split() for name, row in rows.items() if "words" in row}
        phrases = {name: phrases_of(row) for name, row in rows.items() if "phrases" in row}
        before = phrases_of(rows["by"], "before")
        label = any_of(phrases["label"])
        self.by = lazy_pattern(
            rf"^(?:(?:{any_of(before)})\s+)?(?:{any_of(words['by'])})(?:\s*[:：]\s*|\s+)"
            rf"|^(?:{label})(?:\s?(?:[,/&+]|{any_of(words['and'])})\s?(?:{label}))*\s*[:：]\s*"
            rf"|^(?:{any_of(words['heading'])})(?=\s+[A-ZÀ-Þ])\s+"
            rf"|^(?:\S+\s+){{1,3}}(?:{any_of(rows['by']['after_words'].split())})\s+",
            re.I,
        )
        first = "".join(sorted({phrase[0] for phrase in phrases["more"]}))
        self.cut = lazy_pattern(
            # Where it cannot begin it is not tried, which is at most letters.
            rf"(?=[\s|•·»<>\[\](){{}}/–—,\d]|\b[{first}])(?:(?<!\s)\s+)?(?:[|•·»<>\[\](){{}}\n/]|\s[-–—]+\s|[–—]"
            rf"|\s(?:{any_of(words['date'])})\s+(?=\S*\d|[A-Z])"
            rf"|\b(?:{any_of(phrases['more'])})(?:\s|$)"
            r"|,?\s*\d{1,2}[./:]|,?\s*\b\d{1,2}\.?\s+[^\W\d]|,?\s*\b(?:19|20)\d{2}\b).*",
            re.S | re.I,
        )
        between = rows["and"]["between"].split()
        both, either = any_of(words["and"]), any_of((*words["and"], *between))
        self.list = lazy_pattern(
            rf"(?:(?<!\s)\s+)?[,;&]\s*(?:(?:{both})\s+)?|(?<!\s)\s+(?:(?:{either})\s+|\+\s+)", re.I
        )
        self.between_full = lazy_pattern(
            rf"(?<=\S \S)(\S*)\s+(?:{any_of(rows['and']['between_full'].split())})\s+(?=\S+ \S)", re.I
        )
        self.couple = lazy_pattern(rf"\w+ (?:&|{both}) \w+")
        roles = any_of(words["role"]).replace(r"\*", r"\w*")
        self.role = lazy_pattern(rf"\b(?:{roles})\b", re.I)
        self.roles = lazy_pattern(rf"(?:{roles})", re.I)
        self.no_name = lazy_pattern(
            rf"://|www\.|\S@\S|[{{}}<>=\\$%^~*#→←]|^\W+$|\.(?:{any_of(words['address'])})\b"
            r"|[!?]$|[.!?]\s+\S+\s+\S+\s+\S+\s",
            re.I,
        )
        self.organisations = frozenset(words["organisation"])
        self.phrase = lazy_pattern(rf"\b(?:{any_of(phrases['phrase'])})\b", re.I)
        self.particles = frozenset(words["particle"])
        self.nobodies = frozenset(words["nobody"])
        self.buttons = frozenset(words["interface"]) - {"the"}
        self.follow = frozenset(rows["interface"]["after"].split())
        self.interface = frozenset(words["interface"]) | self.nobodies
        others = (
            before,
            words["role"],
            *phrases.values(),
            words["by"],
            words["heading"],
            words["date"],
            words["and"],
            between,
        )
        self.no_names = self.interface | {word for some in others for phrase in some for word in phrase.split()}
        """Words of which one is in everything that the patterns find in letters alone."""


@cache
def _words() -> _Words:
    return _Words()


def names_in(text: str, data: bool = False) -> list[str]:
    """The names in a text; ``data`` says that it is a field made for names, not words on the page.

    >>> names_in("By Ada Lovelace and Charles Babbage | 3 May 2019"), names_in("Read more about our cookies")
    (['Ada Lovelace', 'Charles Babbage'], [])
    """
    if (
        _PLAIN_NAME.fullmatch(text)
        and len(text) <= 60
        and _words().no_names.isdisjoint(text.lower().split())
        and (text.count(" ") < 2 or not _words().role.search(text))
    ):
        # What most names are like needs no closer look.
        return [text]
    words = _words()
    text = text.strip(_EDGES)
    if not text or len(text) > MAX_TEXT or text.startswith(("http:", "https:", "//", "www.", "@")):
        return []
    for _ in range(3):
        by = words.by.match(text)
        if by is None:
            break
        text = text[by.end() :].strip(_EDGES)
    if data and (label := _DATA_LABEL.match(text)):
        text = text[label.end() :]
    whole = text
    text = (_DATA_CUT if data else words.cut).sub("", text, count=1).strip(_EDGES)
    if not data and (" " not in text or has_digit(text)) and (better := _after_mark(whole)):
        return better
    if words.couple.fullmatch(text):
        # One word on each side is a firm, or a couple without surnames.
        return [text] if _is_name(text, data) else []
    if _is_department(text):
        return [text] if _is_name(text, data) else []
    written = words.list.split(words.between_full.sub(r"\1; ", text))[:40]
    parts = [_trim(part) for part in written]
    if len(parts) == 2 and "," in text and all(len(part.split()) == 1 for part in parts):
        if not all(map(_is_capital, parts)) or _words().role.search(parts[1]):
            parts = parts[:1]
        else:
            # "Lovelace, Ada" is one person.
            parts = [f"{parts[1]} {parts[0]}"]
    found: list[str] = []
    is_role = False
    for number, part in enumerate(parts):
        if number:
            # "Ada Lovelace, Tree and Forest Expert": the second half of a role is none either.
            is_role = not _is_further_name(part) or (is_role and words.role.search(written[number]) is not None)
            if is_role:
                continue
        if not _is_name(part, data):
            if not number:
                return []
            continue
        if part not in found:
            found.append(part)
    return found


def is_account(name: str) -> bool:
    """Whether a name in a field for authors may be that of an account, a department or a firm.

    >>> is_account("Marketing Team"), is_account("ada_l"), is_account("Ada Lovelace")
    (True, True, False)
    """
    words = [word.strip(".,:").lower() for word in name.split()]
    if is_east_asian(name):
        return False
    return len(words) == 1 or not _words().organisations.isdisjoint(words)


def is_capitalized(name: str) -> bool:
    """Whether every word of a name has a capital letter, or is a part of surnames that is written small.

    >>> is_capitalized("Ludwig van Beethoven"), is_capitalized("Berlin nach Hamburg")
    (True, False)
    """
    return all(map(_is_capital, name.split()))


def _after_mark(text: str) -> list[str]:
    """The people after a section or a date: "Politics · Ada Lovelace"."""
    for part in _MARK.split(text[:MAX_TEXT])[1:4]:
        names = names_in(part) if not _MARK.search(part) else []
        if names and all(" " in name and is_capitalized(name) for name in names):
            return names
    return []


def _is_department(text: str) -> bool:
    """Whether "and" is in the name of one organisation: "Center for Oak Evaluation and Research"."""
    known = _words()
    *before, last = known.list.split(text)
    return (
        len(before) == 1
        and " " not in last.strip()
        and last[:1].isupper()
        and "," not in text
        and not known.organisations.isdisjoint(before[0].lower().split())
    )


def _without_role(part: str) -> str:
    """A name without the role or the button that follows it: "Ada Lovelace Staff Writer"."""
    words = part.split()
    if len(words) < 3:
        return part
    known = _words()
    if words[0].lower() in known.buttons:
        return part
    for k in range(2, len(words)):
        rest = [word.strip(".,:") for word in words[k:]]
        first = rest[0].lower()
        is_role = len(first) > 3 and rest[0][:1].isupper() and known.roles.fullmatch(first)
        if first in known.follow or (is_role and _ends_in_role(rest)):
            return " ".join(words[:k])
    return part


def _ends_in_role(words: list[str]) -> bool:
    """Whether words are the role of one person, not the name of a department."""
    last = words[-1].lower()
    return _words().roles.fullmatch(last) is not None and last not in _words().organisations - {"editor"}


def _trim(part: str) -> str:
    part = _without_role(part.strip(_EDGES))
    # The point of "Jr." or of an initial belongs to the name.
    return part if not part.endswith(".") or _INITIAL.search(part) else part.rstrip(".")


def _is_capital(word: str) -> bool:
    return not word[:1].islower() or word in _words().particles


def is_east_asian(text: str) -> bool:
    """Whether a text has signs of Chinese, Japanese or Korean."""
    return not text.isascii() and _EAST_ASIAN.search(text) is not None


def _is_further_name(part: str) -> bool:
    """What follows a comma is more often a degree, a role or a place than a second person."""
    words = part.split()
    if is_east_asian(part):
        return True
    return 2 <= len(words) <= 5 and not _words().role.search(part) and _is_capital(words[0]) and _is_capital(words[-1])


def _is_name(name: str, data: bool) -> bool:
    words = name.split()
    if not 2 <= len(name) <= 60 or len(words) > (8 if data else 5) or not any(map(str.isalpha, name)):
        return False
    if _words().no_name.search(name):
        return False
    lowered = {word.strip(".,:").lower() for word in words}
    if lowered <= (_words().nobodies if data else _words().interface):
        return False
    if len(words) == 1 and (len(name) > 4 or not name.isascii() or not data) and is_weekday(name):
        return False
    if is_east_asian(name):
        return len(name) <= 20
    if _words().phrase.search(name):
        return False
    if data:
        return True
    if len(words) > 1 and (any(map(str.isdigit, name)) or words[0].lower() in _words().buttons):
        return False
    # Sentences are mostly in lower case, names are not.
    return len(words) == 1 or (sum(map(_is_capital, words)) * 2 > len(words) and _is_capital(words[0]))
