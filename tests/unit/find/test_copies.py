"""What a page shows several times is content once."""

from __future__ import annotations

import pytest

from duramen import extract
from duramen.find.copies import copies_among
from duramen.model import PageType
from duramen.options import Options
from duramen.read.reader import read_page

OAK = "The oak by the mill has stood there for four hundred years, and nobody remembers who planted it."
ELM = "The elm beside it was cut down in a dry summer, when the beetles had eaten all of its bark."
ASH = "An ash grows where the elm was, thin and quick, and the children of the mill climb it."


def kept(html: str, kind: PageType = "article") -> list[str]:
    page = read_page(f"<body>{html}", None, Options())
    copies = copies_among(page, range(len(page.blocks)), kind)
    return [text for b, text in enumerate(page.blocks.text) if b not in copies]


def test_a_run_of_blocks_that_comes_again_is_kept_once() -> None:
    whole = f"<div><h2>Trees of the mill</h2><p>{OAK}</p><p>{ELM}</p></div>"
    assert kept(f"{whole}<p>{ASH}</p>{whole}") == ["Trees of the mill", OAK, ELM, ASH]


def test_a_text_that_is_made_differently_is_a_copy() -> None:
    assert kept(f'<p class="wide">{OAK}</p><p>{ASH}</p><div class="narrow"><div>{OAK}</div></div>') == [OAK, ASH]


def test_a_copy_need_not_be_the_same_letter_for_letter() -> None:
    assert kept(f'<p>{OAK} {ELM}</p><p>{ASH}</p><div class="preview">{OAK} {ELM[:60]}…</div>') == [f"{OAK} {ELM}", ASH]


def test_the_copy_that_is_shown_stays() -> None:
    hidden = f'<div class="data" hidden>{OAK} {ELM}</div>'
    assert kept(f"{hidden}<p>{OAK}</p><p>{ELM}</p>") == [OAK, ELM]


def test_terms_that_several_offers_share_stay() -> None:
    offers = "".join(f"<li><h3>Offer {n}</h3><p>{OAK}</p></li>" for n in range(3))
    assert kept(f"<ul>{offers}</ul>", "collection").count(OAK) == 3


@pytest.mark.parametrize(("kind", "times"), [("forum", 1), ("article", 2)])
def test_a_quotation_in_a_reply_is_a_copy(kind: PageType, times: int) -> None:
    thread = f'<div class="post">{OAK}</div><div class="post"><blockquote>{OAK}</blockquote>{ASH}</div>'
    assert kept(thread, kind).count(OAK) == times


def test_documentation_repeats_itself_on_purpose() -> None:
    steps = f"<h2>Trees</h2><p>{OAK}</p><p>{ELM}</p>"
    assert len(kept(f'<div class="linux">{steps}</div><div class="windows">{steps}</div>', "documentation")) == 6


@pytest.mark.parametrize("markup", ["<pre>{}</pre>", "<table><tr><td>{}</td><td>oak</td></tr></table>"])
def test_code_and_tables_lose_no_part(markup: str) -> None:
    assert sum(OAK in text for text in kept(f"<p>{OAK}</p>{markup.format(OAK)}")) == 2


def test_texts_without_spaces_are_compared_by_letter() -> None:
    text = "空心的树不会说话,但是会回答。用木槌轻轻敲一下树干,声音清脆的地方木质坚实。"
    assert kept(f'<p>{text}</p><p>{ASH}</p><div class="narrow">{text}</div>') == [text, ASH]


def test_short_texts_come_again_by_themselves() -> None:
    assert kept('<p>Read more</p><p>Oak</p><div class="x">Read more</div>') == ["Read more", "Oak", "Read more"]


@pytest.mark.parametrize(
    ("first", "again", "copies"),
    [
        ("The oak by the mill is very old", "The oak by the mill is very old", 1),
        ("The oak by the mill is very old", "THE OAK by the mill is very old", 1),
        ("The oak by the mill is old", "The oak by the mill is old", 0),
        ("The oak by the mill is very old", "The oak by the mill is very tall", 0),
    ],
)
def test_a_sentence_of_eight_words_is_a_copy_if_it_is_the_same(first: str, again: str, copies: int) -> None:
    assert len(kept(f'<p>{first}</p><p>{ASH}</p><div class="narrow">{again}</div>')) == 3 - copies


def test_the_copy_of_a_short_sentence_that_is_shown_stays() -> None:
    short = "The oak by the mill is very old"
    hidden = f'<div class="data" hidden>{short.upper()}</div>'
    assert kept(f"{hidden}<p>{ASH}</p><p>{short}</p>") == [ASH, short]


@pytest.mark.parametrize(
    ("again", "stays"),
    [
        (f"{OAK} {ELM[:61]}…", False),
        (f"{OAK} {ELM[:61]}...", False),
        (f"{OAK} {ELM[:61]}", True),
        (f"{OAK} {ELM[:56]} its roots died …", True),
        (f"{OAK} {ELM} Nobody wept.", True),
    ],
)
def test_only_a_text_that_is_cut_short_may_end_within_a_word(again: str, stays: bool) -> None:
    texts = kept(f'<p>{OAK} {ELM}</p><p>{ASH}</p><div class="preview">{again}</div>')
    assert (again in texts) is stays


def test_a_very_long_text_is_a_copy_if_nearly_all_of_it_is_elsewhere() -> None:
    long = " ".join(f"In the year {year} the miller number {year} planted a tree." for year in range(1800, 1812))
    little, much = "And that was the last of them.", " ".join(f"Tree {n} is gone." for n in range(30))
    for own, stays in ((little, False), (much, True)):
        again = f'<div class="narrow">{long} {own}</div>'
        assert (len(kept(f"<p>{long}</p><p>{ASH}</p>{again}")) == 3) is stays
    assert len(kept(f'<p>{OAK} {ELM}</p><p>{ASH}</p><div class="narrow">{OAK} {ELM} {little}</div>')) == 3


def test_a_text_that_is_not_shown_may_have_a_little_of_its_own() -> None:
    shown, little = f"{OAK} {ELM} {ASH}", "Oaks."
    assert kept(f'<div class="data" hidden>{shown} {little}</div><p>{shown}</p>') == [shown]


@pytest.mark.parametrize(
    ("run", "stays"),
    [
        (["Trees of the mill", OAK, "Their roots"], False),
        (["Trees of the mill", OAK], True),
        (["Oak", "Elm", "Ash"], True),
    ],
)
def test_a_run_is_of_three_blocks_and_some_words(run: list[str], stays: bool) -> None:
    whole = "".join(f"<p>{text}</p>" for text in run)
    assert len(kept(f"{whole}<p>{ASH}</p>{whole}")) == 1 + len(run) * (1 + stays)


def test_the_longest_earlier_run_counts() -> None:
    whole = f"<h2>Trees of the mill</h2><p>{OAK}</p><p>{ELM}</p>"
    begun = f"<h2>Trees of the mill</h2><p>{ASH}</p>"
    assert kept(f"{whole}{begun}{whole}").count(ELM) == 1
    assert kept(f"{begun}{whole}{whole}").count(ELM) == 1


def test_what_is_made_alike_near_a_block_counts_and_not_the_layout_around() -> None:
    deep = "<div>" * 4
    alike = f'<div class="left">{deep}<p>{OAK}</p></div><p>{ASH}</p><div class="right">{deep}<p>{OAK}</p></div>'
    near = f'<div class="left"><p>{OAK}</p></div><p>{ASH}</p><div class="right"><p>{OAK}</p></div>'
    assert (kept(alike).count(OAK), kept(near).count(OAK)) == (2, 1)


def test_the_trace_says_that_a_block_was_a_copy() -> None:
    whole = f"<div><h2>Trees of the mill</h2><p>{OAK}</p><p>{ELM}</p></div>"
    rest = "".join(f"<p>In the year {year} the mill was sold, and its trees with it.</p>" for year in range(1900, 1920))
    result = extract(f"<main><h1>Three trees</h1>{whole}<p>{ASH}</p>{rest}{whole}</main>")
    assert result.page_type != "documentation"
    assert result.text.count(OAK) == 1
    assert [(removal.rule_id, removal.words) for removal in result.trace.removals if removal.step == "copies"] == [
        ("copy", "Trees of the mill"),
        ("copy", OAK[:80]),
        ("copy", ELM[:80]),
    ]
    assert [block.rule for block in result.trace.blocks if block.text == OAK][1] == "copy"
