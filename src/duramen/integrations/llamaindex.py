"""LlamaIndex: a reader for URLs and files, alone or for the HTML files of a ``SimpleDirectoryReader``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from duramen.errors import MissingExtra
from duramen.integrations.pages import (
    Source,
    as_sources,
    checked_content,
    chunk_fields_of,
    index_fields_of,
    read_all,
)
from duramen.options import FetchOptions, Options
from duramen.pipeline import extract
from duramen.result import Result

try:
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import Document
except ImportError as missing:
    raise MissingExtra("llamaindex", "the LlamaIndex adapter") from missing

UNREAD = ("quality", "reasons", "verdict", "image", "canonical_url", "licence", "chunk", "start", "end", "tokens")
"""Fields for filters, excluded from embeddings and prompts."""


class DuramenReader(BaseReader):
    """Reads the main content of pages: URLs as ``str``, files as ``pathlib.Path``.

    ``content`` is ``markdown``, ``text`` or ``html``. A page that cannot be fetched raises :class:`duramen.FetchError`,
    or, with ``skip_failures``, is left out with a warning. Poor content is not a failure: see ``metadata["verdict"]``.
    With ``chunk_tokens`` each chunk of the Markdown is a document, with its headings and offsets in the metadata.
    """

    def __init__(
        self,
        *,
        content: str = "markdown",
        chunk_tokens: int | None = None,
        options: Options | None = None,
        fetch: FetchOptions | None = None,
        skip_failures: bool = False,
    ) -> None:
        self.chunk_tokens = chunk_tokens
        self.content = checked_content(content)
        self.options, self.fetch, self.skip_failures = options, fetch, skip_failures

    def lazy_load_data(
        self,
        sources: Source | Iterable[Source],
        extra_info: Mapping[str, Any] | None = None,
        fs: Any = None,
    ) -> Iterable[Document]:
        """One document per page, or per chunk, in the order of the sources.

        ``extra_info`` and ``fs`` are passed by ``SimpleDirectoryReader``: fields to add, and the file system.
        """
        if fs is not None and isinstance(sources, (str, Path)):
            with fs.open(str(sources), "rb") as file:
                yield from self._documents(str(sources), extract(file.read(), None, self.options), extra_info)
            return
        for source, result in read_all(as_sources(sources), self.options, self.fetch, self.skip_failures):
            yield from self._documents(str(source), result, extra_info)

    def _documents(self, source: str, result: Result, extra: Mapping[str, Any] | None) -> Iterator[Document]:
        about = {**(extra or {}), "source": source, **index_fields_of(result)}
        if self.chunk_tokens is None:
            yield _document(source, getattr(result, self.content), about)
            return
        for chunk in result.chunks(self.chunk_tokens):
            yield _document(chunk.id, chunk.text, about | chunk_fields_of(chunk))


def _document(name: str, text: str, metadata: dict[str, Any]) -> Document:
    return Document(
        id_=name,
        text=text,
        metadata=metadata,
        excluded_embed_metadata_keys=list(UNREAD),
        excluded_llm_metadata_keys=list(UNREAD),
    )
