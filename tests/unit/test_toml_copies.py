"""Copies are only a quicker way to read the tables: what the TOML files say counts, whatever became of the copies."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from duramen import tables, toml_copies
from duramen.toml_copies import read_toml, write_copies


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Copies of one file, which say something else than the file, so that a test sees which of the two was read."""
    (tmp_path / "words.toml").write_text('word = "oak"\n', "utf-8")
    target = tmp_path / "copies.txt"
    write_copies(tmp_path, target)
    target.write_text(target.read_text("ascii").replace("oak", "copied oak"), "ascii")
    monkeypatch.setattr(toml_copies, "COPIES", target)
    monkeypatch.setattr(tables, "DATA", tmp_path)
    toml_copies._copies.cache_clear()
    yield target
    toml_copies._copies.cache_clear()


def test_every_table_says_the_same_in_its_copy(tmp_path: Path) -> None:
    target = tmp_path / "copies.txt"
    write_copies(tables.DATA, target)
    texts = [path.read_text("utf-8") for path in sorted(tables.DATA.rglob("*.toml"))]
    assert len(target.read_text("ascii").splitlines()) == len(texts) > 40
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(toml_copies, "COPIES", target)
        toml_copies._copies.cache_clear()
        assert set(toml_copies._copies()) > {toml_copies._key(text) for text in texts}
        assert [read_toml(text) for text in texts] == [tomllib.loads(text) for text in texts]
    toml_copies._copies.cache_clear()


def test_the_copy_is_read_while_the_file_is_the_same(copies: Path) -> None:
    assert tables.load("words.toml") == {"word": "copied oak"}


def test_an_edited_file_counts_at_once(copies: Path) -> None:
    (tables.DATA / "words.toml").write_text('word = "elm"\n', "utf-8")
    assert tables.load("words.toml") == {"word": "elm"}


@pytest.mark.parametrize("damage", [b"", b"\xff\x00 {\n", b"{}", None])
def test_missing_or_foreign_copies_are_no_error(damage: bytes | None, copies: Path) -> None:
    if damage is None:
        copies.unlink()
    else:
        copies.write_bytes(damage)
    assert tables.load("words.toml") == {"word": "oak"}


@pytest.mark.parametrize("kept", [1, 12, 20, 30])
def test_a_copy_that_was_cut_off_is_no_error(kept: int, copies: Path) -> None:
    copies.write_bytes(copies.read_bytes()[:kept])
    assert tables.load("words.toml") == {"word": "oak"}


def test_what_is_no_toml_is_a_value_error(copies: Path) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        read_toml("word = oak")
