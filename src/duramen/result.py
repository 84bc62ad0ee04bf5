"""What an extraction gives back. HTML, text and Markdown come from one sanitized tree, each rendered when asked for.

What renders a form is imported with it, since few callers ask for all of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from html import unescape
from typing import TYPE_CHECKING, Any

from duramen.dom import escape, fragment
from duramen.errors import InputError
from duramen.lazy_pattern import lazy_pattern
from duramen.model import (
    DocumentType,
    Encoding,
    Framework,
    Metadata,
    PageKind,
    PageType,
    Quality,
    TierName,
    Trace,
    TraceDetails,
)
from duramen.options import Output
from duramen.page import letters
from duramen.refine.sanitize import sanitize

if TYPE_CHECKING:
    from collections.abc import Callable

    from duramen.parts.chunks import Chunk
    from duramen.parts.images import Image
    from duramen.parts.links import Link
    from duramen.parts.records.values import Record
    from duramen.parts.structured import Structured
    from duramen.parts.tables import Table

_CAPTION = lazy_pattern(r"<(figcaption|p)\b[^>]*>([^<]*+(?:<(?!/\1>)[^<]*+)*+)</\1>")
"""What may be a caption in canonical HTML: beside a picture in parts it is a paragraph."""
_EMBED = lazy_pattern(r'<a\b[^>]* data-embed=""[^>]*>[^<]*+</a>')
_TAG = lazy_pattern("<[^>]*>")
_BEGINNING = 50
"""Characters of a paragraph that tell whether it may be a caption."""
_SHOWN = 60
"""How many characters of a title or a URL the ``repr`` of a result has."""


@dataclass(frozen=True)
class Result:
    """The main content of one page, and everything known about how it was found.

    A value like any other: it can be compared, hashed, copied, pickled, and used by several threads.

    >>> from duramen import extract
    >>> extract("<title>Oaks</title><main><p>Oaks live for centuries, and their heartwood is hard.</main>")
    ... # doctest: +ELLIPSIS
    <Result 'Oaks': ..., 9 words>
    """

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

    def __repr__(self) -> str:
        title = repr(_shortened(self.title)) if self.title else "without a title"
        words = "no words" if not self.html else f"{len(self.text.split()):,} words"
        quality = f"{self.quality.verdict} ({self.quality.score:.2f})"
        url = f", {_shortened(self.url)}" if self.url else ""
        return f"<Result {title}: {self.page_type}, {quality}, {words}{url}>"

    def __hash__(self) -> int:
        return hash((self.html, self.url))

    @cached_property
    def text(self) -> str:
        """The content as plain text: blocks apart, code and tables readable."""
        from duramen.render.text import render_text

        html = self.html if self.output.captions or not self.captions else _CAPTION.sub(self._caption, self.html)
        # The name of a player or picture is not said on the page.
        return render_text(_EMBED.sub("", html) if "data-embed" in html else html)

    def _caption(self, written: re.Match[str]) -> str:
        # Hardly a paragraph begins as a caption does, and then it is not read on.
        beginning = letters(written[2].partition("<")[0].partition("&")[0][:_BEGINNING])
        if not any(caption.startswith(beginning) for caption in self.captions):
            return written[0]
        return "" if letters(unescape(_TAG.sub("", written[2]))) in self.captions else written[0]

    @cached_property
    def markdown(self) -> str:
        """The content as GitHub-flavoured Markdown."""
        from duramen.render.markdown import render_markdown

        title = f"<h1>{escape(self.title)}</h1>" if self.output.title_heading and self.title else ""
        front_matter = self._front_matter() if self.output.front_matter else ""
        return render_markdown(title + self._markdown_html, front_matter, self.output)

    @cached_property
    def _markdown_html(self) -> str:
        """What the Markdown is made of: the content, or its posts below their headings."""
        if not self.output.post_headings:
            return self.html
        from duramen.parts.records.speakers import with_headings

        return with_headings(self.records) or self.html

    @cached_property
    def xml(self) -> str:
        """The content and its metadata as a TEI P5 document."""
        from duramen.parts.tei import render_tei

        return render_tei(self.html, self.metadata, self.url)

    def _front_matter(self) -> str:
        from duramen.render.front_matter import front_matter

        return front_matter(self.metadata, self.url)

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """What the content links to outside of the page, each address once."""
        from duramen.parts.links import links_of

        return links_of(self.html, self.url)

    @cached_property
    def images(self) -> tuple[Image, ...]:
        """The images of the content, each address once."""
        from duramen.parts.images import images_of

        return images_of(self.html)

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables of the content as rows of text."""
        from duramen.parts.tables import tables_of

        return tables_of(self.html)

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """What the page is made of: posts, items, a product, comments, questions or steps, by its type."""
        from duramen.parts.records.finder import find_records

        if self.trace.reread is None:
            return ()
        page, kept = self.trace.reread()
        return find_records(page, kept, self.page_type, self.output)

    @cached_property
    def structured(self) -> Structured:
        """The page's JSON-LD, microdata, RDFa, OpenGraph and Twitter data."""
        from duramen.parts.structured import Structured, structured_of

        return structured_of(self.trace.reread()[0]) if self.trace.reread else Structured()

    def chunks(
        self, max_tokens: int = 512, overlap: int = 0, tokenizer: Callable[[str], int] | None = None
    ) -> tuple[Chunk, ...]:
        """The Markdown in pieces for retrieval, which cut no code block, table or list item, and no short record.

        ``tokenizer`` counts the tokens of a text; by default four characters of ASCII, or one and a half others, are
        one. ``overlap`` is the number of tokens that a chunk may repeat of the one before; ``max_tokens`` includes it.
        """
        from duramen.parts.chunks import chunks_of, record_numbers
        from duramen.render.markdown import markdown_units
        from duramen.render.markdown_units import Unit

        units = markdown_units(self._markdown_html)
        if written := len(self.markdown) - sum(len(unit.text) for unit in units):
            units.insert(0, Unit("front matter", self.markdown[:written]))
        numbers = record_numbers(units, self.markdown, [record.markdown for record in self.records])
        return chunks_of(self.markdown, units, max_tokens, overlap, tokenizer, self.url or "", numbers)

    @property
    def title(self) -> str | None:
        return self.metadata.title

    @property
    def page_type(self) -> PageType:
        return self.kind.type

    def to_dict(self, trace: bool = False, records: bool = False) -> dict[str, Any]:
        """Everything as plain data; the trace and the records only on request, since they are long."""
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
        if records:
            data["records"] = [_as_json(record.to_dict()) for record in self.records]
        if trace:
            shown = {
                name: value for name, value in vars(self.trace).items() if name not in ("explain", "reread", "details")
            }
            data["trace"] = json.loads(json.dumps(shown | asdict(self.trace.details), default=asdict))
            data["output"] = _plain(self.output) | {"captions_of_images": sorted(self.captions)}
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Result:
        """A result from the data of :meth:`to_dict`, such as parsed JSON.

        With ``to_dict(trace=True)`` it equals the one it was written from; otherwise its trace has limits and warnings
        only. ``records`` are those of ``to_dict(records=True)``, else none. ``structured`` is empty: the data does
        not contain the page that it is read from.
        """
        from duramen.rebuild import rebuild

        try:
            trace: Mapping[str, Any] = data.get("trace") or {"limits": data["limits"], "warnings": data["warnings"]}
            output: Mapping[str, Any] = data.get("output") or {}
            details = rebuild(TraceDetails, trace)
            result = cls(
                html=data["html"],
                metadata=rebuild(Metadata, data["metadata"]),
                kind=rebuild(PageKind, data["page_type"]),
                tier=data["tier"],
                quality=rebuild(Quality, data["quality"]),
                trace=replace(rebuild(Trace, trace), explain=partial(TraceDetails, details.removals, details.blocks)),
                document_type=rebuild(DocumentType, data["document_type"]),
                encoding=rebuild(Encoding, data["encoding"]),
                framework=rebuild(Framework, data["framework"]) if data["framework"] else None,
                url=data["url"],
                output=rebuild(Output, output),
                captions=frozenset(output.get("captions_of_images", ())),
            )
            # As they were written: without the options of the output they could not be rendered again.
            vars(result).update(text=data["text"], markdown=data["markdown"])
            if "records" in data:
                from duramen.parts.records.values import record_from_dict

                vars(result).update(records=tuple(map(record_from_dict, data["records"])))
        except (KeyError, TypeError, AttributeError) as error:
            problem = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            raise InputError(f"this is not the data of a result ({problem}); use that of Result.to_dict") from None
        return result

    def to_json(self, trace: bool = False, indent: int | None = None, records: bool = False) -> str:
        return json.dumps(self.to_dict(trace, records), ensure_ascii=False, indent=indent)

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


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _plain(value: Any) -> dict[str, Any]:
    """A value of the model as JSON has it."""
    return _as_json(asdict(value))


def _as_json(value: dict[str, Any]) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(value))
    return data


def _plain_metadata(metadata: Metadata) -> dict[str, Any]:
    return _plain(replace(metadata, sources=dict(metadata.sources)))
