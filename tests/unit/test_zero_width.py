"""Characters that nobody sees go; those that have a meaning stay."""

from __future__ import annotations

import pytest

from duramen.zero_width import strip_zero_width


@pytest.mark.parametrize(
    ("text", "seen", "count"),
    [
        ("plain text", "plain text", 0),
        ("zero\u200bwidth\u2060joined", "zerowidthjoined", 2),
        ("mar\u200eks\u200f", "marks", 2),
        ("smug\U000e0041\U000e0042gled", "smuggled", 2),
        ("soft\u00adhyphen", "softhyphen", 0),
        ("lat\u200din jo\u200ciner", "latin joiner", 2),
        ("a\ufe01b", "ab", 1),
        ("x" + "\U000e0100\U000e0101", "x", 2),
        ("line\u2028break", "line\nbreak", 0),
    ],
)
def test_unseen(text: str, seen: str, count: int) -> None:
    assert strip_zero_width(text) == (seen, count)


@pytest.mark.parametrize(
    "text",
    [
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family
        "\u2764\ufe0f",  # a red heart
        "1\ufe0f\u20e3",  # a keycap
        "می\u200cخواهم",  # Persian needs the non-joiner
        "क्\u200dष",  # and Hindi the joiner
        "葛\U000e0100",  # one of two forms of a Han character
    ],
)
def test_meaning_stays(text: str) -> None:
    assert strip_zero_width(text) == (text, 0)
