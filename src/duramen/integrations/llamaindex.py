"""LlamaIndex: a reader for URLs and files, alone or for the HTML files of a ``SimpleDirectoryReader``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from duramen.errors import MissingExtra
from duramen.integrations.pages import Source, as_sources, checked_content, index_fields_of, read_all
from duramen.options import FetchOptions, Options
from duramen.pipeline import extract
from duramen.result import Result

try:
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import Document
except ImportError as missing:
    raise MissingExtra("llamaindex", "the LlamaIndex adapter") from missing

UNREAD = ("quality", "reasons", "verdict", "image", "canonical_url", "licence")
"""Fields for filters, excluded from embeddings and prompts."""


class DuramenReader(BaseReader):
    """Reads the main content of pages: URLs as ``str``, files as ``pathlib.Path``.

    ``content`` is ``markdown``, ``text`` or ``html``. A page that cannot be fetched raises :class:`duramen.FetchError`,
    or, with ``skip_failures``, is left out with a warning. Poor content is not a failure: see ``metadata["verdict"]``.
    """

    def __init__(
        self,
        *,
        content: str = "markdown",
        options: Options | None = None,
        fetch: FetchOptions | None = None,
        skip_failures: bool = False,
    ) -> None:
        self.content = checked_content(content)
        self.options, self.fetch, self.skip_failures = options, fetch, skip_failures

    def lazy_load_data(
        self,
        sources: Source | Iterable[Source],
        extra_info: Mapping[str, Any] | None = None,
        fs: Any = None,
    ) -> Iterable[Document]:
        """One document per page, in the order of the sources.

        ``extra_info`` and ``fs`` are passed by ``SimpleDirectoryReader``: fields to add, and the file system.
        """
        if fs is not None and isinstance(sources, (str, Path)):
            with fs.open(str(sources), "rb") as file:
                yield self._document(str(sources), extract(file.read(), None, self.options), extra_info)
            return
        for source, result in read_all(as_sources(sources), self.options, self.fetch, self.skip_failures):
            yield self._document(str(source), result, extra_info)

    def _document(self, source: str, result: Result, extra: Mapping[str, Any] | None) -> Document:
        return Document(
            id_=source,
            text=getattr(result, self.content),
            metadata={**(extra or {}), "source": source, **index_fields_of(result)},
            excluded_embed_metadata_keys=list(UNREAD),
            excluded_llm_metadata_keys=list(UNREAD),
        )
