"""How much other text a page may have beside what says that it is no content, and what the reason names."""

from __future__ import annotations

import pytest

from duramen.options import Options
from duramen.read.reader import read_page
from duramen.refine.obstacles import Obstacle, find_obstacles

GONE = "Page not found"
APOLOGY = "The page you requested no longer exists."
CHECK = "Checking your browser before accessing the mill."
MOMENT = "Just a moment"
CHALLENGE = "<script>window._cf_chl_opt = {}</script>"
SIGN_IN = "You must be logged in to view this content."


def page(title: str = "", *texts: str, words: int = 0, more: str = "", head: str = "") -> str:
    """A page of so many words of prose: those of the texts, of which headings have a sign, and others that fill it."""
    left = max(0, words - sum(size for text in texts if (size := len(text.split())) >= 4))
    written = "".join(f"<h1>{text[1:]}</h1>" if text.startswith("#") else f"<p>{text}</p>" for text in texts if text)
    filling = f"<p>{'oak ' * left}</p>" if left else ""
    return f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{written}{filling}{more}</body></html>"


def obstacle(source: str) -> Obstacle | None:
    read = read_page(source, "https://example.org/a", Options())
    found = find_obstacles(read, range(len(read.blocks)), sum(read.blocks.words))
    return found[0] if found else None


def code(source: str) -> str:
    found = obstacle(source)
    return found.code if found else ""


@pytest.mark.parametrize(
    ("title", "texts", "most"),
    [
        (GONE, ("#Oaks",), 60),
        ("Oaks", (f"#{GONE}",), 60),
        (GONE, (f"#{GONE}",), 120),
        (GONE, ("#Oaks", APOLOGY), 250),
        (GONE, (f"#{GONE}", APOLOGY), 296),
        ("404", ("#Oaks", APOLOGY), 150),
        ("Oops!", ("#Oaks", APOLOGY), 60),
        ("", (APOLOGY,), 11),
    ],
)
def test_the_more_says_error_the_more_else_the_page_may_say(title: str, texts: tuple[str, ...], most: int) -> None:
    assert code(page(title, *texts, words=most)) == "error_page"
    assert code(page(title, *texts, words=most + 1)) == ""


@pytest.mark.parametrize(
    ("title", "heading", "where"),
    [
        (GONE, "Oaks", "title says"),
        ("Oaks", GONE, "heading says"),
        (GONE, GONE, "title and heading say"),
    ],
)
def test_the_reason_names_where_the_error_is_said(title: str, heading: str, where: str) -> None:
    found = obstacle(page(title, f"#{heading}"))
    assert found and found.why.startswith(f'the {where} "{GONE.lower()}"')


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (page("", "Not found"), "error_page"),
        (page("", "404 Not Found"), "error_page"),
        (page("", "404 oaks"), ""),
        (page("Oaks", "Not found"), ""),
        (page("", "#Oaks", "Not found"), ""),
        (page("", "Not found", words=26), ""),
        (page("404"), ""),
        (page("Oops!", "#Oaks"), ""),
    ],
)
def test_a_page_without_title_and_headings_may_only_say_an_error(source: str, found: str) -> None:
    assert code(source) == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (page(MOMENT, "Oaks", head=CHALLENGE, words=150), "bot_challenge"),
        (page(MOMENT, "Oaks", head=CHALLENGE, words=151), ""),
        (page("Oaks", "Oaks", head=CHALLENGE, words=40), "bot_challenge"),
        (page("Oaks", "Oaks", head=CHALLENGE, words=41), ""),
        (page(MOMENT, CHECK, words=150), "bot_challenge"),
        (page(MOMENT, CHECK, words=151), ""),
        (page("Oaks", CHECK, words=14), "bot_challenge"),
        (page("Oaks", CHECK, words=15), ""),
        (page("Oaks", f"#{MOMENT}", CHECK, words=24), "bot_challenge"),
        (page(MOMENT, "Oaks", words=20), "bot_challenge"),
        (page(MOMENT, "Oaks", words=21), ""),
    ],
)
def test_a_challenge_is_the_page(source: str, found: str) -> None:
    assert code(source) == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (page("Log in", "Oaks", more="<form><input type=password></form>", words=150), "login_wall"),
        (page("Log in", "Oaks", more="<form><input type=password></form>", words=151), ""),
        (page("Log in", "Oaks", more="<form><input type=email></form>"), ""),
        (page("Log in", "#Log in", more="<form><input type=email></form>"), "login_wall"),
        (page("Oaks", "Oaks", more="<form><input type=password></form>"), ""),
        (page("Oaks", SIGN_IN, more="<form><input type=password></form>", words=120), "login_wall"),
        (page("Oaks", SIGN_IN, more="<form><input type=password></form>", words=121), ""),
        (page("Oaks", SIGN_IN, words=30), "login_wall"),
        (page("Oaks", SIGN_IN, words=31), ""),
    ],
)
def test_a_wall_to_sign_in_has_a_form_or_says_little_else(source: str, found: str) -> None:
    assert code(source) == found
