"""Outline, sections and parts of Markdown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from duramen.agents.sections import cut, named, sections_of
from duramen.parts.tokens import tokens_of

TEXT = """Before it begins.

## First *part* with a [link](https://a.example)

Words of the first part.

#### Deep

Deep words.

### Less deep

```sh
# no heading
~~~
```

## Second part

The end, with oak and ash.
"""


def test_outline_numbers_what_stands_under_what() -> None:
    told = [(s.id, s.level, s.title) for s in sections_of(TEXT)]
    assert told == [
        ("0", 1, "(beginning)"),
        ("1", 2, "First part with a link"),
        ("1.1", 4, "Deep"),
        ("1.2", 3, "Less deep"),
        ("2", 2, "Second part"),
    ]


def test_section_holds_what_stands_under_it() -> None:
    by_id = {s.id: TEXT[s.start : s.end] for s in sections_of(TEXT)}
    assert by_id["1"].startswith("## First")
    assert by_id["1"].rstrip().endswith("```")
    assert by_id["1.1"].strip() == "#### Deep\n\nDeep words."
    assert "".join(by_id[n] for n in ("0", "1", "2")) == TEXT


def test_sections_are_found_by_id_or_name() -> None:
    sections = sections_of(TEXT)
    for name, wanted in {"1.2": "1.2", "second PART": "2", "less": "1.2", "part": None, "": None, "9": None}.items():
        found = named(sections, name)
        assert (found.id if found else None) == wanted, name


@given(st.text(alphabet="ab #\n`é木", max_size=300), st.integers(1, 60))
def test_parts_make_the_whole(text: str, size: int) -> None:
    parts, at = [], 0
    while at < len(text):
        end = cut(text, at, size, 1_000)
        assert at < end <= min(len(text), at + size)
        parts.append(text[at:end])
        at = end
    assert "".join(parts) == text


@given(st.text(alphabet="# \nab`~>", max_size=200))
def test_sections_lie_within_the_text_in_order(text: str) -> None:
    sections = sections_of(text)
    assert [s.start for s in sections] == sorted(s.start for s in sections)
    assert all(0 <= s.start < s.end <= len(text) for s in sections)
    assert len({s.id for s in sections}) == len(sections)


def test_tokens_are_estimated_by_script() -> None:
    assert tokens_of("word " * 100) == 125
    assert tokens_of("木" * 99) == 66
    assert cut("木" * 10_000, 0, 10_000, 1_000) <= 1_501


def test_data_is_cut_where_an_element_begins() -> None:
    lines = "".join(f'  {{\n    "id": {n},\n    "name": "oak"\n  }},\n' for n in range(50))
    text = f"```json\n[\n{lines}]\n```\n"
    at = 0
    while (at := cut(text, at, 400, 1_000)) < len(text):
        assert text[at:].startswith(("  {\n", "]\n"))
