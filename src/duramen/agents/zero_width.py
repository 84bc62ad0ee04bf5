"""Removes and counts zero-width characters in what an agent reads.

The sanitizer has already removed controls, tag characters and direction overrides. This module removes the rest, which
ordinary pages may use for typesetting, but which a model reads and a person does not see.
"""

from __future__ import annotations

import re

_TYPESETTING = "\u00ad\ufeff"
"""Soft hyphens and byte order marks: removed, but not counted as suspicious."""
_ALWAYS = (
    "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2060-\u2064\u3164\uffa0\U000e0000-\U000e00ff"
)
_LATIN = "\x00-\u024f\u1e00-\u1eff\u2000-\u206f"
_SUSPECT = re.compile(f"[{_TYPESETTING}{_ALWAYS}\u200c\u200d\u2028\u2029\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_GONE = re.compile(
    f"[{_ALWAYS}]"
    # Joiners only have a meaning between letters of joining scripts and between emoji.
    f"|(?<=[{_LATIN}])[\u200c\u200d]+|[\u200c\u200d]+(?=[{_LATIN}]|$)|(?<=[\u200c\u200d])[\u200c\u200d]+"
    # A variation selector chooses between glyphs of a symbol or a Han character.
    "|(?<=[A-Za-z\\s.,;:!?'\"()-])[\ufe00-\ufe0f]+|(?<![\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]+"
)
_SOFT = re.compile(f"[{_TYPESETTING}]")
_LINES = re.compile("[\u2028\u2029]")


def strip_zero_width(text: str) -> tuple[str, int]:
    r"""The text without zero-width characters, and their number.

    >>> strip_zero_width("pay\u200bload for \U0001f468\u200d\U0001f469\u200d\U0001f467")[1]
    1
    """
    if _SUSPECT.search(text) is None:
        return text, 0
    text = _LINES.sub("\n", _SOFT.sub("", text))
    seen = _GONE.sub("", text)
    return seen, len(text) - len(seen)
