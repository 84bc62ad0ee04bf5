"""Removes and counts characters that nobody sees.

The sanitizer has already removed controls, tag characters and direction overrides. This module removes the rest, which
ordinary pages may use for typesetting, but which a model reads and a person does not see. Where a character has a
meaning, between letters of a script that joins them or after a symbol that has several forms, it stays.
"""

from __future__ import annotations

import re

from duramen.lazy_pattern import lazy_pattern

_TYPESETTING = "\u00ad\ufeff"
"""Soft hyphens and byte order marks: removed, but not counted as suspicious."""
_ALWAYS = (
    "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2060-\u2065\u3164\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000f0000-\U0010ffff"
)
"""Without a width; the last are for private use."""
_PRIVATE = "\ue000-\uf8ff"
"""Icons of a font: one is removed without a count, a run of them is no icon."""
_JOINERS = "\u200c\u200d"
_JOINED = (
    "\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1700-\u18af\u1900-\u1cff\u200c\u200d\u20e3\u2190-\u2bff\u3030\u303d"
    "\u3297\u3299\ua800-\uabff\ufb50-\ufdff\ufe0f\ufe70-\ufefe\U00010a00-\U00011fff\U0001e900-\U0001e95f\U0001f000-\U0001faff"
)
"""Letters of scripts that join them, and emoji."""
_HAN = "\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_SUSPECT = lazy_pattern(
    f"[{_TYPESETTING}{_ALWAYS}{_PRIVATE}{_JOINERS}\u2028\u2029\u2800\ufe00-\ufe0f\U00013430-\U00013455"
    "\U000e0100-\U000e01ef]"
)
_GONE = lazy_pattern(
    f"[{_ALWAYS}]|[{_PRIVATE}]{{4,}}"
    # Joiners only have a meaning between letters of joining scripts and between emoji, and only one of them.
    f"|(?<![{_JOINED}])[{_JOINERS}]+|[{_JOINERS}]+(?![{_JOINED}])|(?<=[{_JOINERS}])[{_JOINERS}]+"
    # A variation selector chooses between glyphs of a symbol or a Han character.
    f"|(?<=[A-Za-z\\s.,;:!?'\"()-])[\ufe00-\ufe0f]+|(?<=[\U0001f000-\U0001faff])[\ufe00-\ufe0d]"
    f"|(?<=[\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]+"
    f"|(?<![{_HAN}])[\U000e0100-\U000e01ef]+"
    # A quadrat of hieroglyphs, and the space of Braille.
    "|(?<![\U00013000-\U00013455])[\U00013430-\U00013455]+|[\U00013430-\U00013455]+(?![\U00013000-\U00013455])"
    "|(?<![\u2801-\u28ff])\u2800{2,}(?![\u2801-\u28ff])"
)
_BLANK = lazy_pattern("(?<![\u2801-\u28ff])\u2800(?![\u2801-\u28ff])")
_SOFT = lazy_pattern(f"[{_TYPESETTING}{_PRIVATE}]")
_LINES = lazy_pattern("[\u2028\u2029]")


def strip_zero_width(text: str) -> tuple[str, int]:
    r"""The text without zero-width characters, and their number.

    >>> strip_zero_width("pay\u200bload for \U0001f468\u200d\U0001f469\u200d\U0001f467")[1]
    1
    """
    if text.isascii() or _SUSPECT.search(text) is None:
        return text, 0
    text = _LINES.sub("\n", text)
    removed = 0

    def gone(found: re.Match[str]) -> str:
        nonlocal removed
        removed += len(found[0])
        return ""

    def blank(found: re.Match[str]) -> str:
        nonlocal removed
        removed += 1
        return " "

    # What stood between two characters may have kept the second of them apart.
    for _ in range(4):
        seen = _BLANK.sub(blank, _SOFT.sub("", _GONE.sub(gone, text)))
        if seen == text:
            break
        text = seen
    return text, removed
