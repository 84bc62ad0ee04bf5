"""Recently read pages: paging, sections and searches use them without another download."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property

from duramen.agents.sections import Section, sections_of
from duramen.agents.zero_width import strip_zero_width
from duramen.errors import DuramenError
from duramen.model import Metadata
from duramen.result import Result

HANDLE = "doc_"
"""The prefix of handles, which no URL has."""
HIDDEN_STEP = "hidden"
INVISIBLE_RULE = "invisible-characters"
MINUTES = 30
"""How long a handle is valid after its page was last read."""
FRESH_SECONDS = 300
"""How long a URL that is read again from the start is served from memory."""


class UnknownHandleError(DuramenError):
    """The handle does not exist, or its page has expired."""


@dataclass(frozen=True)
class Document:
    """One page as an agent may read it: no trace, no page source, nothing invisible."""

    url: str | None
    metadata: Metadata
    page_type: str
    page_type_confidence: float
    tier: str | None
    verdict: str
    score: float
    reasons: tuple[str, ...]
    warnings: tuple[str, ...]
    bodies: dict[str, str]
    """The content by format."""
    hidden_texts: int = 0
    invisible_characters: int = 0
    handle: str = field(default_factory=lambda: f"{HANDLE}{secrets.token_urlsafe(9)}")

    @property
    def size(self) -> int:
        return sum(map(len, self.bodies.values())) + 2_000

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The outline of the Markdown."""
        return sections_of(self.bodies.get("markdown", ""))


def document_of(result: Result) -> Document:
    """A result as an agent may read it. Runs in a worker, because rendering and cleaning take time."""
    bodies: dict[str, str] = {}
    invisible = 0
    for name, text in (("markdown", result.markdown), ("text", result.text), ("html", result.html)):
        bodies[name], count = strip_zero_width(text)
        invisible = max(invisible, count)
    left_out = result.trace.hidden
    hidden = [removal for removal in left_out if removal.step == HIDDEN_STEP]
    invisible = sum(int(r.reason.partition(" ")[0]) for r in left_out if r.rule_id == INVISIBLE_RULE)
    warnings = [*result.trace.limits]
    if any(removal.rescued for removal in hidden):
        warnings.append("most of this page's text is hidden from readers until a script shows it; it was kept")
    return Document(
        url=result.url,
        metadata=result.metadata,
        page_type=result.page_type,
        page_type_confidence=result.kind.confidence,
        tier=result.tier,
        verdict=result.quality.verdict,
        score=round(result.quality.score, 3),
        reasons=result.quality.reasons,
        warnings=tuple(warnings),
        bodies=bodies,
        hidden_texts=sum(not removal.rescued for removal in hidden),
        invisible_characters=invisible + invisible,
    )


class Documents:
    """A bounded LRU cache of documents, by handle and by request."""

    def __init__(
        self, most: int = 64, most_characters: int = 24_000_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.most, self.most_characters, self._clock = most, most_characters, clock
        self._kept: OrderedDict[str, tuple[Document, float, float]] = OrderedDict()
        self._asked: dict[Hashable, str] = {}
        self.characters = 0

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, document: Document, key: Hashable = None) -> Document:
        """Store a document; ``key`` identifies the request, if it can be repeated."""
        now = self._clock()
        self._kept[document.handle] = (document, now, now)
        self.characters += document.size
        if key is not None:
            self._asked[key] = document.handle
        while len(self._kept) > 1 and (len(self._kept) > self.most or self.characters > self.most_characters):
            self._drop(next(iter(self._kept)))
        return document

    def get(self, handle: str) -> Document:
        """The document of a handle."""
        self._expire()
        if handle not in self._kept:
            raise UnknownHandleError(
                f"there is no page with the handle {handle[:40]!r}: handles last for {MINUTES} minutes, and only the"
                f" {self.most} pages read last are kept; fetch the page again"
            )
        document, read, _ = self._kept[handle]
        self._kept[handle] = (document, read, self._clock())
        self._kept.move_to_end(handle)
        return document

    def cached(self, key: Hashable, any_age: bool = False) -> Document | None:
        """The document of an earlier request with the same key, if it is recent; for further parts, of any age."""
        self._expire()
        handle = self._asked.get(key)
        if handle is None:
            return None
        fresh = self._clock() - self._kept[handle][1] <= FRESH_SECONDS
        return self.get(handle) if fresh or any_age else None

    def _expire(self) -> None:
        now = self._clock()
        for handle in [h for h, (_, _, used) in self._kept.items() if now - used > 60 * MINUTES]:
            self._drop(handle)

    def _drop(self, handle: str) -> None:
        document, _, _ = self._kept.pop(handle)
        self.characters -= document.size
        for key in [key for key, known in self._asked.items() if known == handle]:
            del self._asked[key]
