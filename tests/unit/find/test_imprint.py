"""What is about a page rather than of it: dates below titles, lists of tags, the labels of forms."""

from __future__ import annotations

import pytest

from duramen.find.imprint import settle_forms, settle_imprint
from duramen.options import Options
from duramen.page import Page
from duramen.read.reader import read_page


def read(body: str) -> Page:
    return read_page(f"<!doctype html><body>{body}", None, Options())


def lowered(body: str, titles: tuple[int, ...] = ()) -> list[str]:
    """The texts of the blocks whose probability is lowered, each to a fifth."""
    page = read(body)
    probabilities = [0.5] * len(page.blocks)
    settle_imprint(probabilities, page, titles)
    settle_forms(probabilities, page)
    assert {round(value, 9) for value in probabilities} <= {0.5, 0.1}
    return [text for text, value in zip(page.blocks.text, probabilities, strict=True) if value < 0.5]


TIME = "<time>3 May</time>"


@pytest.mark.parametrize(
    ("body", "titles", "found"),
    [
        (f"<h1>Oak</h1><div>{TIME}</div>", (0,), ["3 May"]),
        (f"<h1>Oak</h1><p>a</p><p>b</p><div>{TIME}</div>", (0,), ["3 May"]),
        (f"<h1>Oak</h1><p>a</p><p>b</p><p>c</p><div>{TIME}</div>", (0,), []),
        (f"<div>{TIME}</div><h1>Oak</h1>", (1,), []),
        (f"<h1>Oak</h1><p>{TIME} is a day</p>", (0,), []),
        (f"<h1>Oak</h1><div>{TIME}</div>", (), []),
        (f"<h1>Oak</h1><p>a</p><p>b</p><p>c</p><h2>Oak</h2><div>{TIME}</div>", (0, 4), ["3 May"]),
        (f"<h1>a</h1><h1>b</h1><p>x</p><p>x</p><p>x</p><h1>c</h1><div>{TIME}</div>", (0, 1, 5), []),
    ],
)
def test_a_date_alone_within_three_blocks_of_a_title(body: str, titles: tuple[int, ...], found: list[str]) -> None:
    assert lowered(body, titles) == found


TAG = "<li><a href=/tag/{0}>{0}</a></li>"
OAK, ELM = TAG.format("Oak"), TAG.format("Elm")


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (f"<ul>{OAK}{ELM}</ul>", ["Oak", "Elm"]),
        (f"<ol>{OAK}</ol>", ["Oak"]),
        (f"<dl>{OAK}</dl>", []),
        ("<ul></ul>", []),
        ("<ul><li><a href=/topics/oak/>Oak</a></ul>", ["Oak"]),
        ("<ul><li><a href=/tag/oak/2>Oak</a></ul>", []),
        ("<ul><li><a href=/tag/>Oak</a></ul>", []),
        ("<ul><li><a href=/oak>Oak</a></ul>", []),
        (f"<ul>{OAK}<li><a href=/elm>Elm</a></ul>", []),
        (f"<ul><li><a href=/elm>Elm</a>{OAK}</ul>", []),
        (f"<ul>{OAK}{ELM}<li>and many others that are no links</li></ul>", []),
        # At least 95 of 100 characters are links; each text has one more than its letters.
        (f"<ul>{TAG.format('O' * 37)}<li>x</ul>", ["O" * 37, "x"]),
        (f"<ul>{TAG.format('O' * 36)}<li>x</ul>", []),
        ("<ul><li><b><a href=/tag/oak>Oak</a></b></ul>", []),
        (f"<ul>{TAG.format('o') * 132}</ul>", ["o"] * 132),
        (f"<ul>{TAG.format('o') * 134}</ul>", []),
    ],
)  # fmt: skip
def test_a_short_list_of_nothing_but_links_to_tags(body: str, found: list[str]) -> None:
    assert lowered(body) == found


def words(count: int) -> str:
    return " ".join(["oak"] * count)


@pytest.mark.parametrize("field", ["<input>", "<input type=email>", "<textarea></textarea>", "<select></select>"])
def test_a_form_asks_by_any_field_that_is_filled_in(field: str) -> None:
    assert lowered(f"<form><p>Your name</p>{field}</form>") == ["Your name"]


@pytest.mark.parametrize("kind", ["hidden", "Submit", "button", "image", "reset", "checkbox", "radio"])
def test_a_form_of_buttons_and_choices_asks_for_nothing(kind: str) -> None:
    assert lowered(f"<form><p>Your name</p><input type={kind}></form>") == []
    assert lowered(f"<form><p>Your name</p><input type={kind}><input></form>") == ["Your name"]


def test_the_field_is_inside_the_form() -> None:
    assert lowered("<input><form><p>Your name</p></form><input>") == []


@pytest.mark.parametrize(("count", "asks"), [(60, True), (61, False)])
def test_a_form_that_holds_a_page_is_no_question(count: int, asks: bool) -> None:
    assert lowered(f"<form><p>{words(count)}</p><input></form>") == [words(count)] * asks


@pytest.mark.parametrize(
    ("label", "found"),
    [
        ("<label><input type=radio> Oak</label>", True),
        ("<label><input type=Radio> Oak</label>", True),
        ("<label><input type=checkbox> Oak</label>", False),
        ("<label><input> Oak</label>", False),
        ("<input type=radio><label>Oak</label>", False),
        (f"<label><input type=radio>{words(12)}</label>", True),
        (f"<label><input type=radio>{words(13)}</label>", False),
    ],
)
def test_a_short_label_of_a_choice_outside_of_forms(label: str, found: bool) -> None:
    assert bool(lowered(f"<div>{label}</div>")) == found


@pytest.mark.parametrize(("count", "found"), [(59, True), (60, False)])
def test_a_choice_that_begins_a_long_text_is_no_label_alone(count: int, found: bool) -> None:
    assert bool(lowered(f"<p><label><input type=radio>oak</label> {words(count)}</p>")) == found
