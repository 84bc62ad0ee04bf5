"""The metadata as YAML: only what is there, and always valid."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.model import Metadata
from duramen.render import front_matter


def test_everything() -> None:
    metadata = Metadata(
        title="A: b",
        authors=("Ann", "Bo"),
        published="2026-01-02T03:04:05+01:00",
        modified="2026-02-30",
        description='x "y" \\ z\nw',
        site_name="S",
        language="en",
        canonical_url="https://e.com/c",
        image="https://e.com/i",
        section="News",
        tags=("#1", "- x"),
        licence="MIT",
    )
    assert front_matter(metadata, "https://e.com/a") == (
        "---\n"
        'title: "A: b"\n'
        'authors:\n  - "Ann"\n  - "Bo"\n'
        "published: 2026-01-02T03:04:05+01:00\n"
        'modified: "2026-02-30"\n'
        'description: "x \\"y\\" \\\\ z\\nw"\n'
        'site_name: "S"\n'
        'language: "en"\n'
        'url: "https://e.com/a"\n'
        'canonical_url: "https://e.com/c"\n'
        'image: "https://e.com/i"\n'
        'section: "News"\n'
        'tags:\n  - "#1"\n  - "- x"\n'
        'licence: "MIT"\n'
        "---\n"
    )


def test_markup_is_inert_to_renderers_that_take_front_matter_for_text() -> None:
    title = "<img src=x> [a](javascript:x) [b]: c [d] http://e.com/<b>"
    written = front_matter(Metadata(title=title), None)
    assert written == (
        '---\ntitle: "\\u003cimg src=x> [a\\u005d(javascript:x) [b\\u005d: c [d] http://e.com/\\u003cb>"\n---\n'
    )


def test_nothing() -> None:
    assert front_matter(Metadata(), None) == ""


def test_only_the_address() -> None:
    metadata = Metadata(canonical_url="https://e.com/")
    assert front_matter(metadata, "https://e.com/") == '---\nurl: "https://e.com/"\n---\n'


@pytest.mark.parametrize("value", ["2026-1-2", "yesterday", "2026-01-02\nx: y", "2026-13-01", "2026-01-02 # x"])
def test_what_is_no_date_is_quoted(value: str) -> None:
    assert f"published: {json.dumps(value)}\n" in front_matter(Metadata(published=value), None)


@given(st.text())
def test_any_title_stays_on_its_line(title: str) -> None:
    lines = front_matter(Metadata(title=title, language="en"), None).split("\n")
    assert lines[-4:] in (["---", 'language: "en"', "---", ""], [lines[-4], 'language: "en"', "---", ""])
    if title:
        name, _, value = lines[1].partition(": ")
        assert name == "title"
        assert value.isprintable() or value.isascii() or "\x7f" not in value
        assert json.loads(value) == title
