"""The memory of documents is bounded, and forgets in order."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from duramen import extract
from duramen.agents.answers import outline_part
from duramen.agents.documents import FRESH_SECONDS, MINUTES, Document, Documents, UnknownHandleError, document_of
from duramen.agents.library import extract_document
from duramen.options import Options

HTML = "<title>Oak</title><main><p>Oaks live for centuries, and their heartwood is hard, dark and durable.</p></main>"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def document(size: int = 0) -> Document:
    made = document_of(extract(HTML, "https://oak.example/"))
    made.bodies["markdown"] += "x" * size
    return made


def test_document_has_all_forms_and_no_source() -> None:
    made = document()
    assert set(made.bodies) == {"markdown", "text", "html"}
    assert made.metadata.title == "Oak"
    assert len(made.handle) >= 16


def test_records_are_lines(root: Path) -> None:
    thread = (root / "tests/sites/written/phpbb/guide.html").read_bytes()
    made = document_of(extract(thread, "https://oak.example/t/1"))
    lines = [json.loads(line) for line in made.bodies["records"].splitlines()]
    assert [line["author"] for line in lines][:2] == ["warden1", "warden2"] and "html" not in lines[0]
    assert re.fullmatch(r"post 1: warden1, 2026-03-14 \(\d+\)", made.records[0]) and len(made.records) == len(lines)
    outline = outline_part(made, 0)
    assert 'fetch with format="records"' in outline and made.records[-1] in outline


def test_count_is_bounded() -> None:
    documents = Documents(most=3)
    handles = [documents.add(document(), n).handle for n in range(3)]
    documents.get(handles[0])
    documents.add(document())
    assert len(documents) == 3
    assert documents.get(handles[0])
    with pytest.raises(UnknownHandleError, match="fetch the page again"):
        documents.get(handles[1])
    assert documents.cached(1) is None


def test_size_is_bounded() -> None:
    documents = Documents(most_characters=10_000)
    for _ in range(5):
        documents.add(document(4_000))
        assert documents.characters <= 10_000
    documents.add(document(50_000))
    assert len(documents) == 1, "the one just read is kept, however long"


def test_handles_expire_and_addresses_grow_stale() -> None:
    clock = Clock()
    documents = Documents(clock=clock)
    kept = documents.add(document(), "key")
    clock.now = FRESH_SECONDS + 1
    assert documents.cached("key") is None, "it is fetched again"
    assert documents.cached("key", any_age=True) is kept, "but its further parts are of the page that was read"
    clock.now += 60 * MINUTES - 1
    assert documents.get(kept.handle) is kept
    clock.now += 60 * MINUTES + 1
    with pytest.raises(UnknownHandleError):
        documents.get(kept.handle)
    assert documents.characters == 0


def test_a_text_that_is_only_an_address_is_a_document() -> None:
    """What an agent sends is content, whatever it looks like; only ``duramen.extract`` takes it for a mistake."""
    for text in ("https://wood.example/oaks", "page.html"):
        assert text in extract_document(text, None, Options()).bodies["text"]
