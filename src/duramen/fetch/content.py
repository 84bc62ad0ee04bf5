"""The kind of content a server sent: a page, text, Markdown, JSON, XML, PDF, or something unsupported."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Literal

from duramen.errors import UnsupportedContent
from duramen.flatten import parse_tree
from duramen.read.decode import looks_like_html

ACCEPT = (
    "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, application/xml;q=0.7, text/plain;q=0.6, */*;q=0.5"
)

Kind = Literal["page", "markdown", "text", "json", "xml", "pdf"]

MARKDOWN = frozenset({"text/markdown", "text/x-markdown"})
PDF = "application/pdf"
_PAGES = frozenset({"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml", "application/x-httpd-php"})
_SNIFFED = frozenset(
    {"", "application/octet-stream", "binary/octet-stream", "unknown/unknown", "application/unknown"}
) | {"*/*"}
_TEXT = frozenset(
    f"application/{name}"
    for name in """javascript x-javascript ecmascript typescript yaml x-yaml toml sql graphql x-sh x-ndjson jsonl
    jsonlines x-tex x-latex x-subrip x-php x-perl x-python""".split()
)
"""Text that is not named so."""
_NOT_TEXT = frozenset({"text/event-stream"})
_MARKDOWN_NAME = re.compile(r"(?:\.(?:md|markdown|mdx)|/llms(?:-full)?\.txt)$", re.I)
_PAGE_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[^>]{0,500}-->\s*)?<(?:!doctype html|html|head|body)\b",
    re.I,
)
_SVG = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}\?>\s*)?<svg\b", re.I)
_CHARSET = re.compile(r"""charset\s*=\s*["']?([^\s"';,]+)""", re.I)

_SIGNPOST = 30_000
"""Longer pages have content of their own."""
_REFRESH = re.compile(r"[0-5](?:\.\d*)?(?:\s*+[;,]|\s)\s*+(?:url\s*+=\s*+)?(\S.*)", re.I | re.S)

_NAMES = {
    "image": "an image",
    "zip": "a ZIP archive or office document",
    "gzip": "a gzip archive",
    "binary": "binary data",
}


def media_type(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def charset(headers: Mapping[str, str]) -> str | None:
    """
    >>> charset({"content-type": 'text/html; Charset="ISO-8859-1"'})
    'ISO-8859-1'
    """
    found = _CHARSET.search(headers.get("content-type", ""))
    return found.group(1) if found else None


def check_type(url: str, headers: Mapping[str, str]) -> None:
    """Raise, before the download, if the header fields say that the response cannot be read."""
    kind = media_type(headers)
    if kind == PDF:
        check_pdf(url)
    if kind in _PAGES | _SNIFFED | _TEXT | {PDF} or _is_json(kind) or _is_xml(kind):
        return
    if kind.startswith("text/") and kind not in _NOT_TEXT:
        return
    name = "a ZIP archive or office document" if kind == "application/zip" else "an image"
    raise _refusal(url, f"{name} ({kind})" if kind == "application/zip" or kind.startswith("image/") else kind)


def check_body(url: str, body: bytes) -> None:
    """Raise if the bytes cannot be read, whatever the header fields say."""
    found = looks_like_html(body)
    if found == "pdf":
        check_pdf(url)
    if found in _NAMES and not _SVG.match(body):
        raise _refusal(url, _NAMES[found])


def check_pdf(url: str) -> None:
    if find_spec("pypdfium2") is None:
        raise UnsupportedContent(url, "this is a PDF file", "to read it, install more: pip install 'duramen[pdf]'")


def kind_of(url: str, headers: Mapping[str, str], body: bytes) -> Kind:
    """What a response is, by its header fields and its bytes.

    >>> kind_of("https://a.example/llms.txt", {"content-type": "text/plain"}, b"# Oaks")
    'markdown'
    >>> kind_of("https://a.example/", {"content-type": "text/html"}, b'<?xml version="1.0"?><rss><channel/></rss>')
    'xml'
    """
    media, found = media_type(headers), looks_like_html(body)
    if found == "pdf":
        return "pdf"
    is_page = _PAGE_START.match(body) is not None
    if media in MARKDOWN and not is_page:
        return "markdown"
    if found == "xml/rss feed" or _SVG.match(body) or (_is_xml(media) and media not in _PAGES and not is_page):
        return "xml"
    if (_is_json(media) and not is_page) or (found == "json" and media in _SNIFFED | _PAGES | {"text/plain"}):
        return "json"
    if media in _PAGES or (media in _SNIFFED and found != "plain text") or is_page:
        return "page"
    return "markdown" if _MARKDOWN_NAME.search(url.partition("?")[0]) else "text"


def _is_json(media: str) -> bool:
    return media in ("application/json", "text/json", "application/manifest+json") or media.endswith("+json")


def _is_xml(media: str) -> bool:
    return media in ("application/xml", "text/xml") or media.endswith("+xml")


def refresh_target(body: bytes) -> str | None:
    """The target of a page that only redirects its reader with ``<meta http-equiv=refresh>``.

    >>> refresh_target(b'<title>Moved</title><meta http-equiv="Refresh" content="0; url=/en/latest/">')
    '/en/latest/'
    """
    if len(body) > _SIGNPOST or b"refresh" not in body.lower():
        return None
    tree = parse_tree(body.decode("utf-8", "replace"))
    for meta in tree.select('meta[http-equiv="refresh" i][content]:not(noscript *, template *)'):
        if found := _REFRESH.fullmatch(tree.attrs[meta]["content"].strip()):
            return found.group(1).strip().strip("\"'") or None
    return None


def _refusal(url: str, what: str) -> UnsupportedContent:
    return UnsupportedContent(
        url, f"this is {what}, not a page", "only pages, text, Markdown, JSON, XML, feeds and PDF are supported"
    )
