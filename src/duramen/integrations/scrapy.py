"""Scrapy: the main content of a response in a spider, and an item pipeline that adds it to items.

    ITEM_PIPELINES = {"duramen.integrations.scrapy.DuramenPipeline": 300}

Settings of the pipeline:

- ``DURAMEN_SOURCE``: the field with the page's HTML; default ``html``. Items without it are not changed.
- ``DURAMEN_CONTENT``: what to add, some of ``markdown``, ``text``, ``html``; default ``["markdown"]``. With ``html``
  the page's source is replaced by safe HTML of its content.
- ``DURAMEN_OPTIONS``: :class:`duramen.Options` as a dict, such as ``{"mode": "precision"}``.
- ``DURAMEN_DROP``: verdicts whose items are dropped; default ``["empty"]``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from duramen.errors import MissingExtra, OptionError
from duramen.integrations.pages import checked_content, fields_of
from duramen.model import VerdictName
from duramen.options import Options
from duramen.pipeline import extract, run
from duramen.result import Result

try:
    from itemadapter import ItemAdapter
    from scrapy.exceptions import DropItem
    from scrapy.http import Response
    from scrapy.utils.asyncio import run_in_thread
except ImportError as missing:
    raise MissingExtra("scrapy", "the Scrapy adapter") from missing


def extract_response(response: Response, options: Options | None = None) -> Result:
    """Extract a response, with its URL and the encoding that the server declared."""
    header = response.headers.get("Content-Type")
    content_type = header.decode("latin-1") if header else None
    return run(response.body, response.url, options or Options(), content_type=content_type)


class DuramenPipeline:
    """Adds the main content and the metadata of pages to items of any kind.

    An item with declared fields gets only those; a dict gets all.
    """

    def __init__(
        self,
        source: str = "html",
        content: Sequence[str] = ("markdown",),
        options: Options | None = None,
        drop: Sequence[str] = ("empty",),
    ) -> None:
        self.source, self.options = source, options
        self.content = [checked_content(name) for name in content]
        self.drop = frozenset(drop)
        known = get_args(VerdictName)
        if unknown := self.drop.difference(known):
            raise OptionError(f"DURAMEN_DROP names {', '.join(sorted(unknown))}; verdicts are {', '.join(known)}")

    @classmethod
    def from_crawler(cls, crawler: Any) -> DuramenPipeline:
        settings = crawler.settings
        options: Mapping[str, Any] = settings.getdict("DURAMEN_OPTIONS")
        return cls(
            settings.get("DURAMEN_SOURCE", "html"),
            settings.getlist("DURAMEN_CONTENT", ["markdown"]),
            Options.from_mapping(options),
            settings.getlist("DURAMEN_DROP", ["empty"]),
        )

    async def process_item(self, item: Any) -> Any:
        fields = ItemAdapter(item)
        page = fields.get(self.source)
        if not isinstance(page, (str, bytes)):
            return item
        # In a thread, so that the reactor is not blocked.
        result = await run_in_thread(extract, page, fields.get("url"), self.options)
        if result.quality.verdict in self.drop:
            raise DropItem(f"the page's content is {result.quality.verdict}: {fields.get('url')}")
        found = fields_of(result) | {name: getattr(result, name) for name in self.content}
        declared = set(ItemAdapter.get_field_names_from_class(type(item)) or found)
        for name, value in found.items():
            if name in declared:
                fields[name] = value
        return item
