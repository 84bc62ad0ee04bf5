"""Dates in many forms, and what is no date of a page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.read.dates import date_in_url, find_date, parse_date

DATES = [
    ("2019-05-03", "2019-05-03"),
    ("20190503", "2019-05-03"),
    ("2019-05-03T10:20:30Z", "2019-05-03T10:20:30+00:00"),
    ("2019-05-03T10:20:30.123+02:00", "2019-05-03T10:20:30+02:00"),
    ("2019-05-03 10:20:30 -0600", "2019-05-03T10:20:30-06:00"),
    ("2019-05-03T10:20", "2019-05-03T10:20:00"),
    ("2019-05-03T00:00:00", "2019-05-03"),
    ("2019-05-03 99:99", "2019-05-03"),
    ("2019/5/3", "2019-05-03"),
    ("2019.05.03", "2019-05-03"),
    ("May 3, 2019", "2019-05-03"),
    ("Published: Sept. 3rd, 2019 at noon", "2019-09-03"),
    ("Friday, 3 May 2019", "2019-05-03"),
    ("3rd of May 2019", "2019-05-03"),
    ("03-May-2019", "2019-05-03"),
    ("3. Mai 2019", "2019-05-03"),
    ("Am 3. März 2019 um 10 Uhr", "2019-03-03"),
    ("le 1er août 2019", "2019-08-01"),
    ("3 de mayo de 2019", "2019-05-03"),
    ("3 maggio 2019", "2019-05-03"),
    ("3 de março de 2019", "2019-03-03"),
    ("3 mei 2019", "2019-05-03"),
    ("3 maja 2019", "2019-05-03"),
    ("3 мая 2019", "2019-05-03"),
    ("3 Mayıs 2019", "2019-05-03"),
    ("2019年5月3日", "2019-05-03"),
    ("2019년 5월 3일", "2019-05-03"),
    ("03.05.2019", "2019-05-03"),
    ("3.5.19", "2019-05-03"),
    ("25/12/2019", "2019-12-25"),
    ("12/25/2019", "2019-12-25"),
    ("Fri, 03 May 2019 10:20:30 GMT", "2019-05-03T10:20:30+00:00"),
    ("1556875230", "2019-05-03"),
    ("1556875230000", "2019-05-03"),
    ("2019 May 3", "2019-05-03"),
    ("2019. 5. 3.", "2019-05-03"),
    ("2019. 05. 03. 11:27", "2019-05-03"),
    ("2019. május 3.", "2019-05-03"),
    ("2019 m. gegužės 3 d.", "2019-05-03"),
    ("2019. gada 3. maijs", "2019-05-03"),
    ("2019(e)ko maiatzaren 3(a)", "2019-05-03"),
    ("3 tháng 5, 2019", "2019-05-03"),
    ("ngày 3 tháng 5 năm 2019", "2019-05-03"),
    ("3 Μαΐου 2019", "2019-05-03"),
    ("3 травня 2019 р.", "2019-05-03"),
    ("3 במאי 2019", "2019-05-03"),
    ("٣ مايو ٢٠١٩", "2019-05-03"),
    ("৩ মে, ২০১৯", "2019-05-03"),
    ("3 मई 2019", "2019-05-03"),
    ("3 พฤษภาคม 2562", "2019-05-03"),
    ("3 พ.ค. 2562", "2019-05-03"),
    ("۱۳ اردیبهشت ۱۳۹۸", "2019-05-03"),
    ("令和元年5月3日", "2019-05-03"),
    ("民國108年5月3日", "2019-05-03"),
]


@pytest.mark.parametrize(("text", "expected"), DATES, ids=[row[0] for row in DATES])
def test_dates_are_understood(text: str, expected: str) -> None:
    assert parse_date(text) == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("3. listopada 2019", "pl", "2019-11-03"),
        ("3. listopada 2019", "hr-HR", "2019-10-03"),
        ("3/5/2562", "th", "2019-05-03"),
        ("3/5/2562", "en", None),
        ("1398/02/13", "fa", "2019-05-03"),
        ("13/02/1398", "fa", "2019-05-03"),
        ("1398/02/13", "de", None),
        ("1402 Oak Street", None, None),
        ("The 12 best oaks of 2019", "en", None),
    ],
)
def test_the_language_says_what_a_month_and_a_year_mean(text: str, language: str | None, expected: str | None) -> None:
    assert parse_date(text, month_first=False, language=language) == expected


def test_months_in_addresses_may_be_words() -> None:
    assert date_in_url("https://oaks.example/woods/2019/may/03/rings") == "2019-05-03"
    assert date_in_url("https://oaks.example/woods/2019/oak/03/rings") is None


def test_the_order_of_day_and_month_is_a_matter_of_place() -> None:
    assert parse_date("03/04/2019", month_first=True) == "2019-03-04"
    assert parse_date("03/04/2019", month_first=False) == "2019-04-03"
    assert parse_date("03.04.2019", month_first=True) == "2019-04-03"


@pytest.mark.parametrize(
    "text", ["", "yesterday", "2 hours ago", "1987-05-03", "1815-06-18", "1994-12-31", "2019-02-30", "2019-13-01"]
)
def test_other_things_are_no_dates(text: str) -> None:
    assert parse_date(text) is None


@pytest.mark.parametrize("text", ["99", "v1.2.3", "May 2019", "10:20:30", "+49 30 123456", "3 Foo 2019", "0000-00-00"])
def test_other_numbers_are_no_dates(text: str) -> None:
    assert parse_date(text) is None


def test_the_future_begins_after_tomorrow() -> None:
    today = datetime.now(UTC).date()
    tomorrow = (today + timedelta(days=1)).isoformat()
    assert parse_date(tomorrow) == tomorrow
    assert parse_date((today + timedelta(days=3)).isoformat()) is None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org/2019/05/03/oak", "2019-05-03"),
        ("https://example.org/2019/5/3/oak.html", "2019-05-03"),
        ("https://example.org/news/2019-05-03-oak", "2019-05-03"),
        ("https://example.org/20190503/oak", "2019-05-03"),
        ("https://example.org/oak_2019-05-03.html", "2019-05-03"),
        ("https://example.org/news/23-05-2019-oak", "2019-05-23"),
        ("https://example.org/news/03-05-2019-oak", None),
        ("https://example.org/2019/05/oak", None),
        ("https://example.org/id/20191303", None),
        ("https://example.org/1234/20190503123", None),
        ("https://example.org/best-of-2019", None),
        ("", None),
    ],
)
def test_dates_in_urls(url: str, expected: str | None) -> None:
    assert date_in_url(url) == expected


def test_the_place_of_a_date_is_told() -> None:
    found = find_date("Posted on May 3, 2019 by Ada")
    assert found is not None
    assert "Posted on May 3, 2019 by Ada"[found.start : found.end] == "May 3, 2019"


@given(st.text(max_size=80) | st.from_regex(r"[0-9./: T-]{4,30}", fullmatch=True))
def test_any_text_gives_a_date_or_nothing(text: str) -> None:
    found = parse_date(text)
    assert found is None or "1995-01-01" <= found[:10] < "2100"
    date_in_url(text)
