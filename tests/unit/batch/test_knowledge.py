"""What many pages tell that one does not: duplicates, and blocks that repeat on a host's pages."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from archives import packed, record

from duramen.batch.boilerplate import LEAST_CHARS, RepeatedBlocks
from duramen.batch.duplicates import PERMUTATIONS, first_alike, shingles
from duramen.batch.job import Job
from duramen.batch.records import Record, content_hash
from duramen.batch.run import run_batch

pytest.importorskip("fastwarc", reason="needs the extra 'batch'")

WORDS = [
    f"{a}{b}" for a in ("oak", "elm", "ash", "fir", "yew", "box") for b in ("wood", "leaf", "bark", "root", "tree")
]


def prose(seed: int, count: int = 200) -> list[str]:
    pick = random.Random(seed)
    return [pick.choice(WORDS) + str(pick.randrange(50)) for _ in range(count)]


def html(words: list[str], extra: str = "") -> bytes:
    body = "".join(f"<p>{' '.join(words[i : i + 40])}.</p>" for i in range(0, len(words), 40))
    return f"<html><title>{words[0]}</title><body>{body}{extra}</body></html>".encode()


def test_duplicates_are_found_whatever_the_number_of_workers(tmp_path: Path) -> None:
    pytest.importorskip("rensa", reason="needs the extra 'batch'")
    texts = [prose(n) for n in range(30)]
    texts[12] = [word.upper() for word in texts[4]]
    texts[20] = texts[4]
    texts[25] = [*texts[7][:-4], "quite", "other", "last", "words"]
    texts[26] = texts[25]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(packed(record(n, html(words))) for n, words in enumerate(texts)))
    found = []
    for workers, output in ((1, "one"), (2, "two")):
        job = Job(output=str(tmp_path / output), format="jsonl", duplicates=True, extractor="faulty:quick")
        run_batch([str(path)], job, workers=workers, shard_size=2000)
        found.append((tmp_path / output / "duplicates.jsonl").read_bytes())
    assert found[0] == found[1]
    rows = [json.loads(line) for line in found[0].splitlines()]
    short = {int(row["id"][10:18]): (int(row["duplicate_of"][10:18]), row["kind"]) for row in rows}
    assert short == {12: (4, "exact"), 20: (4, "exact"), 25: (7, "near"), 26: (7, "near")}
    assert all(0.8 <= row["similarity"] <= 1 for row in rows)
    assert (tmp_path / "one" / "pages" / "part-00000.jsonl").read_text().find("_signature") < 0


def test_pages_alike_by_way_of_others_have_one_first() -> None:
    base = np.arange(PERMUTATIONS, dtype="<u4")
    near, far = base.copy(), base.copy()
    near[:10] += 1000
    far[:20] += 1000
    far[:10] = near[:10]
    signatures = np.stack([far, base + 5000, near, base])
    first = first_alike(np.array([4, 3, 2, 1], "<u8"), signatures)
    assert first.tolist() == [0, 1, 0, 0]
    assert first_alike(np.zeros(3, "<u8"), np.zeros((3, PERMUTATIONS), "<u4")).tolist() == [0, 1, 2]
    assert first_alike(np.zeros(0, "<u8"), np.zeros((0, PERMUTATIONS), "<u4")).tolist() == []


def test_shingles_of_scripts_without_spaces() -> None:
    assert len(shingles("橡树的心材坚硬而耐用，" * 5)) == 48
    assert shingles("oak") == ["oak"] and shingles("  ") == []
    assert content_hash("  ") == ""


CHROME = (
    "<div><p>Sign up for the weekly letter of the timber trade and never miss a price again, dear reader.</p></div>"
)


def site(seed: int) -> bytes:
    lines = "".join(f"<p>{' '.join(prose(seed * 100 + i, 30))}.</p>" for i in range(4))
    main = f"<article><h1>Page {seed}</h1>{lines}{CHROME}</article>"
    return f"<html><title>Page {seed}</title><body>{main}</body></html>".encode()


def test_blocks_that_repeat_on_a_host_are_evidence_against_them(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(packed(record(3 * n, site(n))) for n in range(12)))
    texts: dict[str, Any] = {}
    for name, workers, boilerplate in (("plain", 1, False), ("one", 1, True), ("two", 2, True)):
        job = Job(output=str(tmp_path / name), format="jsonl", boilerplate=boilerplate)
        summary = run_batch([str(path)], job, workers=workers, shard_size=2500)
        assert summary.total.rows == 12 and summary.adds_up
        parts = sorted((tmp_path / name / "pages").iterdir())
        texts[name] = [json.loads(line)["text"] for part in parts for line in part.read_text().splitlines()]
    assert texts["one"] == texts["two"]
    assert sum("weekly letter" in text for text in texts["plain"]) > 6, "the engine alone should be taken in by it"
    assert [text for text in texts["one"] if "weekly letter" in text] == []
    assert all(len(text.split()) > 100 for text in texts["one"])
    repeated = [(tmp_path / name / "run" / "repeated.npy").read_bytes() for name in ("one", "two")]
    assert repeated[0] == repeated[1]


def test_shares_are_told_for_the_host_only(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(packed(record(3 * n, site(n))) for n in range(6)))
    job = Job(output=str(tmp_path / "out"), format="jsonl", boilerplate=True, extractor="faulty:quick")
    run_batch([str(path)], job, workers=1)
    from duramen.batch.storage import Folder

    blocks = RepeatedBlocks.load(Folder(str(tmp_path / "out")))
    chrome = CHROME[8:-10]
    assert len(chrome) > LEAST_CHARS
    here = blocks.for_page(Record("", b"", "https://oaks0.example/other"))
    elsewhere = blocks.for_page(Record("", b"", "https://oaks1.example/other"))
    assert here is not None and elsewhere is not None
    assert here([chrome, "short", "a text of this page alone, long enough to count"]) == [1.0, 0.0, 0.0]
    assert elsewhere([chrome]) == [0.0]
    assert blocks.for_page(Record("", b"")) is None
