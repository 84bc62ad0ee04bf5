"""What servers fetch: read once, joined when that was asked for, and counted while it waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from loopback import PARAGRAPH, Loopback, article

from duramen import fetched as reading
from duramen import pipeline
from duramen.options import FetchOptions, Options
from duramen.service.pages import Pages
from duramen.service.parameters import RequestParameters
from duramen.service.work import ForFetchedPage, inspect_result, result_to_dict
from duramen.service.workers import LoadLimiter, OverloadedError, Workers


class Here(Workers):
    """Works in this process, where a test can watch."""

    async def run(self, function: Callable[..., Any], *args: Any) -> Any:  # type: ignore[override]
        return function(*args)


def options(**more: Any) -> FetchOptions:
    return FetchOptions(allow_private=True, delay=0, robots=False, render="never", **more)


def read(url: str, finish: ForFetchedPage, details: bool, fetch: FetchOptions, most: int = 10**9) -> dict[str, Any]:
    async def work() -> dict[str, Any]:
        async with Pages(fetch, Here(), LoadLimiter(most)) as pages:
            fetched, result = await pages.read(url, Options(), details=details)
            return finish(fetched, result, Options(), RequestParameters(trace=details), None)

    return asyncio.run(work())


@pytest.mark.parametrize(
    ("finish", "details"), [(result_to_dict, False), (result_to_dict, True), (inspect_result, True)]
)
def test_a_page_is_extracted_once(
    server: Loopback, monkeypatch: pytest.MonkeyPatch, finish: ForFetchedPage, details: bool
) -> None:
    calls: list[str] = []
    real = pipeline.run

    def counted(html: Any, url: str, *more: Any, **named: Any) -> Any:
        calls.append(url)
        return real(html, url, *more, **named)

    monkeypatch.setattr(reading, "run", counted)
    server.page("/", article())
    answer = read(server.url(), finish, details, options())
    assert calls == [server.url()]
    result = answer.get("result", answer)
    assert "paragraph 4" in result["markdown"]
    if details:
        assert any("Markets" in removal["words"] for removal in result["trace"]["removals"])
        assert result["trace"]["steps"][0].startswith("fetched ")


def test_further_pages_are_joined(server: Loopback) -> None:
    server.page("/oaks", article("Oaks", more="<a rel=next href='/oaks/2'>2</a>"))
    server.page("/oaks/2", article("Beeches"))
    answer = read(server.url("/oaks"), result_to_dict, False, options(join_pages=3))
    assert "of Oaks." in answer["text"] and "of Beeches." in answer["text"]


def test_pages_that_fill_the_memory_are_refused(server: Loopback) -> None:
    server.page("/", f"<p>{PARAGRAPH}</p>" * 100)
    with pytest.raises(OverloadedError, match="try again"):
        read(server.url(), result_to_dict, False, options(), most=10_000)
