"""What README and documentation quote from runs and measurements is what comes out now."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from benchmarks.compare import KINDS, MEASURED
from benchmarks.figures import overview, peers, types, written_into

from .examples import PAGES, ROOT, blocks_of
from .generated import as_generated


@pytest.mark.parametrize("page", PAGES)
def test_page_is_as_generated(page: str) -> None:
    assert (ROOT / page).read_text(encoding="utf-8") == as_generated(page), (
        "run scripts/docs write, and read the change"
    )


def test_no_page_has_older_figures_than_another() -> None:
    """The comparison, the evaluation and the model card are measured by three commands."""
    rows = json.loads(MEASURED.read_text(encoding="utf-8"))["rows"]
    corpora = next(row["corpora"] for row in rows if row["name"] == "duramen")
    kinds = {kind: f"{value:.3f}" for kind, value in corpora["wcxb-dev"]["kinds"].items()}
    evaluation = (ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8")
    by_type = evaluation.partition("| page type |")[2].partition("\n\n")[0]
    assert dict(re.findall(r"^\| (\w+) \| \d+ \| ([\d.]+) \|", by_type, re.M)) == kinds
    card = (ROOT / "src" / "duramen" / "data" / "model" / "README.md").read_text(encoding="utf-8")
    assert dict(re.findall(r"^\| wcxb-dev \| word F1, (\w+) \| ([\d.]+) \|", card, re.M)) == kinds
    for corpus, figure, words in (
        ("wcxb-dev", "F1", "word F1"),
        ("snippets-dev", "snippetF1", "snippet F1"),
        ("reader-dev", "F1", "word F1"),
    ):
        value = f"{corpora[corpus][figure]:.3f}"
        assert re.search(rf"^`{corpus}`, [\d,]+ pages: .*\b{figure} {value}\b", evaluation, re.M), corpus
        assert f"| {corpus} | {words} | {value} |" in card
        assert f"| {corpus}, {words} | {value} |" in (ROOT / "docs" / "options.md").read_text(encoding="utf-8")


def test_there_is_a_worked_trace() -> None:
    trace = next(block for block in blocks_of("docs/how-it-decides.md") if block.generated).text
    for chapter in ("candidates", "blocks", "removed", "quality"):
        assert f"\n{chapter}\n" in trace
    assert "semantic (main), score" in trace and ": won" in trace


def measured(name: str, f1: float, ms: float) -> dict[str, Any]:
    wcxb = {"F1": f1, "kinds": dict.fromkeys(KINDS, f1), "ms": ms}
    others = {"snippets-dev": {"snippetF1": 0.9}, "reader-dev": {"F1": 0.8}}
    return {"name": name, "version": "1.0", "memory": 90_000_000, "corpora": {"wcxb-dev": wcxb, **others}}


ROWS = {"rows": [measured("quick", 0.71, 4.0), measured("duramen", 0.93, 9.5), {"name": "absent", "missing": "why"}]}


def test_table_has_duramen_first_and_the_best_in_bold() -> None:
    lines = peers(ROWS).splitlines()
    assert lines[0] == "|  | Duramen 1.0 | quick 1.0 |"
    assert lines[2] == "| WCXB development split, word F1 | **0.930** | 0.710 |"
    assert "| CPU milliseconds a WCXB page | 9.5 | **4.0** |" in lines
    assert len(lines) == 2 + 1 + len(KINDS) + 4


@pytest.mark.parametrize("table", [overview, types])
def test_tables_of_all_extractors_fit_the_screen(table: Callable[[Any], str]) -> None:
    lines = table(ROWS).splitlines()
    assert [line.split(" | ")[0] for line in lines] == ["| ", "| ---", "| Duramen 1.0", "| quick 1.0"]
    assert "**0.930**" in lines[2] and "0.710" in lines[3]
    assert max(map(len, lines)) <= 110 and max(line.count("|") for line in lines) <= 9


def test_tables_are_written_between_their_marks() -> None:
    page = "before\n<!-- begin overview -->\nold\n<!-- end overview -->\nafter\n"
    once = written_into(page, ROWS)
    assert (
        "old" not in once
        and once.startswith("before\n<!-- begin overview -->\n| ")
        and once.endswith("<!-- end overview -->\nafter\n")
    )
    assert written_into(once, ROWS) == once
    with pytest.raises(ValueError, match="unknown table 'piers'"):
        written_into(page.replace("overview", "piers"), ROWS)
