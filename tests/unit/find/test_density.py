"""The density scorer, tag by tag and limit by limit."""

from __future__ import annotations

from math import exp, log1p

import pytest

from duramen.find.density import best_container, density_probabilities
from duramen.options import Options
from duramen.page import Page
from duramen.read.reader import read_page

TEXT = "Oak heartwood is hard dark and durable and shipwrights chose it"


def read(body: str) -> Page:
    return read_page(f"<!doctype html><body>{body}", None, Options())


def container(body: str, removed: set[int] | None = None) -> str:
    page = read(body)
    found = best_container(page, removed or set())
    return "" if found is None else page.tree.ident[found] or page.tree.tag[found]


@pytest.mark.parametrize("tag", ["p", "li", "dd", "blockquote", "pre"])
def test_these_pass_their_score_to_their_parent(tag: str) -> None:
    assert container(f"<div id=home><{tag} id=own>{TEXT}</{tag}></div>") == "home"


def test_a_cell_passes_its_score_to_its_row() -> None:
    assert container(f"<table><tr id=row><td id=own>{TEXT}</table>") == "row"


@pytest.mark.parametrize("tag", ["div", "section", "article", "figcaption"])
def test_these_keep_their_score(tag: str) -> None:
    assert container(f"<div id=home><{tag} id=own>{TEXT}</{tag}></div>") == "own"


def test_a_header_cell_and_the_body_keep_theirs() -> None:
    assert container(f"<table><tr id=row><th id=own>{TEXT}</table>") == "own"
    assert container(TEXT) == "body"


@pytest.mark.parametrize("tag", ["h1", "h2", "dt", "address", "summary"])
def test_others_have_none(tag: str) -> None:
    assert container(f"<div><{tag}>{TEXT}</{tag}></div>") == ""


@pytest.mark.parametrize(("letters", "found"), [(23, ""), (24, "own")])
def test_a_short_text_scores_nothing(letters: int, found: str) -> None:
    assert container(f"<div id=own>{'o' * letters}</div>") == found


def apart(*parts: str) -> str:
    """So deep that none is widened to hold another."""
    return "".join(f"{'<div>' * 5}{part}{'</div>' * 5}" for part in parts)


@pytest.mark.parametrize("comma", ",，、،;；")
def test_commas_of_any_script_count(comma: str) -> None:
    plain, parted = f"<p>{TEXT + 'x' * 4}</p>", f"<p>{TEXT + comma * 4}</p>"
    assert container(apart(f"<main>{plain}</main>", f"<nav>{parted}</nav>", f"<aside>{plain}</aside>")) == "nav"


def test_other_letters_are_no_commas() -> None:
    assert container(apart(f"<main><p>{TEXT},</p></main>", f"<nav><p>{TEXT}qq.:'</p></nav>")) == "main"


@pytest.mark.parametrize(("before", "found"), [(1996, "nav"), (2000, "main")])
def test_commas_count_at_the_beginning_only(before: int, found: str) -> None:
    late = f"<nav><p>{'x' * before},,,{'x' * 4}</p></nav>"
    assert container(apart(f"<main><p>,{'x' * (before + 6)}</p></main>", late)) == found


def test_length_counts_up_to_a_limit() -> None:
    assert container(apart(f"<main><p>{'x' * 200}</p></main>", f"<nav><p>{'x' * 250}</p></nav>")) == "nav"
    assert container(apart(f"<main><p>{'x' * 310},</p></main>", f"<nav><p>{'x' * 900}</p></nav>")) == "main"


def test_what_is_removed_scores_nothing() -> None:
    body = apart(f"<main><p>{TEXT}, {TEXT}</p></main>", f"<nav><p>{TEXT}</p></nav>")
    assert container(body) == "main" and container(body, {0}) == "nav"


def test_links_lower_a_score() -> None:
    assert (
        container(apart(f"<main><p><a>{TEXT}</a>, <a href=/>{TEXT}</a></p></main>", f"<nav><p>{TEXT},</p></nav>"))
        == "nav"
    )


@pytest.mark.parametrize(
    ("others", "found"),
    [
        # A quarter of what the best scores is enough for the element around both: an ancestor gets a part only.
        (f"<section><p>{TEXT},{TEXT}</p></section>", "wide"),
        (f"<section><p>{TEXT}</p></section>", "wide"),
        (f"<section><div><p>{TEXT},</p></div></section>", "wide"),
        (f"<section><div><div><p>{TEXT}</p></div></div></section>", "main"),
        (f"<section><div><div><div><p>{TEXT}</p></div></div></div></section>", "main"),
        ("", "main"),
        ("<p>Elm</p>", "main"),
    ],
)
def test_a_container_is_widened_where_much_of_the_same_is_beside_it(others: str, found: str) -> None:
    most = f"<main><p>{TEXT},{TEXT}</p></main>"
    assert container(f"<div id=wide>{most}{others}</div>") == found


@pytest.mark.parametrize(("letters", "found"), [(100, "wide"), (400, "home")])
def test_it_is_not_widened_to_links(letters: int, found: str) -> None:
    one = f"<div><p>{TEXT},{TEXT}</p></div>"
    links = f"<nav><a href=/>{'x' * letters}</a></nav>"
    assert container(f"<div id=wide><div id=home>{one}{one}</div>{links}<main><p>{TEXT},</p></main></div>") == found


@pytest.mark.parametrize(
    ("tag", "strong"),
    [(tag, 0.8) for tag in ("h1", "h2", "h3", "h4", "p", "pre", "blockquote")]
    + [(tag, 0.0) for tag in ("h5", "h6", "li", "div", "td")],
)
def test_a_probability_has_its_parts(tag: str, strong: float) -> None:
    # Nothing here is long enough for a container.
    page = read(f"<{tag}>Oak wood</{tag}><ul><li><a href=/>Elm</a></ul>")
    first, second = density_probabilities(page, set())[0], density_probabilities(page, {1})[1]
    base = 0.9 * log1p(2) - 3.8
    assert first == pytest.approx(1 / (1 + exp(-base - (0.0 if tag == "td" else strong))))
    assert second == pytest.approx(1 / (1 + exp(-(0.9 * log1p(1) - 3.5 - 3.8 - 4.0))))


def test_the_container_is_what_counts_most() -> None:
    page = read(f"<main><p>{TEXT}</p></main><p>Elm</p>")
    words = len(TEXT.split())
    assert density_probabilities(page, set())[0] == pytest.approx(1 / (1 + exp(-(0.9 * log1p(words) + 1.2 + 0.8))))
