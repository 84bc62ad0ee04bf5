"""A document that is not HTML as an HTML page, in which all of it is content."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape


def document_page(body: str, title: str = "", meta: Mapping[str, str] | None = None, language: str = "") -> str:
    """The page: ``body`` is HTML, the rest is text.

    >>> "<title>Woods &amp; trees</title>" in document_page("<p>Oak.</p>", "Woods & trees")
    True
    """
    named = "".join(f'<meta name="{name}" content="{escape(value)}">' for name, value in (meta or {}).items() if value)
    return (
        f'<!DOCTYPE html><html lang="{escape(language)}"><head><title>{escape(title)}</title>{named}</head>'
        f"<body><main>{body}</main></body></html>"
    )


def code_page(text: str, language: str = "", title: str = "") -> str:
    """The page of a text that is shown as it is."""
    kind = f' class="language-{language}"' if language else ""
    # The first line break in <pre> is not part of its text.
    return document_page(f"<pre>\n<code{kind}>{escape(text, quote=False)}</code></pre>", title)
