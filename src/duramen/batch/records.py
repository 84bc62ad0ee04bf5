"""The data of a batch run: records in, rows and failures out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from duramen.batch.part_columns import parts_of
from duramen.batch.schema import timestamp

CODES = ("error", "timeout", "memory", "crash", "corrupt", "unreadable", "fetch")
"""Why a page has no row.

- ``error``: the extraction raised an exception
- ``timeout``: it exceeded the deadline and was stopped
- ``memory``: it needed more than the memory limit
- ``crash``: its worker died twice on this page
- ``corrupt``: the record is damaged or cut off
- ``unreadable``: the file or row cannot be read as a page
- ``fetch``: the page could not be fetched
"""

STAGES = ("read", "extract", "write")
Stage = Literal["read", "extract", "write"]
VERDICTS = ("good", "partial", "poor", "empty")


@dataclass(frozen=True, slots=True)
class Capture:
    """How a crawler got a page, as its archive states it."""

    date: str | None = None
    http_status: int | None = None
    digest: str | None = None
    ip_address: str | None = None
    truncated: str | None = None


NO_CAPTURE = Capture()


@dataclass(frozen=True, slots=True)
class Record:
    """One page as read from a source."""

    id: str
    body: bytes | str | None
    """``None`` for a page that has yet to be fetched."""
    url: str | None = None
    content_type: str | None = None
    """The value of the Content-Type header; its charset is used."""
    source: str = ""
    offset: int = 0
    """Where the record begins: a byte, line or row number, depending on the source."""
    capture: Capture = NO_CAPTURE
    carried: bytes = b""
    """The input's own columns that are carried through; see ``carried.py``."""


@dataclass(frozen=True, slots=True)
class Damage:
    """A place in a source where a record should be, but cannot be read."""

    message: str
    id: str = ""
    url: str | None = None
    source: str = ""
    offset: int = 0
    code: str = "corrupt"


@dataclass(frozen=True, slots=True)
class Skip:
    """A record that is not a page: another content type, or an HTTP status such as a redirect or error."""

    reason: str
    id: str = ""
    offset: int = 0


Item = Record | Damage | Skip


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a page has no row. Returned, not raised: one page never ends a run."""

    id: str
    url: str | None
    code: str
    stage: str
    message: str
    source: str = ""
    offset: int = 0
    item: int = 0
    """The number of the item in its shard."""


TEXT_COLUMNS = (
    "title",
    "description",
    "site_name",
    "publisher",
    "language",
    "canonical_url",
    "image",
    "section",
    "licence",
)
LIST_COLUMNS = ("authors", "tags")


def row_of(
    record: Record, result: Any, content: tuple[str, ...], parts: tuple[str, ...], versions: Mapping[str, str]
) -> dict[str, Any]:
    """A result as one flat row, for the columns in ``schema.py``. It does not depend on the time or on the worker."""
    metadata, quality, capture = result.metadata, result.quality, record.capture
    row: dict[str, Any] = {"id": record.id, "url": record.url}
    row |= {name: getattr(result, name) for name in content}
    row |= {name: getattr(metadata, name) for name in TEXT_COLUMNS}
    row |= {name: list(getattr(metadata, name)) for name in LIST_COLUMNS}
    return row | {
        "length": len(result.text),
        "published": timestamp(metadata.published),
        "modified": timestamp(metadata.modified),
        "page_type": result.page_type,
        "page_type_confidence": round(result.kind.confidence, 4),
        "tier": result.tier,
        "framework": result.framework.id if result.framework else None,
        "verdict": quality.verdict,
        "quality": round(quality.score, 4),
        "reasons": list(quality.reasons),
        "limits": list(result.trace.limits),
        "encoding": result.encoding.name,
        "content_hash": content_hash(result.text),
        "fetched": timestamp(capture.date),
        "http_status": capture.http_status,
        "content_type": record.content_type,
        "digest": capture.digest,
        "ip_address": capture.ip_address,
        "truncated": capture.truncated,
        "source": record.source,
        "offset": record.offset,
        **versions,
        **parts_of(result, parts),
    }


def content_hash(text: str) -> str:
    """Equal for texts that differ in case and white space only; empty for no text.

    >>> content_hash("Oaks  live long.") == content_hash("oaks live\\nlong.")
    True
    """
    folded = " ".join(text.casefold().split())
    return hashlib.blake2b(folded.encode("utf-8", "replace"), digest_size=8).hexdigest() if folded else ""
