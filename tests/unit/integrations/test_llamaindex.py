"""The LlamaIndex adapter against the real llama-index-core."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from loopback import Loopback

pytest.importorskip("llama_index.core", reason="needs LlamaIndex: pip install 'duramen[llamaindex]'")

from llama_index.core import SimpleDirectoryReader
from llama_index.core.node_parser import MarkdownNodeParser
from llama_index.core.schema import MetadataMode

from duramen import FetchOptions
from duramen.integrations.llamaindex import DuramenReader

NEAR = FetchOptions(allow_private=True, robots=False, render="never", retries=0, delay=0)


def test_reader_reads_addresses(server: Loopback, article_html: str) -> None:
    server.page("/beams", article_html.encode(), "text/html")
    reader = DuramenReader(fetch=NEAR)
    (document,) = reader.load_data([server.url("/beams")])
    assert document.id_ == document.metadata["source"] == server.url("/beams")
    assert document.text.startswith("When the roof of the old tithe barn")
    assert (document.metadata["title"], document.metadata["verdict"]) == ("Why old beams outlast new ones", "good")
    seen = document.get_content(MetadataMode.LLM)
    assert "Why old beams" in seen and "verdict" not in seen
    (again,) = asyncio.run(reader.aload_data(server.url("/beams")))
    assert again.text == document.text


def test_reader_serves_a_directory_reader(article_html: str, docs_html: str, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(article_html, encoding="utf-8")
    (tmp_path / "b.html").write_text(docs_html, encoding="utf-8")
    reader = DuramenReader(content="text")
    documents = SimpleDirectoryReader(
        str(tmp_path), file_extractor={".html": reader}, file_metadata=lambda path: {"file_name": Path(path).name}
    ).load_data()
    assert [document.metadata["file_name"] for document in documents] == ["a.html", "b.html"]
    assert documents[0].metadata["authors"] == "Ines Halvorsen"
    assert "<" not in documents[0].text.partition("\n")[0]


def test_reader_reads_from_another_file_system(article_html: str) -> None:
    fsspec = pytest.importorskip("fsspec", reason="comes with llama-index-core")
    memory = fsspec.filesystem("memory")
    memory.pipe("/logs/beams.html", article_html.encode())
    (document,) = DuramenReader().load_data("/logs/beams.html", extra_info={"crawl": "3"}, fs=memory)
    assert (document.metadata["crawl"], document.metadata["title"]) == ("3", "Why old beams outlast new ones")


def test_documents_can_be_split(article_html: str, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(article_html, encoding="utf-8")
    documents = DuramenReader().load_data(tmp_path / "a.html")
    nodes = MarkdownNodeParser().get_nodes_from_documents(documents)
    assert len(nodes) > 1 and all(node.metadata["title"] == "Why old beams outlast new ones" for node in nodes)
