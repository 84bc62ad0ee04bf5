"""Rows match at token boundaries, hashes are no words, and a bad row says what is wrong with it."""

from __future__ import annotations

from typing import Any

import pytest

from duramen.errors import RuleError
from duramen.flatten import parse_tree
from duramen.tables import Hosts, Removals, content_names, load, plain_name, removals, split_names


def row(**values: Any) -> dict[str, Any]:
    return {"id": "test", "reason": "a test", **values}


def table(*names: str) -> Removals:
    return Removals([row(names=list(names))])


def row_of(rows: Removals, value: str) -> str | None:
    """The id of the row that an element of this class falls under."""
    tree = parse_tree(f'<body><p>{"Oak heartwood. " * 9}</p><div class="{value}">x</div>')
    found = tree.core.removable(rows.compiled, frozenset(), ({}, {}, {}, {}), 100.0, 4)
    return rows.listed[found[0][1]].id if found else None


@pytest.mark.parametrize(
    ("name", "value", "matches"),
    [
        ("ad", "ad", True),
        ("ad", "header", False),
        ("ad", "ad-slot", True),
        ("ad", "top_ad", True),
        ("ad", "topAd", True),
        ("ad", "ad2", True),
        ("ad", "AD", True),
        ("ad", "adapter", False),
        ("ad", "read", False),
        ("ad", "download shadow", False),
        ("ad", "w-node-ad34f", False),
        ("nav", "canvas", False),
        ("nav", "navigate", False),
        ("nav", "main-nav", True),
        ("more-stories", "more-stories", True),
        ("more-stories", "moreStories", True),
        ("more-stories", "more_stories", True),
        ("more-stories", "morestories", True),
        ("more-stories", "more__stories--wide", True),
        ("more-stories", "stories-more", False),
        ("more-stories", "more stories", False),
        ("more-stories", "no-more-stories-here", True),
        ("more-stories", "more-new-stories", False),
        ("share", "shared", False),
        ("share", "market-share-report", True),
        ("comments", "comments-area", True),
        ("comments", "commentsarea", False),
    ],
)
def test_token_boundaries(name: str, value: str, matches: bool) -> None:
    assert (row_of(table(name), value) is not None) is matches


def test_the_longest_name_wins() -> None:
    rows = Removals([row(names=["comments"]), row(id="form", names=["comments-form"])])
    assert row_of(rows, "comments-form") == "form"
    assert row_of(rows, "comments-list") == "test"


@pytest.mark.parametrize(
    ("names", "parts"),
    [
        ("", ()),
        ("site-header", (("site", "header"),)),
        ("siteHeader SITE", (("site", "header"), ("site",))),
        ("XMLHttp", (("xml", "http"),)),
        ("a1b2c3", (("a1b2c3",),)),
        ("css-1q2w3e", (("css", "1q2w3e"),)),
        ("ad2", (("ad",),)),
        ("--", ((),)),
    ],
)
def test_split_names(names: str, parts: tuple[tuple[str, ...], ...]) -> None:
    assert split_names(names) == parts


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("post-content", "post-content"),
        ("Post_Content", "post-content"),
        ("article-body__content__17Yit", "article-body--content"),
        ("ArticleBody_aB3dE", "articlebody"),
        ("content-abcdef", "content-abcdef"),
        ("content", "content"),
        ("", ""),
    ],
)
def test_plain_name_cuts_hashes_off(word: str, plain: str) -> None:
    assert plain_name(word) == plain


def test_huge_names_are_bounded() -> None:
    assert len(split_names("ab-" * 1_000_000)) == 1
    assert row_of(table("ad"), "x " * 500_000) is None


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([{"reason": "x", "tags": ["nav"]}], "'id'"),
        ([{"id": "x", "tags": ["nav"]}], "'reason'"),
        ([{"id": "", "reason": "x", "tags": ["nav"]}], "'id'"),
        ([{"id": 3, "reason": "x", "tags": ["nav"]}], "'id'"),
        ([row()], "give it tags, roles, names"),
        ([row(tags=["nav"]), row(tags=["aside"])], "two rows have the id 'test'"),
    ],
)
def test_bad_rows_are_refused(rows: list[dict[str, Any]], says: str) -> None:
    with pytest.raises(RuleError, match=says.replace("'", ".")):
        Removals(rows)


def test_rows_by_tag_and_role() -> None:
    rows = Removals([row(tags=["nav"], roles=["menu"], sure=True, scope="glyph")])
    assert rows.by_tag["nav"] is rows.by_role["menu"] is rows.rows["test"]
    assert rows.rows["test"].sure and rows.rows["test"].scope == "glyph"
    assert row_of(rows, "nav") is None


def test_shipped_rows_are_complete() -> None:
    shipped = removals()
    assert len(shipped.rows) >= 20
    assert all(r.reason and r.scope in ("subtree", "glyph") for r in shipped.rows.values())


def test_no_name_stands_in_two_shipped_rows() -> None:
    owners: dict[str, str] = {}
    for raw in load("removals.toml")["row"]:
        for kind in ("tags", "roles", "names"):
            for name in raw.get(kind, ()):
                assert owners.setdefault(f"{kind}:{name}", raw["id"]) == raw["id"], name


def test_content_names_are_written_as_plain_names() -> None:
    names = content_names()
    assert {name: plain_name(name) for name in names} == {name: name for name in names}
    assert names["article-body"][0] == 0 and names["article-body"] < names["content"]


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("https://cdn.ads.example/x.js", True),
        ("//ADS.Example", True),
        ("https://ads.example:8080/x", True),
        ("https://ads.example.org/x", True),
        ("https://load.example/?u=https://ads.example/x", True),
        ("///ads.example/x", True),
        ("https://pub.net.work/x", True),
        ("https://bads.example/x", False),
        ("https://ads.examples/x", False),
        ("https://my-ads.example/x", False),
        ("https://user@ads.example/x", False),
        ("https://load.example/ads.example", False),
        ("/ads.example/x", False),
        ("", False),
    ],
)
def test_hosts_and_those_below_them(address: str, named: bool) -> None:
    assert Hosts(("ads.example", "pub.net.work")).are_in(address) is named
