"""Documents that are not HTML, each as a page in which all of it is content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from duramen.fetch.content import Kind
from duramen.fetch.document_page import code_page
from duramen.fetch.feeds import feed_page, is_feed, is_json_feed, read_json_feed, xml_feed
from duramen.fetch.json_text import pretty_json
from duramen.fetch.sitemaps import ROOTS as SITEMAP_ROOTS
from duramen.fetch.sitemaps import sitemap_page, xml_sitemap
from duramen.fetch.xml_reader import XmlError, read_xml
from duramen.model import PageType

_LONG_LINE = 2_000
"""XML with longer lines is written for machines: a line break goes between its elements."""
_LANGUAGES = {
    "css": "css", "csv": "csv", "js": "javascript", "json": "json", "py": "python", "rs": "rust", "sh": "bash",
    "sql": "sql", "toml": "toml", "ts": "typescript", "xml": "xml", "yaml": "yaml", "yml": "yaml",
}  # fmt: skip
"""By the ending of a name; others are shown without a language."""


@dataclass(frozen=True, slots=True)
class DocumentSource:
    """A document as a page."""

    html: str
    name: str
    """What it is, for the trace."""
    page_type: PageType = "article"
    limits: tuple[str, ...] = ()
    """What a limit or a fault left out."""


def read_document(kind: Kind, url: str, body: bytes, text: str) -> DocumentSource:
    """A document of any kind but ``page``; ``text`` is its decoded body."""
    if kind == "markdown":
        from duramen.fetch.markdown import markdown_page

        return DocumentSource(markdown_page(text), "Markdown")
    if kind == "pdf":
        from duramen.fetch.pdf import pdf_page

        html, limits = pdf_page(url, body)
        return DocumentSource(html, "a PDF file", limits=limits)
    name = PurePosixPath(urlsplit(url).path).name
    if kind == "json":
        return _json(url, text, name)
    if kind == "xml":
        return _xml(url, text, name)
    language = _LANGUAGES.get(name.rpartition(".")[2].lower(), "") if "." in name else ""
    return DocumentSource(code_page(text, language, name), "plain text")


def _json(url: str, text: str, name: str) -> DocumentSource:
    if is_json_feed(text) and (feed := read_json_feed(text, url)) is not None:
        return DocumentSource(feed_page(feed), f"a feed of {len(feed.items)} items", "listing", feed.limits)
    return DocumentSource(code_page(pretty_json(text) or text, "json", name), "JSON")


def _xml(url: str, text: str, name: str) -> DocumentSource:
    try:
        root, fault = read_xml(text)
    except XmlError:
        return DocumentSource(code_page(_in_lines(text), "xml", name), "XML")
    if is_feed(root) and ((feed := xml_feed(root, url, fault)).items or not fault):
        return DocumentSource(feed_page(feed), f"a feed of {len(feed.items)} items", "listing", feed.limits)
    if root.name in SITEMAP_ROOTS:
        sitemap = xml_sitemap(root, url, fault)
        count = len(sitemap.entries) + len(sitemap.sitemaps)
        return DocumentSource(sitemap_page(sitemap), f"a sitemap of {count} URLs", "listing", sitemap.limits)
    return DocumentSource(code_page(_in_lines(text), "xml", name), "XML")


def _in_lines(text: str) -> str:
    if max(map(len, text.splitlines()), default=0) <= _LONG_LINE:
        return text
    return re.sub(r">[ \t]*+<", ">\n<", text)
