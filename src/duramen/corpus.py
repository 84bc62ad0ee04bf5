"""A folder of annotated pages: ``truth.jsonl``, one record per page, and ``html/ID.html.gz`` (or ``ID.html``).

A record has ``id`` and any of ``url``, ``kind`` (the page type), ``category`` (of the site), ``text`` (the content),
``html_truth`` (the content as HTML), ``with`` and ``without`` (snippets that must, and must not, be in the
text), ``title``, ``author`` and ``date``. Missing fields are not scored.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duramen.errors import OptionError

_NAME = re.compile(r"[\w][\w.+-]{0,200}")
"""An id is a file name that cannot escape the folder."""


@dataclass(frozen=True, slots=True)
class Truth:
    """The annotation of one page."""

    id: str
    url: str | None = None
    kind: str = ""
    category: str = ""
    text: str = ""
    html: str = ""
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    title: str = ""
    author: str = ""
    date: str = ""


class Corpus:
    """The pages of a folder, by id."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        path = self.folder / "truth.jsonl"
        try:
            data = path.read_bytes()
        except OSError as error:
            raise OptionError(
                f"{self.folder} is not a corpus: {path.name} cannot be read ({error.strerror}); it needs"
                " truth.jsonl and html/ID.html.gz, see docs/evaluation.md"
            ) from error
        self.name = self.folder.resolve().name
        self.digest = hashlib.sha256(data).hexdigest()[:12]
        self.truths = {truth.id: truth for truth in _truths(path, data)}

    def __len__(self) -> int:
        return len(self.truths)

    def __iter__(self) -> Iterator[Truth]:
        return iter(self.truths.values())

    def page(self, id: str, limit: int) -> bytes:
        """The bytes of a page, at most ``limit`` plus one. Raises ``OSError`` if it cannot be read."""
        if id not in self.truths:
            raise FileNotFoundError(f"the corpus has no page {id!r}")
        root = (self.folder / "html").resolve()
        for name in (f"{id}.html.gz", f"{id}.html"):
            path = (root / name).resolve()
            if not path.is_file():
                continue
            if path.parent != root:
                raise PermissionError(f"{name} is outside the corpus")
            try:
                with gzip.open(path) if name.endswith(".gz") else path.open("rb") as file:
                    return file.read(limit + 1)
            except (EOFError, zlib.error) as error:
                raise OSError(f"{name} is damaged: {error}") from error
        raise FileNotFoundError(f"{root.name}/{id}.html.gz does not exist")


def _truths(path: Path, data: bytes) -> Iterator[Truth]:
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line.decode())
            if not isinstance(record, dict) or not _NAME.fullmatch(str(record.get("id", ""))):
                raise ValueError("a record must be an object with an id of letters, digits, dots and hyphens")
            yield _truth(record)
        except (ValueError, RecursionError) as error:
            raise OptionError(f"{path}, line {number}: {error}") from error


def _truth(record: dict[str, Any]) -> Truth:
    def text(name: str) -> str:
        value = record.get(name)
        if value is not None and not isinstance(value, str):
            raise ValueError(f"{name!r} must be a string")
        return value or ""

    def texts(name: str) -> tuple[str, ...]:
        value = record.get(name) or []
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise ValueError(f"{name!r} must be a list of strings")
        return tuple(value)

    return Truth(
        id=str(record["id"]),
        url=text("url") or None,
        kind=text("kind"),
        category=text("category"),
        text=text("text"),
        html=text("html_truth"),
        wanted=texts("with"),
        unwanted=texts("without"),
        title=text("title"),
        author=", ".join(texts("author")) if isinstance(record.get("author"), list) else text("author"),
        date=text("date"),
    )
