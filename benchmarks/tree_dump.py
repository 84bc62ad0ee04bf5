"""A page's parsed tree in the notation of html5lib-tests, to be compared with what others make of the page."""

from __future__ import annotations

import re

from duramen.dom import named_characters
from duramen.native import core

ELEMENT, COMMENT, INSTRUCTION, DOCTYPE = 1, 5, 6, 7
"""Kinds of nodes, as in the core; the others are texts. The data of a doctype are a tuple."""
NAMESPACES = ("", "svg ", "math ")
_ATTRIBUTE = re.compile(r' ([^ =][^=]*|=[^=]*)="([^"]*)"')
_ESCAPES = (("&nbsp;", "\xa0"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&"))
_FOREIGN = frozenset(
    "xlink:actuate xlink:arcrole xlink:href xlink:role xlink:show xlink:title xlink:type xml:lang xml:space"
    " xmlns:xlink".split()
)
"""Attributes of SVG and MathML that are in a namespace."""


def attributes_of(written: str) -> dict[str, str]:
    """Attributes as the parser writes them, by name."""
    found = {}
    for name, value in _ATTRIBUTE.findall(written):
        for escaped, sign in _ESCAPES:
            value = value.replace(escaped, sign)
        found[name] = value
    return found


def dump(html: str, context: str = "") -> str:
    """The tree of a document, or of a fragment that is parsed in a context element such as ``td`` or ``svg path``."""
    lines: list[str] = []
    templates: list[int] = []
    for depth, kind, detail, name, data in core.parsed_nodes(html, named_characters(), *([context] if context else [])):
        while templates and depth <= templates[-1]:
            templates.pop()
        indent = "| " + "  " * (depth + len(templates))
        if isinstance(data, tuple):
            called, public, system = data
            ids = f' "{public or ""}" "{system or ""}"' if public or system else ""
            lines.append(f"{indent}<!DOCTYPE {called or ''}{ids}>")
        elif kind == ELEMENT:
            lines.append(f"{indent}<{NAMESPACES[detail]}{name}>")
            lines.extend(f'{indent}  {each}="{value}"' for each, value in _sorted(attributes_of(data), detail))
            if name == "template" and not detail:
                templates.append(depth)
                lines.append(f"{indent}  content")
        elif kind == COMMENT:
            lines.append(f"{indent}<!-- {data} -->")
        elif kind == INSTRUCTION:
            lines.append(f"{indent}<?{_instruction(data)}>")
        elif detail:
            lines[-1] = f'{lines[-1][:-1]}{data}"'
        else:
            lines.append(f'{indent}"{data}"')
    return "\n".join(lines)


def _sorted(attributes: dict[str, str], namespace: int) -> list[tuple[str, str]]:
    """Sorted by UTF-16 code units, with a space behind the prefix of a namespace."""
    named = {(n.replace(":", " ") if namespace and n in _FOREIGN else n): v for n, v in attributes.items()}
    return sorted(named.items(), key=lambda item: item[0].encode("utf-16-be"))


def _instruction(data: str) -> str:
    """The target of a processing instruction, a space, and the rest."""
    target = re.match(r"[^\t\n\f\r ?]*", data)[0]  # type: ignore[index]
    return f"{target} {data[len(target) :].lstrip(chr(9) + chr(10) + chr(12) + chr(13) + ' ')}"
