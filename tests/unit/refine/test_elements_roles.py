"""Headings and tables by their role."""

# ruff: noqa: E501 (markup as it is found reads better unbroken)

from __future__ import annotations

import pytest
from refine_shapes import canonical

SHAPES = {
    "heading": (
        '<div role="heading" aria-level="3">The sapwood</div><p>It rots.</p>',
        "<h3>The sapwood</h3><p>It rots.</p>",
    ),
    "heading without a level": (
        '<span role="heading">The sapwood</span><p>It rots.</p>',
        "<h2>The sapwood</h2><p>It rots.</p>",
    ),
    "heading of no level": ('<p role="heading" aria-level="9">The sapwood</p>', "<h2>The sapwood</h2>"),
    "table": (
        '<div role="table"><div role="rowgroup"><div role="row"><span role="columnheader">Tree</span><span role="columnheader">Height'
        '</span></div></div><div role="row"><span role="cell">Oak</span><span role="cell">30</span></div></div>',
        "<table><tbody><tr><th>Tree</th><th>Height</th></tr><tr><td>Oak</td><td>30</td></tr></tbody></table>",
    ),
    "table with text between its cells": (
        '<div role="table">Trees<div role="row"><span role="cell">Oak</span><span role="cell">30</span></div></div>',
        "<p>Trees</p><p>Oak</p><p>30</p>",
    ),
    "a real table": (
        '<table role="table"><tr role="row"><th role="columnheader">A</th><th>B</th></tr><tr><td role="cell">1</td><td>2</td></tr></table>',
        "<table><tbody><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></tbody></table>",
    ),
    "list of cards": (
        '<ul role="grid"><li role="row"><div role="gridcell">Oak</div></li><li role="row"><div role="gridcell">Elm</div></li></ul>',
        "<ul><li>Oak</li><li>Elm</li></ul>",
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shape(name: str) -> None:
    html, expected = SHAPES[name]
    assert canonical(html) == expected
    assert canonical(expected) == expected
