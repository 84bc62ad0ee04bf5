"""What the inspector is told of a page."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.inspector.inspection import MOST_BLOCKS, inspect_page
from duramen.inspector.rendering import render_page
from duramen.inspector.structure import structure
from duramen.options import Options
from duramen.pipeline import page_of

WORDS = "Oaks live for centuries, and their heartwood is hard, dark and durable, say the carpenters of the valley."
HTML = (
    "<title>Oak</title><body><nav><ul><li><a href=/>Home</a></li><li><a href=/b>Beech</a></li></ul></nav>"
    f"<div class=page><div class=inner><main id=m><h1>Oak</h1><p>{WORDS}</p><p>{WORDS} Twice.</p></main></div></div>"
)
PIECES = [
    "<div>",
    "</div>",
    "<p>",
    "</p>",
    "<ul><li>",
    "</ul>",
    "<table><td>",
    "<b>",
    "words ",
    "木",
    "<svg>",
    "<a href=x>",
    "&lt;",
]


def test_rows_nest_and_chains_are_one() -> None:
    rows = inspect_page(HTML, None, Options())["structure"]
    labels = {row["label"]: row for row in rows if "label" in row}
    assert "div.page › div.inner › main#m" in labels or {"div.page › div.inner", "main#m"} <= set(labels)
    assert labels["nav › ul"]["state"] == "dropped"
    assert rows[0]["depth"] == 0
    assert all(after["depth"] <= before["depth"] + 1 for before, after in pairwise(rows))


def test_removals_and_candidates_know_their_blocks() -> None:
    data = inspect_page(HTML, None, Options())
    blocks = data["blocks"]
    navigation = next(r for r in data["result"]["trace"]["removals"] if r["words"].startswith("Home"))
    (start, stop), *_ = navigation["blocks"]
    assert [blocks[b]["text"] for b in range(start, stop)] == ["Home", "Beech"]
    won = next(a for a in data["result"]["trace"]["attempts"] if a["outcome"] == "won")
    inside = {b for start, stop in won["blocks"] for b in range(start, stop)}
    assert {b for b, block in enumerate(blocks) if block["kept"]} <= inside or won["candidate"]["tier"] == "scoring"


def test_rendering_has_no_attribute_of_the_page() -> None:
    html = HTML.replace("<p>", '<p onclick=alert(1) style="color:red" class="kept b0" id=x data-x=1>')
    rendering = inspect_page(html, None, Options())["rendering"]
    assert set(re.findall(r"<[a-z0-9]+( [^>]*)?>", rendering)) <= {
        "", *(f' class="b{n} {state}"' for n in range(9) for state in ("kept", "dropped"))
    }  # fmt: skip
    assert "href" not in rendering


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_every_block_is_in_structure_and_rendering(html: str) -> None:
    page = page_of(html, None, Options())
    kept = [b % 2 == 0 for b in range(len(page.blocks))]
    rows = structure(page, kept, ())
    assert [row["block"] for row in rows if "block" in row] == list(range(len(page.blocks)))
    rendering = render_page(page, kept)
    for b in range(len(page.blocks)):
        assert f'class="b{b} ' in rendering


def test_long_pages_are_cut_and_deep_ones_are_no_trouble() -> None:
    data = inspect_page("<main>" + f"<p>{WORDS}</p>" * (MOST_BLOCKS + 5), None, Options())
    assert (len(data["blocks"]), data["left_out"]) == (MOST_BLOCKS, 5)
    deep = inspect_page("<div>" * 20_000 + "<p>deep</p>", None, Options())
    assert [block["text"] for block in deep["blocks"]] == ["deep"]


def test_elements_inside_a_block_are_part_of_its_row() -> None:
    html = "<nav><ul><li><a href=/a>Home</a><li><a href=/b><b>Beech</b></a></ul></nav><p>Oak <i>is <b>hard</b></i>.</p>"
    data = inspect_page(html, None, Options())
    rows = [row.get("label") or data["blocks"][row["block"]]["tag"] for row in data["structure"]]
    assert rows == ["html › body", "nav › ul", "li", "li", "p"]


def test_the_time_is_that_of_the_extraction_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([100.0, 100.25])
    monkeypatch.setattr("duramen.inspector.inspection.perf_counter", lambda: next(clock))
    assert inspect_page(HTML, None, Options())["seconds"] == 0.25
