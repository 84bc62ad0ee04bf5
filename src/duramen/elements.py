"""The page as the HTML library's document, for RDFa."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from duramen.dom import Document


class Elements:
    def __init__(self, parsed: Callable[[], Document]) -> None:
        self._parsed = parsed

    @cached_property
    def document(self) -> Document:
        return self._parsed()
