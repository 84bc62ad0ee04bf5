"""Search: the passage around a hit, whatever block it is in."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.agents.passages import LONGEST, Search, find_passages
from duramen.agents.sections import sections_of

TABLE = "| Wood | Weight |\n| --- | --- |\n" + "".join(f"| wood{n} | {n * 10} |\n" for n in range(100))
CODE = "```python\n" + "".join(f"def f{n}():\n    return {n}\n\n" for n in range(100)) + "```\n"
TEXT = f"""# Woods

Words of **hard** woods, see [the docs](https://a.example/docs) page; 5 \\* 4 &lt;b&gt;.

## Table

{TABLE}
## Code

{CODE}
## Long

{"lorem ipsum " * 200}NEEDLE in the stack {"dolor sit " * 200}

- oak here
- ash there
"""


def search(query: str, most: int = 5, text: str = TEXT) -> Search:
    return find_passages(text, sections_of(text), query, most)


@pytest.mark.parametrize(
    ("query", "shown", "section"),
    [
        ("HARD  woods", "Words of **hard** woods", "1"),
        ("docs page", "see [the docs](https://a.example/docs) page", "1"),
        ("5 * 4 <b>", "5 \\* 4 &lt;b&gt;", "1"),
        ("wood73", "| Wood | Weight |\n| --- | --- |\n| wood73 | 730 |", "1.1"),
        ("wood73 730", "| Wood | Weight |\n| --- | --- |\n| wood73 | 730 |", "1.1"),
        ("f73", "```python\n…\ndef f72():\n    return 72\n\ndef f73():\n    return 73\n\ndef f74():", "1.2"),
        ("return 99", "def f99():\n    return 99\n\n```", "1.2"),
        ("needle", "ipsum NEEDLE in the stack dolor", "1.3"),
        ("ash there", "- oak here\n- ash there", "1.3"),
        ("## Code", "## Code\n\n```python\ndef f0():", "1.2"),
    ],
)  # fmt: skip
def test_passage_shows_what_was_found(query: str, shown: str, section: str) -> None:
    (passage,) = search(query).passages
    assert shown in passage.text
    assert passage.section is not None and passage.section.id == section
    assert passage.start < passage.end
    assert len(passage.text) <= LONGEST + 100


def test_rows_of_a_table_share_its_header() -> None:
    found = search("wood1").passages
    assert len(found) == 1
    assert found[0].text.count("| Wood | Weight |") == 1
    assert found[0].text.count("\n| wood1") == 11


def test_many_hits_are_counted() -> None:
    found = search("lorem", 2)
    assert len(found.passages) == 2
    assert found.total == sum(1 for _ in search("lorem", 50).passages) > 2
    starts = [passage.start for passage in search("lorem", 50).passages]
    assert starts == sorted(set(starts))


def test_most_words_when_there_is_no_literal_hit() -> None:
    found = search("stack maple NEEDLE")
    assert not found.is_literal
    assert ["NEEDLE in the stack" in passage.text for passage in found.passages] == [True]
    assert search("nowhere at all maple").total == 0
    assert search("(z+)+$").total == 0
    assert search("is maple", text="This isle. Short words are whole words.").total == 0


def test_search_takes_time_that_grows_with_the_text() -> None:
    for text in ("[" * 200_000, "a](" * 60_000, "| " * 100_000, "`" * 200_000, "a " * 100_000):
        began = time.process_time()
        search("a a b", text=text)
        assert time.process_time() - began < 2


@given(st.text(alphabet="ab #\n`|-é木", max_size=300), st.text(alphabet="ab|`", min_size=1, max_size=4))
def test_any_text(text: str, query: str) -> None:
    for passage in search(query, 50, text).passages:
        assert 0 <= passage.start < passage.end <= len(text)
        assert passage.text


def test_where_words_are_closest_comes_before_where_they_are_first() -> None:
    apart = "\n\n".join(f"Oak {'and so on ' * 20}of the valley {n}." for n in range(9))
    found = search("valley oak", 2, f"{apart}\n\nIn the valley an oak.\n")
    assert [passage.text[:10] for passage in found.passages] == ["Oak and so", "In the val"]
    assert (found.total, found.is_literal) == (10, False)
