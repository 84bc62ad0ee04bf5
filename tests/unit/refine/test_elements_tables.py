"""Tables: data kept, layout taken apart in reading order."""

# ruff: noqa: E501 (markup as the generators write it reads better unbroken)

from __future__ import annotations

import pytest
from refine_shapes import canonical

from duramen.options import Output
from duramen.refine.standardize import canonical_form

LONG = "word " * 90
SHAPES = {
    "data": (
        '<table class="t"><caption>Depths</caption><thead><tr><th scope="col">Bay</th><th>m</th></tr></thead><tbody><tr><td>A'
        "</td><td>3</td></tr></tbody></table>",
        "<table><caption>Depths</caption><thead><tr><th>Bay</th><th>m</th></tr></thead><tbody><tr><td>A</td><td>3</td></tr>"
        "</tbody></table>",
    ),
    "data without header": (
        "<table><tr><td>A</td><td>3</td></tr><tr><td>B</td><td></td></tr></table>",
        "<table><tbody><tr><td>A</td><td>3</td></tr><tr><td>B</td><td></td></tr></tbody></table>",
    ),
    "spans": (
        '<table><tr><th colspan="2">A</th><th rowspan="x">B</th></tr><tr><td colspan="0">1</td><td colspan="99999999">2</td>'
        '<td rowspan="1">3</td></tr></table>',
        '<table><tbody><tr><th colspan="2">A</th><th>B</th></tr><tr><td>1</td><td colspan="1000">2</td><td>3</td></tr></tbody>'
        "</table>",
    ),
    "empty rows": (
        "<table><tr><th>A</th><th>B</th></tr><tr><td> </td><td><span></span></td></tr><tr></tr><tr><td>1</td><td>2</td></tr>"
        "</table>",
        "<table><tbody><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></tbody></table>",
    ),
    "paragraphs in cells": (
        "<table><tr><th><p>A</p></th><th>B</th></tr><tr><td><div>1</div></td><td><p>x</p><p>y</p></td></tr></table>",
        "<table><tbody><tr><th>A</th><th>B</th></tr><tr><td>1</td><td><p>x</p><p>y</p></td></tr></tbody></table>",
    ),
    "caption for screen readers": (
        '<table>\n<caption><span class="sr-only">Depths</span></caption>\n<tbody><tr><th>A</th><th>B</th></tr><tr><td>1</td>'
        "<td>2</td></tr></tbody></table>",
        "<table>\n\n<tbody><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></tbody></table>",
    ),
    "presentation": (
        '<table role="presentation"><tr><td>One</td><td>Two</td></tr><tr><td><p>Three</p></td></tr></table>',
        "<p>One</p><p>Two</p><p>Three</p>",
    ),
    "one cell": ("<table><tr><td>One <b>cell</b></td></tr></table>", "<p>One <b>cell</b></p>"),
    "one column": ("<table><tr><td>One</td></tr><tr><td>Two</td></tr></table>", "<p>One</p><p>Two</p>"),
    "nested": (
        "<table><tr><td>Menu</td><td><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table></td></tr>"
        "</table>",
        "<p>Menu</p><table><tbody><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></tbody></table>",
    ),
    "nested in a table of data": (
        "<table><tr><th>Tree</th><th>Data</th></tr><tr><td>Oak</td><td><table><tr><td>h</td><td>30</td></tr><tr><td>w</td>"
        "<td>2</td></tr></table></td></tr></table>",
        "<table><tbody><tr><th>Tree</th><th>Data</th></tr><tr><td>Oak</td><td><table><tbody><tr><td>h</td><td>30</td></tr>"
        "<tr><td>w</td><td>2</td></tr></tbody></table></td></tr></tbody></table>",
    ),
    "posts in a table with headers": (
        f"<table><tr><th>Author</th><th>Post</th></tr><tr><td>Ann</td><td>{LONG}<table><tr><th>A</th><th>B</th></tr></table></td>"
        "</tr></table>",
        f"<p>Author</p><p>Post</p><p>Ann</p><p>{LONG.strip()}</p><table><tbody><tr><th>A</th><th>B</th></tr></tbody></table>",
    ),
    "alignment": (
        '<table><tr style="text-align:right"><th align="LEFT">A</th><th style="color:red; text-align: center">B</th><th>C</th></tr>'
        '<tr><td align="justify">1</td><td style="text-align:end">2</td><td>3</td></tr></table>',
        '<table><tbody><tr><th align="left">A</th><th align="center">B</th><th align="right">C</th></tr>'
        '<tr><td>1</td><td align="right">2</td><td>3</td></tr></tbody></table>',
    ),
    "foot before the body": (
        "<table><thead><tr><th>A</th><th>B</th></tr></thead><tfoot><tr><td>Sum</td><td>3</td></tr></tfoot><tbody><tr><td>x</td>"
        "<td>3</td></tr></tbody></table>",
        "<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>x</td><td>3</td></tr></tbody><tfoot><tr><td>Sum</td>"
        "<td>3</td></tr></tfoot></table>",
    ),
    "prose": (
        f"<table><tr><td>Left</td><td>{LONG}</td></tr></table>",
        f"<p>Left</p><p>{LONG.strip()}</p>",
    ),
    "legacy layout": (
        '<table width="100%" cellpadding="0" border="0"><tr><td bgcolor="red"><h1>T</h1></td><td><ul><li>a</li></ul></td></tr>'
        "<tr><td>x</td><td>y</td></tr></table>",
        "<h1>T</h1><ul><li>a</li></ul><p>x</p><p>y</p>",
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shape(name: str) -> None:
    html, expected = SHAPES[name]
    assert canonical(html) == expected
    assert canonical(expected) == expected


def test_white_space_of_the_source_makes_no_layout() -> None:
    stars = ("\n" + " " * 40).join(["<div>9</div><div>☆★</div>"] * 12)
    html = f"<table><tr><td>Score</td><td><div>{stars}</div></td></tr><tr><td>Theme</td><td>Survival</td></tr></table>"
    assert canonical(html).count("<td>") == 4


def test_nothing_but_rows_is_written_into_a_table() -> None:
    html, wanted = SHAPES["caption for screen readers"]
    assert canonical_form(html, None, Output()).inner_html == wanted


@pytest.mark.parametrize("mark", ['style="text-align:right"', 'align="right"', 'data-align="right"'])
def test_the_side_of_a_cell_in_every_way_it_is_written(mark: str) -> None:
    html = canonical(f"<table><tr><th>a</th><th {mark}>b</th></tr><tr><td>c</td><td>d</td></tr></table>")
    assert '<th align="right">b</th>' in html and html.count("align") == 1
