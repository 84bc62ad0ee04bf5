"""datatrove: an extractor step for pipelines, used like datatrove's own ``Trafilatura``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from duramen.errors import MissingExtra
from duramen.integrations.pages import checked_content, row_of
from duramen.options import Options
from duramen.pipeline import extract as extract_page

try:
    from datatrove.pipeline.extractors.base import BaseExtractor
except ImportError as missing:
    raise MissingExtra("datatrove", "the datatrove adapter") from missing


class Extracted(str):
    """The content of a page, with its metadata, as returned from the process that extracted it."""

    fields: dict[str, Any]


class Duramen(BaseExtractor):
    """Extracts documents whose text is HTML. Pages without content are dropped, as by datatrove's own extractors.

    ``metadata["url"]`` of a document resolves links and selects site rules. Title, authors, date, page type,
    verdict and so on are added as ``metadata["duramen"]``, for filters after this step. Every document gets the same
    keys with the same types, as ``ParquetWriter`` needs: unknown values are empty strings, lists become one line.
    ``timeout`` is the number of seconds for one page, and for starting the process that extracts it.
    """

    name = "⛏ Duramen"

    def __init__(self, content: str = "text", options: Options | None = None, timeout: float = 10) -> None:
        super().__init__(timeout)
        self.content, self.options = checked_content(content), options
        # Load the model before datatrove forks: it forks again after each page that killed its process.
        extract_page("<p>ready</p>")

    def extract(self, text: str, url: str | None = None) -> str:
        result = extract_page(text, url, self.options)
        extracted = Extracted(getattr(result, self.content))
        extracted.fields = row_of(result)
        return extracted

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        for document in super().run(map(_with_address, data), rank, world_size):
            if isinstance(document.text, Extracted):
                document.metadata["duramen"] = document.text.fields
                document.text = str(document.text)
            yield document


def _with_address(document: Any) -> Any:
    """datatrove's sandbox passes a pair to the extractor as two arguments."""
    url = document.metadata.get("url")
    document.text = (document.text, url if isinstance(url, str) else None)
    return document
