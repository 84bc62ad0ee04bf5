"""Reads XML into a small tree, with the standard library's parser and without what makes XML dangerous.

Entities that a document declares are refused, so that none can grow, and nothing outside the document is ever read.
Broken XML gives what comes before the fault; a bare ``&`` and control characters, which many feeds have, are no fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import html5
from xml.parsers import expat

MOST_ELEMENTS = 200_000
MOST_DEPTH = 100
_DECLARATION = re.compile(r"\A\s*+<\?xml[^>]{0,200}?\?>")
_BARE = re.compile(
    r"<!\[CDATA\[(?:[^\]]|\](?!\]>))*+|&(?!\w{1,40};|#\d{1,7};|#x[0-9A-Fa-f]{1,6};)|[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]"
)
"""What XML forbids and readers of feeds do not mind. A CDATA section, where ``&`` is right, matches as a whole."""
_INLINE = frozenset("a abbr b bdi cite code em i mark q s small span strong sub sup time u".split())


class XmlError(Exception):
    """The document cannot be read, or not to its end."""


@dataclass(slots=True)
class XmlElement:
    """An element: names are without their namespace prefix and in lower case."""

    name: str
    attributes: dict[str, str]
    parts: list[XmlElement | str] = field(default_factory=list)
    """Children and texts, in order."""

    @property
    def text(self) -> str:
        """The text of the element and of all elements in it."""
        found: list[str] = []
        waiting: list[XmlElement | str] = [self]
        while waiting:
            part = waiting.pop()
            if isinstance(part, str):
                found.append(part)
                continue
            if part.name not in _INLINE:
                found.append(" ")
            waiting += reversed(part.parts)
        return "".join(found).strip()

    def all(self, *names: str) -> Iterator[XmlElement]:
        """The children with one of these names."""
        return (part for part in self.parts if isinstance(part, XmlElement) and part.name in names)

    def first(self, *names: str) -> XmlElement | None:
        """The first child with the first of these names that there is."""
        return next((child for name in names for child in self.all(name)), None)

    def text_of(self, *names: str) -> str:
        """The text of the first child with one of these names that has any."""
        return next((text for name in names for child in self.all(name) if (text := child.text)), "")


def read_xml(text: str) -> tuple[XmlElement, str]:
    """The root element, and why reading ended early, if it did. Raises :class:`XmlError` if there is no element."""
    # The encoding is known already: a declaration of another one would mislead the parser.
    text = _DECLARATION.sub("", text.removeprefix("\ufeff"), count=1)
    root, fault, is_broken = _read(text)
    if is_broken and (repaired := _BARE.sub(_repaired, text)) != text:
        root, fault, _ = _read(repaired)
    if root is None:
        raise XmlError(fault or "the document is empty")
    return root, fault


def _repaired(found: re.Match[str]) -> str:
    return "&amp;" if found[0] == "&" else found[0] if found[0][0] == "<" else ""


def _read(text: str) -> tuple[XmlElement | None, str, bool]:
    """The root, what ended reading early, and whether that is a mistake in the XML."""
    reader = _Reader()
    try:
        reader.parser.Parse(text, True)
    except expat.ExpatError as error:
        return reader.root, f"the XML is broken in line {error.lineno}: {expat.ErrorString(error.code)}", True
    except XmlError as error:
        return reader.root, str(error), False
    return reader.root, "", False


class _Reader:
    def __init__(self) -> None:
        self.root: XmlElement | None = None
        self._open: list[XmlElement] = []
        self._count = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        # Entities of HTML are used without a declaration; with a foreign DTD the parser skips what it does not know.
        self.parser.UseForeignDTD(True)
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.SkippedEntityHandler = self._skipped
        self.parser.EntityDeclHandler = self._declared

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MOST_ELEMENTS:
            raise XmlError(f"elements after the first {MOST_ELEMENTS:,} were left out")
        if len(self._open) >= MOST_DEPTH:
            raise XmlError(f"elements are nested deeper than {MOST_DEPTH}")
        element = XmlElement(_local(name), {_local(key): value for key, value in attributes.items()})
        if self._open:
            self._open[-1].parts.append(element)
        else:
            self.root = self.root or element
        self._open.append(element)

    def _end(self, name: str) -> None:
        self._open.pop()

    def _text(self, text: str) -> None:
        if self._open:
            self._open[-1].parts.append(text)

    def _skipped(self, name: str, is_parameter: bool) -> None:
        if not is_parameter:
            self._text(html5.get(f"{name};", ""))

    def _declared(self, *_: object) -> None:
        raise XmlError("the XML declares entities, which are not read")


def _local(name: str) -> str:
    return name.rpartition(":")[2].lower()
