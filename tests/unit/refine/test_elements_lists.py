"""Lists: the boxes of tasks."""

from __future__ import annotations

import pytest
from refine_shapes import canonical


@pytest.mark.parametrize(
    "item",
    [
        '<input type="checkbox" checked> Oak',
        '<label><input type="checkbox" checked> Oak</label>',
        '<span><input type="checkbox" checked><span></span></span><div><p>Oak</p></div>',
    ],
)
def test_a_box_begins_the_text_of_its_item(item: str) -> None:
    text = canonical(f"<ul><li>{item}</li></ul>").replace("<p>", "").replace("</p>", "").replace("☑  ", "☑ ")
    assert text.replace("<label>", "").replace("</label>", "") == "<ul><li>☑ Oak</li></ul>"


def test_a_box_in_running_text_is_a_field() -> None:
    assert canonical('<div><div><div><input type="checkbox"> Oak</div></div></div>') == "<p>Oak</p>"
