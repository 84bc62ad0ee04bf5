"""Converts pages that a site serves as Markdown to HTML."""

from __future__ import annotations

import re
from html import escape

from pyromark import Markdown, Options

from duramen.fetch.document_page import document_page

MOST = 2_000_000
"""Longer Markdown is treated as plain text, because nobody wrote it by hand."""
_FEATURES = (
    Options.ENABLE_TABLES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_GFM
)

_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.{0,20000}?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.S)
_FIELD = re.compile(r"^(title|description|author|date|lang(?:uage)?)[ \t]*+:[ \t]*+(\S.*)$", re.M | re.I)
_HEADING = re.compile(r"^#[ \t]++(.+)$", re.M)


def markdown_page(text: str) -> str:
    """An HTML page with the Markdown's content; its front matter becomes the page's metadata.

    >>> page = markdown_page("---\\ntitle: Oak\\n---\\nA *hard* wood.")
    >>> "<title>Oak</title>" in page, "<p>A <em>hard</em> wood.</p>" in page
    (True, True)
    """
    text = text.removeprefix("\ufeff")
    known: dict[str, str] = {}
    if found := _FRONT_MATTER.match(text):
        text = text[found.end() :]
        known = {name.lower(): value.strip(" \t").strip("\"'") for name, value in _FIELD.findall(found.group(1))}
    heading = _HEADING.search(text)
    title = known.get("title") or (heading[1].rstrip(" \t").rstrip("#").rstrip(" \t") if heading else "")
    body = f"<pre>{escape(text)}</pre>" if len(text) > MOST else Markdown(options=_FEATURES).html(text)
    meta: dict[str, str] = {name: known[name] for name in ("description", "author", "date") if name in known}
    return document_page(f"<article>{body}</article>", title, meta, known.get("lang") or known.get("language") or "")
