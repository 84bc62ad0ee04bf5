"""Texts in attributes are left out where only what is shown counts."""

from __future__ import annotations

import pytest

from duramen.dom import fragment
from duramen.refine.elements.attribute_texts import drop_attribute_texts, drop_stand_ins


def dropped(html: str) -> tuple[str, list[str]]:
    root = fragment(html)
    found = [removal.reason.rpartition(" ")[2] for removal in drop_attribute_texts(root)]
    return root.inner_html, found


@pytest.mark.parametrize(
    "name",
    [
        "title",
        "aria-label",
        "aria-description",
        "label",
        "summary",
        "data-caption",
        "data-title",
        "alttext",
        "data-tex",
    ],
)
def test_each_attribute(name: str) -> None:
    assert dropped(f'<p {name}="Buy elm now">Oak</p>') == ("<p>Oak</p>", [name])


@pytest.mark.parametrize("attribute", ['class="elm"', 'href="/elm"', 'title=" "', 'title=""'])
def test_other_attributes_stay(attribute: str) -> None:
    assert dropped(f"<a {attribute}>Oak</a>") == (f"<a {attribute}>Oak</a>", [])


def test_what_the_element_shows_anyway_is_not_reported() -> None:
    assert dropped('<a title="Oak!">oak</a><a title="–">Elm</a>') == ("<a>oak</a><a>Elm</a>", [])


@pytest.mark.parametrize(
    ("alt", "stays"),
    [
        ("A tree", False),
        (":)", True),
        ("ab 12", True),
        ("abc", False),
        (r"\frac{a}{b}", True),
        (r"\text{one two}", True),
        (r"\text{one two three}", False),
    ],
)
def test_alternative_texts(alt: str, stays: bool) -> None:
    html, found = dropped(f'<img src="/a.png" alt="{alt}">')
    assert (html, bool(found)) == (f'<img src="/a.png" alt="{alt if stays else "image"}">', not stays)


def test_what_took_their_place_goes_at_the_end() -> None:
    root = fragment('<img src="/a.png" alt="A tree"><img src="/b.png" alt=":)"><p alt="image">Oak</p>')
    drop_attribute_texts(root)
    drop_stand_ins(root)
    assert root.inner_html == '<img src="/a.png"><img src="/b.png" alt=":)"><p alt="image">Oak</p>'


@pytest.mark.parametrize(
    ("tex", "stays"),
    [(r"\alpha + x", True), ("area of", True), ("area of the lake", False), (r"\text{lake}", False)],
)
def test_formulas_keep_what_they_show(tex: str, stays: bool) -> None:
    html, found = dropped(f'<math alttext="{tex}"><mi>area</mi></math>')
    assert ("alttext" in html, bool(found)) == (stays, not stays)


def test_so_many_are_reported() -> None:
    html, found = dropped('<p title="Buy elm">Oak</p>' * 1002)
    assert "title" not in html and len(found) == 1000


def test_what_is_reported_is_short() -> None:
    (removal,) = drop_attribute_texts(fragment(f'<p title="{"elm " * 60}">Oak</p>'))
    assert removal.words == ("elm " * 60)[:80] and removal.place == "p"
