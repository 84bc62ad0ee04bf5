"""Recently read pages: paging, sections and searches use them without another download."""

from __future__ import annotations

import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property

from duramen.agents.sections import LONGEST_TITLE, Section, sections_of
from duramen.errors import DuramenError
from duramen.model import Metadata
from duramen.parts.links import Link
from duramen.parts.records.values import Record
from duramen.parts.tokens import tokens_of
from duramen.result import Result
from duramen.zero_width import strip_zero_width

NO_URL = "https://unknown.invalid/"
"""The base of links in HTML that came without its URL."""
HANDLE = "doc_"
"""The prefix of handles, which no URL has."""
HIDDEN_STEP = "hidden"
INVISIBLE_RULE = "invisible-characters"
ATTRIBUTE_RULE = "attribute-text"
_NOT_SENT = ("html", "text", "sources", "confidence")
_NAMES = ("title", "name", "question", "author", "published")
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
    records: tuple[str, ...] = ()
    """A line for each post, item or the like."""
    links: tuple[Link, ...] = ()
    """The links in the content."""
    navigation: tuple[Link, ...] = ()
    """The links around it."""
    hidden_texts: int = 0
    attribute_texts: int = 0
    invisible_characters: int = 0
    handle: str = field(default_factory=lambda: f"{HANDLE}{secrets.token_urlsafe(9)}")

    @property
    def size(self) -> int:
        links = sum(len(link.url) + len(link.text) for link in (*self.links, *self.navigation))
        return sum(map(len, self.bodies.values())) + links + 2_000

    def form(self, wanted: str) -> str:
        """The format that there is: some pages have no records, and a source has no other."""
        return wanted if wanted in self.bodies else next(iter(self.bodies))

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The outline of the Markdown."""
        return sections_of(self.bodies.get("markdown", ""))


def document_of(result: Result, navigation: tuple[Link, ...] = ()) -> Document:
    """A result as an agent may read it. Runs in a worker, because rendering and cleaning take time."""
    bodies: dict[str, str] = {}
    zero_width = 0
    forms = [("markdown", result.markdown), ("text", result.text), ("html", result.html)]
    if result.records:
        forms.append(("records", "\n".join(_as_line(record) for record in result.records)))
    for name, text in forms:
        bodies[name], count = strip_zero_width(text)
        zero_width = max(zero_width, count)
    left_out = result.trace.hidden
    hidden = [removal for removal in left_out if removal.step == HIDDEN_STEP]
    attributes = [removal for removal in hidden if removal.rule_id == ATTRIBUTE_RULE]
    kept = [removal for removal in hidden if removal.rescued]
    invisible = sum(int(r.reason.partition(" ")[0]) for r in left_out if r.rule_id == INVISIBLE_RULE)
    warnings = [*result.trace.limits]
    if kept:
        parts = "1 part" if len(kept) == 1 else f"{len(kept)} parts"
        warnings.append(f"{parts} of this page hidden from readers until a click or a script shows them; kept")
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
        records=tuple(map(_named_record, result.records)),
        links=_absolute(result.links),
        navigation=_absolute(navigation),
        hidden_texts=len(hidden) - len(kept) - len(attributes),
        attribute_texts=len(attributes),
        invisible_characters=invisible + zero_width,
    )


def _as_line(record: Record) -> str:
    """A record as a line of JSON: its values and its Markdown."""
    known = {name: value for name, value in record.to_dict().items() if name not in _NOT_SENT}
    values = {name: value for name, value in known.items() if value not in (None, "", [], ()) and value is not False}
    return json.dumps(values, ensure_ascii=False)


def _named_record(record: Record) -> str:
    """What a record is, in a line: its kind, what it is called or who wrote it, and its tokens."""
    values = record.to_dict()
    about = [str(values[name]) for name in _NAMES if values.get(name)]
    plain = strip_zero_width(" ".join(", ".join(about).split())[:LONGEST_TITLE])[0]
    return f"{record.kind} {record.position + 1}{': ' if plain else ''}{plain} ({tokens_of(record.markdown)})"


def _absolute(links: tuple[Link, ...]) -> tuple[Link, ...]:
    """The links whose target is known."""
    return tuple(link for link in links if link.url.startswith(("http:", "https:")) and not link.url.startswith(NO_URL))


def list_document(url: str, title: str, markdown: str, warnings: tuple[str, ...]) -> Document:
    """A list that was made from several files of a site."""
    body, invisible = strip_zero_width(markdown)
    return Document(
        url=url,
        metadata=Metadata(title=title),
        page_type="listing",
        page_type_confidence=1.0,
        tier=None,
        verdict="good" if markdown else "empty",
        score=1.0 if markdown else 0.0,
        reasons=(),
        warnings=warnings,
        bodies={"markdown": body},
        invisible_characters=invisible,
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
