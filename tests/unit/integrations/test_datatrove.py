"""The datatrove adapter in a real pipeline."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("datatrove", reason="needs datatrove: pip install 'duramen[datatrove]'")

from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.writers import JsonlWriter
from warc_records import warc_record

from duramen.errors import OptionError
from duramen.integrations.datatrove import Duramen

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


def documents(article_html: str) -> Iterator[Document]:
    yield Document(text=article_html, id="1", metadata={"url": "https://timber.example/beams"})
    yield Document(text="", id="2")
    yield Document(text=article_html.replace("Halvorsen", "Oduya"), id="3", metadata={"url": 7})


def test_step_extracts_and_adds_metadata(article_html: str) -> None:
    step = Duramen(content="markdown")
    one, three = step.run(documents(article_html))
    assert (one.id, three.id) == ("1", "3")
    assert type(one.text) is str and one.text.startswith("When the roof of the old tithe barn")
    assert one.metadata["duramen"]["url"] == one.metadata["url"] == "https://timber.example/beams"
    assert one.metadata["duramen"]["verdict"] == "good"
    assert three.metadata["duramen"]["authors"] == "Ines Oduya"
    # The address made links absolute.
    assert "](https://timber.example/" in one.text and "](https://timber.example/" not in three.text
    assert step.stats.stats["dropped"].total == 1


def test_step_works_in_an_executor(article_html: str, tmp_path: Path) -> None:
    step = Duramen()
    writer = JsonlWriter(str(tmp_path / "out"), compression=None)
    pipeline = [list(documents(article_html)), step, writer]
    LocalPipelineExecutor(pipeline, logging_dir=str(tmp_path / "logs")).run()
    (file,) = (tmp_path / "out").iterdir()
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["1", "3"]
    assert rows[0]["metadata"]["duramen"]["title"] == "Why old beams outlast new ones"


BARE = "<p>Oaks live for centuries, and their heartwood resists rot for as long as it stays dry.</p>" * 3


@pytest.mark.parametrize("batch_size", [1, 1000])
@pytest.mark.parametrize("expand", [False, True])
def test_warc_to_parquet(batch_size: int, expand: bool, article_html: str, tmp_path: Path) -> None:
    # The writer infers its schema from the first document and fails on a later one that has another.
    for module in ("warcio", "cchardet", "magic", "pyarrow"):
        pytest.importorskip(module, reason="needs 'duramen[datatrove]' and libmagic", exc_type=ImportError)
    import pyarrow.parquet
    from datatrove.pipeline.readers import WarcReader
    from datatrove.pipeline.writers import ParquetWriter

    pages = [
        f"<!doctype html><html><body>{BARE}</body></html>",
        article_html,
        f"<!doctype html><html lang=en><title>Oaks</title><main>{BARE}</main></html>",
        article_html.replace("Halvorsen", "Gárdonyi"),
    ]
    archives = tmp_path / "in"
    archives.mkdir()
    records = [warc_record(n, html, "latin-1" if n == 3 else "utf-8") for n, html in enumerate(pages)]
    (archives / "a.warc").write_bytes(b"".join(records))
    pipeline = [
        WarcReader(str(archives)),
        Duramen(timeout=60),
        ParquetWriter(str(tmp_path / "out"), batch_size=batch_size, expand_metadata=expand),
    ]
    LocalPipelineExecutor(pipeline, logging_dir=str(tmp_path / "logs")).run()

    (file,) = (tmp_path / "out").iterdir()
    rows = pyarrow.parquet.read_table(file).to_pylist()
    known: list[dict[str, Any]] = [(row if expand else row["metadata"])["duramen"] for row in rows]
    assert [row["id"] for row in rows] == [f"<urn:uuid:{n}>" for n in range(4)]
    assert [row["url"] for row in known] == [f"https://timber.example/{n}" for n in range(4)]
    assert [row["title"] for row in known] == ["", "Why old beams outlast new ones", "Oaks", known[1]["title"]]
    assert [row["authors"] for row in known] == ["", "Ines Halvorsen", "", "Ines Gárdonyi"]
    assert all(isinstance(row["quality"], float) and row["verdict"] for row in known)
    assert rows[0]["text"].startswith("Oaks live for centuries")


def test_the_extra_has_what_readers_and_writers_need(root: Path) -> None:
    from datatrove.pipeline.readers import JsonlReader, WarcReader
    from datatrove.pipeline.writers import ParquetWriter

    with (root / "pyproject.toml").open("rb") as file:
        extra = tomllib.load(file)["project"]["optional-dependencies"]["datatrove"]
    declared = {re.split("[<>=;]", line)[0].strip() for line in extra}
    needed = [
        name for step in (WarcReader, ParquetWriter, JsonlReader, JsonlWriter) for name in step._requires_dependencies
    ]
    assert {name if isinstance(name, str) else name[1] for name in needed} <= declared


def test_wrong_content_is_an_error() -> None:
    with pytest.raises(OptionError, match="not 'xml'"):
        Duramen(content="xml")
