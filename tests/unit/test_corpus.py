"""A folder of annotated pages, and what is said of one that is none."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from duramen.corpus import Corpus, Truth
from duramen.errors import OptionError


def corpus_of(folder: Path, *records: object) -> Corpus:
    (folder / "html").mkdir(exist_ok=True)
    (folder / "truth.jsonl").write_text("".join(f"{json.dumps(r)}\n" for r in records), encoding="utf-8")
    return Corpus(folder)


def test_records_and_pages_are_read(tmp_path: Path) -> None:
    corpus = corpus_of(
        tmp_path,
        {"id": "a", "url": "https://a.example/", "kind": "forum", "with": ["x\u2028y"], "author": ["Ann", "Ben"]},
        {"id": "b", "text": None},
    )
    (tmp_path / "html" / "a.html.gz").write_bytes(gzip.compress(b"<p>packed</p>"))
    (tmp_path / "html" / "b.html").write_bytes(b"<p>plain</p>")
    assert list(corpus) == [
        Truth("a", "https://a.example/", "forum", wanted=("x\u2028y",), author="Ann, Ben"),
        Truth("b"),
    ]
    assert (corpus.page("a", 100), corpus.page("b", 3)) == (b"<p>packed</p>", b"<p>p")
    assert (len(corpus), corpus.name) == (2, tmp_path.name)


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"id": "../../secret"}, "line 2: a record must be an object with an id"),
        ({"id": "a/b"}, "id of letters"),
        ({}, "id of letters"),
        ([], "must be an object"),
        ({"id": "a", "text": 3}, "'text' must be a string"),
        ({"id": "a", "with": "x"}, "'with' must be a list of strings"),
    ],
)
def test_a_wrong_record_is_named(tmp_path: Path, record: object, why: str) -> None:
    with pytest.raises(OptionError, match=why):
        corpus_of(tmp_path, {"id": "first"}, record)


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"is not a corpus: truth\.jsonl cannot be read .* html/ID\.html\.gz"):
        Corpus(tmp_path)


def test_nothing_outside_the_folder_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "secret.html").write_bytes(b"secret")
    inside = tmp_path / "corpus"
    inside.mkdir()
    corpus = corpus_of(inside, {"id": "a"}, {"id": "b"}, {"id": "c"})
    (inside / "html" / "a.html").symlink_to(tmp_path / "secret.html")
    (inside / "html" / "b.html.gz").write_bytes(gzip.compress(b"<p>b</p>" * 100)[:-9])
    with pytest.raises(PermissionError, match="is outside the corpus"):
        corpus.page("a", 100)
    with pytest.raises(OSError, match="damaged"):
        corpus.page("b", 10_000)
    for id in ("c", "../secret", "nobody"):
        with pytest.raises(FileNotFoundError):
            corpus.page(id, 100)


def test_a_bomb_is_unpacked_only_as_far_as_allowed(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, {"id": "a"})
    (tmp_path / "html" / "a.html.gz").write_bytes(gzip.compress(b"x" * 50_000_000))
    assert len(corpus.page("a", 1000)) == 1001
