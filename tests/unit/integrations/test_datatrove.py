"""The datatrove adapter in a real pipeline."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("datatrove", reason="needs datatrove: pip install 'duramen[datatrove]'")

from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.writers import JsonlWriter

from duramen.errors import OptionError
from duramen.integrations.datatrove import Duramen

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


def documents(article_html: str) -> Iterator[Document]:
    yield Document(text=article_html, id="1", metadata={"url": "https://timber.example/beams"})
    yield Document(text="", id="2")
    yield Document(text=article_html.replace("Halvorsen", "Oduya"), id="3", metadata={"url": 7})


def test_step_extracts_and_tells_what_it_knows(article_html: str) -> None:
    step = Duramen(content="markdown")
    one, three = step.run(documents(article_html))
    assert (one.id, three.id) == ("1", "3")
    assert type(one.text) is str and one.text.startswith("When the roof of the old tithe barn")
    assert one.metadata["duramen"]["url"] == one.metadata["url"] == "https://timber.example/beams"
    assert one.metadata["duramen"]["verdict"] == "good"
    assert three.metadata["duramen"]["authors"] == ["Ines Oduya"]
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


def test_wrong_content_is_told() -> None:
    with pytest.raises(OptionError, match="not 'xml'"):
        Duramen(content="xml")
