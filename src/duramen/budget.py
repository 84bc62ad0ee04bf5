"""What one page may cost. Most of it is bounded by size beforehand, which gives the same result everywhere; the clock
only decides how much care is left for the rest."""

from __future__ import annotations

import time

from duramen.options import Limits

__all__ = ["Budget"]

# How much can be read in a second with half of it to spare, measured on pages of one thing repeated (tests/properties).
_CHARACTERS = 4_000_000
_NODES = 50_000
# What a page may hold besides, by its size: several times as much as any page made for readers does. A second's work
# a megabyte, and memory of some ten times the page's size.
_FEWEST_NODES = 30_000
_CHARACTERS_A_NODE = 40
# Blocks that are judged by all evidence, by how much text is shown: each has some 250 numbers.
_FEWEST_BLOCKS = 10_000
_SHOWN_A_BLOCK = 250
_MOST_BLOCKS = 20_000
# Seconds to standardize and sanitize a draft: for each of its tags, and for each character.
_TAG = 8e-6
_CHARACTER = 1.5e-7


class Budget:
    """The limits of one page, and the time it has used so far (of this thread, whatever others do)."""

    __slots__ = ("_began", "_started", "characters", "nodes", "seconds")

    def __init__(self, limits: Limits) -> None:
        self._began, self._started = time.perf_counter(), time.thread_time()
        self.seconds = limits.seconds
        self.characters = min(limits.max_bytes, max(1, int(limits.seconds * _CHARACTERS)))
        """Input beyond this is cut off."""
        self.nodes = min(limits.max_nodes, max(1, int(limits.seconds * _NODES)))
        """Elements and texts beyond this are left out, however long the page is."""

    def nodes_in(self, characters: int) -> int:
        """Elements and texts beyond this are left out of a page of so many characters."""
        return min(self.nodes, _FEWEST_NODES + characters // _CHARACTERS_A_NODE)

    @staticmethod
    def tags_in(characters: int) -> int:
        """A page of so many characters is cut off after this many tags; an element has two of them."""
        return 2 * (_FEWEST_NODES + characters // _CHARACTERS_A_NODE)

    @staticmethod
    def blocks_in(shown: int) -> int:
        """A page that shows so many characters, in more blocks than this, is judged by density alone.

        No page made for readers is; it would take long, and memory of many times its size.
        """
        return min(_MOST_BLOCKS, _FEWEST_BLOCKS + shown // _SHOWN_A_BLOCK)

    def spent(self) -> float:
        return time.thread_time() - self._started

    def _exceeds(self, seconds: float) -> bool:
        # No thread has used more than has passed, which is known without a system call.
        return time.perf_counter() - self._began > seconds and self.spent() > seconds

    def is_half_spent(self) -> bool:
        return self._exceeds(self.seconds / 2)

    def is_overspent(self) -> bool:
        return self._exceeds(self.seconds)

    def covers(self, draft: str | bytes) -> bool:
        """Whether the time that is left suffices to bring a draft into its final form."""
        if not self._exceeds(self.seconds - len(draft) * (_TAG + _CHARACTER)):
            return True  # Nobody needs to count the tags: it could be nothing else.
        tags = draft.count("<") if isinstance(draft, str) else draft.count(b"<")
        return not self._exceeds(self.seconds - tags * _TAG - len(draft) * _CHARACTER)
