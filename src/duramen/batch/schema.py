"""The columns of a run's tables: names, types and meanings. ``docs/batch-schema.md`` has the same list.

A change of names, types or meanings raises ``VERSION``, which every Parquet file and every summary states.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from duramen.errors import OptionError

VERSION = 3


class Column(NamedTuple):
    """``kind`` is ``string``, ``strings``, ``float``, ``integer`` or ``timestamp`` (in UTC)."""

    kind: str
    meaning: str


CONTENT = ("text", "markdown", "html")
"""The content columns a run can write; the user chooses which."""
ALWAYS = ("id", "url")

COLUMNS = {
    "id": Column("string", "WARC-Record-ID, file name, value of the id column, or place in the source"),
    "url": Column("string", "address of the page: WARC-Target-URI, or value of the url column"),
    "text": Column("string", "the content as plain text"),
    "markdown": Column("string", "the content as Markdown"),
    "html": Column("string", "the content as safe HTML"),
    "length": Column("integer", "characters of the content as plain text"),
    "title": Column("string", "title of the page"),
    "published": Column("timestamp", "when the page says it was published; midnight if it names no time"),
    "modified": Column("timestamp", "when the page says it was last changed"),
    "description": Column("string", "summary, from the page's metadata"),
    "site_name": Column("string", "name of the site"),
    "publisher": Column("string", "organisation or person that the page names as its publisher"),
    "language": Column("string", "language tag, such as en or pt-BR"),
    "canonical_url": Column("string", "address that the page calls its own"),
    "image": Column("string", "address of the page's main image"),
    "section": Column("string", "section of the site"),
    "licence": Column("string", "licence that the page names"),
    "authors": Column("strings", "names of the authors"),
    "tags": Column("strings", "keywords of the page"),
    "page_type": Column("string", "article, forum, product, listing and so on"),
    "page_type_confidence": Column("float", "probability of the page type, 0 to 1"),
    "tier": Column("string", "what found the content"),
    "framework": Column("string", "generator or forum software of the page"),
    "verdict": Column("string", "good, partial, poor or empty"),
    "quality": Column("float", "expected F1 of the content, 0 to 1"),
    "reasons": Column("strings", "why the verdict is not better"),
    "limits": Column("strings", "limits that cut the page off"),
    "encoding": Column("string", "character encoding of the page"),
    "content_hash": Column("string", "equal for texts that differ only in case and white space"),
    "fetched": Column("timestamp", "WARC-Date: when the page was captured"),
    "http_status": Column("integer", "HTTP status of the archived response"),
    "content_type": Column("string", "Content-Type header of the archived response"),
    "digest": Column("string", "WARC-Payload-Digest, or else WARC-Block-Digest"),
    "ip_address": Column("string", "WARC-IP-Address: the server's address"),
    "truncated": Column("string", "WARC-Truncated: why the crawler cut the page off"),
    "source": Column("string", "input file: relative, or the address as given"),
    "offset": Column("integer", "where the page begins in its source: byte, line or row"),
    "engine": Column("string", "version of Duramen"),
    "rules": Column("string", "digest of the rules"),
    "model": Column("string", "digest of the model"),
}

FAILURE_COLUMNS = {
    "id": Column("string", "as in pages"),
    "url": Column("string", "as in pages"),
    "code": Column("string", "error, timeout, memory, crash, corrupt, unreadable or fetch"),
    "stage": Column("string", "read, extract or write"),
    "message": Column("string", "what went wrong"),
    "source": Column("string", "as in pages"),
    "offset": Column("integer", "as in pages"),
    "item": Column("integer", "number of the item in its shard"),
}


def columns_of(content: tuple[str, ...], wanted: tuple[str, ...] = (), parts: tuple[str, ...] = ()) -> dict[str, str]:
    """The columns of a row, in order, each with its type. ``wanted`` restricts all but the content and the parts."""
    names = {*ALWAYS, *content, *(wanted or (name for name in COLUMNS if name not in CONTENT))}
    columns = {name: column.kind for name, column in COLUMNS.items() if name in names}
    # The type of a part has its own name: see part_columns.py.
    return columns | {name: name for name in parts}


def failure_columns() -> dict[str, str]:
    return {name: column.kind for name, column in FAILURE_COLUMNS.items()}


def check_columns(names: tuple[str, ...]) -> None:
    known = [name for name in COLUMNS if name not in CONTENT]
    unknown = [name for name in names if name not in known]
    if unknown:
        hint = "; choose the content with content" if unknown[0] in CONTENT else ""
        raise OptionError(f"columns must name some of {', '.join(known)}, not {unknown[0]!r}{hint}")


def timestamp(text: str | None) -> str | None:
    """A date, or a date with a time, as a time in UTC; ``None`` for anything else. A time without a zone is in UTC.

    >>> timestamp("2026-03-01T01:30:00+02:00"), timestamp("2026-03-01"), timestamp("soon")
    ('2026-02-28T23:30:00Z', '2026-03-01T00:00:00Z', None)
    """
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment.isoformat().replace("+00:00", "Z")
