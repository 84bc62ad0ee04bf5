"""What must, and what must not, be found in a page that was made from a known document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from .documents import (
    Api,
    Block,
    Callout,
    Code,
    Definitions,
    Document,
    Heading,
    Items,
    Math,
    Notes,
    Para,
    Picture,
    Quote,
    Table,
    Tabs,
)

_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]*)\)")
_NOTE = re.compile(r"\{fn:(\w+)\}")
_SNIPPET = 60


@dataclass(frozen=True)
class Truth:
    """The truth of one page, stored beside it as JSON."""

    framework: str
    title: str
    text: str
    required: list[str]
    forbidden: list[str]
    code: list[list[str]]
    """Language and text."""
    links: list[list[str]]
    """Text and address."""
    cells: list[str]
    images: list[str]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def plain(text: str) -> str:
    """Inline source as a reader sees it."""
    text = re.sub(r"\{math:(.*?)\}", r"\1", text)
    text = _NOTE.sub("", text)
    text = _LINK.sub(r"\1", text)
    return re.sub(r"(`|\*\*|\*)(.+?)\1", r"\2", text)


def truth_of(document: Document, framework: str, forbidden: Iterable[str]) -> Truth:
    """The truth of a document that was fitted to its dialect."""
    texts: list[str] = []
    required: list[str] = []
    code: list[list[str]] = []
    links: list[list[str]] = []
    cells: list[str] = []
    images: list[str] = []
    listed = next((block.notes for block in document.blocks if isinstance(block, Notes)), ())
    numbers = {key: n for n, (key, _) in enumerate(listed, 1)}
    for block in _walked(document.blocks):
        match block:
            case Heading(_, text):
                texts.append(plain(text))
                required.append(plain(text))
            case Para(text) | Quote(text):
                texts.append(plain(text))
                texts += [str(numbers[key]) for key in _NOTE.findall(text)]
                required += _snippets(text)
            case Code(language, text, title):
                texts += [title, text] if title else [text]
                code.append([language, text.removesuffix("\n")])
            case Table(rows):
                cells += [plain(cell) for row in rows for cell in row]
                texts += [plain(cell) for row in rows for cell in row]
            case Definitions(pairs):
                texts += [plain(part) for pair in pairs for part in pair]
                required += [plain(term) for term, _ in pairs]
            case Math(tex):
                texts.append(tex)
            case Picture(src):
                images.append(src)
            case Api(signature):
                texts.append(signature)
            case Callout(_, _, title):
                texts.append(title)
            case Tabs(tabs):
                texts += [label for label, _ in tabs]
            case Notes(notes):
                texts += [f"{n}. {plain(text)}" for n, (_, text) in enumerate(notes, 1)]
                required += [snippet for _, text in notes for snippet in _snippets(text)]
        for source in _sources(block):
            links += [[plain(text), href] for text, href in _LINK.findall(source)]
    return Truth(
        framework,
        document.title,
        "\n".join(filter(None, texts)),
        list(dict.fromkeys(required)),
        sorted(set(forbidden)),
        code,
        links,
        cells,
        images,
    )


def _walked(blocks: Iterable[Block]) -> Iterator[Block]:
    stack = list(reversed(list(blocks)))
    while stack:
        block = stack.pop()
        yield block
        match block:
            case Items(items):
                inner = [b for item in items for b in item]
            case Callout(_, blocks) | Api(_, blocks):
                inner = list(blocks)
            case Tabs(tabs):
                inner = [b for _, blocks in tabs for b in blocks]
            case _:
                continue
        stack += reversed(inner)


def _sources(block: Block) -> list[str]:
    """The inline sources that a block has itself."""
    match block:
        case Heading(_, text) | Para(text) | Quote(text):
            return [text]
        case Table(rows):
            return [cell for row in rows for cell in row]
        case Definitions(pairs):
            return [text for _, text in pairs]
        case Notes(notes):
            return [text for _, text in notes]
        case _:
            return []


def _snippets(source: str) -> list[str]:
    """Runs of plain text between markup, long enough to be told apart."""
    pieces = re.split(r"\{\w+:[^}]*\}|\[[^\]]*\]\([^)]*\)|`[^`]*`|\*+[^*]+\*+", source)
    return [piece.strip()[:_SNIPPET].strip() for piece in pieces if len(piece.strip()) >= 12]
