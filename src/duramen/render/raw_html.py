"""HTML inside Markdown, where Markdown has no notation: bare canonical elements, and never an empty line."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from duramen.lazy_pattern import lazy_pattern
from duramen.render.content import Content
from duramen.render.escape import ends_in_address

__all__ = ["html_code", "html_inside", "html_lines", "language_of"]

_TAGS = lazy_pattern(
    r"p|h[1-6r]|[uo]l|li|d[ltd]|blockquote|pre|fig(?:ure|caption)|table|caption|t(?:head|body|foot|[rhd])"
    r"|details|summary|div|section|article|address|a|img|b|br|i|em|strong|u|s|del|ins|mark|small|su[bp]|q"
    r"|cite|abbr|dfn|kbd|samp|var|code|time|ruby|r[tp]|bd[io]"
)
_ATTRIBUTES = tuple("href src alt title colspan rowspan align start reversed type value dir".split())
_MARKDOWN = lazy_pattern(r"[`$\\]|\](?=[(\[:\]])|\{|\[(?=[=^])|:(?=[A-Za-z][\w+-]{0,80}[:\[])")
_ADDRESS = lazy_pattern(r":(?=//)|(?<=[Ww]{3})\.")
_LANGUAGE = lazy_pattern(r"(?:^|\s)language-([\w+#.-]+)(?=\s|$)")


def html_lines(content: Content, at: int) -> list[str]:
    """An element as lines of HTML, one for each table row.

    An empty line would end the block of HTML, and what follows would be read as Markdown: white space is folded, and
    written as a reference where it matters.
    """
    return _lines(content, at, content.ends[at] + 1)


def html_code(language: str, text: str) -> str:
    """A block of code on one line."""
    name = f' class="language-{language}"' if language else ""
    return f"<pre><code{name}>{_verbatim(text)}</code></pre>"


def html_inside(content: Content, at: int) -> str:
    """An element's content on one line."""
    return " ".join(_lines(content, at + 1, content.ends[at]))


def language_of(content: Content, at: int) -> str:
    """The language in the class of an element with code, empty without one."""
    found = _LANGUAGE.search(content.attribute(at, "class") or "")
    return found[1] if found else ""


def _lines(content: Content, start: int, stop: int) -> list[str]:
    lines: list[str] = []
    out: list[str] = []
    verbatim = 0
    for at in range(start, stop):
        name, value = content.names[at], content.values[at]
        if not name:
            out.append(_verbatim(value) if verbatim else _unlinked(_inert(escape(value, quote=False))))
            continue
        tag = name.lstrip("/")
        if name == "tr":
            _end_line(lines, out)
        if not _TAGS.fullmatch(tag):
            continue
        if name != tag:
            out.append(f"<{name}>")
            verbatim -= tag == "pre"
            continue
        out.append(f"<{tag}{_attributes(value, language_of(content, at) if tag == 'code' else '')}>")
        if tag == "pre":
            verbatim += 1
            # The parser drops a line end right after the tag.
            if content.code(at)[:1] == "\n":
                out.append("&#10;")
    _end_line(lines, out)
    return lines


def _verbatim(text: str) -> str:
    return _inert(escape(text, quote=False)).replace("\r", "&#13;").replace("\n", "&#10;")


def _inert(html: str) -> str:
    # Not every renderer leaves Markdown inside HTML alone.
    return _MARKDOWN.sub(lambda found: f"&#{ord(found[0])};", html)


def _unlinked(html: str) -> str:
    """A text with no bare address at its end: a renderer could take the tag behind it for a part of it."""
    if not ends_in_address(html, False):
        return html
    start = html.rfind(" ") + 1
    return html[:start] + _ADDRESS.sub(lambda found: f"&#{ord(found[0])};", html[start:])


def _end_line(lines: list[str], out: list[str]) -> None:
    if line := "".join(out).strip():
        lines.append(line)
    out.clear()


def _attributes(attributes: Mapping[str, str], language: str) -> str:
    pairs = [(name, " ".join(attributes[name].split())) for name in _ATTRIBUTES if name in attributes]
    if language:
        pairs.append(("class", f"language-{language}"))
    return "".join(f' {name}="{_inert(escape(value))}"' for name, value in pairs)
