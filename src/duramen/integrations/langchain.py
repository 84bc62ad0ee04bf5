"""LangChain: a loader for URLs and files, and a transformer for documents that contain HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
from duramen.pipeline import run
from duramen.result import Result

try:
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import BaseDocumentTransformer, Document
except ImportError as missing:
    raise MissingExtra("langchain", "the LangChain adapter") from missing


class DuramenLoader(BaseLoader):
    """Loads the main content of pages: URLs as ``str``, files as ``pathlib.Path``.

    ``content`` is ``markdown``, ``text`` or ``html``. A page that cannot be fetched raises :class:`duramen.FetchError`,
    or, with ``skip_failures``, is left out with a warning. Poor content is not a failure: see ``metadata["verdict"]``.
    With ``chunk_tokens`` each chunk of the Markdown is a document, with its headings and offsets in the metadata.
    """

    def __init__(
        self,
        sources: Source | Iterable[Source],
        *,
        content: str = "markdown",
        chunk_tokens: int | None = None,
        options: Options | None = None,
        fetch: FetchOptions | None = None,
        skip_failures: bool = False,
    ) -> None:
        self.chunk_tokens = chunk_tokens
        self.sources = as_sources(sources)
        self.content = checked_content(content)
        self.options, self.fetch, self.skip_failures = options, fetch, skip_failures

    def lazy_load(self) -> Iterator[Document]:
        """One document per page, or per chunk, in the order of the sources."""
        for source, result in read_all(self.sources, self.options, self.fetch, self.skip_failures):
            if self.chunk_tokens is None:
                yield _document(result, self.content, {"source": str(source)})
                continue
            about = {"source": str(source)} | index_fields_of(result)
            for chunk in result.chunks(self.chunk_tokens):
                yield Document(id=chunk.id, page_content=chunk.text, metadata=about | chunk_fields_of(chunk))


class DuramenTransformer(BaseDocumentTransformer):
    """Replaces the HTML in the ``page_content`` of documents with its main content.

    ``metadata["source"]``, if it is a URL, resolves links and selects site rules.
    """

    def __init__(self, *, content: str = "markdown", options: Options | None = None) -> None:
        self.content, self.options = checked_content(content), options or Options()

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> Sequence[Document]:
        made = []
        for document in documents:
            source = document.metadata.get("source")
            url = source if isinstance(source, str) and not Path(source).is_file() else None
            result = run(document.page_content, url, self.options)
            made.append(_document(result, self.content, document.metadata, document.id))
        return made


def _document(result: Result, content: str, metadata: dict[str, Any], id: str | None = None) -> Document:
    return Document(id=id, page_content=getattr(result, content), metadata=metadata | index_fields_of(result))
