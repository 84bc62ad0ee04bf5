"""How many tokens a language model makes of a text, estimated."""

from __future__ import annotations

__all__ = ["tokens_of"]


def tokens_of(text: str) -> int:
    """One for every four characters of ASCII, and two for every three others.

    >>> tokens_of("Heartwood is hard."), tokens_of("心材很硬。")
    (5, 4)
    """
    plain = len(text.encode("ascii", "ignore"))
    return -(-plain // 4) + -(-2 * (len(text) - plain) // 3)
