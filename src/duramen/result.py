"""What an extraction gives back. HTML, text and Markdown come from one sanitized tree, each rendered when asked for.

What renders a form is imported with it, since few callers ask for all of them.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from html import unescape
from typing import Any

from duramen.dom import escape, fragment
from duramen.lazy_pattern import lazy_pattern
from duramen.model import DocumentType, Encoding, Framework, Metadata, PageKind, PageType, Quality, TierName, Trace
from duramen.options import Output
from duramen.page import letters
from duramen.refine.sanitize import sanitize

_CAPTION = lazy_pattern(r"<(figcaption|p)\b[^>]*>([^<]*+(?:<(?!/\1>)[^<]*+)*+)</\1>")
"""What may be a caption in canonical HTML: beside a picture in parts it is a paragraph."""
_EMBED = lazy_pattern(r'<a\b[^>]* data-embed=""[^>]*>[^<]*+</a>')
_TAG = lazy_pattern("<[^>]*>")


@dataclass(frozen=True)
class Result:
    """The main content of one page, and everything known about how it was found."""

    html: str
    """The content as safe HTML, without the page's title."""
    metadata: Metadata
    kind: PageKind
    tier: TierName | None
    """The tier whose candidate won; ``None`` when the page has no content."""
    quality: Quality
    trace: Trace
    document_type: DocumentType
    encoding: Encoding
    framework: Framework | None
    url: str | None
    output: Output
    captions: frozenset[str] = frozenset()
    """The letters of captions that are there only for their picture: ``text`` has neither."""

    @cached_property
    def text(self) -> str:
        """The content as plain text: blocks apart, code and tables readable."""
        from duramen.render.text import render_text

        html = _CAPTION.sub(self._caption, self.html) if self.captions else self.html
        # The name of a player or picture is not said on the page.
        return render_text(_EMBED.sub("", html) if "data-embed" in html else html)

    def _caption(self, written: re.Match[str]) -> str:
        return "" if letters(unescape(_TAG.sub("", written[2]))) in self.captions else written[0]

    @cached_property
    def markdown(self) -> str:
        """The content as GitHub-flavoured Markdown."""
        from duramen.render.markdown import render_markdown

        return render_markdown(self.html, self._front_matter() if self.output.front_matter else "")

    def _front_matter(self) -> str:
        from duramen.render.front_matter import front_matter

        return front_matter(self.metadata, self.url)

    @property
    def title(self) -> str | None:
        return self.metadata.title

    @property
    def page_type(self) -> PageType:
        return self.kind.type

    def to_dict(self, trace: bool = False) -> dict[str, Any]:
        """Everything as plain data; the trace only when asked for, since it is long."""
        data: dict[str, Any] = {
            "url": self.url,
            "title": self.title,
            "html": self.html,
            "text": self.text,
            "markdown": self.markdown,
            "metadata": _plain_metadata(self.metadata),
            "page_type": _plain(self.kind) | {"uncertain": self.kind.uncertain},
            "tier": self.tier,
            "quality": _plain(self.quality),
            "document_type": _plain(self.document_type),
            "encoding": _plain(self.encoding),
            "framework": _plain(self.framework) if self.framework else None,
            "limits": list(self.trace.limits),
            "warnings": list(self.trace.warnings),
        }
        if trace:
            told = {name: value for name, value in vars(self.trace).items() if name not in ("explain", "details")}
            data["trace"] = json.loads(json.dumps(told | asdict(self.trace.details), default=asdict))
        return data

    def to_json(self, trace: bool = False, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(trace), ensure_ascii=False, indent=indent)

    def _repr_html_(self) -> str:
        """What a notebook shows: title, verdict and source above the content, sanitized as one."""
        data, quality = self.metadata, self.quality
        reasons = f" ({', '.join(quality.reasons)})" if quality.reasons else ""
        known = (data.author, (data.published or "")[:10], data.site_name, data.language)
        facts = [f"{quality.verdict}{reasons}, expected F1 {quality.score:.2f}", self.page_type, *filter(None, known)]
        line = " · ".join(escape(fact) for fact in facts)
        if self.url:
            line += f' · <a href="{escape(self.url)}">{escape(self.url)}</a>'
        head = f"<h1>{escape(self.title)}</h1>" if self.title else ""
        body = self.html or "<p><em>Nothing was found on this page.</em></p>"
        return sanitize(fragment(f"{head}<p><small>{line}</small></p><hr>{body}"), self.output)


def _plain(value: Any) -> dict[str, Any]:
    """A value of the model as JSON has it."""
    data: dict[str, Any] = json.loads(json.dumps(asdict(value)))
    return data


def _plain_metadata(metadata: Metadata) -> dict[str, Any]:
    return _plain(replace(metadata, sources=dict(metadata.sources)))
