"""The kind of content a server sent: a page, Markdown, or something unsupported."""

from __future__ import annotations

import re
from collections.abc import Mapping

from duramen.errors import UnsupportedContent
from duramen.flatten import parse_tree
from duramen.read.decode import looks_like_html

ACCEPT = (
    "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, application/xml;q=0.7, text/plain;q=0.6, */*;q=0.5"
)

MARKDOWN = frozenset({"text/markdown", "text/x-markdown"})
_SNIFFED = frozenset(
    {"", "application/xhtml+xml", "application/xml", "application/octet-stream", "binary/octet-stream"}
) | {"application/vnd.wap.xhtml+xml", "application/x-httpd-php", "unknown/unknown", "application/unknown", "*/*"}
_NOT_TEXT = frozenset({"text/css", "text/javascript", "text/csv", "text/calendar", "text/vcard", "text/event-stream"})
_CHARSET = re.compile(r"""charset\s*=\s*["']?([^\s"';,]+)""", re.I)

_SIGNPOST = 30_000
"""Longer pages have content of their own."""
_REFRESH = re.compile(r"[0-5](?:\.\d*)?(?:\s*+[;,]|\s)\s*+(?:url\s*+=\s*+)?(\S.*)", re.I | re.S)

_NAMES = {
    "pdf": "a PDF file",
    "image": "an image",
    "zip": "a ZIP archive or office document",
    "gzip": "a gzip archive",
    "binary": "binary data",
    "json": "JSON data",
    "xml/rss feed": "a feed or other XML data",
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
    """Raise, before the download, if the header fields say that the response is not a page."""
    kind = media_type(headers)
    if headers.get("content-disposition", "").lower().startswith("attachment") and kind not in ("text/html", ""):
        raise _refusal(url, f"a file to download ({kind})")
    if kind in _SNIFFED or (kind.startswith("text/") and kind not in _NOT_TEXT):
        return
    known = {"application/pdf": "pdf", "application/json": "json", "application/zip": "zip"}
    family = kind.partition("/")[0]
    if kind in known or family == "image":
        raise _refusal(url, f"{_NAMES[known.get(kind, 'image')]} ({kind})")
    raise _refusal(url, kind)


def check_body(url: str, body: bytes) -> None:
    """Raise if the bytes are not a page, whatever the header fields say."""
    found = looks_like_html(body)
    if found in _NAMES:
        raise _refusal(url, _NAMES[found])


def is_markdown(headers: Mapping[str, str], body: bytes) -> bool:
    """Whether the response is declared as Markdown, and is."""
    start = body[:512].lstrip().lower()
    return media_type(headers) in MARKDOWN and not start.startswith((b"<!doctype", b"<html", b"<head", b"<body"))


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
    return UnsupportedContent(url, f"this is {what}, not a page", "only HTML, Markdown and plain text are supported")
