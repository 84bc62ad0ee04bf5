"""Values as plain text, and what addresses say."""

from __future__ import annotations

from typing import Any

import pytest

from duramen.read.text_clean import agreement_of, clean_text, fold, host_name, host_of, is_home, page_name, squeeze


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Oak", "Oak"),
        ("  Oak \n and  elm ", "Oak and elm"),
        (" Oak", "Oak"),
        ("Oak ", "Oak"),
        ("Oak  elm", "Oak elm"),
        ("", None),
        (" ", None),
        (None, None),
        (7, None),
        ([7, "Oak", "Elm"], "Oak"),
        ([7], None),
        ({"@value": "Oak"}, "Oak"),
        ({"value": "Oak"}, None),
        ({"@value": 7}, None),
        ("Oak &amp; elm", "Oak & elm"),
        ("The &lt;b&gt; element &amp; more", "The &lt;b&gt; element &amp; more"),
        ("An <b>old</b> oak", "An old oak"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("Oak\u200b\ufeff wo\xadod\ufffc", "Oak wood"),
        ("Oak\ufffc", "Oak"),
        ("Oak\u2028Elm", "OakElm"),
    ],
)
def test_clean_text(value: Any, text: str | None) -> None:
    assert clean_text(value, 100) == text


def test_entities_are_left_where_they_are_resolved_already() -> None:
    assert clean_text("Oak &amp; <b>elm</b>", 100, unescape=False) == "Oak &amp; <b>elm</b>"


@pytest.mark.parametrize(
    ("limit", "text"), [(12, "Oak, elm ash"), (11, "Oak, elm…"), (8, "Oak…"), (7, "Oak…"), (4, "Oak…"), (3, "Oak…")]
)
def test_a_long_text_ends_with_a_word(limit: int, text: str) -> None:
    assert clean_text("Oak, elm ash", limit) == text


def test_only_so_much_of_a_text_is_read() -> None:
    assert clean_text("<b>" + "x" * 37 + "</b>oak", 10) == "<b>xxxxxxx…"
    assert clean_text("<b>" + " " * 37 + "oak", 10) == "<b>"


@pytest.mark.parametrize(
    ("text", "folded", "squeezed"),
    [
        ("Oak, Elm_and  ASH-7!", "oak elm and ash 7", "oakelmandash7"),
        ("Straße – Ärger_x", "strasse ärger x", "strasseärgerx"),
        ("…", "", ""),
    ],
)
def test_words_for_comparison(text: str, folded: str, squeezed: str) -> None:
    assert (fold(text), squeeze(text)) == (folded, squeezed)


@pytest.mark.parametrize(
    ("url", "host", "name"),
    [
        ("https://www.oak.example/a?b#c", "oak.example", "oak"),
        ("http://oak.example", "oak.example", "oak"),
        ("https://user@WWW.Oak.example:8080/", "oak.example", "oak"),
        ("https://news.oak.co.uk/", "news.oak.co.uk", "oak"),
        ("https://news.oak.com.br/", "news.oak.com.br", "oak"),
        ("https://news.oaks.uk/", "news.oaks.uk", "oaks"),
        ("https://oak.uk/", "oak.uk", "oak"),
        ("https://oak.co.com/", "oak.co.com", "co"),
        ("https://my-oak.example/", "my-oak.example", "myoak"),
        ("https://localhost/", "localhost", "localhost"),
        ("http://[::1/", "", ""),
        ("/a/b", "", ""),
    ],
)
def test_hosts(url: str, host: str, name: str) -> None:
    assert (host_of(url), host_name(url)) == (host, name)


@pytest.mark.parametrize(
    ("url", "first"),
    [
        ("https://oak.example", True),
        ("https://oak.example/", True),
        ("https://oak.example/#top", True),
        ("https://oak.example/?p=7", False),
        ("https://oak.example/index.html", True),
        ("https://oak.example/index.php", True),
        ("https://oak.example/home/", True),
        ("https://oak.example/home?p=7", False),
        ("https://oak.example/wood", False),
        ("https://oak.example/en/home", False),
        ("https://öak.example/", True),
        ("https://öak.example/?p=7", False),
        ("http://[::1/", False),
    ],
)
def test_the_first_page_of_a_site(url: str, first: bool) -> None:
    assert is_home(url) == first


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://oak.example/news/an-old-oak", "an-old-oak"),
        ("https://oak.example/news/an-old-oak/?x=/y.z#/w", "an-old-oak"),
        ("https://oak.example/an-old-oak.html", "an-old-oak"),
        ("https://oak.example/an-old-oak.xhtml", "an-old-oak"),
        ("https://oak.example/version-2.stable", "version-2.stable"),
        ("https://oak.example", ""),
        ("/news/an-old-oak.html", "an-old-oak"),
        (f"https://oak.example/{'a' * 2000}", "a" * 980),
    ],
)
def test_the_last_folder_of_an_address(url: str, name: str) -> None:
    assert page_name(url) == name


@pytest.mark.parametrize(
    ("one", "other", "agreement"),
    [
        ("", "oak", 0.0),
        ("oak", "", 0.0),
        ("old oak", "old oak", 1.0),
        # One holds the other: enough if it is long, or a third of it.
        ("the old oaks", "the old oaks of the valley and of the hills around it", 0.95),
        ("the old oak", "it is the old oak of the valley and of the hills around it", 0.15),
        ("the old oak", "the old oak of the valley and of the hills around it", 0.3),
        ("old", "old elms", 0.95),
        ("old", "an old elm", 0.15),
        ("old", "the old o", 0.95),
        ("old", "older oaks", 0.0),
        # Words in common, of the shorter one.
        ("an old oak fell", "oak fell in may", 0.45),
        ("old oak fell", "oak fell in", 0.6),
        ("old oak", "oak fell", 0.2),
    ],
)
def test_how_far_two_titles_say_the_same(one: str, other: str, agreement: float) -> None:
    assert agreement_of(one, other) == pytest.approx(agreement)
