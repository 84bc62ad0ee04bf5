"""The metadata as the YAML block that Markdown files begin with."""

from __future__ import annotations

import json
from datetime import datetime

from duramen.lazy_pattern import lazy_pattern
from duramen.model import Metadata

__all__ = ["front_matter"]

_UNPRINTABLE = lazy_pattern(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_MARKUP = lazy_pattern(r"[<{`]|\](?=[(\[:\]])|:(?=[A-Za-z][\w+-]{0,80}[:\[])")
"""What a renderer that does not know front matter would read as a tag, code, attributes, a link or a directive."""
_SURROGATES = lazy_pattern(r"[\ud800-\udfff]")
_TIME = lazy_pattern(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)?)?\Z")
"""What YAML reads as a date or a time."""


def front_matter(metadata: Metadata, url: str | None) -> str:
    """The metadata that is there as a YAML block, or nothing.

    >>> print(front_matter(Metadata(title='A "b": c', published="2026-01-02", tags=("x", "y")), None), end="")
    ---
    title: "A \\"b\\": c"
    published: 2026-01-02
    tags:
      - "x"
      - "y"
    ---
    """
    canonical = metadata.canonical_url
    fields: tuple[tuple[str, str | tuple[str, ...] | None], ...] = (
        ("title", metadata.title),
        ("authors", metadata.authors),
        ("publisher", metadata.publisher),
        ("published", metadata.published),
        ("modified", metadata.modified),
        ("description", metadata.description),
        ("site_name", metadata.site_name),
        ("language", metadata.language),
        ("url", url),
        ("canonical_url", canonical if canonical != url else None),
        ("image", metadata.image),
        ("section", metadata.section),
        ("tags", metadata.tags),
        ("licence", metadata.licence),
    )
    lines: list[str] = []
    for name, value in fields:
        if not value:
            continue
        if isinstance(value, tuple):
            lines.append(f"{name}:")
            lines.extend(f"  - {_quoted(item)}" for item in value)
        elif name in ("published", "modified") and _is_time(value):
            lines.append(f"{name}: {value}")
        else:
            lines.append(f"{name}: {_quoted(value)}")
    return "\n".join(("---", *lines, "---", "")) if lines else ""


def _quoted(value: str) -> str:
    quoted = json.dumps(_SURROGATES.sub("\ufffd", value), ensure_ascii=False)
    for unwanted in (_UNPRINTABLE, _MARKUP):
        quoted = unwanted.sub(lambda m: f"\\u{ord(m[0]):04x}", quoted)
    return quoted


def _is_time(value: str) -> bool:
    if not _TIME.match(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True
