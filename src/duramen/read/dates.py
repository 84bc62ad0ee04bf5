"""Dates as pages write them, to ISO 8601."""

from __future__ import annotations

import re
import time
from datetime import UTC, date, datetime, timedelta, timezone
from typing import NamedTuple

from duramen.lazy_pattern import lazy_pattern
from duramen.read.calendar_words import BUDDHIST, PERSIAN, era_date, persian_date, plain_digits, worded_date

__all__ = [
    "CLOCK",
    "FoundDate",
    "date_in_url",
    "find_date",
    "has_digit",
    "in_shown_zone",
    "is_same_night",
    "may_be_another_day",
    "parse_date",
]

EARLIEST = date(1995, 1, 1)
"""The web was not much older, so an earlier date is no date of a page."""
_EPOCH = date(1970, 1, 1).toordinal()


_DIGIT = lazy_pattern(r"\d")
_PLAIN_DIGIT = lazy_pattern("[0-9]")
_YEAR = lazy_pattern(r"(?:19|20)\d{2}")
_ISO = lazy_pattern(
    r"(?<!\d)((?:19|20)\d{2})(-?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)"
    r"(?:[T ,]{1,3}(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?\s?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?"
)
_MAIL = lazy_pattern(
    r"\s*[A-Z][a-z]{2}, (\d{1,2} [A-Z][a-z]{2} (?:19|20)\d{2})"
    r" ([01]\d:[0-5]\d|2[0-3]:[0-5]\d)(?::([0-5]\d))? (GMT|UTC|[+-]\d{4})"
)
"""A moment as the headers of mail and HTTP write it."""
_YEAR_FIRST = lazy_pattern(
    r"(?<!\d)((?:19|20)\d{2})(?:\s?([-./])\s?(\d{1,2})\s?\2\s?(\d{1,2})|\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2}))(?!\d)"
)
_FOREIGN_YEAR = lazy_pattern(r"(?<!\d)(?:2[56]|1[34])\d{2}(?!\d)|年")
_FOREIGN_FIRST = lazy_pattern(r"(?<!\d)(1[34]\d{2})([-./])(\d{1,2})\2(\d{1,2})(?!\d)")
_FOREIGN_LAST = lazy_pattern(r"(?<!\d)(\d{1,2})([-./])(\d{1,2})\2((?:2[56]|1[34])\d{2})(?!\d)")
_NUMERIC = lazy_pattern(r"(?<![\d.])(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?((?:19|20)?\d{2})(?![\d:])")
CLOCK = lazy_pattern(r"(\d{1,2})[:.時时](\d{2})(?:[:.分]\d{2})?(?:\s?([ap])\.?m\.?)?", re.I)
"""A time of day."""
_STAMP = lazy_pattern(r"^(\d{10})(?:\d{3})?$")
_IN_URL = lazy_pattern(
    r"[/_-]((?:19|20)\d{2})(?:([/_-])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])|(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01]))"
    r"(?=[^\w]|_|$)"
)
_MONTH_IN_URL = lazy_pattern(r"/((?:19|20)\d{2})/([a-z]{3,9})/(0?[1-9]|[12]\d|3[01])(?=/|$)", re.I)
# The folders of a year and a month confirm a short date: "/2019/05/190503-a-title".
_SHORT_IN_URL = lazy_pattern(r"/20(\d{2})/(0[1-9]|1[0-2])/(?:[^/]*[_-])?\1\2(0[1-9]|[12]\d|3[01])(?=[^\w]|_|$)")
# Day and month can be told apart only above twelve.
_DAY_FIRST_IN_URL = lazy_pattern(r"[/_-](1[3-9]|2\d|3[01])-(0[1-9]|1[0-2])-(20\d{2})(?=[^\w]|_|$)")


class FoundDate(NamedTuple):
    """A date, and where in the text it is."""

    iso: str
    start: int
    end: int


def parse_date(text: str, month_first: bool = True, language: str | None = None) -> str | None:
    """The first date of a text, with its time if that is in ISO 8601; nothing before 1995 or after tomorrow.

    >>> parse_date("Published on 3rd of May, 2019"), parse_date("2021-02-03T04:05:06Z"), parse_date("yesterday")
    ('2019-05-03', '2021-02-03T04:05:06+00:00', None)
    """
    text = plain_digits(text[:300])
    if match := _ISO.match(text):
        return _iso_date(match)
    if match := _MAIL.match(text):
        day = worded_date(match[1], "en")
        plain = _checked(*day[:3]) if day else None
        return plain and f"{plain}T{match[2]}:{match[3] or '00'}{_zone(match[4])}"
    found = find_date(text, month_first, language)
    return found.iso if found else None


def has_digit(text: str) -> bool:
    """Whether a text may hold a date at all."""
    return (_PLAIN_DIGIT if text.isascii() else _DIGIT).search(text) is not None


def find_date(text: str, month_first: bool = True, language: str | None = None) -> FoundDate | None:
    """The first date of a text and its place; ``month_first`` settles 03/04/2021, the language what a word means."""
    text = text[:300]
    if not has_digit(text):
        return None
    text = plain_digits(text)
    # Most texts with a number in them have no year, which all but the last of these need.
    if stated := _YEAR.search(text):
        if match := _ISO.search(text, stated.start()):
            iso = _iso_date(match)
            return FoundDate(iso, *match.span()) if iso else None
        if match := _YEAR_FIRST.search(text, stated.start()):
            return _found(match, *(int(part) for part in match.group(1, 3, 4, 5, 6) if part))
        if worded := worded_date(text, language):
            iso = _checked(*worded[:3])
            return FoundDate(iso, *worded[3:]) if iso else None
    elif _FOREIGN_YEAR.search(text) and (found := _of_other_calendar(text, language)):
        return found
    if match := _NUMERIC.search(text):
        one, mark, two, year = match.groups()
        first, second = int(one), int(two)
        # Only the slash leads with the month, and only in America.
        leads = (month_first and mark != ".") if first <= 12 and second <= 12 else first <= 12
        full = int(year) + (2000 if len(year) == 2 else 0)
        return _found(match, full, first, second) if leads else _found(match, full, second, first)
    stripped = text.strip()
    if match := _STAMP.match(stripped):
        iso = _bounded(datetime.fromtimestamp(int(match.group(1)), UTC).date())
        return FoundDate(iso, 0, len(text)) if iso else None
    if "," in stripped[:6]:
        # Rarely needed, and slow to import.
        from email.utils import parsedate_to_datetime

        try:
            iso = _bounded(parsedate_to_datetime(stripped).date())
        except (ValueError, TypeError, IndexError, OverflowError):
            return None
        return FoundDate(iso, 0, len(text)) if iso else None
    return None


def _of_other_calendar(text: str, language: str | None) -> FoundDate | None:
    """A date whose year is not counted as ours: by the Buddha, the Hijra or an emperor."""
    code = (language or "")[:2]
    if worded := worded_date(text, language) or era_date(text):
        iso = _checked(*worded[:3])
        return FoundDate(iso, *worded[3:]) if iso else None
    if code in ("fa", "ps") and (match := _FOREIGN_FIRST.search(text)):
        year, month, number = (int(part) for part in match.group(1, 3, 4))
        if year in PERSIAN and 1 <= month <= 12 and 1 <= number <= 31:
            return _found(match, *persian_date(year, month, number))
    if match := _FOREIGN_LAST.search(text):
        number, month, year = (int(part) for part in match.group(1, 3, 4))
        if code == "th" and year in BUDDHIST:
            return _found(match, year - 543, month, number)
        if code in ("fa", "ps") and year in PERSIAN and 1 <= month <= 12 and 1 <= number <= 31:
            return _found(match, *persian_date(year, month, number))
    return None


def date_in_url(url: str) -> str | None:
    """The day in a URL, as many news sites and blogs write it.

    >>> date_in_url("https://example.org/2019/05/03/a-title"), date_in_url("https://example.org/2019/05/a-title")
    ('2019-05-03', None)
    """
    if "20" not in url and "19" not in url:
        return None
    match = _IN_URL.search(url[:1000])
    if not match:
        if match := _DAY_FIRST_IN_URL.search(url[:1000]):
            return _checked(int(match[3]), int(match[2]), int(match[1]))
        if match := _SHORT_IN_URL.search(url[:1000]):
            return _checked(2000 + int(match[1]), int(match[2]), int(match[3]))
        match = _MONTH_IN_URL.search(url[:1000])
        worded = worded_date(f"{match[3]} {match[2]} {match[1]}", "en") if match else None
        return _checked(*worded[:3]) if worded else None
    year, _, month, day, packed_month, packed_day = match.groups()
    return _checked(int(year), int(month or packed_month), int(day or packed_day))


def _iso_date(match: re.Match[str]) -> str | None:
    year, _, month, day, hour, minute, second, zone = match.groups()
    plain = _checked(int(year), int(month), int(day))
    if plain is None or hour is None:
        return plain
    hours, seconds = int(hour), int(second or 0)
    # A bare midnight is how systems that know no time write a date.
    if hours > 23 or int(minute) > 59 or (not zone and hours == int(minute) == seconds == 0):
        return plain
    return f"{plain}T{hours:02}:{minute}:{min(seconds, 59):02}{_zone(zone)}"


def _zone(written: str | None) -> str:
    """A time zone as ISO 8601 writes it."""
    if not written:
        return ""
    return "+00:00" if written in ("Z", "UTC", "GMT") else f"{written[:3]}:{written[-2:]}"


def _found(match: re.Match[str], year: int, month: int, day: int) -> FoundDate | None:
    iso = _checked(year, month, day)
    return FoundDate(iso, *match.span()) if iso else None


def _checked(year: int, month: int, day: int) -> str | None:
    try:
        return _bounded(date(year, month, day))
    except ValueError:
        return None


def _bounded(found: date) -> str | None:
    days = int(time.time()) // 86_400
    return found.isoformat() if found >= EARLIEST and found.toordinal() <= _EPOCH + days + 1 else None


def may_be_another_day(moment: str) -> bool:
    """Whether a moment in Greenwich, or at an unknown place, is on another day in many places."""
    return len(moment) > 10 and moment[19:] in ("", "+00:00") and not 8 <= int(moment[11:13]) < 20


def is_same_night(moment: str, day: str) -> bool:
    """Whether a moment in Greenwich may be another day, a day before or after, where it was written."""
    if len(moment) <= 10 or moment[19:] not in ("", "+00:00") or moment[:10] == day:
        return False
    distance = date.fromisoformat(day) - date.fromisoformat(moment[:10])
    hour = int(moment[11:13])
    return (distance.days == 1 and hour >= 10) or (distance.days == -1 and hour < 10)


def in_shown_zone(moment: str, day: str, beside: str) -> str | None:
    """A moment in Greenwich in the time zone that a shown day, and the time beside it, imply, if they are that moment.

    >>> in_shown_zone("2019-05-04T02:30:00+00:00", "2019-05-03", ", 10:30 PM")
    '2019-05-03T22:30:00-04:00'
    """
    clock = CLOCK.search(beside)
    if clock is None or moment[19:] != "+00:00":
        return None
    hour, minute = int(clock[1]), int(clock[2])
    if clock[3]:
        hour = hour % 12 + (12 if clock[3].lower() == "p" else 0)
    if hour > 23 or minute > 59:
        return None
    instant = datetime.fromisoformat(moment)
    ahead = datetime.fromisoformat(day).replace(hour=hour, minute=minute, tzinfo=UTC) - instant
    # What is shown has no seconds, and zones differ by quarters of an hour.
    quarters = round(ahead / timedelta(minutes=15))
    offset = timedelta(minutes=15 * quarters)
    if not -48 <= quarters <= 56 or abs(ahead - offset) > timedelta(minutes=2):
        return None
    return instant.astimezone(timezone(offset)).isoformat()


def is_new_edition(stated: str, in_url: str) -> bool:
    """Whether a stated date is so long after the one in the address that it can only be that of a new edition."""
    return (date.fromisoformat(stated[:10]) - date.fromisoformat(in_url)).days > 60
