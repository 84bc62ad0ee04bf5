"""datatrove: an extractor that stands where ``Trafilatura`` stands in a pipeline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from duramen.errors import MissingExtra
from duramen.integrations.pages import checked_content, fields_of
from duramen.options import Options
from duramen.pipeline import extract as extract_page

try:
    from datatrove.pipeline.extractors.base import BaseExtractor
except ImportError as missing:
    raise MissingExtra("datatrove", "the datatrove adapter") from missing


class Extracted(str):
    """The content of a page. What else is known of it comes along from the process that extracted it."""

    fields: dict[str, Any]


class Duramen(BaseExtractor):
    """The main content of documents whose text is HTML. Pages without any are dropped, as datatrove's extractors do.

    ``metadata["url"]`` of a document makes links absolute and selects site rules. Title, author, date, page type,
    verdict and so on are added to its metadata below ``duramen``, for a filter behind this step.
    ``timeout`` are the seconds for one page, and for the start of the process that works on it.
    """

    name = "⛏ Duramen"

    def __init__(self, content: str = "text", options: Options | None = None, timeout: float = 10) -> None:
        super().__init__(timeout)
        self.content, self.options = checked_content(content), options
        # Loaded before datatrove forks the process that works, each time one has died of its page.
        extract_page("<p>ready</p>")

    def extract(self, text: str, url: str | None = None) -> str:
        result = extract_page(text, url, self.options)
        extracted = Extracted(getattr(result, self.content))
        extracted.fields = fields_of(result)
        return extracted

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        for document in super().run(map(_with_address, data), rank, world_size):
            if isinstance(document.text, Extracted):
                document.metadata["duramen"] = document.text.fields
                document.text = str(document.text)
            yield document


def _with_address(document: Any) -> Any:
    """datatrove's sandbox hands a pair to the extractor as two arguments."""
    url = document.metadata.get("url")
    document.text = (document.text, url if isinstance(url, str) else None)
    return document
