"""The five-stage chain: each check alone can fail, limits belong to the page's type, all are reported."""

from __future__ import annotations

from typing import get_args

import pytest

from duramen.find.validate import BOUNDS, validate
from duramen.model import Check, PageType, SiteRule
from duramen.options import Options
from duramen.page import Page
from duramen.read.reader import read_page

P = "<p>Oak heartwood is hard, dark and durable, and for centuries shipwrights chose it for keels.</p>"
HEAD = "<title>Oaks</title>"


def read(body: str, head: str = HEAD) -> Page:
    return read_page(f"<!doctype html><html><head>{head}</head><body>{body}</body></html>", None, Options())


def checks(body: str, kind: PageType = "article", head: str = HEAD) -> dict[str, Check]:
    page = read(body, head)
    return {check.name: check for check in validate(page, range(len(page.blocks)), kind)}


def failed(body: str, kind: PageType = "article", head: str = HEAD) -> list[str]:
    return [name for name, check in checks(body, kind, head).items() if not check.passed]


def test_every_type_has_bounds_and_the_specified_order() -> None:
    assert set(BOUNDS) == set(get_args(PageType))
    assert list(checks(P)) == ["blocks", "characters", "paragraphs", "link_density", "indicators"]


@pytest.mark.parametrize(
    ("body", "head", "names"),
    [
        (P * 4, HEAD, []),
        ("", HEAD, ["blocks", "characters", "paragraphs"]),
        ("<p>a<p>b<p>c", HEAD, ["characters"]),
        (P * 2, HEAD, ["paragraphs"]),
        (P.replace("Oak", "<a href=/>").replace("keels", "keels</a>") * 4, HEAD, ["link_density"]),
        (P * 4, "", ["indicators"]),
        (P * 4, "<meta name=author content='Ines Halvorsen'>", []),
    ],
)
def test_each_check_of_an_article_can_fail_alone(body: str, head: str, names: list[str]) -> None:
    assert failed(body, head=head) == names


def test_other_types_are_looser() -> None:
    links = "".join(f"<li><a href=/{n}>Another oak story {n}</a>" for n in range(10))
    summary = "<li>All of them in one place."
    assert failed(f"<ul>{links}{summary}</ul>", "listing") == []
    assert failed(f"<ul>{links}{summary}</ul>", "collection", head="") == []
    assert "link_density" in failed(f"<ul>{links}</ul>", "documentation")
    assert failed(P, "service") == []


def test_prose_between_line_breaks_counts_as_a_paragraph() -> None:
    prose = (
        "Oak heartwood is hard and dark and durable and for centuries shipwrights chose it for keels and ribs of ships"
    )
    assert checks(f"<div>{prose}</div>" * 3)["paragraphs"].value == 3
    assert checks("<div>too short</div>" * 3)["paragraphs"].value == 0


def test_only_kept_blocks_are_measured() -> None:
    page = read(P * 4 + "<ul>" + "<li><a href=/>linked words here</a>" * 30 + "</ul>")
    assert all(check.passed for check in validate(page, range(4), "article"))
    assert not all(check.passed for check in validate(page, range(len(page.blocks)), "article"))


def test_values_and_limits_are_reported_also_after_a_failure() -> None:
    found = checks("", head="")
    assert {name: check.limit for name, check in found.items()} == {
        "blocks": 1,
        "characters": 100,
        "paragraphs": 2,
        "link_density": 0.3,
        "indicators": 1,
    }
    assert [check.value for check in found.values()] == [0, 0, 0, 0.0, 0]


@pytest.mark.parametrize("kind", get_args(PageType))
def test_each_type_has_its_limits(kind: PageType) -> None:
    chars, paragraphs, links, indicators = {
        "article": (100, 2, 0.3, 1),
        "listing": (60, 0, 0.98, 0),
        "collection": (60, 0, 0.98, 0),
    }.get(kind, (60, 0, 0.6, 0))
    found = checks(P, kind)
    assert [found[name].limit for name in found] == [1, chars, paragraphs, links, indicators]


@pytest.mark.parametrize(("count", "passed"), [(60, False), (61, True)])
def test_characters_are_more_than_the_limit(count: int, passed: bool) -> None:
    # The end of a block counts as one.
    assert checks(f"<p>{'o' * (count - 1)}</p>", "service")["characters"] == Check("characters", count, 60, passed)


@pytest.mark.parametrize(
    ("kind", "density"),
    [
        *((kind, 0.0) for kind in ("article", "forum", "product")),
        *((kind, 1.0) for kind in ("documentation", "service", "listing", "collection")),
    ],
)
def test_cards_are_links_only_where_they_are_teasers(kind: PageType, density: float) -> None:
    card = f"<a href=/oak><h3>Oak</h3>{P}{P}</a>"
    assert checks(card * 3, kind)["link_density"].value == pytest.approx(1.0 - density, abs=0.01)


@pytest.mark.parametrize(
    ("head", "count"),
    [
        ("", 0),
        (HEAD, 1),
        ("<meta name=author content='Ines Halvorsen'>" + HEAD, 2),
        ("<meta property=article:published_time content=2026-03-03>", 1),
        ("<meta property=article:modified_time content=2026-03-03>", 1),
        (
            "<meta property=article:published_time content=2026-03-03><meta property=article:modified_time"
            " content=2026-04-03>",
            1,
        ),
    ],
)
def test_indicators_are_a_date_an_author_and_a_title(head: str, count: int) -> None:
    assert checks(P, head=head)["indicators"].value == count


@pytest.mark.parametrize(
    ("paragraphs", "links", "limits"),
    [(None, None, (2, 0.3)), (3, 0.5, (2, 0.5)), (1, None, (0, 0.3)), (0, 0.0, (0, 0.0))],
)
def test_a_site_rule_has_limits_of_its_own(
    paragraphs: int | None, links: float | None, limits: tuple[int, float]
) -> None:
    rule = SiteRule("oak", (), (), paragraphs=paragraphs, link_density=links)
    page = read(P)
    found = {check.name: check.limit for check in validate(page, [0], "article", rule)}
    assert (found["paragraphs"], found["link_density"]) == limits
