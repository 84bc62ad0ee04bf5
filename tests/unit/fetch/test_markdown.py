"""Markdown that a site offers becomes a page like any other."""

from __future__ import annotations

import time

import pytest

from duramen import extract
from duramen.fetch.content import kind_of
from duramen.fetch.markdown import markdown_page

MARKDOWN = {"content-type": "text/markdown; charset=utf-8"}


def test_front_matter() -> None:
    text = (
        '---\ntitle: "Oaks & <beeches>"\nauthor: Ines Halvorsen\ndate: 2026-03-14\nlang: de\nother: x\n---\n\nText.\n'
    )
    result = extract(markdown_page(text))
    assert result.title == "Oaks & <beeches>"
    assert (result.metadata.author, result.metadata.published) == ("Ines Halvorsen", "2026-03-14")
    assert "other" not in result.text


@pytest.mark.parametrize("text", ["# Oaks\n\nText.", "Lead.\n\n# Oaks #\n", "\ufeff# Oaks\n"])
def test_title_from_a_heading(text: str) -> None:
    assert "<title>Oaks</title>" in markdown_page(text)


def test_structure() -> None:
    page = markdown_page("| a | b |\n|---|---|\n| 1 | 2 |\n\n~~no~~\n\n```rust\nfn main() {}\n```\n")
    assert "<table>" in page and "<del>no</del>" in page and 'class="language-rust"' in page


@pytest.mark.parametrize(
    "text",
    ["", "---\n", "---\n---\n", "\0", "[" * 1_000_000, "> " * 500_000, "*a **" * 200_000, "---\n" + "a: b\n" * 300_000],
)
def test_any_text_in_time(text: str) -> None:
    began = time.process_time()
    assert "<article>" in markdown_page(text)
    assert time.process_time() - began < 5


def test_very_long_ones_are_plain_text() -> None:
    assert "<pre>* a" in markdown_page("* a\n" * 600_000)


@pytest.mark.parametrize(
    ("headers", "body", "expected"),
    [
        (MARKDOWN, b"# Oaks", "markdown"),
        (MARKDOWN, b" \n<!DOCTYPE html><title>Oaks", "page"),
        (MARKDOWN, b"<html>", "page"),
        (MARKDOWN, b"<p align=center>Many READMEs begin like this</p>\n\n# Oaks", "markdown"),
        ({"content-type": "text/html"}, b"# Oaks", "page"),
        ({}, b"# Oaks", "text"),
    ],
)
def test_true_markdown(headers: dict[str, str], body: bytes, expected: str) -> None:
    assert kind_of("https://oaks.example/", headers, body) == expected
