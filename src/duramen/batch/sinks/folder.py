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
_SAFE_NAME = re.compile(r"(?!\.+$)[\w.-]{1,120}")


def write_files(folder: Folder, rows: Iterable[Mapping[str, Any]], content: str) -> Iterator[dict[str, Any]]:
    """Write each row's content to its file; yields the rows with ``file`` instead of the content."""
    for row in rows:
        place = f"{row['source']} {row['offset']}"
        name = f"pages/{file_name(row['id'], row['url'], place)}{SUFFIXES[content]}"
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


def file_name(id_: str, url: str | None, place: str) -> str:
    """A relative name without suffix, the same in every run: the page's path, or its address with a digest.

    The digest is of the id and of the ``place`` in the input, since ids may repeat.

    >>> file_name("blog/oaks.html", None, "site/blog/oaks.html 0")
    'blog/oaks'
    >>> file_name("<urn:uuid:1>", "https://trees.example/oaks/?page=2", "a.warc.gz 7")
    'trees.example/oaks-page-2-f0dc2d36'
    """
    path = place.rpartition(" ")[0]
    # Only the file's own name is known to be unique, and only if it can be kept as it is.
    if url is None and f"/{path}".endswith(f"/{id_}") and all(map(_SAFE_NAME.fullmatch, id_.split("/"))):
        return id_.removesuffix(".html")
    digest = hashlib.blake2b(f"{id_}\n{place}".encode("utf-8", "replace"), digest_size=4).hexdigest()
    try:
        where = urlsplit(url or "")
        host, rest = where.hostname or "page", f"{where.path} {where.query}"
    except ValueError:
        host, rest = "page", ""
    slug = _UNSAFE.sub("-", rest if url else id_).strip("-.")[:100]
    # A host that consists of dots would escape the folder.
    return f"{_UNSAFE.sub('-', host).strip('.') or 'page'}/{slug}{'-' if slug else ''}{digest}"
