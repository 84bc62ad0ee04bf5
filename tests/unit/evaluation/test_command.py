"""``duramen eval`` on a small corpus: reports, stopping and going on, hostile pages."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from duramen.cli import main
from duramen.dom import fragment
from duramen.evaluation import run, scoring
from duramen.evaluation.run import Journal, Plan, evaluate

NASTY = "<script>alert(1)</script>\"'&"


def page_of(n: int) -> str:
    text = " ".join(f"Ring {k} of log {n} is wide, since that summer was wet." for k in range(12))
    return (
        f"<html lang=en><title>Log {n}</title><nav><a href=/>Home</a></nav><main><h1>Log {n}</h1><p>{text}</p></main>"
    )


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    (folder / "html").mkdir(parents=True)
    records: list[dict[str, Any]] = []
    for n in range(4):
        (folder / "html" / f"{n}.html.gz").write_bytes(gzip.compress(page_of(n).encode()))
        text = re.sub("<[^>]+>", "", page_of(n).partition("<p>")[2])
        records.append({"id": str(n), "url": f"https://a.example/blog/{n}", "kind": "article", "text": text})
        records[n]["title"] = f"Log {n}"
    records[3] |= {"text": "Nothing of this is there", "with": [NASTY], "kind": NASTY, "url": f"javascript:{NASTY}"}
    records.append({"id": "lost", "text": "there is no such file", "category": NASTY})
    (folder / "truth.jsonl").write_text("".join(f"{json.dumps(r)}\n" for r in records), encoding="utf-8")
    return folder


def test_text_tells_worst_pages_first(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", str(corpus), "--workers", "1", "--worst", "2"]) == 0
    out, err = capsys.readouterr()
    assert "logs: 5 pages, 1 failed" in out
    assert re.search(r"blogs +3 +1\.000 +100\.0 % +90 % +met", out)
    worst = re.findall(r"^  ([\d.]+)  (http\S+)", out, re.M)
    assert {link for _, link in worst} == {f"http://127.0.0.1:8321/#page={id}" for id in ("3", "lost")}
    assert f"duramen serve --corpus {corpus}" in out
    assert "lost: unreadable" in err and "5/5 pages" in err


def test_reports_are_written_and_nothing_in_them_acts(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["eval", str(corpus), "--workers", "1", "--quiet", "--output", str(out)]) == 0
    html = (out / "report.html").read_text(encoding="utf-8")
    nodes = list(fragment(html).iter_elements())
    assert {"script", "iframe", "img", "link"}.isdisjoint(node.tag for node in nodes)
    links = [str(node.attrs["href"]) for node in nodes if node.tag == "a"]
    assert all(link.startswith(("http://", "https://")) for link in links)
    assert "http://127.0.0.1:8321/#page=lost" in links and "https://a.example/blog/0" in links
    assert sum(node.tag == "svg" for node in nodes) == 3
    assert "default-src 'none'" in html and "prefers-color-scheme: dark" in html
    data = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert (data["pages"], data["failures"]) == (5, 1)
    assert {group["id"]: group["success"] for group in data["categories"]}["blog"] == 1.0
    assert (out / "report.txt").read_text(encoding="utf-8").startswith("logs: 5 pages")


def test_json_is_printed(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", str(corpus), "--workers", "1", "--quiet", "--json", "--limit", "2"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["pages"], data["made"]["corpus"], data["overall"]["F1"]) == (2, "logs", 1.0)


def test_an_evaluation_that_was_stopped_goes_on(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    asked: list[str] = []

    def stop_at_third(truth: Any, *rest: Any) -> Any:
        asked.append(truth.id)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return scoring.score_page(truth, *rest)

    monkeypatch.setattr(run, "score_page", stop_at_third)
    command = ["eval", str(corpus), "--workers", "1", "--output", str(out)]
    assert main(command) == 130
    with (out / "pages.jsonl").open("a") as file:
        file.write('{"id": "2", "cut of')
    assert main(command) == 0
    assert asked == ["0", "1", "2", "2", "3", "lost"]
    assert "resuming: 2 of 5 pages are already scored" in capsys.readouterr().err
    lines = (out / "pages.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line).get("id") for line in lines] == [None, "0", "1", "2", "3", "lost"]
    # A whole one is done again: the code may have changed.
    assert main(command) == 0
    assert asked[6:] == ["0", "1", "2", "3", "lost"]


def test_scores_of_another_state_are_not_taken_up(corpus: Path, tmp_path: Path) -> None:
    from duramen.corpus import Corpus

    pages = Corpus(corpus)
    plan = Plan(workers=1, limit=1)
    first = Journal(tmp_path / "out", plan.identity(pages), 5)
    assert len(list(evaluate(pages, plan, first))) == 1
    assert set(Journal(tmp_path / "out", plan.identity(pages), 5).scores) == {"0"}
    other = Plan(workers=1, extractor="json:loads").identity(pages)
    assert Journal(tmp_path / "out", other, 5).scores == {}


@pytest.mark.parametrize(
    "wrong",
    [
        ["--content-right", "0"],
        ["--worst", "-1"],
        ["--limit", "0"],
        ["--workers", "0"],
        ["--inspector", "javascript:alert(1)"],
    ],
)
def test_wrong_usage_is_told(corpus: Path, wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["eval", str(corpus), *wrong])
    assert stop.value.code == 2
    assert "error:" in capsys.readouterr().err


def test_an_extractor_that_is_not_there_is_told(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", str(corpus), "--workers", "1", "--extractor", "nowhere:nothing"]) == 1
    assert "'nowhere:nothing' cannot be loaded" in capsys.readouterr().err


def test_a_folder_that_is_no_corpus_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["eval", str(tmp_path)])
    assert stop.value.code == 2
    assert "is not a corpus" in capsys.readouterr().err
