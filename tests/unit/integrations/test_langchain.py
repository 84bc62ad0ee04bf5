"""The LangChain adapter against the real langchain-core."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from loopback import Loopback

pytest.importorskip("langchain_core", reason="needs LangChain: pip install 'duramen[langchain]'")

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import BaseDocumentTransformer, Document

from duramen import FetchOptions, Options, Output
from duramen.integrations.langchain import DuramenLoader, DuramenTransformer

NEAR = FetchOptions(allow_private=True, robots=False, render="never", retries=0, delay=0)


def test_loader_reads_addresses_and_files(server: Loopback, article_html: str, tmp_path: Path) -> None:
    server.page("/beams", article_html.encode(), "text/html; charset=utf-8")
    file = tmp_path / "beams.html"
    file.write_text(article_html, encoding="utf-8")
    loader = DuramenLoader([server.url("/beams"), file], fetch=NEAR)
    assert isinstance(loader, BaseLoader)
    far, near = loader.load()
    assert far.metadata["source"] == far.metadata["url"] == server.url("/beams")
    assert near.metadata["source"] == str(file) and "url" not in near.metadata
    assert far.metadata["title"] == near.metadata["title"] == "Why old beams outlast new ones"
    assert far.page_content.startswith("When the roof of the old tithe barn") and "Subscribe" not in far.page_content
    # What vector stores take.
    assert all(isinstance(value, (str, int, float, bool)) for value in far.metadata.values())


def test_loader_is_lazy_and_works_without_a_thread_of_its_own(server: Loopback, article_html: str) -> None:
    server.page("/beams", article_html.encode(), "text/html")
    loader = DuramenLoader(server.url("/beams"), content="text", fetch=NEAR)
    documents = loader.lazy_load()
    assert server.asked == []
    assert next(documents).page_content.startswith("When the roof")

    async def load() -> list[Document]:
        return [document async for document in loader.alazy_load()]

    assert [document.metadata["verdict"] for document in asyncio.run(load())] == ["good"]


def test_loader_skips_failures_if_told_to(server: Loopback, article_html: str) -> None:
    server.page("/beams", article_html.encode(), "text/html")
    sources = [server.url("/gone"), server.url("/beams")]
    assert len(DuramenLoader(sources, fetch=NEAR, skip_failures=True).load()) == 1


def test_transformer_keeps_what_it_was_given(article_html: str) -> None:
    given = Document(id="7", page_content=article_html, metadata={"source": "https://timber.example/beams", "crawl": 3})
    transformer = DuramenTransformer(content="html", options=Options(output=Output(links=False)))
    assert isinstance(transformer, BaseDocumentTransformer)
    (made,) = transformer.transform_documents([given])
    assert (made.id, made.metadata["crawl"], made.metadata["url"]) == ("7", 3, "https://timber.example/beams")
    assert "<p>When the roof" in made.page_content and "<a " not in made.page_content
    assert given.page_content == article_html and "title" not in given.metadata
    (again,) = asyncio.run(transformer.atransform_documents([given]))
    assert again == made
