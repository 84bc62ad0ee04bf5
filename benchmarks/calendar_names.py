"""Writes ``data/calendar.toml``: the names of months and weekdays in every language of the Unicode CLDR.

    pip install babel
    python -m benchmarks.calendar_names

Babel brings the CLDR; nothing of it is needed when a page is read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import babel
from babel import Locale
from babel.core import get_cldr_version
from babel.localedata import locale_identifiers

import duramen

TARGET = Path(duramen.__file__).parent / "data" / "calendar.toml"
FIRST = """
en de fr es it pt nl pl ru tr cs sv da nb fi hu ro el bg uk sr hr sk sl ca id vi ar fa he hi bn th ja ko zh
""".split()
"""Languages whose meaning of a word is the usual one, best first; of the others the more common meaning is."""
COVERED = {*FIRST} | set(
    """
    af am as az be bs cy et eu fil ga gd gl gu hy is ka kk km kn ky lo lt lv mk ml mn mr ms my ne nn no or pa ps si so
    sq sw ta te tk ur uz yo zu
    """.split()
)
"""Languages with a large share of the web; of the others only the full names of months are taken, against mistakes."""
USED = {"maerz": 3, "mrz": 3, "marco": 3, "aout": 8, "sept": 9}
"""Spellings that pages use and the CLDR has not."""
BETWEEN = {
    "of",
    "st",
    "th",
    "nd",
    "rd",
    "er",
    "º",
    "ª",
    "o",
    "го",
    "ngày",
    "năm",
    "год",
    "года",
    "в",
    "the",
    "έτος",
    "жылғы",
    "жылы",
}
"""Words that pages write between the parts of a date, and the patterns of the CLDR do not."""
PERSIAN = """
فروردین
اردیبهشت
خرداد
تیر
مرداد امرداد
شهریور
مهر
آبان
آذر
دی
بهمن
اسفند
"""
CONTEXTS = ("format", "stand-alone")
FORMATS = ("full", "long", "medium")
ERAS = ["令和=2018 平成=1988 民國=1911 民国=1911"]
"""The year before the first of each."""
YEARS = [
    "*=20 ar=٢٠ fa=۱۳ fa=۱۴ fa=۲۰ fa=13 fa=14",
    "ps=۱۳ ps=۱۴ ur=۲۰ bn=২০ as=২০ hi=२० mr=२० ne=२० my=၂၀ km=២០ th=25 th=๒๕",
]
"""How the years of this century begin, by language, in digits and calendars of their own."""
HEAD = """\
# Written by benchmarks/calendar_names.py from the Unicode CLDR {cldr}, as Babel {babel} brings it (Unicode License v3).
# Do not edit: change the script. Words are in small letters and without a point at the end.
"""
_WORD = re.compile(r"""[^\s\d,;:/()\[\]|·•、。，：；（）«»"'’‘ʼ\-–—]+""")


def main() -> None:
    """Write the file."""
    meanings: dict[str, dict[str, int]] = {}
    weekdays: set[str] = set()
    fillers: Counter[str] = Counter()
    before_number: set[str] = set()
    for name in sorted(locale_identifiers()):
        locale = Locale.parse(name)
        language = locale.language
        for number, names in _month_names(locale):
            for month in names:
                words = _WORD.findall(month.lower())
                if any(map(str.isdigit, month)):
                    before_number.update(word for word in words if len(word) > 2 and word.isalpha())
                elif len(words) == 1 and _is_telling(word := words[0].strip(".")):
                    meanings.setdefault(word, {}).setdefault(language, number)
        for day in _weekday_names(locale):
            weekdays.update(word for word in [day.lower().strip(".")] if _is_telling(word) and " " not in word)
        for width in FORMATS if language in COVERED else ():
            for literal in _literals(locale.date_formats[width].pattern):
                fillers.update({word.strip(".") for word in _WORD.findall(literal.lower())})
    for word, number in USED.items():
        meanings.setdefault(word, {}).setdefault("en", number)
    months, elsewhere = _told_apart(meanings)
    weekdays -= months.keys()
    between = {word for word in fillers if any(map(str.isalpha, word)) and word not in months} | BETWEEN
    lines = [HEAD.format(cldr=get_cldr_version(), babel=babel.__version__)]
    by_month = ([word for word in sorted(months) if months[word] == number] for number in range(1, 13))
    lines += _table("month", "the months in any language, a line each", (" ".join(names) for names in by_month))
    lines += _table("month_elsewhere", "words that mean another month in some languages", _wrapped(elsewhere))
    lines += _table("month_number", "words before the number of a month", _wrapped(before_number))
    lines += _table("weekday", "the days of the week", _wrapped(weekdays))
    lines += _table("between", "words between the parts of a date", _wrapped(between))
    lines += _table("persian", "the months of the Solar Hijri calendar, a line each", PERSIAN.strip().split("\n"))
    lines += _table("era", "years that East Asian pages count from, and the year before the first", ERAS)
    lines += _table("year", "how the years of the web begin, by language", YEARS)
    TARGET.write_text("\n".join(lines), "utf-8")


def _told_apart(meanings: dict[str, dict[str, int]]) -> tuple[dict[str, int], set[str]]:
    """The usual meaning of each word, and the others by language."""
    months: dict[str, int] = {}
    elsewhere: set[str] = set()
    for word, by_language in meanings.items():
        known = [language for language in FIRST if language in by_language]
        common = Counter(by_language.values()).most_common(1)[0][0]
        months[word] = by_language[known[0]] if known else common
        elsewhere.update(f"{lang}:{word}={n}" for lang, n in by_language.items() if n != months[word])
    return months, elsewhere


def _month_names(locale: Locale) -> Iterator[tuple[int, set[str]]]:
    widths = ("wide", "abbreviated") if locale.language in COVERED else ("wide",)
    for number in range(1, 13):
        names = {locale.months[context][width].get(number, "") for context in CONTEXTS for width in widths}
        for width in FORMATS:
            # In some languages a letter before the name is written together with it.
            if prefix := re.search(r"[^\W\d_GyMdE'](?=MMM)", locale.date_formats[width].pattern):
                names.update({prefix[0] + name for name in names if not name.startswith(prefix[0])})
            if suffix := re.search(r"(?<=MMM)'(\w+)'", locale.date_formats[width].pattern):
                names.update({name + suffix[1] for name in names if not name.endswith(suffix[1])})
        yield number, names


def _weekday_names(locale: Locale) -> Iterator[str]:
    if locale.language in COVERED:
        for context in CONTEXTS:
            for width in ("wide", "abbreviated"):
                yield from locale.days[context][width].values()


def _literals(pattern: str) -> list[str]:
    """The words of a date pattern that stand for themselves."""
    quoted = re.findall(r"'([^']+)'", pattern)
    rest = re.sub(r"'[^']*'", " ", pattern)
    return [*quoted, *re.findall(r"[^\x00-\x7f]+", rest)]


def _is_telling(word: str) -> bool:
    """Whether a word is long enough to be no other: letters of the alphabet mean little."""
    return len(word) >= (3 if word[:1] < "\u0590" else 2) and not any(map(str.isdigit, word))


def _wrapped(words: Iterable[str], width: int = 120) -> list[str]:
    lines = [""]
    for word in sorted(words):
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines


def _table(name: str, reason: str, lines: Iterable[str]) -> list[str]:
    return [f"[{name}]", f'reason = "{reason}"', "words = '''", *lines, "'''", ""]


if __name__ == "__main__":
    main()
