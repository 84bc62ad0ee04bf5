"""What the adapters share, and what is said where a library is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from loopback import Loopback

import duramen
from duramen.errors import HttpStatus, InputError, MissingExtra, OptionError
from duramen.integrations.pages import as_sources, checked_content, fields_of, index_fields_of, log, read_all
from duramen.options import FetchOptions

NEAR = FetchOptions(allow_private=True, robots=False, render="never", retries=0, delay=0)
LIBRARIES = {
    "scrapy": "scrapy",
    "langchain": "langchain_core",
    "llamaindex": "llama_index",
    "datatrove": "datatrove",
}


def page_of(number: int) -> str:
    return (
        f"<html lang=en><title>Log {number}</title><main><h1>Log {number}</h1><p>{'The ring is wide. ' * 30}</p></main>"
    )


def test_results_come_in_the_order_of_the_sources(server: Loopback, tmp_path: Path) -> None:
    for number in range(5):
        server.page(f"/{number}", page_of(number).encode(), "text/html")
    (tmp_path / "log.html").write_text(page_of(9), encoding="utf-8")
    sources = [server.url(f"/{n}") for n in (3, 1)] + [tmp_path / "log.html"] + [server.url(f"/{n}") for n in (4, 3, 0)]
    read = list(read_all(sources, None, NEAR, False))
    assert [source for source, _ in read] == sources
    assert [result.title for _, result in read] == ["Log 3", "Log 1", "Log 9", "Log 4", "Log 3", "Log 0"]
    # The same address is fetched once.
    assert sorted(server.paths()) == ["/0", "/1", "/3", "/4"]


def test_a_page_that_cannot_be_had_raises_or_is_skipped(
    server: Loopback, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Programs that other tests run here may have silenced loggers that are not theirs.
    monkeypatch.setattr(log, "disabled", False)
    server.page("/0", page_of(0).encode(), "text/html")
    sources: list[str | Path] = [server.url("/gone"), Path("nowhere.html"), server.url("/0")]
    with pytest.raises(HttpStatus):
        list(read_all(sources, None, NEAR, False))
    with pytest.raises(FileNotFoundError):
        list(read_all(sources[1:], None, NEAR, False))
    assert [result.title for _, result in read_all(sources, None, NEAR, True)] == ["Log 0"]
    assert [record.message[:8] for record in caplog.records] == ["skipped:"] * 2


def test_sources_are_addresses_or_paths() -> None:
    assert as_sources("https://a.example/") == ["https://a.example/"]
    with pytest.raises(InputError, match=r"'page.html' is not a URL; for a file use pathlib.Path"):
        as_sources("page.html")
    with pytest.raises(InputError, match="not int"):
        as_sources([1])  # type: ignore[list-item]
    with pytest.raises(OptionError, match="'markdown', 'text', 'html', not 'pdf'"):
        checked_content("pdf")


def test_fields_have_the_names_of_batch_rows(article_html: str) -> None:
    from duramen.batch.schema import columns_of

    result = duramen.extract(article_html, "https://timber.example/beams")
    fields = fields_of(result)
    assert set(fields) <= set(columns_of(()))
    assert fields["authors"] == ["Ines Halvorsen"]
    assert (fields["url"], fields["verdict"], fields["page_type"]) == (
        "https://timber.example/beams",
        "good",
        "article",
    )
    assert all(isinstance(value, (str, int, float)) for value in index_fields_of(result).values())
    assert index_fields_of(result)["authors"] == "Ines Halvorsen"


@pytest.mark.parametrize("adapter", LIBRARIES)
def test_a_missing_library_names_its_extra(adapter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, f"duramen.integrations.{adapter}", raising=False)
    for name in [name for name in sys.modules if name.split(".")[0] == LIBRARIES[adapter]]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, LIBRARIES[adapter], None)
    with pytest.raises(MissingExtra, match=rf"pip install 'duramen\[{adapter}\]'"):
        __import__(f"duramen.integrations.{adapter}")


def test_nothing_is_imported_unasked() -> None:
    code = (
        "import sys, duramen, duramen.integrations; duramen.extract('<p>x</p>')._repr_html_();"
        f"print([m for m in {tuple(LIBRARIES.values())} + ('pandas', 'polars', 'pyarrow') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
