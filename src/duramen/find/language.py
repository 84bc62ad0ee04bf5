"""The language of a page's prose."""

from __future__ import annotations

from duramen.function_words import detect
from duramen.page import Page


def page_language(page: Page) -> str:
    """The language that the page's longest texts with few links are written in."""
    text = page.blocks.text
    return detect(" ".join([text[b][:600] for b in longest_texts(page, 6)]), page.metadata.language)


def longest_texts(page: Page, most: int) -> list[int]:
    """The longest blocks of a page of which less than half is links, of equals the first, in the page's order."""
    chars, links = page.blocks.chars, page.blocks.links
    prose = [b for b, size in enumerate(chars) if 2 * links[b] < size]
    return sorted(sorted(prose, key=chars.__getitem__, reverse=True)[:most])
