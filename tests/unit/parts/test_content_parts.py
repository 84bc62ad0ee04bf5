"""Links, images and tables of the content."""

from __future__ import annotations

import csv
import io
import json
import pickle

import pytest

from duramen import extract
from duramen.parts.images import images_of
from duramen.parts.links import Link, links_of
from duramen.parts.tables import Table, tables_of

PAGE = """<html lang=en><title>Oaks</title><body><main><h1>Oaks</h1>
<p>Oaks live for centuries, and their heartwood is hard, dark and durable. See <a href="/red">red oaks</a>.</p>
<h2>Wood</h2><p>The wood of oaks is used for ships, casks and floors, as it was a thousand years ago.</p>
<figure><img src="leaf.png" alt="A leaf" width=640 height=480><figcaption>A leaf of the <i>red</i> oak</figcaption>
</figure>
<h3>Density</h3>
<table><caption>In kg/m³</caption><thead><tr><th rowspan=2>Oak<th colspan=2>Density<tr><th>dry<th>green</thead>
<tr><td>red<td>700<td>1010<tr><td>white<td>750</table>
<p>More on <a href="/red"><img src="red.png" alt="red"></a> and <a href="#wood">wood</a> in this book.</p></main>"""


def test_links_are_absolute_once_and_under_their_headings() -> None:
    result = extract(PAGE, "https://example.org/oaks/")
    assert result.links == (Link("https://example.org/red", "red oaks", None, (), 2),)
    assert [image.url for image in result.images] == [
        "https://example.org/oaks/leaf.png",
        "https://example.org/oaks/red.png",
    ]
    leaf = result.images[0]
    assert (leaf.alt, leaf.caption, leaf.width, leaf.height) == ("A leaf", "A leaf of the red oak", 640, 480)
    assert leaf.headings == ("Wood",)


def test_link_of_an_image_is_named_by_it() -> None:
    (link,) = links_of('<a href="https://example.org/"><img src="https://example.org/a.png" alt="Oak"></a>')
    assert link.text == "Oak"


def test_caption_is_that_of_the_own_figure() -> None:
    html = '<figure><figure><img src="a"></figure><figcaption>Both</figcaption></figure><p><img src="b"></p>'
    assert [image.caption for image in images_of(html)] == ["", ""]


def test_headings_end_where_one_of_their_level_begins() -> None:
    link = '<a href="https://example.org/{}">x</a>'.format
    html = f"<h2>A</h2><h4>B</h4>{link(1)}<h3>C</h3>{link(2)}<h2>D</h2>{link(3)}"
    assert [found.headings for found in links_of(html)] == [("A", "B"), ("A", "C"), ("D",)]


def test_table_resolves_spans_and_knows_its_header() -> None:
    (table,) = extract(PAGE, "https://example.org/oaks/").tables
    assert table.header_rows == 2
    assert table.rows[0] == ("Oak", "Density", "Density")
    assert table.columns == ("Oak", "Density / dry", "Density / green")
    assert table.body == (("red", "700", "1010"), ("white", "750", ""))
    assert (table.caption, table.headings) == ("In kg/m³", ("Wood", "Density"))
    assert list(csv.reader(io.StringIO(table.to_csv()))) == [list(table.columns), *map(list, table.body)]
    assert json.loads(table.to_json())[0] == {"Oak": "red", "Density / dry": "700", "Density / green": "1010"}


def test_table_as_a_data_frame() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    (table,) = tables_of("<table><tr><th>Oak<th>kg<tr><td>red<td>700</table>")
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.to_dict("records") == [{"Oak": "red", "kg": "700"}]
    assert table.to_polars().equals(polars.DataFrame({"Oak": ["red"], "kg": ["700"]}))


def test_columns_without_names_are_numbered() -> None:
    (table,) = tables_of("<table><tr><td>red<td>700<tr><td>white<td>750</table>")
    assert (table.header_rows, table.columns) == (0, ("1", "2"))
    assert Table((("a", "a", "a (2)"), ("1", "2", "3")), 1, "", ()).columns == ("a", "a (2)", "a (2) (2)")


def test_layout_and_empty_tables_are_left_out() -> None:
    assert tables_of("<table><tr><td><ul><li>one</ul></table><table><tr><td><td></table>") == ()


def test_a_table_in_a_cell_is_text_of_the_cell() -> None:
    html = "<table><tr><th>A<th>B<tr><td><table><tr><td>1<td>2</table><td>3</table>"
    assert [table.body for table in tables_of(html)] == [(("1 2", "3"),)]


def test_spans_of_a_hostile_table_are_bounded() -> None:
    html = "<table>" + "<tr><td colspan=100 rowspan=100>x" * 2000 + "</table>"
    (table,) = tables_of(html)
    assert sum(map(len, table.rows)) < 5_000_000


def test_parts_pickle() -> None:
    result = extract(PAGE, "https://example.org/oaks/")
    parts = (result.links, result.images, result.tables, result.chunks(64))
    assert pickle.loads(pickle.dumps(parts)) == parts
    again = pickle.loads(pickle.dumps(result))
    assert (again.links, again.images, again.tables, again.chunks(64)) == parts
