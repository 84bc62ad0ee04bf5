"""Shared by all adapters: reads sources in order, and turns a result into fields for an index."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from duramen.errors import InputError, OptionError
from duramen.model import Metadata
from duramen.options import FetchOptions, Options
from duramen.parts.chunks import Chunk
from duramen.pipeline import extract
from duramen.result import Result

if TYPE_CHECKING:
    from duramen.session import Session

Content = Literal["markdown", "text", "html"]
Source = str | Path
"""A URL, or the path of a file."""
CHUNK = 64
"""Maximum of URLs fetched ahead of the first unfinished one."""

_FIELDS = tuple(field.name for field in dataclasses.fields(Metadata) if field.name != "sources")
log = logging.getLogger("duramen")


def checked_content(content: str) -> Content:
    for known in get_args(Content):
        if content == known:
            return known  # type: ignore[no-any-return]
    raise OptionError(f"content must be one of {', '.join(map(repr, get_args(Content)))}, not {content!r}")


def fields_of(result: Result) -> dict[str, Any]:
    """The known facts about a page, with the column names of a batch run; unknown ones are left out.

    >>> fields_of(extract("<html lang=en><title>Oaks</title><p>Oaks live for centuries.</p>"))["title"]
    'Oaks'
    """
    fields: dict[str, Any] = {"url": result.url}
    fields |= {name: getattr(result.metadata, name) for name in _FIELDS}
    fields |= {
        "page_type": result.page_type,
        "verdict": result.quality.verdict,
        "quality": round(result.quality.score, 4),
        "reasons": result.quality.reasons,
    }
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in fields.items()
        if value or value == 0
    }


def index_fields_of(result: Result) -> dict[str, Any]:
    """The same with lists joined to one line, because many vector stores accept only text and numbers."""
    return {name: ", ".join(value) if isinstance(value, list) else value for name, value in fields_of(result).items()}


def chunk_fields_of(chunk: Chunk) -> dict[str, Any]:
    """The known facts about a chunk, as text and numbers."""
    return {
        "chunk": chunk.id,
        "start": chunk.start,
        "end": chunk.end,
        "tokens": chunk.tokens,
        "kind": chunk.kind,
        "headings": " > ".join(chunk.headings),
    }


def row_of(result: Result) -> dict[str, Any]:
    """The same with every key on every page and one type for each key, for writers that infer a schema.

    Arrow infers no type from ``None`` or an empty list, so unknown text is ``""`` and a list is one line.

    >>> row = row_of(extract("<p>Oaks live for centuries.</p>"))
    >>> row["title"], row["authors"], type(row["quality"]).__name__
    ('', '', 'float')
    """
    return (
        dict.fromkeys(("url", *_FIELDS, "page_type", "verdict"), "")
        | {"quality": 0.0, "reasons": ""}
        | index_fields_of(result)
    )


def as_sources(sources: Source | Iterable[Source]) -> list[Source]:
    listed = [sources] if isinstance(sources, (str, Path)) else list(sources)
    for source in listed:
        if not isinstance(source, (str, Path)):
            raise InputError(f"a source must be a URL or a pathlib.Path, not {type(source).__name__}")
        if isinstance(source, str) and not source.lower().startswith(("http://", "https://")):
            raise InputError(f"{source[:80]!r} is not a URL; for a file use pathlib.Path({source[:80]!r})")
    return listed


def read_all(
    sources: Iterable[Source], options: Options | None, fetch: FetchOptions | None, skip_failures: bool
) -> Iterator[tuple[Source, Result]]:
    """Each source with its result, in order. A page that cannot be read raises, or is skipped with a warning."""
    coming = iter(sources)
    session: Session | None = None
    try:
        while chunk := list(islice(coming, CHUNK)):
            addresses = [source for source in chunk if isinstance(source, str)]
            if addresses and session is None:
                from duramen.session import Session

                session = Session(options, fetch)
            got: dict[Source, Result | Exception] = {}
            answers = session.extract_many(dict.fromkeys(addresses)) if session and addresses else iter(())
            for source in chunk:
                if isinstance(source, Path):
                    got[source] = _from_file(source, options)
                while source not in got:
                    address, answer = next(answers)
                    got[address] = answer
                found = got[source]
                if isinstance(found, Result):
                    yield source, found
                elif not skip_failures:
                    raise found
                else:
                    log.warning("skipped: %s", found)
    finally:
        if session is not None:
            session.close()


def _from_file(path: Path, options: Options | None) -> Result | OSError:
    limit = (options or Options()).limits.max_bytes
    try:
        with path.open("rb") as file:
            return extract(file.read(limit + 1), None, options)
    except OSError as error:
        return error
