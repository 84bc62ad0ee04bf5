"""Write the pages of systems that cannot be built here.

    python -m tests.sites.written

The documents are those of the built sites; the frames stand in :mod:`tests.sites.shells`. In forums every second-level
section of a document is a post.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import escape
from pathlib import Path

from .dialects import Dialect, fitted
from .documents import (
    CHANGES,
    GERMAN,
    GUIDE,
    POST,
    REFERENCE,
    Block,
    Callout,
    Code,
    Document,
    Heading,
    Items,
    Para,
    Picture,
    Quote,
    Table,
)
from .shells import FORBIDDEN, SHELLS, Shell
from .truth import truth_of

WRITTEN = Path(__file__).parent / "written"
DOCUMENTS = (GUIDE, REFERENCE, CHANGES, GERMAN, POST)
_PLAIN = Dialect(frozenset({"nested code", "hidden tabs"}))
_INLINE = (
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\*\*([^*]+)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\*([^*]+)\*"), r"<em>\1</em>"),
    (re.compile(r"\[([^\]]*)\]\(([^)\s]*)\)"), r'<a href="\2">\1</a>'),
)


def inline(source: str) -> str:
    html = escape(source, quote=False)
    for pattern, made in _INLINE:
        html = pattern.sub(made, html)
    return html


class Writer:
    """Blocks as the HTML of one system."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.count = 0

    def write(self, blocks: Iterable[Block]) -> str:
        return "\n".join(self._block(block) for block in blocks)

    def _block(self, block: Block) -> str:
        shell = self.shell
        self.count += 1
        match block:
            case Heading(level, text):
                return shell.heading.format(level=level, text=inline(text), n=self.count)
            case Para(text):
                return f"<p>{inline(text)}</p>"
            case Quote(text):
                return f"<blockquote><p>{inline(text)}</p></blockquote>"
            case Code(language, text):
                code = escape(text.removesuffix("\n"), quote=False)
                spans = (
                    re.sub(r"(\w+)", r'<span class="n">\1</span>', text.removesuffix("\n"))
                    if not re.search("[&<>]", text)
                    else code
                )
                lines = "\n".join(f'<span class="line">{line}</span>' for line in code.split("\n"))
                made = shell.code.format(language=language or "text", code=code, n=self.count, spans=spans, lines=lines)
                return made
            case Table(rows):
                cells = [
                    "<tr>" + "".join(f"<{tag}>{inline(cell)}</{tag}>" for cell in row) + "</tr>"
                    for tag, row in zip(["th"] + ["td"] * len(rows), rows, strict=False)
                ]
                return "<table>" + "".join(cells) + "</table>"
            case Items(items, ordered):
                tag = "ol" if ordered else "ul"
                inner = "".join(f"<li>{self._item(item)}</li>" for item in items)
                return f"<{tag}>{inner}</{tag}>"
            case Callout(kind, blocks):
                first = blocks[0]
                assert isinstance(first, Para)
                said = {"kind": kind, "Kind": kind.title()}
                if "{inline}" in shell.callout:
                    return shell.callout.format(inline=inline(first.text), **said) + self.write(blocks[1:])
                return shell.callout.format(body=self.write(blocks), **said)
            case Picture(src, alt):
                return f'<p><img src="{src}" alt="{alt}"></p>'
            case _:
                raise TypeError(f"no system writes {block!r}")

    def _item(self, item: tuple[Block, ...]) -> str:
        first, *rest = item
        assert isinstance(first, Para)
        return inline(first.text) + self.write(rest)


def posts_of(document: Document) -> Iterator[tuple[Block, ...]]:
    post: list[Block] = []
    for block in document.blocks:
        if isinstance(block, Heading) and block.level == 2 and post:
            yield tuple(post)
            post = []
            continue
        post.append(replace(block, level=3) if isinstance(block, Heading) else block)
    yield tuple(post)


def page_of(shell: Shell, document: Document) -> tuple[str, Document]:
    """A page, and the document that it holds."""
    writer = Writer(shell)
    if not shell.post:
        body = writer.write(document.blocks)
        return shell.page.replace("{title}", document.title).replace("{body}", body), document
    posts = list(posts_of(document))
    bodies = [writer.write(post) for post in posts]
    framed = [shell.post.replace("{body}", body).replace("{n}", str(n)) for n, body in enumerate(bodies, 1)]
    page = shell.page.replace("{title}", document.title)
    if "{first}" in page:
        page = page.replace("{first}", framed.pop(0).replace("answer", "question"))
    return page.replace("{posts}", "\n".join(framed)), replace(
        document, blocks=tuple(b for post in posts for b in post)
    )


def _untitled(document: Document) -> Document:
    """None of these systems gives its boxes a title."""
    blocks = tuple(replace(b, title="") if isinstance(b, Callout) else b for b in document.blocks)
    return replace(document, blocks=blocks)


def main() -> None:
    for shell in SHELLS:
        (WRITTEN / shell.name).mkdir(parents=True, exist_ok=True)
        for document in DOCUMENTS:
            dialect = replace(_PLAIN, callout=lambda kind, title, body: body) if shell.callout else _PLAIN
            page, held = page_of(shell, _untitled(fitted(document, dialect)))
            truth = truth_of(held, shell.framework, [said for said in FORBIDDEN if said in page])
            path = WRITTEN / shell.name / f"{document.name}.html"
            path.write_text(page, encoding="utf-8")
            said = json.dumps(truth.as_json(), ensure_ascii=False, indent=1)
            path.with_suffix(".json").write_text(said + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
