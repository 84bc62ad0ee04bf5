"""Iterators and tables: one answer for each page, in order, whatever the pages do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from archives import page

from duramen.batch import extract_batches, extract_many, extract_table
from duramen.batch.records import Record
from duramen.errors import BatchError, InputError


def test_outcomes_come_in_order_and_a_bad_page_is_one_failure() -> None:
    words = {2: "EXIT", 5: "LOOP", 6: "RAISE", 9: "DAWDLE"}
    pages = [{"html": page(n, words.get(n, "")), "url": f"https://oaks.example/{n}", "id": n} for n in range(12)]
    outcomes = list(extract_many(pages, workers=2, deadline=4.0, extractor="faulty:faulty"))
    assert [outcome.id for outcome in outcomes] == [str(n) for n in range(12)]
    codes = {int(o.id): o.failure.code for o in outcomes if o.failure is not None}
    assert codes == {2: "crash", 5: "timeout", 6: "error"}
    assert all((o.result is None) == (o.failure is not None) for o in outcomes)
    last = outcomes[-1].result
    assert last is not None and "page 11" in last.text and last.url == "https://oaks.example/11"


def test_the_engine_itself_in_parallel(article_html: str) -> None:
    outcome, other = extract_many([(article_html, "https://timber.example/a"), article_html.encode()], workers=1)
    assert outcome.result is not None and other.result is not None
    assert outcome.result.title == "Why old beams outlast new ones"
    assert outcome.result.trace.steps and not outcome.result.trace.removals
    assert outcome.result.text and other.result.markdown


def test_pages_are_asked_for_as_they_are_needed() -> None:
    asked = 0

    def pages() -> Iterator[Record]:
        nonlocal asked
        while True:
            asked += 1
            yield Record(str(asked), page(asked))

    outcomes = extract_many(pages(), workers=1, extractor="faulty:quick")
    assert [next(outcomes).id for _ in range(5)] == ["1", "2", "3", "4", "5"]
    outcomes.close()  # type: ignore[attr-defined]
    assert asked < 100


def test_wrong_pages_are_answered() -> None:
    with pytest.raises(InputError, match=r"page 1 is a int; pass HTML, a pair \(html, url\)"):
        list(extract_many([b"<p>", 3], workers=1, extractor="faulty:quick"))
    with pytest.raises(BatchError, match="cannot be loaded"):
        list(extract_many([b"<p>"], workers=1, extractor="nowhere:at_all"))
    assert list(extract_many([])) == []


def test_tables() -> None:
    pa = pytest.importorskip("pyarrow", reason="needs the extra 'batch'")
    table = pa.table(
        {"html": [page(0), None, page(2, "EXIT"), page(3)], "url": [f"https://oaks.example/{n}" for n in range(4)]}
    )
    done = extract_table(table, workers=1, content=("text", "html"), extractor="faulty:faulty")
    assert done.num_rows == 4
    assert done["failure"].to_pylist() == [None, "unreadable", "crash", None]
    assert done["url"].to_pylist() == table["url"].to_pylist()
    assert "page 3" in done["text"][3].as_py() and done["text"][2].as_py() is None
    batches = list(extract_batches(table.to_batches(2), workers=1, content=("text", "html"), extractor="faulty:faulty"))
    assert pa.Table.from_batches(batches).drop_columns(["id", "offset"]).equals(done.drop_columns(["id", "offset"]))
    with pytest.raises(InputError, match=r"there is no column 'body'; name one of html, url"):
        extract_table(table, html="body", workers=1)
    with pytest.raises(InputError, match="a list is not a table"):
        extract_table([1, 2])


def test_polars_and_pandas_frames() -> None:
    pytest.importorskip("pyarrow", reason="needs the extra 'batch'")
    polars = pytest.importorskip("polars", reason="needs polars")
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    columns = {"html": [page(n).decode() for n in range(3)], "url": ["https://oaks.example/"] * 3}
    for frame in (polars.DataFrame(columns), pandas.DataFrame(columns)):
        done = extract_table(frame, workers=1, extractor="faulty:quick")
        assert polars.from_arrow(done).height == 3
        assert len(done.to_pandas()) == 3
