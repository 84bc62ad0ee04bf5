"""The Markdown in pieces."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from duramen import Options, Output, Result, extract
from duramen.errors import OptionError
from duramen.parts.chunks import Chunk, chunks_of
from duramen.parts.records.values import Post
from duramen.parts.tokens import tokens_of
from duramen.render.markdown_units import Unit

SENTENCES = "Oaks live for centuries. Their heartwood is hard, dark and durable! Is it? It is. " * 6
CODE = "\n".join(f"line_{number} = {number}" for number in range(40))
ROWS = "".join(f"<tr><td>Oak {number}<td>{number}" for number in range(40))
PAGE = f"""<html lang=en><title>Oaks</title><body><main><h1>Oaks</h1><p>{SENTENCES}</p>
<h2>Wood</h2><p>{SENTENCES}</p><pre><code>{CODE}</code></pre><p>Short.</p>
<h3>Density</h3><table><tr><th>Oak<th>kg{ROWS}</table>
<h2>Trees</h2><p>{SENTENCES}</p><ul><li>{SENTENCES}<ul><li>{SENTENCES}</ul><li>Short item about oaks</ul>
<h2>Trees</h2><p>{SENTENCES}</p></main>"""


@pytest.fixture(scope="module")
def result() -> Result:
    return extract(PAGE, "https://example.org/oaks")


@pytest.mark.parametrize(("most", "overlap"), [(16, 0), (64, 0), (64, 20), (200, 50), (512, 0), (100_000, 0)])
def test_chunks_are_the_markdown(result: Result, most: int, overlap: int) -> None:
    chunks = result.chunks(most, overlap)
    assert "".join(chunk.text[chunk.overlap :] for chunk in chunks) == result.markdown
    for before, chunk in zip((None, *chunks), chunks, strict=False):
        assert result.markdown[chunk.start : chunk.end] == chunk.text
        if before is not None:
            assert before.start + before.overlap <= chunk.start
            assert chunk.start + chunk.overlap == before.end
    assert len({chunk.id for chunk in chunks}) == len(chunks)


def test_only_what_is_never_cut_is_longer_than_a_chunk(result: Result) -> None:
    for chunk in result.chunks(64):
        assert chunk.tokens <= 64 or chunk.kind in ("code", "table", "list"), chunk.text


def test_code_tables_and_items_are_whole(result: Result) -> None:
    texts = [chunk.text for chunk in result.chunks(40, 10)]
    assert sum(CODE in text for text in texts) == 1
    table = [text for text in texts if "| --- | --- |" in text]
    assert len(table) == 1
    assert "| Oak 0 | 0 |" in table[0]
    assert "| Oak 39 | 39 |" in table[0]
    (item,) = [text for text in texts if "- Oaks" in text]
    assert item.count(SENTENCES.strip()) == 2


def test_paragraph_is_cut_after_a_sentence(result: Result) -> None:
    first = result.chunks(64)[0]
    assert first.text.rstrip()[-1] in ".!?"


def test_heading_goes_with_what_it_heads_and_names_its_chunks(result: Result) -> None:
    chunks = result.chunks(64)
    assert not any(chunk.text.rstrip().splitlines()[-1].startswith("#") for chunk in chunks)
    (table,) = [chunk for chunk in chunks if chunk.kind == "table"]
    assert (table.headings, table.anchors) == (("Wood", "Density"), ("density",))
    (code,) = [chunk for chunk in chunks if chunk.kind == "code"]
    assert (code.headings, code.anchors) == (("Wood",), ("wood",))
    assert chunks[-1].anchors == ("trees-1",)


def test_rest_of_a_section_is_not_mixed_with_the_next(result: Result) -> None:
    for chunk in result.chunks(64):
        assert chunk.text.startswith("#") or "\n## " not in chunk.text


def test_overlap_repeats_the_end_of_the_chunk_before(result: Result) -> None:
    chunks = result.chunks(64, 20)
    leads = [chunk.text[: chunk.overlap] for chunk in chunks if chunk.overlap]
    assert leads
    assert all(len(lead) <= 20 * 4 and not lead.startswith(("ak", " ")) for lead in leads)
    assert all(chunk.tokens <= 64 for chunk in chunks if chunk.kind == "text")


def test_ids_stay_when_text_before_changes() -> None:
    tail = f"<h2>Wood</h2><p>{SENTENCES}</p>"
    one, other = (
        extract(f"<html lang=en><title>Oaks</title><main><p>{lead}</p>{tail}</main>", "https://example.org/")
        for lead in (SENTENCES, SENTENCES + "And so on, for ever and ever, as long as the wood is dry.")
    )
    ids = [{chunk.id for chunk in found.chunks(128)} for found in (one, other)]
    assert ids[0] != ids[1]
    assert one.chunks(128)[-1].id == other.chunks(128)[-1].id


def test_tokenizer_is_asked() -> None:
    result = extract(PAGE)
    chunks = result.chunks(50, tokenizer=lambda text: len(text.split()))
    assert all(chunk.tokens == len(chunk.text.split()) for chunk in chunks)
    assert all(chunk.tokens <= 50 for chunk in chunks if chunk.kind == "text")


def test_front_matter_is_in_the_first_chunk() -> None:
    result = extract(PAGE, options=Options(output=Output(front_matter=True)))
    chunks = result.chunks(64)
    assert chunks[0].text.startswith("---\n")
    assert "".join(chunk.text for chunk in chunks) == result.markdown


def test_page_without_content_has_no_chunks() -> None:
    assert extract("").chunks() == ()


@pytest.mark.parametrize(("most", "overlap"), [(0, 0), (10, 10), (10, -1), (True, 0), ("10", 0)])
def test_senseless_sizes_are_refused(result: Result, most: int, overlap: int) -> None:
    with pytest.raises(OptionError):
        result.chunks(most, overlap)


def test_word_longer_than_a_chunk_is_cut() -> None:
    result = extract(f"<html lang=en><title>x</title><main><p>Oaks are old. {'x' * 4000} {SENTENCES}</main>")
    chunks: tuple[Chunk, ...] = result.chunks(64)
    assert "".join(chunk.text for chunk in chunks) == result.markdown
    assert all(chunk.tokens <= 64 for chunk in chunks)


def thread(output: Output) -> Result:
    options = Options(output=output)
    return extract(Path("tests/sites/written/phpbb/guide.html").read_bytes(), "https://example.org/t/1", options)


@pytest.mark.parametrize(
    "output", [Output(), Output(post_headings=True), Output(post_headings=True, title_heading=True)]
)
@pytest.mark.parametrize("most", [60, 150, 400])
def test_posts_that_fit_are_not_cut(output: Output, most: int) -> None:
    result = thread(output)
    chunks = result.chunks(most)
    assert "".join(chunk.text for chunk in chunks) == result.markdown
    whole = [post for post in result.records if tokens_of(post.markdown) + 20 <= most]
    assert whole or most == 60
    for post in whole:
        assert any(post.markdown.strip() in chunk.text for chunk in chunks), post.markdown


def test_posts_below_headings() -> None:
    result = thread(Output(post_headings=True))
    headings = [line for line in result.markdown.splitlines() if line.startswith("## ")]
    posts = [record for record in result.records if isinstance(record, Post)]
    assert [heading.partition(",")[0] for heading in headings if ", 20" in heading] == [f"## {p.author}" for p in posts]
    assert extract(PAGE, options=Options(output=Output(post_headings=True))).markdown == extract(PAGE).markdown


def test_a_heading_makes_no_chunk_too_long() -> None:
    rows = "".join(f"<tr><td>Oak {number}<td>{number}" for number in range(12))
    page = PAGE.replace("<h3>Density</h3>", f"<h3>{'Density of the wood ' * 4}</h3><table><tr><th>A<th>B{rows}</table>")
    result = extract(page, "https://example.org/oaks")
    whole = next(c.tokens for c in result.chunks(16) if "| A | B |" in c.text)
    chunk = next(chunk for chunk in result.chunks(whole + 1) if "| Oak 11 | 11 |" in chunk.text)
    assert chunk.tokens <= whole + 1
    assert chunk.headings[-1].startswith("Density of")


def test_no_chunk_is_of_line_ends(result: Result) -> None:
    assert all(chunk.text.strip() for chunk in result.chunks(1))


@pytest.mark.parametrize("tokenizer", [str.split, lambda text: None, lambda text: -1, lambda text: len(text) / 4])
def test_a_tokenizer_that_counts_nothing_is_refused(result: Result, tokenizer: Any) -> None:
    with pytest.raises(OptionError, match="how many tokens"):
        result.chunks(64, tokenizer=tokenizer)


def test_line_ends_make_no_chunk_too_long() -> None:
    # Two line ends are a token more than what the paragraph may have.
    text = "oaks " * 9 + "and elm"
    markdown = f"{text}\n\n{text}"
    units = [Unit("paragraph", f"{text}\n\n"), Unit("paragraph", text)]
    most = tokens_of(text)
    assert tokens_of(units[0].text) == most + 1
    chunks = chunks_of(markdown, units, most, 0, None, "", (-1, -1))
    assert max(chunk.tokens for chunk in chunks) <= most
    assert all(chunk.text.strip() for chunk in chunks)


@pytest.mark.parametrize(
    ("levels", "together"),
    [
        ((2, 2, 2, 2), [(1, 2), (3, 4)]),
        ((2, 2, 3, 2), [(1, 2, 3), (4,)]),
        ((3, 3, 2, 2), [(1, 2), (3, 4)]),
        ((2, 3, 3, 3), [(1, 2, 3), (4,)]),
    ],
)
def test_a_section_begins_a_chunk_where_half_of_one_is_full(
    levels: tuple[int, ...], together: list[tuple[int, ...]]
) -> None:
    body = "".join(f"<h{level}>Oak {n}</h{level}><p>Oaks live long.</p>" for n, level in enumerate(levels, 1))
    chunks = extract(f"<title>Trees</title><body><main>{body}</main>").chunks(26)
    assert [tuple(int(anchor[-1]) for anchor in chunk.anchors) for chunk in chunks] == together
