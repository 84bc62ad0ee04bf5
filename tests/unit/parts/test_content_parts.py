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


@pytest.mark.parametrize(
    ("rows", "columns", "body"),
    [
        ("<tr><th>A<th>B<tr><td rowspan=0>1<td>2<tr><td>3", ("A", "B"), (("1", "2"), ("1", "3"))),
        ("<tbody><tr><th>A<th>B<tr><td rowspan=9>1<td>2<tbody><tr><td>3<td>4", ("A", "B"), (("1", "2"), ("3", "4"))),
        ("<thead><tr><th rowspan=2>A<th>B<tbody><tr><td>1<td>2", ("A", "B"), (("1", "2"),)),
        ("<tr><th>A<th>B<tr><td rowspan=' +2x'>1<td>2<tr><td>3", ("A", "B"), (("1", "2"), ("1", "3"))),
        ("<tr><th colspan=1000>Oaks<tr><th>A<th>B<tr><td>1<td>2", ("A", "B"), (("1", "2"),)),
        ("<tr><th rowspan=2>A<th colspan=2>B<tr><th>b<th>c<tr><td>1<td>2<td>3", ("A", "B / b", "B / c"),
         (("1", "2", "3"),)),
        ("<tr><th>A<th>B<tr><th>Reds<td><tr><td>1<td>2", ("A", "B"), (("Reds", ""), ("1", "2"))),
        ("<tr><th>A<th>B<tr><th colspan=2>Reds<tr><td>1<td>2", ("A", "B"), (("Reds", "Reds"), ("1", "2"))),
        ("<tr><th>A<th>B<tr><td><img src=y.png alt=yes><td>2", ("A", "B"), (("yes", "2"),)),
        ("<tr><th>A<th>B" + "<tr><td>1<td rowspan=150>2" + "<tr><td>1" * 149, ("A", "B"), (("1", "2"),) * 150),
    ],
)  # fmt: skip
def test_spans_and_heads_are_those_that_a_browser_shows(
    rows: str, columns: tuple[str, ...], body: tuple[tuple[str, ...], ...]
) -> None:
    page = PAGE.replace("<h3>Density</h3>", f"<table>{rows}</table>")
    table = extract(page, "https://example.org/oaks/").tables[0]
    assert (table.columns, table.body) == (columns, body)


def test_caption_of_the_figure_is_that_of_its_table() -> None:
    figure = "<figure><table><tr><th>A<th>B<tr><td>1<td>2</table><figcaption>In <i>kg</i></figcaption></figure>"
    result = extract(PAGE.replace("<h3>Density</h3>", figure), "https://example.org/oaks/")
    assert result.tables[0].caption == "In kg"
    assert result.html.count("In <i>kg</i>") == 1


def test_pictures_of_a_gallery_keep_their_captions() -> None:
    pictures = "".join(
        f"<figure><img src={n}.png><figcaption>The {n} oak</figcaption></figure>" for n in ("one", "two")
    )
    gallery = f"<figure>{pictures}<figcaption>All oaks</figcaption></figure>"
    result = extract(PAGE.replace("<h3>Density</h3>", gallery), "https://example.org/oaks/")
    assert [image.caption for image in result.images][1:3] == ["The one oak", "The two oak"]
    assert "<p>All oaks</p>" in result.html


def test_what_is_there_twice_says_what_either_says() -> None:
    (link,) = links_of(
        '<a href="https://a.example/"><img src="i" alt="Oak"></a><a href="https://a.example/" title="T">x</a>'
    )
    assert (link.text, link.title, link.count) == ("x", "T", 2)
    (image,) = images_of('<p><img src="i"></p><figure><img src="i" alt="Oak" width="9"><figcaption>Red</figcaption>')
    assert (image.alt, image.caption, image.width) == ("Oak", "Red", 9)


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
