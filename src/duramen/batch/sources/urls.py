"""Lists of URLs, one per line; the pages are fetched by :class:`duramen.session.Session`.

All URLs of a host are in one shard, so only one worker at a time sends requests to it, with the usual delays.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlsplit

from duramen.batch.records import Damage, Item, Record
from duramen.batch.shards import Last, Reading, Shard
from duramen.batch.storage import open_input
from duramen.errors import BatchError

PER_SHARD = 100
MOST_SHARDS = 256


def plan(path: str, step: int, reading: Reading) -> Iterator[Shard]:
    with open_input(path) as file:
        lines = (line.strip() for line in file.read().decode("utf-8", "replace").splitlines())
        urls = list(dict.fromkeys(line for line in lines if line and not line.startswith("#")))
    if not urls:
        raise BatchError(f"{path}: contains no URL; write one per line")
    count = min(max(1, len(urls) // PER_SHARD), MOST_SHARDS)
    groups: list[list[str]] = [[] for _ in range(count)]
    for url in _hosts_by_turns(urls):
        groups[_place(url) % count].append(url)
    yield from (Shard("urls", path, names=tuple(group)) for group in groups if group)


def _hosts_by_turns(urls: list[str]) -> list[str]:
    """The first URL of each host, then the second of each, and so on: the delays of one host are spent on others."""
    turns: Counter[str] = Counter()
    keyed: list[tuple[int, str]] = []
    for url in urls:
        host = _host(url)
        keyed.append((turns[host], url))
        turns[host] += 1
    return [url for _, url in sorted(keyed, key=lambda pair: pair[0])]


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""


def _place(url: str) -> int:
    return int.from_bytes(hashlib.blake2b(_host(url).encode("utf-8", "replace"), digest_size=8).digest(), "big")


def read(shard: Shard, reading: Reading, start: int, last: Last | None) -> Iterator[Item]:
    for number, url in enumerate(shard.names[start:], start):
        if url.lower().startswith(("http://", "https://")):
            yield Record(url, None, url, None, shard.source, number)
        else:
            yield Damage("not an http or https URL", url, url, shard.source, number, "unreadable")
