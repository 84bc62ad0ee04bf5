"""A folder of Markdown, HTML or text files, one per page, with a JSONL table that describes them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from duramen.batch.storage import Folder

SUFFIXES = {"markdown": ".md", "html": ".html", "text": ".txt"}
_UNSAFE = re.compile(r"[^\w.-]+")


def write_files(folder: Folder, rows: Iterable[Mapping[str, Any]], content: str) -> Iterator[dict[str, Any]]:
    """Write each row's content to its file; yields the rows with ``file`` instead of the content."""
    for row in rows:
        name = f"pages/{file_name(row['id'], row['url'])}{SUFFIXES[content]}"
        data = (row[content] or "").encode("utf-8", "backslashreplace")
        if folder.remote:
            folder.write(name, data)
        else:
            path = folder.path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            # Not synced one by one: the whole part is synced before it is marked as done.
            unfinished = folder.unfinished(name)
            unfinished.write_bytes(data)
            unfinished.replace(path)
        yield {**{key: value for key, value in row.items() if key != content}, "file": name}


def file_name(id_: str, url: str | None) -> str:
    """A relative name without suffix, the same in every run: the page's path, or its address with a digest of its id.

    >>> file_name("blog/oaks.html", None)
    'blog/oaks'
    >>> file_name("<urn:uuid:1>", "https://trees.example/oaks/?page=2")
    'trees.example/oaks-page-2-7174a35d'
    """
    if url is None and not id_.startswith(("/", "<")) and ".." not in id_.split("/"):
        parts = [_UNSAFE.sub("-", part)[:120] or "-" for part in id_.split("/")]
        if parts[-1].endswith(".html") and "#" not in id_:
            return "/".join(parts).removesuffix(".html")
        if "#" not in id_:
            return "/".join(parts)
    digest = hashlib.blake2b(id_.encode("utf-8", "replace"), digest_size=4).hexdigest()
    try:
        where = urlsplit(url or "")
        host, rest = where.hostname or "page", f"{where.path} {where.query}"
    except ValueError:
        host, rest = "page", ""
    slug = _UNSAFE.sub("-", rest).strip("-.")[:100]
    # A host that consists of dots would escape the folder.
    return f"{_UNSAFE.sub('-', host).strip('.') or 'page'}/{slug}{'-' if slug else ''}{digest}"
