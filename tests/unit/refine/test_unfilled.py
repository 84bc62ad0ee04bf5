"""Templates that nobody filled."""

from __future__ import annotations

import pytest

from duramen.options import Options
from duramen.read.reader import read_page
from duramen.refine.unfilled import unfilled


def why(body: str) -> str:
    page = read_page(f"<!doctype html><body>{body}", None, Options())
    return unfilled(page, range(len(page.blocks)))


@pytest.mark.parametrize("place", ["{{ title }}", "${item.name}", "{% if oak %}", "<%= oak %>"])
def test_places_of_each_kind(place: str) -> None:
    written = place.replace("<", "&lt;")
    assert (
        why(f"<p>Oak {written}</p>")
        == f"{len(place) / (len(place) + 4):.0%} of the text are places to be filled ({place})"
    )


@pytest.mark.parametrize(
    "text", ["{ title }", "$item", "{{}}", "{{ a { b }}", f"{{{{{'x' * 121}}}}}", "{{ title }", "", "No places"]
)
def test_other_text_is_none(text: str) -> None:
    assert why(f"<p>{text}</p>") == ""


@pytest.mark.parametrize(("letters", "is_template"), [(14, True), (15, False)])
def test_the_share_of_places(letters: int, is_template: bool) -> None:
    # {{oa}} is six of twenty characters.
    assert bool(why(f"<p>{'x' * letters}{{{{oa}}}}</p>")) == is_template


@pytest.mark.parametrize("tag", ["pre", "code"])
def test_code_is_about_templates(tag: str) -> None:
    assert why(f"<p>Oak</p><{tag}><div>{{{{ title }}}}</div></{tag}>") == ""


def test_only_what_is_kept_counts_and_the_first_place_is_named() -> None:
    page = read_page(f"<!doctype html><p>Oak</p><p>{{{{{'a' * 50}}}}} {{{{b}}}}</p>", None, Options())
    assert unfilled(page, [0]) == ""
    assert unfilled(page, [0, 1]).endswith(f"({{{{{'a' * 38})")
