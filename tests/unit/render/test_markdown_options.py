"""The options of Markdown, each read back by a parser."""

from __future__ import annotations

from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.texmath import texmath_plugin

from duramen.errors import OptionError
from duramen.options import Output
from duramen.render import render_markdown

TREES = (
    "<table><thead><tr><th>Tree</th><th>Uses</th><th>Age</th></tr></thead><tbody>"
    "<tr><td rowspan=2>Oak</td><td><ul><li>beams</li><li>barrels</li></ul></td><td>500</td></tr>"
    "<tr><td>fire</td><td></td></tr></tbody></table>"
)


def written(html: str, **options: Any) -> str:
    return render_markdown(html, output=Output(**options))


def tokens(markdown: str) -> list[Token]:
    return MarkdownIt("gfm-like", {"linkify": False}).parse(markdown)


def inline(markdown: str, kind: str) -> list[Token]:
    return [child for token in tokens(markdown) for child in token.children or () if child.type == kind]


def levels(markdown: str) -> list[int]:
    return [int(token.tag[1]) for token in tokens(markdown) if token.type == "heading_open"]


class TestStepHeadings:
    @pytest.mark.parametrize(
        ("given", "stepped"),
        [
            ([2, 3, 4], [2, 3, 4]),
            ([3, 5, 2, 6, 5], [2, 3, 2, 3, 3]),
            ([1, 4, 6, 4, 2], [1, 2, 3, 2, 2]),
            ([6], [2]),
        ],
    )
    def test_no_heading_is_more_than_a_level_below_the_one_before(self, given: list[int], stepped: list[int]) -> None:
        html = "".join(f"<h{level}>Oak</h{level}><p>Hard.</p>" for level in given)
        assert levels(written(html, step_headings=True)) == stepped
        assert levels(written(html)) == given


class TestReferenceLinks:
    def test_links_are_read_back_with_their_titles(self) -> None:
        html = (
            '<p>See <a href="https://e.com/a(b)" title=\'An "oak"\'>oaks</a> and <a href="https://e.com/b">el<b>m</b>s</a>'
            '(trees), <a href="https://e.com/a(b)" title=\'An "oak"\'>oaks</a>, <a href="https://e.com/">https://e.com/</a></p>'
        )
        markdown = written(html, reference_links=True)
        assert "[oaks][1]" in markdown and "[el**m**s][2]" in markdown and markdown.count("https://e.com/a(b)") == 1
        found = [(link.attrs["href"], link.attrs.get("title")) for link in inline(markdown, "link_open")]
        assert found == [(link.attrs["href"], link.attrs.get("title")) for link in inline(written(html), "link_open")]
        assert len(found) == 4 and "[3]:" not in markdown

    def test_text_in_brackets_becomes_no_link(self) -> None:
        html = '<p>Oaks [1] and [1][1] are <a href="https://e.com/">trees</a>[1]</p><p>[1]: https://e.com/x</p>'
        markdown = written(html, reference_links=True)
        assert [link.attrs["href"] for link in inline(markdown, "link_open")] == ["https://e.com/"]
        assert "".join(text.content for text in inline(markdown, "text")).count("[1]") == 5

    @pytest.mark.parametrize(
        "last", ["<ul><li>a</li></ul>", "<details><p>a</p></details>", "<blockquote>a</blockquote>"]
    )
    def test_addresses_end_every_document(self, last: str) -> None:
        markdown = written(f'<p><a href="https://e.com/">trees</a></p>{last}', reference_links=True)
        assert len(inline(markdown, "link_open")) == 1 and markdown.endswith("\n\n[1]: https://e.com/")


class TestTables:
    def test_a_table_with_lists_in_it_is_a_list_of_names_and_values(self) -> None:
        markdown = written(f"<p>Trees:</p>{TREES}<p>More.</p>", tables="lists")
        assert "<" not in markdown
        assert markdown == (
            "Trees:\n\n- **Tree:** Oak\n\n  **Uses:**\n  - beams\n  - barrels\n\n  **Age:** 500\n\n"
            "- **Uses:** fire\n\nMore."
        )
        opened = [token.level for token in tokens(markdown) if token.type == "list_item_open"]
        assert opened == [1, 3, 3, 1]

    def test_other_tables_stay_tables(self) -> None:
        plain = "<table><tr><th>a</th></tr><tr><td>b</td></tr></table>"
        assert written(plain, tables="lists") == written(plain)
        nested = TREES.replace("<ul><li>beams</li><li>barrels</li></ul>", f"{plain}<ul><li>beams</li></ul>")
        kinds = [token.type for token in tokens(written(nested, tables="lists"))]
        assert kinds.count("table_open") == 1 and kinds.count("tr_open") == 2

    def test_two_rows_of_names_are_one_name(self) -> None:
        html = TREES.replace("</thead>", "<tr><th></th><th>now</th><th>in years</th></tr></thead>")
        markdown = written(html, tables="lists")
        assert "**Tree:**" in markdown and "**Uses now:**" in markdown and "**Age in years:** 500" in markdown

    def test_a_table_of_names_alone_stays(self) -> None:
        html = "<table><tr><th><ul><li>a</li></ul></th><th>b</th></tr></table>"
        assert written(html, tables="lists") == written(html)

    def test_html_is_the_default(self) -> None:
        assert written(TREES).startswith("<table>")


class TestFormulas:
    HTML = '<p>If <span data-math="inline">a_1 * b</span>:</p><span data-math="display">\\frac{1}{2}</span>'

    @pytest.mark.parametrize(
        ("form", "delimiters"), [("dollars", "dollars"), ("brackets", "brackets"), ("backticks", "gitlab")]
    )
    def test_formulas_are_read_back(self, form: str, delimiters: str) -> None:
        parser = MarkdownIt().use(texmath_plugin, delimiters=delimiters)
        found = parser.parse(written(self.HTML, formulas=form))
        line = [child.content for token in found for child in token.children or () if child.type == "math_inline"]
        block = [token.content.strip() for token in found if token.type in ("math_block", "fence")]
        assert (line, block) == (["a_1 * b"], ["\\frac{1}{2}"])

    def test_what_would_end_a_formula_too_early_is_written_with_dollars(self) -> None:
        html = '<p><span data-math="inline">\\text{\\(x\\)}</span></p><span data-math="display">\\[x\\]</span>'
        assert written(html, formulas="brackets") == "$\\text{\\(x\\)}$\n\n$$\\[x\\]$$"

    def test_formulas_that_cannot_stand_between_delimiters(self) -> None:
        html = '<span data-math="display">\\href{javascript:x}{a}</span>'
        assert {written(html, formulas=form) for form in ("dollars", "brackets", "backticks")} == {written(html)}


def test_unknown_forms_are_refused() -> None:
    with pytest.raises(OptionError, match="tables must be one of 'html', 'lists'"):
        Output(tables="csv")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="formulas must be one of"):
        Output(formulas="mathml")  # type: ignore[arg-type]
