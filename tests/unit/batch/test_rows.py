"""What rows say of where they come from, and what they carry through from the input."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from archives import packed, page, record
from test_faults import rows

from duramen import extract
from duramen.batch import extract_table
from duramen.batch.carried import REST
from duramen.batch.job import Job
from duramen.batch.part_columns import PARTS
from duramen.batch.run import run_batch
from duramen.batch.schema import COLUMNS, VERSION, columns_of
from duramen.errors import BatchError, InputError, OptionError

pytest.importorskip("fastwarc", reason="needs the extra 'batch'")
pa = pytest.importorskip("pyarrow", reason="needs the extra 'batch'")
pq = pytest.importorskip("pyarrow.parquet")


def job(out: Path, **values: Any) -> Job:
    return Job(output=str(out), extractor="faulty:quick", **values)


def captured(number: int, fields: str, body: bytes = b"") -> bytes:
    """A record with more WARC fields."""
    data = record(number, body or page(number))
    return packed(data.replace(b"WARC-Date: 2026-01-01T00:00:00Z\r\n", fields.encode(), 1))


def test_provenance_of_archived_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    fields = (
        "WARC-Date: 2026-02-03T04:05:06.789012Z\r\nWARC-Payload-Digest: sha1:PAYLOAD\r\n"
        "WARC-Block-Digest: sha1:BLOCK\r\nWARC-IP-Address: 192.0.2.7\r\nWARC-Truncated: length\r\n"
    )
    revisit = record(2, b"", kind="revisit")
    archive = captured(0, fields) + captured(1, "WARC-Block-Digest: sha1:BLOCK\r\n") + packed(revisit)
    Path("in").mkdir()
    Path("in/a.warc.gz").write_bytes(archive)
    summary = run_batch(["in/a.warc.gz"], job(tmp_path / "out"), workers=1)
    assert summary.total.rows == 2 and summary.total.skipped == {"revisit: the page is in an earlier record": 1}
    first, second = rows(tmp_path / "out", "pages")
    assert first["id"] == "<urn:uuid:00000000>" and first["url"] == "https://oaks0.example/0"
    assert first["fetched"] == datetime(2026, 2, 3, 4, 5, 6, 789012, UTC) and second["fetched"] is None
    assert (first["http_status"], first["content_type"]) == (200, "text/html; charset=utf-8")
    assert (first["digest"], second["digest"]) == ("sha1:PAYLOAD", "sha1:BLOCK")
    assert (first["ip_address"], first["truncated"], second["truncated"]) == ("192.0.2.7", "length", None)
    assert first["source"] == "in/a.warc.gz" and second["offset"] > first["offset"] == 0
    # An absolute path says where the user keeps files, and nothing about the page.
    run_batch([str(tmp_path / "in")], job(tmp_path / "absolute"), workers=1)
    assert {row["source"] for row in rows(tmp_path / "absolute", "pages", "source")} == {"in/a.warc.gz"}
    assert str(tmp_path) not in json.dumps(rows(tmp_path / "absolute", "pages"), default=str)


def test_dates_are_timestamps(tmp_path: Path) -> None:
    head = '<meta property="article:published_time" content="2024-05-01T23:30:00-02:00">'
    (tmp_path / "a.html").write_text(f"<html><head>{head}</head><body><p>{'Oaks live long. ' * 30}</p></body></html>")
    run_batch([str(tmp_path / "a.html")], Job(output=str(tmp_path / "out")), workers=1)
    schema = pq.read_schema(tmp_path / "out" / "pages" / "part-00000.parquet")
    assert schema.field("published").type == schema.field("modified").type == pa.timestamp("us", tz="UTC")
    (row,) = rows(tmp_path / "out", "pages", "published", "modified", "source")
    assert row == {"published": datetime(2024, 5, 2, 1, 30, tzinfo=UTC), "modified": None, "source": "a.html"}
    assert schema.metadata[b"duramen.schema"] == str(VERSION).encode()
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["schema"] == VERSION


def test_columns_can_be_chosen(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(page(1))
    run_batch([str(tmp_path / "a.html")], job(tmp_path / "out", columns=("title", "verdict")), workers=1)
    names = pq.read_schema(tmp_path / "out" / "pages" / "part-00000.parquet").names
    assert names == ["id", "url", "text", "title", "verdict"]
    with pytest.raises(OptionError, match=r"columns must name some of id, url, length, .* not 'colour'"):
        job(tmp_path, columns=("colour",))
    with pytest.raises(OptionError, match=r"not 'markdown'; choose the content with content"):
        job(tmp_path, columns=("markdown",))


def table() -> Any:
    return pa.table(
        {
            "html": [page(n).decode() for n in range(3)],
            "url": [f"https://oaks.example/{n}" for n in range(3)],
            "title": ["theirs", None, "own"],
            "when": pa.array([datetime(2026, 1, 1, n) for n in range(3)], pa.timestamp("ms")),
            "day": [date(2026, 1, n + 1) for n in range(3)],
            "price": pa.array([Decimal("1.50"), None, Decimal("2.25")], pa.decimal128(6, 2)),
            "raw": [b"\xff\x00", b"", None],
            "nested": [{"a": [1, 2], "b": "x"}, None, {"a": [], "b": None}],
            "kind": pa.array(["a", "b", "a"]).dictionary_encode(),
        }
    )


def test_columns_of_parquet_are_carried_through_with_their_types(tmp_path: Path) -> None:
    given = table()
    pq.write_table(given.slice(0, 2), tmp_path / "a.parquet", row_group_size=1)
    pq.write_table(given.slice(2).drop_columns(["raw"]), tmp_path / "b.parquet")
    run_batch([str(tmp_path / "a.parquet"), str(tmp_path / "b.parquet")], job(tmp_path / "out"), workers=1)
    made = pq.read_table(tmp_path / "out" / "pages")
    own = ["input_title", "when", "day", "price", "raw", "nested", "kind"]
    assert made.schema.names == [*columns_of(("text",)), *own]
    assert made["input_title"].to_pylist() == ["theirs", None, "own"] and set(made["title"].to_pylist()) == {"Oaks"}
    assert made["kind"].to_pylist() == ["a", "b", "a"] and made.schema.field("kind").type == pa.string()
    for name in ("when", "day", "price", "raw", "nested"):
        assert made[name].type == given[name].type and made[name].to_pylist() == given[name].to_pylist(), name


def test_columns_with_dictionaries_inside_and_names_that_collide(tmp_path: Path) -> None:
    words = pa.array(["oak", "elm"]).dictionary_encode()
    table = pa.table(
        {
            "html": [page(n).decode() for n in range(2)],
            "words": pa.ListArray.from_arrays(pa.array([0, 1, 2]), words),
            "pair": pa.StructArray.from_arrays([words], ["name"]),
            "view": pa.array(["a", "b"], pa.string_view()),
            "views": pa.array([["a"], None], pa.list_view(pa.string())),
            "deep": pa.array([[{"names": ["a", "b"]}], []], pa.list_(pa.struct({"names": pa.list_view(pa.string())}))),
            "title": ["first", "second"],
            "input_title": ["third", "fourth"],
            "URL": ["fifth", "sixth"],
        }
    )
    pq.write_table(table, tmp_path / "in.parquet")
    run_batch([str(tmp_path / "in.parquet")], job(tmp_path / "out"), workers=1)
    read = pq.read_table(tmp_path / "out/pages")
    assert read["words"].to_pylist() == [["oak"], ["elm"]] and read["pair"].to_pylist()[1] == {"name": "elm"}
    assert read["view"].type == pa.string()
    assert read["views"].type == pa.list_(pa.string()) and read["views"].to_pylist() == [["a"], None]
    # Polars and others cannot read the type of a list view.
    assert "list_view" not in str(read.schema)
    assert read["deep"].to_pylist() == [[{"names": ["a", "b"]}], []]
    assert read["input_input_title"].to_pylist() == ["first", "second"]
    assert read["input_title"].to_pylist() == ["third", "fourth"] and read["input_URL"].to_pylist() == [
        "fifth",
        "sixth",
    ]
    assert len({name.lower() for name in read.schema.names}) == len(read.schema.names)


def test_two_columns_of_one_name_are_an_error(tmp_path: Path) -> None:
    table = pa.Table.from_arrays([pa.array(["<p>Oaks"]), pa.array([1]), pa.array(["x"])], ["html", "rank", "rank"])
    pq.write_table(table, tmp_path / "in.parquet")
    with pytest.raises(BatchError, match="several columns have the name 'rank'"):
        run_batch([str(tmp_path / "in.parquet")], job(tmp_path / "out"), workers=1)


def test_carried_columns_can_be_named(tmp_path: Path) -> None:
    pq.write_table(table(), tmp_path / "a.parquet")
    source = [str(tmp_path / "a.parquet")]
    run_batch(source, job(tmp_path / "one", carry=("day",)), workers=1)
    run_batch(source, job(tmp_path / "none", carry=()), workers=1)
    names = [pq.read_schema(tmp_path / out / "pages" / "part-00000.parquet").names for out in ("one", "none")]
    assert names == [[*columns_of(("text",)), "day"], [*columns_of(("text",))]]
    with pytest.raises(BatchError, match=r"no input has a column 'colour' to carry through; see --carry"):
        run_batch(source, job(tmp_path / "three", carry=("colour",)), workers=1)


def test_columns_that_do_not_fit_each_other_are_an_error(tmp_path: Path) -> None:
    for name, value in (("a", 1), ("b", "one")):
        pq.write_table(pa.table({"html": [page(1).decode()], "n": [value]}), tmp_path / f"{name}.parquet")
    with pytest.raises(BatchError, match=r"b\.parquet: column 'n' has type string here and int64 in another input"):
        run_batch([str(tmp_path)], job(tmp_path / "out"), workers=1)


@pytest.mark.parametrize("format", ["parquet", "jsonl"])
def test_keys_of_json_lines_are_carried_through(format: str, tmp_path: Path) -> None:
    lines = [{"html": page(n).decode(), "crawl_id": n, "labels": ["a", "é"], "note": "\ud800x"} for n in range(1200)]
    lines[-1] = {"html": page(1199).decode(), "late": True, "note": "last"}
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    run_batch([str(tmp_path / "a.jsonl")], job(tmp_path / "out", format=format), workers=1)
    made = rows(tmp_path / "out", "pages", "id", "crawl_id", "labels", "note", REST)
    assert len(made) == 1200 and made[7]["id"].startswith("a.jsonl#")
    assert (made[7]["crawl_id"], made[7]["labels"], made[7]["note"]) == ("7", '["a", "é"]', "?x")
    assert made[-1] | {"id": ""} == dict.fromkeys(("crawl_id", "labels")) | {
        "id": "",
        "note": "last",
        REST: '{"late": true}',
    }


def test_odd_values_of_json_lines(tmp_path: Path) -> None:
    values = ["NaN", '{"share": NaN, "more": [Infinity]}', *("[" * depth + "]" * depth for depth in range(900, 1020))]
    (tmp_path / "a.jsonl").write_text("".join(f'{{"html": "<p>Oaks</p>", "value": {value}}}\n' for value in values))
    summary = run_batch([str(tmp_path / "a.jsonl")], job(tmp_path / "out"), workers=1)
    # No value keeps its page from being a row or a failure, or its worker from the next.
    assert summary.total.read == len(values) and set(summary.total.codes) <= {"unreadable"}
    made = rows(tmp_path / "out", "pages", "value")
    assert [row["value"] for row in made[:2]] == [None, '{"share": null, "more": [null]}']


def test_parquet_columns_in_json_lines(tmp_path: Path) -> None:
    pq.write_table(table(), tmp_path / "a.parquet")
    run_batch([str(tmp_path / "a.parquet")], job(tmp_path / "out", format="jsonl"), workers=1)
    first = rows(tmp_path / "out", "pages")[0]
    assert first["when"] == "2026-01-01T00:00:00" and first["price"] == "1.50" and first["raw"] == "/wA="
    assert first["nested"] == {"a": [1, 2], "b": "x"}


def test_columns_of_frames_are_carried_through() -> None:
    made = extract_table(table(), workers=1, extractor="faulty:quick")
    assert made["nested"].to_pylist() == table()["nested"].to_pylist() and "html" not in made.schema.names[40:]
    assert made["input_title"].to_pylist() == ["theirs", None, "own"]
    chosen = extract_table(table(), carry=("day",), workers=1, extractor="faulty:quick")
    assert [name for name in chosen.schema.names if name in table().schema.names] == ["url", "title", "day"]
    with pytest.raises(InputError, match="there is no column 'colour' to carry through"):
        extract_table(table(), carry=("colour",), workers=1, extractor="faulty:quick")


def test_the_schema_is_documented(root: Path) -> None:
    text = (root / "docs" / "batch-schema.md").read_text(encoding="utf-8")
    listed = [line.split("|") for line in text.splitlines() if line.startswith("| `")]
    pages = {cells[1].strip(" `"): (cells[2].strip(), cells[3].strip()) for cells in listed[: len(COLUMNS)]}
    assert pages == {name: (column.kind, column.meaning) for name, column in COLUMNS.items()}
    assert f"version {VERSION}" in text
    parts = {cells[1].strip(" `"): cells[2].strip() for cells in listed[len(COLUMNS) : len(COLUMNS) + len(PARTS)]}
    assert parts == {name: ", ".join(f"`{field}`" for field in kinds) for name, kinds in PARTS.items()}


def parts_page() -> bytes:
    posts = "".join(
        f'<div class="post"><span class="author">Ines {n}</span><time datetime="2026-01-0{n}">{n} January 2026</time>'
        f'<div class="body"><p>Oak number {n} grows here, and <a href="/{n}">its acorns</a> feed jays.</p></div>'
        "</div>"
        for n in range(1, 6)
    )
    table = "<table><tr><th>Tree</th><th>Age</th></tr><tr><td>Oak</td><td>300</td></tr></table>"
    return f"<html><title>Oaks</title><body><main><h1>Oaks</h1>{posts}{table}</main></body></html>".encode()


@pytest.mark.parametrize("format", ["parquet", "jsonl"])
def test_parts_are_nested_columns(format: str, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(parts_page())
    values: dict[str, Any] = {"format": format, "parts": tuple(PARTS), "file_size": 100_000}
    run_batch([str(tmp_path / "a.html")], Job(output=str(tmp_path / "out"), **values), workers=1)
    (row,) = rows(tmp_path / "out", "pages", *PARTS, "url", "text")
    result = extract(parts_page(), row["url"])
    assert [link["url"] for link in row["links"]] == [link.url for link in result.links] and row["links"]
    assert [chunk["text"] for chunk in row["chunks"]] == [chunk.text for chunk in result.chunks()]
    assert [(one["kind"], one["text"]) for one in row["records"]] == [(one.kind, one.text) for one in result.records]
    assert row["tables"][0]["rows"] == [["Tree", "Age"], ["Oak", "300"]] and row["images"] == []
    with pytest.raises(
        OptionError, match="parts must name some of records, links, images, tables, chunks, not 'posts'"
    ):
        job(tmp_path, parts=("posts",))


def test_frames_without_rows_have_the_same_columns() -> None:
    whole = extract_table(table(), workers=1, extractor="faulty:quick")
    none = table().schema.empty_table()
    for frame in (none, none.to_reader(), table().to_batches()[0].slice(0, 0)):
        assert extract_table(frame, workers=1, extractor="faulty:quick").schema == whole.schema


@pytest.mark.parametrize("names", [["html", "x", "x"], ["html", "html", "x"]])
def test_frames_with_two_columns_of_one_name_are_refused(names: list[str]) -> None:
    twice = pa.table([pa.array(["<p>Oaks</p>"])] * 3, names=names)
    with pytest.raises(InputError, match=r"several columns have the name '(x|html)'; rename them"):
        extract_table(twice, workers=1, extractor="faulty:quick")


def test_parts_in_frames() -> None:
    made = extract_table(pa.table({"html": [parts_page(), None]}), parts=("links",), workers=1)
    assert len(made["links"].to_pylist()[0]) == 5 and made["links"].to_pylist()[1] is None
