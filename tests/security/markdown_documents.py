# ruff: noqa: E501
"""Random documents made of what Markdown, its extensions and HTML would read as markup, and attacks."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from random import Random

__all__ = ["document"]

_MARKUP = (
    "<script>alert(1)</script>", "<a href=javascript:alert(1)>x</a>", "<b", "</p>", "<!--", "-->", "<?x", "]]>",
    "<form action=javascript:alert(1)>", "<details open ontoggle=alert(1)>", "<pre>", "</code>", "</table>", "<br>",
    "javascript:alert(1)", "](javascript:alert(1))", "[x](javascript:alert(1))", "<javascript:alert(1)>",
)  # fmt: skip
_SIGNS = (
    "`", "``", "```", "~", "~~", "~~~", "*", "**", "_", "[", "]", "](", "(", ")", "![", "[^1]", "[^1]:", "[[", "]]", "{",
    "}", "{{", "{: onclick=alert(1)}", "{#i .pwn onclick=alert(1)}", "$", "$1", "$$", "\\(", "\\)", "\\[", "\\", "|", "|-|",
    "\n", "\n\n", "\n    ", " ", "  \n", "> ", "# ", "- ", "1. ", "===", "---", ":", "::", ":::div{onclick=alert(1)}",
    ":script[x]", ":x:", "http://a.example/", "www.a.example", "a@b.example", "//a.b/", "&", "&lt;", "&#x5b;", "\"", "'",
    "\">", "<", ">", "^", "^^", "==", "++", "+", "!!! note", "/// html | div[onclick=alert(1)]", ".. image:: x", "{% x %}",
    "{++", "{--", ">!", "!<", "*[x]:", ": ", "[TOC]", "@x", "!", "%", "=1x1", "x", "1", "é", "\u00a0", "¨D", "☐ ", "[x] ",
    "\\href{javascript:alert(1)}{x}", "(x)=", "onclick=alert(1)", "title=",
)  # fmt: skip
_INLINE = ("b", "i", "s", "code", "code", "kbd", "sub", "mark", "u", "q", "samp", "small", "dfn")


class _Writer:
    def __init__(self, seed: int, attacks: list[str]) -> None:
        self.random = Random(seed)
        self.attacks = attacks

    def text(self) -> str:
        one = self.random.choice
        pieces = one((_MARKUP, _SIGNS, _SIGNS, _SIGNS, self.attacks)) if self.random.random() < 0.3 else _SIGNS
        return escape("".join(one(one((_MARKUP, _SIGNS, pieces))) for _ in range(one((1, 1, 2, 3, 5)))))

    def several(self, write: Callable[[], str], most: int) -> str:
        return "".join(write() for _ in range(self.random.randint(1, most)))

    def inline(self, depth: int = 0) -> str:
        return self.several(lambda: self.text() if depth > 2 or self.random.random() < 0.5 else self.element(depth), 4)

    def element(self, depth: int) -> str:
        kind = self.random.choice(("plain", "plain", "plain", "link", "image", "formula", "note", "abbr", "br"))
        address = "https://e.com/" + (self.text() if self.random.random() < 0.3 else "")
        if kind == "link":
            return f'<a href="{address}" title="{self.text()}">{self.inline(depth + 1)}</a>'
        if kind == "image":
            return f'<img src="https://e.com/i" alt="{self.text()}" title="{self.text()}">'
        if kind == "formula":
            return f'<span data-math="{self.random.choice(("inline", "display"))}">{self.text()}</span>'
        if kind == "note":
            return '<sup data-footnote-ref="1"><a href="#fn-1">1</a></sup>'
        if kind == "abbr":
            return f'<abbr title="{self.text()}">{self.text()}</abbr>'
        tag = self.random.choice(_INLINE)
        return "<br>" if kind == "br" else f"<{tag}>{self.inline(depth + 1)}</{tag}>"

    def block(self, depth: int = 0) -> str:
        def inside() -> str:
            return self.inline(1) if depth > 2 else self.block(depth + 1)

        either: Callable[[], str] = inside if self.random.random() < 0.5 else self.inline
        kind = self.random.choice("p p h2 ul ol dl blockquote note pre pre table blocks details figure".split())
        if kind in ("ul", "ol"):
            return f"<{kind}>{self.several(lambda: f'<li>{either()}</li>', 3)}</{kind}>"
        if kind == "dl":
            return f"<dl><dt>{self.inline()}</dt><dd>{either()}</dd></dl>"
        if kind in ("blockquote", "note"):
            return f"<blockquote{' data-callout=note' if kind == 'note' else ''}>{either()}</blockquote>"
        if kind == "pre":
            return f"<pre><code>{self.text()}\n{self.text()}</code></pre>"
        if kind == "table":
            row = f"<tr><td>{self.inline()}</td><td>{self.inline()}</td></tr>"
            return f"<table><tr><th>{self.text()}</th><th>{self.inline()}</th></tr>{row}</table>"
        if kind == "blocks":
            return f"<table><tr><td>{inside()}</td><td><ul><li>{self.inline()}</li></ul></td></tr></table>"
        if kind == "details":
            return f"<details><summary>{self.inline()}</summary>{either()}</details>"
        if kind == "figure":
            return f'<figure><img src="https://e.com/i" alt="{self.text()}"><figcaption>{self.text()}</figcaption></figure>'
        return f"<{kind}>{self.inline()}</{kind}>"


def document(seed: int, attacks: list[str]) -> str:
    """The HTML of a document, always the same for a seed.

    >>> document(1, ["x"]) == document(1, ["x"])
    True
    """
    writer = _Writer(seed, attacks)
    body = writer.several(writer.block, 3)
    notes = f'<section data-footnotes><ol><li id="fn-1">{writer.inline()}</li></ol></section>'
    return body + (notes if "data-footnote-ref" in body else "")
