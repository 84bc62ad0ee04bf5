"""Amounts of money as pages write them."""

from __future__ import annotations

import re

__all__ = ["amount_of"]


def amount_of(text: str) -> str | None:
    """A price as a decimal number, whichever signs part its thousands and cents.

    >>> amount_of("1.299,00"), amount_of("$1,299"), amount_of("19.9"), amount_of("free")
    ('1299.00', '1299', '19.9', None)
    """
    found = re.search(r"\d[\d.,’'\s]*", text[:60])
    if not found:
        return None
    digits = re.sub(r"[\s’']", "", found[0]).rstrip(".,")
    head, mark, cents = digits.rpartition("." if digits.rfind(".") > digits.rfind(",") else ",")
    if mark and len(cents) in (1, 2):
        return f"{re.sub('[.,]', '', head) or '0'}.{cents}"
    return re.sub("[.,]", "", digits) or None
