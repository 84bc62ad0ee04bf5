"""Every page of a known framework comes out as it was written: words, code, links, cells; and is taken for no other."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from duramen.result import Result

from .build import truths
from .generators import GENERATORS
from .scoring import Page, Score, extracted, pages, score

PAGES = tuple(pages())


@cache
def scored(page: Page) -> tuple[Result, Score]:
    result = extracted(page)
    return result, score(result, page.truth)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.id)
def test_page(page: Page) -> None:
    result, got = scored(page)
    known = page.truth.framework
    assert (result.framework.id if result.framework else "") == known
    assert got.f1 >= 0.99
    assert (got.missing, got.present, got.code, got.links, got.cells, got.images) == ([], [], [], [], [], [])
    assert result.title == page.truth.title
    if known:
        assert result.tier == "framework"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.id)
def test_markdown_and_text_hold_the_code(page: Page) -> None:
    result, _ = scored(page)
    unindented = [line.strip() for line in result.markdown.splitlines()]
    plain = [line.strip() for line in result.text.splitlines()]
    for _, code in page.truth.code:
        wanted = [line.strip() for line in code.splitlines()]
        for lines in (unindented, plain):
            starts = [i for i, line in enumerate(lines) if line == wanted[0]]
            assert any(lines[i : i + len(wanted)] == wanted for i in starts), code


def test_no_framework_is_taken_for_another() -> None:
    seen = Counter(
        (page.truth.framework, result.framework.id if result.framework else "")
        for page in PAGES
        for result in [scored(page)[0]]
    )
    assert {pair: n for pair, n in seen.items() if pair[0] != pair[1]} == {}


def test_stored_truth_is_that_of_the_documents() -> None:
    stored = {page.id: page.truth for page in PAGES}
    for generator in GENERATORS:
        for name, truth in truths(generator).items():
            assert stored[f"{generator.name}/{name}"] == truth
