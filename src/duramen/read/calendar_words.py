"""Dates in words, in any language of the Unicode CLDR, and the years of other calendars."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from duramen.lazy_pattern import lazy_pattern
from duramen.tables import load

__all__ = ["Day", "era_date", "is_weekday", "persian_date", "plain_digits", "worded_date", "years_begin"]

_TOKEN = lazy_pattern(
    r"""\d+|[^\s\d.,;:/()\[\]|·•、。，：；（）«»"'’‘ʼ\-–—][^\s\d,;:/()\[\]|·•、。，：；（）«»"'’‘ʼ\-–—]{0,23}"""
)
_GAP = frozenset(" \t\n\r\xa0\u202f,.،/-’'()")
_OTHER_DIGIT = lazy_pattern(r"[^\D0-9]")
_ERA = lazy_pattern(r"([^\W\d_]{2})\s?(\d{1,3}|元)\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})(?!\d)")
_WIDEST_GAP = 6
_MOST_TOKENS = 100
BUDDHIST, PERSIAN = range(2530, 2600), range(1370, 1430)
"""Years of other calendars, whose numbers no year of the web has in ours."""


class Day(NamedTuple):
    """A day of our calendar, and where in the text it is."""

    year: int
    month: int
    day: int
    start: int
    end: int


class _Calendar:
    """The rows of ``data/calendar.toml``, which only pages with dates in words need."""

    def __init__(self) -> None:
        rows = load("calendar.toml")
        words = {name: row["words"].split() for name, row in rows.items()}
        self.months = _by_line(rows["month"]["words"])
        self.elsewhere = dict(pair.split("=") for pair in words["month_elsewhere"])
        self.persian = _by_line(rows["persian"]["words"])
        self.number = frozenset(words["month_number"])
        self.weekdays = frozenset(words["weekday"])
        self.between = frozenset(words["between"]) | self.weekdays | self.number
        self.eras = {name: int(year) for name, _, year in (pair.partition("=") for pair in words["era"])}
        self.years: dict[str, list[str]] = {}
        for language, _, beginning in (pair.partition("=") for pair in words["year"]):
            self.years.setdefault(language, []).append(beginning)

    def month(self, word: str, language: str) -> int | None:
        """The number of a month."""
        word = word.strip(".").lower()
        return int(self.elsewhere.get(f"{language}:{word}", 0)) or self.months.get(word)


def _by_line(words: str) -> dict[str, int]:
    return {word: number for number, line in enumerate(words.strip().split("\n"), 1) for word in line.split()}


@cache
def _calendar() -> _Calendar:
    return _Calendar()


def plain_digits(text: str) -> str:
    """A text with the digits of other scripts as ours, each where it was.

    >>> plain_digits("۱۷ خرداد ۱۳۹۹")
    '17 خرداد 1399'
    """
    return text if text.isascii() else _OTHER_DIGIT.sub(lambda digit: str(int(digit[0])), text)


def is_weekday(word: str) -> bool:
    """Whether a word is a day of the week."""
    return word.strip(".,").lower() in _calendar().weekdays


def years_begin(language: str | None) -> tuple[str, ...]:
    """How the years of our time begin in a language's digits and calendar."""
    years = _calendar().years
    return (*years["*"], *years.get((language or "").partition("-")[0], ()))


def worded_date(text: str, language: str | None = None) -> Day | None:
    """The first date of a text whose month is a word: its day and year are beside it, in any order.

    >>> worded_date("On 7 de junio de 2020")[:3], worded_date("2020. június 7.")[:3], worded_date("7 มิถุนายน 2563")[:3]
    ((2020, 6, 7), (2020, 6, 7), (2020, 6, 7))
    """
    calendar = _calendar()
    code = (language or "").partition("-")[0]
    tokens = list(_TOKEN.finditer(text))[:_MOST_TOKENS]
    for at, token in enumerate(tokens):
        written = token[0]
        if len(written) != 4 or not written.isdecimal():
            continue
        year = int(written)
        for step in (-1, 1):
            near = _beside(text, tokens, at, step, calendar)
            if len(near) < 2:
                continue
            inner, outer = near
            for name, number in ((inner, outer), (outer, inner)):
                day = int(number[0]) if number[0].isdecimal() else 0
                if not 1 <= day <= 31 or name[0].isdecimal():
                    continue
                span = min(token.start(), outer.start()), max(token.end(), outer.end())
                month = calendar.month(name[0], code)
                if month and (1900 <= year < 2100 or year in BUDDHIST):
                    return Day(year - 543 if year in BUDDHIST else year, month, day, *span)
                if year in PERSIAN and (month := calendar.persian.get(name[0])):
                    return Day(*persian_date(year, month, day), *span)
            if step < 0 and _is_numbered(tokens, at, calendar) and 1900 <= year < 2100:
                # "7 tháng 6, 2020": the month is a number after its word.
                return Day(year, int(inner[0]), int(outer[0]), outer.start(), token.end())
    return None


def _beside(text: str, tokens: list[re.Match[str]], at: int, step: int, calendar: _Calendar) -> list[re.Match[str]]:
    """The two tokens before or after a year that are no words between the parts of a date."""
    found: list[re.Match[str]] = []
    last = tokens[at]
    for _ in range(5):
        at += step
        if not 0 <= at < len(tokens) or len(found) == 2:
            break
        token = tokens[at]
        gap = text[last.end() : token.start()] if step > 0 else text[token.end() : last.start()]
        if len(gap) > _WIDEST_GAP or not _GAP.issuperset(gap):
            break
        last = token
        word = token[0].strip(".").lower()
        if word in calendar.between and not word.isdecimal() and word not in calendar.months:
            continue
        if token[0].isdecimal() and len(token[0]) > 2:
            break
        found.append(token)
    return found


def _is_numbered(tokens: list[re.Match[str]], at: int, calendar: _Calendar) -> bool:
    """Whether a year follows a month's number, its word, and the day's number."""
    words = [token[0].lower() for token in tokens[max(0, at - 4) : at] if token[0].lower() not in ("năm", "năm,")]
    return (
        len(words) >= 3
        and words[-2] in calendar.number
        and all(word.isdecimal() and len(word) <= 2 for word in (words[-1], words[-3]))
    )


def era_date(text: str) -> Day | None:
    """A date whose year is counted from the beginning of an era, as in Japan and Taiwan.

    >>> era_date("令和2年6月7日")[:3], era_date("民國109年6月7日")[:3]
    ((2020, 6, 7), (2020, 6, 7))
    """
    for match in _ERA.finditer(text):
        if before := _calendar().eras.get(match[1]):
            year = 1 if match[2] == "元" else int(match[2])
            return Day(before + year, int(match[3]), int(match[4]), *match.span())
    return None


def persian_date(year: int, month: int, day: int) -> tuple[int, int, int]:
    """A day of the Solar Hijri calendar in ours.

    >>> persian_date(1399, 3, 18), persian_date(1400, 1, 1)
    ((2020, 6, 7), (2021, 3, 21))
    """
    from datetime import date

    # Eight leap years in 33 years, counted from one that began on 21 March 1996.
    passed = year - 1375
    cycle, rest = divmod(passed, 33)
    leaps = cycle * 8 + sum(1 for past in range(rest) if past in _LEAPS)
    days = passed * 365 + leaps + (month - 1) * 31 - max(0, month - 7) + day - 1
    found = date.fromordinal(date(1996, 3, 20).toordinal() + days)
    return found.year, found.month, found.day


_LEAPS = frozenset({0, 4, 8, 12, 16, 20, 24, 28})
"""The leap years of a cycle that begins with 1375."""
