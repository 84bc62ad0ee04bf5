"""The header of a TEI document: who wrote what, where and when; and how values are written as XML."""

from __future__ import annotations

import re
from html import escape
from urllib.parse import quote

from duramen.lazy_pattern import lazy_pattern
from duramen.model import Metadata

_NOT_XML = lazy_pattern("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BARE_PERCENT = lazy_pattern("%(?![0-9A-Fa-f]{2})")
_ADDRESS = lazy_pattern(r"(?:https?://(?:[^/?#@]*@)?[^/?#:@]+(?::\d+)?(?:[/?#]|\Z)|mailto:|[^:]*(?:[/?#]|\Z))", re.I)
_LANGUAGE = lazy_pattern(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*\Z")
WHEN = lazy_pattern(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?\Z")


def xml_text(value: str) -> str:
    return escape(_NOT_XML.sub("", value), quote=False)


def xml_value(value: str) -> str:
    return escape(_NOT_XML.sub("", value))


def pointer(name: str, url: str) -> str:
    """An attribute with an address as the schema's ``anyURI`` has it; nothing for what cannot be one."""
    if not _ADDRESS.match(url):
        return ""
    head, mark, fragment = _BARE_PERCENT.sub("%25", quote(url, safe="%/:=&?~#+!$,;'@()*")).partition("#")
    return f' {name}="{xml_value(head + mark + fragment.replace("#", "%23"))}"'


def tei_header(metadata: Metadata, url: str | None) -> str:
    """The ``teiHeader`` of a page."""
    title = f"<title>{xml_text(metadata.title or '')}</title>"
    authors = "".join(f"<author>{xml_text(name)}</author>" for name in metadata.authors)
    address, publisher = metadata.canonical_url or url, metadata.publisher or metadata.site_name
    source = [
        title,
        authors,
        f"<publisher>{xml_text(publisher)}</publisher>" if publisher else "",
        _date(metadata.published, "published"),
        _date(metadata.modified, "modified"),
        f"<ref{pointer('target', address)}>{xml_text(address)}</ref>" if address else "",
    ]
    licence = (
        f"<availability><licence>{xml_text(metadata.licence)}</licence></availability>" if metadata.licence else ""
    )
    publication = f"<publisher>{xml_text(publisher or '')}</publisher>{licence}" if licence else "<p/>"
    summary = ""
    if metadata.description:
        summary = f'\n<notesStmt><note type="description">{xml_text(metadata.description)}</note></notesStmt>'
    return (
        f"<teiHeader>\n<fileDesc>\n<titleStmt>{title}{authors}</titleStmt>\n"
        f"<publicationStmt>{publication}</publicationStmt>{summary}\n"
        f"<sourceDesc><bibl>{''.join(source)}</bibl></sourceDesc>\n</fileDesc>{_profile(metadata)}\n</teiHeader>"
    )


def _profile(metadata: Metadata) -> str:
    parts: list[str] = []
    if metadata.language and _LANGUAGE.match(metadata.language):
        parts.append(f'<langUsage><language ident="{metadata.language}"/></langUsage>')
    if metadata.tags:
        terms = "".join(f"<term>{xml_text(tag)}</term>" for tag in metadata.tags)
        parts.append(f"<textClass><keywords>{terms}</keywords></textClass>")
    return f"\n<profileDesc>{''.join(parts)}</profileDesc>" if parts else ""


def _date(when: str | None, kind: str) -> str:
    if not when:
        return ""
    stated = f' when="{when}"' if WHEN.match(when) else ""
    return f'<date type="{kind}"{stated}>{xml_text(when)}</date>'
