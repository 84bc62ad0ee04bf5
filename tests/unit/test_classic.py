"""``HtmlTextExtractor`` against its contract, step by step."""

from __future__ import annotations

import dataclasses
import time
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.classic import DROP_TAGS, NAVIGATION_TAGS, HtmlTextExtractor, TextExtractionResult
from duramen.errors import InputError


def text_of(body: str) -> str:
    return HtmlTextExtractor().extract(f"<html><head><title>t</title></head><body>{body}</body></html>").text


def title_of(html: str) -> str:
    return HtmlTextExtractor().extract(html).title


class TestContract:
    def test_result_is_a_frozen_pair(self) -> None:
        result = HtmlTextExtractor().extract("<title>A</title><p>b</p>")
        assert result == TextExtractionResult(title="A", text="b")
        with pytest.raises(dataclasses.FrozenInstanceError):
            result.title = "x"  # type: ignore[misc]

    @pytest.mark.parametrize("empty", ["", " ", "\n\t", b"", "<!-- nothing -->", "<html></html>"])
    def test_empty_input_gives_an_empty_result(self, empty: str | bytes) -> None:
        assert HtmlTextExtractor().extract(empty) == TextExtractionResult("", "")

    def test_bytes_are_utf8_and_bad_bytes_are_left_out(self) -> None:
        assert HtmlTextExtractor().extract(b"<p>caf\xc3\xa9 \xffbar</p>").text == "café bar"

    @pytest.mark.parametrize("wrong", [None, 3, ["<p>"]])
    def test_other_types_are_refused_with_advice(self, wrong: object) -> None:
        with pytest.raises(InputError, match="str or bytes"):
            HtmlTextExtractor().extract(cast(Any, wrong))

    def test_plain_text_is_a_page_too(self) -> None:
        assert HtmlTextExtractor().extract("just words") == TextExtractionResult("", "just words")


class TestStep1Title:
    def test_entities_are_resolved_and_spaces_collapsed(self) -> None:
        assert title_of("<title>Oak &amp;\n  ash &#8211;   trees</title>") == "Oak & ash – trees"

    def test_case_does_not_matter(self) -> None:
        assert title_of("<HEAD><TITLE lang=en>Loud</TITLE></HEAD>") == "Loud"

    def test_first_title_wins(self) -> None:
        assert title_of("<title>one</title><title>two</title>") == "one"

    def test_title_of_a_drawing_is_not_the_page_title(self) -> None:
        assert title_of("<body><svg><title>Logo</title></svg><p>x</p>") == ""
        assert title_of("<body><svg><title>Logo</title></svg><title>Page</title>") == "Page"

    def test_title_is_not_text(self) -> None:
        assert HtmlTextExtractor().extract("<title>T</title><p>x</p>").text == "x"

    def test_page_without_title(self) -> None:
        assert title_of("<p>x</p>") == ""


class TestStep2Boilerplate:
    def test_head_is_removed(self) -> None:
        page = "<head><title>T</title><style>p{}</style><script>var a = 1</script></head><body><p>x</p>"
        assert HtmlTextExtractor().extract(page).text == "x"

    @pytest.mark.parametrize("tag", sorted((DROP_TAGS | NAVIGATION_TAGS) - {"head", "title"}))
    def test_tags_are_removed_with_their_content(self, tag: str) -> None:
        assert text_of(f"<p>before</p><{tag}>gone</{tag}><p>after</p>") == "before\n\nafter"

    @pytest.mark.parametrize(
        "attribute",
        [
            'class="header"', 'id="header"', 'class="site-header"', 'class="siteHeader"', 'class="x main_nav y"',
            "class=sidebar", 'id="left-sidebar"', 'class="pagination"', "class=footer", 'class="footer2"',
            "id=mainMenu", "class=breadcrumb", "class=breadcrumbs", 'class="NAV"', "class=navbar", "class='col\nnav'",
        ],
    )  # fmt: skip
    def test_keywords_in_class_or_id_remove_the_element(self, attribute: str) -> None:
        assert text_of(f"<p>before</p><div {attribute}>gone<p>gone</p></div><p>after</p>") == "before\n\nafter"

    @pytest.mark.parametrize(
        "attribute",
        [
            "class=canvas", "class=navy", "class=headers-up", "class=unavailable", "class=menuisier", "id=footerless",
            "class=has-sidebar", "class=no-header", 'class="layout--with-sidebar"', 'title="header"',
            'data-nav="menu"',
        ],
    )  # fmt: skip
    def test_keywords_match_whole_words_that_name_the_element(self, attribute: str) -> None:
        assert text_of(f"<div {attribute}>kept</div>") == "kept"

    @pytest.mark.parametrize("tag", ["main", "article"])
    def test_content_elements_stay_whatever_their_class(self, tag: str) -> None:
        assert text_of(f"<{tag} class='nav sidebar' id=header>kept</{tag}>") == "kept"
        assert HtmlTextExtractor().extract("<html id=menu><body class=nav>kept").text == "kept"

    def test_what_wraps_main_stays(self) -> None:
        assert text_of("<div class=sidebar-layout-menu><nav>gone</nav><main>kept</main></div>") == "kept"

    def test_header_rows_of_tables_stay(self) -> None:
        assert text_of("<table><tr class=header><th class=header>Wood<tr><td>Oak</table>") == "Wood\n\nOak"

    def test_nothing_removes_most_of_the_page(self) -> None:
        words = "These words make up nearly the whole of the page. " * 20
        assert text_of(f"<section id=navigation>{words}</section><p>end</p>").startswith("These words")
        for tag in ("form", "noscript", "header"):
            assert text_of(f"<{tag}>{words}</{tag}><p>end</p>").startswith("These words")
        links = "<a href=x>These words are all links</a> " * 40
        assert text_of(f"<div class=menu>{links}</div><p>end</p>") == "end"

    def test_nested_occurrences_go_as_one(self) -> None:
        nested = "<div class=nav>a<div class=nav>b<nav>c</nav>d</div>e</div>"
        assert text_of(f"<p>x</p>{nested}<aside>1<aside>2</aside>3</aside><p>y</p>") == "x\n\ny"

    def test_repeated_occurrences_all_go(self) -> None:
        assert text_of("<nav>a</nav><p>x</p><nav>b</nav><script>1</script><p>y</p><footer>c</footer>") == "x\n\ny"

    def test_removed_markup_does_not_glue_words(self) -> None:
        assert text_of("one<script>x</script>two") == "one two"


class TestStep3MetadataAndComments:
    @pytest.mark.parametrize("tag", ["meta", "link", "base", "input"])
    def test_metadata_tags_become_a_space(self, tag: str) -> None:
        assert text_of(f"<p>one<{tag} x=y>two</p>") == "one two"

    def test_comments_and_doctype_are_removed(self) -> None:
        page = "<!DOCTYPE html PUBLIC 'a' 'b'><!-- c --><p>on<!-- > <p>hidden</p> -->e</p><!-- d"
        assert HtmlTextExtractor().extract(page).text == "one"


class TestStep4Separators:
    @pytest.mark.parametrize("tag", ["<br>", "<br/>", "<BR clear=all>"])
    def test_breaks_become_line_breaks(self, tag: str) -> None:
        assert text_of(f"<p>one{tag}two</p>") == "one\ntwo"

    def test_rules_become_line_breaks(self) -> None:
        assert text_of("one<hr>two") == "one\ntwo"

    @pytest.mark.parametrize("tag", "p h1 h6 div section article blockquote pre dd dt".split())
    def test_blocks_become_paragraphs(self, tag: str) -> None:
        assert text_of(f"<{tag}>one</{tag}><{tag}>two</{tag}>") == "one\n\ntwo"

    def test_list_items_and_cells_stand_apart(self) -> None:
        assert text_of("<ul><li>one<li>two</ul>").split() == ["one", "two"]
        assert text_of("<table><tr><td>one<td>two<tr><td>three</table>").split() == ["one", "two", "three"]

    def test_unclosed_paragraphs_are_paragraphs(self) -> None:
        assert text_of("<p>one<p>two") == "one\n\ntwo"


class TestStep5Tags:
    def test_other_tags_leave_their_text(self) -> None:
        assert text_of('<p>a <b>bold</b> <a href="x>y">link</a> <x-unknown>word</x-unknown></p>') == "a bold link word"

    def test_inline_tags_do_not_part_words(self) -> None:
        assert text_of("<p>heart<i>wood</i></p>") == "heartwood"


class TestStep6EntitiesAndWhitespace:
    def test_entities_are_resolved_once(self) -> None:
        assert text_of("<p>&lt;b&gt; &amp;amp; &eacute; &#x4e2d; &quot;q&quot;</p>") == '<b> &amp; é 中 "q"'

    def test_no_break_spaces_become_spaces(self) -> None:
        assert text_of("<p>a&nbsp;&nbsp;b\u00a0 c</p>") == "a b c"

    def test_line_ends_are_normalized(self) -> None:
        assert text_of("<p>a\r\nb\rc\nd&#13;e</p>") == "a\nb\nc\nd\ne"

    def test_horizontal_space_collapses(self) -> None:
        assert text_of("<p>a \t  b</p>") == "a b"

    def test_spaces_around_line_breaks_are_trimmed(self) -> None:
        assert text_of("<p>a  <br>  b \n c</p>") == "a\nb\nc"

    def test_three_and_more_line_breaks_become_two(self) -> None:
        assert text_of("<div><div><p>a</p></div></div>\n\n\n<p>b</p>") == "a\n\nb"
        assert text_of("a<br><br><br><br>b") == "a\n\nb"


class TestStep7Lines:
    @pytest.mark.parametrize("label", ["Sign in", "Pricing", "Issues", "Pull requests", "GitHub", "  sign IN  "])
    def test_navigation_labels_are_dropped(self, label: str) -> None:
        assert text_of(f"<p>one</p><p>{label}</p><p>two</p>") == "one\n\ntwo"

    def test_labels_inside_a_sentence_stay(self) -> None:
        assert text_of("<p>Sign in to GitHub to see Issues</p>") == "Sign in to GitHub to see Issues"

    @pytest.mark.parametrize("line", ["***", "|", "– – –", "»", "…", "( )"])
    def test_lines_without_letters_or_digits_are_dropped(self, line: str) -> None:
        assert text_of(f"<p>one</p><p>{line}</p><p>two</p>") == "one\n\ntwo"

    @pytest.mark.parametrize("line", ["7", "中文", "слово", "é", "٣", "a-b"])
    def test_lines_in_any_script_stay(self, line: str) -> None:
        assert text_of(f"<p>{line}</p>") == line

    def test_a_dropped_line_leaves_no_hole(self) -> None:
        assert text_of("a<br>***<br>b") == "a\nb"


class TestStep8Result:
    def test_lines_by_one_break_and_paragraphs_by_two(self) -> None:
        result = HtmlTextExtractor().extract("<title>T</title><h1>A</h1><p>b<br>c</p><p>d</p>")
        assert result == TextExtractionResult("T", "A\n\nb\nc\n\nd")

    def test_shipped_article(self, article_html: str) -> None:
        result = HtmlTextExtractor().extract(article_html)
        assert result.title == "Why old beams outlast new ones | The Timber Review"
        assert "rang like a bell" in result.text
        for gone in ("Search the archive", "Letters from the sawmill", "All rights reserved", "dataLayer", "Most read"):
            assert gone not in result.text


class TestHostileInput:
    @pytest.mark.parametrize("tag", ["div", "b", "nav", "div class=nav", "blockquote", "ul><li", "svg", "table><td"])
    def test_very_deep_nesting(self, tag: str) -> None:
        began = time.process_time()
        result = HtmlTextExtractor().extract(f"<p>begin</p>{f'<{tag}>' * 100_000}deep")
        assert result.text.startswith("begin")
        assert time.process_time() - began < 20

    def test_deep_text_is_kept(self) -> None:
        assert HtmlTextExtractor().extract("<div>" * 100_000 + "deep").text == "deep"

    @given(st.one_of(st.text(), st.binary()))
    def test_any_input_gives_a_clean_result(self, page: str | bytes) -> None:
        result = HtmlTextExtractor().extract(page)
        assert "\n\n\n" not in result.text and result.text == result.text.strip()
        assert "\u00a0" not in result.text and "  " not in result.text

    @given(
        st.lists(st.sampled_from(["<p>", "</p>", "<div class=nav>", "</div>", "<br>", "word", " ", "&amp;", "<nav>"]))
    )
    def test_any_markup_is_deterministic(self, pieces: list[str]) -> None:
        page = "".join(pieces)
        assert HtmlTextExtractor().extract(page) == HtmlTextExtractor().extract(page)
