"""The comparison's table and plot, from a measured file made up here; and one extractor run for real."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from benchmarks.compare import ROOT, keep, main, plot, scale_of, scaled, table
from benchmarks.corpora import MissingCorpora

P = "<p>Oak heartwood is hard, dark and durable, and shipwrights chose it for keels and ribs.</p>"


def row(name: str, f1: float, ms: float) -> dict[str, Any]:
    others = {"snippets-dev": {"snippetF1": 0.9, "fail": 0}, "reader-dev": {"F1": 0.8, "fail": 0}}
    wcxb = {"F1": f1, "kinds": {"article": f1}, "ms": ms, "fail": 1}
    return {"name": name, "version": "1.0", "memory": 90_000_000, "corpora": {"wcxb-dev": wcxb, **others}}


ROWS = [row("slow", 0.71, 950.0), row("duramen", 0.93, 4.0), {"name": "absent", "missing": "No module named 'absent'"}]


def test_the_best_stands_first_and_what_is_missing_is_told() -> None:
    lines = table(ROWS).splitlines()
    assert [line.split()[1] for line in lines[2:4]] == ["duramen", "slow"]
    assert "| 0.930 | 0.930 | - |" in lines[2] and lines[2].endswith("| 4.0 | 90 | 1 |")
    assert lines[-1] == "absent: not measured: No module named 'absent'"


def test_what_was_measured_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"

    def kept() -> list[tuple[str, float]]:
        return [(r["name"], r["corpora"]["wcxb-dev"]["F1"]) for r in json.loads(path.read_text("utf-8"))["rows"]]

    for measured in (row("a", 0.5, 1.0), row("b", 0.6, 1.0), row("a", 0.7, 1.0)):
        keep(path, measured, None)
    assert kept() == [("a", 0.7), ("b", 0.6)]
    keep(path, row("b", 0.9, 1.0), 60)
    assert kept() == [("b", 0.9)]


def test_the_plot_has_every_point_where_it_belongs() -> None:
    root = ET.fromstring(plot({"rows": ROWS}))
    points = [(float(c.get("cx", 0)), float(c.get("cy", 0))) for c in root.iter("{http://www.w3.org/2000/svg}circle")]
    (best_x, best_y), (slow_x, slow_y) = points
    assert best_x < slow_x and best_y < slow_y
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"duramen", "slow", "1 ms", "1000 ms", "0.70", "0.95"} <= set(texts)


def test_an_extractor_answers_page_by_page(tmp_path: Path) -> None:
    page = tmp_path / "a.html.gz"
    page.write_bytes(gzip.compress(f"<body><nav><a href=/>Home</a></nav><main><h1>Oaks</h1>{P * 5}".encode()))
    job = json.dumps({"path": str(page), "url": None, "fold": 0}) + "\n"
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "peers.py"), "duramen, text only"],
        input=job * 2, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    version, *answers, last = map(json.loads, done.stdout.splitlines())
    assert version["version"] and len(answers) == 2 and last["memory"] > 1_000_000
    assert all("Oak heartwood is hard" in answer["text"] and answer["cpu"] >= 0 for answer in answers)


def test_pages_nobody_trained_on_are_judged_by_the_shipped_model(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    records: dict[str, dict[str, Any]] = {
        "wcxb-test": {"kind": "article", "text": "Oak heartwood is hard"},
        "snippets-test": {"kind": "article", "with": ["Oak heartwood"], "without": ["Home"]},
        "reader-test": {"kind": "article", "html_truth": P},
    }
    for name, record in records.items():
        folder = tmp_path / "corpora" / name
        (folder / "html").mkdir(parents=True)
        record |= {"id": "1", "url": "https://a.example/"}
        (folder / "truth.jsonl").write_text(json.dumps(record), encoding="utf-8")
        page = f"<body><nav><a href=/>Home</a></nav><main><h1>Oaks</h1>{P * 5}"
        (folder / "html" / "1.html.gz").write_bytes(gzip.compress(page.encode()))
    out = tmp_path / "measured.json"
    words = ["--half", "test", "--systems", "duramen, text only", "--shared", str(tmp_path), "--output", str(out)]
    assert main(words) == 0
    (measured,) = json.loads(out.read_text("utf-8"))["rows"]
    assert measured["corpora"]["snippets-dev"]["snippetF1"] == 1.0 and measured["corpora"]["wcxb-dev"]["R"] == 1.0
    assert "duramen, text only" in capfd.readouterr().out
    with pytest.raises(MissingCorpora):
        main(["--systems", "duramen", "--shared", str(tmp_path), "--output", str(out)])


def test_times_of_another_day_are_brought_to_one_scale() -> None:
    scale = scale_of(row("known", 0.8, 60.0), row("known", 0.8, 90.0))
    measured = row("new", 0.7, 30.0)
    for corpus in measured["corpora"].values():
        corpus["ms"] = 30.0
    made = scaled(measured, scale, "known")
    assert {name: round(corpus["ms"], 3) for name, corpus in made["corpora"].items()} == {
        "wcxb-dev": 20.0, "snippets-dev": 20.0, "reader-dev": 20.0,
    }  # fmt: skip
    assert made["scaled"] == {"by": scale, "beside": "known"} and measured["corpora"]["wcxb-dev"]["ms"] == 30.0
    assert scaled({"name": "gone", "missing": "x"}, scale, "known") == {"name": "gone", "missing": "x"}
