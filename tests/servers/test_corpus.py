"""``duramen serve --corpus``: annotated pages by id, and nothing else, in the inspector."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import expect, sync_playwright

from .process import TOKEN, running
from .site import SHORT


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "html").mkdir()
    (folder / "html" / "board.html.gz").write_bytes(gzip.compress(SHORT.encode()))
    records = [{"id": "board", "url": "https://boards.example/flat"}, {"id": "lost"}]
    (folder / "truth.jsonl").write_text("".join(f"{json.dumps(r)}\n" for r in records), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[str]:
    with running("serve", "--corpus", str(folder)) as (address, _):
        yield address


def test_a_page_is_inspected_by_its_id(service: str) -> None:
    answer = httpx2.get(f"{service}/corpus/board?mode=recall", timeout=60)
    assert answer.status_code == 200
    told = answer.json()
    assert (told["result"]["title"], told["result"]["url"]) == ("A flat board", "https://boards.example/flat")
    assert told["structure"] and told["rendering"]


@pytest.mark.parametrize("id", ["lost", "other", "..%2Ftruth.jsonl", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "board.html.gz"])
def test_nothing_else_can_be_asked_for(service: str, id: str) -> None:
    answer = httpx2.get(f"{service}/corpus/{id}", timeout=60)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


def test_pages_of_other_sites_cannot_ask(service: str) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert httpx2.get(f"{service}/corpus/board", headers=headers).status_code == 403
    assert httpx2.get(f"{service}/", headers=headers).status_code == 200
    assert httpx2.post(f"{service}/corpus/board").status_code == 405


def test_the_token_is_asked_for(folder: Path) -> None:
    with running("serve", "--corpus", str(folder), token=TOKEN) as (address, _):
        assert httpx2.get(f"{address}/corpus/board").status_code == 401
        answer = httpx2.get(f"{address}/corpus/board", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60)
        assert answer.status_code == 200


def test_without_a_corpus_there_is_no_such_place() -> None:
    with running("serve") as (address, _):
        assert httpx2.get(f"{address}/corpus/board").status_code == 404


@pytest.mark.browser
def test_a_link_from_a_report_opens_the_page(service: str, chromium: str, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    report.write_text(f'<a href="{service}/#page=board">board</a>', encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(30_000)
        page.goto(report.as_uri())
        page.click("a")
        page.wait_for_selector(".row.text.kept")
        assert "A flat board" in page.inner_text("#summary")
        page.evaluate("location.hash = '#page=lost'")
        expect(page.locator("#status.wrong")).to_contain_text("cannot be read")
        browser.close()
