"""Partitions of the output, as folders in Hive's style: ``pages/crawl=CC-MAIN-2026-10/lang=en/part-00000.parquet``.

No partition has the name of a column, so that readers find no value twice.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from duramen.errors import OptionError

_LANGUAGE = re.compile(r"[a-z]{2,3}(?=$|[-_])")
_CRAWL = re.compile(r"(?<=/)[A-Z][A-Z-]*-\d{4}-\d{2}(?=/)|(?<=/)CC-NEWS(?=/)")
MOST_BUCKETS = 4096


def partitioner(names: tuple[str, ...]) -> Callable[[Mapping[str, Any]], str]:
    """A function from a row to the folder of its partition; empty without partitions."""
    parts = [_partition(name) for name in names]
    return lambda row: "/".join(part(row) for part in parts)


def _partition(name: str) -> Callable[[Mapping[str, Any]], str]:
    if name == "language":
        return lambda row: f"lang={language(row.get('language'))}"
    if name == "crawl":
        return lambda row: f"crawl={crawl(row.get('source') or '')}"
    match = re.fullmatch(r"host:(\d{1,4})", name)
    if match and 1 < int(match[1]) <= MOST_BUCKETS:
        buckets = int(match[1])
        return lambda row: f"host_bucket={host_bucket(row.get('url'), buckets):04}"
    raise OptionError(
        f"partition must be 'language', 'crawl' or 'host:N' with N from 2 to {MOST_BUCKETS}, not {name!r}"
    )


def language(tag: str | None) -> str:
    """The primary subtag; ``und`` for none.

    >>> language("pt-BR"), language("Deutsch"), language(None)
    ('pt', 'und', 'und')
    """
    match = _LANGUAGE.match((tag or "").lower())
    return match[0] if match else "und"


def crawl(source: str) -> str:
    """The crawl that the path of an archive names.

    >>> crawl("s3://commoncrawl/crawl-data/CC-MAIN-2026-10/segments/1/warc/a.warc.gz"), crawl("a.warc.gz")
    ('CC-MAIN-2026-10', 'unknown')
    """
    match = _CRAWL.search(f"/{source}")
    return match[0] if match else "unknown"


def host_bucket(url: str | None, buckets: int) -> int:
    """All pages of a host are in one bucket."""
    try:
        host = (urlsplit(url or "").hostname or "").lower()
    except ValueError:
        host = ""
    digest = hashlib.blake2b(host.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % buckets
